/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Devices: their names, attributes (attributes.def) and memory, and how the
 * machine is split into them.
 */
#define _GNU_SOURCE
#include "core/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

/* Facts of the machine, read once. */
struct facts {
    char name[256];
    int clock_khz, memory_clock_khz, cache_bytes;
    size_t memory_bytes;
};

/* ---- reading the machine ---------------------------------------------- */

static long read_number(const char *path)
{
    long n = 0;
    FILE *f = fopen(path, "re");
    if (!f)
        return 0;
    if (fscanf(f, "%ld", &n) != 1)
        n = 0;
    fclose(f);
    return n;
}

/* Lines look like "model name : AMD EPYC" and "cpu MHz : 2595.6". */
static void read_cpuinfo(struct facts *facts)
{
    char line[512], model[192] = "CPU";
    double mhz = 0;
    FILE *f = fopen("/proc/cpuinfo", "re");
    while (f && fgets(line, sizeof line, f)) {
        const char *value = strchr(line, ':');
        if (!value)
            continue;
        if (starts_with(line, "model name"))
            sscanf(value, ": %191[^\n]", model);
        else if (starts_with(line, "cpu MHz"))
            sscanf(value, ": %lf", &mhz);
        else if (*line == '\n')
            break;
    }
    if (f)
        fclose(f);
    snprintf(facts->name, sizeof facts->name, "weft %s", model);
    long max_khz =
        read_number("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
    facts->clock_khz = max_khz ? (int)max_khz : (int)(mhz * 1000);
    if (facts->clock_khz <= 0)
        facts->clock_khz = 1000000;
    facts->memory_clock_khz = 1600000;
}

/* The memory limit of the control group (cgroup v2, v1) if it is below the
 * machine's. */
static size_t memory_limit(size_t physical)
{
    static const char *const files[] = {
        "/sys/fs/cgroup/memory.max",
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
    };
    size_t least = physical;
    for (unsigned i = 0; i < ARRAY_COUNT(files); i++) {
        long n = read_number(files[i]);
        if (n > 0 && (size_t)n < least)
            least = (size_t)n;
    }
    return least;
}

static struct facts the_facts;

static void read_facts(void)
{
    read_cpuinfo(&the_facts);
    size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    size_t physical = (size_t)sysconf(_SC_PHYS_PAGES) * page_bytes;
    /* The program and the system need memory too. */
    the_facts.memory_bytes = memory_limit(physical) / 8 * 7 & ~(page_bytes - 1);
    the_facts.cache_bytes = (int)exec_cache_bytes();
}

static const struct facts *get_facts(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_facts);
    return &the_facts;
}

/* ---- questions -------------------------------------------------------- */

/* Computed from the machine and the device's number, so that it never
 * changes. */
void device_uuid(int number, uint8_t out[16])
{
    assert(number >= 0);
    const char *name = get_facts()->name;
    uint64_t halves[2];
    halves[0] = hash_bytes(name, strlen(name), (uint64_t)number);
    halves[1] = hash_bytes(name, strlen(name), ~halves[0]);
    memcpy(out, halves, sizeof halves);
}

/* Is the text the beginning of this device's "GPU-" and uuid? */
static bool names_uuid(const char *text, size_t length, int number)
{
    uint8_t id[16];
    char own[48] = "GPU-";
    size_t n = strlen(own);
    device_uuid(number, id);
    for (unsigned i = 0; i < sizeof id; i++) {
        bool has_dash = i == 4 || i == 6 || i == 8 || i == 10;
        n += (size_t)snprintf(own + n, sizeof own - n, "%s%02x",
                              has_dash ? "-" : "", id[i]);
    }
    return length > 4 && length <= n && !strncasecmp(own, text, length);
}

/* ---- which devices there are ------------------------------------------ */

/* How many devices the machine is split into: WEFT_DEVICES. */
static struct {
    int count;
    int visible_count;
    int visible[DEVICE_COUNT_MAX]; /* numbers among all, in the list's order */
    CUresult missing;              /* why there is none */
} devices = {.missing = CUDA_ERROR_NO_DEVICE};

int device_node_count(void)
{
    char path[64];
    int count = 0;
    do
        snprintf(path, sizeof path, "/sys/devices/system/node/node%d", count);
    while (!access(path, F_OK) && ++count < DEVICE_COUNT_MAX);
    return count ? count : 1;
}

/* Clients whose toolkit is later than the driver have its own compiler make
 * machine code of their PTX; the driver gets the PTX if it seems as late. */
int device_driver_version(void)
{
    enum { LAST = 99990 };
    const char *text = getenv("WEFT_DRIVER_VERSION");
    long version = text ? strtol(text, NULL, 10) : 0;
    return version > DRIVER_VERSION && version <= LAST ? (int)version
                                                       : DRIVER_VERSION;
}

