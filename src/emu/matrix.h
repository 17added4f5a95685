/* SPDX-License-Identifier: Apache-2.0 */
/* What the files about matrices share. */
#ifndef WEFT_EMU_MATRIX_H
#define WEFT_EMU_MATRIX_H

#include "emu/internal.h"
#include "ptx/matrix.h"

bool emu_is_matrix(const struct ptx_inst *in);
/* NULL, or what is wrong with the instruction. */
const char *emu_refuse_matrix(const struct ptx_inst *in);
/* All threads of `mask` do their matrix instruction. */
void emu_matrix(struct emu_block *b, struct emu_thread *warp, uint32_t mask);

/* The lanes that do a matrix instruction together. */
struct emu_warp {
    struct emu_block *b;
    struct emu_thread *threads;
    uint32_t mask;
};

/* matrix.c: an operand's elements, row after row, from the registers, and to
 * them. */
void emu_collect(const struct emu_warp *w, const struct ptx_fragment *f,
                 unsigned operand, emu_bits *out);
void emu_spread(const struct emu_warp *w, const struct ptx_fragment *f,
                unsigned operand, const emu_bits *values);
void emu_multiply(const struct emu_warp *w, const struct ptx_inst *in);
float emu_matrix_float(enum ptx_type t, emu_bits v);

/* matrix_memory.c: wmma.load, wmma.store, ldmatrix, stmatrix, movmatrix. */
void emu_move_matrix(const struct emu_warp *w, const struct ptx_inst *in);

#endif
