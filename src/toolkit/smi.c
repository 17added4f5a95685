/* SPDX-License-Identifier: Apache-2.0 */
/* nvidia-smi: shows devices, their memory and load, and the processes that use
 * them, by NVML. */
#include "toolkit/smi.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    LIST,
    QUERY,
    QUERY_GPU,
    QUERY_APPS,
    FORMAT,
    ID,
    DISPLAY,
    COUNT,
    LOOP,
    LOOP_MS,
    EXCLUDED,
    MATRIX,
    XML,
};

static const struct kit_option options[] = {
    [LIST] = {"list-gpus", "L", NULL, "one line for each device", KIT_TAKE},
    [QUERY] = {"query", "q", NULL, "all that is known of each", KIT_TAKE},
    [QUERY_GPU] = {"query-gpu", "", "FIELD,...", "these fields of each",
                   KIT_TAKE},
    [QUERY_APPS] = {"query-compute-apps", "", "FIELD,...",
                    "pid, process_name, used_memory and more of each process",
                    KIT_TAKE},
    [FORMAT] = {"format", "", "csv,noheader,nounits", "how fields are printed",
                KIT_TAKE},
    [ID] = {"id", "i", "N|UUID", "this device alone", KIT_TAKE},
    [DISPLAY] = {"display", "d",
                 "MEMORY|UTILIZATION|ECC|TEMPERATURE|POWER|CLOCK|COMPUTE|PIDS|"
                 "PERFORMANCE|PCI|ACCOUNTING,...",
                 "these parts of --query; of pmon, dmon: seconds between "
                 "lines",
                 KIT_TAKE},
    [COUNT] = {"count", "c", "N", "of pmon, dmon: so often", KIT_TAKE},
    [LOOP] = {"loop", "l", "SECONDS", "again and again, so far apart",
              KIT_TAKE},
    [LOOP_MS] = {"loop-ms", "lms", "MILLISECONDS", "likewise", KIT_TAKE},
    [EXCLUDED] = {"list-excluded-gpus", "B", NULL,
                  "devices that are not to be used", KIT_TAKE},
    [MATRIX] = {"matrix", "m", NULL, "of topo: which is near which", KIT_TAKE},
    [XML] = {"xml-format", "x", NULL, "--query as XML", KIT_TAKE},
};

bool smi_read_device(unsigned index, struct smi_device *d)
{
    *d = (struct smi_device){.index = index};
    if (nvmlDeviceGetHandleByIndex(index, &d->handle))
        return false;
    nvmlDeviceGetName(d->handle, d->name, sizeof d->name);
    nvmlDeviceGetUUID(d->handle, d->uuid, sizeof d->uuid);
    nvmlDeviceGetPciInfo(d->handle, &d->pci);
    nvmlDeviceGetMemoryInfo(d->handle, &d->memory);
    nvmlDeviceGetUtilizationRates(d->handle, &d->use);
    nvmlDeviceGetClockInfo(d->handle, NVML_CLOCK_SM, &d->clock_mhz);
    nvmlDeviceGetMaxClockInfo(d->handle, NVML_CLOCK_SM, &d->max_clock_mhz);
    nvmlDeviceGetClockInfo(d->handle, NVML_CLOCK_MEM, &d->memory_clock_mhz);
    int major = 0, minor = 0;
    nvmlDeviceGetCudaComputeCapability(d->handle, &major, &minor);
    snprintf(d->capability, sizeof d->capability, "%d.%d", major, minor);
    return true;
}

unsigned long long smi_mib(unsigned long long bytes)
{
    return bytes >> 20;
}

unsigned smi_device_total(void)
{
    unsigned count = 0;
    nvmlDeviceGetCount(&count);
    return count;
}

const char *smi_driver_version(void)
{
    static char driver[32];
    nvmlSystemGetDriverVersion(driver, sizeof driver);
    return driver;
}

