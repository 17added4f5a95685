/* SPDX-License-Identifier: Apache-2.0 */
/* What the files about matrices share. */
#ifndef WEFT_EMU_MATRIX_H
#define WEFT_EMU_MATRIX_H

#include "emu/internal.h"
#include "ptx/matrix.h"

/* Is it done by all lanes together, on fragments? */
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

/* Matrices row by row, and for each element of A the row of B that it meets. */
struct emu_product {
    const struct ptx_inst *in;
    struct ptx_mma mma;
    emu_bits a[PTX_MATRIX_MAX_CELLS], b[PTX_MATRIX_MAX_CELLS];
    emu_bits c[1024], d[1024];
    float fa[PTX_MATRIX_MAX_CELLS], fb[PTX_MATRIX_MAX_CELLS];
    uint16_t k_of[PTX_MATRIX_MAX_CELLS]; /* row of B for each element of A */
};

/* matrix.c: p->d from the rest. */
void emu_multiply_cells(struct emu_product *p);
/* An operand's elements, row after row, from the registers, and to
 * them. */
void emu_collect(const struct emu_warp *w, const struct ptx_fragment *f,
                 unsigned operand, emu_bits *out);
/* Which rows of B the elements of A meet. */
void emu_choose_rows(const struct emu_warp *w, struct emu_product *p);

/* wgmma.c */
void emu_multiply_shared(const struct emu_warp *w, const struct ptx_inst *in);

/* matrix_memory.c: wmma.load, wmma.store, ldmatrix, stmatrix, movmatrix. */
void emu_move_matrix(const struct emu_warp *w, const struct ptx_inst *in);

#endif
