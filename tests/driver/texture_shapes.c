/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions on textures and surfaces of every shape, their own and others:
 * what an H200's driver answered. Then queries, offsets beyond their range,
 * formatted stores and reductions of every format, what a GPU holds, and
 * textures whose array has ended.
 */
#include "check.h"

#include <limits.h>

enum kind {
    BUFFER,
    PITCHED,
    ROW,
    PLANE,
    BOX,
    ROWS,
    PLANES,
    CUBE,
    CUBES,
    ROW_LEVELS,
    PLANE_LEVELS,
    BOX_LEVELS,
    PLANES_LEVELS,
    CUBE_LEVELS,
    KINDS
};
enum { SIDE = 8, NORMALIZED = CU_TRSF_NORMALIZED_COORDINATES };

static CUdevice device;
static CUcontext ctx;
static CUdeviceptr out;

/* ---- textures and kernels ----------------------------------------------- */

struct thing {
    CUarray array;
    CUmipmappedArray mipmap;
    CUdeviceptr memory;
    CUDA_RESOURCE_DESC resource;
};

/* Texel (x, y) of slice z of a level is level * 1000 + z * 100 + y * 10 + x. */
static void fill(CUarray a, unsigned level)
{
    static unsigned v[SIDE * SIDE * 12];
    CUDA_ARRAY3D_DESCRIPTOR d;
    CU_OK(cuArray3DGetDescriptor(&d, a));
    unsigned w = (unsigned)d.Width, h = d.Height ? (unsigned)d.Height : 1;
    unsigned slices = d.Depth ? (unsigned)d.Depth : 1;
    for (unsigned i = 0; i < w * h * slices; i++)
        v[i] = level * 1000 + i / w / h * 100 + i / w % h * 10 + i % w;
    CUDA_MEMCPY3D c = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                       .srcHost = v,
                       .srcPitch = w * 4,
                       .srcHeight = h,
                       .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                       .dstArray = a,
                       .WidthInBytes = w * 4,
                       .Height = h,
                       .Depth = slices};
    CU_OK(cuMemcpy3D(&c));
}

static CUDA_ARRAY3D_DESCRIPTOR descriptor_of(enum kind kind)
{
    CUDA_ARRAY3D_DESCRIPTOR d = {.Width = SIDE,
                                 .Height = SIDE,
                                 .Format = CU_AD_FORMAT_UNSIGNED_INT32,
                                 .NumChannels = 1,
                                 .Flags = CUDA_ARRAY3D_SURFACE_LDST};
    if (kind == ROW || kind == ROW_LEVELS || kind == ROWS)
        d.Height = 0;
    if (kind == BOX || kind == BOX_LEVELS)
        d.Depth = 4;
    if (kind == ROWS || kind == PLANES || kind == PLANES_LEVELS)
        d.Depth = 3;
    if (kind == CUBE || kind == CUBE_LEVELS || kind == CUBES)
        d.Depth = kind == CUBES ? 12 : 6;
    if (kind == CUBE || kind == CUBE_LEVELS || kind == CUBES)
        d.Flags |= CUDA_ARRAY3D_CUBEMAP;
    if (kind == ROWS || kind == PLANES || kind == PLANES_LEVELS ||
        kind == CUBES)
        d.Flags |= CUDA_ARRAY3D_LAYERED;
    return d;
}

static void make_memory(struct thing *t, bool is_pitched)
{
    unsigned v[SIDE * SIDE];
    for (unsigned i = 0; i < SIDE * SIDE; i++)
        v[i] = i / SIDE * 10 + i % SIDE;
    CU_OK(cuMemAlloc(&t->memory, sizeof v));
    CU_OK(cuMemcpyHtoD(t->memory, v, sizeof v));
    if (is_pitched) {
        t->resource.resType = CU_RESOURCE_TYPE_PITCH2D;
        t->resource.res.pitch2D.devPtr = t->memory;
        t->resource.res.pitch2D.format = CU_AD_FORMAT_UNSIGNED_INT32;
        t->resource.res.pitch2D.numChannels = 1;
        t->resource.res.pitch2D.width = SIDE;
        t->resource.res.pitch2D.height = SIDE;
        t->resource.res.pitch2D.pitchInBytes = SIDE * 4;
        return;
    }
    t->resource.resType = CU_RESOURCE_TYPE_LINEAR;
    t->resource.res.linear.devPtr = t->memory;
    t->resource.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT32;
    t->resource.res.linear.numChannels = 1;
    t->resource.res.linear.sizeInBytes = sizeof v;
}

static struct thing make_thing(enum kind kind)
{
    struct thing t = {0};
    CUDA_ARRAY3D_DESCRIPTOR d = descriptor_of(kind);
    if (kind <= PITCHED) {
        make_memory(&t, kind == PITCHED);
    } else if (kind < ROW_LEVELS) {
        CU_OK(cuArray3DCreate(&t.array, &d));
        fill(t.array, 0);
        t.resource.resType = CU_RESOURCE_TYPE_ARRAY;
        t.resource.res.array.hArray = t.array;
    } else {
        CU_OK(cuMipmappedArrayCreate(&t.mipmap, &d, 3));
        for (unsigned l = 0; l < 3; l++) {
            CUarray level;
            CU_OK(cuMipmappedArrayGetLevel(&level, t.mipmap, l));
            fill(level, l);
        }
        t.resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
        t.resource.res.mipmap.hMipmappedArray = t.mipmap;
    }
    return t;
}

static void end_thing(const struct thing *t)
{
    if (t->memory)
        CU_OK(cuMemFree(t->memory));
    if (t->array)
        CU_OK(cuArrayDestroy(t->array));
    if (t->mipmap)
        CU_OK(cuMipmappedArrayDestroy(t->mipmap));
}

static CUtexObject texture_of(const struct thing *t, unsigned flags)
{
    CUtexObject o = 0;
    CUDA_TEXTURE_DESC d = {.flags = CU_TRSF_READ_AS_INTEGER | flags,
                           .maxMipmapLevelClamp = 9};
    for (int i = 0; i < 3; i++)
        d.addressMode[i] = CU_TR_ADDRESS_MODE_CLAMP;
    CU_OK(cuTexObjectCreate(&o, &t->resource, &d, NULL));
    return o;
}

static CUsurfObject surface_of(const struct thing *t)
{
    CUsurfObject o = 0;
    CU_OK(cuSurfObjectCreate(&o, &t->resource));
    return o;
}

/* A kernel whose result is %r; %h is the handle, %a, %b, %c are arguments, as
 * numbers and, %f, %g, %k, as floats. */
