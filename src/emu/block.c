/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One block: who runs next, and barriers.
 *
 * In each warp the thread that is deepest in calls and then furthest behind
 * runs, together with all that stand at the same instruction: so lanes that
 * split meet again as early as they can. A thread that comes back to where it
 * looks at memory that others may write stands back until all others of its
 * warp have done so too; and at the end of every turn another thread of the
 * warp goes first, whatever it does. So a lane that waits for another one
 * never keeps it from running.
 *
 * All of this follows from the program and from WEFT_SEED, nothing from time.
 * Seed 0 gives turns of equal length, any other one random ones. With seed 0
 * the warps of a block keep step for a while when they begin together, as they
 * do on a GPU: what all store first is there before any reads what others
 * stored.
 */
#include "emu/check.h"

#include <stdlib.h>
#include <string.h>

enum {
    TURN = 512,
    IN_STEP = 64,           /* rounds after a block's start, or a barrier */
    COUNT_END = 4096,       /* a barrier's thread count has 12 bits */
    OUT_OF_TURN = TURN / 8, /* last steps of a turn: any thread may go */
    LOOKS = 64, /* after so many rounds of looking and writing, yield */
    NUMBERED = WEFT_BARRIERS, /* barriers; one for each warpgroup follows */
};

struct warp_view {
    struct emu_block *b;
    struct emu_thread *threads; /* first of the warp */
    unsigned count;
    unsigned left, first; /* steps of this turn; who goes first at its end */
    bool has_only_looked; /* all threads that could run stood back */
    /* The threads that can run, if they stand at one instruction; 0: it is not
     * known whether they do. */
    uint32_t together;
    /* In this round: looked at memory that others may write; wrote some. */
    bool has_watched, has_written;
};

static uint64_t next_random(struct emu_block *b)
{
    uint64_t x = b->random;

    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    b->random = x;
    return x >> 16;
}

static bool is_reading_atomic(const struct ptx_inst *in)
{
    const struct ptx_operand *value = &in->operand[2];

    return in->sub == PTX_SUB_cas || in->sub == PTX_SUB_exch ||
           (value->kind == PTX_OPERAND_imm && value->imm == 0);
}

bool emu_is_look(const struct ptx_inst *in)
{
    bool is_weak = (in->sem == PTX_SEM_none || in->sem == PTX_SEM_weak) &&
                   !(in->flags & PTX_FLAG_fresh);

    if (in->op == PTX_OP_ld)
        return !is_weak;
    if (in->op == PTX_OP_atom)
        return is_reading_atomic(in);
    return in->op == PTX_OP_mbarrier &&
           (in->sub == PTX_SUB_test_wait || in->sub == PTX_SUB_try_wait);
}

static void note_memory(struct warp_view *w, const struct ptx_inst *in)
{
    if (in->space == PTX_SPACE_local || in->space == PTX_SPACE_param)
        return;
    if (emu_is_look(in))
        w->has_watched = true;
    else if (in->op == PTX_OP_st || in->op == PTX_OP_atom ||
             in->op == PTX_OP_red)
        w->has_written = true;
}

/* A thread that looks here again, or sleeps, lets others run first. */
static void note_wait(struct emu_thread *t, const struct ptx_inst *in)
{
    if (in->op == PTX_OP_nanosleep) {
        t->stands_back = true;
    } else if (emu_is_look(in)) {
        t->stands_back = t->looked_at == in;
        t->looked_at = in;
    }
}

static bool comes_before(const struct emu_thread *a, const struct emu_thread *b)
{
    if (a->frame->depth != b->frame->depth)
        return a->frame->depth > b->frame->depth;
    return a->frame->pc < b->frame->pc;
}

static bool stand_together(const struct emu_thread *a,
                           const struct emu_thread *b)
{
    return a->frame->depth == b->frame->depth &&
           a->frame->func == b->frame->func && a->frame->pc == b->frame->pc;
}

static void begin_turn(struct warp_view *w)
{
    if (w->b->k->seed) {
        w->left = OUT_OF_TURN + next_random(w->b) % TURN;
        w->first = next_random(w->b) % w->count;
    } else {
        w->left = TURN;
        w->first = (w->first + 1) % w->count;
    }
}

