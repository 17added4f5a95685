// SPDX-License-Identifier: Apache-2.0
// weftcc: -rdc=true -lcudadevrt
//
// Kernels that launch kernels: what arrives, in which order, and that the
// parent is done when all that came of it is.
#include "check.h"

struct Mixed {
    char c;
    double d;
    short s[3];
};

// ---- arguments ------------------------------------------------------------

__global__ void write_arguments(int *out, Mixed m, char c, long long l)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    extern __shared__ int shared[];
    shared[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (i < 6)
        out[i] = m.c + (int)m.d + m.s[2] + c + (int)l +
                 shared[blockDim.x - 1 - threadIdx.x];
}

template <typename T> __global__ void add_to(T *out, T value)
{
    atomicAdd(out, value);
}

// Every thread its own launch, of its own shape.
__global__ void launch_from_each(int *out, int *sums)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    Mixed m = {1, 2.0, {0, 0, 4}};
    if (i == 0)
        write_arguments<<<2, 3, 3 * sizeof(int)>>>(out, m, 8, 16);
    if (i % 2)
        add_to<<<dim3(i, 2), dim3(2, 1, 3)>>>(&sums[i], 1);
    else
        add_to<float><<<1, 1>>>((float *)&sums[i], 0.5f);
}

static void test_arguments()
{
    int *out, *sums;
    CHECK(cudaMallocManaged(&out, 6 * sizeof *out));
    CHECK(cudaMallocManaged(&sums, 70 * sizeof *sums));
    memset(sums, 0, 70 * sizeof *sums);
    launch_from_each<<<2, 35>>>(out, sums);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 6; i++)
        EXPECT_EQ(out[i], 31 + 2 - i % 3);
    for (int i = 0; i < 70; i++) {
        float half;
        memcpy(&half, &sums[i], sizeof half);
        if (i % 2)
            EXPECT_EQ(sums[i], 12 * i);
        else
            EXPECT(half == 0.5f);
    }
}

// ---- completion -----------------------------------------------------------

__global__ void tree(int *leaves, int depth)
{
    if (depth == 0)
        atomicAdd(leaves, 1);
    else if (threadIdx.x < 2)
        tree<<<1, 32>>>(leaves, depth - 1);
}

__global__ void read_after(const int *leaves, int *seen)
{
    *seen = *leaves;
}

static void test_completion()
{
    int *n;
    cudaStream_t a, b;
    cudaEvent_t done;
    CHECK(cudaMallocManaged(&n, 4 * sizeof *n));
    CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&done));
    memset(n, 0, 4 * sizeof *n);
    // depth 7: 2 to the 7 grids of 32 threads that count
    tree<<<1, 32, 0, a>>>(&n[0], 7);
    read_after<<<1, 1, 0, a>>>(&n[0], &n[1]);
    CHECK(cudaEventRecord(done, a));
    CHECK(cudaStreamWaitEvent(b, done, 0));
    read_after<<<1, 1, 0, b>>>(&n[1], &n[2]);
    CHECK(cudaStreamSynchronize(b));
    EXPECT_EQ(n[0], 128 * 32);
    EXPECT_EQ(n[1], 128 * 32);
    EXPECT_EQ(n[2], 128 * 32);
    tree<<<1, 1, 0, a>>>(&n[3], 10);
    CHECK(cudaStreamSynchronize(a));
    EXPECT_EQ(n[3], 512 * 32);
    CHECK(cudaStreamDestroy(a));
    CHECK(cudaStreamDestroy(b));
}

// ---- order ----------------------------------------------------------------

__global__ void append(int *log, int value)
{
    log[1 + log[0]++] = value;
}

// Takes its time, and has children of its own.
__global__ void append_late(int *log, int value)
{
    __nanosleep(200000);
    append<<<1, 1>>>(log, value);
    append<<<1, 1>>>(log, value + 1);
}

// All threads of a block share the NULL stream; `barrier` orders them.
__global__ void in_order(int *log)
{
    int *mine = log + 16 * blockIdx.x;
    for (int i = 0; i < 4; i++) {
        if (threadIdx.x == 8 * i)
            append_late<<<1, 1>>>(mine, 2 * i);
        __syncthreads();
    }
    if (threadIdx.x == 0)
        append<<<1, 1>>>(mine, 8);
}

