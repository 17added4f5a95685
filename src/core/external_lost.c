/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "core/external_lost.h"

#include <pthread.h>
#include <sys/mman.h>

#include "core/internal.h"
#include "exec/lost_page.h"

#define PAGE_BYTES ((size_t)4096)

/* Taken in a signal handler too: nobody touches a file's pages with it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct list all = {&all, &all};

/* A file ends somewhere, so all behind the address is gone as well. What is
 * mapped behind the watched pages stays. */
static bool replace(const struct external_pages *p, size_t offset)
{
    size_t first = offset / PAGE_BYTES * PAGE_BYTES;
    assert(first < p->size_bytes);
    return mmap(p->start + first, p->size_bytes - first, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
}

/* Of SIGBUS outside of kernels. False: not ours. */
static bool mend(const void *address)
{
    CUcontext failed = NULL;
    pthread_mutex_lock(&lock);
    list_for_each(struct external_pages, p, &all, in_all)
    {
        size_t offset = (uintptr_t)address - (uintptr_t)p->start;
        if (offset >= p->size_bytes)
            continue;
        failed = replace(p, offset) ? p->ctx : NULL;
        break;
    }
    pthread_mutex_unlock(&lock);
    if (!failed)
        return false;
    explain_lost_file(address);
    ctx_fail(failed, CUDA_ERROR_ILLEGAL_ADDRESS);
    return true;
}

void external_watch(struct external_pages *p, CUcontext ctx, void *start,
                    size_t size_bytes)
{
    assert((uintptr_t)start % PAGE_BYTES == 0);
    p->ctx = ctx;
    p->start = start;
    p->size_bytes = size_bytes;
    exec_on_lost_page(mend);
    pthread_mutex_lock(&lock);
    list_push(&all, &p->in_all);
    pthread_mutex_unlock(&lock);
}

void external_unwatch(struct external_pages *p)
{
    pthread_mutex_lock(&lock);
    list_remove(&p->in_all);
    pthread_mutex_unlock(&lock);
}
