// SPDX-License-Identifier: Apache-2.0
//
// fma of halves and bf16 over operands of every size, small ones among them
// whose sums lie just in the middle between two results. What is expected is
// what the interpreter makes of them, which computes exactly.
#include "check.h"

enum Kind { ANY, NEAR_ONE, SMALL, SIMILAR, LARGE, SHORT, FEW_BITS, KINDS };

__device__ static unsigned operand(unsigned seed, Kind kind)
{
    unsigned v = scramble(seed);
    v ^= scramble(v + seed);
    switch (kind) {
    case NEAR_ONE:
        return (v & 0x8fff8fff) | 0x30003000;
    case SMALL:
        return v & 0x80ff80ff;
    case SIMILAR:
        return (v & 0x807f807f) | (v >> 3 & 0x03000300) | 0x3f003f00;
    case LARGE:
        return v | 0x7f007f00;
    case SHORT:
        return v & 0xfff0fff0;
    case FEW_BITS:
        return (v & 0x80038003) | (v & 0x00700070) << 4 | 0x3c003c00;
    default:
        return v;
    }
}

#define FMA(form, d)                                                           \
    asm("fma.rn" form " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c))

__global__ void products(uint4 *out, Kind kind)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = operand(3 * i, kind), b = operand(3 * i + 1, kind);
    unsigned c = operand(3 * i + 2, kind);
    uint4 r;
    FMA(".bf16x2", r.x);
    FMA(".f16x2", r.y);
    FMA(".ftz.f16x2", r.z);
    FMA(".relu.bf16x2", r.w);
    out[i] = r;
}

int main()
{
    const int n = 16384;
    uint4 *out;
    CHECK(cudaMallocManaged(&out, n * sizeof *out));
    for (int kind = 0; kind < KINDS; kind++) {
        products<<<n / 128, 128>>>(out, (Kind)kind);
        CHECK(cudaDeviceSynchronize());
        unsigned sum[4] = {0};
        for (int i = 0; i < n; i++) {
            unsigned r[4] = {out[i].x, out[i].y, out[i].z, out[i].w};
            for (int j = 0; j < 4; j++)
                sum[j] = (sum[j] ^ r[j]) * 16777619u;
        }
        printf("%08x %08x %08x %08x\n", sum[0], sum[1], sum[2], sum[3]);
    }
    return finish();
}
