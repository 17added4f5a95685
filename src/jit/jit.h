/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Machine code for a kernel and a block shape: from memory, from the disk
 * cache, or compiled now. The compiler (simt, emit and LLVM) is a library of
 * its own, libweft-compiler.so, loaded at the first miss of both caches, so
 * that a program whose kernels are cached never pays for loading LLVM. Cached
 * and fresh objects go through one small ELF loader (loader.c).
 *
 * All functions are thread-safe.
 */
#ifndef WEFT_JIT_H
#define WEFT_JIT_H

#include "exec/abi.h"
#include "ptx/ptx.h"
#include "simt/simt.h"

struct jit_kernel {
    exec_kernel_fn *fn;
    bool has_barrier;
    size_t stack_bytes; /* 0: unknown, recursion */
    uint32_t static_shared_bytes;
    uint32_t local_bytes;
};

/* The compiled kernels of one PTX module. `module` is borrowed and must live
 * as long; `text_hash` identifies its text in the caches. NULL: no memory. */
struct jit_module *jit_module_create(const struct ptx_module *module,
                                     uint64_t text_hash);
/* Frees the code. No kernel of it may run. */
void jit_module_destroy(struct jit_module *jm);

/* NULL after reporting. The result lives as long as the module. Concurrent
 * requests for the same code compile once. */
const struct jit_kernel *jit_get(struct jit_module *jm,
                                 const struct ptx_func *kernel,
                                 const struct simt_spec *spec,
                                 struct diag *diag);

/* Counters since start, for tests, bench and `weft info`. */
struct jit_stats {
    uint64_t compiled, disk_hits, memory_hits;
    uint64_t compile_ns, load_ns;
};
struct jit_stats jit_stats_get(void);

/* ---- the border to libweft-compiler.so -------------------------------- */

/* The only symbol that jit/ looks up there. Writes a malloc'ed ELF
 * relocatable object and facts; false after reporting. Thread-safe. */
struct compiler_result {
    void *object;
    size_t object_bytes;
    struct jit_kernel facts; /* fn unset */
};
typedef bool compiler_compile_fn(const struct ptx_module *module,
                                 const struct ptx_func *kernel,
                                 const struct simt_spec *spec,
                                 struct compiler_result *result,
                                 struct diag *diag);
/* What the code is for (CPU features and options): part of the cache key.
 * In jit/, without LLVM. Static storage. */
const char *jit_target_key(void);

#endif