__global__ void streams_and_events(int *log)
{
    cudaStream_t a, b;
    cudaEvent_t e;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    append_late<<<1, 1, 0, a>>>(log, 0);
    cudaEventRecord(e, a);
    cudaStreamWaitEvent(b, e, 0);
    append<<<1, 1, 0, b>>>(log, 2);
    cudaEventDestroy(e);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
}

static void expect_sequence(const int *log, int count)
{
    EXPECT_EQ(log[0], count);
    for (int i = 0; i < count; i++)
        EXPECT_EQ(log[1 + i], i);
}

// Tails run one after the other, when nothing else of the grid is left.
__global__ void late_parent(int *log)
{
    append<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 4);
    append_late<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 5);
    append<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 7);
    append_late<<<1, 1>>>(log, 0);
    append_late<<<1, 1>>>(log, 2);
}

__global__ void countdown(int *log, int left)
{
    append<<<1, 1>>>(log, 9 - left);
    if (left > 0)
        countdown<<<1, 1, 0, cudaStreamTailLaunch>>>(log, left - 1);
}

__global__ void forget(int *sum, int count)
{
    for (int i = 0; i < count; i++)
        add_to<<<1, 32, 0, cudaStreamFireAndForget>>>(sum, 1);
}

static void test_order()
{
    int *log;
    CHECK(cudaMallocManaged(&log, 64 * sizeof *log));
    memset(log, 0, 64 * sizeof *log);
    in_order<<<3, 64>>>(log);
    CHECK(cudaDeviceSynchronize());
    for (int block = 0; block < 3; block++)
        expect_sequence(log + 16 * block, 9);
    log[0] = 0;
    streams_and_events<<<1, 1>>>(log);
    CHECK(cudaDeviceSynchronize());
    expect_sequence(log, 3);
    log[0] = 0;
    late_parent<<<1, 1>>>(log);
    append<<<1, 1>>>(log, 8);
    CHECK(cudaDeviceSynchronize());
    expect_sequence(log, 9);
    log[0] = 0;
    countdown<<<1, 1>>>(log, 9);
    CHECK(cudaDeviceSynchronize());
    expect_sequence(log, 10);
    log[0] = 0;
    forget<<<1, 2>>>(log, 50);
    CHECK(cudaDeviceSynchronize());
    EXPECT_EQ(log[0], 2 * 50 * 32);
}

// ---- as nvcc does it ------------------------------------------------------

// Its names since CUDA 12, and with a default stream for each thread.
extern "C" {
__device__ void *__cudaCDP2GetParameterBufferV2(void *kernel, dim3 grid,
                                                dim3 block, unsigned shared);
__device__ cudaError_t __cudaCDP2LaunchDeviceV2(void *buffer, cudaStream_t s);
__device__ cudaError_t __cudaCDP2LaunchDeviceV2_ptsz(void *buffer,
                                                     cudaStream_t s);
}

struct Many {
    int v[20];
};
__global__ void take_many(Many m) {}

__global__ void launch_by_calls(int *log)
{
    struct arguments {
        int *log;
        int value;
    };
    void *kernel = (void *)append;
    for (int i = 0; i < 3; i++) {
        arguments *a = (arguments *)__cudaCDP2GetParameterBufferV2(
            kernel, dim3(1), dim3(1), 0);
        *a = {log, i};
        log[10 + i] = i == 1 ? __cudaCDP2LaunchDeviceV2_ptsz(a, 0)
                             : __cudaCDP2LaunchDeviceV2(a, 0);
        log[13 + i] = __cudaCDP2LaunchDeviceV2(a, 0); // a buffer is used once
    }
    void *none =
        __cudaCDP2GetParameterBufferV2((void *)log, dim3(1), dim3(1), 0);
    log[16] = __cudaCDP2LaunchDeviceV2(none, 0);
}

