// SPDX-License-Identifier: Apache-2.0
//
// What goes wrong at a launch, and the rules of the last error: it is per
// thread, it stays until asked for, peeking leaves it, success does not clear
// it, and a refused launch runs nothing.
#include <thread>

#include "check.h"

__global__ void mark(int *out)
{
    *out = 1;
}

__global__ void large_static(int *out)
{
    __shared__ int values[12000]; // 48,000 bytes
    values[threadIdx.x] = threadIdx.x;
    __syncthreads();
    *out = values[(threadIdx.x + 1) % blockDim.x];
}

__global__ void __launch_bounds__(64) bounded(int *out)
{
    *out = 2;
}

// Manual: cudaErrorInvalidConfiguration; drivers return InvalidValue for some.
static bool is_refusal(cudaError_t e)
{
    return e == cudaErrorInvalidConfiguration || e == cudaErrorInvalidValue ||
           e == cudaErrorLaunchOutOfResources;
}

static void check_refused(dim3 grid, dim3 block, size_t shared)
{
    buffer<int> out(1, 0);
    mark<<<grid, block, shared>>>(out.device);
    cudaError_t e = cudaGetLastError();
    if (!is_refusal(e))
        FAIL("grid %u %u %u, block %u %u %u, %zu bytes: %s", grid.x, grid.y,
             grid.z, block.x, block.y, block.z, shared, cudaGetErrorName(e));
    out.download(); // the device still works, and nothing ran
    EXPECT_EQ(out[0], 0);
}

static void check_configurations()
{
    check_refused(dim3(0), dim3(1), 0);
    check_refused(dim3(1, 0), dim3(1), 0);
    check_refused(dim3(1), dim3(0), 0);
    check_refused(dim3(1), dim3(1, 1, 0), 0);
    check_refused(dim3(1), dim3(1025), 0);
    check_refused(dim3(1), dim3(32, 33), 0);
    check_refused(dim3(1), dim3(1, 2000), 0);
    check_refused(dim3(1), dim3(1, 1, 65), 0);
    check_refused(dim3(1, 65536), dim3(1), 0);
    check_refused(dim3(1, 1, 65536), dim3(1), 0);
    check_refused(dim3(0x80000000u), dim3(1), 0);
    check_refused(dim3(1), dim3(1), 1 << 20);
    check_refused(dim3(1), dim3(1), 49153);
}

static void check_limits_accepted()
{
    buffer<int> out(1, 0);
    large_static<<<1, 1024>>>(out.device);
    out.download();
    mark<<<dim3(1, 65535), dim3(1)>>>(out.device);
    out.download();
    mark<<<1, dim3(1, 1, 64), 49152>>>(out.device);
    out.download();
    EXPECT_EQ(out[0], 1);

    bounded<<<1, 64>>>(out.device);
    out.download();
    EXPECT_EQ(out[0], 2);
    bounded<<<1, 65>>>(out.device);
    EXPECT(is_refusal(cudaGetLastError()));
}

static void check_last_error()
{
    EXPECT(cudaGetLastError() == cudaSuccess);
    void *p = nullptr;
    EXPECT(cudaMemcpy(nullptr, &p, 8, (cudaMemcpyKind)99) ==
           cudaErrorInvalidMemcpyDirection);
    EXPECT(cudaPeekAtLastError() == cudaErrorInvalidMemcpyDirection);
    EXPECT(cudaPeekAtLastError() == cudaErrorInvalidMemcpyDirection);
    int count;
    CHECK(cudaGetDeviceCount(&count)); // success leaves it alone
    EXPECT(cudaPeekAtLastError() == cudaErrorInvalidMemcpyDirection);

    cudaError_t elsewhere = cudaErrorUnknown;
    std::thread other([&] { elsewhere = cudaGetLastError(); });
    other.join();
    EXPECT(elsewhere == cudaSuccess);

    EXPECT(cudaGetLastError() == cudaErrorInvalidMemcpyDirection);
    EXPECT(cudaGetLastError() == cudaSuccess);

    // NotReady is no error that stays.
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    cudaError_t e = cudaStreamQuery(s);
    EXPECT(e == cudaSuccess || e == cudaErrorNotReady);
    CHECK(cudaStreamDestroy(s));
    EXPECT(cudaGetLastError() == cudaSuccess);
}

static void check_bad_arguments()
{
    void *p = &p;
    EXPECT_ERROR(cudaMalloc(nullptr, 16), cudaErrorInvalidValue);
    EXPECT_ERROR(cudaMalloc(&p, (size_t)1 << 60), cudaErrorMemoryAllocation);
    EXPECT_ERROR(cudaMalloc(&p, 0), cudaSuccess);
    EXPECT(p == nullptr);
    EXPECT_ERROR(cudaFree(nullptr), cudaSuccess);
    int on_stack;
    EXPECT_ERROR(cudaFree(&on_stack), cudaErrorInvalidValue);
    EXPECT_ERROR(cudaFreeHost(nullptr), cudaSuccess);
    EXPECT_ERROR(cudaFreeHost(&on_stack), cudaErrorInvalidValue);
    EXPECT_ERROR(cudaSetDevice(-1), cudaErrorInvalidDevice);
    EXPECT_ERROR(cudaSetDevice(1000), cudaErrorInvalidDevice);
    cudaDeviceProp prop;
    EXPECT_ERROR(cudaGetDeviceProperties(&prop, 1000), cudaErrorInvalidDevice);
    EXPECT_ERROR(cudaMemset(nullptr, 0, 16), cudaErrorInvalidValue);
    EXPECT_ERROR(cudaEventElapsedTime(nullptr, nullptr, nullptr),
                 cudaErrorInvalidValue);
    CHECK(cudaMalloc(&p, 256));
    EXPECT_ERROR(cudaMemcpy2D(p, 4, p, 8, 8, 2, cudaMemcpyDeviceToDevice),
                 cudaErrorInvalidPitchValue);
    char host[256];
    EXPECT_ERROR(cudaMemcpy(p, host, 0, cudaMemcpyHostToDevice), cudaSuccess);
    CHECK(cudaFree(p));
    EXPECT_ERROR(cudaFree(p), cudaErrorInvalidValue); // twice
}

static void check_names()
{
    EXPECT(!std::strcmp(cudaGetErrorName(cudaSuccess), "cudaSuccess"));
    EXPECT(!std::strcmp(cudaGetErrorName(cudaErrorMemoryAllocation),
                        "cudaErrorMemoryAllocation"));
    EXPECT(!std::strcmp(cudaGetErrorString(cudaSuccess), "no error"));
    EXPECT(!std::strcmp(cudaGetErrorString(cudaErrorInvalidValue),
                        "invalid argument"));
    EXPECT(!std::strcmp(cudaGetErrorString(cudaErrorMemoryAllocation),
                        "out of memory"));
    EXPECT(!std::strcmp(cudaGetErrorString((cudaError_t)12345),
                        "unrecognized error code"));
}

int main()
{
    check_configurations();
    check_limits_accepted();
    check_last_error();
    check_bad_arguments();
    check_names();
    return finish();
}
