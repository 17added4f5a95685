/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Masked strided accesses: elements at even distances from lane to lane with
 * others' in between, such as one field of an array of small structures, where
 * not all lanes are active. With masks for each element (AVX-512), such places
 * are accessed as a run of memory of which some elements count: one access for
 * 64 bytes, where a gather or a scatter takes one for each lane.
 *
 * Masked elements are neither read nor written, so they may belong to anybody,
 * and need not exist.
 */
#include "emit/core/values.h"
#include "emit/memory/memory.h"

enum { PART_BYTES = 64 };

/* Elements of the run in one access, and number of accesses. */
static unsigned part_length(const struct emit_strided *s)
{
    return PART_BYTES / s->size;
}

static unsigned part_count(const struct emit_strided *s)
{
    return (s->step * s->lanes + part_length(s) - 1) / part_length(s);
}

/* ---- masks ------------------------------------------------------------- */

/* Places of component c in the part that begins at element `first`;
 * *first_lane: the lane of the first of them. */
static uint64_t places_of(const struct emit_strided *s, unsigned first,
                          unsigned c, unsigned *first_lane)
{
    uint64_t bits = 0;

    *first_lane = 0;
    for (unsigned i = part_length(s); i-- > 0;) {
        unsigned lane = (first + i) / s->step;
        if ((first + i) % s->step != c || lane >= s->lanes)
            continue;
        bits |= UINT64_C(1) << i;
        *first_lane = lane;
    }
    return bits;
}

/* The elements of a part that belong to active lanes: the lanes' bits,
 * deposited at their places. */
static LLVMValueRef part_mask(struct emit *e, const struct emit_strided *s,
                              unsigned first)
{
    LLVMTypeRef type = LLVMIntTypeInContext(e->cx, part_length(s));
    LLVMValueRef all = LLVMConstInt(e->i64, 0, 0);

    assert(first < s->lanes * s->step);
    for (unsigned c = 0; c < s->count; c++) {
        unsigned lane;
        LLVMValueRef at =
            LLVMConstInt(e->i64, places_of(s, first, c, &lane), 0);
        if (s->bits) {
            LLVMValueRef bits = ir_zext(e, s->bits, e->i64);
            LLVMValueRef args[] = {ir_lshr(e, bits, ir_int(bits, lane)), at};
            at = ir_intrinsic(e, "llvm.x86.bmi.pdep.64", NULL, 0, args, 2);
        }
        all = ir_or(e, all, at);
    }
    return LLVMBuildBitCast(e->b, ir_resize(e, all, type, false),
                            LLVMVectorType(e->i1, part_length(s)), "");
}

static LLVMValueRef masked_call(struct emit *e, const struct emit_strided *s,
                                const char *name, LLVMTypeRef type,
                                LLVMValueRef *args, unsigned pointer_index)
{
    LLVMTypeRef overloads[] = {type, e->ptr};
    unsigned align = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMValueRef call = ir_intrinsic(e, name, overloads, 2, args, 3);

    LLVMAddCallSiteAttribute(call, pointer_index + 1,
                             LLVMCreateEnumAttribute(e->cx, align, s->size));
    emit_set_alias(e, call, s->space);
    return call;
}

/* ---- accesses ---------------------------------------------------------- */

void emit_store_strided(struct emit *e, const struct emit_strided *s,
                        LLVMValueRef pointer, LLVMValueRef *in)
{
    LLVMValueRef all = ir_concat(e, in, s->count);
    unsigned n = part_length(s);
    int index[PART_BYTES];

    assert(s->count >= 1 && s->step >= s->count);
    for (unsigned i = 0; i < part_count(s); i++) {
        for (unsigned j = 0; j < n; j++) {
            unsigned lane = (i * n + j) / s->step, c = (i * n + j) % s->step;
            bool is_ours = lane < s->lanes && c < s->count;
            index[j] = is_ours ? (int)(c * s->lanes + lane) : -1;
        }
        LLVMValueRef v = ir_shuffle(e, all, NULL, index, n);
        LLVMValueRef p = ir_offset(e, pointer, (int64_t)i * PART_BYTES);
        LLVMValueRef args[] = {v, p, part_mask(e, s, i * n)};
        masked_call(e, s, "llvm.masked.store", LLVMTypeOf(v), args, 1);
    }
}

void emit_load_strided(struct emit *e, const struct emit_strided *s,
                       LLVMTypeRef element, LLVMValueRef pointer,
                       LLVMValueRef *out)
{
    LLVMTypeRef t = LLVMVectorType(element, part_length(s));
    LLVMValueRef v[EMIT_MAX_LANES];
    int index[EMIT_MAX_LANES];
    unsigned parts = 1;

    assert(s->count >= 1 && s->step >= s->count);
    for (unsigned i = 0; i < part_count(s); i++) {
        LLVMValueRef p = ir_offset(e, pointer, (int64_t)i * PART_BYTES);
        LLVMValueRef args[] = {p, part_mask(e, s, i * part_length(s)),
                               LLVMConstNull(t)};
        v[i] = masked_call(e, s, "llvm.masked.load", t, args, 0);
    }
    while (parts < part_count(s))
        parts *= 2;
    for (unsigned i = part_count(s); i < parts; i++)
        v[i] = LLVMGetUndef(t);
    LLVMValueRef all = ir_concat(e, v, parts);
    for (unsigned c = 0; c < s->count; c++) {
        for (unsigned lane = 0; lane < s->lanes; lane++)
            index[lane] = (int)(s->step * lane + c);
        out[c] = ir_shuffle(e, all, NULL, index, s->lanes);
    }
}
