/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mbarrier objects, see abi/mbarrier.h. They are in the block's shared memory,
 * and a block runs on one thread, so that plain loads and stores suffice.
 * Lanes arrive one after the other, or at once where that is the same. A test
 * never blocks: the program asks again, and other warps run in between
 * (simt/progress/forward_progress.c).
 */
#include "emit/core/address.h"
#include "emit/core/emitters.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/memory/memory.h"
#include "abi/mbarrier.h"

static LLVMValueRef load_word(struct emit *e, LLVMValueRef p)
{
    LLVMValueRef w = ir_load(e, e->i64, p, 8);
    LLVMSetVolatile(w, 1);
    return w;
}

static void store_word(struct emit *e, LLVMValueRef p, LLVMValueRef w)
{
    LLVMSetVolatile(ir_store(e, w, p, 8), 1);
}

static LLVMValueRef field_of(struct emit *e, LLVMValueRef w, unsigned shift,
                             int64_t mask)
{
    assert(shift < 64);
    return ir_and(e, ir_lshr(e, w, ir_int(w, shift)), ir_int(w, mask));
}

static LLVMValueRef in_field(struct emit *e, LLVMValueRef v, unsigned shift)
{
    assert(shift < 64);
    return ir_shl(e, v, ir_int(v, shift));
}

static LLVMValueRef phase_of(struct emit *e, LLVMValueRef w)
{
    return field_of(e, w, MBARRIER_PHASE_SHIFT, MBARRIER_PHASE_MASK);
}

static LLVMValueRef fresh_phase(struct emit *e, LLVMValueRef expected,
                                LLVMValueRef phase)
{
    phase = ir_and(e, phase, ir_int(phase, MBARRIER_PHASE_MASK));
    return ir_or(
        e, ir_or(e, expected, in_field(e, expected, MBARRIER_PENDING_SHIFT)),
        in_field(e, phase, MBARRIER_PHASE_SHIFT));
}

/* Starts the next phase if nothing is pending in this one. */
static LLVMValueRef complete_phase(struct emit *e, LLVMValueRef w)
{
    uint64_t open = (uint64_t)MBARRIER_COUNT_MASK << MBARRIER_PENDING_SHIFT |
                    ~UINT64_C(0) << MBARRIER_TX_SHIFT;
    LLVMValueRef is_done = ir_icmp(
        e, LLVMIntEQ, ir_and(e, w, ir_int(w, (int64_t)open)), ir_int(w, 0));
    LLVMValueRef expected = ir_and(e, w, ir_int(w, MBARRIER_COUNT_MASK));
    LLVMValueRef phase = phase_of(e, w);
    LLVMValueRef next =
        fresh_phase(e, expected, ir_add(e, phase, ir_int(phase, 1)));
    return ir_select(e, is_done, next, w);
}

void emit_mbarrier_complete_tx(struct emit *e, LLVMValueRef p,
                               LLVMValueRef bytes)
{
    assert(LLVMTypeOf(p) == e->ptr);
    LLVMValueRef tx =
        in_field(e, ir_resize(e, bytes, e->i64, false), MBARRIER_TX_SHIFT);
    store_word(e, p, complete_phase(e, ir_sub(e, load_word(e, p), tx)));
}

void emit_mbarrier_arrive(struct emit *e, LLVMValueRef p, LLVMValueRef count)
{
    assert(LLVMTypeOf(p) == e->ptr);
    LLVMValueRef n =
        in_field(e, ir_resize(e, count, e->i64, false), MBARRIER_PENDING_SHIFT);
    store_word(e, p, complete_phase(e, ir_sub(e, load_word(e, p), n)));
}

/* ---- one lane ---------------------------------------------------------- */

/* arrive, arrive_drop. n: the count, or with expect_tx the number of bytes. */
static LLVMValueRef arrive_at(struct emit *e, const struct ptx_inst *inst,
                              LLVMValueRef p, LLVMValueRef n)
{
    LLVMValueRef state = load_word(e, p), w = state, count = n;

    if (inst->sub2 == PTX_SUB_expect_tx) {
        w = ir_add(e, w, in_field(e, n, MBARRIER_TX_SHIFT));
        count = ir_int(n, 1);
    }
    if (inst->sub == PTX_SUB_arrive_drop)
        w = ir_sub(e, w, count);
    w = ir_sub(e, w, in_field(e, count, MBARRIER_PENDING_SHIFT));
    store_word(e, p, complete_phase(e, w));
    return state;
}

