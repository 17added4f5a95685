/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The driver API's memory: copies of every kind, arrays, pools, what pointers
 * are, addresses and memory apart. Errors are what an H200 gives.
 */
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

#define MB ((size_t)1 << 20)

static CUcontext ctx;
static CUdeviceptr device;

enum { W = 16, H = 12, D = 4, CELLS = W * H * D };
static uint32_t from[CELLS], to[CELLS];

static void fill(void)
{
    for (unsigned i = 0; i < CELLS; i++) {
        from[i] = i * 2654435761u;
        to[i] = 0;
    }
}

/* ---- arrays -------------------------------------------------------------- */

static CUarray make_array(size_t width, size_t height)
{
    CUDA_ARRAY_DESCRIPTOR d = {width, height, CU_AD_FORMAT_UNSIGNED_INT32, 1};
    CUarray a = NULL;
    CU_OK(cuArrayCreate(&a, &d));
    return a;
}

static const struct {
    CUarray_format format;
    unsigned channels;
    CUresult error;
} formats[] = {
    {CU_AD_FORMAT_FLOAT, 4, CUDA_SUCCESS},
    {CU_AD_FORMAT_HALF, 2, CUDA_SUCCESS},
    {CU_AD_FORMAT_BC1_UNORM, 4, CUDA_SUCCESS},
    {CU_AD_FORMAT_FLOAT, 3, CUDA_ERROR_INVALID_VALUE},
    {CU_AD_FORMAT_FLOAT, 0, CUDA_ERROR_INVALID_VALUE},
    {(CUarray_format)0, 1, CUDA_ERROR_INVALID_VALUE},
    {CU_AD_FORMAT_NV12, 3, CUDA_ERROR_INVALID_VALUE},
    {CU_AD_FORMAT_P010, 3, CUDA_ERROR_INVALID_VALUE},
};

static void array_formats(void)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        CUDA_ARRAY3D_DESCRIPTOR got,
            d = {64, 32, 0, formats[i].format, formats[i].channels, 0};
        CUarray a = NULL;
        check_gives(__FILE__, __LINE__, "cuArray3DCreate", formats[i].error,
                    cuArray3DCreate(&a, &d));
        if (!a)
            continue;
        CU_OK(cuArray3DGetDescriptor(&got, a));
        CHECK(!memcmp(&got, &d, sizeof d));
        CU_OK(cuArrayDestroy(a));
    }
}

static void arrays(void)
{
    CUDA_ARRAY_DESCRIPTOR d = {W, H, CU_AD_FORMAT_UNSIGNED_INT32, 1}, got;
    CUDA_ARRAY_SPARSE_PROPERTIES sparse;
    CUDA_ARRAY_MEMORY_REQUIREMENTS needs;
    CUarray a = make_array(W, H), plane;
    CU_OK(cuArrayGetDescriptor(&got, a));
    CHECK(!memcmp(&got, &d, sizeof d));
    CU_GIVES(INVALID_VALUE, cuArrayCreate(NULL, &d));
    CU_GIVES(INVALID_VALUE, cuArrayCreate(&a, NULL));
    CU_GIVES(INVALID_VALUE, cuArrayGetDescriptor(NULL, a));
    CU_GIVES(INVALID_VALUE, cuArray3DGetDescriptor(NULL, a));
    CU_GIVES(INVALID_VALUE, cuArrayGetPlane(&plane, a, 0));
    CU_GIVES(INVALID_VALUE, cuArrayGetSparseProperties(&sparse, a));
    CU_GIVES(INVALID_VALUE, cuArrayGetMemoryRequirements(&needs, a, 0));
    CU_GIVES(INVALID_HANDLE, cuArrayDestroy(NULL));
    CU_GIVES(INVALID_HANDLE, cuArrayDestroy((CUarray)&d));
    CU_OK(cuArrayDestroy(a));
    CU_GIVES(CONTEXT_IS_DESTROYED, cuArrayDestroy(a));
    CU_GIVES(CONTEXT_IS_DESTROYED, cuArrayGetDescriptor(&got, a));
}

static void mipmaps(void)
{
    CUDA_ARRAY3D_DESCRIPTOR got, d = {W, H, 0, CU_AD_FORMAT_FLOAT, 1, 0};
    CUDA_ARRAY_SPARSE_PROPERTIES sparse;
    CUDA_ARRAY_MEMORY_REQUIREMENTS needs;
    CUmipmappedArray m;
    CUarray level;
    CU_OK(cuMipmappedArrayCreate(&m, &d, 3));
    CU_OK(cuMipmappedArrayGetLevel(&level, m, 2));
    CU_OK(cuArray3DGetDescriptor(&got, level));
    CHECK(got.Width == W / 4 && got.Height == H / 4);
    CU_OK(cuArrayDestroy(level)); /* it stays with the others */
    CU_GIVES(INVALID_VALUE, cuMipmappedArrayGetLevel(&level, m, 3));
    CU_GIVES(INVALID_VALUE, cuMipmappedArrayGetSparseProperties(&sparse, m));
    CU_GIVES(INVALID_VALUE,
             cuMipmappedArrayGetMemoryRequirements(&needs, m, 0));
    CU_OK(cuMipmappedArrayDestroy(m));
    CU_GIVES(INVALID_HANDLE, cuMipmappedArrayDestroy(m));
    CU_GIVES(INVALID_HANDLE, cuMipmappedArrayGetLevel(&level, m, 0));
    CU_GIVES(INVALID_VALUE, cuMipmappedArrayCreate(NULL, &d, 3));
}

