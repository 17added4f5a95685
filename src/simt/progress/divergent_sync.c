/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lanes of one warp that are to meet at different instructions, which a warp in
 * step cannot do:
 *
 * - some wait at an mbarrier in one branch, while others have still to arrive
 *   in the other;
 * - some vote in a loop and others, which have left it, behind it, all naming
 *   each other: nvcc unrolls a loop that carries its members along in this way.
 *
 * Needs:  the schedule, post-dominators.
 */
#include "simt/internal.h"

struct search {
    const struct simt_work *w;
    const struct simt_loop *loop;
    uint64_t *at;   /* blocks where lanes may stand while others are inside */
    uint64_t *join; /* blocks that those inside will come to, too */
    uint64_t *members; /* registers with members that the loop has found */
};

typedef bool found_fn(const struct search *s, const struct ptx_inst *in);

static bool is_in_loop(const struct search *s, uint32_t b)
{
    assert(b < s->w->k->block_count);
    return b >= s->loop->first && b <= s->loop->last;
}

static struct search start_search(const struct simt_work *w,
                                  const struct simt_loop *loop)
{
    const struct simt_kernel *k = w->k;
    struct search s = {
        .w = w,
        .loop = loop,
        .at = arena_array(k->arena, uint64_t, w->block_words),
        .join = arena_array(k->arena, uint64_t, w->block_words),
    };

    for (uint32_t b = loop->first; b <= loop->last; b++)
        bits_union(s.at, k->blocks[b].apart, w->block_words);
    for (uint32_t b = loop->first; b <= loop->last; b++)
        bits_remove(s.at, b);
    return s;
}

/* Follows one block. True: found. */
static bool follow_block(struct search *s, uint32_t b, found_fn *found)
{
    const struct simt_kernel *k = s->w->k;
    const struct simt_block *bb = &k->blocks[b];

    for (uint32_t i = bb->first; i < bb->end; i++) {
        if (found(s, &k->func->insts[i]))
            return true;
        if (simt_is_block_barrier(&k->func->insts[i]))
            return false;
    }
    for (unsigned e = 0; e < bb->edge_count; e++) {
        uint32_t to = bb->edges[e].to;
        if (to < k->block_count && !bits_has(s->join, to) && !is_in_loop(s, to))
            bits_add(s->at, to);
    }
    return false;
}

/* Do lanes beside the loop come to such an instruction? */
static bool reaches_found(struct search *s, found_fn *found)
{
    const struct simt_kernel *k = s->w->k;
    uint64_t *done = arena_array(k->arena, uint64_t, s->w->block_words);
    bool has_more = true;

    while (has_more) {
        has_more = false;
        for (uint32_t b = 0; b < k->block_count; b++) {
            if (!bits_has(s->at, b) || bits_has(done, b))
                continue;
            bits_add(done, b);
            has_more = true;
            if (follow_block(s, b, found))
                return true;
        }
    }
    return false;
}

/* ---- mbarriers --------------------------------------------------------- */

static bool is_arrival(const struct search *s, const struct ptx_inst *in)
{
    (void)s;
    return in->op == PTX_OP_mbarrier &&
           (in->sub == PTX_SUB_arrive || in->sub == PTX_SUB_arrive_drop);
}

bool simt_arrives_divergently(const struct simt_work *w,
                              const struct simt_loop *loop)
{
    const struct simt_kernel *k = w->k;
    struct search s = start_search(w, loop);

    assert(loop->first <= loop->last);
    for (uint32_t b = k->blocks[loop->first].ipdom; b < k->block_count;
         b = k->blocks[b].ipdom) {
        bits_add(s.join, b);
        bits_remove(s.at, b);
    }
    return reaches_found(&s, is_arrival);
}

/* ---- votes ------------------------------------------------------------- */

/* The register that names the members; PTX_NO_REG: none does. */
static uint32_t members_of(const struct ptx_inst *in)
{
    const struct ptx_operand *o = ptx_members(in);
    return o && o->kind == PTX_OPERAND_reg ? o->reg : PTX_NO_REG;
}

static bool names_found_members(const struct search *s,
                                const struct ptx_inst *in)
{
    uint32_t reg = members_of(in);
    return reg != PTX_NO_REG && bits_has(s->members, reg);
}

/* Finds ballots of the loop whose result names the members of another
 * operation in it. False: there are none. */
static bool find_members(struct search *s)
{
    const struct simt_kernel *k = s->w->k;
    bool any = false;

    s->members = arena_array(k->arena, uint64_t, s->w->reg_words);
    uint64_t *made = arena_array(k->arena, uint64_t, s->w->reg_words);
    for (uint32_t i = k->blocks[s->loop->first].first;
         i < k->blocks[s->loop->last].end; i++) {
        const struct ptx_inst *in = &k->func->insts[i];
        if (in->op == PTX_OP_vote && in->sub == PTX_SUB_ballot &&
            in->operand[0].kind == PTX_OPERAND_reg)
            bits_add(made, in->operand[0].reg);
    }
    for (uint32_t i = k->blocks[s->loop->first].first;
         i < k->blocks[s->loop->last].end; i++) {
        uint32_t reg = members_of(&k->func->insts[i]);
        if (reg == PTX_NO_REG || !bits_has(made, reg))
            continue;
        bits_add(s->members, reg);
        any = true;
    }
    return any;
}

bool simt_has_divergent_votes(const struct simt_work *w,
                              const struct simt_loop *loop)
{
    assert(loop->first <= loop->last);
    struct search s = start_search(w, loop);
    return find_members(&s) && reaches_found(&s, names_found_members);
}
