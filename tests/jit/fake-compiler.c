/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A compiler library without a compiler: every kernel becomes the object that
 * FAKE_OBJECT names. Appends a line to FAKE_LOG per compilation, sleeps for
 * FAKE_SLEEP_MS, fails when FAKE_OBJECT is not set.
 */
#include "jit/jit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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
                    struct compiler_result *result, struct diag *diag)
{
    (void)module, (void)target;
    const char *path = getenv("FAKE_OBJECT");
    const char *sleep_ms = getenv("FAKE_SLEEP_MS");
    write_log(kernel->name);
    if (sleep_ms)
        usleep((useconds_t)atoi(sleep_ms) * 1000);
    FILE *f = path ? fopen(path, "rb") : NULL;
    if (!f) {
        diag_error(diag, "no object %s", path ? path : "");
        return false;
    }
    enum { LIMIT = 1 << 20 };
    result->object = malloc(LIMIT);
    result->object_bytes = fread(result->object, 1, LIMIT, f);
    result->facts = (struct jit_kernel){.has_barrier = spec->block[0] == 32,
                                        .stack_bytes = 4242,
                                        .static_shared_bytes = 17,
                                        .local_bytes = 3};
    fclose(f);
    return true;
}

const struct compiler_api weft_compiler = {
    .abi_version = WEFT_ABI_VERSION,
    .compile = compile,
};
