/* SPDX-License-Identifier: Apache-2.0 */
/* Texture and surface objects. */
#include "runtime/texture.h"

/* ---- descriptions, converted to the driver API's and back ---------------- */

static cudaError_t read_linear(const struct cudaResourceDesc *r,
                               CUDA_RESOURCE_DESC *out)
{
    out->res.linear.devPtr = (CUdeviceptr)(uintptr_t)r->res.linear.devPtr;
    out->res.linear.sizeInBytes = r->res.linear.sizeInBytes;
    return rt_format_of(&r->res.linear.desc, &out->res.linear.format,
                        &out->res.linear.numChannels);
}

static cudaError_t read_pitched(const struct cudaResourceDesc *r,
                                CUDA_RESOURCE_DESC *out)
{
    out->res.pitch2D.devPtr = (CUdeviceptr)(uintptr_t)r->res.pitch2D.devPtr;
    out->res.pitch2D.width = r->res.pitch2D.width;
    out->res.pitch2D.height = r->res.pitch2D.height;
    out->res.pitch2D.pitchInBytes = r->res.pitch2D.pitchInBytes;
    return rt_format_of(&r->res.pitch2D.desc, &out->res.pitch2D.format,
                        &out->res.pitch2D.numChannels);
}

static cudaError_t read_resource(const struct cudaResourceDesc *r,
                                 CUDA_RESOURCE_DESC *out)
{
    *out = (CUDA_RESOURCE_DESC){.resType = (CUresourcetype)r->resType};
    switch (r->resType) {
    case cudaResourceTypeArray:
        out->res.array.hArray = (CUarray)r->res.array.array;
        return r->res.array.array ? cudaSuccess
                                  : cudaErrorInvalidResourceHandle;
    case cudaResourceTypeMipmappedArray:
        out->res.mipmap.hMipmappedArray =
            (CUmipmappedArray)r->res.mipmap.mipmap;
        return r->res.mipmap.mipmap ? cudaSuccess
                                    : cudaErrorInvalidResourceHandle;
    case cudaResourceTypeLinear:
        return read_linear(r, out);
    case cudaResourceTypePitch2D:
        return read_pitched(r, out);
    default:
        return cudaErrorInvalidValue;
    }
}

static struct cudaResourceDesc give_resource(const CUDA_RESOURCE_DESC *r)
{
    struct cudaResourceDesc out = {.resType =
                                       (enum cudaResourceType)r->resType};
    switch (out.resType) {
    case cudaResourceTypeArray:
        out.res.array.array = (cudaArray_t)r->res.array.hArray;
        break;
    case cudaResourceTypeMipmappedArray:
        out.res.mipmap.mipmap =
            (cudaMipmappedArray_t)r->res.mipmap.hMipmappedArray;
        break;
    case cudaResourceTypeLinear:
        out.res.linear.devPtr = (void *)(uintptr_t)r->res.linear.devPtr;
        out.res.linear.sizeInBytes = r->res.linear.sizeInBytes;
        out.res.linear.desc =
            rt_channels_of(r->res.linear.format, r->res.linear.numChannels);
        break;
    case cudaResourceTypePitch2D:
        out.res.pitch2D.devPtr = (void *)(uintptr_t)r->res.pitch2D.devPtr;
        out.res.pitch2D.width = r->res.pitch2D.width;
        out.res.pitch2D.height = r->res.pitch2D.height;
        out.res.pitch2D.pitchInBytes = r->res.pitch2D.pitchInBytes;
        out.res.pitch2D.desc =
            rt_channels_of(r->res.pitch2D.format, r->res.pitch2D.numChannels);
        break;
    }
    return out;
}

static CUDA_TEXTURE_DESC read_texture(const struct cudaTextureDesc *d)
{
    CUDA_TEXTURE_DESC out = {
        .filterMode = (CUfilter_mode)d->filterMode,
        .maxAnisotropy = d->maxAnisotropy,
        .mipmapFilterMode = (CUfilter_mode)d->mipmapFilterMode,
        .mipmapLevelBias = d->mipmapLevelBias,
        .minMipmapLevelClamp = d->minMipmapLevelClamp,
        .maxMipmapLevelClamp = d->maxMipmapLevelClamp,
        .flags =
            (d->readMode == cudaReadModeElementType ? CU_TRSF_READ_AS_INTEGER
                                                    : 0) |
            (d->normalizedCoords ? CU_TRSF_NORMALIZED_COORDINATES : 0) |
            (d->sRGB ? CU_TRSF_SRGB : 0) |
            (d->disableTrilinearOptimization
                 ? CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION
                 : 0) |
            (d->seamlessCubemap ? CU_TRSF_SEAMLESS_CUBEMAP : 0),
    };
    for (unsigned i = 0; i < 3; i++)
        out.addressMode[i] = (CUaddress_mode)d->addressMode[i];
    memcpy(out.borderColor, d->borderColor, sizeof out.borderColor);
    return out;
}

