/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels as plain C functions, and launching them without a JIT. */
#ifndef WEFT_TESTS_LAUNCH_H
#define WEFT_TESTS_LAUNCH_H

#include <stdlib.h>

#include "exec/exec.h"

static inline struct exec_kernel make_kernel(exec_kernel_fn *fn, void *params,
                                             uint64_t blocks, unsigned threads)
{
    return (struct exec_kernel){
        .fn = fn,
        .stack_bytes = 1024,
        .launch =
            {
                .params = params,
                .grid = {(uint32_t)blocks, 1, 1},
                .block = {threads, 1, 1},
                .block_count = blocks,
            },
    };
}

static inline enum exec_fault run_and_wait(const struct exec_kernel *k)
{
    struct exec_task *t = exec_task_kernel(k);
    exec_submit(t);
    exec_wait(t, EXEC_WAIT_HELP);
    enum exec_fault fault = exec_task_fault(t);
    exec_task_unref(t);
    return fault;
}

static inline enum exec_fault launch(exec_kernel_fn *fn, void *params,
                                     uint64_t blocks, unsigned threads)
{
    struct exec_kernel k = make_kernel(fn, params, blocks, threads);
    return run_and_wait(&k);
}

static inline enum exec_fault launch_with_barriers(exec_kernel_fn *fn,
                                                   void *params,
                                                   uint64_t blocks,
                                                   unsigned threads)
{
    struct exec_kernel k = make_kernel(fn, params, blocks, threads);
    k.has_barrier = true;
    return run_and_wait(&k);
}

#endif
