// SPDX-License-Identifier: Apache-2.0
//
// Integer arithmetic at its edges: division where only other lanes divide by
// zero, the most negative numbers, shifts by 32 and more through PTX, high
// halves, carries, saturation, 8 and 16 bits, 64 bits.
#include "check.h"

static __host__ __device__ int edge(int i)
{
    const unsigned values[] = {
        0u,          1u,          2u,          3u,
        0x7fffffffu, 0x80000000u, 0xffffffffu, 0xfffffffeu,
        0x80000001u, 0xffffu,     0x10000u,    0x7fffu,
        0x8000u,     100u,        0xffffff9cu, 12345678u};
    return (int)values[i & 15];
}

static __host__ __device__ int first(int i)
{
    return edge(i / 16);
}

static __host__ __device__ long long wide(int i)
{
    return ((long long)edge(i) << 32) ^ (unsigned)edge(i / 16);
}

// Only lanes with a divisor divide; the others must do no harm.
static __host__ __device__ int divide(int i)
{
    int a = first(i), b = edge(i);
    if (b == 0)
        return -1;
    if (a == (int)0x80000000 && b == -1)
        return -2;
    return a / b;
}

static __host__ __device__ int remainder_of(int i)
{
    int a = first(i), b = edge(i);
    if (b == 0 || (a == (int)0x80000000 && b == -1))
        return -1;
    return a % b;
}

static __host__ __device__ unsigned divide_unsigned(int i)
{
    unsigned a = first(i), b = edge(i);
    return b ? a / b ^ a % b << 7 : 77;
}

static __host__ __device__ long long divide_wide(int i)
{
    long long a = wide(i), b = edge(i) ? edge(i) : wide(i + 5);
    if (b == 0 || b == -1)
        return b;
    return a / b + 3 * (a % b);
}

static __host__ __device__ unsigned long long divide_wide_unsigned(int i)
{
    unsigned long long a = wide(i), b = (unsigned long long)wide(i * 7 + 3);
    return b ? a / b + a % b : 5;
}

static __host__ __device__ int by_constants(int i)
{
    int a = first(i) ^ i;
    unsigned u = (unsigned)a;
    return a / 3 + a / 7 + a / -5 + a % 10 + (int)(u / 3) + (int)(u % 1000) +
           a / 16 + a % 16 + (int)(u / 0x80000001u);
}

static __host__ __device__ int wrap(int i)
{
    unsigned a = first(i), b = edge(i);
    return (int)(a * b + a - b * 3u);
}

static __host__ __device__ long long widen(int i)
{
    int a = first(i), b = edge(i);
    return (long long)a * b +
           (long long)((unsigned long long)(unsigned)a * (unsigned)b);
}

static __host__ __device__ int shifts(int i)
{
    unsigned a = (unsigned)first(i);
    int n = i & 31;
    return (int)(a << n) ^ (int)(a >> n) ^ ((int)a >> n);
}

static __host__ __device__ long long wide_shifts(int i)
{
    unsigned long long a = (unsigned long long)wide(i);
    int n = scramble(i) & 63;
    return (long long)(a << n) ^ (long long)(a >> n) ^ ((long long)a >> n);
}

static __host__ __device__ int bytes(int i)
{
    unsigned char a = (unsigned char)first(i), b = (unsigned char)edge(i);
    signed char c = (signed char)(a + b);
    a = (unsigned char)(a * b);
    b = (unsigned char)(b - a);
    return a + b * 256 + c * 65536;
}

static __host__ __device__ int shorts(int i)
{
    short a = (short)first(i), b = (short)edge(i);
    unsigned short c = (unsigned short)(a + b);
    a = (short)(a * b);
    b = (short)(b >> 3);
    return a ^ b << 8 ^ c << 16 ^ (c > 40000);
}

static __host__ __device__ int compare(int i)
{
    int a = first(i), b = edge(i);
    unsigned ua = a, ub = b;
    long long wa = wide(i), wb = wide(i + 3);
    int r = 0;
    r |= (a < b) << 0 | (a <= b) << 1 | (a == b) << 2 | (a > b) << 3;
    r |= (ua < ub) << 4 | (ua <= ub) << 5 | (ua >= ub) << 6 | (ua != ub) << 7;
    r |= (wa < wb) << 8 | (wa > wb) << 9;
    r |= ((unsigned long long)wa < (unsigned long long)wb) << 10;
    return r;
}

static __host__ __device__ int min_max_abs(int i)
{
    int a = first(i), b = edge(i);
    int low = a < b ? a : b, high = a > b ? a : b;
    unsigned ua = a, ub = b;
    unsigned ulow = ua < ub ? ua : ub;
    int size = a < 0 ? (int)(0u - (unsigned)a) : a;
    return (int)((unsigned)low * 3u + (unsigned)high * 5u + ulow * 7u +
                 (unsigned)size);
}

static __host__ __device__ unsigned rotate(int i)
{
    unsigned a = first(i);
    int n = edge(i) & 31;
    return a << n | a >> (-n & 31);
}

static void check_maps()
{
    const int n = 256;
    CHECK_MAP(int, divide, n);
    CHECK_MAP(int, remainder_of, n);
    CHECK_MAP(unsigned, divide_unsigned, n);
    CHECK_MAP(long long, divide_wide, n);
    CHECK_MAP(unsigned long long, divide_wide_unsigned, n);
    CHECK_MAP(int, by_constants, n);
    CHECK_MAP(int, wrap, n);
    CHECK_MAP(long long, widen, n);
    CHECK_MAP(int, shifts, n);
    CHECK_MAP(long long, wide_shifts, n);
    CHECK_MAP(int, bytes, n);
    CHECK_MAP(int, shorts, n);
    CHECK_MAP(int, compare, n);
    CHECK_MAP(int, min_max_abs, n);
    CHECK_MAP(unsigned, rotate, n);
}