/* ---- copies -------------------------------------------------------------- */

/* The first row of an array is what has an offset alone. */
static void row_copies(void)
{
    CUarray a = make_array(W, H), b = make_array(W, 0);
    CUstream s;
    size_t n = W * 4;
    fill();
    CU_OK(cuStreamCreate(&s, 0));
    CU_OK(cuMemcpyHtoA(a, 0, from, n));
    CU_OK(cuMemcpyAtoA(b, 8, a, 4, n - 8));
    CU_OK(cuMemcpyAtoD(device, b, 8, n - 8));
    CU_OK(cuMemcpyDtoA(b, 0, device + 4, 8));
    CU_OK(cuMemcpyAtoH(to, b, 0, n));
    CHECK(to[0] == from[2] && to[1] == from[3] && to[2] == from[1]);
    CU_OK(cuMemcpyHtoAAsync(a, 0, from + 1, n, s));
    CU_OK(cuMemcpyAtoHAsync(to, a, 0, n, s));
    CHECK(!memcmp(to, from + 1, n));
    CU_OK(cuMemcpyHtoA(a, 0, from, 3)); /* any bytes */
    CU_GIVES(INVALID_VALUE, cuMemcpyHtoA(a, 0, from, n + 4));
    CU_GIVES(INVALID_VALUE, cuMemcpyHtoA(a, n - 4, from, 8));
    CU_GIVES(INVALID_VALUE, cuMemcpyHtoA(NULL, 0, from, 8));
    CU_GIVES(INVALID_VALUE, cuMemcpyHtoA(a, 0, NULL, 8));
    CU_OK(cuStreamDestroy(s));
    CU_OK(cuArrayDestroy(a));
    CU_OK(cuArrayDestroy(b));
}

static void structure_copies(void)
{
    CUarray a = make_array(W, H);
    fill();
    CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                       .srcHost = from,
                       .srcPitch = W * 4,
                       .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                       .dstArray = a,
                       .WidthInBytes = W * 4,
                       .Height = H};
    CUDA_MEMCPY2D good = c;
    CU_OK(cuMemcpy2D(&c));
    CUDA_MEMCPY3D back = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                          .srcArray = a,
                          .srcXInBytes = 8,
                          .srcY = 2,
                          .dstMemoryType = CU_MEMORYTYPE_HOST,
                          .dstHost = to,
                          .dstPitch = W * 4,
                          .WidthInBytes = 20,
                          .Height = 3,
                          .Depth = 1};
    CU_OK(cuMemcpy3D(&back));
    for (int y = 0; y < 3; y++)
        CHECK(!memcmp(to + y * W, from + (y + 2) * W + 2, 20));
    CU_OK(cuMemcpy3DAsync(&back, NULL));
    back.srcLOD = 1;
    CU_GIVES(INVALID_VALUE, cuMemcpy3D(&back));
    c.Height = H + 1;
    CU_GIVES(INVALID_VALUE, cuMemcpy2D(&c));
    c = good, c.srcPitch = 8;
    CU_GIVES(INVALID_VALUE, cuMemcpy2DAsync(&c, NULL));
    c = good, c.WidthInBytes = W * 4 + 2;
    CU_GIVES(INVALID_VALUE, cuMemcpy2DUnaligned(&c));
    c = good, c.dstArray = NULL;
    CU_GIVES(INVALID_VALUE, cuMemcpy2D(&c));
    c = good, c.srcMemoryType = (CUmemorytype)9;
    CU_GIVES(INVALID_VALUE, cuMemcpy2D(&c));
    c = good, c.WidthInBytes = 3;
    CU_OK(cuMemcpy2D(&c));
    CU_GIVES(INVALID_VALUE, cuMemcpy2D(NULL));
    CU_GIVES(INVALID_VALUE, cuMemcpy3D(NULL));
    CU_OK(cuArrayDestroy(a));
}

/* Slices of a pitched box, from the middle of one to another's. */
static void box_copies(void)
{
    fill();
    CU_OK(cuMemsetD8(device, 0, sizeof from));
    CUDA_MEMCPY3D c = {.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
                       .srcDevice = (CUdeviceptr)(uintptr_t)from,
                       .srcPitch = W * 4,
                       .srcHeight = H,
                       .srcZ = 1,
                       .srcY = 2,
                       .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                       .dstDevice = device,
                       .dstPitch = W * 4,
                       .dstHeight = H,
                       .dstXInBytes = 4,
                       .WidthInBytes = 40,
                       .Height = 5,
                       .Depth = 3};
    CU_OK(cuMemcpy3D(&c));
    CU_OK(cuMemcpyDtoH(to, device, sizeof to));
    for (int z = 0; z < 3; z++)
        for (int y = 0; y < 5; y++)
            CHECK(!memcmp(to + (z * H + y) * W + 1,
                          from + ((z + 1) * H + y + 2) * W, 40));
    CHECK(to[0] == 0 && to[11] == 0);
    c.srcHeight = 3;
    CU_GIVES(INVALID_VALUE, cuMemcpy3D(&c));
}

