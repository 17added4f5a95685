/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Images of EGL. For each transfer a texture of the current OpenGL is made of
 * the image, and deleted again: if we kept its name, it could belong to
 * another context when it is deleted.
 */
#include "core/graphics_resource.h"

typedef CUresult step(const struct gl *gl, CUgraphicsResource r);

/* INVALID_HANDLE: this OpenGL cannot use the image. */
static CUresult make_texture(const struct gl *gl, void *image, GLuint *out)
{
    GLuint before = (GLuint)gl_integer(gl, GL_TEXTURE_BINDING_2D);
    gl->glGenTextures(1, out);
    gl->glBindTexture(GL_TEXTURE_2D, *out);
    gl->glEGLImageTargetTexture2DOES(GL_TEXTURE_2D, image);
    bool ok = !gl_has_failed(gl);
    gl->glBindTexture(GL_TEXTURE_2D, before);
    return ok ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

static CUresult with_texture(const struct gl *gl, CUgraphicsResource r,
                             step *one)
{
    if (!gl->glEGLImageTargetTexture2DOES)
        return CUDA_ERROR_NOT_SUPPORTED;
    CUresult err = make_texture(gl, r->egl_image, &r->name);
    if (!err)
        err = one(gl, r);
    gl->glDeleteTextures(1, &r->name);
    r->name = 0;
    return err;
}

static CUresult egl_fit(const struct gl *gl, CUgraphicsResource r)
{
    return with_texture(gl, r, image_fit);
}

static CUresult egl_fetch(const struct gl *gl, CUgraphicsResource r)
{
    return with_texture(gl, r, texture_fetch);
}

static CUresult egl_store(const struct gl *gl, CUgraphicsResource r)
{
    return with_texture(gl, r, texture_store);
}

static const struct graphics_kind kind = {
    .fit = egl_fit,
    .fetch = egl_fetch,
    .store = egl_store,
    .fini = image_fini,
};

CUresult graphics_register_egl_image(CUcontext ctx, void *image, unsigned flags,
                                     CUgraphicsResource *out)
{
    const struct gl *gl;
    if (!image || !image_flags_are_known(flags))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = ctx_sticky(ctx);
    if (!err)
        err = graphics_enter(&gl);
    if (err)
        return err;
    const struct CUgraphicsResource_st r = {.kind = &kind,
                                            .ctx = ctx,
                                            .flags = flags,
                                            .egl_image = image,
                                            .image.target = GL_TEXTURE_2D};
    err = graphics_add(gl, &r, out);
    graphics_leave();
    return err;
}
