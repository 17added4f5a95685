/* SPDX-License-Identifier: Apache-2.0 */
/* The page of `nvidia-smi -q`, as text and, with -x, as XML: smi_page.def. */
#include "toolkit/smi.h"

#include <stdio.h>

struct row {
    const char *part;
    int depth;
    const char *title, *element, *field;
    bool is_group;
};

static const struct row rows[] = {
#define ROW(part, depth, title, element, field)                                \
    {#part, depth, title, element, field, false},
#define ABSENT(part, depth, title, element)                                    \
    {#part, depth, title, element, NULL, false},
#define GROUP(part, depth, title, element)                                     \
    {#part, depth, title, element, NULL, true},
#include "toolkit/smi_page.def"
};

bool smi_check_display(const char *display)
{
    static const char *const parts[] = {
        "MEMORY", "UTILIZATION", "COMPUTE", "CLOCK",
        "POWER",  "TEMPERATURE", "PCI",     "PERFORMANCE",
        "ECC",    "ACCOUNTING",  "PIDS"};
    bool ok = !display || smi_is_list_of(display, parts, ARRAY_COUNT(parts));
    if (!ok)
        puts("Failed to parse --display/-d flags");
    return ok;
}

/* Is the part shown? Without --display all are. */
static bool is_part(const char *display, const char *part)
{
    return !display || strstr(display, part);
}

static void put_value(const struct row *r, const struct smi_device *d)
{
    struct smi_field f;
    if (!r->field || !smi_device_field(d, r->field, &f) || !f.is_there)
        fputs("N/A", stdout);
    else
        printf(*f.unit ? "%s %s" : "%s", f.value, f.unit);
}

static const char *process_name(const nvmlProcessInfo_t *p)
{
    static char name[256];
    smi_process_name(p->pid, name, sizeof name);
    return name;
}

/* ---- text ---------------------------------------------------------------- */

static void put_title(int depth, const char *title)
{
    printf("%*s%-*s: ", 4 * depth, "", 55 - 4 * depth, title);
}

void smi_page_head(void)
{
    puts("\n==============NVSMI LOG==============\n");
    put_title(0, "Timestamp");
    puts(smi_timestamp());
    put_title(0, "Driver Version");
    puts(smi_driver_version());
    put_title(0, "CUDA Version");
    printf("%d.%d\n\n", device_driver_version() / 1000,
           device_driver_version() % 1000 / 10);
    put_title(0, "Attached GPUs");
    printf("%u\n", smi_device_total());
}

static void put_processes(void)
{
    nvmlProcessInfo_t found[SMI_PROCESSES_MAX];
    unsigned count = smi_find_processes(found);
    if (count)
        puts("    Processes");
    else
        put_title(1, "Processes"), puts("None");
    for (unsigned i = 0; i < count; i++) {
        put_title(2, "Process ID");
        printf("%u\n", found[i].pid);
        put_title(3, "Type");
        puts("C");
        put_title(3, "Name");
        puts(process_name(&found[i]));
        put_title(3, "Used GPU Memory");
        printf("%llu MiB\n", smi_mib(found[i].usedGpuMemory));
    }
}

void smi_page(const struct smi_device *d, const char *display)
{
    printf("GPU %s\n", d->pci.busId);
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        const struct row *r = &rows[i];
        if (!is_part(display, r->part))
            continue;
        if (r->is_group) {
            printf("%*s%s\n", 4 * r->depth, "", r->title);
            continue;
        }
        put_title(r->depth, r->title);
        put_value(r, d);
        putchar('\n');
    }
    if (is_part(display, "PIDS"))
        put_processes();
}

/* ---- XML ----------------------------------------------------------------- */

static void put_tabs(int count)
{
    while (count-- > 0)
        putchar('\t');
}

static void put_escaped(const char *text)
{
    for (; *text; text++) {
        if (*text == '&' || *text == '<' || *text == '>')
            fputs(*text == '&'   ? "&amp;"
                  : *text == '<' ? "&lt;"
                                 : "&gt;",
                  stdout);
        else
            putchar(*text);
    }
}

static void put_element(int depth, const char *element, const char *value)
{
    put_tabs(depth);
    printf("<%s>", element);
    put_escaped(value);
    printf("</%s>\n", element);
}

void smi_xml_head(void)
{
    char text[32];
    puts("<?xml version=\"1.0\" ?>\n"
         "<!DOCTYPE nvidia_smi_log SYSTEM \"nvsmi_device_v12.dtd\">\n"
         "<nvidia_smi_log>");
    put_element(1, "timestamp", smi_timestamp());
    put_element(1, "driver_version", smi_driver_version());
    snprintf(text, sizeof text, "%d.%d", device_driver_version() / 1000,
             device_driver_version() % 1000 / 10);
    put_element(1, "cuda_version", text);
    snprintf(text, sizeof text, "%u", smi_device_total());
    put_element(1, "attached_gpus", text);
}

void smi_xml_tail(void)
{
    puts("</nvidia_smi_log>");
}

static void put_xml_processes(void)
{
    nvmlProcessInfo_t found[SMI_PROCESSES_MAX];
    unsigned count = smi_find_processes(found);
    char text[32];
    puts("\t\t<processes>");
    for (unsigned i = 0; i < count; i++) {
        puts("\t\t\t<process_info>");
        snprintf(text, sizeof text, "%u", found[i].pid);
        put_element(4, "pid", text);
        put_element(4, "type", "C");
        put_element(4, "process_name", process_name(&found[i]));
        snprintf(text, sizeof text, "%llu MiB",
                 smi_mib(found[i].usedGpuMemory));
        put_element(4, "used_memory", text);
        puts("\t\t\t</process_info>");
    }
    puts("\t\t</processes>");
}

/* Closes the open group if a row of this depth does not belong to it. */
static void close_group(const struct row **open, int depth)
{
    if (!*open || depth > (*open)->depth)
        return;
    put_tabs((*open)->depth + 1);
    printf("</%s>\n", (*open)->element);
    *open = NULL;
}

void smi_xml(const struct smi_device *d, const char *display)
{
    const struct row *open = NULL;
    printf("\t<gpu id=\"%s\">\n", d->pci.busId);
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        const struct row *r = &rows[i];
        if (!is_part(display, r->part))
            continue;
        close_group(&open, r->depth);
        put_tabs(r->depth + 1);
        printf("<%s>", r->element);
        if (r->is_group) {
            putchar('\n');
            open = r;
            continue;
        }
        put_value(r, d);
        printf("</%s>\n", r->element);
    }
    close_group(&open, 0);
    if (is_part(display, "PIDS"))
        put_xml_processes();
    puts("\t</gpu>\n");
}
