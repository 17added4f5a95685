/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conditional shapes: registers that are affine unless a sum has wrapped
 * around, which a flag `ok` tells at run time. What they hold when it is false
 * is needed in cold code only, and computed in one of two ways. If all uses
 * stand behind the definition in its block, and what it was made of is still
 * there, the instruction is emitted again where the vector is wanted (it is
 * replayed). Else the register has a shadow, the exact vector, written at the
 * definition; its accesses are volatile so that LLVM keeps it out of the fast
 * path.
 */
#include "emit/core/control.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/marks.h"

#include <stdio.h>

/* ---- which can be replayed --------------------------------------------- */

/* Positions count from 1; 0: none. */
struct replays {
    const struct simt_kernel *k;
    uint32_t *def;      /* by register: its only definition */
    uint32_t *last_def; /* by register: the last one in this block */
    bool *is_wrong;     /* by register */
    uint32_t at;
    bool holds; /* of the sources being looked at */
    uint32_t made_at;
    unsigned depth;
};

static bool is_conditional(const struct replays *s, uint32_t reg)
{
    return s->k->shapes[reg].is_conditional;
}

static bool can_be_made(struct replays *s, uint32_t reg);

static void check_source(void *data, uint32_t reg)
{
    struct replays *s = data;

    if (s->last_def[reg] >= s->made_at)
        s->holds = false;
    else if (is_conditional(s, reg) && s->last_def[reg] != 0)
        s->holds &= can_be_made(s, reg);
}

/* Here, at s->at: is what the register was made of still there? */
static bool can_be_made(struct replays *s, uint32_t reg)
{
    enum { DEPTH_MAX = 6 };
    uint32_t made_at = s->made_at;
    bool holds = s->holds;

    if (s->def[reg] == 0 || s->last_def[reg] != s->def[reg] ||
        s->depth >= DEPTH_MAX)
        return false;
    s->made_at = s->def[reg];
    s->holds = true;
    s->depth++;
    ptx_for_each_use(&s->k->func->insts[s->made_at - 1], check_source, s);
    s->depth--;
    bool result = s->holds;
    s->made_at = made_at;
    s->holds = holds;
    return result;
}

static void check_use(void *data, uint32_t reg)
{
    struct replays *s = data;

    if (is_conditional(s, reg) && !can_be_made(s, reg))
        s->is_wrong[reg] = true;
}

static void note_def(void *data, uint32_t reg)
{
    struct replays *s = data;
    const struct ptx_inst *inst = &s->k->func->insts[s->at - 1];

    s->last_def[reg] = s->at;
    if (s->def[reg] != 0 || inst->guard != PTX_NO_REG ||
        ptx_dest_count(inst) != 1 || inst->operand[0].kind != PTX_OPERAND_reg)
        s->is_wrong[reg] = true;
    s->def[reg] = s->at;
}

static void forget_def(void *data, uint32_t reg)
{
    struct replays *s = data;
    s->last_def[reg] = 0;
}

void emit_find_replays(struct emit *e)
{
    const struct simt_kernel *k = e->f->k;
    size_t regs = k->func->reg_count;
    struct replays s = {.k = k};

    s.def = arena_array(e->arena, uint32_t, regs + 1);
    s.last_def = arena_array(e->arena, uint32_t, regs + 1);
    s.is_wrong = arena_array(e->arena, bool, regs + 1);
    for (uint32_t b = 0; b < k->block_count; b++) {
        for (uint32_t i = k->blocks[b].first; i < k->blocks[b].end; i++) {
            s.at = i + 1;
            ptx_for_each_use(&k->func->insts[i], check_use, &s);
            ptx_for_each_def(&k->func->insts[i], note_def, &s);
        }
        for (uint32_t i = k->blocks[b].first; i < k->blocks[b].end; i++)
            ptx_for_each_def(&k->func->insts[i], forget_def, &s);
    }
    e->f->replay = arena_array(e->arena, uint32_t, regs + 1);
    for (size_t r = 0; r < regs; r++)
        if (k->shapes[r].is_conditional && !s.is_wrong[r])
            e->f->replay[r] = s.def[r];
}

/* ---- the flag ---------------------------------------------------------- */

struct ok_search {
    struct emit *e;
    LLVMValueRef ok;
};

static void and_ok(void *data, uint32_t reg)
{
    struct ok_search *s = data;
    LLVMValueRef ok = emit_ok(s->e, reg);
    if (ok)
        s->ok = s->ok ? ir_and(s->e, s->ok, ok) : ok;
}

/* True when going from the group's first to its last lane leaves the range of
 * the 32-bit (or narrower) type: the widened value is then not affine. */
static LLVMValueRef wraps(struct emit *e, LLVMValueRef base, int64_t span,
                          bool is_signed)
{
    LLVMTypeRef t = LLVMTypeOf(base);
    const char *name = is_signed  ? "llvm.sadd.with.overflow"
                       : span < 0 ? "llvm.usub.with.overflow"
                                  : "llvm.uadd.with.overflow";
    LLVMValueRef n = ir_int(base, !is_signed && span < 0 ? -span : span);
    LLVMValueRef pair =
        ir_intrinsic(e, name, &t, 1, (LLVMValueRef[]){base, n}, 2);
    return LLVMBuildExtractValue(e->b, pair, 1, "");
}

