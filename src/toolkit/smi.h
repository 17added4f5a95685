/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of nvidia-smi share. */
#ifndef WEFT_TOOLKIT_SMI_H
#define WEFT_TOOLKIT_SMI_H

#include "toolkit/toolkit.h"

#include "nvml.h"

struct smi_device {
    nvmlDevice_t handle;
    unsigned index;
    char name[96], uuid[96], capability[16];
    nvmlPciInfo_t pci;
    nvmlMemory_t memory;
    nvmlUtilization_t use;
    unsigned clock_mhz, max_clock_mhz, memory_clock_mhz;
};

/* False: there is no such device. */
bool smi_read_device(unsigned index, struct smi_device *d);
unsigned smi_device_total(void);
const char *smi_driver_version(void);
unsigned long long smi_mib(unsigned long long bytes);

/* Processes that use devices, at most SMI_PROCESSES_MAX. */
enum { SMI_PROCESSES_MAX = 256 };
unsigned smi_find_processes(nvmlProcessInfo_t *out);
void smi_process_name(unsigned pid, char *out, size_t size);

/* ---- smi_fields.c -------------------------------------------------------- */

/* One field: its value as text, and what it is called in a heading. False: it
 * is none. `of` is a device or a process. */
struct smi_field {
    const char *name, *unit; /* unit: "" for none */
    char value[512];
    bool is_there;
};
typedef bool smi_field_fn(const void *of, const char *name,
                          struct smi_field *out);
smi_field_fn smi_device_field, smi_process_field;
/* One line of values, or of names. False after naming the field that is
 * none. */
enum smi_line { SMI_NAMES, SMI_VALUES };
bool smi_print_line(const char *names, const char *format, smi_field_fn *fn,
                    const void *of, enum smi_line what);
/* Each word between commas is one of `known`. */
bool smi_is_list_of(const char *list, const char *const *known, size_t count);
/* False after saying so: not csv, noheader, nounits. */
bool smi_check_format(const char *format);

/* "Sat Nov 28 19:55:49 2026"; valid until the next call. */
const char *smi_timestamp(void);

/* ---- smi_page.c ---------------------------------------------------------- */

/* --query: what comes before all devices, each, and behind them. `display`: the
 * parts that are wanted, or NULL for all. False after saying that one is none.
 */
bool smi_check_display(const char *display);
void smi_page_head(void);
void smi_page(const struct smi_device *d, const char *display);
void smi_xml_head(void);
void smi_xml(const struct smi_device *d, const char *display);
void smi_xml_tail(void);

/* ---- smi_watch.c --------------------------------------------------------- */

/* pmon, dmon, topo; the other arguments are their options. */
bool smi_is_command(const char *name);
int smi_command(const char *name, const char *count, const char *delay_s);
/* Shows again and again, until a signal ends it or show() fails. */
int smi_repeat(unsigned long milliseconds, int (*show)(const void *what),
               const void *what);

#endif
