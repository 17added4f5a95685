/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ld and st. The shape of the address decides: one scalar access; one vector
 * access (several, if lanes are in groups); wide accesses and a shuffle for
 * small strides (masked ones: strided.c); otherwise gather and scatter. A
 * conditional shape gets both, and a branch on its flag. The ways themselves
 * are in ways.c.
 */
#include "emit/core/emitters.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/memory/memory.h"
#include "emit/memory/ways.h"

static struct access make_access(struct emit *e, const struct ptx_inst *inst,
                                 const struct ptx_operand *address)
{
    const struct simt_access_plan *plan =
        &e->f->plan->insts[e->f->at.index].access;

    assert(emit_has_inst(e, e->f->at.index));
    assert(plan->access.count <= MAX_VECTOR);
    return (struct access){
        .of = plan->access,
        .plan = plan,
        .inst = inst,
        .address = address,
        .element = emit_type(e, plan->access.type),
    };
}

/* Two ways to do an access; a test chooses. */
static void
access_either(struct emit *e, const struct access *a, LLVMValueRef test,
              void (*yes)(struct emit *, const struct access *, struct lanes *),
              void (*no)(struct emit *, const struct access *, struct lanes *),
              struct lanes *values, bool is_load, LLVMValueRef yes_mask)
{
    LLVMBasicBlockRef fast = emit_new_block(e, "fast");
    LLVMBasicBlockRef slow = emit_new_block(e, "slow");
    LLVMBasicBlockRef done = emit_new_block(e, "accessed");
    LLVMValueRef mask = e->f->at.mask;
    struct lanes other = *values;

    emit_branch(e, test, fast, slow, EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, fast);
    e->f->at.mask = yes_mask;
    yes(e, a, values);
    e->f->at.mask = mask;
    LLVMBasicBlockRef from_fast = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, slow);
    no(e, a, &other);
    LLVMBasicBlockRef from_slow = LLVMGetInsertBlock(e->b);
    emit_goto_new(e, done);
    for (unsigned i = 0; is_load && i < a->of.count; i++)
        values->v[i] =
            ir_merge(e, values->v[i], from_fast, other.v[i], from_slow);
}

static void load_row(struct emit *e, const struct access *a, struct lanes *out)
{
    const struct emit_row *row = &a->row;
    unsigned count = e->lanes / row->lanes;
    LLVMValueRef v[EMIT_MAX_LANES / EMIT_MIN_GROUP];

    assert(e->lanes % a->row.lanes == 0);
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

    assert(e->lanes % a->row.lanes == 0);
    for (unsigned i = 0; i < e->lanes / row->lanes; i++)
        emit_access_store_part(
            e, a, ir_slice(e, in->v[0], i * row->lanes, row->lanes),
            row->pointer[i], row->mask);
}

static bool is_speculative_row(struct emit *e, const struct access *a,
                               struct access *row)
{
    *row = *a;
    return a->plan->may_be_row &&
           emit_test_row(e, a->address, a->of.space, a->of.size, &row->row);
}

/* Is the address as the speculation says? NULL: that would be no better. */
static LLVMValueRef is_speculative_vector(struct emit *e,
                                          const struct access *a)
{
    return a->plan->speculative_way == SIMT_WAY_EACH
               ? NULL
               : emit_test_shape(e, a->address);
}

/* Transposed accesses whose addresses are scalars only if all lanes are
 * active. */
static bool has_two_ways(struct emit *e, const struct access *a)
{
    return e->f->at.mask && !simt_is_varying(a->of.shape);
}

static void load_varying(struct emit *e, const struct access *a,
                         struct lanes *out)
{
    struct access row;

    if (a->plan->is_transposed && !has_two_ways(e, a))
        emit_access_load_transposed(e, a, out);
    else if (a->plan->is_transposed)
        access_either(e, a, emit_all(e, e->f->at.mask),
                      emit_access_load_transposed, emit_access_load_transposed,
                      out, true, NULL);
    else if (is_speculative_row(e, a, &row))
        access_either(e, &row, row.row.test, load_row, emit_access_load_any,
                      out, true, NULL);
    else
        emit_access_load_any(e, a, out);
}

/* Masks cost more than a branch, and most warps need none. */
static bool is_plain_if_full(struct emit *e, const struct access *a)
{
    return a->plan->is_plain_if_full && e->f->at.mask;
}

static void load_vector(struct emit *e, const struct access *a,
                        struct lanes *out)
{
    if (is_plain_if_full(e, a))
        access_either(e, a, emit_all(e, e->f->at.mask), emit_access_load_affine,
                      emit_access_load_affine, out, true, NULL);
    else
        emit_access_load_affine(e, a, out);
}