// A shift by more than the width is undefined in C and clamped in PTX.
__global__ void long_shifts(unsigned *out, const unsigned *in,
                            const unsigned *by, int n)
{
    int i = thread_in_grid();
    if (i >= n)
        return;
    unsigned left, right;
    int arithmetic;
    asm("shl.b32 %0, %1, %2;" : "=r"(left) : "r"(in[i]), "r"(by[i]));
    asm("shr.u32 %0, %1, %2;" : "=r"(right) : "r"(in[i]), "r"(by[i]));
    asm("shr.s32 %0, %1, %2;" : "=r"(arithmetic) : "r"(in[i]), "r"(by[i]));
    unsigned long long wide = (unsigned long long)in[i] << 20 | 1, wide_left;
    asm("shl.b64 %0, %1, %2;" : "=l"(wide_left) : "l"(wide), "r"(by[i]));
    out[4 * i] = left;
    out[4 * i + 1] = right;
    out[4 * i + 2] = (unsigned)arithmetic;
    out[4 * i + 3] = (unsigned)(wide_left >> 32) ^ (unsigned)wide_left;
}

static void check_long_shifts()
{
    const int n = 200;
    buffer<unsigned> out(4 * n), in(n), by(n);
    std::vector<unsigned> want(4 * n);
    for (int i = 0; i < n; i++) {
        unsigned x = in[i] = scramble(i);
        unsigned k = by[i] = i < 100 ? i : scramble(i + 1000);
        want[4 * i] = k < 32 ? x << k : 0;
        want[4 * i + 1] = k < 32 ? x >> k : 0;
        want[4 * i + 2] = (unsigned)((int)x >> (k < 32 ? k : 31));
        unsigned long long w = (unsigned long long)x << 20 | 1;
        w = k < 64 ? w << k : 0;
        want[4 * i + 3] = (unsigned)(w >> 32) ^ (unsigned)w;
    }
    in.upload();
    by.upload();
    long_shifts<<<(n + 63) / 64, 64>>>(out.device, in.device, by.device, n);
    out.download();
    expect_same("long shifts", out, want);
}

// What the device has instructions for and C has not.
__global__ void intrinsics(unsigned *out, int n)
{
    int i = thread_in_grid();
    if (i >= n)
        return;
    int a = first(i), b = edge(i);
    unsigned *p = out + 8 * i;
    p[0] = (unsigned)__mulhi(a, b);
    p[1] = __umulhi(a, b);
    p[2] = (unsigned)(__mul64hi(wide(i), wide(i + 3)) >> 5);
    p[3] = (unsigned)__mul24(a & 0xffffff, b & 0xffffff);
    p[4] = __sad(a / 2, b / 2, 5u);
    p[5] = __usad(a, b, 7u);
    p[6] = (unsigned)__hadd(a, b);
    p[7] = __urhadd(a, b);
}

static void check_intrinsics()
{
    const int n = 256;
    buffer<unsigned> out(8 * n);
    std::vector<unsigned> want(8 * n);
    for (int i = 0; i < n; i++) {
        int a = first(i), b = edge(i);
        unsigned ua = a, ub = b;
        int a24 = (int)(ua << 8) >> 8; // sign-extended from bit 23
        int b24 = (int)(ub << 8) >> 8;
        unsigned *p = &want[8 * i];
        p[0] = (unsigned)((long long)a * b >> 32);
        p[1] = (unsigned)((unsigned long long)ua * ub >> 32);
        p[2] =
            (unsigned)(long long)((__int128)wide(i) * wide(i + 3) >> 64 >> 5);
        p[3] = (unsigned)((long long)a24 * b24);
        int x = a / 2, y = b / 2;
        p[4] =
            (x > y ? (unsigned)x - (unsigned)y : (unsigned)y - (unsigned)x) + 5;
        p[5] = (ua > ub ? ua - ub : ub - ua) + 7;
        p[6] = (unsigned)(((long long)a + b) >> 1);
        p[7] = (unsigned)(((unsigned long long)ua + ub + 1) >> 1);
    }
    intrinsics<<<(n + 63) / 64, 64>>>(out.device, n);
    out.download();
    expect_same("intrinsics", out, want);
}

__global__ void wide_products(long long *out, int n)
{
    int i = thread_in_grid();
    if (i < n) {
        out[2 * i] = (long long)__umul64hi(wide(i), wide(i + 3));
        __int128 sum = (__int128)wide(i) * wide(i + 9) + wide(i + 1);
        out[2 * i + 1] = (long long)(sum >> 64) ^ (long long)sum;
    }
}

static void check_wide_products()
{
    const int n = 256;
    buffer<long long> out(2 * n);
    std::vector<long long> want(2 * n);
    for (int i = 0; i < n; i++) {
        unsigned __int128 product =
            (unsigned __int128)(unsigned long long)wide(i) *
            (unsigned long long)wide(i + 3);
        want[2 * i] = (long long)(product >> 64);
        __int128 sum = (__int128)wide(i) * wide(i + 9) + wide(i + 1);
        want[2 * i + 1] = (long long)(sum >> 64) ^ (long long)sum;
    }
    wide_products<<<(n + 63) / 64, 64>>>(out.device, n);
    out.download();
    expect_same("wide products", out, want);
}

int main()
{
    check_maps();
    check_long_shifts();
    check_intrinsics();
    check_wide_products();
    return finish();
}
