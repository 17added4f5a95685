/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engines against each other: one kernel on both, bit for bit.
 *
 *   generate.c  random kernels
 *   compare.c   a kernel on both engines
 *   minimise.c  the smallest kernel that still fails in the same way
 *   engines.c   the command line
 *   mutants.c   damaged kernels, which need only compile or be refused
 */
#ifndef WEFT_TESTS_FUZZ_ENGINES_H
#define WEFT_TESTS_FUZZ_ENGINES_H

#include <stdio.h>

#include "base/base.h"
#include "generate.h"

enum fuzz_outcome {
    FUZZ_AGREE,
    FUZZ_DIFFER,
    FUZZ_EMU_FAULTS,  /* only the interpreter */
    FUZZ_SIMD_FAULTS, /* only compiled code */
    FUZZ_BOTH_FAULT,
    FUZZ_REFUSED, /* does not parse or compile */
    FUZZ_CRASH,
    FUZZ_HANG
};
const char *fuzz_outcome_name(enum fuzz_outcome o);

/* In this process; what differs is printed. */
enum fuzz_outcome fuzz_compare(const struct fuzz_case *c);
/* Silently in a process of its own, for `limit_s` seconds of work at most. The
 * caller must not have run a kernel itself: threads do not survive a fork. */
enum fuzz_outcome fuzz_compare_apart(const struct fuzz_case *c,
                                     unsigned limit_s);

/* Whether all kernels of a text compile; what does not has a message, or it
 * aborts. The compiler can be loaded before, for processes to come. */
bool fuzz_compiles(const struct fuzz_case *c);
void fuzz_load_compiler(void);

/* A smaller kernel, malloc'ed, for which `fails` is still true; it is for that
 * of the case. Barriers and the ends of functions stay, and registers are set
 * first, so that what is cut away leaves no race and no open value behind. */
char *fuzz_minimise(const struct fuzz_case *c,
                    bool (*fails)(const struct fuzz_case *c, void *data),
                    void *data);
/* How many instructions a text has; 0: it is no PTX. */
size_t fuzz_instruction_count(const char *text);

/* A case as a file: a first line with all but the text, then the text. */
void fuzz_write(FILE *f, const struct fuzz_case *c);
/* The text stays the caller's; false: there is no such line. */
bool fuzz_read(const char *text, struct fuzz_case *c);

#endif
