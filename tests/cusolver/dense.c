/* SPDX-License-Identifier: Apache-2.0 */
/* cuSOLVER's dense functions in four types: what they give is multiplied out
 * in double and must be what was asked for within a bound from theory. */
#include "../exec/check.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "cusolverDn.h"

typedef double complex number;

enum { N = 37, LD = 41, M = 50, BATCH = 3, ROOM = 64 * 64 };

static cusolverDnHandle_t handle;
static cudaStream_t stream;
static syevjInfo_t eigen_params;
static gesvdjInfo_t singular_params;
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

/* ---- matrices in double, without gaps --------------------------------- */

struct dense {
    int m, n;
    number at[ROOM];
};

static number *at(struct dense *a, int row, int column)
{
    return &a->at[row + column * a->m];
}

static struct dense adjoint(struct dense *a)
{
    struct dense t = {a->n, a->m, {0}};
    for (int i = 0; i < a->m; i++) {
        for (int j = 0; j < a->n; j++)
            *at(&t, j, i) = conj(*at(a, i, j));
    }
    return t;
}

static struct dense product(struct dense *a, struct dense *b)
{
    struct dense c = {a->m, b->n, {0}};
    for (int j = 0; j < c.n; j++) {
        for (int k = 0; k < a->n; k++) {
            for (int i = 0; i < c.m; i++)
                *at(&c, i, j) += *at(a, i, k) * *at(b, k, j);
        }
    }
    return c;
}

static double largest(struct dense *a)
{
    double most = 0;
    for (int i = 0; i < a->m * a->n; i++)
        most = fmax(most, isnan(cabs(a->at[i])) ? INFINITY : cabs(a->at[i]));
    return most;
}

static void check_equal_at(int line, const char *what, struct dense *a,
                           struct dense *b, double bound)
{
    struct dense d = *a;
    for (int i = 0; i < a->m * a->n; i++)
        d.at[i] -= b->at[i];
    if (a->m == b->m && a->n == b->n && largest(&d) <= bound)
        return;
    fprintf(stderr, "dense.c:%d: %s: off by %g, bound %g\n", line, what,
            largest(&d), bound);
    check_failures++;
}
#define CHECK_NEAR(a, b, bound)                                                \
    check_equal_at(line, __func__, &(a), &(b), (bound)*eps)

static struct dense identity(int n)
{
    struct dense a = {n, n, {0}};
    for (int i = 0; i < n; i++)
        *at(&a, i, i) = 1;
    return a;
}

static struct dense diagonal(int m, int n, const double *values)
{
    struct dense a = {m, n, {0}};
    for (int i = 0; i < m && i < n; i++)
        *at(&a, i, i) = values[i];
    return a;
}

static void wait_for(int expected, int line)
{
    CHECK_EQUAL(cudaStreamSynchronize(stream), 0);
    if (*info != expected)
        fprintf(stderr, "line %d: ", line);
    CHECK_EQUAL(*info, expected);
    *info = -99;
}

#define CUSOLVER_ROWS "../../tests/cusolver/dense_typed.h"
#include "weft/cusolver_types.h"

/* ---- solvers with refinement ------------------------------------------ */

static void test_refinement(void)
{
    double *a = room(16 * 12 * 8), *b = room(16 * 8), *x = room(16 * 8);
    double expected[12], eps = 1e-12;
    for (int i = 0; i < 16 * 12; i++)
        a[i] = random_real();
    for (int i = 0; i < 12; i++)
        expected[i] = random_real();
    for (int i = 0; i < 16; i++) {
        for (int k = 0; k < 12; k++)
            b[i] += a[i + 16 * k] * expected[k];
    }
    size_t bytes = 0;
    int iterations = -7;
    OK(cusolverDnDSgels_bufferSize(handle, 16, 12, 1, a, 16, b, 16, x, 12, NULL,
                                   &bytes));
    CHECK(bytes > 0);
    OK(cusolverDnDSgels(handle, 16, 12, 1, a, 16, b, 16, x, 12, NULL, bytes,
                        &iterations, info));
    wait_for(0, __LINE__);
    CHECK_EQUAL(iterations, 0);
    for (int i = 0; i < 12; i++)
        CHECK(fabs(x[i] - expected[i]) < eps);
    memset(b, 0, 16 * 8);
    for (int i = 0; i < 12; i++) {
        for (int k = 0; k < 12; k++)
            b[i] += a[i + 16 * k] * expected[k];
    }
    OK(cusolverDnDHgesv(handle, 12, 1, a, 16, pivots, b, 16, x, 12, NULL, bytes,
                        &iterations, info));
    wait_for(0, __LINE__);
    for (int i = 0; i < 12; i++)
        CHECK(fabs(x[i] - expected[i]) < eps);
    for (int i = 0; i < 12; i++)
        a[i + 16 * 2] = 0;
    OK(cusolverDnDDgesv(handle, 12, 1, a, 16, pivots, b, 16, x, 12, NULL, bytes,
                        &iterations, info));
    wait_for(3, __LINE__);
}

