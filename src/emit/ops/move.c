/* SPDX-License-Identifier: Apache-2.0 */
/* mov: registers, constants, addresses, packing and unpacking; and
 * instructions without effect. */
#include "emit/core/emitters.h"
#include "emit/core/values.h"

/* All sources are read before a destination is written, so that mov {a, b},
 * {b, a} swaps. */
static void move_items(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_operand *d = &inst->operand[0], *s = &inst->operand[1];
    LLVMValueRef v[8];

    assert(d->item_count <= ARRAY_COUNT(v));
    for (unsigned i = 0; i < d->item_count; i++)
        v[i] = emit_read(e, &s->items[i], inst->type[0]);
    for (unsigned i = 0; i < d->item_count; i++)
        emit_write(e, &d->items[i], v[i], inst->type[0]);
}

/* A cache policy: any value will do. */
void emit_zero(struct emit *e, const struct ptx_inst *inst)
{
    enum ptx_type type = inst->type[0];
    emit_write(e, &inst->operand[0], emit_const(e, emit_type(e, type), 0),
               type);
}

void emit_mov(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_operand *d = &inst->operand[0], *s = &inst->operand[1];

    if (d->kind == PTX_OPERAND_vector && s->kind == PTX_OPERAND_vector)
        move_items(e, inst);
    else
        emit_write(e, d, emit_read(e, s, inst->type[0]), inst->type[0]);
}

/* A hint without effect: hardware prefetchers do what it could. */
void emit_nothing(struct emit *e, const struct ptx_inst *inst)
{
    (void)e;
    (void)inst;
}
