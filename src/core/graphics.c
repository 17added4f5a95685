/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registering and mapping of graphics resources of any kind. One lock guards
 * them all, and is held while OpenGL is called.
 */
#include "core/graphics_resource.h"

#include <stdlib.h>

#include "core/registry.h"

static struct registry alive = REGISTRY_INIT;
static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static struct list all = {&all, &all};

enum {
    READ_ONLY = CU_GRAPHICS_REGISTER_FLAGS_READ_ONLY,
    WRITE_DISCARD = CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD
};
static_assert(READ_ONLY == (int)CU_GRAPHICS_MAP_RESOURCE_FLAGS_READ_ONLY &&
                  WRITE_DISCARD ==
                      (int)CU_GRAPHICS_MAP_RESOURCE_FLAGS_WRITE_DISCARD,
              "flags of both times mean the same");

CUresult graphics_gl_check(void)
{
    const struct gl *gl;
    return gl_current(&gl);
}

CUresult graphics_enter(const struct gl **gl)
{
    CUresult err = gl_current(gl);
    if (err)
        return err;
    pthread_mutex_lock(&all_lock);
    gl_forget_errors(*gl);
    return CUDA_SUCCESS;
}

void graphics_leave(void)
{
    pthread_mutex_unlock(&all_lock);
}

/* ---- registering --------------------------------------------------------- */

static void resource_free(CUgraphicsResource r)
{
    assert(r->kind && r->kind->fini);
    for (size_t i = 0; i < r->views.count; i++)
        array_end_view(r->views.data[i]);
    vec_fini(&r->views);
    r->kind->fini(r);
    free(r);
}

CUresult graphics_add(const struct gl *gl,
                      const struct CUgraphicsResource_st *r,
                      CUgraphicsResource *out)
{
    CUgraphicsResource own = malloc(sizeof *own);
    if (!own)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *own = *r;
    CUresult err = own->kind->fit(gl, own);
    if (!err && !registry_add(&alive, own))
        err = CUDA_ERROR_OUT_OF_MEMORY;
    if (err) {
        resource_free(own);
        return err;
    }
    list_push(&all, &own->in_all);
    *out = own;
    return CUDA_SUCCESS;
}

