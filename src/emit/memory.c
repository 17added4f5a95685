/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ld and st. The shape of the address decides: one scalar access, one vector
 * access (several, where lanes come in groups), wide accesses and a shuffle
 * for small strides (masked ones, see spaced.c), else gather and scatter. A
 * conditional shape gets both ways and a branch on its flag. The ways are in
 * access.c.
 */
#include "emit/access.h"

static bool is_ordered(enum ptx_sem sem)
{
    return sem != PTX_SEM_none && sem != PTX_SEM_weak;
}

static struct access make_access(struct emit *e, const struct ptx_inst *inst,
                                 const struct ptx_operand *address,
                                 const struct ptx_operand *value)
{
    enum ptx_type type = inst->type[inst->type_count - 1];
    struct access a = {
        .inst = inst,
        .address = address,
        .space = ptx_space_of(address, inst->space),
        .type = type,
        .element = emit_type(e, type),
        .size = ptx_type_size(type),
        .count = ptx_operand_item_count(value),
        .is_volatile = is_ordered(inst->sem),
        .shape = e->f->k->address[e->f->index],
    };
    a.is_invariant = a.space == PTX_SPACE_const ||
                     (inst->flags & PTX_FLAG_nc) || inst->op == PTX_OP_ldu;
    a.is_whole = a.count > 1 && a.count * a.size <= 16 &&
                 (a.is_volatile || (inst->flags & PTX_FLAG_fresh)) &&
                 (a.space == PTX_SPACE_global || a.space == PTX_SPACE_generic);
    /* Registers of one size may hold what the memory has in another. */
    assert(a.count <= MAX_VECTOR);
    return a;
}

/* ---- choosing ---------------------------------------------------------- */

enum way {
    WAY_ANY,     /* gather, scatter */
    WAY_AFFINE,  /* vector accesses, masked if need be */
    WAY_IF_FULL, /* vector accesses if all lanes are active, else any */
    WAY_SPACED,  /* masked vector accesses of which some elements count */
};

static enum way load_way(struct emit *e, const struct access *a)
{
    int64_t stride = a->shape.stride;

    if (simt_is_varying(a->shape) || e->lanes == 1 || a->is_whole)
        return WAY_ANY;
    if (stride == 0 || emit_access_is_in_words(a) ||
        (a->count == 1 && (stride == a->size || stride == -(int64_t)a->size)))
        return WAY_AFFINE;
    return emit_access_wide_step(e, a) ? WAY_IF_FULL : WAY_ANY;
}

static enum way store_way(struct emit *e, const struct access *a)
{
    int64_t stride = a->shape.stride;

    if (simt_is_varying(a->shape) || e->lanes == 1 || stride == 0 ||
        a->is_whole)
        return WAY_ANY;
    if (a->count == 1 && (stride == a->size || stride == -(int64_t)a->size))
        return WAY_AFFINE;
    if (stride != (int64_t)a->size * a->count || a->is_volatile ||
        a->count * emit_group_lanes(e, a->shape) > 4 * EMIT_MAX_LANES ||
        (a->count & (a->count - 1)) != 0 || (a->count > 4 && a->size < 4))
        return emit_access_is_spaced(e, a) ? WAY_SPACED : WAY_ANY;
    return WAY_IF_FULL;
}

/* Two ways to do an access, chosen at run time. */
static void
either(struct emit *e, const struct access *a, LLVMValueRef test,
       void (*yes)(struct emit *, const struct access *, struct lanes *),
       void (*no)(struct emit *, const struct access *, struct lanes *),
       struct lanes *values, bool is_load, LLVMValueRef yes_mask)
{
    LLVMBasicBlockRef fast = emit_new_block(e, "fast");
    LLVMBasicBlockRef slow = emit_new_block(e, "slow");
    LLVMBasicBlockRef done = emit_new_block(e, "accessed");
    LLVMValueRef mask = e->f->mask;
    struct lanes other = *values;

