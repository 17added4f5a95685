/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: what parses is looked at as the compiler does, for block
 * shapes of every kind: control flow of any shape gives a kernel or an error
 * with a message.
 *
 * sources: src/simt src/simt/plan
 */
#include "simt/simt.h"

#include <stdio.h>
#include <stdlib.h>

static void expect(bool fact, const char *what, const char *text)
{
    if (fact)
        return;
    fprintf(stderr, "%s\n%s\n", what, text ? text : "");
    abort();
}

static void look_at(const struct ptx_func *f, const struct simt_spec *spec)
{
    struct diag diag;
    diag_init(&diag);
    struct arena *arena = arena_create();
    struct simt_kernel *k = simt_build(arena, f->module, f, spec, &diag);
    expect(k || diag.text, "no kernel and no message", f->name);
    if (k) {
        simt_choose_coarsening(k);
        char *text = simt_dump(k, SIMT_DUMP_SCHEDULE);
        expect(text, "nothing to dump", f->name);
        free(text);
    }
    arena_destroy(arena);
    diag_fini(&diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct simt_spec specs[] = {
        {.block = {64, 1, 1}, .is_grid_small = true, .lane_count = 32},
        {.block = {7, 3, 2}, .lane_count = 32},
        {.block = {33, 1, 1}, .lane_count = 1}};
    struct diag diag;
    diag_init(&diag);
    struct ptx_module *m = ptx_parse("fuzz", (const char *)data, size, &diag);
    for (size_t i = 0; m && i < m->func_count; i++)
        if (m->funcs[i]->is_entry)
            for (size_t s = 0; s < ARRAY_COUNT(specs); s++)
                look_at(m->funcs[i], &specs[s]);
    ptx_module_destroy(m);
    diag_fini(&diag);
    return 0;
}
