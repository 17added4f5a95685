/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random textures and coordinates, from a fixed seed: prints a hash of what
 * each gives. Run on both engines, which have nothing in common where the
 * compiled one reads textures by code in the kernel, the lines are the same.
 */
#include "check.h"

#include <math.h>
#include <stdarg.h>

enum { LANES = 64, CASES = 100, SIDE_MAX = 20, LEVELS_MAX = 5 };

enum shape { ROW, PLANE, BOX, ROWS, PLANES, CUBE, CUBES };

/* Fetches that differ in what code is made for them, or in what the helper
 * does. %c are coordinates, %l a level, %i a layer, %g gradients, %m one of two
 * textures, or none; of what each writes, `channels` are stored. */
static const struct form {
    enum shape shape;
    int channels;
    const char *type, *name, *instruction;
} forms[] = {
#define TEX(shape, channels, type, name, at)                                   \
    {                                                                          \
        shape, channels, type, name,                                           \
            "tex." name ".v4." type ".f32 {%r0,%r1,%r2,%r3}, [%t, " at ";"     \
    }
    TEX(ROW, 1, "f32", "1d", "{%c0}]"),
    TEX(PLANE, 1, "f32", "2d", "{%c0,%c1}]"),
    TEX(BOX, 1, "f32", "3d", "{%c0,%c1,%c2,%c2}]"),
    TEX(ROW, 4, "f32", "1d", "{%c0}]"),
    TEX(PLANE, 4, "f32", "2d", "{%c0,%c1}]"),
    TEX(BOX, 4, "f32", "3d", "{%c0,%c1,%c2,%c2}]"),
    TEX(PLANE, 2, "f32", "2d", "{%c0,%c1}]"),
    TEX(ROW, 1, "u32", "1d", "{%c0}]"),
    TEX(PLANE, 1, "u32", "2d", "{%c0,%c1}]"),
    TEX(PLANE, 4, "u32", "2d", "{%c0,%c1}]"),
    TEX(ROWS, 4, "f32", "a1d", "{%i,%c0}]"),
    TEX(ROWS, 1, "f32", "a1d", "{%i,%c0}]"),
    TEX(PLANES, 1, "f32", "a2d", "{%i,%c0,%c1,%c1}]"),
    TEX(PLANES, 4, "u32", "a2d", "{%i,%c0,%c1,%c1}]"),
    TEX(CUBE, 4, "f32", "cube", "{%c0,%c1,%c2,%c2}]"),
    TEX(CUBES, 4, "f32", "acube", "{%i,%c0,%c1,%c2}]"),
    TEX(ROW, 4, "f32", "level.1d", "{%c0}], %l"),
    TEX(PLANE, 4, "f32", "level.2d", "{%c0,%c1}], %l"),
    TEX(PLANE, 4, "u32", "level.2d", "{%c0,%c1}], %l"),
    TEX(BOX, 4, "f32", "level.3d", "{%c0,%c1,%c2,%c2}], %l"),
    TEX(PLANES, 4, "f32", "level.a2d", "{%i,%c0,%c1,%c1}], %l"),
    TEX(CUBE, 4, "f32", "level.cube", "{%c0,%c1,%c2,%c2}], %l"),
    TEX(PLANE, 4, "f32", "grad.2d", "{%c0,%c1}], {%g0,%g1}, {%g1,%l}"),
    TEX(BOX, 4, "f32", "grad.3d",
        "{%c0,%c1,%c2,%c2}], {%g0,%g1,%g0,%g0}, {%g1,%l,%g1,%g1}"),
    TEX(ROW, 1, "f32", "grad.1d", "{%c0}], {%g0}, {%g1}"),
    TEX(PLANE, 1, "u32", "grad.2d", "{%c0,%c1}], {%g1,%g0}, {%g0,%l}"),
    TEX(PLANES, 2, "f32", "grad.a2d",
        "{%i,%c0,%c1,%c1}], {%g0,%g1}, {%g1,%g0}"),
    TEX(CUBE, 4, "f32", "grad.cube",
        "{%c0,%c1,%c2,%c2}], {%g0,%g1,%g0,%g0}, {%g1,%g0,%g0,%g0}"),
    TEX(CUBES, 1, "f32", "grad.acube",
        "{%i,%c0,%c1,%c2}], {%g0,%g1,%l,%g0}, {%g1,%g0,%g1,%g0}"),
    TEX(PLANE, 4, "f32", "grad.2d", "{%c0,%c1}], {%g1,%g0}, {%g0,%g1}, {%i,2}"),
#undef TEX
    {PLANE, 4, "f32", "2d, compared",
     "tex.2d.v4.f32.f32 {%r0,%r1,%r2,%r3}, [%t, {%c0,%c1}], %l;"},
    {CUBE, 1, "f32", "level.cube, compared",
     "tex.level.cube.v4.f32.f32 {%r0,%r1,%r2,%r3}, [%t, {%c0,%c1,%c2,%c2}], "
     "%l, %g1;"},
    {PLANE, 4, "f32", "2d, mixed",
     "tex.2d.v4.f32.f32 {%r0,%r1,%r2,%r3}, [%m, {%c0,%c1}];"},
    {CUBE, 4, "f32", "level.cube, mixed",
     "tex.level.cube.v4.f32.f32 {%r0,%r1,%r2,%r3}, [%m, {%c0,%c1,%c2,%c2}], "
     "%l;"},
    {PLANES, 4, "u32", "gather g of layers, mixed",
     "tld4.g.a2d.v4.u32.f32 {%r0,%r1,%r2,%r3}, [%m, {%i,%c0,%c1,%c1}];"},
    {PLANE, 2, "f16x2", "2d",
     "tex.2d.v2.f16x2.f32 {%r0,%r1}, [%t, {%c0,%c1}];"},
    {PLANE, 4, "f32", "2d, offset",
     "tex.2d.v4.f32.f32 {%r0,%r1,%r2,%r3}, [%t, {%c0,%c1}], {%i,%i};"},
    {PLANE, 4, "f32", "2d, texels",
     "tex.2d.v4.f32.s32 {%r0,%r1,%r2,%r3}, [%t, {%i,%i}];"},
#define TLD4(component)                                                        \
    {                                                                          \
        PLANE, 4, "f32", "gather " component,                                  \
            "tld4." component ".2d.v4.f32.f32 {%r0,%r1,%r2,%r3}, [%t, "        \
            "{%c0,%c1}];"                                                      \
    }
    TLD4("r"),
    TLD4("a"),
#undef TLD4
    {PLANE, 4, "u32", "gather g",
     "tld4.g.2d.v4.u32.f32 {%r0,%r1,%r2,%r3}, [%t, {%c0,%c1}];"},
    {PLANES, 4, "f32", "gather r of layers",
     "tld4.r.a2d.v4.f32.f32 {%r0,%r1,%r2,%r3}, [%t, {%i,%c0,%c1,%c1}];"},
    {CUBE, 4, "f32", "gather b of a cube",
     "tld4.b.cube.v4.f32.f32 {%r0,%r1,%r2,%r3}, [%t, {%c0,%c1,%c2,%c2}];"},
    {BOX, 4, "f32", "3d, offset",
     "tex.3d.v4.f32.f32 {%r0,%r1,%r2,%r3}, [%t, {%c0,%c1,%c2,%c2}], "
     "{%i,2,%i,%i};"},
    {PLANE, 4, "f32", "level.2d, offset",
     "tex.level.2d.v4.f32.f32 {%r0,%r1,%r2,%r3}, [%t, {%c0,%c1}], %l, "
     "{%i,-1};"},
    {PLANE, 4, "u32", "2d, far offset",
     "tex.2d.v4.u32.f32 {%r0,%r1,%r2,%r3}, [%t, {%c0,%c1}], {%i,5000};"},
};
#define FORMS (sizeof forms / sizeof forms[0])

