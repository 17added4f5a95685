// SPDX-License-Identifier: Apache-2.0
//
// Programs make pi of atanf(1): it is the number next to a quarter of pi, as is
// atan2f of equal numbers, even infinite ones.
#include "check.h"

__global__ void turns(float one, float inf, float *out)
{
    out[0] = 4 * atanf(one);
    out[1] = -4 * atanf(-one);
    out[2] = 4 * atan2f(3 * one, 3 * one);
    out[3] = 4 * atan2f(inf, inf);
    out[4] = -4 * atan2f(-inf, inf);
}

int main()
{
    const float pi = 0x1.921fb6p+1f;
    float *out;
    CHECK(cudaMallocManaged(&out, 5 * sizeof *out));
    turns<<<1, 1>>>(1, __builtin_inff(), out);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 5; i++)
        EXPECT(out[i] == pi);
    CHECK(cudaFree(out));
    return finish();
}
