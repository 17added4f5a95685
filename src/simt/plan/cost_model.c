/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels whose threads run faster one after the other than as a vector. A
 * gather accesses memory for each lane, and takes five times as long for one
 * as a plain load. Where lanes part, all wait for those on the other way. A
 * vector of which four lanes are active costs as much as a full one. If the
 * innermost loops have much of that, the gains of vectors in arithmetic and in
 * accesses to neighbours are lost.
 *
 * Costs are in eighths of a cycle, measured on Zen 4. They only need to be
 * right within a factor: a kernel gives the same result either way.
 */
#include "simt/internal.h"

enum {
    VECTOR_BYTES = 64,
    /* One thread after the other, for each: */
    STEP = 3,
    LOAD = 5,
    STREAM = 24, /* of a vector in memory: the other lanes' parts go unused */
    MISS = 16,   /* a branch: share of mispredictions, times 18 cycles */
    CHAIN = 32,  /* each iteration waits for a sum of the one before */
    /* All lanes at once, for each vector, or as said: */
    VECTOR = 8,
    GATHER = 18,  /* for each lane */
    SCATTER = 20, /* for each lane */
    PIECE = 5,    /* of what is beside the last gather's data, for each lane */
    ATOMIC = 100, /* for each different address, and for each single lane */
    GROUP = 24,   /* for each group of lanes: address, load, insertion */
    PART = 96,    /* lanes part: masks, moving values */
    ENTRY = 64 * SIMT_ONCE, /* masks for code that is not executed */
    /* how much more the inside of a loop counts than its outside */
    LOOP_FACTOR = 16,
    RARELY = 4,       /* how much less code on one of two ways counts */
    CONDITIONS_MAX = 3,
    STEPS_MAX = 1 << 18,
    DEPTH_MAX = 4,
    MOST = 5, /* in eighths: what scalar code may take to be chosen */
    OF = 8,
    CLOSE = 2,  /* times as long: scalar code may still be faster */
    SHARE = 16, /* the unit of the share of lanes that are active */
    NEAR = 4,   /* elements between lanes: one field of small structures */
    FAR = 80,   /* bytes between lanes: more than a structure's size */
    PIECE_BYTES = 16,
};

#define COST_MAX (UINT64_C(1) << 56)

/* Divisions and roots: for a lane, and for a vector. */
enum { INT_SLOW = 80, INT_SLOW_VECTOR = 400 };
enum { REAL_SLOW = 32, REAL_SLOW_VECTOR = 96 };

/* How often a block runs, and how many lanes are active there. */
struct often {
    uint64_t times;
    unsigned share;
};

struct count {
    const struct simt_work *w;
    const struct simt_kernel *k;
    uint64_t *collectives; /* blocks in whose loops lanes wait for each other */
    uint64_t *results;     /* registers that hold what a loop computes */
    struct simt_costs *costs;
    unsigned steps; /* what is left; of long kernels less is known */
};

enum way { DOMINATORS, POST_DOMINATORS };

static void add_cost(struct count *c, struct often o, uint64_t vector,
                     uint64_t scalar)
{
    assert(o.share <= SHARE);
    c->costs->vector += o.times * vector;
    c->costs->scalar += o.times * scalar * SIMT_LANES * o.share / SHARE;
}

/* ---- how often --------------------------------------------------------- */

/* Does `block` dominate `from`, or post-dominate it? */
static bool is_on_way(struct count *c, uint32_t block, uint32_t from,
                      enum way way)
{
    while (from != block && from != SIMT_NO_BLOCK && c->steps > 0) {
        const struct simt_block *bb = &c->k->blocks[from];
        uint32_t up = way == DOMINATORS ? bb->idom : bb->ipdom;
        if (up == from)
            break;
        from = up;
        c->steps--;
    }
    return from == block;
}

/* Does each iteration pass the block? */
static bool is_always(struct count *c, const struct simt_loop *loop,
                      uint32_t block)
{
    const struct simt_block *header = &c->k->blocks[loop->first];

    for (unsigned i = 0; i < header->pred_count; i++)
        if (simt_is_inside(loop, header->preds[i]) &&
            !is_on_way(c, block, header->preds[i], DOMINATORS))
            return false;
    return true;
}

/* Do lanes part at the block, and stay in the loop? */
static bool parts_lanes(const struct simt_kernel *k,
                        const struct simt_loop *loop, uint32_t block)
{
    const struct simt_block *bb = &k->blocks[block];

    for (unsigned e = 0; e < bb->edge_count; e++)
        if (!simt_is_inside(loop, bb->edges[e].to))
            return false;
    return bb->edge_count > 1;
}