static void store_vector(struct emit *e, const struct access *a,
                         struct lanes *in)
{
    if (is_plain_if_full(e, a))
        access_either(e, a, emit_all(e, e->f->at.mask),
                      emit_access_store_affine, emit_access_store_affine, in,
                      false, NULL);
    else
        emit_access_store_affine(e, a, in);
}

static void load_speculative(struct emit *e, const struct access *a,
                             struct lanes *out)
{
    struct access vector = *a;

    vector.of.shape = e->f->k->optimistic_address[e->f->at.index];
    load_vector(e, &vector, out);
}

static void load_shaped(struct emit *e, const struct access *a,
                        struct lanes *out)
{
    enum simt_way way = a->plan->way;
    LLVMValueRef test = way == SIMT_WAY_EACH && !a->plan->is_spaced
                            ? is_speculative_vector(e, a)
                            : NULL;

    if (a->plan->is_spaced)
        emit_load_spaced(e, a, out);
    else if (test)
        access_either(e, a, test, load_speculative, load_varying, out, true,
                      NULL);
    else if (way == SIMT_WAY_EACH)
        load_varying(e, a, out);
    else if (way == SIMT_WAY_VECTOR || !e->f->at.mask)
        load_vector(e, a, out);
    else
        access_either(e, a, emit_all(e, e->f->at.mask), emit_access_load_affine,
                      a->plan->is_masked_strided ? emit_access_load_strided
                                                 : emit_access_load_any,
                      out, true, NULL);
}

static void store_nontemporal(struct emit *e, const struct access *a,
                              struct lanes *in)
{
    struct access streaming = *a;
    streaming.is_nontemporal = true;
    emit_access_store_affine(e, &streaming, in);
}

static LLVMValueRef nontemporal_test(struct emit *e, const struct access *a)
{
    enum simt_way way = a->plan->way;
    unsigned groups = emit_group_count(e, a->of.shape);
    LLVMValueRef p[EMIT_MAX_LANES];

    if (!emit_is_nontemporal(e) ||
        (way != SIMT_WAY_VECTOR && way != SIMT_WAY_IF_FULL))
        return NULL;
    for (unsigned g = 0; g < groups; g++)
        p[g] = emit_access_pointer(
            e, a, (int)(g * emit_group_lanes(e, a->of.shape)), 0);
    return emit_test_nontemporal(e, p, groups);
}

static void store_varying(struct emit *e, const struct access *a,
                          struct lanes *in)
{
    struct access row;

    if (a->plan->is_transposed && !has_two_ways(e, a))
        emit_access_store_transposed(e, a, in);
    else if (a->plan->is_transposed)
        access_either(e, a, emit_all(e, e->f->at.mask),
                      emit_access_store_transposed,
                      emit_access_store_transposed, in, false, NULL);
    else if (is_speculative_row(e, a, &row) && !row.row.is_one_place)
        access_either(e, &row, row.row.test, store_row, emit_access_store_any,
                      in, false, NULL);
    else
        emit_access_store_any(e, a, in);
}

static void store_speculative(struct emit *e, const struct access *a,
                              struct lanes *in)
{
    struct access vector = *a;

    vector.of.shape = e->f->k->optimistic_address[e->f->at.index];
    store_vector(e, &vector, in);
}

static void store_by_shape(struct emit *e, const struct access *a,
                           struct lanes *in)
{
    enum simt_way way = a->plan->way;
    LLVMValueRef test =
        way == SIMT_WAY_EACH ? is_speculative_vector(e, a) : NULL;

    if (test)
        access_either(e, a, test, store_speculative, store_varying, in, false,
                      NULL);
    else if (way == SIMT_WAY_EACH)
        store_varying(e, a, in);
    else if (way == SIMT_WAY_MASKED_STRIDED)
        emit_access_store_strided(e, a, in);
    else if (way == SIMT_WAY_VECTOR || !e->f->at.mask)
        store_vector(e, a, in);
    else
        access_either(e, a, emit_all(e, e->f->at.mask),
                      emit_access_store_affine,
                      a->plan->is_masked_strided ? emit_access_store_strided
                                                 : emit_access_store_any,
                      in, false, NULL);
}

static void store_shaped(struct emit *e, const struct access *a,
                         struct lanes *in)
{
    LLVMValueRef test = nontemporal_test(e, a);

    if (test)
        access_either(e, a, test, store_nontemporal, store_by_shape, in, false,
                      NULL);
    else
        store_by_shape(e, a, in);
}

static LLVMValueRef condition_of(struct emit *e, const struct access *a)
{
    if (!a->of.shape.is_conditional || a->address->reg == PTX_NO_REG)
        return NULL;
    return emit_ok(e, a->address->reg);
}

