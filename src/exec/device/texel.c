/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/device/texel.h"

#include <assert.h>
#include <math.h>

const uint16_t texel_of_srgb[257] = {
    0x0000, 0x39a0, 0x3a20, 0x3a70, 0x3aa0, 0x3ac8, 0x3af0, 0x3b0c, 0x3b20,
    0x3b34, 0x3b48, 0x3b5c, 0x3b70, 0x3b84, 0x3b90, 0x3b9c, 0x3baa, 0x3bb8,
    0x3bc6, 0x3bd6, 0x3be6, 0x3bf6, 0x3c03, 0x3c0c, 0x3c16, 0x3c1f, 0x3c29,
    0x3c34, 0x3c3e, 0x3c49, 0x3c55, 0x3c60, 0x3c6c, 0x3c7a, 0x3c83, 0x3c8a,
    0x3c91, 0x3c98, 0x3c9f, 0x3ca6, 0x3cae, 0x3cb6, 0x3cbe, 0x3cc6, 0x3cce,
    0x3cd7, 0x3ce0, 0x3ce9, 0x3cf2, 0x3cfc, 0x3d03, 0x3d08, 0x3d0d, 0x3d12,
    0x3d17, 0x3d1c, 0x3d22, 0x3d28, 0x3d2d, 0x3d33, 0x3d39, 0x3d3f, 0x3d45,
    0x3d4c, 0x3d52, 0x3d58, 0x3d60, 0x3d66, 0x3d6c, 0x3d74, 0x3d7a, 0x3d81,
    0x3d85, 0x3d88, 0x3d8c, 0x3d90, 0x3d94, 0x3d98, 0x3d9c, 0x3da0, 0x3da4,
    0x3da9, 0x3dad, 0x3db1, 0x3db6, 0x3dba, 0x3dbf, 0x3dc3, 0x3dc8, 0x3dcd,
    0x3dd1, 0x3dd6, 0x3ddb, 0x3de0, 0x3de5, 0x3dea, 0x3df0, 0x3df4, 0x3dfa,
    0x3e00, 0x3e02, 0x3e05, 0x3e08, 0x3e0b, 0x3e0e, 0x3e11, 0x3e14, 0x3e17,
    0x3e1a, 0x3e1d, 0x3e20, 0x3e23, 0x3e26, 0x3e29, 0x3e2c, 0x3e30, 0x3e33,
    0x3e36, 0x3e3a, 0x3e3d, 0x3e40, 0x3e44, 0x3e47, 0x3e4b, 0x3e4e, 0x3e52,
    0x3e56, 0x3e59, 0x3e5d, 0x3e61, 0x3e65, 0x3e68, 0x3e6c, 0x3e70, 0x3e74,
    0x3e78, 0x3e7c, 0x3e80, 0x3e82, 0x3e84, 0x3e86, 0x3e88, 0x3e8a, 0x3e8d,
    0x3e8f, 0x3e91, 0x3e93, 0x3e95, 0x3e98, 0x3e9a, 0x3e9c, 0x3e9e, 0x3ea1,
    0x3ea3, 0x3ea5, 0x3ea8, 0x3eaa, 0x3ead, 0x3eaf, 0x3eb2, 0x3eb4, 0x3eb6,
    0x3eb9, 0x3ebc, 0x3ebe, 0x3ec1, 0x3ec3, 0x3ec6, 0x3ec8, 0x3ecb, 0x3ece,
    0x3ed1, 0x3ed3, 0x3ed6, 0x3ed9, 0x3edb, 0x3ede, 0x3ee1, 0x3ee4, 0x3ee7,
    0x3eea, 0x3eed, 0x3ef0, 0x3ef2, 0x3ef6, 0x3ef8, 0x3efc, 0x3efe, 0x3f01,
    0x3f02, 0x3f04, 0x3f05, 0x3f07, 0x3f09, 0x3f0a, 0x3f0c, 0x3f0d, 0x3f0f,
    0x3f11, 0x3f12, 0x3f14, 0x3f16, 0x3f17, 0x3f19, 0x3f1b, 0x3f1c, 0x3f1e,
    0x3f20, 0x3f21, 0x3f23, 0x3f25, 0x3f27, 0x3f29, 0x3f2a, 0x3f2c, 0x3f2e,
    0x3f30, 0x3f32, 0x3f33, 0x3f35, 0x3f37, 0x3f39, 0x3f3b, 0x3f3d, 0x3f3f,
    0x3f41, 0x3f43, 0x3f45, 0x3f47, 0x3f49, 0x3f4b, 0x3f4d, 0x3f4f, 0x3f51,
    0x3f53, 0x3f55, 0x3f57, 0x3f59, 0x3f5b, 0x3f5d, 0x3f5f, 0x3f61, 0x3f63,
    0x3f65, 0x3f68, 0x3f6a, 0x3f6c, 0x3f6e, 0x3f70, 0x3f72, 0x3f74, 0x3f76,
    0x3f7a, 0x3f7c, 0x3f7e, 0x3f80,
};