static int dims_of(enum shape shape)
{
    return shape == ROW || shape == ROWS ? 1 : shape == BOX ? 3 : 2;
}

static bool is_layered(enum shape shape)
{
    return shape == ROWS || shape == PLANES || shape == CUBES;
}

static bool is_cube(enum shape shape)
{
    return shape >= CUBE;
}

static unsigned state = 2463534242u;
static unsigned random_bits(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state >> 3;
}

static int below(int n)
{
    return (int)(random_bits() % (unsigned)n);
}

static float chosen(const float *values, int count)
{
    return values[below(count)];
}

/* ---- kernels ------------------------------------------------------------ */

/* Forms that need the same code to find texels, and so are in one kernel: LLVM
 * takes nearly all of the test's time, and compiles that once. */
static bool share_code(const struct form *a, const struct form *b)
{
    return dims_of(a->shape) == dims_of(b->shape) &&
           (a->shape >= ROWS) == (b->shape >= ROWS) &&
           a->channels == b->channels && !strcmp(a->type, b->type) &&
           !strstr(a->name, "offset") == !strstr(b->name, "offset");
}

static size_t add_text(char *text, size_t size, size_t n, const char *format,
                       ...)
{
    va_list args;
    va_start(args, format);
    n += (size_t)vsnprintf(text + n, size - n, format, args);
    va_end(args);
    CHECK(n < size);
    return n;
}

