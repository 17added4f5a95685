/* SPDX-License-Identifier: Apache-2.0 */
/* nvidia-smi: shows devices, their memory and load, and the processes that use
 * them, by NVML. */
#include "toolkit/smi.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

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
    FILE_NAME,
    HELP_GPU,
    HELP_APPS,
    MODE,
    ABSENT_FIRST, /* what processors do not have, from here on */
};

/* An option that shows or changes what a processor does not have. */
#define ABSENT(name, brief, value, what)                                       \
    {name, brief, value, "a processor has no " what, KIT_REFUSE}

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
    [ID] = {"id", "i", "N|UUID|BUS,...", "these devices alone", KIT_TAKE},
    [DISPLAY] = {"display", "d",
                 "MEMORY|UTILIZATION|ECC|TEMPERATURE|POWER|CLOCK|COMPUTE|PIDS|"
                 "PERFORMANCE|PCI|ACCOUNTING,...",
                 "these parts of --query; of pmon, dmon: seconds between "
                 "lines",
                 KIT_TAKE},
    [COUNT] = {"count", "c", "N",
               "of pmon, dmon: so often; otherwise --compute-mode", KIT_TAKE},
    [LOOP] = {"loop", "l", "SECONDS", "again and again, so far apart",
              KIT_TAKE},
    [LOOP_MS] = {"loop-ms", "lms", "MILLISECONDS", "likewise", KIT_TAKE},
    [EXCLUDED] = {"list-excluded-gpus", "B", NULL,
                  "devices that are not to be used", KIT_TAKE},
    [MATRIX] = {"matrix", "m", NULL, "of topo: which is near which", KIT_TAKE},
    [XML] = {"xml-format", "x", NULL, "--query as XML", KIT_TAKE},
    [FILE_NAME] = {"filename", "f", "FILE", "writes there", KIT_TAKE},
    [HELP_GPU] = {"help-query-gpu", "", NULL, "the fields of --query-gpu",
                  KIT_TAKE},
    [HELP_APPS] = {"help-query-compute-apps", "", NULL,
                   "the fields of --query-compute-apps", KIT_TAKE},
    [MODE] = {"compute-mode", "", "0|DEFAULT|2|PROHIBITED|3|EXCLUSIVE_PROCESS",
              "how many of your processes may use a device, until the machine "
              "stops",
              KIT_TAKE},
    [ABSENT_FIRST] =
        ABSENT("persistence-mode", "pm", "0|1", "driver that unloads"),
    ABSENT("power-limit", "pl", "WATTS", "power limit for us to set"),
    ABSENT("lock-gpu-clocks", "lgc", "MHZ,MHZ", "clock for us to set"),
    ABSENT("reset-gpu-clocks", "rgc", NULL, "clock for us to set"),
    ABSENT("lock-memory-clocks", "lmc", "MHZ,MHZ", "clock for us to set"),
    ABSENT("reset-memory-clocks", "rmc", NULL, "clock for us to set"),
    ABSENT("applications-clocks", "ac", "MHZ,MHZ", "clock for us to set"),
    ABSENT("reset-applications-clocks", "rac", NULL, "clock for us to set"),
    ABSENT("ecc-config", "e", "0|1", "ECC mode for us to set"),
    ABSENT("reset-ecc-errors", "p", "0|1", "count of ECC errors"),
    ABSENT("accounting-mode", "am", "0|1", "accounting"),
    ABSENT("multi-instance-gpu", "mig", "0|1", "instances"),
    ABSENT("status", "s", NULL, "links to other devices"),
    ABSENT("gpu-reset", "r", NULL, "reset"),
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
    nvmlDeviceGetComputeMode(d->handle, &d->compute_mode);
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

static const char *const mode_names[][2] = {
    [NVML_COMPUTEMODE_DEFAULT] = {"Default", "Default"},
    [NVML_COMPUTEMODE_EXCLUSIVE_THREAD] = {"Exclusive_Thread", "E. Thread"},
    [NVML_COMPUTEMODE_PROHIBITED] = {"Prohibited", "Prohibited"},
    [NVML_COMPUTEMODE_EXCLUSIVE_PROCESS] = {"Exclusive_Process", "E. Process"},
};

const char *smi_mode(nvmlComputeMode_t mode)
{
    return mode_names[mode][0];
}

const char *smi_short_mode(nvmlComputeMode_t mode)
{
    return mode_names[mode][1];
}

/* ---- the tool ------------------------------------------------------------ */

