/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texture and surface references of the driver API: settings that are kept
 * beside a module's .texref or .surfref variable, which holds the handle of an
 * object made of them. Every change makes a new object. A reference that no
 * variable belongs to keeps settings only.
 *
 * Source: CUDA Driver API, "Texture Reference Management".
 */
#include "core/internal.h"

#include <stdlib.h>

#include "core/registry.h"

struct CUtexref_st {
    struct texture_settings as;
    CUmodule module; /* NULL: made by the program */
    const struct ptx_var *var;
    CUtexObject object; /* 0: none */
    struct CUtexref_st *next;
};

struct CUsurfref_st {
    CUarray array;
    CUmodule module;
    const struct ptx_var *var;
    CUsurfObject object;
    struct CUsurfref_st *next;
};

static struct registry textures = REGISTRY_INIT, surfaces = REGISTRY_INIT;

/* Those of all modules, and what they hold. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUtexref_st *first_texture;
static struct CUsurfref_st *first_surface;

/* ---- what a variable holds ---------------------------------------------- */

CUresult texture_point_variable(CUcontext ctx, CUdeviceptr variable,
                                uint64_t handle)
{
    uint64_t *at = (void *)(uintptr_t)variable;
    /* Launches before this call read by the old handle. */
    CUresult err = *at ? ctx_wait(ctx) : CUDA_SUCCESS;
    *at = handle;
    return err;
}

static CUresult point_reference(CUmodule m, const struct ptx_var *var,
                                uint64_t handle)
{
    CUdeviceptr address;
    if (!m)
        return CUDA_SUCCESS;
    CUresult err = module_global(m, var->name, &address, NULL);
    return err ? err : texture_point_variable(m->ctx, address, handle);
}

/* ---- texture references -------------------------------------------------- */

static const struct texture_settings defaults = {
    .texture =
        {
            .addressMode = {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP,
                            CU_TR_ADDRESS_MODE_CLAMP},
        },
    .format = CU_AD_FORMAT_FLOAT,
    .channels = 1,
};

static CUtexref new_texture(CUmodule m, const struct ptx_var *var)
{
    CUtexref t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    assert(!m == !var); /* a module's, or a program's own */
    t->as = defaults;
    t->module = m;
    t->var = var;
    if (!registry_add(&textures, t)) {
        free(t);
        return NULL;
    }
    return t;
}

/* The variable of that name and type, or NULL. */
static const struct ptx_var *find_variable(CUmodule m, const char *name,
                                           enum ptx_type type)
{
    const struct ptx_var *v = ptx_find_var(m->ptx, name);
    return v && v->type == type ? v : NULL;
}

CUresult texture_reference_of(CUmodule m, const char *name, CUtexref *out)
{
    const struct ptx_var *v = find_variable(m, name, PTX_TYPE_texref);
    if (!v)
        return CUDA_ERROR_NOT_FOUND;
    pthread_mutex_lock(&lock);
    CUtexref t = first_texture;
    while (t && (t->module != m || t->var != v))
        t = t->next;
    if (!t && (t = new_texture(m, v))) {
        t->next = first_texture;
        first_texture = t;
    }
    pthread_mutex_unlock(&lock);
    if (t)
        *out = t;
    return t ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult texture_reference_create(CUtexref *out)
{
    CUtexref t = new_texture(NULL, NULL);
    if (t)
        *out = t;
    return t ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/* Those of modules live as long as these. */
CUresult texture_reference_destroy(CUtexref t)
{
    if (!registry_has(&textures, t) || t->module ||
        !registry_remove(&textures, t))
        return CUDA_ERROR_INVALID_VALUE;
    if (t->object)
        texture_destroy(t->object);
    free(t);
    return CUDA_SUCCESS;
}

CUresult texture_reference_read(CUtexref t, struct texture_settings *out)
{
    if (!registry_has(&textures, t))
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    *out = t->as;
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

static CUresult rebind_reference(CUtexref t)
{
    CUtexObject old = t->object, object = 0;
    CUresult err = CUDA_SUCCESS;
    if (t->as.is_bound)
        err = texture_create(&t->as.resource, &t->as.texture, NULL, &object);
    CUresult pointed = point_reference(t->module, t->var, object);
    t->object = object;
    if (old)
        texture_destroy(old);
    return err ? err : pointed;
}

CUresult texture_reference_write(CUtexref t, const struct texture_settings *as)
{
    if (!registry_has(&textures, t))
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    t->as = *as;
    CUresult err = rebind_reference(t);
    pthread_mutex_unlock(&lock);
    return err;
}

/* ---- surface references -------------------------------------------------- */

CUresult surface_reference_of(CUmodule m, const char *name, CUsurfref *out)
{
    const struct ptx_var *v = find_variable(m, name, PTX_TYPE_surfref);
    if (!v)
        return CUDA_ERROR_NOT_FOUND;
    pthread_mutex_lock(&lock);
    CUsurfref s = first_surface;
    while (s && (s->module != m || s->var != v))
        s = s->next;
    if (!s && (s = calloc(1, sizeof *s)) && !registry_add(&surfaces, s)) {
        free(s);
        s = NULL;
    }
    if (s && !s->module) {
        s->module = m;
        s->var = v;
        s->next = first_surface;
        first_surface = s;
    }
    pthread_mutex_unlock(&lock);
    if (s)
        *out = s;
    return s ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult surface_reference_bind(CUsurfref s, CUarray array)
{
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY};
    CUsurfObject object;
    r.res.array.hArray = array;
    if (!registry_has(&surfaces, s))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = surface_create(&r, &object);
    if (err)
        return err;
    pthread_mutex_lock(&lock);
    err = point_reference(s->module, s->var, object);
    if (s->object)
        surface_destroy(s->object);
    s->object = object;
    s->array = array;
    pthread_mutex_unlock(&lock);
    return err;
}

CUresult surface_reference_array(CUsurfref s, CUarray *out)
{
    if (!registry_has(&surfaces, s) || !s->array)
        return CUDA_ERROR_INVALID_VALUE;
    *out = s->array;
    return CUDA_SUCCESS;
}

/* ---- the end of a module ------------------------------------------------- */

static void forget_textures(CUmodule m)
{
    for (CUtexref *p = &first_texture; *p;) {
        CUtexref t = *p;
        if (t->module != m) {
            p = &t->next;
            continue;
        }
        *p = t->next;
        registry_remove(&textures, t);
        if (t->object)
            texture_destroy(t->object);
        free(t);
    }
}

static void forget_surfaces(CUmodule m)
{
    for (CUsurfref *p = &first_surface; *p;) {
        CUsurfref s = *p;
        if (s->module != m) {
            p = &s->next;
            continue;
        }
        *p = s->next;
        registry_remove(&surfaces, s);
        if (s->object)
            surface_destroy(s->object);
        free(s);
    }
}

void texture_references_forget(CUmodule m)
{
    pthread_mutex_lock(&lock);
    forget_textures(m);
    forget_surfaces(m);
    pthread_mutex_unlock(&lock);
}
