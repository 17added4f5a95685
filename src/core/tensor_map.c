/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Making tensor maps: the conditions that an H200 checks, which are the
 * manual's, or less (a tiled map need be aligned to 16 bytes only, one of
 * im2col not at all), and our layout (abi/tensor.h).
 */
#include "core/internal.h"

#include "abi/tensor.h"

static_assert(sizeof(CUtensorMap) == TENSOR_MAP_BYTES, "the API's size");

/* What both kinds have in common. */
struct tensor_layout {
    CUtensorMapDataType type;
    unsigned rank;
    void *address;
    const cuuint64_t *dim, *stride;
    const cuuint32_t *step;
    CUtensorMapInterleave interleave;
    CUtensorMapSwizzle swizzle;
    CUtensorMapL2promotion l2_promotion;
    CUtensorMapFloatOOBfill fill;
};

static const uint8_t types[] = {
    [CU_TENSOR_MAP_DATA_TYPE_UINT8] = TENSOR_U8,
    [CU_TENSOR_MAP_DATA_TYPE_UINT16] = TENSOR_U16,
    [CU_TENSOR_MAP_DATA_TYPE_UINT32] = TENSOR_U32,
    [CU_TENSOR_MAP_DATA_TYPE_INT32] = TENSOR_S32,
    [CU_TENSOR_MAP_DATA_TYPE_UINT64] = TENSOR_U64,
    [CU_TENSOR_MAP_DATA_TYPE_INT64] = TENSOR_S64,
    [CU_TENSOR_MAP_DATA_TYPE_FLOAT16] = TENSOR_F16,
    [CU_TENSOR_MAP_DATA_TYPE_FLOAT32] = TENSOR_F32,
    [CU_TENSOR_MAP_DATA_TYPE_FLOAT64] = TENSOR_F64,
    [CU_TENSOR_MAP_DATA_TYPE_BFLOAT16] = TENSOR_BF16,
    [CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ] = TENSOR_F32_FTZ,
    [CU_TENSOR_MAP_DATA_TYPE_TFLOAT32] = TENSOR_TF32,
    [CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ] = TENSOR_TF32_FTZ,
};

static bool is_layout_legal(const struct tensor_layout *l)
{
    unsigned type = l->type, interleave = l->interleave;
    return type < ARRAY_COUNT(types) && l->rank >= 1 &&
           l->rank <= TENSOR_RANK_MAX && interleave <= TENSOR_SLICES_32 &&
           (!interleave || l->rank >= 3) &&
           (unsigned)l->swizzle <= CU_TENSOR_MAP_SWIZZLE_128B &&
           (unsigned)l->l2_promotion <= CU_TENSOR_MAP_L2_PROMOTION_L2_256B &&
           (unsigned)l->fill <= 1 &&
           (!l->fill || type >= CU_TENSOR_MAP_DATA_TYPE_FLOAT16);
}

static bool are_sizes_legal(const struct tensor_layout *l)
{
    unsigned align = l->interleave == CU_TENSOR_MAP_INTERLEAVE_32B ? 32 : 16;
    if ((uintptr_t)l->address % align || !l->dim || !l->step || !l->stride)
        return false;
    for (unsigned i = 0; i < l->rank; i++) {
        if (l->dim[i] < 1 || l->dim[i] > UINT64_C(1) << 32 || l->step[i] < 1 ||
            l->step[i] > 8)
            return false;
    }
    for (unsigned i = 0; i + 1 < l->rank; i++) {
        if (l->stride[i] % align || l->stride[i] >= UINT64_C(1) << 40)
            return false;
    }
    return true;
}

/* A row of a box: whole chunks; without slices, within one swizzled span. */
static bool is_row_legal(const struct tensor_layout *l, unsigned elements)
{
    unsigned bytes = elements * tensor_type_size(types[l->type]);
    return bytes % 16 == 0 &&
           (l->interleave || !l->swizzle || bytes <= 16u << l->swizzle);
}

/* Does the box fit in a block's shared memory? Steps count rounded down. */
static bool fits_shared(const struct tensor_layout *l, const cuuint32_t *box)
{
    uint64_t bytes = tensor_type_size(types[l->type]);
    for (unsigned i = 0; i < l->rank; i++)
        bytes *= box[i] / l->step[i];
    return bytes <= LIMIT_SHARED_OPTIN_BYTES;
}

static struct tensor_map make_map(const struct tensor_layout *l)
{
    assert(is_layout_legal(l));
    struct tensor_map m = {
        .magic = TENSOR_MAP_MAGIC,
        .type = types[l->type],
        .rank = (uint8_t)l->rank,
        .interleave = (uint8_t)l->interleave,
        .swizzle = (uint8_t)l->swizzle,
        .address = (uintptr_t)l->address,
        .fills_nan = l->fill != 0,
    };
    for (unsigned i = 0; i < l->rank; i++) {
        m.dim[i] = (uint32_t)l->dim[i];
        m.step[i] = (uint8_t)l->step[i];
        if (i > 0)
            m.stride[i - 1] = l->stride[i - 1];
    }
    return m;
}

static bool is_map(const CUtensorMap *map)
{
    return map && (uintptr_t)map % 16 == 0;
}

static void publish_map(CUtensorMap *map, const struct tensor_map *m)
{
    assert(map && m->magic == TENSOR_MAP_MAGIC);
    memset(map, 0, sizeof *map);
    memcpy(map, m, sizeof *m);
}

