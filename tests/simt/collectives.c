/* SPDX-License-Identifier: Apache-2.0 */
/*
 * simt-collectives: what has .sync and not .aligned waits for lanes that are
 * elsewhere, whatever its opcode. PTX has no such opcode that collectives.c
 * does not know by name, so this makes one: mma without its .aligned, in two
 * branches that lanes of a warp take apart.
 */
#include "simt/simt.h"

#include <stdio.h>

static const char text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry apart(.param .u64 p)\n"
    "{ .reg .pred %p<2>; .reg .b32 %r<12>; mov.u32 %r1, %tid.x;\n"
    "  setp.lt.u32 %p1, %r1, 7; @%p1 bra OTHER;\n"
    "  mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32"
    " {%r2, %r3}, {%r4}, {%r5}, {%r6, %r7};\n"
    "  bra END;\n"
    "OTHER: mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32"
    " {%r2, %r3}, {%r4}, {%r5}, {%r6, %r7};\n"
    "END: ret; }\n";

static unsigned failures;

/* May lanes wait for each other once the mma have these flags? */
static void expect(const char *what, uint64_t taken, bool waits)
{
    struct diag diag;
    struct simt_spec spec = {.block = {32, 1, 1}, .lane_count = 32};
    diag_init(&diag);
    struct ptx_module *m = ptx_parse("apart", text, sizeof text - 1, &diag);
    struct arena *arena = arena_create();
    struct ptx_func *f = m ? m->funcs[0] : NULL;
    for (size_t i = 0; f && i < f->inst_count; i++)
        if (f->insts[i].op == PTX_OP_mma)
            f->insts[i].flags &= ~taken;
    const struct simt_kernel *k =
        f ? simt_build(arena, m, f, &spec, &diag) : NULL;
    if (!k || k->lanes_may_wait != waits) {
        printf("%s: %s\n", what,
               !k      ? diag.text
               : waits ? "lanes do not wait for each other"
                       : "lanes wait for each other");
        failures++;
    }
    arena_destroy(arena);
    ptx_module_destroy(m);
    diag_fini(&diag);
}

int main(void)
{
    expect("mma.sync.aligned", 0, false);
    expect("mma.sync", PTX_FLAG_aligned, true);
    expect("mma", PTX_FLAG_sync | PTX_FLAG_aligned, false);
    return failures != 0;
}
