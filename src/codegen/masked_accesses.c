/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accesses whose mask is a constant, once the optimiser has found that out:
 * code for the first n threads of a block, or for one. A masked access of
 * lanes that lie side by side becomes a plain access of just those lanes: the
 * processor forwards what was stored to a load of the same size at once, and
 * to a masked one only through the cache. A gather or scatter of few lanes
 * becomes as many scalar accesses.
 */
#include "codegen/codegen.h"

enum { LANES_MAX = 64, SCALARS_MAX = 2 };

/* ---- constant masks ---------------------------------------------------- */

/* The mask as bits, by lane. False: it is not a constant. */
static bool mask_bits(LLVMValueRef mask, uint64_t *bits)
{
    unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(mask));

    *bits = 0;
    if (!LLVMIsConstant(mask) || lanes > LANES_MAX)
        return false;
    for (unsigned i = 0; i < lanes; i++) {
        LLVMValueRef bit = LLVMGetAggregateElement(mask, i);
        if (!bit || !LLVMIsAConstantInt(bit))
            return false;
        *bits |= LLVMConstIntGetZExtValue(bit) << i;
    }
    return true;
}

/* Lanes [*first, *first + *count) and no others. */
static bool is_run(uint64_t bits, unsigned *first, unsigned *count)
{
    if (bits == 0)
        return false;
    *first = (unsigned)__builtin_ctzll(bits);
    *count = (unsigned)__builtin_popcountll(bits);
    uint64_t run = bits >> *first;
    return (run & (run + 1)) == 0;
}

enum codegen_masked codegen_masked_kind(LLVMValueRef in)
{
    static const struct {
        const char *prefix;
        enum codegen_masked kind;
    } kinds[] = {
        {"llvm.masked.load.v", CODEGEN_MASKED_LOAD},
        {"llvm.masked.store.v", CODEGEN_MASKED_STORE},
        {"llvm.masked.gather.v", CODEGEN_MASKED_GATHER},
        {"llvm.masked.scatter.v", CODEGEN_MASKED_SCATTER},
    };

    const char *name = codegen_intrinsic_name(in);
    if (!name)
        return CODEGEN_MASKED_NONE;
    for (size_t i = 0; i < ARRAY_COUNT(kinds); i++)
        if (starts_with(name, kinds[i].prefix))
            return kinds[i].kind;
    return CODEGEN_MASKED_NONE;
}

struct codegen_masked_access codegen_masked_parts(LLVMValueRef in,
                                                  enum codegen_masked kind)
{
    LLVMValueRef a = LLVMGetOperand(in, 0), b = LLVMGetOperand(in, 1),
                 c = LLVMGetOperand(in, 2);
    struct codegen_masked_access m = {.in = in};
    unsigned pointer = 0;

    if (kind == CODEGEN_MASKED_LOAD || kind == CODEGEN_MASKED_GATHER) {
        m.pointer = a, m.mask = b, m.otherwise = c;
        m.vector = LLVMTypeOf(in);
    } else {
        m.value = a, m.pointer = b, m.mask = c;
        m.vector = LLVMTypeOf(a);
        pointer = 1;
    }
    unsigned align = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAttributeRef known =
        LLVMGetCallSiteEnumAttribute(in, pointer + 1, align);
    m.align = known ? (unsigned)LLVMGetEnumAttributeValue(known) : 1;
    return m;
}

/* ---- plain accesses ---------------------------------------------------- */

struct narrowing {
    LLVMContextRef cx;
    LLVMBuilderRef b;
    LLVMTypeRef i32, i64;
};

static unsigned kind_named(LLVMContextRef cx, const char *name)
{
    return LLVMGetMDKindIDInContext(cx, name, (unsigned)strlen(name));
}

void codegen_copy_alias(LLVMContextRef cx, LLVMValueRef from, LLVMValueRef to)
{
    const unsigned kinds[] = {kind_named(cx, "alias.scope"),
                              kind_named(cx, "noalias")};

    for (size_t i = 0; i < ARRAY_COUNT(kinds); i++) {
        LLVMValueRef m = LLVMGetMetadata(from, kinds[i]);
        if (m)
            LLVMSetMetadata(to, kinds[i], m);
    }
}

static LLVMValueRef load_part(struct narrowing *n,
                              const struct codegen_masked_access *m,
                              LLVMTypeRef type, LLVMValueRef pointer)
{
    LLVMValueRef v = LLVMBuildLoad2(n->b, type, pointer, "");
    LLVMSetAlignment(v, m->align);
    codegen_copy_alias(n->cx, m->in, v);
    return v;
}

static void store_part(struct narrowing *n,
                       const struct codegen_masked_access *m, LLVMValueRef v,
                       LLVMValueRef pointer)
{
    LLVMValueRef s = LLVMBuildStore(n->b, v, pointer);
    LLVMSetAlignment(s, m->align);
    codegen_copy_alias(n->cx, m->in, s);
}

/* A vector of `lanes` in which v's lanes [first, first + count) begin at `to`;
 * its other lanes are undefined. */
static LLVMValueRef move_lanes(struct narrowing *n, LLVMValueRef v,
                               unsigned first, unsigned count, unsigned to,
                               unsigned lanes)
{
    LLVMValueRef index[LANES_MAX];

    for (unsigned i = 0; i < lanes; i++)
        index[i] = i < to || i >= to + count
                       ? LLVMGetPoison(n->i32)
                       : LLVMConstInt(n->i32, first + i - to, 0);
    return LLVMBuildShuffleVector(n->b, v, LLVMGetPoison(LLVMTypeOf(v)),
                                  LLVMConstVector(index, lanes), "");
}

