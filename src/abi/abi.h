/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What compiled kernels and the execution engine agree on: the structures a
 * kernel reads, the helpers it calls, the entry point's signature. emit/
 * addresses the fields by offsetof, so code in the disk cache depends on this
 * file: increment WEFT_ABI_VERSION, which is part of its key, with each change.
 *
 * Compiled code has no external symbol: helpers are reached through the
 * table, module variables through `globals`, so that an object from the disk
 * cache needs no relocation against the process.
 *
 * In this folder, unless a comment says otherwise:
 *   threads  functions have no state: any thread may call
 *   errors   there are none; what is not there is told by the result
 *   owners   a structure is its maker's: exec makes those of launches and
 *            warps, kernels read them
 *   units    sizes and offsets are bytes; lanes, warps and blocks are numbers
 *            from 0
 */
#ifndef WEFT_ABI_H
#define WEFT_ABI_H

#include <stdint.h>

#define WEFT_ABI_VERSION 23
#define WEFT_WARP_LANES  32
/* The entry that every object exports: void weft_kernel(struct exec_warp *). */
#define WEFT_ENTRY_NAME "weft_kernel"
/* Alignment of the stack at a kernel's entry, in bytes, on x86-64. */
#define WEFT_STACK_ALIGN 64
/*
 * The shared memory of a cluster's blocks lies in one window, from whose start
 * shared addresses count: the block of rank r begins at r <<
 * WEFT_CLUSTER_SHIFT. So an address in a block's shared memory means the same
 * in all blocks of the cluster, as on hardware.
 */
#define WEFT_CLUSTER_SHIFT 24
#define WEFT_CLUSTER_MAX   16
/* A block's barriers that PTX names by number. One for each warpgroup follows.
 */
#define WEFT_BARRIERS 16

struct exec_warp;
struct exec_tensor_copy;
struct exec_tensor_watch;
struct exec_texture_request;

/*
 * A kernel is compiled for a number of lanes to a call, exec_launch.lane_count,
 * and what is called a warp here has that many threads: 32 in the plain case, 1
 * where lanes may wait for each other, more where no operation crosses lanes.
 * %warpid, %laneid and the thread counts of barriers still mean warps of 32.
 */

