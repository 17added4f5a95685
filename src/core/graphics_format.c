/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Formats of OpenGL that CUDA can read: one, two or four components of one
 * size and one type. OpenGL is asked for each component, so that its dozens of
 * formats need no table.
 */
#include "core/graphics_resource.h"

enum { R = 1, G = 2, B = 4, A = 8, L = 16, I = 32 };

static const struct {
    unsigned components, count;
    GLenum format, integer_format;
} shapes[] = {
    {R, 1, GL_RED, GL_RED_INTEGER},
    {R | G, 2, GL_RG, GL_RG_INTEGER},
    {R | G | B | A, 4, GL_RGBA, GL_RGBA_INTEGER},
    {L, 1, GL_LUMINANCE, GL_LUMINANCE_INTEGER},
    {A, 1, GL_ALPHA, GL_ALPHA_INTEGER},
    {L | A, 2, GL_LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA_INTEGER},
    {I, 1, GL_RED, GL_RED_INTEGER},
};

static const struct {
    GLenum type;
    GLint bits;
    CUarray_format format;
    GLenum transfer_type;
    bool is_integer;
} types[] = {
    {GL_UNSIGNED_NORMALIZED, 8, CU_AD_FORMAT_UNSIGNED_INT8, GL_UNSIGNED_BYTE,
     false},
    {GL_UNSIGNED_NORMALIZED, 16, CU_AD_FORMAT_UNSIGNED_INT16, GL_UNSIGNED_SHORT,
     false},
    {GL_FLOAT, 16, CU_AD_FORMAT_HALF, GL_HALF_FLOAT, false},
    {GL_FLOAT, 32, CU_AD_FORMAT_FLOAT, GL_FLOAT, false},
    {GL_UNSIGNED_INT, 8, CU_AD_FORMAT_UNSIGNED_INT8, GL_UNSIGNED_BYTE, true},
    {GL_UNSIGNED_INT, 16, CU_AD_FORMAT_UNSIGNED_INT16, GL_UNSIGNED_SHORT, true},
    {GL_UNSIGNED_INT, 32, CU_AD_FORMAT_UNSIGNED_INT32, GL_UNSIGNED_INT, true},
    {GL_INT, 8, CU_AD_FORMAT_SIGNED_INT8, GL_BYTE, true},
    {GL_INT, 16, CU_AD_FORMAT_SIGNED_INT16, GL_SHORT, true},
    {GL_INT, 32, CU_AD_FORMAT_SIGNED_INT32, GL_INT, true},
};

static bool find_type(GLenum type, GLint bits, size_t *out)
{
    for (size_t i = 0; i < ARRAY_COUNT(types); i++) {
        if (types[i].type != type || types[i].bits != bits)
            continue;
        *out = i;
        return true;
    }
    return false;
}

bool format_of_components(const GLint bits[GL_COMPONENTS], GLenum type,
                          struct graphics_format *out)
{
    unsigned components = 0;
    GLint each = 0;
    size_t t;
    for (unsigned i = 0; i < GL_COMPONENTS; i++) {
        if (!bits[i])
            continue;
        if (each && bits[i] != each)
            return false;
        each = bits[i];
        components |= 1u << i;
    }
    if (!find_type(type, each, &t))
        return false;
    for (size_t i = 0; i < ARRAY_COUNT(shapes); i++) {
        if (shapes[i].components != components)
            continue;
        *out = (struct graphics_format){
            .format = types[t].format,
            .channels = shapes[i].count,
            .gl_format = types[t].is_integer ? shapes[i].integer_format
                                             : shapes[i].format,
            .gl_type = types[t].transfer_type,
        };
        return true;
    }
    return false;
}
