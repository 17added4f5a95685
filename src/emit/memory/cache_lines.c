/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prefetches of whole lines.
 */
#include "emit/memory/memory.h"

enum { LINE_BYTES = 64 };

void emit_prefetch_lines(struct emit *e, LLVMValueRef p, int64_t bytes,
                         enum emit_nearness near)
{
    assert(LLVMTypeOf(p) == e->ptr);
    for (int64_t at = 0; at < bytes; at += LINE_BYTES) {
        LLVMValueRef args[] = {ir_offset(e, p, at), LLVMConstInt(e->i32, 0, 0),
                               LLVMConstInt(e->i32, near, 0),
                               LLVMConstInt(e->i32, 1, 0)};
        ir_intrinsic(e, "llvm.prefetch", &e->ptr, 1, args, 4);
    }
}