static void peer_copies(void)
{
    CUcontext wrong = (CUcontext)&ctx;
    CUDA_MEMCPY3D_PEER c = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                            .srcHost = from,
                            .srcContext = ctx,
                            .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                            .dstDevice = device,
                            .dstContext = ctx,
                            .WidthInBytes = 100,
                            .Height = 1,
                            .Depth = 1};
    fill();
    CU_OK(cuMemcpy3DPeer(&c));
    CU_OK(cuMemcpyPeer(device + 100, ctx, device, ctx, 100));
    CU_OK(cuMemcpyPeerAsync(device + 200, ctx, device + 100, ctx, 100, NULL));
    CU_OK(cuMemcpy3DPeerAsync(&c, NULL));
    CU_OK(cuMemcpyDtoH(to, device + 200, 100));
    CHECK(!memcmp(to, from, 100));
    CU_GIVES(INVALID_CONTEXT, cuMemcpyPeer(device, wrong, device, ctx, 100));
    CU_GIVES(INVALID_CONTEXT,
             cuMemcpyPeerAsync(device, ctx, device, wrong, 100, NULL));
    CU_OK(cuMemcpyPeer(device + 100, NULL, device, NULL, 100));
    c.srcContext = wrong;
    CU_GIVES(INVALID_CONTEXT, cuMemcpy3DPeer(&c));
}

static void fills(void)
{
    CU_OK(cuMemsetD32(device, 0, CELLS));
    CU_OK(cuMemsetD2D8(device + 4, 64, 1, 3, 2));
    CU_OK(cuMemsetD2D16(device + 8, 64, 0x202, 2, 2));
    CU_OK(cuMemsetD2D32(device + 16, 64, 0x3030303, 1, 2));
    CU_OK(cuMemsetD2D8Async(device + 128, 0, 4, 4, 1, NULL));
    CU_OK(cuMemsetD2D16Async(device + 192, 64, 0x505, 2, 2, NULL));
    CU_OK(cuMemsetD2D32Async(device + 320, 64, 0x6060606, 1, 2, NULL));
    CU_OK(cuMemcpyDtoH(to, device, 512));
    CHECK(to[1] == 0x10101 && to[17] == 0x10101 && to[2] == 0x2020202);
    CHECK(to[4] == 0x3030303 && to[20] == 0x3030303 && to[33] == 0);
    CHECK(to[32] == 0x4040404 && to[48] == 0x5050505 && to[64] == 0x5050505);
    CHECK(to[80] == 0x6060606 && to[96] == 0x6060606 && to[0] == 0);
    CU_GIVES(INVALID_VALUE, cuMemsetD2D8(device, 5, 1, 10, 2));
    CU_GIVES(INVALID_VALUE, cuMemsetD2D16(device + 1, 64, 1, 1, 1));
    CU_GIVES(INVALID_VALUE, cuMemsetD2D32(device, 6, 1, 1, 2));
    CU_GIVES(INVALID_VALUE, cuMemsetD2D8(0, 64, 1, 1, 1));
}

/* ---- pools --------------------------------------------------------------- */

