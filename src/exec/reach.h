/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What kernels touch in memory, block by block; and from that, whether a block
 * of a kernel needs more of the kernel before than its own blocks have done.
 * Where none does, a thread may run its blocks of one kernel after its blocks
 * of the other and need not wait for anybody in between (phase.h).
 */
#ifndef WEFT_EXEC_REACH_H
#define WEFT_EXEC_REACH_H

#include <stdbool.h>
#include <stdint.h>

#define EXEC_TOUCHES_MAX 16

/* Addresses in [first, end), of block 0; of block b, b * step_bytes further on;
 * none of them outside of [low, high). */
struct exec_touch {
    int64_t first, end, step_bytes;
    int64_t low, high;
    bool writes;
};

/* All that a kernel touches that others may, too. */
struct exec_reach {
    uint32_t count;
    struct exec_touch touch[EXEC_TOUCHES_MAX];
};

/* May block b of one run while block c of the other does, for all b that are
 * not c? Any thread. */
bool exec_reach_is_apart(const struct exec_reach *a,
                         const struct exec_reach *b);

struct exec_kernel;
/* Finds what the kernel touches, with its arguments as they are. False: who
 * knows. Any thread; from inside a run. */
typedef bool exec_reach_fn(const struct exec_kernel *k, struct exec_reach *out);
/* Who finds it; once, before any plan runs. Without, nobody does. */
void exec_on_reach(exec_reach_fn *fn);
/* What was found may no longer hold: memory has been freed. Any thread. */
void exec_reach_expire(void);
/* Grows with each of these calls. */
uint64_t exec_reach_epoch(void);
/* False: who knows. */
bool exec_reach_of(const struct exec_kernel *k, struct exec_reach *out);

#endif
