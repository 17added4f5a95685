/* SPDX-License-Identifier: Apache-2.0 */
/* WEFT_CHECK=memcheck: the interpreter runs kernels, and each of their accesses
 * has to lie in one allocation. */
#ifndef WEFT_CORE_CHECK_H
#define WEFT_CORE_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"

/* What the environment says. */
static inline bool check_is_wanted(void)
{
    const char *text = getenv(ENVIRONMENT_CHECK);
    return text && !strcmp(text, ENVIRONMENT_CHECK_MEMCHECK);
}

/* Before the first kernel runs, if it is wanted. */
void check_start(void);

/* explain.c: what prints which allocation an illegal address is behind. */
typedef void explain_nearest_fn(FILE *out, uint64_t address);
void explain_set_nearest(explain_nearest_fn *fn);

#endif
