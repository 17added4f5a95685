/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pipeline of simt/. Shapes and schedule depend on each other: a varying
 * condition splits lanes, and where lanes split, registers must be blended
 * and become varying. Both only ever grow, so alternating them ends.
 */
#include "simt/internal.h"

/* ---- facts about the whole call graph ----------------------------------- */

/* Is it an operation between the lanes of a warp? */
static bool is_warp_op(const struct ptx_inst *in)
{
    return ptx_facts[in->op].lanes == PTX_LANES_WARP ||
           (ptx_is_barrier(in) && in->sub == PTX_SUB_warp);
}

struct calls {
    struct simt_kernel *k;
    struct map state; /* function -> VISITING or DONE */
};
static char visiting, done;

static void scan_function(struct calls *c, const struct ptx_func *f);

static void scan_call(struct calls *c, const struct ptx_inst *in)
{
    const struct ptx_func *callee = in->call->func;

    assert(in->op == PTX_OP_call);
    c->k->has_calls = true;
    if (!callee)
        c->k->has_indirect_calls = true;
    else if (map_find(&c->state, callee) == &visiting)
        c->k->is_recursive = true;
    else if (!map_find(&c->state, callee))
        scan_function(c, callee);
}

static void scan_function(struct calls *c, const struct ptx_func *f)
{
    must_have_memory(map_put(&c->state, f, &visiting));
    for (size_t i = 0; i < f->inst_count; i++) {
        const struct ptx_inst *in = &f->insts[i];
        if (ptx_is_barrier(in))
            c->k->has_barrier |= in->sub != PTX_SUB_warp;
        else if (in->op == PTX_OP_call)
            scan_call(c, in);
        c->k->has_barrier |= ptx_joins_warpgroup(in);
        c->k->has_warp_ops |= is_warp_op(in);
    }
    must_have_memory(map_put(&c->state, f, &done));
}

/* An indirect call may reach every function whose address is taken. */
static void scan_calls(struct simt_kernel *k)
{
    struct calls c = {.k = k};

    map_init_pointers(&c.state);
    scan_function(&c, k->func);
    if (k->has_indirect_calls) {
        k->is_recursive = true;
        for (size_t i = 0; i < k->module->func_count; i++)
            if (k->module->funcs[i]->is_address_taken &&
                !map_find(&c.state, k->module->funcs[i]))
                scan_function(&c, k->module->funcs[i]);
    }
    map_fini(&c.state);
}

/* ---- the fixed point ---------------------------------------------------- */

/* Allocates sets of blocks and of registers for each block, here and in
 * liveness.c. False: they would be too large. */
static bool allocate_arrays(struct simt_work *w)
{
    const uint64_t bytes_max = UINT64_C(2) << 30;
    struct simt_kernel *k = w->k;
    uint32_t n = k->block_count;

    w->block_words = bits_words((size_t)n + 1);
    w->reg_words = bits_words(k->func->reg_count + 1);
    if ((w->block_words + 3 * w->reg_words) * sizeof(uint64_t) * n > bytes_max)
        return false;
    w->values =
        arena_array(k->arena, struct simt_value, k->func->reg_count + 1);
    w->forced_varying = arena_array(k->arena, uint64_t, w->reg_words);
    w->live_pending = arena_array(k->arena, uint64_t *, n);
    for (uint32_t b = 0; b < n; b++) {
        w->live_pending[b] = arena_array(k->arena, uint64_t, w->reg_words);
        k->blocks[b].pending = arena_array(k->arena, uint64_t, w->block_words);
    }
    k->inst_flags = arena_array(k->arena, uint8_t, k->func->inst_count);
    return true;
}

static void publish_shapes(struct simt_work *w)
{
    struct simt_kernel *k = w->k;
    const struct ptx_func *f = k->func;

    assert(w->k->block_count > 0);
    k->shapes = arena_array(k->arena, struct simt_shape, f->reg_count + 1);
    k->address = arena_array(k->arena, struct simt_shape, f->inst_count);
    for (size_t r = 0; r < f->reg_count; r++)
        k->shapes[r] = w->values[r].shape;
    k->varying_bytes = simt_find_pressure(w);
    for (size_t i = 0; i < f->inst_count; i++) {
        const struct ptx_operand *o = ptx_address_of(&f->insts[i]);
        if (o)
            k->address[i] = simt_address_value(w, o).shape;
        const struct ptx_operand *d = &f->insts[i].operand[0];
        if (d->kind != PTX_OPERAND_reg || !k->shapes[d->reg].is_conditional)
            k->inst_flags[i] &= (uint8_t)~SIMT_CHECK_WRAP;
    }
}

static struct simt_kernel *refuse_kernel(const struct simt_work *w)
{
    const struct simt_kernel *k = w->k;
    diag_error(w->diag,
               "the control flow of %s is too complicated: %u blocks, %zu "
               "registers; split it into functions",
               k->func->name, k->block_count, k->func->reg_count);
    return NULL;
}

struct simt_kernel *simt_build(struct arena *arena,
                               const struct ptx_module *module,
                               const struct ptx_func *func,
                               const struct simt_spec *spec, struct diag *diag)
{
    struct simt_kernel *k = arena_new(arena, struct simt_kernel);
    struct simt_work w = {.k = k, .diag = diag};
    uint64_t threads =
        (uint64_t)spec->block[0] * spec->block[1] * spec->block[2];

    *k = (struct simt_kernel){.arena = arena,
                              .module = module,
                              .func = func,
                              .spec = *spec,
                              .is_full =
                                  spec->in_lockstep ||
                                  (func->is_entry && threads > 0 &&
                                   threads % simt_coarse_lanes(spec) == 0)};
    if (k->spec.warp_count == 0)
        k->spec.warp_count = 1;
    map_init_pointers(&w.exits);
    bool has_blocks = simt_find_blocks(&w);
    bool has_order = has_blocks && simt_order_blocks(&w);
    map_fini(&w.exits);
    if (!has_blocks)
        return NULL;
    if (!has_order || !allocate_arrays(&w))
        return refuse_kernel(&w);
    scan_calls(k);
    simt_find_constant_registers(&w);
    simt_find_interleaved(&w);
    simt_find_uniform_local(&w);
    if (!simt_find_dominators(&w))
        return refuse_kernel(&w);
    simt_find_liveness(&w);
    simt_find_dead(&w);
    simt_find_ranges(&w);
    do
        simt_find_shapes(&w);
    while (simt_schedule(&w));
    if (!simt_can_go_on(&w, 0))
        return refuse_kernel(&w);
    simt_find_shapes(&w);
    simt_place_masks(&w);
    publish_shapes(&w);
    simt_find_speculative_shapes(&w);
    simt_find_waits(&w);
    if (!simt_can_go_on(&w, 0))
        return refuse_kernel(&w);
    simt_find_hazards(&w);
    if (k->spec.lane_count == SIMT_LANES && !k->has_barrier && !k->has_warp_ops)
        simt_find_costs(&w);
    return k;
}
