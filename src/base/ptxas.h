/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What ptxas takes and says, for what stands in its place: the tool and the
 * library of that compiler. Any thread.
 */
#ifndef WEFT_BASE_PTXAS_H
#define WEFT_BASE_PTXAS_H

#include "base/base.h"

struct ptxas_option {
    const char *name, *brief; /* "gpu-name", "arch" */
    const char *value;        /* what its value is called; NULL: it has none */
};

/* The option that an argument names, which begins with a dash, and the value
 * behind `=` or a letter; *value is NULL where there is none. NULL: unknown. */
const struct ptxas_option *ptxas_find_option(const char *argument,
                                             const char **value);

/*
 * What is wrong with an option's value, in NVIDIA's words, NULL: nothing.
 * `kind` is what the option calls its value: N is a number, BOOL true or false,
 * of "ca|cg" one is allowed, anything else is not looked at. The text is in
 * `out`.
 */
const char *ptxas_check_value(const char *kind, const char *name,
                              const char *value, char *out, size_t size_bytes);

/* A log of ours with places and severities as `tool` has them, malloc'ed:
 * "FILE:4:2: error: TEXT" becomes "ptxas FILE, line 4; error   : TEXT". NULL:
 * out of memory. */
char *ptxas_log(const char *tool, const char *log);

/* Calls `fn` with each version of PTX that is known, in order. */
void ptxas_for_each_version(void (*fn)(void *data, int major, int minor),
                            void *data);

#endif
