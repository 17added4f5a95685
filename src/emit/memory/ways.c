/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ways in which the lanes' elements get to and from memory: vectors;
 * several of them where lanes are in groups; wide vectors and shuffles;
 * gathers and scatters; one lane after the other. See ways.h.
 */
#include "emit/memory/ways.h"
#include "emit/core/address.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/memory/memory.h"

static void mark_access(struct emit *e, const struct access *a,
                        LLVMValueRef access)
{
    emit_set_alias(e, access, a->of.space);
    if (a->of.is_nc && !a->of.is_volatile)
        LLVMSetMetadata(access, e->md_scope, e->scope_nc);
    if (LLVMGetInstructionOpcode(access) == LLVMCall)
        return;
    LLVMSetVolatile(access, a->of.is_volatile);
    if (a->of.is_invariant && !a->of.is_volatile &&
        LLVMGetInstructionOpcode(access) == LLVMLoad)
        LLVMSetMetadata(access, e->md_invariant, e->md_empty);
}

LLVMValueRef emit_access_load_at(struct emit *e, const struct access *a,
                                 LLVMTypeRef type, LLVMValueRef pointer)
{
    LLVMValueRef v = ir_load(e, type, pointer, a->of.size);
    mark_access(e, a, v);
    return v;
}

void emit_access_store_at(struct emit *e, const struct access *a,
                          LLVMValueRef v, LLVMValueRef pointer)
{
    LLVMValueRef s = ir_store(e, v, pointer, a->of.size);
    mark_access(e, a, s);
    if (a->is_nontemporal)
        emit_mark_nontemporal(e, s);
}

LLVMValueRef emit_access_pointer(struct emit *e, const struct access *a,
                                 int lane, unsigned i)
{
    assert(i < a->of.count);
    return emit_pointer(e, a->address, a->of.space, lane,
                        (int64_t)i * a->of.size);
}

/* ---- masked intrinsics ------------------------------------------------- */

static LLVMValueRef masked_call(struct emit *e, const struct access *a,
                                const char *name, LLVMTypeRef vector,
                                LLVMTypeRef pointer, LLVMValueRef *args,
                                unsigned count, unsigned pointer_index)
{
    LLVMTypeRef overloads[] = {vector, pointer};
    LLVMValueRef call = ir_intrinsic(e, name, overloads, 2, args, count);
    unsigned align = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAddCallSiteAttribute(call, pointer_index + 1,
                             LLVMCreateEnumAttribute(e->cx, align, a->of.size));
    mark_access(e, a, call);
    return call;
}

LLVMValueRef emit_access_load_part(struct emit *e, const struct access *a,
                                   LLVMValueRef pointer, LLVMValueRef mask,
                                   unsigned lanes)
{
    LLVMTypeRef t = LLVMVectorType(a->element, lanes);

    assert(lanes <= e->lanes);
    if (!mask)
        return emit_access_load_at(e, a, t, pointer);
    LLVMValueRef args[] = {pointer, mask, LLVMConstNull(t)};
    return masked_call(e, a, "llvm.masked.load", t, e->ptr, args, 3, 0);
}

/* Memory of our own is written as a whole, with the old values of inactive
 * lanes: unlike a masked store, LLVM can turn that into registers. */
void emit_access_store_part(struct emit *e, const struct access *a,
                            LLVMValueRef v, LLVMValueRef pointer,
                            LLVMValueRef mask)
{
    assert(LLVMTypeOf(pointer) == e->ptr);
    if (mask && a->of.is_own && a->of.count == 1) {
        LLVMValueRef old = emit_access_load_at(e, a, LLVMTypeOf(v), pointer);
        v = ir_select(e, mask, v, old);
        mask = NULL;
    }
    if (!mask) {
        emit_access_store_at(e, a, v, pointer);
        return;
    }
    LLVMValueRef args[] = {v, pointer, mask};
    masked_call(e, a, "llvm.masked.store", LLVMTypeOf(v), e->ptr, args, 3, 1);
}

