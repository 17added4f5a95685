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
 *
 * In this folder, unless a comment says otherwise:
 *   threads  any thread may call, except what is said to be an SM's or a
 *            kernel's own
 *   errors   NULL or false: memory has run out; what a kernel does wrong is its
 *            task's enum exec_fault
 *   owners   who makes a task or a plan has a reference to it; the parameters
 *            of a kernel are its task's
 *   units    sizes are bytes, times nanoseconds unless a name says cycles
 */
#ifndef WEFT_EXEC_H
#define WEFT_EXEC_H

#include <stdatomic.h>

#include "base/base.h"
#include "abi/abi.h"
#include "abi/calls.h"

enum exec_fault {
    EXEC_OK,
#define EXEC_FAULT(name, text, error, exception) EXEC_FAULT_##name,
#include "exec/faults.def"
};
/* "illegal address" and so on; EXEC_OK: "no fault". */
const char *exec_fault_text(enum exec_fault fault);

enum exec_task_kind {
    EXEC_TASK_KERNEL,
    EXEC_TASK_CALL,    /* fn(data) on some SM thread: copies, host functions */
    EXEC_TASK_NOTHING, /* a mark: events, waits */
    EXEC_TASK_PLAN,    /* a run of many: plan.h */
};

/*  WAITING --last dependency done--> READY --claimed--> RUNNING --> DONE  */
enum exec_task_state { EXEC_WAITING, EXEC_READY, EXEC_RUNNING, EXEC_DONE };

/* Shared memory of an SM. */
#define EXEC_SHARED_BYTES ((size_t)228 << 10)

/* Bytes at launch.grid_workspace, all zero when a kernel starts. */
#define EXEC_WORKSPACE_BYTES 64

/*
 * Which threads run a kernel, and which SMs it believes to run on: SM threads
 * first to end - 1; the kernel sees SMs sm_first to sm_first + sm_count - 1,
 * which may be more or fewer. end 0: all SM threads run it, each as an SM.
 */
struct exec_part {
    unsigned first, end;
    unsigned sm_first, sm_count;
};

struct exec_kernel {
    exec_kernel_fn *fn;
    /* Where code appears that replaces fn between two blocks; it needs no more
     * stack than fn. NULL: none will. */
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
    /* Instead of params_storage: the task copies so many bytes at
     * launch.params, the workspace included. Such a task cannot be part of a
     * graph. */
    size_t params_bytes;
};

struct exec_task; /* counted */

/* Starts the SM threads, on the first call. False: out of memory. Any
 * thread. */
bool exec_start(void);
/* Stops the SM threads. No task may be pending. For cudaDeviceReset and
 * tests. */
void exec_stop(void);
/* In a child process of one that has run no task: it has none of the threads.
 * exec_start makes new ones. */
void exec_forget_threads(void);
unsigned exec_sm_count(void);
/* How many SMs WEFT_SMS asks for; 0: it does not say. */
unsigned exec_wanted_sms(void);
/* Size of the last cache that the first processor reaches; in a virtual
 * machine, its share of that. */
uint64_t exec_cache_bytes(void);

/* A kernel's task with one reference, WAITING, without dependencies; NULL: out
 * of memory. Copies `kernel` and takes over params_storage. Fills in helpers,
 * warps_per_block and, if it is 0, sm_count. */
struct exec_task *exec_task_kernel(const struct exec_kernel *kernel);
struct exec_task *exec_task_call(void (*fn)(void *data), void *data);
/* A task that calls a function of the program. It runs on a thread of its own,
 * since it may block, and never on a helping thread, which may hold locks of
 * the program. */
struct exec_task *exec_task_host_function(void (*fn)(void *data), void *data);
struct exec_task *exec_task_nothing(void);
struct exec_task *exec_task_ref(struct exec_task *t);
void exec_task_unref(struct exec_task *t); /* NULL is harmless */

/* The task frees `storage`, which was malloc'ed, with itself. Not for
 * kernels. */
void exec_task_own(struct exec_task *t, void *storage);
/* The parameters that a kernel's task owns, to be changed before it runs. */
void *exec_task_params(struct exec_task *t);
const void *exec_task_order(const struct exec_task *t);
/* For a run of a plan, before it is submitted: which threads work on it. */
void exec_task_set_part(struct exec_task *t, const struct exec_part *part);

/* fn is called once when the task is done, on the thread that finished it,
 * before its dependents start; it must not block. To be set before submit. */
void exec_task_on_done(struct exec_task *t,
                       void (*fn)(void *data, enum exec_fault fault),
                       void *data);
/* t will not start until `dependency` is done. To be called before t is
 * submitted, or while another dependency of it is certain not to be done; one
 * call at a time for one t. A dependency that is done already costs nothing.
 * False: out of memory. */
bool exec_task_depend(struct exec_task *t, struct exec_task *dependency);
/* Before submit. Among ready tasks the smallest number runs first; 0 by
 * default. */