static int wanted_devices(void)
{
    const char *text = getenv("WEFT_DEVICES");
    if (text && !strcmp(text, "numa"))
        return device_node_count();
    long n = text ? strtol(text, NULL, 10) : 1;
    return n < 1 ? 1 : n > DEVICE_COUNT_MAX ? DEVICE_COUNT_MAX : (int)n;
}

/* Digits behind spaces: a number, else a uuid. */
static bool is_number(const char *item)
{
    char *end;
    (void)strtol(item, &end, 10);
    return end != item;
}

/* The device that an item of the list names; -1: none. What follows a number's
 * digits is not looked at. */
static int named_device(const char *item, size_t length)
{
    if (is_number(item)) {
        long n = strtol(item, NULL, 10);
        return n >= 0 && n < devices.count ? (int)n : -1;
    }
    for (int i = 0; i < devices.count; i++)
        if (names_uuid(item, length, i))
            return i;
    return -1;
}

static void hide_all(CUresult why)
{
    assert(why);
    devices.visible_count = 0;
    devices.missing = why;
}

/* CUDA_VISIBLE_DEVICES: numbers or uuids. From the first item on that names no
 * device, or is of the other kind, the list is ignored. One that names a device
 * twice is an error. */
static void read_visible(const char *list)
{
    bool is_seen[DEVICE_COUNT_MAX] = {0}, has_numbers = false;
    for (;;) {
        list += strspn(list, " \t");
        size_t length = strcspn(list, ",");
        int device = named_device(list, strcspn(list, ", \t"));
        if (!devices.visible_count)
            has_numbers = is_number(list);
        if (device < 0 || is_number(list) != has_numbers)
            return;
        if (is_seen[device]) {
            hide_all(CUDA_ERROR_INVALID_DEVICE);
            return;
        }
        is_seen[device] = true;
        devices.visible[devices.visible_count++] = device;
        list += length;
        if (!*list++)
            return;
    }
}

/* CUDA_DEVICE_ORDER changes nothing, as all devices are alike. */
static bool is_order_known(void)
{
    const char *order = getenv("CUDA_DEVICE_ORDER");
    return !order || !*order || strcasecmp(order, "PCI_BUS_ID") == 0 ||
           strcasecmp(order, "FASTEST_FIRST") == 0;
}

static void read_devices(void)
{
    const char *list = getenv("CUDA_VISIBLE_DEVICES");
    devices.count = wanted_devices();
    if (list) {
        read_visible(list);
    } else {
        devices.visible_count = devices.count;
        for (int i = 0; i < devices.count; i++)
            devices.visible[i] = i;
    }
    if (!is_order_known())
        hide_all(CUDA_ERROR_INVALID_DEVICE);
}

CUresult device_missing(void)
{
    assert(device_count() == 0);
    return devices.missing;
}

int device_count(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_devices);
    return devices.visible_count;
}

bool device_exists(int device)
{
    return device >= 0 && device < device_count();
}