static CUfunction make_kernel(CUmodule *m, const char *code)
{
    char text[2048];
    CUfunction f = NULL;
    snprintf(text, sizeof text,
             ".version 8.0\n.target sm_80\n.address_size 64\n"
             ".visible .entry k(.param .u64 out, .param .u64 handle,\n"
             "  .param .b32 x, .param .b32 y, .param .b32 z)\n"
             "{ .reg .u64 %%o, %%h; .reg .b32 %%a, %%b, %%c, %%q, %%r;\n"
             "  .reg .f32 %%f, %%g, %%k; .reg .pred %%p, %%s;\n"
             "  ld.param.u64 %%o, [out]; ld.param.u64 %%h, [handle];\n"
             "  ld.param.b32 %%a, [x]; ld.param.b32 %%b, [y];\n"
             "  ld.param.b32 %%c, [z]; ld.param.f32 %%f, [x];\n"
             "  ld.param.f32 %%g, [y]; ld.param.f32 %%k, [z];\n"
             "  mov.b32 %%r, 0;\n  %s\n"
             "  st.global.u32 [%%o], %%r; ret; }\n",
             code);
    CU_OK(cuModuleLoadData(m, text));
    CU_OK(cuModuleGetFunction(&f, *m, "k"));
    return f;
}

static CUresult run_kernel(CUfunction f, uint64_t handle, const unsigned at[3],
                           unsigned *got)
{
    void *args[] = {&out, &handle, (void *)&at[0], (void *)&at[1],
                    (void *)&at[2]};
    CU_OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL));
    CUresult err = cuCtxSynchronize();
    if (!err)
        CU_OK(cuMemcpyDtoH(got, out, 4));
    return err;
}

/* A context without the last one's fault. */
static void renew_context(void)
{
    if (ctx)
        cuCtxDestroy(ctx);
    CU_OK(cuCtxCreate(&ctx, 0, device));
    CU_OK(cuMemAlloc(&out, 64));
}

/* ---- fetches ------------------------------------------------------------ */

#define V    "{%r,%q,%q,%q}, [%h, "
#define NONE "-"
/* Of each kind, in the order above: what %r is, in hexadecimal; "-": there is
 * no such texture. Integer coordinates are (2, 1, 1), of layer and level 1. */
static const struct {
    const char *code;
    unsigned flags;
    const char *answers;
} fetches[] = {
    {"tex.1d.v4.u32.s32 " V "{%a}];", 0, "2 0 0 0 0 2 0 0 0 - - - - -"},
    {"tex.1d.v4.u32.f32 " V "{%f}];", 0, "0 2 2 2 0 0 2 0 0 - - - - -"},
    {"tex.1d.v4.u32.f32 " V "{%f}];", NORMALIZED,
     "- 2 2 2 0 0 2 0 0 2 2 0 2 0"},
    {"tex.2d.v4.u32.s32 " V "{%a,%b}];", 0, "0 c 0 c 0 0 c 0 0 - - - - -"},
    {"tex.2d.v4.u32.f32 " V "{%f,%g}];", 0, "0 c 2 c 0 0 c 0 0 - - - - -"},
    {"tex.2d.v4.u32.f32 " V "{%f,%g}];", NORMALIZED,
     "- c 2 c 0 0 c 0 0 2 c 0 c 0"},
    {"tex.3d.v4.u32.s32 " V "{%a,%b,%c,%c}];", 0,
     "0 0 0 0 70 0 0 0 0 - - - - -"},
    {"tex.3d.v4.u32.f32 " V "{%f,%g,%k,%k}];", 0,
     "0 0 0 0 70 0 0 0 0 - - - - -"},
    {"tex.3d.v4.u32.f32 " V "{%f,%g,%k,%k}];", NORMALIZED,
     "- 0 0 0 70 0 0 0 0 0 0 70 0 0"},
    {"tex.a1d.v4.u32.s32 " V "{%b,%a}];", 0, "2 0 0 0 0 66 0 0 0 - - - - -"},
    {"tex.a1d.v4.u32.f32 " V "{1,%f}];", 0, "0 0 0 0 0 66 0 0 0 - - - - -"},
    {"tex.a1d.v4.u32.f32 " V "{1,%f}];", NORMALIZED,
     "- 0 0 0 0 66 0 0 0 0 0 0 0 0"},
    {"tex.a2d.v4.u32.s32 " V "{%b,%a,%b,%b}];", 0,
     "0 0 0 0 0 0 70 0 0 - - - - -"},
    {"tex.a2d.v4.u32.f32 " V "{1,%f,%g,%g}];", 0,
     "0 c 2 c 0 0 70 0 0 - - - - -"},
    {"tex.a2d.v4.u32.f32 " V "{1,%f,%g,%g}];", NORMALIZED,
     "- c 2 c 0 0 70 0 0 2 c 0 70 0"},
    {"tex.cube.v4.u32.f32 " V "{%f,%g,%k,%k}];", 0,
     "0 0 0 0 0 0 0 b b - - - - -"},
    {"tex.cube.v4.u32.f32 " V "{%f,%g,%k,%k}];", NORMALIZED,
     "- 0 0 0 0 0 0 1ab 1ab 0 0 0 0 1ab"},
    {"tex.acube.v4.u32.f32 " V "{1,%f,%g,%k}];", 0,
     "0 0 0 0 0 0 0 b 263 - - - - -"},
    {"tex.acube.v4.u32.f32 " V "{1,%f,%g,%k}];", NORMALIZED,
     "- 0 0 0 0 0 0 1ab 403 0 0 0 0 1ab"},
    {"tex.level.1d.v4.u32.f32 " V "{%f}], 0f3f800000;", 0,
     "0 2 2 2 0 0 2 0 0 - - - - -"},
    {"tex.level.1d.v4.u32.f32 " V "{%f}], 0f3f800000;", NORMALIZED,
     "- 2 2 2 0 0 2 0 0 3e9 3e9 0 3e9 0"},
    {"tex.level.2d.v4.u32.f32 " V "{%f,%g}], 0f3f800000;", 0,
     "0 c 2 c 0 0 c 0 0 - - - - -"},
    {"tex.level.2d.v4.u32.f32 " V "{%f,%g}], 0f3f800000;", NORMALIZED,
     "- c 2 c 0 0 c 0 0 3e9 3e9 0 3e9 0"},
    {"tex.level.2d.v4.u32.s32 " V "{%b,%b}], %b;", 0,
     "0 0 0 0 0 0 0 0 0 - - - - -"},
    {"tex.level.3d.v4.u32.f32 " V "{%f,%g,%k,%k}], 0f3f800000;", 0,
     "0 0 0 0 70 0 0 0 0 - - - - -"},
    {"tex.level.3d.v4.u32.f32 " V "{%f,%g,%k,%k}], 0f3f800000;", NORMALIZED,
     "- 0 0 0 70 0 0 0 0 0 0 3e9 0 0"},
    {"tex.level.a2d.v4.u32.f32 " V "{1,%f,%g,%g}], 0f3f800000;", 0,
     "0 c 2 c 0 0 70 0 0 - - - - -"},
    {"tex.level.a2d.v4.u32.f32 " V "{1,%f,%g,%g}], 0f3f800000;", NORMALIZED,
     "- c 2 c 0 0 70 0 0 3e9 3e9 0 44d 0"},
    {"tex.level.cube.v4.u32.f32 " V "{%f,%g,%k,%k}], 0f3f800000;", 0,
     "0 0 0 0 0 0 0 b b - - - - -"},
    {"tex.level.cube.v4.u32.f32 " V "{%f,%g,%k,%k}], 0f3f800000;", NORMALIZED,
     "- 0 0 0 0 0 0 1ab 1ab 0 0 0 0 585"},
    {"tex.grad.2d.v4.u32.f32 " V
     "{%f,%g}], {0f3f800000,0f3f800000}, {0f3f800000,0f3f800000};",
     0, "0 c 2 c 0 0 c 0 0 - - - - -"},
    {"tex.grad.2d.v4.u32.f32 " V
     "{%f,%g}], {0f3f800000,0f3f800000}, {0f3f800000,0f3f800000};",
     NORMALIZED, "- c 2 c 0 0 c 0 0 7d0 7d0 0 7d0 0"},
    {"tld4.r.2d.v4.u32.f32 " V "{%f,%g}];", 0,
     "0 16 2 16 0 0 16 0 0 - - - - -"},
    {"tld4.r.2d.v4.u32.f32 " V "{%f,%g}];", NORMALIZED,
     "- 16 2 16 0 0 16 0 0 2 16 0 16 0"},
    {"tld4.r.a2d.v4.u32.f32 " V "{1,%f,%g,%g}];", 0,
     "0 16 2 16 0 0 7a 0 0 - - - - -"},
    {"tld4.r.a2d.v4.u32.f32 " V "{1,%f,%g,%g}];", NORMALIZED,
     "- 16 2 16 0 0 7a 0 0 2 16 0 7a 0"},
    {"tld4.r.cube.v4.u32.f32 " V "{%f,%g,%k,%k}];", 0,
     "0 0 0 0 0 0 0 15 15 - - - - -"},
    {"tld4.r.cube.v4.u32.f32 " V "{%f,%g,%k,%k}];", NORMALIZED,
     "- 0 0 0 0 0 0 1aa 1aa 0 0 0 0 1aa"},
};

