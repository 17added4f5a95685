/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emit_checked FILE.ptx...: every kernel of the files through simt and emit
 * with assertions on, for one lane, 32 lanes, several warps and in parts. What
 * comes out must be right for LLVM.
 */
#include <llvm-c/Analysis.h>
#include <stdio.h>
#include <stdlib.h>

#include "emit/emit.h"

static const struct simt_machine machines[] = {
    {64, true, true, true, true, true, true},
    {16, true, false, false, false, false, false},
};

static const struct {
    unsigned lanes, warps;
    uint32_t split_insts;
} ways[] = {{1, 1, 0}, {32, 1, 0}, {32, 4, 0}, {32, 1, 40}, {0, 0, 0}};

static unsigned failures, modules;

/* False: LLVM takes it for wrong. A kernel that is refused is none. */
static bool is_right(const struct simt_plan *plan, struct diag *diag)
{
    LLVMContextRef context = LLVMContextCreate();
    struct emit_info info;
    char *message = NULL;
    LLVMModuleRef m = emit_kernel(context, plan, &info, diag);
    bool ok = !m || !LLVMVerifyModule(m, LLVMReturnStatusAction, &message);

    if (!ok)
        printf("%s: %s\n", plan->k->func->name, message);
    modules += m != NULL;
    LLVMDisposeMessage(message);
    if (m)
        LLVMDisposeModule(m);
    LLVMContextDispose(context);
    return ok;
}

static void try_way(const struct ptx_func *f, unsigned way, unsigned machine)
{
    struct arena *arena = arena_create();
    struct diag diag;
    struct simt_spec spec = {
        .block = {f->reqntid[0] ? f->reqntid[0] : 64, 1, 1},
        .is_grid_small = true,
        .lane_count = ways[way].lanes,
        .warp_count = ways[way].warps == 4 ? 0 : ways[way].warps,
        .split_insts = ways[way].split_insts,
    };

    for (unsigned d = 1; d < 3; d++)
        if (f->reqntid[0])
            spec.block[d] = f->reqntid[d] ? f->reqntid[d] : 1;
    diag_init(&diag);
    const struct simt_plan *p = simt_plan_chosen(arena, f->module, f, &spec,
                                                 ways[way].warps == 4 ? 4 : 0,
                                                 &machines[machine], &diag);
    if (p && !is_right(p, &diag))
        failures++;
    diag_fini(&diag);
    arena_destroy(arena);
}

static char *read_file(const char *path, size_t *length)
{
    FILE *in = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);

    if (!in || !text) {
        printf("%s: cannot be read\n", path);
        exit(1);
    }
    *length = fread(text, 1, (1 << 20) - 1, in);
    fclose(in);
    return text;
}

static void try_file(const char *path)
{
    struct diag diag;
    size_t length;
    char *text = read_file(path, &length);

    diag_init(&diag);
    struct ptx_module *m = ptx_parse(path, text, length, &diag);
    for (size_t i = 0; m && i < m->func_count; i++)
        for (unsigned way = 0; way < ARRAY_COUNT(ways); way++)
            for (unsigned n = 0; n < ARRAY_COUNT(machines); n++)
                if (m->funcs[i]->is_entry)
                    try_way(m->funcs[i], way, n);
    if (m)
        ptx_module_destroy(m);
    diag_fini(&diag);
    free(text);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        try_file(argv[i]);
    printf("%u modules\n", modules);
    return failures > 0 || modules == 0;
}
