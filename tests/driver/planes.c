/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays of video formats: which are made, their planes, copies, textures and
 * surfaces of planes. Statuses and descriptions are an H200's.
 */
#include "check.h"

enum {
    W = 64,
    H = 48,
    LAYERS = 2,
    ROW = 512, /* bytes; more than any row has */
    LAYERED = CUDA_ARRAY3D_LAYERED,
    SURFACE = CUDA_ARRAY3D_SURFACE_LDST,
    GATHER = CUDA_ARRAY3D_TEXTURE_GATHER,
    CUBE = CUDA_ARRAY3D_CUBEMAP,
    VIDEO = CUDA_ARRAY3D_VIDEO_ENCODE_DECODE
};

#define U8  CU_AD_FORMAT_UNSIGNED_INT8
#define U16 CU_AD_FORMAT_UNSIGNED_INT16

/* channels: asked for, and of the planes behind the first one. row_bytes: of
 * a packed format. */
static const struct video {
    CUarray_format format, plane;
    unsigned channels, plane_count, plane_channels, width, height;
    bool has_wrap;
    unsigned row_bytes;
} videos[] = {
    {CU_AD_FORMAT_NV12, U8, 3, 2, 2, W / 2, H / 2, false, 0},
    {CU_AD_FORMAT_P010, U16, 3, 2, 2, W / 2, H / 2, true, 0},
    {CU_AD_FORMAT_P016, U16, 3, 2, 2, W / 2, H / 2, true, 0},
    {CU_AD_FORMAT_NV16, U8, 3, 2, 2, W / 2, H, true, 0},
    {CU_AD_FORMAT_P210, U16, 3, 2, 2, W / 2, H, true, 0},
    {CU_AD_FORMAT_P216, U16, 3, 2, 2, W / 2, H, true, 0},
    {CU_AD_FORMAT_YUV444_8bit_SemiPlanar, U8, 3, 2, 2, W, H, true, 0},
    {CU_AD_FORMAT_YUV444_16bit_SemiPlanar, U16, 3, 2, 2, W, H, true, 0},
    {CU_AD_FORMAT_Y444_PLANAR8, U8, 3, 3, 1, W, H, true, 0},
    {CU_AD_FORMAT_Y444_PLANAR10, U16, 3, 3, 1, W, H, true, 0},
    {CU_AD_FORMAT_YUY2, 0, 4, 0, 0, 0, 0, false, 4 * W},
    {CU_AD_FORMAT_AYUV, 0, 4, 0, 0, 0, 0, false, 4 * W},
    {CU_AD_FORMAT_Y210, 0, 2, 0, 0, 0, 0, false, 4 * W},
    {CU_AD_FORMAT_Y216, 0, 2, 0, 0, 0, 0, false, 4 * W},
    {CU_AD_FORMAT_Y410, 0, 1, 0, 0, 0, 0, false, 4 * W},
    {CU_AD_FORMAT_Y416, 0, 4, 0, 0, 0, 0, false, 8 * W},
};

#define OF_VIDEOS                                                              \
    const struct video *v = videos;                                            \
    v < videos + sizeof videos / sizeof *videos;                               \
    v++

/* ---- what is made -------------------------------------------------------- */

static const struct {
    size_t width, height, depth;
    unsigned flags;
    bool is_good;
} shapes[] = {
    {W, H, 0, VIDEO, true},           {W - 2, H - 2, 0, VIDEO, true},
    {W, H, 0, VIDEO | SURFACE, true}, {W, H, 0, VIDEO | GATHER, true},
    {W, H, 3, VIDEO | LAYERED, true}, {W, H, 0, 0, false},
    {W, H, 0, SURFACE, false},        {W, H, LAYERS, LAYERED, false},
    {W - 1, H, 0, VIDEO, false},      {W, H - 1, 0, VIDEO, false},
    {W, 0, 0, VIDEO, false},          {W, H, 4, VIDEO, false},
    {W, W, 6, VIDEO | CUBE, false},
};

static void creation(const struct video *v)
{
    CUmipmappedArray m;
    CUarray a;
    CUDA_ARRAY3D_DESCRIPTOR got, d = {.Format = v->format};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        d.Width = shapes[i].width;
        d.Height = shapes[i].height;
        d.Depth = shapes[i].depth;
        d.Flags = shapes[i].flags;
        for (d.NumChannels = 0; d.NumChannels <= 5; d.NumChannels++) {
            bool is_good = shapes[i].is_good && d.NumChannels == v->channels;
            CUresult err = is_good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
            check_gives(__FILE__, __LINE__, "cuArray3DCreate", err,
                        cuArray3DCreate(&a, &d));
            if (!is_good)
                continue;
            CU_OK(cuArray3DGetDescriptor(&got, a));
            CHECK(!memcmp(&got, &d, sizeof d));
            CU_OK(cuArrayDestroy(a));
        }
    }
    d = (CUDA_ARRAY3D_DESCRIPTOR){W, W, 0, v->format, v->channels, VIDEO};
    CU_GIVES(INVALID_VALUE, cuMipmappedArrayCreate(&m, &d, 2));
    CU_GIVES(INVALID_VALUE, cuMipmappedArrayCreate(&m, &d, 1));
}

