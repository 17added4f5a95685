/* SPDX-License-Identifier: Apache-2.0 */
/* Mistaken calls get the documented status, and change nothing. */
#include "../exec/check.h"
#include "cufftXt.h"

#include <string.h>

static void handles_are_small_and_used_again(void)
{
    cufftHandle a = 0, b = 0, c = 0;
    CHECK_EQUAL(cufftCreate(&a), CUFFT_SUCCESS);
    CHECK_EQUAL(cufftCreate(&b), CUFFT_SUCCESS);
    CHECK_EQUAL(a, 1);
    CHECK_EQUAL(b, 2);
    CHECK_EQUAL(cufftDestroy(a), CUFFT_SUCCESS);
    CHECK_EQUAL(cufftDestroy(a), CUFFT_INVALID_PLAN);
    CHECK_EQUAL(cufftCreate(&c), CUFFT_SUCCESS);
    CHECK_EQUAL(c, 1);
    CHECK_EQUAL(cufftPlan1d(&a, 0, CUFFT_C2C, 1), CUFFT_INVALID_SIZE);
    CHECK_EQUAL(a, 0);
    CHECK_EQUAL(cufftDestroy(b), CUFFT_SUCCESS);
    CHECK_EQUAL(cufftDestroy(c), CUFFT_SUCCESS);
}

int main(void)
{
    int n[] = {4, 4, 4, 4}, out = 0;
    long long wide[] = {16};
    size_t ws = 0;
    cufftHandle p, q;
    cufftComplex *d;
    handles_are_small_and_used_again();
    CHECK_EQUAL(cudaMalloc((void **)&d, 4096), cudaSuccess);
    memset(d, 77, 4096);
    CHECK_EQUAL(cufftPlan1d(&p, 16, CUFFT_C2C, 1), CUFFT_SUCCESS);
    CHECK_EQUAL(cufftCreate(&q), CUFFT_SUCCESS);
#define STATUS(call, status) CHECK_EQUAL(call, CUFFT_##status);
#include "statuses.def"
    CHECK_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    for (int i = 0; i < 4096; i++)
        CHECK(((char *)d)[i] == 77);
    CHECK_EQUAL(cufftDestroy(p), CUFFT_SUCCESS);
    CHECK_EQUAL(cufftDestroy(q), CUFFT_SUCCESS);
    return check_result();
}
