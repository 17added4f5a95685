/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels in which the machine flushes subnormals: the entry turns that on
 * around the body. simt/plan/flush_mode.c says which kernels these are.
 */
#include "emit/core/control.h"
#include "emit/core/launch.h"

/* FTZ, DAZ, and all exceptions masked. */
enum { FLUSHING_MXCSR = 0x9fc0, USUAL_MXCSR = 0x1f80 };

/* ---- the entry --------------------------------------------------------- */

static void set_mode(struct emit *e, unsigned mxcsr)
{
    LLVMValueRef place = LLVMBuildAlloca(e->b, e->i32, "");

    ir_store(e, LLVMConstInt(e->i32, mxcsr, 0), place, 4);
    ir_intrinsic(e, "llvm.x86.sse.ldmxcsr", NULL, 0, &place, 1);
}

void emit_flush_mode_entry(struct emit *e, LLVMValueRef body)
{
    LLVMTypeRef type = LLVMFunctionType(e->voidt, &e->ptr, 1, 0);
    LLVMValueRef fn = LLVMAddFunction(e->module, WEFT_ENTRY_NAME, type);
    LLVMValueRef warp = LLVMGetParam(fn, 0);
    unsigned noinline = LLVMGetEnumAttributeKindForName("noinline", 8);

    assert(e->flushes);
    LLVMSetLinkage(body, LLVMInternalLinkage);
    LLVMAddAttributeAtIndex(body,
                            (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(e->cx, noinline, 0));
    emit_attributes_of_all(e, fn);
    LLVMPositionBuilderAtEnd(e->b,
                             LLVMAppendBasicBlockInContext(e->cx, fn, ""));
    set_mode(e, FLUSHING_MXCSR);
    LLVMBuildCall2(e->b, type, body, &warp, 1, "");
    set_mode(e, USUAL_MXCSR);
    LLVMBuildRetVoid(e->b);
}
