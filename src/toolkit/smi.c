/* SPDX-License-Identifier: Apache-2.0 */
/* nvidia-smi: devices, their memory and load, and who uses them, by NVML. */
#include "toolkit/toolkit.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "nvml.h"

enum { LIST, QUERY, QUERY_GPU, QUERY_APPS, FORMAT, ID };

static const struct kit_option options[] = {
    [LIST] = {"list-gpus", "L", NULL, "one line for each device", KIT_TAKE},
    [QUERY] = {"query", "q", NULL, "all that is known of each", KIT_TAKE},
    [QUERY_GPU] = {"query-gpu", "", "FIELD,...", "these fields of each",
                   KIT_TAKE},
    [QUERY_APPS] = {"query-compute-apps", "", "FIELD,...",
                    "pid, process_name, used_memory of each process", KIT_TAKE},
    [FORMAT] = {"format", "", "csv[,noheader][,nounits]",
                "how fields are printed", KIT_TAKE},
    [ID] = {"id", "i", "N|UUID", "this device alone", KIT_TAKE},
};

struct device {
    nvmlDevice_t handle;
    unsigned index;
    char name[96], uuid[96];
    nvmlPciInfo_t pci;
    nvmlMemory_t memory;
    nvmlUtilization_t use;
    unsigned clock_mhz, max_clock_mhz;
    int major, minor;
};

static bool read_device(unsigned index, struct device *d)
{
    *d = (struct device){.index = index};
    if (nvmlDeviceGetHandleByIndex(index, &d->handle))
        return false;
    nvmlDeviceGetName(d->handle, d->name, sizeof d->name);
    nvmlDeviceGetUUID(d->handle, d->uuid, sizeof d->uuid);
    nvmlDeviceGetPciInfo(d->handle, &d->pci);
    nvmlDeviceGetMemoryInfo(d->handle, &d->memory);
    nvmlDeviceGetUtilizationRates(d->handle, &d->use);
    nvmlDeviceGetClockInfo(d->handle, NVML_CLOCK_SM, &d->clock_mhz);
    nvmlDeviceGetMaxClockInfo(d->handle, NVML_CLOCK_SM, &d->max_clock_mhz);
    nvmlDeviceGetCudaComputeCapability(d->handle, &d->major, &d->minor);
    return true;
}

static unsigned long long mib(unsigned long long bytes)
{
    return bytes >> 20;
}

static unsigned device_total(void)
{
    unsigned count = 0;
    nvmlDeviceGetCount(&count);
    return count;
}

/* ---- fields -------------------------------------------------------------- */

/* Writes the value and returns its unit, or NULL for an unknown field. */
static const char *field(const struct device *d, const char *name, char *out,
                         size_t size)
{
    static const char not_there[] = "[N/A]";
    struct {
        const char *name, *unit, *text;
        unsigned long long number;
    } fields[] = {
        {"index", "", NULL, d->index},
        {"count", "", NULL, device_total()},
        {"name", "", d->name, 0},
        {"gpu_name", "", d->name, 0},
        {"uuid", "", d->uuid, 0},
        {"gpu_uuid", "", d->uuid, 0},
        {"serial", "", not_there, 0},
        {"gpu_serial", "", not_there, 0},
        {"gpu_bus_id", "", d->pci.busId, 0},
        {"pci.bus_id", "", d->pci.busId, 0},
        {"memory.total", " MiB", NULL, mib(d->memory.total)},
        {"memory.used", " MiB", NULL, mib(d->memory.used)},
        {"memory.free", " MiB", NULL, mib(d->memory.free)},
        {"memory.reserved", " MiB", NULL, 0},
        {"utilization.gpu", " %", NULL, d->use.gpu},
        {"utilization.memory", " %", NULL, d->use.memory},
        {"clocks.sm", " MHz", NULL, d->clock_mhz},
        {"clocks.gr", " MHz", NULL, d->clock_mhz},
        {"clocks.current.sm", " MHz", NULL, d->clock_mhz},
        {"clocks.current.graphics", " MHz", NULL, d->clock_mhz},
        {"clocks.max.sm", " MHz", NULL, d->max_clock_mhz},
        {"clocks.max.graphics", " MHz", NULL, d->max_clock_mhz},
        {"clocks.mem", "", not_there, 0},
        {"clocks.max.memory", "", not_there, 0},
        {"compute_mode", "", "Default", 0},
        {"persistence_mode", "", not_there, 0},
        {"mig.mode.current", "", not_there, 0},
        {"ecc.mode.current", "", not_there, 0},
        {"display_active", "", "Disabled", 0},
        {"temperature.gpu", "", not_there, 0},
        {"power.draw", "", not_there, 0},
        {"power.limit", "", not_there, 0},
        {"fan.speed", "", not_there, 0},
        {"pstate", "", not_there, 0},
    };
    for (size_t i = 0; i < ARRAY_COUNT(fields); i++) {
        if (strcmp(fields[i].name, name) != 0)
            continue;
        if (fields[i].text)
            snprintf(out, size, "%s", fields[i].text);
        else
            snprintf(out, size, "%llu", fields[i].number);
        return fields[i].unit;
    }
    if (!strcmp(name, "driver_version"))
        return nvmlSystemGetDriverVersion(out, (unsigned)size), "";
    if (!strcmp(name, "compute_cap"))
        return snprintf(out, size, "%d.%d", d->major, d->minor), "";
    if (!strcmp(name, "timestamp")) {
        time_t now = time(NULL);
        return strftime(out, size, "%Y/%m/%d %H:%M:%S.000", localtime(&now)),
               "";
    }
    return NULL;
}

