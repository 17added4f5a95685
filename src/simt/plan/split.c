/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a long kernel is split into functions, each of which is a run of
 * blocks in the schedule. LLVM's time grows faster than a function does, and
 * its working set outgrows the caches.
 */
#include "simt/plan/internal.h"

/* How many loops a cut before block b would be in. */
static unsigned cut_depth(const struct simt_kernel *k, uint32_t b)
{
    const struct simt_block *bb = &k->blocks[b];
    unsigned before = k->blocks[b - 1].loop_depth;
    unsigned behind = bb->loop_depth - (bb->loop_header == b);

    return before < behind ? before : behind;
}

/* The end of the part that starts with block `first`: outside of loops if
 * possible, within a quarter of the length that parts should have. */
static uint32_t find_cut(const struct simt_kernel *k, uint32_t first)
{
    uint32_t wanted = simt_split_insts(k), quarter = wanted / 4;
    uint32_t best = k->block_count, length = 0;
    unsigned best_depth = UINT32_MAX;

    assert(first < k->block_count);
    for (uint32_t b = first; b < k->block_count; b++) {
        bool is_candidate = b > first && length >= wanted - quarter;
        if (length > wanted + quarter && best < k->block_count)
            return best;
        if (is_candidate && cut_depth(k, b) < best_depth) {
            best = b;
            best_depth = cut_depth(k, b);
        }
        for (uint32_t i = k->blocks[b].first; i < k->blocks[b].end; i++)
            length += simt_inst_weight(k->func, i);
    }
    return length > wanted + quarter ? best : k->block_count;
}

void plan_split(struct simt_plan *p)
{
    const struct simt_kernel *k = p->k;
    uint32_t n = k->block_count;

    assert(p->part_count == 0);
    if (!simt_split_insts(k))
        return;
    p->part_first = arena_array(k->arena, uint32_t, n + 1);
    p->part_of = arena_array(k->arena, uint32_t, n + 1);
    for (uint32_t b = 0; b < n;) {
        uint32_t end = find_cut(k, b);
        p->part_first[p->part_count] = b;
        for (; b < end; b++)
            p->part_of[b] = p->part_count;
        p->part_count++;
    }
    p->part_first[p->part_count] = n;
    plan_note(p, (struct simt_note){.of = SIMT_OF_KERNEL,
                                    .decision = SIMT_DECIDED_SPLIT,
                                    .number = p->part_count});
}