// A buffer for less than the kernel's parameters, as CUB has it: there is more
// in it than was asked for. One that is far too small is an error.
__global__ void launch_with_less(int *log, int *sum)
{
    int **a = (int **)cudaGetParameterBuffer(64, sizeof *a);
    *a = sum;
    log[17] = cudaLaunchDevice((void *)add_to<int>, a, dim3(1), dim3(1), 0, 0);
    void *b = cudaGetParameterBuffer(64, 1);
    log[18] = cudaLaunchDevice((void *)take_many, b, dim3(1), dim3(1), 0, 0);
}

static void test_calls()
{
    int *log;
    CHECK(cudaMallocManaged(&log, 64 * sizeof *log));
    memset(log, 0, 64 * sizeof *log);
    launch_by_calls<<<1, 1>>>(log);
    CHECK(cudaDeviceSynchronize());
    expect_sequence(log, 3);
    for (int i = 0; i < 3; i++) {
        EXPECT_EQ(log[10 + i], cudaSuccess);
        EXPECT_EQ(log[13 + i], cudaErrorInvalidValue);
    }
    EXPECT_EQ(log[16], cudaErrorInvalidDeviceFunction);
    log[17] = log[20] = -1;
    launch_with_less<<<1, 1>>>(log, &log[20]);
    CHECK(cudaDeviceSynchronize());
    EXPECT_EQ(log[17], cudaSuccess);
    EXPECT_EQ(log[18], cudaErrorInvalidValue);
    EXPECT_EQ(log[20], -1);
}

// ---- memory, properties ---------------------------------------------------

__global__ void check_copy(const int *from, int *out)
{
    for (int i = 0; i < 8; i++)
        *out += from[i] == (i < 4 ? 0x01010101 : 7);
}

__global__ void move_memory(int *a, int *b, int *out)
{
    int *heap = nullptr;
    cudaMemsetAsync(a, 1, 4 * sizeof *a);
    cudaMemcpyAsync(b, a, 8 * sizeof *a, cudaMemcpyDeviceToDevice);
    check_copy<<<1, 1>>>(b, out);
    if (cudaMalloc(&heap, 1000) == cudaSuccess && heap) {
        heap[249] = 1;
        out[1] = heap[249];
    }
    out[2] = cudaFree(heap);
    cudaGetDevice(&out[3]);
    cudaGetDeviceCount(&out[4]);
    cudaDeviceGetAttribute(&out[5], cudaDevAttrWarpSize, 0);
    size_t pending = 0;
    cudaDeviceGetLimit(&pending, cudaLimitDevRuntimePendingLaunchCount);
    out[6] = (int)pending;
}

static void test_memory()
{
    int *p;
    CHECK(cudaMallocManaged(&p, 64 * sizeof *p));
    memset(p, 0xff, 64 * sizeof *p);
    p[32] = 0;
    for (int i = 0; i < 8; i++)
        p[i] = 7;
    move_memory<<<1, 1>>>(p, p + 16, p + 32);
    CHECK(cudaDeviceSynchronize());
    EXPECT_EQ(p[32], 8);
    EXPECT_EQ(p[33], 1);
    EXPECT_EQ(p[34], 0);
    EXPECT_EQ(p[35], 0);
    EXPECT_EQ(p[36], 1);
    EXPECT_EQ(p[37], 32);
    EXPECT_EQ(p[38], 2048);
}

// ---- boxes, kernels' properties ---------------------------------------------

__global__ void __launch_bounds__(96) bounded(int *out)
{
    __shared__ int room[50];
    room[threadIdx.x % 50] = *out;
    __syncthreads();
    *out = room[0];
}

__global__ void move_boxes(unsigned char *a, unsigned char *b, int *out)
{
    // b: 2 slices of 3 rows of 4 bytes, of a's 3 slices of 4 rows of 8
    cudaMemcpy3DParms p = {};
    p.srcPtr = {a, 8, 8, 4};
    p.srcPos = {2, 1, 1};
    p.dstPtr = {b, 4, 4, 3};
    p.extent = {4, 3, 2};
    p.kind = cudaMemcpyDeviceToDevice;
    out[0] = cudaMemcpy3DAsync(&p, 0);
    out[1] = cudaMemset3DAsync(cudaPitchedPtr{a, 8, 8, 4}, 77,
                               cudaExtent{1, 2, 3}, 0);
    p.extent.width = 5;
    out[2] = cudaMemcpy3DAsync(&p, 0);
}

