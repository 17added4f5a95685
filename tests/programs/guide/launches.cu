// SPDX-License-Identifier: Apache-2.0
//
// Functions of both sides and how kernels are launched: code chosen by
// __CUDA_ARCH__ ("Function Type Qualifiers"), the four arguments between the
// angles ("Execution Configuration"), launch bounds that depend on the
// architecture, what the host must not do about them, and what it should
// ("Launch Bounds"), and preferences for L1 or shared memory.
#include "../check.h"

// ---- __CUDA_ARCH__ ----------------------------------------------------------

__host__ __device__ int way(int)
{
#if !defined(__CUDA_ARCH__)
    return 0;
#elif __CUDA_ARCH__ >= 800
    return 8;
#elif __CUDA_ARCH__ >= 200
    return 2;
#else
    return 1;
#endif
}

__global__ void ask_way(int *out)
{
    *out = way(0);
}

static void code_by_architecture()
{
    buffer<int> out(1);
    ask_way<<<1, 1>>>(out.device);
    out.download();
    EXPECT_EQ(out[0], 8);
    EXPECT_EQ(way(0), 0);
}

// ---- <<<grid, block, bytes, stream>>> ---------------------------------------

__global__ void count(int *out, int bytes)
{
    extern __shared__ char memory[];
    if (bytes)
        memory[threadIdx.x % bytes] = (char)threadIdx.x;
    atomicAdd(out, 1);
}

static void four_arguments()
{
    buffer<int> out(1, 0);
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    size_t bytes = 100;
    count<<<2, 32>>>(out.device, 0);
    count<<<dim3(2, 3), dim3(4, 5, 6)>>>(out.device, 0);
    count<<<2, 32, bytes>>>(out.device, 100);
    CHECK(cudaDeviceSynchronize());
    count<<<dim3(2, 1, 4), 32, bytes, stream>>>(out.device, 100);
    CHECK(cudaStreamSynchronize(stream));
    out.download();
    EXPECT_EQ(out[0], 64 + 720 + 64 + 256);
    CHECK(cudaStreamDestroy(stream));

    // What the device does not have is refused.
    count<<<1, dim3(32, 33)>>>(out.device, 0);
    EXPECT_ERROR(cudaGetLastError(), cudaErrorInvalidConfiguration);
    count<<<1, dim3(1, 1, 65)>>>(out.device, 0);
    EXPECT_ERROR(cudaGetLastError(), cudaErrorInvalidConfiguration);
    count<<<dim3(1, 65536), 1>>>(out.device, 0);
    EXPECT_ERROR(cudaGetLastError(), cudaErrorInvalidConfiguration);
    count<<<1, 0>>>(out.device, 0);
    EXPECT_ERROR(cudaGetLastError(), cudaErrorInvalidConfiguration);
    count<<<1, 32, 1 << 20>>>(out.device, 0);
    EXPECT_ERROR(cudaGetLastError(), cudaErrorInvalidValue);
}

// ---- launch bounds ----------------------------------------------------------

#define THREADS_PER_BLOCK 256
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 200
#define KERNEL_MAX_THREADS (2 * THREADS_PER_BLOCK)
#define KERNEL_MIN_BLOCKS  3
#else
#define KERNEL_MAX_THREADS THREADS_PER_BLOCK
#define KERNEL_MIN_BLOCKS  2
#endif

__global__ void __launch_bounds__(KERNEL_MAX_THREADS, KERNEL_MIN_BLOCKS)
    bounded(int *out)
{
    if (threadIdx.x == 0)
        *out = blockDim.x;
}

__global__ void __launch_bounds__(THREADS_PER_BLOCK) fixed(int *out)
{
    if (threadIdx.x == 0)
        *out = blockDim.x;
}

static void launch_bounds()
{
    buffer<int> out(1);
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, bounded));
    EXPECT_EQ(attributes.maxThreadsPerBlock, 2 * THREADS_PER_BLOCK);
    CHECK(cudaFuncGetAttributes(&attributes, fixed));
    EXPECT_EQ(attributes.maxThreadsPerBlock, THREADS_PER_BLOCK);

    // More than the bound is refused.
    bounded<<<1, 2 * THREADS_PER_BLOCK + 1>>>(out.device);
    EXPECT_ERROR(cudaGetLastError(), cudaErrorInvalidValue);
    fixed<<<1, 2 * THREADS_PER_BLOCK>>>(out.device);
    EXPECT_ERROR(cudaGetLastError(), cudaErrorInvalidValue);
}

// The host has no architecture: the macro means another number there.
static void wrong_way_on_the_host()
{
    buffer<int> out(1);
    bounded<<<1, KERNEL_MAX_THREADS>>>(out.device);
    out.download();
    EXPECT_EQ(out[0], THREADS_PER_BLOCK);
}

// One number for all, or one that the device's properties choose.
static void right_ways_on_the_host()
{
    buffer<int> out(1);
    fixed<<<4, THREADS_PER_BLOCK>>>(out.device);
    out.download();
    EXPECT_EQ(out[0], THREADS_PER_BLOCK);

    cudaDeviceProp prop;
    CHECK(cudaGetDeviceProperties(&prop, 0));
    int threads = prop.major >= 2 ? 2 * THREADS_PER_BLOCK : THREADS_PER_BLOCK;
    bounded<<<4, threads>>>(out.device);
    out.download();
    EXPECT_EQ(out[0], 2 * THREADS_PER_BLOCK);
}

// ---- L1 or shared memory ----------------------------------------------------

static void cache_preferences()
{
    buffer<int> out(1);
    for (cudaFuncCache preference :
         {cudaFuncCachePreferShared, cudaFuncCachePreferL1,
          cudaFuncCachePreferNone, cudaFuncCachePreferEqual}) {
        CHECK(cudaFuncSetCacheConfig(fixed, preference));
        CHECK(cudaDeviceSetCacheConfig(preference));
        cudaFuncCache now;
        CHECK(cudaDeviceGetCacheConfig(&now));
        EXPECT_EQ(now, preference);
        fixed<<<1, 17>>>(out.device);
        out.download();
        EXPECT_EQ(out[0], 17);
    }
}

int main()
{
    code_by_architecture();
    four_arguments();
    launch_bounds();
    wrong_way_on_the_host();
    right_ways_on_the_host();
    cache_preferences();
    return finish();
}
