// SPDX-License-Identifier: Apache-2.0
// fma of halves, of one kind and packed, rounds once: compared with integers,
// for random numbers of all sizes and those near the middle of two halves.
// weftcc: -std=c++17
#include <cuda_fp16.h>
#include <cstdio>
#include <cstdlib>

typedef __int128 wide;

// In units of 2^-48, the product of the two least halves.
static wide units(unsigned bits, int scale)
{
    int exponent = bits >> 10 & 31;
    wide v = (bits & 1023) | (exponent ? 1024 : 0);
    v <<= scale + (exponent ? exponent - 1 : 0);
    return bits & 0x8000 ? -v : v;
}

static unsigned short rounded(wide v, bool zero_is_negative)
{
    unsigned sign = v < 0 || (v == 0 && zero_is_negative) ? 0x8000 : 0;
    wide size = v < 0 ? -v : v;
    int shift = 24; // units of 2^-48 in the least half
    while (size >> shift >= 2048)
        shift++;
    wide m = size >> shift, rest = size & (((wide)1 << shift) - 1);
    wide middle = (wide)1 << (shift - 1);
    m += rest > middle || (rest == middle && (m & 1));
    unsigned bits = (unsigned)m + ((shift - 24) << 10);
    return sign | (bits > 0x7c00 ? 0x7c00 : bits);
}

static unsigned short expected(unsigned a, unsigned b, unsigned c)
{
    unsigned sign = (a ^ b) & 0x8000;
    wide magnitude = units(a & 0x7fff, 0);
    wide p = magnitude * units(b & 0x7fff, 0);
    return rounded((sign ? -p : p) + units(c, 24), sign & c);
}

__global__ void fused(const ushort3 *in, unsigned short *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = __half_as_ushort(__hfma(__ushort_as_half(in[i].x),
                                         __ushort_as_half(in[i].y),
                                         __ushort_as_half(in[i].z)));
}

__global__ void fused2(const ushort3 *in, unsigned short *out, int n)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n)
        return;
    auto pair = [](unsigned short x, unsigned short y) {
        return __halves2half2(__ushort_as_half(x), __ushort_as_half(y));
    };
    ushort3 a = in[i], b = in[i + 1];
    __half2 v = __hfma2(pair(a.x, b.x), pair(a.y, b.y), pair(a.z, b.z));
    out[i] = __half_as_ushort(__low2half(v));
    out[i + 1] = __half_as_ushort(__high2half(v));
}

static unsigned seed = 1;
static unsigned random_bits()
{
    seed = seed * 1664525 + 1013904223;
    return seed >> 16;
}

static unsigned short finite(unsigned bits)
{
    return (bits & 0x7c00) == 0x7c00 ? bits ^ 0x4000 : bits;
}

int main()
{
    const int n = 1 << 17;
    ushort3 *in;
    unsigned short *out;
    cudaMallocManaged(&in, n * sizeof *in);
    cudaMallocManaged(&out, n * sizeof *out);
    for (int i = 0; i < n; i++) {
        unsigned a = random_bits(), b = random_bits(), c = random_bits();
        if (i % 4) // products around 2^-14 and sums with few bits in common
            a = (a & 0x83ff) | 0x2000, b = (b & 0x8fff) | (i % 2 ? 0x1000 : 0),
            c &= 0xa3ff;
        if (i % 8 == 7) // short factors: the sum is often just in the middle
            a &= 0xffc0, b &= 0xffc0;
        in[i] = ushort3{finite(a), finite(b), finite(c)};
    }
    for (int packed = 0; packed < 2; packed++) {
        if (packed)
            fused2<<<n / 512, 256>>>(in, out, n);
        else
            fused<<<n / 256, 256>>>(in, out, n);
        if (cudaDeviceSynchronize())
            return puts("failed"), 1;
        int wrong = 0, shown = 0;
        for (int i = 0; i < n; i++) {
            unsigned short want = expected(in[i].x, in[i].y, in[i].z);
            if (out[i] == want)
                continue;
            if (shown++ < 5)
                printf("%04x * %04x + %04x = %04x, expected %04x\n", in[i].x,
                       in[i].y, in[i].z, out[i], want);
            wrong++;
        }
        printf("%s: %d wrong\n", packed ? "packed" : "single", wrong);
    }
    return 0;
}
