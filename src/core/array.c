/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays and mipmapped arrays: what may be asked for, and their storage
 * (array.h). The memory is device memory that pointers do not lead to.
 */
#include "core/array.h"

#include <stdlib.h>

#include "core/internal.h"
#include "core/orphans.h"
#include "core/registry.h"
#include "core/texture.h"

static struct registry arrays = REGISTRY_INIT, mipmaps = REGISTRY_INIT;

/* All arrays, so that those of a context can be ended with it. */
static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static struct list all_arrays = {&all_arrays, &all_arrays};
static struct list all_mipmaps = {&all_mipmaps, &all_mipmaps};

static void list_forget(struct list *item)
{
    pthread_mutex_lock(&all_lock);
    list_remove(item);
    pthread_mutex_unlock(&all_lock);
}

CUarray array_find(CUarray handle)
{
    return registry_has(&arrays, handle) ? handle : NULL;
}

CUmipmappedArray mipmap_find(CUmipmappedArray handle)
{
    return registry_has(&mipmaps, handle) ? handle : NULL;
}

/* ---- formats ---------------------------------------------------------- */

enum { ANY = 0 };

struct format {
    CUarray_format format;
    unsigned channel_bytes, channels, side;
    bool is_video;
    /* Formats of video: the number of planes, and the channels and scale of
     * all planes but the first. */
    unsigned plane_count, plane_channels, plane_x, plane_y;
    bool only_clamps;
};

static const struct format formats[] = {
#define ARRAY_FORMAT(name, bytes, count, block_side, as)                       \
    {.format = CU_AD_FORMAT_##name,                                            \
     .channel_bytes = bytes,                                                   \
     .channels = count,                                                        \
     .side = block_side},
#define VIDEO_FORMAT(name, bytes, count, planes, others, x, y, wrap, as)       \
    {.format = CU_AD_FORMAT_##name,                                            \
     .channel_bytes = bytes,                                                   \
     .channels = count,                                                        \
     .side = 1,                                                                \
     .is_video = true,                                                         \
     .plane_count = planes,                                                    \
     .plane_channels = others,                                                 \
     .plane_x = x,                                                             \
     .plane_y = y,                                                             \
     .only_clamps = !(wrap)},
#include "core/array_formats.def"
};

static const struct format *find_format(CUarray_format format)
{
    for (size_t i = 0; i < ARRAY_COUNT(formats); i++) {
        if (formats[i].format == format)
            return &formats[i];
    }
    return NULL;
}

