/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses of many groups of lanes in a loop. A block of 16x16 threads reads
 * a matrix by rows: each row's address is a scalar of its own, all move on by
 * the same amount, and each is widened to 64 bits after a test that nothing
 * wraps around. That is a dozen instructions for each row and iteration. Here
 *
 *   - counters that take the same step share one: phi[g] becomes
 *     start[g] + moved;
 *   - a base that is own[g] + moved is widened as the sum of two widened
 *     numbers, after one test of the smallest and the largest own[g]. The
 *     first summand, scaled and added to the array's address, then stays the
 *     same throughout the loop.
 *
 * Needs:  mem2reg; the marks of emit/core/overflow.c: weft.bases.u(id, base...)
 *         is the test, weft.base(id, base) a base that is read where it holds.
 * Leaves: neither.
 */
#include "codegen/codegen.h"
#include "emit/marks.h"

#include <stdio.h>

enum {
    GROUPS_MAX = 32,
    SUMMANDS_MAX = 8,
    FAMILY_MIN = 3, /* counters that are worth sharing one */
    USERS_MAX = 64,
    DEPTH_MAX = 6,
};

/* ---- counters ---------------------------------------------------------- */

struct counter {
    LLVMValueRef phi, start, step;
    LLVMBasicBlockRef from; /* around the loop */
};

static LLVMBasicBlockRef block_of(LLVMValueRef v)
{
    return LLVMIsAInstruction(v) ? LLVMGetInstructionParent(v) : NULL;
}

/* phi [start, outside], [phi + step, from] */
static bool is_counter(LLVMValueRef phi, struct counter *c)
{
    if (LLVMGetTypeKind(LLVMTypeOf(phi)) != LLVMIntegerTypeKind ||
        LLVMCountIncoming(phi) != 2)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef next = LLVMGetIncomingValue(phi, i);
        if (!LLVMIsABinaryOperator(next) ||
            LLVMGetInstructionOpcode(next) != LLVMAdd)
            continue;
        for (unsigned j = 0; j < 2; j++)
            if (LLVMGetOperand(next, j) == phi &&
                LLVMGetOperand(next, 1 - j) != phi) {
                *c = (struct counter){phi, LLVMGetIncomingValue(phi, 1 - i),
                                      LLVMGetOperand(next, 1 - j),
                                      LLVMGetIncomingBlock(phi, i)};
                return true;
            }
    }
    return false;
}

static bool is_of_family(const struct counter *a, const struct counter *b)
{
    return a->step == b->step && a->from == b->from &&
           LLVMTypeOf(a->phi) == LLVMTypeOf(b->phi);
}

/* phi [0, outside], [phi + step, from] in the block of `like`. */
static LLVMValueRef new_counter(LLVMBuilderRef b, const struct counter *like)
{
    LLVMBasicBlockRef head = LLVMGetInstructionParent(like->phi);
    LLVMTypeRef t = LLVMTypeOf(like->phi);

    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(head));
    LLVMValueRef moved = LLVMBuildPhi(b, t, "moved");
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(like->from));
    LLVMValueRef next = LLVMBuildAdd(b, moved, like->step, "moved");
    for (unsigned i = 0; i < 2; i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(like->phi, i);
        LLVMValueRef v = from == like->from ? next : LLVMConstNull(t);
        LLVMAddIncoming(moved, &v, &from, 1);
    }
    return moved;
}

static LLVMValueRef first_non_phi(LLVMBasicBlockRef bb)
{
    LLVMValueRef in = LLVMGetFirstInstruction(bb);
    while (LLVMIsAPHINode(in))
        in = LLVMGetNextInstruction(in);
    return in;
}

