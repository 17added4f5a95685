/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ld and st. The shape of the address decides: one scalar access, one vector
 * access (several, where lanes come in groups), wide accesses and a shuffle
 * for small strides (masked ones, see spaced.c), else gather and scatter. A
 * conditional shape gets both ways and a branch on its flag.
 */
#include "emit/internal.h"

#define MAX_VECTOR 16 /* see join.c */

struct access {
    const struct ptx_inst *inst;
    const struct ptx_operand *address;
    enum ptx_space space;
    enum ptx_type type;
    LLVMTypeRef element;
    unsigned size;  /* bytes of an element */
    unsigned count; /* elements in each lane: 1, or .v2, .v4, .v8 */
    bool is_volatile, is_invariant;
    bool is_streaming; /* past the caches: see stream.c */
    bool is_own; /* every lane's copy exists, whether it is active or not */
    /* The components of a lane in one piece, since others may be writing them:
     * what passes the first cache serves to tell other blocks something, and
     * 16 bytes together do not tear on a GPU. */
    bool is_whole;
    struct simt_shape shape;
    struct emit_row row; /* for load_row and store_row */
};

/* A value per component: vectors for all lanes. */
struct lanes {
    LLVMValueRef v[MAX_VECTOR];
};

static bool is_ordered(enum ptx_sem sem)
{
    return sem != PTX_SEM_none && sem != PTX_SEM_weak;
}

static const struct ptx_operand *component(const struct ptx_operand *o,
                                           unsigned i)
{
    return o->kind == PTX_OPERAND_vector ? &o->items[i] : o;
}

