/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps LLVM 22 from two wrong translations for AVX-512.
 *
 * LLVM folds
 *     select(mask, logic(a, b, memory), a)
 * into one masked vpternlog, and permutes the truth table the wrong way when
 * the operand in memory stood first: with a = r2, b = ~r2 & r3 and a constant
 * c in memory, (a & c) | (b & ~c) comes out as a ^ (b & (a ^ c)). A select of
 * the same bits as floating-point numbers is not folded; it costs one masked
 * move. tests/fuzz/cases/masked-logic.ptx shows the case.
 *
 * A scalar maximumnum or minimumnum with one operand that is known to be a
 * number is translated as maximum or minimum, which return the NaN of the other
 * operand. An arithmetic fence hides what is known of the operands.
 * tests/fuzz/cases/maximum-of-one-value.ptx shows the case.
 */
#include "codegen/codegen.h"

/* ---- masked logic ------------------------------------------------------ */

static bool is_logic(LLVMValueRef v)
{
    if (!LLVMIsAInstruction(v))
        return false;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        return true;
    default:
        return false;
    }
}

/* The floating-point vector of the same size, or NULL. */
static LLVMTypeRef float_twin(LLVMTypeRef type)
{
    LLVMContextRef cx = LLVMGetTypeContext(type);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return NULL;
    LLVMTypeRef element = LLVMGetElementType(type);
    unsigned lanes = LLVMGetVectorSize(type);
    if (LLVMGetTypeKind(element) != LLVMIntegerTypeKind)
        return NULL;
    switch (LLVMGetIntTypeWidth(element)) {
    case 32:
        return LLVMVectorType(LLVMFloatTypeInContext(cx), lanes);
    case 64:
        return LLVMVectorType(LLVMDoubleTypeInContext(cx), lanes);
    default:
        return NULL;
    }
}

static bool is_blend(LLVMValueRef in)
{
    if (LLVMGetInstructionOpcode(in) != LLVMSelect)
        return false;
    LLVMTypeRef condition = LLVMTypeOf(LLVMGetOperand(in, 0));
    return LLVMGetTypeKind(condition) == LLVMVectorTypeKind &&
           float_twin(LLVMTypeOf(in)) &&
           (is_logic(LLVMGetOperand(in, 1)) || is_logic(LLVMGetOperand(in, 2)));
}

static void rewrite_blend(LLVMBuilderRef b, LLVMValueRef select)
{
    LLVMTypeRef type = LLVMTypeOf(select), twin = float_twin(type);
    LLVMPositionBuilderBefore(b, select);
    LLVMValueRef yes = LLVMBuildBitCast(b, LLVMGetOperand(select, 1), twin, "");
    LLVMValueRef no = LLVMBuildBitCast(b, LLVMGetOperand(select, 2), twin, "");
    LLVMValueRef blend =
        LLVMBuildSelect(b, LLVMGetOperand(select, 0), yes, no, "");
    LLVMReplaceAllUsesWith(select, LLVMBuildBitCast(b, blend, type, ""));
    LLVMInstructionEraseFromParent(select);
}

/* ---- maximumnum, minimumnum -------------------------------------------- */

static bool is_scalar_extreme(LLVMValueRef in)
{
    const char *name = codegen_intrinsic_name(in);
    return name && LLVMGetTypeKind(LLVMTypeOf(in)) != LLVMVectorTypeKind &&
           (starts_with(name, "llvm.maximumnum.") ||
            starts_with(name, "llvm.minimumnum."));
}

static LLVMValueRef hide_value(LLVMBuilderRef b, LLVMModuleRef module,
                               LLVMValueRef v)
{
    static const char name[] = "llvm.arithmetic.fence";
    LLVMTypeRef type = LLVMTypeOf(v);
    unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(module, id, &type, 1);
    return LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, &v, 1, "");
}

static void hide_operands(LLVMBuilderRef b, LLVMModuleRef module,
                          LLVMValueRef in)
{
    LLVMPositionBuilderBefore(b, in);
    for (unsigned i = 0; i < 2; i++)
        LLVMSetOperand(in, i, hide_value(b, module, LLVMGetOperand(in, i)));
}

/* ---- gathers: see workaround_gathers.c --------------------------------- */

static bool is_gather(LLVMValueRef in)
{
    const char *name = codegen_intrinsic_name(in);
    return name && starts_with(name, "llvm.masked.gather.");
}

/* ------------------------------------------------------------------------ */

void codegen_work_around(LLVMModuleRef module)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb;
             bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb), next; in;
                 in = next) {
                next = LLVMGetNextInstruction(in);
                if (is_blend(in))
                    rewrite_blend(b, in);
                else if (is_scalar_extreme(in))
                    hide_operands(b, module, in);
                else if (is_gather(in))
                    codegen_set_gather(b, in);
            }
    LLVMDisposeBuilder(b);
}
