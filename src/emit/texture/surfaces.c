/* SPDX-License-Identifier: Apache-2.0 */
/*
 * suld.b and sust.b as code in the kernel: one load or store if the lanes'
 * elements are side by side, gathers and scatters if all are inside. Elements
 * outside, or across a boundary, are left to the helper.
 */
#include "emit/texture/texture.h"

#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "ptx/texture_form.h"

struct access {
    const struct ptx_inst *inst;
    const struct texture_form *form;
    LLVMTypeRef element; /* type of a value */
    LLVMValueRef surface;
    LLVMValueRef at[3]; /* x in bytes, y, slice: vectors of i32; NULL: 0 */
    LLVMValueRef limit[3]; /* i32: their limits */
    /* for a store: vectors; for a load: allocas of vectors */
    LLVMValueRef value[4];
    unsigned bytes;        /* bytes of all values */
};

/* ---- where -------------------------------------------------------------- */

static void find_limits(struct emit *e, struct access *a)
{
    LLVMValueRef s = a->surface;
    LLVMValueRef width = TEXTURE_FIELD(e, s, start.width, e->i32);
    LLVMValueRef channels =
        ir_zext(e, TEXTURE_FIELD(e, s, channels, e->i8), e->i32);
    LLVMValueRef bytes =
        ir_zext(e, TEXTURE_FIELD(e, s, channel_bytes, e->i8), e->i32);
    a->limit[0] = ir_mul(e, width, ir_mul(e, channels, bytes));
    a->limit[1] = TEXTURE_FIELD(e, s, start.height, e->i32);
    a->limit[2] = TEXTURE_FIELD(e, s, start.depth, e->i32);
}

/* For scalars or vectors: is an access of so many bytes wholly inside? */
static LLVMValueRef is_inside(struct emit *e, const struct access *a,
                              const LLVMValueRef at[3], unsigned bytes)
{
    LLVMValueRef aligned = ir_and(e, at[0], ir_int(at[0], a->bytes - 1));
    LLVMValueRef test = ir_icmp(e, LLVMIntEQ, aligned, ir_int(aligned, 0));
    for (unsigned d = 0; d < 3; d++) {
        if (!at[d])
            continue;
        bool is_vector =
            LLVMGetTypeKind(LLVMTypeOf(at[d])) == LLVMVectorTypeKind;
        LLVMValueRef last =
            ir_sub(e, a->limit[d], ir_int(a->limit[d], d ? 1 : bytes));
        LLVMValueRef limit = is_vector ? ir_splat(e, last, e->lanes) : last;
        test = ir_and(e, test, ir_icmp(e, LLVMIntSGE, at[d], ir_int(at[d], 0)));
        test = ir_and(e, test, ir_icmp(e, LLVMIntSLE, at[d], limit));
    }
    return test;
}

/* Byte offset from the surface's start: i64, or vectors of it. */
static LLVMValueRef place_of(struct emit *e, const struct access *a,
                             const LLVMValueRef at[3])
{
    LLVMValueRef step[3] = {
        NULL,
        TEXTURE_FIELD(e, a->surface, start.pitch_bytes, e->i64),
        TEXTURE_FIELD(e, a->surface, start.slice_bytes, e->i64),
    };
    LLVMValueRef sum = ir_zext(e, at[0], e->i64);
    for (unsigned d = 1; d < 3; d++) {
        if (!at[d])
            continue;
        LLVMValueRef n = ir_zext(e, at[d], e->i64);
        bool is_vector = LLVMGetTypeKind(LLVMTypeOf(n)) == LLVMVectorTypeKind;
        LLVMValueRef by = is_vector ? ir_splat(e, step[d], e->lanes) : step[d];
        sum = ir_add(e, sum, ir_mul(e, n, by));
    }
    return sum;
}

