/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random textures and coordinates, from a fixed seed: prints a hash of what
 * each gives. Run on both engines, which have nothing in common where the
 * compiled one reads textures by code in the kernel, the lines are the same.
 */
#include "check.h"

#include <math.h>

enum { LANES = 64, CASES = 40, SIDE_MAX = 20 };

/* Fetches that differ in what code is made for them. */
static const struct form {
    int dims, channels;
    const char *type;
} forms[] = {
    {1, 1, "f32"}, {2, 1, "f32"}, {3, 1, "f32"}, {1, 4, "f32"}, {2, 4, "f32"},
    {3, 4, "f32"}, {2, 2, "f32"}, {1, 1, "u32"}, {2, 1, "u32"}, {2, 4, "u32"},
};
#define FORMS (sizeof forms / sizeof forms[0])

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

/* ---- kernels ---------------------------------------------------------------
 */

/* k(texture, coordinates, out): lanes beyond the warps' middle only if they are
 * odd, so that some warps are masked. */
static void write_kernel(char *text, size_t size, const struct form *f)
{
    static const char *const at[] = {"{%c0}", "{%c0,%c1}", "{%c0,%c1,%c2,%c2}"};
    size_t n = (size_t)snprintf(
        text, size,
        ".version 8.0\n.target sm_80\n.address_size 64\n"
        ".visible .entry k(.param .u64 t, .param .u64 c, .param .u64 o)\n"
        "{ .reg .u64 %%t, %%c, %%o, %%i; .reg .f32 %%c<3>; .reg .b32 %%r<6>;\n"
        "  .reg .pred %%p; ld.param.u64 %%t, [t]; ld.param.u64 %%c, [c];\n"
        "  ld.param.u64 %%o, [o]; mov.u32 %%r4, %%tid.x;\n"
        "  and.b32 %%r5, %%r4, 33; setp.eq.u32 %%p, %%r5, 32; @%%p ret;\n"
        "  mul.wide.u32 %%i, %%r4, 16; add.u64 %%c, %%c, %%i;\n"
        "  add.u64 %%o, %%o, %%i; ld.f32 %%c0, [%%c]; ld.f32 %%c1, [%%c+4];\n"
        "  ld.f32 %%c2, [%%c+8];\n"
        "  tex.%dd.v4.%s.f32 {%%r0,%%r1,%%r2,%%r3}, [%%t, %s];\n",
        f->dims, f->type, at[f->dims - 1]);
    for (int i = 0; i < f->channels; i++)
        n += (size_t)snprintf(text + n, size - n, "  st.b32 [%%o+%d], %%r%d;\n",
                              4 * i, i);
    snprintf(text + n, size - n, "  ret; }\n");
}

/* ---- textures --------------------------------------------------------------
 */

static void fill(unsigned char *data, size_t size, CUarray_format format)
{
    static const float odd[] = {1e30f, -1e30f, 0, -0.0f, 3};
    for (size_t i = 0; i < size; i++)
        data[i] = (unsigned char)random_bits();
    for (size_t i = 0; format == CU_AD_FORMAT_FLOAT && i < size; i += 4) {
        float v = (float)(below(4001) - 2000) / 7;
        if (below(50) == 0)
            v = chosen(odd, 5);
        if (below(200) == 0)
            v = below(2) ? INFINITY : NAN;
        memcpy(data + i, &v, sizeof v);
    }
}

static CUarray make_array(const struct form *f, CUarray_format format,
                          int channels, int size[3])
{
    static unsigned char data[SIDE_MAX * SIDE_MAX * SIDE_MAX * 16];
    unsigned bytes =
        (format == CU_AD_FORMAT_UNSIGNED_INT8 ? 1u : 4u) * (unsigned)channels;
    CUDA_ARRAY3D_DESCRIPTOR d = {.Format = format,
                                 .NumChannels = (unsigned)channels};
    CUDA_MEMCPY3D c = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                       .srcHost = data,
                       .dstMemoryType = CU_MEMORYTYPE_ARRAY};
    for (int i = 0; i < 3; i++)
        size[i] = i < f->dims ? 1 + below(SIDE_MAX) : 1;
    d.Width = (size_t)size[0];
    d.Height = f->dims > 1 ? (size_t)size[1] : 0;
    d.Depth = f->dims > 2 ? (size_t)size[2] : 0;
    fill(data, (size_t)size[0] * (size_t)size[1] * (size_t)size[2] * bytes,
         format);
    CU_OK(cuArray3DCreate(&c.dstArray, &d));
    c.srcPitch = (size_t)size[0] * bytes;
    c.srcHeight = (size_t)size[1];
    c.WidthInBytes = c.srcPitch;
    c.Height = (size_t)size[1];
    c.Depth = (size_t)size[2];
    CU_OK(cuMemcpy3D(&c));
    return c.dstArray;
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
    return d;
}

