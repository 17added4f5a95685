/* SPDX-License-Identifier: Apache-2.0 */
/* The bits of NaNs that kernels compute: one for all singles. What is only
 * moved keeps its payload. */
#include <cstdio>
#include <cstring>

enum { COUNT = 12 };

__global__ void compute(const float *in, float *out, unsigned *bits,
                        double *wide)
{
    int i = threadIdx.x;
    float a = in[i], b = in[i + 32];
    float v[COUNT] = {a - a,       a * 0.f, a / b,         sqrtf(-fabsf(a)),
                      fmaf(a, b, a), -a,      fabsf(a),      fmaxf(a, b),
                      fminf(b, b), floorf(a), a < 1 ? a : b, a};

    for (int k = 0; k < COUNT; k++)
        out[32 * k + i] = v[k];
    bits[i] = __float_as_uint(a + b);
    bits[32 + i] = __float_as_uint(__shfl_xor_sync(~0u, a * b, 1));
    wide[i] = a + b;
}

/* Sums that begin with what memory has are not made that NaN in the loop. */
__global__ void sum(float *out, const float *in, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += in[i] * in[32 + i];
    out[threadIdx.x] = s;
    if (s != s)
        atomicAdd(&out[32], s);
}

static unsigned bits_of(float f)
{
    unsigned u;
    memcpy(&u, &f, 4);
    return u;
}

int main()
{
    static const unsigned values[8] = {0x7f800000, 0xff800000, 0x7fc00000,
                                       0xffc12345, 0x7fffffff, 0x3f800000,
                                       0x7f812345, 0xbf800000};
    float *in, *out;
    unsigned *bits;
    double *wide;

    cudaMallocManaged(&in, 64 * sizeof *in);
    cudaMallocManaged(&out, 32 * COUNT * sizeof *out);
    cudaMallocManaged(&bits, 64 * sizeof *bits);
    cudaMallocManaged(&wide, 32 * sizeof *wide);
    for (int i = 0; i < 64; i++)
        memcpy(&in[i], &values[i < 32 ? i % 8 : i / 2 % 8], 4);
    compute<<<1, 32>>>(in, out, bits, wide);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    for (int k = 0; k < COUNT; k++) {
        for (int i = 0; i < 8; i++)
            printf("%08x ", bits_of(out[32 * k + i]));
        printf("\n");
    }
    for (int i = 0; i < 8; i++) {
        unsigned long long w;
        memcpy(&w, &wide[i], 8);
        printf("%08x %08x %016llx\n", bits[i], bits[32 + i], w);
    }
    out[32] = 1;
    sum<<<1, 32>>>(out, in, 32);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    printf("%f %08x %08x\n", out[31], bits_of(out[31]), bits_of(out[32]));
    return 0;
}