static LLVMValueRef update_word(struct emit *e, const struct ptx_inst *inst,
                                LLVMValueRef p, LLVMValueRef n)
{
    switch (inst->sub) {
    case PTX_SUB_init:
        store_word(e, p, fresh_phase(e, n, ir_int(n, 0)));
        return NULL;
    case PTX_SUB_inval:
        return NULL;
    case PTX_SUB_expect_tx:
        store_word(
            e, p,
            ir_add(e, load_word(e, p), in_field(e, n, MBARRIER_TX_SHIFT)));
        return NULL;
    case PTX_SUB_complete_tx:
        emit_mbarrier_complete_tx(e, p, n);
        return NULL;
    default:
        return arrive_at(e, inst, p, n);
    }
}

/* ---- all lanes --------------------------------------------------------- */

static enum ptx_space space_of(const struct ptx_inst *inst,
                               const struct ptx_operand *address)
{
    enum ptx_space space = ptx_space_of(address, inst->space);
    return space == PTX_SPACE_shared_cluster ? PTX_SPACE_shared : space;
}

/* A count or a number of bytes; 1 if the text has none. */
static LLVMValueRef read_count(struct emit *e, const struct ptx_inst *inst,
                               unsigned i)
{
    if (i >= inst->operand_count || inst->operand[i].kind == PTX_OPERAND_none)
        return emit_const(e, e->i64, 1);
    LLVMValueRef n = emit_read_vector(e, &inst->operand[i], PTX_TYPE_u32);
    return ir_zext(e, n, e->i64);
}

/* into: where the states that arriving returns go; NULL: nowhere. */
static void each_lane(struct emit *e, const struct ptx_inst *inst,
                      unsigned first, LLVMValueRef into)
{
    const struct ptx_operand *address = &inst->operand[first];
    LLVMValueRef pointers =
        emit_spill(e, emit_pointer(e, address, space_of(inst, address),
                                   EMIT_ALL_LANES, 0));
    LLVMValueRef counts = emit_spill(e, read_count(e, inst, first + 1));
    struct emit_lane_loop loop;

    emit_lane_loop_begin(e, &loop, emit_mask(e));
    LLVMValueRef state =
        update_word(e, inst, emit_spilled_lane(e, pointers, e->ptr, loop.lane),
                    emit_spilled_lane(e, counts, e->i64, loop.lane));
    if (into)
        emit_store_lane(e, into, e->i64, loop.lane, state);
    emit_lane_loop_end(e, &loop);
}

/* ---- arriving together ------------------------------------------------- */

static LLVMValueRef count_bits(struct emit *e, LLVMValueRef v)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    LLVMValueRef n = ir_intrinsic(e, "llvm.ctpop", &t, 1, &v, 1);
    return ir_zext(e, n, e->i64);
}

/* The word after `n` arrivals. */
static LLVMValueRef after_arrivals(struct emit *e, const struct ptx_inst *inst,
                                   LLVMValueRef w, LLVMValueRef n)
{
    if (inst->sub == PTX_SUB_arrive_drop)
        w = ir_sub(e, w, n);
    return ir_sub(e, w, in_field(e, n, MBARRIER_PENDING_SHIFT));
}

/* As if lanes arrived one after the other; if the phase ends in between, they
 * do so. */
static void arrive_together(struct emit *e, const struct ptx_inst *inst,
                            LLVMValueRef into)
{
    const struct ptx_operand *address = &inst->operand[1];
    LLVMBasicBlockRef some = emit_new_block(e, "some");
    LLVMBasicBlockRef at_once = emit_new_block(e, "together");
    LLVMBasicBlockRef apart = emit_new_block(e, "apart");
    LLVMBasicBlockRef done = emit_new_block(e, "arrived");
    LLVMValueRef mask = emit_mask(e);

    emit_branch(e, emit_any(e, mask), some, done, EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, some);
    LLVMValueRef p = emit_pointer(e, address, space_of(inst, address), 0, 0);
    LLVMValueRef bits = emit_mask_bits(e, mask);
    LLVMValueRef w = load_word(e, p), n = count_bits(e, bits);
    LLVMValueRef pending =
        field_of(e, w, MBARRIER_PENDING_SHIFT, MBARRIER_COUNT_MASK);
    emit_branch(e, ir_icmp(e, LLVMIntUGE, pending, n), at_once, apart,
                EMIT_LIKELY);

    LLVMPositionBuilderAtEnd(e->b, at_once);
    LLVMValueRef before =
        count_bits(e, ir_and(e, emit_splat(e, bits),
                             emit_lane_const(e, e->i32, emit_lanes_below)));
    ir_store(e, after_arrivals(e, inst, emit_splat(e, w), before), into, 64);
    store_word(e, p, complete_phase(e, after_arrivals(e, inst, w, n)));
    LLVMBuildBr(e->b, done);

    LLVMPositionBuilderAtEnd(e->b, apart);
    each_lane(e, inst, 1, into);
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, done);
}

