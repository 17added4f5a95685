// SPDX-License-Identifier: Apache-2.0
//
// <cuda/std/concepts> alone declares the types of 16 bits, which programs name
// in their concepts.
#include <cuda/std/concepts>

#include "check.h"

template <typename T> struct is_half {
    static constexpr bool value = sizeof(T) == 2;
};

__global__ void add(__half *h, __nv_bfloat16 *b)
{
    static_assert(is_half<__half>::value && is_half<__nv_bfloat16>::value, "");
    *h = __hadd(*h, *h);
    *b = __hadd(*b, *b);
}

int main()
{
    __half *h;
    __nv_bfloat16 *b;
    CHECK(cudaMallocManaged(&h, sizeof *h));
    CHECK(cudaMallocManaged(&b, sizeof *b));
    *h = __float2half(1.5f);
    *b = __float2bfloat16(2.5f);
    add<<<1, 1>>>(h, b);
    CHECK_KERNEL();
    EXPECT_EQ(__half2float(*h), 3.0f);
    EXPECT_EQ(__bfloat162float(*b), 5.0f);
    CHECK(cudaFree(h));
    CHECK(cudaFree(b));
    return finish();
}