static CUresult find_resource(CUgraphicsResource r)
{
    return registry_has(&alive, r) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

static void end_resource(CUgraphicsResource r)
{
    registry_remove(&alive, r);
    list_remove(&r->in_all);
    resource_free(r);
}

/* A resource that is mapped is not copied back. */
CUresult graphics_unregister(CUgraphicsResource r)
{
    pthread_mutex_lock(&all_lock);
    CUresult err = find_resource(r);
    if (!err && r->is_mapped)
        err = ctx_wait(r->ctx);
    if (!err)
        end_resource(r);
    pthread_mutex_unlock(&all_lock);
    return err;
}

void graphics_free_all(CUcontext ctx)
{
    pthread_mutex_lock(&all_lock);
    list_for_each(struct CUgraphicsResource_st, r, &all, in_all)
    {
        if (r->ctx == ctx)
            end_resource(r);
    }
    pthread_mutex_unlock(&all_lock);
}

CUresult graphics_set_map_flags(CUgraphicsResource r, unsigned flags)
{
    pthread_mutex_lock(&all_lock);
    CUresult err = find_resource(r);
    if (!err && flags > WRITE_DISCARD)
        err = CUDA_ERROR_INVALID_VALUE;
    if (!err && r->is_mapped)
        err = CUDA_ERROR_ALREADY_MAPPED;
    if (!err)
        r->map_flags = flags;
    pthread_mutex_unlock(&all_lock);
    return err;
}

/* ---- by name ------------------------------------------------------------- */

static CUgraphicsResource find_name(unsigned buffer)
{
    list_for_each(struct CUgraphicsResource_st, r, &all, in_all)
    {
        if (r->is_by_name && r->name == buffer)
            return r;
    }
    return NULL;
}

CUresult graphics_find_by_name(unsigned buffer, CUgraphicsResource *out)
{
    pthread_mutex_lock(&all_lock);
    CUgraphicsResource r = find_name(buffer);
    pthread_mutex_unlock(&all_lock);
    *out = r;
    return r ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* ---- mapping ------------------------------------------------------------- */

static CUresult check_each(const CUgraphicsResource *resources, unsigned count,
                           bool is_mapped)
{
    CUresult err = CUDA_SUCCESS;
    for (unsigned i = 0; i < count && !err; i++) {
        err = find_resource(resources[i]);
        for (unsigned j = 0; j < i && !err; j++)
            if (resources[j] == resources[i])
                err = CUDA_ERROR_INVALID_HANDLE;
    }
    for (unsigned i = 0; i < count && !err; i++)
        if (resources[i]->is_mapped != is_mapped)
            err = is_mapped ? CUDA_ERROR_NOT_MAPPED : CUDA_ERROR_ALREADY_MAPPED;
    return err;
}

static CUresult map_one(const struct gl *gl, CUgraphicsResource r)
{
    unsigned flags = r->flags | r->map_flags;
    assert(!r->is_mapped && r->views.count == 0);
    CUresult err = r->kind->fit(gl, r);
    if (!err && !(flags & WRITE_DISCARD))
        err = r->kind->fetch(gl, r);
    if (err)
        return err;
    r->mapped_flags = flags;
    r->is_mapped = true;
    return CUDA_SUCCESS;
}

static CUresult unmap_one(const struct gl *gl, CUgraphicsResource r)
{
    assert(r->is_mapped);
    CUresult err =
        r->mapped_flags & READ_ONLY ? CUDA_SUCCESS : r->kind->store(gl, r);
    for (size_t i = 0; i < r->views.count; i++)
        array_end_view(r->views.data[i]);
    r->views.count = 0;
    r->is_mapped = false;
    return err;
}

/* Takes the lock. An error if there is no OpenGL, or the stream may not be
 * used. */
static CUresult enter_with(CUstream s, const CUgraphicsResource *resources,
                           unsigned count, const struct gl **gl)
{
    if (!count || !resources)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = ctx_sticky(s->ctx);
    if (!err)
        err = capture_refuse(s);
    return err ? err : graphics_enter(gl);
}

/* If nothing is mapped, no OpenGL context has to be current for the answer. */
static CUresult check_locked(const CUgraphicsResource *resources,
                             unsigned count, bool is_mapped)
{
    if (!resources)
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&all_lock);
    CUresult err = check_each(resources, count, is_mapped);
    pthread_mutex_unlock(&all_lock);
    return err;
}

CUresult graphics_map(CUstream s, const CUgraphicsResource *resources,
                      unsigned count)
{
    const struct gl *gl;
    CUresult err = check_locked(resources, count, false);
    if (!err)
        err = enter_with(s, resources, count, &gl);
    if (err)
        return err;
    err = check_each(resources, count, false);
    for (unsigned i = 0; i < count && !err; i++) {
        err = map_one(gl, resources[i]);
        while (err && i-- > 0)
            resources[i]->is_mapped = false;
        if (err)
            break;
    }
    graphics_leave();
    return err;
}

CUresult graphics_unmap(CUstream s, const CUgraphicsResource *resources,
                        unsigned count)
{
    const struct gl *gl;
    CUresult err = check_locked(resources, count, true);
    if (!err)
        err = enter_with(s, resources, count, &gl);
    if (err)
        return err;
    err = check_each(resources, count, true);
    if (!err)
        err = stream_synchronize(s);
    CUresult first = err;
    for (unsigned i = 0; i < count && !err; i++) {
        CUresult one = unmap_one(gl, resources[i]);
        first = first ? first : one;
    }
    graphics_leave();
    return first;
}

/* ---- what is mapped ------------------------------------------------------ */

static CUresult check_mapped(CUgraphicsResource r, bool is_array)
{
    CUresult err = find_resource(r);
    if (err)
        return err;
    if (!r->is_mapped)
        return CUDA_ERROR_NOT_MAPPED;
    if (is_array)
        return r->mipmap ? CUDA_SUCCESS : CUDA_ERROR_NOT_MAPPED_AS_ARRAY;
    return r->mipmap ? CUDA_ERROR_NOT_MAPPED_AS_POINTER : CUDA_SUCCESS;
}

CUresult graphics_pointer(CUgraphicsResource r, CUdeviceptr *out,
                          size_t *size_bytes)
{
    pthread_mutex_lock(&all_lock);
    CUresult err = check_mapped(r, false);
    if (!err && !out)
        err = CUDA_ERROR_INVALID_VALUE;
    if (!err)
        *out = (CUdeviceptr)(uintptr_t)r->memory;
    if (!err && size_bytes)
        *size_bytes = r->size_bytes;
    pthread_mutex_unlock(&all_lock);
    return err;
}

static bool has_slices(const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    return d->Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP);
}

static CUresult view_level(CUgraphicsResource r, unsigned index, unsigned level,
                           CUarray *out)
{
    CUarray whole, one;
    CUresult err = mipmap_level(r->mipmap, level, &whole);
    if (err)
        return err;
    if (!has_slices(&r->image.desc)) {
        *out = whole;
        return index ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    }
    err = array_view_slice(whole, index, &one);
    if (err)
        return err;
    if (!vec_push(&r->views, one)) {
        array_end_view(one);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *out = one;
    return CUDA_SUCCESS;
}

CUresult graphics_array(CUgraphicsResource r, unsigned index, unsigned level,
                        CUarray *out)
{
    CUarray found = NULL;
    pthread_mutex_lock(&all_lock);
    CUresult err = check_mapped(r, true);
    if (!err)
        err = view_level(r, index, level, &found);
    pthread_mutex_unlock(&all_lock);
    if (!err && !out)
        err = CUDA_ERROR_INVALID_VALUE;
    if (!err)
        *out = found;
    return err;
}

CUresult graphics_mipmap(CUgraphicsResource r, CUmipmappedArray *out)
{
    pthread_mutex_lock(&all_lock);
    CUresult err = check_mapped(r, true);
    if (!err && !out)
        err = CUDA_ERROR_INVALID_VALUE;
    if (!err)
        *out = r->mipmap;
    pthread_mutex_unlock(&all_lock);
    return err;
}
