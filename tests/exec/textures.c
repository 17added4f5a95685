/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random descriptors, texels and coordinates, from a fixed seed: a fetch by all
 * lanes at once gives each lane what a fetch of its own gives it. Texels lie in
 * memory of exactly their size, for runs with address sanitizer.
 */
#include "exec/internal.h"
#include "exec/device/texel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CASES = 6000, SIDE_MAX = 40, LEVELS_MAX = 4 };

static uint32_t state = 2463534242u;
static uint32_t random_bits(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static unsigned below(unsigned n)
{
    return (random_bits() >> 3) % n;
}

static bool one_in(unsigned n)
{
    return below(n) == 0;
}

static float random_float(void)
{
    static const float odd[] = {NAN,   INFINITY, -INFINITY,
                                1e30f, -1e30f,   1e-40f};
    if (one_in(4))
        return odd[below(6)];
    return (float)((int)below(4000) - 2000) / (float)(1 + below(500));
}

/* ---- textures ----------------------------------------------------------- */

static void choose_channels(struct exec_texture *t)
{
    t->kind = (uint8_t)below(TEXEL_SIGNED_NORMALIZED + 1);
    t->channel_bytes = (uint8_t)(1u << below(3));
    t->channels = (uint8_t)(1u << below(3));
    if (t->kind == TEXEL_FLOAT && t->channel_bytes == 1)
        t->channel_bytes = 2;
    if (t->kind > TEXEL_FLOAT && t->channel_bytes == 4)
        t->channel_bytes = 2;
    t->element_bytes = (uint8_t)(t->channels * t->channel_bytes);
    t->is_srgb = t->kind == TEXEL_UNSIGNED_NORMALIZED &&
                 t->element_bytes == 4 && t->channels == 4 && one_in(3);
}

static void choose_blocks(struct exec_texture *t)
{
    bool is_half;
    t->layout = (uint8_t)(TEXEL_1010102 + below(TEXEL_BC7));
    is_half = t->layout == TEXEL_BC6H || t->layout == TEXEL_BC6H_SIGNED;
    t->kind = is_half ? TEXEL_FLOAT : TEXEL_UNSIGNED_NORMALIZED;
    t->channel_bytes = is_half ? 2 : 1;
    t->channels = t->layout == TEXEL_BC4 ? 1 : t->layout == TEXEL_BC5 ? 2 : 4;
    t->element_bytes = t->layout == TEXEL_1010102                         ? 4
                       : t->layout == TEXEL_BC1 || t->layout == TEXEL_BC4 ? 8
                                                                          : 16;
    if ((t->layout == TEXEL_BC4 || t->layout == TEXEL_BC5) && one_in(2))
        t->kind = TEXEL_SIGNED_NORMALIZED;
}

static void choose_sampling(struct exec_texture *t)
{
    for (unsigned i = 0; i < 3; i++)
        t->address[i] = (uint8_t)below(4);
    for (unsigned i = 0; i < 4; i++)
        t->border[i] = random_float();
    t->is_linear = one_in(2);
    t->is_mip_linear = one_in(2);
    t->is_normalized = t->level_count > 1 || t->is_cube || one_in(2);
    t->is_seamless = t->is_cube && one_in(2);
    t->max_anisotropy = below(20);
    t->lod_bias = random_float();
    t->lod_min = random_float();
    t->lod_max = random_float();
}

static uint32_t halved(uint32_t size, unsigned times)
{
    return size >> times ? size >> times : 1;
}

static void make_level(struct exec_texture *t, unsigned i, const uint32_t s[3])
{
    struct texture_level *l = &t->level[i];
    unsigned side = t->layout >= TEXEL_BC1 ? TEXEL_BLOCK_SIDE : 1;
    l->width = halved(s[0], i);
    l->height = halved(s[1], i);
    l->depth = t->dims > 2 ? halved(s[2], i) : t->layers * (t->is_cube ? 6 : 1);
    l->pitch_bytes = (l->width + side - 1) / side * t->element_bytes;
    l->slice_bytes = l->pitch_bytes * ((l->height + side - 1) / side);
    size_t bytes = l->slice_bytes * l->depth;
    l->data = malloc(bytes);
    for (size_t k = 0; l->data && k < bytes; k++)
        l->data[k] = (uint8_t)(random_bits() >> 3);
}

static void make_texture(struct exec_texture *t)
{
    *t = (struct exec_texture){.magic = TEXTURE_MAGIC};
    t->dims = (uint8_t)(1 + below(3));
    if (one_in(3))
        choose_blocks(t);
    else
        choose_channels(t);
    t->is_layered = t->dims < 3 && one_in(3);
    t->is_cube = t->dims == 2 && one_in(3);
    t->is_buffer = t->dims == 1 && !t->is_layered && !t->layout && one_in(4);
    t->layers = t->is_layered ? 1 + below(4) : 1;
    t->level_count = t->is_buffer ? 1 : 1 + below(LEVELS_MAX);
    uint32_t size[3] = {1 + below(SIDE_MAX), 1, 1};
    if (t->dims > 1)
        size[1] = t->is_cube ? size[0] : 1 + below(SIDE_MAX);
    if (t->dims > 2)
        size[2] = 1 + below(10);
    for (unsigned i = 0; i < t->level_count; i++)
        make_level(t, i, size);
    choose_sampling(t);
}

/* ---- requests ----------------------------------------------------------- */

static void choose_form(const struct exec_texture *t, struct texture_form *f)
{
    *f = (struct texture_form){.count = 4};
    f->op = !t->is_buffer && t->dims == 2 && one_in(4) ? TEXTURE_GATHER
                                                       : TEXTURE_FETCH;
    f->is_cube = t->is_cube;
    f->dims = t->is_cube ? 3 : t->dims;
    f->has_index = t->is_layered;
    f->is_integer = !t->is_cube && f->op == TEXTURE_FETCH && one_in(4);
    f->lod = f->op == TEXTURE_GATHER ? TEXTURE_LOD_NONE : (uint8_t)below(3);
    if (f->is_integer && f->lod == TEXTURE_LOD_GRADIENT)
        f->lod = TEXTURE_LOD_GIVEN;
    f->result = texel_is_float(t) ? (uint8_t)below(3) : TEXTURE_RESULT_32;
    if (f->result == TEXTURE_RESULT_HALVES)
        f->count = 2;
    f->component = (uint8_t)below(4);
    f->offsets = !t->is_cube && one_in(4) ? t->dims : 0;
    f->has_reference = texel_is_float(t) && one_in(8);
}

static uint32_t random_word(bool is_integer)
{
    if (!is_integer)
        return bits_of_float(random_float());
    return one_in(8) ? random_bits() : below(200) - 60;
}

static void fill_lane(struct exec_texture_request *r, unsigned lane)
{
    const struct texture_form *f = &r->form;
    for (unsigned i = 0; i < 4; i++)
        r->at[i][lane] = random_word(f->is_integer || (f->has_index && i == 0));
    for (unsigned i = 0; i < 6; i++)
        r->lod[i][lane] = random_word(f->is_integer);
    for (unsigned i = 0; i < 3; i++)
        r->offset[i][lane] = below(17) - 8;
    r->reference[lane] = random_word(false);
}

static bool is_same(const struct exec_texture_request *all, unsigned number)
{
    static struct exec_texture_request one;
    for (unsigned lane = 0; lane < TEXTURE_LANES; lane++) {
        if (!(all->lanes >> lane & 1))
            continue;
        one = *all;
        one.lanes = UINT32_C(1) << lane;
        texture_access(NULL, &one);
        for (unsigned i = 0; i < all->form.count; i++) {
            if (one.value[i][lane] == all->value[i][lane])
                continue;
            printf("case %u, lane %u, value %u: %llx, alone %llx\n", number,
                   lane, i, (unsigned long long)all->value[i][lane],
                   (unsigned long long)one.value[i][lane]);
            return false;
        }
    }
    return true;
}

static bool one_case(unsigned number)
{
    static struct exec_texture_request r;
    struct exec_texture t;
    make_texture(&t);
    choose_form(&t, &r.form);
    r.lanes = one_in(2) ? UINT32_MAX : random_bits() | 3;
    for (unsigned lane = 0; lane < TEXTURE_LANES; lane++) {
        r.handle[lane] = (uintptr_t)&t;
        fill_lane(&r, lane);
    }
    texture_access(NULL, &r);
    bool is_good = is_same(&r, number);
    for (unsigned i = 0; i < t.level_count; i++)
        free(t.level[i].data);
    return is_good;
}

int main(void)
{
    unsigned done = 0;
    while (done < CASES && one_case(done))
        done++;
    puts(done == CASES ? "ok" : "wrong");
    return done < CASES;
}
