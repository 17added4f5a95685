/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Textures of OpenGL: their properties, and transfers to and from arrays.
 */
#include "core/graphics_resource.h"

/* ---- targets ------------------------------------------------------------- */

struct target {
    GLenum name, binding;
    unsigned flags; /* CUDA_ARRAY3D_* */
    bool is_deep;   /* has a third extent */
};

static const struct target targets[] = {
    {GL_TEXTURE_2D, GL_TEXTURE_BINDING_2D, 0, false},
    {GL_TEXTURE_RECTANGLE, GL_TEXTURE_BINDING_RECTANGLE, 0, false},
    {GL_TEXTURE_3D, GL_TEXTURE_BINDING_3D, 0, true},
    {GL_TEXTURE_2D_ARRAY, GL_TEXTURE_BINDING_2D_ARRAY, CUDA_ARRAY3D_LAYERED,
     true},
    {GL_TEXTURE_CUBE_MAP, GL_TEXTURE_BINDING_CUBE_MAP, CUDA_ARRAY3D_CUBEMAP,
     false},
};

static const struct target *find_target(GLenum name)
{
    for (size_t i = 0; i < ARRAY_COUNT(targets); i++) {
        if (targets[i].name == name)
            return &targets[i];
    }
    return NULL;
}

static bool is_cube(const struct graphics_image *image)
{
    return image->target == GL_TEXTURE_CUBE_MAP;
}

/* The target by which levels are asked for; all faces are alike. */
static GLenum level_target(GLenum target)
{
    return target == GL_TEXTURE_CUBE_MAP ? GL_TEXTURE_CUBE_MAP_POSITIVE_X
                                         : target;
}

/* ---- what a texture is --------------------------------------------------- */

static GLint level_value(const struct gl *gl, GLenum target, GLint level,
                         GLenum name)
{
    GLint value = 0;
    gl->glGetTexLevelParameteriv(level_target(target), level, name, &value);
    gl_forget_errors(gl); /* newer OpenGL has no luminance */
    return value;
}

/* Components in the order of format_of_components. The names for luminance and
 * intensity follow those for red, green, blue and alpha, for sizes and for all
 * types but one. */
static bool read_format(const struct gl *gl, GLenum target,
                        struct graphics_format *out)
{
    static const GLenum sizes[GL_COMPONENTS] = {0x805C, 0x805D, 0x805E,
                                                0x805F, 0x8060, 0x8061};
    static const GLenum kinds[GL_COMPONENTS] = {0x8C10, 0x8C11, 0x8C12,
                                                0x8C13, 0x8C14, 0x8C15};
    GLint bits[GL_COMPONENTS];
    GLenum type = 0;
    for (unsigned i = 0; i < GL_COMPONENTS; i++) {
        bits[i] = level_value(gl, target, 0, sizes[i]);
        if (bits[i] && !type)
            type = (GLenum)level_value(gl, target, 0, kinds[i]);
    }
    return format_of_components(bits, type, out);
}

static CUDA_ARRAY3D_DESCRIPTOR read_extent(const struct gl *gl,
                                           const struct target *t, GLint level)
{
    CUDA_ARRAY3D_DESCRIPTOR d = {.Flags = t->flags};
    d.Width = (size_t)level_value(gl, t->name, level, GL_TEXTURE_WIDTH);
    d.Height = (size_t)level_value(gl, t->name, level, GL_TEXTURE_HEIGHT);
    if (t->is_deep)
        d.Depth = (size_t)level_value(gl, t->name, level, GL_TEXTURE_DEPTH);
    if (t->flags & CUDA_ARRAY3D_CUBEMAP)
        d.Depth = 6;
    return d;
}

static bool has_level(const struct gl *gl, const struct target *t,
                      const CUDA_ARRAY3D_DESCRIPTOR *first, unsigned level)
{
    if (!(first->Width >> level) && !(first->Height >> level))
        return false;
    CUDA_ARRAY3D_DESCRIPTOR d = read_extent(gl, t, (GLint)level);
    return d.Width == array_level_size(first->Width, level) &&
           d.Height == array_level_size(first->Height, level);
}