static uint32_t bits_of(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

/* The next word of a row, or NULL. */
static const char *next_word(const char **row, char word[16])
{
    int n = 0;
    if (sscanf(*row, " %15s%n", word, &n) != 1)
        return NULL;
    *row += n;
    return word;
}

static void check_fetch(size_t i, const struct thing things[KINDS])
{
    bool is_integer = strstr(fetches[i].code, ".s32 ");
    const float x = fetches[i].flags ? 0.3125f : 2.5f;
    const float y = fetches[i].flags ? 0.1875f : 1.5f;
    const float z = fetches[i].flags ? 0.375f : 1.5f;
    const unsigned at[3] = {is_integer ? 2 : bits_of(x),
                            is_integer ? 1 : bits_of(y),
                            is_integer ? 1 : bits_of(z)};
    const char *row = fetches[i].answers;
    char word[16];
    CUmodule m;
    CUfunction f = make_kernel(&m, fetches[i].code);
    for (int k = 0; k < KINDS && next_word(&row, word); k++) {
        unsigned got = 0;
        if (!strcmp(word, NONE))
            continue;
        CUtexObject t = texture_of(&things[k], fetches[i].flags);
        CU_OK(run_kernel(f, t, at, &got));
        if (got != strtoul(word, NULL, 16))
            printf("%s, texture %d: %x, not %s\n", fetches[i].code, k, got,
                   word);
        CHECK(got == strtoul(word, NULL, 16));
        CU_OK(cuTexObjectDestroy(t));
    }
    CU_OK(cuModuleUnload(m));
}

static void check_fetches(void)
{
    struct thing things[KINDS];
    for (int k = 0; k < KINDS; k++)
        things[k] = make_thing((enum kind)k);
    for (size_t i = 0; i < sizeof fetches / sizeof fetches[0]; i++)
        check_fetch(i, things);
    for (int k = 0; k < KINDS; k++)
        end_thing(&things[k]);
}

/* ---- integers outside --------------------------------------------------- */

#define SHIFTED                                                                \
    "mov.b32 %r, -1; "                                                         \
    "tex.2d.v4.u32.s32 " V "{%a,%b}], {%c,%r};"

/* At (a, b, c): no address mode applies to integer coordinates, and a texel
 * that is not there is 0. */
static const struct {
    enum kind kind;
    const char *code;
    int at[3];
    unsigned answer;
} texels[] = {
    {PLANE, "tex.2d.v4.u32.s32 " V "{%a,%b}];", {7, 7, 0}, 77},
    {PLANE, "tex.2d.v4.u32.s32 " V "{%a,%b}];", {8, 7, 0}, 0},
    {PLANE, "tex.2d.v4.u32.s32 " V "{%a,%b}];", {7, 8, 0}, 0},
    {PLANE, "tex.2d.v4.u32.s32 " V "{%a,%b}];", {-1, 7, 0}, 0},
    {PLANE, "tex.2d.v4.u32.s32 " V "{%a,%b}];", {7, -1, 0}, 0},
    {PLANE, "tex.2d.v4.u32.s32 " V "{%a,%b}];", {INT_MAX, 7, 0}, 0},
    {PLANE, "tex.2d.v4.u32.s32 " V "{%a,%b}];", {INT_MIN, 7, 0}, 0},
    {PLANE, SHIFTED, {5, 3, 2}, 27},
    {PLANE, SHIFTED, {8, 8, -1}, 77},
    {PLANE, SHIFTED, {6, 3, 2}, 0},
    {PLANE, SHIFTED, {1, 3, -2}, 0},
    {PLANE, SHIFTED, {1, 0, 2}, 0},
    {BOX, "tex.3d.v4.u32.s32 " V "{%a,%b,%c,%c}];", {1, 2, 3}, 321},
    {BOX, "tex.3d.v4.u32.s32 " V "{%a,%b,%c,%c}];", {1, 2, 4}, 0},
    {BOX, "tex.3d.v4.u32.s32 " V "{%a,%b,%c,%c}];", {1, 2, -1}, 0},
    {ROWS, "tex.a1d.v4.u32.s32 " V "{%c,%a}];", {7, 0, 2}, 207},
    {ROWS, "tex.a1d.v4.u32.s32 " V "{%c,%a}];", {8, 0, 2}, 0},
    {ROWS, "tex.a1d.v4.u32.s32 " V "{%c,%a}];", {-1, 0, 2}, 0},
    {ROWS, "tex.a1d.v4.u32.s32 " V "{%c,%a}];", {7, 0, 3}, 0},
    {PLANES, "tex.a2d.v4.u32.s32 " V "{%c,%a,%b,%b}];", {5, 7, 2}, 275},
    {PLANES, "tex.a2d.v4.u32.s32 " V "{%c,%a,%b,%b}];", {5, 8, 2}, 0},
    {PLANES, "tex.a2d.v4.u32.s32 " V "{%c,%a,%b,%b}];", {5, 7, 3}, 0},
    {PLANES, "tex.a2d.v4.u32.s32 " V "{%c,%a,%b,%b}];", {5, 7, -1}, 0},
    {PLANE_LEVELS,
     "tex.level.2d.v4.u32.s32 " V "{%a,%b}], %c;",
     {3, 2, 1},
     1023},
    {PLANE_LEVELS,
     "tex.level.2d.v4.u32.s32 " V "{%a,%b}], %c;",
     {1, 1, 2},
     2011},
    {PLANE_LEVELS, "tex.level.2d.v4.u32.s32 " V "{%a,%b}], %c;", {1, 1, 3}, 0},
    {PLANE_LEVELS, "tex.level.2d.v4.u32.s32 " V "{%a,%b}], %c;", {1, 1, -1}, 0},
};

static void check_texel(size_t i)
{
    struct thing t = make_thing(texels[i].kind);
    CUtexObject o =
        texture_of(&t, texels[i].kind < ROW_LEVELS ? 0 : NORMALIZED);
    unsigned got = 0, at[3];
    CUmodule m;
    CUfunction f = make_kernel(&m, texels[i].code);
    memcpy(at, texels[i].at, sizeof at);
    CU_OK(run_kernel(f, o, at, &got));
    if (got != texels[i].answer)
        printf("%s at %d %d %d: %u, not %u\n", texels[i].code, texels[i].at[0],
               texels[i].at[1], texels[i].at[2], got, texels[i].answer);
    CHECK(got == texels[i].answer);
    CU_OK(cuTexObjectDestroy(o));
    CU_OK(cuModuleUnload(m));
    end_thing(&t);
}

static void check_texels(void)
{
    for (size_t i = 0; i < sizeof texels / sizeof texels[0]; i++)
        check_texel(i);
}

/* ---- surfaces ----------------------------------------------------------- */

/* At (x bytes, y, z or layer), of each kind from ROW to CUBES; "!" is an
 * illegal address. */
static const struct {
    const char *shape, *bounds;
    unsigned at[3];
    const char *answers;
} loads[] = {
    {"1d", "trap", {8, 1, 1}, "2 0 0 2 0 0 0"},
    {"1d", "clamp", {8, 1, 1}, "2 0 0 2 0 0 0"},
    {"1d", "clamp", {8, 1, 90}, "2 0 0 2 0 0 0"},
    {"1d", "clamp", {8, 1, ~0u}, "2 0 0 2 0 0 0"},
    {"1d", "clamp", {32, 1, 1}, "7 0 0 7 0 0 0"},
    {"1d", "zero", {8, 1, 1}, "2 0 0 2 0 0 0"},
    {"1d", "zero", {8, 1, 90}, "2 0 0 2 0 0 0"},
    {"1d", "zero", {8, 1, ~0u}, "2 0 0 2 0 0 0"},
    {"1d", "zero", {32, 1, 1}, "0 0 0 0 0 0 0"},
    {"1d", "trap", {8, 1, 90}, "- - 0 - 0 - -"},
    {"1d", "trap", {8, 1, ~0u}, "- - 0 - 0 - -"},
    {"1d", "trap", {32, 1, 1}, "- - 0 - 0 - -"},
    {"2d", "trap", {8, 1, 1}, "0 c c 0 c c c"},
    {"2d", "clamp", {8, 1, 1}, "0 c c 0 c c c"},
    {"2d", "clamp", {8, 1, 90}, "0 c c 0 c c c"},
    {"2d", "clamp", {8, 1, ~0u}, "0 c c 0 c c c"},
    {"2d", "clamp", {32, 1, 1}, "0 11 11 0 11 11 11"},
    {"2d", "zero", {8, 1, 1}, "0 c c 0 c c c"},
    {"2d", "zero", {8, 1, 90}, "0 c c 0 c c c"},
    {"2d", "zero", {8, 1, ~0u}, "0 c c 0 c c c"},
    {"2d", "zero", {32, 1, 1}, "0 0 0 0 0 0 0"},
    {"2d", "trap", {8, 1, 90}, "- - c - c - -"},
    {"2d", "trap", {8, 1, ~0u}, "- - c - c - -"},
    {"2d", "trap", {32, 1, 1}, "- - ! - ! - -"},
    {"3d", "trap", {8, 1, 1}, "0 0 70 0 0 0 0"},
    {"3d", "clamp", {8, 1, 1}, "0 0 70 0 0 0 0"},
    {"3d", "clamp", {8, 1, 90}, "0 0 138 0 0 0 0"},
    {"3d", "clamp", {8, 1, ~0u}, "0 0 c 0 0 0 0"},
    {"3d", "clamp", {32, 1, 1}, "0 0 75 0 0 0 0"},
    {"3d", "zero", {8, 1, 1}, "0 0 70 0 0 0 0"},
    {"3d", "zero", {8, 1, 90}, "0 0 0 0 0 0 0"},
    {"3d", "zero", {8, 1, ~0u}, "0 0 0 0 0 0 0"},
    {"3d", "zero", {32, 1, 1}, "0 0 0 0 0 0 0"},
    {"3d", "trap", {8, 1, 90}, "- - ! - 0 - -"},
    {"3d", "trap", {8, 1, ~0u}, "- - ! - 0 - -"},
    {"3d", "trap", {32, 1, 1}, "- - ! - 0 - -"},
    {"a1d", "trap", {8, 1, 1}, "! 0 0 66 0 0 0"},
    {"a1d", "clamp", {8, 1, 1}, "2 0 0 66 0 0 0"},
    {"a1d", "clamp", {8, 1, 90}, "2 0 0 ca 0 0 0"},
    {"a1d", "clamp", {8, 1, ~0u}, "2 0 0 ca 0 0 0"},
    {"a1d", "clamp", {32, 1, 1}, "7 0 0 6b 0 0 0"},
    {"a1d", "zero", {8, 1, 1}, "0 0 0 66 0 0 0"},
    {"a1d", "zero", {8, 1, 90}, "0 0 0 0 0 0 0"},
    {"a1d", "zero", {8, 1, ~0u}, "0 0 0 0 0 0 0"},
    {"a1d", "zero", {32, 1, 1}, "0 0 0 0 0 0 0"},
    {"a1d", "trap", {8, 1, 90}, "- - 0 - 0 - -"},
    {"a1d", "trap", {8, 1, ~0u}, "- - 0 - 0 - -"},
    {"a1d", "trap", {32, 1, 1}, "- - 0 - 0 - -"},
    {"a2d", "trap", {8, 1, 1}, "0 ! c 0 70 70 70"},
    {"a2d", "clamp", {8, 1, 1}, "0 c c 0 70 70 70"},
    {"a2d", "clamp", {8, 1, 90}, "0 c c 0 d4 200 458"},
    {"a2d", "clamp", {8, 1, ~0u}, "0 c c 0 d4 200 458"},
    {"a2d", "clamp", {32, 1, 1}, "0 11 11 0 75 75 75"},
    {"a2d", "zero", {8, 1, 1}, "0 0 c 0 70 70 70"},
    {"a2d", "zero", {8, 1, 90}, "0 0 0 0 0 0 0"},
    {"a2d", "zero", {8, 1, ~0u}, "0 0 0 0 0 0 0"},
    {"a2d", "zero", {32, 1, 1}, "0 0 0 0 0 0 0"},
    {"a2d", "trap", {8, 1, 90}, "- - ! - ! - -"},
    {"a2d", "trap", {8, 1, ~0u}, "- - ! - ! - -"},
    {"a2d", "trap", {32, 1, 1}, "- - ! - ! - -"},
    /* The index of a layer or face has 16 bits. */
    {"a1d", "clamp", {8, 1, 0x10000000}, "- - - 2 - - -"},
    {"a1d", "zero", {8, 1, 0x10000000}, "- - - 2 - - -"},
    {"a1d", "zero", {8, 1, 0x7fffffff}, "- - - 0 - - -"},
    {"a2d", "clamp", {8, 1, 0x80000000}, "- - - - c c c"},
    {"a2d", "zero", {8, 1, 0x80000000}, "- - - - c c c"},
    {"a2d", "clamp", {8, 1, 0x7fffffff}, "- - - - d4 200 458"},
};

static const char *load_code(const char *shape)
{
    return !strcmp(shape, "1d")    ? "{%a}"
           : !strcmp(shape, "2d")  ? "{%a,%b}"
           : !strcmp(shape, "3d")  ? "{%a,%b,%c,%c}"
           : !strcmp(shape, "a1d") ? "{%c,%a}"
                                   : "{%c,%a,%b,%b}";
}

/* One of the row's kinds, in a context without faults. */
static void check_load(size_t i, enum kind kind, const char *wanted)
{
    char code[128];
    CUmodule m;
    unsigned got = 0;
    struct thing t = make_thing(kind);
    snprintf(code, sizeof code, "suld.b.%s.b32.%s %%r, [%%h, %s];",
             loads[i].shape, loads[i].bounds, load_code(loads[i].shape));
    CUfunction f = make_kernel(&m, code);
    CUresult err = run_kernel(f, surface_of(&t), loads[i].at, &got);
    bool is_good = wanted[0] == '!' ? err == CUDA_ERROR_ILLEGAL_ADDRESS
                                    : !err && got == strtoul(wanted, NULL, 16);
    if (!is_good)
        printf("%s, kind %d: %d, %x, not %s\n", code, kind, err, got, wanted);
    CHECK(is_good);
    if (err) {
        renew_context();
        return;
    }
    CU_OK(cuModuleUnload(m));
    end_thing(&t);
}

static void check_loads(void)
{
    char word[16];
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++) {
        const char *row = loads[i].answers;
        for (int k = ROW; next_word(&row, word); k++)
            if (strcmp(word, NONE))
                check_load(i, (enum kind)k, word);
    }
}