static void test_expert(void)
{
    double a[] = {4, 1, 2, 5}, *d = room(sizeof a), *x = room(16);
    double *b = room(16);
    cusolverDnIRSParams_t params;
    cusolverDnIRSInfos_t infos;
    size_t bytes = 0;
    int steps = -1;
    void *history;
    double norm;
    OK(cusolverDnIRSParamsCreate(&params));
    OK(cusolverDnIRSInfosCreate(&infos));
    memcpy(d, a, sizeof a);
    memcpy(b, (double[]){8, 11}, 16);
    CHECK_EQUAL(
        (int)cusolverDnIRSXgesv_bufferSize(handle, params, 2, 1, &bytes),
        CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC);
    OK(cusolverDnIRSParamsSetSolverPrecisions(params, CUSOLVER_R_64F,
                                              CUSOLVER_R_16F));
    OK(cusolverDnIRSParamsSetRefinementSolver(params,
                                              CUSOLVER_IRS_REFINE_GMRES));
    OK(cusolverDnIRSXgesv_bufferSize(handle, params, 2, 1, &bytes));
    CHECK_EQUAL((int)cusolverDnIRSInfosGetResidualHistory(infos, &history),
                CUSOLVER_STATUS_INVALID_VALUE);
    OK(cusolverDnIRSInfosRequestResidual(infos));
    OK(cusolverDnIRSParamsSetMaxIters(params, 3));
    OK(cusolverDnIRSXgesv(handle, params, infos, 2, 1, d, 2, b, 2, x, 2, NULL,
                          bytes, &steps, info));
    wait_for(0, __LINE__);
    CHECK(fabs(4 * x[0] + 2 * x[1] - 8) < 1e-14);
    CHECK(fabs(x[0] + 5 * x[1] - 11) < 1e-14);
    OK(cusolverDnIRSInfosGetNiters(infos, &steps));
    CHECK_EQUAL(steps, 0);
    OK(cusolverDnIRSInfosGetResidualHistory(infos, &history));
    norm = hypot(4 * x[0] + 2 * x[1] - 8, x[0] + 5 * x[1] - 11);
    CHECK(((double *)history)[0] == 0);
    CHECK(fabs(((double *)history)[4] - norm) < 1e-15);
    memset(x, 0, 16);
    OK(cusolverDnIRSXgels(handle, params, infos, 2, 2, 1, d, 2, b, 2, x, 2,
                          NULL, bytes, &steps, info));
    wait_for(0, __LINE__);
    CHECK(fabs(x[0] + 5 * x[1] - 11) < 1e-13);
    /* Two equations for one number: what is left is known. */
    memcpy(b, (double[]){4, 6}, 16);
    OK(cusolverDnIRSXgels(handle, params, infos, 2, 1, 1, d, 2, b, 2, x, 2,
                          NULL, bytes, &steps, info));
    wait_for(0, __LINE__);
    OK(cusolverDnIRSInfosGetResidualHistory(infos, &history));
    CHECK(fabs(((double *)history)[4] - 20 / sqrt(17)) < 1e-13);
    OK(cusolverDnIRSInfosDestroy(infos));
    OK(cusolverDnIRSParamsDestroy(params));
}

/* ---- work in streams -------------------------------------------------- */

static void test_capture(void)
{
    double *a = room(4 * 8), *b = room(2 * 8);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK_EQUAL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), 0);
    OK(cusolverDnDgetrf(handle, 2, 2, a, 2, NULL, pivots, info));
    OK(cusolverDnDgetrs(handle, CUBLAS_OP_N, 2, 1, a, 2, pivots, b, 2, info));
    CHECK_EQUAL(cudaStreamEndCapture(stream, &graph), 0);
    CHECK_EQUAL(cudaGraphInstantiate(&exec, graph, 0), 0);
    for (int i = 1; i < 3; i++) {
        memcpy(a, (double[]){0, 2, 4 * i, 0}, 32);
        memcpy(b, (double[]){8, 6}, 16);
        CHECK_EQUAL(cudaGraphLaunch(exec, stream), 0);
        wait_for(0, __LINE__);
        CHECK(b[0] == 3 && b[1] == 2.0 / i);
    }
    CHECK_EQUAL(cudaGraphExecDestroy(exec), 0);
    CHECK_EQUAL(cudaGraphDestroy(graph), 0);
}

#define REFUSED(status, call) CHECK_EQUAL((int)(call), CUSOLVER_STATUS_##status)

