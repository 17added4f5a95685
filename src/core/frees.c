/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"

#include "core/frees.h"

#include <assert.h>
#include <string.h>

static unsigned count_of(const struct frees *f)
{
    return atomic_load_explicit(&f->count, memory_order_relaxed);
}

static void set_count(struct frees *f, unsigned count)
{
    assert(count <= FREES_MAX);
    atomic_store_explicit(&f->count, count, memory_order_relaxed);
}

static void remove_at(struct frees *f, unsigned i)
{
    unsigned count = count_of(f);
    assert(i < count);
    memmove(&f->of[i], &f->of[i + 1], (count - i - 1) * sizeof f->of[0]);
    set_count(f, count - 1);
}

/* Removes the stream's entry; returns its number, or 0. */
static uint64_t take_stream(struct frees *f, uint64_t stream_id)
{
    for (unsigned i = 0; i < count_of(f); i++) {
        uint64_t number = f->of[i].number;
        if (f->of[i].stream_id != stream_id)
            continue;
        remove_at(f, i);
        return number;
    }
    return 0;
}

void frees_add(struct frees *to, struct frees_of of)
{
    uint64_t known = take_stream(to, of.stream_id);
    if (known > of.number)
        of.number = known;
    if (count_of(to) == FREES_MAX)
        remove_at(to, 0);
    to->of[count_of(to)] = of;
    set_count(to, count_of(to) + 1);
}

void frees_merge(struct frees *to, const struct frees *from)
{
    for (unsigned i = 0; i < count_of(from); i++)
        frees_add(to, from->of[i]);
}

bool frees_hold(const struct frees *f, struct frees_of of)
{
    for (unsigned i = 0; i < count_of(f); i++) {
        if (f->of[i].stream_id == of.stream_id)
            return f->of[i].number >= of.number;
    }
    return false;
}