static void share_counter(LLVMBuilderRef b, const struct counter *family,
                          unsigned count)
{
    LLVMValueRef moved = new_counter(b, &family[0]);

    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef phi = family[i].phi;
        LLVMPositionBuilderBefore(b,
                                  first_non_phi(LLVMGetInstructionParent(phi)));
        LLVMValueRef sum = LLVMBuildAdd(b, family[i].start, moved, "");
        LLVMReplaceAllUsesWith(phi, sum);
        LLVMInstructionEraseFromParent(phi);
    }
}

/* Families among the phis of a block. */
static void share_counters(LLVMBuilderRef b, LLVMBasicBlockRef bb)
{
    struct counter all[USERS_MAX], family[USERS_MAX];
    unsigned count = 0;

    for (LLVMValueRef in = LLVMGetFirstInstruction(bb);
         in && LLVMIsAPHINode(in) && count < USERS_MAX;
         in = LLVMGetNextInstruction(in))
        count += is_counter(in, &all[count]);
    while (count > 0) {
        unsigned size = 0, left = 0;
        struct counter first = all[0];
        for (unsigned i = 0; i < count; i++) {
            if (is_of_family(&first, &all[i]))
                family[size++] = all[i];
            else
                all[left++] = all[i];
        }
        if (size >= FAMILY_MIN)
            share_counter(b, family, size);
        count = left;
    }
}

/* ---- sums -------------------------------------------------------------- */

struct sum {
    LLVMValueRef of[SUMMANDS_MAX];
    unsigned count;
};

static bool is_sum(LLVMValueRef v)
{
    if (!LLVMIsABinaryOperator(v))
        return false;
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    return op == LLVMAdd || (op == LLVMOr && LLVMGetIsDisjoint(v));
}

static bool take_apart(LLVMValueRef v, struct sum *s, unsigned depth)
{
    if (depth < DEPTH_MAX && is_sum(v))
        return take_apart(LLVMGetOperand(v, 0), s, depth + 1) &&
               take_apart(LLVMGetOperand(v, 1), s, depth + 1);
    if (s->count == SUMMANDS_MAX)
        return false;
    s->of[s->count++] = v;
    return true;
}

static void remove_summand(struct sum *s, LLVMValueRef v)
{
    for (unsigned i = 0; i < s->count; i++)
        if (s->of[i] == v) {
            s->of[i] = s->of[--s->count];
            return;
        }
}

static bool has_summand(const struct sum *s, LLVMValueRef v)
{
    for (unsigned i = 0; i < s->count; i++)
        if (s->of[i] == v)
            return true;
    return false;
}

/* The first phi among v and the operands that it is computed from, down to
 * `depth`; NULL: none. Its block is the head of the loop that v changes with.
 */
static LLVMValueRef find_phi(LLVMValueRef v, unsigned depth)
{
    if (LLVMIsAPHINode(v))
        return v;
    if (!LLVMIsABinaryOperator(v) || depth == 0)
        return NULL;
    LLVMValueRef phi = find_phi(LLVMGetOperand(v, 0), depth - 1);
    return phi ? phi : find_phi(LLVMGetOperand(v, 1), depth - 1);
}

/* The head of the loop that a summand changes with; NULL: it seems not to. */
static LLVMBasicBlockRef loop_of(LLVMValueRef v)
{
    LLVMValueRef phi = find_phi(v, 2);
    return phi ? LLVMGetInstructionParent(phi) : NULL;
}

static LLVMValueRef add_up(LLVMBuilderRef b, const struct sum *s,
                           LLVMTypeRef type)
{
    LLVMValueRef v = LLVMConstNull(type);
    for (unsigned i = 0; i < s->count; i++)
        v = i ? LLVMBuildAdd(b, v, s->of[i], "") : s->of[i];
    return v;
}

/* ---- tests ------------------------------------------------------------- */

/* A test and its bases, base[g] = own[g] + moved. */
struct test {
    LLVMBuilderRef b;
    LLVMModuleRef module;
    LLVMTypeRef i32, i64;
    LLVMValueRef call;
    bool is_signed;
    unsigned count;
    LLVMValueRef base[GROUPS_MAX];
    struct sum own[GROUPS_MAX], moved;
    LLVMValueRef wide_own[GROUPS_MAX], wide_moved;
};