static bool is_named(const char *id, size_t length, const struct smi_device *d)
{
    char number[16];
    snprintf(number, sizeof number, "%u", d->index);
    const char *const names[] = {number, d->uuid, d->pci.busId};
    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        if (strlen(names[i]) == length && !strncasecmp(names[i], id, length))
            return true;
    return false;
}

static bool is_chosen(const struct kit_args *args, const struct smi_device *d)
{
    const char *id = kit_value(args, ID);
    bool is_one = !id;
    while (id && *id && !is_one) {
        size_t length = strcspn(id, ",");
        is_one = is_named(id, length, d);
        id += length + (id[length] == ',');
    }
    return is_one;
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
        smi_table_row(d);
    return true;
}

static void print_head(const struct kit_args *args)
{
    if (kit_value(args, XML))
        smi_xml_head();
    else if (kit_value(args, QUERY))
        smi_page_head();
    else
        smi_table_head();
}

static void print_tail(const struct kit_args *args)
{
    if (kit_value(args, XML))
        smi_xml_tail();
    else if (!kit_value(args, QUERY))
        smi_table_tail();
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
    for (unsigned i = 0; smi_read_device(i, &d); i++) {
        if (!is_chosen(args, &d))
            continue;
        if (is_page && !shown)
            print_head(args);
        if (!show_device(args, &d, shown++ == 0))
            return 2;
    }
    if (is_page && shown)
        print_tail(args);
    if (!shown)
        puts("No devices were found");
    return shown ? 0 : 6;
}

/* False after an error message. */
static bool read_mode(const char *text, nvmlComputeMode_t *out)
{
    static const struct {
        const char *number, *name;
        nvmlComputeMode_t mode;
    } modes[] = {
        {"0", "DEFAULT", NVML_COMPUTEMODE_DEFAULT},
        {"2", "PROHIBITED", NVML_COMPUTEMODE_PROHIBITED},
        {"3", "EXCLUSIVE_PROCESS", NVML_COMPUTEMODE_EXCLUSIVE_PROCESS},
    };
    for (size_t i = 0; i < ARRAY_COUNT(modes); i++) {
        *out = modes[i].mode;
        if (!strcmp(text, modes[i].number) || !strcasecmp(text, modes[i].name))
            return true;
    }
    kit_error("'%s' is no compute mode: DEFAULT, PROHIBITED or "
              "EXCLUSIVE_PROCESS",
              text);
    return false;
}

static int set_modes(const struct kit_args *args, const char *text)
{
    struct smi_device d;
    nvmlComputeMode_t mode;
    unsigned count = 0;
    if (!read_mode(text, &mode))
        return 2;
    for (unsigned i = 0; smi_read_device(i, &d); i++) {
        if (!is_chosen(args, &d))
            continue;
        nvmlReturn_t err = nvmlDeviceSetComputeMode(d.handle, mode);
        if (err) {
            kit_error(
                "device %u: %s: set XDG_RUNTIME_DIR to a folder that only "
                "you can write",
                i, nvmlErrorString(err));
            return 4;
        }
        printf("Set compute mode to %s for GPU %s.\n", smi_mode(mode),
               d.pci.busId);
        count++;
    }
    puts(count ? "All done." : "No devices were found");
    return count ? 0 : 6;
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

static bool check_command(const char *command)
{
    static const char *const absent[] = {
        "mig", "nvlink", "vgpu", "clocks", "c2c", "drain", "conf-compute"};
    if (!command || smi_is_command(command))
        return true;
    for (size_t i = 0; i < ARRAY_COUNT(absent); i++) {
        if (!strcmp(command, absent[i])) {
            kit_error("%s: a processor has nothing of the kind", command);
            return false;
        }
    }
    kit_error("unknown argument '%s'; see --help", command);
    return false;
}

static int run_smi(const struct kit_args *args)
{
    const char *command = args->files.count ? args->files.data[0] : NULL;
    const char *mode = kit_value(args, command ? MODE : COUNT);
    const char *file = kit_value(args, FILE_NAME);
    if (!mode)
        mode = kit_value(args, MODE);
    if (!check_command(command))
        return 2;
    if (kit_value(args, HELP_GPU))
        return smi_list_device_fields(), 0;
    if (kit_value(args, HELP_APPS))
        return smi_list_process_fields(), 0;
    if (file && !freopen(file, "w", stdout)) {
        kit_error("%s: %s", file, strerror(errno));
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
                 : mode  ? set_modes(args, mode)
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