static struct access make_access(struct emit *e, const struct ptx_inst *inst,
                                 const struct ptx_operand *address,
                                 const struct ptx_operand *value)
{
    enum ptx_type type = inst->type[inst->type_count - 1];
    struct access a = {
        .inst = inst,
        .address = address,
        .space = emit_effective_space(address, inst->space),
        .type = type,
        .element = emit_type(e, type),
        .size = ptx_type_size(type),
        .count = value->kind == PTX_OPERAND_vector ? value->item_count : 1,
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

static void mark(struct emit *e, const struct access *a, LLVMValueRef access)
{
    emit_set_alias(e, access, a->space);
    if (LLVMGetInstructionOpcode(access) == LLVMCall)
        return;
    LLVMSetVolatile(access, a->is_volatile);
    if (a->is_invariant && !a->is_volatile &&
        LLVMGetInstructionOpcode(access) == LLVMLoad)
        LLVMSetMetadata(access, e->md_invariant, e->md_empty);
}

static LLVMValueRef load_at(struct emit *e, const struct access *a,
                            LLVMTypeRef type, LLVMValueRef pointer)
{
    LLVMValueRef v = ir_load(e, type, pointer, a->size);
    mark(e, a, v);
    return v;
}

static void store_at(struct emit *e, const struct access *a, LLVMValueRef v,
                     LLVMValueRef pointer)
{
    LLVMValueRef s = ir_store(e, v, pointer, a->size);
    mark(e, a, s);
    if (a->is_streaming)
        emit_mark_streaming(e, s);
}

static LLVMValueRef pointer_of(struct emit *e, const struct access *a, int lane,
                               unsigned i)
{
    return emit_pointer(e, a->address, a->space, lane, (int64_t)i * a->size);
}

/* ---- masked intrinsics ------------------------------------------------- */

static LLVMValueRef masked(struct emit *e, const struct access *a,
                           const char *name, LLVMTypeRef vector,
                           LLVMTypeRef pointer, LLVMValueRef *args,
                           unsigned count, unsigned pointer_index)
{
    LLVMTypeRef overloads[] = {vector, pointer};
    LLVMValueRef call = ir_intrinsic(e, name, overloads, 2, args, count);
    unsigned align = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAddCallSiteAttribute(call, pointer_index + 1,
                             LLVMCreateEnumAttribute(e->cx, align, a->size));
    mark(e, a, call);
    return call;
}

static LLVMValueRef load_part(struct emit *e, const struct access *a,
                              LLVMValueRef pointer, LLVMValueRef mask,
                              unsigned lanes)
{
    LLVMTypeRef t = LLVMVectorType(a->element, lanes);

    if (!mask)
        return load_at(e, a, t, pointer);
    LLVMValueRef args[] = {pointer, mask, LLVMConstNull(t)};
    return masked(e, a, "llvm.masked.load", t, e->ptr, args, 3, 0);
}

/* Memory of our own is written whole, the inactive lanes with what they had:
 * unlike a masked store, LLVM can turn that into registers. */
static void store_part(struct emit *e, const struct access *a, LLVMValueRef v,
                       LLVMValueRef pointer, LLVMValueRef mask)
{
    if (mask && a->is_own && a->count == 1) {
        LLVMValueRef old = load_at(e, a, LLVMTypeOf(v), pointer);
        v = ir_select(e, mask, v, old);
        mask = NULL;
    }
    if (!mask) {
        store_at(e, a, v, pointer);
        return;
    }
    LLVMValueRef args[] = {v, pointer, mask};
    masked(e, a, "llvm.masked.store", LLVMTypeOf(v), e->ptr, args, 3, 1);
}

static LLVMValueRef gather(struct emit *e, const struct access *a,
                           LLVMTypeRef element, LLVMValueRef pointers)
{
    LLVMTypeRef t = LLVMVectorType(element, e->lanes);
    LLVMValueRef args[] = {pointers, emit_mask(e), LLVMConstNull(t)};
    return masked(e, a, "llvm.masked.gather", t, LLVMTypeOf(pointers), args, 3,
                  0);
}

/* Bytes and half-words cannot be gathered: take the aligned word around each
 * (it lies in the same page) and shift. */
static LLVMValueRef gather_small(struct emit *e, const struct access *a,
                                 LLVMValueRef pointers)
{
    struct access word = *a;
    LLVMTypeRef i64s = LLVMVectorType(e->i64, e->lanes);

    word.size = 4;
    LLVMValueRef address = LLVMBuildPtrToInt(e->b, pointers, i64s, "");
    LLVMValueRef aligned =
        LLVMBuildIntToPtr(e->b, ir_and(e, address, ir_int(address, ~3)),
                          LLVMVectorType(e->ptr, e->lanes), "");
    LLVMValueRef words = gather(e, &word, e->i32, aligned);
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
                    load_at(e, a, a->element, p));
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
    store_at(e, a, emit_spilled_lane(e, from, a->element, loop.lane), p);
    emit_lane_loop_end(e, &loop);
}

/* All components of one lane at once, in one access of their whole size. */
static LLVMTypeRef whole_type(struct access const *a)
{
    return LLVMVectorType(a->element, a->count);
}

static LLVMValueRef load_whole_at(struct emit *e, const struct access *a,
                                  LLVMValueRef pointer)
{
    LLVMValueRef v = ir_load(e, whole_type(a), pointer, a->size);
    emit_set_alias(e, v, a->space);
    LLVMSetVolatile(v, 1);
    return v;
}

static void store_whole_at(struct emit *e, const struct access *a,
                           LLVMValueRef v, LLVMValueRef pointer)
{
    LLVMValueRef s = ir_store(e, v, pointer, a->size);
    emit_set_alias(e, s, a->space);
    LLVMSetVolatile(s, 1);
}

static LLVMValueRef insert(struct emit *e, LLVMValueRef v, LLVMValueRef x,
                           unsigned i)
{
    return LLVMBuildInsertElement(e->b, v, x, LLVMConstInt(e->i32, i, 0), "");
}

static void load_whole(struct emit *e, const struct access *a,
                       struct lanes *out)
{
    LLVMTypeRef t = LLVMVectorType(a->element, e->lanes);
    LLVMValueRef from = emit_spill(e, pointer_of(e, a, EMIT_ALL_LANES, 0));
    LLVMValueRef into[MAX_VECTOR];
    struct emit_lane_loop loop;

    for (unsigned i = 0; i < a->count; i++)
        into[i] = emit_alloca(e, t, 64, "loaded");
    emit_lane_loop_begin(e, &loop, emit_mask(e));
    LLVMValueRef v =
        load_whole_at(e, a, emit_spilled_lane(e, from, e->ptr, loop.lane));
    for (unsigned i = 0; i < a->count; i++)
        emit_store_lane(e, into[i], a->element, loop.lane, ir_extract(e, v, i));
    emit_lane_loop_end(e, &loop);
    for (unsigned i = 0; i < a->count; i++)
        out->v[i] = emit_unspill(e, into[i], a->element);
}

static void store_whole(struct emit *e, const struct access *a,
                        struct lanes *in)
{
    LLVMValueRef to = emit_spill(e, pointer_of(e, a, EMIT_ALL_LANES, 0));
    LLVMValueRef from[MAX_VECTOR], v = LLVMGetUndef(whole_type(a));
    struct emit_lane_loop loop;

    for (unsigned i = 0; i < a->count; i++)
        from[i] = emit_spill(e, in->v[i]);
    emit_lane_loop_begin(e, &loop, emit_mask(e));
    for (unsigned i = 0; i < a->count; i++)
        v = insert(e, v, emit_spilled_lane(e, from[i], a->element, loop.lane),
                   i);
    store_whole_at(e, a, v, emit_spilled_lane(e, to, e->ptr, loop.lane));
    emit_lane_loop_end(e, &loop);
}

/* ---- any address ------------------------------------------------------- */

static LLVMValueRef gather_one(struct emit *e, const struct access *a,
                               LLVMValueRef pointers)
{
    if (a->is_volatile || a->size > 8)
        return load_each(e, a, pointers);
    return a->size < 4 ? gather_small(e, a, pointers)
                       : gather(e, a, a->element, pointers);
}

/* Four words for each lane, or as much in smaller pieces (join.c). */
static bool is_of_quads(struct emit *e, const struct access *a)
{
    return a->count * a->size == 16 && a->size <= 4 && !a->is_volatile &&
           e->lanes % 16 == 0;
}

static void load_quads(struct emit *e, const struct access *a,
                       struct lanes *out)
{
    unsigned parts = 4 / a->size; /* of a word */
    LLVMValueRef words[4], p[EMIT_MAX_LANES];

    emit_lane_pointers(e, a->address, a->space, a->shape, p);
    emit_load_quads(e, p, parts == 1 ? a->element : e->i32, a->space,
                    parts == 1 ? out->v : words);
    for (unsigned i = 0; parts > 1 && i < a->count; i++) {
        LLVMValueRef w = words[i / parts];
        w = ir_lshr(e, w, ir_int(w, i % parts * 8 * a->size));
        out->v[i] = ir_trunc(e, w, a->element);
    }
}

static void store_quads(struct emit *e, const struct access *a,
                        struct lanes *in)
{
    unsigned parts = 4 / a->size;
    LLVMValueRef words[4] = {NULL}, p[EMIT_MAX_LANES];

    for (unsigned i = 0; parts > 1 && i < a->count; i++) {
        LLVMValueRef v = ir_zext(e, in->v[i], e->i32);
        v = ir_shl(e, v, ir_int(v, i % parts * 8 * a->size));
        LLVMValueRef *w = &words[i / parts];
        *w = *w ? ir_or(e, *w, v) : v;
    }
    emit_lane_pointers(e, a->address, a->space, a->shape, p);
    emit_store_quads(e, p, a->space, parts == 1 ? in->v : words);
}

static void load_any(struct emit *e, const struct access *a, struct lanes *out)
{
    if (a->is_whole) {
        load_whole(e, a, out);
        return;
    }
    for (unsigned i = 0; i < a->count; i++)
        out->v[i] = gather_one(e, a, pointer_of(e, a, EMIT_ALL_LANES, i));
}

static void scatter(struct emit *e, const struct access *a, LLVMValueRef p,
                    LLVMValueRef v)
{
    LLVMValueRef args[] = {v, p, emit_mask(e)};

    masked(e, a, "llvm.masked.scatter", LLVMTypeOf(v), LLVMTypeOf(p), args, 3,
           1);
}

static void store_any(struct emit *e, const struct access *a, struct lanes *in)
{
    if (a->is_whole) {
        store_whole(e, a, in);
        return;
    }
    for (unsigned i = 0; i < a->count; i++) {
        LLVMValueRef p = pointer_of(e, a, EMIT_ALL_LANES, i);
        if (a->is_volatile || a->size < 4 || a->size > 8) {
            store_each(e, a, p, in->v[i]);
            continue;
        }
        if (a->count == 1 && emit_may_be_dense(e, a->address, a->size)) {
            LLVMBasicBlockRef done =
                emit_store_dense(e, a->space, a->size, p, in->v[i]);
            scatter(e, a, p, in->v[i]);
            emit_goto_new(e, done);
            continue;
        }
        scatter(e, a, p, in->v[i]);
    }
}

/* ---- affine addresses -------------------------------------------------- */

static unsigned group_lanes(struct emit *e, struct simt_shape s)
{
    return e->lanes / emit_group_count(e, s);
}

static LLVMValueRef mask_part(struct emit *e, unsigned group, unsigned lanes)
{
    return e->f->mask ? ir_slice(e, e->f->mask, group * lanes, lanes) : NULL;
}

/* What a whole group reads from one address; nothing if no lane of it is
 * active, for then the address may be anything. */
static LLVMValueRef load_group_scalar(struct emit *e, const struct access *a,
                                      unsigned group, unsigned i)
{
    unsigned lanes = group_lanes(e, a->shape);
    int lane = (int)(group * lanes);

    if (!e->f->mask || lanes == e->lanes)
        return load_at(e, a, a->element, pointer_of(e, a, lane, i));
    LLVMValueRef part = mask_part(e, group, lanes);
    LLVMValueRef bits =
        LLVMBuildBitCast(e->b, part, LLVMIntTypeInContext(e->cx, lanes), "");
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
    LLVMBasicBlockRef doit = emit_new_block(e, "group");
    LLVMBasicBlockRef done = emit_new_block(e, "group.done");
    emit_branch(e, ir_icmp(e, LLVMIntNE, bits, ir_int(bits, 0)), doit, done,
                EMIT_EVEN);
    LLVMPositionBuilderAtEnd(e->b, doit);
    LLVMValueRef v = load_at(e, a, a->element, pointer_of(e, a, lane, i));
    LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b);
    emit_goto_new(e, done);
    LLVMValueRef phi = LLVMBuildPhi(e->b, a->element, "");
    LLVMAddIncoming(phi, (LLVMValueRef[]){v, LLVMConstNull(a->element)},
                    (LLVMBasicBlockRef[]){from, here}, 2);
    return phi;
}

