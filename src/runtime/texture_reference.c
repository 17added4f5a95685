/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texture and surface references, as programs before CUDA 12 have them: a
 * variable of the host that says how to read, and a .texref or .surfref of the
 * module with the same name, which holds an object's handle once it is bound.
 * What the host's variable says counts when it is bound.
 */
#include "runtime/texture.h"

#include <pthread.h>
#include <stdlib.h>

#include "cuda_surface_types.h"

/* Handles that are bound, by the host's variable; and where linear memory
 * begins in the texels that lie aligned around it. */
struct binding {
    uintptr_t handle;
    size_t offset;
    bool is_surface;
};
static struct map bindings; /* of struct binding, under the lock */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define LINEAR_ALIGN 512

/* Has the module's variable hold `handle`; 0: nothing. */
static cudaError_t set_variable(const void *reference, uintptr_t handle)
{
    struct rt_symbol s;
    cudaError_t err = rt_symbol(reference, &s);
    if (err == cudaErrorInvalidSymbol)
        err = cudaErrorInvalidTexture;
    if (err)
        return err;
    CUcontext ctx;
    err = rt_context(&ctx);
    return err ? err : rt_error(texture_point_variable(ctx, s.address, handle));
}

static void drop_binding(struct binding *b)
{
    if (b->is_surface)
        surface_destroy(b->handle);
    else
        texture_destroy(b->handle);
    b->handle = 0;
}

static struct binding *binding_of(const void *reference)
{
    struct binding *b = NULL;
    if (!bindings.capacity)
        map_init_pointers(&bindings);
    b = (struct binding *)map_find(&bindings, reference);
    if (b)
        return b;
    b = calloc(1, sizeof *b);
    if (b && !map_put(&bindings, reference, b)) {
        free(b);
        b = NULL;
    }
    return b;
}

/* Takes the handle over, whatever comes of it. */
static cudaError_t bind_reference(const void *reference, uintptr_t handle,
                                  size_t offset, bool is_surface)
{
    struct binding next = {handle, offset, is_surface};
    pthread_mutex_lock(&lock);
    struct binding *b = binding_of(reference);
    cudaError_t err =
        b ? set_variable(reference, handle) : cudaErrorMemoryAllocation;
    if (!err) {
        struct binding old = *b;
        *b = next;
        next = old;
    }
    if (next.handle)
        drop_binding(&next);
    pthread_mutex_unlock(&lock);
    return err;
}

static struct cudaTextureDesc description_of(const struct textureReference *t)
{
    struct cudaTextureDesc d = {
        .filterMode = t->filterMode,
        .readMode = cudaReadModeElementType,
        .sRGB = t->sRGB,
        .normalizedCoords = t->normalized,
        .maxAnisotropy = t->maxAnisotropy,
        .mipmapFilterMode = t->mipmapFilterMode,
        .mipmapLevelBias = t->mipmapLevelBias,
        .minMipmapLevelClamp = t->minMipmapLevelClamp,
        .maxMipmapLevelClamp = t->maxMipmapLevelClamp,
    };
    memcpy(d.addressMode, t->addressMode, sizeof d.addressMode);
    if (rt_reads_normalized(t))
        d.readMode = cudaReadModeNormalizedFloat;
    return d;
}

static cudaError_t bind_texture(const struct textureReference *t,
                                const struct cudaResourceDesc *r, size_t offset)
{
    cudaTextureObject_t handle = 0;
    struct cudaTextureDesc d = description_of(t);
    cudaError_t err = rt_texture_create(r, &d, NULL, &handle);
    return err ? err : bind_reference(t, (uintptr_t)handle, offset, false);
}

/* The aligned address at or before p; *offset: bytes from there. Without
 * somewhere to say it, p has to be aligned itself. */
static cudaError_t align_linear(const void *p, size_t *offset, void **start)
{
    size_t past = (uintptr_t)p % LINEAR_ALIGN;
    if (past && !offset)
        return cudaErrorInvalidValue;
    if (offset)
        *offset = past;
    *start = (void *)((uintptr_t)p - past);
    return cudaSuccess;
}

