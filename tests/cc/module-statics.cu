// SPDX-License-Identifier: Apache-2.0
static __constant__ int factors[4];
static __constant__ int offset = 5;
static __device__ int calls;
namespace other {
static __constant__ int factors = 7;
}

extern "C" __global__ void apply(int *out)
{
    out[threadIdx.x] =
        factors[threadIdx.x] * other::factors + offset;
    atomicAdd(&calls, 1);
}