/* Functions that compiled code calls. All take the warp first. */
struct exec_helpers {
    /* bar.sync id, thread_count; thread_count 0: the whole block; ids from
     * WEFT_BARRIERS on are warpgroups'. Returns after all have arrived.
     * Switches fibers. All lanes of a warp arrive together: a kernel in which
     * only some warps of 32 reach a barrier must not have more lanes to a call.
     */
    void (*barrier_sync)(struct exec_warp *w, uint32_t id,
                         uint32_t thread_count);
    void (*barrier_arrive)(struct exec_warp *w, uint32_t id,
                           uint32_t thread_count);
    /* bar.red: `votes` of this warp's `voters` lanes have a true predicate.
     * Returns the count over the block; .and/.or derive from it and from
     * *total (the number of participating threads). */
    uint32_t (*barrier_red)(struct exec_warp *w, uint32_t id,
                            uint32_t thread_count, uint32_t votes,
                            uint32_t voters, uint32_t *total);
    /* End of a block in a kernel with barriers: waits for the block's other
     * warps before the next block starts, since shared memory is reused. */
    uint64_t (*block_end)(struct exec_warp *w);
    /* The warp waits for others: runs those that it may wait for. */
    void (*yield)(struct exec_warp *w);
    /* The warp waits for nobody, but others go through memory in step with it:
     * lets them run. */
    void (*turn)(struct exec_warp *w);
    /* Lane count 1 only. The threads of a warp of 32 that `members` names, by
     * bit, wait for each other; `kind`, any number, must be the same in all.
     * The result is valid until the thread's next collective. members 0: the
     * threads that come to this one anyway. */
    const struct exec_collective *(*collective)(struct exec_warp *w,
                                                uint32_t members, uint32_t kind,
                                                uint64_t value);
    /* barrier.cluster.arrive by `lanes` of this warp. The warp has arrived when
     * all its lanes have, or when it calls cluster_wait, which returns when all
     * warps of the cluster have arrived in the same phase, or exited. */
    void (*cluster_arrive)(struct exec_warp *w, uint32_t lanes);
    void (*cluster_wait)(struct exec_warp *w);
    /* Would cluster_wait return at once? */
    uint32_t (*cluster_is_over)(struct exec_warp *w);
    /* A tensor copy, or a change of a field (enum tensor_field) of a tensor
     * map, by one lane: abi/tensor.h. */
    void (*tensor_copy)(struct exec_warp *w, const struct exec_tensor_copy *r);
    void (*tensor_replace)(struct exec_warp *w, uint64_t map, uint32_t field,
                           uint32_t ordinal, uint64_t value);
    /* An access to textures or surfaces by some lanes: abi/texture.h. */
    void (*texture)(struct exec_warp *w, struct exec_texture_request *r);
    /* vprintf: for one lane. format and args are generic addresses. */
    int32_t (*vprintf)(struct exec_warp *w, uint64_t format, uint64_t args);
    uint64_t (*malloc)(struct exec_warp *w, uint64_t size_bytes);
    uint64_t (*aligned_malloc)(struct exec_warp *w, uint64_t size_bytes,
                               uint64_t alignment);
    void (*free)(struct exec_warp *w, uint64_t address);
    /* __assertfail by `lanes`, by bit in the aligned group of 32 that `lane`,
     * the first of them, is in. Reports them all, in w->block_current and
     * w->warp_current. Does not return. */
    void (*assert_fail)(struct exec_warp *w, uint64_t message, uint64_t file,
                        uint32_t line, uint64_t function, uint64_t char_size,
                        uint32_t lane, uint32_t lanes);
    /* trap; does not return. */
    void (*trap)(struct exec_warp *w);
    uint64_t (*clock)(struct exec_warp *w);       /* cycles, monotonic */
    uint64_t (*globaltimer)(struct exec_warp *w); /* nanoseconds */
    void (*nanosleep)(struct exec_warp *w, uint32_t ns);
    /* An indirect call of something that is no function. Does not return. */
    void (*bad_call)(struct exec_warp *w, uint64_t handle);
    /* Calls a function of the device runtime, enum exec_call, for one lane. An
     * argument is a number; of a dim3, its address. */
    uint64_t (*device_call)(struct exec_warp *w, uint32_t call, uint32_t lane,
                            const uint64_t *arguments);
    /* `lanes` (by bit, counted from the call's lane `first`) access memory at
     * addresses[] or, if that is NULL, at base + stride * lane, and one of
     * these is misaligned. access: EXEC_ACCESS. Does not return. */
    void (*misaligned)(struct exec_warp *w, const uint64_t *addresses,
                       uint64_t base, int64_t stride, uint32_t lanes,
                       uint32_t first, uint64_t access);
    /* An instruction that hardware refuses to execute. Does not return. */
    void (*illegal)(struct exec_warp *w);
    /* multimem: the address of the index-th device's copy of what is at
     * `address`; 0: there are no more devices. If nothing is there, index 0 is
     * a fault, and this does not return. */
    uint64_t (*replica)(struct exec_warp *w, uint64_t address, uint32_t index);
    /* The interpreter has found errors in the kernel, and reported them. Does
     * not return. */
    void (*checked)(struct exec_warp *w);
    /* tensor_copy that asks before what it does. */
    void (*watched_tensor_copy)(struct exec_warp *w,
                                const struct exec_tensor_copy *r,
                                const struct exec_tensor_watch *watch);
};

/* The id of barrier_red: the barrier's number, and the reduction of the votes,
 * which must be the same in all warps that arrive. */
enum exec_barrier_kind {
    EXEC_BARRIER_sync, /* none: barrier_sync, barrier_arrive */
    EXEC_BARRIER_popc,
    EXEC_BARRIER_and,
    EXEC_BARRIER_or,
};
#define EXEC_BARRIER(id, kind) ((uint32_t)(kind) << 8 | (id))
#define EXEC_BARRIER_KIND(id)  ((id) >> 8)

/* For helpers.misaligned: the line of the PTX that has the instruction. With
 * align_bytes 0 the address is outside of what may be accessed. */
#define EXEC_ACCESS(line, align_bytes)                                         \
    ((uint64_t)(line) << 8 | (uint8_t)(align_bytes))

