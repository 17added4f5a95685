/* SPDX-License-Identifier: Apache-2.0 */
/* What the files about matrices share. */
#ifndef WEFT_EMU_MATRIX_H
#define WEFT_EMU_MATRIX_H

#include "emu/internal.h"
#include "ptx/matrix.h"

/* Do all lanes do the instruction together, on fragments? */
bool emu_is_matrix(const struct ptx_inst *in);
/* NULL, or why the interpreter cannot do the instruction: a string to go behind
 * its spelling. */
const char *emu_refuse_matrix(const struct ptx_inst *in);
/* The threads of `mask` do their matrix instruction. warp: its first thread. */
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

/* matrix.c: computes p->d from all other fields. */
void emu_multiply_cells(struct emu_product *p);
/* Reads an operand's elements from the lanes' registers into `out`, row after
 * row. operand: its index. */
void emu_collect(const struct emu_warp *w, const struct ptx_fragment *f,
                 unsigned operand, emu_bits *out);
/* Fills p->k_of: from the metadata of a sparse product, else in order. */
void emu_choose_rows(const struct emu_warp *w, struct emu_product *p);

/* wgmma.c: one warp's 16 rows of the product of its warpgroup. */
void emu_multiply_shared(const struct emu_warp *w, const struct ptx_inst *in);

/* matrix_memory.c: wmma.load, wmma.store, ldmatrix, stmatrix, movmatrix. */
void emu_move_matrix(const struct emu_warp *w, const struct ptx_inst *in);

#endif
