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

#include "base/base.h"

struct nvvm_module {
    char *bytes; /* with a NUL behind them */
    size_t size_bytes;
    char *name;
    bool is_lazy; /* only what others use of it counts */
};

struct nvvm_options {
    char arch[16];     /* "sm_90" */
    bool is_optimised; /* -opt=3, the default */
    bool flushes;      /* -ftz=1 */
    bool contracts;    /* -fma=1, the default */
};

typedef VEC(struct nvvm_module) nvvm_modules;

/* PTX, malloc'ed. NULL after reporting. With `only_check`, an empty text. */
char *nvvm_compile(const nvvm_modules *modules, const struct nvvm_options *o,
                   bool only_check, struct diag *log);

/* The same text with pointers to nothing in particular; malloc'ed, NULL: no
 * memory. What has such pointers already stays as it is. */
char *nvvm_forget_pointees(const char *text);

#endif
