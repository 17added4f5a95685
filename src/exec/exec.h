/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SM threads, warp fibers, block scheduling, faults, and the order in which
 * tasks run. Knows nothing of streams or CUDA errors: core/ builds those from
 * tasks and dependencies.
 *
 * A thread is an SM (one per core, pinned). A task becomes ready when all the
 * tasks it depends on are done. Ready kernels are executed in chunks of
 * blocks by every SM thread that is free; a host thread that waits for a task
 * helps while an SM slot is free, before it sleeps.
 */
#ifndef WEFT_EXEC_H
#define WEFT_EXEC_H

#include <stdatomic.h>

#include "base/base.h"
#include "abi/abi.h"
#include "abi/calls.h"

enum exec_fault {
    EXEC_OK,
    EXEC_FAULT_ADDRESS,    /* SIGSEGV/SIGBUS in a kernel: error 700 */
    EXEC_FAULT_TRAP,       /* trap: 719 */
    EXEC_FAULT_ASSERT,     /* 710 */
    EXEC_FAULT_STACK,      /* guard page of a fiber: 719 */
    EXEC_FAULT_ARITHMETIC, /* SIGFPE: must not happen, 719 */
    EXEC_FAULT_ILLEGAL,    /* SIGILL, and what hardware refuses: 715 */
    EXEC_FAULT_PC,         /* a call of what is no function: 718 */
    EXEC_FAULT_MISALIGNED, /* an address that is no multiple: 716 */
};

enum exec_task_kind {
    EXEC_TASK_KERNEL,
    EXEC_TASK_CALL,    /* fn(data) on some SM thread: copies, host functions */
    EXEC_TASK_NOTHING, /* a mark: events, waits */
    EXEC_TASK_PLAN,    /* a run of many: plan.h */
};

/*  WAITING --last dependency done--> READY --claimed--> RUNNING --> DONE  */
enum exec_task_state { EXEC_WAITING, EXEC_READY, EXEC_RUNNING, EXEC_DONE };

/* Zero when a kernel starts: launch.grid_workspace. */
#define EXEC_WORKSPACE_BYTES 64

/*
 * Which threads run a kernel, and what it sees of that: those of SMs first to
 * end - 1, and SMs that are called sm_first and the next sm_count - 1, which
 * may be more, or fewer. end 0: all threads run it, each an SM.
 */
struct exec_part {
    unsigned first, end;
    unsigned sm_first, sm_count;
};

struct exec_kernel {
    exec_kernel_fn *fn;
    /* What takes fn's place as soon as it is there, between two blocks; it
     * needs no more stack. NULL: nothing will. */
    const exec_newer_fn *newer;
    struct exec_part part;
    bool has_barrier;    /* needs a fiber per warp */
    bool has_waits;      /* warps and blocks may wait for each other */
    bool takes_turns;    /* neighbouring blocks run in step: see helpers.turn */
    bool is_cooperative; /* all blocks are there at once, however many */
    bool is_whole_block; /* with has_waits: a call runs all warps of a block */
    size_t stack_bytes;  /* per warp; 0: unknown (recursion), use maximum */
    struct exec_launch launch;
    void *params_storage; /* owned copy of the parameters, freed with task */
    /* In its place: so much at launch.params, the workspace with it, is copied
     * into the task. Such a task is not part of a graph. */
    size_t params_bytes;
};

struct exec_task; /* counted */

/* Starts the SM threads (lazily, on the first call). False: out of memory. */
bool exec_start(void);
/* Stops them. No task may be pending. For cudaDeviceReset and tests. */
void exec_stop(void);
unsigned exec_sm_count(void);
/* Of the last cache that the first processor reaches. */
uint64_t exec_cache_bytes(void);

/* Makes a task with one reference, WAITING, no dependencies. NULL: memory.
 * kernel: copied; takes over params_storage; helpers, warps_per_block and, if
 * it is 0, sm_count are filled in. */
struct exec_task *exec_task_kernel(const struct exec_kernel *kernel);
struct exec_task *exec_task_call(void (*fn)(void *data), void *data);
/* The user's code: on a thread of its own, since it may block, and never on
 * a helping thread, which may hold the user's locks. */
struct exec_task *exec_task_host_function(void (*fn)(void *data), void *data);
struct exec_task *exec_task_nothing(void);
struct exec_task *exec_task_ref(struct exec_task *t);
void exec_task_unref(struct exec_task *t); /* NULL is harmless */

/* Memory that goes with the task, not of a kernel; malloc'ed. */
void exec_task_own(struct exec_task *t, void *storage);
/* A kernel's own copy of its parameters, to change before it runs. */
void *exec_task_params(struct exec_task *t);
const void *exec_task_order(const struct exec_task *t);
/* Of a run of a plan, before it is submitted: who works at it. */
void exec_task_set_part(struct exec_task *t, const struct exec_part *part);