/* Is it a summand of all bases that changes in a loop? */
static bool is_moved(const struct test *t, LLVMValueRef v)
{
    if (!loop_of(v))
        return false;
    for (unsigned g = 0; g < t->count; g++)
        if (!has_summand(&t->own[g], v))
            return false;
    return true;
}

/* Does a base have summands of its own that change in such a loop, too? */
static bool is_own_moved(const struct test *t)
{
    for (unsigned g = 0; g < t->count; g++)
        for (unsigned i = 0; i < t->own[g].count; i++)
            for (unsigned j = 0; j < t->moved.count; j++)
                if (loop_of(t->own[g].of[i]) == loop_of(t->moved.of[j]))
                    return true;
    return false;
}

/* Fills own and moved; false: nothing that all have in common moves. */
static bool find_common(struct test *t)
{
    for (unsigned g = 0; g < t->count; g++)
        if (!take_apart(t->base[g], &t->own[g], 0))
            return false;
    struct sum first = t->own[0];
    for (unsigned i = 0; i < first.count; i++) {
        if (!is_moved(t, first.of[i]))
            continue;
        for (unsigned g = 0; g < t->count; g++)
            remove_summand(&t->own[g], first.of[i]);
        t->moved.of[t->moved.count++] = first.of[i];
    }
    return t->moved.count > 0 && !is_own_moved(t);
}

static LLVMValueRef reduce_lanes(struct test *t, const char *name,
                                 LLVMValueRef all)
{
    LLVMTypeRef type = LLVMTypeOf(all);
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(t->module, id, &type, 1);
    return LLVMBuildCall2(t->b, LLVMGlobalGetValueType(f), f, &all, 1, "");
}

static LLVMValueRef widen_lane(struct test *t, LLVMValueRef v)
{
    return LLVMBuildSExt(t->b, v, t->i64, "");
}

/* Compares v + moved with a bound, in 64 bits, where nothing wraps. */
static LLVMValueRef is_between(struct test *t, LLVMIntPredicate how,
                               LLVMValueRef v, int64_t bound)
{
    LLVMValueRef sum = LLVMBuildAdd(t->b, widen_lane(t, v), t->wide_moved, "");
    return LLVMBuildICmp(t->b, how, sum,
                         LLVMConstInt(t->i64, (uint64_t)bound, 1), "");
}

/* Where the tested range of 2^31 numbers begins: the lower half of unsigned
 * numbers, the middle half of signed ones. */
static int64_t lowest_lane(const struct test *t)
{
    return t->is_signed ? -(INT64_C(1) << 30) : 0;
}

static void test_sums(struct test *t)
{
    LLVMValueRef all = LLVMGetUndef(LLVMVectorType(t->i32, t->count));

    LLVMPositionBuilderBefore(t->b, t->call);
    t->wide_moved = widen_lane(t, add_up(t->b, &t->moved, t->i32));
    for (unsigned g = 0; g < t->count; g++) {
        LLVMValueRef own = add_up(t->b, &t->own[g], t->i32);
        t->wide_own[g] = widen_lane(t, own);
        all = LLVMBuildInsertElement(t->b, all, own, LLVMConstInt(t->i32, g, 0),
                                     "");
    }
    LLVMValueRef low = reduce_lanes(t, "llvm.vector.reduce.smin", all);
    LLVMValueRef high = reduce_lanes(t, "llvm.vector.reduce.smax", all);
    int64_t from = lowest_lane(t);
    LLVMValueRef ok = LLVMBuildAnd(
        t->b, is_between(t, LLVMIntSGE, low, from),
        is_between(t, LLVMIntSLT, high, from + INT32_MAX + 1L), "");
    LLVMReplaceAllUsesWith(t->call, ok);
    LLVMInstructionEraseFromParent(t->call);
}