void exec_task_set_priority(struct exec_task *t, int priority);
/* Before submit: an address that names the order t is part of; NULL by
 * default. A thread that waits for a task helps with tasks of the same order
 * only: one of another order may wait for what this thread does next. */
void exec_task_set_order(struct exec_task *t, const void *order);
/* Before submit: if *flag is nonzero when the task would start, the task is
 * done at once, without running. The flag must outlive the task. */
void exec_task_cancel_if(struct exec_task *t, const atomic_int *flag);
/* Hands the task over: it runs as soon as its dependencies are done. */
void exec_submit(struct exec_task *t);

/* Whoever will look for the task's end without exec_task_depend or exec_wait:
 * what is submitted from now on does not become part of it. Any thread. */
void exec_task_close(struct exec_task *t);

/* Any thread. fault: that of a task which is done; 0: it had none. */
bool exec_task_is_done(const struct exec_task *t);
enum exec_fault exec_task_fault(const struct exec_task *t);
/* CLOCK_MONOTONIC nanoseconds when the task was done; 0 before. */
uint64_t exec_task_done_ns(const struct exec_task *t);

/* If the task has nothing to run and all that it depends on is done, it is
 * done when this returns. Otherwise has no effect. */
void exec_let_finish(const struct exec_task *t);

enum exec_wait_mode { EXEC_WAIT_HELP, EXEC_WAIT_BLOCK };
/* Returns when the task is done. Must not be called from inside a task. */
void exec_wait(struct exec_task *t, enum exec_wait_mode mode);

/* Wakes another SM thread if there are unclaimed blocks. For a host thread
 * that polls: the blocks that run may wait for those. */
void exec_poke(void);

/* Device printf: writes the text collected since the last flush to stdout.
 * core calls it wherever CUDA flushes. */
void exec_printf_flush(void);
/* False: a kernel has printed since the last reset, and the size is fixed. */
bool exec_printf_set_size(size_t size_bytes);
size_t exec_printf_size(void);
void exec_printf_reset(void);

/* Size of the heap for device malloc, at most 64 GiB. False: a kernel has
 * allocated since the last reset. A reset frees all blocks. */
bool exec_heap_set_size(size_t size_bytes);
size_t exec_heap_size(void);
void exec_heap_reset(void);
/* Is the address in the heap? */
bool exec_heap_has(const void *p);
/* False: some of the bytes are the heap's, but not in one block in use. */
bool exec_heap_holds(const void *p, size_t size_bytes);

/* Stack bytes that one thread of a recursive kernel may use. */
void exec_set_stack_limit(size_t thread_bytes);

/* A kernel's call of the device runtime. The callee runs on the stack of the
 * warp's fiber, which is small: no compiler may run there. A fault in it is
 * the kernel's. */
struct exec_device_call {
    struct exec_warp *warp;
    enum exec_call call;
    uint64_t thread; /* linear, in the block */
    const uint64_t *arguments;
};
typedef uint64_t exec_device_call_fn(const struct exec_device_call *c);
/* Sets the function that does device calls; once, before any kernel runs that
 * makes one. */
void exec_on_device_call(exec_device_call_fn *fn);
/* multimem: the index-th address that `address` stands for; 0: there are no
 * more. Its function is set before any kernel runs that has such
 * instructions. */
typedef uint64_t exec_replica_fn(uint64_t address, uint32_t index);
void exec_on_replica(exec_replica_fn *fn);

/* What is known of the last fault, for messages and core files. */
#define EXEC_FAULT_PCS 16
struct exec_fault_info {
    enum exec_fault fault;
    uint64_t address;      /* FAULT_ADDRESS, FAULT_MISALIGNED: what was
                              touched */
    uint64_t block_linear; /* of the launch */
    uint32_t warp;         /* of 32 threads */
    /* The first thread, linear in the block, of those of which one has failed;
     * if their count is 1, it is known exactly. */
    uint32_t thread, thread_count;
    uint32_t line;        /* of the PTX; 0: unknown */
    /* Addresses of machine code: the failing instruction, then return
     * addresses that lay on the stack; 0: unknown. */
    uint64_t pc[EXEC_FAULT_PCS];
    uint32_t align_bytes; /* FAULT_MISALIGNED: what the address should be a
                             multiple of */
    /* Of the launch: */
    const void *function;
    uint32_t grid[3], block[3];
};
struct exec_fault_info exec_last_fault(void);
/* Copies up to `room_bytes` of the shared memory of the block that failed, as
 * it was in memory; what compiled kernels kept in registers is missing.
 * Returns its size in bytes. */
size_t exec_last_fault_shared(void *out, size_t room_bytes);
/* Calls fn(data) on this thread, which runs no kernel. False: it touched memory
 * that is not there, and did no more. It holds no locks. */
bool exec_try(void (*fn)(void *data), void *data);

#endif
