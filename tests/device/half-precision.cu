// SPDX-License-Identifier: Apache-2.0
// Half precision on the device, printed as bits.
#include <cstdio>
#include <cuda_fp16.h>

struct results {
    half one[12];
    half2 two[6];
    int integers[4];
    bool relations[4];
};

__device__ void compute(results *r, half a, half b, half2 p, half2 q)
{
    int k = 0;
    r->one[k++] = __hadd(a, b);
    r->one[k++] = __hsub(a, b);
    r->one[k++] = a * b;
    r->one[k++] = a / b;
    r->one[k++] = __hfma(a, b, a);
    r->one[k++] = __hneg(a);
    r->one[k++] = __habs(__hneg(b));
    r->one[k++] = __hmax(a, b);
    r->one[k++] = __float2half(65519.0f);
    r->one[k++] = __float2half(1e-7f);
    r->one[k++] = __float2half_rz(0.1f);
    r->one[k++] = __int2half_rn(2049);
    k = 0;
    r->two[k++] = __hadd2(p, q);
    r->two[k++] = p * q;
    r->two[k++] = __hfma2(p, q, p);
    r->two[k++] = __hgt2(p, q);
    r->two[k++] = __float2half2_rn(0.3f);
    r->two[k++] = __lowhigh2highlow(p);
    r->integers[0] = __half2int_rn(a);
    r->integers[1] = __half2int_rz(b);
    r->integers[2] = (int)__half2uint_ru(a);
    r->integers[3] = __hgt2_mask(p, q) & 0xffff;
    r->relations[0] = a < b;
    r->relations[1] = __heq(a, a);
    r->relations[2] = __hisnan(__float2half(0.0f) / __float2half(0.0f));
    r->relations[3] = __hbge2(p, q);
}

__global__ void kernel(results *r, half *math, float x, float y)
{
    half a = __float2half(x), b = __float2half(y);
    compute(r, a, b, __floats2half2_rn(x, -y), __halves2half2(b, a));
    math[0] = hexp(a);
    math[1] = hsqrt(b);
    math[2] = hfloor(b);
    math[3] = hlog2(b);
    math[4] = __shfl_sync(~0u, a, 0);
    atomicAdd(&math[5], a);
}

int main()
{
    const float x = 1.3333f, y = 2.7183f;
    results *r, got = {};
    half *m, math[6] = {};
    cudaMalloc(&r, sizeof *r);
    cudaMalloc(&m, sizeof math);
    cudaMemset(r, 0, sizeof *r);
    cudaMemset(m, 0, sizeof math);
    kernel<<<1, 32>>>(r, m, x, y);
    cudaMemcpy(&got, r, sizeof got, cudaMemcpyDeviceToHost);
    cudaMemcpy(math, m, sizeof math, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 12; i++)
        printf("%04x ", __half_as_ushort(got.one[i]));
    printf("\n");
    for (int i = 0; i < 6; i++)
        printf("%04x%04x ", __half_as_ushort(__high2half(got.two[i])),
               __half_as_ushort(__low2half(got.two[i])));
    printf("\n");
    for (int i = 0; i < 4; i++)
        printf("%d %d\n", got.integers[i], got.relations[i]);
    for (int i = 0; i < 5; i++)
        printf("%04x ", __half_as_ushort(math[i]));
    printf("%.2f\n", __half2float(math[5]));
    return cudaDeviceSynchronize();
}