static CUresult read_bound(const struct gl *gl, const struct target *t,
                           struct graphics_image *out)
{
    *out = (struct graphics_image){.target = t->name,
                                   .desc = read_extent(gl, t, 0)};
    if (!out->desc.Width || !out->desc.Height ||
        !read_format(gl, t->name, &out->format))
        return CUDA_ERROR_INVALID_VALUE;
    out->levels = 1;
    while (out->levels < ARRAY_LEVELS_MAX &&
           has_level(gl, t, &out->desc, out->levels))
        out->levels++;
    return CUDA_SUCCESS;
}

static GLuint bind_image(const struct gl *gl, const struct target *t,
                         GLuint name)
{
    GLuint before = (GLuint)gl_integer(gl, t->binding);
    assert(name);
    gl->glBindTexture(t->name, name);
    return before;
}

static CUresult texture_read(const struct gl *gl, GLuint name, GLenum target,
                             struct graphics_image *out)
{
    const struct target *t = find_target(target);
    if (!t)
        return CUDA_ERROR_INVALID_VALUE;
    if (!gl->glIsTexture(name))
        return CUDA_ERROR_INVALID_HANDLE;
    GLuint before = bind_image(gl, t, name);
    CUresult err =
        gl_has_failed(gl) ? CUDA_ERROR_INVALID_VALUE : read_bound(gl, t, out);
    gl->glBindTexture(target, before);
    return err;
}

static unsigned array_flags(unsigned flags)
{
    return (flags & CU_GRAPHICS_REGISTER_FLAGS_SURFACE_LDST
                ? (unsigned)CUDA_ARRAY3D_SURFACE_LDST
                : 0) |
           (flags & CU_GRAPHICS_REGISTER_FLAGS_TEXTURE_GATHER
                ? (unsigned)CUDA_ARRAY3D_TEXTURE_GATHER
                : 0);
}

CUresult image_read(const struct gl *gl, GLuint name, GLenum target,
                    unsigned flags, struct graphics_image *out)
{
    if (gl->is_es) /* OpenGL ES cannot read textures */
        return CUDA_ERROR_NOT_SUPPORTED;
    CUresult err = target == GL_RENDERBUFFER
                       ? renderbuffer_read(gl, name, out)
                       : texture_read(gl, name, target, out);
    if (err)
        return err;
    out->desc.Format = out->format.format;
    out->desc.NumChannels = out->format.channels;
    out->desc.Flags |= array_flags(flags);
    return CUDA_SUCCESS;
}

/* ---- our side ------------------------------------------------------------ */

static bool are_alike(const struct graphics_image *a,
                      const struct graphics_image *b)
{
    return a->levels == b->levels && a->desc.Width == b->desc.Width &&
           a->desc.Height == b->desc.Height && a->desc.Depth == b->desc.Depth &&
           a->desc.Format == b->desc.Format &&
           a->desc.NumChannels == b->desc.NumChannels &&
           a->format.gl_format == b->format.gl_format;
}

void image_fini(CUgraphicsResource r)
{
    if (r->mipmap)
        mipmap_end_mapped(r->mipmap);
}

/* The program may have reshaped the texture since it was registered. */
CUresult image_fit(const struct gl *gl, CUgraphicsResource r)
{
    struct graphics_image now;
    CUmipmappedArray mipmap;
    CUresult err = image_read(gl, r->name, r->image.target, r->flags, &now);
    if (err || (r->mipmap && are_alike(&now, &r->image)))
        return err;
    err = mipmap_create_mapped(r->ctx, &now.desc, now.levels, &mipmap);
    if (err)
        return err;
    image_fini(r);
    r->mipmap = mipmap;
    r->image = now;
    return CUDA_SUCCESS;
}

/* ---- transfers ----------------------------------------------------------- */

