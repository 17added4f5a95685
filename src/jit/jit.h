/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Machine code for a kernel and a block shape: from memory, from the disk
 * cache, or compiled now. The compiler (simt, emit and LLVM) is a library of
 * its own, libweft-compiler.so, loaded at the first miss of both caches, so
 * that a program whose kernels are cached never pays for loading LLVM. Cached
 * and fresh objects go through one small ELF loader (code.c).
 *
 * In this folder, unless a comment says otherwise:
 *   threads  any thread may call any function
 *   errors   NULL or false after a message in the struct diag
 *   owners   compiled code is its jit_module's, and ends with it
 *   units    sizes are bytes, times nanoseconds
 */
#ifndef WEFT_JIT_H
#define WEFT_JIT_H

#include "abi/abi.h"
#include "ptx/ptx.h"
#include "simt/plan/plan.h"

#define JIT_MAX_NEEDS 16

struct jit_kernel {
    exec_kernel_fn *fn;
    /* Where better code for the same launch will appear; NULL: none will. See
     * exec_kernel. */
    const exec_newer_fn *newer;
    bool has_barrier, has_waits, takes_turns; /* as in exec_kernel */
    uint32_t lane_count;                      /* lanes to a call; 0: 32 */
    size_t stack_bytes;                       /* 0: unknown, recursion */
    uint32_t static_shared_bytes;
    uint32_t local_bytes;
    /* Alignments that the code takes arguments to have: see
     * simt_spec.tests_alignment and jit_needs_hold. */
    struct simt_need needs[JIT_MAX_NEEDS];
    uint32_t need_count;
};

/* The compiled kernels of one PTX module. `module` is borrowed and must live
 * as long; `text_hash` identifies its text in the caches. NULL: no memory. */
struct jit_module *jit_module_create(const struct ptx_module *module,
                                     uint64_t text_hash);
/* Frees the code. No kernel of it may run. */
void jit_module_destroy(struct jit_module *jm);

/* The code of a kernel of the module's for a specialisation; compiles it if no
 * cache has it, in the caller's time. NULL after reporting. The result lives as
 * long as the module. Concurrent requests for the same code compile once. */
const struct jit_kernel *jit_get(struct jit_module *jm,
                                 const struct ptx_func *kernel,
                                 const struct simt_spec *spec,
                                 struct diag *diag);

/* Are a launch's arguments as aligned as k->needs says? params: the parameter
 * buffer of the launch. */
bool jit_needs_hold(const struct jit_kernel *k, const uint8_t *params);

/* The source line from which the machine code at an address comes, by the .loc
 * lines of the kernel's PTX. 0: no loaded kernel is there, or its PTX has no
 * .loc lines. */
uint32_t jit_line_at(uint64_t address);

/* Counters since start, for tests, bench and `weft info`. */
struct jit_stats {
    uint64_t compiled, quick; /* all compilations; those of COMPILER_QUICK */
    uint64_t disk_hits, memory_hits;
    uint64_t compile_ns, load_ns;
};
struct jit_stats jit_stats_get(void);

/* ---- target: which machine the code is for ------------------------------ */

/* The machine that code is generated for: this one, or less of it when the
 * environment variable WEFT_ISA (avx512, avx2, sse4.2) says so. */
struct jit_target {
    const char *triple;
    const char *cpu;      /* LLVM's name of the baseline */
    const char *features; /* LLVM's feature string beyond the baseline */
    const char *isa;      /* avx512, avx2, sse4.2, neon */
    const char *key; /* triple, isa and features: in the code cache's key */
    unsigned vector_bytes;
    bool is_x86, has_avx512, has_avx2, has_fma, has_f16c, has_fp16;
    bool gathers_slowly; /* loads of the elements take less time */
    const char *problem; /* a bad WEFT_ISA or WEFT_GATHERS, or NULL */
};
/* The target's facts that simt's plan needs. */
static inline struct simt_machine jit_machine(const struct jit_target *t)
{
    return (struct simt_machine){
        .vector_bytes = t->vector_bytes,
        .is_x86 = t->is_x86,
        .has_avx512 = t->has_avx512,
        .has_avx2 = t->has_avx2,
        .has_fma = t->has_fma,
        .has_f16c = t->has_f16c,
        .has_fp16 = t->has_fp16,
    };
}
/* This machine's target: static storage, the same on every call. */
const struct jit_target *jit_target_get(void);
const char *jit_target_key(void); /* jit_target_get()->key */
/* The target with every feature of `isa`, to show code for it: this processor
 * need not run it. False: no such name. Not thread-safe. */
bool jit_target_named(const char *isa, struct jit_target *out);

/* Fills in preferred_warps and split_insts from WEFT_WARPS and WEFT_SPLIT, for
 * tests, where `spec` leaves them open. jit_get does so itself. */
void jit_add_test_settings(struct simt_spec *spec);

/* ---- the border to libweft-compiler.so ---------------------------------- */

/* A compiled object and facts about it. */
struct compiler_result {
    void *object; /* ELF relocatable, malloc'ed */
    size_t object_bytes;
    struct jit_kernel facts; /* fn unset */
};
/* What `weft dump` can show. */
enum compiler_text { COMPILER_LLVM, COMPILER_LLVM_OPT, COMPILER_ASM };

/* How much the compiler optimises. Both kinds of code compute the same, to the
 * bit; the quick one takes less than half of the time to make. */
enum compiler_effort { COMPILER_FULL, COMPILER_QUICK };

/* The only symbol that is looked up there: `const struct compiler_api
 * weft_compiler`. Its functions are thread-safe and return false after
 * reporting. They need some megabytes of stack. */
struct compiler_api {
    unsigned abi_version; /* WEFT_ABI_VERSION of its build */
    /* result->object is the caller's to free. */
    bool (*compile)(const struct ptx_module *module,
                    const struct ptx_func *kernel, const struct simt_spec *spec,
                    const struct jit_target *target,
                    enum compiler_effort effort, struct compiler_result *result,
                    struct diag *diag);
    /* malloc'ed text of one stage; NULL after reporting. */
    char *(*print)(const struct ptx_module *module,
                   const struct ptx_func *kernel, const struct simt_spec *spec,
                   const struct jit_target *target, enum compiler_text what,
                   struct diag *diag);
};
/* Loads the library at the first call. NULL after reporting what is missing
 * and which package has it. */
const struct compiler_api *jit_compiler_get(struct diag *diag);

#endif
