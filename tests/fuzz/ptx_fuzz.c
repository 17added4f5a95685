/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: any bytes are a module or an error with a message, and
 * what is a module comes back the same when printed and parsed again.
 */
#include "ptx/ptx.h"

#include <stdio.h>
#include <stdlib.h>

static void expect(bool fact, const char *what, const char *text)
{
    if (fact)
        return;
    fprintf(stderr, "%s\n%s\n", what, text ? text : "");
    abort();
}

static void count(void *data, uint32_t reg)
{
    const struct ptx_func *f = data;
    expect(reg < f->reg_count, "a register that is not there", f->name);
}

/* What consumers may rely on. */
static void walk(const struct ptx_module *m)
{
    for (size_t i = 0; i < m->func_count; i++) {
        struct ptx_func *f = m->funcs[i];
        expect(f->index == i, "a function with another's index", f->name);
        for (size_t j = 0; j < f->inst_count; j++) {
            ptx_for_each_use(&f->insts[j], count, f);
            ptx_for_each_def(&f->insts[j], count, f);
        }
    }
}

static void check_printed(const struct ptx_module *m)
{
    struct diag diag;
    diag_init(&diag);
    char *text = ptx_print(m);
    expect(text, "no memory to print", NULL);
    struct ptx_module *again = ptx_parse("printed", text, strlen(text), &diag);
    expect(again, diag.text, text);
    char *second = ptx_print(again);
    expect(second && strcmp(text, second) == 0, text, second);
    free(text);
    free(second);
    ptx_module_destroy(again);
    diag_fini(&diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct diag diag;
    diag_init(&diag);
    struct ptx_module *m = ptx_parse("fuzz", (const char *)data, size, &diag);
    expect(!m == !!diag.error_count, "a module and errors", diag.text);
    expect(m || diag.text, "no module and no message", NULL);
    if (m) {
        walk(m);
        check_printed(m);
    }
    ptx_module_destroy(m);
    diag_fini(&diag);
    return 0;
}
