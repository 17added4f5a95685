/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process uses weft if it has both libweft.so and a library that calls it for
 * programs, libcuda or libcudart, in memory; this library alone is not enough.
 * Host memory is device memory, so a process's device memory is its anonymous
 * memory; SMs are threads, so its use of SMs is its processor time.
 */
#include "nvml/processes.h"

#include <ctype.h>
#include <dirent.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

static FILE *open_file(unsigned pid, const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%u/%s", pid, name);
    return fopen(path, "r");
}

static bool uses_weft(unsigned pid)
{
    char line[4352];
    bool has_weft = false, has_door = false;
    FILE *f = open_file(pid, "maps");
    while (f && !(has_weft && has_door) && fgets(line, sizeof line, f)) {
        has_weft |= strstr(line, "/libweft.so") != NULL;
        has_door |= strstr(line, "/libcuda.so") || strstr(line, "/libcudart");
    }
    if (f)
        fclose(f);
    return has_weft && has_door;
}

static unsigned long long memory_bytes(unsigned pid)
{
    char line[256];
    unsigned long long kib = 0;
    FILE *f = open_file(pid, "status");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "RssAnon: %llu", &kib) == 1)
            break;
    if (f)
        fclose(f);
    return kib << 10;
}

/* Calls `fn` for each process that uses weft. */
static void for_each(void (*fn)(unsigned pid, void *data), void *data)
{
    DIR *d = opendir("/proc");
    for (struct dirent *e; d && (e = readdir(d));) {
        unsigned pid = (unsigned)strtoul(e->d_name, NULL, 10);
        if (isdigit((unsigned char)e->d_name[0]) && uses_weft(pid))
            fn(pid, data);
    }
    if (d)
        closedir(d);
}

struct list {
    nvmlProcessInfo_t *out;
    unsigned room, count;
};

static void add_process(unsigned pid, void *data)
{
    struct list *l = data;
    if (l->count < l->room)
        l->out[l->count] =
            (nvmlProcessInfo_t){.pid = pid,
                                .usedGpuMemory = memory_bytes(pid),
                                .gpuInstanceId = ~0u,
                                .computeInstanceId = ~0u};
    l->count++;
}

unsigned processes_find(nvmlProcessInfo_t *out, unsigned room)
{
    struct list l = {.out = out, .room = room};
    for_each(add_process, &l);
    return l.count;
}

static void add_memory(unsigned pid, void *data)
{
    if (pid != (unsigned)getpid())
        *(unsigned long long *)data += memory_bytes(pid);
}

unsigned long long processes_other_memory(void)
{
    unsigned long long bytes = 0;
    for_each(add_memory, &bytes);
    return bytes;
}

/* ---- how busy ------------------------------------------------------------ */

struct sample {
    double seconds; /* when it was taken, by the clock; 0: never */
    double busy;    /* processor time of all of them */
};

static void add_time(unsigned pid, void *data)
{
    char line[1024];
    unsigned long long user = 0, kernel = 0;
    FILE *f = open_file(pid, "stat");
    /* The name may hold anything; behind its parenthesis there are numbers. */
    char *rest = f && fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
    if (rest)
        sscanf(rest, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu",
               &user, &kernel);
    if (f)
        fclose(f);
    *(double *)data += (double)(user + kernel) / (double)sysconf(_SC_CLK_TCK);
}

static struct sample take_sample(void)
{
    struct sample s = {0};
    for_each(add_time, &s.busy);
    s.seconds = (double)clock_now_ns() * 1e-9;
    return s;
}

unsigned processes_utilisation(unsigned sm_count)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct sample last;
    pthread_mutex_lock(&lock);
    struct sample now = take_sample();
    if (now.seconds - last.seconds > 1 || now.seconds - last.seconds < 0.05) {
        last = now;
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
        now = take_sample();
    }
    double share = (now.busy - last.busy) / (now.seconds - last.seconds) /
                   (sm_count ? sm_count : 1);
    last = now;
    pthread_mutex_unlock(&lock);
    return share < 0 ? 0 : share > 1 ? 100 : (unsigned)(share * 100 + 0.5);
}

/* ---- clocks -------------------------------------------------------------- */

unsigned processor_clock_mhz(void)
{
    char line[512];
    double best = 0, mhz;
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "cpu MHz : %lf", &mhz) == 1 && mhz > best)
            best = mhz;
    if (f)
        fclose(f);
    return (unsigned)best;
}

unsigned processor_max_clock_mhz(void)
{
    unsigned khz = 0;
    FILE *f =
        fopen("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "r");
    if (f && fscanf(f, "%u", &khz) != 1)
        khz = 0;
    if (f)
        fclose(f);
    return khz ? khz / 1000 : processor_clock_mhz();
}