/* Lane i of component c is element step * i + c of the wide vector. */
static void load_wide(struct emit *e, const struct access *a, unsigned group,
                      unsigned step, LLVMValueRef *parts, unsigned stride)
{
    unsigned lanes = group_lanes(e, a->shape);
    int index[EMIT_MAX_LANES];
    unsigned total = step * (lanes - 1) + a->count;
    LLVMValueRef p = pointer_of(e, a, (int)(group * lanes), 0);
    LLVMValueRef wide = load_at(e, a, LLVMVectorType(a->element, total), p);

    for (unsigned c = 0; c < a->count; c++) {
        for (unsigned i = 0; i < lanes; i++)
            index[i] = (int)(step * i + c);
        parts[c * stride] = ir_shuffle(e, wide, NULL, index, lanes);
    }
}

/* Bytes and half-words at every second, fourth or eighth byte: each lies in an
 * aligned word of its own, in the same page. The words lie side by side. (To
 * round an address keeps LLVM from seeing through a block's own memory.) */
static bool is_in_words(const struct access *a)
{
    int64_t stride = a->shape.stride;
    unsigned bytes = a->size * a->count;
    bool is_far = a->space == PTX_SPACE_global || a->space == PTX_SPACE_generic;

    return is_far && a->size < 4 &&
           (stride == 2 || stride == 4 || stride == 8) && bytes <= stride &&
           (bytes & (bytes - 1)) == 0 && !a->is_volatile &&
           (bytes < stride || a->count > 1);
}

