// SPDX-License-Identifier: Apache-2.0
//
// Bit intrinsics: counting, finding, reversing, permuting bytes, funnel
// shifts, bit fields through PTX, SIMD-in-a-word, reinterpretation.
#include "check.h"

enum { RESULTS = 20, COUNT = 300 };

static __host__ __device__ unsigned input(int i)
{
    return i < 40
               ? (i < 33 ? (unsigned)((1ull << i) - (i & 1)) : ~0u >> (i - 33))
               : scramble(i);
}

static __host__ __device__ unsigned long long wide_input(int i)
{
    return (unsigned long long)input(i) << 32 | input(COUNT - i);
}

__global__ void intrinsics(unsigned *out)
{
    int i = thread_in_grid();
    if (i >= COUNT)
        return;
    unsigned x = input(i), y = scramble(i + 9), n = y & 63;
    unsigned long long w = wide_input(i);
    unsigned *p = out + RESULTS * i;
    p[0] = __popc(x);
    p[1] = __popcll(w);
    p[2] = __clz(x);
    p[3] = __clzll(w);
    p[4] = __ffs(x);
    p[5] = __ffsll(w);
    p[6] = __brev(x);
    p[7] = (unsigned)(__brevll(w) >> 13);
    p[8] = __byte_perm(x, y, 0x7531);
    p[9] = __byte_perm(x, y, y & 0x7777);
    p[10] = __funnelshift_l(x, y, n);
    p[11] = __funnelshift_r(x, y, n);
    p[12] = __funnelshift_lc(x, y, n);
    p[13] = __funnelshift_rc(x, y, n);
    asm("bfe.u32 %0, %1, %2, %3;"
        : "=r"(p[14])
        : "r"(x), "r"(n), "r"(y >> 8 & 63));
    asm("bfe.s32 %0, %1, %2, %3;"
        : "=r"(p[15])
        : "r"(x), "r"(n), "r"(y >> 8 & 63));
    asm("bfi.b32 %0, %1, %2, %3, %4;"
        : "=r"(p[16])
        : "r"(x), "r"(y), "r"(n), "r"(y >> 8 & 63));
    asm("bfind.u32 %0, %1;" : "=r"(p[17]) : "r"(x));
    asm("prmt.b32 %0, %1, %2, %3;"
        : "=r"(p[18])
        : "r"(x), "r"(y), "r"(y >> 16));
    asm("lop3.b32 %0, %1, %2, %3, 0xe8;"
        : "=r"(p[19])
        : "r"(x), "r"(y), "r"(x * 5));
}

static unsigned reverse(unsigned x)
{
    unsigned r = 0;
    for (int b = 0; b < 32; b++)
        r |= (x >> b & 1) << (31 - b);
    return r;
}

// Selector bit 3 spreads the byte's sign.
static unsigned permute(unsigned x, unsigned y, unsigned selector)
{
    unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned r = 0;
    for (int k = 0; k < 4; k++) {
        unsigned s = selector >> 4 * k & 15;
        unsigned byte = (unsigned)(bytes >> 8 * (s & 7)) & 255;
        if (s & 8)
            byte = byte & 128 ? 255 : 0;
        r |= byte << 8 * k;
    }
    return r;
}

static unsigned bfe(unsigned x, unsigned position, unsigned length, bool sign)
{
    unsigned r = 0,
             top = position + length - 1 < 31 ? position + length - 1 : 31;
    bool fill = sign && length && x >> top & 1;
    for (unsigned b = 0; b < 32; b++) {
        bool bit =
            b < length && position + b < 32 ? x >> (position + b) & 1 : fill;
        r |= (unsigned)bit << b;
    }
    return r;
}

static unsigned bfi(unsigned x, unsigned into, unsigned position,
                    unsigned length)
{
    for (unsigned b = 0; b < length && position + b < 32; b++)
        into = (into & ~(1u << (position + b))) | (x >> b & 1)
                                                      << (position + b);
    return into;
}