/* Number of decisions that lead to the block in an iteration. */
static unsigned condition_count(struct count *c, const struct simt_loop *loop,
                                uint32_t block)
{
    unsigned count = 0;

    assert(simt_is_inside(loop, block));
    if (is_always(c, loop, block))
        return 0;
    for (uint32_t d = block; d != loop->first && count < CONDITIONS_MAX;) {
        uint32_t up = c->k->blocks[d].idom;
        if (up == SIMT_NO_BLOCK || up == d || c->steps == 0)
            break;
        d = up;
        count += parts_lanes(c->k, loop, d) &&
                 !is_on_way(c, block, d, POST_DOMINATORS);
    }
    return c->steps ? count : 0;
}

static uint64_t times_of(struct count *c, uint32_t block)
{
    static const unsigned powers[] = {1, RARELY, RARELY * RARELY,
                                      RARELY * RARELY * RARELY};
    uint64_t times = SIMT_ONCE;
    unsigned depth = 0;

    for (const struct simt_loop *l = c->w->loop_of[block]; l; l = l->parent) {
        if (depth++ < DEPTH_MAX)
            times *= LOOP_FACTOR;
        times /= powers[condition_count(c, l, block)];
        block = l->first;
    }
    return times;
}

/* Do lanes come to the block at different times, again and again? Lanes that
 * wait behind everything else are mostly none: they failed the kernel's first
 * test. */
static bool has_collective(const struct simt_kernel *k, uint32_t block)
{
    const struct simt_block *bb = &k->blocks[block];

    if (bb->loop_depth > 0)
        return true;
    for (unsigned i = 0; i < bb->pred_count; i++)
        if (k->blocks[bb->preds[i]].loop_depth > 0)
            return true;
    return false;
}

static unsigned share_of(const struct count *c, const struct simt_block *bb)
{
    unsigned waiting = 0;

    assert(c->collectives);
    for (size_t i = 0; i < c->w->block_words; i++)
        waiting +=
            (unsigned)__builtin_popcountll(bb->pending[i] & c->collectives[i]);
    return SHARE * 2 / (2 + waiting);
}

/* ---- what -------------------------------------------------------------- */

static unsigned vectors_of(const struct simt_kernel *k, uint32_t reg)
{
    unsigned bytes = ptx_type_size(k->func->regs[reg].type) * SIMT_LANES;

    assert(reg < k->func->reg_count);
    return bytes > VECTOR_BYTES ? bytes / VECTOR_BYTES : 1;
}

/* Does it access the same sixteen bytes as the access before it, or nearly? */
static bool is_piece(const struct ptx_inst *in, const struct ptx_inst *last)
{
    const struct ptx_operand *a = ptx_address_of(in);
    const struct ptx_operand *b = last ? ptx_address_of(last) : NULL;

    return b && in->op == last->op && a->reg == b->reg && a->kind == b->kind &&
           a->imm - b->imm < PIECE_BYTES && b->imm - a->imm < PIECE_BYTES;
}

/* Bytes between neighbouring lanes; FAR or more: anything. */
static uint64_t lane_spacing(struct simt_shape s)
{
    if (simt_is_varying(s))
        return FAR;
    return (uint64_t)(s.stride < 0 ? -s.stride : s.stride);
}

static enum ptx_work work_of(const struct ptx_inst *in)
{
    return ptx_facts[in->op].work;
}

static void add_access(struct count *c, uint32_t i, struct often o,
                       const struct ptx_inst *last)
{
    const struct ptx_inst *in = &c->k->func->insts[i];
    const struct ptx_operand *v = &in->operand[in->op == PTX_OP_st];
    struct simt_shape s = c->k->address[i];
    uint64_t n = ptx_operand_item_count(v);

    assert(ptx_address_of(&c->k->func->insts[i]));
    if (simt_is_varying(s))
        s = c->k->optimistic_address[i];
    uint64_t apart = lane_spacing(s), bytes = n * ptx_type_size(in->type[0]);
    if (work_of(in) == PTX_WORK_ATOMIC) {
        unsigned lanes = simt_is_uniform(s) ? 2 : SIMT_LANES;
        add_cost(c, o, (uint64_t)ATOMIC * lanes, ATOMIC);
    } else if (simt_is_uniform(s)) {
        add_cost(c, o, STEP * n, STEP * n);
    } else if (in->space == PTX_SPACE_param) {
        add_cost(c, o, n * VECTOR, n * STEP); /* in the end mostly registers */
    } else if (in->space == PTX_SPACE_local && !simt_is_varying(s)) {
        add_cost(c, o, n * 2 * VECTOR, n * LOAD);
    } else if (apart >= FAR) {
        unsigned lane = is_piece(in, last)      ? PIECE
                        : ptx_writes_memory(in) ? SCATTER
                                                : GATHER;
        add_cost(c, o, (lane + (n - 1) * PIECE) * SIMT_LANES, LOAD * n);
    } else if (s.group < SIMT_LANES) {
        add_cost(c, o, n * (SIMT_LANES / s.group) * GROUP, LOAD * n);
    } else if (apart > NEAR * bytes) {
        add_cost(c, o, n * PIECE * SIMT_LANES, LOAD * n);
    } else {
        add_cost(c, o, n * 2 * VECTOR, n * STREAM);
    }
}