/* ---- queries ------------------------------------------------------------ */

static const struct {
    const char *code, *answers;
} queries[] = {
    {"txq.width.b32 %r, [%h];", "40 8 8 8 8 8 8 8 8 8 8 8 8 8"},
    {"txq.height.b32 %r, [%h];", "0 8 1 8 8 3 8 8 8 1 8 8 8 8"},
    {"txq.depth.b32 %r, [%h];", "0 0 0 0 4 0 3 0 2 0 0 4 3 0"},
    {"txq.level.width.b32 %r, [%h], 1;", "0 0 0 0 0 0 0 0 0 4 4 4 4 4"},
    {"txq.level.height.b32 %r, [%h], 2;", "0 0 0 0 0 0 0 0 0 1 2 2 2 2"},
    {"txq.level.depth.b32 %r, [%h], 2;", "0 0 0 0 0 0 0 0 0 0 0 1 3 0"},
    {"txq.level.width.b32 %r, [%h], 3;", "0 0 0 0 0 0 0 0 0 0 0 0 0 0"},
    {"suq.width.b32 %r, [%h];", "- - 8 8 8 8 8 8 8"},
    {"suq.height.b32 %r, [%h];", "- - 0 8 8 3 8 8 8"},
    {"suq.depth.b32 %r, [%h];", "- - 0 0 4 0 3 6 c"},
    /* Objects are of no kind. */
    {"istypep.texref %p, %h; selp.u32 %r, 1, 0, %p;", "0 0 0 0 0 0 0 0 0"},
    {"istypep.samplerref %p, %h; selp.u32 %r, 1, 0, %p;", "0 0 0 0 0 0 0 0 0"},
    {"istypep.surfref %p, %h; selp.u32 %r, 1, 0, %p;", "0 0 0 0 0 0 0 0 0"},
};

