/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocation in stream order (pool.h). A pool keeps what is freed, by size.
 * The stream that freed a block may have it again at once, since its work comes
 * after; others may when that work is done. Only if no memory is left does an
 * allocation wait for another stream's free.
 *
 * CUDA C++ Programming Guide, "Stream Ordered Memory Allocator".
 */
#define _GNU_SOURCE
#include "core/pool.h"
#include "base/size.h"

#include "core/capture_hooks.h"
#include "core/check.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/registry.h"

#define BLOCK_BYTES_LEAST ((size_t)512)
#define LOOKS_MAX         WEFT_SIZE(64, 1) /* at blocks of one class */

static struct registry pools = REGISTRY_INIT;
static struct {
    pthread_mutex_t lock; /* taken before a pool's */
    struct list pools;
} all = {PTHREAD_MUTEX_INITIALIZER, {&all.pools, &all.pools}};

/* Some pool keeps more than its threshold says. */
static atomic_bool is_over;

CUmemoryPool pool_find(CUmemoryPool handle)
{
    return registry_has(&pools, handle) ? handle : NULL;
}

/* ---- sizes ------------------------------------------------------------ */

/* Eight classes between two powers of two: at most an eighth is lost. Rounds
 * the size up; POOL_CLASS_COUNT: too large. */
static unsigned class_of(size_t *size_bytes)
{
    size_t n =
        *size_bytes < BLOCK_BYTES_LEAST ? BLOCK_BYTES_LEAST : *size_bytes;
    unsigned log =
        n <= 8 * BLOCK_BYTES_LEAST ? 12 : 63 - (unsigned)__builtin_clzll(n - 1);
    size_t first = n <= 8 * BLOCK_BYTES_LEAST ? 0 : (size_t)1 << log;
    size_t step = n <= 8 * BLOCK_BYTES_LEAST ? BLOCK_BYTES_LEAST : first / 8;
    unsigned steps = (unsigned)((n - first + step - 1) / step);
    assert(steps > 0 && first + steps * step >= n);
    unsigned c = (first ? 8 + (log - 12) * 8 : 0) + steps - 1;
    *size_bytes = first + steps * step;
    return c < POOL_CLASS_COUNT ? c : POOL_CLASS_COUNT;
}

/* ---- blocks ----------------------------------------------------------- */

/* Who waits for work calls it then. */
static void note_over(void)
{
    ctx_on_wait(pool_release_unused);
    atomic_store(&is_over, true);
}

static bool is_over_now(const struct CUmemPoolHandle_st *p)
{
    return p->reserved_bytes > p->threshold_bytes && p->cached_count;
}

static void count_reserved(CUmemoryPool p, uint64_t bytes)
{
    p->reserved_bytes += bytes;
    if (p->reserved_high < p->reserved_bytes)
        p->reserved_high = p->reserved_bytes;
}

static void count_used(CUmemoryPool p, uint64_t bytes)
{
    p->used_bytes += bytes;
    if (p->used_high < p->used_bytes)
        p->used_high = p->used_bytes;
}

static void *map_block(CUmemoryPool p, struct pool_block *b)
{
    if (p->fd < 0)
        return mem_alloc_owned(b->size_bytes, MEM_CACHED, b);
    size_t length = (b->size_bytes + 4095) & ~(size_t)4095;
    b->file_offset = p->file_bytes;
    if (ftruncate(p->fd, (off_t)(p->file_bytes + length)))
        return NULL;
    struct mem_file file = {p->fd, b->file_offset};
    void *address = mem_alloc_file(length, MEM_CACHED, b, file);
    if (address)
        p->file_bytes += length;
    return address;
}

/* A GPU reserves memory in such pieces, and programs count with that. */
static uint64_t in_chunks(uint64_t bytes)
{
    const uint64_t chunk = (uint64_t)32 << 20;
    return (bytes + chunk - 1) / chunk * chunk;
}

static struct pool_block *block_create(CUmemoryPool p, size_t size_bytes)
{
    assert(size_bytes >= BLOCK_BYTES_LEAST);
    if (p->props.maxSize &&
        p->reserved_bytes + size_bytes > in_chunks(p->props.maxSize))
        return NULL;
    struct pool_block *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->pool = p;
    b->size_bytes = size_bytes;
    b->address = map_block(p, b);
    if (!b->address) {
        free(b);
        return NULL;
    }
    list_init(&b->in_pool);
    p->block_count++;
    p->cached_count++;
    count_reserved(p, size_bytes);
    return b;
}