CUresult device_check_place(const CUmemLocation *l)
{
    switch (l->type) {
    case CU_MEM_LOCATION_TYPE_DEVICE:
        return device_exists(l->id) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
    case CU_MEM_LOCATION_TYPE_HOST:
        return CUDA_SUCCESS;
    case CU_MEM_LOCATION_TYPE_HOST_NUMA:
        return l->id >= 0 && l->id < device_node_count()
                   ? CUDA_SUCCESS
                   : CUDA_ERROR_INVALID_VALUE;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

int device_total_count(void)
{
    device_count();
    return devices.count;
}

int device_number(int device)
{
    assert(device >= 0);
    return device < device_count() ? devices.visible[device] : 0;
}

/* ---- places on the PCI bus ---------------------------------------------- */

void device_pci_id(int number, char out[DEVICE_PCI_ID_BYTES])
{
    int domain = 0, bus = 0, slot = 0;
    device_attribute_at(&domain, CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID, number);
    device_attribute_at(&bus, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, number);
    device_attribute_at(&slot, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, number);
    snprintf(out, DEVICE_PCI_ID_BYTES, "%04x:%02x:%02x.0",
             (unsigned)domain & 0xffff, (unsigned)bus & 0xff,
             (unsigned)slot & 0xff);
}

/* [domain:]bus:slot[.function], in hexadecimal. */
static bool parse_pci_id(const char *text, unsigned out[4])
{
    int end = 0;
    out[0] = out[3] = 0;
    if (sscanf(text, "%x:%x:%x%n", &out[0], &out[1], &out[2], &end) != 3) {
        out[0] = 0;
        if (sscanf(text, "%x:%x%n", &out[1], &out[2], &end) != 2)
            return false;
    }
    text += end;
    if (*text == '.' && sscanf(text, ".%x%n", &out[3], &end) == 1)
        text += end;
    return *text == '\0';
}

CUresult device_by_pci_id(const char *text, int *out)
{
    unsigned wanted[4], own[4];
    char id[DEVICE_PCI_ID_BYTES];
    if (!parse_pci_id(text, wanted))
        return CUDA_ERROR_INVALID_VALUE;
    for (int i = 0; i < device_count(); i++) {
        device_pci_id(device_number(i), id);
        if (parse_pci_id(id, own) && memcmp(own, wanted, sizeof own) == 0) {
            *out = i;
            return CUDA_SUCCESS;
        }
    }
    return CUDA_ERROR_INVALID_DEVICE;
}

/* ---- SMs --------------------------------------------------------------- */

/* Programs divide by the number of SMs, and by 32 of them. A small machine
 * reports more than it has, and its threads take turns. */
#define SM_COUNT_LEAST 16

unsigned device_sm_count(void)
{
    unsigned wanted = exec_wanted_sms();
    unsigned own = exec_sm_count() / (unsigned)devices.count;
    if (wanted)
        return wanted;
    return own < SM_COUNT_LEAST ? SM_COUNT_LEAST : own;
}

/* Devices have equal parts of the SM threads, at least one each. Neighbouring
 * threads are of one NUMA node (topology.c). */
struct exec_part device_part(int device, unsigned sm_first, unsigned sm_count)
{
    assert(device_exists(device));
    unsigned threads = exec_sm_count(), sms = device_sm_count();
    unsigned all = (unsigned)devices.count;
    unsigned n = (unsigned)devices.visible[device];
    unsigned low = n * threads / all, high = (n + 1) * threads / all;
    unsigned width = high > low ? high - low : 1;
    assert(sm_first < sms && sm_count && sm_count <= sms - sm_first);
    return (struct exec_part){
        .first = low + sm_first * width / sms,
        .end = low + ((sm_first + sm_count) * width + sms - 1) / sms,
        .sm_first = sm_first,
        .sm_count = sm_count,
    };
}

int device_p2p_attribute(CUdevice_P2PAttribute attribute)
{
    switch ((int)attribute) {
    case CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED:
    case CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED:
    case CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED:
        return 1;
    default: /* all pairs are alike; all atomics are there */
        return 0;
    }
}

/* Capabilities as of PTX's atomic instructions: ptx/ops.def. */
static unsigned atomic_capabilities(CUatomicOperation operation)
{
    const unsigned both = CU_ATOMIC_CAPABILITY_SIGNED |
                          CU_ATOMIC_CAPABILITY_UNSIGNED |
                          CU_ATOMIC_CAPABILITY_SCALAR_32 |
                          CU_ATOMIC_CAPABILITY_SCALAR_64;
    switch (operation) {
    case CU_ATOMIC_OPERATION_EXCHANGE:
    case CU_ATOMIC_OPERATION_CAS:
        return both | CU_ATOMIC_CAPABILITY_SCALAR_128;
    case CU_ATOMIC_OPERATION_INTEGER_INCREMENT:
    case CU_ATOMIC_OPERATION_INTEGER_DECREMENT:
        return CU_ATOMIC_CAPABILITY_UNSIGNED | CU_ATOMIC_CAPABILITY_SCALAR_32 |
               CU_ATOMIC_CAPABILITY_REDUCTION;
    case CU_ATOMIC_OPERATION_FLOAT_ADD:
        return CU_ATOMIC_CAPABILITY_SCALAR_32 | CU_ATOMIC_CAPABILITY_SCALAR_64 |
               CU_ATOMIC_CAPABILITY_REDUCTION;
    case CU_ATOMIC_OPERATION_FLOAT_MIN:
    case CU_ATOMIC_OPERATION_FLOAT_MAX:
        return 0;
    default:
        return both | CU_ATOMIC_CAPABILITY_REDUCTION;
    }
}

CUresult device_atomic_capabilities(unsigned *out,
                                    const CUatomicOperation *operations,
                                    unsigned count)
{
    if (!out || !operations || !count)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++)
        if ((unsigned)operations[i] >= CU_ATOMIC_OPERATION_MAX)
            return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++)
        out[i] = atomic_capabilities(operations[i]);
    return CUDA_SUCCESS;
}

const char *device_name(void)
{
    return get_facts()->name;
}

size_t device_total_memory(void)
{
    device_count();
    return get_facts()->memory_bytes / (size_t)devices.count & ~(size_t)4095;
}

CUresult device_attribute(int *value, CUdevice_attribute attribute, int device)
{
    if (device < 0 || device >= device_count())
        return CUDA_ERROR_INVALID_DEVICE;
    return device_attribute_at(value, attribute, device_number(device));
}

CUresult device_attribute_at(int *value, CUdevice_attribute attribute,
                             int number)
{
    const struct facts *facts = get_facts();
    if (number < 0 || number >= device_total_count())
        return CUDA_ERROR_INVALID_DEVICE;
    if (!value)
        return CUDA_ERROR_INVALID_VALUE;
    switch ((int)attribute) {
#define ATTRIBUTE(name, answer)                                                \
    case CU_DEVICE_ATTRIBUTE_##name:                                           \
        *value = (answer);                                                     \
        return CUDA_SUCCESS;
#include "core/attributes.def"
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}
