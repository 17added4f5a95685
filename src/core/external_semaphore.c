/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Semaphores of other APIs, binary or with a timeline. None of our threads
 * blocks on one: until.c polls them.
 */
#define _GNU_SOURCE
#include "core/external.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/capture_hooks.h"
#include "core/external_lost.h"
#include "core/internal.h"
#include "core/registry.h"
#include "core/until.h"

struct CUextSemaphore_st {
    struct list in_all;
    atomic_uint refs; /* of the handle and of each operation under way */
    CUcontext ctx;
    bool is_timeline;
    int fd;
    _Atomic uint64_t *word;      /* NULL: an eventfd */
    struct external_pages pages; /* the word's */
};

static struct registry alive = REGISTRY_INIT;
static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static struct list all = {&all, &all};

static CUexternalSemaphore semaphore_ref(CUexternalSemaphore sem)
{
    assert(atomic_load(&sem->refs) > 0);
    atomic_fetch_add_explicit(&sem->refs, 1, memory_order_relaxed);
    return sem;
}

/* Each pairs with the others: the last sees what all wrote. */
static void semaphore_unref(CUexternalSemaphore sem)
{
    assert(atomic_load(&sem->refs) > 0);
    if (atomic_fetch_sub_explicit(&sem->refs, 1, memory_order_acq_rel) > 1)
        return;
    if (sem->word) {
        external_unwatch(&sem->pages);
        munmap((void *)sem->word, PAGE_BYTES);
    }
    close(sem->fd);
    free(sem);
}

/* ---- import -------------------------------------------------------------- */

static bool is_eventfd(int fd)
{
    static const char name[] = "anon_inode:[eventfd]";
    char path[64], link[64] = "";
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return readlink(path, link, sizeof link - 1) > 0 && !strcmp(link, name);
}

static _Atomic uint64_t *map_word(int fd)
{
    struct stat st;
    if (fstat(fd, &st) || st.st_size < (off_t)sizeof(uint64_t))
        return NULL;
    void *p = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return p == MAP_FAILED ? NULL : p;
}

