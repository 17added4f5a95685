// SPDX-License-Identifier: Apache-2.0
// One machine as two devices: each has its streams, variables and memory;
// copies between them, events across them, one kernel on both at once, kernels
// whose blocks wait for the other device's.
#include "check.h"

#include <cooperative_groups.h>

#include <cstdlib>

__device__ int which = 7;
__managed__ int shared_by_all = 1;

__global__ void add(int *out, int value)
{
    out[threadIdx.x] += value + which;
}

__global__ void raise_shared()
{
    shared_by_all++;
}

__global__ void meet(int *out)
{
    cooperative_groups::this_grid().sync();
    out[blockIdx.x] = which;
}

// All blocks of both devices have to be under way.
__global__ void take_turns(volatile int *own, volatile int *other, int rounds)
{
    for (int i = 1; i <= rounds; i++) {
        if (threadIdx.x == 0) {
            own[blockIdx.x] = i;
            __threadfence_system();
            while (other[gridDim.x - 1 - blockIdx.x] < i)
                ;
        }
        __syncthreads();
    }
}

static void check_selection()
{
    int count = 0, device = -1, can = 0;
    CHECK(cudaGetDeviceCount(&count));
    EXPECT_EQ(count, 2);
    CHECK(cudaSetDevice(1));
    CHECK(cudaGetDevice(&device));
    EXPECT_EQ(device, 1);
    EXPECT_EQ(cudaSetDevice(2), cudaErrorInvalidDevice);
    CHECK(cudaDeviceCanAccessPeer(&can, 1, 0));
    EXPECT_EQ(can, 1);
    CHECK(cudaDeviceEnablePeerAccess(0, 0));
    EXPECT_EQ(cudaDeviceEnablePeerAccess(0, 0),
              cudaErrorPeerAccessAlreadyEnabled);
    EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0),
              cudaErrorPeerAccessUnsupported);
    CHECK(cudaDeviceDisablePeerAccess(0));
    EXPECT_EQ(cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);
    cudaDeviceProp p[2];
    for (int i = 0; i < 2; i++)
        CHECK(cudaGetDeviceProperties(&p[i], i));
    EXPECT(p[0].pciBusID != p[1].pciBusID);
    EXPECT(p[0].multiProcessorCount >= 16);
    cudaGetLastError();
}

static void check_apart()
{
    int *out[2], value = 100, got[2];
    cudaStream_t s[2];
    cudaEvent_t done;
    for (int i = 0; i < 2; i++) {
        CHECK(cudaSetDevice(i));
        CHECK(cudaMalloc(&out[i], 64 * sizeof(int)));
        CHECK(cudaMemset(out[i], 0, 64 * sizeof(int)));
        CHECK(cudaStreamCreate(&s[i]));
    }
    for (int i = 0; i < 2; i++) {
        cudaPointerAttributes a;
        int device;
        CHECK(cudaPointerGetAttributes(&a, out[i]));
        EXPECT_EQ(a.device, i);
        CHECK(cudaStreamGetDevice(s[i], &device));
        EXPECT_EQ(device, i);
    }
    CHECK(cudaSetDevice(1));
    CHECK(cudaMemcpyToSymbol(which, &value, sizeof value));
    CHECK(cudaEventCreate(&done));
    add<<<1, 64, 0, s[1]>>>(out[1], 1);
    CHECK(cudaEventRecord(done, s[1]));
    CHECK(cudaSetDevice(0));
    CHECK(cudaStreamWaitEvent(s[0], done, 0));
    CHECK(cudaMemcpyPeerAsync(out[0], 0, out[1], 1, 64 * sizeof(int), s[0]));
    add<<<1, 64, 0, s[0]>>>(out[0], 2);
    CHECK(cudaStreamSynchronize(s[0]));
    add<<<1, 64, 0, s[1]>>>(out[1], 2); // the other device's stream
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    CHECK(cudaStreamSynchronize(s[1]));
    for (int i = 0; i < 2; i++)
        CHECK(cudaMemcpy(&got[i], out[i], sizeof(int), cudaMemcpyDefault));
    EXPECT_EQ(got[1], 101 + 102);
    EXPECT_EQ(got[0], 101 + 9);
    for (int i = 0; i < 2; i++) {
        CHECK(cudaSetDevice(i));
        raise_shared<<<1, 1>>>();
        CHECK(cudaDeviceSynchronize());
    }
    EXPECT_EQ(shared_by_all, 3);
    CHECK(cudaFree(out[0]));
    CHECK(cudaDeviceReset()); // of device 1: 0 goes on
    CHECK(cudaSetDevice(0));
    CHECK(cudaStreamQuery(s[0]));
    EXPECT_EQ(cudaFree(out[1]), cudaErrorInvalidValue);
    cudaGetLastError();
    CHECK(cudaStreamDestroy(s[0]));
}