void pool_drop_block(struct pool_block *b)
{
    assert(b->pool->cached_count > 0 && b->pool->block_count > 0);
    assert(b->pool->reserved_bytes >= b->size_bytes);
    CUmemoryPool p = b->pool;
    list_remove(&b->in_pool);
    p->cached_count--;
    mem_release(b->address, MEM_CACHED);
    if (p->fd >= 0 && !p->is_imported)
        fallocate(p->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                  (off_t)b->file_offset,
                  (off_t)((b->size_bytes + 4095) & ~(size_t)4095));
    p->reserved_bytes -= b->size_bytes;
    p->block_count--;
    exec_task_unref(b->after);
    free(b);
}

static bool is_ready(const struct pool_block *b)
{
    return !b->after || exec_task_is_done(b->after);
}

/* What an allocation asks for. */
struct request {
    CUstream s;
    size_t asked_bytes, size_bytes; /* size: of the class */
    unsigned class;
    struct frees after; /* what the stream comes after, itself included */
};

static bool may_reuse(const struct pool_block *b, const struct request *r)
{
    if (!b->after || b->freed.stream_id == r->s->id)
        return true;
    return (b->pool->follows_events && frees_hold(&r->after, b->freed)) ||
           (b->pool->is_opportunistic && exec_task_is_done(b->after));
}

/* A cached block of the class that the request's work may use now. */
static struct pool_block *find_cached(CUmemoryPool p, unsigned c,
                                      const struct request *r)
{
    assert(c < POOL_CLASS_COUNT);
    const struct list *head = &p->classes[c];
    int looks = 0;
    for (struct list *l = head->prev; l != head && looks < LOOKS_MAX;
         l = l->prev, looks++) {
        struct pool_block *b = container_of(l, struct pool_block, in_pool);
        if (may_reuse(b, r))
            return b;
    }
    return NULL;
}

/* Blocks that are a little too large will do. */
static struct pool_block *take_cached(CUmemoryPool p, const struct request *r)
{
    unsigned c = r->class;
    assert(c < POOL_CLASS_COUNT);
    for (unsigned i = c; i < c + 3 && i < POOL_CLASS_COUNT; i++) {
        struct pool_block *b = find_cached(p, i, r);
        if (!b)
            continue;
        list_remove(&b->in_pool);
        return b;
    }
    return NULL;
}

/* Gives free blocks back until no more than that is kept. */
static void drop_cached(CUmemoryPool p, uint64_t bytes_to_keep)
{
    for (unsigned c = POOL_CLASS_COUNT; c-- > 0;) {
        list_for_each(struct pool_block, b, &p->classes[c], in_pool)
        {
            if (p->reserved_bytes <= bytes_to_keep)
                return;
            if (is_ready(b))
                pool_drop_block(b);
        }
    }
}

/* The same, but at least so much stays if it is there now. */
static void drop_above(CUmemoryPool p, uint64_t bytes_to_keep)
{
    for (unsigned c = POOL_CLASS_COUNT; c-- > 0;) {
        list_for_each(struct pool_block, b, &p->classes[c], in_pool)
        {
            assert(b->size_bytes <= p->reserved_bytes);
            if (p->reserved_bytes - b->size_bytes >= bytes_to_keep &&
                is_ready(b))
                pool_drop_block(b);
        }
    }
}

/* ---- making and ending pools ------------------------------------------ */

