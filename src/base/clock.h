/* SPDX-License-Identifier: Apache-2.0 */
/* The clock. */
#ifndef WEFT_BASE_CLOCK_H
#define WEFT_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds since some moment, of a clock that never goes back. All times and
 * timeouts are of this clock. Any thread may call it. */
static inline uint64_t clock_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#endif
