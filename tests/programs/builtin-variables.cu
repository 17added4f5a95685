// SPDX-License-Identifier: Apache-2.0
//
// threadIdx and its like copied, passed on and converted; what nvcc's header
// brings along without being asked.
#include "check.h"

template <typename T> static __device__ unsigned by_value(T v)
{
    return v.x + 10 * v.y + 100 * v.z;
}
template <typename T> static __device__ unsigned by_reference(const T &v)
{
    return v.x + 10 * v.y + 100 * v.z;
}
static __device__ unsigned as_uint3(uint3 v)
{
    return v.x;
}
static __device__ unsigned as_dim3(dim3 v)
{
    return v.x;
}

__global__ void variables(unsigned *out)
{
    auto thread = threadIdx;
    const auto &block = blockDim;
    const auto grid = gridDim;
    uint3 index = blockIdx, assigned;
    dim3 size(blockDim);
    assigned = threadIdx;
    unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
    assert(i < 64);
    out[i] = thread.x + block.x + grid.x + index.x + by_value(threadIdx) +
             by_reference(blockDim) + as_uint3(threadIdx) + as_dim3(gridDim) +
             size.x + assigned.x + warpSize;
}

int main()
{
    buffer<unsigned> out(64);
    variables<<<2, 32>>>(out.device);
    out.download();
    for (unsigned i = 0; i < 64; i++) {
        unsigned t = i % 32;
        EXPECT_EQ(out[i], t + 32 + 2 + i / 32 + t + 142 + t + 2 + 32 + t + 32);
    }
    return finish();
}
