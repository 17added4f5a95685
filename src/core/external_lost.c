/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "core/external_lost.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#include "core/internal.h"
#include "exec/block/lost_page.h"

/* Taken in a signal handler, too. Whoever holds it outside of one has signals
 * blocked and touches no mapped file. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct list all = {&all, &all};

/* The last lost address that the error log has no line about; 0: none. The log
 * has a lock of its own, which the faulting thread may hold. */
static _Atomic uintptr_t unlogged;

static sigset_t lock_all(void)
{
    sigset_t every, old;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &old);
    pthread_mutex_lock(&lock);
    return old;
}

static void unlock_all(const sigset_t *old)
{
    pthread_mutex_unlock(&lock);
    pthread_sigmask(SIG_SETMASK, old, NULL);
}

/* Everything behind the address is gone as well, since the file has become
 * shorter. What is mapped behind the watched pages stays. */
static bool replace_pages(const struct external_pages *p, size_t offset)
{
    size_t first = offset / PAGE_BYTES * PAGE_BYTES;
    assert(first < p->size_bytes);
    return mmap(p->start + first, p->size_bytes - first, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
}

/* Replaces the lost pages by zeros; the owner's context has failed. */
static bool mend_owner(const void *address)
{
    bool is_mended = false;
    pthread_mutex_lock(&lock);
    list_for_each(struct external_pages, p, &all, in_all)
    {
        size_t offset = (uintptr_t)address - (uintptr_t)p->start;
        if (offset >= p->size_bytes)
            continue;
        is_mended = replace_pages(p, offset);
        if (!is_mended)
            break;
        /* Pairs with the exchange in external_log_lost. */
        atomic_store_explicit(&unlogged, (uintptr_t)address,
                              memory_order_release);
        ctx_fail(p->ctx, CUDA_ERROR_ILLEGAL_ADDRESS);
        break;
    }
    pthread_mutex_unlock(&lock);
    return is_mended;
}

/* SIGBUS outside of kernels, in a signal handler: nothing here may wait for
 * what the interrupted code holds. False: the page is not one of ours. */
static bool mend_page(const void *address)
{
    int saved = errno;
    bool is_mended = mend_owner(address);
    if (is_mended)
        explain_lost_file(address);
    errno = saved;
    return is_mended;
}

void external_log_lost(void)
{
    /* Pairs with the store in mend_owner. */
    uintptr_t address =
        atomic_exchange_explicit(&unlogged, 0, memory_order_acquire);
    if (address)
        log_lost_file((const void *)address);
}

void external_watch(struct external_pages *p, CUcontext ctx, void *start,
                    size_t size_bytes)
{
    assert((uintptr_t)start % PAGE_BYTES == 0);
    p->ctx = ctx;
    p->start = start;
    p->size_bytes = size_bytes;
    explain_prepare();
    exec_on_lost_page(mend_page);
    sigset_t old = lock_all();
    list_push(&all, &p->in_all);
    unlock_all(&old);
}

void external_unwatch(struct external_pages *p)
{
    sigset_t old = lock_all();
    list_remove(&p->in_all);
    unlock_all(&old);
}
