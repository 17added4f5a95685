/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random accesses to surfaces, from a fixed seed: each lane copies an element
 * from one surface to another. Prints a hash of what is there afterwards; both
 * engines print the same.
 */
#include "check.h"

enum { LANES = 64, CASES = 12, SIDE = 40, DEPTH = 3 };

enum shape { ROW, PLANE, BOX, ROWS, PLANES };

static const struct form {
    enum shape shape;
    const char *geometry, *at, *type, *registers;
    int bytes; /* of all registers */
} forms[] = {
    {ROW, "1d", "{%a}", "b32", "%r0", 4},
    {PLANE, "2d", "{%a,%b}", "b8", "%h0", 1},
    {PLANE, "2d", "{%a,%b}", "b16", "%h0", 2},
    {PLANE, "2d", "{%a,%b}", "b32", "%r0", 4},
    {PLANE, "2d", "{%a,%b}", "b64", "%l0", 8},
    {PLANE, "2d", "{%a,%b}", "v4.b8", "{%h0,%h1,%h2,%h3}", 4},
    {PLANE, "2d", "{%a,%b}", "v2.b16", "{%h0,%h1}", 4},
    {PLANE, "2d", "{%a,%b}", "v4.b32", "{%r0,%r1,%r2,%r3}", 16},
    {PLANE, "2d", "{%a,%b}", "v2.b64", "{%l0,%l1}", 16},
    {BOX, "3d", "{%a,%b,%c,%c}", "v2.b32", "{%r0,%r1}", 8},
    {ROWS, "a1d", "{%c,%a}", "b32", "%r0", 4},
    {PLANES, "a2d", "{%c,%a,%b,%b}", "b32", "%r0", 4},
};

static unsigned state = 88172645u;
static int below(int n)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return (int)((state >> 3) % (unsigned)n);
}

/* Some lanes of each second block return at once. */
static CUfunction make_kernel(const struct form *f, const char *bounds)
{
    char text[2048];
    CUmodule m;
    CUfunction k = NULL;
    snprintf(
        text, sizeof text,
        ".version 8.0\n.target sm_80\n.address_size 64\n"
        ".visible .entry k(.param .u64 from, .param .u64 to,\n"
        "  .param .u64 at)\n"
        "{ .reg .u64 %%f, %%t, %%p, %%i, %%l<2>; .reg .b32 %%a, %%b, %%c,\n"
        "  %%x, %%n, %%r<4>; .reg .b16 %%h<4>; .reg .pred %%q;\n"
        "  ld.param.u64 %%f, [from]; ld.param.u64 %%t, [to];\n"
        "  ld.param.u64 %%p, [at]; mov.u32 %%x, %%tid.x;\n"
        "  mov.u32 %%n, %%ctaid.x; mad.lo.u32 %%x, %%n, %d, %%x;\n"
        "  and.b32 %%n, %%x, 73; setp.eq.u32 %%q, %%n, 72; @%%q ret;\n"
        "  mul.wide.u32 %%i, %%x, 16; add.u64 %%p, %%p, %%i;\n"
        "  ld.v4.u32 {%%a,%%b,%%c,%%n}, [%%p];\n"
        "  suld.b.%s.%s.%s %s, [%%f, %s];\n"
        "  sust.b.%s.%s.%s [%%t, %s], %s;\n  ret; }\n",
        LANES, f->geometry, f->type, bounds, f->registers, f->at, f->geometry,
        f->type, bounds, f->at, f->registers);
    CU_OK(cuModuleLoadData(&m, text));
    CU_OK(cuModuleGetFunction(&k, m, "k"));
    return k;
}