LLVMValueRef emit_access_gather(struct emit *e, const struct access *a,
                                LLVMTypeRef element, LLVMValueRef pointers)
{
    assert(ir_is_vector(pointers));
    LLVMTypeRef t = LLVMVectorType(element, e->lanes);
    LLVMValueRef args[] = {pointers, emit_mask(e), LLVMConstNull(t)};
    return masked_call(e, a, "llvm.masked.gather", t, LLVMTypeOf(pointers),
                       args, 3, 0);
}

/* Bytes and half-words cannot be gathered: takes the aligned word around each
 * (in the same page) and shifts. */
static LLVMValueRef gather_small(struct emit *e, const struct access *a,
                                 LLVMValueRef pointers)
{
    struct access word = *a;
    LLVMTypeRef i64s = LLVMVectorType(e->i64, e->lanes);

    word.of.size = 4;
    LLVMValueRef address = LLVMBuildPtrToInt(e->b, pointers, i64s, "");
    LLVMValueRef aligned =
        LLVMBuildIntToPtr(e->b, ir_and(e, address, ir_int(address, ~3)),
                          LLVMVectorType(e->ptr, e->lanes), "");
    LLVMValueRef words = emit_access_gather(e, &word, e->i32, aligned);
    LLVMValueRef shift = ir_trunc(e, address, e->i32);
    shift = ir_shl(e, ir_and(e, shift, ir_int(shift, 3)), ir_int(shift, 3));
    return ir_trunc(e, ir_lshr(e, words, shift), a->element);
}

/* ---- one lane after the other: what no vector instruction can do ------- */

static LLVMValueRef load_each(struct emit *e, const struct access *a,
                              LLVMValueRef pointers)
{
    LLVMTypeRef t = LLVMVectorType(a->element, e->lanes);
    LLVMValueRef from = emit_spill(e, pointers);
    LLVMValueRef into = emit_alloca(e, t, 64, "loaded");
    struct emit_lane_loop loop;

    emit_lane_loop_begin(e, &loop, emit_mask(e));
    LLVMValueRef p = emit_spilled_lane(e, from, e->ptr, loop.lane);
    emit_store_lane(e, into, a->element, loop.lane,
                    emit_access_load_at(e, a, a->element, p));
    emit_lane_loop_end(e, &loop);
    return emit_unspill(e, into, a->element);
}

static void store_each(struct emit *e, const struct access *a,
                       LLVMValueRef pointers, LLVMValueRef v)
{
    LLVMValueRef to = emit_spill(e, pointers), from = emit_spill(e, v);
    struct emit_lane_loop loop;

    emit_lane_loop_begin(e, &loop, emit_mask(e));
    LLVMValueRef p = emit_spilled_lane(e, to, e->ptr, loop.lane);
    emit_access_store_at(e, a,
                         emit_spilled_lane(e, from, a->element, loop.lane), p);
    emit_lane_loop_end(e, &loop);
}

/* All components of one lane in one access of their whole size. */
LLVMTypeRef emit_access_whole_type(struct access const *a)
{
    assert(a->of.count <= MAX_VECTOR);
    return LLVMVectorType(a->element, a->of.count);
}

LLVMValueRef emit_access_load_whole_at(struct emit *e, const struct access *a,
                                       LLVMValueRef pointer)
{
    LLVMValueRef v = ir_load(e, emit_access_whole_type(a), pointer, a->of.size);
    emit_set_alias(e, v, a->of.space);
    LLVMSetVolatile(v, 1);
    return v;
}

void emit_access_store_whole_at(struct emit *e, const struct access *a,
                                LLVMValueRef v, LLVMValueRef pointer)
{
    LLVMValueRef s = ir_store(e, v, pointer, a->of.size);
    emit_set_alias(e, s, a->of.space);
    LLVMSetVolatile(s, 1);
}

