// SPDX-License-Identifier: Apache-2.0
//
// The smaller headers of libcu++: code by target, function objects, whole
// division, streams, annotated pointers.
#include <cuda/annotated_ptr>
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/stream_ref>
#include <cuda/version>
#include <nv/target>

#include "check.h"

__host__ __device__ static int side()
{
    NV_IF_TARGET(NV_IS_DEVICE, (return 1;), (return 2;))
}

__host__ __device__ static int dispatched()
{
    int r = 0;
    NV_IF_TARGET(NV_IS_HOST, (r = 5;));
    NV_DISPATCH_TARGET(NV_PROVIDES_SM_90, (r += 10;), NV_IS_DEVICE, (r += 20;),
                       NV_IS_HOST, (r += 30;))
    // Parentheses may be missing.
    NV_IF_TARGET(NV_IS_DEVICE, r += 100;)
    NV_IF_TARGET(NV_IS_HOST, r += 200;)
    // What is chosen is a block, with names of its own.
    NV_IF_TARGET(NV_ANY_TARGET, (const int step = 1000; r += step;))
    NV_IF_TARGET(NV_ANY_TARGET, (const double step = 2000; r += step;))
    NV_DISPATCH_TARGET(NV_ANY_TARGET, (const float step = 4000; r += step;))
    return r;
}

__host__ __device__ static int sums(int i)
{
    return cuda::ceil_div(i, 7) + cuda::round_up(i, 8) * 100 +
           cuda::round_down(i, 8) * 10000 + cuda::maximum<int>()(i, 30) +
           cuda::minimum<>()(i, 20l) + cuda::ilog2(i + 1);
}

// Warnings about what is deprecated can be switched off, here for errors.
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wdeprecated-declarations"
[[deprecated]] __host__ __device__ static int old()
{
    return 1;
}

__NV_SILENCE_DEPRECATION_BEGIN
__host__ __device__ static int young()
{
    return old() + 1;
}
__NV_SILENCE_DEPRECATION_END
#pragma GCC diagnostic pop

template <typename Function> __global__ void apply(int *out, Function f)
{
    cuda::annotated_ptr<int, cuda::access_property::streaming> p(out);
    p[threadIdx.x] = f(side() * 100 + dispatched());
}

int main()
{
    buffer<int> out(32);
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    apply<<<1, 32, 0, stream>>>(out.device,
                                cuda::proclaim_return_type<int>(
                                    [] __device__(int x) { return x * 2; }));
    cuda::stream_ref(stream).wait();
    EXPECT(cuda::stream_ref(stream).ready());
    out.download();
    EXPECT_EQ(out[31], 14440);
    EXPECT_EQ(side() * 100 + dispatched(), 7435);
    EXPECT_EQ(young(), 2);
    CHECK_MAP(int, sums, 100);
    return finish();
}
