/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a graphics resource is, for the files of core that make them:
 *
 *   graphics.c         registering and mapping, whatever the kind
 *   graphics_buffer.c  buffers of OpenGL
 *   graphics_image.c   its textures; graphics_render.c its
 *                      renderbuffers; graphics_format.c what their texels are;
 *                      graphics_pixels.c transfers of these
 *   graphics_egl.c     images of EGL; graphics_egl_sync.c its fences
 *   gl.c               finding OpenGL in the process
 *
 * All of it is called under one lock.
 */
#ifndef WEFT_CORE_GRAPHICS_RESOURCE_H
#define WEFT_CORE_GRAPHICS_RESOURCE_H

#include "core/array.h"
#include "core/gl.h"
#include "core/graphics.h"
#include "core/internal.h"

/* The format of an image's texels in CUDA arrays and in transfers of
 * OpenGL. */
struct graphics_format {
    CUarray_format format;
    unsigned channels;
    GLenum gl_format, gl_type;
};

struct graphics_image {
    GLenum target;
    GLenum internal; /* a renderbuffer's format; else 0 */
    struct graphics_format format;
    CUDA_ARRAY3D_DESCRIPTOR desc;
    unsigned levels;
};

/* What a kind of resource does. `gl` is current. */
struct graphics_kind {
    /* Makes our memory as large as the object is now. */
    CUresult (*fit)(const struct gl *gl, CUgraphicsResource r);
    /* Copy the object to our memory, and back. */
    CUresult (*fetch)(const struct gl *gl, CUgraphicsResource r);
    CUresult (*store)(const struct gl *gl, CUgraphicsResource r);
    void (*fini)(CUgraphicsResource r);
};

struct CUgraphicsResource_st {
    struct list in_all;
    const struct graphics_kind *kind;
    CUcontext ctx;
    GLuint name;
    unsigned flags;     /* CU_GRAPHICS_REGISTER_FLAGS_* */
    /* CU_GRAPHICS_MAP_RESOURCE_FLAGS_* for the next mapping */
    unsigned map_flags;
    unsigned mapped_flags; /* both, as they were at the last mapping */
    bool is_mapped, is_by_name;
    /* a buffer: */
    void *memory;
    size_t size_bytes;
    /* an image: */
    void *egl_image; /* EGL's, or NULL */
    struct graphics_image image;
    CUmipmappedArray mipmap;
    VEC(CUarray) views; /* of slices, until unmapped */
};

/* Reads the properties of an image. INVALID_VALUE: it cannot be shared. */
CUresult image_read(const struct gl *gl, GLuint name, GLenum target,
                    unsigned flags, struct graphics_image *out);
bool image_flags_are_known(unsigned flags);
CUresult texture_fetch(const struct gl *gl, CUgraphicsResource r);
CUresult texture_store(const struct gl *gl, CUgraphicsResource r);
CUresult image_fit(const struct gl *gl, CUgraphicsResource r);
void image_fini(CUgraphicsResource r);

/* graphics_format.c: the format for sizes of components in bits (red,
 * green, blue, alpha, luminance, intensity) and their one type. False: CUDA
 * has none. */
enum { GL_COMPONENTS = 6 };
bool format_of_components(const GLint bits[GL_COMPONENTS], GLenum type,
                          struct graphics_format *out);

/* graphics_pixels.c: between begin and end, transfers use the rows and slices
 * of the array that was described last. */
enum pixel_way { PIXELS_OUT, PIXELS_IN }; /* as OpenGL sees it */
enum { PIXEL_SETTINGS = 8 };
struct pixel_state {
    GLint values[PIXEL_SETTINGS];
    GLuint buffer;
};
void pixels_begin(const struct gl *gl, enum pixel_way way,
                  struct pixel_state *out);
void pixels_describe(const struct gl *gl, enum pixel_way way, CUarray a);
void pixels_end(const struct gl *gl, enum pixel_way way,
                const struct pixel_state *s);

/* graphics_render.c */
CUresult renderbuffer_read(const struct gl *gl, GLuint name,
                           struct graphics_image *out);
extern const struct graphics_kind graphics_renderbuffer;

/* Adds a resource like `r`. After an error nothing is left of it. */
CUresult graphics_add(const struct gl *gl,
                      const struct CUgraphicsResource_st *r,
                      CUgraphicsResource *out);
/* graphics_enter takes the lock if it succeeds. */
CUresult graphics_enter(const struct gl **gl);
void graphics_leave(void);

#endif
