/* SPDX-License-Identifier: Apache-2.0 */
/* Products of bytes: exact, in all operations, at sizes around the kernel's
 * blocks and slices; sums that leave 32 bits wrap. */
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
    CHECK_EQUAL((int)cublasDestroy(handle), CUBLAS_STATUS_SUCCESS);
    return check_result();
}