    emit_branch(e, test, fast, slow, EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, fast);
    e->f->mask = yes_mask;
    yes(e, a, values);
    e->f->mask = mask;
    LLVMBasicBlockRef from_fast = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, slow);
    no(e, a, &other);
    LLVMBasicBlockRef from_slow = LLVMGetInsertBlock(e->b);
    emit_goto_new(e, done);
    for (unsigned i = 0; is_load && i < a->count; i++) {
        LLVMValueRef phi = LLVMBuildPhi(e->b, LLVMTypeOf(values->v[i]), "");
        LLVMAddIncoming(phi, (LLVMValueRef[]){values->v[i], other.v[i]},
                        (LLVMBasicBlockRef[]){from_fast, from_slow}, 2);
        values->v[i] = phi;
    }
}

static void load_row(struct emit *e, const struct access *a, struct lanes *out)
{
    const struct emit_row *row = &a->row;
    unsigned count = e->lanes / row->lanes;
    LLVMValueRef v[EMIT_MAX_LANES / EMIT_MIN_GROUP];

    for (unsigned i = 0; i < count; i++)
        v[i] =
            row->is_one_place
                ? ir_splat(
                      e, emit_access_load_at(e, a, a->element, row->pointer[i]),
                      row->lanes)
                : emit_access_load_part(e, a, row->pointer[i], row->mask,
                                        row->lanes);
    out->v[0] = ir_concat(e, v, count);
}

static void store_row(struct emit *e, const struct access *a, struct lanes *in)
{
    const struct emit_row *row = &a->row;

    for (unsigned i = 0; i < e->lanes / row->lanes; i++)
        emit_access_store_part(
            e, a, ir_slice(e, in->v[0], i * row->lanes, row->lanes),
            row->pointer[i], row->mask);
}

static bool is_likely_row(struct emit *e, const struct access *a,
                          struct access *row)
{
    *row = *a;
    return a->count == 1 && !a->is_volatile && !a->is_own &&
           simt_is_varying(a->shape) &&
           emit_likely_row(e, a->address, a->space, a->size, &row->row);
}

/* Is the access what it would be if what is hoped for held? NULL: it would be
 * no better. */
static LLVMValueRef is_likely_vector(struct emit *e, const struct access *a,
                                     bool is_load)
{
    struct access vector = *a;

    vector.shape = e->f->k->hoped_address[e->f->index];
    if (a->count == 1 &&
        (vector.shape.stride == 0 || vector.shape.stride == (int64_t)a->size))
        return NULL; /* a row */
    if (a->is_volatile || a->is_own || !simt_is_varying(a->shape) ||
        simt_is_varying(vector.shape))
        return NULL;
    enum way way = is_load ? load_way(e, &vector) : store_way(e, &vector);
    if (way != WAY_AFFINE && way != WAY_IF_FULL)
        return NULL;
    return emit_likely_shape(e, a->address);
}

/* Quads at addresses that are scalars only if all lanes are active. */
static bool has_two_ways(struct emit *e, const struct access *a)
{
    return e->f->mask && !simt_is_varying(a->shape);
}

static void load_varying(struct emit *e, const struct access *a,
                         struct lanes *out)
{
    struct access row;

    if (emit_access_is_of_quads(e, a) && !has_two_ways(e, a))
        emit_access_load_quads(e, a, out);
    else if (emit_access_is_of_quads(e, a))
        either(e, a, emit_all(e, e->f->mask), emit_access_load_quads,
               emit_access_load_quads, out, true, NULL);
    else if (is_likely_row(e, a, &row))
        either(e, &row, row.row.test, load_row, emit_access_load_any, out, true,
               NULL);
    else
        emit_access_load_any(e, a, out);
}

static void load_likely(struct emit *e, const struct access *a,
                        struct lanes *out)
{
    struct access vector = *a;

    vector.shape = e->f->k->hoped_address[e->f->index];
    emit_access_load_affine(e, &vector, out);
}

static void load_shaped(struct emit *e, const struct access *a,
                        struct lanes *out)
{
    enum way way = load_way(e, a);
    LLVMValueRef test = way == WAY_ANY ? is_likely_vector(e, a, true) : NULL;

    if (test)
        either(e, a, test, load_likely, load_varying, out, true, NULL);
    else if (way == WAY_ANY)
        load_varying(e, a, out);
    else if (way == WAY_AFFINE || !e->f->mask)
        emit_access_load_affine(e, a, out);
    else
        either(e, a, emit_all(e, e->f->mask), emit_access_load_affine,
               emit_access_is_spaced(e, a) ? emit_access_load_spaced
                                           : emit_access_load_any,
               out, true, NULL);
}

