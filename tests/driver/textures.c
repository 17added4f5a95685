/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Textures and surfaces through the driver API and PTX of its own: references
 * with all their settings, samplers apart from textures, every instruction's
 * forms, formats of blocks, views. What filters give: tests/device/textures.cu.
 */
#include "check.h"
#include "gate.h"

/* Texels of a 4 x 2 plane are their numbers. */
static const char unified[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".global .texref t;\n.global .surfref s;\n.global .u32 other;\n"
    ".visible .entry by_reference(.param .u64 out)\n"
    "{ .reg .u64 %o; .reg .f32 %f<6>; .reg .b32 %x;\n"
    "  ld.param.u64 %o, [out]; mov.f32 %f4, 0f3fc00000; mov.f32 %f5, "
    "0f3f000000;\n"
    "  tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [t, {%f4,%f5}];\n"
    "  st.global.f32 [%o], %f0; st.global.f32 [%o+4], %f3;\n"
    "  ret; }\n"
    ".visible .entry by_surface(.param .u64 out)\n"
    "{ .reg .u64 %o; .reg .b32 %x, %y; ld.param.u64 %o, [out];\n"
    "  mov.b32 %x, 8; mov.b32 %y, 1; suld.b.2d.b32.trap %x, [s, {%x,%y}];\n"
    "  st.global.b32 [%o], %x; ret; }\n"
    ".visible .entry forms(.param .u64 out, .param .u64 tex, .param .u64 "
    "surf)\n"
    "{ .reg .u64 %o, %t, %s; .reg .f32 %f<8>; .reg .b32 %r<8>; .reg .pred %p;\n"
    "  ld.param.u64 %o, [out]; ld.param.u64 %t, [tex];\n"
    "  ld.param.u64 %s, [surf];\n"
    "  mov.f32 %f4, 0f3fc00000; mov.f32 %f5, 0f3f000000;\n"
    "  mov.b32 %r0, 1; mov.b32 %r1, 1;\n"
    "  tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [%t, {%f4,%f5}], {%r0,%r1};\n"
    "  st.global.f32 [%o], %f0;\n"
    "  tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}|%p, [%t, {%f4,%f5}];\n"
    "  selp.u32 %r2, 1, 0, %p; st.global.u32 [%o+4], %r2;\n"
    "  tex.2d.v2.f16x2.f32 {%r2,%r3}, [%t, {%f4,%f5}];\n"
    "  st.global.u32 [%o+8], %r2; st.global.u32 [%o+12], %r3;\n"
    "  tex.2d.v4.f32.s32 {%f0,%f1,%f2,%f3}, [%t, {%r0,%r1}];\n"
    "  st.global.f32 [%o+16], %f0;\n"
    "  txq.level.width.b32 %r2, [%t], 0; st.global.u32 [%o+20], %r2;\n"
    "  txq.height.b32 %r2, [%t]; st.global.u32 [%o+24], %r2;\n"
    "  istypep.texref %p, %t; selp.u32 %r2, 1, 0, %p;\n"
    "  istypep.surfref %p, %t; selp.u32 %r3, 2, 0, %p; or.b32 %r2, %r2, %r3;\n"
    "  istypep.surfref %p, %s; selp.u32 %r3, 4, 0, %p; or.b32 %r2, %r2, %r3;\n"
    "  st.global.u32 [%o+28], %r2;\n"
    "  mov.b32 %r2, 2; mov.b32 %r3, 0; mov.b32 %r4, 0f40000000;\n"
    "  sured.p.max.2d.b32.clamp [%s, {%r2,%r3}], 0x7f000000;\n"
    "  mov.b32 %r2, 8; suld.b.2d.b32.trap %r4, [%s, {%r2,%r3}];\n"
    "  st.global.u32 [%o+32], %r4;\n"
    "  suq.width.b32 %r2, [%s]; st.global.u32 [%o+36], %r2;\n"
    "  ret; }\n"
    ".visible .entry texels(.param .u64 out, .param .u64 .ptr .texref tex)\n"
    "{ .reg .u64 %o, %t; .reg .f32 %f<8>; .reg .b32 %r<4>;\n"
    "  ld.param.u64 %o, [out]; ld.param.u64 %t, [tex];\n"
    "  mov.u32 %r0, %tid.x; mul.wide.u32 %t, %r0, 16; add.u64 %o, %o, %t;\n"
    "  ld.param.u64 %t, [tex];\n"
    "  and.b32 %r1, %r0, 3; shr.u32 %r2, %r0, 2;\n"
    "  tex.2d.v4.f32.s32 {%f0,%f1,%f2,%f3}, [%t, {%r1,%r2}];\n"
    "  st.global.v4.f32 [%o], {%f0,%f1,%f2,%f3}; ret; }\n";

static const char independent[] =
    ".version 8.0\n.target sm_80, texmode_independent\n.address_size 64\n"
    ".global .texref t;\n"
    ".global .samplerref border = {addr_mode_0 = clamp_to_border, "
    "addr_mode_1 = mirror, filter_mode = linear};\n"
    ".global .samplerref edge = {addr_mode_0 = clamp_to_edge, "
    "filter_mode = nearest};\n"
    ".visible .entry k(.param .u64 out)\n"
    "{ .reg .u64 %o; .reg .f32 %f<6>; .reg .b32 %r<4>; .reg .pred %p;\n"
    "  ld.param.u64 %o, [out]; mov.f32 %f4, 0fbf800000; mov.f32 %f5, "
    "0f3f000000;\n"
    "  tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [t, border, {%f4,%f5}];\n"
    "  st.global.f32 [%o], %f0;\n"
    "  tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [t, edge, {%f4,%f5}];\n"
    "  st.global.f32 [%o+4], %f0;\n"
    "  txq.filter_mode.b32 %r0, [border]; st.global.u32 [%o+8], %r0;\n"
    "  txq.addr_mode_0.b32 %r0, [border]; st.global.u32 [%o+12], %r0;\n"
    "  txq.addr_mode_1.b32 %r0, [border]; st.global.u32 [%o+16], %r0;\n"
    "  txq.addr_mode_0.b32 %r0, [edge]; st.global.u32 [%o+20], %r0;\n"
    "  mov.u64 %o, edge; istypep.samplerref %p, %o; selp.u32 %r0, 1, 0, %p;\n"
    "  ld.param.u64 %o, [out]; st.global.u32 [%o+24], %r0;\n"
    "  ret; }\n";

static CUdeviceptr out;
static CUarray plane;
static float answer[64];
static const unsigned *bits = (const unsigned *)answer;

static CUresult launch(CUmodule m, const char *name, CUtexObject t,
                       CUsurfObject s, unsigned threads)
{
    CUfunction f;
    void *args[] = {&out, &t, &s};
    CU_OK(cuModuleGetFunction(&f, m, name));
    CU_OK(cuLaunchKernel(f, 1, 1, 1, threads, 1, 1, 0, NULL, args, NULL));
    CU_OK(cuMemcpyDtoH(answer, out, sizeof answer));
    return CUDA_SUCCESS;
}

static void make_plane(void)
{
    CUDA_ARRAY3D_DESCRIPTOR d = {
        .Width = 4,
        .Height = 2,
        .Format = CU_AD_FORMAT_FLOAT,
        .NumChannels = 1,
        .Flags = CUDA_ARRAY3D_SURFACE_LDST,
    };
    const float texels[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    CUDA_MEMCPY2D c = {
        .srcMemoryType = CU_MEMORYTYPE_HOST,
        .srcHost = texels,
        .srcPitch = 16,
        .dstMemoryType = CU_MEMORYTYPE_ARRAY,
        .WidthInBytes = 16,
        .Height = 2,
    };
    CU_OK(cuArray3DCreate(&plane, &d));
    c.dstArray = plane;
    CU_OK(cuMemcpy2D(&c));
}

/* ---- references --------------------------------------------------------- */

static void settings(CUtexref t)
{
    float color[4] = {1, 2, 3, 4}, low, high;
    CUaddress_mode mode;
    CUfilter_mode filter;
    CUarray_format format;
    unsigned flags;
    int n;
    CU_OK(cuTexRefSetAddressMode(t, 1, CU_TR_ADDRESS_MODE_MIRROR));
    CU_OK(cuTexRefGetAddressMode(&mode, t, 1));
    CHECK(mode == CU_TR_ADDRESS_MODE_MIRROR);
    CU_GIVES(INVALID_VALUE, cuTexRefSetAddressMode(t, 3, mode));
    CU_GIVES(INVALID_VALUE, cuTexRefGetAddressMode(NULL, t, 0));
    CU_OK(cuTexRefSetMipmapFilterMode(t, CU_TR_FILTER_MODE_LINEAR));
    CU_OK(cuTexRefGetMipmapFilterMode(&filter, t));
    CHECK(filter == CU_TR_FILTER_MODE_LINEAR);
    CU_GIVES(INVALID_VALUE, cuTexRefSetFilterMode(t, (CUfilter_mode)7));
    CU_OK(cuTexRefGetFilterMode(&filter, t));
    CHECK(filter == CU_TR_FILTER_MODE_POINT);
    CU_OK(cuTexRefSetMipmapLevelBias(t, 0.5f));
    CU_OK(cuTexRefGetMipmapLevelBias(&low, t));
    CHECK(low == 0.5f);
    CU_OK(cuTexRefSetMipmapLevelClamp(t, 1, 2));
    CU_OK(cuTexRefGetMipmapLevelClamp(&low, &high, t));
    CHECK(low == 1 && high == 2);
    CU_OK(cuTexRefSetMaxAnisotropy(t, 4));
    CU_OK(cuTexRefGetMaxAnisotropy(&n, t));
    CHECK(n == 4);
    CU_OK(cuTexRefSetBorderColor(t, color));
    memset(color, 0, sizeof color);
    CU_OK(cuTexRefGetBorderColor(color, t));
    CHECK(color[0] == 1 && color[3] == 4);
    CU_GIVES(INVALID_VALUE, cuTexRefSetBorderColor(t, NULL));
    CU_GIVES(INVALID_VALUE, cuTexRefSetFlags(t, 0x1000));
    CU_OK(cuTexRefSetFlags(t, CU_TRSF_READ_AS_INTEGER));
    CU_OK(cuTexRefGetFlags(&flags, t));
    CHECK(flags == CU_TRSF_READ_AS_INTEGER);
    CU_OK(cuTexRefSetFormat(t, CU_AD_FORMAT_SIGNED_INT16, 2));
    CU_OK(cuTexRefGetFormat(&format, &n, t));
    CHECK(format == CU_AD_FORMAT_SIGNED_INT16 && n == 2);
    CU_GIVES(INVALID_VALUE, cuTexRefSetFormat(t, format, 3));
}

static void own_reference(void)
{
    CUtexref t;
    CUarray a;
    CU_OK(cuTexRefCreate(&t));
    settings(t);
    CU_GIVES(INVALID_VALUE, cuTexRefGetArray(&a, t));
    CU_OK(cuTexRefDestroy(t));
    CU_GIVES(INVALID_VALUE, cuTexRefDestroy(t));
    CU_GIVES(INVALID_VALUE, cuTexRefSetFlags(t, 0));
    CU_GIVES(INVALID_VALUE, cuTexRefCreate(NULL));
}

static void bound_to_memory(CUmodule m, CUtexref t)
{
    const float texels[2][8] = {{10, 11, 12, 13}, {20, 21}};
    CUDA_ARRAY_DESCRIPTOR d = {.Width = 4,
                               .Height = 2,
                               .Format = CU_AD_FORMAT_FLOAT,
                               .NumChannels = 1};
    CUdeviceptr p, got;
    size_t offset = 7;
    CU_OK(cuMemAlloc(&p, 4096));
    CU_OK(cuMemcpyHtoD(p, texels, sizeof texels));
    CU_OK(cuTexRefSetAddress2D(t, &d, p, 32));
    CU_OK(launch(m, "by_reference", 0, 0, 1));
    CHECK(answer[0] == 11 && answer[1] == 0);
    CU_OK(cuTexRefGetAddress(&got, t));
    CHECK(got == p);
    CU_OK(cuTexRefSetFormat(t, CU_AD_FORMAT_FLOAT, 1));
    CU_GIVES(INVALID_VALUE, cuTexRefSetAddress(NULL, t, p + 32, 32));
    CU_OK(cuTexRefSetAddress(&offset, t, p + 32, 32));
    CHECK(offset == 32);
    CU_OK(cuMemFree(p));
}

static void references(CUmodule m)
{
    CUtexref t, again;
    CUsurfref s;
    CUarray a;
    CU_GIVES(NOT_FOUND, cuModuleGetTexRef(&t, m, "zz"));
    CU_GIVES(NOT_FOUND, cuModuleGetTexRef(&t, m, "other"));
    CU_GIVES(NOT_FOUND, cuModuleGetSurfRef(&s, m, "t"));
    CU_GIVES(INVALID_VALUE, cuModuleGetTexRef(NULL, m, "t"));
    CU_OK(cuModuleGetTexRef(&t, m, "t"));
    CU_OK(cuModuleGetTexRef(&again, m, "t"));
    CHECK(t == again);
    CU_GIVES(INVALID_VALUE, cuTexRefDestroy(t));
    CU_OK(cuTexRefSetArray(t, plane, CU_TRSA_OVERRIDE_FORMAT));
    CU_GIVES(INVALID_VALUE, cuTexRefSetArray(t, plane, 8));
    CU_GIVES(INVALID_HANDLE, cuTexRefSetArray(t, NULL, 1));
    CU_OK(cuTexRefGetArray(&a, t));
    CHECK(a == plane);
    CU_OK(launch(m, "by_reference", 0, 0, 1));
    CHECK(answer[0] == 1);
    CU_OK(cuTexRefSetFlags(t, CU_TRSF_NORMALIZED_COORDINATES));
    CU_OK(cuTexRefSetFilterMode(t, CU_TR_FILTER_MODE_LINEAR));
    CU_OK(launch(m, "by_reference", 0, 0, 1)); /* between both rows */
    CHECK(answer[0] == 5);
    CU_OK(cuTexRefSetFlags(t, 0));
    CU_OK(cuTexRefSetFilterMode(t, CU_TR_FILTER_MODE_POINT));
    bound_to_memory(m, t);
    CU_OK(cuModuleGetSurfRef(&s, m, "s"));
    CU_GIVES(INVALID_VALUE, cuSurfRefGetArray(&a, s));
    CU_OK(cuSurfRefSetArray(s, plane, 0));
    CU_OK(cuSurfRefGetArray(&a, s));
    CHECK(a == plane);
    CU_OK(launch(m, "by_surface", 0, 0, 1));
    CHECK(answer[0] == 6);
}

static void samplers(void)
{
    CUmodule m;
    CUtexref t;
    CU_OK(cuModuleLoadData(&m, independent));
    CU_OK(cuModuleGetTexRef(&t, m, "t"));
    CU_OK(cuTexRefSetArray(t, plane, 1));
    CU_OK(cuTexRefSetFilterMode(t, CU_TR_FILTER_MODE_LINEAR));
    float color[4] = {8, 8, 8, 8};
    CU_OK(cuTexRefSetBorderColor(t, color));
    CU_OK(launch(m, "k", 0, 0, 1));
    CHECK(answer[0] == 8 && answer[1] == 0);
    CHECK(bits[2] == 1 && bits[3] == 4 && bits[4] == 1 && bits[5] == 3);
    CHECK(bits[6] == 1);
    CU_OK(cuModuleUnload(m));
    CU_GIVES(INVALID_VALUE, cuTexRefSetFlags(t, 0));
}

/* ---- instructions ------------------------------------------------------- */

static void forms(CUmodule m)
{
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY};
    CUDA_TEXTURE_DESC d = {.filterMode = CU_TR_FILTER_MODE_POINT};
    CUtexObject t;
    CUsurfObject s;
    r.res.array.hArray = plane;
    CU_OK(cuTexObjectCreate(&t, &r, &d, NULL));
    CU_OK(cuSurfObjectCreate(&s, &r));
    CU_OK(launch(m, "forms", t, s, 1));
    CHECK(answer[0] == 6);                    /* with an offset */
    CHECK(bits[1] == 1);                      /* resident */
    CHECK(bits[2] == 0x3c00 && bits[3] == 0); /* as halves */
    CHECK(answer[4] == 5 && bits[5] == 4 && bits[6] == 2);
    CHECK(bits[7] == 0); /* objects are of no kind, says an H200 */
    CHECK(bits[8] == 0x7f000000 && bits[9] == 4);
    CU_OK(cuTexObjectDestroy(t));
    CU_OK(cuSurfObjectDestroy(s));
}

/* ---- formats ------------------------------------------------------------ */

static CUresult texels_of(CUmodule m, CUarray_format format, unsigned channels,
                          const void *data, size_t bytes,
                          CUresourceViewFormat view)
{
    bool is_block = bytes > 4;
    bool is_viewed = view != CU_RES_VIEW_FORMAT_NONE;
    CUDA_ARRAY3D_DESCRIPTOR d = {
        .Width = is_block && !is_viewed ? 4 : 1,
        .Height = is_block && !is_viewed ? 4 : 1,
        .Format = format,
        .NumChannels = channels,
    };
    CUDA_MEMCPY2D c = {
        .srcMemoryType = CU_MEMORYTYPE_HOST,
        .srcHost = data,
        .dstMemoryType = CU_MEMORYTYPE_ARRAY,
        .WidthInBytes = bytes,
        .Height = 1,
    };
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY};
    CUDA_TEXTURE_DESC how = {.filterMode = CU_TR_FILTER_MODE_POINT};
    CUDA_RESOURCE_VIEW_DESC v = {
        .format = view, .width = is_block ? 4 : 1, .height = is_block ? 4 : 1};
    CUtexObject t;
    CU_OK(cuArray3DCreate(&c.dstArray, &d));
    CU_OK(cuMemcpy2D(&c));
    r.res.array.hArray = c.dstArray;
    CUresult err = cuTexObjectCreate(&t, &r, &how, is_viewed ? &v : NULL);
    if (!err) {
        CU_OK(launch(m, "texels", t, 0, 16));
        CU_OK(cuTexObjectDestroy(t));
    }
    CU_OK(cuArrayDestroy(c.dstArray));
    return err;
}