/* The test without a common part: subtracts the range's begin from each base
 * and tests the sign bits of all together. */
static void test_each(struct test *t)
{
    LLVMValueRef all = NULL;

    LLVMPositionBuilderBefore(t->b, t->call);
    for (unsigned g = 0; g < t->count; g++) {
        LLVMValueRef v =
            LLVMBuildSub(t->b, t->base[g],
                         LLVMConstInt(t->i32, (uint64_t)lowest_lane(t), 1), "");
        all = all ? LLVMBuildOr(t->b, all, v, "") : v;
    }
    LLVMValueRef ok =
        LLVMBuildICmp(t->b, LLVMIntSGE, all, LLVMConstNull(t->i32), "");
    LLVMReplaceAllUsesWith(t->call, ok);
    LLVMInstructionEraseFromParent(t->call);
}

/* ---- what is made of a base -------------------------------------------- */

/* A number or an address in two summands. */
struct split {
    LLVMValueRef own, moved;
};

static bool is_by_constant(LLVMValueRef v, LLVMOpcode op)
{
    return LLVMIsABinaryOperator(v) && LLVMGetInstructionOpcode(v) == op &&
           LLVMIsAConstantInt(LLVMGetOperand(v, 1));
}

/* Given that v is s.own + s.moved, splits `user`, computed from v, into two
 * summands as well; false: it cannot be. */
static bool split_user(LLVMBuilderRef b, LLVMValueRef user, LLVMValueRef v,
                       struct split s, struct split *result)
{
    if (is_by_constant(user, LLVMShl) || is_by_constant(user, LLVMMul)) {
        LLVMOpcode op = LLVMGetInstructionOpcode(user);
        LLVMValueRef n = LLVMGetOperand(user, 1);
        result->own = LLVMBuildBinOp(b, op, s.own, n, "");
        result->moved = LLVMBuildBinOp(b, op, s.moved, n, "");
        return true;
    }
    if (!is_sum(user) || LLVMGetOperand(user, 0) == LLVMGetOperand(user, 1))
        return false;
    LLVMValueRef other = LLVMGetOperand(user, LLVMGetOperand(user, 0) == v);
    if (block_of(other) == LLVMGetInstructionParent(user))
        return false;
    result->own = LLVMBuildAdd(b, other, s.own, "");
    result->moved = s.moved;
    return true;
}

/* Rebuilds an address so that the part that stays the same is added first. */
static bool split_address(LLVMBuilderRef b, LLVMValueRef user, LLVMValueRef v,
                          struct split s)
{
    if (!LLVMIsAGetElementPtrInst(user) || LLVMGetNumOperands(user) != 2 ||
        LLVMGetOperand(user, 1) != v ||
        block_of(LLVMGetOperand(user, 0)) == LLVMGetInstructionParent(user))
        return false;
    LLVMTypeRef t = LLVMGetGEPSourceElementType(user);
    LLVMValueRef p =
        LLVMBuildGEP2(b, t, LLVMGetOperand(user, 0), &s.own, 1, "");
    p = LLVMBuildGEP2(b, t, p, &s.moved, 1, "");
    LLVMReplaceAllUsesWith(user, p);
    LLVMInstructionEraseFromParent(user);
    return true;
}

/* v becomes s.own + s.moved, and so does what is computed from it. */
static void split_value(LLVMBuilderRef b, LLVMValueRef v, struct split s,
                        unsigned depth)
{
    LLVMValueRef users[USERS_MAX];
    unsigned count = 0;

    for (LLVMUseRef use = LLVMGetFirstUse(v); use && count < USERS_MAX;
         use = LLVMGetNextUse(use))
        users[count++] = LLVMGetUser(use);
    for (unsigned i = 0; i < count && depth < DEPTH_MAX; i++) {
        struct split made;
        LLVMPositionBuilderBefore(b, users[i]);
        if (!split_address(b, users[i], v, s) &&
            split_user(b, users[i], v, s, &made))
            split_value(b, users[i], made, depth + 1);
    }
    if (LLVMGetFirstUse(v)) {
        LLVMPositionBuilderBefore(b, v);
        LLVMReplaceAllUsesWith(v, LLVMBuildAdd(b, s.own, s.moved, ""));
    }
    LLVMInstructionEraseFromParent(v);
}

