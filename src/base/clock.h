/* SPDX-License-Identifier: Apache-2.0 */
/* Time. */
#ifndef WEFT_BASE_CLOCK_H
#define WEFT_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds of the clock by which time is measured and waited for; it never
 * goes back. Any thread may ask. */
static inline uint64_t clock_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#endif