static void pools(void)
{
    CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                            .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    CUmemoryPool p, q, handle = NULL;
    CUdeviceptr a;
    cuuint64_t value;
    CU_OK(cuMemPoolCreate(&p, &props));
    CU_OK(cuDeviceGetDefaultMemPool(&q, 0));
    CU_OK(cuDeviceSetMemPool(0, p));
    CU_OK(cuDeviceGetMemPool(&q, 0));
    CHECK(p == q);
    CU_OK(cuMemGetMemPool(&q, &props.location, props.allocType));
    CHECK(p == q);
    CU_OK(cuMemAllocAsync(&a, 1000, NULL));
    CU_OK(
        cuPointerGetAttribute(&handle, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, a));
    CHECK(handle == p);
    CU_OK(cuMemPoolGetAttribute(p, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &value));
    CHECK(value == 1000);
    CU_OK(cuMemFreeAsync(a, NULL));
    CU_OK(cuMemGetDefaultMemPool(&q, &props.location, props.allocType));
    CU_OK(cuMemSetMemPool(&props.location, props.allocType, q));
    CU_OK(cuMemAllocFromPoolAsync(&a, 1000, p, NULL));
    CU_OK(cuMemFree(a));
    value = UINT64_MAX;
    CU_OK(cuMemPoolSetAttribute(p, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &value));
    CU_OK(cuMemPoolTrimTo(p, 0));
    CUmemAccess_flags flags;
    CUmemAccessDesc access = {props.location,
                              CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CU_OK(cuMemPoolSetAccess(p, &access, 1));
    CU_OK(cuMemPoolGetAccess(&flags, p, &access.location));
    CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    access.location.id = 9;
    CU_GIVES(INVALID_VALUE, cuMemPoolGetAccess(&flags, p, &access.location));
    props.handleTypes = CU_MEM_HANDLE_TYPE_WIN32;
    CU_GIVES(INVALID_VALUE, cuMemPoolCreate(&q, &props));
    CU_OK(cuMemAllocAsync(&a, 0, NULL));
    CHECK(a == 0);
    CU_OK(cuMemFreeAsync(0, NULL));
    CU_GIVES(INVALID_VALUE, cuMemAllocAsync(NULL, 10, NULL));
    CU_GIVES(INVALID_VALUE, cuMemAllocFromPoolAsync(&a, 10, NULL, NULL));
    CU_GIVES(OUT_OF_MEMORY, cuMemAllocAsync(&a, (size_t)1 << 45, NULL));
    CU_GIVES(INVALID_VALUE, cuMemPoolCreate(NULL, &props));
    CU_GIVES(INVALID_VALUE, cuDeviceGetMemPool(&q, 9)); /* an H200's */
    CU_OK(cuMemPoolDestroy(p));
    CU_GIVES(INVALID_VALUE, cuMemPoolDestroy(p));
}

/* ---- pointers ------------------------------------------------------------ */

/* What the H200 says: E an error, 0 and 1 values, p the pointer, s something
 * else but 0; ? it depends. Columns: attributes 1 to 21, as in cuda.h. */
static void pointer(const char *what, CUdeviceptr p, const char *expected)
{
    char got[22] = "";
    for (int i = 1; i <= 21; i++) {
        uint64_t value = 0;
        CUresult err = cuPointerGetAttribute(&value, i, p);
        got[i - 1] = expected[i - 1] == '?' ? '?'
                     : err                  ? 'E'
                     : value == p           ? 'p'
                     : value < 10           ? (char)('0' + value)
                                            : 's';
    }
    if (strcmp(got, expected)) {
        printf("%s: %s, not %s\n", what, got, expected);
        failures++;
    }
}

static void pointers(void)
{
    CUdeviceptr a, managed, switched;
    void *pinned, *pageable = malloc(1 << 16);
    unsigned one = 1, type = 9, is_managed = 9;
    CU_OK(cuMemAlloc(&a, 1000));
    CU_OK(cuMemAllocManaged(&switched, 1000, CU_MEM_ATTACH_GLOBAL));
    CU_OK(cuMemAllocManaged(&managed, 1000, CU_MEM_ATTACH_GLOBAL));
    CU_OK(cuMemHostAlloc(&pinned, 0, 0));
    CHECK(pinned == NULL);
    CU_OK(cuMemHostAlloc(&pinned, 1000, 0));
    /*                  123456789012345678901 */
    pointer("device", a, "s2pEE0s001ps1003?sps0");
    pointer("inside", a + 5, "s2pEE0s001ss1003?sss0");
    pointer("managed", managed, "s2ppE1s100ps1003?sps0");
    pointer("pinned", (uintptr_t)pinned, "s1ppE0s000ps1003?sps0");
    pointer("pageable", (uintptr_t)pageable, "EEEEEEEEEEEEEEEEEEEEE");
    pointer("null", 0, "EEEEEEEEEEEEEEEEEEEEE");
    CU_GIVES(INVALID_VALUE, cuMemHostRegister(pageable, 1 << 16,
                                              CU_MEMHOSTREGISTER_IOMEMORY));
    CU_OK(cuMemHostRegister(pageable, 1 << 16, 0));
    pointer("registered", (uintptr_t)pageable, "s1ppE0s000ps1003?sss0");
    CU_OK(cuMemAllocAsync(&managed, 1000, NULL));
    pointer("of a pool", managed, "02pEE0s000ps1003ssp?0");
    CU_OK(cuMemFreeAsync(managed, NULL));
    pointer("freed", managed, "EEEEEEEEEEEEEEEEEEEEE");

    unsigned flags;
    CU_OK(cuMemHostGetFlags(&flags, pageable));
    CHECK(flags == CU_MEMHOSTALLOC_DEVICEMAP);
    CU_GIVES(INVALID_VALUE, cuMemHostGetFlags(&flags, &one));
    CU_GIVES(INVALID_VALUE, cuMemHostGetFlags(NULL, pinned));
    CU_OK(cuPointerSetAttribute(&one, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, a));
    pointer("synchronous", a, "s2pEE1s001ps1003?sps0");
    CU_GIVES(INVALID_VALUE,
             cuPointerSetAttribute(&one, CU_POINTER_ATTRIBUTE_MAPPED, a));
    for (unsigned wanted = 0; wanted < 2; wanted++) { /* it begins with 1 */
        unsigned now = 9;
        CU_OK(cuPointerSetAttribute(&wanted, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS,
                                    switched));
        CU_OK(cuPointerGetAttribute(&now, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS,
                                    switched));
        CHECK((now & 0xff) == wanted);
    }
    CU_OK(cuMemFree(switched));
    CU_GIVES(INVALID_VALUE, cuPointerGetAttribute(&one, 99, a));
    CU_GIVES(INVALID_VALUE, cuPointerGetAttribute(NULL, 1, a));
    CUpointer_attribute which[2] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                    CU_POINTER_ATTRIBUTE_IS_MANAGED};
    void *data[2] = {&type, &is_managed};
    CU_OK(cuPointerGetAttributes(2, which, data, (uintptr_t)&one));
    CHECK(type == 0 && is_managed == 0);
    CUcontext current;
    CU_OK(cuCtxPopCurrent(&current)); /* it needs none */
    CU_OK(cuPointerGetAttributes(2, which, data, a));
    CU_OK(cuCtxPushCurrent(current));
    CHECK(type == CU_MEMORYTYPE_DEVICE && is_managed == 0);
    CU_GIVES(INVALID_VALUE, cuPointerGetAttributes(2, NULL, data, a));
    CU_GIVES(INVALID_VALUE, cuPointerGetAttributes(0, which, data, a));
    which[1] = CU_POINTER_ATTRIBUTE_P2P_TOKENS;
    CU_GIVES(INVALID_VALUE, cuPointerGetAttributes(2, which, data, a));

    CUdeviceptr base;
    size_t n;
    CU_OK(cuMemGetAddressRange(&base, &n, a + 999));
    CHECK(base == a && n == 1000);
    CU_OK(cuMemGetAddressRange(NULL, &n, (uintptr_t)pageable + 1));
    CU_GIVES(NOT_FOUND, cuMemGetAddressRange(&base, &n, (uintptr_t)&one));
    CU_GIVES(NOT_SUPPORTED,
             cuMemGetHandleForAddressRange(
                 &n, a, 4096, CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD, 0));
    CU_OK(cuMemHostUnregister(pageable));
    CU_OK(cuMemFree(a));
    CU_OK(cuMemFreeHost(pinned));
    free(pageable);
}

