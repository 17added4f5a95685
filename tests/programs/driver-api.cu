// SPDX-License-Identifier: Apache-2.0
//
// The driver API, as far as it goes: initialising, contexts, modules with logs,
// linking, memory, fills, streams and events, launches in both ways, functions
// by their names, and what bad arguments get.
//
// weftcc: -lcuda
#include <cuda.h>

#include "check.h"

#define DRV(call)                                                              \
    do {                                                                       \
        CUresult status_ = (call);                                             \
        const char *name_ = "?";                                               \
        cuGetErrorName(status_, &name_);                                       \
        if (status_ != CUDA_SUCCESS) {                                         \
            std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, \
                         name_);                                               \
            std::exit(1);                                                      \
        }                                                                      \
    } while (0)

static const char scale_ptx[] = R"(
.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b32 r) twice(.param .b32 x);
.visible .global .u32 offset = 5;
.visible .entry scale(.param .u64 out, .param .u32 n, .param .f32 unused)
{
    .reg .pred %p;
    .reg .u32 %i, %n, %v;
    .reg .u64 %a, %o;
    .reg .u32 %c, %d;
    .param .b32 given, got;
    mov.u32 %c, %ctaid.x;
    mov.u32 %d, %ntid.x;
    mov.u32 %i, %tid.x;
    mad.lo.u32 %i, %c, %d, %i;
    ld.param.u32 %n, [n];
    setp.ge.u32 %p, %i, %n;
    @%p ret;
    st.param.b32 [given], %i;
    call (got), twice, (given);
    ld.param.b32 %v, [got];
    ld.global.u32 %c, [offset];
    add.u32 %v, %v, %c;
    ld.param.u64 %a, [out];
    cvta.to.global.u64 %a, %a;
    mul.wide.u32 %o, %i, 4;
    add.u64 %a, %a, %o;
    st.global.u32 [%a], %v;
    ret;
})";

static const char twice_ptx[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .func (.param .b32 r) twice(.param .b32 x)
{
    .reg .b32 %x;
    ld.param.b32 %x, [x];
    add.u32 %x, %x, %x;
    st.param.b32 [r], %x;
    ret;
})";

static const char broken_ptx[] = ".version 7.0\n.target sm_70\nnonsense\n";

static void check_before_init()
{
    int n;
    CUcontext ctx;
    EXPECT_EQ(cuDeviceGetCount(&n), CUDA_ERROR_NOT_INITIALIZED);
    EXPECT_EQ(cuCtxGetCurrent(&ctx), CUDA_ERROR_NOT_INITIALIZED);
    EXPECT_EQ(cuInit(1), CUDA_ERROR_INVALID_VALUE);
    DRV(cuInit(0));
    DRV(cuDeviceGetCount(&n));
    EXPECT_EQ(n, 1);
}