void smi_process_name(unsigned pid, char *out, size_t size)
{
    snprintf(out, size, "[Not Found]");
    nvmlSystemGetProcessName(pid, out, (unsigned)size);
}

unsigned smi_find_processes(nvmlProcessInfo_t *out)
{
    nvmlDevice_t device;
    unsigned count = SMI_PROCESSES_MAX;
    if (nvmlDeviceGetHandleByIndex(0, &device))
        return 0;
    nvmlDeviceGetComputeRunningProcesses(device, &count, out);
    return count < SMI_PROCESSES_MAX ? count : SMI_PROCESSES_MAX;
}

/* ---- pages --------------------------------------------------------------- */

static void list_device(const struct smi_device *d)
{
    printf("GPU %u: %s (UUID: %s)\n", d->index, d->name, d->uuid);
}

static const char rule[] = "+-------------------------------------------------"
                           "----------------------------+\n";

static void print_table_head(void)
{
    char driver[32] = "";
    int cuda = 0;
    nvmlSystemGetDriverVersion(driver, sizeof driver);
    nvmlSystemGetCudaDriverVersion(&cuda);
    printf("%s\n%s| NVIDIA-SMI %-12s Driver Version: %-12s CUDA Version: "
           "%2d.%-6d|\n%s",
           smi_timestamp(), rule, "(weft)", driver, cuda / 1000,
           cuda % 1000 / 10, rule);
    printf("| %-4s %-31s %-18s| %-18s|\n", "GPU", "Name", "Bus-Id", "SM clock");
    printf("| %-36s %-17s | %-18s|\n%s", "Memory-Usage", "GPU-Util",
           "Compute M.", rule);
}

static void print_table_row(const struct smi_device *d)
{
    char memory[64], use[16], clock[16];
    snprintf(memory, sizeof memory, "%lluMiB / %lluMiB",
             smi_mib(d->memory.used), smi_mib(d->memory.total));
    snprintf(use, sizeof use, "%u%%", d->use.gpu);
    snprintf(clock, sizeof clock, "%u MHz", d->clock_mhz);
    printf("| %-4u %-31.31s %-18s| %-18s|\n", d->index, d->name, d->pci.busId,
           clock);
    printf("| %-36s %-17s | %-18s|\n%s", memory, use, "Default", rule);
}

static void print_table_processes(void)
{
    nvmlProcessInfo_t found[SMI_PROCESSES_MAX];
    unsigned count = smi_find_processes(found);
    char name[256];
    printf("%s| %-75s |\n| %-9s %-48s %16s |\n%s", rule, "Processes:", "PID",
           "Process name", "Memory Usage", rule);
    for (unsigned i = 0; i < count; i++) {
        smi_process_name(found[i].pid, name, sizeof name);
        printf("| %-9u %-48.48s %13lluMiB |\n", found[i].pid, name,
               smi_mib(found[i].usedGpuMemory));
    }
    if (!count)
        printf("| %-75s |\n", "No running processes found");
    fputs(rule, stdout);
}

/* ---- the tool ------------------------------------------------------------ */

static bool is_chosen(const struct kit_args *args, const struct smi_device *d)
{
    const char *id = kit_value(args, ID);
    char number[16];
    snprintf(number, sizeof number, "%u", d->index);
    return !id || !strcmp(id, number) || !strcmp(id, d->uuid) ||
           !strcmp(id, d->pci.busId);
}

static int print_apps(const char *names, const char *format)
{
    nvmlProcessInfo_t found[SMI_PROCESSES_MAX], none = {0};
    unsigned count = smi_find_processes(found);
    bool ok = strstr(format, "noheader") ||
              smi_print_line(names, format, smi_process_field, &none,
                             SMI_NAMES);
    for (unsigned i = 0; ok && i < count; i++)
        ok = smi_print_line(names, format, smi_process_field, &found[i],
                            SMI_VALUES);
    return ok ? 0 : 2;
}