/* ---- managed memory, batches --------------------------------------------- */

/* Devices come first, then the host. */
static void accessed_by(void)
{
    const CUmem_range_attribute which = CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY;
    CUmemLocation host = {CU_MEM_LOCATION_TYPE_HOST, 0};
    int by[3];
    CUdeviceptr p;
    CU_OK(cuMemAllocManaged(&p, 4096, CU_MEM_ATTACH_GLOBAL));
    CU_OK(cuMemAdvise_v2(p, 4096, CU_MEM_ADVISE_SET_ACCESSED_BY, host));
    CU_OK(cuMemAdvise(p, 4096, CU_MEM_ADVISE_SET_ACCESSED_BY, 0));
    CU_OK(cuMemRangeGetAttribute(by, sizeof by, which, p, 4096));
    CHECK(by[0] == 0 && by[1] == CU_DEVICE_CPU && by[2] == CU_DEVICE_INVALID);
    CU_OK(cuMemAdvise_v2(p, 4096, CU_MEM_ADVISE_UNSET_ACCESSED_BY, host));
    CU_OK(cuMemRangeGetAttribute(by, sizeof by, which, p, 4096));
    CHECK(by[0] == 0 && by[1] == CU_DEVICE_INVALID);
    CU_OK(cuMemFree(p));
}

static void managed(void)
{
    CUdeviceptr p;
    CUstream s;
    CUmemLocation host = {CU_MEM_LOCATION_TYPE_HOST, 0};
    int value = 77, last = 77;
    void *data[2] = {&value, &last};
    size_t sizes[2] = {4, 4}, size = 4096, first = 0, fail;
    CUmem_range_attribute which[2] = {
        CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY,
        CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION};
    CU_OK(cuStreamCreate(&s, 0));
    CU_OK(cuMemAllocManaged(&p, 8192, CU_MEM_ATTACH_GLOBAL));
    CU_OK(cuMemAdvise(p, 8192, CU_MEM_ADVISE_SET_READ_MOSTLY, 0));
    CU_OK(cuMemAdvise_v2(p, 8192, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, host));
    CU_OK(cuMemPrefetchAsync(p, 8192, 0, s));
    CU_OK(cuMemRangeGetAttributes(data, sizes, which, 2, p, 8192));
    CHECK(value == 1 && last == 0);
    CU_OK(cuMemPrefetchAsync_v2(p, 8192, host, 0, s));
    CU_OK(cuMemRangeGetAttribute(&last, 4, which[1], p, 8192));
    CHECK(last == CU_DEVICE_CPU);
    CU_GIVES(INVALID_VALUE, cuMemRangeGetAttribute(&last, 5, which[1], p, 1));
    CU_GIVES(INVALID_VALUE, cuMemPrefetchAsync_v2(p, 8192, host, 1, s));
    CU_OK(cuStreamAttachMemAsync(s, p, 0, CU_MEM_ATTACH_SINGLE));
    CU_GIVES(INVALID_VALUE, cuStreamAttachMemAsync(s, p + 8, 0, 1));
    CU_OK(cuMemPrefetchBatchAsync(&p, &size, 1, &host, &first, 1, 0, s));
    CU_OK(cuMemDiscardBatchAsync(&p, &size, 1, 0, s));
    CU_OK(cuMemDiscardAndPrefetchBatchAsync(&p, &size, 1, &host, &first, 1, 0,
                                            s));
    CU_GIVES(INVALID_VALUE, cuMemDiscardBatchAsync(&device, &size, 1, 0, s));
    CUmemcpyAttributes how = {.srcAccessOrder =
                                  CU_MEMCPY_SRC_ACCESS_ORDER_STREAM};
    CU_OK(cuMemsetD8(device, 5, 4096));
    CU_OK(cuMemcpyBatchAsync(&p, &device, &size, 1, &how, &first, 1, &fail, s));
    CU_OK(cuMemcpyBatchAsync_v2(&p, &device, &size, 1, &how, &first, 1, s));
    CU_OK(cuStreamSynchronize(s));
    CHECK(*(unsigned char *)(uintptr_t)p == 5);
    CUDA_MEMCPY3D_BATCH_OP op = {
        .src = {.type = CU_MEMCPY_OPERAND_TYPE_POINTER, .op.ptr.ptr = p},
        .dst = {.type = CU_MEMCPY_OPERAND_TYPE_POINTER, .op.ptr.ptr = device},
        .extent = {16, 4, 2},
        .srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM};
    CU_OK(cuMemcpy3DBatchAsync(1, &op, &fail, 0, s));
    CU_OK(cuMemcpy3DBatchAsync_v2(1, &op, 0, s));
    op.dst.type = (CUmemcpy3DOperandType)7;
    CU_GIVES(INVALID_VALUE, cuMemcpy3DBatchAsync(1, &op, &fail, 0, s));
    CHECK(fail == 0);
    CU_OK(cuStreamSynchronize(s));
    CU_OK(cuMemFree(p));
    CU_OK(cuStreamDestroy(s));
}

