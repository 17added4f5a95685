/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuBLASLt inside: the contents of the opaque descriptions, and a product made
 * from them.
 *
 * In this folder, unless a comment says otherwise:
 *   threads  any thread may call with objects that nobody changes meanwhile
 *   errors   a cublasStatus_t, and nothing is queued
 *   owners   descriptions and matrices are the caller's
 *   units    sizes and leading dimensions are elements, workspaces and
 *            attributes bytes
 */
#ifndef WEFT_CUBLASLT_INTERNAL_H
#define WEFT_CUBLASLT_INTERNAL_H

#include <assert.h>

#pragma GCC visibility push(default)
#include "cublasLt.h"
#pragma GCC visibility pop

#include "lib/common/lib.h"
#include "lib/product/product.h"
#include "lib/product/types.h"

/* Of groups (CUBLASLT_BATCH_MODE_GROUPED) rows, columns and ld are addresses of
 * arrays on the device; batch is their length. */
struct layout {
    uint32_t type;
    int32_t order;
    uint64_t rows, columns;
    int64_t ld, stride, plane_offset;
    int32_t batch, batch_mode;
    int32_t shape_width, ld_width; /* of the arrays' integers */
};

struct matmul_desc {
    int32_t compute, scale_type, pointer_mode, op_a, op_b, op_c, fill;
    uint32_t epilogue;
    void *bias, *aux;
    int64_t bias_stride, aux_ld, aux_stride, alpha_stride;
    int32_t sm_target, aux_type, bias_type;
    int32_t a_mode, b_mode, c_mode, d_mode, aux_mode, d_out_mode;
    const void *a_scale, *b_scale, *c_scale, *d_scale, *aux_scale;
    void *amax, *aux_amax, *d_out_scale, *emulation;
    int8_t fast_accumulation;
};

struct transform_desc {
    int32_t scale_type, pointer_mode, op_a, op_b;
};

struct preference {
    uint32_t search, reduction_mask, align_a, align_b, align_c, align_d;
    float waves;
    uint64_t workspace, impl_mask;
};

/* How products in double or float were to be emulated: kept to be asked for.
 * They are computed in their own type, which is as exact. */
struct emulation {
    int32_t strategy, special_values, mantissa_control, bits_max, bit_offset;
    int *bit_count; /* the device's; never written */
};

struct algo {
    int32_t id, split_k;
    uint32_t tile, reduction, swizzle, custom, stages, inner_padding;
    uint16_t inner, cluster;
};

static_assert(sizeof(struct layout) <= sizeof(cublasLtMatrixLayoutOpaque_t) &&
                  sizeof(struct matmul_desc) <=
                      sizeof(cublasLtMatmulDescOpaque_t) &&
                  sizeof(struct transform_desc) <=
                      sizeof(cublasLtMatrixTransformDescOpaque_t) &&
                  sizeof(struct preference) <=
                      sizeof(cublasLtMatmulPreferenceOpaque_t) &&
                  sizeof(struct emulation) <=
                      sizeof(cublasLtEmulationDescOpaque_t) &&
                  sizeof(struct algo) <= sizeof(cublasLtMatmulAlgo_t),
              "descriptions have CUDA's sizes");

/* Writes the call to the log, if that is on; returns the status. */
cublasStatus_t lt_end(const char *name, cublasStatus_t status);
#define LT_END(status) lt_end(__func__, status)

/* An operand whose layout BLAS does not take: it is read number by number. */
struct lt_side {
    struct layout layout;
    int32_t mode; /* of scales; 0: none, or the epilogue's */
    const void *scale;
    int64_t count, depth; /* rows of op(A) or columns of op(B); k */
    bool k_down;          /* k goes down the rows of the stored matrix */
    bool conjugates;
};

/* A product as its descriptions say. */
struct lt_product {
    struct product p;
    struct matmul_desc desc;
    bool is_turned;          /* D is in row order: its transpose is computed */
    bool stores;             /* D is written number by number */
    struct lt_side sides[2]; /* of p.a and p.b, if p.load is there */
    struct layout c, d;
};
static_assert(sizeof(struct lt_product) <= PRODUCT_ARGS, "arguments");

static inline bool lt_is_fp8(cudaDataType_t type)
{
    return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2;
}

/* What a product of these types is computed in; false: there is none. */
bool lt_find_types(cublasComputeType_t compute, cudaDataType_t a,
                   cudaDataType_t b, cudaDataType_t c, cudaDataType_t d,
                   struct product_types *out);
/* Fills in *out but pointers and the values of scalars. INVALID_VALUE: a
 * description is NULL or sizes do not fit; NOT_SUPPORTED: there is no such
 * product. */
cublasStatus_t lt_plan(cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,
                       cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
                       cublasLtMatrixLayout_t d, struct lt_product *out);

/* ---- layouts and scales: places.c ------------------------------------- */

/* Where element (r, c) is: elements from the first one in memory. */
int64_t lt_place(const struct layout *l, int64_t r, int64_t c);
bool lt_is_order(int32_t order); /* a value of the enumeration */
/* Are there rows and columns, and does ld fit the order? */
bool lt_is_layout_right(const struct layout *l);
/* Is it in column or row order, of a type that product.h takes? */
bool lt_is_plain_layout(const struct layout *l);
/* May an operand of the type have scales of this mode, and are they there? */
bool lt_is_scale_right(int32_t mode, cudaDataType_t type, const void *scale,
                       int32_t batch);
/* The type of a plane of complex numbers; another type is its own. */
cudaDataType_t lt_plane_type(cudaDataType_t type);
product_load_fn lt_load;    /* number by number, by lt_product.sides */
product_finish_fn lt_store; /* the same of D; no epilogue */

/* ---- scales that are computed for D: blocks.c ------------------------- */

/* How many numbers of a column share a scale; 0: not in this mode. */
int64_t lt_block_length(int32_t mode);
/* Do the mode, the pointer for scales and D's layout go together? */
bool lt_is_out_scale_right(const struct matmul_desc *m, const struct layout *d);
/* Where the one-byte scale of a block is, in bytes: of row or column `outer`,
 * number `block` of `blocks` along k (of D: along the column). */
int64_t lt_scale_place(int64_t outer, int64_t block, int64_t blocks);
/* Stores `rows` rows of a column of D, as it is computed, with their scales.
 * row is the first of a block. For kernels. */
void lt_store_blocks(const struct lt_product *l, int64_t row, int64_t column,
                     int64_t rows, const float *values);

/* ---- epilogues: epilogue.c -------------------------------------------- */

/* Bits of cublasLtEpilogue_t; BGRADA and BGRADB are alone. */
enum {
    LT_RELU = 2,
    LT_BIAS = 4,
    LT_DRELU = 8,
    LT_BGRAD = 16,
    LT_GELU = 32,
    LT_DGELU = 64,
    LT_AUX = 128,
    LT_BGRADA = 256,
    LT_BGRADB = 512,
};

/* Is D more than alpha * sums + beta * C? Then lt_finish makes it. */
bool lt_needs_finish(const struct lt_product *l);
product_finish_fn lt_finish;

#endif