/* What the kernel does as number `which`. is_masked: of the second warp the odd
 * lanes alone; else code need not know of lanes that are not active. */
static size_t write_part(char *text, size_t size, size_t n,
                         const struct form *f, size_t which, bool is_masked)
{
    n = add_text(text, size, n,
                 "  setp.ne.u32 %%u, %%k, %zu; @%%u bra next_%zu;\n"
                 "  and.b32 %%r5, %%r4, 33; setp.eq.u32 %%p, %%r5, 32;\n  %s\n"
                 "  and.b32 %%r5, %%r4, 3; setp.eq.u32 %%p, %%r5, 1;\n"
                 "  selp.b64 %%m, %%m, %%t, %%p; setp.eq.u32 %%p, %%r4, 7;\n"
                 "  selp.b64 %%m, 0, %%m, %%p;\n  %s\n",
                 which, which, is_masked ? "@%p bra all_done;" : "",
                 f->instruction);
    for (int i = 0; i < f->channels; i++)
        n = add_text(text, size, n, "  st.b32 [%%o+%d], %%r%d;\n", 4 * i, i);
    return add_text(text, size, n, "  bra all_done;\nnext_%zu:\n", which);
}

/* k(texture, coordinates, out, another texture, 2 * form + is_masked), of all
 * forms that share the form's code. */
static void write_kernel(char *text, size_t size, const struct form *f)
{
    size_t n = add_text(
        text, size, 0,
        ".version 8.0\n.target sm_80\n.address_size 64\n"
        ".visible .entry k(.param .u64 t, .param .u64 c, .param .u64 o,\n"
        "                  .param .u64 m, .param .u32 which)\n"
        "{ .reg .u64 %%t, %%c, %%o, %%n; .reg .f32 %%c<3>, %%l, %%g<2>;\n"
        "  .reg .b32 %%r<6>, %%i, %%k; .reg .u64 %%m;\n"
        "  .reg .pred %%p, %%u; ld.param.u64 %%t, [t]; ld.param.u64 %%c, [c];\n"
        "  ld.param.u64 %%o, [o]; mov.u32 %%r4, %%tid.x;\n"
        "  mul.wide.u32 %%n, %%r4, 16; add.u64 %%c, %%c, %%n;\n"
        "  add.u64 %%o, %%o, %%n; ld.v4.f32 {%%c0,%%c1,%%c2,%%l}, [%%c];\n"
        "  cvt.rzi.s32.f32 %%i, %%l; mul.f32 %%g0, %%l, 0f3c23d70a;\n"
        "  mul.f32 %%g1, %%c0, 0f3d4ccccd; ld.param.u64 %%m, [m];\n"
        "  ld.param.u32 %%k, [which];\n");
    for (size_t i = 0; i < FORMS; i++)
        for (int k = 0; share_code(&forms[i], f) && k < 2; k++)
            n = write_part(text, size, n, &forms[i], 2 * i + (size_t)k, k);
    add_text(text, size, n, "all_done:\n  ret; }\n");
}

/* ---- textures ----------------------------------------------------------- */