/* ---- addresses and memory apart ------------------------------------------ */

static const size_t grain = 2 << 20;
static CUmemAllocationProp props = {
    .type = CU_MEM_ALLOCATION_TYPE_PINNED,
    .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
static CUmemAccessDesc may_write = {{CU_MEM_LOCATION_TYPE_DEVICE, 0},
                                    CU_MEM_ACCESS_FLAGS_PROT_READWRITE};

static void wrong_memory(void)
{
    CUmemGenericAllocationHandle h;
    CUmemAllocationProp wrong = props;
    CUdeviceptr p;
    size_t n;
    CU_OK(cuMemGetAllocationGranularity(&n, &props,
                                        CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    CHECK(n == grain);
    CU_GIVES(INVALID_VALUE, cuMemGetAllocationGranularity(&n, &props, 7));
    CU_GIVES(INVALID_VALUE, cuMemCreate(&h, 1, &props, 0));
    CU_GIVES(INVALID_VALUE, cuMemCreate(&h, 0, &props, 0));
    CU_GIVES(INVALID_VALUE, cuMemCreate(&h, grain, &props, 1));
    CU_GIVES(INVALID_VALUE, cuMemCreate(NULL, grain, &props, 0));
    CU_GIVES(INVALID_VALUE, cuMemCreate(&h, grain, NULL, 0));
    CU_GIVES(OUT_OF_MEMORY, cuMemCreate(&h, (size_t)1 << 45, &props, 0));
    wrong.location.id = 5;
    CU_GIVES(INVALID_DEVICE, cuMemCreate(&h, grain, &wrong, 0));
    wrong = props, wrong.type = CU_MEM_ALLOCATION_TYPE_INVALID;
    CU_GIVES(INVALID_VALUE, cuMemCreate(&h, grain, &wrong, 0));
    CU_GIVES(INVALID_VALUE, cuMemAddressReserve(&p, 1, 0, 0, 0));
    CU_GIVES(INVALID_VALUE, cuMemAddressReserve(&p, grain, 3, 0, 0));
    CU_GIVES(INVALID_VALUE, cuMemAddressReserve(&p, grain, 0, 0, 1));
    CU_GIVES(INVALID_VALUE, cuMemAddressReserve(NULL, grain, 0, 0, 0));
    CU_GIVES(INVALID_VALUE, cuMemRelease(12345));
}

static void mapping(void)
{
    CUmemGenericAllocationHandle h, other;
    CUmemAllocationProp got;
    CUdeviceptr va, base;
    CUmemAccessDesc access = may_write;
    unsigned long long flags = 7;
    size_t n;
    int fd;
    CU_OK(cuMemCreate(&h, 2 * grain, &props, 0));
    CU_OK(cuMemAddressReserve(&va, 4 * grain, 0, 0, 0));
    pointer("reserved", va, "EEEEEEEEEEEEEEEEEEEEE");
    CU_GIVES(NOT_SUPPORTED, cuMemMap(va, grain, grain, h, 0));
    CU_GIVES(NOT_SUPPORTED, cuMemMap(va, grain, 0, h, 0));
    CU_GIVES(INVALID_VALUE, cuMemMap(va + 100, 2 * grain, 0, h, 0));
    CU_GIVES(INVALID_VALUE, cuMemMap(va + 3 * grain, 2 * grain, 0, h, 0));
    CU_GIVES(INVALID_VALUE, cuMemMap(va, 2 * grain, 0, 12345, 0));
    CU_OK(cuMemMap(va, 2 * grain, 0, h, 0));
    CU_GIVES(INVALID_VALUE, cuMemMap(va, 2 * grain, 0, h, 0));
    pointer("mapped", va, "02EEE0s000ps1000?sps0");
    CU_GIVES(INVALID_VALUE, cuMemsetD8(va, 1, 16));
    CU_GIVES(INVALID_VALUE, cuMemSetAccess(va + 2 * grain, grain, &access, 1));
    CU_GIVES(INVALID_VALUE, cuMemSetAccess(va, 2 * grain, NULL, 1));
    CU_OK(cuMemSetAccess(va, 2 * grain, &access, 1));
    CU_OK(cuMemGetAccess(&flags, &access.location, va));
    CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    CU_OK(cuMemsetD8(va, 1, 16));
    pointer("accessible", va + 5, "02pEE0s000ss1003?sss0");
    CU_OK(cuPointerGetAttribute(&n, CU_POINTER_ATTRIBUTE_RANGE_SIZE, va));
    CHECK(n == 4 * grain);
    CU_OK(cuMemGetAddressRange(&base, &n, va + grain));
    CHECK(base == va && n == 2 * grain);
    CU_OK(cuMemRetainAllocationHandle(&other, (void *)(uintptr_t)(va + 9)));
    CHECK(other == h);
    CU_OK(cuMemGetAllocationPropertiesFromHandle(&got, h));
    CHECK(!memcmp(&got, &props, sizeof got));
    CU_GIVES(INVALID_VALUE,
             cuMemExportToShareableHandle(
                 &fd, h, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    CU_GIVES(INVALID_VALUE, cuMemUnmap(va, grain));
    CU_GIVES(INVALID_VALUE, cuMemAddressFree(va, 4 * grain));
    CU_OK(cuMemRelease(h));
    CU_OK(cuMemRelease(h));
    CU_GIVES(INVALID_VALUE, cuMemRelease(h));
    CU_OK(cuMemsetD8(va, 2, 2 * grain)); /* the mapping holds it */
    CU_OK(cuMemUnmap(va, 2 * grain));
    CU_OK(cuMemUnmap(va, 2 * grain));
    CU_GIVES(INVALID_VALUE, cuMemAddressFree(va, grain));
    CU_OK(cuMemAddressFree(va, 4 * grain));
    CU_GIVES(INVALID_VALUE, cuMemAddressFree(va, 4 * grain));
}

/* A range that grows: copies go through from one mapping to the next; and one
 * memory at two addresses. */
static void growing(void)
{
    CUmemGenericAllocationHandle h[2];
    CUdeviceptr va, alias;
    CU_OK(cuMemAddressReserve(&va, 2 * grain, 8 * grain, 0, 0));
    CU_OK(cuMemAddressReserve(&alias, grain, 0, 0, 0));
    CHECK(va % (8 * grain) == 0);
    for (int i = 0; i < 2; i++) {
        CU_OK(cuMemCreate(&h[i], grain, &props, 0));
        CU_OK(cuMemMap(va + i * grain, grain, 0, h[i], 0));
    }
    CU_OK(cuMemSetAccess(va, 2 * grain, &may_write, 1));
    CU_OK(cuMemMap(alias, grain, 0, h[1], 0));
    CU_OK(cuMemSetAccess(alias, grain, &may_write, 1));
    fill();
    CU_OK(cuMemcpyHtoD(va + grain - 64, from, 128));
    CU_OK(cuMemcpyDtoH(to, alias, 64));
    CHECK(!memcmp(to, from + 16, 64));
    CU_GIVES(INVALID_VALUE, cuMemcpyHtoD(va + 2 * grain - 64, from, 128));
    CU_OK(cuMemUnmap(va, 2 * grain));
    CU_OK(cuMemUnmap(alias, grain));
    CU_OK(cuMemAddressFree(va, 2 * grain));
    CU_OK(cuMemAddressFree(alias, grain));
    CU_OK(cuMemRelease(h[0]));
    CU_OK(cuMemRelease(h[1]));
}

/* As an H200's driver has it: access is given from one mapping to another, over
 * what lies between; not where a range begins or ends with nothing. */
static void access_over_a_gap(void)
{
    CUmemGenericAllocationHandle h;
    CUdeviceptr va;
    CU_OK(cuMemCreate(&h, grain, &props, 0));
    CU_OK(cuMemAddressReserve(&va, 4 * grain, 0, 0, 0));
    CU_OK(cuMemMap(va, grain, 0, h, 0));
    CU_OK(cuMemMap(va + 2 * grain, grain, 0, h, 0));
    CU_GIVES(INVALID_VALUE, cuMemSetAccess(va, 4 * grain, &may_write, 1));
    CU_GIVES(INVALID_VALUE, cuMemSetAccess(va + grain, 2 * grain, &may_write, 1));
    CU_OK(cuMemSetAccess(va, 3 * grain, &may_write, 1));
    CU_OK(cuMemsetD8(va + 2 * grain, 7, grain));
    CU_OK(cuMemUnmap(va, 4 * grain));
    CU_OK(cuMemAddressFree(va, 4 * grain));
    CU_OK(cuMemRelease(h));
}

static void use_shared(CUmemGenericAllocationHandle h, unsigned expected,
                       unsigned value)
{
    CUdeviceptr va;
    unsigned got = 0;
    CU_OK(cuMemAddressReserve(&va, grain, 0, 0, 0));
    CU_OK(cuMemMap(va, grain, 0, h, 0));
    CU_OK(cuMemSetAccess(va, grain, &may_write, 1));
    CU_OK(cuMemcpyDtoH(&got, va + 100, 4));
    CHECK(got == expected);
    CU_OK(cuMemsetD32(va + 100, value, 1));
    CU_OK(cuMemUnmap(va, grain));
    CU_OK(cuMemAddressFree(va, grain));
}

/* The descriptor is inherited here; sockets pass it as well. */
static void importing(int fd)
{
    CUmemGenericAllocationHandle h;
    CU_OK(cuMemImportFromShareableHandle(
        &h, (void *)(intptr_t)fd, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    use_shared(h, 5, 6);
    CU_OK(cuMemRelease(h));
    CU_GIVES(INVALID_VALUE, cuMemImportFromShareableHandle(
                                &h, (void *)(intptr_t)0,
                                CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    CU_GIVES(UNKNOWN, cuMemImportFromShareableHandle(
                          &h, (void *)(intptr_t)1,
                          CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    CU_GIVES(NOT_SUPPORTED,
             cuMemImportFromShareableHandle(&h, (void *)(intptr_t)fd,
                                            CU_MEM_HANDLE_TYPE_WIN32));
}

static void start(void)
{
    CUdevice dev;
    CU_OK(cuInit(0));
    CU_OK(cuDeviceGet(&dev, 0));
    CU_OK(cuDevicePrimaryCtxRetain(&ctx, dev));
    CU_OK(cuCtxSetCurrent(ctx));
}

/* A descriptor crosses an exec; the second program is this one again. */
static void processes(const char *program)
{
    CUmemGenericAllocationHandle h;
    CUmemAllocationProp shared = props;
    int fd, status = 1;
    char number[20];
    shared.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    CU_OK(cuMemCreate(&h, grain, &shared, 0));
    use_shared(h, 0, 5);
    CU_OK(cuMemExportToShareableHandle(
        &fd, h, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    fd = dup(fd); /* without close-on-exec */
    snprintf(number, sizeof number, "%d", fd);
    pid_t pid = fork();
    if (pid == 0) {
        execl(program, program, number, (char *)NULL);
        _exit(127);
    }
    waitpid(pid, &status, 0);
    CHECK(status == 0);
    use_shared(h, 6, 7);
    CU_OK(cuMemRelease(h));
}

static const char store_ptx[] =
    ".version 7.0 .target sm_80 .address_size 64\n"
    ".visible .entry store(.param .u64 p)\n"
    "{ .reg .b64 %d; ld.param.u64 %d, [p]; st.global.u32 [%d], 7; ret; }\n";

/* The last: a kernel that writes where it may not ends the context. */
static void protection(void)
{
    CUmemGenericAllocationHandle h;
    CUmemAccessDesc may_read = may_write;
    CUdeviceptr va;
    CUmodule module;
    CUfunction store;
    unsigned got = 9;
    void *args[] = {&va};
    may_read.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
    CU_OK(cuModuleLoadData(&module, store_ptx));
    CU_OK(cuModuleGetFunction(&store, module, "store"));
    CU_OK(cuMemCreate(&h, grain, &props, 0));
    CU_OK(cuMemAddressReserve(&va, grain, 0, 0, 0));
    CU_OK(cuMemMap(va, grain, 0, h, 0));
    CU_OK(cuMemSetAccess(va, grain, &may_write, 1));
    CU_OK(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL));
    CU_OK(cuCtxSynchronize());
    CU_OK(cuMemSetAccess(va, grain, &may_read, 1));
    CU_OK(cuMemcpyDtoH(&got, va, 4));
    CHECK(got == 7);
    CU_GIVES(INVALID_VALUE, cuMemcpyHtoD(va, &got, 4));
    CU_GIVES(INVALID_VALUE, cuMemsetD8(va, 1, 4));
    CU_OK(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL));
    CU_GIVES(ILLEGAL_ADDRESS, cuCtxSynchronize());
}

/* Handles of this process are for others; what others do is in
 * tests/runtime/ipc.c. */
static void handles(void)
{
    CUipcMemHandle h;
    CUipcEventHandle eh;
    CUdeviceptr p, opened;
    CUevent e, other;
    CU_OK(cuMemAlloc(&p, 100));
    CU_OK(cuIpcGetMemHandle(&h, p));
    CU_GIVES(INVALID_CONTEXT, cuIpcOpenMemHandle(&opened, h, 1));
    CU_GIVES(INVALID_VALUE, cuIpcOpenMemHandle(&opened, h, 0));
    CU_GIVES(INVALID_VALUE, cuIpcOpenMemHandle(NULL, h, 1));
    CU_GIVES(INVALID_VALUE, cuIpcCloseMemHandle(p));
    CU_OK(cuMemFree(p));
    CU_OK(cuEventCreate(&e, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING));
    CU_OK(cuIpcGetEventHandle(&eh, e));
    CU_GIVES(INVALID_CONTEXT, cuIpcOpenEventHandle(&other, eh));
    memset(&eh, 0, sizeof eh);
    CU_GIVES(MAP_FAILED, cuIpcOpenEventHandle(&other, eh));
    CU_OK(cuEventDestroy(e));
}

int main(int argc, char **argv)
{
    size_t before, after, total;
    start();
    if (argc > 1) {
        importing(atoi(argv[1]));
        return failures != 0;
    }
    CU_OK(cuMemGetInfo(&before, &total));
    CU_OK(cuMemAlloc(&device, MB));
    array_formats();
    arrays();
    mipmaps();
    row_copies();
    structure_copies();
    box_copies();
    peer_copies();
    fills();
    pools();
    pointers();
    managed();
    accessed_by();
    wrong_memory();
    mapping();
    growing();
    access_over_a_gap();
    handles();
    processes(argv[0]);
    CU_OK(cuMemFree(device));
    CU_OK(cuCtxSynchronize());
    CU_OK(cuMemGetInfo(&after, &total));
    CHECK(before - after < 4096); /* a managed one is left */
    protection();
    return check_result();
}
