/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vector operations that the target has no instruction for, as loops. LLVM
 * would unroll each into a branch or a call per lane: a kernel with a hundred
 * scatters takes seconds to compile for AVX2 and grows to half a megabyte.
 * Here each becomes a call of one small function with a loop over the lanes
 * that take part; operands go through memory.
 *
 * Runs after all optimisation, since those passes know the operations.
 */
#include "codegen/codegen.h"

#include <stdio.h>

#define MAX_LANES    64
#define MAX_BUFFERS  32
#define MAX_OPERANDS 3

/* ---- which -------------------------------------------------------------- */

enum shape {
    SHAPE_GATHER,  /* result = gather(pointers, mask, otherwise) */
    SHAPE_SCATTER, /* scatter(values, pointers, mask) */
    SHAPE_LOAD,    /* result = load_value(pointer, mask, otherwise) */
    SHAPE_STORE,   /* store_value(values, pointer, mask) */
    SHAPE_FMA,     /* result = fma(a, b, c) */
};

static unsigned element_bytes(LLVMTypeRef vector)
{
    LLVMTypeRef t = LLVMGetElementType(vector);
    switch (LLVMGetTypeKind(t)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(t) / 8;
    case LLVMFloatTypeKind:
        return 4;
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
        return 2;
    default:
        return 8; /* double, pointers */
    }
}

static bool is_native(const struct jit_target *t, enum shape shape,
                      unsigned bytes)
{
    if (t->has_avx512)
        return true;
    switch (shape) {
    case SHAPE_SCATTER:
    case SHAPE_GATHER: /* LLVM takes AVX2's for too slow to use */
        return false;
    case SHAPE_FMA:
        return t->has_fma;
    default:
        return t->has_avx2 && bytes >= 4;
    }
}

const char *codegen_intrinsic_name(LLVMValueRef in)
{
    size_t length;

    if (!LLVMIsACallInst(in))
        return NULL;
    LLVMValueRef callee = LLVMGetCalledValue(in);
    return LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee)
               ? LLVMGetValueName2(callee, &length)
               : NULL;
}

static bool find_shape(LLVMValueRef in, enum shape *out)
{
    static const enum shape of_masked[] = {
        [CODEGEN_MASKED_LOAD] = SHAPE_LOAD,
        [CODEGEN_MASKED_STORE] = SHAPE_STORE,
        [CODEGEN_MASKED_GATHER] = SHAPE_GATHER,
        [CODEGEN_MASKED_SCATTER] = SHAPE_SCATTER,
    };
    enum codegen_masked kind = codegen_masked_kind(in);
    const char *name = codegen_intrinsic_name(in);

    *out = kind == CODEGEN_MASKED_NONE ? SHAPE_FMA : of_masked[kind];
    return kind != CODEGEN_MASKED_NONE ||
           (name && starts_with(name, "llvm.fma.v"));
}

/* ---- the loops ---------------------------------------------------------- */

struct lowering {
    const struct jit_target *target;
    LLVMModuleRef module;
    LLVMContextRef cx;
    LLVMBuilderRef b;
    LLVMTypeRef i64, ptr, voidt;
    /* Memory of the function at hand, for operands. */
    LLVMValueRef function;
    LLVMValueRef buffers[MAX_BUFFERS];
    unsigned buffer_count;
};

static LLVMValueRef number_of(struct lowering *l, uint64_t n)
{
    return LLVMConstInt(l->i64, n, false);
}

static LLVMValueRef call_intrinsic(struct lowering *l, const char *name,
                                   LLVMTypeRef type, LLVMValueRef *args,
                                   unsigned count)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(l->module, id, &type, 1);
    return LLVMBuildCall2(l->b, LLVMGlobalGetValueType(f), f, args, count, "");
}

static LLVMValueRef load_value(struct lowering *l, LLVMTypeRef t,
                               LLVMValueRef from)
{
    LLVMValueRef v = LLVMBuildLoad2(l->b, t, from, "");
    LLVMSetAlignment(v, 1);
    return v;
}

static void store_value(struct lowering *l, LLVMValueRef v, LLVMValueRef to)
{
    LLVMSetAlignment(LLVMBuildStore(l->b, v, to), 1);
}

static LLVMValueRef element_at(struct lowering *l, LLVMTypeRef t,
                               LLVMValueRef base, LLVMValueRef lane)
{
    return LLVMBuildGEP2(l->b, t, base, &lane, 1, "");
}

/* Emits the operation for one lane. p: the helper's pointers, two, or three for
 * fma. */
