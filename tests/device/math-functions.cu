// SPDX-License-Identifier: Apache-2.0
// The math functions as kernels call them, against the C library's long
// double. What the bounds are, and that they hold everywhere, is the business
// of tests/math; here it is that the compiled code computes the same.
#include <cmath>
#include <cstdio>
#include <cstring>

/*   name    single and double bound   arguments: scale */
#define EACH_FUNCTION(ROW)                                                     \
    ROW(sin, 2, 2, 1e5)                                                        \
    ROW(cos, 2, 2, 1e20)                                                       \
    ROW(tan, 4, 2, 3)                                                          \
    ROW(asin, 4, 2, 1)                                                         \
    ROW(acos, 3, 2, 1)                                                         \
    ROW(atan, 2, 2, 20)                                                        \
    ROW(sinh, 3, 1, 20)                                                        \
    ROW(cosh, 2, 1, 20)                                                        \
    ROW(tanh, 2, 1, 3)                                                         \
    ROW(asinh, 3, 2, 1e3)                                                      \
    ROW(atanh, 3, 2, 1)                                                        \
    ROW(exp, 2, 1, 100)                                                        \
    ROW(exp2, 2, 1, 140)                                                       \
    ROW(expm1, 1, 1, 3)                                                        \
    ROW(log, 1, 1, 1e30)                                                       \
    ROW(log2, 3, 1, 2)                                                         \
    ROW(log10, 3, 1, 1e-30)                                                    \
    ROW(log1p, 2, 1, 1)                                                        \
    ROW(sqrt, 0, 0, 1e10)                                                      \
    ROW(cbrt, 1, 1, 1e10)                                                      \
    ROW(erf, 3, 2, 3)                                                          \
    ROW(erfc, 6, 4, 8)                                                         \
    ROW(tgamma, 11, 8, 30)                                                     \
    ROW(floor, 0, 0, 100)                                                      \
    ROW(ceil, 0, 0, 100)                                                       \
    ROW(round, 0, 0, 100)                                                      \
    ROW(rint, 0, 0, 100)

enum { SAMPLES = 256 };

#define ROW(name, single, both, scale)                                         \
    __global__ void name##_kernel(const double *x, float *f, double *d)        \
    {                                                                          \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                         \
        f[i] = name##f((float)x[i]);                                           \
        d[i] = name(x[i]);                                                     \
    }
EACH_FUNCTION(ROW)
#undef ROW

__global__ void two_kernel(const double *x, float *f, double *d)
{
    int i = threadIdx.x;
    double a = fabs(x[i]) + 0.1, b = x[(i + 31) % SAMPLES];
    d[i] = pow(a, b);
    f[i] = powf((float)a, (float)b);
    d[SAMPLES + i] = fmod(a * 1e5, fabs(b) + 1e-3);
    f[SAMPLES + i] = atan2f((float)b, (float)a);
}

static double double_ulps(double got, long double want)
{
    if (isnan(got) && isnan(want))
        return 0;
    double w = (double)want, unit = nextafter(fabs(w), INFINITY) - fabs(w);
    return got == w ? 0 : fabs(got - w) / unit;
}

static double single_ulps(float got, long double want)
{
    if (isnan(got) && isnan(want))
        return 0;
    float w = (float)want, unit = nextafterf(fabsf(w), INFINITY) - fabsf(w);
    return got == w ? 0 : fabs((double)got - w) / unit;
}

static double *x_device, *d_device, x[SAMPLES], d[2 * SAMPLES];
static float *f_device, f[2 * SAMPLES];

static void arguments(double scale)
{
    unsigned state = 12345;
    for (int i = 0; i < SAMPLES; i++) {
        state = state * 1664525u + 1013904223u;
        x[i] = scale * ((state >> 8) / 8388608.0 - 1.0);
        if (i % 4 == 0)
            x[i] *= i / 1000.0;
    }
    cudaMemcpy(x_device, x, sizeof x, cudaMemcpyHostToDevice);
}

static void results()
{
    cudaMemcpy(f, f_device, sizeof f, cudaMemcpyDeviceToHost);
    cudaMemcpy(d, d_device, sizeof d, cudaMemcpyDeviceToHost);
}

static void say(const char *name, double single, double both, double bound1,
                double bound2)
{
    if (single <= bound1 && both <= bound2)
        printf("%s ok\n", name);
    else
        printf("%s: %g of %g, %g of %g ulps\n", name, single, bound1, both,
               bound2);
}

int main()
{
    cudaMalloc(&x_device, sizeof x);
    cudaMalloc(&f_device, sizeof f);
    cudaMalloc(&d_device, sizeof d);
    double s, b;
#define ROW(name, bound1, bound2, scale)                                       \
    arguments(scale);                                                          \
    name##_kernel<<<4, SAMPLES / 4>>>(x_device, f_device, d_device);           \
    results();                                                                 \
    s = b = 0;                                                                 \
    for (int i = 0; i < SAMPLES; i++) {                                        \
        s = fmax(s, single_ulps(f[i], name##l((float)x[i])));                  \
        b = fmax(b, double_ulps(d[i], name##l(x[i])));                         \
    }                                                                          \
    say(#name, s, b, bound1, bound2);
    EACH_FUNCTION(ROW)

    arguments(10);
    two_kernel<<<1, SAMPLES>>>(x_device, f_device, d_device);
    results();
    double worst[4] = {};
    for (int i = 0; i < SAMPLES; i++) {
        double p = fabs(x[i]) + 0.1, q = x[(i + 31) % SAMPLES];
        worst[0] = fmax(worst[0], single_ulps(f[i], powl((float)p, (float)q)));
        worst[1] = fmax(worst[1], double_ulps(d[i], powl(p, q)));
        worst[2] = fmax(worst[2], single_ulps(f[SAMPLES + i],
                                              atan2l((float)q, (float)p)));
        worst[3] = fmax(worst[3],
                        double_ulps(d[SAMPLES + i],
                                    fmodl(p * 1e5, fabs(q) + 1e-3)));
    }
    say("pow", worst[0], worst[1], 8, 2);
    say("atan2f, fmod", worst[2], worst[3], 3, 0);
    return cudaDeviceSynchronize();
}