static CUresult check_format(const CUDA_ARRAY3D_DESCRIPTOR *d,
                             const struct format **out)
{
    *out = find_format(d->Format);
    if (!*out)
        return CUDA_ERROR_INVALID_VALUE;
    unsigned channels = d->NumChannels;
    bool fits = (*out)->channels == ANY
                    ? channels == 1 || channels == 2 || channels == 4
                    : channels == (*out)->channels;
    return fits ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* ---- shapes ----------------------------------------------------------- */

enum shape {
    SHAPE_1D,
    SHAPE_2D,
    SHAPE_3D,
    SHAPE_1D_LAYERED,
    SHAPE_2D_LAYERED,
    SHAPE_CUBEMAP,
    SHAPE_CUBEMAP_LAYERED,
    SHAPE_COUNT,
    SHAPE_NONE = SHAPE_COUNT
};

static enum shape shape_of(const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    bool is_layered = d->Flags & CUDA_ARRAY3D_LAYERED;
    if (!d->Width)
        return SHAPE_NONE;
    if (d->Flags & CUDA_ARRAY3D_CUBEMAP) {
        if (d->Width != d->Height || !d->Depth || d->Depth % 6)
            return SHAPE_NONE;
        return is_layered      ? SHAPE_CUBEMAP_LAYERED
               : d->Depth == 6 ? SHAPE_CUBEMAP
                               : SHAPE_NONE;
    }
    if (is_layered) {
        return !d->Depth   ? SHAPE_NONE
               : d->Height ? SHAPE_2D_LAYERED
                           : SHAPE_1D_LAYERED;
    }
    if (d->Depth)
        return d->Height ? SHAPE_3D : SHAPE_NONE;
    return d->Height ? SHAPE_2D : SHAPE_1D;
}

#define TEXTURE(name) CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE##name
#define SURFACE(name) CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE##name
#define BOTH_WAYS(name)                                                        \
    {                                                                          \
        TEXTURE(name), SURFACE(name)                                           \
    }
#define NO_LIMIT                                                               \
    {                                                                          \
        0, 0                                                                   \
    }

/* Attributes that limit width, height and depth, for textures and for
 * surfaces. A volume may have other sides: fits_volume. */
static const CUdevice_attribute limits[SHAPE_COUNT][3][2] = {
    [SHAPE_1D] = {BOTH_WAYS(1D_WIDTH), NO_LIMIT, NO_LIMIT},
    [SHAPE_2D] = {BOTH_WAYS(2D_WIDTH), BOTH_WAYS(2D_HEIGHT), NO_LIMIT},
    [SHAPE_3D] = {BOTH_WAYS(3D_WIDTH), BOTH_WAYS(3D_HEIGHT),
                  BOTH_WAYS(3D_DEPTH)},
    [SHAPE_1D_LAYERED] = {BOTH_WAYS(1D_LAYERED_WIDTH), NO_LIMIT,
                          BOTH_WAYS(1D_LAYERED_LAYERS)},
    [SHAPE_2D_LAYERED] = {BOTH_WAYS(2D_LAYERED_WIDTH),
                          BOTH_WAYS(2D_LAYERED_HEIGHT),
                          BOTH_WAYS(2D_LAYERED_LAYERS)},
    [SHAPE_CUBEMAP] = {BOTH_WAYS(CUBEMAP_WIDTH), NO_LIMIT, NO_LIMIT},
    [SHAPE_CUBEMAP_LAYERED] = {BOTH_WAYS(CUBEMAP_LAYERED_WIDTH), NO_LIMIT,
                               BOTH_WAYS(CUBEMAP_LAYERED_LAYERS)},
};

static bool is_within(size_t n, CUdevice_attribute attribute)
{
    int most;
    return !attribute ||
           (!device_attribute(&most, attribute, 0) && n <= (size_t)most);
}

/* A volume may be deeper if it is less wide and high. */
static bool fits_volume(const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    return is_within(d->Width, TEXTURE(3D_WIDTH_ALTERNATE)) &&
           is_within(d->Height, TEXTURE(3D_HEIGHT_ALTERNATE)) &&
           is_within(d->Depth, TEXTURE(3D_DEPTH_ALTERNATE));
}

static bool fits_shape(const CUDA_ARRAY3D_DESCRIPTOR *d, enum shape shape)
{
    const size_t n[3] = {d->Width, d->Height, d->Depth};
    assert((size_t)shape < ARRAY_COUNT(limits));
    for (unsigned i = 0; i < 3; i++) {
        if (!is_within(n[i], limits[shape][i][0]) &&
            !(shape == SHAPE_3D && fits_volume(d)))
            return false;
        if ((d->Flags & CUDA_ARRAY3D_SURFACE_LDST) &&
            !is_within(n[i], limits[shape][i][1]))
            return false;
    }
    return !(d->Flags & CUDA_ARRAY3D_TEXTURE_GATHER) ||
           (is_within(n[0], TEXTURE(2D_GATHER_WIDTH)) &&
            is_within(n[1], TEXTURE(2D_GATHER_HEIGHT)));
}

/* Video formats have 2-D arrays, or layers of these. */
static bool is_video_shape(const CUDA_ARRAY3D_DESCRIPTOR *d, enum shape shape)
{
    return (d->Flags & CUDA_ARRAY3D_VIDEO_ENCODE_DECODE) &&
           (shape == SHAPE_2D || shape == SHAPE_2D_LAYERED) &&
           d->Width % 2 == 0 && d->Height % 2 == 0;
}

static CUresult check_descriptor(const CUDA_ARRAY3D_DESCRIPTOR *d,
                                 const struct format **format)
{
    const unsigned refused =
        CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_DEFERRED_MAPPING;
    const unsigned known = CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST |
                           CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_TEXTURE_GATHER |
                           CUDA_ARRAY3D_VIDEO_ENCODE_DECODE | refused;
    if (d->Flags & ~known)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = check_format(d, format);
    if (err)
        return err;
    if ((*format)->side > 1 && (d->Flags & CUDA_ARRAY3D_SURFACE_LDST))
        return CUDA_ERROR_NOT_SUPPORTED; /* blocks are only read */
    enum shape shape = shape_of(d);
    if (shape == SHAPE_NONE || !fits_shape(d, shape))
        return CUDA_ERROR_INVALID_VALUE;
    if ((*format)->is_video && !is_video_shape(d, shape))
        return CUDA_ERROR_INVALID_VALUE;
    if ((d->Flags & CUDA_ARRAY3D_TEXTURE_GATHER) && shape != SHAPE_2D)
        return CUDA_ERROR_INVALID_VALUE;
    return d->Flags & refused ? CUDA_ERROR_NOT_SUPPORTED : CUDA_SUCCESS;
}

/* Bytes of a texel, or of a block of texels if the format has blocks. */
static unsigned texel_bytes(const CUDA_ARRAY3D_DESCRIPTOR *d,
                            const struct format *f)
{
    return f->side == 1 ? f->channel_bytes * d->NumChannels : f->channel_bytes;
}

unsigned array_format_bytes(CUarray_format format, unsigned channels)
{
    const CUDA_ARRAY3D_DESCRIPTOR d = {
        .Width = 1, .Format = format, .NumChannels = channels};
    const struct format *f;
    return check_format(&d, &f) ? 16 : texel_bytes(&d, f);
}

/* ---- storage ---------------------------------------------------------- */

static size_t at_least_one(size_t n)
{
    return n ? n : 1;
}

/* How rows and levels are laid out. */
struct rules {
    size_t block;       /* texels; sides of a level are rounded up to this */
    size_t level_bytes; /* levels start at multiples of this */
};
static const struct rules own_rules = {1, 512}, external_rules = {4, 64};

static size_t fill_up(size_t n, size_t unit)
{
    assert(unit > 0 && n <= SIZE_MAX - unit);
    return (n + unit - 1) / unit * unit;
}

static CUarray_format integers_of(unsigned bytes)
{
    assert(bytes == 1 || bytes == 2 || bytes == 4);
    return bytes == 1   ? CU_AD_FORMAT_UNSIGNED_INT8
           : bytes == 2 ? CU_AD_FORMAT_UNSIGNED_INT16
                        : CU_AD_FORMAT_UNSIGNED_INT32;
}

/* Fills in everything but the address. False: more bytes than can exist. */
static bool lay_out(struct CUarray_st *a, const CUDA_ARRAY3D_DESCRIPTOR *d,
                    const struct format *format, const struct rules *rules,
                    size_t *size_bytes)
{
    unsigned side = format->side;
    assert(side > 0 && format->channel_bytes > 0);
    size_t block = side == 1 ? rules->block : 1, row_bytes;
    a->desc = *d;
    a->texels =
        format->is_video ? integers_of(format->channel_bytes) : d->Format;
    a->side = side;
    a->element_bytes = texel_bytes(d, format);
    a->columns = (d->Width + side - 1) / side;
    a->rows = (at_least_one(d->Height) + side - 1) / side;
    a->slices = at_least_one(d->Depth);
    if (__builtin_mul_overflow(fill_up(a->columns, block), a->element_bytes,
                               &row_bytes) ||
        row_bytes > SIZE_MAX - ARRAY_ROW_ALIGN)
        return false;
    a->pitch_bytes = (row_bytes + ARRAY_ROW_ALIGN - 1) & ~(ARRAY_ROW_ALIGN - 1);
    size_t rows = d->Height ? fill_up(a->rows, block) : a->rows;
    return !__builtin_mul_overflow(a->pitch_bytes, rows, &a->slice_bytes) &&
           !__builtin_mul_overflow(a->slice_bytes, a->slices, size_bytes) &&
           *size_bytes < SIZE_MAX / 2;
}

static CUDA_ARRAY3D_DESCRIPTOR plane_desc(const CUDA_ARRAY3D_DESCRIPTOR *d,
                                          const struct format *format,
                                          unsigned plane)
{
    CUDA_ARRAY3D_DESCRIPTOR of = *d;
    assert(plane < format->plane_count);
    of.Format = integers_of(format->channel_bytes);
    of.NumChannels = plane ? format->plane_channels : 1;
    of.Width /= plane ? format->plane_x : 1;
    of.Height /= plane ? format->plane_y : 1;
    return of;
}

/* Lays out the array and its planes behind it; data are offsets for now. */
static bool lay_out_planes(CUarray a, const CUDA_ARRAY3D_DESCRIPTOR *d,
                           const struct format *format, size_t *size_bytes)
{
    if (!lay_out(a, d, format, &own_rules, size_bytes))
        return false;
    if (!format->plane_count)
        return true;
    size_t offset = 0, plane_bytes;
    a->columns = a->rows = 0;
    a->plane_count = format->plane_count;
    for (unsigned i = 0; i < a->plane_count; i++) {
        CUDA_ARRAY3D_DESCRIPTOR of = plane_desc(d, format, i);
        CUarray plane = a + 1 + i;
        if (!lay_out(plane, &of, find_format(of.Format), &own_rules,
                     &plane_bytes) ||
            plane_bytes > SIZE_MAX / 2 - offset)
            return false;
        plane->whole = a;
        plane->only_clamps = format->only_clamps;
        plane->data = (uint8_t *)(uintptr_t)offset;
        offset += fill_up(plane_bytes, own_rules.level_bytes);
    }
    *size_bytes = offset;
    return true;
}

static void forget_planes(CUarray a)
{
    for (unsigned i = 1; i <= a->plane_count; i++) {
        registry_remove(&arrays, a + i);
        texture_array_ends(&a[i].textures);
    }
}

/* Registers the array, whose memory exists, and its planes as handles. */
static bool register_array(CUarray a, CUcontext ctx)
{
    assert(a->data);
    ctx = ctx_home(ctx);
    for (unsigned i = 1; i <= a->plane_count; i++) {
        a[i].data = a->data + (size_t)(uintptr_t)a[i].data;
        a[i].ctx = ctx;
        if (!registry_add(&arrays, a + i)) {
            forget_planes(a);
            return false;
        }
    }
    a->ctx = ctx;
    if (registry_add(&arrays, a))
        return true;
    forget_planes(a);
    return false;
}

static CUresult check_new(CUcontext ctx, const CUDA_ARRAY3D_DESCRIPTOR *d,
                          const struct format **format)
{
    CUresult err = ctx_sticky(ctx);
    if (!err)
        err = capture_check_call();
    return err ? err : check_descriptor(d, format);
}

CUresult array_create(CUcontext ctx, const CUDA_ARRAY3D_DESCRIPTOR *d,
                      CUarray *out)
{
    const struct format *format;
    size_t size_bytes;
    CUresult err = check_new(ctx, d, &format);
    if (err)
        return err;
    CUarray a = calloc(1 + format->plane_count, sizeof *a);
    err = CUDA_ERROR_OUT_OF_MEMORY;
    if (!a || !lay_out_planes(a, d, format, &size_bytes))
        goto free_array;
    a->data = mem_alloc_kind(size_bytes + ARRAY_SLACK_BYTES, MEM_ARRAY, 0);
    if (!a->data)
        goto free_array;
    if (!register_array(a, ctx))
        goto release;
    list_push_locked(&all_lock, &all_arrays, &a->in_all);
    *out = a;
    return CUDA_SUCCESS;

release:
    mem_release(a->data, MEM_ARRAY);
free_array:
    free(a);
    return err;
}

/* Ends an array. If several threads free it, only one gets here. */
static void array_end(CUarray a)
{
    assert(a->data && !a->whole);
    list_forget(&a->in_all);
    texture_array_ends(&a->textures);
    forget_planes(a);
    mem_release(a->data, MEM_ARRAY);
    orphan_keep(a);
}

/* Waits for work that may use the array, as freeing memory does. */
CUresult array_destroy(CUcontext ctx, CUarray a)
{
    CUresult err = capture_check_call();
    if (!ctx && array_find(a))
        ctx = a->ctx;
    if (!err && ctx)
        err = ctx_wait(ctx);
    if (err)
        return err;
    if (!array_find(a))
        return orphan_error(a);
    if (a->is_mapped)
        return CUDA_ERROR_ARRAY_IS_MAPPED;
    if (a->mipmap || a->whole)
        return CUDA_SUCCESS; /* it ends with all levels, or planes */
    if (!registry_remove(&arrays, a))
        return orphan_error(a);
    array_end(a);
    return CUDA_SUCCESS;
}

CUresult array_plane(CUarray a, unsigned plane, CUarray *out)
{
    if (!array_find(a))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!out || plane >= a->plane_count)
        return CUDA_ERROR_INVALID_VALUE;
    *out = a + 1 + plane;
    return CUDA_SUCCESS;
}

