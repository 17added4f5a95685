/* SPDX-License-Identifier: Apache-2.0 */
/* The architectures of arch.def and their names. Pure functions. */
#ifndef WEFT_BASE_ARCH_H
#define WEFT_BASE_ARCH_H

#include <stdbool.h>
#include <stddef.h>

/* How nvcc lists it: dropped ones are only in old makefiles. */
enum arch_listing { ARCH_DROPPED, ARCH_CURRENT };

struct arch {
    unsigned number; /* 90: sm_90, compute_90 */
    enum arch_listing listing;
};

/* The i-th architecture, oldest first; NULL: there are no more. */
const struct arch *arch_at(size_t i);
/* NULL: there is none with this number. */
const struct arch *arch_find(unsigned number);
/* Reads a number with at most one letter behind it, which that architecture
 * must have: "90", "90a", "100f", not "89a". *suffix: the letter, or 0. Returns
 * 0 if the text is anything else. */
unsigned arch_parse_number(const char *text, char *suffix);
/* Reads "sm_90a", "compute_90a" or "lto_90a", in the same way. */
unsigned arch_parse_name(const char *name, char *suffix);

#endif