static bool is_near(unsigned texel, float r, float g, float b, float a)
{
    const float wanted[4] = {r, g, b, a};
    for (int i = 0; i < 4; i++) {
        float off = answer[4 * texel + i] - wanted[i];
        if (off > 2e-3f || off < -2e-3f)
            return false;
    }
    return true;
}

static void formats(CUmodule m)
{
    /* Red and blue, and texels of each of the four colors. */
    const unsigned short colors[] = {0xf800, 0x001f, 0xe4e4, 0xe4e4};
    const unsigned short three[] = {0x001f, 0xf800, 0xe4e4, 0xe4e4};
    CU_OK(texels_of(m, CU_AD_FORMAT_BC1_UNORM, 4, colors, 8, 0));
    CHECK(is_near(0, 1, 0, 0, 1) && is_near(1, 0, 0, 1, 1));
    CHECK(is_near(2, 2 / 3.f, 0, 1 / 3.f, 1));
    CU_OK(texels_of(m, CU_AD_FORMAT_BC1_UNORM, 4, three, 8, 0));
    CHECK(is_near(2, .5f, 0, .5f, 1) && is_near(3, 0, 0, 0, 0));
    /* Two words of 32 bits as such a block, and not as one of 16 bytes. */
    CU_OK(texels_of(m, CU_AD_FORMAT_UNSIGNED_INT32, 2, colors, 8,
                    CU_RES_VIEW_FORMAT_UNSIGNED_BC1));
    CHECK(is_near(0, 1, 0, 0, 1));
    CU_GIVES(INVALID_VALUE, texels_of(m, CU_AD_FORMAT_UNSIGNED_INT32, 2, colors,
                                      8, CU_RES_VIEW_FORMAT_UNSIGNED_BC7));
    const unsigned char ramp[8] = {255, 3, 0x88, 0xc6, 0xfa};
    CU_OK(texels_of(m, CU_AD_FORMAT_BC4_UNORM, 1, ramp, 8, 0));
    CHECK(is_near(0, 1, 0, 0, 1) && is_near(1, 3 / 255.f, 0, 0, 1));
    CHECK(is_near(2, 56463 / 65535.f, 0, 0, 1)); /* 36 / 257 of the way */
    const unsigned char alpha[16] = {0xf0, [8] = 0, 0xf8, 0x1f};
    CU_OK(texels_of(m, CU_AD_FORMAT_BC2_UNORM, 4, alpha, 16, 0));
    CHECK(is_near(0, 1, 0, 0, 0) && is_near(1, 1, 0, 0, 1));
    /* Mode 5: ends of 7 bits of color and 8 of alpha; all indices 0. */
    const unsigned char wide[16] = {0x20, 0x7f, 0, 0, 0, 0, 0xfc, 3};
    CU_OK(texels_of(m, CU_AD_FORMAT_BC7_UNORM, 4, wide, 16, 0));
    CHECK(is_near(5, 1, 0, 0, 1));
    /* Mode 3: ends of 10 bits; those of all ones are the largest half. */
    const unsigned char halves[16] = {0xe3, 0x7f};
    CU_OK(texels_of(m, CU_AD_FORMAT_BC6H_UF16, 3, halves, 16, 0));
    CHECK(answer[0] == 65504 && answer[1] == 0 && answer[3] == 1);
    const unsigned packed = 1023u | 341u << 10 | 2u << 30;
    CU_OK(texels_of(m, CU_AD_FORMAT_UNORM_INT_101010_2, 4, &packed, 4, 0));
    CHECK(is_near(0, 1, 1 / 3.f, 0, 2 / 3.f));
    const float one = 1;
    CU_OK(texels_of(m, CU_AD_FORMAT_FLOAT, 1, &one, 4,
                    CU_RES_VIEW_FORMAT_FLOAT_2X16));
    CHECK(is_near(0, 0, 1.875f, 0, 0)); /* it has no more channels */
}

