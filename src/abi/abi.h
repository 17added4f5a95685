/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What compiled kernels and the execution engine agree on: the structures a
 * kernel reads, the helpers it calls, the entry point's signature. emit/
 * addresses the fields by offsetof, so a change here changes the code cache's
 * key: bump WEFT_ABI_VERSION.
 *
 * Compiled code has no external symbol: helpers are reached through the
 * table, module variables through `globals`, so that an object from the disk
 * cache needs no relocation against the process.
 */
#ifndef WEFT_ABI_H
#define WEFT_ABI_H

#include <stdint.h>

#define WEFT_ABI_VERSION 22
#define WEFT_WARP_LANES  32
/* The entry that every object exports: void weft_kernel(struct exec_warp *). */
#define WEFT_ENTRY_NAME "weft_kernel"
/* Of the stack where a kernel begins, on x86-64. */
#define WEFT_STACK_ALIGN 64
/*
 * A cluster's blocks lie in one window, which shared addresses count from: the
 * block of rank r begins at r << WEFT_CLUSTER_SHIFT. So an address of a block's
 * own shared memory means the same to all of its cluster, as on hardware.
 */
#define WEFT_CLUSTER_SHIFT 24
#define WEFT_CLUSTER_MAX   16
/* Barriers that a block has by number; one for each warpgroup follows. */
#define WEFT_BARRIERS 16

struct exec_warp;
struct exec_tensor_copy;
struct exec_texture_request;

/*
 * A kernel is compiled for some number of lanes to a call, exec_launch's
 * lane_count: what is called a warp here has that many threads. 32 is the
 * plain case; 1 where lanes may wait for each other; more for kernels without
 * operations between lanes. %warpid, %laneid and the barriers' thread counts
 * mean warps of 32 threads all the same.
 */

/* Functions that compiled code calls. All take the warp first. */
struct exec_helpers {
    /* bar.sync id, thread_count; thread_count 0: the whole block; ids from
     * WEFT_BARRIERS on are warpgroups'. Returns after all have arrived.
     * Switches fibers. A warp of more than 32 lanes arrives with all of them:
     * code that some of its 32 threads do not reach must not be compiled so.
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
    /* The warp waits: lets others run that it may wait for. */
    void (*yield)(struct exec_warp *w);
    /* It does not wait, but strides through memory: the others' turn. */
    void (*turn)(struct exec_warp *w);
    /* Lane count 1 only. The threads that `members` names (by lane in their
     * warp of 32) wait for each other, those of one `kind` (any number but
     * the same in all); what each left is valid until its next collective.
     * members 0: the threads that come to this one anyway. */
    const struct exec_collective *(*collective)(struct exec_warp *w,
                                                uint32_t members, uint32_t kind,
                                                uint64_t value);
    /* barrier.cluster.arrive by `lanes` of this warp; it has arrived when all
     * have, or when it waits. wait returns when all warps of the cluster have
     * arrived, or exited, in the phase in which this one did. */
    void (*cluster_arrive)(struct exec_warp *w, uint32_t lanes);
    void (*cluster_wait)(struct exec_warp *w);
    /* Would it return at once? */
    uint32_t (*cluster_is_over)(struct exec_warp *w);
    /* A tensor copy, or a change of a tensor map, enum tensor_field; each by
     * one lane. abi/tensor.h */
    void (*tensor_copy)(struct exec_warp *w, const struct exec_tensor_copy *r);
    void (*tensor_replace)(struct exec_warp *w, uint64_t map, uint32_t field,
                           uint32_t ordinal, uint64_t value);
    /* An access to textures or surfaces by some lanes. abi/texture.h */
    void (*texture)(struct exec_warp *w, struct exec_texture_request *r);
    /* vprintf: for one lane. format and args are generic addresses. */
    int32_t (*vprintf)(struct exec_warp *w, uint64_t format, uint64_t args);
    uint64_t (*malloc)(struct exec_warp *w, uint64_t size_bytes);
    uint64_t (*aligned_malloc)(struct exec_warp *w, uint64_t size_bytes,
                               uint64_t alignment);
    void (*free)(struct exec_warp *w, uint64_t address);
    /* __assertfail by `lane`, the first of `lanes` to be there (by bit, in
     * the aligned group of 32 that `lane` is in); reports them all and does
     * not return. The block and the warp come from
     * w->block_current and w->warp_current. */
    void (*assert_fail)(struct exec_warp *w, uint64_t message, uint64_t file,
                        uint32_t line, uint64_t function, uint64_t char_size,
                        uint32_t lane, uint32_t lanes);
    /* trap; does not return. */
    void (*trap)(struct exec_warp *w);
    uint64_t (*clock)(struct exec_warp *w);       /* cycles, monotonic */
    uint64_t (*globaltimer)(struct exec_warp *w); /* nanoseconds */
    void (*nanosleep)(struct exec_warp *w, uint32_t ns);
    /* Indirect call through something that is no function. No return. */
    void (*bad_call)(struct exec_warp *w, uint64_t handle);
    /* A function of the device runtime, an enum exec_call, for one lane.
     * arguments: one number each; of a dim3, its address. */
    uint64_t (*device_call)(struct exec_warp *w, uint32_t call, uint32_t lane,
                            const uint64_t *arguments);
    /* `lanes` (by bit, counted from the call's lane `first`) access memory
     * at addresses[] or, if that is NULL, base + stride * lane; one of them is
     * no multiple of what it has to be: EXEC_ACCESS. Does not return. */
    void (*misaligned)(struct exec_warp *w, const uint64_t *addresses,
                       uint64_t base, int64_t stride, uint32_t lanes,
                       uint32_t first, uint64_t access);
    /* What hardware refuses to execute. Does not return. */
    void (*illegal)(struct exec_warp *w);
    /* multimem: where the index-th device has what `address` stands for; 0:
     * there is no such device. With index 0 an address that stands for nothing
     * is a fault, and this does not return. */
    uint64_t (*replica)(struct exec_warp *w, uint64_t address, uint32_t index);
};

