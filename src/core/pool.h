/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pools: memory that is freed in stream order and used again in it.
 *
 *     USED --free in s--> CACHED, until `after` is done: for s alone
 *                           |     then for every stream, or given back
 *     USED <---- alloc -----+
 *
 * pool.c allocates and frees, pool_home.c knows whose pools there are,
 * pool_share.c passes memory to other processes.
 */
#ifndef WEFT_CORE_POOL_H
#define WEFT_CORE_POOL_H

#include "core/internal.h"

#define POOL_CLASS_COUNT 248

struct pool_block {
    struct list in_pool; /* in a class while it is cached, else in `used` */
    CUmemoryPool pool;
    void *address;
    size_t size_bytes;            /* of its class */
    size_t asked_bytes;           /* while it is used */
    struct frees_of freed;        /* where it was, and the how-many-th there */
    struct exec_task *after;      /* NULL: no work uses it any more */
    uint64_t file_offset;
};

struct CUmemPoolHandle_st {
    struct list in_all;
    pthread_mutex_t lock; /* guards all below; mem.c's is taken inside */
    CUmemPoolProps props;
    int follows_events, is_opportunistic, adds_dependencies;
    uint64_t threshold_bytes;
    uint64_t reserved_bytes, reserved_high, used_bytes, used_high;
    struct list classes[POOL_CLASS_COUNT]; /* cached blocks, newest last */
    struct list used;
    size_t block_count, cached_count;
    CUmemAccess_flags access[DEVICE_COUNT_MAX], host_access;
    bool is_default, is_destroyed, is_imported;
    int fd; /* of the memory of a pool that is shared, or -1 */
    uint64_t file_bytes;
};

/* The object behind a handle, or NULL. */
CUmemoryPool pool_find(CUmemoryPool handle);
/* With default policies, registered. fd: -1, or taken over with success. */
CUresult pool_make(const CUmemPoolProps *props, int fd, CUmemoryPool *out);
/* Its block goes to the program. The pool's lock is held. */
void pool_hand_out(struct pool_block *b, size_t size_bytes);
/* Gives the block's memory back; the pool's lock is held. */
void pool_drop_block(struct pool_block *b);

/* pool_home.c. Makes the location a definite one: INVALID_DEVICE,
 * INVALID_VALUE. Managed memory may be anywhere, or where the caller is. */
CUresult pool_place(CUmemLocation *location);
CUresult pool_place_managed(CUmemLocation *location);
/* Allocations without a pool come from the default one, not from `p`. */
void pool_forget_current(CUmemoryPool p);

#endif
