/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Races between the warps of a block that a GPU hides, since its warps begin
 * together, leave barriers together and keep about the same pace. Here a warp
 * runs on until it has to stop; so at such places the others have their turn
 * first.
 *
 * Write after read: words of shared memory that every warp reads behind a
 * barrier and that one overwrites without another barrier: the sum of a block,
 * read from its place before the next sum is made there. Every lane of a warp
 * reads one word, or writes one: that tells such accesses from arrays in which
 * each thread has its own element.
 *
 * Read after write: bins that all threads set to 0, each some of them, and that
 * are counted up at once, without a barrier; a search through a tile just
 * written. Accesses by the address of a store are taken to be the thread's own
 * element, and what comes behind an operation of the warp to be the warp's. A
 * turn comes where it is taken once: not in a loop, but in front of it.
 *
 * Needs:  shapes of addresses; dominators.
 * Leaves: SIMT_HAZARD at accesses, ends_with_turn.
 */
#include "simt/internal.h"

/* What happened since the last barrier or turn, on some way to here: */
enum seen {
    SEEN_READ = 1,     /* shared memory was read */
    SEEN_ONE_WORD = 2, /* all lanes read one word of it */
};

static unsigned seen_behind(struct simt_kernel *k, uint32_t i, unsigned seen)
{
    const struct ptx_inst *in = &k->func->insts[i];
    bool is_one_word = simt_is_uniform(k->address[i]);

    assert(i < k->func->inst_count);
    if (ptx_is_barrier(in))
        return 0;
    if (in->space != PTX_SPACE_shared)
        return seen;
    if (in->op == PTX_OP_ld)
        return seen | SEEN_READ | (is_one_word ? SEEN_ONE_WORD : 0);
    if (in->op != PTX_OP_st)
        return seen;
    if (seen & SEEN_ONE_WORD || (seen & SEEN_READ && is_one_word)) {
        k->inst_flags[i] |= SIMT_HAZARD;
        return 0;
    }
    return seen;
}

/* ---- read after write ---------------------------------------------------- */

static bool is_plain_shared(const struct ptx_inst *in)
{
    bool is_weak = in->sem == PTX_SEM_none || in->sem == PTX_SEM_weak;
    return in->space == PTX_SPACE_shared && is_weak &&
           !(in->flags & (PTX_FLAG_fresh | PTX_FLAG_async));
}

/* Is it at the address of one of the kernel's stores? */
static bool is_own_element(const struct simt_kernel *k,
                           const struct ptx_operand *o)
{
    for (size_t i = 0; i < k->func->inst_count; i++) {
        const struct ptx_inst *in = &k->func->insts[i];
        if (in->op == PTX_OP_st && is_plain_shared(in) &&
            ptx_is_same_operand(&in->operand[0], o))
            return true;
    }
    return false;
}

/* Reads, or increments, what other threads may have stored. */
static bool is_of_others(const struct simt_kernel *k, const struct ptx_inst *in)
{
    bool is_read = in->op == PTX_OP_ld && is_plain_shared(in);
    bool is_atomic = (in->op == PTX_OP_atom || in->op == PTX_OP_red) &&
                     in->space == PTX_SPACE_shared;
    return (is_read || is_atomic) && !is_own_element(k, ptx_address_of(in));
}

/* Where a turn is taken once: the block in front of all loops around b. */
static uint32_t in_front_of_loops(const struct simt_work *w, uint32_t b)
{
    assert(b < w->k->block_count);
    const struct simt_loop *l = w->loop_of[b];
    while (l && l->parent)
        l = l->parent;
    return l ? w->k->blocks[l->first].idom : b;
}

/* Has a thread stored since the last barrier, at the end of the block? stored:
 * at its start; behind: at the end of each block. */
static bool is_stored_behind(struct simt_work *w, uint32_t b, bool stored,
                             const uint8_t *behind)
{
    struct simt_kernel *k = w->k;

    assert(b < w->k->block_count);
    for (uint32_t i = k->blocks[b].first; i < k->blocks[b].end; i++) {
        const struct ptx_inst *in = &k->func->insts[i];
        if (ptx_is_barrier(in) || ptx_members(in) || in->op == PTX_OP_mbarrier)
            stored = false;
        else if (in->op == PTX_OP_st && is_plain_shared(in))
            stored = true;
        if (!stored || !is_of_others(k, in))
            continue;
        uint32_t front = in_front_of_loops(w, b);
        if (front == b)
            k->inst_flags[i] |= SIMT_HAZARD;
        else if (front < k->block_count && !w->loop_of[front] && behind[front])
            k->blocks[front].ends_with_turn = true;
        stored = false;
    }
    return stored && !k->blocks[b].ends_with_turn;
}

static void find_reads_of_stored(struct simt_work *w)
{
    struct simt_kernel *k = w->k;
    uint8_t *before = arena_array(k->arena, uint8_t, k->block_count);
    uint8_t *behind = arena_array(k->arena, uint8_t, k->block_count);

    for (bool has_grown = true; has_grown;) {
        has_grown = false;
        for (uint32_t b = 0; b < k->block_count; b++) {
            const struct simt_block *bb = &k->blocks[b];
            behind[b] = is_stored_behind(w, b, before[b], behind);
            for (unsigned e = 0; e < bb->edge_count && behind[b]; e++) {
                uint32_t to = bb->edges[e].to;
                if (to >= k->block_count || before[to])
                    continue;
                before[to] = has_grown = true;
            }
        }
    }
}

/* ---- write after read ---------------------------------------------------- */

static void find_writes_of_read(struct simt_kernel *k)
{
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

void simt_find_hazards(struct simt_work *w)
{
    struct simt_kernel *k = w->k;
    const uint32_t *block = k->spec.block;
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];

    if (!k->func->is_entry || !k->has_barrier ||
        threads <= simt_coarse_lanes(&k->spec))
        return;
    find_reads_of_stored(w);
    /* With one lane to a call, each call has all lanes at one word. */
    if (k->spec.lane_count > 1)
        find_writes_of_read(k);
}
