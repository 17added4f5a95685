// SPDX-License-Identifier: Apache-2.0
//
// Half precision: conversions of every half there is and of floats between
// them, arithmetic on half and half2, comparisons, vector loads.
#include <cmath>

#include <cuda_fp16.h>

#include "check.h"

static float float_of(unsigned short h)
{
    int exponent = h >> 10 & 31;
    float fraction = (float)(h & 1023);
    float f = exponent == 31 ? (h & 1023 ? NAN : INFINITY)
              : exponent     ? std::ldexp(1024 + fraction, exponent - 25)
                             : std::ldexp(fraction, -24);
    return h & 0x8000 ? -f : f;
}

// To the nearest half, to the even one of two.
static unsigned short half_of(double d)
{
    unsigned short sign = std::signbit(d) ? 0x8000 : 0;
    double m = std::fabs(d);
    if (m != m)
        return 0x7fff;
    if (m >= 65520)
        return sign | 0x7c00;
    int exponent = m < std::ldexp(1.0, -14) ? -14 : std::ilogb(m);
    double units = std::nearbyint(std::ldexp(m, 10 - exponent));
    unsigned bits = (unsigned)units + (exponent + 14) * 1024;
    return sign | (unsigned short)bits; // a carry moves into the exponent
}

static bool same_half(unsigned short a, unsigned short b)
{
    bool nan_a = (a & 0x7fff) > 0x7c00, nan_b = (b & 0x7fff) > 0x7c00;
    return nan_a || nan_b ? nan_a && nan_b : a == b;
}

__global__ void to_float(float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = __half2float(__ushort_as_half((unsigned short)i));
}

static void check_to_float()
{
    buffer<float> out(65536);
    to_float<<<256, 256>>>(out.device);
    out.download();
    for (int i = 0; i < 65536; i++) {
        float want = float_of((unsigned short)i), got = out[i];
        bool same = want != want ? got != got : !std::memcmp(&got, &want, 4);
        if (!same)
            FAIL("half 0x%04x is %g, should be %g", i, got, want);
    }
}

__global__ void from_float(unsigned short *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = __half_as_ushort(__float2half(in[i]));
}

static void check_from_float()
{
    std::vector<float> values = {
        0.0f,     -0.0f,    65519.0f, 65520.0f, 1e9f,   -1e9f,   INFINITY, NAN,
        5.96e-8f, 2.98e-8f, 2.99e-8f, 6.1e-5f,  1e-30f, 2049.0f, 2051.0f};
    for (int i = 0; i < 3000; i++)
        values.push_back(std::ldexp((float)(scramble(i) % 65536) - 32768.0f,
                                    (int)(scramble(i + 1) % 32) - 30));
    int n = (int)values.size();
    buffer<float> in(values);
    buffer<unsigned short> out(n);
    from_float<<<(n + 127) / 128, 128>>>(out.device, in.device, n);
    out.download();
    for (int i = 0; i < n; i++)
        if (!same_half(out[i], half_of(values[i])))
            FAIL("%g is half 0x%04x, should be 0x%04x", values[i], out[i],
                 half_of(values[i]));
}

enum { RESULTS = 10 };

__global__ void arithmetic(__half *out, const __half *a, const __half *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    __half x = a[i], y = b[i], *p = out + RESULTS * i;
    p[0] = __hadd(x, y);
    p[1] = __hsub(x, y);
    p[2] = __hmul(x, y);
    p[3] = x + y;
    p[4] = x * y;
    p[5] = __hfma(x, y, x);
    p[6] = __hneg(x);
    p[7] = __float2half(__half2float(x) / 3.0f);
    p[8] = __hlt(x, y) ? x : y;
    p[9] = x > y ? __float2half(1.0f) : __int2half_rn(-2);
}

static void check_arithmetic()
{
    const int n = 2000;
    buffer<__half> out(RESULTS * n), a(n), b(n);
    std::vector<double> da(n), db(n);
    for (int i = 0; i < n; i++) {
        unsigned short ha = half_of((int)(scramble(i) % 2001 - 1000) * 0.0625);
        unsigned short hb =
            half_of((int)(scramble(i + n) % 2001 - 1000) * 0.0078125);
        std::memcpy((void *)&a[i], &ha, 2);
        std::memcpy((void *)&b[i], &hb, 2);
        da[i] = float_of(ha);
        db[i] = float_of(hb);
    }
    a.upload();
    b.upload();
    arithmetic<<<(n + 127) / 128, 128>>>(out.device, a.device, b.device, n);
    out.download();
    for (int i = 0; i < n; i++) {
        double x = da[i], y = db[i];
        const double want[RESULTS] = {x + y,
                                      x - y,
                                      x * y,
                                      x + y,
                                      x * y,
                                      x * y + x,
                                      -x,
                                      (double)((float)x / 3.0f),
                                      x < y ? x : y,
                                      x > y ? 1.0 : -2.0};
        for (int k = 0; k < RESULTS; k++) {
            unsigned short got;
            std::memcpy(&got, (void *)&out[RESULTS * i + k], 2);
            // No negative zero is expected but from -x and products.
            unsigned short should = half_of(want[k]);
            if (!same_half(got, should))
                FAIL("result %d of %g, %g is 0x%04x, should be 0x%04x", k, x, y,
                     got, should);
        }
    }
}

// Pairs: a polynomial on both halves at once.
__global__ void pairs(__half2 *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    __half2 x = data[i];
    __half2 y = __hfma2(x, x, __float2half2_rn(0.5f));
    y = __hmul2(y, __floats2half2_rn(2.0f, -1.0f));
    data[i] = __hadd2(y, __lowhigh2highlow(x));
}

static void check_pairs()
{
    const int n = 700;
    buffer<__half2> data(n);
    std::vector<unsigned short> want(2 * n), got(2 * n);
    for (int i = 0; i < n; i++) {
        unsigned short h[2];
        double d[2];
        for (int k = 0; k < 2; k++) {
            h[k] = half_of((int)(scramble(2 * i + k) % 201 - 100) * 0.125);
            d[k] = float_of(h[k]);
        }
        std::memcpy((void *)&data[i], h, 4);
        for (int k = 0; k < 2; k++) {
            double y = float_of(half_of(d[k] * d[k] + 0.5));
            y = float_of(half_of(y * (k ? -1.0 : 2.0)));
            want[2 * i + k] = half_of(y + d[1 - k]);
        }
    }
    data.upload();
    pairs<<<(n + 63) / 64, 64>>>(data.device, n);
    data.download();
    std::memcpy(got.data(), (void *)data.host.data(), 4 * n);
    for (int i = 0; i < 2 * n; i++)
        if (!same_half(got[i], want[i]))
            FAIL("pair element %d is 0x%04x, should be 0x%04x", i, got[i],
                 want[i]);
}

// By way of the bits, as templates for any number do it.
template <class H> __host__ __device__ H read(const volatile H &h)
{
    return h;
}

__global__ void copy_volatile(__half *p)
{
    volatile __half v;
    v = (__half_raw)p[0];
    p[1] = read(v);
}

static void check_volatile()
{
    __half *p;
    CHECK(cudaMallocManaged(&p, 4));
    p[0] = __float2half(1.5f);
    copy_volatile<<<1, 1>>>(p);
    CHECK(cudaDeviceSynchronize());
    EXPECT(__half2float(read(p[1])) == 1.5f);
}

int main()
{
    check_volatile();
    check_to_float();
    check_from_float();
    check_arithmetic();
    check_pairs();
    return finish();
}