static void one_lane(struct lowering *l, enum shape shape, LLVMTypeRef t,
                     LLVMValueRef *p, LLVMValueRef lane)
{
    switch (shape) {
    case SHAPE_GATHER:
        store_value(
            l,
            load_value(
                l, t, load_value(l, l->ptr, element_at(l, l->ptr, p[0], lane))),
            element_at(l, t, p[1], lane));
        break;
    case SHAPE_SCATTER:
        store_value(l, load_value(l, t, element_at(l, t, p[1], lane)),
                    load_value(l, l->ptr, element_at(l, l->ptr, p[0], lane)));
        break;
    case SHAPE_LOAD:
        store_value(l, load_value(l, t, element_at(l, t, p[0], lane)),
                    element_at(l, t, p[1], lane));
        break;
    case SHAPE_STORE:
        store_value(l, load_value(l, t, element_at(l, t, p[1], lane)),
                    element_at(l, t, p[0], lane));
        break;
    case SHAPE_FMA: {
        LLVMValueRef args[MAX_OPERANDS];
        for (int i = 0; i < MAX_OPERANDS; i++)
            args[i] = load_value(l, t, element_at(l, t, p[i], lane));
        store_value(l, call_intrinsic(l, "llvm.fma", t, args, MAX_OPERANDS),
                    element_at(l, t, p[2], lane));
        break;
    }
    }
}

/* for (bits = mask; bits; bits &= bits - 1) one_lane(lowest bit) */
static void build_loop(struct lowering *l, LLVMValueRef f, enum shape shape,
                       LLVMTypeRef t, LLVMValueRef *p, LLVMValueRef mask)
{
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(l->cx, f, "entry");
    LLVMBasicBlockRef body = LLVMAppendBasicBlockInContext(l->cx, f, "lane");
    LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(l->cx, f, "done");
    LLVMValueRef zero = number_of(l, 0);

    LLVMPositionBuilderAtEnd(l->b, entry);
    LLVMBuildCondBr(l->b, LLVMBuildICmp(l->b, LLVMIntEQ, mask, zero, ""), done,
                    body);

    LLVMPositionBuilderAtEnd(l->b, body);
    LLVMValueRef bits = LLVMBuildPhi(l->b, l->i64, "bits");
    LLVMValueRef args[] = {
        bits, LLVMConstInt(LLVMInt1TypeInContext(l->cx), 1, false)};
    one_lane(l, shape, t, p, call_intrinsic(l, "llvm.cttz", l->i64, args, 2));
    LLVMValueRef rest = LLVMBuildAnd(
        l->b, bits, LLVMBuildSub(l->b, bits, number_of(l, 1), ""), "");
    LLVMBuildCondBr(l->b, LLVMBuildICmp(l->b, LLVMIntEQ, rest, zero, ""), done,
                    body);
    LLVMValueRef values[] = {mask, rest};
    LLVMBasicBlockRef blocks[] = {entry, body};
    LLVMAddIncoming(bits, values, blocks, 2);

    LLVMPositionBuilderAtEnd(l->b, done);
    LLVMBuildRetVoid(l->b);
}

/* The helper function for an operation and element type, made at the first
 * call: void (pointer, pointer[, pointer], i64 mask). */
static LLVMValueRef lane_helper(struct lowering *l, enum shape shape,
                                LLVMTypeRef t)
{
    char name[64], *type_name = LLVMPrintTypeToString(t);
    snprintf(name, sizeof name, "weft.lanes.%d.%s", shape, type_name);
    LLVMDisposeMessage(type_name);
    LLVMValueRef f = LLVMGetNamedFunction(l->module, name);
    if (f)
        return f;

    unsigned pointers = shape == SHAPE_FMA ? 3 : 2;
    LLVMTypeRef params[MAX_OPERANDS + 1] = {l->ptr, l->ptr, l->ptr};
    params[pointers] = l->i64;
    f = LLVMAddFunction(
        l->module, name,
        LLVMFunctionType(l->voidt, params, pointers + 1, false));
    LLVMSetLinkage(f, LLVMInternalLinkage);
    codegen_target_apply_function(l->target, f);

    LLVMValueRef p[MAX_OPERANDS];
    for (unsigned i = 0; i < pointers; i++)
        p[i] = LLVMGetParam(f, i);
    build_loop(l, f, shape, t, p, LLVMGetParam(f, pointers));
    return f;
}

/* ---- the calls ---------------------------------------------------------- */

/* The function's n-th buffer for vectors of a type. Calls share the buffers:
 * each fills them before and reads them after. NULL: too many types. */
static LLVMValueRef lane_buffer(struct lowering *l, LLVMTypeRef type,
                                unsigned n)
{
    for (unsigned i = 0; i < l->buffer_count; i++)
        if (LLVMGetAllocatedType(l->buffers[i]) == type && !n--)
            return l->buffers[i];
    if (l->buffer_count == MAX_BUFFERS)
        return NULL;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(l->b);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(l->function);
    LLVMPositionBuilderBefore(l->b, LLVMGetFirstInstruction(entry));
    LLVMValueRef a = LLVMBuildAlloca(l->b, type, "lanes");
    LLVMPositionBuilderAtEnd(l->b, here);
    l->buffers[l->buffer_count++] = a;
    return a;
}

static LLVMValueRef wide_mask(struct lowering *l, LLVMValueRef mask)
{
    unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(mask));
    LLVMTypeRef narrow = LLVMIntTypeInContext(l->cx, lanes);
    LLVMValueRef bits = LLVMBuildBitCast(l->b, mask, narrow, "");
    return LLVMBuildZExt(l->b, bits, l->i64, "");
}

