/* SPDX-License-Identifier: Apache-2.0 */
/* The fields of devices and of processes that can be asked for by name. */
#include "toolkit/smi.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const char *now_text(void)
{
    static char text[64];
    struct timespec now;
    struct tm t;
    clock_gettime(CLOCK_REALTIME, &now);
    localtime_r(&now.tv_sec, &t);
    size_t n = strftime(text, sizeof text, "%Y/%m/%d %H:%M:%S", &t);
    snprintf(text + n, sizeof text - n, ".%03ld", now.tv_nsec / 1000000);
    return text;
}

const char *smi_timestamp(void)
{
    static char text[64];
    time_t now = time(NULL);
    struct tm t;
    strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", localtime_r(&now, &t));
    return text;
}

static const char *host_name(void)
{
    static char name[256];
    return gethostname(name, sizeof name - 1) ? "" : name;
}

static bool is_called(const char *asked, const char *name, const char *other)
{
    return !strcmp(asked, name) || (other && !strcmp(asked, other));
}

static void set_field(struct smi_field *out, const char *name, const char *unit,
                      bool is_there)
{
    out->name = name;
    out->unit = unit;
    out->is_there = is_there;
}

#define FIELD(field, other, field_unit, there, ...)                            \
    if (is_called(name, field, other)) {                                       \
        set_field(out, field, field_unit, there);                              \
        snprintf(out->value, sizeof out->value, __VA_ARGS__);                  \
        return true;                                                           \
    }

bool smi_device_field(const void *of, const char *name, struct smi_field *out)
{
    const struct smi_device *d = of;
#define SMI_TEXT(field, other, unit, text)                                     \
    FIELD(field, other, unit, true, "%s", text)
#define SMI_NUMBER(field, other, unit, number)                                 \
    FIELD(field, other, unit, true, "%llu", (unsigned long long)(number))
#define SMI_HEX4(field, other, unit, number)                                   \
    FIELD(field, other, unit, true, "0x%04X", (unsigned)(number))
#define SMI_HEX2(field, other, unit, number)                                   \
    FIELD(field, other, unit, true, "0x%02X", (unsigned)(number))
#define SMI_NONE(field, other, unit) FIELD(field, other, unit, false, "[N/A]")
#include "toolkit/smi_fields.def"
    return false;
}

static void list_field(const char *name, const char *other)
{
    printf("%s%s%s\n", name, other ? " or " : "", other ? other : "");
}

void smi_list_device_fields(void)
{
#define SMI_TEXT(field, other, ...)   list_field(field, other);
#define SMI_NUMBER(field, other, ...) list_field(field, other);
#define SMI_HEX4(field, other, ...)   list_field(field, other);
#define SMI_HEX2(field, other, ...)   list_field(field, other);
#define SMI_NONE(field, other, ...)   list_field(field, other);
#include "toolkit/smi_fields.def"
}

/* Of `p`, a process, whose name is in `process`. */
#define PROCESS_FIELDS(F)                                                      \
    F("process_name", "name", "", true, "%s", process)                         \
    F("pid", NULL, "", true, "%u", p->pid)                                     \
    F("used_gpu_memory", "used_memory", "MiB", true, "%llu",                   \
      smi_mib(p->usedGpuMemory))                                               \
    F("timestamp", NULL, "", true, "%s", now_text())                           \
    F("gpu_serial", NULL, "", false, "[N/A]")
/* Of `d`, the device. */
#define PROCESS_DEVICE_FIELDS(F)                                               \
    F("gpu_name", NULL, "", true, "%s", d.name)                                \
    F("gpu_uuid", NULL, "", true, "%s", d.uuid)                                \
    F("gpu_bus_id", NULL, "", true, "%s", d.pci.busId)

bool smi_process_field(const void *of, const char *name, struct smi_field *out)
{
    const nvmlProcessInfo_t *p = of;
    struct smi_device d;
    char process[256] = "";
    if (is_called(name, "process_name", "name"))
        smi_process_name(p->pid, process, sizeof process);
    PROCESS_FIELDS(FIELD)
    if (!smi_read_device(0, &d))
        return false;
    PROCESS_DEVICE_FIELDS(FIELD)
    return false;
}

void smi_list_process_fields(void)
{
#define LIST_FIELD(field, other, ...) list_field(field, other);
    PROCESS_FIELDS(LIST_FIELD)
    PROCESS_DEVICE_FIELDS(LIST_FIELD)
}

static void print_field(const struct smi_field *f, enum smi_line what,
                        bool has_units)
{
    bool has_unit = has_units && *f->unit;
    if (what == SMI_NAMES)
        printf(has_unit ? "%s [%s]" : "%s", f->name, f->unit);
    else
        printf(has_unit && f->is_there ? "%s %s" : "%s", f->value, f->unit);
}

bool smi_print_line(const char *names, const char *format, smi_field_fn *fn,
                    const void *of, enum smi_line what)
{
    struct smi_field f;
    char name[128];
    for (const char *p = names; *p;) {
        size_t n = strcspn(p, ",");
        snprintf(name, sizeof name, "%.*s", (int)n, p);
        if (!fn(of, name, &f)) {
            printf("Field \"%s\" is not a valid field to query.\n\n", name);
            return false;
        }
        print_field(&f, what, !strstr(format, "nounits"));
        p += n + (p[n] == ',');
        fputs(*p ? ", " : "\n", stdout);
    }
    return true;
}

bool smi_is_list_of(const char *list, const char *const *known, size_t count)
{
    while (*list) {
        size_t n = strcspn(list, ","), i = 0;
        while (i < count &&
               (strlen(known[i]) != n || strncmp(list, known[i], n) != 0))
            i++;
        if (i == count)
            return false;
        list += n + (list[n] == ',');
    }
    return true;
}

bool smi_check_format(const char *format)
{
    static const char *const known[] = {"csv", "noheader", "nounits"};
    bool ok = smi_is_list_of(format, known, ARRAY_COUNT(known));
    if (!ok)
        puts("Format modifier is not recognized.");
    return ok;
}