static float srgb_to_linear(float v)
{
    return float_of_bits((uint32_t)texel_of_srgb[(int)(v * 255 + 0.5f)] << 16);
}

/* The nearest byte of sRGB, as a float. */
static float linear_to_srgb(float v)
{
    float s =
        v <= 0.0031308f ? v * 12.92f : 1.055f * powf(v, 1 / 2.4f) - 0.055f;
    return floorf(s * 255 + 0.5f) / 255;
}

static int32_t sign_extend(uint32_t v, unsigned bytes)
{
    assert(bytes == 1 || bytes == 2 || bytes == 4);
    unsigned shift = 32 - 8 * bytes;
    return (int32_t)(v << shift) >> shift;
}

static uint32_t channel_word(const struct exec_texture *t, uint32_t raw)
{
    unsigned bytes = t->channel_bytes;
    switch ((enum texel_kind)t->kind) {
    case TEXEL_SIGNED:
        return (uint32_t)sign_extend(raw, bytes);
    case TEXEL_FLOAT:
        return bytes == 2 ? bits_of_float(half_of_bits((uint16_t)raw)) : raw;
    case TEXEL_UNSIGNED_NORMALIZED:
        return bits_of_float((float)raw / (float)((1u << 8 * bytes) - 1));
    case TEXEL_SIGNED_NORMALIZED:
        return bits_of_float((float)sign_extend(raw, bytes) /
                             (float)((1 << (8 * bytes - 1)) - 1));
    default:
        return raw;
    }
}

static void read_channels(const struct exec_texture *t, const uint8_t *element,
                          uint32_t out[4])
{
    for (unsigned i = 0; i < t->channels; i++) {
        uint32_t raw = 0;
        memcpy(&raw, element + i * t->channel_bytes, t->channel_bytes);
        out[i] = channel_word(t, raw);
    }
}

static void read_packed(const struct exec_texture *t, const uint8_t *element,
                        uint32_t out[4])
{
    uint32_t word;
    memcpy(&word, element, sizeof word);
    for (unsigned i = 0; i < 4; i++) {
        uint32_t one = i < 3 ? 1023 : 3;
        uint32_t raw = word >> 10 * i & one;
        out[i] = t->kind == TEXEL_UNSIGNED_NORMALIZED
                     ? bits_of_float((float)raw / (float)one)
                     : raw;
    }
}

static void read_block(const struct exec_texture *t, const uint8_t *block,
                       unsigned texel, uint32_t out[4])
{
    bool is_signed = t->kind == TEXEL_SIGNED_NORMALIZED;
    float v[4] = {0, 0, 0, 1};
    switch ((enum texel_layout)t->layout) {
    case TEXEL_BC4:
        v[0] = texel_of_ramp(block, texel, is_signed);
        break;
    case TEXEL_BC5:
        v[0] = texel_of_ramp(block, texel, is_signed);
        v[1] = texel_of_ramp(block + 8, texel, is_signed);
        break;
    case TEXEL_BC6H:
    case TEXEL_BC6H_SIGNED:
        texel_of_half_block(block, texel, t->layout == TEXEL_BC6H_SIGNED, v);
        break;
    case TEXEL_BC7:
        texel_of_wide_block(block, texel, v);
        break;
    default:
        texel_of_colors((enum texel_layout)t->layout, block, texel, v);
    }
    for (unsigned i = 0; i < 4; i++)
        out[i] = bits_of_float(v[i]);
}

