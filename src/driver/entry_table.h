/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of the library by their names, every form of each. */
#ifndef WEFT_DRIVER_ENTRY_TABLE_H
#define WEFT_DRIVER_ENTRY_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct drv_entry {
    const char *name; /* without the number of the form */
    void *function;
    void *per_thread; /* NULL: the same */
    int since;
};

/* Of several forms of a function the newest comes last. */
extern const struct drv_entry drv_entries[];
extern const size_t drv_entry_count;

#endif
