// SPDX-License-Identifier: Apache-2.0
//
// Lists the devices and what they can do, and checks that the figures fit
// together and that the errors for a device that is not there are right.
#include "common/example.h"

static int attribute(cudaDeviceAttr a, int device)
{
    int value = 0;
    CHECK(cudaDeviceGetAttribute(&value, a, device));
    return value;
}

static const char *yes_no(int value)
{
    return value ? "yes" : "no";
}

static void describe(int device, const cudaDeviceProp &p)
{
    std::printf("device %d: %s\n", device, p.name);
    std::printf("  compute capability       %d.%d\n", p.major, p.minor);
    std::printf("  global memory            %.1f GiB\n",
                p.totalGlobalMem / 1073741824.0);
    std::printf("  multiprocessors          %d\n", p.multiProcessorCount);
    std::printf("  clock                    %d MHz\n",
                attribute(cudaDevAttrClockRate, device) / 1000);
    std::printf("  L2 cache                 %d KiB\n", p.l2CacheSize / 1024);
    std::printf("  constant memory          %zu KiB\n", p.totalConstMem / 1024);
    std::printf("  shared memory a block    %zu KiB, %zu on demand\n",
                p.sharedMemPerBlock / 1024, p.sharedMemPerBlockOptin / 1024);
    std::printf("  registers a block        %d\n", p.regsPerBlock);
    std::printf("  warp                     %d threads\n", p.warpSize);
    std::printf("  block                    %d threads, %d x %d x %d\n",
                p.maxThreadsPerBlock, p.maxThreadsDim[0], p.maxThreadsDim[1],
                p.maxThreadsDim[2]);
    std::printf("  grid                     %d x %d x %d blocks\n",
                p.maxGridSize[0], p.maxGridSize[1], p.maxGridSize[2]);
    std::printf("  unified addressing       %s\n", yes_no(p.unifiedAddressing));
    std::printf("  managed memory           %s\n", yes_no(p.managedMemory));
    std::printf("  maps host memory         %s\n", yes_no(p.canMapHostMemory));
    std::printf("  several kernels at once  %s\n", yes_no(p.concurrentKernels));
    std::printf("  integrated with the host %s\n", yes_no(p.integrated));
}

static bool is_consistent(int device, const cudaDeviceProp &p)
{
    return p.warpSize == 32 && p.name[0] && p.major >= 2 &&
           p.multiProcessorCount > 0 && p.totalGlobalMem > 0 &&
           p.maxThreadsPerBlock >= 512 && p.sharedMemPerBlock >= 16384 &&
           attribute(cudaDevAttrWarpSize, device) == p.warpSize &&
           attribute(cudaDevAttrMultiProcessorCount, device) ==
               p.multiProcessorCount &&
           attribute(cudaDevAttrMaxThreadsPerBlock, device) ==
               p.maxThreadsPerBlock &&
           attribute(cudaDevAttrComputeCapabilityMajor, device) == p.major;
}

int main()
{
    double start = now_ms();
    int count = 0, driver = 0, runtime = 0, current = -1;
    CHECK(cudaGetDeviceCount(&count));
    CHECK(cudaDriverGetVersion(&driver));
    CHECK(cudaRuntimeGetVersion(&runtime));
    std::printf("%d device%s, driver %d.%d, runtime %d.%d\n", count,
                count == 1 ? "" : "s", driver / 1000, driver % 1000 / 10,
                runtime / 1000, runtime % 1000 / 10);

    bool ok = count >= 1;
    for (int i = 0; i < count; i++) {
        cudaDeviceProp p;
        CHECK(cudaGetDeviceProperties(&p, i));
        describe(i, p);
        CHECK(cudaSetDevice(i));
        CHECK(cudaGetDevice(&current));
        size_t free_bytes, total_bytes;
        CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
        std::printf("  free now                 %.1f GiB\n",
                    free_bytes / 1073741824.0);
        ok = ok && is_consistent(i, p) && current == i &&
             free_bytes <= total_bytes;
    }

    ok = ok && cudaSetDevice(count) == cudaErrorInvalidDevice;
    ok = ok && cudaGetLastError() == cudaErrorInvalidDevice;
    ok = ok && cudaGetLastError() == cudaSuccess;
    return report({"devices", ok, now_ms() - start, 0, 0});
}