static LLVMValueRef and_all_active(struct emit *e, LLVMValueRef ok)
{
    return e->f->at.mask ? ir_and(e, ok, emit_all(e, e->f->at.mask)) : ok;
}

/* Loads where the address's flag is false. */
static void load_exact(struct emit *e, const struct access *a,
                       struct lanes *out)
{
    e->f->at.is_cold = true;
    emit_access_load_any(e, a, out);
    e->f->at.is_cold = false;
}

static void store_exact(struct emit *e, const struct access *a,
                        struct lanes *in)
{
    e->f->at.is_cold = true;
    emit_access_store_any(e, a, in);
    e->f->at.is_cold = false;
}

static void load_lanes(struct emit *e, const struct access *a,
                       struct lanes *out)
{
    LLVMValueRef ok = condition_of(e, a);

    if (ok && a->plan->is_transposed && a->plan->way == SIMT_WAY_EACH)
        access_either(e, a, and_all_active(e, ok), emit_access_load_transposed,
                      load_exact, out, true, NULL);
    else if (ok && a->plan->way != SIMT_WAY_EACH)
        access_either(e, a, ok, load_shaped, load_exact, out, true,
                      e->f->at.mask);
    else
        load_shaped(e, a, out);
}

static void store_lanes(struct emit *e, const struct access *a,
                        struct lanes *in)
{
    LLVMValueRef ok = condition_of(e, a);

    if (ok && a->plan->is_transposed && a->plan->way == SIMT_WAY_EACH)
        access_either(e, a, and_all_active(e, ok), emit_access_store_transposed,
                      store_exact, in, false, NULL);
    else if (ok && a->plan->way != SIMT_WAY_EACH)
        access_either(e, a, ok, store_shaped, store_exact, in, false,
                      e->f->at.mask);
    else
        store_shaped(e, a, in);
}

/* ---- ld ---------------------------------------------------------------- */

/* The address is the same in all lanes of each group, and destinations are
 * kept as scalars. */
static bool loads_scalars(struct emit *e, const struct access *a,
                          const struct ptx_operand *d)
{
    if (simt_is_varying(a->of.shape) || a->of.shape.stride != 0 ||
        ptx_operand_item(d, 0)->kind != PTX_OPERAND_reg)
        return false;
    if (a->of.is_whole || simt_is_uniform(a->of.shape))
        return simt_is_uniform(a->of.shape);
    for (unsigned i = 0; i < a->of.count; i++) {
        const struct ptx_operand *item = ptx_operand_item(d, i);
        if (item->kind == PTX_OPERAND_reg &&
            e->f->k->shapes[item->reg].group != a->of.shape.group)
            return false;
    }
    return true;
}

static void write_scalars(struct emit *e, const struct access *a,
                          const struct ptx_operand *d, LLVMValueRef *v)
{
    struct emit_fn *f = e->f;

    assert(simt_is_uniform(a->of.shape) || a->of.shape.stride == 0);
    if (simt_is_uniform(a->of.shape)) {
        emit_write_uniform(e, d, v[0], a->of.type);
        return;
    }
    f->at.group = a->of.shape.group;
    for (unsigned g = 0; g < emit_group_count(e, a->of.shape); g++) {
        f->at.lane = (int)(g * a->of.shape.group);
        emit_write(e, d, v[g], a->of.type);
    }
    f->at.lane = EMIT_ALL_LANES;
}

/* Reads everything before a register is written: one may be the address. */
static void load_scalars(struct emit *e, const struct access *a,
                         const struct ptx_operand *d)
{
    LLVMValueRef v[MAX_VECTOR][EMIT_MAX_LANES], whole = NULL;
    unsigned groups =
        simt_is_uniform(a->of.shape) ? 1 : emit_group_count(e, a->of.shape);

    assert(a->of.shape.stride == 0);
    if (a->of.is_whole)
        whole =
            emit_access_load_whole_at(e, a, emit_access_pointer(e, a, 0, 0));
    for (unsigned i = 0; i < a->of.count; i++)
        for (unsigned g = 0; g < groups; g++)
            v[i][g] = whole ? ir_extract(e, whole, i)
                            : emit_access_load_group_scalar(e, a, g, i);
    for (unsigned i = 0; i < a->of.count; i++)
        write_scalars(e, a, ptx_operand_item(d, i), v[i]);
}

/* ---- uniform local memory ------------------------------------------------ */

/* Each lane reads its own copy of what all have written alike: one that is
 * active is enough (simt/shape/uniform_local.c). */