/* The operands of a call in the helper's order, vectors as buffers. */
struct operands {
    LLVMValueRef pass[MAX_OPERANDS + 1]; /* to the helper */
    LLVMValueRef value[MAX_OPERANDS];    /* vectors to put into buffers */
    unsigned count;                      /* without the mask */
    LLVMValueRef mask;                   /* vector, or NULL: all lanes */
    LLVMTypeRef vector;                  /* of the values */
    int result;                          /* operand that returns it, or -1 */
};

static struct operands take_apart(LLVMValueRef call, enum shape shape)
{
    LLVMValueRef a = LLVMGetOperand(call, 0), b = LLVMGetOperand(call, 1),
                 c = LLVMGetOperand(call, 2);
    struct operands o = {.count = 2, .result = -1};
    switch (shape) {
    case SHAPE_GATHER:
        o.value[0] = a, o.value[1] = c, o.mask = b, o.result = 1;
        break;
    case SHAPE_SCATTER:
        o.value[0] = b, o.value[1] = a, o.mask = c;
        break;
    case SHAPE_LOAD:
        o.pass[0] = a, o.value[1] = c, o.mask = b, o.result = 1;
        break;
    case SHAPE_STORE:
        o.pass[0] = b, o.value[1] = a, o.mask = c;
        break;
    case SHAPE_FMA:
        o.value[0] = a, o.value[1] = b, o.value[2] = c;
        o.count = 3, o.result = 2;
        break;
    }
    o.vector = LLVMTypeOf(o.value[1]);
    return o;
}

static bool is_lowered(const struct lowering *l, const struct operands *o,
                       enum shape shape)
{
    return LLVMGetVectorSize(o->vector) <= MAX_LANES &&
           !is_native(l->target, shape, element_bytes(o->vector));
}

/* Buffers for the vectors; false if there are too many. Operands of one type
 * get one each. */
static bool find_buffers(struct lowering *l, struct operands *o)
{
    for (unsigned i = 0; i < o->count; i++) {
        unsigned same = 0;
        if (!o->value[i])
            continue;
        LLVMTypeRef type = LLVMTypeOf(o->value[i]);
        for (unsigned j = 0; j < i; j++)
            same += o->value[j] && LLVMTypeOf(o->value[j]) == type;
        o->pass[i] = lane_buffer(l, type, same);
        if (!o->pass[i])
            return false;
    }
    return true;
}

static void lower_call(struct lowering *l, LLVMValueRef call, enum shape shape)
{
    struct operands o = take_apart(call, shape);
    if (!is_lowered(l, &o, shape) || !find_buffers(l, &o))
        return;
    unsigned lanes = LLVMGetVectorSize(o.vector);
    LLVMPositionBuilderBefore(l->b, call);
    for (unsigned i = 0; i < o.count; i++)
        if (o.value[i])
            store_value(l, o.value[i], o.pass[i]);
    o.pass[o.count] =
        o.mask ? wide_mask(l, o.mask)
               : number_of(l, lanes == 64 ? UINT64_MAX
                                          : (UINT64_C(1) << lanes) - 1);

    LLVMBasicBlockRef here = LLVMGetInstructionParent(call);
    LLVMValueRef f = lane_helper(l, shape, LLVMGetElementType(o.vector));
    LLVMPositionBuilder(l->b, here, call);
    LLVMBuildCall2(l->b, LLVMGlobalGetValueType(f), f, o.pass, o.count + 1, "");
    if (o.result >= 0)
        LLVMReplaceAllUsesWith(call, load_value(l, o.vector, o.pass[o.result]));
    LLVMInstructionEraseFromParent(call);
}

static void lower_function(struct lowering *l, LLVMValueRef function)
{
    l->function = function;
    l->buffer_count = 0;
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(function); bb;
         bb = LLVMGetNextBasicBlock(bb)) {
        LLVMValueRef next;
        for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in; in = next) {
            next = LLVMGetNextInstruction(in);
            enum shape shape;
            if (!find_shape(in, &shape))
                continue;
            LLVMPositionBuilderAtEnd(l->b, bb);
            lower_call(l, in, shape);
        }
    }
}

void codegen_lower(const struct jit_target *target, LLVMModuleRef module)
{
    if (target->has_avx512)
        return;
    LLVMContextRef cx = LLVMGetModuleContext(module);
    struct lowering l = {
        .target = target,
        .module = module,
        .cx = cx,
        .b = LLVMCreateBuilderInContext(cx),
        .i64 = LLVMInt64TypeInContext(cx),
        .ptr = LLVMPointerTypeInContext(cx, 0),
        .voidt = LLVMVoidTypeInContext(cx),
    };
    /* Helpers are added behind `last`, and need no lowering. */
    LLVMValueRef last = LLVMGetLastFunction(module);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f))
            lower_function(&l, f);
        if (f == last)
            break;
    }
    LLVMDisposeBuilder(l.b);
}