static void fill(unsigned char *data, size_t size, CUarray_format format)
{
    static const float odd[] = {1e30f, -1e30f, 0, -0.0f, 3};
    for (size_t i = 0; i < size; i++)
        data[i] = (unsigned char)random_bits();
    for (size_t i = 0; format == CU_AD_FORMAT_SIGNED_INT16 && i < size; i += 2)
        if (below(20) == 0) { /* the least: a fraction below -1 */
            data[i] = 0;
            data[i + 1] = 0x80;
        }
    for (size_t i = 0; format == CU_AD_FORMAT_FLOAT && i < size; i += 4) {
        float v = (float)(below(4001) - 2000) / 7;
        if (below(50) == 0)
            v = chosen(odd, 5);
        if (below(200) == 0)
            v = below(2) ? INFINITY : NAN;
        memcpy(data + i, &v, sizeof v);
    }
}

static size_t channel_bytes(CUarray_format format)
{
    return format == CU_AD_FORMAT_FLOAT ||
                   format == CU_AD_FORMAT_SIGNED_INT32 ||
                   format == CU_AD_FORMAT_UNSIGNED_INT32
               ? 4
           : format == CU_AD_FORMAT_SIGNED_INT8 ||
                   format == CU_AD_FORMAT_UNSIGNED_INT8
               ? 1
               : 2;
}

static size_t at_least_one(size_t n)
{
    return n ? n : 1;
}

static void fill_array(CUarray a)
{
    static unsigned char data[SIDE_MAX * SIDE_MAX * SIDE_MAX * 16];
    CUDA_ARRAY3D_DESCRIPTOR d;
    CUDA_MEMCPY3D c = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                       .srcHost = data,
                       .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                       .dstArray = a};
    CU_OK(cuArray3DGetDescriptor(&d, a));
    c.srcPitch = d.Width * d.NumChannels * channel_bytes(d.Format);
    c.srcHeight = at_least_one(d.Height);
    c.WidthInBytes = c.srcPitch;
    c.Height = c.srcHeight;
    c.Depth = at_least_one(d.Depth);
    fill(data, c.srcPitch * c.Height * c.Depth, d.Format);
    CU_OK(cuMemcpy3D(&c));
}

static CUDA_ARRAY3D_DESCRIPTOR random_shape(const struct form *f)
{
    CUDA_ARRAY3D_DESCRIPTOR d = {.Width = 1 + (size_t)below(SIDE_MAX)};
    if (dims_of(f->shape) > 1)
        d.Height = is_cube(f->shape) ? d.Width : 1 + (size_t)below(SIDE_MAX);
    if (f->shape == BOX)
        d.Depth = 1 + (size_t)below(SIDE_MAX);
    if (is_layered(f->shape)) {
        d.Depth = 1 + (size_t)below(3);
        d.Flags |= CUDA_ARRAY3D_LAYERED;
    }
    if (is_cube(f->shape)) {
        d.Depth = 6 * at_least_one(d.Depth);
        d.Flags |= CUDA_ARRAY3D_CUBEMAP;
    }
    return d;
}

/* An array, or some levels of a mipmap. */
static CUDA_RESOURCE_DESC make_resource(const CUDA_ARRAY3D_DESCRIPTOR *d,
                                        bool is_mipmap)
{
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY};
    CUmipmappedArray m;
    if (!is_mipmap) {
        CU_OK(cuArray3DCreate(&r.res.array.hArray, d));
        fill_array(r.res.array.hArray);
        return r;
    }
    CU_OK(cuMipmappedArrayCreate(&m, d, LEVELS_MAX));
    for (unsigned i = 0; i < LEVELS_MAX; i++) {
        CUarray level;
        if (cuMipmappedArrayGetLevel(&level, m, i))
            break;
        fill_array(level);
    }
    r.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    r.res.mipmap.hMipmappedArray = m;
    return r;
}

static void destroy_resource(const CUDA_RESOURCE_DESC *r)
{
    if (r->resType == CU_RESOURCE_TYPE_ARRAY)
        CU_OK(cuArrayDestroy(r->res.array.hArray));
    else
        CU_OK(cuMipmappedArrayDestroy(r->res.mipmap.hMipmappedArray));
}

