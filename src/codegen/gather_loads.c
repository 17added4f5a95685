/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gathers of all lanes as loads of their elements, where the processor's own
 * gather takes longer: its offsets leave the vector by twos, as whole words of
 * the machine, and the elements are put together by loads into registers.
 *
 * Runs after all optimisation, since those passes know gathers.
 */
#include "codegen/codegen.h"

/* Lanes of a gather, and loads of a function: those of a sampler with a hundred
 * gathers would take as long to compile as all else. What comes first in a
 * function is what emit thinks likely. */
enum { LANES_MAX = 64, LOADS_MAX = 512 };

struct gather_loads {
    LLVMContextRef cx;
    LLVMBuilderRef b;
    LLVMTypeRef i32, i64;
    unsigned spare; /* loads that the function may still have */
};

/* The gather's one base, and offsets of 32 bits in units of a type. */
struct offsets {
    LLVMValueRef base, offset;
    LLVMTypeRef unit;
    bool is_signed;
    unsigned lanes;
};

static bool are_all_lanes(LLVMValueRef mask)
{
    return LLVMIsAConstant(mask) && LLVMIsConstant(mask) &&
           mask == LLVMConstAllOnes(LLVMTypeOf(mask));
}

/* False: the pointers are of another kind. */
static bool find_offsets(const struct gather_loads *g, LLVMValueRef pointers,
                         struct offsets *o)
{
    if (!LLVMIsAGetElementPtrInst(pointers) ||
        LLVMGetNumOperands(pointers) != 2)
        return false;
    o->unit = LLVMGetGEPSourceElementType(pointers);
    o->base = LLVMGetOperand(pointers, 0);
    o->offset = LLVMGetOperand(pointers, 1);
    if (LLVMGetTypeKind(LLVMTypeOf(o->base)) != LLVMPointerTypeKind ||
        LLVMIsConstant(o->offset))
        return false;
    o->is_signed = !LLVMIsAZExtInst(o->offset);
    if (!o->is_signed || LLVMIsASExtInst(o->offset))
        o->offset = LLVMGetOperand(o->offset, 0);
    o->lanes = LLVMGetVectorSize(LLVMTypeOf(o->offset));
    return LLVMGetElementType(LLVMTypeOf(o->offset)) == g->i32 &&
           o->lanes % 2 == 0 && o->lanes <= LANES_MAX;
}

static LLVMValueRef lane_number(const struct gather_loads *g, unsigned i)
{
    return LLVMConstInt(g->i32, i, 0);
}

/* Lane `lane`'s offset in 64 bits. */
static LLVMValueRef offset_of(const struct gather_loads *g,
                              const struct offsets *o, LLVMValueRef pairs,
                              unsigned lane)
{
    LLVMValueRef half = LLVMConstInt(g->i64, 32, 0);
    LLVMValueRef pair =
        LLVMBuildExtractElement(g->b, pairs, lane_number(g, lane / 2), "");
    if (lane % 2)
        return o->is_signed ? LLVMBuildAShr(g->b, pair, half, "")
                            : LLVMBuildLShr(g->b, pair, half, "");
    LLVMValueRef low = LLVMBuildTrunc(g->b, pair, g->i32, "");
    return o->is_signed ? LLVMBuildSExt(g->b, low, g->i64, "")
                        : LLVMBuildZExt(g->b, low, g->i64, "");
}

static void load_lanes(const struct gather_loads *g,
                       const struct codegen_masked_access *m,
                       const struct offsets *o)
{
    LLVMTypeRef element = LLVMGetElementType(m->vector);
    LLVMTypeRef words = LLVMVectorType(g->i64, o->lanes / 2);
    LLVMValueRef v = LLVMGetPoison(m->vector);
    LLVMValueRef pairs = LLVMBuildBitCast(g->b, o->offset, words, "");
    for (unsigned i = 0; i < o->lanes; i++) {
        LLVMValueRef at = offset_of(g, o, pairs, i);
        LLVMValueRef p = LLVMBuildGEP2(g->b, o->unit, o->base, &at, 1, "");
        LLVMValueRef one = LLVMBuildLoad2(g->b, element, p, "");
        LLVMSetAlignment(one, m->align);
        codegen_copy_alias(g->cx, m->in, one);
        v = LLVMBuildInsertElement(g->b, v, one, lane_number(g, i), "");
    }
    LLVMReplaceAllUsesWith(m->in, v);
    LLVMInstructionEraseFromParent(m->in);
}

static void load_gathered(struct gather_loads *g, LLVMValueRef in)
{
    struct offsets o;
    if (codegen_masked_kind(in) != CODEGEN_MASKED_GATHER)
        return;
    struct codegen_masked_access m =
        codegen_masked_parts(in, CODEGEN_MASKED_GATHER);
    if (!are_all_lanes(m.mask) || !find_offsets(g, m.pointer, &o))
        return;
    if (o.lanes > g->spare)
        return;
    g->spare -= o.lanes;
    LLVMPositionBuilderBefore(g->b, in);
    load_lanes(g, &m, &o);
}

void codegen_load_gathered(const struct jit_target *target,
                           LLVMModuleRef module)
{
    if (!target->gathers_slowly)
        return;
    LLVMContextRef cx = LLVMGetModuleContext(module);
    struct gather_loads g = {
        .cx = cx,
        .b = LLVMCreateBuilderInContext(cx),
        .i32 = LLVMInt32TypeInContext(cx),
        .i64 = LLVMInt64TypeInContext(cx),
    };
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f)) {
        g.spare = LOADS_MAX;
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb;
             bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb), next; in;
                 in = next) {
                next = LLVMGetNextInstruction(in);
                load_gathered(&g, in);
            }
    }
    LLVMDisposeBuilder(g.b);
}
