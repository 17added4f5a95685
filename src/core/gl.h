/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OpenGL as this process has it. We do not link it, and its headers need not
 * be installed: the few types and names that we use are here, with the values
 * of the Khronos registry.
 */
#ifndef WEFT_CORE_GL_H
#define WEFT_CORE_GL_H

#include "base/base.h"
#include "cuda.h"

typedef unsigned int GLenum, GLuint;
typedef int GLint, GLsizei;
typedef unsigned char GLboolean, GLubyte;
typedef intptr_t GLintptr;

enum {
    GL_NO_ERROR = 0,
    GL_VERSION = 0x1F02,
    GL_SCISSOR_TEST = 0x0C11,
    GL_NEAREST = 0x2600,

    GL_BYTE = 0x1400,
    GL_UNSIGNED_BYTE = 0x1401,
    GL_SHORT = 0x1402,
    GL_UNSIGNED_SHORT = 0x1403,
    GL_INT = 0x1404,
    GL_UNSIGNED_INT = 0x1405,
    GL_FLOAT = 0x1406,
    GL_HALF_FLOAT = 0x140B,
    GL_UNSIGNED_NORMALIZED = 0x8C17,

    GL_RED = 0x1903,
    GL_ALPHA = 0x1906,
    GL_RGBA = 0x1908,
    GL_LUMINANCE = 0x1909,
    GL_LUMINANCE_ALPHA = 0x190A,
    GL_RG = 0x8227,
    GL_RG_INTEGER = 0x8228,
    GL_RED_INTEGER = 0x8D94,
    GL_ALPHA_INTEGER = 0x8D97,
    GL_RGBA_INTEGER = 0x8D99,
    GL_LUMINANCE_INTEGER = 0x8D9C,
    GL_LUMINANCE_ALPHA_INTEGER = 0x8D9D,

    GL_ARRAY_BUFFER = 0x8892,
    GL_ARRAY_BUFFER_BINDING = 0x8894,
    GL_BUFFER_SIZE = 0x8764,
    GL_STREAM_COPY = 0x88E2,
    GL_COPY_READ_BUFFER = 0x8F36,
    GL_COPY_READ_BUFFER_BINDING = 0x8F36,
    GL_MAP_READ_BIT = 1,

    GL_TEXTURE_2D = 0x0DE1,
    GL_TEXTURE_BINDING_2D = 0x8069,
    GL_TEXTURE_3D = 0x806F,
    GL_TEXTURE_BINDING_3D = 0x806A,
    GL_TEXTURE_RECTANGLE = 0x84F5,
    GL_TEXTURE_BINDING_RECTANGLE = 0x84F6,
    GL_TEXTURE_CUBE_MAP = 0x8513,
    GL_TEXTURE_BINDING_CUBE_MAP = 0x8514,
    GL_TEXTURE_CUBE_MAP_POSITIVE_X = 0x8515,
    GL_TEXTURE_2D_ARRAY = 0x8C1A,
    GL_TEXTURE_BINDING_2D_ARRAY = 0x8C1D,
    GL_TEXTURE_WIDTH = 0x1000,
    GL_TEXTURE_HEIGHT = 0x1001,
    GL_TEXTURE_DEPTH = 0x8071,
    GL_TEXTURE_RED_SIZE = 0x805C,
    GL_TEXTURE_RED_TYPE = 0x8C10,

    GL_RENDERBUFFER = 0x8D41,
    GL_RENDERBUFFER_BINDING = 0x8CA7,
    GL_RENDERBUFFER_WIDTH = 0x8D42,
    GL_RENDERBUFFER_HEIGHT = 0x8D43,
    GL_RENDERBUFFER_INTERNAL_FORMAT = 0x8D44,
    GL_RENDERBUFFER_RED_SIZE = 0x8D50,
    GL_RENDERBUFFER_SAMPLES = 0x8CAB,
    GL_READ_FRAMEBUFFER = 0x8CA8,
    GL_READ_FRAMEBUFFER_BINDING = 0x8CAA,
    GL_DRAW_FRAMEBUFFER = 0x8CA9,
    GL_DRAW_FRAMEBUFFER_BINDING = 0x8CA6,
    GL_COLOR_ATTACHMENT0 = 0x8CE0,
    GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE = 0x8211,
    GL_COLOR_BUFFER_BIT = 0x4000,

    GL_PACK_ALIGNMENT = 0x0D05,
    GL_UNPACK_ALIGNMENT = 0x0CF5,
    GL_PIXEL_PACK_BUFFER = 0x88EB,
    GL_PIXEL_PACK_BUFFER_BINDING = 0x88ED,
    GL_PIXEL_UNPACK_BUFFER = 0x88EC,
    GL_PIXEL_UNPACK_BUFFER_BINDING = 0x88EF
};

struct gl {
#define GL_FUNCTION(result, name, parameters) result(*name) parameters;
#include "core/gl_functions.def"
    bool is_es;
};

/* The OpenGL that is current in the calling thread; *out stays valid.
 * OPERATING_SYSTEM: the process has none; INVALID_GRAPHICS_CONTEXT: no context
 * is current. A function that this OpenGL lacks is NULL, or reports errors. */
CUresult gl_current(const struct gl **out);

/* A function of EGL; NULL: there is none. */
void *gl_find_egl(const char *name);

/* Clears the errors that OpenGL keeps; the program can no longer ask for
 * them. */
void gl_forget_errors(const struct gl *gl);
bool gl_has_failed(const struct gl *gl);
GLint gl_integer(const struct gl *gl, GLenum name);

#endif