/* The flag alone changes nothing. */
static void plain(void)
{
    CUDA_ARRAY3D_DESCRIPTOR d = {W, H, 0, U8, 4, VIDEO};
    CUDA_TEXTURE_DESC how = {0};
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY};
    CUtexObject t;
    CUarray a, b;
    CUmipmappedArray m;
    CU_OK(cuArray3DCreate(&a, &d));
    CU_GIVES(INVALID_VALUE, cuArrayGetPlane(&b, a, 0));
    r.res.array.hArray = a;
    CU_OK(cuTexObjectCreate(&t, &r, &how, NULL));
    CU_OK(cuTexObjectDestroy(t));
    CU_OK(cuArrayDestroy(a));
    CU_OK(cuMipmappedArrayCreate(&m, &d, 2));
    CU_OK(cuMipmappedArrayDestroy(m));
}

/* ---- copies -------------------------------------------------------------- */

static unsigned char from[ROW * H], to[ROW * H];

static void fill(unsigned seed)
{
    for (unsigned i = 0; i < sizeof from; i++)
        from[i] = (unsigned char)((i * 2654435761u + seed * 40503u) >> 13);
    memset(to, 0, sizeof to);
}

static CUresult copy_in(CUarray a, size_t z, size_t row_bytes, size_t height)
{
    CUDA_MEMCPY3D c = {
        .srcMemoryType = CU_MEMORYTYPE_HOST,
        .srcHost = from,
        .srcPitch = ROW,
        .srcHeight = H,
        .dstMemoryType = CU_MEMORYTYPE_ARRAY,
        .dstArray = a,
        .dstZ = z,
        .WidthInBytes = row_bytes,
        .Height = height,
        .Depth = 1,
    };
    return cuMemcpy3D(&c);
}

static CUresult copy_out(CUarray a, size_t z, size_t row_bytes, size_t height)
{
    CUDA_MEMCPY3D c = {
        .srcMemoryType = CU_MEMORYTYPE_ARRAY,
        .srcArray = a,
        .srcZ = z,
        .dstMemoryType = CU_MEMORYTYPE_HOST,
        .dstHost = to,
        .dstPitch = ROW,
        .dstHeight = H,
        .WidthInBytes = row_bytes,
        .Height = height,
        .Depth = 1,
    };
    return cuMemcpy3D(&c);
}

static void check_rows(size_t row_bytes, size_t height)
{
    for (size_t y = 0; y < height; y++)
        CHECK(!memcmp(from + y * ROW, to + y * ROW, row_bytes));
}

static CUarray make(const struct video *v, unsigned flags)
{
    CUDA_ARRAY3D_DESCRIPTOR d = {
        W,         H,           flags & LAYERED ? LAYERS : 0,
        v->format, v->channels, VIDEO | flags};
    CUarray a = NULL;
    CU_OK(cuArray3DCreate(&a, &d));
    return a;
}

static void packed(const struct video *v)
{
    CUarray a = make(v, 0), b;
    CU_GIVES(INVALID_VALUE, cuArrayGetPlane(&b, a, 0));
    fill(1);
    CU_OK(copy_in(a, 0, v->row_bytes, H));
    CU_OK(copy_out(a, 0, v->row_bytes, H));
    check_rows(v->row_bytes, H);
    CU_GIVES(INVALID_VALUE, copy_in(a, 0, v->row_bytes + 1, H));
    CU_GIVES(INVALID_VALUE, copy_in(a, 0, v->row_bytes, H + 1));
    CU_OK(cuArrayDestroy(a));
}

/* ---- planes -------------------------------------------------------------- */

static size_t plane_row(const struct video *v, unsigned i)
{
    unsigned bytes = v->plane == U8 ? 1 : 2;
    return i ? (size_t)v->width * v->plane_channels * bytes : (size_t)W * bytes;
}

static size_t plane_height(const struct video *v, unsigned i)
{
    return i ? v->height : H;
}