/* The thread to run next, of those that do not stand back or of_all; NULL: none
 * can run. At a turn's end (of_all), w->first and those after it come first. */
static struct emu_thread *best_thread(const struct warp_view *w, bool of_all)
{
    struct emu_thread *best = NULL;

    for (unsigned i = 0; i < w->count; i++) {
        struct emu_thread *t = &w->threads[(i + w->first) % w->count];
        if (t->state != EMU_RUN || (t->stands_back && !of_all))
            continue;
        if (w->left < OUT_OF_TURN && of_all)
            return t;
        if (!best || comes_before(t, best))
            best = t;
    }
    return best;
}

static struct emu_thread *choose_thread(struct warp_view *w)
{
    if (w->left == 0)
        begin_turn(w);
    w->left--;
    struct emu_thread *t = best_thread(w, w->left < OUT_OF_TURN);
    if (t)
        return t;
    for (unsigned i = 0; i < w->count; i++)
        w->threads[i].stands_back = false;
    w->has_only_looked = true;
    return best_thread(w, false);
}

static uint32_t group_of(const struct warp_view *w,
                         const struct emu_thread *leader)
{
    uint32_t group = 0;

    for (unsigned i = 0; i < w->count; i++)
        if (w->threads[i].state == EMU_RUN &&
            stand_together(&w->threads[i], leader))
            group |= UINT32_C(1) << i;
    return group;
}

static uint32_t lanes_not_done(const struct warp_view *w)
{
    uint32_t lanes = 0;

    for (unsigned i = 0; i < w->count; i++)
        if (w->threads[i].state != EMU_DONE)
            lanes |= UINT32_C(1) << i;
    return lanes;
}

/* Completes each collective whose lanes have all arrived. */
static void try_collectives(struct warp_view *w)
{
    uint32_t alive = lanes_not_done(w);

    for (unsigned i = 0; i < w->count; i++) {
        struct emu_thread *t = &w->threads[i];
        if (t->state != EMU_AT_COLLECTIVE)
            continue;
        uint32_t mask = t->collective_mask & alive, there = 0;
        for (unsigned j = 0; j < w->count; j++)
            if (mask >> j & 1 && w->threads[j].state == EMU_AT_COLLECTIVE &&
                w->threads[j].collective_mask == t->collective_mask &&
                emu_inst(&w->threads[j])->op == emu_inst(t)->op)
                there |= UINT32_C(1) << j;
        if (there == mask)
            emu_run_collective(w->b, w->threads, mask);
    }
}

static bool is_block_barrier(const struct ptx_inst *in)
{
    if (in->op == PTX_OP_bar || in->op == PTX_OP_barrier)
        return in->sub != PTX_SUB_warp;
    return ptx_joins_warpgroup(in);
}

static uint32_t optional_word(struct emu_block *b, struct emu_thread *t,
                              const struct ptx_operand *o)
{
    if (o->kind == PTX_OPERAND_none)
        return 0;
    return (uint32_t)emu_read(b, t, o, PTX_TYPE_u32);
}

static void pass_barrier(struct emu_block *b, struct emu_thread *t);

static void arrive_at_barrier(struct emu_block *b, struct emu_thread *t,
                              const struct ptx_inst *in)
{
    unsigned first = in->sub == PTX_SUB_red ? 1 : 0;

    if (in->scope == PTX_SCOPE_cluster || in->sub == PTX_SUB_wait) {
        t->state = EMU_AT_CLUSTER;
        return;
    }
    t->state = EMU_AT_BARRIER;
    if (ptx_joins_warpgroup(in)) {
        uint32_t index = (uint32_t)(t - b->threads);
        t->barrier_id = NUMBERED + index / PTX_WARPGROUP_THREADS;
        t->barrier_count = PTX_WARPGROUP_THREADS;
        b->barriers_met |= UINT32_C(1) << t->barrier_id;
        return;
    }
    t->barrier_id = optional_word(b, t, &in->operand[first]) % WEFT_BARRIERS;
    t->barrier_count = optional_word(b, t, &in->operand[first + 1]) % COUNT_END;
    if (t->barrier_count % WEFT_WARP_LANES ||
        (in->sub == PTX_SUB_arrive && t->barrier_count == 0))
        b->launch->helpers->illegal(b->w);
    b->barriers_met |= UINT32_C(1) << t->barrier_id;
    if (in->sub == PTX_SUB_arrive)
        pass_barrier(b, t);
}

