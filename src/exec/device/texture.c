/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accesses to textures and surfaces by the lanes of a warp: finds the object
 * behind each handle and answers queries. sampler.c and surface.c do the rest.
 *
 * Source: PTX ISA, "Texture Instructions".
 */
#include "exec/internal.h"

#include <string.h>

#include "exec/device/sampler.h"

/* The word at an address of any alignment; a signal if there is none. */
static uint64_t word_at(uint64_t address)
{
    uint64_t word;
    memcpy(&word, (const void *)(uintptr_t)address, sizeof word);
    return word;
}

/* Is the handle an object's address? */
static bool is_object(uint64_t handle)
{
    return handle >= TEXTURE_HANDLE_MIN && word_at(handle) == TEXTURE_MAGIC;
}

/* The object of a handle, which is its address or that of a variable that
 * holds it; NULL: the handle leads to nothing, so that reads give 0 and stores
 * are ignored, as on an H200. A handle that is no address of memory ends the
 * kernel, by a signal. */
static const struct exec_texture *find_object(uint64_t handle)
{
    if (handle < TEXTURE_HANDLE_MIN)
        return NULL;
    if (!is_object(handle))
        handle = word_at(handle);
    return is_object(handle) ? (const void *)(uintptr_t)handle : NULL;
}

/* The settings of a sampler variable. False: the handle leads to nothing. */
static bool find_sampler(uint64_t handle, struct texture_sampler *out)
{
    if (handle == 0 || handle % 8)
        return false;
    memcpy(out, (const void *)(uintptr_t)handle, sizeof *out);
    return out->mark == TEXTURE_SAMPLER;
}

/* ---- queries ------------------------------------------------------------ */

static uint32_t size_or_zero(uint32_t size, bool has_it)
{
    return has_it ? size : 0;
}

/* As an H200 has them: a row is a plane of one row, layers of rows are a plane.
 * Surfaces have no such row. */
static uint32_t height_of(const struct exec_texture *t,
                          const struct texture_level *l)
{
    if (t->dims > 1)
        return l->height;
    return t->is_layered ? t->layers
                         : size_or_zero(1, !t->is_buffer && !t->is_surface);
}

/* Layers count as depth; cubes as six of a surface. */
static uint32_t depth_of(const struct exec_texture *t,
                         const struct texture_level *l)
{
    if (t->dims > 2)
        return l->depth;
    if (t->is_surface && t->is_cube)
        return 6 * t->layers;
    return size_or_zero(t->layers, t->dims > 1 && t->is_layered);
}

/* The number that a query answers with; PTX lists them as wrap, mirror,
 * clamp_ogl, clamp_to_edge, clamp_to_border. */
static uint32_t address_answer(uint8_t mode)
{
    static const uint8_t numbers[] = {
        [TEXTURE_WRAP] = 0,
        [TEXTURE_MIRROR] = 1,
        [TEXTURE_CLAMP] = 3,
        [TEXTURE_BORDER] = 4,
    };
    assert(mode < ARRAY_COUNT(numbers));
    return numbers[mode];
}

static uint32_t sampler_answer(const struct texture_sampler *s,
                               enum texture_query query)
{
    switch (query) {
    case TEXTURE_FILTER:
        return s->is_linear;
    case TEXTURE_UNNORMALIZED:
        return s->is_unnormalized;
    default:
        return address_answer(s->address[query - TEXTURE_ADDRESS_0]);
    }
}

static uint32_t texture_answer(const struct exec_texture *t,
                               enum texture_query query, uint32_t level)
{
    assert(level < t->level_count);
    const struct texture_level *l = &t->level[level];
    switch (query) {
    case TEXTURE_WIDTH:
        return l->width;
    case TEXTURE_HEIGHT:
        return height_of(t, l);
    case TEXTURE_DEPTH:
        return depth_of(t, l);
    case TEXTURE_ARRAY_SIZE:
        return size_or_zero(t->layers, t->is_layered);
    case TEXTURE_LEVEL_COUNT:
        return t->level_count;
    case TEXTURE_CHANNEL_TYPE:
        return t->channel_type;
    case TEXTURE_CHANNEL_ORDER:
        return t->channel_order;
    case TEXTURE_NORMALIZED:
        return t->is_normalized;
    default:
        return 0;
    }
}