static void describe_plane(const struct video *v, CUarray a, unsigned i,
                           unsigned flags)
{
    CUarray p = NULL, again;
    CUDA_ARRAY3D_DESCRIPTOR d;
    CU_OK(cuArrayGetPlane(&p, a, i));
    CU_OK(cuArrayGetPlane(&again, a, i));
    CHECK(p == again && p != a);
    CU_GIVES(INVALID_VALUE, cuArrayGetPlane(&again, p, 0));
    CU_OK(cuArray3DGetDescriptor(&d, p));
    CHECK(d.Width == (i ? v->width : W) && d.Height == plane_height(v, i));
    CHECK(d.Depth == (flags & LAYERED ? LAYERS : 0) && d.Format == v->plane);
    CHECK(d.NumChannels == (i ? v->plane_channels : 1));
    CHECK(d.Flags == (VIDEO | flags));
    CU_OK(cuArrayDestroy(p)); /* it stays with the whole */
    CU_OK(cuArray3DGetDescriptor(&d, p));
}

/* Each plane has memory of its own: all are written before one is read. */
static void copy_planes(const struct video *v, CUarray a, unsigned layers)
{
    CUarray p;
    for (unsigned i = 0; i < v->plane_count * layers; i++) {
        unsigned k = i / layers, z = i % layers;
        CU_OK(cuArrayGetPlane(&p, a, k));
        fill(i);
        CU_OK(copy_in(p, z, plane_row(v, k), plane_height(v, k)));
        CU_GIVES(INVALID_VALUE, copy_in(p, z, plane_row(v, k) + 1, 1));
        CU_GIVES(INVALID_VALUE, copy_in(p, z, 1, plane_height(v, k) + 1));
        CU_GIVES(INVALID_VALUE, copy_in(p, layers, 1, 1));
    }
    for (unsigned i = 0; i < v->plane_count * layers; i++) {
        unsigned k = i / layers, z = i % layers;
        CU_OK(cuArrayGetPlane(&p, a, k));
        fill(i);
        CU_OK(copy_out(p, z, plane_row(v, k), plane_height(v, k)));
        check_rows(plane_row(v, k), plane_height(v, k));
    }
}

static void planes(const struct video *v, unsigned flags)
{
    CUarray a = make(v, flags), p, last;
    CUDA_ARRAY3D_DESCRIPTOR d;
    for (unsigned i = 0; i < v->plane_count; i++)
        describe_plane(v, a, i, flags);
    CU_GIVES(INVALID_VALUE, cuArrayGetPlane(&p, a, v->plane_count));
    CU_GIVES(INVALID_VALUE, cuArrayGetPlane(&p, a, ~0u));
    CU_GIVES(INVALID_VALUE, cuArrayGetPlane(NULL, a, 0));
    CU_GIVES(INVALID_HANDLE, cuArrayGetPlane(&p, NULL, 0));
    copy_planes(v, a, flags & LAYERED ? LAYERS : 1);
    for (size_t bytes = 1; bytes <= ROW; bytes *= 2)
        CU_GIVES(INVALID_VALUE, copy_in(a, 0, bytes, 1));
    CU_OK(cuArrayGetPlane(&last, a, v->plane_count - 1));
    CU_OK(cuArrayDestroy(a)); /* its planes end with it */
    CU_GIVES(INVALID_HANDLE, cuArrayGetPlane(&p, a, 0));
    CU_GIVES(INVALID_HANDLE, cuArray3DGetDescriptor(&d, last));
}

/* ---- textures and surfaces ----------------------------------------------- */

static CUtexObject texture_of(CUarray a, CUaddress_mode mode, CUresult error)
{
    CUtexObject t = 0;
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY};
    CUDA_TEXTURE_DESC how = {.addressMode = {mode, mode, mode},
                             .flags = CU_TRSF_READ_AS_INTEGER};
    r.res.array.hArray = a;
    check_gives(__FILE__, __LINE__, "cuTexObjectCreate", error,
                cuTexObjectCreate(&t, &r, &how, NULL));
    return t;
}

static CUsurfObject surface_of(CUarray a, CUresult error)
{
    CUsurfObject s = 0;
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY};
    r.res.array.hArray = a;
    check_gives(__FILE__, __LINE__, "cuSurfObjectCreate", error,
                cuSurfObjectCreate(&s, &r));
    return s;
}

