/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Another bug of LLVM 22's (see workarounds.c): it may give a gather one
 * register for its result and its addresses, which is an illegal instruction,
 * if the addresses are undefined. LLVM cuts a gather into parts of a register
 * each, and in a block of few threads all addresses of a part may be those of
 * lanes that do not exist. Here such addresses become zeros.
 * tests/kernels/lanes-that-do-not-exist.ptx shows the case.
 */
#include "codegen/codegen.h"

/* A part has 8 addresses or more. */
enum { MAX_LANES = 64, PART = 8, MAX_DEPTH = 12, MAX_STEPS = 200 };

struct search {
    unsigned lanes, depth, steps;
};

static uint64_t all_lanes(const struct search *s)
{
    return s->lanes == MAX_LANES ? UINT64_MAX : (UINT64_C(1) << s->lanes) - 1;
}

static bool has_lanes(LLVMValueRef v, unsigned lanes)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    return LLVMGetTypeKind(t) == LLVMVectorTypeKind &&
           LLVMGetVectorSize(t) == lanes;
}

static uint64_t find_unset(struct search *s, LLVMValueRef v);

static uint64_t unset_of_constant(const struct search *s, LLVMValueRef v)
{
    uint64_t lanes = 0;
    if (LLVMIsUndef(v))
        return all_lanes(s);
    if (!LLVMIsAConstantVector(v))
        return 0;
    for (unsigned i = 0; i < s->lanes; i++)
        if (LLVMIsUndef(LLVMGetAggregateElement(v, i)))
            lanes |= UINT64_C(1) << i;
    return lanes;
}

static uint64_t unset_of_shuffle(struct search *s, LLVMValueRef v)
{
    LLVMValueRef from[] = {LLVMGetOperand(v, 0), LLVMGetOperand(v, 1)};
    uint64_t of[2] = {0}, lanes = 0;
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(from[0]));
    for (int i = 0; i < 2; i++)
        if (n == s->lanes)
            of[i] = find_unset(s, from[i]);
        else if (LLVMIsUndef(from[i]))
            of[i] = UINT64_MAX;
    for (unsigned i = 0; i < s->lanes; i++) {
        int at = LLVMGetMaskValue(v, i);
        if (at < 0 || (at < (int)(2 * n) && at % (int)n < MAX_LANES &&
                       of[at / (int)n] >> at % (int)n & 1))
            lanes |= UINT64_C(1) << i;
    }
    return lanes;
}

static uint64_t unset_of_insert(struct search *s, LLVMValueRef v)
{
    LLVMValueRef at = LLVMGetOperand(v, 2);
    if (!LLVMIsAConstantInt(at) || LLVMConstIntGetZExtValue(at) >= s->lanes)
        return 0;
    uint64_t bit = UINT64_C(1) << LLVMConstIntGetZExtValue(at);
    uint64_t lanes = find_unset(s, LLVMGetOperand(v, 0)) & ~bit;
    return LLVMIsUndef(LLVMGetOperand(v, 1)) ? lanes | bit : lanes;
}

/* The lanes that are unset in both values of a select. */
static uint64_t unset_in_both(struct search *s, LLVMValueRef v)
{
    uint64_t lanes = find_unset(s, LLVMGetOperand(v, 1));
    return lanes ? lanes & find_unset(s, LLVMGetOperand(v, 2)) : 0;
}

static uint64_t unset_in_all(struct search *s, LLVMValueRef phi)
{
    uint64_t lanes = all_lanes(s);
    for (unsigned i = 0; lanes && i < LLVMCountIncoming(phi); i++)
        if (LLVMGetIncomingValue(phi, i) != phi)
            lanes &= find_unset(s, LLVMGetIncomingValue(phi, i));
    return lanes;
}

static uint64_t unset_in_any(struct search *s, LLVMValueRef v)
{
    uint64_t lanes = 0;
    for (int i = 0; i < LLVMGetNumOperands(v); i++)
        if (has_lanes(LLVMGetOperand(v, (unsigned)i), s->lanes))
            lanes |= find_unset(s, LLVMGetOperand(v, (unsigned)i));
    return lanes;
}

static uint64_t unset_of_instruction(struct search *s, LLVMValueRef v)
{
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMShuffleVector:
        return unset_of_shuffle(s, v);
    case LLVMInsertElement:
        return unset_of_insert(s, v);
    case LLVMSelect:
        return unset_in_both(s, v);
    case LLVMPHI:
        return unset_in_all(s, v);
    case LLVMLoad:
    case LLVMCall:
    case LLVMFreeze:
        return 0;
    default:
        return unset_in_any(s, v);
    }
}

/* The lanes of v that LLVM may find to have no value. */
static uint64_t find_unset(struct search *s, LLVMValueRef v)
{
    if (!has_lanes(v, s->lanes))
        return 0;
    if (LLVMIsConstant(v))
        return unset_of_constant(s, v);
    if (!LLVMIsAInstruction(v) || s->depth == MAX_DEPTH ||
        ++s->steps > MAX_STEPS)
        return 0;
    s->depth++;
    uint64_t lanes = unset_of_instruction(s, v);
    s->depth--;
    return lanes;
}

static bool has_whole_part(const struct search *s, uint64_t lanes)
{
    for (unsigned i = 0; i < s->lanes; i += PART) {
        uint64_t part = all_lanes(s) & (UINT64_C(0xff) << i);
        if ((lanes & part) == part)
            return true;
    }
    return false;
}

static LLVMValueRef set_lanes(LLVMBuilderRef b, LLVMValueRef v, unsigned lanes,
                              uint64_t unset)
{
    LLVMTypeRef i1 = LLVMInt1TypeInContext(LLVMGetTypeContext(LLVMTypeOf(v)));
    LLVMValueRef bit[MAX_LANES];
    for (unsigned i = 0; i < lanes; i++)
        bit[i] = LLVMConstInt(i1, unset >> i & 1, false);
    return LLVMBuildSelect(b, LLVMConstVector(bit, lanes),
                           LLVMConstNull(LLVMTypeOf(v)), v, "");
}

void codegen_set_gather(LLVMBuilderRef b, LLVMValueRef gather)
{
    LLVMValueRef p = LLVMGetOperand(gather, 0);
    struct search s = {.lanes = LLVMGetVectorSize(LLVMTypeOf(p))};
    if (s.lanes > MAX_LANES)
        return;
    uint64_t lanes = find_unset(&s, p);
    if (!has_whole_part(&s, lanes))
        return;
    LLVMPositionBuilderBefore(b, gather);
    LLVMSetOperand(gather, 0, set_lanes(b, p, s.lanes, lanes));
}