static struct texture_sampler sampler_of(const struct exec_texture *t)
{
    if (!t)
        return (struct texture_sampler){.mark = TEXTURE_SAMPLER};
    struct texture_sampler s = {
        .is_linear = t->is_linear,
        .is_unnormalized = !t->is_normalized,
        .mark = TEXTURE_SAMPLER,
    };
    memcpy(s.address, t->address, sizeof s.address);
    return s;
}

static uint32_t answer_query(const struct exec_texture_request *r,
                             unsigned lane)
{
    const struct texture_form *f = &r->form;
    struct texture_sampler s;
    uint32_t level = f->has_level ? r->lod[0][lane] : 0;
    if (f->query >= TEXTURE_FILTER) {
        if (!find_sampler(r->handle[lane], &s))
            s = sampler_of(find_object(r->handle[lane]));
        return sampler_answer(&s, f->query);
    }
    const struct exec_texture *t = find_object(r->handle[lane]);
    return t && level < t->level_count ? texture_answer(t, f->query, level) : 0;
}

/* Variables have a kind; objects have none, as on an H200. */
static bool is_wanted(uint64_t handle, enum texture_handle wanted)
{
    struct texture_sampler s;
    if (wanted == HANDLE_SAMPLER)
        return find_sampler(handle, &s);
    const struct exec_texture *t = find_object(handle);
    if ((uintptr_t)t == handle)
        return false;
    return t && t->is_surface == (wanted == HANDLE_SURFACE);
}

/* ---- shapes -----------------------------------------------------------------
 *
 * Instructions and objects of different shapes: reads give 0 and stores are
 * ignored. What is alike was asked of an H200 for 22 instructions and 14 kinds
 * of textures, 5 and 7 of surfaces (tests/driver/texture_shapes.c).
 */

/* A row is a plane of one row, and layers of planes are planes. Only layers of
 * rows, and linear memory, are rows to integer coordinates. */
static bool has_texture_shape(const struct texture_form *f,
                              const struct exec_texture *t)
{
    if (t->is_buffer)
        return f->dims == 1 && f->is_integer && f->op == TEXTURE_FETCH;
    if (f->is_cube || t->is_cube)
        return f->is_cube && t->is_cube;
    if (f->dims == 3 || t->dims == 3)
        return f->dims == 3 && t->dims == 3;
    bool is_rows = t->dims == 1 && t->is_layered;
    return is_rows == (f->dims == 1 && (f->has_index || f->is_integer));
}

static bool has_surface_shape(const struct texture_form *f,
                              const struct exec_texture *t)
{
    return f->dims == 2 ? t->dims >= 2 : f->dims == t->dims;
}

static bool has_shape(const struct texture_form *f,
                      const struct exec_texture *t)
{
    bool is_surface = f->op >= SURFACE_LOAD;
    return t->is_surface == is_surface &&
           (is_surface ? has_surface_shape(f, t) : has_texture_shape(f, t));
}

/* ---- fetches ------------------------------------------------------------ */

static void wrap_offsets(struct exec_texture_request *r)
{
    unsigned spare = 32 - (r->form.op == TEXTURE_GATHER ? GATHER_OFFSET_BITS
                                                        : TEXTURE_OFFSET_BITS);
    for (unsigned d = 0; d < r->form.offsets; d++)
        for (unsigned lane = 0; lane < TEXTURE_LANES; lane++)
            r->offset[d][lane] =
                (uint32_t)((int32_t)(r->offset[d][lane] << spare) >> spare);
}

/* Is the texel that integers name outside of the texture? No address mode
 * applies to those. */
static bool is_texel_outside(const struct exec_texture *t,
                             const struct exec_texture_request *r,
                             unsigned lane)
{
    const struct texture_form *f = &r->form;
    uint32_t level = f->lod ? r->lod[0][lane] : 0;
    if (level >= t->level_count ||
        (f->has_index && r->at[0][lane] >= t->layers))
        return true;
    const struct texture_level *l = &t->level[level];
    assert(f->dims >= 1 && f->dims <= 3);
    const int64_t size[3] = {l->width, l->height, l->depth};
    for (unsigned d = 0; d < f->dims; d++) {
        int64_t at = (int32_t)r->at[d + f->has_index][lane];
        at += d < f->offsets ? (int32_t)r->offset[d][lane] : 0;
        if (at < 0 || at >= size[d])
            return true;
    }
    return false;
}