static bool is_real(enum ptx_type t)
{
    return t == PTX_TYPE_f32 || t == PTX_TYPE_f64;
}

static void add_value(struct count *c, const struct ptx_inst *in,
                      struct often o)
{
    const struct ptx_operand *d = &in->operand[0];

    if (d->kind != PTX_OPERAND_reg || simt_is_uniform(c->k->shapes[d->reg])) {
        add_cost(c, o, STEP, STEP);
        return;
    }
    uint64_t n = vectors_of(c->k, d->reg);
    if (work_of(in) != PTX_WORK_SLOW)
        add_cost(c, o, n * VECTOR, STEP);
    else if (is_real(in->type[0]))
        add_cost(c, o, n * REAL_SLOW_VECTOR, REAL_SLOW);
    else
        add_cost(c, o, n * INT_SLOW_VECTOR, INT_SLOW);
}

/* ---- sums that go round a loop ----------------------------------------- */

struct sources {
    const uint64_t *results;
    bool has_result;
};

static void see_source(void *data, uint32_t reg)
{
    struct sources *s = data;

    s->has_result |= bits_has(s->results, reg);
}

/* Marks results of arithmetic that takes several cycles, and what is computed
 * from them. */
static void see_results(const struct ptx_func *f, const struct simt_block *bb,
                        uint64_t *results)
{
    for (uint32_t i = bb->first; i < bb->end; i++) {
        const struct ptx_inst *in = &f->insts[i];
        const struct ptx_operand *d = &in->operand[0];
        if (d->kind != PTX_OPERAND_reg || ptx_address_of(in) ||
            f->regs[d->reg].type == PTX_TYPE_pred)
            continue;
        struct sources s = {.results = results};
        ptx_for_each_use(in, see_source, &s);
        if (s.has_result || work_of(in) == PTX_WORK_CHAIN ||
            (is_real(in->type[0]) && work_of(in) != PTX_WORK_COPY))
            bits_add(results, d->reg);
    }
}

/* Does an innermost loop continue from a number that the iteration before
 * computed? */
static bool has_chain(struct count *c, const struct simt_loop *loop)
{
    const uint64_t *live = c->w->live_in[loop->first];
    size_t words = c->w->reg_words;

    memset(c->results, 0, words * sizeof *c->results);
    for (uint32_t b = loop->first; b <= loop->last; b++)
        see_results(c->k->func, &c->k->blocks[b], c->results);
    for (size_t i = 0; i < words; i++)
        if (live[i] & c->results[i])
            return true;
    return false;
}

/* ---- all --------------------------------------------------------------- */

static bool is_innermost(const struct count *c, const struct simt_loop *loop)
{
    for (uint32_t b = loop->first; b <= loop->last; b++)
        if (c->w->loop_of[b] != loop)
            return false;
    return true;
}

static void add_block(struct count *c, uint32_t b)
{
    const struct simt_kernel *k = c->k;
    const struct simt_block *bb = &k->blocks[b];
    const struct simt_loop *loop = c->w->loop_of[b];
    const struct ptx_inst *last = NULL;
    struct often o = {.times = times_of(c, b), .share = share_of(c, bb)};

    k->block_times[b] = o.times;

    for (uint32_t i = bb->first; i < bb->end; i++) {
        const struct ptx_inst *in = &k->func->insts[i];
        if (k->inst_flags[i] & SIMT_DEAD)
            continue;
        if (ptx_address_of(in)) {
            add_access(c, i, o, last);
            last = in;
        } else {
            add_value(c, in, o);
        }
    }
    if (bb->kind == SIMT_END_VARYING || bb->kind == SIMT_END_SWITCH_VARYING)
        add_cost(c, o, PART, MISS);
    if (loop && loop->first == b && is_innermost(c, loop) && has_chain(c, loop))
        add_cost(c, o, 0, CHAIN);
}