static uint32_t running_lanes(const struct warp_view *w)
{
    uint32_t lanes = 0;

    for (unsigned i = 0; i < w->count; i++)
        if (w->threads[i].state == EMU_RUN)
            lanes |= UINT32_C(1) << i;
    return lanes;
}

/* One lane's part of an instruction that may part the lanes, or that others
 * wait for. */
static void step_lane(struct warp_view *w, struct emu_thread *t,
                      const struct ptx_inst *in, uint32_t group)
{
    note_wait(t, in);
    if (!emu_is_collective(in) || !emu_guard(t, in)) {
        emu_step(w->b, t, in, emu_fact_of(t));
    } else if (is_block_barrier(in)) {
        arrive_at_barrier(w->b, t, in);
    } else {
        t->collective_mask = emu_collective_mask(w->b, t, in, group);
        t->state = EMU_AT_COLLECTIVE;
    }
}

/* One instruction of one group in the warp; false if no lane can run. */
static bool step_warp(struct warp_view *w)
{
    uint32_t group = w->together;
    struct emu_thread *leader;

    if (group && w->left) {
        w->left--;
        leader = &w->threads[__builtin_ctz(group)];
    } else {
        leader = choose_thread(w);
        if (!leader)
            return false;
        group = group_of(w, leader);
    }
    const struct ptx_inst *in = emu_inst(leader);
    const struct emu_fact *fact = emu_fact_of(leader);
    note_memory(w, in);
    for (uint32_t left = group; left; left &= left - 1) {
        struct emu_thread *t = &w->threads[__builtin_ctz(left)];
        if (fact->falls_through)
            emu_step(w->b, t, in, fact);
        else
            step_lane(w, t, in, group);
    }
    if (!fact->falls_through)
        try_collectives(w);
    if (!fact->falls_through || (!w->together && group != running_lanes(w)))
        w->together = 0;
    else
        w->together = group;
    return true;
}

/* ---- barriers ----------------------------------------------------------- */

struct tally {
    uint32_t arrived, expected, votes, voters;
    uint32_t named; /* the count of who was first, or 0 */
    const struct ptx_inst *first;
};

/* Threads that meet must name the same count, or none, and the same reduction,
 * or none: an H200 refuses anything else. */
static void check_agreement(const struct emu_block *b,
                            const struct emu_thread *t, struct tally *c)
{
    const struct ptx_inst *in = emu_inst(t), *first = c->first;
    bool is_red = in->sub == PTX_SUB_red;

    if (first && (c->named != t->barrier_count ||
                  is_red != (first->sub == PTX_SUB_red) ||
                  (is_red && first->sub2 != in->sub2)))
        b->launch->helpers->illegal(b->w);
    c->named = t->barrier_count;
    c->first = in;
}

static void count_vote(struct emu_block *b, struct emu_thread *t,
                       struct tally *c)
{
    const struct ptx_inst *in = emu_inst(t);

    if (in->sub != PTX_SUB_red)
        return;
    c->voters++;
    c->votes += (uint32_t)emu_read(b, t, &in->operand[in->operand_count - 1],
                                   PTX_TYPE_pred) &
                1;
}

static bool is_at(const struct emu_thread *t, uint32_t id)
{
    return t->state == EMU_AT_BARRIER && t->barrier_id == id;
}

/* A warp arrives when all its threads that have not exited are there; it counts
 * as 32 threads. */
static void count_warp(struct emu_block *b, uint32_t id, uint32_t first,
                       struct tally *c)
{
    uint32_t alive = 0, here = 0;

    for (uint32_t i = first; i < b->thread_count && i < first + WEFT_WARP_LANES;
         i++) {
        struct emu_thread *t = &b->threads[i];
        alive += t->state != EMU_DONE;
        if (!is_at(t, id))
            continue;
        here++;
        check_agreement(b, t, c);
        count_vote(b, t, c);
    }
    if (here && here == alive)
        c->arrived += WEFT_WARP_LANES;
}

