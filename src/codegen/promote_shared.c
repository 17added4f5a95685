/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a local variable of shared memory, which the optimiser then keeps in
 * registers. That is possible where one call of the kernel runs a whole block,
 * so that no other thread sees the block's shared memory, and every access to
 * it is at an address known at compile time. A tree of sums with a barrier at
 * every step becomes a few shuffles and additions, and the barriers cost
 * nothing. What would fill more than half of the registers stays in memory:
 * tiles of matrices are read faster there than spilled.
 *
 * Needs:  codegen_narrow_masked; the load of the window's address marked
 * EMIT_SHARED_NAME with the window's size, by emit/core/launch.c. Leaves: a
 * variable in place of the window, if all its uses are such accesses. It starts
 * as zeros, and later blocks find what earlier ones left there, as in the
 * window.
 */
#include "codegen/codegen.h"
#include "emit/marks.h"

enum { USES_MAX = 1024 };

struct use {
    LLVMValueRef in;
    enum codegen_masked masked;
    int64_t offset;
};

struct localising {
    LLVMTargetDataRef layout;
    LLVMValueRef window;
    int64_t bytes;
    struct use uses[USES_MAX];
    unsigned count;
};

/* ---- is every access known? -------------------------------------------- */

static bool is_inside(const struct localising *l, int64_t offset,
                      LLVMTypeRef type)
{
    uint64_t size = LLVMStoreSizeOfType(l->layout, type);
    return offset >= 0 && offset + (int64_t)size <= l->bytes;
}

static bool note_use(struct localising *l, struct use u)
{
    if (l->count == USES_MAX)
        return false;
    l->uses[l->count++] = u;
    return true;
}

static bool find_uses(struct localising *l, LLVMValueRef p, int64_t offset);

static bool follow_gep(struct localising *l, LLVMValueRef gep, int64_t offset)
{
    LLVMValueRef at = LLVMGetOperand(gep, 1);

    if (LLVMGetNumOperands(gep) != 2 || !LLVMIsAConstantInt(at))
        return false;
    int64_t size =
        (int64_t)LLVMABISizeOfType(l->layout, LLVMGetGEPSourceElementType(gep));
    return find_uses(l, gep, offset + LLVMConstIntGetSExtValue(at) * size);
}

static bool is_plain(const struct localising *l, LLVMValueRef in,
                     int64_t offset, LLVMTypeRef type)
{
    return LLVMGetOrdering(in) == LLVMAtomicOrderingNotAtomic &&
           is_inside(l, offset, type);
}

static bool look_at_use(struct localising *l, LLVMValueRef in, LLVMValueRef p,
                        int64_t offset)
{
    struct use u = {in, codegen_masked_kind(in), offset};

    if (LLVMIsAGetElementPtrInst(in))
        return LLVMGetOperand(in, 0) == p && follow_gep(l, in, offset);
    if (LLVMIsALoadInst(in))
        return is_plain(l, in, offset, LLVMTypeOf(in)) && note_use(l, u);
    if (LLVMIsAStoreInst(in)) {
        LLVMValueRef v = LLVMGetOperand(in, 0);
        return v != p && is_plain(l, in, offset, LLVMTypeOf(v)) &&
               note_use(l, u);
    }
    if (u.masked != CODEGEN_MASKED_LOAD && u.masked != CODEGEN_MASKED_STORE)
        return false;
    struct codegen_masked_access m = codegen_masked_parts(in, u.masked);
    return m.pointer == p && is_inside(l, offset, m.vector) && note_use(l, u);
}

static bool find_uses(struct localising *l, LLVMValueRef p, int64_t offset)
{
    for (LLVMUseRef use = LLVMGetFirstUse(p); use; use = LLVMGetNextUse(use))
        if (!look_at_use(l, LLVMGetUser(use), p, offset))
            return false;
    return true;
}

/* ---- the variable ------------------------------------------------------ */