LLVMValueRef emit_insert_component(struct emit *e, LLVMValueRef v,
                                   LLVMValueRef x, unsigned i)
{
    assert(!ir_is_vector(x));
    return LLVMBuildInsertElement(e->b, v, x, LLVMConstInt(e->i32, i, 0), "");
}

static void load_whole(struct emit *e, const struct access *a,
                       struct lanes *out)
{
    LLVMTypeRef t = LLVMVectorType(a->element, e->lanes);
    LLVMValueRef from =
        emit_spill(e, emit_access_pointer(e, a, EMIT_ALL_LANES, 0));
    LLVMValueRef into[MAX_VECTOR];
    struct emit_lane_loop loop;

    for (unsigned i = 0; i < a->of.count; i++)
        into[i] = emit_alloca(e, t, 64, "loaded");
    emit_lane_loop_begin(e, &loop, emit_mask(e));
    LLVMValueRef v = emit_access_load_whole_at(
        e, a, emit_spilled_lane(e, from, e->ptr, loop.lane));
    for (unsigned i = 0; i < a->of.count; i++)
        emit_store_lane(e, into[i], a->element, loop.lane, ir_extract(e, v, i));
    emit_lane_loop_end(e, &loop);
    for (unsigned i = 0; i < a->of.count; i++)
        out->v[i] = emit_unspill(e, into[i], a->element);
}

static void store_whole(struct emit *e, const struct access *a,
                        struct lanes *in)
{
    LLVMValueRef to =
        emit_spill(e, emit_access_pointer(e, a, EMIT_ALL_LANES, 0));
    LLVMValueRef from[MAX_VECTOR], v = LLVMGetUndef(emit_access_whole_type(a));
    struct emit_lane_loop loop;

    for (unsigned i = 0; i < a->of.count; i++)
        from[i] = emit_spill(e, in->v[i]);
    emit_lane_loop_begin(e, &loop, emit_mask(e));
    for (unsigned i = 0; i < a->of.count; i++)
        v = emit_insert_component(
            e, v, emit_spilled_lane(e, from[i], a->element, loop.lane), i);
    emit_access_store_whole_at(e, a, v,
                               emit_spilled_lane(e, to, e->ptr, loop.lane));
    emit_lane_loop_end(e, &loop);
}

/* ---- any address ------------------------------------------------------- */

static LLVMValueRef gather_one(struct emit *e, const struct access *a,
                               LLVMValueRef pointers)
{
    if (a->of.is_volatile || a->of.size > 8)
        return load_each(e, a, pointers);
    return a->of.size < 4 ? gather_small(e, a, pointers)
                          : emit_access_gather(e, a, a->element, pointers);
}

void emit_access_load_transposed(struct emit *e, const struct access *a,
                                 struct lanes *out)
{
    unsigned parts = 4 / a->of.size; /* of a word */
    LLVMValueRef words[4], p[EMIT_MAX_LANES];

    assert(a->plan->is_transposed);
    emit_lane_pointers(e, a->address, a->of.space, a->of.shape, p);
    emit_load_transposed(e, p, parts == 1 ? a->element : e->i32, a->of.space,
                         parts == 1 ? out->v : words);
    for (unsigned i = 0; parts > 1 && i < a->of.count; i++) {
        LLVMValueRef w = words[i / parts];
        w = ir_lshr(e, w, ir_int(w, i % parts * 8 * a->of.size));
        out->v[i] = ir_trunc(e, w, a->element);
    }
}

void emit_access_store_transposed(struct emit *e, const struct access *a,
                                  struct lanes *in)
{
    unsigned parts = 4 / a->of.size;
    LLVMValueRef words[4] = {NULL}, p[EMIT_MAX_LANES];

    assert(a->plan->is_transposed);
    for (unsigned i = 0; parts > 1 && i < a->of.count; i++) {
        LLVMValueRef v = ir_zext(e, in->v[i], e->i32);
        v = ir_shl(e, v, ir_int(v, i % parts * 8 * a->of.size));
        LLVMValueRef *w = &words[i / parts];
        *w = *w ? ir_or(e, *w, v) : v;
    }
    emit_lane_pointers(e, a->address, a->of.space, a->of.shape, p);
    emit_store_transposed(e, p, a->of.space, parts == 1 ? in->v : words);
}

