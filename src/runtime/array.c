/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays and mipmapped arrays: creating, destroying and querying them. */
#include "runtime/texture.h"

/* ---- channel descriptors ------------------------------------------------- */

enum { ANY = 0 };

static const struct {
    CUarray_format format;
    enum cudaChannelFormatKind kind;
    int channel_bits;
    unsigned channels, side;
} formats[] = {
#define ARRAY_FORMAT(name, bytes, channels, side, as)                          \
    {CU_AD_FORMAT_##name, cudaChannelFormatKind##as, 8 * (bytes), channels,    \
     side},
#define VIDEO_FORMAT(name, bytes, channels, planes, others, x, y, wrap, as)    \
    {CU_AD_FORMAT_##name, cudaChannelFormatKind##as, 8 * (bytes), channels, 1},
#include "core/array_formats.def"
};

/* Counts the channels, which have *bits bits each. False: their sizes differ,
 * or an empty one is between them. */
static bool read_channels(const struct cudaChannelFormatDesc *d,
                          unsigned *count, int *bits)
{
    const int all[4] = {d->x, d->y, d->z, d->w};
    *count = 0;
    *bits = d->x;
    while (*count < 4 && all[*count])
        (*count)++;
    for (unsigned i = 0; i < 4; i++) {
        if (all[i] != (i < *count ? d->x : 0))
            return false;
    }
    return *count > 0;
}

/* A kind of numbers needs sizes to name a format; any other names one alone. */
static bool is_number(enum cudaChannelFormatKind kind)
{
    return kind <= cudaChannelFormatKindFloat;
}

static struct cudaChannelFormatDesc
channels_of(const CUDA_ARRAY3D_DESCRIPTOR *a);

/* Fractions and planes have the sizes of their kind; of others an H200 was not
 * asked. */
static bool has_sizes(const struct cudaChannelFormatDesc *d,
                      const CUDA_ARRAY3D_DESCRIPTOR *a, unsigned side)
{
    struct cudaChannelFormatDesc own = channels_of(a);
    return side > 1 ||
           (d->x == own.x && d->y == own.y && d->z == own.z && d->w == own.w);
}

static cudaError_t format_of(const struct cudaChannelFormatDesc *d,
                             CUDA_ARRAY3D_DESCRIPTOR *out)
{
    unsigned count = 0;
    int bits = 0;
    if (d->f == cudaChannelFormatKindNone)
        return cudaErrorInvalidChannelDescriptor;
    if (is_number(d->f) && (!read_channels(d, &count, &bits) || count == 3))
        return cudaErrorInvalidChannelDescriptor;
    for (size_t i = 0; i < ARRAY_COUNT(formats); i++) {
        if (formats[i].kind != d->f ||
            (is_number(d->f) && formats[i].channel_bits != bits))
            continue;
        out->Format = formats[i].format;
        out->NumChannels = is_number(d->f) ? count : formats[i].channels;
        return is_number(d->f) || has_sizes(d, out, formats[i].side)
                   ? cudaSuccess
                   : cudaErrorInvalidChannelDescriptor;
    }
    return cudaErrorInvalidChannelDescriptor;
}

static int channel_bits(size_t row, const CUDA_ARRAY3D_DESCRIPTOR *a,
                        unsigned channel)
{
    if (channel >= a->NumChannels)
        return 0;
    bool is_half_block = a->Format == CU_AD_FORMAT_BC6H_UF16 ||
                         a->Format == CU_AD_FORMAT_BC6H_SF16;
    return is_half_block           ? 16
           : formats[row].side > 1 ? 8
                                   : formats[row].channel_bits;
}

static size_t row_of(CUarray_format format)
{
    size_t i = 0;
    while (i < ARRAY_COUNT(formats) && formats[i].format != format)
        i++;
    assert(i < ARRAY_COUNT(formats)); /* core creates no others */
    return i;
}

static struct cudaChannelFormatDesc
channels_of(const CUDA_ARRAY3D_DESCRIPTOR *a)
{
    size_t i = row_of(a->Format);
    if (a->Format == CU_AD_FORMAT_UNORM_INT_101010_2)
        return (struct cudaChannelFormatDesc){10, 10, 10, 2, formats[i].kind};
    return (struct cudaChannelFormatDesc){
        .x = channel_bits(i, a, 0),
        .y = channel_bits(i, a, 1),
        .z = channel_bits(i, a, 2),
        .w = channel_bits(i, a, 3),
        .f = formats[i].kind,
    };
}

/* ---- arrays -------------------------------------------------------------- */

cudaError_t rt_format_of(const struct cudaChannelFormatDesc *d,
                         CUarray_format *format, unsigned *channels)
{
    CUDA_ARRAY3D_DESCRIPTOR a;
    cudaError_t err = format_of(d, &a);
    if (err)
        return err;
    *format = a.Format;
    *channels = a.NumChannels;
    return cudaSuccess;
}

struct cudaChannelFormatDesc rt_channels_of(CUarray_format format,
                                            unsigned channels)
{
    const CUDA_ARRAY3D_DESCRIPTOR a = {.Format = format,
                                       .NumChannels = channels};
    return channels_of(&a);
}

static cudaError_t describe_array(const struct cudaChannelFormatDesc *d,
                                  struct cudaExtent extent, unsigned flags,
                                  CUDA_ARRAY3D_DESCRIPTOR *out)
{
    static_assert(cudaArrayLayered == CUDA_ARRAY3D_LAYERED &&
                      cudaArraySurfaceLoadStore == CUDA_ARRAY3D_SURFACE_LDST &&
                      cudaArrayCubemap == CUDA_ARRAY3D_CUBEMAP &&
                      cudaArrayTextureGather == CUDA_ARRAY3D_TEXTURE_GATHER,
                  "both APIs number flags alike");
    *out = (CUDA_ARRAY3D_DESCRIPTOR){
        .Width = extent.width,
        .Height = extent.height,
        .Depth = extent.depth,
        .Flags = flags,
    };
    return format_of(d, out);
}

static cudaError_t make_array(cudaArray_t *array,
                              const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned flags)
{
    CUcontext ctx;
    CUDA_ARRAY3D_DESCRIPTOR d;
    CUarray a;
    if (!array || !desc)
        return cudaErrorInvalidValue;
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = describe_array(desc, extent, flags, &d);
    if (!err)
        err = rt_error(array_create(ctx, &d, &a));
    if (!err)
        *array = (cudaArray_t)a;
    return err;
}

/* Of one plane: layers and faces have the other function. */
cudaError_t cudaMallocArray(cudaArray_t *array,
                            const struct cudaChannelFormatDesc *desc,
                            size_t width, size_t height, unsigned int flags)
{
    struct cudaExtent extent = {width, height, 0};
    if (flags & (cudaArrayLayered | cudaArrayCubemap))
        return rt_return(cudaErrorInvalidValue);
    return rt_return(make_array(array, desc, extent, flags));
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array,
                              const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned int flags)
{
    return rt_return(make_array(array, desc, extent, flags));
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    CUcontext ctx;
    cudaError_t err = rt_context(&ctx);
    if (!err && array)
        err = rt_error(array_destroy(ctx, (CUarray)array));
    return rt_return(err);
}

static cudaError_t info_of(cudaArray_const_t array,
                           CUDA_ARRAY3D_DESCRIPTOR *out)
{
    CUcontext ctx;
    cudaError_t err = rt_context(&ctx);
    if (err)
        return err;
    if (!array)
        return cudaErrorInvalidResourceHandle;
    return rt_error(array_describe((CUarray)(uintptr_t)array, out));
}

/* Most video formats have no name in this API. */
static cudaError_t name_channels(const CUDA_ARRAY3D_DESCRIPTOR *a,
                                 struct cudaChannelFormatDesc *out)
{
    if (formats[row_of(a->Format)].kind == cudaChannelFormatKindNone)
        return cudaErrorInvalidChannelDescriptor;
    *out = channels_of(a);
    return cudaSuccess;
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc,
                             struct cudaExtent *extent, unsigned int *flags,
                             cudaArray_t array)
{
    CUDA_ARRAY3D_DESCRIPTOR d;
    cudaError_t err = info_of(array, &d);
    if (err)
        return rt_return(err);
    if (flags) /* an H200 says these even after an error */
        *flags = d.Flags;
    if (desc)
        err = name_channels(&d, desc);
    if (!err && extent)
        *extent = (struct cudaExtent){d.Width, d.Height, d.Depth};
    return rt_return(err);
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc,
                               cudaArray_const_t array)
{
    CUDA_ARRAY3D_DESCRIPTOR d;
    if (!desc)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = info_of(array, &d);
    if (!err)
        err = name_channels(&d, desc);
    return rt_return(err);
}

cudaError_t cudaArrayGetPlane(cudaArray_t *pPlaneArray, cudaArray_t hArray,
                              unsigned int planeIdx)
{
    CUcontext ctx;
    CUarray plane;
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(array_plane((CUarray)hArray, planeIdx,
                                   pPlaneArray ? &plane : NULL));
    if (!err)
        *pPlaneArray = (cudaArray_t)plane;
    return rt_return(err);
}

/* ---- what only other arrays have: tiles, memory to come ------------------ */

/* No array of ours has any of them, and CUDA says INVALID_VALUE to those that
 * have not. */
static cudaError_t has_none(cudaArray_const_t array)
{
    CUDA_ARRAY3D_DESCRIPTOR d;
    cudaError_t err = info_of(array, &d);
    return err ? err : cudaErrorInvalidValue;
}

cudaError_t
cudaArrayGetSparseProperties(struct cudaArraySparseProperties *sparseProperties,
                             cudaArray_t array)
{
    (void)sparseProperties;
    return rt_return(array ? has_none(array) : cudaErrorInvalidValue);
}

cudaError_t cudaArrayGetMemoryRequirements(
    struct cudaArrayMemoryRequirements *memoryRequirements, cudaArray_t array,
    int device)
{
    (void)memoryRequirements, (void)device;
    return rt_return(array ? has_none(array) : cudaErrorInvalidValue);
}

static cudaError_t has_none_mipmapped(cudaMipmappedArray_t mipmap)
{
    CUcontext ctx;
    CUarray level;
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(mipmap_level((CUmipmappedArray)mipmap, 0, &level));
    return err ? err : cudaErrorInvalidValue;
}

cudaError_t cudaMipmappedArrayGetSparseProperties(
    struct cudaArraySparseProperties *sparseProperties,
    cudaMipmappedArray_t mipmap)
{
    (void)sparseProperties;
    return rt_return(mipmap ? has_none_mipmapped(mipmap)
                            : cudaErrorInvalidValue);
}

cudaError_t cudaMipmappedArrayGetMemoryRequirements(
    struct cudaArrayMemoryRequirements *memoryRequirements,
    cudaMipmappedArray_t mipmap, int device)
{
    (void)memoryRequirements, (void)device;
    return rt_return(mipmap ? has_none_mipmapped(mipmap)
                            : cudaErrorInvalidValue);
}

/* ---- mipmapped arrays ---------------------------------------------------- */

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmappedArray,
                                     const struct cudaChannelFormatDesc *desc,
                                     struct cudaExtent extent,
                                     unsigned int numLevels, unsigned int flags)
{
    CUcontext ctx;
    CUDA_ARRAY3D_DESCRIPTOR d;
    CUmipmappedArray m;
    if (!mipmappedArray || !desc)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = describe_array(desc, extent, flags, &d);
    if (!err)
        err = rt_error(mipmap_create(ctx, &d, numLevels, &m));
    if (!err)
        *mipmappedArray = (cudaMipmappedArray_t)m;
    return rt_return(err);
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmappedArray)
{
    CUcontext ctx;
    cudaError_t err = rt_context(&ctx);
    if (!err && mipmappedArray)
        err = rt_error(mipmap_destroy(ctx, (CUmipmappedArray)mipmappedArray));
    return rt_return(err);
}

cudaError_t
cudaGetMipmappedArrayLevel(cudaArray_t *levelArray,
                           cudaMipmappedArray_const_t mipmappedArray,
                           unsigned int level)
{
    CUcontext ctx;
    CUarray a;
    if (!levelArray)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(mipmap_level((CUmipmappedArray)(uintptr_t)mipmappedArray,
                                    level, &a));
    if (!err)
        *levelArray = (cudaArray_t)a;
    return rt_return(err);
}
