/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What instructions do besides computing values: facts for analyses and
 * optimisations. The columns of ops.def hold for an opcode with any suffixes;
 * the functions look at suffixes, too. Where nothing is known, the answer is
 * the one that forbids more. Any thread.
 */
#ifndef WEFT_PTX_EFFECTS_H
#define WEFT_PTX_EFFECTS_H

#include "ptx/ptx.h"

/* The head of ops.def says what the words mean. */
enum ptx_memory {
    PTX_MEMORY_UPDATES,
    PTX_MEMORY_WRITES,
    PTX_MEMORY_READS,
    PTX_MEMORY_STACK,
    PTX_MEMORY_NONE
};
enum ptx_order { PTX_ORDER_ORDERS, PTX_ORDER_FREE };
enum ptx_lanes {
    PTX_LANES_BLOCK,
    PTX_LANES_GROUP,
    PTX_LANES_WARP,
    PTX_LANES_ALONE
};
enum ptx_result { PTX_RESULT_OWN, PTX_RESULT_COMMON, PTX_RESULT_SAME };
enum ptx_nan {
    PTX_NAN_LOOKS,
    PTX_NAN_STORES,
    PTX_NAN_ADDS,
    PTX_NAN_CONVERTS,
    PTX_NAN_TESTS,
    PTX_NAN_COPIES,
    PTX_NAN_CHOOSES,
    PTX_NAN_COMPUTES
};
enum ptx_ftz {
    PTX_FTZ_SPOILS,
    PTX_FTZ_ADDS,
    PTX_FTZ_CONVERTS,
    PTX_FTZ_COMPARES,
    PTX_FTZ_FLUSHES,
    PTX_FTZ_ROUNDS,
    PTX_FTZ_BITS
};
enum ptx_flow {
    PTX_FLOW_TRAPS,
    PTX_FLOW_LEAVES,
    PTX_FLOW_JUMPS,
    PTX_FLOW_CALLS,
    PTX_FLOW_NEXT
};

enum ptx_work {
    PTX_WORK_MATRIX,
    PTX_WORK_ATOMIC,
    PTX_WORK_SLOW,
    PTX_WORK_CHAIN,
    PTX_WORK_STEP,
    PTX_WORK_COPY
};
enum ptx_twice { PTX_TWICE_COUNTS, PTX_TWICE_IDEMPOTENT };
enum ptx_align {
    PTX_ALIGN_WHOLE,
    PTX_ALIGN_COPY,
    PTX_ALIGN_ROWS,
    PTX_ALIGN_LINES,
    PTX_ALIGN_BARRIER,
    PTX_ALIGN_FREE
};
enum ptx_waits { PTX_WAITS_MAYBE, PTX_WAITS_NEVER };

struct ptx_facts {
    enum ptx_memory memory : 8;
    enum ptx_order order : 8;
    enum ptx_lanes lanes : 8;
    enum ptx_result result : 8;
    enum ptx_nan nan : 8;
    enum ptx_ftz ftz : 8;
    enum ptx_flow flow : 8;
    enum ptx_work work : 8;
    enum ptx_twice twice : 8;
    enum ptx_align align : 8;
    enum ptx_waits waits : 8;
};
/* By opcode. The facts of PTX_OP_invalid forbid everything. */
extern const struct ptx_facts ptx_facts[PTX_OP_COUNT];

/* Does the instruction only compute values, each lane by itself? Accesses to
 * other registers may be moved across it. */
bool ptx_only_computes(const struct ptx_inst *in);

/* Memory of any space; the thread's stack pointer does not count. */
bool ptx_reads_memory(const struct ptx_inst *in);
bool ptx_writes_memory(const struct ptx_inst *in);

/* Does it order other accesses, or wait for other threads? */
bool ptx_orders_memory(const struct ptx_inst *in);
/* A load, store or read-modify-write that orders nothing itself. */
bool ptx_is_relaxed(enum ptx_sem sem);

/* Memory that no other block can access. */
bool ptx_is_private(enum ptx_space space);
/* The state space of an access; if none is named, the symbol's. */
enum ptx_space ptx_space_of(const struct ptx_operand *address,
                            enum ptx_space space);

/* The source operand that is a memory address; NULL: none. */
const struct ptx_operand *ptx_address_of(const struct ptx_inst *in);
/* atom and red. */
bool ptx_is_atomic(const struct ptx_inst *in);

/* bar and barrier, for a warp, a block or a cluster. */
bool ptx_is_barrier(const struct ptx_inst *in);
/* Does nothing follow the instruction in its basic block? */
bool ptx_ends_block(const struct ptx_inst *in);

#endif