static CUarray make_array(enum shape shape)
{
    bool is_layered = shape == ROWS || shape == PLANES;
    CUarray a = NULL;
    CUDA_ARRAY3D_DESCRIPTOR d = {
        .Width = 4 * SIDE,
        .Height = shape == ROW || shape == ROWS ? 0 : SIDE,
        .Depth = shape == ROW || shape == PLANE ? 0 : DEPTH,
        .Format = CU_AD_FORMAT_UNSIGNED_INT32,
        .NumChannels = 4,
        .Flags =
            CUDA_ARRAY3D_SURFACE_LDST | (is_layered ? CUDA_ARRAY3D_LAYERED : 0),
    };
    CU_OK(cuArray3DCreate(&a, &d));
    return a;
}

static unsigned char data[64 * SIDE * SIDE * DEPTH];

static void copy(CUarray a, bool is_to_array)
{
    CUDA_ARRAY3D_DESCRIPTOR d;
    CU_OK(cuArray3DGetDescriptor(&d, a));
    CUDA_MEMCPY3D c = {
        .srcMemoryType = is_to_array ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_ARRAY,
        .dstMemoryType = is_to_array ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_HOST,
        .srcHost = data,
        .dstHost = data,
        .srcArray = a,
        .dstArray = a,
        .srcPitch = 64 * SIDE,
        .dstPitch = 64 * SIDE,
        .srcHeight = SIDE,
        .dstHeight = SIDE,
        .WidthInBytes = 64 * SIDE,
        .Height = d.Height ? d.Height : 1,
        .Depth = d.Depth ? d.Depth : 1,
    };
    CU_OK(cuMemcpy3D(&c));
}

static unsigned hash_of(CUarray a)
{
    unsigned hash = 2166136261u;
    memset(data, 0, sizeof data);
    copy(a, false);
    for (size_t i = 0; i < sizeof data; i++)
        hash = (hash ^ data[i]) * 16777619u;
    return hash;
}

static CUsurfObject surface_of(CUarray a)
{
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY};
    CUsurfObject s = 0;
    r.res.array.hArray = a;
    CU_OK(cuSurfObjectCreate(&s, &r));
    return s;
}

/* No element twice, since lanes' stores have no order. */
static void fill_coordinates(CUdeviceptr at, const struct form *f, int pattern)
{
    int c[2 * LANES][4], x = below(3), y = below(SIDE), z = below(DEPTH);
    for (int i = 0; i < 2 * LANES; i++) {
        c[i][0] = (x + i) * f->bytes;
        c[i][1] = pattern == 1 ? (y + i / 32) % SIDE : y;
        c[i][2] = z;
        if (pattern == 1)
            c[i][0] = (x + i % 32) * f->bytes;
        if (pattern == 2)
            c[i][0] = (i * 7 % 131 - 20) * f->bytes;
    }
    if (pattern == 3) /* one beyond */
        c[below(LANES)][2] = f->shape == PLANE ? 0 : DEPTH;
    CU_OK(cuMemcpyHtoD(at, c, sizeof c));
}

int main(void)
{
    CUdevice device;
    CUcontext ctx;
    CUdeviceptr at;
    CU_OK(cuInit(0));
    CU_OK(cuDeviceGet(&device, 0));
    CU_OK(cuCtxCreate(&ctx, 0, device));
    CU_OK(cuMemAlloc(&at, 2 * LANES * 16));
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const struct form *f = &forms[i];
        CUfunction k = make_kernel(f, "zero");
        CUarray from = make_array(f->shape), to = make_array(f->shape);
        CUsurfObject surface[2] = {surface_of(from), surface_of(to)};
        void *args[] = {&surface[0], &surface[1], &at};
        for (size_t j = 0; j < sizeof data; j++)
            data[j] = (unsigned char)below(256);
        copy(from, true);
        memset(data, 0, sizeof data);
        copy(to, true);
        for (int j = 0; j < CASES; j++) {
            fill_coordinates(at, f, j % 4);
            CU_OK(cuLaunchKernel(k, 2, 1, 1, LANES, 1, 1, 0, NULL, args, NULL));
            CU_OK(cuCtxSynchronize());
            printf("%s %s: %08x\n", f->geometry, f->type, hash_of(to));
        }
    }
    CU_OK(cuCtxDestroy(ctx));
    return failures != 0;
}