/* The result of a collective operation. */
struct exec_collective {
    uint64_t value[WEFT_WARP_LANES]; /* that each lane passed */
    uint32_t present;                /* the lanes that took part, by bit */
    uint32_t ballot;  /* those of them whose value was odd */
};

/* Constant during one launch; shared by all SM threads. */
struct exec_launch {
    const struct exec_helpers *helpers;
    const uint8_t *params; /* laid out as ptx_var.offset_bytes says */
    uint8_t *globals;      /* the module's: ptx_module.globals_bytes */
    uint32_t grid[3];
    uint32_t block[3];
    uint32_t static_shared_bytes;
    uint32_t dynamic_shared_bytes;
    uint64_t grid_id;
    uint32_t sm_count;
    uint32_t lane_count; /* threads in a warp; 0 for exec_task_kernel: 32 */
    uint32_t warps_per_block; /* block size / lane_count; set by exec */
    uint64_t block_count;     /* grid[0] * grid[1] * grid[2] */
    uint64_t thread_count;    /* of the whole grid; set by exec */
    uint64_t cache_bytes;     /* the machine's last cache; set by exec */
    /* Blocks in a cluster, by dimension and in all; the grid is a multiple. All
     * 0 for exec_task_kernel: 1. */
    uint32_t cluster[3];
    uint32_t cluster_blocks;
    uint32_t is_explicit_cluster; /* the program asked for clusters */
    const void *emu_kernel;   /* the interpreter's, when emu_entry runs it */
    /* %envreg1 (high half) and %envreg2 (low half): 64 bytes, zero at first,
     * for the grid's barriers of a cooperative launch; else NULL. */
    void *grid_workspace;
    void *owner; /* core's, for device_call; NULL: there can be no such call */
    /* The helpers for kernels in flush-to-zero mode. */
    const struct exec_helpers *flushing_helpers;
    const void *function; /* core's: the kernel, for messages */
    /* The graph instance that it is part of, if kernels may launch that; or
     * NULL. */
    const void *graph_exec;
    /* A word that the kernel's code keeps from call to call and from launch to
     * launch, 0 at first. Several threads read and write it, and any value is
     * right: emit/core/lockstep.c. NULL: the kernel keeps none. */
    uint32_t *habit;
};

/*
 * One call of a kernel. It runs warps [warp_first, warp_end) of blocks
 * [block_first, block_end), blocks in linear order (x fastest).
 *
 * Without barriers, one call runs all warps of a range of blocks. With
 * barriers, there is a call for each warp (warp_end == warp_first + 1), on a
 * fiber of its own, all with one range of blocks; after each block the code
 * calls block_end, which returns the distance to the next block.
 */
struct exec_warp {
    const struct exec_launch *launch;
    uint8_t *shared; /* the block's shared window */
    /* The lowest address of this call's stack. A .local address is a real one
     * minus this, and fits 32 bits. */
    uint8_t *stack_base;
    uint64_t block_first, block_end;
    uint32_t warp_first, warp_end;
    uint32_t sm_id;
    uint32_t cluster_rank; /* the block's */
    uint32_t vote_total; /* scratch for barrier_red */
    void *owner;         /* exec's own */
    /* Where the kernel is, for messages about faults and asserts. The code
     * stores both when it begins a warp of a block; before the call, exec sets
     * them to block_first and warp_first. */
    uint64_t block_current; /* linear */
    uint32_t warp_current; /* or its first thread | WEFT_IN_LOCKSTEP */
    /* The interpreter also stores 1 + the thread, linear in the block, or 0 for
     * no thread, and the line of the PTX. */
    uint32_t thread_current, line_current;
};

/* In exec_warp.warp_current: a kernel with one lane to a call runs 32 threads
 * in lockstep. */
#define WEFT_IN_LOCKSTEP (UINT32_C(1) << 31)

typedef void exec_kernel_fn(struct exec_warp *w);
/* The kernel's full code: NULL, until a thread stores it once, with release. */
typedef _Atomic(exec_kernel_fn *) exec_newer_fn;

/* To programs, the address of a device function is this handle: not 0, the same
 * in all kernels of a module, and no real address. */
#define WEFT_FUNC_HANDLE(index)                                                \
    (UINT64_C(0x7700000000000000) | ((uint64_t)(index) + 1) << 4)

#endif