void emit_access_load_any(struct emit *e, const struct access *a,
                          struct lanes *out)
{
    if (a->of.is_whole) {
        load_whole(e, a, out);
        return;
    }
    for (unsigned i = 0; i < a->of.count; i++)
        out->v[i] =
            gather_one(e, a, emit_access_pointer(e, a, EMIT_ALL_LANES, i));
}

/* True: no vector instruction does it. */
static bool must_store_each(const struct access *a)
{
    return a->of.is_volatile || a->of.size < 4 || a->of.size > 8;
}

void emit_access_scatter(struct emit *e, const struct access *a,
                         LLVMValueRef pointers, LLVMValueRef v)
{
    assert(LLVMGetVectorSize(LLVMTypeOf(pointers)) ==
           LLVMGetVectorSize(LLVMTypeOf(v)));
    if (must_store_each(a)) {
        store_each(e, a, pointers, v);
        return;
    }
    LLVMValueRef args[] = {v, pointers, emit_mask(e)};
    masked_call(e, a, "llvm.masked.scatter", LLVMTypeOf(v),
                LLVMTypeOf(pointers), args, 3, 1);
}

void emit_access_store_any(struct emit *e, const struct access *a,
                           struct lanes *in)
{
    if (a->of.is_whole) {
        store_whole(e, a, in);
        return;
    }
    for (unsigned i = 0; i < a->of.count; i++) {
        LLVMValueRef p = emit_access_pointer(e, a, EMIT_ALL_LANES, i);
        LLVMBasicBlockRef done = NULL;
        if (a->plan->may_compress)
            done =
                emit_store_compressed(e, a->of.space, a->of.size, p, in->v[i]);
        emit_access_scatter(e, a, p, in->v[i]);
        if (done)
            emit_goto_new(e, done);
    }
}

/* ---- affine addresses -------------------------------------------------- */

unsigned emit_group_lanes(struct emit *e, struct simt_shape s)
{
    assert(!simt_is_varying(s));
    return e->lanes / emit_group_count(e, s);
}

static LLVMValueRef mask_part(struct emit *e, unsigned group, unsigned lanes)
{
    return e->f->at.mask ? ir_slice(e, e->f->at.mask, group * lanes, lanes)
                         : NULL;
}

/* What a whole group reads from one address; nothing is read if no lane of it
 * is active, as the address may then be anything. */
LLVMValueRef emit_access_load_group_scalar(struct emit *e,
                                           const struct access *a,
                                           unsigned group, unsigned i)
{
    unsigned lanes = emit_group_lanes(e, a->of.shape);
    int lane = (int)(group * lanes);

    assert(i < a->of.count);
    if (!e->f->at.mask || lanes == e->lanes)
        return emit_access_load_at(e, a, a->element,
                                   emit_access_pointer(e, a, lane, i));
    LLVMValueRef part = mask_part(e, group, lanes);
    LLVMValueRef bits =
        LLVMBuildBitCast(e->b, part, LLVMIntTypeInContext(e->cx, lanes), "");
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
    LLVMBasicBlockRef doit = emit_new_block(e, "group");
    LLVMBasicBlockRef done = emit_new_block(e, "group.done");
    emit_branch(e, ir_icmp(e, LLVMIntNE, bits, ir_int(bits, 0)), doit, done,
                EMIT_EVEN);
    LLVMPositionBuilderAtEnd(e->b, doit);
    LLVMValueRef v = emit_access_load_at(e, a, a->element,
                                         emit_access_pointer(e, a, lane, i));
    LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b);
    emit_goto_new(e, done);
    return ir_merge(e, v, from, LLVMConstNull(a->element), here);
}