static void expected(int i, unsigned *p)
{
    unsigned x = input(i), y = scramble(i + 9), n = y & 63;
    unsigned long long w = wide_input(i),
                       pair = (unsigned long long)y << 32 | x;
    p[0] = __builtin_popcount(x);
    p[1] = __builtin_popcountll(w);
    p[2] = x ? __builtin_clz(x) : 32;
    p[3] = w ? __builtin_clzll(w) : 64;
    p[4] = __builtin_ffs((int)x);
    p[5] = __builtin_ffsll((long long)w);
    p[6] = reverse(x);
    unsigned long long r = (unsigned long long)reverse((unsigned)w) << 32 |
                           reverse((unsigned)(w >> 32));
    p[7] = (unsigned)(r >> 13);
    p[8] = permute(x, y, 0x7531);
    p[9] = permute(x, y, y & 0x7777);
    p[10] = (unsigned)(pair << (n & 31) >> 32);
    p[11] = (unsigned)(pair >> (n & 31));
    unsigned clamped = n < 32 ? n : 32;
    p[12] = clamped == 32 ? x : (unsigned)(pair << clamped >> 32);
    p[13] = (unsigned)(pair >> clamped);
    unsigned length = y >> 8 & 63;
    p[14] = bfe(x, n, length, false);
    p[15] = bfe(x, n, length, true);
    p[16] = bfi(x, y, n, length);
    p[17] = x ? 31 - __builtin_clz(x) : 0xffffffffu;
    p[18] = permute(x, y, y >> 16);
    unsigned z = x * 5;
    p[19] = (x & y) | (x & z) | (y & z);
}

static void check_intrinsics()
{
    buffer<unsigned> out(RESULTS * COUNT);
    std::vector<unsigned> want(RESULTS * COUNT);
    for (int i = 0; i < COUNT; i++)
        expected(i, &want[RESULTS * i]);
    intrinsics<<<(COUNT + 63) / 64, 64>>>(out.device);
    out.download();
    for (int k = 0; k < RESULTS; k++) {
        for (int i = 0; i < COUNT; i++) {
            unsigned got = out[RESULTS * i + k], should = want[RESULTS * i + k];
            if (got != should)
                FAIL("result %d of 0x%x, 0x%x is 0x%x, should be 0x%x", k,
                     input(i), scramble(i + 9), got, should);
        }
    }
}

// The same bits under another type.
static __global__ void reinterpret(unsigned long long *out)
{
    int i = thread_in_grid();
    if (i >= COUNT)
        return;
    unsigned x = input(i);
    unsigned long long w = wide_input(i);
    unsigned long long *p = out + 6 * i;
    p[0] = __float_as_uint(__uint_as_float(x ^ 1));
    p[1] = (unsigned)__float_as_int(__int_as_float((int)x));
    p[2] = (unsigned long long)__double_as_longlong(
        __longlong_as_double((long long)w));
    double d = __hiloint2double((int)x, (int)(w >> 7));
    p[3] = (unsigned long long)__double2hiint(d) << 32 |
           (unsigned)__double2loint(d);
    uint2 halves;
    memcpy(&halves, &w, sizeof(w));
    p[4] = (unsigned long long)halves.x << 32 | halves.y;
    uchar4 bytes = *reinterpret_cast<uchar4 *>(&x);
    p[5] = bytes.x + bytes.y * 1000ull + bytes.z * 1000000ull +
           bytes.w * 1000000000ull;
}

static void check_reinterpret()
{
    buffer<unsigned long long> out(6 * COUNT);
    std::vector<unsigned long long> want(6 * COUNT);
    for (int i = 0; i < COUNT; i++) {
        unsigned x = input(i);
        unsigned long long w = wide_input(i), *p = &want[6 * i];
        p[0] = x ^ 1;
        p[1] = x;
        p[2] = w;
        p[3] = (unsigned long long)(int)x << 32 | (unsigned)(w >> 7);
        p[4] = w << 32 | w >> 32;
        p[5] = (x & 255) + (x >> 8 & 255) * 1000ull +
               (x >> 16 & 255) * 1000000ull + (x >> 24) * 1000000000ull;
    }
    reinterpret<<<(COUNT + 63) / 64, 64>>>(out.device);
    out.download();
    expect_same("reinterpreted", out, want);
}

// Bit fields and unions of C.
struct fields {
    unsigned a : 3;
    int b : 7;
    unsigned c : 17;
    int d : 5;
};

static __host__ __device__ unsigned bit_fields(int i)
{
    fields f;
    unsigned r = scramble(i);
    f.a = r;
    f.b = (int)(r >> 3);
    f.c = r >> 10;
    f.d = (int)(r >> 27);
    f.a += 3;
    f.b -= 9;
    f.c ^= f.a;
    f.d = f.b + f.d;
    return (unsigned)(f.a + f.b * 10 + (int)f.c * 1000 + f.d * 7);
}

int main()
{
    check_intrinsics();
    check_reinterpret();
    CHECK_MAP(unsigned, bit_fields, 500);
    return finish();
}