static void load_words(struct emit *e, const struct access *a, unsigned group,
                       LLVMValueRef *parts, unsigned part_stride)
{
    unsigned lanes = group_lanes(e, a->shape);
    struct access word = *a;
    LLVMValueRef p = pointer_of(e, a, (int)(group * lanes), 0);
    LLVMValueRef address = LLVMBuildPtrToInt(e->b, p, e->i64, "");

    word.size = (unsigned)a->shape.stride;
    word.element = LLVMIntTypeInContext(e->cx, 8 * word.size);
    LLVMValueRef over = ir_and(e, address, ir_int(address, word.size - 1));
    p = ir_offset_by(e, p, ir_sub(e, ir_int(over, 0), over));
    LLVMValueRef words =
        load_part(e, &word, p, mask_part(e, group, lanes), lanes);
    over = ir_shl(e, over, ir_int(over, 3));
    LLVMValueRef shift = ir_splat(e, ir_trunc(e, over, word.element), lanes);
    words = ir_lshr(e, words, shift);
    for (unsigned c = 0; c < a->count; c++) {
        LLVMValueRef v = ir_lshr(e, words, ir_int(words, 8 * a->size * c));
        parts[c * part_stride] = ir_trunc(e, v, a->element);
    }
}

/* How far apart lanes are, in elements, if wide accesses pay; else 0. */
static unsigned wide_step(struct emit *e, const struct access *a)
{
    int64_t stride = a->shape.stride;

    if (stride <= 0 || stride % a->size != 0 || a->is_volatile)
        return 0;
    uint64_t step = (uint64_t)stride / a->size;
    if (step < 2 || step > 4 || step < a->count ||
        step * group_lanes(e, a->shape) > 4 * EMIT_MAX_LANES)
        return 0;
    return (unsigned)step;
}