/* The id of barrier_red: the barrier's number, and what is made of the votes,
 * the same by all that meet there. */
enum exec_barrier_kind {
    EXEC_BARRIER_sync, /* nothing: barrier_sync, barrier_arrive */
    EXEC_BARRIER_popc,
    EXEC_BARRIER_and,
    EXEC_BARRIER_or,
};
#define EXEC_BARRIER(id, kind) ((uint32_t)(kind) << 8 | (id))
#define EXEC_BARRIER_KIND(id)  ((id) >> 8)

/* For helpers.misaligned: the line of the PTX that has the instruction. */
#define EXEC_ACCESS(line, align_bytes)                                         \
    ((uint64_t)(line) << 8 | (uint8_t)(align_bytes))

/* A collective operation of lanes: what each has left, by lane. */
struct exec_collective {
    uint64_t value[WEFT_WARP_LANES];
    uint32_t present; /* who was there, by bit */
    uint32_t ballot;  /* those of them whose value was odd */
};

/* Constant during one launch; shared by all SM threads. */
struct exec_launch {
    const struct exec_helpers *helpers;
    const uint8_t *params; /* laid out as ptx_var.offset_bytes says */
    uint8_t *globals;      /* the module's variables, see jit_layout */
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
    /* Blocks in a cluster, and their product; the grid is a multiple. All 0
     * for exec_task_kernel: 1. */
    uint32_t cluster[3];
    uint32_t cluster_blocks;
    uint32_t is_explicit_cluster; /* the program asked for clusters */
    const void *emu_kernel;   /* the interpreter's, when emu_entry runs it */
    /* %envreg1 (high) and %envreg2 (low): 64 bytes, zero at the start, of a
     * cooperative launch, for its grid's barriers; else NULL. */
    void *grid_workspace;
    void *owner; /* core's: what device_call works for; NULL: nothing */
    /* For kernels that run with subnormals flushed by the machine. */
    const struct exec_helpers *flushing_helpers;
    const void *function; /* core's: which kernel it is, for messages */
    /* The instance that it is part of and that kernels may launch, or NULL. */
    const void *graph_exec;
    /* What the kernel's code remembers from call to call and from launch to
     * launch, 0 at first; read and written by several threads, the last one
     * counts: emit/core/lockstep.c. NULL: it remembers nothing. */
    uint32_t *habit;
};

/*
 * One call of a kernel. It runs warps [warp_first, warp_end) of blocks
 * [block_first, block_end), blocks in linear order (x fastest).
 *
 * Without barriers: one call runs all warps of a range of blocks.
 * With barriers: one call per warp (warp_end == warp_first + 1), each on its
 * own fiber, all with the same block range; the code calls block_end after
 * each block, which gives the distance to the next one.
 */
struct exec_warp {
    const struct exec_launch *launch;
    uint8_t *shared; /* the block's shared window */
    /* Lowest address of the stack this call runs on. A .local address is the
     * real address minus this (fits 32 bits); the frames are allocas. */
    uint8_t *stack_base;
    uint64_t block_first, block_end;
    uint32_t warp_first, warp_end;
    uint32_t sm_id;
    uint32_t cluster_rank; /* the block's */
    uint32_t vote_total; /* scratch for barrier_red */
    void *owner;         /* exec's own */
    /* Where the kernel is, for messages about faults and asserts: the code
     * stores both (plain stores) when it starts a warp of a block. exec sets
     * them to block_first and warp_first before the call. */
    uint64_t block_current; /* linear */
    uint32_t warp_current; /* or its first thread | WEFT_IN_LOCKSTEP */
    /* The interpreter knows more: 1 + the thread, linear in the block, 0: no
     * thread; and the line of the PTX. */
    uint32_t thread_current, line_current;
};

/* In exec_warp.warp_current: a kernel of one lane to a call runs 32 threads
 * together. */
#define WEFT_IN_LOCKSTEP (UINT32_C(1) << 31)

typedef void exec_kernel_fn(struct exec_warp *w);
/* Set once, with release, when there is better code; NULL before. */
typedef _Atomic(exec_kernel_fn *) exec_newer_fn;

/* A device function's address, as a program sees it, is a handle: nonzero,
 * the same in every kernel of a module, no real address. */
#define WEFT_FUNC_HANDLE(index)                                                \
    (UINT64_C(0x7700000000000000) | ((uint64_t)(index) + 1) << 4)

#endif