void texel_read(const struct exec_texture *t, const struct texture_level *l,
                uint32_t x, uint32_t y, uint32_t z, uint32_t out[4])
{
    assert(l->data && t->channels <= 4);
    bool is_block = t->layout >= TEXEL_BC1;
    unsigned side = is_block ? TEXEL_BLOCK_SIDE : 1;
    const uint8_t *element = l->data + z * l->slice_bytes +
                             y / side * l->pitch_bytes +
                             (uint64_t)(x / side) * t->element_bytes;
    out[0] = out[1] = out[2] = out[3] = 0; /* channels that it lacks */
    if (is_block)
        read_block(t, element, y % side * side + x % side, out);
    else if (t->layout == TEXEL_1010102)
        read_packed(t, element, out);
    else
        read_channels(t, element, out);
    for (unsigned i = 0; i < 3; i++)
        if (texel_is_color(t, i))
            out[i] = bits_of_float(srgb_to_linear(float_of_bits(out[i])));
}

/* ---- the border --------------------------------------------------------- */

/* Cut off to a half. */
static float cut_half(float v)
{
    float h = half_of_bits(bits_of_half(v));
    if (v != v)
        return float_of_bits(0x7fc00000);
    if (fabsf(h) <= fabsf(v))
        return h;
    return half_of_bits((uint16_t)(bits_of_half(v) - 1));
}

/* A fraction of so many bits, for which `one` stands. Four more bits of the
 * color count; what is below them is cut off, and the rest rounded, ties
 * towards zero. */
static float border_fraction(float v, float one)
{
    double unit = (double)one + 1;
    double cut = trunc(fabs((double)v) * unit * 16) / (unit * 16);
    float whole = (float)fabs(ceil(cut * (double)one - 0.5));
    return v < 0 && whole > 0 ? -whole : whole;
}

/* Blocks of one or two channels, and channels that share one word, have 16
 * bits; without a filter the three large channels lose the last six. */
static float border_of_fractions(const struct exec_texture *t, unsigned c,
                                 bool is_filtered)
{
    bool is_wide = t->layout == TEXEL_1010102 || t->layout == TEXEL_BC4 ||
                   t->layout == TEXEL_BC5;
    float least = t->kind == TEXEL_SIGNED_NORMALIZED ? -1 : 0;
    float one = (float)texel_unit(t, is_wide ? 2 : t->channel_bytes);
    float v = t->border[c];
    v = v == v ? v : 0;
    v = border_fraction(v > 1 ? 1 : v > least ? v : least, one);
    if (t->layout == TEXEL_1010102 && !is_filtered && c < 3)
        return floorf(v / 64) / 1023;
    return v / one;
}

/* A channel of the border's color, cut off to what the format holds; ties go
 * towards zero. */
static uint32_t border_channel(const struct exec_texture *t, unsigned c,
                               bool is_filtered)
{
    float v = t->border[c];
    if (!texel_is_float(t)) { /* the bits that fit */
        unsigned shift = 32 - 8 * t->channel_bytes;
        uint32_t bits = bits_of_float(v) << shift;
        return t->kind == TEXEL_SIGNED ? (uint32_t)((int32_t)bits >> shift)
                                       : bits >> shift;
    }
    if (!texel_is_fraction(t))
        return bits_of_float(t->channel_bytes == 2 ? cut_half(v) : v);
    return bits_of_float(border_of_fractions(t, c, is_filtered));
}

static float limited_to_one(float v)
{
    return v > 1 ? 1 : v > 0 ? v : 0;
}

void texel_border(const struct exec_texture *t, bool is_filtered,
                  uint32_t out[4])
{
    bool is_opaque = t->layout >= TEXEL_BC4 && t->layout <= TEXEL_BC6H_SIGNED;
    out[0] = out[1] = out[2] = 0;
    out[3] = is_opaque ? bits_of_float(1) : 0;
    for (unsigned i = 0; i < t->channels; i++)
        out[i] = texel_is_color(t, i)
                     ? bits_of_float(srgb_to_linear(
                           linear_to_srgb(limited_to_one(t->border[i]))))
                     : border_channel(t, i, is_filtered);
}
