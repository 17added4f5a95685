// SPDX-License-Identifier: Apache-2.0
// Conversions and arithmetic with a rounding mode in their name, on halfway
// cases, the ends of the ranges, infinities and NaN.
#include <cstdio>

#define MODES(call)                                                            \
    *o++ = (long long)call##_rn(x);                                            \
    *o++ = (long long)call##_rz(x);                                            \
    *o++ = (long long)call##_rd(x);                                            \
    *o++ = (long long)call##_ru(x);

__global__ void to_integer(const double *in, long long *out, int n)
{
    int i = threadIdx.x;
    if (i >= n)
        return;
    long long *o = out + i * 32;
    {
        double x = in[i];
        MODES(__double2int)
        MODES(__double2uint)
        MODES(__double2ll)
        MODES(__double2ull)
    }
    {
        float x = (float)in[i];
        MODES(__float2int)
        MODES(__float2uint)
        MODES(__float2ll)
        MODES(__float2ull)
    }
}

#define BITS(call) *o++ = __float_as_uint(call);
#define EACH(name, ...)                                                        \
    BITS(name##_rn(__VA_ARGS__))                                               \
    BITS(name##_rz(__VA_ARGS__))                                               \
    BITS(name##_rd(__VA_ARGS__))                                               \
    BITS(name##_ru(__VA_ARGS__))
#define BITS64(call) *o++ = (unsigned long long)__double_as_longlong(call);
#define EACH64(name, ...)                                                      \
    BITS64(name##_rn(__VA_ARGS__))                                             \
    BITS64(name##_rz(__VA_ARGS__))                                             \
    BITS64(name##_rd(__VA_ARGS__))                                             \
    BITS64(name##_ru(__VA_ARGS__))

__global__ void rounded(unsigned long long *out, float a, float b, float c,
                        double d, double e, long long k)
{
    unsigned long long *o = out;
    EACH(__fadd, a, b)
    EACH(__fsub, a, b)
    EACH(__fmul, a, b)
    EACH(__fdiv, a, b)
    EACH(__fmaf, a, b, c)
    EACH(__frcp, b)
    EACH(__fsqrt, b)
    EACH64(__dadd, d, e)
    EACH64(__dmul, d, e)
    EACH64(__ddiv, d, e)
    EACH64(__fma, d, e, (double)c)
    EACH64(__drcp, e)
    EACH64(__dsqrt, e)
    EACH(__double2float, d)
    EACH(__ll2float, k)
    EACH(__ull2float, (unsigned long long)k)
    EACH(__int2float, (int)k)
    EACH(__uint2float, (unsigned)k)
    EACH64(__ll2double, k)
    EACH64(__ull2double, (unsigned long long)k)
    BITS(__saturatef(-a)) BITS(__saturatef(a / 100)) BITS(__saturatef(1e9f))
}

int main()
{
    const double in[] = { 0.0, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999997,
                          2147483647.5, -2147483648.5, 4294967295.5, 1e10,
                          -1e10, 1e19, 2e19, -1e19, 1e308 * 10, -1e308 * 10,
                          0.0 / 0.0 };
    const int n = sizeof in / sizeof *in;
    double *d;
    long long *o, h[n * 32];
    cudaMalloc(&d, sizeof in);
    cudaMalloc(&o, sizeof h);
    cudaMemcpy(d, in, sizeof in, cudaMemcpyHostToDevice);
    to_integer<<<1, 32>>>(d, o, n);
    cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        printf("%.9g:", in[i] == in[i] ? in[i] : 0.0);
        for (int k = 0; k < 32; k++)
            printf(" %llx", h[i * 32 + k]);
        printf("\n");
    }
    const int count = 20 * 4 + 3;
    unsigned long long r[count];
    rounded<<<1, 1>>>((unsigned long long *)o, 1.2345678f, 3.3333333f,
                      -1e-9f, 1.1, 1e-3, 0x7fffffff80000003ll);
    cudaMemcpy(r, o, sizeof r, cudaMemcpyDeviceToHost);
    for (int k = 0; k < count; k++)
        printf("%llx%c", r[k], k % 4 == 3 || k == count - 1 ? '\n' : ' ');
    return cudaDeviceSynchronize();
}
