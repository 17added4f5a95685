/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The linear schedule: where control goes after each block, and where lanes
 * may be waiting meanwhile.
 *
 * Blocks are visited in schedule order. When lanes split, both successors get
 * the lanes that go there, and control moves on to the first block in order
 * where lanes may wait; inside a loop, first to the loop's remaining blocks,
 * then back to its header, and only when no lane is left in the loop to the
 * blocks behind it. A uniform branch is taken as it is, unless lanes may wait
 * before its target: then those go first. So a branch is given up only where
 * lanes really can split, and everything else follows from one dataflow
 * problem: pending[b], the blocks where lanes may wait while b runs.
 *
 *   - None pending, none returned: all lanes are here, no mask is needed.
 *   - A register written in b that is live at a pending block must be blended,
 *     and cannot be a scalar. This covers the values that join after a split
 *     and those that leave a loop at different times alike.
 *
 * Source: the idea of partial linearisation is Moll & Hack, "Partial
 * control-flow linearization", PLDI 2018; the formulation is ours.
 */
#include "simt/internal.h"

#include <stdlib.h>

/* The bit of a pending set behind those of blocks: some lanes have
 * returned. */
static uint32_t returned_bit(const struct simt_work *w)
{
    return w->k->block_count;
}

/* The lowest member in [from, to]; SIMT_NO_BLOCK: there is none. */
static uint32_t lowest_member(const uint64_t *set, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i <= to;) {
        uint64_t word = set[i / 64] >> (i % 64);
        if (word) {
            i += (uint32_t)__builtin_ctzll(word);
            return i <= to ? i : SIMT_NO_BLOCK;
        }
        i = (i / 64 + 1) * 64;
    }
    return SIMT_NO_BLOCK;
}

/* The lowest block of a pending set from `from` on; SIMT_NO_BLOCK: there is
 * none. */
static uint32_t first_in(const struct simt_kernel *k, const uint64_t *pending,
                         uint32_t from)
{
    return from < k->block_count
               ? lowest_member(pending, from, k->block_count - 1)
               : SIMT_NO_BLOCK;
}

/* The block that follows `at` within loop l, when lanes may wait at
 * `pending`. */
static uint32_t next_in(const struct simt_work *w, const struct simt_loop *l,
                        uint32_t at, const uint64_t *pending)
{
    for (; l; l = l->parent) {
        uint32_t found = lowest_member(pending, at + 1, l->last);
        if (found != SIMT_NO_BLOCK)
            return found;
        if (bits_has(pending, l->first))
            return l->first;
        at = l->last;
    }
    return at + 1 < w->k->block_count
               ? lowest_member(pending, at + 1, w->k->block_count - 1)
               : SIMT_NO_BLOCK;
}

static uint32_t next_block(const struct simt_work *w, uint32_t from,
                           const uint64_t *pending)
{
    return next_in(w, w->loop_of[from], from, pending);
}

/* The block that follows if no lane is at `from`, nor in the rest of the loop
 * around it that has this header. */
static uint32_t next_behind(const struct simt_work *w, uint32_t from,
                            uint32_t header, const uint64_t *pending)
{
    const struct simt_loop *l = w->loop_of[from];

    while (l->first != header)
        l = l->parent;
    return next_in(w, l->parent, l->last, pending);
}

/* Adds `set` without `target` to what may be pending at target. True: it
 * grew. */
static bool flow_pending(struct simt_work *w, uint32_t target,
                         const uint64_t *set, uint64_t *scratch)
{
    assert(target == SIMT_NO_BLOCK || target <= w->k->block_count);
    if (target == SIMT_NO_BLOCK)
        return false;
    memcpy(scratch, set, w->block_words * sizeof *set);
    bits_remove(scratch, target);
    return bits_union(w->k->blocks[target].pending, scratch, w->block_words);
}

static void add_successor(const struct simt_work *w, uint64_t *set, uint32_t to)
{
    assert(to == SIMT_NO_BLOCK || to < w->k->block_count);
    bits_add(set, to == SIMT_NO_BLOCK ? returned_bit(w) : to);
}