/* ---- mipmapped arrays ------------------------------------------------- */

static bool fits_levels(const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    switch (shape_of(d)) {
    case SHAPE_1D:
        return is_within(d->Width, TEXTURE(1D_MIPMAPPED_WIDTH));
    case SHAPE_2D:
        return is_within(d->Width, TEXTURE(2D_MIPMAPPED_WIDTH)) &&
               is_within(d->Height, TEXTURE(2D_MIPMAPPED_HEIGHT));
    default:
        return true;
    }
}

static CUresult check_new_levels(CUcontext ctx,
                                 const CUDA_ARRAY3D_DESCRIPTOR *d,
                                 const struct format **format)
{
    CUresult err = check_new(ctx, d, format);
    if (err)
        return err;
    return (*format)->is_video || !fits_levels(d) ? CUDA_ERROR_INVALID_VALUE
                                                  : CUDA_SUCCESS;
}

size_t array_level_size(size_t n, unsigned level)
{
    assert(level < ARRAY_LEVELS_MAX);
    return n ? at_least_one(n >> level) : 0;
}

static CUDA_ARRAY3D_DESCRIPTOR level_desc(const CUDA_ARRAY3D_DESCRIPTOR *d,
                                          unsigned level)
{
    CUDA_ARRAY3D_DESCRIPTOR of = *d;
    of.Width = array_level_size(d->Width, level);
    of.Height = array_level_size(d->Height, level);
    if (!(d->Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)))
        of.Depth = array_level_size(d->Depth, level);
    return of;
}

