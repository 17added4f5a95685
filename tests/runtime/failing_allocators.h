/* SPDX-License-Identifier: Apache-2.0 */
/* Allocators that fail when they are asked to, in the thread that asks: they
 * stand before the C library's, in every library of the process. For one file
 * of a program. */
#ifndef TESTS_RUNTIME_FAILING_ALLOCATORS_H
#define TESTS_RUNTIME_FAILING_ALLOCATORS_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

static __thread unsigned until_failure; /* 0: none fails */
static __thread bool has_failed;
static _Atomic long living; /* allocated minus freed */

static bool fails(void)
{
    if (until_failure == 0 || --until_failure != 0)
        return false;
    has_failed = true;
    errno = ENOMEM;
    return true;
}

static void *counted(void *p)
{
    living += p != NULL;
    return p;
}

void *malloc(size_t size)
{
    return fails() ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t n, size_t size)
{
    return fails() ? NULL : counted(__libc_calloc(n, size));
}

void *realloc(void *p, size_t size)
{
    if (fails())
        return NULL;
    void *q = __libc_realloc(p, size);
    living += !p && q;
    return q;
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    if (fails())
        return ENOMEM;
    void *p = counted(__libc_memalign(alignment, size));
    if (!p)
        return ENOMEM;
    *out = p;
    return 0;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : counted(__libc_memalign(alignment, size));
}

void free(void *p)
{
    living -= p != NULL;
    __libc_free(p);
}

void *mmap(void *p, size_t size, int protection, int flags, int fd, off_t at)
{
    if (fails())
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, p, size, protection, flags, fd, at);
}

#endif