static void test_statuses(void)
{
    float *a = room(64), *w = room(64);
    int value = 0;
    REFUSED(NOT_INITIALIZED, cusolverDnSpotrf(NULL, CUBLAS_FILL_MODE_LOWER, 2,
                                              a, 2, w, 1, info));
    REFUSED(INVALID_VALUE, cusolverDnSpotrf(handle, 7, 2, a, 2, w, 1, info));
    REFUSED(INVALID_VALUE, cusolverDnSpotrf(handle, CUBLAS_FILL_MODE_LOWER, -1,
                                            a, 2, w, 1, info));
    wait_for(-2, __LINE__); /* as on an H200 */
    REFUSED(INVALID_VALUE, cusolverDnSpotrf(handle, CUBLAS_FILL_MODE_LOWER, 2,
                                            a, 1, w, 1, info));
    wait_for(-4, __LINE__);
    REFUSED(INVALID_VALUE, cusolverDnSpotrs(handle, CUBLAS_FILL_MODE_LOWER, 2,
                                            -1, a, 2, w, 2, info));
    wait_for(-3, __LINE__);
    REFUSED(INVALID_VALUE, cusolverDnSpotrs(handle, CUBLAS_FILL_MODE_LOWER, 2,
                                            1, a, 2, w, 1, info));
    wait_for(-7, __LINE__);
    REFUSED(INVALID_VALUE, cusolverDnSgeqrf(handle, 2, 2, a, 1, w, w, 1, info));
    wait_for(-4, __LINE__);
    REFUSED(INVALID_VALUE, cusolverDnSpotrf(handle, CUBLAS_FILL_MODE_LOWER, -1,
                                            a, 2, w, 1, info));
    REFUSED(INVALID_VALUE, cusolverDnSpotrf(handle, CUBLAS_FILL_MODE_LOWER, 2,
                                            a, 1, w, 1, info));
    REFUSED(INVALID_VALUE, cusolverDnSpotrf(handle, CUBLAS_FILL_MODE_LOWER, 2,
                                            NULL, 2, w, 1, info));
    REFUSED(INVALID_VALUE, cusolverDnSpotrf(handle, CUBLAS_FILL_MODE_LOWER, 2,
                                            a, 2, w, 1, NULL));
    REFUSED(INVALID_VALUE,
            cusolverDnSgetrs(handle, 9, 2, 1, a, 2, pivots, w, 2, info));
    REFUSED(INVALID_VALUE, cusolverDnSgesvd(handle, 'X', 'N', 2, 2, a, 2, w, a,
                                            2, a, 2, w, 1, NULL, info));
    REFUSED(INVALID_VALUE,
            cusolverDnSsyevj(handle, 1, 0, 2, a, 2, w, w, 1, info, NULL));
    REFUSED(INVALID_VALUE,
            cusolverDnXpotrf(handle, NULL, 0, 2, CUDA_R_16F, a, 2, CUDA_R_16F,
                             NULL, 0, NULL, 0, info));
    REFUSED(INVALID_VALUE, cusolverDnCreate(NULL));
    REFUSED(NOT_INITIALIZED, cusolverDnSetStream(NULL, stream));
    OK(cusolverDnXsyevjSetMaxSweeps(eigen_params, -1)); /* as on an H200 */
    REFUSED(INVALID_VALUE, cusolverGetProperty(MAJOR_VERSION, NULL));
    REFUSED(INVALID_VALUE, cusolverDnXsyevjGetSweeps(handle, NULL, &value));
    REFUSED(INVALID_VALUE,
            cusolverDnSsyevdx(handle, CUSOLVER_EIG_MODE_VECTOR,
                              CUSOLVER_EIG_RANGE_I, CUBLAS_FILL_MODE_LOWER, 2,
                              a, 2, 0, 0, 2, 1, &value, w, w, 32, info));
    OK(cusolverGetVersion(&value));
    CHECK_EQUAL(value, 11703);
    OK(cusolverDnSpotrf(handle, CUBLAS_FILL_MODE_LOWER, 0, NULL, 1, w, 1,
                        info));
    wait_for(0, __LINE__);
}

int main(void)
{
    CHECK_EQUAL(cudaStreamCreate(&stream), 0);
    OK(cusolverDnCreate(&handle));
    OK(cusolverDnSetStream(handle, stream));
    OK(cusolverDnCreateSyevjInfo(&eigen_params));
    OK(cusolverDnCreateGesvdjInfo(&singular_params));
    OK(cusolverDnXsyevjSetTolerance(eigen_params, 1e-7));
    OK(cusolverDnXgesvdjSetMaxSweeps(singular_params, 15));
    info = room(64);
    pivots = room(64 * sizeof *pivots);
    wide_pivots = room(64 * sizeof *wide_pivots);
    cusolverDnS_test(__LINE__);
    cusolverDnD_test(__LINE__);
    cusolverDnC_test(__LINE__);
    cusolverDnZ_test(__LINE__);
    test_refinement();
    test_expert();
    test_capture();
    test_statuses();
    OK(cusolverDnDestroySyevjInfo(eigen_params));
    OK(cusolverDnDestroyGesvdjInfo(singular_params));
    OK(cusolverDnDestroy(handle));
    return check_result();
}