static void objects(const struct video *v)
{
    CUarray a = make(v, 0), p;
    bool is_packed = v->plane_count == 0;
    texture_of(a, CU_TR_ADDRESS_MODE_WRAP, CUDA_ERROR_INVALID_VALUE);
    texture_of(a, CU_TR_ADDRESS_MODE_CLAMP, CUDA_ERROR_INVALID_VALUE);
    CU_OK(cuSurfObjectDestroy(
        surface_of(a, is_packed ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE)));
    for (unsigned i = 0; i < v->plane_count; i++) {
        CU_OK(cuArrayGetPlane(&p, a, i));
        for (CUaddress_mode m = CU_TR_ADDRESS_MODE_WRAP;
             m <= CU_TR_ADDRESS_MODE_BORDER; m++) {
            bool is_good = v->has_wrap || m == CU_TR_ADDRESS_MODE_CLAMP;
            cuTexObjectDestroy(texture_of(
                p, m, is_good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE));
        }
        CU_OK(cuTexObjectDestroy(
            texture_of(p, CU_TR_ADDRESS_MODE_CLAMP, CUDA_SUCCESS)));
        CU_OK(cuSurfObjectDestroy(surface_of(p, CUDA_SUCCESS)));
    }
    CU_OK(cuArrayDestroy(a));
}

/* Texel (x, y) of a texture goes to the same place of a surface, its two bytes
 * changed. */
static const char ptx[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry change(.param .u64 tex, .param .u64 surf)\n"
    "{ .reg .u64 %t, %s; .reg .b32 %r<6>; .reg .b16 %h<2>;\n"
    "  ld.param.u64 %t, [tex]; ld.param.u64 %s, [surf];\n"
    "  mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x;\n"
    "  tex.2d.v4.u32.s32 {%r2,%r3,%r4,%r5}, [%t, {%r0,%r1}];\n"
    "  xor.b32 %r2, %r2, 0x55; add.u32 %r3, %r3, 3;\n"
    "  cvt.u16.u32 %h0, %r2; cvt.u16.u32 %h1, %r3;\n"
    "  shl.b32 %r0, %r0, 1;\n"
    "  sust.b.2d.v2.b8.trap [%s, {%r0,%r1}], {%h0,%h1}; ret; }\n";

/* From plane 1 of NV12 to its own kind, or to a packed array. */
static void kernel(CUfunction f, const struct video *v)
{
    CUarray a = make(videos, SURFACE), b = make(v, SURFACE), read, written = b;
    CU_OK(cuArrayGetPlane(&read, a, 1));
    if (v->plane_count)
        CU_OK(cuArrayGetPlane(&written, b, 1));
    fill(7);
    CU_OK(copy_in(read, 0, W, H / 2));
    CUtexObject t = texture_of(read, CU_TR_ADDRESS_MODE_CLAMP, CUDA_SUCCESS);
    CUsurfObject s = surface_of(written, CUDA_SUCCESS);
    void *args[] = {&t, &s};
    CU_OK(cuLaunchKernel(f, H / 2, 1, 1, W / 2, 1, 1, 0, NULL, args, NULL));
    CU_OK(cuCtxSynchronize());
    CU_OK(copy_out(written, 0, W, H / 2));
    for (size_t y = 0; y < H / 2; y++) {
        const unsigned char *was = from + y * ROW, *is = to + y * ROW;
        for (size_t x = 0; x < W; x += 2) {
            CHECK(is[x] == (was[x] ^ 0x55));
            CHECK(is[x + 1] == (unsigned char)(was[x + 1] + 3));
        }
    }
    CU_OK(cuTexObjectDestroy(t));
    CU_OK(cuSurfObjectDestroy(s));
    CU_OK(cuArrayDestroy(a));
    CU_OK(cuArrayDestroy(b));
}

static void kernels(void)
{
    CUmodule m;
    CUfunction f;
    CU_OK(cuModuleLoadData(&m, ptx));
    CU_OK(cuModuleGetFunction(&f, m, "change"));
    kernel(f, videos);
    for (OF_VIDEOS)
        if (v->plane_count == 0)
            kernel(f, v);
    CU_OK(cuModuleUnload(m));
}

int main(void)
{
    CUdevice device;
    CUcontext ctx;
    size_t before, after, total;
    CU_OK(cuInit(0));
    CU_OK(cuDeviceGet(&device, 0));
    CU_OK(cuCtxCreate(&ctx, 0, device));
    CU_OK(cuMemGetInfo(&before, &total));
    plain();
    for (OF_VIDEOS) {
        creation(v);
        objects(v);
        if (v->plane_count == 0) {
            packed(v);
            continue;
        }
        planes(v, 0);
        planes(v, SURFACE);
        planes(v, LAYERED);
    }
    kernels();
    CU_OK(cuMemGetInfo(&after, &total));
    CHECK(before == after);
    make(videos, 0); /* ended with the context */
    CU_OK(cuCtxDestroy(ctx));
    return failures != 0;
}
