/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libnvvm.so.4: compiles NVVM IR, which is LLVM's IR with some more intrinsics,
 * to PTX. The library has an LLVM of its own inside. Programs share nothing: a
 * program may be used by one thread at a time, several programs at once.
 *
 *   nvvm.c      the API: programs, modules, options, results
 *   pointers.c  converts text of LLVM 7 to 14, whose pointers have pointees
 *   compile.c   reading, linking, optimising, printing
 *   prelude.h   NVVM's intrinsics that LLVM lacks
 *
 * In this folder, unless a comment says otherwise:
 *   threads  one at a time for each program; programs share nothing
 *   errors   an nvvmResult; what the user did wrong is in the program's log
 *   owners   a program owns copies of its modules, its log and its result
 *   units    sizes are bytes
 */
#ifndef WEFT_NVVM_INTERNAL_H
#define WEFT_NVVM_INTERNAL_H

#include "nvvm.h"

#include "base/base.h"

/* Versions of the IR and of its debug information. */
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
    bool is_lazy; /* only what other modules use of it is kept */
};

struct nvvm_options {
    char arch[16];     /* "sm_90", "sm_100f" */
    unsigned number;   /* 90, 100 */
    bool is_optimised; /* -opt=3, the default */
    bool flushes;      /* -ftz=1 */
    bool contracts;    /* -fma=1, the default */
};

typedef VEC(struct nvvm_module) nvvm_modules;

struct nvvm_log {
    char *text; /* messages, a line each; malloc'ed, NULL: none */
};
/* Adds a line, printf's way. Out of memory, the line is lost. */
void nvvm_say(struct nvvm_log *log, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Links the modules into one and compiles it. *out: the PTX, malloc'ed; with
 * `only_check` an empty text. NVVM_ERROR_IR_VERSION_MISMATCH or _COMPILATION:
 * the log says why, and *out is NULL. */
nvvmResult nvvm_compile(const nvvm_modules *modules,
                        const struct nvvm_options *o, bool only_check,
                        struct nvvm_log *log, char **out);

/* LLVM text with `ptr` for every typed pointer, malloc'ed. NULL: no memory.
 * Text without typed pointers comes back as it is. */
char *nvvm_forget_pointees(const char *text);

#endif