static void get_level(const struct gl *gl, const struct graphics_image *image,
                      CUarray a, GLint level)
{
    const struct graphics_format *f = &image->format;
    if (!is_cube(image)) {
        gl->glGetTexImage(image->target, level, f->gl_format, f->gl_type,
                          a->data);
        return;
    }
    for (GLenum face = 0; face < 6; face++)
        gl->glGetTexImage(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, level,
                          f->gl_format, f->gl_type,
                          a->data + face * a->slice_bytes);
}

static void put_level(const struct gl *gl, const struct graphics_image *image,
                      CUarray a, GLint level)
{
    const struct graphics_format *f = &image->format;
    GLsizei width = (GLsizei)a->desc.Width, height = (GLsizei)a->desc.Height;
    if (is_cube(image)) {
        for (GLenum face = 0; face < 6; face++)
            gl->glTexSubImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, level, 0,
                                0, width, height, f->gl_format, f->gl_type,
                                a->data + face * a->slice_bytes);
    } else if (image->desc.Depth) {
        gl->glTexSubImage3D(image->target, level, 0, 0, 0, width, height,
                            (GLsizei)a->desc.Depth, f->gl_format, f->gl_type,
                            a->data);
    } else {
        gl->glTexSubImage2D(image->target, level, 0, 0, width, height,
                            f->gl_format, f->gl_type, a->data);
    }
}

static bool transfer_levels(const struct gl *gl, CUgraphicsResource r,
                            enum pixel_way way,
                            void (*level)(const struct gl *gl,
                                          const struct graphics_image *image,
                                          CUarray a, GLint level))
{
    struct pixel_state before;
    if (!gl->glIsTexture(r->name)) /* binding would create it */
        return false;
    assert(r->image.levels <= ARRAY_LEVELS_MAX);
    GLuint bound = bind_image(gl, find_target(r->image.target), r->name);
    pixels_begin(gl, way, &before);
    for (unsigned i = 0; i < r->image.levels; i++) {
        CUarray a = &r->mipmap->levels[i];
        pixels_describe(gl, way, a);
        level(gl, &r->image, a, (GLint)i);
    }
    bool ok = !gl_has_failed(gl);
    pixels_end(gl, way, &before);
    gl->glBindTexture(r->image.target, bound);
    gl_forget_errors(gl);
    return ok;
}

CUresult texture_fetch(const struct gl *gl, CUgraphicsResource r)
{
    return transfer_levels(gl, r, PIXELS_OUT, get_level)
               ? CUDA_SUCCESS
               : CUDA_ERROR_MAP_FAILED;
}

CUresult texture_store(const struct gl *gl, CUgraphicsResource r)
{
    return transfer_levels(gl, r, PIXELS_IN, put_level)
               ? CUDA_SUCCESS
               : CUDA_ERROR_UNMAP_FAILED;
}

static const struct graphics_kind graphics_texture = {
    .fit = image_fit,
    .fetch = texture_fetch,
    .store = texture_store,
    .fini = image_fini,
};

/* ---- registering --------------------------------------------------------- */

bool image_flags_are_known(unsigned flags)
{
    const unsigned known = CU_GRAPHICS_REGISTER_FLAGS_READ_ONLY |
                           CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD |
                           CU_GRAPHICS_REGISTER_FLAGS_SURFACE_LDST |
                           CU_GRAPHICS_REGISTER_FLAGS_TEXTURE_GATHER;
    return !(flags & ~known);
}

CUresult graphics_register_image(CUcontext ctx, unsigned image, unsigned target,
                                 unsigned flags, CUgraphicsResource *out)
{
    const struct gl *gl;
    if (!image_flags_are_known(flags) ||
        (target != GL_RENDERBUFFER && !find_target(target)))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = ctx_sticky(ctx);
    if (!err)
        err = graphics_enter(&gl);
    if (err)
        return err;
    const struct CUgraphicsResource_st r = {
        .kind = target == GL_RENDERBUFFER ? &graphics_renderbuffer
                                          : &graphics_texture,
        .ctx = ctx,
        .name = image,
        .flags = flags,
        .image.target = target,
    };
    err = graphics_add(gl, &r, out);
    graphics_leave();
    return err;
}
