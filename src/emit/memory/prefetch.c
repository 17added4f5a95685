/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prefetches in loops, for an iteration or more ahead. simt/plan/prefetch.c
 * says which loads do that.
 */
#include "emit/core/address.h"
#include "emit/core/values.h"
#include "emit/memory/memory.h"

/* Iterations from prefetch to load, where an iteration takes less time than
 * memory. */
enum { COUNTING_AHEAD = 3 };

void emit_prefetch_in_loop(struct emit *e, const struct ptx_operand *address)
{
    const struct simt_prefetch *plan =
        &e->f->plan->insts[e->f->at.index].prefetch;
    struct simt_shape s = e->f->k->address[e->f->at.index];

    assert(emit_has_inst(e, e->f->at.index));
    if (!plan->step)
        return;
    LLVMValueRef n = emit_read_lane(e, plan->step, plan->type, 0);
    n = ir_resize(e, n, e->i64, true);
    bool is_counting = plan->is_next && e->f->kept.histogram;
    int64_t iterations = is_counting ? COUNTING_AHEAD : plan->iterations;
    LLVMValueRef distance = ir_mul(e, n, ir_int(n, iterations * plan->scale));
    if (emit_prefetch_with_histogram(e, address, s, distance))
        return;
    unsigned groups = emit_group_count(e, s), lanes = e->lanes / groups;
    for (unsigned g = 0; g < groups; g++) {
        LLVMValueRef p =
            emit_pointer(e, address, PTX_SPACE_global, (int)(g * lanes), 0);
        emit_prefetch_lines(e, ir_offset_by(e, p, distance), s.stride * lanes,
                            plan->is_next ? EMIT_FIRST_CACHE
                                          : EMIT_SECOND_CACHE);
    }
}
