/* SPDX-License-Identifier: Apache-2.0 */
/* The table that nvidia-smi prints without options. Scripts cut its columns, so
 * they are where NVIDIA's tool of CUDA 12 and 13 has them. */
#include "toolkit/smi.h"

#include <stdio.h>

static void put_rule(const char *first, char fill, const char *between)
{
    static const int widths[] = {41, 24, 22};
    fputs(first, stdout);
    for (size_t i = 0; i < ARRAY_COUNT(widths); i++) {
        for (int n = 0; n < widths[i]; n++)
            putchar(fill);
        fputs(i + 1 < ARRAY_COUNT(widths)    ? between
              : *first == '|' && fill == '=' ? "|\n"
                                             : "+\n",
              stdout);
    }
}

static void put_row(const char *left, const char *middle, const char *right)
{
    printf("| %-39s | %22s | %20s |\n", left, middle, right);
}

void smi_table_head(void)
{
    int cuda = DRIVER_VERSION;
    printf("%s\n", smi_timestamp());
    put_rule("+", '-', "-");
    printf(
        "| NVIDIA-SMI %-22s Driver Version: %-14s CUDA Version: %2d.%-5d |\n",
        "(weft)", smi_driver_version(), cuda / 1000, cuda % 1000 / 10);
    put_rule("|", '-', "+");
    put_row("GPU  Name                 Persistence-M", "Bus-Id          Disp.A",
            "Volatile Uncorr. ECC");
    put_row("Fan  Temp   Perf          Pwr:Usage/Cap", "Memory-Usage",
            "GPU-Util  Compute M.");
    put_row("", "", "MIG M.");
    put_rule("|", '=', "+");
}

void smi_table_row(const struct smi_device *d)
{
    char left[64], middle[96], right[64];
    snprintf(left, sizeof left, "%3u  %-27.27s  %5s", d->index, d->name, "N/A");
    snprintf(middle, sizeof middle, "%s Off", d->pci.busId);
    put_row(left, middle, "N/A");
    snprintf(middle, sizeof middle, "%lluMiB / %6lluMiB",
             smi_mib(d->memory.used), smi_mib(d->memory.total));
    snprintf(right, sizeof right, "%u%%  %11s", d->use.gpu,
             smi_short_mode(d->compute_mode));
    put_row("N/A   N/A    N/A             N/A /  N/A", middle, right);
    put_row("", "", "N/A");
    put_rule("+", '-', "+");
}

void smi_table_tail(void)
{
    nvmlProcessInfo_t found[SMI_PROCESSES_MAX];
    unsigned count = smi_find_processes(found);
    char name[256], memory[32];
    putchar('\n');
    put_rule("+", '-', "-");
    printf("| %-87s |\n", "Processes:");
    printf("|  GPU   GI   CI              PID   Type   %-35s %10s |\n",
           "Process name", "GPU Memory");
    printf("|        ID   ID   %59s %-10s |\n", "", "Usage");
    put_rule("|", '=', "=");
    for (unsigned i = 0; i < count; i++) {
        smi_process_name(found[i].pid, name, sizeof name);
        snprintf(memory, sizeof memory, "%lluMiB",
                 smi_mib(found[i].usedGpuMemory));
        printf("|%5u   N/A  N/A %16u      C   %-34.34s %10s |\n", 0u,
               found[i].pid, name, memory);
    }
    if (!count)
        printf("|  %-86s |\n", "No running processes found");
    put_rule("+", '-', "-");
}
