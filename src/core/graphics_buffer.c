/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffers of OpenGL. They are bound to GL_ARRAY_BUFFER, which is part of no
 * other object's state; what was bound there is bound again afterwards.
 */
#include "core/graphics_resource.h"

static GLuint bind_buffer(const struct gl *gl, GLuint buffer)
{
    GLuint before = (GLuint)gl_integer(gl, GL_ARRAY_BUFFER_BINDING);
    gl->glBindBuffer(GL_ARRAY_BUFFER, buffer);
    return before;
}

/* Size of the buffer that is bound. */
static size_t size_of_bound(const struct gl *gl)
{
    int64_t wide = 0;
    if (gl->glGetBufferParameteri64v) {
        gl->glGetBufferParameteri64v(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &wide);
        if (!gl_has_failed(gl))
            return wide > 0 ? (size_t)wide : 0;
    }
    GLint size = 0;
    gl->glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &size);
    return size > 0 ? (size_t)size : 0;
}

static void buffer_fini(CUgraphicsResource r)
{
    if (r->memory)
        mem_release(r->memory, MEM_OPENED);
}

/* The program may have resized the buffer since it was registered. */
static CUresult buffer_fit(const struct gl *gl, CUgraphicsResource r)
{
    if (!gl->glIsBuffer(r->name))
        return CUDA_ERROR_INVALID_HANDLE;
    GLuint before = bind_buffer(gl, r->name);
    size_t size_bytes = size_of_bound(gl);
    gl->glBindBuffer(GL_ARRAY_BUFFER, before);
    if (!size_bytes)
        return CUDA_ERROR_INVALID_VALUE;
    if (size_bytes == r->size_bytes)
        return CUDA_SUCCESS;
    void *memory = mem_alloc_owned(size_bytes, MEM_OPENED, r);
    if (!memory)
        return CUDA_ERROR_OUT_OF_MEMORY;
    buffer_fini(r);
    r->memory = memory;
    r->size_bytes = size_bytes;
    return CUDA_SUCCESS;
}

/* OpenGL ES can read a buffer only by mapping it. */
static void read_mapped(const struct gl *gl, CUgraphicsResource r)
{
    const void *p = gl->glMapBufferRange(
        GL_ARRAY_BUFFER, 0, (GLintptr)r->size_bytes, GL_MAP_READ_BIT);
    if (!p)
        return; /* OpenGL keeps the error */
    memcpy(r->memory, p, r->size_bytes);
    gl->glUnmapBuffer(GL_ARRAY_BUFFER);
}

static CUresult buffer_fetch(const struct gl *gl, CUgraphicsResource r)
{
    assert(r->memory && r->size_bytes); /* buffer_fit was here */
    GLuint before = bind_buffer(gl, r->name);
    if (gl->is_es)
        read_mapped(gl, r);
    else
        gl->glGetBufferSubData(GL_ARRAY_BUFFER, 0, (GLintptr)r->size_bytes,
                               r->memory);
    bool ok = !gl_has_failed(gl);
    gl->glBindBuffer(GL_ARRAY_BUFFER, before);
    return ok ? CUDA_SUCCESS : CUDA_ERROR_MAP_FAILED;
}

/* For a buffer with immutable storage, which only OpenGL itself may write. */
static void store_by_copy(const struct gl *gl, CUgraphicsResource r)
{
    GLuint before = (GLuint)gl_integer(gl, GL_COPY_READ_BUFFER_BINDING);
    GLuint staged = 0;
    gl->glGenBuffers(1, &staged);
    gl->glBindBuffer(GL_COPY_READ_BUFFER, staged);
    gl->glBufferData(GL_COPY_READ_BUFFER, (GLintptr)r->size_bytes, r->memory,
                     GL_STREAM_COPY);
    gl->glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_ARRAY_BUFFER, 0, 0,
                            (GLintptr)r->size_bytes);
    gl->glBindBuffer(GL_COPY_READ_BUFFER, before);
    gl->glDeleteBuffers(1, &staged);
}

static CUresult buffer_store(const struct gl *gl, CUgraphicsResource r)
{
    if (!gl->glIsBuffer(r->name)) /* binding would create it */
        return CUDA_ERROR_UNMAP_FAILED;
    GLuint before = bind_buffer(gl, r->name);
    bool ok = size_of_bound(gl) == r->size_bytes;
    if (ok) {
        gl->glBufferSubData(GL_ARRAY_BUFFER, 0, (GLintptr)r->size_bytes,
                            r->memory);
        ok = !gl_has_failed(gl);
        if (!ok && gl->glCopyBufferSubData) {
            store_by_copy(gl, r);
            ok = !gl_has_failed(gl);
        }
    }
    gl->glBindBuffer(GL_ARRAY_BUFFER, before);
    gl_forget_errors(gl);
    return ok ? CUDA_SUCCESS : CUDA_ERROR_UNMAP_FAILED;
}

static const struct graphics_kind kind = {
    .fit = buffer_fit,
    .fetch = buffer_fetch,
    .store = buffer_store,
    .fini = buffer_fini,
};

static CUresult add_buffer(const struct CUgraphicsResource_st *r,
                           CUgraphicsResource *out)
{
    const struct gl *gl;
    if (!r->name || r->flags > CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = ctx_sticky(r->ctx);
    if (!err)
        err = graphics_enter(&gl);
    if (err)
        return err;
    err = graphics_add(gl, r, out);
    graphics_leave();
    return err;
}

CUresult graphics_register_buffer(CUcontext ctx, unsigned buffer,
                                  unsigned flags, CUgraphicsResource *out)
{
    const struct CUgraphicsResource_st r = {
        .kind = &kind, .ctx = ctx, .name = buffer, .flags = flags};
    return add_buffer(&r, out);
}

CUresult graphics_register_by_name(CUcontext ctx, unsigned buffer)
{
    const struct CUgraphicsResource_st r = {
        .kind = &kind, .ctx = ctx, .name = buffer, .is_by_name = true};
    CUgraphicsResource made;
    if (!graphics_find_by_name(buffer, &made))
        return CUDA_ERROR_INVALID_VALUE;
    return add_buffer(&r, &made);
}