static void check_device()
{
    CUdevice dev;
    char name[64];
    int major, minor, threads;
    size_t bytes;
    CUdevprop properties;
    EXPECT_EQ(cuDeviceGet(&dev, 1), CUDA_ERROR_INVALID_DEVICE);
    EXPECT_EQ(cuDeviceGet(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
    DRV(cuDeviceGet(&dev, 0));
    DRV(cuDeviceGetName(name, sizeof name, dev));
    EXPECT(std::strlen(name) > 0);
    DRV(cuDeviceComputeCapability(&major, &minor, dev));
    EXPECT_EQ(major, 9);
    DRV(cuDeviceTotalMem(&bytes, dev));
    EXPECT(bytes > 0);
    DRV(cuDeviceGetAttribute(&threads,
                             CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, dev));
    DRV(cuDeviceGetProperties(&properties, dev));
    EXPECT_EQ(properties.maxThreadsPerBlock, threads);
}

static void check_contexts()
{
    CUcontext ctx, current, popped, second;
    CUdevice dev;
    CUdeviceptr p;
    unsigned flags;
    int active;
    EXPECT_EQ(cuMemAlloc(&p, 4), CUDA_ERROR_INVALID_CONTEXT);
    DRV(cuCtxCreate(&ctx, CU_CTX_SCHED_SPIN, 0));
    DRV(cuCtxGetCurrent(&current));
    EXPECT(current == ctx);
    DRV(cuCtxGetFlags(&flags));
    EXPECT_EQ(flags, CU_CTX_SCHED_SPIN);
    DRV(cuCtxGetDevice(&dev));
    DRV(cuMemAlloc(&p, 4));
    DRV(cuCtxCreate(&second, 0, 0));
    EXPECT(second != ctx);
    DRV(cuCtxDestroy(second));
    DRV(cuCtxPopCurrent(&popped));
    EXPECT(popped == ctx);
    DRV(cuCtxGetCurrent(&current));
    EXPECT(!current);
    EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
    DRV(cuCtxPushCurrent(ctx));
    DRV(cuCtxDestroy(ctx));
    EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
    // An H200 says so where none is current.
    EXPECT_EQ(cuCtxDestroy(ctx), CUDA_ERROR_INVALID_CONTEXT);
    DRV(cuCtxSetCurrent(ctx)); // it can be, but is of no use
    EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED);

    // What was made in it is gone with it.
    DRV(cuDevicePrimaryCtxGetState(0, &flags, &active));
    EXPECT_EQ(active, 0);
    DRV(cuDevicePrimaryCtxRetain(&ctx, 0));
    DRV(cuCtxSetCurrent(ctx));
    EXPECT_EQ(cuMemsetD8(p, 0, 4), CUDA_ERROR_INVALID_VALUE);
    DRV(cuDevicePrimaryCtxGetState(0, &flags, &active));
    EXPECT_EQ(active, 1);
}

static void check_logs()
{
    CUmodule m;
    char errors[512] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                              CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                              CU_JIT_MAX_REGISTERS};
    void *values[] = {errors, (void *)sizeof errors, (void *)32};
    EXPECT_EQ(cuModuleLoadDataEx(&m, broken_ptx, 3, options, values),
              CUDA_ERROR_INVALID_PTX);
    EXPECT(std::strstr(errors, "3:1: error"));
    EXPECT_EQ((size_t)values[1], std::strlen(errors));
    options[2] = CU_JIT_GLOBAL_SYMBOL_NAMES;
    EXPECT_EQ(cuModuleLoadDataEx(&m, broken_ptx, 3, options, values),
              CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(cuModuleLoadData(&m, nullptr), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuModuleLoad(&m, "/nonexistent.ptx"), CUDA_ERROR_FILE_NOT_FOUND);
    // `twice` is nowhere.
    EXPECT(cuModuleLoadData(&m, scale_ptx) != CUDA_SUCCESS);
}

static CUmodule link_module()
{
    CUlinkState link;
    CUmodule m;
    void *image;
    size_t size;
    DRV(cuLinkCreate(0, nullptr, nullptr, &link));
    EXPECT_EQ(cuLinkComplete(link, nullptr, &size), CUDA_ERROR_INVALID_VALUE);
    DRV(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)scale_ptx,
                      sizeof scale_ptx, "scale", 0, nullptr, nullptr));
    DRV(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)twice_ptx,
                      std::strlen(twice_ptx), "twice", 0, nullptr, nullptr));
    EXPECT_EQ(cuLinkAddFile(link, CU_JIT_INPUT_LIBRARY, "libcudadevrt.a", 0,
                            nullptr, nullptr),
              CUDA_ERROR_FILE_NOT_FOUND);
    DRV(cuLinkComplete(link, &image, &size));
    EXPECT_EQ(cuLinkAddFile(link, CU_JIT_INPUT_LIBRARY, "libcudadevrt.a", 0,
                            nullptr, nullptr),
              CUDA_ERROR_INVALID_VALUE);
    DRV(cuModuleLoadData(&m, image));
    DRV(cuLinkDestroy(link));
    return m;
}

// `twice` is still nowhere when the link ends.
static void check_incomplete_link()
{
    char errors[512] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                              CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {errors, (void *)sizeof errors};
    CUlinkState link;
    void *image;
    size_t size;
    DRV(cuLinkCreate(2, options, values, &link));
    DRV(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)scale_ptx,
                      sizeof scale_ptx, "scale", 0, nullptr, nullptr));
    EXPECT_EQ(cuLinkComplete(link, &image, &size), CUDA_ERROR_INVALID_SOURCE);
    EXPECT(std::strstr(errors, "`twice` is called, and defined nowhere"));
    DRV(cuLinkDestroy(link));
}

