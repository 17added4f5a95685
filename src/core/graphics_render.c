/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Renderbuffers of OpenGL. They are read through a framebuffer of our own, and
 * written by a blit from a texture of the same format, as OpenGL cannot write
 * them directly.
 */
#include "core/graphics_resource.h"

/* ---- a framebuffer of our own -------------------------------------------- */

struct frame {
    GLenum target, binding;
    GLuint name, before;
};

static struct frame frame_begin(const struct gl *gl, GLenum target)
{
    struct frame f = {
        .target = target,
        .binding = target == GL_READ_FRAMEBUFFER ? GL_READ_FRAMEBUFFER_BINDING
                                                 : GL_DRAW_FRAMEBUFFER_BINDING,
    };
    f.before = (GLuint)gl_integer(gl, f.binding);
    gl->glGenFramebuffers(1, &f.name);
    gl->glBindFramebuffer(target, f.name);
    return f;
}

static void frame_end(const struct gl *gl, struct frame *f)
{
    gl->glBindFramebuffer(f->target, f->before);
    gl->glDeleteFramebuffers(1, &f->name);
}

static void attach_renderbuffer(const struct gl *gl, const struct frame *f,
                                GLuint name)
{
    gl->glFramebufferRenderbuffer(f->target, GL_COLOR_ATTACHMENT0,
                                  GL_RENDERBUFFER, name);
}

/* ---- what it is ---------------------------------------------------------- */

static GLenum component_type(const struct gl *gl, GLuint name)
{
    GLint type = 0;
    struct frame f = frame_begin(gl, GL_READ_FRAMEBUFFER);
    attach_renderbuffer(gl, &f, name);
    gl->glGetFramebufferAttachmentParameteriv(
        GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
        GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE, &type);
    frame_end(gl, &f);
    return gl_has_failed(gl) ? 0 : (GLenum)type;
}

static GLint renderbuffer_value(const struct gl *gl, GLenum name)
{
    GLint n = 0;
    gl->glGetRenderbufferParameteriv(GL_RENDERBUFFER, name, &n);
    return n;
}

CUresult renderbuffer_read(const struct gl *gl, GLuint name,
                           struct graphics_image *out)
{
    if (!gl->glIsRenderbuffer || !gl->glIsRenderbuffer(name))
        return CUDA_ERROR_INVALID_HANDLE;
    GLint bits[GL_COMPONENTS] = {0};
    GLuint before = (GLuint)gl_integer(gl, GL_RENDERBUFFER_BINDING);
    gl->glBindRenderbuffer(GL_RENDERBUFFER, name);
    *out = (struct graphics_image){
        .target = GL_RENDERBUFFER,
        .internal =
            (GLenum)renderbuffer_value(gl, GL_RENDERBUFFER_INTERNAL_FORMAT),
        .levels = 1,
    };
    out->desc.Width = (size_t)renderbuffer_value(gl, GL_RENDERBUFFER_WIDTH);
    out->desc.Height = (size_t)renderbuffer_value(gl, GL_RENDERBUFFER_HEIGHT);
    GLint samples = renderbuffer_value(gl, GL_RENDERBUFFER_SAMPLES);
    for (GLenum i = 0; i < 4; i++) /* red, green, blue, alpha */
        bits[i] = renderbuffer_value(gl, GL_RENDERBUFFER_RED_SIZE + i);
    gl->glBindRenderbuffer(GL_RENDERBUFFER, before);
    if (!out->desc.Width || !out->desc.Height || samples > 1 ||
        !format_of_components(bits, component_type(gl, name), &out->format))
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

/* ---- transfers ----------------------------------------------------------- */

static CUresult renderbuffer_fetch(const struct gl *gl, CUgraphicsResource r)
{
    CUarray a = &r->mipmap->levels[0];
    const struct graphics_format *format = &r->image.format;
    struct pixel_state before;
    struct frame f = frame_begin(gl, GL_READ_FRAMEBUFFER);
    attach_renderbuffer(gl, &f, r->name);
    gl->glReadBuffer(GL_COLOR_ATTACHMENT0);
    pixels_begin(gl, PIXELS_OUT, &before);
    pixels_describe(gl, PIXELS_OUT, a);
    gl->glReadPixels(0, 0, (GLsizei)a->desc.Width, (GLsizei)a->desc.Height,
                     format->gl_format, format->gl_type, a->data);
    bool ok = !gl_has_failed(gl);
    pixels_end(gl, PIXELS_OUT, &before);
    frame_end(gl, &f);
    return ok ? CUDA_SUCCESS : CUDA_ERROR_MAP_FAILED;
}

static GLuint make_texture(const struct gl *gl, CUgraphicsResource r)
{
    CUarray a = &r->mipmap->levels[0];
    const struct graphics_format *format = &r->image.format;
    struct pixel_state before;
    GLuint texture = 0, bound = (GLuint)gl_integer(gl, GL_TEXTURE_BINDING_2D);
    gl->glGenTextures(1, &texture);
    gl->glBindTexture(GL_TEXTURE_2D, texture);
    pixels_begin(gl, PIXELS_IN, &before);
    pixels_describe(gl, PIXELS_IN, a);
    gl->glTexImage2D(GL_TEXTURE_2D, 0, (GLint)r->image.internal,
                     (GLsizei)a->desc.Width, (GLsizei)a->desc.Height, 0,
                     format->gl_format, format->gl_type, a->data);
    pixels_end(gl, PIXELS_IN, &before);
    gl->glBindTexture(GL_TEXTURE_2D, bound);
    return texture;
}

/* The scissor box would clip the blit. */
static void blit_unclipped(const struct gl *gl, GLint width, GLint height)
{
    GLboolean is_cut = gl->glIsEnabled(GL_SCISSOR_TEST);
    gl->glDisable(GL_SCISSOR_TEST);
    gl->glBlitFramebuffer(0, 0, width, height, 0, 0, width, height,
                          GL_COLOR_BUFFER_BIT, GL_NEAREST);
    if (is_cut)
        gl->glEnable(GL_SCISSOR_TEST);
}

static CUresult renderbuffer_store(const struct gl *gl, CUgraphicsResource r)
{
    GLuint texture = make_texture(gl, r);
    struct frame from = frame_begin(gl, GL_READ_FRAMEBUFFER);
    struct frame to = frame_begin(gl, GL_DRAW_FRAMEBUFFER);
    gl->glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                               GL_TEXTURE_2D, texture, 0);
    gl->glReadBuffer(GL_COLOR_ATTACHMENT0);
    attach_renderbuffer(gl, &to, r->name);
    blit_unclipped(gl, (GLint)r->image.desc.Width, (GLint)r->image.desc.Height);
    bool ok = !gl_has_failed(gl);
    frame_end(gl, &to);
    frame_end(gl, &from);
    gl->glDeleteTextures(1, &texture);
    return ok ? CUDA_SUCCESS : CUDA_ERROR_UNMAP_FAILED;
}

const struct graphics_kind graphics_renderbuffer = {
    .fit = image_fit,
    .fetch = renderbuffer_fetch,
    .store = renderbuffer_store,
    .fini = image_fini,
};
