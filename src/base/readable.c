/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether memory can be read. The operating system is asked: FUTEX_WAIT reads
 * a word first, and fails with EFAULT where it cannot.
 */
#include "base/base.h"

#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PAGE_BYTES = 4096 }; /* divides the system's page size */

/* The call returns at once: the word hardly has the value that it would wait
 * on, and if it has, the timeout is zero. */
static bool is_word_readable(uintptr_t address)
{
    static const struct timespec no_time = {0};
    const uint32_t unlikely = 0x5eed1e55;
    long status = syscall(SYS_futex, address & ~(uintptr_t)3,
                          FUTEX_WAIT_PRIVATE, unlikely, &no_time, NULL, 0);
    return status == 0 || errno != EFAULT;
}

bool memory_is_readable(const void *p, size_t size_bytes)
{
    uintptr_t first = (uintptr_t)p;
    if (!p || size_bytes > UINTPTR_MAX - first)
        return false;
    if (size_bytes == 0)
        return true;
    int saved = errno;
    uintptr_t last = first + size_bytes - 1;
    bool ok = is_word_readable(first);
    for (uintptr_t page = first / PAGE_BYTES + 1;
         ok && page <= last / PAGE_BYTES; page++)
        ok = is_word_readable(page * PAGE_BYTES);
    errno = saved;
    return ok;
}

bool memory_find_end(const char *text, size_t *length)
{
    const char *page = text;
    while (memory_is_readable(page, 1)) {
        size_t left = PAGE_BYTES - (uintptr_t)page % PAGE_BYTES;
        const char *end = memchr(page, '\0', left);
        if (end) {
            *length = (size_t)(end - text);
            return true;
        }
        page += left;
    }
    return false;
}
