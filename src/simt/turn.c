/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words of shared memory that every warp reads behind a barrier and that one
 * overwrites without another barrier: the sum of a block, read from its place
 * before the next sum is made there. That is a race, but on a GPU all warps
 * leave the barrier together, so the reading is over long before the writing,
 * and programs have come to rely on it. Here a warp runs on until it has to
 * stop; so before such a write the others have their turn.
 *
 * Every lane of a warp reads one word, or writes one: that tells such accesses
 * from arrays in which each thread has its own element.
 *
 * Needs:  shapes of addresses.
 * Leaves: SIMT_TURN at writes.
 */
#include "simt/internal.h"

/* Since the last barrier or turn, on some way here: */
enum seen {
    SEEN_READ = 1,     /* shared memory was read */
    SEEN_ONE_WORD = 2, /* one word of it by all lanes */
};

static unsigned seen_behind(struct simt_kernel *k, uint32_t i, unsigned seen)
{
    const struct ptx_inst *in = &k->func->insts[i];
    bool is_one_word = simt_is_uniform(k->address[i]);

    if (ptx_is_barrier(in))
        return 0;
    if (in->space != PTX_SPACE_shared)
        return seen;
    if (in->op == PTX_OP_ld)
        return seen | SEEN_READ | (is_one_word ? SEEN_ONE_WORD : 0);
    if (in->op != PTX_OP_st)
        return seen;
    if (seen & SEEN_ONE_WORD || (seen & SEEN_READ && is_one_word)) {
        k->inst_flags[i] |= SIMT_TURN;
        return 0;
    }
    return seen;
}

void simt_find_turns(struct simt_work *w)
{
    struct simt_kernel *k = w->k;
    const uint32_t *block = k->spec.block;
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];

    /* Lanes that are called one by one all have one word. */
    if (!k->func->is_entry || !k->has_barrier || k->spec.lane_count == 1 ||
        threads <= simt_team_lanes(&k->spec))
        return;
    uint8_t *before = arena_array(k->arena, uint8_t, k->block_count);
    for (bool has_grown = true; has_grown;) {
        has_grown = false;
        for (uint32_t b = 0; b < k->block_count; b++) {
            const struct simt_block *bb = &k->blocks[b];
            unsigned seen = before[b];
            for (uint32_t i = bb->first; i < bb->end; i++)
                seen = seen_behind(k, i, seen);
            for (unsigned e = 0; e < bb->edge_count; e++) {
                uint32_t to = bb->edges[e].to;
                if (to >= k->block_count || (before[to] | seen) == before[to])
                    continue;
                before[to] |= (uint8_t)seen;
                has_grown = true;
            }
        }
    }
}
