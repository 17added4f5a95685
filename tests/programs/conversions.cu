// SPDX-License-Identifier: Apache-2.0
//
// Conversions between integers and floating point: C's casts within range, the
// device's rules outside it (they saturate at 32 and 64 bits, of which fewer
// bits are the low ones; a NaN has a value of its own), and the intrinsics with
// a rounding mode.
#include <cmath>

#include "check.h"

static __host__ __device__ float value(int i)
{
    float magnitude = ldexpf((float)(scramble(i) % 4096) + 0.25f,
                             (int)(scramble(i + 1) % 30) - 12);
    return scramble(i + 2) & 1 ? magnitude : -magnitude;
}

static __host__ __device__ long long float_to_integers(int i)
{
    float f = value(i) / 64; // within the range of int
    float small = fmodf(f, 100.0f), positive = fabsf(f);
    return (long long)(int)f * 3 + (long long)(unsigned)positive * 5 +
           (signed char)small * 7 + (unsigned char)fabsf(small) * 11 +
           (short)small * 13 + (long long)(f * 64.0f) * 17 +
           (long long)(unsigned long long)positive * 19;
}

static __host__ __device__ long long double_to_integers(int i)
{
    double d = (double)value(i) * 1.0000001;
    return (long long)d * 3 + (int)(d / 1024) * 5ll +
           (long long)(unsigned long long)fabs(d * 1024) * 7 +
           (long long)(unsigned)fabs(d / 1024) * 11;
}

static __host__ __device__ float integers_to_float(int i)
{
    int s = (int)scramble(i);
    long long w = (long long)s << 20 ^ scramble(i + 1);
    switch (i % 6) {
    case 0:
        return (float)s;
    case 1:
        return (float)(unsigned)s;
    case 2:
        return (float)w;
    case 3:
        return (float)(unsigned long long)w;
    case 4:
        return (float)(signed char)s;
    default:
        return (float)(unsigned short)s;
    }
}

static __host__ __device__ double integers_to_double(int i)
{
    int s = (int)scramble(i);
    long long w = (long long)s << 31 ^ scramble(i + 1);
    switch (i % 4) {
    case 0:
        return (double)s;
    case 1:
        return (double)(unsigned)s;
    case 2:
        return (double)w;
    default:
        return (double)(unsigned long long)w;
    }
}

static __host__ __device__ float narrow(int i)
{
    return (float)((double)value(i) * 1.00000005);
}

static __host__ __device__ int conditions(int i)
{
    float f = value(i);
    double d = i % 3 ? 0.0 : f;
    bool b = f != 0, c = d != 0;
    return b * 2 + c + (int)(bool)(i & 4) * 8;
}

struct outside {
    int to_int;
    unsigned to_unsigned;
    long long to_long;
    unsigned long long to_unsigned_long;
    int wide_to_int;
    unsigned wide_to_unsigned;
    long long wide_to_long;
    unsigned long long wide_to_unsigned_long;
};

__global__ void convert_outside(outside *out, const float *in, int n)
{
    int i = thread_in_grid();
    if (i >= n)
        return;
    float f = in[i];
    double d = f;
    outside o;
    o.to_int = __float2int_rz(f);
    o.to_unsigned = __float2uint_rz(f);
    o.to_long = __float2ll_rz(f);
    o.to_unsigned_long = __float2ull_rz(f);
    o.wide_to_int = __double2int_rz(d);
    o.wide_to_unsigned = __double2uint_rz(d);
    o.wide_to_long = __double2ll_rz(d);
    o.wide_to_unsigned_long = __double2ull_rz(d);
    out[i] = o;
}

template <typename T> T saturated(double d, T low, T high, T nan)
{
    if (d != d)
        return nan;
    if (d <= (double)low)
        return low;
    return d >= (double)high ? high : (T)d;
}