/* The lanes of a warp that have not exited, by bit. */
static uint32_t lanes_alive(const struct emu_block *b, uint32_t warp)
{
    uint32_t lanes = 0, first = warp * WEFT_WARP_LANES;

    for (uint32_t i = first; i < b->thread_count && i < first + WEFT_WARP_LANES;
         i++)
        if (b->threads[i].state != EMU_DONE)
            lanes |= UINT32_C(1) << (i - first);
    return lanes;
}

/* Have all lanes of the warp that have not exited arrived without waiting? */
static bool has_passed(const struct emu_block *b, const struct emu_arrivals *a,
                       uint32_t warp)
{
    return a->lanes[warp] && !(lanes_alive(b, warp) & ~a->lanes[warp]);
}

static struct tally count_arrivals(struct emu_block *b, uint32_t id)
{
    const struct emu_arrivals *a = &b->arrivals[id];
    struct tally c = {
        .arrived = a->threads, .named = a->named, .first = a->first};
    uint32_t whole = 0;

    for (uint32_t i = 0; i < b->launch->warps_per_block; i++) {
        count_warp(b, id, i * WEFT_WARP_LANES, &c);
        c.arrived += has_passed(b, a, i) ? WEFT_WARP_LANES : 0;
        whole += lanes_alive(b, i) ? WEFT_WARP_LANES : 0;
    }
    c.expected = c.named ? c.named : whole;
    return c;
}

/* An arrival that does not wait. */
static void pass_barrier(struct emu_block *b, struct emu_thread *t)
{
    struct emu_arrivals *a = &b->arrivals[t->barrier_id];
    uint32_t warp = (uint32_t)(t - b->threads) / WEFT_WARP_LANES;
    struct tally c = {.named = a->named, .first = a->first};

    if (b->races)
        emu_races_pass(b->races, t, t->barrier_id);
    check_agreement(b, t, &c);
    a->named = c.named;
    a->first = c.first;
    a->lanes[warp] |= UINT32_C(1) << t->lane;
    if (has_passed(b, a, warp)) {
        a->lanes[warp] = 0;
        a->threads += WEFT_WARP_LANES;
    }
    t->frame->pc++;
    t->state = EMU_RUN;
}

static void leave_barrier(struct emu_block *b, struct emu_thread *t,
                          struct tally c)
{
    const struct ptx_inst *in = emu_inst(t);
    emu_bits v = c.votes;

    (void)b;
    if (in->sub == PTX_SUB_red) {
        if (in->sub2 == PTX_SUB_and)
            v = c.votes == c.voters;
        else if (in->sub2 == PTX_SUB_or)
            v = c.votes != 0;
        emu_write(t, &in->operand[0], v);
    }
    t->frame->pc++;
    t->state = EMU_RUN;
}

static bool is_aligned_barrier(const struct ptx_inst *in)
{
    return in->op == PTX_OP_bar || in->flags & PTX_FLAG_aligned;
}

/* The first thread of the block, or of the warp of t, at the barrier. NULL: all
 * have arrived without waiting. */
static const struct emu_thread *first_at(const struct emu_block *b, uint32_t id,
                                         const struct emu_thread *t)
{
    uint32_t i = t ? (uint32_t)(t - b->threads) - t->lane : 0;

    while (i < b->thread_count && !is_at(&b->threads[i], id))
        i++;
    return i < b->thread_count ? &b->threads[i] : NULL;
}

/* Has a lane of the warp of t, which has exited, passed by its barrier? */
static bool was_passed_by(const struct emu_block *b, const struct emu_thread *t)
{
    uint32_t first = (uint32_t)(t - b->threads) - t->lane;

    for (uint32_t i = first; i < b->thread_count && i < first + WEFT_WARP_LANES;
         i++) {
        const struct emu_thread *other = &b->threads[i];
        if (other->state == EMU_DONE && other->last_work && !t->frame->up &&
            emu_can_reach(t->frame->func, t->frame->pc, other->last_work - 1))
            return true;
    }
    return false;
}

/* Threads have to come to the same instruction together, unless it is a barrier
 * without .aligned, or one that names a number of threads. */
