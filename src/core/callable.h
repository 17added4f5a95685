/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a launch may name: functions of modules and kernels of libraries that
 * are alive. Programs hand in other addresses, too: NVIDIA's runtime takes what
 * it does not know for a handle. Any thread may call.
 */
#ifndef WEFT_CORE_CALLABLE_H
#define WEFT_CORE_CALLABLE_H

#include <stdbool.h>
#include <stddef.h>

/* `count` objects of `size_bytes` each, in a row. False: no memory; some may
 * have been added. */
bool callable_add(const void *first, size_t count, size_t size_bytes);
/* What was not added is no error. */
void callable_remove(const void *first, size_t count, size_t size_bytes);
/* Of any value; a few nanoseconds for what was asked about lately. */
bool callable_has(const void *handle);

#endif
