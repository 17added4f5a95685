/* SPDX-License-Identifier: Apache-2.0 */
/* What acts at fixed moments: hooks.def. */
#ifndef WEFT_EMIT_HOOKS_H
#define WEFT_EMIT_HOOKS_H

struct emit;

enum emit_moment {
    EMIT_AT_begin_kernel,    /* in the kernel's first block */
    EMIT_AT_begin_full_loop, /* before the copy of a loop for all lanes */
    EMIT_AT_full_iteration,  /* where each of its iterations starts */
    EMIT_AT_end_full_loop,   /* behind it */
    EMIT_AT_before_access,   /* of the instruction at hand, guard included */
    EMIT_AT_end_warp,        /* behind a warp, or a coarse warp */
    EMIT_AT_end_kernel,      /* behind all blocks of a call */
};

/* Calls those that hooks.def names for this moment, in its order. */
void emit_run_hooks(struct emit *e, enum emit_moment now);

#endif