static bool is_split(enum simt_end kind)
{
    return kind == SIMT_END_VARYING || kind == SIMT_END_SWITCH_VARYING;
}

/* Visits the ways on from block b without lanes, as long as they lead back to
 * the header of a loop around it, each of which may be empty too. */
static bool visit_leaves(struct simt_work *w, uint32_t b, uint64_t *set,
                         uint64_t *scratch)
{
    struct simt_block *bb = &w->k->blocks[b];
    uint32_t back = bb->skip.block;
    bool changed = false;

    bb->leave_count = 0;
    if (back > b)
        return false;
    if (!bb->leaves)
        bb->leaves = arena_array(w->k->arena, struct simt_goto, bb->loop_depth);
    memcpy(set, bb->pending, w->block_words * sizeof *set);
    while (back <= b) { /* SIMT_NO_BLOCK is greater than all blocks */
        for (uint32_t in_loop = back; in_loop <= b; in_loop++)
            bits_remove(set, in_loop);
        simt_can_go_on(w, b - back + bb->loop_depth + w->block_words);
        back = next_behind(w, b, back, bb->pending);
        assert(bb->leave_count < bb->loop_depth);
        bb->leaves[bb->leave_count++] = (struct simt_goto){back, true};
        changed |= flow_pending(w, back, set, scratch);
    }
    return changed;
}

/* Adds what one block contributes. True: a pending set or a check flag
 * grew. */
static bool visit_block(struct simt_work *w, uint32_t b, uint64_t *set,
                        uint64_t *scratch)
{
    struct simt_block *bb = &w->k->blocks[b];
    bool changed = false;

    assert(b < w->k->block_count);
    simt_can_go_on(w, (bb->edge_count + 1) * (3 * w->block_words + 50));
    if (bb->is_checked) {
        bb->skip.block = next_block(w, b, bb->pending);
        bb->skip.is_check = true;
        changed |= flow_pending(w, bb->skip.block, bb->pending, scratch);
        changed |= visit_leaves(w, b, set, scratch);
    }
    if (bb->kind == SIMT_END_TRAP)
        return changed;
    if (is_split(bb->kind)) {
        memcpy(set, bb->pending, w->block_words * sizeof *set);
        for (unsigned e = 0; e < bb->edge_count; e++)
            add_successor(w, set, bb->edges[e].to);
        bb->next.block = next_block(w, b, set);
        bb->next.is_check = true;
        return changed | flow_pending(w, bb->next.block, set, scratch);
    }
    for (unsigned e = 0; e < bb->edge_count; e++) {
        struct simt_edge *edge = &bb->edges[e];
        memcpy(set, bb->pending, w->block_words * sizeof *set);
        add_successor(w, set, edge->to);
        edge->next.block = next_block(w, b, set);
        edge->next.is_check = edge->next.block != edge->to;
        changed |= flow_pending(w, edge->next.block, set, scratch);
    }
    return changed;
}

static bool mark_checked(struct simt_kernel *k, struct simt_goto to)
{
    assert(to.block == SIMT_NO_BLOCK || to.block < k->block_count);
    if (to.block == SIMT_NO_BLOCK || !to.is_check ||
        k->blocks[to.block].is_checked)
        return false;
    k->blocks[to.block].is_checked = true;
    return true;
}

static bool mark_gotos(struct simt_kernel *k)
{
    bool changed = false;

    for (uint32_t b = 0; b < k->block_count; b++) {
        struct simt_block *bb = &k->blocks[b];
        if (is_split(bb->kind))
            changed |= mark_checked(k, bb->next);
        else
            for (unsigned e = 0; e < bb->edge_count; e++)
                changed |= mark_checked(k, bb->edges[e].next);
        if (bb->is_checked) {
            changed |= mark_checked(k, bb->skip);
            for (unsigned i = 0; i < bb->leave_count; i++)
                changed |= mark_checked(k, bb->leaves[i]);
        }
    }
    return changed;
}