// What is broken is refused where it comes in, and what is whole still links.
static void check_broken_link()
{
    static const char broken[] = ".version 8.0\n.target sm_80\n"
                                 ".visible .entry k() { bogus.u32 %r1; }\n";
    char errors[512] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                              CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {errors, (void *)sizeof errors};
    CUlinkState link;
    void *image;
    DRV(cuLinkCreate(2, options, values, &link));
    EXPECT_EQ(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)broken,
                            sizeof broken, "broken", 0, nullptr, nullptr),
              CUDA_ERROR_INVALID_PTX);
    EXPECT(std::strstr(errors, "broken:3:"));
    EXPECT_EQ((size_t)values[1], std::strlen(errors));
    EXPECT_EQ(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)"no PTX", 7, "text",
                            0, nullptr, nullptr),
              CUDA_ERROR_INVALID_IMAGE);
    EXPECT(std::strstr(errors, ".version"));
    DRV(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)twice_ptx,
                      std::strlen(twice_ptx), "twice", 0, nullptr, nullptr));
    DRV(cuLinkComplete(link, &image, nullptr));
    DRV(cuLinkDestroy(link));
}

static void expect_scaled(const std::vector<unsigned> &got, unsigned offset)
{
    for (size_t i = 0; i < got.size(); i++) {
        if (got[i] != 2 * i + offset) {
            FAIL("element %zu is %u, should be %zu", i, got[i], 2 * i + offset);
            return;
        }
    }
}

static void check_launches(CUmodule m)
{
    const unsigned n = 1000;
    const size_t bytes = n * sizeof(unsigned);
    CUfunction f;
    CUdeviceptr out, offset;
    CUstream stream;
    CUevent start, end;
    size_t offset_bytes;
    int threads;
    float ms = -1, unused = 0;
    std::vector<unsigned> got(n);
    EXPECT_EQ(cuModuleGetFunction(&f, m, "other"), CUDA_ERROR_NOT_FOUND);
    DRV(cuModuleGetFunction(&f, m, "scale"));
    DRV(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                           f));
    EXPECT_EQ(threads, 1024);
    int grid, block, blocks;
    DRV(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, nullptr, 0, 100));
    EXPECT(block > 0 && block <= 100);
    DRV(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, block, 0));
    EXPECT(grid > 0 && grid % blocks == 0);
    DRV(cuMemAlloc(&out, bytes));
    DRV(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    DRV(cuEventCreate(&start, CU_EVENT_DEFAULT));
    DRV(cuEventCreate(&end, CU_EVENT_DEFAULT));

    unsigned count = n;
    void *args[] = {&out, &count, &unused};
    DRV(cuEventRecord(start, stream));
    DRV(cuLaunchKernel(f, 8, 1, 1, 128, 1, 1, 0, stream, args, nullptr));
    DRV(cuEventRecord(end, stream));
    DRV(cuMemcpyDtoHAsync(got.data(), out, bytes, stream));
    DRV(cuStreamSynchronize(stream));
    DRV(cuEventElapsedTime(&ms, start, end));
    EXPECT(ms >= 0);
    expect_scaled(got, 5);

    // The parameters in one block, and another value for the variable.
    DRV(cuModuleGetGlobal(&offset, &offset_bytes, m, "offset"));
    EXPECT_EQ(offset_bytes, 4);
    DRV(cuMemsetD32(offset, 7, 1));
    DRV(cuMemsetD32(out, 0xffffffff, n));
    struct {
        CUdeviceptr out;
        unsigned n;
        float unused;
    } packed = {out, n, 0};
    size_t packed_bytes = sizeof packed;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed,
                     CU_LAUNCH_PARAM_BUFFER_SIZE, &packed_bytes,
                     CU_LAUNCH_PARAM_END};
    DRV(cuLaunchKernel(f, 8, 1, 1, 128, 1, 1, 0, nullptr, nullptr, extra));
    DRV(cuMemcpyDtoH(got.data(), out, bytes));
    expect_scaled(got, 7);

    EXPECT_EQ(cuLaunchKernel(f, 8, 1, 1, 2048, 1, 1, 0, 0, args, nullptr),
              CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuLaunchKernel(f, 8, 1, 1, 128, 1, 1, 0, 0, args, extra),
              CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemcpyHtoD(out, got.data(), bytes + 512),
              CUDA_ERROR_INVALID_VALUE);
    DRV(cuEventDestroy(start));
    DRV(cuEventDestroy(end));
    DRV(cuStreamDestroy(stream));
    DRV(cuMemFree(out));
}