void simt_find_costs(const struct simt_work *w)
{
    struct simt_kernel *k = w->k;
    struct count c = {.w = w, .k = k, .costs = &k->costs, .steps = STEPS_MAX};

    c.collectives = arena_array(k->arena, uint64_t, w->block_words);
    c.results = arena_array(k->arena, uint64_t, w->reg_words);
    for (uint32_t b = 0; b < k->block_count; b++)
        if (has_collective(k, b))
            bits_add(c.collectives, b);
    k->block_times = arena_array(k->arena, uint64_t, k->block_count);
    for (uint32_t b = 0; b < k->block_count; b++) {
        add_block(&c, b);
    }
}

/* ---- and what is called ------------------------------------------------ */

static struct simt_costs with_calls(const struct simt_kernel *k,
                                    struct map *known);

static struct simt_costs costs_of_callee(const struct simt_kernel *k,
                                         const struct ptx_func *f,
                                         struct map *known)
{
    struct simt_costs *costs = map_find(known, f);
    struct diag ignored; /* reported when the function is compiled */
    struct simt_spec spec = k->spec;

    assert(!f->is_declaration);
    if (costs)
        return *costs;
    costs = arena_new(k->arena, struct simt_costs);
    *costs = (struct simt_costs){0};
    must_have_memory(map_put(known, f, costs));
    spec.warp_count = 1;
    diag_init(&ignored);
    const struct simt_kernel *callee =
        simt_build(k->arena, k->module, f, &spec, &ignored);
    diag_fini(&ignored);
    if (callee)
        *costs = with_calls(callee, known);
    return *costs;
}

static uint64_t scaled_cost(uint64_t cost, uint64_t block_times)
{
    uint64_t product;

    assert(cost <= COST_MAX || block_times > 0);
    if (__builtin_mul_overflow(cost / SIMT_ONCE, block_times, &product) ||
        product > COST_MAX)
        return COST_MAX;
    return product;
}

static struct simt_costs with_calls(const struct simt_kernel *k,
                                    struct map *known)
{
    struct simt_costs sum = k->costs;

    for (uint32_t b = 0; k->has_calls && b < k->block_count; b++) {
        for (uint32_t i = k->blocks[b].first; i < k->blocks[b].end; i++) {
            const struct ptx_inst *in = &k->func->insts[i];
            if (in->op != PTX_OP_call || !in->call->func ||
                in->call->func->is_declaration)
                continue;
            struct simt_costs c = costs_of_callee(k, in->call->func, known);
            sum.vector += scaled_cost(c.vector, k->block_times[b]);
            sum.scalar += scaled_cost(c.scalar, k->block_times[b]);
        }
    }
    return sum;
}

enum simt_lanes simt_compare_lanes(const struct simt_kernel *k)
{
    const uint32_t *n = k->spec.block;
    uint64_t threads = (uint64_t)n[0] * n[1] * n[2];
    struct map known;

    assert(k->costs.scalar <= UINT64_MAX / MOST);
    /* Threads that meet cost more than vectors do. */
    if (k->spec.lane_count != SIMT_LANES || !k->func->is_entry ||
        k->spec.is_cluster || k->has_barrier || k->has_warp_ops)
        return SIMT_LANES_ALL;
    /* The registers of a single thread are uniform, which is scalar code
     * already, except in functions, which do not know their callers. */
    if (threads < 2)
        return threads == 1 && k->has_calls ? SIMT_LANES_ONE : SIMT_LANES_ALL;
    if (k->has_waits || k->has_indirect_calls || k->is_recursive)
        return SIMT_LANES_ALL;
    map_init_pointers(&known);
    struct simt_costs c = with_calls(k, &known);
    map_fini(&known);
    uint64_t warps = (threads + SIMT_LANES - 1) / SIMT_LANES;
    c.vector += k->is_full ? 0 : ENTRY;
    uint64_t scalar = c.scalar / SIMT_LANES * threads;
    if (scalar / MOST * OF < c.vector * warps)
        return SIMT_LANES_ONE;
    /* What one thread's loop waits for, the next thread's does not. */
    return scalar / CLOSE < c.vector * warps ? SIMT_LANES_CLOSE
                                             : SIMT_LANES_ALL;
}