/* i1: are all lanes active and in one row, each behind the last one? */
static LLVMValueRef is_row(struct emit *e, const struct access *a,
                           LLVMValueRef first[3])
{
    LLVMValueRef lanes = emit_lane_const(e, e->i32, emit_lane_number);
    LLVMValueRef test = e->f->at.mask;
    for (unsigned d = 0; d < 3; d++) {
        first[d] = NULL;
        if (!a->at[d])
            continue;
        first[d] = ir_extract(e, a->at[d], 0);
        LLVMValueRef wanted = ir_splat(e, first[d], e->lanes);
        if (d == 0)
            wanted =
                ir_add(e, wanted, ir_mul(e, lanes, ir_int(lanes, a->bytes)));
        LLVMValueRef same = ir_icmp(e, LLVMIntEQ, a->at[d], wanted);
        test = test ? ir_and(e, test, same) : same;
    }
    return ir_and(e, emit_all(e, test),
                  is_inside(e, a, first, a->bytes * e->lanes));
}

/* ---- accesses ----------------------------------------------------------- */

/* Transposes: value i of those side by side is lane i / count's, or the other
 * way round. */
static LLVMValueRef transpose_values(struct emit *e, LLVMValueRef v,
                                     unsigned rows, unsigned columns)
{
    int index[4 * TEXTURE_LANES];
    for (unsigned i = 0; i < rows * columns; i++)
        index[i] = (int)(i % rows * columns + i / rows);
    return ir_shuffle(e, v, v, index, rows * columns);
}

static void access_row(struct emit *e, const struct access *a, LLVMValueRef p)
{
    unsigned count = a->form->count, all = count * e->lanes;
    LLVMTypeRef t = LLVMVectorType(a->element, all);
    if (a->form->op == SURFACE_STORE) {
        LLVMValueRef parts[4];
        for (unsigned i = 0; i < count; i++)
            parts[i] = a->value[i];
        LLVMValueRef v = ir_concat(e, parts, count);
        ir_store(e, count > 1 ? transpose_values(e, v, count, e->lanes) : v, p,
                 1);
        return;
    }
    LLVMValueRef v = ir_load(e, t, p, 1);
    if (count > 1)
        v = transpose_values(e, v, e->lanes, count);
    for (unsigned i = 0; i < count; i++)
        ir_store(e, ir_slice(e, v, i * e->lanes, e->lanes), a->value[i], 64);
}

static void set_align(struct emit *e, LLVMValueRef call, unsigned argument,
                      unsigned bytes)
{
    unsigned align = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAddCallSiteAttribute(call, argument,
                             LLVMCreateEnumAttribute(e->cx, align, bytes));
}

static void access_lanes(struct emit *e, const struct access *a,
                         LLVMValueRef data)
{
    LLVMTypeRef t = LLVMVectorType(a->element, e->lanes);
    LLVMValueRef place = place_of(e, a, a->at), mask = emit_mask(e);
    for (unsigned i = 0; i < a->form->count; i++) {
        LLVMValueRef base = ir_offset(e, data, (int64_t)i * a->form->bytes);
        LLVMValueRef p = LLVMBuildGEP2(e->b, e->i8, base, &place, 1, "");
        LLVMTypeRef overloads[] = {t, LLVMTypeOf(p)};
        if (a->form->op == SURFACE_STORE) {
            LLVMValueRef args[] = {a->value[i], p, mask};
            set_align(
                e,
                ir_intrinsic(e, "llvm.masked.scatter", overloads, 2, args, 3),
                2, a->form->bytes);
            continue;
        }
        LLVMValueRef args[] = {p, mask, LLVMConstNull(t)};
        LLVMValueRef v =
            ir_intrinsic(e, "llvm.masked.gather", overloads, 2, args, 3);
        set_align(e, v, 1, a->form->bytes);
        ir_store(e, v, a->value[i], 64);
    }
}

/* ---- the instruction ---------------------------------------------------- */

static LLVMValueRef as_bits(struct emit *e, const struct access *a,
                            LLVMValueRef v)
{
    LLVMTypeRef t = ir_like(v, a->element);
    return LLVMTypeOf(v) == t ? v : LLVMBuildBitCast(e->b, v, t, "");
}

