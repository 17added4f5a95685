// SPDX-License-Identifier: Apache-2.0
//
// Half precision: a dot product of __half2, and a product of matrices on
// tensor cores as one writes it for sm_80: tiles copied asynchronously to
// shared memory, from there with ldmatrix to registers, and mma.sync. Each
// checks its answer; the twins are in halves-twins.c.
#include <cmath>

#include <cuda_fp16.h>
#include <cuda_pipeline.h>

#include "device.h"

static const int n = VECTOR_LENGTH;
static __half *x, *y;

__global__ void fill(__half *p, size_t count, float base, float step)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        p[i] = __float2half(base + step * (float)(i % 64));
}

static __half *filled(size_t count, float base, float step)
{
    __half *p = device_array<__half>(count);
    fill<<<(unsigned)((count + 255) / 256), 256>>>(p, count, base, step);
    wait_for_device();
    return p;
}

// ---- dot product -----------------------------------------------------------

static double *total;

__global__ void dot(const __half2 *x, const __half2 *y, int pairs, double *sum)
{
    float mine = 0;
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs;
         i += stride) {
        float2 a = __half22float2(x[i]), b = __half22float2(y[i]);
        mine += a.x * b.x + a.y * b.y;
    }
    for (int d = 16; d > 0; d /= 2)
        mine += __shfl_down_sync(~0u, mine, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(sum, (double)mine);
}

static double run_dot()
{
    x = filled(n, 1, 0.0625f);
    y = filled(n, 0.5f, 0);
    total = device_array<double>(1);
    double ms = measure_ms([] {
        CHECK(cudaMemsetAsync(total, 0, sizeof *total));
        dot<<<STRIDED_BLOCKS, BLOCK_SIZE>>>((const __half2 *)x, (const __half2 *)y, n / 2, total);
        wait_for_device();
    });
    double want = 0.5 * (64 + 0.0625 * (63 * 64 / 2)) * (n / 64);
    return fabs(device_value(total) - want) < 1e-5 * want ? ms : -1;
}

// ---- matrix product --------------------------------------------------------

static const int tile = 128, k_tile = 32, threads = 256;

__device__ void load_a(unsigned (&a)[4], const __half *p)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, "
                 "[%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"((unsigned)__cvta_generic_to_shared(p)));
}

__device__ void load_b(unsigned (&b)[2], const __half *p)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, "
                 "[%2];"
                 : "=r"(b[0]), "=r"(b[1])
                 : "r"((unsigned)__cvta_generic_to_shared(p)));
}

// d += a * b: 16 by 16 times 16 by 8.
__device__ void multiply(float (&d)[4], const unsigned (&a)[4],
                         const unsigned (&b)[2])
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Eight warps; each has 64 by 32 of the block's 128 by 128.
__global__ void matmul_mma(const __half *a, const __half *b, float *c, int size)
{
    __shared__ __align__(16) __half as[tile][k_tile + 8], bs[k_tile][tile + 8];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int top = warp / 4 * 64, left = warp % 4 * 32;
    float d[4][4][4] = {};

    a += (size_t)blockIdx.y * tile * size;
    b += blockIdx.x * tile;
    for (int k = 0; k < size; k += k_tile) {
        for (int i = threadIdx.x; i < tile * k_tile / 8; i += threads) {
            int row = i / (k_tile / 8), at = i % (k_tile / 8) * 8;
            __pipeline_memcpy_async(&as[row][at], &a[row * size + k + at], 16);
            row = i / (tile / 8), at = i % (tile / 8) * 8;
            __pipeline_memcpy_async(&bs[row][at], &b[(k + row) * size + at],
                                    16);
        }
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int kk = 0; kk < k_tile; kk += 16) {
            unsigned fa[4][4], fb[4][2];
            for (int i = 0; i < 4; i++)
                load_a(fa[i],
                       &as[top + 16 * i + lane % 16][kk + lane / 16 * 8]);
            for (int j = 0; j < 4; j++)
                load_b(fb[j], &bs[kk + lane % 16][left + 8 * j]);
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    multiply(d[i][j], fa[i], fb[j]);
        }
        __syncthreads();
    }
    c += ((size_t)blockIdx.y * tile + top + lane / 4) * size +
         blockIdx.x * tile + left + lane % 4 * 2;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int h = 0; h < 2; h++)
                *(float2 *)&c[(16 * i + 8 * h) * size + 8 * j] =
                    make_float2(d[i][j][2 * h], d[i][j][2 * h + 1]);
}

static float *product;

static double run_matmul()
{
    const int size = MATRIX_SIZE;
    x = filled((size_t)size * size, 0.5f, 0);
    y = filled((size_t)size * size, 0, 0.25f);
    product = device_array<float>((size_t)size * size);
    double ms = measure_ms([] {
        dim3 grid(size / tile, size / tile);
        matmul_mma<<<grid, threads>>>(x, y, product, size);
        wait_for_device();
    });
    // Column c of b holds 0.25 * (c % 64) everywhere.
    float want = 0.5f * 0.25f * (77 % 64) * size;
    return fabsf(device_value(product + 300 * size + 77) - want) <= 1e-4f * want
               ? ms
               : -1;
}

int main(int argc, char **argv)
{
    static const struct program programs[] = {
        {"dot-half", run_dot},
        {"matmul-mma", run_matmul},
        {NULL, NULL},
    };
    return run_named(programs, argc, argv);
}
