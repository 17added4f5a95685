/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/texel.h"

#include <math.h>

static float srgb_to_linear(float v)
{
    return v <= 0.04045f ? v / 12.92f : powf((v + 0.055f) / 1.055f, 2.4f);
}

static int32_t sign_extend(uint32_t v, unsigned bytes)
{
    unsigned shift = 32 - 8 * bytes;
    return (int32_t)(v << shift) >> shift;
}

static uint32_t channel(const struct exec_texture *t, uint32_t raw)
{
    unsigned bytes = t->channel_bytes;
    switch ((enum texel_kind)t->kind) {
    case TEXEL_SIGNED:
        return (uint32_t)sign_extend(raw, bytes);
    case TEXEL_FLOAT:
        return bytes == 2 ? texel_bits(texel_half((uint16_t)raw)) : raw;
    case TEXEL_UNSIGNED_NORMALIZED:
        return texel_bits((float)raw / (float)((1u << 8 * bytes) - 1));
    case TEXEL_SIGNED_NORMALIZED: {
        float v = (float)sign_extend(raw, bytes) /
                  (float)((1 << (8 * bytes - 1)) - 1);
        return texel_bits(v < -1 ? -1 : v);
    }
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
        out[i] = channel(t, raw);
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
                     ? texel_bits((float)raw / (float)one)
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
        out[i] = texel_bits(v[i]);
}

void texel_read(const struct exec_texture *t, const struct texture_level *l,
                uint32_t x, uint32_t y, uint32_t z, uint32_t out[4])
{
    bool is_block = t->layout >= TEXEL_BC1;
    unsigned side = is_block ? TEXEL_BLOCK_SIDE : 1;
    const uint8_t *element = l->data + z * l->slice_bytes +
                             y / side * l->pitch_bytes +
                             (uint64_t)(x / side) * t->element_bytes;
    out[0] = out[1] = out[2] = 0;
    out[3] = texel_is_float(t) ? texel_bits(1) : 1;
    if (is_block)
        read_block(t, element, y % side * side + x % side, out);
    else if (t->layout == TEXEL_1010102)
        read_packed(t, element, out);
    else
        read_channels(t, element, out);
    for (unsigned i = 0; t->is_srgb && i < 3; i++)
        out[i] = texel_bits(srgb_to_linear(texel_float(out[i])));
}

/* ---- the border -------------------------------------------------------------
 */

/* Cut off to what the format can hold of it; halves go towards zero. */
static uint32_t border_channel(const struct exec_texture *t, float v)
{
    if (!texel_is_float(t)) { /* the bits that fit */
        unsigned shift = 32 - 8 * t->channel_bytes;
        uint32_t bits = texel_bits(v) << shift;
        return t->kind == TEXEL_SIGNED ? (uint32_t)((int32_t)bits >> shift)
                                       : bits >> shift;
    }
    if (!texel_is_fraction(t))
        return texel_bits(v);
    float least = t->kind == TEXEL_SIGNED_NORMALIZED ? -1 : 0;
    float one = (float)texel_unit(t, t->channel_bytes);
    v = v > 1 ? 1 : v > least ? v : least;
    float scaled = ceilf(fabsf(v) * one - 0.5f);
    return texel_bits(copysignf(scaled, v) / one);
}

void texel_border(const struct exec_texture *t, uint32_t out[4])
{
    for (unsigned i = 0; i < 4; i++)
        out[i] = border_channel(t, t->border[i]);
}
