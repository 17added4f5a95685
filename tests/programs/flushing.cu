/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel whose arithmetic is all .ftz runs with the machine's flushing on. No
 * one else may notice: printf, barriers, other kernels, the host, not even when
 * it ends with an error. */
#include <cstdio>
#include <cstring>

#define OP(op, x, y)                                                           \
    ({                                                                         \
        float r;                                                               \
        asm(op " %0, %1, %2;" : "=f"(r) : "f"(x), "f"(y));                     \
        r;                                                                     \
    })

enum { ROWS = 8 };

__global__ void flush(const float *in, float *out, double tiny, int *bad)
{
    __shared__ float all[128];
    int i = threadIdx.x;
    float a = in[2 * i], b = in[2 * i + 1], one = 1.0f, r;

    all[i] = OP("mul.ftz.f32", a, b);
    __syncthreads();
    out[i] = all[(i + 32) % 128];
    out[128 + i] = OP("add.ftz.f32", a, b);
    out[256 + i] = OP("sub.ftz.f32", a, b);
    out[384 + i] = OP("mul.ftz.f32", a, one);
    asm("fma.rn.ftz.f32 %0, %1, %2, %1;" : "=f"(r) : "f"(a), "f"(b));
    out[512 + i] = r;
    asm("div.rn.ftz.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    out[640 + i] = r;
    asm("neg.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
    out[768 + i] = r;
    out[896 + i] = OP("min.ftz.f32", a, b);
    if (i == 77)
        printf("%g\n", tiny);
    __syncthreads();
    if (bad)
        *bad = 1;
}

__global__ void keep(const float *in, float *out)
{
    out[threadIdx.x] = in[2 * threadIdx.x] * 0.5f;
}

static float pick(int i)
{
    static const unsigned values[] = {
        0x00000001, 0x807fffff, 0x00800000, 0x80800001, 0x20000000, 0x1fffffff,
        0x9fffffff, 0x3f800000, 0x3f000000, 0xbf7fffff, 0x00ffffff, 0x3f7fffff,
        0x1f800001, 0x20800000, 0x00000000, 0x80400000};
    float f;

    memcpy(&f, &values[i % 16], sizeof f);
    return f;
}

static unsigned sum_of(const float *f)
{
    unsigned h = 0;
    for (int i = 0; i < 128; i++) {
        unsigned u;
        memcpy(&u, &f[i], sizeof u);
        h = h * 31 + u;
    }
    return h;
}

static bool host_keeps()
{
    volatile double tiny = 0x1p-1074;
    volatile float small = 0x1p-149f;
    return tiny * 2 == 0x1p-1073 && small * 2 == 0x1p-148f;
}

int main()
{
    float *in, *out;

    cudaMallocManaged(&in, 256 * sizeof *in);
    cudaMallocManaged(&out, ROWS * 128 * sizeof *out);
    for (int i = 0; i < 128; i++) {
        in[2 * i] = pick(i);
        in[2 * i + 1] = pick(i / 8 + i);
    }
    flush<<<1, 128>>>(in, out, 0x1p-1060, nullptr);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    for (int r = 0; r < ROWS; r++)
        printf("%08x\n", sum_of(out + 128 * r));
    printf("host %d\n", host_keeps());
    keep<<<1, 128>>>(in, out);
    cudaDeviceSynchronize();
    printf("other kernels %08x\n", sum_of(out));
    flush<<<1, 128>>>(in, out, 0, (int *)16);
    cudaError_t e = cudaDeviceSynchronize();
    printf("%s, host %d\n", cudaGetErrorName(e), host_keeps());
    return 0;
}