static void pool_free_object(CUmemoryPool p)
{
    if (p->fd >= 0)
        close(p->fd);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

/* What a place may do with the pool's memory. */
static CUmemAccess_flags *access_at(CUmemoryPool p, const CUmemLocation *l)
{
    return l->type == CU_MEM_LOCATION_TYPE_DEVICE ? &p->access[l->id]
                                                  : &p->host_access;
}

CUresult pool_make(const CUmemPoolProps *props, int fd, CUmemoryPool *out)
{
    CUmemoryPool p = calloc(1, sizeof *p);
    if (!p || !registry_add(&pools, p)) {
        free(p);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    pthread_mutex_init(&p->lock, NULL);
    p->props = *props;
    p->fd = fd;
    p->follows_events = p->is_opportunistic = p->adds_dependencies = 1;
    for (unsigned i = 0; i < POOL_CLASS_COUNT; i++)
        list_init(&p->classes[i]);
    list_init(&p->used);
    *access_at(p, &props->location) = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    pthread_mutex_lock(&all.lock);
    list_push(&all.pools, &p->in_all);
    pthread_mutex_unlock(&all.lock);
    *out = p;
    return CUDA_SUCCESS;
}

/* *props is ours: the location becomes a definite one. */
static CUresult check_props(CUmemPoolProps *props)
{
    bool is_managed = props->allocType == CU_MEM_ALLOCATION_TYPE_MANAGED;
    if (!is_managed && props->allocType != CU_MEM_ALLOCATION_TYPE_PINNED)
        return CUDA_ERROR_INVALID_VALUE;
    if (props->usage)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (is_managed ? pool_place_managed(&props->location)
                   : pool_place(&props->location))
        return CUDA_ERROR_INVALID_VALUE;
    switch ((unsigned)props->handleTypes) {
    case CU_MEM_HANDLE_TYPE_NONE:
    case CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR:
        return CUDA_SUCCESS;
    case CU_MEM_HANDLE_TYPE_FABRIC:
    case CU_MEM_HANDLE_TYPE_FABRIC | CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR:
        return CUDA_ERROR_NOT_SUPPORTED;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult pool_create(const CUmemPoolProps *given, CUmemoryPool *out)
{
    int fd = -1;
    CUmemPoolProps props = *given;
    CUresult err = capture_check_call();
    if (!err)
        err = check_props(&props);
    if (err)
        return err;
    if (props.handleTypes == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) {
        fd = memfd_create("weft-pool", MFD_CLOEXEC);
        if (fd < 0)
            return CUDA_ERROR_OUT_OF_MEMORY;
    }
    err = pool_make(&props, fd, out);
    if (err && fd >= 0)
        close(fd);
    return err;
}

/* A destroyed pool ends with its last block. The lists' lock is held. */
static void end_if_empty(CUmemoryPool p)
{
    pthread_mutex_lock(&p->lock);
    if (p->is_destroyed)
        drop_cached(p, 0);
    bool is_end = p->is_destroyed && p->block_count == 0;
    assert(p->cached_count <= p->block_count);
    assert(p->block_count || !p->reserved_bytes);
    pthread_mutex_unlock(&p->lock);
    if (!is_end)
        return;
    list_remove(&p->in_all);
    pool_free_object(p);
}

CUresult pool_destroy(CUmemoryPool p)
{
    if (!pool_find(p))
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&all.lock);
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    if (p->is_default || !registry_remove(&pools, p))
        goto unlock;
    err = CUDA_SUCCESS;
    pool_forget_current(p);
    p->is_destroyed = true;
    p->threshold_bytes = 0;
    note_over();
    end_if_empty(p);
unlock:
    pthread_mutex_unlock(&all.lock);
    return err;
}

/* ---- allocating ------------------------------------------------------- */

void pool_hand_out(struct pool_block *b, size_t size_bytes)
{
    assert(size_bytes <= b->size_bytes);
    assert(b->pool->cached_count > 0);
    bool is_used = b->after && !exec_task_is_done(b->after);
    exec_task_unref(b->after);
    b->after = NULL;
    b->asked_bytes = size_bytes;
    list_push(&b->pool->used, &b->in_pool);
    b->pool->cached_count--;
    count_used(b->pool, size_bytes);
    mem_change(b->address, MEM_CACHED, MEM_POOL, size_bytes);
    /* What came before in the stream may still read its values. */
    if (!is_used)
        check_values_unset(b->address, size_bytes);
}

static struct pool_block *take_or_make(CUmemoryPool p, const struct request *r)
{
    pthread_mutex_lock(&p->lock);
    struct pool_block *b = take_cached(p, r);
    if (!b)
        b = block_create(p, r->size_bytes);
    if (b)
        pool_hand_out(b, r->asked_bytes);
    pthread_mutex_unlock(&p->lock);
    return b;
}

/* The smallest cached block that will do, whoever uses it. */
static struct pool_block *take_any(CUmemoryPool p, unsigned class)
{
    assert(class < POOL_CLASS_COUNT);
    for (unsigned i = class; i < POOL_CLASS_COUNT; i++) {
        if (list_is_empty(&p->classes[i]))
            continue;
        struct list *first = p->classes[i].next;
        list_remove(first);
        return container_of(first, struct pool_block, in_pool);
    }
    return NULL;
}

/* Memory is short: a block that another stream's work still uses. */
static struct pool_block *take_behind(CUmemoryPool p, const struct request *r)
{
    pthread_mutex_lock(&p->lock);
    struct pool_block *b = take_any(p, r->class);
    pthread_mutex_unlock(&p->lock);
    if (!b)
        return NULL;
    bool is_ordered = !b->after || !stream_wait_task(r->s, b->after);
    size_t size_bytes = b->size_bytes;
    pthread_mutex_lock(&p->lock);
    if (is_ordered)
        pool_hand_out(b, r->asked_bytes);
    else
        list_push(&p->classes[class_of(&size_bytes)], &b->in_pool);
    pthread_mutex_unlock(&p->lock);
    return is_ordered ? b : NULL;
}

static void drop_all_cached(void)
{
    pthread_mutex_lock(&all.lock);
    list_for_each(struct CUmemPoolHandle_st, p, &all.pools, in_all)
    {
        pthread_mutex_lock(&p->lock);
        drop_cached(p, 0);
        pthread_mutex_unlock(&p->lock);
        end_if_empty(p);
    }
    pthread_mutex_unlock(&all.lock);
}

static struct pool_block *take_somehow(CUmemoryPool p, const struct request *r)
{
    struct pool_block *b = take_or_make(p, r);
    if (!b && p->adds_dependencies)
        b = take_behind(p, r);
    if (!b) {
        drop_all_cached();
        b = take_or_make(p, r);
    }
    if (!b && r->size_bytes <= device_total_memory() && !ctx_wait(r->s->ctx)) {
        drop_all_cached();
        b = take_or_make(p, r);
    }
    return b;
}

CUresult pool_alloc(CUmemoryPool p, CUstream s, size_t size_bytes,
                    CUdeviceptr *out)
{
    CUresult err = ctx_sticky(s->ctx);
    if (!err && p && !pool_find(p))
        err = CUDA_ERROR_INVALID_VALUE;
    if (!err && !p)
        err = pool_current(s->ctx->device, &p);
    if (err)
        return err;
    if (p->is_imported || !size_bytes)
        return CUDA_ERROR_INVALID_VALUE;
    if (capture_alloc(s, p, size_bytes, out, &err) ||
        (err = capture_check_call()) != CUDA_SUCCESS)
        return err;
    struct request r = {.s = s,
                        .asked_bytes = size_bytes,
                        .size_bytes = size_bytes,
                        .class = POOL_CLASS_COUNT};
    stream_frees(s, &r.after);
    if (size_bytes <= SIZE_MAX / 4)
        r.class = class_of(&r.size_bytes);
    struct pool_block *b =
        r.class < POOL_CLASS_COUNT ? take_somehow(p, &r) : NULL;
    if (!b)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *out = (CUdeviceptr)(uintptr_t)b->address;
    return CUDA_SUCCESS;
}

CUmemoryPool pool_of(const void *address)
{
    struct mem_info info = mem_query(address);
    return info.kind == MEM_POOL ? ((struct pool_block *)info.owner)->pool
                                 : NULL;
}

enum mem_kind mem_seen_as(const struct mem_info *info)
{
    if (info->kind != MEM_POOL)
        return info->kind;
    const CUmemPoolProps *p = &((struct pool_block *)info->owner)->pool->props;
    return p->allocType == CU_MEM_ALLOCATION_TYPE_MANAGED    ? MEM_MANAGED
           : p->location.type == CU_MEM_LOCATION_TYPE_DEVICE ? MEM_POOL
                                                             : MEM_PINNED;
}

bool pool_is_open(const struct mem_info *info)
{
    const CUmemoryPool p = ((struct pool_block *)info->owner)->pool;
    if (mem_seen_as(info) != MEM_PINNED)
        return true;
    for (int i = 0; i < device_count(); i++) {
        if (p->access[i])
            return true;
    }
    return false;
}

/* ---- freeing ---------------------------------------------------------- */

/* The next allocation of the size finds it first. */
static void put_back(struct pool_block *b, struct frees_of freed,
                     struct exec_task *after)
{
    assert(b->pool && b->address);
    CUmemoryPool p = b->pool;
    pthread_mutex_lock(&p->lock);
    assert(p->used_bytes >= b->asked_bytes);
    size_t size_bytes = b->size_bytes;
    p->used_bytes -= b->asked_bytes;
    p->cached_count++;
    b->freed = freed;
    b->after = after;
    list_remove(&b->in_pool);
    list_push(&p->classes[class_of(&size_bytes)], &b->in_pool);
    if (is_over_now(p))
        note_over();
    pthread_mutex_unlock(&p->lock);
}

bool pool_free_now(CUdeviceptr address)
{
    struct pool_block *b =
        mem_change((void *)(uintptr_t)address, MEM_POOL, MEM_CACHED, 0);
    if (!b)
        return false;
    put_back(b, (struct frees_of){0}, NULL);
    pool_release_unused(); /* the caller has waited */
    return true;
}

bool pool_free(CUstream s, CUdeviceptr address, CUresult *err)
{
    void *p = (void *)(uintptr_t)address;
    struct exec_task *after;
    struct pool_block *b = mem_change(p, MEM_POOL, MEM_CACHED, 0);
    if (!b)
        return false;
    *err = capture_check_call();
    if (!*err && stream_mark(s, &after)) {
        unsigned long long number = atomic_fetch_add(&s->freed, 1) + 1;
        put_back(b, (struct frees_of){s->id, number}, after);
        *err = CUDA_SUCCESS;
        return true;
    }
    mem_change(p, MEM_CACHED, MEM_POOL, b->asked_bytes);
    *err = *err ? *err : CUDA_ERROR_OUT_OF_MEMORY;
    return true;
}

void pool_release_unused(void)
{
    if (!atomic_load_explicit(&is_over, memory_order_relaxed))
        return;
    atomic_store(&is_over, false);
    pthread_mutex_lock(&all.lock);
    list_for_each(struct CUmemPoolHandle_st, p, &all.pools, in_all)
    {
        pthread_mutex_lock(&p->lock);
        drop_cached(p, p->threshold_bytes);
        if (is_over_now(p))
            note_over();
        pthread_mutex_unlock(&p->lock);
        end_if_empty(p);
    }
    pthread_mutex_unlock(&all.lock);
}

CUresult pool_trim(CUmemoryPool p, size_t bytes_to_keep)
{
    CUresult err = capture_check_call();
    if (err)
        return err;
    if (!pool_find(p) || p->is_imported)
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&p->lock);
    drop_above(p, bytes_to_keep);
    pthread_mutex_unlock(&p->lock);
    return CUDA_SUCCESS;
}

/* ---- what a pool says and is told ------------------------------------- */

CUresult pool_get(CUmemoryPool p, CUmemPool_attribute attribute, void *value)
{
    CUresult err = capture_check_call();
    if (err)
        return err;
    if (!pool_find(p) || p->is_imported) /* ask where it is from */
        return CUDA_ERROR_INVALID_VALUE;
    const int policies[] = {p->follows_events, p->is_opportunistic,
                            p->adds_dependencies};
    pthread_mutex_lock(&p->lock);
    switch (attribute) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
        *(int *)value = policies[attribute - 1];
        break;
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
        *(cuuint64_t *)value = p->threshold_bytes;
        break;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
        *(cuuint64_t *)value = in_chunks(p->reserved_bytes);
        break;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
        *(cuuint64_t *)value = in_chunks(p->reserved_high);
        break;
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
        *(cuuint64_t *)value = p->used_bytes;
        break;
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        *(cuuint64_t *)value = p->used_high;
        break;
    default:
        err = CUDA_ERROR_INVALID_VALUE;
    }
    pthread_mutex_unlock(&p->lock);
    return err;
}

/* A high mark can be set to what is now alone, by 0. */
static CUresult set_high(uint64_t *high, uint64_t now, const void *value)
{
    if (*(const cuuint64_t *)value)
        return CUDA_ERROR_INVALID_VALUE;
    *high = now;
    return CUDA_SUCCESS;
}

static CUresult set_locked(CUmemoryPool p, CUmemPool_attribute attribute,
                           const void *value)
{
    switch (attribute) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
        p->follows_events = *(const int *)value != 0;
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
        p->is_opportunistic = *(const int *)value != 0;
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
        p->adds_dependencies = *(const int *)value != 0;
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
        p->threshold_bytes = *(const cuuint64_t *)value;
        note_over();
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
        return set_high(&p->reserved_high, p->reserved_bytes, value);
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        return set_high(&p->used_high, p->used_bytes, value);
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult pool_set(CUmemoryPool p, CUmemPool_attribute attribute,
                  const void *value)
{
    CUresult err = capture_check_call();
    if (err)
        return err;
    if (!pool_find(p) || p->is_imported)
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&p->lock);
    err = set_locked(p, attribute, value);
    pthread_mutex_unlock(&p->lock);
    return err;
}

static bool is_at(const CUmemoryPool p, const CUmemLocation *l)
{
    const CUmemLocation *own = &p->props.location;
    return l->type == CU_MEM_LOCATION_TYPE_DEVICE
               ? own->type == l->type && own->id == l->id
               : own->type != CU_MEM_LOCATION_TYPE_DEVICE;
}

/* A location may always read and write its own memory. Access to a device's
 * pool can be given to devices alone. */
static CUresult check_access(CUmemoryPool p, const CUmemAccessDesc *d)
{
    CUmemLocation l = d->location;
    bool is_device = l.type == CU_MEM_LOCATION_TYPE_DEVICE;
    if (d->flags != CU_MEM_ACCESS_FLAGS_PROT_NONE &&
        d->flags != CU_MEM_ACCESS_FLAGS_PROT_READ &&
        d->flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
        return CUDA_ERROR_INVALID_VALUE;
    if ((!is_device && p->props.location.type == CU_MEM_LOCATION_TYPE_DEVICE) ||
        d->flags == CU_MEM_ACCESS_FLAGS_PROT_READ)
        return CUDA_ERROR_NOT_SUPPORTED;
    CUresult err = pool_place(&l);
    if (err)
        return err;
    if (d->flags != CU_MEM_ACCESS_FLAGS_PROT_NONE || !is_at(p, &l))
        return CUDA_SUCCESS;
    return is_device ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_NOT_SUPPORTED;
}

CUresult pool_set_access(CUmemoryPool p, const CUmemAccessDesc *desc,
                         size_t count)
{
    CUresult err = capture_check_call();
    if (!err && !pool_find(p))
        err = CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count && !err; i++)
        err = check_access(p, &desc[i]);
    if (err)
        return err;
    for (size_t i = 0; i < count; i++)
        *access_at(p, &desc[i].location) = desc[i].flags;
    return CUDA_SUCCESS;
}

CUresult pool_get_access(CUmemoryPool p, const CUmemLocation *location,
                         CUmemAccess_flags *out)
{
    CUmemLocation l = *location;
    if (!pool_find(p))
        return CUDA_ERROR_INVALID_VALUE;
    if (pool_place(&l))
        return CUDA_ERROR_INVALID_VALUE;
    *out = *access_at(p, &l);
    return CUDA_SUCCESS;
}

/* ---- the end ---------------------------------------------------------- */

/* Its lock is held. */
static void drop_everything(CUmemoryPool p)
{
    list_for_each(struct pool_block, b, &p->used, in_pool)
    {
        mem_change(b->address, MEM_POOL, MEM_CACHED, 0);
        p->used_bytes -= b->asked_bytes;
        p->cached_count++;
        pool_drop_block(b);
    }
    drop_cached(p, 0);
    p->reserved_high = p->used_high = 0;
}

void pool_free_all(int device)
{
    pthread_mutex_lock(&all.lock);
    list_for_each(struct CUmemPoolHandle_st, p, &all.pools, in_all)
    {
        if (p->props.location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
            p->props.location.id != device)
            continue;
        pthread_mutex_lock(&p->lock);
        drop_everything(p);
        pthread_mutex_unlock(&p->lock);
        if (!p->is_default && !p->is_destroyed) {
            registry_remove(&pools, p);
            p->is_destroyed = true;
        }
        pool_forget_current(p);
        end_if_empty(p);
    }
    pthread_mutex_unlock(&all.lock);
}
