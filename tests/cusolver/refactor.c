/* SPDX-License-Identifier: Apache-2.0 */
/* cusolverRf: new values in old factors' pattern, alone and in a batch. */
#include "../exec/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "cusolverRf.h"
#include "cusolverSp.h"
#include "cusolverSp_LOWLEVEL_PREVIEW.h"
#include "cusparse.h"

enum { N = 40, MOST = 4 * N, BATCH = 3 };

#define OK(call) CHECK_EQUAL((int)(call), CUSOLVER_STATUS_SUCCESS)

static int start[N + 1], column[MOST], count;
static uint64_t seed = 1;

static double random_real(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 40) / (1 << 23) - 1;
}

static void *room(size_t bytes)
{
    void *p = NULL;
    CHECK_EQUAL(cudaMallocManaged(&p, bytes, cudaMemAttachGlobal), 0);
    memset(p, 0, bytes);
    return p;
}

static void make_pattern(void)
{
    for (int i = 0; i < N; i++) {
        static const int steps[] = {0, 3, 7, 11};
        start[i] = count;
        for (int k = 0; k < 4; k++)
            column[count++] = (i + steps[k]) % N;
    }
    start[N] = count;
}

static void fill(double *values)
{
    for (int i = 0; i < count; i++)
        values[i] = random_real() + (i % 4 == 0 ? 4 : 0);
}

static void check_solution(int line, const double *a, const double *x,
                           const double *b)
{
    for (int i = 0; i < N; i++) {
        double sum = -b[i];
        for (int p = start[i]; p < start[i + 1]; p++)
            sum += a[p] * x[column[p]];
        if (!(fabs(sum) < 1e-12))
            fprintf(stderr, "refactor.c:%d: row %d off by %g\n", line, i, sum);
        CHECK(fabs(sum) < 1e-12);
    }
}

struct factors {
    int nl, nu, *ls, *lc, *us, *uc, *p, *q;
    double *l, *u;
};

static struct factors find_factors(double *a)
{
    cusolverSpHandle_t handle;
    cusparseMatDescr_t descr;
    csrluInfoHost_t info;
    struct factors f = {.ls = room(4 * (N + 1)), .us = room(4 * (N + 1))};
    OK(cusolverSpCreate(&handle));
    CHECK_EQUAL(cusparseCreateMatDescr(&descr), 0);
    OK(cusolverSpCreateCsrluInfoHost(&info));
    OK(cusolverSpXcsrluAnalysisHost(handle, N, count, descr, start, column,
                                    info));
    OK(cusolverSpDcsrluFactorHost(handle, N, count, descr, a, start, column,
                                  info, 1, NULL));
    OK(cusolverSpXcsrluNnzHost(handle, &f.nl, &f.nu, info));
    f.lc = room(4 * f.nl), f.uc = room(4 * f.nu);
    f.l = room(8 * f.nl), f.u = room(8 * f.nu);
    f.p = room(4 * N), f.q = room(4 * N);
    OK(cusolverSpDcsrluExtractHost(handle, f.p, f.q, descr, f.l, f.ls, f.lc,
                                   descr, f.u, f.us, f.uc, info, NULL));
    OK(cusolverSpDestroyCsrluInfoHost(info));
    OK(cusolverSpDestroy(handle));
    return f;
}

int main(void)
{
    cusolverRfHandle_t rf;
    double *a[BATCH], *x[BATCH], b[N];
    make_pattern();
    for (int i = 0; i < BATCH; i++) {
        a[i] = room(8 * MOST);
        x[i] = room(8 * N * 2);
        fill(a[i]);
    }
    struct factors f = find_factors(a[0]);
    OK(cusolverRfCreate(&rf));
    CHECK_EQUAL((int)cusolverRfRefactor(rf), CUSOLVER_STATUS_INVALID_VALUE);
    CHECK_EQUAL((int)cusolverRfRefactor(NULL), CUSOLVER_STATUS_NOT_INITIALIZED);
    OK(cusolverRfSetMatrixFormat(rf, CUSOLVERRF_MATRIX_FORMAT_CSR,
                                 CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L));
    OK(cusolverRfSetupHost(N, count, start, column, a[0], f.nl, f.ls, f.lc, f.l,
                           f.nu, f.us, f.uc, f.u, f.p, f.q, rf));
    OK(cusolverRfAnalyze(rf));
    for (int i = 0; i < N; i++)
        b[i] = random_real();
    for (int i = 0; i < 2; i++) {
        OK(cusolverRfResetValues(N, count, start, column, a[i], f.p, f.q, rf));
        OK(cusolverRfRefactor(rf));
        memcpy(x[0], b, sizeof b);
        memcpy(x[0] + N, b, sizeof b);
        OK(cusolverRfSolve(rf, f.p, f.q, 2, NULL, N, x[0], N));
        check_solution(__LINE__, a[i], x[0], b);
        check_solution(__LINE__, a[i], x[0] + N, b);
    }
    OK(cusolverRfBatchSetupHost(BATCH, N, count, start, column, a, f.nl, f.ls,
                                f.lc, f.l, f.nu, f.us, f.uc, f.u, f.p, f.q,
                                rf));
    memset(a[2], 0, 8 * MOST);
    OK(cusolverRfBatchResetValues(BATCH, N, count, start, column, a, f.p, f.q,
                                  rf));
    OK(cusolverRfBatchRefactor(rf));
    int at[BATCH];
    CHECK_EQUAL((int)cusolverRfBatchZeroPivot(rf, at),
                CUSOLVER_STATUS_ZERO_PIVOT);
    CHECK(at[0] == -1 && at[1] == -1 && at[2] == 0);
    for (int i = 0; i < BATCH; i++)
        memcpy(x[i], b, sizeof b);
    OK(cusolverRfBatchSolve(rf, f.p, f.q, 1, NULL, N, x, N));
    check_solution(__LINE__, a[0], x[0], b);
    check_solution(__LINE__, a[1], x[1], b);
    OK(cusolverRfDestroy(rf));
    return check_result();
}
