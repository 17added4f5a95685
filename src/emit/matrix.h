/* SPDX-License-Identifier: Apache-2.0 */
/* What the files about matrices share. */
#ifndef WEFT_EMIT_MATRIX_H
#define WEFT_EMIT_MATRIX_H

#include "emit/internal.h"
#include "ptx/matrix.h"

/* Matrix operations are of a warp; refuses others. */
bool emit_has_whole_warp(struct emit *e);

/* matrix_memory.c: wmma.load and wmma.store. */
void emit_move_fragment(struct emit *e, const struct ptx_inst *inst);

#endif