static void load_affine(struct emit *e, const struct access *a,
                        struct lanes *out)
{
    unsigned groups = emit_group_count(e, a->shape);
    unsigned lanes = group_lanes(e, a->shape);
    int64_t stride = a->shape.stride;
    LLVMValueRef parts[MAX_VECTOR][EMIT_MAX_LANES];
    unsigned step = wide_step(e, a);

    for (unsigned g = 0; g < groups; g++) {
        if (is_in_words(a)) {
            load_words(e, a, g, &parts[0][g], EMIT_MAX_LANES);
            continue;
        }
        if (step) {
            load_wide(e, a, g, step, &parts[0][g], EMIT_MAX_LANES);
            continue;
        }
        for (unsigned c = 0; c < a->count; c++) {
            int lane = (int)(g * lanes + (stride < 0 ? lanes - 1 : 0));
            LLVMValueRef mask = mask_part(e, g, lanes);
            if (stride == 0) {
                parts[c][g] = ir_splat(e, load_group_scalar(e, a, g, c), lanes);
                continue;
            }
            if (mask && stride < 0)
                mask = ir_reverse(e, mask);
            parts[c][g] =
                load_part(e, a, pointer_of(e, a, lane, c), mask, lanes);
            if (stride < 0)
                parts[c][g] = ir_reverse(e, parts[c][g]);
        }
    }
    for (unsigned c = 0; c < a->count; c++)
        out->v[c] = ir_concat(e, parts[c], groups);
}

