/* SPDX-License-Identifier: Apache-2.0 */
/* What formats of arrays and of resource views say of texels. */
#include "core/texture.h"

/* channels 0: as the program says. element_bytes 0: of all channels. */
static const struct texel_format {
    CUarray_format format;
    uint8_t bytes, channels;
    enum texel_kind kind;
    enum texel_layout layout;
    uint8_t element_bytes;
    bool is_srgb;
} formats[] = {
#define CHANNELS(name, bytes, channels, kind)                                  \
    {CU_AD_FORMAT_##name, bytes, channels, TEXEL_##kind,                       \
     TEXEL_CHANNELS,      0,     false},
#define BLOCKS(name, layout, bytes, channels, kind, element_bytes, is_srgb)    \
    {CU_AD_FORMAT_##name, bytes,         channels, TEXEL_##kind,               \
     TEXEL_##layout,      element_bytes, is_srgb},
#include "core/texture_formats.def"
};

static const struct {
    CUresourceViewFormat view;
    CUarray_format format;
    unsigned channels;
} views[] = {
#define VIEW(name, format, channels)                                           \
    {CU_RES_VIEW_FORMAT_##name, CU_AD_FORMAT_##format, channels},
#include "core/texture_formats.def"
};

static void apply_format(struct exec_texture *t, const struct texel_format *f)
{
    t->kind = (uint8_t)f->kind;
    t->layout = (uint8_t)f->layout;
    t->channel_bytes = f->bytes;
    t->element_bytes = f->element_bytes
                           ? f->element_bytes
                           : (uint8_t)(t->channels * t->channel_bytes);
    t->is_srgb = f->is_srgb;
    assert(t->element_bytes > 0);
}

CUresult texture_set_format(struct exec_texture *t, CUarray_format format,
                            unsigned channels)
{
    for (size_t i = 0; i < ARRAY_COUNT(formats); i++) {
        const struct texel_format *f = &formats[i];
        if (f->format != format)
            continue;
        unsigned count = f->channels ? f->channels : channels;
        if (!f->channels && count != 1 && count != 2 && count != 4)
            return CUDA_ERROR_INVALID_VALUE;
        assert(count >= 1 && count <= 4);
        t->channels = (uint8_t)count;
        apply_format(t, f);
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_NOT_SUPPORTED; /* of video */
}

CUresult texture_set_view_format(struct exec_texture *t,
                                 CUresourceViewFormat view)
{
    for (size_t i = 0; i < ARRAY_COUNT(views); i++)
        if (views[i].view == view)
            return texture_set_format(t, views[i].format, views[i].channels);
    return CUDA_ERROR_INVALID_VALUE;
}
