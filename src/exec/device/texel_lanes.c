/* SPDX-License-Identifier: Apache-2.0 */
/*
 * texel.c for eight lanes: channels side by side, of each width and kind, or in
 * one word. Texels of blocks are unpacked one by one.
 */
#if defined(__x86_64__)
#include "exec/device/lanes.h"

#include "exec/device/texel.h"

static bool is_small(const struct texture_level *l)
{
    uint64_t bytes =
        l->slice_bytes ? l->slice_bytes * l->depth : l->pitch_bytes * l->height;
    return bytes < INT32_MAX / 2;
}

bool texel_lanes_can_read(const struct exec_texture *t)
{
    bool has_border = t->address[0] == TEXTURE_BORDER ||
                      t->address[1] == TEXTURE_BORDER ||
                      t->address[2] == TEXTURE_BORDER;
    if ((t->layout == TEXEL_CHANNELS && t->channels == 3) ||
        (t->layout == TEXEL_1010102 && has_border))
        return false;
    if (t->is_buffer)
        return t->level[0].width < INT32_MAX / 2 / t->element_bytes;
    return is_small(&t->level[0]);
}

static ints gathered_words(const uint8_t *data, ints offset, ints mask)
{
    return (ints)_mm256_mask_i32gather_epi32(_mm256_setzero_si256(),
                                             (const int *)(const void *)data,
                                             (__m256i)offset, (__m256i)mask, 1);
}

/* Gathers texels of one or two bytes from the aligned words around them, which
 * are in the same page. */
static ints gather_narrow(const uint8_t *data, ints offset, ints mask)
{
    unsigned beyond = (uintptr_t)data % 4;
    offset += ints_of((int32_t)beyond);
    ints word = gathered_words(data - beyond, offset & ~3, mask);
    return (ints)_mm256_srlv_epi32((__m256i)word,
                                   (__m256i)((offset & ints_of(3)) << 3));
}

static floats floats_of_halves(ints v)
{
    __m128i low = _mm256_castsi256_si128((__m256i)v);
    __m128i high = _mm256_extracti128_si256((__m256i)v, 1);
    return _mm256_cvtph_ps(_mm_packus_epi32(low, high));
}

static ints sign_extended(ints v, unsigned bytes)
{
    int shift = 32 - 8 * (int)bytes;
    return (v << shift) >> shift;
}

/* Bytes of sRGB to linear floats. */
static ints linear_of(ints raw)
{
    ints word = (ints)_mm256_i32gather_epi32(
        (const int *)(const void *)texel_of_srgb, (__m256i)raw, 2);
    return word << 16;
}

static ints converted_channels(const struct exec_texture *t, ints raw)
{
    unsigned bytes = t->channel_bytes;
    switch ((enum texel_kind)t->kind) {
    case TEXEL_SIGNED:
        return sign_extended(raw, bytes);
    case TEXEL_FLOAT:
        return bytes == 2 ? (ints)floats_of_halves(raw) : raw;
    case TEXEL_UNSIGNED_NORMALIZED:
        return (ints)(to_floats(raw) / (float)texel_unit(t, bytes));
    case TEXEL_SIGNED_NORMALIZED:
        return (ints)(to_floats(sign_extended(raw, bytes)) /
                      (float)texel_unit(t, bytes));
    default:
        return raw;
    }
}

/* Channel c of texels whose words are given. */
static ints channel_of(const struct exec_texture *t, const ints word[4],
                       unsigned c)
{
    if (t->channel_bytes == 4)
        return word[c];
    unsigned in_word = 4u / t->channel_bytes;
    int bits = 8 * t->channel_bytes;
    ints v = (ints)_mm256_srli_epi32((__m256i)word[c / in_word],
                                     bits * (int)(c % in_word));
    return v & ints_of((1 << bits) - 1);
}

static void read_inside(const struct exec_texture *t, const uint8_t *data,
                        ints offset, ints mask, struct texel_lanes *out)
{
    ints word[4];
    unsigned words = t->element_bytes / 4u;
    for (unsigned i = 0; i < words; i++)
        word[i] = gathered_words(data + 4 * i, offset, mask);
    if (!words)
        word[0] = gather_narrow(data, offset, mask);
    for (unsigned c = 0; c < t->channels; c++) {
        ints raw = channel_of(t, word, c);
        out->channel[c] =
            texel_is_color(t, c) ? linear_of(raw) : converted_channels(t, raw);
    }
    if (t->channels == 4)
        return;
    if (t->channels == 1)
        out->channel[1] = ints_of(0);
    out->channel[2] = ints_of(0);
    out->channel[3] = ints_of(0);
}

static void read_packed(const struct exec_texture *t, const uint8_t *data,
                        ints offset, ints mask, struct texel_lanes *out)
{
    ints word = gathered_words(data, offset, mask);
    for (int c = 0; c < 4; c++) {
        int32_t one = c < 3 ? 1023 : 3;
        ints raw = (ints)_mm256_srli_epi32((__m256i)word, 10 * c) & one;
        out->channel[c] = t->kind == TEXEL_UNSIGNED_NORMALIZED
                              ? (ints)(to_floats(raw) / (float)one)
                              : raw;
    }
}

static void read_each(const struct exec_texture *t,
                      const struct texture_level *l, const ints at[3],
                      ints mask, struct texel_lanes *out)
{
    for (unsigned i = 0; i < EIGHT; i++) {
        uint32_t v[4];
        if (!mask[i])
            continue;
        texel_read(t, l, (uint32_t)at[0][i], (uint32_t)at[1][i],
                   (uint32_t)at[2][i], v);
        for (unsigned c = 0; c < 4; c++)
            out->channel[c][i] = (int32_t)v[c];
    }
}

static void add_border(const struct exec_texture *t, ints mask,
                       struct texel_lanes *out)
{
    uint32_t border[4];
    texel_border(t, false, border);
    for (unsigned c = 0; c < 4; c++)
        out->channel[c] =
            ints_select(mask, ints_of((int32_t)border[c]), out->channel[c]);
}

void texel_lanes_read(const struct exec_texture *t,
                      const struct texture_level *l, const ints at[3],
                      ints mask, struct texel_lanes *out)
{
    ints inside = mask & ~((at[0] | at[1] | at[2]) >> 31);
    ints offset = (at[2] & inside) * (int32_t)l->slice_bytes +
                  (at[1] & inside) * (int32_t)l->pitch_bytes +
                  (at[0] & inside) * (int32_t)t->element_bytes;
    if (t->layout == TEXEL_CHANNELS)
        read_inside(t, l->data, offset, inside, out);
    else if (t->layout == TEXEL_1010102)
        read_packed(t, l->data, offset, inside, out);
    else
        read_each(t, l, at, inside, out);
    ints outside = mask & ~inside;
    if (ints_any(outside))
        add_border(t, outside, out);
}
#endif