static void read_operands(struct emit *e, struct access *a,
                          const struct ptx_operand *where)
{
    const struct ptx_operand *at = &where->items[where->item_count - 1];
    const struct texture_form *f = a->form;
    LLVMTypeRef t = LLVMVectorType(a->element, e->lanes);
    for (unsigned d = 0; d < f->dims; d++)
        a->at[d] = emit_read_vector(e, ptx_operand_item(at, d + f->has_index),
                                    PTX_TYPE_s32);
    if (f->has_index)
        a->at[2] = emit_read_vector(e, ptx_operand_item(at, 0), PTX_TYPE_s32);
    for (unsigned i = 0; i < f->count; i++)
        a->value[i] =
            f->op == SURFACE_LOAD
                ? emit_alloca(e, t, 64, "loaded")
                : as_bits(e, a,
                          emit_read_vector(
                              e, ptx_operand_item(&a->inst->operand[1], i),
                              a->inst->type[0]));
}

static void call_for_rest(struct emit *e, const struct access *a)
{
    LLVMValueRef value[4];
    emit_texture_call(e, a->inst, a->form, value);
    for (unsigned i = 0; a->form->op == SURFACE_LOAD && i < a->form->count; i++)
        ir_store(e, as_bits(e, a, value[i]), a->value[i], 64);
}

static void write_results(struct emit *e, const struct access *a)
{
    LLVMTypeRef t = LLVMVectorType(a->element, e->lanes);
    LLVMTypeRef wanted =
        LLVMVectorType(emit_type(e, a->inst->type[0]), e->lanes);
    for (unsigned i = 0; i < a->form->count; i++) {
        LLVMValueRef v = ir_load(e, t, a->value[i], 64);
        if (wanted != t)
            v = LLVMBuildBitCast(e->b, v, wanted, "");
        emit_write_vector(e, ptx_operand_item(&a->inst->operand[0], i), v,
                          a->inst->type[0]);
    }
}

/* From where the surface is known to be one; branches to `done` or to
 * `call`. */
static void emit_access(struct emit *e, const struct access *a,
                        LLVMBasicBlockRef done, LLVMBasicBlockRef call)
{
    LLVMBasicBlockRef row = emit_new_block(e, "row");
    LLVMBasicBlockRef other = emit_new_block(e, "other");
    LLVMBasicBlockRef lanes = emit_new_block(e, "lanes");
    LLVMValueRef data = TEXTURE_FIELD(e, a->surface, start.data, e->ptr);
    LLVMValueRef first[3];
    emit_branch(e, is_row(e, a, first), row, other, EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, row);
    access_row(e, a, ir_offset_by(e, data, place_of(e, a, first)));
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, other);
    LLVMValueRef inside = is_inside(e, a, a->at, a->bytes);
    if (e->f->at.mask)
        inside = ir_or(e, inside, ir_not(e, e->f->at.mask));
    emit_branch(e, emit_all(e, inside), lanes, call, EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, lanes);
    access_lanes(e, a, data);
    LLVMBuildBr(e->b, done);
}

bool emit_surface(struct emit *e, const struct ptx_inst *inst,
                  const struct texture_form *form)
{
    const struct ptx_operand *where = ptx_texture_operand(inst, 'T');
    if ((form->op != SURFACE_LOAD && form->op != SURFACE_STORE) ||
        e->lanes != TEXTURE_LANES || !emit_texture_is_uniform(e, where))
        return false;
    struct access a = {
        .inst = inst,
        .form = form,
        .element = LLVMIntTypeInContext(e->cx, 8u * form->bytes),
        .bytes = (unsigned)form->bytes * form->count,
    };
    LLVMBasicBlockRef done = emit_new_block(e, "accessed");
    LLVMBasicBlockRef call = emit_new_block(e, "call");
    LLVMBasicBlockRef is_one = emit_new_block(e, "surface");
    read_operands(e, &a, where);
    a.surface = emit_texture_object(e, where, call);
    LLVMValueRef flag = TEXTURE_FIELD(e, a.surface, is_surface, e->i8);
    LLVMValueRef dims = TEXTURE_FIELD(e, a.surface, dims, e->i8);
    emit_branch(e,
                ir_and(e, ir_icmp(e, LLVMIntNE, flag, ir_int(flag, 0)),
                       ir_icmp(e, LLVMIntEQ, dims, ir_int(dims, form->dims))),
                is_one, call, EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, is_one);
    find_limits(e, &a);
    emit_access(e, &a, done, call);
    LLVMPositionBuilderAtEnd(e->b, call);
    call_for_rest(e, &a);
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, done);
    if (form->op == SURFACE_LOAD)
        write_results(e, &a);
    return true;
}