static void store_streaming(struct emit *e, const struct access *a,
                            struct lanes *in)
{
    struct access streaming = *a;
    streaming.is_streaming = true;
    emit_access_store_affine(e, &streaming, in);
}

static LLVMValueRef streaming_test(struct emit *e, const struct access *a)
{
    enum way way = store_way(e, a);
    unsigned groups = emit_group_count(e, a->shape);
    LLVMValueRef p[EMIT_MAX_LANES];

    if (!emit_may_stream(e) || (way != WAY_AFFINE && way != WAY_IF_FULL))
        return NULL;
    for (unsigned g = 0; g < groups; g++)
        p[g] = emit_access_pointer(e, a,
                                   (int)(g * emit_group_lanes(e, a->shape)), 0);
    return emit_streams_to(e, p, groups);
}

static void store_varying(struct emit *e, const struct access *a,
                          struct lanes *in)
{
    struct access row;

    if (emit_access_is_of_quads(e, a) && !has_two_ways(e, a))
        emit_access_store_quads(e, a, in);
    else if (emit_access_is_of_quads(e, a))
        either(e, a, emit_all(e, e->f->mask), emit_access_store_quads,
               emit_access_store_quads, in, false, NULL);
    else if (is_likely_row(e, a, &row) && !row.row.is_one_place)
        either(e, &row, row.row.test, store_row, emit_access_store_any, in,
               false, NULL);
    else
        emit_access_store_any(e, a, in);
}

static void store_likely(struct emit *e, const struct access *a,
                         struct lanes *in)
{
    struct access vector = *a;

    vector.shape = e->f->k->hoped_address[e->f->index];
    emit_access_store_affine(e, &vector, in);
}

static void store_by_shape(struct emit *e, const struct access *a,
                           struct lanes *in)
{
    enum way way = store_way(e, a);
    LLVMValueRef test = way == WAY_ANY ? is_likely_vector(e, a, false) : NULL;

    if (test)
        either(e, a, test, store_likely, store_varying, in, false, NULL);
    else if (way == WAY_ANY)
        store_varying(e, a, in);
    else if (way == WAY_SPACED)
        emit_access_store_spaced(e, a, in);
    else if (way == WAY_AFFINE || !e->f->mask)
        emit_access_store_affine(e, a, in);
    else
        either(e, a, emit_all(e, e->f->mask), emit_access_store_affine,
               emit_access_is_spaced(e, a) ? emit_access_store_spaced
                                           : emit_access_store_any,
               in, false, NULL);
}

static void store_shaped(struct emit *e, const struct access *a,
                         struct lanes *in)
{
    LLVMValueRef test = streaming_test(e, a);

    if (test)
        either(e, a, test, store_streaming, store_by_shape, in, false, NULL);
    else
        store_by_shape(e, a, in);
}

static LLVMValueRef condition_of(struct emit *e, const struct access *a)
{
    if (!a->shape.is_conditional || a->address->reg == PTX_NO_REG)
        return NULL;
    return emit_ok(e, a->address->reg);
}

static LLVMValueRef and_all_active(struct emit *e, LLVMValueRef ok)
{
    return e->f->mask ? ir_and(e, ok, emit_all(e, e->f->mask)) : ok;
}

/* Where the address's flag is false. */
static void load_exact(struct emit *e, const struct access *a,
                       struct lanes *out)
{
    e->f->is_cold = true;
    emit_access_load_any(e, a, out);
    e->f->is_cold = false;
}

static void store_exact(struct emit *e, const struct access *a,
                        struct lanes *in)
{
    e->f->is_cold = true;
    emit_access_store_any(e, a, in);
    e->f->is_cold = false;
}

static void load_lanes(struct emit *e, const struct access *a,
                       struct lanes *out)
{
    LLVMValueRef ok = condition_of(e, a);

    if (ok && emit_access_is_of_quads(e, a) && load_way(e, a) == WAY_ANY)
        either(e, a, and_all_active(e, ok), emit_access_load_quads, load_exact,
               out, true, NULL);
    else if (ok && load_way(e, a) != WAY_ANY)
        either(e, a, ok, load_shaped, load_exact, out, true, e->f->mask);
    else
        load_shaped(e, a, out);
}