static void check_outside()
{
    const std::vector<float> values = {NAN,
                                       INFINITY,
                                       -INFINITY,
                                       3e9f,
                                       -3e9f,
                                       5e9f,
                                       1e19f,
                                       -1e19f,
                                       2e19f,
                                       -1.5f,
                                       -0.5f,
                                       0.0f,
                                       1e30f,
                                       -1e30f,
                                       2147483648.0f,
                                       -2147483648.0f,
                                       4294967296.0f,
                                       9223372036854775808.0f,
                                       18446744073709551616.0f,
                                       123.9f,
                                       -77.9f};
    int n = (int)values.size();
    buffer<float> in(values);
    buffer<outside> out(n);
    std::vector<outside> want(n);
    const long long low = -0x7fffffffffffffffll - 1;
    const int int_low = -0x7fffffff - 1;
    for (int i = 0; i < n; i++) {
        double d = values[i];
        // A NaN gives 0 from float to 32 bits, else the top bit alone.
        want[i].to_int = saturated(d, int_low, 0x7fffffff, 0);
        want[i].to_unsigned = saturated(d, 0u, 0xffffffffu, 0u);
        want[i].to_long = saturated(d, low, ~low, low);
        want[i].to_unsigned_long = saturated(d, 0ull, ~0ull, 1ull << 63);
        want[i].wide_to_int = saturated(d, int_low, 0x7fffffff, int_low);
        want[i].wide_to_unsigned = saturated(d, 0u, 0xffffffffu, 1u << 31);
        want[i].wide_to_long = want[i].to_long;
        want[i].wide_to_unsigned_long = want[i].to_unsigned_long;
    }
    convert_outside<<<2, 16>>>(out.device, in.device, n);
    out.download();
    for (int i = 0; i < n; i++) {
        EXPECT_EQ(out[i].to_int, want[i].to_int);
        EXPECT_EQ(out[i].to_unsigned, want[i].to_unsigned);
        EXPECT_EQ(out[i].to_long, want[i].to_long);
        EXPECT_EQ(out[i].to_unsigned_long, want[i].to_unsigned_long);
        EXPECT_EQ(out[i].wide_to_int, want[i].wide_to_int);
        EXPECT_EQ(out[i].wide_to_unsigned, want[i].wide_to_unsigned);
        EXPECT_EQ(out[i].wide_to_long, want[i].wide_to_long);
        EXPECT_EQ(out[i].wide_to_unsigned_long, want[i].wide_to_unsigned_long);
    }
}

// ---- to fewer than 32 bits ---------------------------------------------------

// Each cast twice: as a number, and as what memory holds.
struct narrow_casts {
    int to_byte, to_unsigned_byte, to_short, to_unsigned_short;
    signed char byte;
    unsigned char unsigned_byte;
    short word;
    unsigned short unsigned_word;
    char first, last; // of a vector
};

template <typename T> static __device__ narrow_casts cast_narrowly(T value)
{
    narrow_casts c;
    c.to_byte = (signed char)value;
    c.to_unsigned_byte = (unsigned char)value;
    c.to_short = (short)value;
    c.to_unsigned_short = (unsigned short)value;
    c.byte = (signed char)value;
    c.unsigned_byte = (unsigned char)value;
    c.word = (short)value;
    c.unsigned_word = (unsigned short)value;
    char4 v = make_char4((signed char)value, (signed char)(value + 1),
                         (signed char)(value + 2), (signed char)(value + 3));
    c.first = v.x;
    c.last = v.w;
    return c;
}

__global__ void narrow_floats(narrow_casts *out, const float *in, int n)
{
    int i = thread_in_grid();
    if (i < n)
        out[i] = cast_narrowly(in[i]);
}

__global__ void narrow_doubles(narrow_casts *out, const double *in, int n)
{
    int i = thread_in_grid();
    if (i < n)
        out[i] = cast_narrowly(in[i]);
}

// An image: each pixel brightened, summed up in place, and by a number that
// the compiler knows.
__global__ void brighten(unsigned char *image, float by, int n)
{
    int i = thread_in_grid();
    if (i >= n)
        return;
    unsigned char pixel = (unsigned char)(image[i] * by);
    pixel += by;
    float bound = 300.75f;
    if (i == n - 1)
        pixel = (unsigned char)(bound + (by > 1e9f));
    image[i] = pixel;
}

template <typename T>
static void check_narrow(T value, const narrow_casts &got, int is, unsigned us)
{
    // A sum in T saturates and wraps as the value itself.
    int last = saturated((double)(T)(value + 3), -0x7fffffff - 1, 0x7fffffff,
                         sizeof value == 4 ? 0 : -0x7fffffff - 1);
    EXPECT_EQ(got.to_byte, (signed char)is);
    EXPECT_EQ(got.to_unsigned_byte, (unsigned char)us);
    EXPECT_EQ(got.to_short, (short)is);
    EXPECT_EQ(got.to_unsigned_short, (unsigned short)us);
    EXPECT_EQ(got.byte, (signed char)is);
    EXPECT_EQ(got.unsigned_byte, (unsigned char)us);
    EXPECT_EQ(got.word, (short)is);
    EXPECT_EQ(got.unsigned_word, (unsigned short)us);
    EXPECT_EQ(got.first, (signed char)is);
    EXPECT_EQ(got.last, (signed char)last);
}

