/* SPDX-License-Identifier: Apache-2.0 */
/* Products of bytes: exact, in all operations, at sizes around the kernel's
 * blocks and slices; sums that leave 32 bits wrap. Those without signs, with
 * biases, as an H200 gives them. */
#include "../exec/check.h"

#include <stdlib.h>
#include <string.h>

#include "cublas_v2.h"
#include "cuda_runtime_api.h"

static cublasHandle_t handle;
static uint64_t seed = 1;

static int8_t random_byte(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int8_t)(seed >> 40);
}

static void *room(size_t bytes)
{
    void *p = NULL;
    CHECK_EQUAL(cudaMallocManaged(&p, bytes, cudaMemAttachGlobal), 0);
    memset(p, 0, bytes);
    return p;
}

static void test(int m, int n, int k, int op_a, int op_b, int8_t fixed)
{
    int lda = (op_a ? k : m) + 3, ldb = (op_b ? n : k) + 1, ldc = m + 2;
    int32_t alpha = 1, beta = k % 2 ? 2 : 0, wrong = 0;
    size_t a_count = (size_t)lda * (op_a ? m : k);
    size_t b_count = (size_t)ldb * (op_b ? k : n);
    int8_t *a = room(a_count), *b = room(b_count);
    int32_t *c = room((size_t)ldc * n * 4), *old = malloc((size_t)ldc * n * 4);
    for (size_t i = 0; i < a_count; i++)
        a[i] = fixed ? fixed : random_byte();
    for (size_t i = 0; i < b_count; i++)
        b[i] = fixed ? fixed : random_byte();
    for (int i = 0; i < ldc * n; i++)
        c[i] = old[i] = random_byte();
    CHECK_EQUAL((int)cublasGemmEx(handle, op_a ? CUBLAS_OP_T : CUBLAS_OP_N,
                                  op_b ? CUBLAS_OP_T : CUBLAS_OP_N, m, n, k,
                                  &alpha, a, CUDA_R_8I, lda, b, CUDA_R_8I, ldb,
                                  &beta, c, CUDA_R_32I, ldc, CUBLAS_COMPUTE_32I,
                                  CUBLAS_GEMM_DEFAULT),
                CUBLAS_STATUS_SUCCESS);
    CHECK_EQUAL(cudaDeviceSynchronize(), 0);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < ldc; i++) {
            uint32_t sum = (uint32_t)old[i + j * ldc];
            if (i < m)
                sum *= (uint32_t)beta;
            for (int x = 0; i < m && x < k; x++)
                sum += (uint32_t)(a[op_a ? x + i * lda : i + x * lda] *
                                  b[op_b ? j + x * ldb : x + j * ldb]);
            wrong += sum != (uint32_t)c[i + j * ldc];
        }
    }
    CHECK_EQUAL(wrong, 0);
    free(old);
    CHECK_EQUAL(cudaFree(a), 0);
    CHECK_EQUAL(cudaFree(b), 0);
    CHECK_EQUAL(cudaFree(c), 0);
}

/* cublasUint8gemmBias: hashes of what an H200 gave, 16 x 8 with a sum of 4. */
static const struct {
    int a_bias, b_bias, c_bias, factor, shift;
    uint64_t hash;
} recorded[] = {
    {0, 0, 0, 1, 8, 0x15b750ebeaec8da7},
    {0, 0, 0, 1, 10, 0x7bedb28bb6afcd64},
    {0, 0, 0, 1, 9, 0x5066a821afc34dd5},
    {0, 0, 5, 1, 10, 0x7bedb28bb6afcd64},
    {0, 0, -5, 1, 10, 0x7bedb28bb6afcd64},
    {128, 128, 128, 1, 8, 0x5e42fc492a4de68b},
    {128, 128, 128, 1, 11, 0xbb40130acc738579},
    {-7, 3, 128, 1, 9, 0x18d7f6cf3ca43ea1},
    {-128, -128, 128, 1, 31, 0x8421ae126c7ced25},
    {-128, -128, 128, 1, 32, 0x030b69b790b63aa5},
    {-128, -128, 128, 1, -1, 0x8421ae126c7ced25},
    {255, 255, 0, 1, 11, 0x7328208833e79513},
    {1, 0, 0, 1, 10, 0x970d370a9487da9d},
    {0, 1, 0, 1, 10, 0x9d2ea4ffd5af049e},
};