static void store_lanes(struct emit *e, const struct access *a,
                        struct lanes *in)
{
    LLVMValueRef ok = condition_of(e, a);

    if (ok && emit_access_is_of_quads(e, a) && store_way(e, a) == WAY_ANY)
        either(e, a, and_all_active(e, ok), emit_access_store_quads,
               store_exact, in, false, NULL);
    else if (ok && store_way(e, a) != WAY_ANY)
        either(e, a, ok, store_shaped, store_exact, in, false, e->f->mask);
    else
        store_shaped(e, a, in);
}

/* ---- ld ---------------------------------------------------------------- */

static void fence(struct emit *e, LLVMAtomicOrdering ordering)
{
    LLVMBuildFence(e->b, ordering, 0, "");
}

static void fence_before(struct emit *e, enum ptx_sem sem)
{
    if (sem == PTX_SEM_release || sem == PTX_SEM_acq_rel)
        emit_fence_streams(e);
    if (sem == PTX_SEM_release || sem == PTX_SEM_acq_rel)
        fence(e, LLVMAtomicOrderingRelease);
    else if (sem == PTX_SEM_sc)
        fence(e, LLVMAtomicOrderingSequentiallyConsistent);
}

static void fence_after(struct emit *e, enum ptx_sem sem)
{
    if (sem == PTX_SEM_acquire || sem == PTX_SEM_acq_rel)
        fence(e, LLVMAtomicOrderingAcquire);
}

void emit_fence_before(struct emit *e, enum ptx_sem sem)
{
    fence_before(e, sem);
}

void emit_fence_after(struct emit *e, enum ptx_sem sem)
{
    fence_after(e, sem);
}

/* Parameters of calls and device functions: each lane's own copy, at a pitch
 * that is the element's size for scalars. */
static struct simt_shape lane_block_shape(struct emit *e,
                                          const struct access *a)
{
    struct simt_shape s = {.group = SIMT_ALL_LANES};
    s.stride = emit_lane_block(e, a->address->var).stride_bytes;
    return s;
}

static bool is_call_param(struct emit *e, const struct access *a)
{
    const struct ptx_var *var = a->address->var;
    return a->space == PTX_SPACE_param && var && !emit_is_kernel_param(e, var);
}

/* A variable named in the address, not reached through a register. */
static bool is_own_memory(struct emit *e, const struct access *a)
{
    return a->address->reg == PTX_NO_REG &&
           (is_call_param(e, a) ||
            (a->space == PTX_SPACE_local && a->address->var));
}

static bool is_kernel_param(struct emit *e, const struct access *a)
{
    return a->space == PTX_SPACE_param && a->address->var &&
           emit_is_kernel_param(e, a->address->var);
}

/* Same address in all lanes of each group, and destinations kept so. */
static bool loads_scalars(struct emit *e, const struct access *a,
                          const struct ptx_operand *d)
{
    if (simt_is_varying(a->shape) || a->shape.stride != 0 ||
        ptx_operand_item(d, 0)->kind != PTX_OPERAND_reg)
        return false;
    if (a->is_whole || simt_is_uniform(a->shape))
        return simt_is_uniform(a->shape);
    for (unsigned i = 0; i < a->count; i++) {
        const struct ptx_operand *item = ptx_operand_item(d, i);
        if (item->kind == PTX_OPERAND_reg &&
            e->f->k->shapes[item->reg].group != a->shape.group)
            return false;
    }
    return true;
}

static void write_scalars(struct emit *e, const struct access *a,
                          const struct ptx_operand *d, LLVMValueRef *v)
{
    struct emit_fn *f = e->f;

    if (simt_is_uniform(a->shape)) {
        emit_write_uniform(e, d, v[0], a->type);
        return;
    }
    f->group = a->shape.group;
    for (unsigned g = 0; g < emit_group_count(e, a->shape); g++) {
        f->lane = (int)(g * a->shape.group);
        emit_write(e, d, v[g], a->type);
    }
    f->lane = EMIT_ALL_LANES;
}

