/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device runtime's functions for the group of a whole grid: Numba's
 * kernels call them, and nvcc before 11 made grid.sync() of them. They are
 * linked into modules that call one, as PTX.
 *
 * A group's handle is its barrier (struct grid_barrier in
 * cooperative_groups.h); 0: the launch was not cooperative. There are no
 * groups of several grids. Source: CUDA C++ programming guide, "Grid
 * Synchronization"; cudaCGScope in the runtime API's reference.
 */
#include "core/grid.h"

#include "link/link.h"

/* 1 is cudaErrorInvalidValue, and cudaCGScopeGrid. The functions are weak,
 * since a module may be linked again. */
static const char text[] =
    ".version 6.0\n.target sm_60\n.address_size 64\n"
    ".weak .func (.param .b64 handle) cudaCGGetIntrinsicHandle"
    "(.param .b32 scope)\n{\n"
    "  .reg .b32 %scope, %high, %low; .reg .b64 %b; .reg .pred %p;\n"
    "  mov.b32 %high, %envreg1; mov.b32 %low, %envreg2;\n"
    "  mov.b64 %b, {%low, %high};\n"
    "  ld.param.b32 %scope, [scope];\n"
    "  setp.eq.u32 %p, %scope, 1;\n"
    "  selp.b64 %b, %b, 0, %p;\n"
    "  st.param.b64 [handle], %b;\n"
    "  ret;\n}\n"

    ".weak .func (.param .b32 status) cudaCGSynchronize"
    "(.param .b64 handle, .param .b32 flags)\n{\n"
    "  .reg .b32 %x, %y, %z, %blocks, %rank, %mine, %now, %last, %n;\n"
    "  .reg .b64 %b; .reg .pred %p;\n"
    "  mov.u32 %x, %nctaid.x; mov.u32 %y, %nctaid.y; mov.u32 %z, %nctaid.z;\n"
    "  mul.lo.u32 %blocks, %x, %y; mul.lo.u32 %blocks, %blocks, %z;\n"
    "  ld.param.b64 %b, [handle];\n"
    "  mov.u32 %n, 1;\n"
    "  setp.eq.u64 %p, %b, 0;\n"
    "  @%p bra done;\n"
    "  bar.sync 0;\n"
    "  mov.u32 %x, %tid.x; mov.u32 %y, %tid.y; mov.u32 %z, %tid.z;\n"
    "  or.b32 %rank, %x, %y; or.b32 %rank, %rank, %z;\n"
    "  setp.ne.u32 %p, %rank, 0;\n"
    "  @%p bra meet;\n"
    "  ld.volatile.u32 %mine, [%b+12];\n"
    "  membar.gl;\n"
    "  atom.add.u32 %n, [%b+8], 1;\n"
    "  sub.u32 %last, %blocks, 1;\n"
    "  setp.ne.u32 %p, %n, %last;\n"
    "  @%p bra wait;\n"
    "  st.volatile.u32 [%b+8], 0;\n"
    "  membar.gl;\n"
    "  red.add.u32 [%b+12], 1;\n"
    "  bra seen;\n"
    "wait:\n"
    "  ld.volatile.u32 %now, [%b+12];\n"
    "  setp.eq.u32 %p, %now, %mine;\n"
    "  @%p bra wait;\n"
    "seen:\n"
    "  membar.gl;\n"
    "meet:\n"
    "  bar.sync 0;\n"
    "  mov.u32 %n, 0;\n"
    "done:\n"
    "  st.param.b32 [status], %n;\n"
    "  ret;\n}\n";

static const char *const names[] = {"cudaCGGetIntrinsicHandle",
                                    "cudaCGSynchronize"};

static void note_use(void *is_used, const struct ptx_func *f)
{
    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        if (strcmp(names[i], f->name) == 0)
            *(bool *)is_used = true;
}

struct ptx_module *grid_group_supply(struct ptx_module *m, uint64_t *hash,
                                     struct diag *log)
{
    bool is_used = false;
    link_for_each_undefined(m, note_use, &is_used);
    if (!is_used)
        return m;
    struct ptx_module *both[] = {
        m, ptx_parse("grid group", text, sizeof text - 1, log)};
    assert(both[1]);
    const char *const places[] = {"ptx", "grid group"};
    *hash = hash_bytes(text, sizeof text - 1, *hash);
    return link_modules(both, places, 2, log);
}