static struct cudaTextureDesc give_texture(const CUDA_TEXTURE_DESC *d)
{
    struct cudaTextureDesc out = {
        .filterMode = (enum cudaTextureFilterMode)d->filterMode,
        .readMode = d->flags & CU_TRSF_READ_AS_INTEGER
                        ? cudaReadModeElementType
                        : cudaReadModeNormalizedFloat,
        .sRGB = (d->flags & CU_TRSF_SRGB) != 0,
        .normalizedCoords = (d->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0,
        .maxAnisotropy = d->maxAnisotropy,
        .mipmapFilterMode = (enum cudaTextureFilterMode)d->mipmapFilterMode,
        .mipmapLevelBias = d->mipmapLevelBias,
        .minMipmapLevelClamp = d->minMipmapLevelClamp,
        .maxMipmapLevelClamp = d->maxMipmapLevelClamp,
        .disableTrilinearOptimization =
            (d->flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0,
        .seamlessCubemap = (d->flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0,
    };
    for (unsigned i = 0; i < 3; i++)
        out.addressMode[i] = (enum cudaTextureAddressMode)d->addressMode[i];
    memcpy(out.borderColor, d->borderColor, sizeof out.borderColor);
    return out;
}

static CUDA_RESOURCE_VIEW_DESC read_view(const struct cudaResourceViewDesc *v)
{
    return (CUDA_RESOURCE_VIEW_DESC){
        .format = (CUresourceViewFormat)v->format,
        .width = v->width,
        .height = v->height,
        .depth = v->depth,
        .firstMipmapLevel = v->firstMipmapLevel,
        .lastMipmapLevel = v->lastMipmapLevel,
        .firstLayer = v->firstLayer,
        .lastLayer = v->lastLayer,
    };
}

/* ---- textures ------------------------------------------------------------ */

static CUarray_format format_of(const CUDA_RESOURCE_DESC *r)
{
    CUDA_ARRAY3D_DESCRIPTOR d = {.Format = CU_AD_FORMAT_FLOAT};
    CUarray level;
    switch (r->resType) {
    case CU_RESOURCE_TYPE_LINEAR:
        return r->res.linear.format;
    case CU_RESOURCE_TYPE_PITCH2D:
        return r->res.pitch2D.format;
    case CU_RESOURCE_TYPE_ARRAY:
        array_describe(r->res.array.hArray, &d);
        return d.Format;
    default:
        if (!mipmap_level(r->res.mipmap.hMipmappedArray, 0, &level))
            array_describe(level, &d);
        return d.Format;
    }
}

static bool is_integer(CUarray_format f)
{
    return f >= CU_AD_FORMAT_UNSIGNED_INT8 && f <= CU_AD_FORMAT_SIGNED_INT32;
}

static bool is_block(CUarray_format f)
{
    return f >= CU_AD_FORMAT_BC1_UNORM && f <= CU_AD_FORMAT_BC7_UNORM_SRGB;
}

static bool is_fraction(CUarray_format f)
{
    return f >= CU_AD_FORMAT_UNORM_INT8X1 && f <= CU_AD_FORMAT_SNORM_INT16X4;
}

/* Integers of 8 and 16 bits can be read as fractions. Formats of fractions and
 * blocks have to be, except blocks of halves and what has 10 bits. */
static bool goes_with(CUarray_format f, enum cudaTextureReadMode mode)
{
    bool is_half_block =
        f == CU_AD_FORMAT_BC6H_UF16 || f == CU_AD_FORMAT_BC6H_SF16;
    bool is_small = is_integer(f) && f != CU_AD_FORMAT_UNSIGNED_INT32 &&
                    f != CU_AD_FORMAT_SIGNED_INT32;
    if (is_fraction(f) || (is_block(f) && !is_half_block))
        return mode == cudaReadModeNormalizedFloat;
    return mode != cudaReadModeNormalizedFloat || is_small;
}

/* Only fetches that return floats are filtered. */
static bool goes_filtered(CUarray_format f, const struct cudaTextureDesc *d)
{
    bool is_wide =
        f == CU_AD_FORMAT_UNSIGNED_INT32 || f == CU_AD_FORMAT_SIGNED_INT32;
    return d->filterMode != cudaFilterModeLinear || !is_integer(f) ||
           (d->readMode == cudaReadModeNormalizedFloat && !is_wide);
}

cudaError_t rt_texture_create(const struct cudaResourceDesc *resource,
                              const struct cudaTextureDesc *texture,
                              const struct cudaResourceViewDesc *view,
                              cudaTextureObject_t *out)
{
    CUcontext ctx;
    CUDA_RESOURCE_DESC r;
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = read_resource(resource, &r);
    if (err)
        return err;
    if (!texture)
        return cudaErrorInvalidResourceHandle;
    CUDA_TEXTURE_DESC t = read_texture(texture);
    CUDA_RESOURCE_VIEW_DESC v;
    if (r.resType == CU_RESOURCE_TYPE_LINEAR ||
        r.resType == CU_RESOURCE_TYPE_PITCH2D)
        view = NULL; /* which is no error on an H200 */
    CUarray_format format = format_of(&r);
    if (!view && !goes_filtered(format, texture))
        return cudaErrorInvalidFilterSetting;
    if (!goes_with(format, texture->readMode))
        return cudaErrorInvalidNormSetting;
    if (view && !is_integer(format)) /* the view's format has fractions */
        t.flags &= ~(unsigned)CU_TRSF_READ_AS_INTEGER;
    if (view)
        v = read_view(view);
    return rt_error(texture_create(&r, &t, view ? &v : NULL, out));
}

cudaError_t
cudaCreateTextureObject(cudaTextureObject_t *pTexObject,
                        const struct cudaResourceDesc *pResDesc,
                        const struct cudaTextureDesc *pTexDesc,
                        const struct cudaResourceViewDesc *pResViewDesc)
{
    if (!pTexObject || !pResDesc)
        return rt_return(cudaErrorInvalidValue);
    return rt_return(
        rt_texture_create(pResDesc, pTexDesc, pResViewDesc, pTexObject));
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texObject)
{
    CUcontext ctx;
    cudaError_t err = rt_context(&ctx);
    /* 0 is no object; destroying it is harmless. */
    if (!err)
        err = rt_error(capture_check_call());
    if (!err && texObject)
        err = rt_error(texture_destroy(texObject));
    return rt_return(err);
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *pResDesc,
                                             cudaTextureObject_t texObject)
{
    CUDA_RESOURCE_DESC r;
    if (!pResDesc)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_error(texture_describe(texObject, &r, NULL, NULL));
    if (!err)
        *pResDesc = give_resource(&r);
    return rt_return(err);
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *pTexDesc,
                                            cudaTextureObject_t texObject)
{
    CUDA_TEXTURE_DESC t;
    if (!pTexDesc)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_error(texture_describe(texObject, NULL, &t, NULL));
    if (!err)
        *pTexDesc = give_texture(&t);
    return rt_return(err);
}

cudaError_t
cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *pResViewDesc,
                                     cudaTextureObject_t texObject)
{
    CUDA_RESOURCE_VIEW_DESC v;
    if (!pResViewDesc)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_error(texture_describe(texObject, NULL, NULL, &v));
    if (err)
        return rt_return(err);
    *pResViewDesc = (struct cudaResourceViewDesc){
        .format = (enum cudaResourceViewFormat)v.format,
        .width = v.width,
        .height = v.height,
        .depth = v.depth,
        .firstMipmapLevel = v.firstMipmapLevel,
        .lastMipmapLevel = v.lastMipmapLevel,
        .firstLayer = v.firstLayer,
        .lastLayer = v.lastLayer,
    };
    return rt_return(cudaSuccess);
}

/* ---- surfaces ------------------------------------------------------------ */

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *pSurfObject,
                                    const struct cudaResourceDesc *pResDesc)
{
    CUcontext ctx;
    CUDA_RESOURCE_DESC r;
    if (!pSurfObject || !pResDesc)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = read_resource(pResDesc, &r);
    if (!err)
        err = rt_error(surface_create(&r, pSurfObject));
    return rt_return(err);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surfObject)
{
    CUcontext ctx;
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(capture_check_call());
    if (!err && surfObject)
        err = rt_error(surface_destroy(surfObject));
    return rt_return(err);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *pResDesc,
                                             cudaSurfaceObject_t surfObject)
{
    CUDA_RESOURCE_DESC r;
    if (!pResDesc)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_error(surface_describe(surfObject, &r));
    if (!err)
        *pResDesc = give_resource(&r);
    return rt_return(err);
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(
    size_t *maxWidthInElements, const struct cudaChannelFormatDesc *fmtDesc,
    int device)
{
    CUarray_format format;
    unsigned channels;
    if (!maxWidthInElements || !fmtDesc)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_format_of(fmtDesc, &format, &channels);
    if (!err && !rt_is_device(device))
        err = rt_no_such_device();
    if (!err)
        err = rt_error(
            texture_linear_width(format, channels, maxWidthInElements));
    return rt_return(err);
}