/* Lane i of component c is element step * i + c of the wide vector. */
static void load_wide(struct emit *e, const struct access *a, unsigned group,
                      unsigned step, LLVMValueRef *parts, unsigned stride)
{
    unsigned lanes = emit_group_lanes(e, a->of.shape);
    int index[EMIT_MAX_LANES];
    unsigned total = step * (lanes - 1) + a->of.count;
    LLVMValueRef p = emit_access_pointer(e, a, (int)(group * lanes), 0);
    LLVMValueRef wide =
        emit_access_load_at(e, a, LLVMVectorType(a->element, total), p);

    for (unsigned c = 0; c < a->of.count; c++) {
        for (unsigned i = 0; i < lanes; i++)
            index[i] = (int)(step * i + c);
        parts[c * stride] = ir_shuffle(e, wide, NULL, index, lanes);
    }
}

/* Words that each contain a lane's elements. (Rounding an address keeps LLVM
 * from seeing through a block's own memory.) */
static void load_words(struct emit *e, const struct access *a, unsigned group,
                       LLVMValueRef *parts, unsigned part_stride)
{
    unsigned lanes = emit_group_lanes(e, a->of.shape);
    struct access word = *a;
    LLVMValueRef p = emit_access_pointer(e, a, (int)(group * lanes), 0);
    LLVMValueRef address = LLVMBuildPtrToInt(e->b, p, e->i64, "");

    word.of.size = (unsigned)a->of.shape.stride;
    word.element = LLVMIntTypeInContext(e->cx, 8 * word.of.size);
    LLVMValueRef over = ir_and(e, address, ir_int(address, word.of.size - 1));
    p = ir_offset_by(e, p, ir_sub(e, ir_int(over, 0), over));
    LLVMValueRef words =
        emit_access_load_part(e, &word, p, mask_part(e, group, lanes), lanes);
    over = ir_shl(e, over, ir_int(over, 3));
    LLVMValueRef shift = ir_splat(e, ir_trunc(e, over, word.element), lanes);
    words = ir_lshr(e, words, shift);
    for (unsigned c = 0; c < a->of.count; c++) {
        LLVMValueRef v = ir_lshr(e, words, ir_int(words, 8 * a->of.size * c));
        parts[c * part_stride] = ir_trunc(e, v, a->element);
    }
}

void emit_access_load_affine(struct emit *e, const struct access *a,
                             struct lanes *out)
{
    unsigned groups = emit_group_count(e, a->of.shape);
    unsigned lanes = emit_group_lanes(e, a->of.shape);
    int64_t stride = a->of.shape.stride;
    LLVMValueRef parts[MAX_VECTOR][EMIT_MAX_LANES];
    unsigned step = simt_wide_step(e->f->k, &a->of);

    assert(!simt_is_varying(a->of.shape));
    for (unsigned g = 0; g < groups; g++) {
        if (simt_is_in_words(&a->of)) {
            load_words(e, a, g, &parts[0][g], EMIT_MAX_LANES);
            continue;
        }
        if (step) {
            load_wide(e, a, g, step, &parts[0][g], EMIT_MAX_LANES);
            continue;
        }
        for (unsigned c = 0; c < a->of.count; c++) {
            int lane = (int)(g * lanes + (stride < 0 ? lanes - 1 : 0));
            LLVMValueRef mask = mask_part(e, g, lanes);
            if (stride == 0) {
                parts[c][g] = ir_splat(
                    e, emit_access_load_group_scalar(e, a, g, c), lanes);
                continue;
            }
            if (mask && stride < 0)
                mask = ir_reverse(e, mask);
            parts[c][g] = emit_access_load_part(
                e, a, emit_access_pointer(e, a, lane, c), mask, lanes);
            if (stride < 0)
                parts[c][g] = ir_reverse(e, parts[c][g]);
        }
    }
    for (unsigned c = 0; c < a->of.count; c++)
        out->v[c] = ir_concat(e, parts[c], groups);
}