/* Lanes next to each other, all components of one lane behind each other. */
static LLVMValueRef interleave(struct emit *e, LLVMValueRef *v, unsigned count)
{
    unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(v[0]));
    int index[4 * EMIT_MAX_LANES];

    if (count == 1)
        return v[0];
    LLVMValueRef all = ir_concat(e, v, count);
    for (unsigned i = 0; i < lanes; i++)
        for (unsigned c = 0; c < count; c++)
            index[i * count + c] = (int)(c * lanes + i);
    return ir_shuffle(e, all, NULL, index, lanes * count);
}

static void store_affine(struct emit *e, const struct access *a,
                         struct lanes *in)
{
    unsigned groups = emit_group_count(e, a->shape);
    unsigned lanes = group_lanes(e, a->shape);
    bool is_reversed = a->shape.stride < 0;

    for (unsigned g = 0; g < groups; g++) {
        LLVMValueRef part[MAX_VECTOR], mask = mask_part(e, g, lanes);
        int lane = (int)(g * lanes + (is_reversed ? lanes - 1 : 0));
        for (unsigned c = 0; c < a->count; c++) {
            part[c] = ir_slice(e, in->v[c], g * lanes, lanes);
            if (is_reversed)
                part[c] = ir_reverse(e, part[c]);
        }
        if (is_reversed && mask)
            mask = ir_reverse(e, mask);
        store_part(e, a, interleave(e, part, a->count),
                   pointer_of(e, a, lane, 0), mask);
    }
}

/* ---- a few elements apart, whichever lanes are active ------------------- */

static struct emit_spaced spaced_of(struct emit *e, const struct access *a)
{
    return (struct emit_spaced){
        .space = a->space,
        .size = a->size,
        .count = a->count,
        .step = (unsigned)(a->shape.stride / a->size),
        .lanes = group_lanes(e, a->shape),
    };
}

static bool is_spaced(struct emit *e, const struct access *a)
{
    int64_t stride = a->shape.stride;

    if (stride < 2 * (int64_t)a->size || stride > 4 * (int64_t)a->size ||
        stride % a->size != 0 || a->is_volatile || a->is_own)
        return false;
    struct emit_spaced s = spaced_of(e, a);
    return emit_can_space(e, &s);
}

static struct emit_spaced spaced_group(struct emit *e, const struct access *a,
                                       unsigned group)
{
    struct emit_spaced s = spaced_of(e, a);

    if (e->f->mask) {
        s.bits = emit_mask_bits(e, e->f->mask);
        s.bits = ir_lshr(e, s.bits, ir_int(s.bits, group * s.lanes));
    }
    return s;
}

static void load_spaced(struct emit *e, const struct access *a,
                        struct lanes *out)
{
    unsigned groups = emit_group_count(e, a->shape);
    unsigned lanes = group_lanes(e, a->shape);
    LLVMValueRef parts[MAX_VECTOR][EMIT_MAX_LANES];

    for (unsigned g = 0; g < groups; g++) {
        struct emit_spaced s = spaced_group(e, a, g);
        LLVMValueRef v[MAX_VECTOR];
        emit_load_spaced(e, &s, a->element,
                         pointer_of(e, a, (int)(g * lanes), 0), v);
        for (unsigned c = 0; c < a->count; c++)
            parts[c][g] = v[c];
    }
    for (unsigned c = 0; c < a->count; c++)
        out->v[c] = ir_concat(e, parts[c], groups);
}

static void store_spaced(struct emit *e, const struct access *a,
                         struct lanes *in)
{
    unsigned groups = emit_group_count(e, a->shape);
    unsigned lanes = group_lanes(e, a->shape);