static void check_divergence(struct emu_block *b, uint32_t id)
{
    const struct emu_thread *first = first_at(b, id, NULL);

    for (uint32_t i = 0; i < b->thread_count; i++) {
        const struct emu_thread *t = &b->threads[i];
        if (!is_at(t, id) || !is_aligned_barrier(emu_inst(t)))
            continue;
        if (!stand_together(first_at(b, id, t), t) || was_passed_by(b, t))
            emu_report_barrier(b, t, "Divergent thread(s) in warp");
        else if (!t->barrier_count && !stand_together(first, t))
            emu_report_barrier(b, t, "Divergent thread(s) in block");
    }
}

static bool release_barriers(struct emu_block *b)
{
    bool any = false;

    for (uint32_t set = b->barriers_met; set; set &= set - 1) {
        uint32_t id = (uint32_t)__builtin_ctz(set);
        struct tally c = count_arrivals(b, id);
        if (c.arrived < c.expected)
            continue;
        if (b->races)
            emu_races_release(b->races, id);
        if (emu_checks_wanted & EMU_CHECK_BARRIERS)
            check_divergence(b, id);
        for (uint32_t i = 0; i < b->thread_count; i++)
            if (is_at(&b->threads[i], id))
                leave_barrier(b, &b->threads[i], c);
        b->arrivals[id] = (struct emu_arrivals){0};
        b->barriers_met &= ~(UINT32_C(1) << id);
        any = true;
    }
    return any;
}

/* All threads have arrived at the cluster's barrier, or exited. */
static bool has_arrived(const struct emu_block *b)
{
    bool any = false;

    for (uint32_t i = 0; i < b->thread_count; i++) {
        const struct emu_thread *t = &b->threads[i];
        if (t->state == EMU_DONE)
            continue;
        any = true;
        if (t->cluster_arrivals == b->cluster_arrivals)
            return false;
    }
    return any;
}

static bool has_waiting_for_cluster(const struct emu_block *b)
{
    for (uint32_t i = 0; i < b->thread_count; i++)
        if (b->threads[i].state == EMU_AT_CLUSTER)
            return true;
    return false;
}

/* Lets threads go on whose phase of the cluster's barrier is over. True: some
 * did. */
static bool leave_cluster_barrier(struct emu_block *b)
{
    const struct exec_helpers *helpers = b->launch->helpers;
    bool any = false;

    if (has_arrived(b)) {
        b->cluster_arrivals++;
        helpers->cluster_arrive(b->w, UINT32_MAX);
    }
    bool is_over = has_waiting_for_cluster(b) && helpers->cluster_is_over(b->w);
    for (uint32_t i = 0; i < b->thread_count; i++) {
        struct emu_thread *t = &b->threads[i];
        bool is_counted = t->cluster_arrivals <= b->cluster_arrivals;
        if (t->state != EMU_AT_CLUSTER || !is_counted || !is_over)
            continue;
        t->frame->pc++;
        t->state = EMU_RUN;
        any = true;
    }
    if (any && b->races)
        emu_races_all_meet(b->races);
    return any;
}

/* Called when no warp can go on: waits until the other blocks have arrived.
 * False: nobody here waits for them. */
static bool wait_for_cluster(struct emu_block *b)
{
    if (!has_waiting_for_cluster(b) ||
        b->launch->helpers->cluster_is_over(b->w))
        return false;
    b->launch->helpers->cluster_wait(b->w);
    return leave_cluster_barrier(b);
}

/* ---- the block ---------------------------------------------------------- */

/* A turn for each warp. True: somebody could run. */
static bool run_round(struct emu_block *b, struct warp_view *warps,
                      uint32_t warp_count)
{
    bool any = false, has_watched = false, has_written = false;

    uint32_t first = b->k->seed ? next_random(b) % warp_count : 0;
    b->in_step -= b->in_step > 0;
    for (uint32_t i = 0; i < warp_count; i++) {
        uint32_t number = (i + first) % warp_count;
        struct warp_view *w = &warps[number];
        b->w->warp_current = number;
        w->has_watched = w->has_written = w->has_only_looked = false;
        w->together = 0;
        int turn = b->in_step ? 1 : TURN;
        for (int n = 0; n < turn && !w->has_only_looked && step_warp(w); n++)
            any = true;
        has_watched |= w->has_watched;
        has_written |= w->has_written;
    }
    /* Threads that only look may wait for another block. So may threads that
     * look and write, if one of them writes down what it sees. */
    if (has_watched && (!has_written || ++b->looks % LOOKS == 0)) {
        emu_end_stuck(b);
        b->launch->helpers->yield(b->w);
    }
    return any;
}