static CUDA_TEXTURE_DESC random_sampling(bool may_filter, bool is_integer)
{
    CUDA_TEXTURE_DESC d = {.filterMode = CU_TR_FILTER_MODE_POINT};
    int same = below(3) ? below(4) : -1;
    for (int i = 0; i < 3; i++)
        d.addressMode[i] = (CUaddress_mode)(same < 0 ? below(4) : same);
    if (may_filter && below(3))
        d.filterMode = CU_TR_FILTER_MODE_LINEAR;
    d.flags = (below(2) ? CU_TRSF_NORMALIZED_COORDINATES : 0) |
              (is_integer ? CU_TRSF_READ_AS_INTEGER : 0);
    for (int i = 0; i < 4; i++)
        d.borderColor[i] = (float)(below(9) - 4) / 4;
    d.mipmapFilterMode = (CUfilter_mode)below(2);
    d.maxAnisotropy = below(3) ? 0 : (unsigned)below(17);
    d.mipmapLevelBias = (float)(below(9) - 4) / 8;
    d.minMipmapLevelClamp = (float)(below(7) - 2) / 4;
    d.maxMipmapLevelClamp = (float)(below(20) + 1) / 4;
    return d;
}

/* ---- coordinates -------------------------------------------------------- */

static float coordinate(int lane, int size, bool is_normalized, int pattern)
{
    static const float far[] = {1e6f,     -1e6f, 1e20f,  -1e20f,
                                INFINITY, NAN,   -1e-40f};
    float x;
    switch (pattern) {
    case 0: /* a row of texels, or a little beside */
        x = (float)(lane % 32) + 0.5f + (float)below(3) / 1024;
        break;
    case 1: /* inside */
        x = (float)below(size * 4096) / 4096;
        break;
    case 2: /* around the edges, on parts of 1 / 512 */
        x = (float)(below(3 * size * 512) - size * 512) / 512;
        break;
    case 3: /* inside, but for a lane or two around a filter's last place */
        x = below(24) ? 0.5f + (float)below(size * 256 - 255) / 256
                      : (float)(124 + below(9)) / 256;
        if (below(2))
            x = (float)size - x;
        break;
    default:
        x = below(8) ? (float)(below(2000) - 1000) / 37 : chosen(far, 7);
    }
    return is_normalized ? x / (float)size : x;
}

/* The fourth is a level, or a layer. */
static void fill_coordinates(CUdeviceptr at, const CUDA_ARRAY3D_DESCRIPTOR *d,
                             bool is_normalized)
{
    const int size[3] = {(int)d->Width, (int)at_least_one(d->Height),
                         (int)at_least_one(d->Depth)};
    float c[LANES][4] = {{0}};
    int pattern[3] = {below(5), below(5), below(5)};
    for (int i = 0; i < LANES; i++) {
        for (int k = 0; k < 3; k++)
            c[i][k] = coordinate(i, size[k], is_normalized, pattern[k]);
        c[i][3] = (float)(below(160) - 32) / 16;
    }
    CU_OK(cuMemcpyHtoD(at, c, sizeof c));
}

/* ---- cases -------------------------------------------------------------- */

static unsigned answers(CUfunction f, unsigned which, CUtexObject t,
                        CUtexObject other, CUdeviceptr at, CUdeviceptr out)
{
    unsigned char got[LANES * 16];
    unsigned hash = 2166136261u;
    void *args[] = {&t, &at, &out, &other, &which};
    CU_OK(cuMemsetD8(out, 0, sizeof got));
    CU_OK(cuLaunchKernel(f, 1, 1, 1, LANES, 1, 1, 0, NULL, args, NULL));
    CU_OK(cuMemcpyDtoH(got, out, sizeof got));
    for (size_t i = 0; i < sizeof got; i++)
        hash = (hash ^ got[i]) * 16777619u;
    return hash;
}

static CUarray_format random_format(bool is_float)
{
    static const CUarray_format floats[] = {
        CU_AD_FORMAT_FLOAT,         CU_AD_FORMAT_FLOAT,
        CU_AD_FORMAT_UNSIGNED_INT8, CU_AD_FORMAT_UNSIGNED_INT8,
        CU_AD_FORMAT_SIGNED_INT8,   CU_AD_FORMAT_UNSIGNED_INT16,
        CU_AD_FORMAT_SIGNED_INT16,  CU_AD_FORMAT_HALF,
    };
    static const CUarray_format integers[] = {
        CU_AD_FORMAT_UNSIGNED_INT32, CU_AD_FORMAT_UNSIGNED_INT8,
        CU_AD_FORMAT_SIGNED_INT8, CU_AD_FORMAT_UNSIGNED_INT16};
    return is_float ? floats[below(8)] : integers[below(4)];
}