static void unsigned_bytes(void)
{
    enum { M = 16, N = 8, K = 4, COUNT = 4096 };
    unsigned char *a = room(COUNT), *b = room(COUNT), *c = room(COUNT);
    uint32_t x = 1;
    for (int i = 0; i < COUNT; i++) {
        a[i] = (unsigned char)((x = x * 1664525 + 1013904223) >> 24);
        b[i] = (unsigned char)((x = x * 1664525 + 1013904223) >> 24);
    }
    for (size_t i = 0; i < sizeof recorded / sizeof *recorded; i++) {
        uint64_t hash = 14695981039346656037u;
        CHECK_EQUAL((int)cublasUint8gemmBias(
                        handle, CUBLAS_OP_N, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K,
                        a, recorded[i].a_bias, M, b, recorded[i].b_bias, K, c,
                        recorded[i].c_bias, M, recorded[i].factor,
                        recorded[i].shift),
                    0);
        CHECK_EQUAL(cudaDeviceSynchronize(), 0);
        for (int j = 0; j < M * N; j++)
            hash = (hash ^ c[j]) * 1099511628211u;
        if (hash != recorded[i].hash)
            fprintf(stderr, "uint8 row %zu\n", i);
        CHECK(hash == recorded[i].hash);
    }
    /* The operations, by strides: each gives the same elements. */
    for (int ops = 0; ops < 8; ops++) {
        enum { LD = 40 };
        int wrong = 0;
        memset(c, 0x5a, COUNT);
        CHECK_EQUAL((int)cublasUint8gemmBias(
                        handle, ops & 1 ? CUBLAS_OP_C : CUBLAS_OP_N,
                        ops & 2 ? CUBLAS_OP_T : CUBLAS_OP_N,
                        ops & 4 ? CUBLAS_OP_T : CUBLAS_OP_N, 33, 21, 17, a, 120,
                        LD, b, 130, LD, c, 9, LD, 3, 9),
                    0);
        CHECK_EQUAL(cudaDeviceSynchronize(), 0);
        for (int j = 0; j < 21; j++) {
            for (int i = 0; i < 33; i++) {
                int sum = 9;
                for (int k = 0; k < 17; k++)
                    sum += (a[ops & 1 ? k + i * LD : i + k * LD] - 120) *
                           (b[ops & 2 ? j + k * LD : k + j * LD] - 130);
                sum = (sum * 3 + 256) >> 9;
                sum = sum < 0 ? 0 : sum > 255 ? 255 : sum;
                wrong += sum != c[ops & 4 ? j + i * LD : i + j * LD];
            }
        }
        CHECK_EQUAL(wrong, 0);
        CHECK_EQUAL(c[39], 0x5a);
    }
    CHECK_EQUAL(cudaFree(a), 0);
    CHECK_EQUAL(cudaFree(b), 0);
    CHECK_EQUAL(cudaFree(c), 0);
}

int main(void)
{
    CHECK_EQUAL((int)cublasCreate(&handle), CUBLAS_STATUS_SUCCESS);
    for (int op = 0; op < 4; op++) {
        test(1, 1, 1, op & 1, op >> 1, 0);
        test(16, 4, 2, op & 1, op >> 1, 0);
        test(33, 7, 31, op & 1, op >> 1, 0);
        test(50, 90, 1025, op & 1, op >> 1, 0);
        test(400, 13, 64, op & 1, op >> 1, 0);
    }
    test(3, 5, 140000, 1, 0, -128);
    unsigned_bytes();
    CHECK_EQUAL((int)cublasDestroy(handle), CUBLAS_STATUS_SUCCESS);
    return check_result();
}
