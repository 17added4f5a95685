/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which formats, channels and flags make an array, and what textures, surfaces
 * and views are made of it: the errors, as an H200 gives them.
 *
 *     driver-texture_kinds FILE    compares; without it, prints
 *
 * A line: format, channels, flags of the array; its error; if it has none the
 * errors of textures with each of the flags below, of a surface.
 */
#include "check.h"

static FILE *truth;

/* A truth's line may end with " ours" and what we answer instead, on purpose.
 */
static void say(const char *line)
{
    char want[512] = "";
    if (!truth) {
        puts(line);
        fflush(stdout);
        return;
    }
    CHECK(fgets(want, sizeof want, truth));
    want[strcspn(want, "\n")] = 0;
    char *ours = strstr(want, " ours ");
    if (ours)
        snprintf(strchr(want, ':'), sizeof want - 16, ":%s", ours + 5);
    if (strcmp(line, want)) {
        printf("%s\n  and not\n%s\n", line, want);
        failures++;
    }
}

static const unsigned array_flags[] = {
    0,
    CUDA_ARRAY3D_LAYERED,
    CUDA_ARRAY3D_SURFACE_LDST,
    CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST,
    CUDA_ARRAY3D_CUBEMAP,
    CUDA_ARRAY3D_TEXTURE_GATHER,
    CUDA_ARRAY3D_TEXTURE_GATHER | CUDA_ARRAY3D_LAYERED,
    CUDA_ARRAY3D_TEXTURE_GATHER | CUDA_ARRAY3D_SURFACE_LDST,
    CUDA_ARRAY3D_DEPTH_TEXTURE,
    CUDA_ARRAY3D_DEPTH_TEXTURE | CUDA_ARRAY3D_SURFACE_LDST,
    CUDA_ARRAY3D_COLOR_ATTACHMENT,
    CUDA_ARRAY3D_SPARSE,
    CUDA_ARRAY3D_DEFERRED_MAPPING,
    0x200,
};

static const struct {
    unsigned flags;
    CUfilter_mode filter;
} texture_flags[] = {
    {0, CU_TR_FILTER_MODE_POINT},
    {0, CU_TR_FILTER_MODE_LINEAR},
    {CU_TRSF_READ_AS_INTEGER, CU_TR_FILTER_MODE_POINT},
    {CU_TRSF_READ_AS_INTEGER, CU_TR_FILTER_MODE_LINEAR},
    {CU_TRSF_NORMALIZED_COORDINATES, CU_TR_FILTER_MODE_POINT},
    {CU_TRSF_SRGB, CU_TR_FILTER_MODE_POINT},
    {CU_TRSF_SRGB | CU_TRSF_NORMALIZED_COORDINATES, CU_TR_FILTER_MODE_LINEAR},
    {CU_TRSF_SRGB | CU_TRSF_READ_AS_INTEGER, CU_TR_FILTER_MODE_POINT},
    {CU_TRSF_SEAMLESS_CUBEMAP, CU_TR_FILTER_MODE_LINEAR},
    {0x80, CU_TR_FILTER_MODE_POINT},
    {0, (CUfilter_mode)2},
};

static const unsigned char formats[] = {
    0x01, 0x02, 0x03, 0x08, 0x09, 0x0a, 0x10, 0x20, 0x50, 0x91,
    0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0x9b,
    0x9c, 0x9d, 0x9e, 0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6,
    0xc7, 0xc8, 0xc9, 0xca, 0xcb, 0x00, 0x04, 0x30, 0x90,
};

/* Errors of all that may be made of an array. */
static void say_objects(char *line, size_t room, CUarray a)
{
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY};
    size_t used = strlen(line);
    CUsurfObject s;
    CUtexObject t;
    r.res.array.hArray = a;
    for (size_t i = 0; i < sizeof texture_flags / sizeof *texture_flags; i++) {
        const CUDA_TEXTURE_DESC d = {.flags = texture_flags[i].flags,
                                     .filterMode = texture_flags[i].filter};
        CUresult err = cuTexObjectCreate(&t, &r, &d, NULL);
        used += (size_t)snprintf(line + used, room - used, " %d", (int)err);
        if (!err)
            CU_OK(cuTexObjectDestroy(t));
    }
    CUresult err = cuSurfObjectCreate(&s, &r);
    snprintf(line + used, room - used, ", %d", (int)err);
    if (!err)
        CU_OK(cuSurfObjectDestroy(s));
}

static void say_array(unsigned format, unsigned channels, unsigned flags,
                      size_t depth)
{
    const CUDA_ARRAY3D_DESCRIPTOR d = {.Width = 64,
                                       .Height = 64,
                                       .Depth = depth,
                                       .Format = (CUarray_format)format,
                                       .NumChannels = channels,
                                       .Flags = flags};
    CUarray a;
    CUmipmappedArray m;
    char line[256];
    CUresult err = cuArray3DCreate(&a, &d), of_levels;
    of_levels = cuMipmappedArrayCreate(&m, &d, 3);
    if (!of_levels)
        CU_OK(cuMipmappedArrayDestroy(m));
    snprintf(line, sizeof line, "%#x %u %#x %zu: %d %d", format, channels,
             flags, depth, (int)err, (int)of_levels);
    if (!err) {
        say_objects(line, sizeof line, a);
        CU_OK(cuArrayDestroy(a));
    }
    say(line);
}