/* Ends blocks whose branch condition is varying by a split. */
static void find_ends(struct simt_work *w)
{
    if (w->k->spec.in_lockstep)
        return;
    for (uint32_t b = 0; b < w->k->block_count; b++) {
        struct simt_block *bb = &w->k->blocks[b];
        if (bb->condition == PTX_NO_REG ||
            simt_is_uniform(w->values[bb->condition].shape))
            continue;
        if (bb->kind == SIMT_END_UNIFORM)
            bb->kind = SIMT_END_VARYING;
        else if (bb->kind == SIMT_END_SWITCH)
            bb->kind = SIMT_END_SWITCH_VARYING;
    }
}

struct force {
    struct simt_work *w;
    uint32_t block;
    bool changed;
};

static void force_if_pending(void *data, uint32_t reg)
{
    struct force *f = data;

    if (!bits_has(f->w->live_pending[f->block], reg) ||
        bits_has(f->w->forced_varying, reg) ||
        bits_has(f->w->constant_registers, reg))
        return;
    bits_add(f->w->forced_varying, reg);
    f->changed = true;
}

static bool force_blends(struct simt_work *w)
{
    struct simt_kernel *k = w->k;
    struct force f = {.w = w};

    for (uint32_t b = 0; b < k->block_count; b++) {
        const uint64_t *pending = k->blocks[b].pending;
        for (uint32_t p = first_in(k, pending, 0); p != SIMT_NO_BLOCK;
             p = first_in(k, pending, p + 1)) {
            simt_can_go_on(w, w->reg_words);
            bits_union(w->live_pending[b], w->live_in[p], w->reg_words);
        }
        f.block = b;
        for (uint32_t i = k->blocks[b].first; i < k->blocks[b].end; i++)
            ptx_for_each_def(&k->func->insts[i], force_if_pending, &f);
    }
    return f.changed;
}

bool simt_schedule(struct simt_work *w)
{
    struct simt_kernel *k = w->k;
    uint64_t *set = arena_array(k->arena, uint64_t, w->block_words);
    uint64_t *scratch = arena_array(k->arena, uint64_t, w->block_words);

    find_ends(w);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < k->block_count; b++) {
            changed |= visit_block(w, b, set, scratch);
            if (!simt_can_go_on(w, 0))
                return false;
        }
        changed |= mark_gotos(k);
    }
    bool has_grown = force_blends(w);
    has_grown |= simt_force_local(w);
    return has_grown && simt_can_go_on(w, 0);
}

static bool is_empty(const uint64_t *set, size_t words)
{
    for (size_t i = 0; i < words; i++)
        if (set[i])
            return false;
    return true;
}

static void need_variable(struct simt_kernel *k, uint32_t to)
{
    assert(to == SIMT_NO_BLOCK || to < k->block_count);
    if (to != SIMT_NO_BLOCK && !k->blocks[to].is_full)
        k->blocks[to].has_mask_variable = true;
}

static void forget_check(const struct simt_kernel *k, struct simt_goto *to)
{
    if (to->block != SIMT_NO_BLOCK && k->blocks[to->block].is_full)
        to->is_check = false;
}

/* If no lane is pending and none has returned, all lanes are here: control
 * does not arrive without them, so there is nothing to test or merge. */
static void forget_full_checks(struct simt_kernel *k)
{
    for (uint32_t b = 0; b < k->block_count; b++) {
        struct simt_block *bb = &k->blocks[b];
        forget_check(k, &bb->next);
        forget_check(k, &bb->skip);
        for (unsigned i = 0; i < bb->leave_count; i++)
            forget_check(k, &bb->leaves[i]);
        for (unsigned e = 0; e < bb->edge_count; e++)
            forget_check(k, &bb->edges[e].next);
        if (bb->is_full)
            bb->is_checked = false;
    }
}

/* Leads out of loops that have become empty. In a loop with one entry no lane
 * waits behind the header when the last block's lanes go back to it, so the
 * header's own skip leads out. With several entries it leads on to the next
 * one. */
static void find_empty_loops(struct simt_kernel *k)
{
    for (uint32_t b = 0; b < k->block_count; b++) {
        struct simt_block *bb = &k->blocks[b];
        uint32_t back = bb->skip.block;
        unsigned needed = 0;
        while (bb->is_checked && back <= b && k->blocks[back].is_checked &&
               k->blocks[back].skip.block <= b)
            back = bb->leaves[needed++].block;
        bb->leave_count = needed;
    }
}