static void check_query(size_t i, const struct thing *t, CUfunction f,
                        const char *wanted)
{
    const unsigned at[3] = {0};
    unsigned got = 0;
    bool is_levels = t->mipmap != NULL;
    uint64_t handle = queries[i].code[0] == 's'
                          ? surface_of(t)
                          : texture_of(t, is_levels ? NORMALIZED : 0);
    CU_OK(run_kernel(f, handle, at, &got));
    if (got != strtoul(wanted, NULL, 16))
        printf("%s: %x, not %s\n", queries[i].code, got, wanted);
    CHECK(got == strtoul(wanted, NULL, 16));
}

static void check_queries(void)
{
    char word[16];
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        const char *row = queries[i].answers;
        CUmodule m;
        CUfunction f = make_kernel(&m, queries[i].code);
        for (int k = 0; next_word(&row, word); k++) {
            if (!strcmp(word, NONE))
                continue;
            struct thing t = make_thing((enum kind)k);
            check_query(i, &t, f, word);
            end_thing(&t);
        }
        CU_OK(cuModuleUnload(m));
    }
}

/* ---- offsets ------------------------------------------------------------ */

/* Of 4 bits, a gather's of 6; a row ignores them. Texel (x, y) is y * 256 + x,
 * and coordinates are 33; the offsets are n and -n. */