    for (unsigned g = 0; g < groups; g++) {
        struct emit_spaced s = spaced_group(e, a, g);
        LLVMValueRef v[MAX_VECTOR];
        for (unsigned c = 0; c < a->count; c++)
            v[c] = ir_slice(e, in->v[c], g * lanes, lanes);
        emit_store_spaced(e, &s, pointer_of(e, a, (int)(g * lanes), 0), v);
    }
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
    if (stride == 0 || is_in_words(a) ||
        (a->count == 1 && (stride == a->size || stride == -(int64_t)a->size)))
        return WAY_AFFINE;
    return wide_step(e, a) ? WAY_IF_FULL : WAY_ANY;
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
        a->count * group_lanes(e, a->shape) > 4 * EMIT_MAX_LANES ||
        (a->count & (a->count - 1)) != 0 || (a->count > 4 && a->size < 4))
        return is_spaced(e, a) ? WAY_SPACED : WAY_ANY;
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
    LLVMTypeRef t = LLVMVectorType(a->element, e->lanes);

    if (a->row.is_one_place)
        out->v[0] =
            emit_splat(e, load_at(e, a, a->element, a->row.pointer));
    else
        out->v[0] = load_at(e, a, t, a->row.pointer);
}

static void store_row(struct emit *e, const struct access *a, struct lanes *in)
{
    store_at(e, a, in->v[0], a->row.pointer);
}

static bool is_likely_row(struct emit *e, const struct access *a,
                          struct access *row)
{
    *row = *a;
    return a->count == 1 && !a->is_volatile && !a->is_own &&
           simt_is_varying(a->shape) &&
           emit_likely_row(e, a->address, a->space, a->size, &row->row);
}

/* Quads at addresses that are scalars only if all lanes are active. */
static bool has_two_ways(struct emit *e, const struct access *a)
{
    return e->f->mask && !simt_is_varying(a->shape);
}

static void load_shaped(struct emit *e, const struct access *a,
                        struct lanes *out)
{
    enum way way = load_way(e, a);
    struct access row;

    if (way == WAY_ANY && is_of_quads(e, a) && !has_two_ways(e, a))
        load_quads(e, a, out);
    else if (way == WAY_ANY && is_of_quads(e, a))
        either(e, a, emit_all(e, e->f->mask), load_quads, load_quads, out, true,
               NULL);
    else if (way == WAY_ANY && is_likely_row(e, a, &row))
        either(e, &row, row.row.test, load_row, load_any, out, true, NULL);
    else if (way == WAY_ANY)
        load_any(e, a, out);
    else if (way == WAY_AFFINE || !e->f->mask)
        load_affine(e, a, out);
    else
        either(e, a, emit_all(e, e->f->mask), load_affine,
               is_spaced(e, a) ? load_spaced : load_any, out, true, NULL);
}

static void store_streaming(struct emit *e, const struct access *a,
                            struct lanes *in)
{
    struct access streaming = *a;
    streaming.is_streaming = true;
    store_affine(e, &streaming, in);
}

static LLVMValueRef streaming_test(struct emit *e, const struct access *a)
{
    enum way way = store_way(e, a);
    unsigned groups = emit_group_count(e, a->shape);
    LLVMValueRef p[EMIT_MAX_LANES];

    if (!e->f->stored_once || (way != WAY_AFFINE && way != WAY_IF_FULL))
        return NULL;
    for (unsigned g = 0; g < groups; g++)
        p[g] = pointer_of(e, a, (int)(g * group_lanes(e, a->shape)), 0);
    return emit_streams_to(e, p, groups);
}

static void store_by_shape(struct emit *e, const struct access *a,
                           struct lanes *in)
{
    enum way way = store_way(e, a);
    struct access row;

