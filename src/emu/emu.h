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

/* WEFT_CHECK: before the first kernel runs. `holds` says whether such bytes are
 * in one allocation, or not the device's at all. */
typedef bool emu_holds_fn(const void *p, size_t bytes);
void emu_check_accesses(emu_holds_fn *holds);

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
