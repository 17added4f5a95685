/* SPDX-License-Identifier: Apache-2.0 */
/* Factorisations that are several launches: large, tall, wide, with and without
 * pivots, in four types, singular ones too. What they give is applied to a
 * vector, beside what the matrix makes of it. */
#include "../exec/check.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "cusolverDn.h"

typedef double complex number;

enum { SIZE = 420, LD = 423 };

static cusolverDnHandle_t handle;
static cudaStream_t stream;
static int *info, *pivots;
static int64_t *wide_pivots;
static uint64_t seed = 1;

#define OK(call) CHECK_EQUAL((int)(call), CUSOLVER_STATUS_SUCCESS)

static void *room(size_t bytes)
{
    void *p = NULL;
    CHECK_EQUAL(cudaMallocManaged(&p, bytes, cudaMemAttachGlobal), 0);
    memset(p, 0, bytes);
    return p;
}

static double random_real(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 40) / (1 << 23) - 1;
}

static void wait_for(int expected, int line)
{
    CHECK_EQUAL(cudaStreamSynchronize(stream), 0);
    if (*info != expected)
        fprintf(stderr, "split.c:%d: info %d, not %d\n", line, *info, expected);
    CHECK_EQUAL(*info, expected);
    *info = -99;
}

static void check_vector(int line, const number *x, const number *y, int n,
                         double bound)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, isnan(cabs(x[i])) ? INFINITY : cabs(x[i] - y[i]));
    if (most > bound)
        fprintf(stderr, "split.c:%d: off by %g, bound %g\n", line, most, bound);
    CHECK(most <= bound);
}

#define CUSOLVER_ROWS "../../tests/cusolver/split_typed.h"
#include "weft/cusolver_types.h"

int main(void)
{
    OK(cusolverDnCreate(&handle));
    CHECK_EQUAL(cudaStreamCreate(&stream), 0);
    OK(cusolverDnSetStream(handle, stream));
    info = room(sizeof *info);
    pivots = room(SIZE * sizeof *pivots);
    wide_pivots = room(SIZE * sizeof *wide_pivots);
    *info = -99;
    cusolverDnS_split();
    cusolverDnD_split();
    cusolverDnC_split();
    cusolverDnZ_split();
    OK(cusolverDnDestroy(handle));
    return check_result();
}
