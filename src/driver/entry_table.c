/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of functions by name. It needs the addresses of the wrappers, whose
 * names renames.h would change, so it includes no header that declares them.
 */
#include "driver/entry_table.h"

#define DECLARE_NO(name)   extern char name[];
#define DECLARE_PTDS(name) extern char name[], name##_ptds[];
#define DECLARE_PTSZ(name) extern char name[], name##_ptsz[];
#define CU_API(name, suffix, since, per_thread, state)                         \
    DECLARE_##per_thread(name##suffix)
#include "driver/api.def"

#define VARIANT_NO(name)   NULL
#define VARIANT_PTDS(name) name##_ptds
#define VARIANT_PTSZ(name) name##_ptsz

const struct drv_entry drv_entries[] = {
#define CU_API(name, suffix, since, per_thread, state)                         \
    {#name, name##suffix, VARIANT_##per_thread(name##suffix), since},
#include "driver/api.def"
};
const size_t drv_entry_count = sizeof drv_entries / sizeof *drv_entries;
