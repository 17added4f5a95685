/* SPDX-License-Identifier: Apache-2.0 */
/* WEFT_CHECK: the interpreter runs kernels, and checks their accesses to memory
 * (memcheck), races in shared memory (racecheck), memory that nobody has set
 * (initcheck) or barriers that threads miss (synccheck). */
#ifndef WEFT_CORE_CHECK_H
#define WEFT_CORE_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cuda.h"

struct CUfunc_st;
struct emu_finding;

/* What the environment says: enum emu_check, by bit; 0: nothing. In
 * check_values.c. */
unsigned check_wanted(void);
/* Before the first kernel runs, if it is wanted. */
void check_start(void);
/* Before a context's memory is freed with it; NULL: the program ends. Reports
 * what the program has allocated there and not freed, if that is wanted. */
void check_leaks(CUcontext ctx);

/* check_report.c: writes what a check has found to the error log, any thread.
 */
void check_report(const struct emu_finding *f);
/* The same for a copy of a row of so many bytes; `unset` is the first of 32
 * that nobody has set. */
void check_report_copy(const void *row, size_t bytes, const void *unset);
/* The program ends: says how many findings had no line of their own. */
void check_report_rest(void);

/* ---- initcheck: check_values.c; nothing happens if it is not wanted --- */

/* Nobody has set these bytes of the device's yet; everybody may read them: they
 * were set, or are nobody's. Any thread. */
void check_values_unset(const void *p, size_t bytes);
void check_values_set(const void *p, size_t bytes);
bool check_values_are_set(const void *p, size_t bytes);
/* A call copies a row's bytes from `first` to `end`, to `to`; other threads may
 * copy the others. Where nobody has set the source it is reported, once for 32
 * bytes, and the destination counts as set. */
void check_values_copied(const void *to, const void *row, size_t row_bytes,
                         size_t first, size_t end);
/* All bytes are set: code that the interpreter does not run may write them. */
void check_values_set_all(void);

/* explain.c: the place of a line of PTX in its source, as " in file:line". */
void explain_print_line(FILE *out, const struct CUfunc_st *f, uint32_t line);
/* A thread of a block, or a block of a grid, as "(x,y,z)". */
void explain_print_index(FILE *out, uint64_t linear, const uint32_t *size);

#endif