typedef const char *field_fn(const void *of, const char *name, char *out,
                             size_t size);

static const char *device_field(const void *of, const char *name, char *out,
                                size_t size)
{
    return field(of, name, out, size);
}

static const char *process_field(const void *of, const char *name, char *out,
                                 size_t size)
{
    const nvmlProcessInfo_t *p = of;
    if (!strcmp(name, "pid"))
        return snprintf(out, size, "%u", p->pid), "";
    if (!strcmp(name, "used_memory") || !strcmp(name, "used_gpu_memory"))
        return snprintf(out, size, "%llu", mib(p->usedGpuMemory)), " MiB";
    if (!strcmp(name, "process_name") || !strcmp(name, "name")) {
        snprintf(out, size, "[Not Found]");
        return nvmlSystemGetProcessName(p->pid, out, (unsigned)size), "";
    }
    return NULL;
}

/* One line of values, or of names if `of` is NULL: then `sample` knows their
 * units. False after naming the field that is none. */
static bool print_line(const char *names, const char *format, field_fn *fn,
                       const void *of, const void *sample)
{
    bool has_units = !strstr(format, "nounits");
    char name[64], value[4096];
    for (const char *p = names; *p;) {
        size_t n = strcspn(p, ",");
        snprintf(name, sizeof name, "%.*s", (int)n, p);
        const char *unit = fn(of ? of : sample, name, value, sizeof value);
        if (!unit) {
            kit_error("Field \"%s\" is not a valid field to query.", name);
            return false;
        }
        if (of)
            printf("%s%s", value, has_units ? unit : "");
        else if (*unit && has_units)
            printf("%s [%s]", name, unit + 1);
        else
            printf("%s", name);
        p += n + (p[n] == ',');
        fputs(*p ? ", " : "\n", stdout);
    }
    return true;
}

/* ---- pages --------------------------------------------------------------- */

static void list(const struct device *d)
{
    printf("GPU %u: %s (UUID: %s)\n", d->index, d->name, d->uuid);
}

static void query(const struct device *d)
{
    printf("\nGPU %s\n", d->pci.busId);
    printf("    %-38s: %s\n", "Product Name", d->name);
    printf("    %-38s: %s\n", "GPU UUID", d->uuid);
    printf("    %-38s: %u\n", "Minor Number", d->index);
    printf("    %-38s: %d.%d\n", "Compute Capability", d->major, d->minor);
    printf("    %-38s: %s\n", "Compute Mode", "Default");
    printf("    FB Memory Usage\n");
    printf("        %-34s: %llu MiB\n", "Total", mib(d->memory.total));
    printf("        %-34s: %llu MiB\n", "Used", mib(d->memory.used));
    printf("        %-34s: %llu MiB\n", "Free", mib(d->memory.free));
    printf("    Utilization\n");
    printf("        %-34s: %u %%\n", "GPU", d->use.gpu);
    printf("        %-34s: %u %%\n", "Memory", d->use.memory);
    printf("    Clocks\n");
    printf("        %-34s: %u MHz\n", "SM", d->clock_mhz);
    printf("    Max Clocks\n");
    printf("        %-34s: %u MHz\n", "SM", d->max_clock_mhz);
}

static const char rule[] = "+-------------------------------------------------"
                           "----------------------------+\n";

static void print_table_head(void)
{
    char driver[32] = "";
    int cuda = 0;
    time_t now = time(NULL);
    char text[64];
    nvmlSystemGetDriverVersion(driver, sizeof driver);
    nvmlSystemGetCudaDriverVersion(&cuda);
    strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", localtime(&now));
    printf("%s\n%s| NVIDIA-SMI %-12s Driver Version: %-12s CUDA Version: "
           "%2d.%-6d|\n%s",
           text, rule, "(weft)", driver, cuda / 1000, cuda % 1000 / 10, rule);
    printf("| %-4s %-31s %-18s| %-18s|\n", "GPU", "Name", "Bus-Id", "SM clock");
    printf("| %-36s %-17s | %-18s|\n%s", "Memory-Usage", "GPU-Util",
           "Compute M.", rule);
}

