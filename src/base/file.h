/* SPDX-License-Identifier: Apache-2.0 */
/* Whole files in memory. */
#ifndef WEFT_BASE_FILE_H
#define WEFT_BASE_FILE_H

#include <stddef.h>
#include <stdio.h>

/* Reads the rest of a file or pipe, which stays open. Returns its *size_bytes
 * bytes with a NUL behind them, malloc'ed. NULL: reading failed, or memory has
 * run out; errno says which. */
char *file_read(FILE *f, size_t *size_bytes);

#endif
