/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which processors the SMs run on: one per core of those this process may
 * use, no more than the control group's share of time, or WEFT_SMS. And how
 * much their last cache holds.
 */
#define _GNU_SOURCE
#include "exec/internal.h"

#ifdef __x86_64__
#include <cpuid.h>
#endif
#include <hwloc.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* NULL: the system does not tell; processor 0. */
struct allowed {
    cpu_set_t *set;
    size_t bytes;
};

/* Those of a thread, or of the process's first: the kernel refuses sets that
 * are shorter than its own. */
static struct allowed allowed_cpus(pid_t thread)
{
    const unsigned most = 1u << 20;
    for (unsigned cpus = CPU_SETSIZE; cpus <= most; cpus *= 2) {
        struct allowed a = {CPU_ALLOC(cpus), CPU_ALLOC_SIZE(cpus)};
        if (a.set && !sched_getaffinity(thread, a.bytes, a.set))
            return a;
        CPU_FREE(a.set);
    }
    return (struct allowed){0};
}

static bool is_allowed(const struct allowed *a, unsigned cpu)
{
    return a->set ? CPU_ISSET_S(cpu, a->bytes, a->set) : cpu == 0;
}

/* The first allowed processor of each core. */
static unsigned cores_of_topology(const struct allowed *allowed, unsigned *cpus,
                                  unsigned capacity)
{
    hwloc_topology_t topology;
    unsigned count = 0;
    if (hwloc_topology_init(&topology))
        return 0;
    hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
    hwloc_topology_set_type_filter(topology, HWLOC_OBJ_CORE,
                                   HWLOC_TYPE_FILTER_KEEP_ALL);
    if (hwloc_topology_load(topology))
        goto destroy;
    int cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
    for (int i = 0; i < cores && count < capacity; i++) {
        hwloc_obj_t core =
            hwloc_get_obj_by_type(topology, HWLOC_OBJ_CORE, (unsigned)i);
        unsigned cpu;
        hwloc_bitmap_foreach_begin(cpu,
                                   core->cpuset) if (is_allowed(allowed, cpu))
        {
            cpus[count++] = cpu;
            break;
        }
        hwloc_bitmap_foreach_end();
    }
destroy:
    hwloc_topology_destroy(topology);
    return count;
}

static unsigned cores_of_affinity(const struct allowed *allowed, unsigned *cpus,
                                  unsigned capacity)
{
    unsigned count = 0;
    unsigned end = allowed->set ? 8 * (unsigned)allowed->bytes : 1;
    for (unsigned cpu = 0; cpu < end && count < capacity; cpu++) {
        if (is_allowed(allowed, cpu))
            cpus[count++] = cpu;
    }
    return count;
}

static bool read_two(const char *path, char *first, long *second)
{
    FILE *f = fopen(path, "re");
    if (!f)
        return false;
    int n = fscanf(f, "%31s %ld", first, second);
    fclose(f);
    return n >= 1;
}

/* The number of processors that a control group's limit amounts to; 0: no
 * limit. */
static unsigned limit_of(const char *directory)
{
    char path[4200], quota[32];
    long period = 0;
    snprintf(path, sizeof path, "%s/cpu.max", directory);
    if (!read_two(path, quota, &period) || period <= 0)
        return 0;
    long time = strtol(quota, NULL, 10); /* "max": 0 */
    return time > 0 ? (unsigned)((time + period - 1) / period) : 0;
}

/* The smallest limit from this process's group up to the root (cgroup v2). */
static unsigned group_limit(void)
{
    char line[4096], directory[4128];
    unsigned least = 0;
    FILE *f = fopen("/proc/self/cgroup", "re");
    if (!f)
        return 0;
    while (fgets(line, sizeof line, f)) {
        if (strncmp(line, "0::", 3) != 0)
            continue;
        line[strcspn(line, "\n")] = 0;
        snprintf(directory, sizeof directory, "/sys/fs/cgroup%s", line + 3);
        while (strlen(directory) >= strlen("/sys/fs/cgroup")) {
            unsigned limit = limit_of(directory);
            if (limit && (!least || limit < least))
                least = limit;
            assert(directory[0] == '/');
            *strrchr(directory, '/') = 0;
        }
    }
    fclose(f);
    return least;
}

/* No more processors than the control group's time amounts to. */
static unsigned within_limit(unsigned count)
{
    unsigned limit = group_limit();
    return limit && limit < count ? limit : count;
}

unsigned exec_wanted_sms(void)
{
    const char *text = getenv("WEFT_SMS");
    long n = text ? strtol(text, NULL, 10) : 0;
    return n > 0 ? (unsigned)n : 0;
}

unsigned topology_cores(unsigned *cpus, unsigned capacity)
{
    struct allowed allowed = allowed_cpus(0);
    unsigned count = cores_of_topology(&allowed, cpus, capacity);
    if (count == 0)
        count = cores_of_affinity(&allowed, cpus, capacity);
    CPU_FREE(allowed.set);

    assert(count <= capacity);
    count = within_limit(count);
    unsigned wanted = exec_wanted_sms();
    return wanted && wanted < count ? wanted : count;
}

/* ---- caches ------------------------------------------------------------ */

/* What a virtual machine has of the last cache, for each of its processors. It
 * is told of the whole, though others use most of it. */
#define SHARE_BYTES ((uint64_t)4 << 20)

static pthread_once_t cache_once = PTHREAD_ONCE_INIT;
static uint64_t cache_bytes;

static bool is_virtual(void)
{
#ifdef __x86_64__
    unsigned a, b, c, d;
    const unsigned bit_hypervisor = 1u << 31;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_hypervisor);
#else
    return false;
#endif
}

/* Of the process: whichever thread asks first may be bound to one processor.
 * WEFT_SMS takes nothing from what the system gives. */
static unsigned allowed_count(void)
{
    struct allowed a = allowed_cpus(getpid());
    int count = a.set ? CPU_COUNT_S(a.bytes, a.set) : 1;
    CPU_FREE(a.set);
    assert(count > 0);
    return within_limit((unsigned)count);
}

uint64_t topology_cache_share(uint64_t size, unsigned cpus, bool is_shared)
{
    assert(cpus > 0);
    uint64_t share = cpus * SHARE_BYTES;
    return is_shared && share < size ? share : size;
}

/* Not by sysconf: on AMD it adds up the caches of all dies. */
static void read_cache(void)
{
    const char *pattern = "/sys/devices/system/cpu/cpu0/cache/index%d/size";
    char path[64], unit;
    uint64_t size;

    const char *wanted = getenv("WEFT_CACHE_BYTES"); /* for tests */
    if (wanted) {
        cache_bytes = strtoull(wanted, NULL, 10);
        return;
    }
    cache_bytes = 32 << 20; /* where the system does not tell */
    for (int i = 3; i >= 2; i--) {
        snprintf(path, sizeof path, pattern, i);
        FILE *f = fopen(path, "re");
        if (!f)
            continue;
        int n = fscanf(f, "%" SCNu64 "%c", &size, &unit);
        fclose(f);
        if (n != 2)
            continue;
        size <<= unit == 'K' ? 10 : unit == 'M' ? 20 : 0;
        cache_bytes = topology_cache_share(size, allowed_count(), is_virtual());
        return;
    }
}

uint64_t exec_cache_bytes(void)
{
    pthread_once(&cache_once, read_cache);
    return cache_bytes;
}
