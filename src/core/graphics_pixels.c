/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Transfers of texels directly to and from the rows of arrays. The program's
 * own settings for transfers are put back afterwards.
 */
#include "core/graphics_resource.h"

/* OpenGL's names for the settings of one direction. */
struct names {
    GLenum settings[PIXEL_SETTINGS];
    GLenum alignment, row_length, image_height;
    GLenum buffer, binding;
};

/* In this order: swap bytes, lowest bit first, row length, skipped rows,
 * skipped pixels, alignment, skipped images, image height. */
static const struct names all[] = {
    [PIXELS_OUT] = {{0x0D00, 0x0D01, 0x0D02, 0x0D03, 0x0D04, 0x0D05, 0x806B,
                     0x806C},
                    0x0D05,
                    0x0D02,
                    0x806C,
                    GL_PIXEL_PACK_BUFFER,
                    GL_PIXEL_PACK_BUFFER_BINDING},
    [PIXELS_IN] = {{0x0CF0, 0x0CF1, 0x0CF2, 0x0CF3, 0x0CF4, 0x0CF5, 0x806D,
                    0x806E},
                   0x0CF5,
                   0x0CF2,
                   0x806E,
                   GL_PIXEL_UNPACK_BUFFER,
                   GL_PIXEL_UNPACK_BUFFER_BINDING},
};

void pixels_begin(const struct gl *gl, enum pixel_way way,
                  struct pixel_state *out)
{
    const struct names *n = &all[way];
    out->buffer = (GLuint)gl_integer(gl, n->binding);
    gl->glBindBuffer(n->buffer, 0);
    for (unsigned i = 0; i < PIXEL_SETTINGS; i++) {
        out->values[i] = gl_integer(gl, n->settings[i]);
        gl->glPixelStorei(n->settings[i], n->settings[i] == n->alignment);
    }
}

void pixels_describe(const struct gl *gl, enum pixel_way way, CUarray a)
{
    const struct names *n = &all[way];
    assert(a->pitch_bytes % a->element_bytes == 0 &&
           a->slice_bytes % a->pitch_bytes == 0);
    gl->glPixelStorei(n->row_length,
                      (GLint)(a->pitch_bytes / a->element_bytes));
    gl->glPixelStorei(n->image_height,
                      (GLint)(a->slice_bytes / a->pitch_bytes));
}

void pixels_end(const struct gl *gl, enum pixel_way way,
                const struct pixel_state *s)
{
    const struct names *n = &all[way];
    for (unsigned i = 0; i < PIXEL_SETTINGS; i++)
        gl->glPixelStorei(n->settings[i], s->values[i]);
    gl->glBindBuffer(n->buffer, s->buffer);
}
