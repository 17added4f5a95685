// SPDX-License-Identifier: Apache-2.0
// weftcc: -rdc=true
//
// What goes wrong at a launch by a kernel: the error is the thread's own, and
// nothing is launched.
#include "check.h"

__global__ void mark(int *out)
{
    *out = 1;
}

__global__ void __launch_bounds__(64) bounded(int *out)
{
    *out = 1;
}

// One launch of each kind by a thread of its own; two by thread 0.
__global__ void bad_launches(int *errors, int *ran)
{
    int i = threadIdx.x;
    switch (i) {
    case 0:
        mark<<<0, 1>>>(ran);
        break;
    case 1:
        mark<<<1, 1025>>>(ran);
        break;
    case 2:
        mark<<<1, dim3(1, 1, 65)>>>(ran);
        break;
    case 3:
        mark<<<dim3(1, 65536), 1>>>(ran);
        break;
    case 4:
        mark<<<1, 1, 1 << 20>>>(ran);
        break;
    case 5:
        bounded<<<1, 65>>>(ran);
        break;
    case 6:
        mark<<<1, 1, 0, (cudaStream_t)0x1234560>>>(ran);
        break;
    case 7:
        mark<<<1, 1>>>(ran + 1);
        break;
    }
    errors[i] = cudaPeekAtLastError() * 1000 + cudaGetLastError();
    errors[i + 8] = cudaGetLastError();
}

static void test_bad_launches()
{
    int *p;
    CHECK(cudaMallocManaged(&p, 32 * sizeof *p));
    memset(p, 0, 32 * sizeof *p);
    bad_launches<<<1, 8>>>(p, p + 16);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 5; i++)
        EXPECT_EQ(p[i], 1001 * cudaErrorInvalidConfiguration);
    EXPECT_EQ(p[5], 1001 * cudaErrorInvalidValue);
    EXPECT_EQ(p[6], 1001 * cudaErrorInvalidResourceHandle);
    EXPECT_EQ(p[7], 0);
    for (int i = 8; i < 16; i++)
        EXPECT_EQ(p[i], 0);
    EXPECT_EQ(p[16], 0);
    EXPECT_EQ(p[17], 1);
}

// ---- other calls ----------------------------------------------------------

__global__ void bad_calls(int *errors)
{
    cudaStream_t s;
    cudaEvent_t e;
    int value;
    errors[0] = cudaStreamCreateWithFlags(&s, cudaStreamDefault);
    errors[1] = cudaEventCreateWithFlags(&e, cudaEventDefault);
    errors[2] = cudaStreamDestroy((cudaStream_t)0x1234560);
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    errors[3] = cudaStreamDestroy(s);
    errors[4] = cudaStreamDestroy(s);
    errors[5] = cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1);
    errors[6] = cudaEventRecord((cudaEvent_t)s, 0);
    errors[7] = cudaGetLastError();
    errors[8] = cudaMemcpy2DAsync(&value, 4, &value, 4, 4, 1,
                                  cudaMemcpyHostToDevice, 0);
}

static void test_bad_calls()
{
    int *p;
    CHECK(cudaMallocManaged(&p, 9 * sizeof *p));
    bad_calls<<<1, 1>>>(p);
    CHECK(cudaDeviceSynchronize());
    EXPECT_EQ(p[0], cudaSuccess);
    EXPECT_EQ(p[1], cudaErrorInvalidValue);
    EXPECT_EQ(p[2], cudaErrorInvalidResourceHandle);
    EXPECT_EQ(p[3], cudaSuccess);
    EXPECT_EQ(p[4], cudaErrorInvalidResourceHandle);
    EXPECT_EQ(p[5], cudaErrorInvalidDevice);
    EXPECT_EQ(p[6], cudaErrorInvalidResourceHandle);
    EXPECT_EQ(p[7], cudaErrorInvalidResourceHandle);
    EXPECT_EQ(p[8], cudaErrorInvalidMemcpyDirection);
}

static __device__ bool is_same(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

__global__ void name_errors(int *same)
{
    same[0] = is_same(cudaGetErrorName(cudaErrorInvalidConfiguration),
                      "cudaErrorInvalidConfiguration");
    same[1] =
        is_same(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
    same[2] = is_same(cudaGetErrorString((cudaError_t)12345),
                      "unrecognized error code");
}

static void test_names()
{
    int *p;
    CHECK(cudaMallocManaged(&p, 8 * sizeof *p));
    memset(p, 0, 8 * sizeof *p);
    name_errors<<<1, 1>>>(p);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 3; i++)
        EXPECT_EQ(p[i], 1);
}

// ---- limits ---------------------------------------------------------------

__global__ void deeper(int *deepest, int *error, int depth)
{
    *deepest = depth;
    deeper<<<1, 1>>>(deepest, error, depth + 1);
    cudaError_t e = cudaGetLastError();
    if (e != cudaSuccess)
        *error = e;
}

__global__ void never_ends(volatile int *stop)
{
    while (!*stop)
        ;
}

// All behind one that has to wait, so that none of them begins.
__global__ void many(volatile int *stop, int *counts, int launches)
{
    never_ends<<<1, 1>>>(stop);
    for (int i = 0; i < launches; i++) {
        mark<<<1, 1>>>(&counts[2]);
        cudaError_t e = cudaGetLastError();
        counts[0] += e == cudaSuccess;
        counts[1] += e == cudaErrorLaunchPendingCountExceeded;
    }
    *stop = 1;
}

static void test_limits()
{
    int *p;
    CHECK(cudaMallocManaged(&p, 8 * sizeof *p));
    memset(p, 0, 8 * sizeof *p);
    deeper<<<1, 1>>>(&p[0], &p[1], 0);
    CHECK(cudaDeviceSynchronize());
    EXPECT_EQ(p[0], 256);
    EXPECT_EQ(p[1], cudaErrorLaunchMaxDepthExceeded);
    CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 100));
    many<<<1, 1>>>(&p[2], &p[3], 150);
    CHECK(cudaDeviceSynchronize());
    EXPECT(p[3] == 99 || p[3] == 100); // the first may have begun
    EXPECT_EQ(p[3] + p[4], 150);
    EXPECT_EQ(p[5], 1);
    CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 2048));
    // The slots are free again.
    memset(p, 0, 8 * sizeof *p);
    many<<<1, 1>>>(&p[2], &p[3], 1500);
    CHECK(cudaDeviceSynchronize());
    EXPECT_EQ(p[3], 1500);
}

int main()
{
    test_bad_launches();
    test_bad_calls();
    test_names();
    test_limits();
    return finish();
}