/* All lanes of the variable exist, so a masked load becomes a load and a select
 * and a masked store a load, a select and a store. */
static void unmask_access(LLVMBuilderRef b, const struct use *u)
{
    struct codegen_masked_access m = codegen_masked_parts(u->in, u->masked);

    LLVMPositionBuilderBefore(b, u->in);
    LLVMValueRef old = LLVMBuildLoad2(b, m.vector, m.pointer, "");
    LLVMSetAlignment(old, m.align);
    if (u->masked == CODEGEN_MASKED_LOAD) {
        LLVMReplaceAllUsesWith(
            u->in, LLVMBuildSelect(b, m.mask, old, m.otherwise, ""));
    } else {
        LLVMValueRef v = LLVMBuildSelect(b, m.mask, m.value, old, "");
        LLVMSetAlignment(LLVMBuildStore(b, v, m.pointer), m.align);
    }
    LLVMInstructionEraseFromParent(u->in);
}

static void make_variable(struct localising *l, LLVMValueRef function)
{
    LLVMContextRef cx = LLVMGetTypeContext(LLVMTypeOf(function));
    LLVMTypeRef i8 = LLVMInt8TypeInContext(cx);
    LLVMTypeRef i64 = LLVMInt64TypeInContext(cx);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(cx);

    for (unsigned i = 0; i < l->count; i++) {
        if (l->uses[i].masked != CODEGEN_MASKED_NONE)
            unmask_access(b, &l->uses[i]);
        else
            LLVMSetVolatile(l->uses[i].in, 0);
    }
    LLVMValueRef first =
        LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    LLVMPositionBuilderBefore(b, first);
    LLVMValueRef variable =
        LLVMBuildAlloca(b, LLVMArrayType2(i8, (uint64_t)l->bytes), "shared");
    LLVMSetAlignment(variable, 64);
    LLVMBuildMemSet(b, variable, LLVMConstInt(i8, 0, 0),
                    LLVMConstInt(i64, (uint64_t)l->bytes, 0), 64);
    LLVMReplaceAllUsesWith(l->window, variable);
    LLVMInstructionEraseFromParent(l->window);
    LLVMDisposeBuilder(b);
}

/* ---- finding it -------------------------------------------------------- */

/* The size of the window whose address `in` loads; 0: it does not. */
static int64_t window_bytes(LLVMValueRef in, unsigned kind)
{
    LLVMValueRef node = LLVMIsALoadInst(in) ? LLVMGetMetadata(in, kind) : NULL;
    LLVMValueRef size;

    if (!node || LLVMGetMDNodeNumOperands(node) != 1)
        return 0;
    LLVMGetMDNodeOperands(node, &size);
    return LLVMIsAConstantInt(size) ? LLVMConstIntGetSExtValue(size) : 0;
}

static bool promote_window(LLVMModuleRef module, LLVMValueRef function,
                           LLVMValueRef window, int64_t bytes)
{
    struct localising l = {.layout = LLVMGetModuleDataLayout(module),
                           .window = window,
                           .bytes = bytes};

    if (!find_uses(&l, window, 0))
        return false;
    make_variable(&l, function);
    return true;
}

static int64_t half_of_registers(const struct jit_target *target)
{
    return (target->has_avx512 ? 32 : 16) * (int64_t)target->vector_bytes / 2;
}

bool codegen_promote_shared(const struct jit_target *target,
                            LLVMModuleRef module)
{
    static const char name[] = EMIT_SHARED_NAME;
    unsigned kind = LLVMGetMDKindIDInContext(LLVMGetModuleContext(module), name,
                                             sizeof name - 1);

    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb;
             bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in;
                 in = LLVMGetNextInstruction(in)) {
                int64_t bytes = window_bytes(in, kind);
                if (bytes > 0)
                    return bytes <= half_of_registers(target) &&
                           promote_window(module, f, in, bytes);
            }
    return false;
}