static void place_deposits(struct simt_kernel *k)
{
    for (uint32_t b = 0; b < k->block_count; b++) {
        struct simt_block *bb = &k->blocks[b];
        if (bb->is_checked)
            bb->has_mask_variable = true;
        for (unsigned e = 0; e < bb->edge_count; e++)
            if (is_split(bb->kind) ||
                bb->edges[e].next.block != bb->edges[e].to)
                need_variable(k, bb->edges[e].to);
    }
    for (uint32_t b = 0; b < k->block_count; b++)
        for (unsigned e = 0; e < k->blocks[b].edge_count; e++) {
            struct simt_edge *edge = &k->blocks[b].edges[e];
            edge->deposits = edge->to != SIMT_NO_BLOCK &&
                             k->blocks[edge->to].has_mask_variable;
        }
}

/* ---- mask variables ----------------------------------------------------

 * Lanes wait for a block between the first and the last block that has it
 * pending; outside, its variable is empty, and another block may have it. A
 * long kernel needs no more of them than its branches are deep. */

struct wait_span {
    uint32_t first, last, block;
};

static int compare_spans(const void *a, const void *b)
{
    const struct wait_span *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (x->block > y->block) - (x->block < y->block);
}

/* The spans of the blocks that have a variable, in the order in which lanes
 * wait. */
static uint32_t find_spans(const struct simt_kernel *k, struct wait_span *spans)
{
    uint32_t count = 0;

    assert(spans);
    for (uint32_t b = 0; b < k->block_count; b++)
        spans[b] = (struct wait_span){.first = b, .last = b, .block = b};
    for (uint32_t b = 0; b < k->block_count; b++) {
        const uint64_t *pending = k->blocks[b].pending;
        for (uint32_t p = first_in(k, pending, 0); p != SIMT_NO_BLOCK;
             p = first_in(k, pending, p + 1)) {
            spans[p].first = b < spans[p].first ? b : spans[p].first;
            spans[p].last = b > spans[p].last ? b : spans[p].last;
        }
    }
    for (uint32_t b = 0; b < k->block_count; b++)
        if (k->blocks[b].has_mask_variable)
            spans[count++] = spans[b];
    qsort(spans, count, sizeof *spans, compare_spans);
    return count;
}

static void share_variables(struct simt_kernel *k)
{
    struct arena *a = k->arena;
    struct wait_span *spans = arena_array(a, struct wait_span, k->block_count);
    uint32_t *last = arena_array(a, uint32_t, k->block_count); /* by variable */
    uint32_t count = find_spans(k, spans);

    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = 0;
        while (v < k->mask_variable_count && last[v] >= spans[i].first)
            v++;
        if (v == k->mask_variable_count)
            k->mask_variable_count++;
        last[v] = spans[i].last;
        k->blocks[spans[i].block].mask_variable = v;
    }
}

struct blend {
    const uint64_t *live, *constant;
    bool is_needed;
};

static void see_blend(void *data, uint32_t reg)
{
    struct blend *b = data;

    b->is_needed |= bits_has(b->live, reg) && !bits_has(b->constant, reg);
}

void simt_place_masks(struct simt_work *w)
{
    struct simt_kernel *k = w->k;

    for (uint32_t b = 0; b < k->block_count; b++)
        k->blocks[b].is_full = is_empty(k->blocks[b].pending, w->block_words);
    forget_full_checks(k);
    find_empty_loops(k);
    place_deposits(k);
    share_variables(k);
    for (uint32_t b = 0; b < k->block_count; b++) {
        struct simt_block *bb = &k->blocks[b];
        for (uint32_t i = bb->first; i < bb->end; i++) {
            struct blend blend = {.live = w->live_pending[b],
                                  .constant = w->constant_registers};
            ptx_for_each_def(&k->func->insts[i], see_blend, &blend);
            if (blend.is_needed)
                k->inst_flags[i] |= SIMT_BLEND;
        }
    }
}
