/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reference interpreter: runs checked PTX one thread at a time. It is
 * small, slow and meant to be obviously right; the simd engine is checked
 * against it. Each thread has its own program counter. Threads of a warp that
 * stand at the same instruction step together, so that code without explicit
 * masks sees the warp it expects; all other lanes get turns regularly, so
 * that lanes, warps and (within one call) blocks may wait for each other.
 *
 * Source: PTX ISA manual, instruction by instruction.
 *
 * In this folder, unless a comment says otherwise:
 *   threads  any thread; each run has a stack and state of its own
 *   errors   NULL after a message in the struct diag; what a kernel does wrong
 *            is a fault of its launch
 *   owners   a kernel is its maker's and borrows the PTX, which must outlive it
 *   units    sizes are bytes
 */
#ifndef WEFT_EMU_H
#define WEFT_EMU_H

#include "base/base.h"
#include "abi/abi.h"
#include "ptx/ptx.h"

/* What a kernel needs to run here, computed once and read only afterwards.
 * `func` is borrowed and must outlive it. NULL after reporting what the
 * interpreter does not know (an instruction, by name) or that memory is out.
 * All functions here may be called by several threads at once. */
struct emu_kernel *emu_kernel_create(const struct ptx_func *func,
                                     struct diag *diag);
void emu_kernel_destroy(struct emu_kernel *k); /* NULL is harmless */

/* ---- checks -------------------------------------------------------------- */

enum emu_check {
    EMU_CHECK_MEMORY = 1,   /* accesses beyond allocations, or misaligned */
    EMU_CHECK_RACES = 2,    /* of threads in shared memory */
    EMU_CHECK_VALUES = 4,   /* reads of global memory that nobody has set */
    EMU_CHECK_BARRIERS = 8, /* that some threads miss */
};

enum emu_access {
    EMU_READS = 1,
    EMU_WRITES = 2,
    EMU_STRONG = 4,   /* atomic, volatile, relaxed and stronger */
    EMU_ATOMIC = 8,   /* strong, and one access though it reads and writes */
    EMU_DELAYED = 16, /* cp.async: until the thread has waited for it */
};

enum emu_finding_kind {
    EMU_FOUND_OUTSIDE,
    EMU_FOUND_MISALIGNED,
    EMU_FOUND_UNSET,
    EMU_FOUND_RACE,
    EMU_FOUND_BARRIER,
};

/* One of two accesses, or the only one. Threads are linear in the block. */
struct emu_party {
    uint32_t thread, line; /* of the PTX */
    unsigned access;
};

struct emu_finding {
    enum emu_finding_kind kind;
    const void *function; /* exec_launch.function */
    uint32_t grid[3], block[3];
    uint64_t block_linear;
    struct emu_party at;
    enum ptx_space space; /* shared, local or global */
    uint64_t address;     /* of a race: the offset in shared memory */
    size_t bytes;
    struct emu_party other; /* FOUND_RACE: the earlier access */
    uint64_t count;         /* FOUND_RACE: bytes, each time */
    bool is_in_warp;        /* FOUND_RACE: both were always of one warp */
    const char *text;       /* FOUND_BARRIER */
};

/* Each may be called by several threads at once. */
struct emu_checks {
    unsigned which; /* enum emu_check, by bit */
    /* Are such bytes in one allocation, or not the device's at all? */
    bool (*holds)(const void *p, size_t bytes);
    /* EMU_CHECK_VALUES: has somebody set them; sets them. */
    bool (*is_set)(const void *p, size_t bytes);
    void (*set)(const void *p, size_t bytes);
    void (*report)(const struct emu_finding *f);
};

/* Before the first kernel runs. Bad accesses are reported, not made; a kernel
 * that has some ends with exec_helpers.checked when all its blocks are done. */
void emu_set_checks(const struct emu_checks *checks);

/* Bytes of the kernel's .shared variables whose size is known, and where the
 * dynamic ones begin. Frames come from a heap of their own: no such number. */
uint32_t emu_static_shared_bytes(const struct emu_kernel *k);

/* The stack that emu_run needs. */
#define EMU_STACK_BYTES ((size_t)128 << 10)

/* Runs all warps of the blocks [w->block_first, w->block_end), one block after
 * the other, on the caller's stack: no fibers. Calls launch->helpers for
 * printf, the heap, faults and the like; a fault ends the kernel there. */
void emu_run(const struct emu_kernel *k, struct exec_warp *w);
/* emu_run of launch->emu_kernel, with the type of a kernel's entry point. */
void emu_entry(struct exec_warp *w);

#endif