static const struct {
    const char *code;
    int offset;
    unsigned answer;
} offsets[] = {
#define OFFSETS(code)                                                          \
    {code, 7, 0x1a28}, {code, -8, 0x1919}, {code, 8, 0x1919},                  \
        {code, -9, 0x1a28}, {code, 15, 0x2220}, {code, 16, 0x2121},            \
    {                                                                          \
        code, 4096, 0x2121                                                     \
    }
    OFFSETS("tex.2d.v4.u32.f32 " V "{%k,%k}], {%a,%b};"),
    OFFSETS("tex.level.2d.v4.u32.f32 " V "{%k,%k}], 0f00000000, {%a,%b};"),
    OFFSETS("tex.2d.v4.u32.s32 " V "{33,33}], {%a,%b};"),
#undef OFFSETS
#define GATHER "tld4.r.2d.v4.u32.f32 {%q,%q,%q,%r}, [%h, {%k,%k}], {%a,%b};"
    {GATHER, 8, 0x1929},
    {GATHER, -16, 0x3111},
    {GATHER, 31, 0x0240},
    {GATHER, 32, 0x0101},
    {GATHER, 63, 0x2220},
    {GATHER, 4096, 0x2121},
#undef GATHER
};

static void check_offsets(void)
{
    enum { WIDE = 256 };
    static unsigned v[WIDE * WIDE];
    struct thing t = {.resource.resType = CU_RESOURCE_TYPE_ARRAY};
    CUDA_ARRAY3D_DESCRIPTOR d = {.Width = WIDE,
                                 .Height = WIDE,
                                 .Format = CU_AD_FORMAT_UNSIGNED_INT32,
                                 .NumChannels = 1};
    CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                       .srcHost = v,
                       .srcPitch = WIDE * 4,
                       .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                       .WidthInBytes = WIDE * 4,
                       .Height = WIDE};
    for (unsigned i = 0; i < WIDE * WIDE; i++)
        v[i] = i;
    CU_OK(cuArray3DCreate(&t.array, &d));
    c.dstArray = t.array;
    CU_OK(cuMemcpy2D(&c));
    t.resource.res.array.hArray = t.array;
    CUtexObject o = texture_of(&t, 0);
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        const unsigned at[3] = {(unsigned)offsets[i].offset,
                                -(unsigned)offsets[i].offset, bits_of(33.5f)};
        unsigned got = 0;
        CUmodule m;
        CU_OK(run_kernel(make_kernel(&m, offsets[i].code), o, at, &got));
        if (got != offsets[i].answer)
            printf("%s by %d: %x\n", offsets[i].code, offsets[i].offset, got);
        CHECK(got == offsets[i].answer);
        CU_OK(cuModuleUnload(m));
    }
    end_thing(&t);
}

/* ---- formatted stores and reductions ------------------------------------ */

enum store { STORE, ADD, MIN };

/* What becomes of a texel whose bytes are 0x11 by each of these values and the
 * third behind it, in turns. A reduction counts words along x, whatever the
 * texels are, and so changes the second word of its row. */
static const unsigned values[8] = {0x12345678, 0xffffff80, 0x3f000000,
                                   300,        0x47800100, 0xbf800000,
                                   0x38000100, 0x7fc00001};