/* Lanes side by side, with all components of a lane behind each other. */
static LLVMValueRef interleave_lanes(struct emit *e, LLVMValueRef *v,
                                     unsigned count)
{
    unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(v[0]));
    int index[4 * EMIT_MAX_LANES];

    assert(count >= 1 && count <= MAX_VECTOR);
    if (count == 1)
        return v[0];
    LLVMValueRef all = ir_concat(e, v, count);
    for (unsigned i = 0; i < lanes; i++)
        for (unsigned c = 0; c < count; c++)
            index[i * count + c] = (int)(c * lanes + i);
    return ir_shuffle(e, all, NULL, index, lanes * count);
}

void emit_access_store_affine(struct emit *e, const struct access *a,
                              struct lanes *in)
{
    unsigned groups = emit_group_count(e, a->of.shape);
    unsigned lanes = emit_group_lanes(e, a->of.shape);
    bool is_reversed = a->of.shape.stride < 0;

    assert(!simt_is_varying(a->of.shape));
    for (unsigned g = 0; g < groups; g++) {
        LLVMValueRef part[MAX_VECTOR], mask = mask_part(e, g, lanes);
        int lane = (int)(g * lanes + (is_reversed ? lanes - 1 : 0));
        for (unsigned c = 0; c < a->of.count; c++) {
            part[c] = ir_slice(e, in->v[c], g * lanes, lanes);
            if (is_reversed)
                part[c] = ir_reverse(e, part[c]);
        }
        if (is_reversed && mask)
            mask = ir_reverse(e, mask);
        emit_access_store_part(e, a, interleave_lanes(e, part, a->of.count),
                               emit_access_pointer(e, a, lane, 0), mask);
    }
}

/* ---- a few elements apart, whichever lanes are active ------------------- */

static struct emit_strided strided_of(struct emit *e, const struct access *a)
{
    return (struct emit_strided){
        .space = a->of.space,
        .size = a->of.size,
        .count = a->of.count,
        .step = (unsigned)(a->of.shape.stride / a->of.size),
        .lanes = emit_group_lanes(e, a->of.shape),
    };
}

static struct emit_strided strided_group(struct emit *e, const struct access *a,
                                         unsigned group)
{
    struct emit_strided s = strided_of(e, a);

    if (e->f->at.mask) {
        s.bits = emit_mask_bits(e, e->f->at.mask);
        s.bits = ir_lshr(e, s.bits, ir_int(s.bits, group * s.lanes));
    }
    return s;
}

void emit_access_load_strided(struct emit *e, const struct access *a,
                              struct lanes *out)
{
    unsigned groups = emit_group_count(e, a->of.shape);
    unsigned lanes = emit_group_lanes(e, a->of.shape);
    LLVMValueRef parts[MAX_VECTOR][EMIT_MAX_LANES];

    assert(a->plan->is_masked_strided);
    for (unsigned g = 0; g < groups; g++) {
        struct emit_strided s = strided_group(e, a, g);
        LLVMValueRef v[MAX_VECTOR];
        emit_load_strided(e, &s, a->element,
                          emit_access_pointer(e, a, (int)(g * lanes), 0), v);
        for (unsigned c = 0; c < a->of.count; c++)
            parts[c][g] = v[c];
    }
    for (unsigned c = 0; c < a->of.count; c++)
        out->v[c] = ir_concat(e, parts[c], groups);
}

void emit_access_store_strided(struct emit *e, const struct access *a,
                               struct lanes *in)
{
    unsigned groups = emit_group_count(e, a->of.shape);
    unsigned lanes = emit_group_lanes(e, a->of.shape);

    assert(a->plan->is_masked_strided);
    for (unsigned g = 0; g < groups; g++) {
        struct emit_strided s = strided_group(e, a, g);
        LLVMValueRef v[MAX_VECTOR];
        for (unsigned c = 0; c < a->of.count; c++)
            v[c] = ir_slice(e, in->v[c], g * lanes, lanes);
        emit_store_strided(e, &s,
                           emit_access_pointer(e, a, (int)(g * lanes), 0), v);
    }
}
