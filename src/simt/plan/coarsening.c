/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many warps one call runs together. A coarse warp, whose warps run in
 * step, needs fewer switches at barriers, and none if it is the whole block.
 * Its warps share what is the same for all: addresses, loop counters, loads of
 * one place. It costs registers: each varying value exists once for every
 * warp.
 */
#include "simt/internal.h"

#include <stdlib.h>

enum {
    WARPS_MAX = 8,
    /* What the varying values of a coarse warp may take: twice the vector
     * registers. Some spills cost less than a barrier. */
    REGISTER_BYTES = 64 * 64,
    /* Longer kernels are not coarsened: each warp adds some 60 ms to compiling
     * this many. */
    INSTS_MAX = 1100,
};

/* ---- what is possible -------------------------------------------------- */

/* Warps of a coarse warp can wait for each other only at a barrier that all of
 * them reach together. */
static bool is_plain_barrier(const struct ptx_inst *in)
{
    /* A reduction's result stands before the barrier's number. */
    const struct ptx_operand *o = in->operand + (in->form == 1);

    return in->sub != PTX_SUB_arrive && in->scope != PTX_SCOPE_cluster &&
           o[0].kind == PTX_OPERAND_imm && o[0].imm == 0 &&
           o[1].kind == PTX_OPERAND_none;
}

/* True: no lane waits elsewhere; some may have returned. */
static bool is_reached_together(const struct simt_kernel *k, uint32_t b)
{
    assert(b < k->block_count);
    for (uint32_t p = 0; p < k->block_count; p++)
        if (bits_has(k->blocks[b].pending, p))
            return false;
    return true;
}

static bool is_coarse_barrier(const struct simt_kernel *k, uint32_t b,
                              const struct ptx_inst *in)
{
    assert(ptx_is_barrier(in));
    bool is_certain =
        in->guard == PTX_NO_REG || simt_is_uniform(k->shapes[in->guard]);
    return is_plain_barrier(in) && is_certain && is_reached_together(k, b);
}

bool simt_can_coarsen(const struct simt_kernel *k)
{
    if (k->spec.lane_count != 32 || !k->func->is_entry || k->has_calls)
        return false;
    for (uint32_t b = 0; b < k->block_count; b++) {
        for (uint32_t i = k->blocks[b].first; i < k->blocks[b].end; i++) {
            const struct ptx_inst *in = &k->func->insts[i];
            bool is_barrier = ptx_is_barrier(in);
            if (is_barrier && in->sub != PTX_SUB_warp &&
                !is_coarse_barrier(k, b, in))
                return false;
            if (ptx_joins_warpgroup(in))
                return false;
        }
    }
    return true;
}

/* ---- what pays --------------------------------------------------------- */

struct pressure {
    const struct simt_work *w;
    uint64_t *live;
    /* registers used in the present loop; outside of loops all */
    uint64_t *used;
    unsigned bytes;
};

static unsigned varying_bytes(const struct simt_work *w, uint32_t reg)
{
    enum ptx_type type = w->k->func->regs[reg].type;

    assert(reg < w->k->func->reg_count);
    if (!simt_is_varying(w->values[reg].shape) || type == PTX_TYPE_pred)
        return 0;
    unsigned bytes = ptx_type_size(type);
    return bytes < 4 ? 4 : bytes;
}

static void note_use(void *data, uint32_t reg)
{
    const struct pressure *p = data;

    bits_add(p->used, reg);
}

/* Registers that the innermost loop at block b reads or writes. Others may be
 * in memory meanwhile. */
static void find_used(struct pressure *p, uint32_t b)
{
    const struct simt_kernel *k = p->w->k;
    uint32_t header = k->blocks[b].loop_header;

    memset(p->used, header == SIMT_NO_BLOCK ? 0xff : 0,
           p->w->reg_words * sizeof *p->used);
    for (uint32_t o = 0; header != SIMT_NO_BLOCK && o < k->block_count; o++) {
        if (k->blocks[o].loop_header != header)
            continue;
        for (uint32_t i = k->blocks[o].first; i < k->blocks[o].end; i++) {
            ptx_for_each_use(&k->func->insts[i], note_use, p);
            ptx_for_each_def(&k->func->insts[i], note_use, p);
        }
    }
}

static void begin_life(void *data, uint32_t reg)
{
    struct pressure *p = data;

    if (!bits_has(p->live, reg) && bits_has(p->used, reg))
        p->bytes += varying_bytes(p->w, reg);
    bits_add(p->live, reg);
}

static void end_life(void *data, uint32_t reg)
{
    struct pressure *p = data;

    if (bits_has(p->live, reg) && bits_has(p->used, reg))
        p->bytes -= varying_bytes(p->w, reg);
    bits_remove(p->live, reg);
}

/* The largest number of bytes of a lane's varying registers that are live at
 * once in innermost loops; elsewhere spills cost little. */
unsigned simt_find_pressure(const struct simt_work *w)
{
    const struct simt_kernel *k = w->k;
    struct pressure p = {
        .w = w,
        .live = arena_array(k->arena, uint64_t, w->reg_words),
        .used = arena_array(k->arena, uint64_t, w->reg_words),
    };
    uint32_t header = 0; /* of the loop that `used` is for */
    unsigned most = 0, depth = 0;

    for (uint32_t b = 0; b < k->block_count; b++)
        if (k->blocks[b].loop_depth > depth)
            depth = k->blocks[b].loop_depth;
    for (uint32_t b = 0; b < k->block_count; b++) {
        const struct simt_block *bb = &k->blocks[b];
        if (bb->loop_depth != depth)
            continue;
        if (b == 0 || bb->loop_header != header)
            find_used(&p, b);
        header = bb->loop_header;
        memset(p.live, 0, w->reg_words * sizeof *p.live);
        p.bytes = 0;
        for (unsigned e = 0; e < bb->edge_count; e++)
            if (bb->edges[e].to != SIMT_NO_BLOCK)
                bits_union(p.live, w->live_in[bb->edges[e].to], w->reg_words);
        for (uint32_t r = 0; r < k->func->reg_count; r++)
            if (bits_has(p.live, r) && bits_has(p.used, r))
                p.bytes += varying_bytes(w, r);
        for (uint32_t i = bb->end; i-- > bb->first;) {
            const struct ptx_inst *in = &k->func->insts[i];
            if (p.bytes > most)
                most = p.bytes;
            if (in->guard == PTX_NO_REG)
                ptx_for_each_def(in, end_life, &p);
            ptx_for_each_use(in, begin_life, &p);
        }
    }
    return most;
}

unsigned simt_choose_coarsening(const struct simt_kernel *k)
{
    const uint32_t *n = k->spec.block;
    uint64_t threads = (uint64_t)n[0] * n[1] * n[2];
    unsigned warps = 1;

    assert(k->spec.warp_count == 1);
    if (!k->has_barrier)
        return 1;
    while (warps < WARPS_MAX && threads % (64 * warps) == 0 &&
           2 * warps * 32 * k->varying_bytes <= REGISTER_BYTES &&
           2 * warps * k->func->inst_count <= INSTS_MAX)
        warps *= 2;
    return warps;
}