static bool is_uniform_local(struct emit *e, const struct access *a,
                             const struct ptx_operand *item)
{
    return item->kind == PTX_OPERAND_reg && !simt_is_uniform(a->of.shape) &&
           simt_is_uniform(e->f->k->shapes[item->reg]);
}

/* Byte offset of the first active lane's copy from that of lane 0. */
static LLVMValueRef first_copy(struct emit *e, const struct access *a)
{
    assert(e->f->warps == 1);
    if (!e->f->at.mask)
        return LLVMConstInt(e->i64, 0, 0);
    LLVMValueRef bits = emit_mask_bits(e, e->f->at.mask);
    LLVMValueRef lane = ir_zext(e, emit_lowest_lane(e, bits), e->i64);
    return ir_mul(e, lane, ir_int(lane, a->of.shape.stride));
}

/* v[i]: NULL for those items that are not uniform. Are all? */
static bool load_uniform_local(struct emit *e, const struct access *a,
                               const struct ptx_operand *d, LLVMValueRef *v)
{
    LLVMValueRef copy = NULL;
    unsigned found = 0;

    for (unsigned i = 0; i < a->of.count; i++) {
        v[i] = NULL;
        if (!is_uniform_local(e, a, ptx_operand_item(d, i)))
            continue;
        if (!copy)
            copy = first_copy(e, a);
        v[i] = emit_access_load_at(
            e, a, a->element,
            ir_offset_by(e, emit_access_pointer(e, a, 0, i), copy));
        found++;
    }
    return found == a->of.count;
}

static void load_vectors(struct emit *e, const struct access *a,
                         const struct ptx_operand *d)
{
    struct lanes out = {{0}};
    LLVMValueRef one[MAX_VECTOR], mask = e->f->at.mask;

    assert(a->of.count <= MAX_VECTOR);
    bool is_done = load_uniform_local(e, a, d, one);
    if (!is_done && !simt_is_varying(a->of.shape)) {
        emit_prefetch_in_loop(e, a->address);
        emit_prefetch_next_block(e, a->address);
    }
    if (!is_done) {
        if (a->of.is_own)
            e->f->at.mask = NULL;
        load_lanes(e, a, &out);
        e->f->at.mask = mask;
    }
    for (unsigned i = 0; i < a->of.count; i++)
        if (one[i])
            emit_write_uniform(e, ptx_operand_item(d, i), one[i], a->of.type);
        else
            emit_write_vector(e, ptx_operand_item(d, i), out.v[i], a->of.type);
}

void emit_ld(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_operand *d = &inst->operand[0];
    if (emit_interleaved(e, inst))
        return;
    struct access a = make_access(e, inst, &inst->operand[1]);
    if (inst->sem == PTX_SEM_sc)
        emit_fence_of(e, LLVMAtomicOrderingSequentiallyConsistent);
    if (loads_scalars(e, &a, d))
        load_scalars(e, &a, d);
    else
        load_vectors(e, &a, d);
    emit_fence_after(e, inst->sem);
}

/* ---- st ---------------------------------------------------------------- */

/* All lanes store to one place. */
static LLVMValueRef stored_last(struct emit *e, const struct access *a,
                                const struct ptx_operand *s)
{
    assert(a->of.count >= 1);
    if (emit_is_uniform(e, s))
        return emit_read_lane(e, s, a->of.type, 0);
    return emit_stored_last(e, emit_read_vector(e, s, a->of.type),
                            a->of.count * a->of.size);
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

    if (emit_interleaved(e, inst))
        return;
    struct access a = make_access(e, inst, &inst->operand[0]);
    emit_fence_before(e, inst->sem);
    if (simt_is_uniform(a.of.shape) && a.of.is_whole) {
        LLVMValueRef v = LLVMGetUndef(emit_access_whole_type(&a));
        for (unsigned i = 0; i < a.of.count; i++)
            v = emit_insert_component(
                e, v, stored_last(e, &a, ptx_operand_item(s, i)), i);
        emit_access_store_whole_at(e, &a, v, emit_access_pointer(e, &a, 0, 0));
    } else if (simt_is_uniform(a.of.shape)) {
        for (unsigned i = 0; i < a.of.count; i++)
            emit_access_store_at(e, &a,
                                 stored_last(e, &a, ptx_operand_item(s, i)),
                                 emit_access_pointer(e, &a, 0, i));
    } else {
        struct lanes in;
        for (unsigned i = 0; i < a.of.count; i++)
            in.v[i] = emit_read_vector(e, ptx_operand_item(s, i), a.of.type);
        store_lanes(e, &a, &in);
    }
    if (inst->sem == PTX_SEM_sc)
        emit_fence_of(e, LLVMAtomicOrderingSequentiallyConsistent);
}
