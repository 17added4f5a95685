/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device: what it is called, what it can do (attributes.def), how much
 * memory it has, and its limits.
 */
#define _GNU_SOURCE
#include "core/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

/* What is read from the machine once. */
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

/* "model name : AMD EPYC", "cpu MHz : 2595.6" */
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

/* The group's limit, if it is below what the machine has (cgroup v2, v1). */
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

/* The same device of the same machine always has the same one. */
void device_uuid(uint8_t out[16])
{
    const char *name = get_facts()->name;
    uint64_t halves[2];
    halves[0] = hash_bytes(name, strlen(name), 0);
    halves[1] = hash_bytes(name, strlen(name), ~halves[0]);
    memcpy(out, halves, sizeof halves);
}

/* "GPU-" and as much of the id as makes it clear. */
static bool names_uuid(const char *text, size_t length)
{
    uint8_t id[16];
    char own[48] = "GPU-";
    size_t n = strlen(own);
    device_uuid(id);
    for (unsigned i = 0; i < sizeof id; i++) {
        bool has_dash = i == 4 || i == 6 || i == 8 || i == 10;
        n += (size_t)snprintf(own + n, sizeof own - n, "%s%02x",
                              has_dash ? "-" : "", id[i]);
    }
    return length > 4 && length <= n && !strncasecmp(own, text, length);
}

/* CUDA_VISIBLE_DEVICES: numbers and ids; from the first that is none of a
 * device on, the list does not count. There is one device. */
static bool is_visible(const char *list)
{
    char *end;
    if (!list)
        return true;
    list += strspn(list, " \t");
    size_t length = strcspn(list, ", \t");
    if (names_uuid(list, length))
        return true;
    return *list >= '0' && *list <= '9' && strtoul(list, &end, 10) == 0 &&
           end == list + length;
}

static atomic_int visible_count = -1;

int device_count(void)
{
    int count = atomic_load_explicit(&visible_count, memory_order_relaxed);
    if (count < 0) {
        count = is_visible(getenv("CUDA_VISIBLE_DEVICES"));
        atomic_store(&visible_count, count);
    }
    return count;
}

const char *device_name(void)
{
    return get_facts()->name;
}

size_t device_total_memory(void)
{
    return get_facts()->memory_bytes;
}

CUresult device_attribute(int *value, CUdevice_attribute attribute, int device)
{
    const struct facts *facts = get_facts();
    if (device < 0 || device >= device_count())
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

/* ---- limits ----------------------------------------------------------- */

static pthread_mutex_t limits_lock = PTHREAD_MUTEX_INITIALIZER;
#define STACK_BYTES_DEFAULT   1024
#define STACK_BYTES_MAX       ((size_t)512 << 10) /* a thread's local memory */
#define FETCH_GRANULARITY_MAX 128
#define DEFAULT_LIMITS                                                         \
    {                                                                          \
        [CU_LIMIT_STACK_SIZE] = STACK_BYTES_DEFAULT,                           \
        [CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH] = 2,                                 \
        [CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT] = 2048,                    \
        [CU_LIMIT_MAX_L2_FETCH_GRANULARITY] = 64,                              \
    }
/* Those that are numbers to remember. */
static const size_t default_limits[CU_LIMIT_MAX] = DEFAULT_LIMITS;
static size_t remembered[CU_LIMIT_MAX] = DEFAULT_LIMITS;

CUresult device_limit_get(size_t *value, CUlimit limit)
{
    if (!value)
        return CUDA_ERROR_INVALID_VALUE;
    switch ((int)limit) {
    case CU_LIMIT_PRINTF_FIFO_SIZE:
        *value = exec_printf_size();
        return CUDA_SUCCESS;
    case CU_LIMIT_MALLOC_HEAP_SIZE:
        *value = exec_heap_size();
        return CUDA_SUCCESS;
    case CU_LIMIT_STACK_SIZE:
    case CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH:
    case CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT:
    case CU_LIMIT_MAX_L2_FETCH_GRANULARITY:
    case CU_LIMIT_PERSISTING_L2_CACHE_SIZE:
        pthread_mutex_lock(&limits_lock);
        *value = remembered[limit];
        pthread_mutex_unlock(&limits_lock);
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE; /* hardware; the manual says 215 */
    }
}

static CUresult remember(CUlimit limit, size_t value)
{
    pthread_mutex_lock(&limits_lock);
    remembered[limit] = value;
    pthread_mutex_unlock(&limits_lock);
    return CUDA_SUCCESS;
}

/* A wish, which the guide lets be clamped. */
static size_t clamp_persisting(size_t value)
{
    int most;
    bool known = !device_attribute(
        &most, CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE, 0);
    return known && value > (size_t)most ? (size_t)most : value;
}

CUresult device_limit_set(CUlimit limit, size_t value)
{
    size_t old;
    CUresult err = device_limit_get(&old, limit);
    if (err)
        return err;
    switch (limit) {
    case CU_LIMIT_PRINTF_FIFO_SIZE:
        return exec_printf_set_size(value) ? CUDA_SUCCESS
                                           : CUDA_ERROR_INVALID_VALUE;
    case CU_LIMIT_MALLOC_HEAP_SIZE:
        return exec_heap_set_size(value) ? CUDA_SUCCESS
                                         : CUDA_ERROR_INVALID_VALUE;
    case CU_LIMIT_STACK_SIZE:
        if (value > STACK_BYTES_MAX)
            return CUDA_ERROR_INVALID_VALUE;
        exec_set_stack_limit(value);
        return remember(limit, value);
    case CU_LIMIT_MAX_L2_FETCH_GRANULARITY:
        return value > FETCH_GRANULARITY_MAX ? CUDA_ERROR_INVALID_VALUE
                                             : remember(limit, value);
    case CU_LIMIT_PERSISTING_L2_CACHE_SIZE:
        return remember(limit, clamp_persisting(value));
    default:
        return remember(limit, value);
    }
}

void device_limits_reset(void)
{
    exec_printf_reset();
    exec_heap_reset();
    exec_set_stack_limit(STACK_BYTES_DEFAULT);
    pthread_mutex_lock(&limits_lock);
    memcpy(remembered, default_limits, sizeof remembered);
    pthread_mutex_unlock(&limits_lock);
}