static const struct {
    enum store op;
    CUarray_format format;
    unsigned channels;
    const char *answers;
} stores[] = {
    {STORE, CU_AD_FORMAT_UNSIGNED_INT8, 1, "ff ff ff ff ff ff ff ff"},
    {STORE, CU_AD_FORMAT_UNSIGNED_INT8, 4,
     "ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff"},
    {STORE, CU_AD_FORMAT_SIGNED_INT8, 1, "7f 80 7f 7f 7f 80 7f 7f"},
    {STORE, CU_AD_FORMAT_SIGNED_INT8, 2,
     "7f7f 807f 7f80 7f7f 7f7f 807f 7f80 7f7f"},
    {STORE, CU_AD_FORMAT_UNSIGNED_INT16, 1,
     "ffff ffff ffff 2c01 ffff ffff ffff ffff"},
    {STORE, CU_AD_FORMAT_UNSIGNED_INT16, 2,
     "ffff2c01 ffffffff ffffffff 2c01ffff ffffffff ffffffff ffffffff ffffffff"},
    {STORE, CU_AD_FORMAT_SIGNED_INT16, 1,
     "ff7f 80ff ff7f 2c01 ff7f 0080 ff7f ff7f"},
    {STORE, CU_AD_FORMAT_SIGNED_INT16, 4,
     "ff7f2c01ff7f2c01 80ffff7f80ffff7f ff7f0080ff7f0080 2c01ff7f2c01ff7f "
     "ff7fff7fff7fff7f 0080ff7f0080ff7f ff7f80ffff7f80ff ff7fff7fff7fff7f"},
    {STORE, CU_AD_FORMAT_UNSIGNED_INT32, 1,
     "78563412 80ffffff 0000003f 2c010000 00018047 000080bf 00010038 0100c07f"},
    {STORE, CU_AD_FORMAT_SIGNED_INT32, 1,
     "78563412 80ffffff 0000003f 2c010000 00018047 000080bf 00010038 0100c07f"},
    {STORE, CU_AD_FORMAT_UNSIGNED_INT32, 2,
     "785634122c010000 80ffffff00018047 0000003f000080bf 2c01000000010038 "
     "000180470100c07f 000080bf78563412 0001003880ffffff 0100c07f0000003f"},
    {STORE, CU_AD_FORMAT_HALF, 1, "0000 ffff 0038 0000 ff7b 00bc 0002 007e"},
    {STORE, CU_AD_FORMAT_HALF, 4,
     "0000000000000000 ffffff7bffffff7b 003800bc003800bc 0000000200000002 "
     "ff7b007eff7b007e 00bc000000bc0000 0002ffff0002ffff 007e0038007e0038"},
    {STORE, CU_AD_FORMAT_FLOAT, 1,
     "78563412 80ffffff 0000003f 2c010000 00018047 000080bf 00010038 0100c07f"},
    {STORE, CU_AD_FORMAT_UNORM_INT8X1, 1, "00 00 7f 00 ff 00 00 00"},
    {STORE, CU_AD_FORMAT_UNORM_INT8X4, 4,
     "00000000 00ff00ff 7f007f00 00000000 ff00ff00 00000000 00000000 007f007f"},
    {STORE, CU_AD_FORMAT_SNORM_INT16X2, 2,
     "00000000 0000ff7f ff3f0180 00000100 ff7f0000 01800000 01000000 0000ff3f"},
    {STORE, CU_AD_FORMAT_UNORM_INT_101010_2, 4,
     "00000000 00fc0fc0 ff01f01f 00000000 ff03f03f 00000000 00000000 00fc0740"},
    {ADD, CU_AD_FORMAT_UNSIGNED_INT8, 1,
     "89674523 91101111 11111150 3d121111 11129158 111191d0 11121149 1211d190"},
    {ADD, CU_AD_FORMAT_UNSIGNED_INT16, 1,
     "89674523 91101111 11111150 3d121111 11129158 111191d0 11121149 1211d190"},
    {ADD, CU_AD_FORMAT_HALF, 1,
     "89674523 91101111 11111150 3d121111 11129158 111191d0 11121149 1211d190"},
    {ADD, CU_AD_FORMAT_UNSIGNED_INT32, 1,
     "89674523 91101111 11111150 3d121111 11129158 111191d0 11121149 1211d190"},
    {ADD, CU_AD_FORMAT_SIGNED_INT32, 1,
     "89674523 91101111 11111150 3d121111 11129158 111191d0 11121149 1211d190"},
    {ADD, CU_AD_FORMAT_FLOAT, 1,
     "89674523 91101111 11111150 3d121111 11129158 111191d0 11121149 1211d190"},
    {ADD, CU_AD_FORMAT_UNSIGNED_INT16, 2,
     "89674523 91101111 11111150 3d121111 11129158 111191d0 11121149 1211d190"},
    {ADD, CU_AD_FORMAT_SIGNED_INT16, 2,
     "89674523 91101111 11111150 3d121111 11129158 111191d0 11121149 1211d190"},
    {ADD, CU_AD_FORMAT_UNSIGNED_INT8, 4,
     "89674523 91101111 11111150 3d121111 11129158 111191d0 11121149 1211d190"},
    {ADD, CU_AD_FORMAT_UNSIGNED_INT32, 2,
     "89674523 91101111 11111150 3d121111 11129158 111191d0 11121149 1211d190"},
    {ADD, CU_AD_FORMAT_FLOAT, 4,
     "89674523 91101111 11111150 3d121111 11129158 111191d0 11121149 1211d190"},
    {ADD, CU_AD_FORMAT_SNORM_INT16X2, 2,
     "89674523 91101111 11111150 3d121111 11129158 111191d0 11121149 1211d190"},
    {MIN, CU_AD_FORMAT_HALF, 1,
     "11111111 11111111 11111111 2c010000 11111111 11111111 11111111 11111111"},
    {MIN, CU_AD_FORMAT_UNSIGNED_INT32, 1,
     "11111111 11111111 11111111 2c010000 11111111 11111111 11111111 11111111"},
    {MIN, CU_AD_FORMAT_SIGNED_INT32, 1,
     "11111111 80ffffff 11111111 2c010000 11111111 000080bf 11111111 11111111"},
    {MIN, CU_AD_FORMAT_FLOAT, 1,
     "11111111 11111111 11111111 2c010000 11111111 11111111 11111111 11111111"},
    {MIN, CU_AD_FORMAT_UNSIGNED_INT16, 2,
     "11111111 11111111 11111111 2c010000 11111111 11111111 11111111 11111111"},
    {MIN, CU_AD_FORMAT_SIGNED_INT16, 2,
     "11111111 80ffffff 11111111 2c010000 11111111 000080bf 11111111 11111111"},
    {MIN, CU_AD_FORMAT_UNSIGNED_INT8, 4,
     "11111111 11111111 11111111 2c010000 11111111 11111111 11111111 11111111"},
    {MIN, CU_AD_FORMAT_UNSIGNED_INT32, 2,
     "11111111 11111111 11111111 2c010000 11111111 11111111 11111111 11111111"},
    {MIN, CU_AD_FORMAT_FLOAT, 4,
     "11111111 11111111 11111111 2c010000 11111111 11111111 11111111 11111111"},
    {MIN, CU_AD_FORMAT_SNORM_INT16X2, 2,
     "11111111 80ffffff 11111111 2c010000 11111111 000080bf 11111111 11111111"},
};

static unsigned texel_bytes(size_t i)
{
    switch (stores[i].format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
        return stores[i].channels;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_HALF:
        return 2 * stores[i].channels;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_FLOAT:
        return 4 * stores[i].channels;
    default: /* as many as an answer has */
        return (unsigned)strcspn(stores[i].answers, " ") / 2;
    }
}

static void write_texel(CUarray a, const CUDA_ARRAY3D_DESCRIPTOR *d,
                        unsigned char *data, unsigned bytes, bool is_back)
{
    CUDA_MEMCPY2D c = {
        .srcMemoryType = is_back ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_HOST,
        .dstMemoryType = is_back ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_ARRAY,
        .srcArray = a,
        .dstArray = a,
        .srcHost = data,
        .dstHost = data,
        .srcPitch = d->Width * bytes,
        .dstPitch = d->Width * bytes,
        .WidthInBytes = d->Width * bytes,
        .Height = d->Height};
    CU_OK(cuMemcpy2D(&c));
}

static void check_store(size_t i, CUfunction f)
{
    enum { WIDE = 16 };
    unsigned char data[WIDE * 4 * 16];
    char word[64];
    const char *row = stores[i].answers;
    const CUDA_ARRAY3D_DESCRIPTOR d = {.Width = WIDE,
                                       .Height = 4,
                                       .Format = stores[i].format,
                                       .NumChannels = stores[i].channels,
                                       .Flags = CUDA_ARRAY3D_SURFACE_LDST};
    unsigned answer_bytes = (unsigned)strcspn(row, " ") / 2;
    unsigned bytes = texel_bytes(i);
    const unsigned char *changed = data + WIDE * bytes + answer_bytes;
    struct thing t = {.resource.resType = CU_RESOURCE_TYPE_ARRAY};
    CU_OK(cuArray3DCreate(&t.array, &d));
    t.resource.res.array.hArray = t.array;
    CUsurfObject s = surface_of(&t);
    for (unsigned k = 0; k < 8; k++) {
        const unsigned at[3] = {values[k], values[(k + 3) % 8]};
        char got[64] = "";
        unsigned ignored;
        int n = 0;
        CHECK(sscanf(row, " %63s%n", word, &n) == 1);
        row += n;
        memset(data, 0x11, sizeof data);
        write_texel(t.array, &d, data, bytes, false);
        CU_OK(run_kernel(f, s, at, &ignored));
        write_texel(t.array, &d, data, bytes, true);
        for (unsigned b = 0; b < answer_bytes; b++)
            sprintf(got + 2 * b, "%02x", changed[b]);
        if (strcmp(got, word))
            printf("format %02x x %u, operation %d, %08x: %s, not %s\n",
                   d.Format, d.NumChannels, stores[i].op, at[0], got, word);
        CHECK(!strcmp(got, word));
    }
    CU_OK(cuSurfObjectDestroy(s));
    end_thing(&t);
}

