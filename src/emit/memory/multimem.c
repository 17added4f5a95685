/* SPDX-License-Identifier: Apache-2.0 */
/*
 * multimem: an address stands for one on each of several devices, which a
 * helper returns one after the other. Each active lane visits its own: stores
 * there, adds there, or combines their values.
 */
#include "emit/core/address.h"
#include "emit/core/emitters.h"
#include "emit/core/launch.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/memory/atomic.h"
#include "emit/memory/memory.h"

enum { MAX_ITEMS = 8 };

/* for (index = 0; (place = replica(address, index)); index++) */
struct replica_loop {
    LLVMBasicBlockRef head, body, done;
    LLVMValueRef index_var, index, place;
};

static void replica_loop_begin(struct emit *e, struct replica_loop *l,
                               LLVMValueRef address)
{
    assert(LLVMTypeOf(address) == e->i64);
    l->index_var = emit_alloca(e, e->i32, 0, "replica");
    ir_store(e, LLVMConstInt(e->i32, 0, 0), l->index_var, 0);
    l->head = emit_new_block(e, "replica.head");
    l->body = emit_new_block(e, "replica.body");
    l->done = emit_new_block(e, "replica.done");
    emit_goto_new(e, l->head);
    l->index = ir_load(e, e->i32, l->index_var, 0);
    LLVMValueRef args[] = {address, l->index};
    LLVMValueRef place = EMIT_HELPER(e, replica, e->i64, args, 2);
    LLVMBuildCondBr(e->b, ir_icmp(e, LLVMIntNE, place, ir_int(place, 0)),
                    l->body, l->done);
    LLVMPositionBuilderAtEnd(e->b, l->body);
    l->place = LLVMBuildIntToPtr(e->b, place, e->ptr, "");
}

static void replica_loop_end(struct emit *e, struct replica_loop *l)
{
    ir_store(e, ir_add(e, l->index, ir_int(l->index, 1)), l->index_var, 0);
    LLVMBuildBr(e->b, l->head);
    LLVMPositionBuilderAtEnd(e->b, l->done);
}

/* What is done at each address; the operation follows the first word. */
struct multimem {
    struct ptx_inst operation;
    struct atomic atomic;
    const struct ptx_operand *address, *values;
    unsigned count, size_bytes;
};

static struct multimem describe_access(struct emit *e,
                                       const struct ptx_inst *inst)
{
    bool is_load = inst->sub == PTX_SUB_ld_reduce;
    struct multimem m = {
        .operation = *inst,
        .address = &inst->operand[is_load],
        .values = &inst->operand[!is_load],
        .size_bytes = ptx_type_size(inst->type[0]),
    };

    m.operation.op = PTX_OP_red;
    m.operation.sub = inst->sub2;
    m.operation.space = PTX_SPACE_global;
    m.count = ptx_operand_item_count(m.values);
    assert(m.count <= MAX_ITEMS);
    m.atomic = (struct atomic){.space = PTX_SPACE_global,
                               .type = inst->type[0],
                               .t = emit_type(e, inst->type[0])};
    return m;
}

/* ---- st, red ----------------------------------------------------------- */

static void write_all(struct emit *e, const struct multimem *m, bool is_red)
{
    LLVMValueRef values[MAX_ITEMS];
    LLVMValueRef to =
        emit_spill(e, emit_real_addresses(e, m->address, PTX_SPACE_global));
    struct emit_lane_loop lanes;
    struct replica_loop replicas;

    for (unsigned i = 0; i < m->count; i++)
        values[i] = emit_spill(
            e, emit_read_vector(e, ptx_operand_item(m->values, i),
                                m->atomic.type));
    emit_lane_loop_begin(e, &lanes, emit_mask(e));
    replica_loop_begin(e, &replicas,
                       emit_spilled_lane(e, to, e->i64, lanes.lane));
    for (unsigned i = 0; i < m->count; i++) {
        LLVMValueRef p =
            ir_offset(e, replicas.place, (int64_t)i * m->size_bytes);
        LLVMValueRef v =
            emit_spilled_lane(e, values[i], m->atomic.t, lanes.lane);
        if (is_red)
            emit_atomic_one_lane(e, &m->atomic, p, v, NULL);
        else
            ir_store(e, v, p, m->size_bytes);
    }
    replica_loop_end(e, &replicas);
    emit_lane_loop_end(e, &lanes);
}

/* ---- ld_reduce --------------------------------------------------------- */

/* Stores the result at the lane's place of `into`. */
static void reduce_item(struct emit *e, const struct multimem *m,
                        const struct replica_loop *l, LLVMValueRef lane,
                        LLVMValueRef into, unsigned item)
{
    LLVMTypeRef t = m->atomic.t;
    LLVMValueRef p = ir_offset(e, l->place, (int64_t)item * m->size_bytes);
    LLVMValueRef v = ir_load(e, t, p, m->size_bytes);
    LLVMValueRef before = emit_spilled_lane(e, into, t, lane);
    LLVMValueRef both = emit_atomic_new_value(e, &m->atomic, before, v, NULL);
    LLVMValueRef is_first =
        ir_icmp(e, LLVMIntEQ, l->index, ir_int(l->index, 0));

    emit_store_lane(e, into, t, lane, ir_select(e, is_first, v, both));
}

static void read_all(struct emit *e, const struct multimem *m)
{
    LLVMValueRef into[MAX_ITEMS];
    LLVMTypeRef vector = LLVMVectorType(m->atomic.t, e->lanes);
    LLVMValueRef from =
        emit_spill(e, emit_real_addresses(e, m->address, PTX_SPACE_global));
    struct emit_lane_loop lanes;
    struct replica_loop replicas;

    for (unsigned i = 0; i < m->count; i++) {
        into[i] = emit_alloca(e, vector, 64, "reduced");
        ir_store(e, LLVMConstNull(vector), into[i], 64);
    }
    emit_lane_loop_begin(e, &lanes, emit_mask(e));
    replica_loop_begin(e, &replicas,
                       emit_spilled_lane(e, from, e->i64, lanes.lane));
    for (unsigned i = 0; i < m->count; i++)
        reduce_item(e, m, &replicas, lanes.lane, into[i], i);
    replica_loop_end(e, &replicas);
    emit_lane_loop_end(e, &lanes);
    for (unsigned i = 0; i < m->count; i++) {
        const struct ptx_operand *d = ptx_operand_item(m->values, i);
        if (d->kind == PTX_OPERAND_reg)
            emit_write_vector(e, d, emit_unspill(e, into[i], m->atomic.t),
                              m->atomic.type);
    }
}

void emit_multimem(struct emit *e, const struct ptx_inst *inst)
{
    struct multimem m = describe_access(e, inst);

    m.atomic.inst = &m.operation;
    emit_fence_before(e, inst->sem);
    if (inst->sub == PTX_SUB_ld_reduce)
        read_all(e, &m);
    else
        write_all(e, &m, inst->sub == PTX_SUB_red);
    emit_fence_after(e, inst->sem);
}
