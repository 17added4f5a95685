/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of export_tables.def. An entry is a function, except the first one
 * of most, which is the table's size in bytes. */
#ifndef WEFT_DRIVER_EXPORT_TABLE_H
#define WEFT_DRIVER_EXPORT_TABLE_H

#define EXPORT_TABLE(table, ...) extern const void *const table[];
#include "driver/export_tables.def"

/* The first entry of a table of `count` entries. */
#define EXPORT_TABLE_SIZE(count) (const void *)((count) * sizeof(void *))

#endif