/* A kernel that was launched before its texture was destroyed reads it, though
 * another has been made since. */
static void destroyed_behind_a_launch(CUmodule m)
{
    CUfunction f;
    CUtexObject t[2];
    float texels[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    CUdeviceptr p[2];
    CUDA_TEXTURE_DESC how = {.filterMode = CU_TR_FILTER_MODE_POINT};
    CU_OK(cuModuleGetFunction(&f, m, "texels"));
    for (int i = 0; i < 2; i++) {
        CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_PITCH2D};
        CU_OK(cuMemAlloc(&p[i], sizeof texels[i]));
        CU_OK(cuMemcpyHtoD(p[i], texels[i], sizeof texels[i]));
        r.res.pitch2D.devPtr = p[i];
        r.res.pitch2D.format = CU_AD_FORMAT_FLOAT;
        r.res.pitch2D.numChannels = 1;
        r.res.pitch2D.width = 4;
        r.res.pitch2D.height = 1;
        r.res.pitch2D.pitchInBytes = 32;
        if (i == 1) {
            void *args[] = {&out, &t[0]};
            gate_shut(0);
            CU_OK(cuLaunchKernel(f, 1, 1, 1, 4, 1, 1, 0, 0, args, NULL));
            CU_OK(cuTexObjectDestroy(t[0]));
        }
        CU_OK(cuTexObjectCreate(&t[i], &r, &how, NULL));
    }
    usleep(20000); /* the kernel does not begin, though it could */
    CU_GIVES(NOT_READY, cuStreamQuery(0));
    gate_open();
    CU_OK(cuMemcpyDtoH(answer, out, sizeof answer));
    CHECK(answer[0] == 1 && answer[4] == 2 && answer[12] == 4);
    CU_OK(cuTexObjectDestroy(t[1]));
    for (int i = 0; i < 2; i++)
        CU_OK(cuMemFree(p[i]));
}

int main(void)
{
    CUdevice device;
    CUcontext ctx;
    CUmodule m;
    CU_OK(cuInit(0));
    CU_OK(cuDeviceGet(&device, 0));
    CU_OK(cuCtxCreate(&ctx, 0, device));
    CU_OK(cuMemAlloc(&out, 4096));
    CU_OK(cuModuleLoadData(&m, unified));
    make_plane();
    own_reference();
    references(m);
    samplers();
    forms(m);
    formats(m);
    destroyed_behind_a_launch(m);
    CU_OK(cuModuleUnload(m));
    CU_OK(cuCtxDestroy(ctx));
    return failures != 0;
}
