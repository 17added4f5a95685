/* SPDX-License-Identifier: Apache-2.0 */
/* cublasXt: matrices of the host, done on return. */
#include "../exec/check.h"
#include "cublasXt.h"

int main(void)
{
    cublasXtHandle_t h;
    int device = 0, none = 99, dim;
    double a[4] = {1, 2, 3, 4}, c[4], one = 1, zero = 0, two = 2;
    double packed[3] = {1, 2, 4}; /* upper: 1 2; 2 4 */
    CHECK_EQUAL(cublasXtCreate(NULL), CUBLAS_STATUS_INVALID_VALUE);
    CHECK_EQUAL(cublasXtCreate(&h), CUBLAS_STATUS_SUCCESS);
    CHECK_EQUAL(cublasXtGetBlockDim(h, &dim), CUBLAS_STATUS_SUCCESS);
    CHECK_EQUAL(dim, 1024);
    CHECK_EQUAL(cublasXtDeviceSelect(h, 1, &none), CUBLAS_STATUS_INVALID_VALUE);
    CHECK_EQUAL(cublasXtDgemm(h, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, 2, &one, a, 2,
                              a, 2, &zero, c, 2),
                CUBLAS_STATUS_NOT_INITIALIZED);
    CHECK_EQUAL(cublasXtDspmm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, 2, 2,
                              &two, packed, a, 2, &zero, c, 2),
                CUBLAS_STATUS_NOT_INITIALIZED);
    CHECK_EQUAL(cublasXtDeviceSelect(h, 1, &device), CUBLAS_STATUS_SUCCESS);
    CHECK_EQUAL(cublasXtDeviceSelect(h, 1, &device),
                CUBLAS_STATUS_INVALID_VALUE);
    CHECK_EQUAL(cublasXtSetBlockDim(h, 64), CUBLAS_STATUS_SUCCESS);
    CHECK_EQUAL(cublasXtGetBlockDim(h, &dim), CUBLAS_STATUS_SUCCESS);
    CHECK_EQUAL(dim, 64);
    CHECK_EQUAL(cublasXtDgemm(h, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, 2, &one, a, 2,
                              a, 2, &zero, c, 2),
                CUBLAS_STATUS_SUCCESS);
    CHECK(c[0] == 5 && c[1] == 11 && c[2] == 11 && c[3] == 25);
    CHECK_EQUAL(cublasXtDspmm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, 2, 2,
                              &two, packed, a, 2, &zero, c, 2),
                CUBLAS_STATUS_SUCCESS);
    CHECK(c[0] == 10 && c[1] == 20 && c[2] == 22 && c[3] == 44);
    CHECK_EQUAL(cublasXtDgemm(NULL, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, 2, &one, a,
                              2, a, 2, &zero, c, 2),
                CUBLAS_STATUS_NOT_INITIALIZED);
    CHECK_EQUAL(cublasXtDgemm(h, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, 2, &one, a, 1,
                              a, 2, &zero, c, 2),
                CUBLAS_STATUS_INVALID_VALUE);
    CHECK_EQUAL(cublasXtSetCpuRatio(h, CUBLASXT_GEMM, CUBLASXT_DOUBLE, 0.5f),
                CUBLAS_STATUS_SUCCESS);
    CHECK_EQUAL(cublasXtSetCpuRoutine(h, CUBLASXT_GEMM, CUBLASXT_DOUBLE, a),
                CUBLAS_STATUS_SUCCESS); /* it is not called */
    CHECK_EQUAL(cublasXtSetCpuRoutine(h, CUBLASXT_GEMM, CUBLASXT_DOUBLE, NULL),
                CUBLAS_STATUS_SUCCESS);
    CHECK_EQUAL(cublasXtDgemm(h, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, 2, &one, a, 2,
                              a, 2, &zero, c, 2),
                CUBLAS_STATUS_SUCCESS);
    CHECK(c[0] == 5 && c[1] == 11 && c[2] == 11 && c[3] == 25);
    CHECK_EQUAL(cublasXtSetCpuRatio(h, CUBLASXT_GEMM, CUBLASXT_FLOAT, 1.5f),
                CUBLAS_STATUS_INVALID_VALUE);
    CHECK_EQUAL(
        cublasXtSetCpuRoutine(h, CUBLASXT_ROUTINE_MAX, CUBLASXT_FLOAT, a),
        CUBLAS_STATUS_INVALID_VALUE);
    CHECK_EQUAL(cublasXtSetCpuRatio(NULL, CUBLASXT_GEMM, CUBLASXT_FLOAT, 0.5f),
                CUBLAS_STATUS_NOT_INITIALIZED);
    CHECK_EQUAL(cublasXtDestroy(h), CUBLAS_STATUS_SUCCESS);
    return check_result();
}
