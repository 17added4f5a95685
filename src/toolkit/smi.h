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
    nvmlComputeMode_t compute_mode;
    unsigned clock_mhz, max_clock_mhz, memory_clock_mhz;
};

/* Reads device `index` by NVML; false: there is no such device. */
bool smi_read_device(unsigned index, struct smi_device *d);
unsigned smi_device_total(void);
const char *smi_driver_version(void); /* static storage */
unsigned long long smi_mib(unsigned long long bytes);
/* "Exclusive_Process"; in the table "E. Process". */
const char *smi_mode(nvmlComputeMode_t mode);
const char *smi_short_mode(nvmlComputeMode_t mode);

enum { SMI_PROCESSES_MAX = 256 };
/* Fills `out`, of SMI_PROCESSES_MAX entries, with the processes that use
 * devices; returns how many. */
unsigned smi_find_processes(nvmlProcessInfo_t *out);
/* Its command; "[Not Found]" if it has ended. */
void smi_process_name(unsigned pid, char *out, size_t size);

/* ---- smi_fields.c -------------------------------------------------------- */

struct smi_field {
    const char *name, *unit; /* as headings have them; unit: "" for none */
    char value[512];
    bool is_there; /* false: a processor has no such thing, value is "[N/A]" */
};
/* Fills *out with the field of that name, of a struct smi_device or an
 * nvmlProcessInfo_t. False: there is no such field. */
typedef bool smi_field_fn(const void *of, const char *name,
                          struct smi_field *out);
smi_field_fn smi_device_field, smi_process_field;
/* Print the names of the fields, a line each. */
void smi_list_device_fields(void), smi_list_process_fields(void);
/* Prints one line with the values or the names of the fields in the list
 * `names`. False after an error message: one of them is no field. */
enum smi_line { SMI_NAMES, SMI_VALUES };
bool smi_print_line(const char *names, const char *format, smi_field_fn *fn,
                    const void *of, enum smi_line what);
/* Is each word of a comma separated list one of `known`? */
bool smi_is_list_of(const char *list, const char *const *known, size_t count);
/* False after an error message: a word is none of csv, noheader, nounits. */
bool smi_check_format(const char *format);

/* "Sat Nov 28 19:55:49 2026"; valid until the next call. */
const char *smi_timestamp(void);

/* ---- smi_table.c --------------------------------------------------------- */

/* The table: what is above all devices, a device, the processes. */
void smi_table_head(void);
void smi_table_row(const struct smi_device *d);
void smi_table_tail(void);

/* ---- smi_page.c ---------------------------------------------------------- */

/* False after an error message: a word of --display's list is no part of the
 * page. NULL is fine. */
bool smi_check_display(const char *display);
/* --query: prints what comes before all devices, one device, and, as XML, what
 * comes behind them. display: the parts to show, NULL: all. */
void smi_page_head(void);
void smi_page(const struct smi_device *d, const char *display);
void smi_xml_head(void);
void smi_xml(const struct smi_device *d, const char *display);
void smi_xml_tail(void);

/* ---- smi_watch.c --------------------------------------------------------- */

/* Is it pmon, dmon or topo? */
bool smi_is_command(const char *name);
/* Runs one of these; count, delay_s: the values of -c and -d, or NULL. Returns
 * the exit status. */
int smi_command(const char *name, const char *count, const char *delay_s);
/* Calls show() at this interval until it returns a status other than 0, which
 * is returned, or a signal ends the program. */
int smi_repeat(unsigned long milliseconds, int (*show)(const void *what),
               const void *what);

#endif
