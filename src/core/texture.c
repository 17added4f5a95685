/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texture and surface objects: what a program says of them becomes what
 * kernels read (abi/texture.h). A handle is that struct's address. Destroyed
 * ones are kept for new ones, never given back: a kernel that still uses such a
 * handle finds that it is none.
 *
 * Source: CUDA Driver API, "Texture Object Management".
 */
#include "core/texture.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "core/array.h"
#include "core/internal.h"
#include "core/registry.h"

#define PITCH_ALIGN 32 /* CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT */
/* Of an H200, as are the sizes that are refused below. */
#define LINEAR_MAX         ((size_t)1 << 30) /* texels */
#define LINEAR_MAX_BYTES   ((size_t)1 << 32)
#define PITCH_MAX          ((size_t)1 << 21) /* below this */
#define PITCHED_WIDTH_MAX  131072
#define PITCHED_HEIGHT_MAX 65000

struct texture_object {
    struct exec_texture as; /* first: the handle is its address */
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC texture;
    CUDA_RESOURCE_VIEW_DESC view;
    bool has_view;
    CUcontext ctx;               /* it ends with it */
    struct list in_all;          /* under all.lock */
    struct texture_object *next; /* among those that are destroyed */
    /* Those of one array, and where their list begins; NULL: it has ended, or
     * this is memory's. */
    struct texture_object *next_of_array, **of_array;
};

static struct registry living = REGISTRY_INIT;
static struct {
    pthread_mutex_t lock;
    struct texture_object *first;
} destroyed = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct {
    pthread_mutex_t lock;
    struct list objects;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER,
         .objects = {&all.objects, &all.objects}};

/* ---- resources ---------------------------------------------------------- */

/* Integers of 8 and 16 bits that are read as fractions of their range. */
static void read_as_float(struct exec_texture *t)
{
    if (t->channel_bytes > 2)
        return;
    if (t->kind == TEXEL_UNSIGNED)
        t->kind = TEXEL_UNSIGNED_NORMALIZED;
    if (t->kind == TEXEL_SIGNED)
        t->kind = TEXEL_SIGNED_NORMALIZED;
}

static void set_level(struct exec_texture *t, const struct CUarray_st *a)
{
    assert(t->level_count < TEXTURE_LEVELS_MAX && a->data);
    t->level[t->level_count++] = (struct texture_level){
        .data = a->data,
        .pitch_bytes = a->pitch_bytes,
        .slice_bytes = a->slice_bytes,
        .width = (uint32_t)a->desc.Width,
        .height = (uint32_t)(a->desc.Height ? a->desc.Height : 1),
        .depth = (uint32_t)a->slices,
    };
}

static CUresult set_shape(struct exec_texture *t,
                          const CUDA_ARRAY3D_DESCRIPTOR *d, size_t slices)
{
    t->is_cube = d->Flags & CUDA_ARRAY3D_CUBEMAP;
    t->is_layered = d->Flags & CUDA_ARRAY3D_LAYERED;
    bool is_flat = t->is_cube || t->is_layered || d->Depth == 0;
    t->dims = d->Height == 0 ? 1 : is_flat ? 2 : 3;
    t->layers = t->is_cube      ? (uint32_t)slices / 6
                : t->is_layered ? (uint32_t)slices
                                : 1;
    return texture_set_format(t, d->Format, d->NumChannels);
}

/* Was an array made in another context than the current one? */
static bool is_others(CUcontext made_in)
{
    CUcontext ctx;
    return made_in && !ctx_current(&ctx) && made_in != ctx;
}

static CUresult set_array(struct exec_texture *t, CUarray handle)
{
    if (!handle)
        return CUDA_ERROR_INVALID_VALUE;
    CUarray a = array_find(handle);
    if (!a)
        return CUDA_ERROR_INVALID_VALUE;
    if (is_others(a->ctx))
        return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
    bool is_video = a->texels != a->desc.Format;
    if (a->plane_count || (is_video && !t->is_surface))
        return CUDA_ERROR_INVALID_VALUE; /* only planes are read */
    CUDA_ARRAY3D_DESCRIPTOR d = a->desc;
    d.Format = a->texels;
    set_level(t, a);
    return set_shape(t, &d, a->slices);
}

