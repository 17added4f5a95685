/* SPDX-License-Identifier: Apache-2.0 */
/* The library's functions by name, in all their forms. */
#ifndef WEFT_DRIVER_ENTRY_TABLE_H
#define WEFT_DRIVER_ENTRY_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct drv_entry {
    const char *name; /* without a suffix such as _v2 */
    void *function;
    void *per_thread; /* with default streams per thread; NULL: the same */
    int since;        /* the toolkit that introduced this form: 12000 */
};

/* Forms of one name stand in the order of their age, the newest last. */
extern const struct drv_entry drv_entries[];
extern const size_t drv_entry_count;

#endif
