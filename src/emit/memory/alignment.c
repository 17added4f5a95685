/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Misaligned addresses end the kernel. Where the plan (simt/plan/alignment.c)
 * requires a test, the code tests: once for all lanes if a scalar decides,
 * because what the lanes add to it is aligned.
 */
#include "emit/core/address.h"
#include "emit/core/launch.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/memory/memory.h"

/* Addresses of an access, as integers that the program would see. */
struct test {
    const struct ptx_access *access;
    LLVMValueRef base;   /* a scalar that decides for all lanes; may be NULL */
    int64_t stride;      /* from lane to lane, if the addresses are affine */
    LLVMValueRef vector; /* made when first needed */
    LLVMValueRef lanes;  /* mask of the lanes that count; NULL: all */
};

/* ---- addresses ---------------------------------------------------------- */

/* Of one lane, or of all. */
static LLVMValueRef address_of(struct emit *e, const struct ptx_operand *o,
                               int lane)
{
    int saved = e->f->at.lane;
    LLVMValueRef v;

    e->f->at.lane = lane;
    if (o->reg != PTX_NO_REG)
        v = ir_resize(e, ir_as_int(e, emit_read_reg(e, o->reg)), e->i64, false);
    else
        v = o->var ? emit_var_address(e, o->var) : emit_const(e, e->i64, 0);
    e->f->at.lane = saved;
    return ir_add(e, v, ir_int(v, o->imm));
}

static struct simt_shape shape_of(struct emit *e, const struct ptx_operand *o)
{
    struct simt_shape varying = {0}, uniform = {.group = SIMT_ALL_LANES};

    if (o->reg != PTX_NO_REG)
        return e->f->k->shapes[o->reg];
    return o->var && o->var->space == PTX_SPACE_local ? varying : uniform;
}

/* If lanes differ by multiples of the size, the first one decides. (A sum that
 * wraps around stays aligned.) */
static void find_base(struct emit *e, struct test *t)
{
    const struct ptx_operand *o = t->access->address;
    struct simt_shape s = shape_of(e, o);
    int64_t align = t->access->align_bytes;
    bool is_all = t->access->lanes == UINT32_MAX;

    if (e->lanes == 1) {
        t->base = address_of(e, o, 0);
    } else if (!simt_is_varying(s)) {
        if (emit_group_count(e, s) != 1 || s.stride % align != 0 || !is_all)
            return;
        t->base = address_of(e, o, 0);
        t->stride = s.stride;
    } else if (o->reg != PTX_NO_REG && is_all) {
        struct emit_base_index p = emit_base_index_of(e, o);
        if (!p.index || p.scale % align != 0)
            return;
        t->base = p.base ? p.base : LLVMConstInt(e->i64, 0, 0);
        t->base = ir_add(e, t->base, ir_int(t->base, p.offset + o->imm));
    }
}

static LLVMValueRef is_odd(struct emit *e, const struct test *t, LLVMValueRef v)
{
    assert((t->access->align_bytes & (t->access->align_bytes - 1)) == 0);
    LLVMValueRef low = ir_and(e, v, ir_int(v, t->access->align_bytes - 1));
    return ir_icmp(e, LLVMIntNE, low, ir_int(low, 0));
}

/* With one lane to a call: which lane of its warp it is. */
static LLVMValueRef counts_alone(struct emit *e, const struct test *t)
{
    LLVMValueRef lane = emit_own_lane(e);
    LLVMValueRef bits = LLVMConstInt(e->i32, t->access->lanes, 0);

    assert(e->lanes == 1);
    lane = ir_resize(e, lane, e->i32, false);
    return ir_trunc(e, ir_lshr(e, bits, lane), e->i1);
}

