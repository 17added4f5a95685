/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accesses beyond the edges of surfaces, handles that are none, and handles of
 * the other kind: what the kernel gets, or the error that it ends with. Each
 * row in a context of its own, since errors stick. As an H200's driver answers.
 */
#include "check.h"

/* What %h is. */
enum handle { SURFACE, TEXTURE, DESTROYED, NOTHING, ODD };

static const struct row {
    enum handle handle;
    unsigned dims;
    bool is_layered;
    const char
        *instruction; /* of %h, coordinates or values %a %b %c; gives %r */
    int a, b, c;
    CUresult error;
    unsigned value; /* %r; of a store, what element `at` is afterwards */
    int at;         /* -1: a load */
} rows[] = {
#define LOAD(bounds)  "suld.b.2d.b32." #bounds " %r, [%h, {%a,%b}];"
#define STORE(bounds) "sust.b.2d.b32." #bounds " [%h, {%a,%b}], 77;"
#define BAD           CUDA_ERROR_ILLEGAL_ADDRESS
    /* 8 x 4 elements, which are their numbers */
    {SURFACE, 2, 0, LOAD(trap), 28, 3, 0, 0, 31, -1},
    {SURFACE, 2, 0, LOAD(trap), 32, 0, 0, BAD, 0, -1},
    {SURFACE, 2, 0, LOAD(trap), 0, 4, 0, BAD, 0, -1},
    {SURFACE, 2, 0, LOAD(trap), -4, 0, 0, BAD, 0, -1},
    {SURFACE, 2, 0, LOAD(trap), 0, -1, 0, BAD, 0, -1},
    {SURFACE, 2, 0, LOAD(trap), 2, 0, 0, CUDA_ERROR_MISALIGNED_ADDRESS, 0, -1},
    {SURFACE, 2, 0, LOAD(clamp), -4, 1, 0, 0, 8, -1},
    {SURFACE, 2, 0, LOAD(clamp), 32, 1, 0, 0, 15, -1},
    {SURFACE, 2, 0, LOAD(clamp), 4, 900, 0, 0, 25, -1},
    {SURFACE, 2, 0, LOAD(clamp), 6, 1, 0, CUDA_ERROR_MISALIGNED_ADDRESS, 0, -1},
    {SURFACE, 2, 0, LOAD(zero), 32, 1, 0, 0, 0, -1},
    {SURFACE, 2, 0, LOAD(zero), -2147483647 - 1, 1, 0, 0, 0, -1},
    {SURFACE, 2, 0, LOAD(zero), 0, 2147483647, 0, 0, 0, -1},
    {SURFACE, 2, 0, STORE(trap), 28, 3, 0, 0, 77, 31},
    {SURFACE, 2, 0, STORE(trap), 32, 3, 0, BAD, 31, 31},
    {SURFACE, 2, 0, STORE(clamp), 32, 3, 0, 0, 77, 31},
    {SURFACE, 2, 0, STORE(zero), 32, 3, 0, 0, 31, 31},
    {SURFACE, 2, 0, "sust.p.2d.b32.trap [%h, {%a,%b}], 77;", 8, 0, 0, BAD, 7,
     7},
    {SURFACE, 2, 0, "sust.p.2d.b32.zero [%h, {%a,%b}], 77;", 7, 0, 0, 0, 77, 7},
    {SURFACE, 2, 0, "sured.b.add.2d.u32.trap [%h, {%a,%b}], 5;", 4, 4, 0, BAD,
     1, 1},
    {SURFACE, 2, 0, "sured.b.add.2d.u32.clamp [%h, {%a,%b}], 5;", 4, -4, 0, 0,
     6, 1},
    {SURFACE, 1, 0, "suld.b.1d.b32.trap %r, [%h, {%a}];", 32, 0, 0, BAD, 0, -1},
    {SURFACE, 1, 0, "suld.b.1d.b32.clamp %r, [%h, {%a}];", 99, 0, 0, 0, 7, -1},
    {SURFACE, 3, 0, "suld.b.3d.b32.trap %r, [%h, {%a,%b,%c,%c}];", 0, 0, 2, BAD,
     0, -1},
    {SURFACE, 3, 0, "suld.b.3d.b32.clamp %r, [%h, {%a,%b,%c,%c}];", 0, 0, 9, 0,
     32, -1},
    {SURFACE, 2, 1, "suld.b.a2d.b32.trap %r, [%h, {%c,%a,%b,%b}];", 0, 0, 2,
     BAD, 0, -1},
    {SURFACE, 2, 1, "suld.b.a2d.b32.zero %r, [%h, {%c,%a,%b,%b}];", 4, 0, 1, 0,
     33, -1},
    {SURFACE, 2, 0, "tex.2d.v4.u32.s32 {%r,%q,%q,%q}, [%h, {%a,%b}];", 1, 1, 0,
     0, 0, -1},
    {TEXTURE, 2, 0, "tex.2d.v4.u32.s32 {%r,%q,%q,%q}, [%h, {%a,%b}];", 1, 1, 0,
     0, 9, -1},
    {TEXTURE, 2, 0, LOAD(trap), 4, 1, 0, 0, 0, -1},
    {DESTROYED, 2, 0, "tex.2d.v4.u32.s32 {%r,%q,%q,%q}, [%h, {%a,%b}];", 1, 1,
     0, 0, 0, -1},
    {NOTHING, 2, 0, "tex.2d.v4.u32.s32 {%r,%q,%q,%q}, [%h, {%a,%b}];", 1, 1, 0,
     0, 0, -1},
    {NOTHING, 2, 0, LOAD(trap), 4, 1, 0, 0, 0, -1},
    {NOTHING, 2, 0, "txq.width.b32 %r, [%h];", 0, 0, 0, 0, 0, -1},
    {ODD, 2, 0, "tex.2d.v4.u32.s32 {%r,%q,%q,%q}, [%h, {%a,%b}];", 1, 1, 0, BAD,
     0, -1},
#undef LOAD
#undef STORE
#undef BAD
};