    if (way == WAY_ANY && is_of_quads(e, a) && !has_two_ways(e, a))
        store_quads(e, a, in);
    else if (way == WAY_ANY && is_of_quads(e, a))
        either(e, a, emit_all(e, e->f->mask), store_quads, store_quads, in,
               false, NULL);
    else if (way == WAY_ANY && is_likely_row(e, a, &row) &&
             !row.row.is_one_place)
        either(e, &row, row.row.test, store_row, store_any, in, false, NULL);
    else if (way == WAY_ANY)
        store_any(e, a, in);
    else if (way == WAY_SPACED)
        store_spaced(e, a, in);
    else if (way == WAY_AFFINE || !e->f->mask)
        store_affine(e, a, in);
    else
        either(e, a, emit_all(e, e->f->mask), store_affine,
               is_spaced(e, a) ? store_spaced : store_any, in, false, NULL);
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
    load_any(e, a, out);
    e->f->is_cold = false;
}

static void store_exact(struct emit *e, const struct access *a,
                        struct lanes *in)
{
    e->f->is_cold = true;
    store_any(e, a, in);
    e->f->is_cold = false;
}

static void load_lanes(struct emit *e, const struct access *a,
                       struct lanes *out)
{
    LLVMValueRef ok = condition_of(e, a);

    if (ok && is_of_quads(e, a) && load_way(e, a) == WAY_ANY)
        either(e, a, and_all_active(e, ok), load_quads, load_exact, out, true,
               NULL);
    else if (ok && load_way(e, a) != WAY_ANY)
        either(e, a, ok, load_shaped, load_exact, out, true, e->f->mask);
    else
        load_shaped(e, a, out);
}

static void store_lanes(struct emit *e, const struct access *a,
                        struct lanes *in)
{
    LLVMValueRef ok = condition_of(e, a);

    if (ok && is_of_quads(e, a) && store_way(e, a) == WAY_ANY)
        either(e, a, and_all_active(e, ok), store_quads, store_exact, in, false,
               NULL);
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

/* Same address in all lanes of each group, and a destination kept so. */
static bool loads_scalars(struct emit *e, const struct access *a,
                          const struct ptx_operand *d)
{
    if (simt_is_varying(a->shape) || a->shape.stride != 0 ||
        d->kind != PTX_OPERAND_reg)
        return false;
    if (a->is_whole)
        return simt_is_uniform(a->shape);
    return simt_is_uniform(a->shape) ||
           e->f->k->shapes[d->reg].group == a->shape.group;
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
        whole = load_whole_at(e, a, pointer_of(e, a, 0, 0));
    for (unsigned i = 0; i < a->count; i++)
        for (unsigned g = 0; g < groups; g++)
            v[i][g] = whole ? ir_extract(e, whole, i)
                            : load_group_scalar(e, a, g, i);
    for (unsigned i = 0; i < a->count; i++)
        write_scalars(e, a, component(d, i), v[i]);
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
    if (loads_scalars(e, &a, component(d, 0))) {
        load_scalars(e, &a, d);
    } else {
        if (!simt_is_varying(a.shape))
            emit_prefetch_ahead(e, a.address);
        struct lanes out = {{0}};
        LLVMValueRef mask = e->f->mask;
        if (a.is_own)
            e->f->mask = NULL;
        load_lanes(e, &a, &out);
        e->f->mask = mask;
        for (unsigned i = 0; i < a.count; i++)
            emit_write_vector(e, component(d, i), out.v[i], a.type);
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
        LLVMValueRef v = LLVMGetUndef(whole_type(&a));
        for (unsigned i = 0; i < a.count; i++)
            v = insert(e, v, stored_last(e, &a, component(s, i)), i);
        store_whole_at(e, &a, v, pointer_of(e, &a, 0, 0));
    } else if (simt_is_uniform(a.shape)) {
        for (unsigned i = 0; i < a.count; i++)
            store_at(e, &a, stored_last(e, &a, component(s, i)),
                     pointer_of(e, &a, 0, i));
    } else {
        struct lanes in;
        for (unsigned i = 0; i < a.count; i++)
            in.v[i] = emit_read_vector(e, component(s, i), a.type);
        store_lanes(e, &a, &in);
    }
    if (inst->sem == PTX_SEM_sc)
        fence(e, LLVMAtomicOrderingSequentiallyConsistent);
}
