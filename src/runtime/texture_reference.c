/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texture and surface references, which programs before CUDA 12 use. A host
 * variable has the settings; a .texref or .surfref variable of the module, of
 * the same name, gets an object's handle when it is bound. Settings are read
 * when a reference is bound.
 */
#include "runtime/texture.h"

#include "core/limits.h"

#include <pthread.h>
#include <stdlib.h>

#include "cuda_surface_types.h"

/* What is bound to a reference, which is found by its host variable. */
struct binding {
    uintptr_t handle; /* of an object; 0: none */
    size_t offset;    /* bytes from the aligned start to what was bound */
    bool is_surface;
};
static struct map bindings; /* host variable -> struct binding; under lock */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Stores `handle` in the module's variable; 0: nothing is bound. */
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

/* Owns the handle from now on: if this fails, the object is destroyed. */
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

/* The aligned address at or before p; *past: bytes from there to p. They can be
 * more than 0 only if the caller takes them. */
static cudaError_t align_linear(const void *p, bool is_offset_taken,
                                size_t *past, void **start)
{
    *past = (uintptr_t)p % LIMIT_TEXTURE_ALIGN;
    *start = (void *)((uintptr_t)p - *past);
    return *past && !is_offset_taken ? cudaErrorInvalidValue : cudaSuccess;
}

/* Binds memory that begins `past` bytes before what the program passed. */
static cudaError_t bind_memory(const struct textureReference *t,
                               const struct cudaResourceDesc *r, size_t past,
                               size_t *offset)
{
    cudaError_t err = bind_texture(t, r, past);
    if (!err && offset)
        *offset = past;
    return err;
}

cudaError_t cudaBindTexture(size_t *offset,
                            const struct textureReference *texref,
                            const void *devPtr,
                            const struct cudaChannelFormatDesc *desc,
                            size_t size)
{
    struct cudaResourceDesc r = {.resType = cudaResourceTypeLinear};
    size_t past;
    if (!texref || !desc || !devPtr)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err =
        align_linear(devPtr, offset != NULL, &past, &r.res.linear.devPtr);
    if (err)
        return rt_return(err);
    struct mem_info info = mem_query(devPtr);
    size_t left = info.kind == MEM_UNKNOWN
                      ? size
                      : info.base + info.size_bytes - (uintptr_t)devPtr;
    r.res.linear.desc = *desc;
    r.res.linear.sizeInBytes = past + (size < left ? size : left);
    return rt_return(bind_memory(texref, &r, past, offset));
}

cudaError_t cudaBindTexture2D(size_t *offset,
                              const struct textureReference *texref,
                              const void *devPtr,
                              const struct cudaChannelFormatDesc *desc,
                              size_t width, size_t height, size_t pitch)
{
    struct cudaResourceDesc r = {.resType = cudaResourceTypePitch2D};
    size_t past;
    if (!texref || !desc || !devPtr)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err =
        align_linear(devPtr, offset != NULL, &past, &r.res.pitch2D.devPtr);
    if (err)
        return rt_return(err);
    r.res.pitch2D.desc = *desc;
    r.res.pitch2D.width = width;
    r.res.pitch2D.height = height;
    r.res.pitch2D.pitchInBytes = pitch;
    return rt_return(bind_memory(texref, &r, past, offset));
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

/* The symbol is the host variable itself. */
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