static CUresult set_mipmap(struct exec_texture *t, CUmipmappedArray handle)
{
    CUmipmappedArray m = mipmap_find(handle);
    if (!m)
        return CUDA_ERROR_INVALID_VALUE;
    if (is_others(m->ctx))
        return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
    for (unsigned i = 0; i < m->level_count && i < TEXTURE_LEVELS_MAX; i++)
        set_level(t, &m->levels[i]);
    return set_shape(t, &m->desc, m->levels[0].slices);
}

/* Memory holds elements as programs do: neither blocks nor fractions. */
static CUresult set_memory_format(struct exec_texture *t, CUarray_format format,
                                  unsigned channels)
{
    bool is_good = !texture_set_format(t, format, channels) &&
                   (t->layout == TEXEL_1010102 ||
                    (t->layout == TEXEL_CHANNELS && t->kind <= TEXEL_FLOAT));
    return is_good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult set_linear(struct exec_texture *t, const CUDA_RESOURCE_DESC *r)
{
    CUresult err =
        set_memory_format(t, r->res.linear.format, r->res.linear.numChannels);
    if (err)
        return err;
    size_t texels =
        r->res.linear.sizeInBytes / (t->channel_bytes * t->channels);
    CUdeviceptr p = r->res.linear.devPtr;
    if (!p || p % LIMIT_TEXTURE_ALIGN || texels > LINEAR_MAX ||
        r->res.linear.sizeInBytes > LINEAR_MAX_BYTES)
        return CUDA_ERROR_INVALID_VALUE;
    t->is_buffer = true;
    t->dims = 1;
    t->layers = 1;
    t->level[t->level_count++] = (struct texture_level){
        .data = (uint8_t *)(uintptr_t)p,
        .width = texels ? (uint32_t)texels : 1, /* as an H200 has it */
        .height = 1,
        .depth = 1,
    };
    return CUDA_SUCCESS;
}

static CUresult set_pitched(struct exec_texture *t, const CUDA_RESOURCE_DESC *r)
{
    CUresult err =
        set_memory_format(t, r->res.pitch2D.format, r->res.pitch2D.numChannels);
    if (err)
        return err;
    size_t pitch = r->res.pitch2D.pitchInBytes, width = r->res.pitch2D.width;
    size_t height = r->res.pitch2D.height;
    CUdeviceptr p = r->res.pitch2D.devPtr;
    if (!p || p % LIMIT_TEXTURE_ALIGN || pitch % PITCH_ALIGN ||
        pitch >= PITCH_MAX || width > PITCHED_WIDTH_MAX ||
        height > PITCHED_HEIGHT_MAX)
        return CUDA_ERROR_INVALID_VALUE;
    t->dims = 2;
    t->layers = 1;
    t->level[t->level_count++] = (struct texture_level){
        .data = (uint8_t *)(uintptr_t)p,
        .pitch_bytes = pitch,
        .width = width ? (uint32_t)width : 1,
        .height = height ? (uint32_t)height : 1,
        .depth = 1,
    };
    return CUDA_SUCCESS;
}

static CUresult set_resource(struct exec_texture *t,
                             const CUDA_RESOURCE_DESC *r)
{
    if (r->flags)
        return CUDA_ERROR_INVALID_VALUE;
    switch (r->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
        return set_array(t, r->res.array.hArray);
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        return set_mipmap(t, r->res.mipmap.hMipmappedArray);
    case CU_RESOURCE_TYPE_LINEAR:
        return set_linear(t, r);
    case CU_RESOURCE_TYPE_PITCH2D:
        return set_pitched(t, r);
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

/* ---- how it is read ----------------------------------------------------- */

static bool is_filter(CUfilter_mode mode)
{
    return mode == CU_TR_FILTER_MODE_POINT || mode == CU_TR_FILTER_MODE_LINEAR;
}

/* Bytes that are read as fractions, and those that blocks of colors stand for,
 * are colors if the texture says so. */
static bool has_colors(const struct exec_texture *t)
{
    switch ((enum texel_layout)t->layout) {
    case TEXEL_CHANNELS:
        return t->channel_bytes == 1 && t->kind == TEXEL_UNSIGNED_NORMALIZED;
    case TEXEL_BC1:
    case TEXEL_BC2:
    case TEXEL_BC3:
    case TEXEL_BC7:
        return true;
    default:
        return false;
    }
}

/* What an H200 keeps of a bias; all of one that is no number. */
static float kept_bias(float bias)
{
    const float least = -15, most = 15;
    return bias <= least ? least : bias < most ? bias : most;
}

/* 4 means nothing, but is not refused. */
#define FLAGS_KNOWN                                                            \
    (CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB | \
     CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION | CU_TRSF_SEAMLESS_CUBEMAP | 4)

static CUresult set_sampling(struct exec_texture *t, const CUDA_TEXTURE_DESC *d)
{
    if (!is_filter(d->filterMode) || !is_filter(d->mipmapFilterMode) ||
        d->flags & ~(unsigned)FLAGS_KNOWN ||
        (d->flags & CU_TRSF_SEAMLESS_CUBEMAP && !t->is_cube))
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < 3; i++) {
        bool is_good = d->addressMode[i] <= CU_TR_ADDRESS_MODE_BORDER;
        if (!is_good && i < t->dims)
            return CUDA_ERROR_INVALID_VALUE;
        t->address[i] = is_good ? (uint8_t)d->addressMode[i] : TEXTURE_CLAMP;
    }
    if (!(d->flags & CU_TRSF_READ_AS_INTEGER))
        read_as_float(t);
    t->is_linear = d->filterMode == CU_TR_FILTER_MODE_LINEAR;
    t->is_mip_linear = d->mipmapFilterMode == CU_TR_FILTER_MODE_LINEAR;
    t->is_normalized =
        t->is_cube || (d->flags & CU_TRSF_NORMALIZED_COORDINATES);
    t->is_srgb |= d->flags & CU_TRSF_SRGB && has_colors(t);
    t->is_seamless = d->flags & CU_TRSF_SEAMLESS_CUBEMAP;
    t->is_exactly_trilinear = d->flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
    t->max_anisotropy = d->maxAnisotropy;
    memcpy(t->border, d->borderColor, sizeof t->border);
    t->lod_bias = kept_bias(d->mipmapLevelBias);
    t->lod_min = d->minMipmapLevelClamp;
    t->lod_max = d->maxMipmapLevelClamp;
    return CUDA_SUCCESS;
}

/* Planes of some formats end at their edges. */
static CUresult check_address(const struct exec_texture *t,
                              const CUDA_RESOURCE_DESC *r)
{
    if (r->resType != CU_RESOURCE_TYPE_ARRAY ||
        !r->res.array.hArray->only_clamps)
        return CUDA_SUCCESS;
    for (unsigned i = 0; i < t->dims; i++)
        if (t->address[i] != TEXTURE_CLAMP)
            return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

/* ---- views -------------------------------------------------------------- */

/* Elements as blocks of texels make a texture of more of those. */
static void scale_levels(struct exec_texture *t, unsigned from, unsigned to)
{
    assert(from > 0 && to > 0);
    for (unsigned i = 0; i < t->level_count; i++) {
        struct texture_level *l = &t->level[i];
        l->width = (l->width + from - 1) / from * to;
        l->height = (l->height + from - 1) / from * to;
    }
}

static unsigned side_of(const struct exec_texture *t)
{
    return t->layout >= TEXEL_BC1 ? TEXEL_BLOCK_SIDE : 1;
}

/* Another format of the same size. */
static CUresult view_format(struct exec_texture *t,
                            const CUDA_RESOURCE_VIEW_DESC *v)
{
    unsigned element_bytes = t->element_bytes, side = side_of(t);
    bool is_words = t->kind == TEXEL_UNSIGNED && t->channel_bytes == 4;
    CUresult err = texture_set_view_format(t, v->format);
    if (err || t->element_bytes != element_bytes ||
        (side == 1 && side_of(t) > 1 && !is_words))
        return CUDA_ERROR_INVALID_VALUE;
    scale_levels(t, side, side_of(t));
    const struct texture_level *l = &t->level[0];
    bool has_depth = t->dims > 2 || t->is_layered || t->is_cube;
    return v->width == l->width && v->height == (t->dims > 1 ? l->height : 0) &&
                   v->depth == (has_depth ? l->depth : 0)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

/* Of a mipmap, those that it has. */
static CUresult view_levels(struct exec_texture *t, bool is_mipmap,
                            const CUDA_RESOURCE_VIEW_DESC *v)
{
    unsigned last = v->lastMipmapLevel;
    if (is_mipmap && last >= t->level_count)
        last = t->level_count - 1;
    if (v->firstMipmapLevel > last || last >= t->level_count)
        return CUDA_ERROR_INVALID_VALUE;
    t->level_count = last - v->firstMipmapLevel + 1;
    memmove(t->level, t->level + v->firstMipmapLevel,
            t->level_count * sizeof t->level[0]);
    return CUDA_SUCCESS;
}

static unsigned least_of(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Layers; a cube counts as six. Of those that there are not, the last ones. */
static CUresult view_layers(struct exec_texture *t,
                            const CUDA_RESOURCE_VIEW_DESC *v)
{
    if (!v->firstLayer && !v->lastLayer)
        return CUDA_SUCCESS;
    if (!t->is_layered || v->firstLayer > v->lastLayer)
        return CUDA_ERROR_INVALID_VALUE;
    unsigned unit = t->is_cube ? 6 : 1, all = t->layers * unit;
    unsigned first = least_of(v->firstLayer, all - unit);
    unsigned count = least_of(v->lastLayer, all - 1) - first + 1;
    t->layers = count < unit ? 1 : least_of(count, all - first) / unit;
    for (unsigned i = 0; i < t->level_count; i++) {
        struct texture_level *l = &t->level[i];
        l->data += first * l->slice_bytes;
        l->depth = t->layers * unit;
    }
    return CUDA_SUCCESS;
}

static CUresult set_view(struct exec_texture *t, const CUDA_RESOURCE_DESC *r,
                         const CUDA_RESOURCE_VIEW_DESC *v)
{
    CUresult err = view_format(t, v);
    if (!err)
        err = view_levels(t, r->resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, v);
    return err ? err : view_layers(t, v);
}

/* ---- arrays that end ---------------------------------------------------- */

static pthread_mutex_t of_arrays = PTHREAD_MUTEX_INITIALIZER;

static struct texture_object **list_of(const CUDA_RESOURCE_DESC *r)
{
    switch (r->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
        return &r->res.array.hArray->textures;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        return &r->res.mipmap.hMipmappedArray->textures;
    default:
        return NULL;
    }
}

static void join_array(struct texture_object *o)
{
    o->of_array = list_of(&o->resource);
    if (!o->of_array)
        return;
    pthread_mutex_lock(&of_arrays);
    o->next_of_array = *o->of_array;
    *o->of_array = o;
    pthread_mutex_unlock(&of_arrays);
}

static void leave_array(struct texture_object *o)
{
    pthread_mutex_lock(&of_arrays);
    struct texture_object **at = o->of_array;
    while (at && *at != o)
        at = &(*at)->next_of_array;
    if (at)
        *at = o->next_of_array;
    o->of_array = NULL;
    pthread_mutex_unlock(&of_arrays);
}

/* No memory: as much as a row of the longest array, and what a vector reads
 * behind it. */
static uint8_t *forbidden;
static void forbid_memory(void)
{
    const size_t bytes = (size_t)16 << 20;
    void *p = mmap(NULL, bytes, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    forbidden = p == MAP_FAILED ? NULL : p;
}

static void forbid_level(struct texture_level *l)
{
    l->data = forbidden;
    l->pitch_bytes = 0;
    l->slice_bytes = 0;
}

void texture_array_ends(struct texture_object **of_array)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, forbid_memory);
    pthread_mutex_lock(&of_arrays);
    while (*of_array) {
        struct texture_object *o = *of_array;
        *of_array = o->next_of_array;
        o->of_array = NULL;
        for (unsigned i = 0; i < o->as.level_count; i++)
            forbid_level(&o->as.level[i]);
        forbid_level(&o->as.start);
    }
    pthread_mutex_unlock(&of_arrays);
}

/* ---- objects ------------------------------------------------------------ */

static struct texture_object *take_object(void)
{
    pthread_mutex_lock(&destroyed.lock);
    struct texture_object *o = destroyed.first;
    if (o)
        destroyed.first = o->next;
    pthread_mutex_unlock(&destroyed.lock);
    if (!o)
        return calloc(1, sizeof *o);
    memset(o, 0, sizeof *o);
    return o;
}

static void list_object(struct texture_object *o)
{
    list_push_locked(&all.lock, &all.objects, &o->in_all);
}

static void unlist_object(struct texture_object *o)
{
    pthread_mutex_lock(&all.lock);
    if (o->in_all.next)
        list_remove(&o->in_all);
    pthread_mutex_unlock(&all.lock);
}

static void put_object(struct texture_object *o)
{
    o->as.magic = 0;
    leave_array(o);
    unlist_object(o);
    pthread_mutex_lock(&destroyed.lock);
    o->next = destroyed.first;
    destroyed.first = o;
    pthread_mutex_unlock(&destroyed.lock);
}

static CUresult publish_texture(struct texture_object *o, CUtexObject *out)
{
    assert(o->as.level_count <= TEXTURE_LEVELS_MAX);
    CUresult err = ctx_current(&o->ctx);
    if (err) {
        put_object(o);
        return err;
    }
    texture_choose_path(&o->as);
    join_array(o);
    list_object(o);
    o->as.magic = TEXTURE_MAGIC;
    if (!registry_add(&living, o)) {
        put_object(o);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *out = (uintptr_t)o;
    return CUDA_SUCCESS;
}

CUresult texture_create(const CUDA_RESOURCE_DESC *resource,
                        const CUDA_TEXTURE_DESC *texture,
                        const CUDA_RESOURCE_VIEW_DESC *view, CUtexObject *out)
{
    CUresult err = capture_check_call();
    struct texture_object *o = err ? NULL : take_object();
    if (!o)
        return err ? err : CUDA_ERROR_OUT_OF_MEMORY;
    o->resource = *resource;
    o->texture = *texture;
    err = set_resource(&o->as, resource);
    /* As on an H200; views of such formats need no flag. */
    if (!err && !view && o->as.is_srgb && !(texture->flags & CU_TRSF_SRGB))
        err = CUDA_ERROR_INVALID_VALUE;
    if (!err && view) {
        o->view = *view;
        o->has_view = true;
        err = set_view(&o->as, resource, view);
    }
    if (!err)
        err = set_sampling(&o->as, texture);
    if (!err)
        err = check_address(&o->as, resource);
    if (!err)
        return publish_texture(o, out);
    put_object(o);
    return err;
}

CUresult texture_linear_width(CUarray_format format, unsigned channels,
                              size_t *out)
{
    struct exec_texture t = {0};
    CUresult err = texture_set_format(&t, format, channels);
    if (err)
        return err;
    /* Of an H200: 4 GiB, and at most so many texels. */
    const size_t most = (size_t)1 << 30, most_bytes = (size_t)1 << 32;
    size_t width = most_bytes / array_format_bytes(format, channels);
    *out = width < most ? width : most;
    return CUDA_SUCCESS;
}

CUresult surface_create(const CUDA_RESOURCE_DESC *resource, CUsurfObject *out)
{
    if (resource->resType != CU_RESOURCE_TYPE_ARRAY)
        return CUDA_ERROR_INVALID_VALUE;
    if (!resource->res.array.hArray)
        return CUDA_ERROR_INVALID_VALUE;
    CUarray a = array_find(resource->res.array.hArray);
    if (!a)
        return CUDA_ERROR_INVALID_HANDLE;
    /* An H200 asks for no CUDA_ARRAY3D_SURFACE_LDST, a graphics API may. */
    if (a->is_mapped && !(a->desc.Flags & CUDA_ARRAY3D_SURFACE_LDST))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = capture_check_call();
    struct texture_object *o = err ? NULL : take_object();
    if (!o)
        return err ? err : CUDA_ERROR_OUT_OF_MEMORY;
    o->resource = *resource;
    o->as.is_surface = true;
    err = set_resource(&o->as, resource);
    if (!err && side_of(&o->as) > 1) /* blocks are only read */
        err = CUDA_ERROR_INVALID_VALUE;
    if (!err)
        return publish_texture(o, out);
    put_object(o);
    return err;
}

static struct texture_object *find_texture(CUtexObject handle, bool is_surface)
{
    struct texture_object *o = (struct texture_object *)(uintptr_t)handle;
    return o && registry_has(&living, o) && o->as.is_surface == is_surface
               ? o
               : NULL;
}

static void end_object(void *o, enum exec_fault fault)
{
    (void)fault;
    assert(o);
    put_object(o);
}

/* Kernels that were launched before may read it still. 0 is no object, and to
 * end it is no mistake. */
static CUresult destroy_texture(CUtexObject handle, bool is_surface)
{
    if (!handle)
        return CUDA_SUCCESS;
    struct texture_object *o = find_texture(handle, is_surface);
    if (!o || !registry_remove(&living, o))
        return CUDA_ERROR_INVALID_VALUE;
    CUcontext ctx;
    if (ctx_current(&ctx)) /* none: nothing of it can run */
        put_object(o);
    else
        ctx_when_done(ctx, end_object, o);
    return CUDA_SUCCESS;
}

/* One that ended with its context reads as 0, as any destroyed one. */
void texture_free_all(CUcontext ctx)
{
    struct list ended;
    list_init(&ended);
    pthread_mutex_lock(&all.lock);
    list_for_each(struct texture_object, o, &all.objects, in_all)
    {
        if (o->ctx == ctx && registry_remove(&living, o)) {
            list_remove(&o->in_all);
            list_push(&ended, &o->in_all);
        }
    }
    pthread_mutex_unlock(&all.lock);
    list_for_each(struct texture_object, o, &ended, in_all)
        put_object(o);
}

CUresult texture_destroy(CUtexObject handle)
{
    return destroy_texture(handle, false);
}

CUresult surface_destroy(CUsurfObject handle)
{
    return destroy_texture(handle, true);
}

/* Another context's objects cannot be asked about, as on an H200. */
static struct texture_object *find_own(CUtexObject handle, bool is_surface)
{
    CUcontext ctx;
    struct texture_object *o = find_texture(handle, is_surface);
    return o && (ctx_current(&ctx) || o->ctx == ctx) ? o : NULL;
}

CUresult texture_describe(CUtexObject handle, CUDA_RESOURCE_DESC *resource,
                          CUDA_TEXTURE_DESC *texture,
                          CUDA_RESOURCE_VIEW_DESC *view)
{
    struct texture_object *o = find_own(handle, false);
    if (!o)
        return CUDA_ERROR_INVALID_VALUE;
    if (resource)
        *resource = o->resource;
    if (texture)
        *texture = o->texture;
    if (view)
        *view = o->has_view ? o->view : (CUDA_RESOURCE_VIEW_DESC){0};
    return CUDA_SUCCESS;
}

CUresult surface_describe(CUsurfObject handle, CUDA_RESOURCE_DESC *resource)
{
    struct texture_object *o = find_own(handle, true);
    if (!o)
        return CUDA_ERROR_INVALID_VALUE;
    *resource = o->resource;
    return CUDA_SUCCESS;
}