cudaError_t cudaBindTexture(size_t *offset,
                            const struct textureReference *texref,
                            const void *devPtr,
                            const struct cudaChannelFormatDesc *desc,
                            size_t size)
{
    struct cudaResourceDesc r = {.resType = cudaResourceTypeLinear};
    if (!texref || !desc || !devPtr)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = align_linear(devPtr, offset, &r.res.linear.devPtr);
    if (err)
        return rt_return(err);
    struct mem_info info = mem_query(devPtr);
    size_t past = offset ? *offset : 0;
    size_t left = info.kind == MEM_UNKNOWN
                      ? size
                      : info.base + info.size_bytes - (uintptr_t)devPtr;
    r.res.linear.desc = *desc;
    r.res.linear.sizeInBytes = past + (size < left ? size : left);
    return rt_return(bind_texture(texref, &r, past));
}

cudaError_t cudaBindTexture2D(size_t *offset,
                              const struct textureReference *texref,
                              const void *devPtr,
                              const struct cudaChannelFormatDesc *desc,
                              size_t width, size_t height, size_t pitch)
{
    struct cudaResourceDesc r = {.resType = cudaResourceTypePitch2D};
    if (!texref || !desc || !devPtr)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = align_linear(devPtr, offset, &r.res.pitch2D.devPtr);
    if (err)
        return rt_return(err);
    r.res.pitch2D.desc = *desc;
    r.res.pitch2D.width = width;
    r.res.pitch2D.height = height;
    r.res.pitch2D.pitchInBytes = pitch;
    return rt_return(bind_texture(texref, &r, offset ? *offset : 0));
}

cudaError_t cudaBindTextureToArray(const struct textureReference *texref,
                                   cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc)
{
    struct cudaResourceDesc r = {.resType = cudaResourceTypeArray};
    if (!texref || !array || !desc)
        return rt_return(cudaErrorInvalidValue);
    r.res.array.array = (cudaArray_t)array;
    return rt_return(bind_texture(texref, &r, 0));
}

cudaError_t
cudaBindTextureToMipmappedArray(const struct textureReference *texref,
                                cudaMipmappedArray_const_t mipmappedArray,
                                const struct cudaChannelFormatDesc *desc)
{
    struct cudaResourceDesc r = {.resType = cudaResourceTypeMipmappedArray};
    if (!texref || !mipmappedArray || !desc)
        return rt_return(cudaErrorInvalidValue);
    r.res.mipmap.mipmap = (cudaMipmappedArray_t)mipmappedArray;
    return rt_return(bind_texture(texref, &r, 0));
}

cudaError_t cudaUnbindTexture(const struct textureReference *texref)
{
    if (!texref)
        return rt_return(cudaErrorInvalidTexture);
    return rt_return(bind_reference(texref, 0, 0, false));
}

cudaError_t cudaGetTextureAlignmentOffset(size_t *offset,
                                          const struct textureReference *texref)
{
    if (!offset || !texref)
        return rt_return(cudaErrorInvalidTexture);
    pthread_mutex_lock(&lock);
    const struct binding *b =
        bindings.capacity ? map_find(&bindings, texref) : NULL;
    bool is_bound = b && b->handle;
    if (is_bound)
        *offset = b->offset;
    pthread_mutex_unlock(&lock);
    return rt_return(is_bound ? cudaSuccess : cudaErrorInvalidTextureBinding);
}

/* A symbol is the variable itself. */
cudaError_t cudaGetTextureReference(const struct textureReference **texref,
                                    const void *symbol)
{
    struct rt_symbol s;
    if (!texref)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_symbol(symbol, &s);
    if (err)
        return rt_return(cudaErrorInvalidTexture);
    *texref = symbol;
    return rt_return(cudaSuccess);
}

cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *surfref,
                                   cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc)
{
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY};
    CUsurfObject handle = 0;
    CUcontext ctx;
    if (!surfref || !array || !desc)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_context(&ctx);
    r.res.array.hArray = (CUarray)array;
    if (!err)
        err = rt_error(surface_create(&r, &handle));
    if (!err)
        err = bind_reference(surfref, (uintptr_t)handle, 0, true);
    return rt_return(err);
}

cudaError_t cudaGetSurfaceReference(const struct surfaceReference **surfref,
                                    const void *symbol)
{
    struct rt_symbol s;
    if (!surfref)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_symbol(symbol, &s);
    if (err)
        return rt_return(cudaErrorInvalidSurface);
    *surfref = symbol;
    return rt_return(cudaSuccess);
}