static void print_table_row(const struct device *d)
{
    char memory[64], use[16], clock[16];
    snprintf(memory, sizeof memory, "%lluMiB / %lluMiB", mib(d->memory.used),
             mib(d->memory.total));
    snprintf(use, sizeof use, "%u%%", d->use.gpu);
    snprintf(clock, sizeof clock, "%u MHz", d->clock_mhz);
    printf("| %-4u %-31.31s %-18s| %-18s|\n", d->index, d->name, d->pci.busId,
           clock);
    printf("| %-36s %-17s | %-18s|\n%s", memory, use, "Default", rule);
}

enum { PROCESSES_MAX = 256 };

static unsigned find_processes(nvmlProcessInfo_t *out)
{
    nvmlDevice_t device;
    unsigned count = PROCESSES_MAX;
    if (nvmlDeviceGetHandleByIndex(0, &device))
        return 0;
    nvmlDeviceGetComputeRunningProcesses(device, &count, out);
    return count < PROCESSES_MAX ? count : PROCESSES_MAX;
}

static void print_table_processes(void)
{
    nvmlProcessInfo_t found[PROCESSES_MAX];
    unsigned count = find_processes(found);
    char name[256];
    printf("%s| %-75s |\n| %-9s %-48s %16s |\n%s", rule, "Processes:", "PID",
           "Process name", "Memory Usage", rule);
    for (unsigned i = 0; i < count; i++) {
        process_field(&found[i], "process_name", name, sizeof name);
        printf("| %-9u %-48.48s %13lluMiB |\n", found[i].pid, name,
               mib(found[i].usedGpuMemory));
    }
    if (!count)
        printf("| %-75s |\n", "No running processes found");
    fputs(rule, stdout);
}

/* ---- the tool ------------------------------------------------------------ */

static bool is_chosen(const struct kit_args *args, const struct device *d)
{
    const char *id = kit_value(args, ID);
    char number[16];
    snprintf(number, sizeof number, "%u", d->index);
    return !id || !strcmp(id, number) || !strcmp(id, d->uuid) ||
           !strcmp(id, d->pci.busId);
}

static const char *format_of(const struct kit_args *args)
{
    const char *format = kit_value(args, FORMAT);
    if (format && starts_with(format, "csv"))
        return format;
    kit_error("--format=csv is needed, or csv,noheader,nounits");
    return NULL;
}

static int print_apps(const char *names, const char *format)
{
    nvmlProcessInfo_t found[PROCESSES_MAX], none = {0};
    unsigned count = find_processes(found);
    bool ok = strstr(format, "noheader") ||
              print_line(names, format, process_field, NULL, &none);
    for (unsigned i = 0; ok && i < count; i++)
        ok = print_line(names, format, process_field, &found[i], NULL);
    return ok ? 0 : 2;
}

static bool show(const struct kit_args *args, const struct device *d)
{
    const char *names = kit_value(args, QUERY_GPU);
    if (names)
        return print_line(names, kit_value(args, FORMAT), device_field, d, d);
    if (kit_value(args, LIST))
        list(d);
    else if (kit_value(args, QUERY))
        query(d);
    else
        print_table_row(d);
    return true;
}

static void print_head(const struct kit_args *args)
{
    char driver[32] = "";
    nvmlSystemGetDriverVersion(driver, sizeof driver);
    if (kit_value(args, QUERY))
        printf("\n==============NVSMI LOG==============\n\n"
               "%-42s: %s\n%-42s: %d.%d\n\n%-42s: %u\n",
               "Driver Version", driver, "CUDA Version", DRIVER_VERSION / 1000,
               DRIVER_VERSION % 1000 / 10, "Attached GPUs", device_total());
    else if (!kit_value(args, LIST))
        print_table_head();
}

static int run_with_nvml(const struct kit_args *args)
{
    const char *names = kit_value(args, QUERY_GPU);
    const char *apps = kit_value(args, QUERY_APPS);
    const char *format = names || apps ? format_of(args) : "";
    struct device d = {0};
    unsigned shown = 0;
    if (!format)
        return 2;
    if (apps)
        return print_apps(apps, format);
    if (!names)
        print_head(args);
    else if (!strstr(format, "noheader") &&
             !print_line(names, format, device_field, NULL, &d))
        return 2;
    for (unsigned i = 0; read_device(i, &d); i++)
        if (is_chosen(args, &d) && ++shown && !show(args, &d))
            return 2;
    bool is_table = !names && !kit_value(args, LIST) && !kit_value(args, QUERY);
    if (is_table)
        print_table_processes();
    if (!shown)
        kit_error("No devices were found");
    return shown ? 0 : 6;
}

static int run(const struct kit_args *args)
{
    if (args->files.count) {
        kit_error("unknown argument '%s'; see --help", args->files.data[0]);
        return 2;
    }
    nvmlInit();
    int status = run_with_nvml(args);
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
    .run = run,
};