static LLVMValueRef pointer_to_lane(struct narrowing *n,
                                    const struct codegen_masked_access *m,
                                    unsigned lane)
{
    LLVMValueRef index = LLVMConstInt(n->i64, lane, 0);

    return lane ? LLVMBuildGEP2(n->b, LLVMGetElementType(m->vector), m->pointer,
                                &index, 1, "")
                : m->pointer;
}

static void replace_access(LLVMValueRef in, LLVMValueRef by)
{
    if (by)
        LLVMReplaceAllUsesWith(in, by);
    LLVMInstructionEraseFromParent(in);
}

static void narrow_load(struct narrowing *n,
                        const struct codegen_masked_access *m, unsigned first,
                        unsigned count)
{
    unsigned lanes = LLVMGetVectorSize(m->vector);
    LLVMTypeRef type = LLVMVectorType(LLVMGetElementType(m->vector), count);
    LLVMValueRef v = load_part(n, m, type, pointer_to_lane(n, m, first));

    v = move_lanes(n, v, 0, count, first, lanes);
    if (!LLVMIsUndef(m->otherwise)) /* poison is undefined, too */
        v = LLVMBuildSelect(n->b, m->mask, v, m->otherwise, "");
    replace_access(m->in, v);
}

static void narrow_store(struct narrowing *n,
                         const struct codegen_masked_access *m, unsigned first,
                         unsigned count)
{
    store_part(n, m, move_lanes(n, m->value, first, count, 0, count),
               pointer_to_lane(n, m, first));
    replace_access(m->in, NULL);
}

/* ---- scalars ----------------------------------------------------------- */

/* Element `lane` of the vector of pointers v, from the instructions that made
 * it where those tell. */
static LLVMValueRef pointer_of(struct narrowing *n, LLVMValueRef v,
                               unsigned lane)
{
    LLVMValueRef index = LLVMConstInt(n->i64, lane, 0);

    while (LLVMIsAInsertElementInst(v)) {
        LLVMValueRef at = LLVMGetOperand(v, 2);
        if (!LLVMIsAConstantInt(at))
            break;
        if (LLVMConstIntGetZExtValue(at) == lane)
            return LLVMGetOperand(v, 1);
        v = LLVMGetOperand(v, 0);
    }
    if (LLVMIsAGetElementPtrInst(v) && LLVMGetNumOperands(v) == 2) {
        LLVMValueRef base = LLVMGetOperand(v, 0), at = LLVMGetOperand(v, 1);
        bool is_flat = LLVMGetTypeKind(LLVMTypeOf(base)) == LLVMPointerTypeKind;
        LLVMValueRef one =
            LLVMIsConstant(at) &&
                    LLVMGetTypeKind(LLVMTypeOf(at)) == LLVMVectorTypeKind
                ? LLVMGetAggregateElement(at, lane)
                : NULL;
        if (is_flat && one)
            return LLVMBuildGEP2(n->b, LLVMGetGEPSourceElementType(v), base,
                                 &one, 1, "");
    }
    return LLVMBuildExtractElement(n->b, v, index, "");
}

static void gather_scalars(struct narrowing *n,
                           const struct codegen_masked_access *m, uint64_t bits)
{
    LLVMValueRef v = m->otherwise;

    for (; bits; bits &= bits - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(bits);
        LLVMValueRef one = load_part(n, m, LLVMGetElementType(m->vector),
                                     pointer_of(n, m->pointer, lane));
        v = LLVMBuildInsertElement(n->b, v, one, LLVMConstInt(n->i64, lane, 0),
                                   "");
    }
    replace_access(m->in, v);
}

static void scatter_scalars(struct narrowing *n,
                            const struct codegen_masked_access *m,
                            uint64_t bits)
{
    for (; bits; bits &= bits - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(bits);
        LLVMValueRef one = LLVMBuildExtractElement(
            n->b, m->value, LLVMConstInt(n->i64, lane, 0), "");
        store_part(n, m, one, pointer_of(n, m->pointer, lane));
    }
    replace_access(m->in, NULL);
}

/* ---- all of them ------------------------------------------------------- */

static void narrow_access(struct narrowing *n, LLVMValueRef in,
                          enum codegen_masked kind)
{
    struct codegen_masked_access m = codegen_masked_parts(in, kind);
    unsigned first, count;
    uint64_t bits;

    if (!mask_bits(m.mask, &bits))
        return;
    LLVMPositionBuilderBefore(n->b, in);
    bool is_few = bits && __builtin_popcountll(bits) <= SCALARS_MAX;
    bool is_even = is_run(bits, &first, &count) && (count & (count - 1)) == 0;
    if (kind == CODEGEN_MASKED_LOAD && is_even)
        narrow_load(n, &m, first, count);
    else if (kind == CODEGEN_MASKED_STORE && is_even)
        narrow_store(n, &m, first, count);
    else if (kind == CODEGEN_MASKED_GATHER && is_few)
        gather_scalars(n, &m, bits);
    else if (kind == CODEGEN_MASKED_SCATTER && is_few)
        scatter_scalars(n, &m, bits);
}

void codegen_narrow_masked(LLVMModuleRef module)
{
    LLVMContextRef cx = LLVMGetModuleContext(module);
    struct narrowing n = {
        .cx = cx,
        .b = LLVMCreateBuilderInContext(cx),
        .i32 = LLVMInt32TypeInContext(cx),
        .i64 = LLVMInt64TypeInContext(cx),
    };

    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb;
             bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb), next; in;
                 in = next) {
                next = LLVMGetNextInstruction(in);
                enum codegen_masked kind = codegen_masked_kind(in);
                if (kind != CODEGEN_MASKED_NONE)
                    narrow_access(&n, in, kind);
            }
    LLVMDisposeBuilder(n.b);
}