static void check_cooperative()
{
    int *out[2], got[4];
    cudaLaunchParams launches[2];
    void *args[2][1];
    for (int i = 0; i < 2; i++) {
        CHECK(cudaSetDevice(i));
        CHECK(cudaMalloc(&out[i], 4 * sizeof(int)));
        args[i][0] = &out[i];
        launches[i] = {(void *)meet, dim3(4), dim3(32), args[i], 0, 0};
        CHECK(cudaStreamCreate(&launches[i].stream));
    }
    CHECK(cudaLaunchCooperativeKernelMultiDevice(launches, 2, 0));
    CHECK(cudaStreamSynchronize(launches[0].stream));
    CHECK(cudaStreamSynchronize(launches[1].stream));
    CHECK(cudaMemcpy(got, out[1], sizeof got, cudaMemcpyDefault));
    EXPECT_EQ(got[3], 7);
    EXPECT_EQ(cudaLaunchCooperativeKernelMultiDevice(launches, 0, 0),
              cudaErrorInvalidValue);
    EXPECT_EQ(cudaLaunchCooperativeKernelMultiDevice(launches, 2, 8),
              cudaErrorInvalidValue);
    launches[1].stream = launches[0].stream;
    EXPECT_EQ(cudaLaunchCooperativeKernelMultiDevice(launches, 2, 0),
              cudaErrorInvalidDevice);
    launches[1].stream = 0;
    EXPECT_EQ(cudaLaunchCooperativeKernelMultiDevice(launches, 2, 0),
              cudaErrorInvalidResourceHandle);
    cudaGetLastError();
}

static void check_waiting()
{
    const int blocks = 12, rounds = 40;
    int *turn[2], got[blocks];
    cudaStream_t s[2];
    for (int i = 0; i < 2; i++) {
        CHECK(cudaSetDevice(i));
        CHECK(cudaDeviceEnablePeerAccess(!i, 0));
        CHECK(cudaMalloc(&turn[i], sizeof got));
        CHECK(cudaMemset(turn[i], 0, sizeof got));
        CHECK(cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking));
        CHECK(cudaDeviceSynchronize());
    }
    for (int i = 0; i < 2; i++) {
        CHECK(cudaSetDevice(i));
        take_turns<<<blocks, 96, 0, s[i]>>>(turn[i], turn[!i], rounds);
    }
    for (int i = 0; i < 2; i++) {
        CHECK(cudaSetDevice(i));
        CHECK(cudaStreamSynchronize(s[i]));
        CHECK(cudaMemcpy(got, turn[i], sizeof got, cudaMemcpyDeviceToHost));
        for (int b = 0; b < blocks; b++)
            EXPECT_EQ(got[b], rounds);
        CHECK(cudaFree(turn[i]));
    }
}

static void check_valid_devices()
{
    int only[] = {1}, wrong[] = {5}, device;
    EXPECT_EQ(cudaSetValidDevices(wrong, 1), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaSetValidDevices(nullptr, 1), cudaErrorInvalidValue);
    int twice[] = {0, 0};
    EXPECT_EQ(cudaSetValidDevices(twice, 2), cudaErrorInvalidValue);
    CHECK(cudaSetValidDevices(only, 1));
    CHECK(cudaFree(0));
    CHECK(cudaGetDevice(&device));
    EXPECT_EQ(device, 1);
    CHECK(cudaSetValidDevices(nullptr, 0));
    cudaGetLastError();
}

// Set before the module with the managed variable is loaded.
int main(int, char **argv)
{
    if (!getenv("WEFT_DEVICES")) {
        setenv("WEFT_DEVICES", "2", 1);
        execv("/proc/self/exe", argv);
    }
    check_valid_devices();
    check_selection();
    check_apart();
    check_cooperative();
    check_waiting();
    return finish();
}