/* Makes warps take turns of one step for a while; but not where threads wait
 * for each other: all would ask for a lock at once, and none would get on. */
static void keep_step(struct emu_block *b)
{
    b->in_step = b->k->seed || b->k->has_looks ? 0 : IN_STEP;
}

static void run_warps(struct emu_block *b, struct warp_view *warps,
                      uint32_t warp_count)
{
    bool any;

    /* A barrier that is complete releases its threads at once: another warp may
     * already wait for what they do next. */
    do {
        leave_cluster_barrier(b);
        any = run_round(b, warps, warp_count);
        if (release_barriers(b)) {
            keep_step(b);
            any = true;
        }
    } while (any || leave_cluster_barrier(b) || wait_for_cluster(b));
}

static void report_stuck(struct emu_block *b)
{
    for (uint32_t i = 0; i < b->thread_count; i++) {
        const struct emu_thread *t = &b->threads[i];
        if (t->state != EMU_DONE)
            emu_report_barrier(b, t,
                               t->state == EMU_AT_COLLECTIVE
                                   ? "Threads of the warp that it waits for "
                                     "never come"
                                   : "Threads of the block that it waits for "
                                     "never come");
    }
}

static bool all_done(const struct emu_block *b)
{
    for (uint32_t i = 0; i < b->thread_count; i++)
        if (b->threads[i].state != EMU_DONE)
            return false;
    return true;
}

static void run_block(struct emu_block *b, struct warp_view *warps)
{
    const uint32_t *n = b->launch->block;
    uint32_t warp_count = b->launch->warps_per_block;

    b->cluster_arrivals = 0;
    b->barriers_met = 0;
    keep_step(b);
    memset(b->arrivals, 0, sizeof b->arrivals);
    b->random = hash_bytes(&b->w->block_current, sizeof b->w->block_current,
                           b->k->seed) |
                1;
    for (uint32_t i = 0; i < b->thread_count; i++) {
        struct emu_thread *t = &b->threads[i];
        *t = (struct emu_thread){
            .tid = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]},
            .lane = i % WEFT_WARP_LANES};
        emu_push(b, t, b->k->func, NULL);
    }
    for (uint32_t i = 0; i < warp_count; i++) {
        uint32_t first = i * WEFT_WARP_LANES;
        uint32_t left = b->thread_count - first;
        warps[i] = (struct warp_view){
            .b = b,
            .threads = &b->threads[first],
            .count = left < WEFT_WARP_LANES ? left : WEFT_WARP_LANES};
    }
    if (b->races)
        emu_races_begin(b->races);
    run_warps(b, warps, warp_count);
    b->w->thread_current = 0;
    if (all_done(b))
        return;
    /* A barrier or a collective that cannot complete. */
    report_stuck(b);
    emu_races_report(b->launch->grid_id);
    b->launch->helpers->trap(b->w);
}

void emu_run(const struct emu_kernel *k, struct exec_warp *w)
{
    const struct exec_launch *l = w->launch;
    struct emu_block b = {.k = k,
                          .w = w,
                          .launch = l,
                          .thread_count =
                              l->block[0] * l->block[1] * l->block[2]};
    struct warp_view *warps = calloc(l->warps_per_block, sizeof *warps);

    b.threads = calloc(b.thread_count, sizeof *b.threads);
    if (!b.threads || !warps)
        l->helpers->trap(w);
    if (emu_checks_wanted & EMU_CHECK_RACES)
        b.races = emu_races_create(&b);
    for (uint64_t i = w->block_first; i < w->block_end; i++) {
        b.ctaid[0] = (uint32_t)(i % l->grid[0]);
        b.ctaid[1] = (uint32_t)(i / l->grid[0] % l->grid[1]);
        b.ctaid[2] = (uint32_t)(i / l->grid[0] / l->grid[1]);
        w->block_current = i;
        run_block(&b, warps);
    }
    emu_races_destroy(b.races);
    free(b.threads);
    free(warps);
    emu_end_checked(&b);
}

void emu_entry(struct exec_warp *w)
{
    emu_run(w->launch->emu_kernel, w);
}
