/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A compiler library without a compiler: every kernel becomes the object that
 * FAKE_OBJECT names. Appends a line to FAKE_LOG per compilation, sleeps for
 * FAKE_SLEEP_MS, fails when FAKE_OBJECT is not set. With full effort it sleeps
 * for FAKE_FULL_MS as well, and code has FAKE_FULL_STACK bytes of stack;
 * quickly, FAKE_QUICK_STACK, and 1 of them makes it fail.
 */
#include "jit/jit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static unsigned number(const char *name, unsigned otherwise)
{
    const char *text = getenv(name);
    return text ? (unsigned)atoi(text) : otherwise;
}

static void write_log(const char *name)
{
    const char *path = getenv("FAKE_LOG");
    FILE *f = path ? fopen(path, "a") : NULL;
    if (!f)
        return;
    fprintf(f, "%s\n", name);
    fclose(f);
}

static bool compile(const struct ptx_module *module,
                    const struct ptx_func *kernel, const struct simt_spec *spec,
                    const struct jit_target *target,
                    enum compiler_effort effort, struct compiler_result *result,
                    struct diag *diag)
{
    (void)module, (void)target;
    const char *path = getenv("FAKE_OBJECT");
    bool is_full = effort == COMPILER_FULL;
    unsigned stack =
        number(is_full ? "FAKE_FULL_STACK" : "FAKE_QUICK_STACK", 4242);
    write_log(kernel->name);
    usleep(number("FAKE_SLEEP_MS", 0) * 1000);
    usleep(is_full ? number("FAKE_FULL_MS", 0) * 1000 : 0);
    if (!is_full && stack == 1) {
        diag_error(diag, "no quick code");
        return false;
    }
    FILE *f = path ? fopen(path, "rb") : NULL;
    if (!f) {
        diag_error(diag, "no object %s", path ? path : "");
        return false;
    }
    enum { LIMIT = 1 << 20 };
    result->object = malloc(LIMIT);
    result->object_bytes = fread(result->object, 1, LIMIT, f);
    result->facts = (struct jit_kernel){.has_barrier = spec->block[0] == 32,
                                        .stack_bytes = stack,
                                        .static_shared_bytes = 17,
                                        .local_bytes = 3};
    fclose(f);
    return true;
}

const struct compiler_api weft_compiler = {
    .abi_version = WEFT_ABI_VERSION,
    .compile = compile,
};