/* Called once when the task is done, on the thread that finished it, before
 * its dependents start. Set before submit. Must not block. */
void exec_task_on_done(struct exec_task *t,
                       void (*fn)(void *data, enum exec_fault fault),
                       void *data);
/* Before submit, or while another dependency cannot be done yet: `t` will not
 * start until `dependency` is done; one call at a time for one t. False:
 * memory. A dependency that is done already costs nothing. */
bool exec_task_depend(struct exec_task *t, struct exec_task *dependency);
/* Before submit. Smaller runs first among ready tasks; 0 to begin with. */
void exec_task_set_priority(struct exec_task *t, int priority);
/* Before submit: whose order it is part of; NULL to begin with. Who waits for
 * a task runs others of the same order only: one of another may itself wait
 * for what this thread does afterwards. */
void exec_task_set_order(struct exec_task *t, const void *order);
/* Before submit: when *flag is nonzero at the time the task would start, it
 * is done at once without running. The flag must outlive the task. */
void exec_task_cancel_if(struct exec_task *t, const atomic_int *flag);
/* From here on the task runs as soon as it may. */
void exec_submit(struct exec_task *t);

/* Any thread may ask. fault: of one that is done; 0: none. */
bool exec_task_is_done(const struct exec_task *t);
enum exec_fault exec_task_fault(const struct exec_task *t);
/* CLOCK_MONOTONIC nanoseconds when the task was done; 0 before. */
uint64_t exec_task_done_ns(const struct exec_task *t);

/* What a task waits for is done, and it has nothing to run: then it is done
 * when this returns. Else as it was. */
void exec_let_finish(const struct exec_task *t);

enum exec_wait_mode { EXEC_WAIT_HELP, EXEC_WAIT_BLOCK };
/* Returns when the task is done. Not from inside a task. */
void exec_wait(struct exec_task *t, enum exec_wait_mode mode);

/* Wakes another SM thread if work lies unclaimed: for a host thread that
 * polls, since the blocks that run may wait for those not taken yet. */
void exec_poke(void);

/* Device printf: text collected since the last flush goes to stdout. Called
 * by core at the points where CUDA flushes. */
void exec_printf_flush(void);
/* False: a kernel has printed since the last reset. */
bool exec_printf_set_size(size_t size_bytes);
size_t exec_printf_size(void);
void exec_printf_reset(void);

/* Device malloc's heap. False: too large, or a kernel has allocated since the
 * last reset, which frees all blocks. */
bool exec_heap_set_size(size_t size_bytes);
size_t exec_heap_size(void);
void exec_heap_reset(void);

/* How much of its stack a thread of a recursive kernel may want. */
void exec_set_stack_limit(size_t thread_bytes);

/* What a kernel calls of the device runtime. On the stack of the warp's fiber,
 * which is small: no compiler there. A fault in it is the kernel's. */
struct exec_device_call {
    struct exec_warp *warp;
    enum exec_call call;
    uint64_t thread; /* linear, of the block */
    const uint64_t *arguments;
};
typedef uint64_t exec_device_call_fn(const struct exec_device_call *c);
/* Who does them; once, before any kernel runs that calls. */
void exec_on_device_call(exec_device_call_fn *fn);
/* multimem: the address of the index-th place that `address` stands for; 0: it
 * has no more. Who knows them; before any kernel runs that has such. */
typedef uint64_t exec_replica_fn(uint64_t address, uint32_t index);
void exec_on_replica(exec_replica_fn *fn);

/* Where the last fault happened, for messages. */
#define EXEC_FAULT_PCS 16
struct exec_fault_info {
    enum exec_fault fault;
    uint64_t address;      /* FAULT_ADDRESS, FAULT_MISALIGNED: what was
                              touched */
    uint64_t block_linear; /* of the launch */
    uint32_t warp;         /* of 32 threads */
    /* Linear in the block, of which one did it; known exactly where the count
     * is 1. */
    uint32_t thread, thread_count;
    uint32_t line;        /* of the PTX; 0: unknown */
    /* Of the machine's code that did it, and then what lay on the stack, among
     * it who called that; 0: unknown. */
    uint64_t pc[EXEC_FAULT_PCS];
    uint32_t align_bytes; /* FAULT_MISALIGNED: what the address should be a
                             multiple of */
    /* The launch's: */
    const void *function;
    uint32_t grid[3], block[3];
};
struct exec_fault_info exec_last_fault(void);
/* Shared memory of the block that failed, as it was in memory then; compiled
 * kernels keep parts of it in registers. Copies at most `room_bytes`; gives how
 * many there are. */
size_t exec_last_fault_shared(void *out, size_t room_bytes);
/* Calls fn(data) on this thread, which runs no kernel. False: it touched memory
 * that is not there, and did no more. It holds no locks. */
bool exec_try(void (*fn)(void *data), void *data);

#endif