static CUresult check_type(const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *d)
{
    switch (d->type) {
    case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD:
    case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD:
        return CUDA_SUCCESS;
    case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32:
    case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32_KMT:
    case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D12_FENCE:
    case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_FENCE:
    case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX:
    case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX_KMT:
    case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_WIN32:
        return CUDA_ERROR_NOT_SUPPORTED;
    case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_NVSCISYNC:
        return d->handle.nvSciSyncObj ? CUDA_ERROR_NOT_SUPPORTED
                                      : CUDA_ERROR_INVALID_VALUE;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult external_semaphore_import(CUcontext ctx,
                                   const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *d,
                                   CUexternalSemaphore *out)
{
    bool is_timeline =
        d->type == CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;
    CUresult err = ctx_sticky(ctx);
    if (!err)
        err = check_type(d);
    if (!err && d->flags)
        err = CUDA_ERROR_INVALID_VALUE;
    if (err)
        return err;
    _Atomic uint64_t *word = map_word(d->handle.fd);
    if (!word && (is_timeline || !is_eventfd(d->handle.fd)))
        return CUDA_ERROR_UNKNOWN; /* as an H200's driver says */
    CUexternalSemaphore sem = calloc(1, sizeof *sem);
    if (!sem || !registry_add(&alive, sem)) {
        if (word)
            munmap((void *)word, PAGE_BYTES);
        free(sem);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    atomic_init(&sem->refs, 1);
    sem->ctx = ctx;
    sem->is_timeline = is_timeline;
    sem->fd = d->handle.fd;
    sem->word = word;
    if (word)
        external_watch(&sem->pages, ctx, (void *)word, PAGE_BYTES);
    pthread_mutex_lock(&all_lock);
    list_push(&all, &sem->in_all);
    pthread_mutex_unlock(&all_lock);
    *out = sem;
    return CUDA_SUCCESS;
}

static void forget_semaphore(CUexternalSemaphore sem)
{
    list_remove(&sem->in_all);
    semaphore_unref(sem);
}

CUresult external_semaphore_destroy(CUexternalSemaphore sem)
{
    if (!registry_remove(&alive, sem))
        return CUDA_ERROR_INVALID_HANDLE;
    pthread_mutex_lock(&all_lock);
    forget_semaphore(sem);
    pthread_mutex_unlock(&all_lock);
    return CUDA_SUCCESS;
}

void external_semaphore_free_all(CUcontext ctx)
{
    pthread_mutex_lock(&all_lock);
    list_for_each(struct CUextSemaphore_st, sem, &all, in_all)
    {
        if (sem->ctx != ctx)
            continue;
        registry_remove(&alive, sem);
        forget_semaphore(sem);
    }
    pthread_mutex_unlock(&all_lock);
}

/* ---- one operation ------------------------------------------------------- */

struct operation {
    CUexternalSemaphore sem; /* counted */
    uint64_t value;          /* of a timeline */
};

static struct operation *operation_new(CUexternalSemaphore sem, uint64_t value)
{
    struct operation *o = malloc(sizeof *o);
    if (o)
        *o = (struct operation){semaphore_ref(sem), value};
    return o;
}

static void operation_free(void *data)
{
    struct operation *o = data;
    assert(o && o->sem);
    semaphore_unref(o->sem);
    free(o);
}

/* Takes the signal if there is one; a signal is taken by one waiter. */
static bool take_eventfd(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    uint64_t count;
    assert(fd >= 0);
    return poll(&p, 1, 0) == 1 && (p.revents & POLLIN) &&
           read(fd, &count, sizeof count) == (ssize_t)sizeof count;
}

static bool has_come(const void *data)
{
    const struct operation *o = data;
    uint64_t signalled = 1;
    if (!o->sem->word)
        return take_eventfd(o->sem->fd);
    if (o->sem->is_timeline)
        return atomic_load(o->sem->word) >= o->value;
    return atomic_compare_exchange_strong(o->sem->word, &signalled, 0);
}

static void give_signal(const struct operation *o)
{
    const uint64_t one = 1;
    if (o->sem->word)
        atomic_store(o->sem->word, o->sem->is_timeline ? o->value : 1);
    else if (write(o->sem->fd, &one, sizeof one) != (ssize_t)sizeof one)
        return; /* full: of signals that no wait has taken */
    until_poke();
}

static void signal_and_free(void *data)
{
    give_signal(data);
    operation_free(data);
}

/* ---- in stream order ----------------------------------------------------- */

static CUresult submit_wait(CUstream s, CUexternalSemaphore sem, uint64_t value)
{
    struct operation *o = operation_new(sem, value);
    if (!o)
        return CUDA_ERROR_OUT_OF_MEMORY;
    const struct until u = {
        .holds = has_come, .end = operation_free, .data = o};
    CUresult err = stream_wait_until(s, &u);
    if (err)
        operation_free(o);
    return err;
}

static CUresult submit_signal(CUstream s, CUexternalSemaphore sem,
                              uint64_t value)
{
    struct operation *o = operation_new(sem, value);
    if (!o)
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (stream_is_idle(s)) {
        signal_and_free(o);
        return CUDA_SUCCESS;
    }
    struct exec_task *t = exec_task_call(signal_and_free, o);
    CUresult err = t ? stream_submit(s, t) : CUDA_ERROR_OUT_OF_MEMORY;
    if (err)
        operation_free(o);
    exec_task_unref(t);
    return err;
}

CUresult external_check(const CUexternalSemaphore *sems, const void *params,
                        unsigned count)
{
    if (!count || !sems || !params)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++) {
        if (!registry_has(&alive, sems[i]))
            return CUDA_ERROR_INVALID_HANDLE;
    }
    return CUDA_SUCCESS;
}

CUresult external_signal(CUstream s, const CUexternalSemaphore *sems,
                         const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *params,
                         unsigned count)
{
    CUgraphNodeParams node = {.type = CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL};
    CUresult err = ctx_sticky(s->ctx);
    if (!err)
        err = external_check(sems, params, count);
    if (err)
        return err;
    node.extSemSignal = (CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2){
        (CUexternalSemaphore *)sems, params, count};
    if (capture_node(s, &node, &err))
        return err;
    for (unsigned i = 0; i < count && !err; i++)
        err = submit_signal(s, sems[i], params[i].params.fence.value);
    return err;
}

CUresult external_wait(CUstream s, const CUexternalSemaphore *sems,
                       const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *params,
                       unsigned count)
{
    CUgraphNodeParams node = {.type = CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT};
    CUresult err = ctx_sticky(s->ctx);
    if (!err)
        err = external_check(sems, params, count);
    if (err)
        return err;
    node.extSemWait = (CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2){
        (CUexternalSemaphore *)sems, params, count};
    if (capture_node(s, &node, &err))
        return err;
    for (unsigned i = 0; i < count && !err; i++)
        err = submit_wait(s, sems[i], params[i].params.fence.value);
    return err;
}
