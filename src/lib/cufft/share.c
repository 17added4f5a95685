/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a plan's tables on the SM threads as well as on the calling one. Pieces
 * are taken in order by whoever is free. A tile that begins late finds none
 * left, so a kernel that keeps all SMs cannot stop a plan from being made; the
 * last holder frees what they share. The library is never unloaded, so their
 * code is there. Where a launch returns when its kernel has ended, the calling
 * thread works alone.
 */
#include "share.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "core/core.h"
#include "lib/common/lib.h"

struct shared {
    void (*fn)(void *data, uint64_t first, uint64_t end);
    void *data;
    uint64_t count, each, pieces;
    atomic_uint_fast64_t taken, done;
    atomic_uint_fast64_t holders; /* tiles, and the caller */
};

static void take_pieces(struct shared *s)
{
    uint64_t i;
    while ((i = atomic_fetch_add_explicit(&s->taken, 1, memory_order_relaxed)) <
           s->pieces) {
        uint64_t first = i * s->each, end = first + s->each;
        s->fn(s->data, first, end < s->count ? end : s->count);
        /* Pairs with the acquire load in share_work. */
        atomic_fetch_add_explicit(&s->done, 1, memory_order_release);
    }
}

/* All that a holder did comes before the free. */
static void release_shared(struct shared *s, uint64_t holders)
{
    if (atomic_fetch_sub_explicit(&s->holders, holders, memory_order_acq_rel) ==
        holders)
        free(s);
}

static void run_shared(const void *args, uint64_t first, uint64_t end)
{
    struct shared *s = *(struct shared *const *)args;
    take_pieces(s);
    release_shared(s, end - first);
}

static const struct native_kernel shared_kernel = {
    .name = "cufft_tables",
    .run = run_shared,
    .args_bytes = sizeof(struct shared *),
};

/* In a stream of its own, which no capture sees. */
static CUresult launch_tiles(struct shared *s, uint64_t tiles)
{
    CUcontext ctx;
    CUstream stream;
    CUresult err = ctx_of_thread(&ctx);
    if (!err)
        err = stream_create(ctx, CU_STREAM_NON_BLOCKING, 0, &stream);
    if (err)
        return err;
    err = lib_run(&shared_kernel, stream, tiles, &s);
    stream_destroy(stream);
    return err;
}

void share_work(void (*fn)(void *data, uint64_t first, uint64_t end),
                void *data, uint64_t count)
{
    uint64_t tiles = lib_thread_count();
    bool is_shared = tiles > 1 && !launch_is_blocking();
    struct shared *s = is_shared ? malloc(sizeof *s) : NULL;
    if (!s) {
        fn(data, 0, count);
        return;
    }
    uint64_t each = count / (8 * tiles) + 1;
    *s = (struct shared){.fn = fn,
                         .data = data,
                         .count = count,
                         .each = each,
                         .pieces = (count + each - 1) / each,
                         .holders = tiles + 1};
    if (launch_tiles(s, tiles))
        release_shared(s, tiles);
    take_pieces(s);
    /* Pairs with the release add in take_pieces. */
    while (atomic_load_explicit(&s->done, memory_order_acquire) < s->pieces)
        sched_yield();
    release_shared(s, 1);
}