CUresult tensor_map_tiled(CUtensorMap *map, CUtensorMapDataType type,
                          cuuint32_t rank, void *address, const cuuint64_t *dim,
                          const cuuint64_t *stride, const cuuint32_t *box,
                          const cuuint32_t *step,
                          CUtensorMapInterleave interleave,
                          CUtensorMapSwizzle swizzle,
                          CUtensorMapL2promotion l2_promotion,
                          CUtensorMapFloatOOBfill fill)
{
    const struct tensor_layout layout = {
        type, rank,       address, dim,          stride,
        step, interleave, swizzle, l2_promotion, fill};
    const struct tensor_layout *l = &layout;
    if (!is_map(map) || !box || !is_layout_legal(l) || !are_sizes_legal(l) ||
        !is_row_legal(l, box[0]))
        return CUDA_ERROR_INVALID_VALUE;
    struct tensor_map m = make_map(l);
    for (unsigned i = 0; i < l->rank; i++) {
        if (box[i] < 1 || box[i] > 256)
            return CUDA_ERROR_INVALID_VALUE;
        m.box[i] = (uint16_t)box[i];
    }
    if (!fits_shared(l, box))
        return CUDA_ERROR_INVALID_VALUE;
    publish_map(map, &m);
    return CUDA_SUCCESS;
}

/* What both kinds of pixels share. */
static bool are_pixels_legal(const struct tensor_layout *l, unsigned channels,
                             unsigned pixels)
{
    return l->rank >= 3 && is_layout_legal(l) && are_sizes_legal(l) &&
           channels >= 1 && channels <= 256 && pixels >= 1 && pixels <= 1024 &&
           is_row_legal(l, channels);
}

/* Of the spatial dimensions the first one. */
static unsigned first_spatial(const struct tensor_layout *l)
{
    return l->interleave ? 0 : 1;
}

/* Is there something between the corners, which have so many values? */
static bool is_box_legal(cuuint64_t dim, int lower, int upper, int most)
{
    return lower <= most && lower >= -most - 1 && upper <= most &&
           upper >= -most - 1 && (int64_t)dim - 1 + upper >= lower;
}

CUresult tensor_map_im2col(
    CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
    const cuuint64_t *dim, const cuuint64_t *stride, const int *lower,
    const int *upper, cuuint32_t channels, cuuint32_t pixels,
    const cuuint32_t *step, CUtensorMapInterleave interleave,
    CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2_promotion,
    CUtensorMapFloatOOBfill fill)
{
    const struct tensor_layout layout = {
        type, rank,       address, dim,          stride,
        step, interleave, swizzle, l2_promotion, fill};
    const struct tensor_layout *l = &layout;
    /* Corners have so many bits: 16, 8 or 5 for each dimension. */
    static const int corner_max[] = {[3] = 32767, [4] = 127, [5] = 15};
    if (!map || !lower || !upper || !are_pixels_legal(l, channels, pixels))
        return CUDA_ERROR_INVALID_VALUE;
    struct tensor_map m = make_map(l);
    for (unsigned i = 0; i + 2 < l->rank; i++) {
        if (!is_box_legal(l->dim[first_spatial(l) + i], lower[i], upper[i],
                          corner_max[l->rank]))
            return CUDA_ERROR_INVALID_VALUE;
        m.lower[i] = (int16_t)lower[i];
        m.upper[i] = (int16_t)upper[i];
    }
    m.channels = (uint16_t)channels;
    m.pixels = (uint16_t)pixels;
    m.is_im2col = true;
    publish_map(map, &m);
    return CUDA_SUCCESS;
}

/* No copy of this device's takes such a map: it has no magic number. */
CUresult tensor_map_im2col_wide(
    CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
    const cuuint64_t *dim, const cuuint64_t *stride, int lower, int upper,
    cuuint32_t channels, cuuint32_t pixels, const cuuint32_t *step,
    CUtensorMapInterleave interleave, CUtensorMapIm2ColWideMode mode,
    CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2_promotion,
    CUtensorMapFloatOOBfill fill)
{
    const struct tensor_layout layout = {
        type, rank,       address, dim,          stride,
        step, interleave, swizzle, l2_promotion, fill};
    const struct tensor_layout *l = &layout;
    if (!map || (unsigned)mode > CU_TENSOR_MAP_IM2COL_WIDE_MODE_W128 ||
        !are_pixels_legal(l, channels, pixels) ||
        !is_box_legal(l->dim[first_spatial(l)], lower, upper, INT16_MAX))
        return CUDA_ERROR_INVALID_VALUE;
    struct tensor_map m = make_map(l);
    m.lower[0] = (int16_t)lower;
    m.upper[0] = (int16_t)upper;
    m.channels = (uint16_t)channels;
    m.pixels = (uint16_t)pixels;
    m.is_im2col = true;
    publish_map(map, &m);
    memset(map, 0, sizeof m.magic);
    return CUDA_SUCCESS;
}

CUresult tensor_map_replace_address(CUtensorMap *map, void *address)
{
    struct tensor_map m;
    if (!is_map(map))
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(&m, map, sizeof m);
    unsigned align = m.interleave == TENSOR_SLICES_32 ? 32 : 16;
    if (m.magic != TENSOR_MAP_MAGIC || (uintptr_t)address % align)
        return CUDA_ERROR_INVALID_VALUE;
    m.address = (uintptr_t)address;
    publish_map(map, &m);
    return CUDA_SUCCESS;
}