/* i1: some lane's address is misaligned. */
static LLVMValueRef is_bad(struct emit *e, struct test *t)
{
    bool is_all = t->access->lanes == UINT32_MAX;

    t->lanes = e->f->at.mask;
    find_base(e, t);
    if (t->base) {
        LLVMValueRef bad = is_odd(e, t, t->base);
        return is_all ? bad : ir_and(e, bad, counts_alone(e, t));
    }
    if (!is_all) {
        LLVMValueRef bit = emit_lane_const(e, e->i32, emit_lane_bit);
        bit = ir_and(e, bit, ir_int(bit, t->access->lanes));
        t->lanes = emit_and_mask(e, t->lanes,
                                 ir_icmp(e, LLVMIntNE, bit, ir_int(bit, 0)));
    }
    t->vector = address_of(e, t->access->address, EMIT_ALL_LANES);
    return emit_any(e, emit_and_mask(e, t->lanes, is_odd(e, t, t->vector)));
}

/* ---- the end ------------------------------------------------------------ */

static void report_misaligned(struct emit *e, const struct test *t,
                              unsigned line)
{
    struct emit_fn *f = e->f;
    LLVMValueRef none = LLVMConstNull(e->ptr),
                 zero = LLVMConstInt(e->i64, 0, 0);
    LLVMValueRef lanes =
        emit_mask_bits(e, t->lanes ? t->lanes : emit_all_ones(e));
    LLVMValueRef vector = t->vector;

    /* A part of the address decides, which does not say where the lanes
     * are. */
    if (!vector && e->lanes > 1 &&
        simt_is_varying(shape_of(e, t->access->address)))
        vector = address_of(e, t->access->address, EMIT_ALL_LANES);
    LLVMValueRef args[] = {
        vector ? emit_spill(e, vector) : none,
        t->base ? t->base : zero,
        LLVMConstInt(e->i64, (uint64_t)t->stride, 0),
        lanes,
        LLVMConstInt(e->i32, f->at.warp * e->lanes, 0),
        LLVMConstInt(e->i64, EXEC_ACCESS(line, t->access->align_bytes), 0),
    };
    EMIT_HELPER(e, misaligned, e->voidt, args, ARRAY_COUNT(args));
    LLVMBuildUnreachable(e->b);
}

/* i1: `bad`, unless no lane's bulk copy moves any byte. */
static LLVMValueRef where_bytes_move(struct emit *e,
                                     const struct ptx_operand *bytes,
                                     LLVMValueRef bad)
{
    LLVMValueRef v = emit_read_vector(e, bytes, PTX_TYPE_u32);
    LLVMValueRef moves = ir_icmp(e, LLVMIntNE, v, ir_int(v, 0));
    return ir_and(e, bad, emit_any(e, emit_and_mask(e, e->f->at.mask, moves)));
}

static void test_access(struct emit *e, const struct ptx_inst *inst,
                        const struct ptx_access *a)
{
    struct test t = {.access = a};

    assert(a->address);
    LLVMValueRef bad = is_bad(e, &t);
    if (LLVMIsAConstantInt(bad) && !LLVMConstIntGetZExtValue(bad))
        return;
    const struct ptx_operand *bytes = ptx_moved_bytes(inst, a->address);
    if (bytes)
        bad = where_bytes_move(e, bytes, bad);
    LLVMBasicBlockRef end = emit_new_block(e, "misaligned");
    LLVMBasicBlockRef go_on = emit_new_block(e, "aligned");
    emit_branch(e, bad, end, go_on, EMIT_UNLIKELY);
    LLVMPositionBuilderAtEnd(e->b, end);
    report_misaligned(e, &t, inst->line);
    LLVMPositionBuilderAtEnd(e->b, go_on);
}

void emit_test_alignment(struct emit *e)
{
    uint8_t tests = e->f->plan->insts[e->f->at.index].alignment_tests;
    /* The program's instruction: a merged access reports those of its
     * pieces. */
    const struct ptx_inst *inst = &e->f->k->func->insts[e->f->at.index];
    struct ptx_access accesses[PTX_MAX_ACCESSES];

    if (!tests)
        return;
    unsigned count = ptx_accesses(inst, accesses);
    for (unsigned i = 0; i < count; i++)
        if (tests >> i & 1)
            test_access(e, inst, &accesses[i]);
}
