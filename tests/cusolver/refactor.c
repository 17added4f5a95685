/* SPDX-License-Identifier: Apache-2.0 */
/* cusolverRf: new values in old factors' pattern, alone and in a batch. GLU:
 * the same, with refinement, by names that are in no header. */
#include "../exec/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "cusolverRf.h"
#include "cusolverSp.h"
#include "cusolverSp_LOWLEVEL_PREVIEW.h"
#include "cusparse.h"
#include "lib/cusolver/undeclared.h"

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

/* ---- GLU -------------------------------------------------------------- */

struct joined {
    int count, start[N + 1], column[N * N], p[N], q[N];
    double value[N * N], most, least, below;
};

/* M of `a` by csrlu; base: where its indices begin. */
static struct joined join_factors(double *a, int reorder, int base)
{
    static struct joined m;
    cusolverSpHandle_t handle;
    cusparseMatDescr_t descr, descr_m;
    csrluInfoHost_t info;
    OK(cusolverSpCreate(&handle));
    CHECK_EQUAL(cusparseCreateMatDescr(&descr), 0);
    CHECK_EQUAL(cusparseCreateMatDescr(&descr_m), 0);
    CHECK_EQUAL(cusparseSetMatIndexBase(descr_m, base), 0);
    OK(cusolverSpCreateCsrluInfoHost(&info));
    CHECK_EQUAL((int)cusolverSpXcsrluConfigHost(info, 2),
                CUSOLVER_STATUS_INVALID_VALUE);
    OK(cusolverSpXcsrluConfigHost(info, reorder));
    CHECK_EQUAL((int)cusolverSpXcsrluNnzMHost(handle, &m.count, info),
                CUSOLVER_STATUS_INVALID_VALUE); /* there are no factors */
    OK(cusolverSpXcsrluAnalysisHost(handle, N, count, descr, start, column,
                                    info));
    OK(cusolverSpDcsrluFactorHost(handle, N, count, descr, a, start, column,
                                  info, 1, NULL));
    OK(cusolverSpXcsrluNnzMHost(handle, &m.count, info));
    OK(cusolverSpDcsrluExtractMHost(handle, m.p, m.q, descr_m, m.value, m.start,
                                    m.column, info, NULL));
    OK(cusolverSpDcsrlucondHost(info, &m.most, &m.least, &m.below));
    OK(cusolverSpDestroyCsrluInfoHost(info));
    OK(cusolverSpDestroy(handle));
    return m;
}

/* L U is A with its rows and columns in another order. */
static void check_joined(const double *a, const struct joined *m, int base)
{
    static double lu[N][N], l[N][N], u[N][N];
    double most = 0, least = INFINITY, below = 1;
    memset(lu, 0, sizeof lu), memset(l, 0, sizeof l), memset(u, 0, sizeof u);
    CHECK_EQUAL(m->start[0], base);
    CHECK_EQUAL(m->start[N] - base, m->count);
    for (int i = 0; i < N; i++) {
        for (int k = m->start[i] - base; k < m->start[i + 1] - base; k++) {
            int j = m->column[k] - base;
            (j < i ? l : u)[i][j] = m->value[k];
            if (j < i)
                below = fmax(below, fabs(m->value[k]));
        }
        l[i][i] = 1;
        most = fmax(most, fabs(u[i][i]));
        least = fmin(least, fabs(u[i][i]));
    }
    CHECK(m->most == most && m->least == least && m->below == below);
    for (int i = 0; i < N; i++) {
        for (int k = 0; k <= i; k++) {
            for (int j = 0; j < N; j++)
                lu[i][j] += l[i][k] * u[k][j];
        }
        for (int k = start[m->p[i]]; k < start[m->p[i] + 1]; k++) {
            for (int j = 0; j < N; j++) {
                if (m->q[j] == column[k])
                    lu[i][j] -= a[k];
            }
        }
        for (int j = 0; j < N; j++)
            CHECK(fabs(lu[i][j]) < 1e-13);
    }
}