static CUmodule make_module(const struct row *r)
{
    char text[2048];
    CUmodule m = NULL;
    snprintf(text, sizeof text,
             ".version 8.0\n.target sm_80\n.address_size 64\n"
             ".visible .entry k(.param .u64 out, .param .u64 handle,\n"
             "  .param .u32 x, .param .u32 y, .param .u32 z)\n"
             "{ .reg .u64 %%o, %%h; .reg .b32 %%a, %%b, %%c, %%q, %%r;\n"
             "  ld.param.u64 %%o, [out]; ld.param.u64 %%h, [handle];\n"
             "  ld.param.u32 %%a, [x]; ld.param.u32 %%b, [y];\n"
             "  ld.param.u32 %%c, [z]; mov.b32 %%r, 0;\n  %s\n"
             "  st.global.u32 [%%o], %%r; ret; }\n",
             r->instruction);
    CU_OK(cuModuleLoadData(&m, text));
    return m;
}

static void copy(CUarray a, const CUDA_ARRAY3D_DESCRIPTOR *d, unsigned *data,
                 bool is_to_array)
{
    CUDA_MEMCPY3D c = {
        .srcMemoryType = is_to_array ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_ARRAY,
        .dstMemoryType = is_to_array ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_HOST,
        .srcHost = data,
        .dstHost = data,
        .srcArray = a,
        .dstArray = a,
        .srcPitch = 32,
        .dstPitch = 32,
        .srcHeight = 4,
        .dstHeight = 4,
        .WidthInBytes = 32,
        .Height = d->Height ? d->Height : 1,
        .Depth = d->Depth ? d->Depth : 1,
    };
    CU_OK(cuMemcpy3D(&c));
}

static uint64_t make_handle(enum handle h, CUarray a)
{
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY};
    CUDA_TEXTURE_DESC d = {.flags = CU_TRSF_READ_AS_INTEGER};
    CUtexObject object = 0;
    r.res.array.hArray = a;
    if (h == NOTHING)
        return 0;
    if (h == ODD)
        return 0x1238;
    if (h == SURFACE)
        CU_OK(cuSurfObjectCreate(&object, &r));
    else
        CU_OK(cuTexObjectCreate(&object, &r, &d, NULL));
    if (h == DESTROYED)
        CU_OK(cuTexObjectDestroy(object));
    return object;
}

static void run(const struct row *r)
{
    unsigned data[2 * 32], got = 0;
    CUDA_ARRAY3D_DESCRIPTOR d = {
        .Width = 8,
        .Height = r->dims > 1 ? 4 : 0,
        .Depth = r->dims > 2 || r->is_layered ? 2 : 0,
        .Format = CU_AD_FORMAT_UNSIGNED_INT32,
        .NumChannels = 1,
        .Flags = CUDA_ARRAY3D_SURFACE_LDST |
                 (r->is_layered ? CUDA_ARRAY3D_LAYERED : 0),
    };
    CUarray a;
    CUdeviceptr out;
    CUfunction f;
    for (unsigned i = 0; i < 64; i++)
        data[i] = i;
    CU_OK(cuArray3DCreate(&a, &d));
    copy(a, &d, data, true);
    CU_OK(cuMemAlloc(&out, 4));
    CU_OK(cuModuleGetFunction(&f, make_module(r), "k"));
    uint64_t handle = make_handle(r->handle, a);
    void *args[] = {&out, &handle, (void *)&r->a, (void *)&r->b, (void *)&r->c};
    CU_OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL));
    CUresult err = cuCtxSynchronize();
    if (err != r->error)
        printf("%s: error %d, not %d\n", r->instruction, err, r->error);
    CHECK(err == r->error);
    if (err)
        return;
    CU_OK(cuMemcpyDtoH(&got, out, 4));
    copy(a, &d, data, false);
    unsigned value = r->at >= 0 ? data[r->at] : got;
    if (value != r->value)
        printf("%s: %u, not %u\n", r->instruction, value, r->value);
    CHECK(value == r->value);
}

int main(void)
{
    CUdevice device;
    CU_OK(cuInit(0));
    CU_OK(cuDeviceGet(&device, 0));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CUcontext ctx;
        CU_OK(cuCtxCreate(&ctx, 0, device));
        run(&rows[i]);
        cuCtxDestroy(ctx);
    }
    return check_result();
}