static void arrive_lanes(struct emit *e, const struct ptx_inst *inst)
{
    LLVMValueRef into =
        emit_alloca(e, LLVMVectorType(e->i64, e->lanes), 64, "state");

    if (e->f->plan->insts[e->f->at.index].arrives_together)
        arrive_together(e, inst, into);
    else
        each_lane(e, inst, 1, into);
    emit_write_vector(e, &inst->operand[0], emit_unspill(e, into, e->i64),
                      PTX_TYPE_b64);
}

/* ---- asking ------------------------------------------------------------ */

/* Has the phase whose state or parity is given ended? */
static LLVMValueRef is_over(struct emit *e, const struct ptx_inst *inst,
                            LLVMValueRef word, LLVMValueRef given)
{
    LLVMValueRef now = phase_of(e, word);

    if (!(inst->flags & PTX_FLAG_parity))
        return ir_icmp(e, LLVMIntNE, now, phase_of(e, given));
    LLVMValueRef differs = ir_and(e, ir_xor(e, now, given), ir_int(now, 1));
    return ir_icmp(e, LLVMIntNE, differs, ir_int(now, 0));
}

static void test_phase(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_operand *o = inst->operand;
    enum ptx_space space = space_of(inst, &o[1]);
    bool is_parity = inst->flags & PTX_FLAG_parity;
    enum ptx_type type = is_parity ? PTX_TYPE_u32 : PTX_TYPE_u64;

    if (simt_is_uniform(e->f->k->address[e->f->at.index])) {
        LLVMValueRef word = load_word(e, emit_pointer(e, &o[1], space, 0, 0));
        LLVMValueRef given = emit_is_uniform(e, &o[2])
                                 ? emit_read_lane(e, &o[2], type, 0)
                                 : emit_read_vector(e, &o[2], type);
        given = ir_resize(e, given, e->i64, false);
        if (!ir_is_vector(given)) {
            emit_write_uniform(e, &o[0], is_over(e, inst, word, given),
                               PTX_TYPE_pred);
            return;
        }
        emit_write_vector(e, &o[0],
                          is_over(e, inst, emit_splat(e, word), given),
                          PTX_TYPE_pred);
        return;
    }
    LLVMValueRef pointers =
        emit_spill(e, emit_pointer(e, &o[1], space, EMIT_ALL_LANES, 0));
    LLVMValueRef into =
        emit_alloca(e, LLVMVectorType(e->i64, e->lanes), 64, "words");
    struct emit_lane_loop loop;

    emit_lane_loop_begin(e, &loop, emit_mask(e));
    LLVMValueRef p = emit_spilled_lane(e, pointers, e->ptr, loop.lane);
    emit_store_lane(e, into, e->i64, loop.lane, load_word(e, p));
    emit_lane_loop_end(e, &loop);
    LLVMValueRef given =
        ir_resize(e, emit_read_vector(e, &o[2], type), e->i64, false);
    emit_write_vector(e, &o[0],
                      is_over(e, inst, emit_unspill(e, into, e->i64), given),
                      PTX_TYPE_pred);
}

void emit_mbarrier(struct emit *e, const struct ptx_inst *inst)
{
    switch (inst->sub) {
    case PTX_SUB_test_wait:
    case PTX_SUB_try_wait:
        test_phase(e, inst);
        emit_fence_after(e, PTX_SEM_acquire);
        break;
    case PTX_SUB_pending_count: {
        LLVMValueRef w = emit_read_vector(e, &inst->operand[1], PTX_TYPE_b64);
        w = field_of(e, w, MBARRIER_PENDING_SHIFT, MBARRIER_COUNT_MASK);
        emit_write_vector(e, &inst->operand[0], ir_trunc(e, w, e->i32),
                          PTX_TYPE_u32);
        break;
    }
    case PTX_SUB_arrive:
    case PTX_SUB_arrive_drop:
        emit_fence_before(e, PTX_SEM_release);
        arrive_lanes(e, inst);
        break;
    default:
        each_lane(e, inst, 0, NULL);
        break;
    }
}
