/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How arrays lie in memory, for those who read and write their elements:
 * copies, textures, surfaces.
 *
 *     element (x, y) of slice z is at
 *         data + z * slice_bytes + y * pitch_bytes + x * element_bytes
 *
 * Rows lie one behind the other, each at a multiple of ARRAY_ROW_ALIGN bytes,
 * and slices too. A slice is a plane of a 3-D array, a layer, or a face: face
 * f of layer l of a cubemap is slice 6 * l + f. ARRAY_SLACK_BYTES behind the
 * last row may be read, so a vector load of the last elements is safe. With
 * compressed formats an element here is a block of side x side texels.
 *
 * The levels of a mipmapped array are arrays of their own that share its
 * memory. Nothing of this changes while the array lives.
 */
#ifndef WEFT_CORE_ARRAY_H
#define WEFT_CORE_ARRAY_H

#include "base/base.h"
#include "cuda.h"

#define ARRAY_ROW_ALIGN   ((size_t)64)
#define ARRAY_SLACK_BYTES ((size_t)64)
#define ARRAY_LEVELS_MAX  32

struct CUarray_st {
    uint8_t *data;
    size_t pitch_bytes, slice_bytes;
    size_t columns, rows, slices; /* of elements; at least 1 each */
    unsigned element_bytes;
    unsigned side;                /* of a block; 1: not compressed */
    CUDA_ARRAY3D_DESCRIPTOR desc; /* as the program gave it */
    CUmipmappedArray mipmap;      /* whose level it is, or NULL */
    CUcontext ctx;                /* that it was made in */
    struct list in_all;
};

struct CUmipmappedArray_st {
    uint8_t *data;
    unsigned level_count;
    CUcontext ctx;
    CUDA_ARRAY3D_DESCRIPTOR desc; /* of level 0 */
    struct list in_all;
    struct CUarray_st levels[ARRAY_LEVELS_MAX];
};

/* The object behind a handle, or NULL: it is none that lives. */
CUarray array_find(CUarray handle);
CUmipmappedArray mipmap_find(CUmipmappedArray handle);

#endif
