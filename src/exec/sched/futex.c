/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's wait on a word, and the clock. */
#define _GNU_SOURCE
#include "exec/internal.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void futex_wait(atomic_uint *word, unsigned expected)
{
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
}

void futex_wait_for(atomic_uint *word, unsigned expected, uint64_t ns)
{
    const struct timespec limit = {.tv_sec = (time_t)(ns / 1000000000u),
                                   .tv_nsec = (long)(ns % 1000000000u)};
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, &limit, NULL, 0);
}

void futex_wake(atomic_uint *word, int count)
{
    assert(count > 0);
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}
