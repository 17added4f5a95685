// SPDX-License-Identifier: Apache-2.0
// <cmath>'s names in device code: overloads for float, double and integers,
// with and without std::, and min and max in every mix of types, on both
// sides.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

template <typename T> __host__ __device__ bool is_float(T)
{
    return sizeof(T) == sizeof(float);
}

struct results {
    double value[40];
};

__host__ __device__ void compute(results *r, float f, double d, int i)
{
    int k = 0;
    double *v = r->value;
    v[k++] = std::sqrt(f) + is_float(std::sqrt(f));
    v[k++] = sqrt(d);
    v[k++] = std::sqrt(i);
    v[k++] = floor(f) + is_float(floor(f));
    v[k++] = std::pow(d, 2);
    v[k++] = std::pow(f, f);
    v[k++] = std::abs(-f) + abs(-i) + std::abs(-d) + fabs(-f);
    v[k++] = abs(-5ll) + std::abs(-6l);
    v[k++] = std::fmod(d, 1.25) + fmodf(f, 0.5f);
    v[k++] = std::max(f, 1.0f) + std::min(i, 3);
    v[k++] = round(d) + std::trunc(f) + rint(d);
    v[k++] = isnan(f) + 2 * std::isinf(d) + 4 * std::isfinite(f) +
             8 * signbit(-d);
    v[k++] = std::hypot(f, 2.0f) + cbrt(d);
    v[k++] = std::exp2(f) + log2(d) + std::log1p(d);
    v[k++] = std::copysign(d, -1.0) + fma(d, d, d);
    v[k++] = ldexp(d, 3) + std::ilogb(f);
    int e;
    v[k++] = std::frexp(d, &e) + e;
    double whole;
    v[k++] = modf(d, &whole) + whole;
    v[k++] = rsqrt(d) + rsqrtf(f);
    v[k++] = sinpi(0.5) + cospif(1.0f) + exp10(2.0);
    v[k++] = min(i, 3u) + max(3l, 4l) + min(2ul, 1l);
    v[k++] = max(1.0f, d) + min(d, 2.0f) + max(f, 2.0f);
    v[k++] = max(-1, 1u) + max(2ull, 7ll);
}

__global__ void kernel(results *r, float f, double d, int i)
{
    compute(r, f, d, i);
}

int main()
{
    results *r, got = {}, want = {};
    cudaMalloc(&r, sizeof *r);
    cudaMemset(r, 0, sizeof *r);
    kernel<<<1, 1>>>(r, 2.25f, 3.7, 16);
    cudaMemcpy(&got, r, sizeof got, cudaMemcpyDeviceToHost);
    compute(&want, 2.25f, 3.7, 16);
    for (int k = 0; k < 23; k++)
        printf("%.6g %.6g\n", got.value[k], want.value[k]);
    return cudaDeviceSynchronize();
}
