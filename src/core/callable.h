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

/* Adds `count` objects of `size_bytes` each, one behind the other. False: out
 * of memory; some may have been added. */
bool callable_add(const void *first, size_t count, size_t size_bytes);
/* Removes objects; those that were not added are ignored. */
void callable_remove(const void *first, size_t count, size_t size_bytes);
/* Is `handle`, which may be any value, a living function or kernel? Takes a
 * few nanoseconds for one that was asked for lately. */
bool callable_has(const void *handle);

#endif