/* ---- coordinates -----------------------------------------------------------
 */

static float coordinate(int lane, int size, bool is_normalized, int pattern)
{
    static const float far[] = {1e6f, -1e6f, 1e20f, -1e20f, INFINITY, NAN, 77};
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
    default:
        x = below(8) ? (float)(below(2000) - 1000) / 37 : chosen(far, 7);
    }
    return is_normalized ? x / (float)size : x;
}

static void fill_coordinates(CUdeviceptr at, const int size[3],
                             bool is_normalized)
{
    float c[LANES][4] = {{0}};
    int pattern[3] = {below(4), below(4), below(4)};
    for (int i = 0; i < LANES; i++)
        for (int d = 0; d < 3; d++)
            c[i][d] = coordinate(i, size[d], is_normalized, pattern[d]);
    CU_OK(cuMemcpyHtoD(at, c, sizeof c));
}

/* ---- cases -----------------------------------------------------------------
 */

static unsigned answers(CUfunction f, CUtexObject t, CUdeviceptr at,
                        CUdeviceptr out)
{
    unsigned char got[LANES * 16];
    unsigned hash = 2166136261u;
    void *args[] = {&t, &at, &out};
    CU_OK(cuMemsetD8(out, 0, sizeof got));
    CU_OK(cuLaunchKernel(f, 1, 1, 1, LANES, 1, 1, 0, NULL, args, NULL));
    CU_OK(cuMemcpyDtoH(got, out, sizeof got));
    for (size_t i = 0; i < sizeof got; i++)
        hash = (hash ^ got[i]) * 16777619u;
    return hash;
}

static void one_case(const struct form *form, CUfunction f, CUdeviceptr at,
                     CUdeviceptr out)
{
    static const CUarray_format float_formats[] = {CU_AD_FORMAT_FLOAT,
                                                   CU_AD_FORMAT_UNSIGNED_INT8};
    static const CUarray_format integer_formats[] = {
        CU_AD_FORMAT_UNSIGNED_INT32, CU_AD_FORMAT_UNSIGNED_INT8};
    bool is_float = form->type[0] == 'f';
    CUarray_format format =
        (is_float ? float_formats : integer_formats)[below(2)];
    int channels = below(5) ? form->channels : 1 << below(3), size[3];
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY};
    CUDA_TEXTURE_DESC d = random_sampling(is_float, !is_float);
    CUtexObject t;
    r.res.array.hArray = make_array(form, format, channels, size);
    CU_OK(cuTexObjectCreate(&t, &r, &d, NULL));
    fill_coordinates(at, size, d.flags & CU_TRSF_NORMALIZED_COORDINATES);
    printf("%dd %s %d: format %02x x %d, %dx%dx%d, modes %d%d%d, filter %d, "
           "flags %x: %08x\n",
           form->dims, form->type, form->channels, format, channels, size[0],
           size[1], size[2], d.addressMode[0], d.addressMode[1],
           d.addressMode[2], d.filterMode, d.flags, answers(f, t, at, out));
    CU_OK(cuTexObjectDestroy(t));
    CU_OK(cuArrayDestroy(r.res.array.hArray));
}

int main(void)
{
    CUdevice device;
    CUcontext ctx;
    CUdeviceptr at, out;
    CU_OK(cuInit(0));
    CU_OK(cuDeviceGet(&device, 0));
    CU_OK(cuCtxCreate(&ctx, 0, device));
    CU_OK(cuMemAlloc(&at, LANES * 16));
    CU_OK(cuMemAlloc(&out, LANES * 16));
    for (size_t i = 0; i < FORMS; i++) {
        char text[4096];
        CUmodule m;
        CUfunction f;
        write_kernel(text, sizeof text, &forms[i]);
        CU_OK(cuModuleLoadData(&m, text));
        CU_OK(cuModuleGetFunction(&f, m, "k"));
        for (int k = 0; k < CASES && !failures; k++)
            one_case(&forms[i], f, at, out);
        CU_OK(cuModuleUnload(m));
    }
    CU_OK(cuCtxDestroy(ctx));
    return failures != 0;
}