/* Does the instruction override how the texture is read? */
static bool reads_otherwise(const struct texture_form *f,
                            const struct exec_texture *t)
{
    return !t->is_buffer && (f->has_sampler || f->is_integer);
}

static struct exec_texture read_otherwise(const struct exec_texture *t,
                                          const struct exec_texture_request *r,
                                          unsigned lane)
{
    struct exec_texture as = *t;
    struct texture_sampler s;
    if (r->form.has_sampler) {
        if (!find_sampler(r->sampler[lane], &s))
            s = sampler_of(find_object(r->sampler[lane]));
        memcpy(as.address, s.address, sizeof as.address);
        as.is_linear = s.is_linear;
        as.is_normalized &= !s.is_unnormalized;
    }
    if (r->form.is_integer)
        as.is_normalized = as.is_linear = false;
    return as;
}

static void give_zeros(struct exec_texture_request *r, unsigned lane)
{
    for (unsigned i = 0; i < r->form.count; i++)
        r->value[i][lane] = 0;
}

static void fetch_lane(const struct exec_texture *t,
                       struct exec_texture_request *r, unsigned lane)
{
    struct exec_texture as;
    if (r->form.is_integer && !t->is_buffer && is_texel_outside(t, r, lane)) {
        give_zeros(r, lane);
        return;
    }
    if (reads_otherwise(&r->form, t)) {
        as = read_otherwise(t, r, lane);
        t = &as;
    }
    if (r->form.op == TEXTURE_FETCH)
        sampler_fetch(t, r, lane);
    else
        sampler_gather(t, r, lane);
}

static void access_object(struct exec_warp *w, struct exec_texture_request *r,
                          unsigned lane)
{
    const struct exec_texture *t = find_object(r->handle[lane]);
    if (!t || !has_shape(&r->form, t))
        give_zeros(r, lane);
    else if (t->is_surface)
        surface_access(w, t, r, lane);
    else
        fetch_lane(t, r, lane);
}

static void access_by_lane(struct exec_warp *w, struct exec_texture_request *r,
                           unsigned lane)
{
    switch ((enum texture_op)r->form.op) {
    case TEXTURE_QUERY:
        r->value[0][lane] = answer_query(r, lane);
        break;
    case TEXTURE_IS_KIND:
        r->value[0][lane] = is_wanted(r->handle[lane], r->form.wanted);
        break;
    default:
        access_object(w, r, lane);
    }
}

/* Do all lanes of the fetch use the same texture and sampler? */
static bool is_uniform(const struct exec_texture_request *r)
{
    unsigned first = (unsigned)__builtin_ctz(r->lanes);
    for (uint32_t left = r->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        if (r->handle[lane] != r->handle[first] ||
            (r->form.has_sampler && r->sampler[lane] != r->sampler[first]))
            return false;
    }
    return true;
}

/* Fetches for several lanes at once. False: the fetch is one of the rare
 * ones. */
static bool fetch_lanes(struct exec_texture_request *r)
{
    struct exec_texture as;
    if (!sampler_has_lanes() || r->form.op > TEXTURE_GATHER ||
        !(r->lanes & (r->lanes - 1)) || !is_uniform(r))
        return false;
    unsigned first = (unsigned)__builtin_ctz(r->lanes);
    const struct exec_texture *t = find_object(r->handle[first]);
    if (!t || !has_shape(&r->form, t) ||
        (r->form.is_integer && !t->is_buffer) ||
        !sampler_lanes_can_read(t, &r->form))
        return false;
    if (reads_otherwise(&r->form, t)) {
        as = read_otherwise(t, r, first);
        t = &as;
    }
    return sampler_read_lanes(t, r);
}

void texture_access(struct exec_warp *w, struct exec_texture_request *r)
{
    wrap_offsets(r);
    if (fetch_lanes(r))
        return;
    for (uint32_t left = r->lanes; left; left &= left - 1)
        access_by_lane(w, r, (unsigned)__builtin_ctz(left));
}
