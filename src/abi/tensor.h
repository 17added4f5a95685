/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tensor maps, and copies that use them: the content of CUtensorMap, 128 bytes
 * that are opaque to programs. core/ writes them, kernels change fields
 * (tensormap.replace), copies read them.
 */
#ifndef WEFT_ABI_TENSOR_H
#define WEFT_ABI_TENSOR_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TENSOR_MAP_BYTES 128
#define TENSOR_RANK_MAX  5
#define TENSOR_STEP_MAX  8 /* elementStrides */
#define TENSOR_MAP_MAGIC 0x77656674 /* marks a map that core/ wrote */

/* As PTX numbers them, "tensormap.replace". */
enum tensor_type {
    TENSOR_U8,
    TENSOR_U16,
    TENSOR_U32,
    TENSOR_S32,
    TENSOR_U64,
    TENSOR_S64,
    TENSOR_F16,
    TENSOR_F32,
    TENSOR_F32_FTZ,
    TENSOR_F64,
    TENSOR_BF16,
    TENSOR_TF32,
    TENSOR_TF32_FTZ,
    TENSOR_TYPES
};
/* In bytes. */
static inline unsigned tensor_type_size(enum tensor_type type)
{
    static const uint8_t type_sizes[TENSOR_TYPES] = {
        [TENSOR_U8] = 1,       [TENSOR_U16] = 2,  [TENSOR_U32] = 4,
        [TENSOR_S32] = 4,      [TENSOR_U64] = 8,  [TENSOR_S64] = 8,
        [TENSOR_F16] = 2,      [TENSOR_F32] = 4,  [TENSOR_F32_FTZ] = 4,
        [TENSOR_F64] = 8,      [TENSOR_BF16] = 2, [TENSOR_TF32] = 4,
        [TENSOR_TF32_FTZ] = 4,
    };
    return type_sizes[type];
}

enum tensor_interleave { TENSOR_PLAIN, TENSOR_SLICES_16, TENSOR_SLICES_32 };

/* Dimension 0 is the innermost. Sizes are in elements, but with interleave
 * dimension 0 counts slices of 16 or 32 bytes; strides are in bytes.
 *
 * CuTe, and so CUTLASS, clears bit 21 of a map's second 64 bits, for drivers up
 * to 13.1. So that bit must be unused. */
struct tensor_map {
    uint64_t address;
    uint8_t type, rank, interleave;
    uint8_t swizzle; /* 0, or spans of 16 << swizzle bytes */
    uint32_t magic;
    uint64_t stride[TENSOR_RANK_MAX - 1]; /* of dimensions 1 and up */
    uint32_t dim[TENSOR_RANK_MAX];        /* 0: 2^32 */
    uint16_t box[TENSOR_RANK_MAX];        /* tiled; steps included */
    uint16_t channels, pixels;            /* im2col */
    int16_t lower[3], upper[3];           /* im2col: corners of the box */
    uint8_t step[TENSOR_RANK_MAX];        /* elementStrides */
    bool is_im2col;
    bool fills_nan; /* what is out of bounds; else zeros */
};

static_assert(offsetof(struct tensor_map, interleave) == 10,
              "of which bit 5 is never set");

enum tensor_kind {
    TENSOR_LOAD,  /* global to shared */
    TENSOR_STORE, /* shared to global */
    TENSOR_ADD,   /* shared into global */
    TENSOR_MIN,
    TENSOR_MAX,
    TENSOR_INC,
    TENSOR_DEC,
    TENSOR_AND,
    TENSOR_OR,
    TENSOR_XOR
};

/* One copy by one lane. Addresses are real ones. */
struct exec_tensor_copy {
    uint64_t map, shared;
    uint64_t mbarrier; /* of a load: counts the bytes that have arrived */
    int32_t at[TENSOR_RANK_MAX];
    uint16_t offset[3]; /* im2col */
    uint16_t blocks;    /* multicast: by rank in the cluster; else 0 */
    uint8_t kind;       /* enum tensor_kind */
    uint8_t rank;       /* that the instruction names */
    uint8_t is_im2col;
};

/* Somebody is asked before a copy does something. */
struct exec_tensor_watch {
    /* `valid` bytes in the tensor, the first of some in shared memory. False:
     * these are not moved. */
    bool (*may_move)(void *data, const void *global, unsigned valid,
                     const void *shared);
    /* A load tells its mbarrier. False: it does not. */
    bool (*may_complete)(void *data, const void *mbarrier);
    void *data;
};
#define TENSOR_CHUNK_BYTES 16 /* of shared memory */

/* As PTX names them. */
enum tensor_field {
    TENSOR_FIELD_address,
    TENSOR_FIELD_rank,
    TENSOR_FIELD_box_dim,
    TENSOR_FIELD_global_dim,
    TENSOR_FIELD_global_stride,
    TENSOR_FIELD_element_stride,
    TENSOR_FIELD_elemtype,
    TENSOR_FIELD_interleave_layout,
    TENSOR_FIELD_swizzle_mode,
    TENSOR_FIELD_fill_mode
};

#endif