/* All of it is read before a register is written: one may be the address. */
static void load_scalars(struct emit *e, const struct access *a,
                         const struct ptx_operand *d)
{
    LLVMValueRef v[MAX_VECTOR][EMIT_MAX_LANES], whole = NULL;
    unsigned groups =
        simt_is_uniform(a->shape) ? 1 : emit_group_count(e, a->shape);

    if (a->is_whole)
        whole =
            emit_access_load_whole_at(e, a, emit_access_pointer(e, a, 0, 0));
    for (unsigned i = 0; i < a->count; i++)
        for (unsigned g = 0; g < groups; g++)
            v[i][g] = whole ? ir_extract(e, whole, i)
                            : emit_access_load_group_scalar(e, a, g, i);
    for (unsigned i = 0; i < a->count; i++)
        write_scalars(e, a, ptx_operand_item(d, i), v[i]);
}

void emit_ld(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_operand *d = &inst->operand[0];
    struct access a = make_access(e, inst, &inst->operand[1], d);

    if (emit_woven(e, inst))
        return;
    if (is_call_param(e, &a))
        a.shape = lane_block_shape(e, &a);
    a.is_own = is_own_memory(e, &a);
    if (is_kernel_param(e, &a))
        a.is_invariant = true;
    if (inst->sem == PTX_SEM_sc)
        fence(e, LLVMAtomicOrderingSequentiallyConsistent);
    if (loads_scalars(e, &a, d)) {
        load_scalars(e, &a, d);
    } else {
        if (!simt_is_varying(a.shape)) {
            emit_prefetch_ahead(e, a.address);
            emit_ask_ahead(e, a.address);
        }
        struct lanes out = {{0}};
        LLVMValueRef mask = e->f->mask;
        if (a.is_own)
            e->f->mask = NULL;
        load_lanes(e, &a, &out);
        e->f->mask = mask;
        for (unsigned i = 0; i < a.count; i++)
            emit_write_vector(e, ptx_operand_item(d, i), out.v[i], a.type);
    }
    fence_after(e, inst->sem);
}

/* ---- st ---------------------------------------------------------------- */

/* All lanes store to one place. */
static LLVMValueRef stored_last(struct emit *e, const struct access *a,
                                const struct ptx_operand *s)
{
    if (emit_is_uniform(e, s))
        return emit_read_lane(e, s, a->type, 0);
    return emit_stored_last(e, emit_read_vector(e, s, a->type),
                            a->count * a->size);
}

void emit_st(struct emit *e, const struct ptx_inst *inst)
{
    if (inst->flags & PTX_FLAG_async) {
        emit_store_async(e, inst);
        return;
    }
    if (inst->flags & PTX_FLAG_bulk) {
        emit_refuse(e, "bulk stores are not supported");
        return;
    }
    const struct ptx_operand *s = &inst->operand[1];
    struct access a = make_access(e, inst, &inst->operand[0], s);

    if (emit_woven(e, inst))
        return;
    fence_before(e, inst->sem);
    if (is_call_param(e, &a))
        a.shape = lane_block_shape(e, &a);
    a.is_own = is_own_memory(e, &a);
    if (simt_is_uniform(a.shape) && a.is_whole) {
        LLVMValueRef v = LLVMGetUndef(emit_access_whole_type(&a));
        for (unsigned i = 0; i < a.count; i++)
            v = emit_insert_component(
                e, v, stored_last(e, &a, ptx_operand_item(s, i)), i);
        emit_access_store_whole_at(e, &a, v, emit_access_pointer(e, &a, 0, 0));
    } else if (simt_is_uniform(a.shape)) {
        for (unsigned i = 0; i < a.count; i++)
            emit_access_store_at(e, &a,
                                 stored_last(e, &a, ptx_operand_item(s, i)),
                                 emit_access_pointer(e, &a, 0, i));
    } else {
        struct lanes in;
        for (unsigned i = 0; i < a.count; i++)
            in.v[i] = emit_read_vector(e, ptx_operand_item(s, i), a.type);
        store_lanes(e, &a, &in);
    }
    if (inst->sem == PTX_SEM_sc)
        fence(e, LLVMAtomicOrderingSequentiallyConsistent);
}