static void check_glu(double *const *a, int reorder, int base)
{
    struct joined m = join_factors(a[0], reorder, base);
    check_joined(a[0], &m, base);
    cusolverSpHandle_t handle;
    cusparseMatDescr_t descr, descr_m;
    csrgluInfo_t glu;
    size_t bytes;
    int refined = -1;
    double norm = -1, most = 0, left = -1;
    double *b = room(8 * N), *x = room(8 * N);
    OK(cusolverSpCreate(&handle));
    CHECK_EQUAL(cusparseCreateMatDescr(&descr), 0);
    CHECK_EQUAL(cusparseCreateMatDescr(&descr_m), 0);
    CHECK_EQUAL(cusparseSetMatIndexBase(descr_m, base), 0);
    OK(cusolverSpCreateGluInfo(&glu));
    CHECK_EQUAL((int)cusolverSpDgluFactor(handle, glu, NULL),
                CUSOLVER_STATUS_INVALID_VALUE);
    OK(cusolverSpDgluSetup(handle, N, count, descr, start, column, m.p, m.q,
                           m.count, descr_m, m.start, m.column, glu));
    OK(cusolverSpDgluBufferSize(handle, glu, &bytes));
    void *work = room(bytes);
    OK(cusolverSpDgluAnalysis(handle, glu, work));
    for (int i = 0; i < N; i++)
        b[i] = random_real(), most = fmax(most, fabs(b[i]));
    OK(cusolverSpDnrminf(handle, N, b, &norm, work));
    CHECK(norm == most);
    x[0] = 7;
    CHECK_EQUAL((int)cusolverSpDgluSolve(handle, N, count, descr, a[0], start,
                                         column, b, x, &refined, &left, glu,
                                         work),
                CUSOLVER_STATUS_INVALID_VALUE);
    CHECK(x[0] == 7 && refined == -1 && left == -1);
    for (int i = 0; i < 2; i++) {
        OK(cusolverSpDgluReset(handle, N, count, descr, a[i], start, column,
                               glu));
        OK(cusolverSpDgluFactor(handle, glu, work));
        memcpy(x, b, 8 * N); /* in place the second time */
        OK(cusolverSpDgluSolve(handle, N, count, descr, a[i], start, column,
                               i ? x : b, x, &refined, &left, glu, work));
        check_solution(__LINE__, a[i], x, b);
        CHECK(refined == 1 && left < 1e-14);
        refined = left = -1;
    }
    int odd = m.q[0];
    m.q[0] = m.q[1];
    CHECK_EQUAL((int)cusolverSpDgluSetup(handle, N, count, descr, start, column,
                                         m.p, m.q, m.count, descr_m, m.start,
                                         m.column, glu),
                CUSOLVER_STATUS_INVALID_VALUE);
    m.q[0] = odd;
    m.column[3] = N + base;
    CHECK_EQUAL((int)cusolverSpDgluSetup(handle, N, count, descr, start, column,
                                         m.p, m.q, m.count, descr_m, m.start,
                                         m.column, glu),
                CUSOLVER_STATUS_INVALID_VALUE);
    OK(cusolverSpDestroyGluInfo(glu));
    OK(cusolverSpDestroy(handle));
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
    int nnz, *rows, *columns, nnz_host, *rows_host, *columns_host;
    double *values, *values_host;
    static double copied[N * N];
    OK(cusolverRfAccessBundledFactorsDevice(rf, &nnz, &rows, &columns,
                                            &values));
    OK(cusolverRfExtractBundledFactorsHost(rf, &nnz_host, &rows_host,
                                           &columns_host, &values_host));
    CHECK_EQUAL(nnz, nnz_host);
    CHECK_EQUAL(
        cudaMemcpy(copied, values, 8 * (size_t)nnz, cudaMemcpyDeviceToHost), 0);
    CHECK(memcmp(copied, values_host, 8 * (size_t)nnz) == 0);
    CHECK(memcmp(rows, rows_host, 4 * (N + 1)) == 0);
    CHECK(memcmp(columns, columns_host, 4 * (size_t)nnz) == 0);
    free(rows_host), free(columns_host), free(values_host);
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
    int odd = f.p[0];
    f.p[0] = N;
    CHECK_EQUAL((int)cusolverRfSetupHost(N, count, start, column, a[0], f.nl,
                                         f.ls, f.lc, f.l, f.nu, f.us, f.uc, f.u,
                                         f.p, f.q, rf),
                CUSOLVER_STATUS_INVALID_VALUE);
    f.p[0] = odd;
    OK(cusolverRfDestroy(rf));
    for (int i = 0; i < 4; i++)
        check_glu(a, i & 1, i >> 1);
    return check_result();
}