/* With many groups: all bases together lie where no span leads out, that is
 * in the lower half of the unsigned numbers, the middle half of the signed
 * ones. Other bases are rare, and right in cold code. Where the operand is
 * read for one group after this, the base is marked as tested. */
static LLVMValueRef is_far_from_wrapping(struct emit *e,
                                         const struct ptx_operand *o,
                                         enum ptx_type from, unsigned groups,
                                         unsigned lanes)
{
    struct emit_fn *f = e->f;
    LLVMValueRef args[1 + EMIT_MAX_LANES];
    char name[32];

    args[0] = LLVMConstInt(e->i32, ++f->guard.count, 0);
    for (unsigned g = 0; g < groups; g++) {
        emit_select_lane(e, g * lanes);
        args[1 + g] = emit_read(e, o, from);
    }
    snprintf(name, sizeof name, EMIT_BASES_FORMAT,
             ptx_type_is_signed(from) ? 's' : 'u', groups);
    f->guard.tested = o;
    return emit_call_mark(e, name, e->i1, args, 1 + groups);
}

static LLVMValueRef wraps_nowhere(struct emit *e, const struct ptx_operand *o,
                                  enum ptx_type from, int64_t span,
                                  unsigned groups, unsigned lanes)
{
    enum { EACH_GROUPS = 2, ROOM = 1 << 30 };
    LLVMValueRef ok = NULL;

    if (groups > EACH_GROUPS && ptx_type_size(from) == 4 &&
        !e->f->guard.tested && span >= 0 && span < ROOM)
        return is_far_from_wrapping(e, o, from, groups, lanes);
    for (unsigned g = 0; g < groups; g++) {
        emit_select_lane(e, g * lanes);
        LLVMValueRef base = emit_read(e, o, from);
        LLVMValueRef bad = wraps(e, base, span, ptx_type_is_signed(from));
        LLVMValueRef good = ir_not(e, bad);
        ok = ok ? ir_and(e, ok, good) : good;
    }
    return ok;
}

static LLVMValueRef check_wrap(struct emit *e, const struct ptx_inst *inst,
                               LLVMValueRef ok)
{
    bool is_cvt = inst->op == PTX_OP_cvt;
    enum ptx_type from = is_cvt ? inst->type[1] : inst->type[0];
    unsigned last =
        is_cvt ? 1 : 2; /* cvt d, a; mul.wide and mad.wide d, a, b */

    for (unsigned i = 1; i <= last; i++) {
        const struct ptx_operand *o = &inst->operand[i];
        struct simt_shape s = emit_operand_shape(e, o);
        if (o->kind != PTX_OPERAND_reg || simt_is_varying(s) || s.stride == 0)
            continue;
        unsigned bits = 8 * ptx_type_size(from);
        int64_t stride =
            (int64_t)((uint64_t)s.stride << (64 - bits)) >> (64 - bits);
        unsigned groups = emit_team_group_count(e, s);
        unsigned lanes = e->lanes * e->f->warps / groups;
        int64_t span = stride * (lanes - 1);
        if (bits < 64 && (span >> (bits - 1)) != 0 &&
            (span >> (bits - 1)) != -1)
            return LLVMConstInt(e->i1, 0, 0);
        LLVMValueRef good = wraps_nowhere(e, o, from, span, groups, lanes);
        ok = ok ? ir_and(e, ok, good) : good;
    }
    emit_select_lane(e, 0);
    e->f->at.lane = EMIT_ALL_LANES;
    return ok;
}

/*
 * Before the scalars of `inst`'s conditional destination are computed: will
 * its shape hold? If not, compute the exact vector. Returns the new flag, or
 * NULL when the destination's shape is no conditional one.
 */
LLVMValueRef emit_begin_conditional(struct emit *e, const struct ptx_inst *inst,
                                    emit_op_fn *fn)
{
    struct emit_fn *f = e->f;
    const struct ptx_operand *d = &inst->operand[0];

    if (d->kind != PTX_OPERAND_reg || !f->regs[d->reg].ok)
        return NULL;
    struct ok_search search = {.e = e};
    ptx_for_each_use(inst, and_ok, &search);
    LLVMValueRef ok = search.ok;
    if (f->k->inst_flags[f->at.index] & SIMT_CHECK_WRAP)
        ok = check_wrap(e, inst, ok);
    if (!ok)
        ok = LLVMConstInt(e->i1, 1, 0);
    if (f->at.when)
        ok = ir_select(e, f->at.when, ok, emit_ok(e, d->reg));
    if (emit_replays(e, d->reg) ||
        (LLVMIsAConstantInt(ok) && LLVMConstIntGetZExtValue(ok)))
        return ok;
    LLVMBasicBlockRef cold = emit_new_block(e, "wrap");
    LLVMBasicBlockRef done = emit_new_block(e, "wrap.done");
    const struct ptx_operand *tested = f->guard.tested;
    emit_branch(e, ok, done, cold, EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, cold);
    f->at.is_cold = true;
    f->guard.tested = NULL;
    emit_each_warp(e, inst, fn);
    f->at.is_cold = false;
    f->guard.tested = tested;
    emit_goto_new(e, done);
    return ok;
}

/* After the scalars. `ok` is what emit_begin_conditional returned. */
void emit_end_conditional(struct emit *e, const struct ptx_inst *inst,
                          LLVMValueRef ok)
{
    e->f->guard.tested = NULL;
    if (ok)
        ir_store(e, ok, e->f->regs[inst->operand[0].reg].ok, 0);
}