/* Number of levels down to one texel. */
static unsigned level_count(const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    size_t most = d->Width > d->Height ? d->Width : d->Height;
    if (!(d->Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) &&
        d->Depth > most)
        most = d->Depth;
    unsigned count = 1;
    while (most >>= 1)
        count++;
    return count;
}

/* Levels start at multiples of the memory's own alignment. */
static bool lay_out_levels(CUmipmappedArray m, const struct format *format,
                           const struct rules *rules, size_t *size_bytes)
{
    size_t offset = 0, level_bytes;
    for (unsigned i = 0; i < m->level_count; i++) {
        CUDA_ARRAY3D_DESCRIPTOR d = level_desc(&m->desc, i);
        if (!lay_out(&m->levels[i], &d, format, rules, &level_bytes) ||
            level_bytes > SIZE_MAX / 2 - offset)
            return false;
        m->levels[i].mipmap = m;
        m->levels[i].data = (uint8_t *)(uintptr_t)offset; /* moved later */
        offset += fill_up(level_bytes, rules->level_bytes);
    }
    *size_bytes = offset;
    return true;
}

static bool register_levels(CUmipmappedArray m)
{
    assert(m->data && m->level_count > 0);
    for (unsigned i = 0; i < m->level_count; i++) {
        size_t offset = (size_t)(uintptr_t)m->levels[i].data;
        m->levels[i].data = m->data + offset;
        if (!registry_add(&arrays, &m->levels[i])) {
            while (i-- > 0)
                registry_remove(&arrays, &m->levels[i]);
            return false;
        }
    }
    return true;
}