// Rows of one size in rows of another, from a place inside.
static void check_rows()
{
    const int width = 7, height = 5, pitch = 32;
    CUdeviceptr p;
    size_t row_bytes;
    unsigned char from[height * pitch], to[height * width] = {};
    for (int i = 0; i < height * pitch; i++)
        from[i] = (unsigned char)i;
    DRV(cuMemAllocPitch(&p, &row_bytes, 64, height + 1, 4));
    CUDA_MEMCPY2D c = {};
    c.srcMemoryType = CU_MEMORYTYPE_HOST;
    c.srcHost = from;
    c.srcPitch = pitch;
    c.srcXInBytes = 3;
    c.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    c.dstDevice = p;
    c.dstPitch = row_bytes;
    c.dstY = 1;
    c.WidthInBytes = width;
    c.Height = height;
    DRV(cuMemcpy2D(&c));
    c.dstY = 1000000;
    EXPECT_EQ(cuMemcpy2D(&c), CUDA_ERROR_INVALID_VALUE);
    c = {};
    c.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
    c.srcDevice = p;
    c.srcPitch = row_bytes;
    c.srcY = 1;
    c.dstMemoryType = CU_MEMORYTYPE_HOST;
    c.dstHost = to;
    c.WidthInBytes = width;
    c.Height = height;
    DRV(cuMemcpy2DAsync(&c, nullptr));
    for (int i = 0; i < height * width; i++)
        EXPECT_EQ(to[i], i / width * pitch + i % width + 3);
    c.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    EXPECT_EQ(cuMemcpy2D(&c), CUDA_ERROR_INVALID_VALUE);
    DRV(cuMemFree(p));
}

static void check_names()
{
    typedef CUresult (*count_fn)(int *);
    void *found = nullptr;
    int n = 0;
    CUdriverProcAddressQueryResult status;
    const char *text;
    DRV(cuGetProcAddress("cuDeviceGetCount", &found, 12000, 0, &status));
    DRV(((count_fn)found)(&n));
    EXPECT_EQ(n, 1);
    // The form of 12.5 is another; older ones than the oldest there are not.
    void *newer = nullptr, *older = nullptr;
    DRV(cuGetProcAddress("cuCtxCreate", &newer, 13000, 0, &status));
    DRV(cuGetProcAddress("cuCtxCreate", &older, 12000, 0, &status));
    EXPECT(newer != older);
    DRV(cuGetProcAddress("cuDeviceGetUuid", &older, 9000, 0, &status));
    EXPECT_EQ(status, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
    DRV(cuGetProcAddress("cuNothing", &older, 12000, 0, &status));
    EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    DRV(cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text));
    EXPECT(!std::strcmp(text, "invalid argument"));
    EXPECT_EQ(cuGetErrorName((CUresult)12345, &text), CUDA_ERROR_INVALID_VALUE);
}

__global__ void set_seven(int *p)
{
    *p = 7;
}

// A stream of the primary context, while another context is current.
static void check_stream_of_other()
{
    CUcontext other;
    cudaStream_t s;
    int *p;
    EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
    EXPECT_EQ(cudaMallocManaged(&p, sizeof *p), cudaSuccess);
    EXPECT_EQ(cudaStreamCreate(&s), cudaSuccess);
    DRV(cuCtxCreate(&other, 0, 0));
    set_seven<<<1, 1, 0, s>>>(p);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(s), cudaSuccess);
    EXPECT_EQ(*p, 7);
    DRV(cuCtxDestroy(other));
}

int main()
{
    check_before_init();
    check_device();
    check_contexts();
    check_logs();
    check_incomplete_link();
    check_broken_link();
    CUmodule m = link_module();
    check_launches(m);
    check_rows();
    DRV(cuModuleUnload(m));
    check_names();
    DRV(cuDevicePrimaryCtxRelease(0));
    EXPECT_EQ(cuDevicePrimaryCtxRelease(0), CUDA_ERROR_INVALID_CONTEXT);
    check_stream_of_other();
    return failures != 0;
}
