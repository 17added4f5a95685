/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which frees of other streams a stream comes after, because it has waited for
 * events: a pool reuses memory that was freed in one stream for another that
 * follows it. Each stream numbers its frees. What it knows of others is a
 * short list; a forgotten entry only costs a chance to reuse memory.
 */
#ifndef WEFT_CORE_FREES_H
#define WEFT_CORE_FREES_H

#include "base/size.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { FREES_MAX = WEFT_SIZE(8, 2) }; /* 2: the shortest way to be far */

/* All frees of one stream up to this number. */
struct frees_of {
    uint64_t stream_id, number;
};

/* Guarded by the context's lock. The counts may be read without it. */
struct frees {
    atomic_uint count;
    struct frees_of of[FREES_MAX]; /* the newest last */
};

/* `to` now comes after everything that `from` comes after. */
void frees_merge(struct frees *to, const struct frees *from);
void frees_add(struct frees *to, struct frees_of of);
bool frees_hold(const struct frees *f, struct frees_of of);

#endif