static void check_narrow_casts()
{
    const std::vector<float> values = {
        300.0f,      -1.0f,    -129.5f,  128.0f,    255.9f,   256.0f,
        65536.5f,    70000.0f, 32768.0f, -32769.0f, 99999.9f, 2147483520.0f,
        -16777217e2f, 3e9f,    -3e9f,    4294967040.0f, 5e9f, 1e30f,
        INFINITY,    -INFINITY, NAN,     77.9f,     0.0f};
    int n = (int)values.size();
    buffer<float> in(values);
    buffer<double> wide_in(std::vector<double>(values.begin(), values.end()));
    buffer<narrow_casts> out(n), wide_out(n);
    narrow_floats<<<1, 32>>>(out.device, in.device, n);
    narrow_doubles<<<1, 32>>>(wide_out.device, wide_in.device, n);
    out.download();
    wide_out.download();
    const int low = -0x7fffffff - 1;
    for (int i = 0; i < n; i++) {
        double d = values[i];
        check_narrow(values[i], out[i], saturated(d, low, 0x7fffffff, 0),
                     saturated(d, 0u, 0xffffffffu, 0u));
        check_narrow(d, wide_out[i], saturated(d, low, 0x7fffffff, low),
                     saturated(d, 0u, 0xffffffffu, 1u << 31));
    }
}

static void check_brighten()
{
    const int n = 1000;
    buffer<unsigned char> image(n);
    std::vector<unsigned char> want(n);
    for (int i = 0; i < n; i++) {
        image[i] = (unsigned char)i;
        unsigned pixel = (unsigned)(image[i] * 1.75f) & 255;
        want[i] = (unsigned char)(unsigned)((float)pixel + 1.75f);
    }
    want[n - 1] = 300 & 255;
    image.upload();
    brighten<<<(n + 127) / 128, 128>>>(image.device, 1.75f, n);
    image.download();
    for (int i = 0; i < n; i++)
        EXPECT_EQ(image[i], want[i]);
}

__global__ void rounding(int *out, float *narrowed, const double *in, int n)
{
    int i = thread_in_grid();
    if (i >= n)
        return;
    float f = (float)in[i];
    int *p = out + 8 * i;
    p[0] = __float2int_rn(f);
    p[1] = __float2int_ru(f);
    p[2] = __float2int_rd(f);
    p[3] = __double2int_rn(in[i]);
    p[4] = __double2int_ru(in[i]);
    p[5] = __double2int_rd(in[i]);
    p[6] = (int)__float2ll_rn(f);
    p[7] = (int)lrintf(f);
    narrowed[4 * i] = __double2float_rn(in[i]);
    narrowed[4 * i + 1] = __double2float_rz(in[i]);
    narrowed[4 * i + 2] = __double2float_ru(in[i]);
    narrowed[4 * i + 3] = __double2float_rd(in[i]);
}

static void check_rounding()
{
    const int n = 300;
    buffer<double> in(n);
    buffer<int> out(8 * n);
    buffer<float> narrowed(4 * n);
    std::vector<int> want(8 * n);
    std::vector<float> want_narrowed(4 * n);
    for (int i = 0; i < n; i++) {
        double d = (double)((int)(scramble(i) % 4001) - 2000) * 0.25;
        if (i % 2)
            d *= 1.000000001;
        in[i] = d;
        float f = (float)d;
        int *p = &want[8 * i];
        p[0] = p[6] = p[7] = (int)std::nearbyint(f);
        p[1] = (int)std::ceil(f);
        p[2] = (int)std::floor(f);
        p[3] = (int)std::nearbyint(d);
        p[4] = (int)std::ceil(d);
        p[5] = (int)std::floor(d);
        float up = f < d ? std::nextafterf(f, INFINITY) : f;
        float down = f > d ? std::nextafterf(f, -INFINITY) : f;
        float *q = &want_narrowed[4 * i];
        q[0] = f;
        q[1] = d > 0 ? down : up;
        q[2] = up;
        q[3] = down;
    }
    in.upload();
    rounding<<<(n + 63) / 64, 64>>>(out.device, narrowed.device, in.device, n);
    out.download();
    narrowed.download();
    expect_same("rounding", out, want);
    expect_same("narrowed", narrowed, want_narrowed);
}

int main()
{
    const int n = 500;
    CHECK_MAP(long long, float_to_integers, n);
    CHECK_MAP(long long, double_to_integers, n);
    CHECK_MAP(float, integers_to_float, n);
    CHECK_MAP(double, integers_to_double, n);
    CHECK_MAP(float, narrow, n);
    CHECK_MAP(int, conditions, n);
    check_outside();
    check_narrow_casts();
    check_brighten();
    check_rounding();
    return finish();
}
