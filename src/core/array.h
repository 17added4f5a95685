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
 * memory. So do the planes of a video format: the whole has no rows, so that
 * no copy fits it. Nothing of this changes while the array lives.
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
    size_t columns, rows, slices; /* of elements; at least 1 each, but 0, 0 of
                                   * a whole that has planes */
    unsigned element_bytes;
    unsigned side;                /* of a block; 1: not compressed */
    CUDA_ARRAY3D_DESCRIPTOR desc; /* as the program gave it */
    CUarray_format texels;        /* desc.Format; of video formats, integers */
    CUmipmappedArray mipmap;      /* whose level it is, or NULL */
    CUarray whole;                /* whose plane it is, or NULL */
    unsigned plane_count;         /* they lie behind it: this + 1 and so on */
    bool only_clamps;             /* textures of it do */
    bool is_mapped;               /* a graphics resource's: only that ends it */
    CUcontext ctx;                /* that it was made in */
    struct texture_object *textures; /* of it: texture.c */
    struct list in_all;
};

struct CUmipmappedArray_st {
    uint8_t *data;
    unsigned level_count;
    CUcontext ctx;
    CUDA_ARRAY3D_DESCRIPTOR desc; /* of level 0 */
    bool is_mapped;               /* as an array's */
    struct texture_object *textures;
    /* Ends the memory; NULL: it is the array's own. */
    void (*release)(void *memory);
    void *memory;
    struct list in_all;
    struct CUarray_st levels[ARRAY_LEVELS_MAX];
};

/* A side of a level, by that of level 0; 0, of a side there is none of, stays.
 */
size_t array_level_size(size_t n, unsigned level);

/* The object behind a handle, or NULL: it is none that lives. */
CUarray array_find(CUarray handle);
CUmipmappedArray mipmap_find(CUmipmappedArray handle);

/* Levels in memory of another API, `size_bytes` of it at `data`, in the layout
 * of Mesa's software drivers: texels in rows of whole blocks of 4 x 4, rows and
 * levels at multiples of 64 bytes. The array's end releases the memory; after
 * an error it is still the caller's. INVALID_VALUE: it is too small. */
struct array_memory {
    uint8_t *data;
    size_t size_bytes;
    void (*release)(void *memory);
    void *memory;
};
CUresult mipmap_create_in(CUcontext ctx, const CUDA_ARRAY3D_DESCRIPTOR *d,
                          unsigned levels, const struct array_memory *in,
                          CUmipmappedArray *out);
/* What a graphics resource shows of itself: programs cannot destroy it. */
CUresult mipmap_create_mapped(CUcontext ctx, const CUDA_ARRAY3D_DESCRIPTOR *d,
                              unsigned levels, CUmipmappedArray *out);
void mipmap_end_mapped(CUmipmappedArray m);
/* A slice as a 2-D array that shares its memory; mapped as well. */
CUresult array_view_slice(CUarray a, size_t slice, CUarray *out);
void array_end_view(CUarray a);

/* Of a texel, or of a block of them; the most, if no array has the format. */
unsigned array_format_bytes(CUarray_format format, unsigned channels);

#endif