/* Prints a device's fields; before the first device's, the heading. */
static bool print_fields(const char *names, const char *format,
                         const struct smi_device *d, bool is_first)
{
    bool has_head = is_first && !strstr(format, "noheader");
    return (!has_head || smi_print_line(names, format, smi_device_field, d,
                                        SMI_NAMES)) &&
           smi_print_line(names, format, smi_device_field, d, SMI_VALUES);
}

static bool show_device(const struct kit_args *args, const struct smi_device *d,
                        bool is_first)
{
    const char *names = kit_value(args, QUERY_GPU);
    const char *format = kit_value(args, FORMAT);
    if (names)
        return print_fields(names, format ? format : "csv", d, is_first);
    if (kit_value(args, LIST))
        list_device(d);
    else if (kit_value(args, XML))
        smi_xml(d, kit_value(args, DISPLAY));
    else if (kit_value(args, QUERY))
        smi_page(d, kit_value(args, DISPLAY));
    else
        print_table_row(d);
    return true;
}

static void print_head(const struct kit_args *args)
{
    if (kit_value(args, XML))
        smi_xml_head();
    else if (kit_value(args, QUERY))
        smi_page_head();
    else
        print_table_head();
}

static void print_tail(const struct kit_args *args)
{
    if (kit_value(args, XML))
        smi_xml_tail();
    else if (!kit_value(args, QUERY))
        print_table_processes();
}

static int show_all(const void *what)
{
    const struct kit_args *args = what;
    const char *apps = kit_value(args, QUERY_APPS);
    const char *format = kit_value(args, FORMAT);
    struct smi_device d;
    unsigned shown = 0;
    bool is_page = !kit_value(args, QUERY_GPU) && !kit_value(args, LIST);
    bool is_query = kit_value(args, QUERY);
    if ((format && !smi_check_format(format)) ||
        (is_query && !smi_check_display(kit_value(args, DISPLAY))))
        return 2;
    if (apps)
        return print_apps(apps, format ? format : "csv");
    if (is_page)
        print_head(args);
    for (unsigned i = 0; smi_read_device(i, &d); i++)
        if (is_chosen(args, &d) && !show_device(args, &d, shown++ == 0))
            return 2;
    if (is_page)
        print_tail(args);
    if (!shown)
        puts("No devices were found");
    return shown ? 0 : 6;
}

static int run_with_nvml(const struct kit_args *args)
{
    const char *s = kit_value(args, LOOP), *ms = kit_value(args, LOOP_MS);
    if (!s && !ms)
        return show_all(args);
    char *end;
    unsigned long period = strtoul(s ? s : ms, &end, 10) * (s ? 1000 : 1);
    if (*end || !period) {
        kit_error("--%s needs a number above 0", s ? "loop" : "loop-ms");
        return 2;
    }
    return smi_repeat(period, show_all, args);
}

static int run_smi(const struct kit_args *args)
{
    const char *command = args->files.count ? args->files.data[0] : NULL;
    if (command && !smi_is_command(command)) {
        kit_error("unknown argument '%s'; see --help", command);
        return 2;
    }
    if (kit_value(args, XML) && !kit_value(args, QUERY)) {
        kit_error("-x is a form of -q: nvidia-smi -q -x");
        return 2;
    }
    if (kit_value(args, EXCLUDED))
        return puts("No excluded devices found."), 0;
    nvmlInit();
    int status = command ? smi_command(command, kit_value(args, COUNT),
                                       kit_value(args, DISPLAY))
                         : run_with_nvml(args);
    nvmlShutdown();
    return status;
}

const struct kit_tool kit_smi = {
    .name = "nvidia-smi",
    .arguments = "",
    .summary = "shows devices, their memory and load, and who uses them",
    .details = "Without options it prints a table. The load is the processor "
               "time of the\nprocesses that use weft, as a share of all SMs; "
               "what they use of the memory is\ntheir own memory.",
    .options = options,
    .option_count = ARRAY_COUNT(options),
    .run = run_smi,
};
