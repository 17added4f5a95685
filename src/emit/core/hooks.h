/* SPDX-License-Identifier: Apache-2.0 */
/* Moments at which registered functions are called: hooks.def. */
#ifndef WEFT_EMIT_HOOKS_H
#define WEFT_EMIT_HOOKS_H

struct emit;

enum emit_moment {
    EMIT_AT_begin_kernel,    /* in the kernel's first block */
    EMIT_AT_begin_full_loop, /* before the copy of a loop for all lanes */
    EMIT_AT_full_iteration,  /* where each of its iterations starts */
    EMIT_AT_end_full_loop,   /* behind it */
    /* before the current instruction's access, inside its guard */
    EMIT_AT_before_access,
    EMIT_AT_end_warp,        /* after a warp, or a coarse warp */
    EMIT_AT_end_kernel,      /* after all blocks of a call */
};

/* Calls the functions of hooks.def for this moment, in order. */
void emit_run_hooks(struct emit *e, enum emit_moment now);

#endif
