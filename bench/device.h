// SPDX-License-Identifier: Apache-2.0
//
// What the CUDA programs of the benchmarks share.
#ifndef WEFT_BENCH_DEVICE_H
#define WEFT_BENCH_DEVICE_H

#include <cuda_runtime.h>

#include "timing.h"

#define CHECK(call)                                                            \
    do {                                                                       \
        cudaError_t status_ = (call);                                          \
        if (status_ != cudaSuccess) {                                          \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,      \
                    cudaGetErrorString(status_));                              \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

static void wait_for_device()
{
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
}

template <typename T> static T *device_array(size_t count)
{
    T *p;
    CHECK(cudaMalloc((void **)&p, count * sizeof(T)));
    return p;
}

template <typename T> static T device_value(const T *p)
{
    T value;
    CHECK(cudaMemcpy(&value, p, sizeof(T), cudaMemcpyDeviceToHost));
    return value;
}

#endif