static void arrays(void)
{
    for (size_t f = 0; f < sizeof formats; f++)
        for (unsigned channels = 1; channels <= 4; channels++)
            for (size_t i = 0; i < sizeof array_flags / sizeof *array_flags;
                 i++) {
                unsigned flags = array_flags[i];
                say_array(formats[f], channels, flags,
                          flags & CUDA_ARRAY3D_CUBEMAP   ? 6
                          : flags & CUDA_ARRAY3D_LAYERED ? 2
                                                         : 0);
                if (channels == 1 && !(flags & 5))
                    say_array(formats[f], channels, flags, 4);
            }
}

/* What a view may make of each format: 34 view formats. */
static void views(void)
{
    for (size_t f = 0; f < sizeof formats - 4; f++)
        for (unsigned channels = 1; channels <= 4; channels *= 2) {
            const CUDA_ARRAY3D_DESCRIPTOR d = {.Width = 64,
                                               .Height = 64,
                                               .Format =
                                                   (CUarray_format)formats[f],
                                               .NumChannels = channels};
            CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY};
            const CUDA_TEXTURE_DESC plain = {0}, srgb = {.flags = CU_TRSF_SRGB};
            char line[256];
            int used;
            if (cuArray3DCreate(&r.res.array.hArray, &d))
                continue;
            used = snprintf(line, sizeof line, "views of %#x %u:", formats[f],
                            channels);
            for (unsigned v = 0; v <= 35; v++) {
                const unsigned side = formats[f] > 0x90 && formats[f] < 0xa0;
                const CUDA_RESOURCE_VIEW_DESC w = {.format =
                                                       (CUresourceViewFormat)v,
                                                   .width = 64,
                                                   .height = 64};
                const CUDA_RESOURCE_VIEW_DESC large = {
                    .format = (CUresourceViewFormat)v,
                    .width = 256,
                    .height = 256};
                CUtexObject t;
                CUresult err = cuTexObjectCreate(&t, &r, &plain, &w);
                if (!err)
                    CU_OK(cuTexObjectDestroy(t));
                CUresult other = cuTexObjectCreate(
                    &t, &r, side ? &srgb : &plain, side ? &w : &large);
                if (!other)
                    CU_OK(cuTexObjectDestroy(t));
                used += snprintf(line + used, sizeof line - (size_t)used,
                                 " %d/%d", (int)err, (int)other);
            }
            CU_OK(cuArrayDestroy(r.res.array.hArray));
            say(line);
        }
}

/* Handles used again, or as the other kind. */
static void handles(void)
{
    const CUDA_ARRAY3D_DESCRIPTOR d = {.Width = 64,
                                       .Height = 64,
                                       .Format = CU_AD_FORMAT_FLOAT,
                                       .NumChannels = 1,
                                       .Flags = CUDA_ARRAY3D_SURFACE_LDST};
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY}, back;
    CUDA_TEXTURE_DESC plain = {0}, desc;
    CUDA_RESOURCE_VIEW_DESC view;
    CUtexObject t, u;
    CUsurfObject s;
    char line[128];
#define SAY(call)                                                              \
    snprintf(line, sizeof line, #call ": %d", (int)(call));                    \
    say(line)
    CU_OK(cuArray3DCreate(&r.res.array.hArray, &d));
    CU_OK(cuTexObjectCreate(&t, &r, &plain, NULL));
    CU_OK(cuTexObjectCreate(&u, &r, &plain, NULL));
    CU_OK(cuSurfObjectCreate(&s, &r));
    SAY(cuTexObjectGetTextureDesc(&desc, s));
    SAY(cuTexObjectGetResourceDesc(&back, s));
    SAY(cuSurfObjectGetResourceDesc(&back, t));
    SAY(cuTexObjectGetResourceViewDesc(&view, t));
    SAY(cuTexObjectDestroy(s));
    SAY(cuSurfObjectDestroy(t));
    SAY(cuTexObjectDestroy(t));
    SAY(cuTexObjectDestroy(t));
    SAY(cuTexObjectGetTextureDesc(&desc, t));
    SAY(cuTexObjectDestroy(0));
    SAY(cuSurfObjectDestroy(0));
    SAY(cuTexObjectDestroy(12345));
    SAY(cuTexObjectCreate(NULL, &r, &plain, NULL));
    SAY(cuTexObjectCreate(&t, NULL, &plain, NULL));
    SAY(cuTexObjectCreate(&t, &r, NULL, NULL));
    CU_OK(cuTexObjectDestroy(u));
    CU_OK(cuArrayDestroy(r.res.array.hArray));
#undef SAY
}

int main(int argc, char **argv)
{
    CUdevice device;
    CUcontext ctx;
    truth = argc > 1 ? fopen(argv[1], "r") : NULL;
    CHECK(argc == 1 || truth);
    CU_OK(cuInit(0));
    CU_OK(cuDeviceGet(&device, 0));
    CU_OK(cuDevicePrimaryCtxRetain(&ctx, device));
    CU_OK(cuCtxSetCurrent(ctx));
    arrays();
    views();
    handles();
    CHECK(!truth || fgetc(truth) == EOF);
    return check_result();
}