static void check_stores(void)
{
    static const char *const codes[] = {
        [STORE] = "sust.p.2d.v4.b32.trap [%h, {1,1}], {%a,%b,%a,%b};",
        [ADD] = "sured.p.add.2d.b32.trap [%h, {1,1}], %a;",
        [MIN] = "sured.p.min.2d.b32.trap [%h, {1,1}], %a;",
    };
    for (int op = STORE; op <= MIN; op++) {
        CUmodule m;
        CUfunction f = make_kernel(&m, codes[op]);
        for (size_t i = 0; i < sizeof stores / sizeof stores[0]; i++)
            if ((int)stores[i].op == op)
                check_store(i, f);
        CU_OK(cuModuleUnload(m));
    }
}

/* ---- what there is room for --------------------------------------------- */

static const struct {
    unsigned width, height, depth, levels, flags;
    bool fits;
} limits[] = {
    {131072, 0, 0, 0, 0, true}, {131073, 0, 0, 0, 0, false},
    {131072, 1, 0, 0, 0, true}, {131073, 1, 0, 0, 0, false},
    {1, 65536, 0, 0, 0, true},  {1, 65537, 0, 0, 0, false},
    {16384, 1, 1, 0, 0, true},  {16385, 1, 1, 0, 0, false},
    {1, 16384, 1, 0, 0, true},  {1, 16385, 1, 0, 0, false},
    {1, 1, 16385, 0, 0, true}, /* of less than 8,192 x 8,192 */
    {32768, 0, 1, 0, 1, true},  {32769, 0, 1, 0, 1, false},
    {1, 0, 2048, 0, 1, true},   {1, 0, 2049, 0, 1, false},
    {32768, 1, 1, 0, 1, true},  {1, 32769, 1, 0, 1, false},
    {1, 1, 2048, 0, 1, true},   {1, 1, 2049, 0, 1, false},
    {32768, 1, 0, 0, 8, true},  {32769, 1, 0, 0, 8, false},
    {1, 1, 2046, 0, 5, true},   {1, 1, 2052, 0, 5, false},
    {4, 4, 7, 0, 4, false},     {4, 5, 6, 0, 4, false},
    {32768, 1, 0, 1, 0, true},  {32769, 1, 0, 1, 0, false},
    {32768, 0, 0, 1, 0, true},  {32769, 0, 0, 1, 0, false},
    {65536, 0, 0, 1, 0, false}, {8, 8, 0, 99, 0, true},
};

static void check_limits(void)
{
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        struct thing t = {0};
        CUDA_ARRAY3D_DESCRIPTOR d = {.Width = limits[i].width,
                                     .Height = limits[i].height,
                                     .Depth = limits[i].depth,
                                     .Format = CU_AD_FORMAT_UNSIGNED_INT8,
                                     .NumChannels = 1,
                                     .Flags = limits[i].flags};
        CUresult err =
            limits[i].levels
                ? cuMipmappedArrayCreate(&t.mipmap, &d, limits[i].levels)
                : cuArray3DCreate(&t.array, &d);
        if (!err != limits[i].fits)
            printf("row %zu of the limits: %d\n", i, err);
        CHECK(err ==
              (limits[i].fits ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE));
        end_thing(&t);
    }
}

/* ---- arrays that end ---------------------------------------------------- */

enum end { TEXTURE, SURFACE_LOADED, SURFACE_STORED, LEVEL, MIPMAP, ENDS };

/* The array is destroyed; then a kernel reads or writes it. */
static void check_end(enum end what)
{
    static const char fetch[] = "tex.2d.v4.u32.f32 " V "{%f,%g}];";
    static const char *const codes[ENDS] = {
        fetch, "suld.b.2d.b32.trap %r, [%h, {8,1}];",
        "sust.b.2d.b32.trap [%h, {8,1}], 3;", fetch, fetch};
    struct thing t = make_thing(what < LEVEL ? PLANE : PLANE_LEVELS);
    const unsigned at[3] = {bits_of(0.3f), bits_of(0.2f), 0};
    unsigned got = 0;
    CUmodule m;
    CUfunction f = make_kernel(&m, codes[what]);
    if (what == LEVEL) {
        t.resource.resType = CU_RESOURCE_TYPE_ARRAY;
        CU_OK(cuMipmappedArrayGetLevel(&t.resource.res.array.hArray, t.mipmap,
                                       1));
    }
    bool is_surface = what == SURFACE_LOADED || what == SURFACE_STORED;
    uint64_t handle = is_surface ? surface_of(&t) : texture_of(&t, NORMALIZED);
    CU_OK(run_kernel(f, handle, at, &got));
    end_thing(&t);
    CUresult err = run_kernel(f, handle, at, &got);
    if (err != CUDA_ERROR_ILLEGAL_ADDRESS)
        printf("array that ended, case %d: %d\n", what, err);
    CHECK(err == CUDA_ERROR_ILLEGAL_ADDRESS);
    renew_context();
}

static void check_ends(void)
{
    for (int i = 0; i < ENDS; i++)
        check_end((enum end)i);
    /* An object of an array that ended, and of another context's. */
    struct thing t = make_thing(PLANE);
    CUDA_TEXTURE_DESC d = {0};
    CUtexObject o = 0;
    CUcontext mine = ctx, other;
    CU_OK(cuCtxCreate(&other, 0, device));
    CU_GIVES(PEER_ACCESS_NOT_ENABLED,
             cuTexObjectCreate(&o, &t.resource, &d, NULL));
    CU_OK(cuCtxDestroy(other));
    CU_OK(cuCtxSetCurrent(mine));
    CU_OK(cuTexObjectCreate(&o, &t.resource, &d, NULL));
    CU_OK(cuTexObjectDestroy(o));
    end_thing(&t);
    CU_GIVES(INVALID_VALUE, cuTexObjectCreate(&o, &t.resource, &d, NULL));
}

int main(void)
{
    CU_OK(cuInit(0));
    CU_OK(cuDeviceGet(&device, 0));
    renew_context();
    check_fetches();
    check_texels();
    check_queries();
    check_offsets();
    check_stores();
    check_limits();
    check_ends();
    check_loads();
    cuCtxDestroy(ctx);
    return check_result();
}
