/* SPDX-License-Identifier: Apache-2.0 */
/* nvidia-smi pmon (processes), dmon (load), topo (which devices are near each
 * other). */
#include "toolkit/smi.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void print_processes(unsigned round)
{
    nvmlProcessInfo_t found[SMI_PROCESSES_MAX];
    unsigned count = smi_find_processes(found);
    char name[256];
    if (round == 0)
        puts("# gpu         pid   type     sm    mem    enc    dec    jpg    "
             "ofa    command \n"
             "# Idx           #    C/G      %      %      %      %      %      "
             "%    name ");
    for (unsigned i = 0; i < count; i++) {
        smi_process_name(found[i].pid, name, sizeof name);
        const char *slash = strrchr(name, '/');
        printf("%5u %10u     C      -      -      -      -      -      -    "
               "%-14.14s \n",
               0u, found[i].pid, slash ? slash + 1 : name);
    }
    if (!count)
        puts("    0          -     -      -      -      -      -      -      "
             "-    -              ");
}

static void print_load(unsigned round)
{
    struct smi_device d;
    if (round == 0)
        puts("# gpu    pwr  gtemp  mtemp     sm    mem    enc    dec    jpg    "
             "ofa   mclk   pclk \n"
             "# Idx      W      C      C      %      %      %      %      %"
             "      %    MHz    MHz ");
    for (unsigned i = 0; smi_read_device(i, &d); i++)
        printf("%5u      -      -      - %6u %6u      -      -      -      "
               "-      - %6u \n",
               i, d.use.gpu, d.use.memory, d.clock_mhz);
}

/* Devices are parts of one machine's memory and processors. */
static void print_neighbours(unsigned round)
{
    unsigned count = smi_device_total();
    (void)round;
    for (unsigned i = 0; i < count; i++)
        printf("\tGPU%u", i);
    puts("\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID");
    for (unsigned i = 0; i < count; i++) {
        printf("GPU%u", i);
        for (unsigned j = 0; j < count; j++)
            printf("\t %s", i == j ? "X" : "SYS");
        printf("\t0-%ld\tN/A\t\tN/A\n", sysconf(_SC_NPROCESSORS_CONF) - 1);
    }
    puts("\nLegend:\n\n  X    = Self\n  SYS  = both are of this machine");
}

static const struct {
    const char *name;
    void (*print)(unsigned round);
    bool repeats;
} commands[] = {
    {"pmon", print_processes, true},
    {"dmon", print_load, true},
    {"topo", print_neighbours, false},
};

bool smi_is_command(const char *name)
{
    for (size_t i = 0; i < ARRAY_COUNT(commands); i++) {
        if (!strcmp(name, commands[i].name))
            return true;
    }
    return false;
}

int smi_repeat(unsigned long milliseconds, int (*show)(const void *what),
               const void *what)
{
    const struct timespec pause = {
        .tv_sec = (time_t)(milliseconds / 1000),
        .tv_nsec = (long)(milliseconds % 1000) * 1000000,
    };
    int status;
    while ((status = show(what)) == 0 && fflush(stdout) == 0)
        nanosleep(&pause, NULL);
    return status;
}

int smi_command(const char *name, const char *count, const char *delay_s)
{
    unsigned rounds = count ? (unsigned)atoi(count) : 0; /* 0: for ever */
    unsigned seconds = delay_s ? (unsigned)atoi(delay_s) : 1;
    size_t c = 0;
    while (strcmp(name, commands[c].name) != 0)
        c++;
    if (!commands[c].repeats)
        rounds = 1;
    for (unsigned i = 0; !rounds || i < rounds; i++) {
        if (i)
            sleep(seconds);
        commands[c].print(i);
        fflush(stdout);
    }
    return 0;
}
