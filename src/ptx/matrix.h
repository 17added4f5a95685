/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a matrix instruction works on: its shape, the types of A, B, C and D,
 * and the lane, register and part of the register that each element is in.
 * Both engines use this; neither has a layout of its own.
 *
 * D = A * B + C is computed as follows, so that the engines agree bit for bit.
 *     integers  exactly, modulo 2^32; .satfinite clamps the exact sum once
 *     f64       fma after fma in the order of k, starting from C, rounded
 *               as the instruction says
 *     others    the same in f32, rounded to nearest (products of f16, tf32
 *               and fp8 elements are exact in f32, and those of bf16 too unless
 *               they leave its range); f16 results are rounded to f16 once, at
 *               the end. Subnormals are kept; a NaN is the canonical one.
 *
 * The manual leaves order and precision of the sums open.
 *
 * Source: PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions".
 */
#ifndef WEFT_PTX_MATRIX_H
#define WEFT_PTX_MATRIX_H

#include "ptx/ptx.h"

enum { PTX_MATRIX_MAX_REGS = 128, PTX_MATRIX_MAX_CELLS = 16 * 256 };

enum ptx_role { PTX_ROLE_a, PTX_ROLE_b, PTX_ROLE_c };

/* One operand, spread over the registers of 32 lanes. */
struct ptx_fragment {
    enum ptx_role role;
    enum ptx_type type;
    unsigned rows, columns;
    unsigned element_bits;
    unsigned per_reg;   /* elements in one register */
    unsigned reg_count; /* registers in each lane */
    unsigned reg_bits;  /* 32 or 64 */
    /* mma.m8n8k4 of f16 is four products, one for each group of lanes q, q + 4
     * (of four lanes); `form` is the layout of this operand then. */
    enum { PTX_WHOLE_WARP, PTX_BY_ROW, PTX_BY_COLUMN, PTX_BY_PAIR } form;
};

/* An element of a fragment; group is 0 except for mma.m8n8k4 of f16. */
struct ptx_cell {
    unsigned row, column, group;
};
struct ptx_place {
    uint8_t lane, reg, part;
};

/* The operands of an mma, wmma.load, wmma.store or wmma.mma. */
struct ptx_mma {
    unsigned m, n, k;
    bool is_sparse;
    bool is_integer; /* sums in s32 */
    /* for sparse ones: number of the metadata operand, and the value of the
     * selector */
    unsigned metadata, selector;
    bool is_and;     /* of b1: products are a & b, else a ^ b */
    unsigned group_count;
    struct ptx_fragment a, b, c, d; /* load and store: only the one they move */
};

/* Describes `in`. NULL: *out is filled in; otherwise what is wrong with its
 * shape and types. */
const char *ptx_describe_mma(const struct ptx_inst *in, struct ptx_mma *out);

/* wgmma.mma_async: each of the four warps multiplies 16 rows of A with 8
 * columns of B at a time, as mma.m16n8 does, n / 8 times. Describes one such
 * product as ptx_describe_mma does. */
const char *ptx_describe_wgmma(const struct ptx_inst *in, struct ptx_mma *out);
static inline unsigned ptx_wgmma_columns(const struct ptx_inst *in)
{
    return in->shape >> 10 & 1023;
}

/* The operands behind the matrices: their places, 0 if missing. */
struct ptx_wgmma_operands {
    bool is_a_in_registers;
    unsigned scale_d;
    bool is_negated; /* the product of A's and B's scales is -1 */
    bool is_a_transposed, is_b_transposed;
};
struct ptx_wgmma_operands ptx_find_wgmma_operands(const struct ptx_inst *in);

/* The element at a place; part 0 is the register's lowest. */
struct ptx_cell ptx_fragment_cell(const struct ptx_fragment *f, unsigned lane,
                                  unsigned reg, unsigned part);

/* Number of registers with every element once; wmma's f16 fragments have
 * more. */
unsigned ptx_fragment_distinct_regs(const struct ptx_fragment *f);

/* Place of each element's first copy: [(group * rows + row) * columns +
 * column]. */
void ptx_fragment_places(const struct ptx_fragment *f, struct ptx_place *out);

/*
 * mma.sp stores half of A's elements. Element `column` of a row of the stored
 * A multiplies row k[v] of B, where v is the two bits at `shift` of the
 * metadata register of `lane`.
 */
struct ptx_selector {
    unsigned lane, shift;
    uint16_t k[4];
};
struct ptx_selector ptx_sparse_selector(const struct ptx_mma *mma, unsigned row,
                                        unsigned column, unsigned selector);

#endif
