/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libnvvm.so.4: NVVM IR, LLVM's IR with some intrinsics more, to PTX. The
 * library has an LLVM of its own inside.
 *
 *   nvvm.c      the API: programs, modules, options, results
 *   pointers.c  text of LLVM 7 to 14, whose pointers say what they point to
 *   compile.c   reading, linking, optimising, printing
 *   prelude.h   NVVM's intrinsics that LLVM lacks
 */
#ifndef WEFT_NVVM_INTERNAL_H
#define WEFT_NVVM_INTERNAL_H

#include "nvvm.h"

#include "base/base.h"

/* Versions of the IR, and of what debuggers read in it. */
enum {
    NVVM_IR_MAJOR = 2,
    NVVM_IR_MINOR = 0,
    NVVM_DEBUG_MAJOR = 3,
    NVVM_DEBUG_MINOR = 2,
};

struct nvvm_module {
    char *bytes; /* with a NUL behind them */
    size_t size_bytes;
    char *name;
    bool is_lazy; /* only what others use of it counts */
};

struct nvvm_options {
    char arch[16];     /* "sm_90", "sm_100f" */
    unsigned number;   /* 90, 100 */
    bool is_optimised; /* -opt=3, the default */
    bool flushes;      /* -ftz=1 */
    bool contracts;    /* -fma=1, the default */
};

typedef VEC(struct nvvm_module) nvvm_modules;

/* What went wrong, in lines; malloc'ed, NULL: nothing. */
struct nvvm_log {
    char *text;
};
/* Adds a line. */
void nvvm_say(struct nvvm_log *log, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* *out: PTX, malloc'ed; with `only_check` an empty text. IR_VERSION_MISMATCH,
 * COMPILATION: the log says why. */
nvvmResult nvvm_compile(const nvvm_modules *modules,
                        const struct nvvm_options *o, bool only_check,
                        struct nvvm_log *log, char **out);

/* The same text with pointers to nothing in particular; malloc'ed, NULL: no
 * memory. What has such pointers already stays as it is. */
char *nvvm_forget_pointees(const char *text);

#endif
