/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that do the work of matrix operations, and calls of them.
 */
#include "emit/core/launch.h"
#include "emit/matrix/matrix.h"

/* A calling convention that passes 16 vectors in registers instead of 8, if
 * there are 32. (With 16 registers none would be left.) */
static unsigned vector_convention(struct emit *e)
{
    return e->target->has_avx512 ? LLVMX86RegCallCallConv : LLVMCCallConv;
}

LLVMValueRef emit_matrix_function(struct emit *e, const char *name,
                                  LLVMTypeRef type)
{
    unsigned noinline = LLVMGetEnumAttributeKindForName("noinline", 8);
    LLVMValueRef fn = LLVMAddFunction(e->module, name, type);

    LLVMSetLinkage(fn, LLVMInternalLinkage);
    LLVMSetFunctionCallConv(fn, vector_convention(e));
    emit_attributes_of_all(e, fn);
    LLVMAddAttributeAtIndex(fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(e->cx, noinline, 0));
    return fn;
}

LLVMValueRef emit_call_matrix(struct emit *e, LLVMValueRef fn,
                              LLVMValueRef *args, unsigned count)
{
    assert(count == LLVMCountParams(fn));
    LLVMValueRef call =
        LLVMBuildCall2(e->b, LLVMGlobalGetValueType(fn), fn, args, count, "");
    LLVMSetInstructionCallConv(call, vector_convention(e));
    return call;
}