static void one_case(const struct form *form, CUfunction f, unsigned which,
                     CUdeviceptr at, CUdeviceptr out)
{
    bool is_float = form->type[0] == 'f';
    bool is_mixed = strstr(form->name, "mixed");
    bool is_mipmap = form->instruction[4] == 'l' || form->instruction[4] == 'g';
    CUDA_ARRAY3D_DESCRIPTOR a = random_shape(form);
    a.Format = random_format(is_float);
    a.NumChannels = below(5) ? (unsigned)form->channels : 1u << below(3);
    CUDA_RESOURCE_DESC r = make_resource(&a, is_mipmap);
    CUDA_TEXTURE_DESC d = random_sampling(is_float, !is_float);
    CUtexObject t, other;
    if (is_mipmap)
        d.flags |= CU_TRSF_NORMALIZED_COORDINATES;
    if (is_cube(form->shape) && below(4) == 0)
        d.flags |= CU_TRSF_SEAMLESS_CUBEMAP;
    CU_OK(cuTexObjectCreate(&t, &r, &d, NULL));
    other = t;
    if (is_mixed) {
        CUDA_TEXTURE_DESC more = random_sampling(is_float, !is_float);
        more.flags |= d.flags & CU_TRSF_NORMALIZED_COORDINATES;
        CU_OK(cuTexObjectCreate(&other, &r, &more, NULL));
    }
    fill_coordinates(at, &a, d.flags & CU_TRSF_NORMALIZED_COORDINATES);
    printf("%s %s %d: format %02x x %u, %zux%zux%zu, modes %d%d%d, filter %d "
           "%d, flags %x: %08x\n",
           form->name, form->type, form->channels, a.Format, a.NumChannels,
           a.Width, a.Height, a.Depth, d.addressMode[0], d.addressMode[1],
           d.addressMode[2], d.filterMode, d.mipmapFilterMode, d.flags,
           answers(f, which, t, other, at, out));
    if (is_mixed)
        CU_OK(cuTexObjectDestroy(other));
    CU_OK(cuTexObjectDestroy(t));
    destroy_resource(&r);
}

/* Has no form before the same code? */
static bool is_first(size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (share_code(&forms[k], &forms[i]))
            return false;
    return true;
}

/* All forms that share the code of form `first`. */
static void run_kernel(size_t first, int cases, CUdeviceptr at, CUdeviceptr out)
{
    static char text[1 << 15];
    CUmodule m;
    CUfunction f;
    write_kernel(text, sizeof text, &forms[first]);
    CU_OK(cuModuleLoadData(&m, text));
    CU_OK(cuModuleGetFunction(&f, m, "k"));
    for (size_t i = first; i < FORMS; i++)
        for (int k = 0;
             share_code(&forms[i], &forms[first]) && k < cases && !failures;
             k++)
            one_case(&forms[i], f, (unsigned)(2 * i) + (k & 1), at, out);
    CU_OK(cuModuleUnload(m));
}

/* Of a seed, if one is given, and so many cases. */
int main(int argc, char **argv)
{
    int cases = argc > 2 ? atoi(argv[2]) : CASES;
    CUdevice device;
    CUcontext ctx;
    CUdeviceptr at, out;
    if (argc > 1)
        state = (unsigned)atoi(argv[1]) * 2654435761u | 1;
    CU_OK(cuInit(0));
    CU_OK(cuDeviceGet(&device, 0));
    CU_OK(cuCtxCreate(&ctx, 0, device));
    CU_OK(cuMemAlloc(&at, LANES * 16));
    CU_OK(cuMemAlloc(&out, LANES * 16));
    for (size_t i = 0; i < FORMS && !failures; i++)
        if (is_first(i))
            run_kernel(i, cases, at, out);
    CU_OK(cuCtxDestroy(ctx));
    return failures != 0;
}
