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
 */
#ifndef WEFT_EMU_H
#define WEFT_EMU_H

#include "base/base.h"
#include "abi/abi.h"
#include "ptx/ptx.h"

/* What a kernel needs to run here, computed once. `func` is borrowed. NULL
 * after reporting an instruction the interpreter does not know, by name. */
struct emu_kernel *emu_kernel_create(const struct ptx_func *func,
                                     struct diag *diag);
void emu_kernel_destroy(struct emu_kernel *k); /* NULL is harmless */

/* Bytes of .shared variables; local bytes per thread are unbounded. */
uint32_t emu_static_shared_bytes(const struct emu_kernel *k);

/* Of the stack that it runs on. */
#define EMU_STACK_BYTES ((size_t)128 << 10)

/* Runs the blocks [w->block_first, w->block_end), all their warps. Needs no
 * fibers. Uses launch->helpers for printf, heap, traps and the like. */
void emu_run(const struct emu_kernel *k, struct exec_warp *w);
/* The same as a kernel's entry point: runs launch->emu_kernel. */
void emu_entry(struct exec_warp *w);

#endif