__global__ void ask(int *out)
{
    cudaFuncAttributes a;
    out[0] = cudaFuncGetAttributes(&a, bounded);
    out[1] = (int)a.sharedSizeBytes;
    out[2] = a.maxThreadsPerBlock;
    out[3] = a.binaryVersion;
    out[4] = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &out[5], (const void *)bounded, 96, 0);
    out[9] = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&out[10], bounded,
                                                           96, 0);
    out[6] = cudaFuncGetAttributes(&a, (const void *)out);
    out[7] = cudaRuntimeGetVersion(&out[8]);
    cudaStream_t s;
    cudaFuncCache cache;
    cudaSharedMemConfig banks;
    out[11] = cudaStreamCreateWithFlags(&s, cudaStreamDefault);
    out[12] = cudaMemcpyAsync(out, out, 4, cudaMemcpyHostToDevice, 0);
    out[13] = cudaDeviceGetCacheConfig(&cache) * 100 + cache;
    out[14] = cudaDeviceGetSharedMemConfig(&banks) * 100 + banks;
    bounded<<<1, 1, 300000>>>(out);
    out[15] = cudaGetLastError();
}

static void test_boxes()
{
    unsigned char *a, *b;
    int *out;
    CHECK(cudaMallocManaged(&a, 96));
    CHECK(cudaMallocManaged(&b, 24));
    CHECK(cudaMallocManaged(&out, 16 * sizeof *out));
    for (int i = 0; i < 96; i++)
        a[i] = i;
    move_boxes<<<1, 1>>>(a, b, out);
    CHECK(cudaDeviceSynchronize());
    EXPECT_EQ(out[0], cudaSuccess);
    EXPECT_EQ(out[1], cudaSuccess);
    EXPECT_EQ(out[2], cudaErrorInvalidPitchValue);
    for (int i = 0; i < 24; i++)
        EXPECT_EQ(b[i], 2 + i % 4 + 8 * (1 + i / 4 % 3 + 4 * (1 + i / 12)));
    for (int i = 0; i < 96; i++)
        EXPECT_EQ(a[i], i % 8 == 0 && i / 8 % 4 < 2 ? 77 : i);
}

static void test_properties()
{
    int *out, blocks, version;
    cudaFuncAttributes a;
    CHECK(cudaMallocManaged(&out, 16 * sizeof *out));
    CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
    ask<<<1, 1>>>(out);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferNone));
    // As an H200 answers.
    EXPECT_EQ(out[11], cudaSuccess);
    EXPECT_EQ(out[12], cudaErrorInvalidMemcpyDirection);
    EXPECT_EQ(out[13], cudaFuncCachePreferL1);
    EXPECT_EQ(out[14], cudaSharedMemBankSizeFourByte);
    EXPECT_EQ(out[15], cudaErrorInvalidConfiguration);
    CHECK(cudaFuncGetAttributes(&a, bounded));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 96,
                                                        0));
    CHECK(cudaRuntimeGetVersion(&version));
    EXPECT_EQ(out[0], cudaSuccess);
    EXPECT_EQ(out[1], 200);
    EXPECT_EQ(out[2], 96);
    EXPECT_EQ(out[3], a.binaryVersion);
    EXPECT_EQ(out[4], cudaSuccess);
    EXPECT_EQ(out[5], blocks);
    EXPECT_EQ(out[9], cudaSuccess);
    EXPECT_EQ(out[10], blocks);
    EXPECT_EQ(out[6], cudaErrorInvalidDeviceFunction);
    EXPECT_EQ(out[7], cudaSuccess);
    EXPECT_EQ(out[8], version);
}

int main()
{
    test_arguments();
    test_completion();
    test_order();
    test_calls();
    test_memory();
    test_boxes();
    test_properties();
    return finish();
}