/* The 64-bit versions of the base that `read` marks. */
static void split_base(struct test *t, LLVMValueRef read, unsigned group)
{
    LLVMOpcode cast = t->is_signed ? LLVMSExt : LLVMZExt;
    LLVMUseRef next;

    for (LLVMUseRef use = LLVMGetFirstUse(read); use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (!LLVMIsACastInst(user) || LLVMGetInstructionOpcode(user) != cast ||
            LLVMTypeOf(user) != t->i64)
            continue;
        struct split s = {t->wide_own[group], t->wide_moved};
        split_value(t->b, user, s, 0);
    }
}

static void split_bases(struct test *t, LLVMValueRef base_fn, LLVMValueRef id)
{
    for (LLVMUseRef use = LLVMGetFirstUse(base_fn); use;
         use = LLVMGetNextUse(use)) {
        LLVMValueRef read = LLVMGetUser(use);
        if (LLVMGetOperand(read, 0) != id)
            continue;
        for (unsigned g = 0; g < t->count; g++)
            if (LLVMGetOperand(read, 1) == t->base[g]) {
                split_base(t, read, g);
                break;
            }
    }
}

/* ---- the marks --------------------------------------------------------- */

static void lower_test(struct test *t, LLVMValueRef base_fn)
{
    LLVMValueRef id = LLVMGetOperand(t->call, 0);

    t->count = (unsigned)LLVMGetNumArgOperands(t->call) - 1;
    for (unsigned g = 0; g < t->count; g++)
        t->base[g] = LLVMGetOperand(t->call, g + 1);
    if (!base_fn || !find_common(t)) {
        test_each(t);
        return;
    }
    test_sums(t);
    split_bases(t, base_fn, id);
}

static void lower_tests(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef fn,
                        LLVMValueRef base_fn, bool is_signed)
{
    LLVMContextRef cx = LLVMGetModuleContext(module);
    LLVMUseRef use;

    while ((use = LLVMGetFirstUse(fn))) {
        struct test t = {.b = b,
                         .module = module,
                         .i32 = LLVMInt32TypeInContext(cx),
                         .i64 = LLVMInt64TypeInContext(cx),
                         .call = LLVMGetUser(use),
                         .is_signed = is_signed};
        lower_test(&t, base_fn);
    }
    LLVMDeleteFunction(fn);
}

static void lower_bases(LLVMValueRef base_fn)
{
    LLVMUseRef use;

    while ((use = LLVMGetFirstUse(base_fn))) {
        LLVMValueRef read = LLVMGetUser(use);
        LLVMReplaceAllUsesWith(read, LLVMGetOperand(read, 1));
        LLVMInstructionEraseFromParent(read);
    }
    LLVMDeleteFunction(base_fn);
}

void codegen_split_addresses(LLVMModuleRef module)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    LLVMValueRef base_fn = LLVMGetNamedFunction(module, EMIT_BASE_NAME);

    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb;
             bb = LLVMGetNextBasicBlock(bb))
            share_counters(b, bb);
    for (unsigned groups = 0; groups <= GROUPS_MAX; groups++)
        for (unsigned is_signed = 0; is_signed < 2; is_signed++) {
            char name[32];
            snprintf(name, sizeof name, EMIT_BASES_FORMAT,
                     is_signed ? 's' : 'u', groups);
            LLVMValueRef fn = LLVMGetNamedFunction(module, name);
            if (fn)
                lower_tests(module, b, fn, base_fn, is_signed);
        }
    if (base_fn)
        lower_bases(base_fn);
    LLVMDisposeBuilder(b);
}
