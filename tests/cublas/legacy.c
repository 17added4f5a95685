/* SPDX-License-Identifier: Apache-2.0 */
/* The first version: letters, numbers by value, kept errors. */
#include "../exec/check.h"
#include "cublas.h"

int main(void)
{
    float host[4] = {1, 2, 3, 4}, back[4], *a, *c;
    CHECK_EQUAL(cublasInit(), CUBLAS_STATUS_SUCCESS);
    CHECK_EQUAL(cublasAlloc(4, 4, (void **)&a), CUBLAS_STATUS_SUCCESS);
    CHECK_EQUAL(cublasAlloc(4, 4, (void **)&c), CUBLAS_STATUS_SUCCESS);
    CHECK_EQUAL(cublasSetVector(4, 4, host, 1, a, 1), CUBLAS_STATUS_SUCCESS);
    cublasSgemm('t', 'N', 2, 2, 2, 1, a, 2, a, 2, 0, c, 2);
    CHECK_EQUAL(cublasGetVector(4, 4, c, 1, back, 1), CUBLAS_STATUS_SUCCESS);
    CHECK(back[0] == 5 && back[1] == 11 && back[2] == 11 && back[3] == 25);
    CHECK(cublasSdot(4, a, 1, a, 1) == 30);
    CHECK(cublasSasum(4, a, 1) == 10 && cublasIsamax(4, a, 1) == 4);
    CHECK_EQUAL(cublasGetError(), CUBLAS_STATUS_SUCCESS);
    cublasSgemm('x', 'N', 2, 2, 2, 1, a, 2, a, 2, 0, c, 2);
    CHECK_EQUAL(cublasGetError(), CUBLAS_STATUS_INVALID_VALUE);
    CHECK_EQUAL(cublasGetError(), CUBLAS_STATUS_SUCCESS);
    CHECK_EQUAL(cublasFree(a), CUBLAS_STATUS_SUCCESS);
    CHECK_EQUAL(cublasFree(c), CUBLAS_STATUS_SUCCESS);
    CHECK_EQUAL(cublasShutdown(), CUBLAS_STATUS_SUCCESS);
    CHECK(cublasSdot(4, host, 1, host, 1) == 0);
    CHECK_EQUAL(cublasGetError(), CUBLAS_STATUS_NOT_INITIALIZED);
    return check_result();
}