static void release_memory(CUmipmappedArray m)
{
    if (m->release)
        m->release(m->memory);
    else
        mem_release(m->data, MEM_ARRAY);
}

static void mipmap_free(CUmipmappedArray m)
{
    for (unsigned i = 0; i < m->level_count; i++) {
        registry_remove(&arrays, &m->levels[i]);
        texture_array_ends(&m->levels[i].textures);
    }
    list_forget(&m->in_all);
    texture_array_ends(&m->textures);
    release_memory(m);
    free(m);
}

static CUmipmappedArray mipmap_new(const CUDA_ARRAY3D_DESCRIPTOR *d,
                                   unsigned levels)
{
    CUmipmappedArray m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    list_init(&m->in_all);
    m->desc = *d;
    unsigned most = level_count(d);
    m->level_count = levels < 1 ? 1 : levels > most ? most : levels;
    return m;
}

/* Registers a mipmapped array, whose memory exists, as a handle. After an error
 * the caller still owns it. */
static CUresult mipmap_publish(CUcontext ctx, CUmipmappedArray m,
                               CUmipmappedArray *out)
{
    if (!registry_add(&mipmaps, m))
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (!register_levels(m)) {
        registry_remove(&mipmaps, m);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    m->ctx = ctx_home(ctx);
    list_push_locked(&all_lock, &all_mipmaps, &m->in_all);
    *out = m;
    return CUDA_SUCCESS;
}

CUresult mipmap_create(CUcontext ctx, const CUDA_ARRAY3D_DESCRIPTOR *d,
                       unsigned levels, CUmipmappedArray *out)
{
    const struct format *format;
    size_t size_bytes;
    CUresult err = check_new_levels(ctx, d, &format);
    if (err)
        return err;
    CUmipmappedArray m = mipmap_new(d, levels);
    err = CUDA_ERROR_OUT_OF_MEMORY;
    if (!m || !lay_out_levels(m, format, &own_rules, &size_bytes))
        goto free_mipmap;
    m->data = mem_alloc_kind(size_bytes + ARRAY_SLACK_BYTES, MEM_ARRAY, 0);
    if (!m->data)
        goto free_mipmap;
    err = mipmap_publish(ctx, m, out);
    if (!err)
        return CUDA_SUCCESS;
    mem_release(m->data, MEM_ARRAY);
free_mipmap:
    free(m);
    return err;
}

CUresult mipmap_create_in(CUcontext ctx, const CUDA_ARRAY3D_DESCRIPTOR *d,
                          unsigned levels, const struct array_memory *in,
                          CUmipmappedArray *out)
{
    const struct format *format;
    size_t size_bytes;
    CUresult err = check_new_levels(ctx, d, &format);
    if (err)
        return err;
    CUmipmappedArray m = mipmap_new(d, levels);
    if (!m)
        return CUDA_ERROR_OUT_OF_MEMORY;
    err = CUDA_ERROR_INVALID_VALUE;
    if (lay_out_levels(m, format, &external_rules, &size_bytes) &&
        size_bytes <= in->size_bytes) {
        m->data = in->data;
        m->release = in->release;
        m->memory = in->memory;
        err = mipmap_publish(ctx, m, out);
    }
    if (err)
        free(m);
    return err;
}

CUresult mipmap_destroy(CUcontext ctx, CUmipmappedArray m)
{
    CUresult err = capture_check_call();
    if (!ctx && mipmap_find(m))
        ctx = m->ctx;
    if (!err && ctx)
        err = ctx_wait(ctx);
    if (err)
        return err;
    if (mipmap_find(m) && m->is_mapped)
        return CUDA_ERROR_ARRAY_IS_MAPPED;
    if (!registry_remove(&mipmaps, m))
        return CUDA_ERROR_INVALID_HANDLE;
    mipmap_free(m);
    return CUDA_SUCCESS;
}

/* ---- what graphics resources show ---------------------------------------- */

CUresult mipmap_create_mapped(CUcontext ctx, const CUDA_ARRAY3D_DESCRIPTOR *d,
                              unsigned levels, CUmipmappedArray *out)
{
    CUresult err = mipmap_create(ctx, d, levels, out);
    if (err)
        return err;
    (*out)->is_mapped = true;
    for (unsigned i = 0; i < (*out)->level_count; i++)
        (*out)->levels[i].is_mapped = true;
    return CUDA_SUCCESS;
}

void mipmap_end_mapped(CUmipmappedArray m)
{
    if (registry_remove(&mipmaps, m))
        mipmap_free(m);
}

CUresult array_view_slice(CUarray a, size_t slice, CUarray *out)
{
    if (slice >= a->slices)
        return CUDA_ERROR_INVALID_VALUE;
    CUarray v = malloc(sizeof *v);
    if (!v)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *v = *a;
    v->data += slice * a->slice_bytes;
    v->slices = 1;
    v->desc.Depth = 0;
    v->desc.Flags &= ~(unsigned)(CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP);
    v->is_mapped = true;
    v->textures = NULL;
    list_init(&v->in_all);
    if (!registry_add(&arrays, v)) {
        free(v);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *out = v;
    return CUDA_SUCCESS;
}

void array_end_view(CUarray a)
{
    registry_remove(&arrays, a);
    texture_array_ends(&a->textures);
    free(a);
}

CUresult mipmap_level(CUmipmappedArray m, unsigned level, CUarray *out)
{
    if (!mipmap_find(m))
        return CUDA_ERROR_INVALID_HANDLE;
    if (level >= m->level_count)
        return CUDA_ERROR_INVALID_VALUE;
    *out = &m->levels[level];
    return CUDA_SUCCESS;
}

/* ---- questions -------------------------------------------------------- */

CUresult array_describe(CUarray a, CUDA_ARRAY3D_DESCRIPTOR *out)
{
    if (!array_find(a))
        return orphan_error(a);
    *out = a->desc;
    return CUDA_SUCCESS;
}

unsigned array_element_bytes(CUarray a)
{
    return array_find(a) ? a->element_bytes : 0;
}

void array_free_all(CUcontext ctx)
{
    list_for_each(struct CUarray_st, a, &all_arrays, in_all)
    {
        if (a->ctx != ctx)
            continue;
        registry_remove(&arrays, a);
        array_end(a);
    }
    list_for_each(struct CUmipmappedArray_st, m, &all_mipmaps, in_all)
    {
        if (m->ctx != ctx)
            continue;
        registry_remove(&mipmaps, m);
        mipmap_free(m);
    }
}
