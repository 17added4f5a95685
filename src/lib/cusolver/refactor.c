/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cusolverRf: factors matrices with one pattern, whose order and pivots are
 * known: P A Q^T = L U, in the pattern of the first factors. Each matrix of a
 * batch is a tile. Calls run in the default stream and wait.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(default)
#include "cusolverRf.h"
#pragma GCC visibility pop
#include "core/core.h"
#include "lib/common/lib.h"

struct cusolverRfCommon {
    uint32_t magic;
    cusolverRfMatrixFormat_t format;
    cusolverRfUnitDiagonal_t diagonal;
    cusolverRfFactorization_t factorization;
    cusolverRfTriangularSolve_t solution;
    cusolverRfResetValuesFastMode_t fast;
    double zero, boost;
    bool is_boosted, is_ready, is_factored;
    int n, batch;
    int nnz, *a_start, *a_index; /* A's pattern, by rows */
    int *p, *q, *place;          /* q[place[j]] = j */
    double **a;                  /* A's values, of each of the batch */
    /* M's pattern, L without its diagonal and U in one, by rows whose columns
     * are in order; at[i]: where the diagonal of row i is. */
    int *start, *index, *at;
    double **m; /* M's values, of each of the batch */
    int *pivot; /* of each: the first row with a zero on the diagonal, or -1 */
    CUdeviceptr shown; /* M of the first: values, starts of rows, columns */
    CUcontext context; /* whose memory `shown` is */
};

enum { RF_MAGIC = 0x72666163 };

static bool is_handle(cusolverRfHandle_t h)
{
    return h && h->magic == RF_MAGIC;
}

#define CHECK(handle, is_valid)                                                \
    do {                                                                       \
        if (!is_handle(handle))                                                \
            return CUSOLVER_STATUS_NOT_INITIALIZED;                            \
        if (!(is_valid))                                                       \
            return CUSOLVER_STATUS_INVALID_VALUE;                              \
    } while (0)

/* ---- handles ---------------------------------------------------------- */

cusolverStatus_t cusolverRfCreate(cusolverRfHandle_t *handle)
{
    if (!handle)
        return CUSOLVER_STATUS_INVALID_VALUE;
    if (lib_start() != CUDA_SUCCESS)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    struct cusolverRfCommon *h = calloc(1, sizeof *h);
    if (!h)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    h->magic = RF_MAGIC;
    h->solution = CUSOLVERRF_TRIANGULAR_SOLVE_ALG1;
    *handle = h;
    return CUSOLVER_STATUS_SUCCESS;
}

static void drop_matrices(cusolverRfHandle_t h)
{
    if (h->shown)
        mem_free(h->context, h->shown);
    h->shown = 0;
    for (int i = 0; i < h->batch; i++) {
        free(h->a ? h->a[i] : NULL);
        free(h->m ? h->m[i] : NULL);
    }
    void *all[] = {h->a,     h->m,  h->a_start, h->a_index, h->p,    h->q,
                   h->place, h->at, h->start,   h->index,   h->pivot};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    h->a = h->m = NULL;
    h->a_start = h->a_index = h->p = h->q = h->place = NULL;
    h->at = h->start = h->index = h->pivot = NULL;
    h->batch = 0;
    h->is_ready = h->is_factored = false;
}

cusolverStatus_t cusolverRfDestroy(cusolverRfHandle_t handle)
{
    CHECK(handle, true);
    drop_matrices(handle);
    handle->magic = 0;
    free(handle);
    return CUSOLVER_STATUS_SUCCESS;
}

/* ---- parameters ------------------------------------------------------- */

cusolverStatus_t cusolverRfGetMatrixFormat(cusolverRfHandle_t handle,
                                           cusolverRfMatrixFormat_t *format,
                                           cusolverRfUnitDiagonal_t *diag)
{
    CHECK(handle, format && diag);
    *format = handle->format;
    *diag = handle->diagonal;
    return CUSOLVER_STATUS_SUCCESS;
}

/* NOT_SUPPORTED: other formats than CSR, and a diagonal of ones in U. */
cusolverStatus_t cusolverRfSetMatrixFormat(cusolverRfHandle_t handle,
                                           cusolverRfMatrixFormat_t format,
                                           cusolverRfUnitDiagonal_t diag)
{
    CHECK(handle, (unsigned)format <= CUSOLVERRF_MATRIX_FORMAT_CSC &&
                      (unsigned)diag <= CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U);
    if (format != CUSOLVERRF_MATRIX_FORMAT_CSR ||
        (diag != CUSOLVERRF_UNIT_DIAGONAL_STORED_L &&
         diag != CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L))
        return CUSOLVER_STATUS_NOT_SUPPORTED;
    handle->format = format;
    handle->diagonal = diag;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverRfSetNumericProperties(cusolverRfHandle_t handle,
                                                double zero, double boost)
{
    CHECK(handle, zero >= 0);
    handle->zero = zero;
    handle->boost = boost;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverRfGetNumericProperties(cusolverRfHandle_t handle,
                                                double *zero, double *boost)
{
    CHECK(handle, zero && boost);
    *zero = handle->zero;
    *boost = handle->boost;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t
cusolverRfGetNumericBoostReport(cusolverRfHandle_t handle,
                                cusolverRfNumericBoostReport_t *report)
{
    CHECK(handle, report);
    *report = handle->is_boosted ? CUSOLVERRF_NUMERIC_BOOST_USED
                                 : CUSOLVERRF_NUMERIC_BOOST_NOT_USED;
    return CUSOLVER_STATUS_SUCCESS;
}

/* There is one algorithm. */
cusolverStatus_t cusolverRfSetAlgs(cusolverRfHandle_t handle,
                                   cusolverRfFactorization_t factAlg,
                                   cusolverRfTriangularSolve_t solveAlg)
{
    CHECK(handle, true); /* an H200 takes any number */
    handle->factorization = factAlg;
    handle->solution = solveAlg;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverRfGetAlgs(cusolverRfHandle_t handle,
                                   cusolverRfFactorization_t *factAlg,
                                   cusolverRfTriangularSolve_t *solveAlg)
{
    CHECK(handle, factAlg && solveAlg);
    *factAlg = handle->factorization;
    *solveAlg = handle->solution;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t
cusolverRfGetResetValuesFastMode(cusolverRfHandle_t handle,
                                 cusolverRfResetValuesFastMode_t *fastMode)
{
    CHECK(handle, fastMode);
    *fastMode = handle->fast;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t
cusolverRfSetResetValuesFastMode(cusolverRfHandle_t handle,
                                 cusolverRfResetValuesFastMode_t fastMode)
{
    CHECK(handle, (unsigned)fastMode <= CUSOLVERRF_RESET_VALUES_FAST_MODE_ON);
    handle->fast = fastMode;
    return CUSOLVER_STATUS_SUCCESS;
}

/* ---- set-up ----------------------------------------------------------- */

static int *copy_ints(const int *from, int count)
{
    int *to = malloc(((size_t)count + 1) * sizeof *to);
    if (to)
        memcpy(to, from, (size_t)count * sizeof *to);
    return to;
}

static int compare_ints(const void *a, const void *b)
{
    return (*(const int *)a > *(const int *)b) -
           (*(const int *)a < *(const int *)b);
}

/* Makes row i of M's pattern from those of L and U; false: U has no diagonal
 * there. */
static bool join_row(cusolverRfHandle_t h, int i, const int *l_start,
                     const int *l_index, const int *u_start, const int *u_index)
{
    int put = h->start[i];
    for (int p = l_start[i]; p < l_start[i + 1]; p++) {
        if (l_index[p] < i)
            h->index[put++] = l_index[p];
    }
    for (int p = u_start[i]; p < u_start[i + 1]; p++) {
        if (u_index[p] >= i)
            h->index[put++] = u_index[p];
    }
    h->start[i + 1] = put;
    qsort(h->index + h->start[i], (size_t)(put - h->start[i]), sizeof *h->index,
          compare_ints);
    for (int p = h->start[i]; p < put; p++) {
        if (h->index[p] == i) {
            h->at[i] = p;
            return true;
        }
    }
    return false;
}

/* nnz_m: the most entries of M. False: drop_matrices frees what there is. */
static bool allocate_arrays(cusolverRfHandle_t h, int nnz_m)
{
    h->place = calloc((size_t)h->n + 1, sizeof *h->place);
    h->at = calloc((size_t)h->n + 1, sizeof *h->at);
    h->start = calloc((size_t)h->n + 1, sizeof *h->start);
    h->index = calloc((size_t)nnz_m + 1, sizeof *h->index);
    h->a = calloc((size_t)h->batch, sizeof *h->a);
    h->m = calloc((size_t)h->batch, sizeof *h->m);
    h->pivot = calloc((size_t)h->batch, sizeof *h->pivot);
    bool is_there = h->place && h->at && h->start && h->index && h->a && h->m &&
                    h->pivot && h->p && h->q && h->a_start && h->a_index;
    for (int i = 0; is_there && i < h->batch; i++) {
        h->a[i] = malloc(((size_t)h->nnz + 1) * sizeof(double));
        h->m[i] = calloc((size_t)nnz_m + 1, sizeof(double));
        is_there = h->a[i] && h->m[i];
    }
    return is_there;
}

struct pattern {
    int n, nnz, batch;
    const int *a_start, *a_index, *l_start, *l_index, *u_start, *u_index;
    const int *p, *q;
};

/* Are of[0] to of[n - 1] each number below n once? place: n zeros, then where
 * each number is. */
static bool is_permutation(const int *of, int n, int *place)
{
    for (int i = 0; i < n; i++) {
        if ((unsigned)of[i] >= (unsigned)n || place[of[i]])
            return false;
        place[of[i]] = i + 1;
    }
    for (int i = 0; i < n; i++)
        place[i]--;
    return true;
}

/* Do rows follow each other, and are all columns inside? */
static bool is_pattern(const int *start, const int *index, int n, int nnz)
{
    if (start[0] != 0 || start[n] != nnz)
        return false;
    for (int i = 0; i < n; i++) {
        if (start[i + 1] < start[i] || start[i + 1] > nnz)
            return false;
    }
    for (int p = 0; p < nnz; p++) {
        if ((unsigned)index[p] >= (unsigned)n)
            return false;
    }
    return true;
}

/* Checks P, Q and the three patterns, and fills in h->place. */
static bool is_sound(cusolverRfHandle_t h, const struct pattern *f, int nnz_l,
                     int nnz_u)
{
    if (!is_permutation(f->p, f->n, h->place))
        return false;
    memset(h->place, 0, (size_t)f->n * sizeof *h->place);
    return is_permutation(f->q, f->n, h->place) &&
           is_pattern(f->a_start, f->a_index, f->n, f->nnz) &&
           is_pattern(f->l_start, f->l_index, f->n, nnz_l) &&
           is_pattern(f->u_start, f->u_index, f->n, nnz_u);
}

static cusolverStatus_t set_up(cusolverRfHandle_t h, const struct pattern *f,
                               double *const *values, int nnz_l, int nnz_u)
{
    drop_matrices(h);
    h->n = f->n;
    h->nnz = f->nnz;
    h->batch = f->batch;
    h->a_start = copy_ints(f->a_start, f->n + 1);
    h->a_index = copy_ints(f->a_index, f->nnz);
    h->p = copy_ints(f->p, f->n);
    h->q = copy_ints(f->q, f->n);
    if (!allocate_arrays(h, nnz_l + nnz_u)) {
        drop_matrices(h);
        return CUSOLVER_STATUS_ALLOC_FAILED;
    }
    bool is_valid = is_sound(h, f, nnz_l, nnz_u);
    for (int i = 0; i < h->n; i++) {
        if (!is_valid ||
            !join_row(h, i, f->l_start, f->l_index, f->u_start, f->u_index)) {
            drop_matrices(h);
            return CUSOLVER_STATUS_INVALID_VALUE;
        }
    }
    for (int i = 0; i < h->batch; i++)
        memcpy(h->a[i], values[i], (size_t)h->nnz * sizeof(double));
    h->is_ready = true;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverRfBatchSetupHost(
    int batchSize, int n, int nnzA, int *h_csrRowPtrA, int *h_csrColIndA,
    double *h_csrValA_array[], int nnzL, int *h_csrRowPtrL, int *h_csrColIndL,
    double *h_csrValL, int nnzU, int *h_csrRowPtrU, int *h_csrColIndU,
    double *h_csrValU, int *h_P, int *h_Q, cusolverRfHandle_t handle)
{
    CHECK(handle, batchSize > 0 && n > 0 && nnzA >= 0 && nnzL >= 0 &&
                      nnzU > 0 && h_csrRowPtrA && h_csrColIndA &&
                      h_csrValA_array && h_csrRowPtrL &&
                      (h_csrColIndL || nnzL == 0) && h_csrRowPtrU &&
                      h_csrColIndU && h_P && h_Q);
    (void)h_csrValL, (void)h_csrValU; /* Refactor computes them */
    struct pattern f = {n,
                        nnzA,
                        batchSize,
                        h_csrRowPtrA,
                        h_csrColIndA,
                        h_csrRowPtrL,
                        h_csrColIndL,
                        h_csrRowPtrU,
                        h_csrColIndU,
                        h_P,
                        h_Q};
    return set_up(handle, &f, h_csrValA_array, nnzL, nnzU);
}

cusolverStatus_t
cusolverRfSetupHost(int n, int nnzA, int *h_csrRowPtrA, int *h_csrColIndA,
                    double *h_csrValA, int nnzL, int *h_csrRowPtrL,
                    int *h_csrColIndL, double *h_csrValL, int nnzU,
                    int *h_csrRowPtrU, int *h_csrColIndU, double *h_csrValU,
                    int *h_P, int *h_Q, cusolverRfHandle_t handle)
{
    CHECK(handle, h_csrValA);
    return cusolverRfBatchSetupHost(1, n, nnzA, h_csrRowPtrA, h_csrColIndA,
                                    &h_csrValA, nnzL, h_csrRowPtrL,
                                    h_csrColIndL, h_csrValL, nnzU, h_csrRowPtrU,
                                    h_csrColIndU, h_csrValU, h_P, h_Q, handle);
}

/* The host reads the device's memory: it is one. */
cusolverStatus_t cusolverRfSetupDevice(int n, int nnzA, int *csrRowPtrA,
                                       int *csrColIndA, double *csrValA,
                                       int nnzL, int *csrRowPtrL,
                                       int *csrColIndL, double *csrValL,
                                       int nnzU, int *csrRowPtrU,
                                       int *csrColIndU, double *csrValU, int *P,
                                       int *Q, cusolverRfHandle_t handle)
{
    CHECK(handle, true);
    if (lib_synchronize(NULL))
        return CUSOLVER_STATUS_EXECUTION_FAILED;
    return cusolverRfSetupHost(n, nnzA, csrRowPtrA, csrColIndA, csrValA, nnzL,
                               csrRowPtrL, csrColIndL, csrValL, nnzU,
                               csrRowPtrU, csrColIndU, csrValU, P, Q, handle);
}

cusolverStatus_t cusolverRfBatchAnalyze(cusolverRfHandle_t handle)
{
    CHECK(handle, handle->is_ready);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverRfAnalyze(cusolverRfHandle_t handle)
{
    return cusolverRfBatchAnalyze(handle);
}

/* ---- work ------------------------------------------------------------- */

/* What kernels get; the caller waits, so it may be on its stack. */
struct work {
    cusolverRfHandle_t handle;
    double *const
        *values; /* of each of the batch: new values, right-hand sides */
    const int *p, *q;
    int nrhs, ld;    /* of right-hand sides */
    bool has_failed; /* a tile had no memory */
};

static CUresult run_and_wait(const struct native_kernel *k, int tiles,
                             struct work *w)
{
    CUresult err = lib_run(k, NULL, (uint64_t)tiles, &w);
    return err ? err : lib_synchronize(NULL);
}

static void copy_values(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = *(struct work *const *)args;
    for (uint64_t i = first; i < end; i++)
        memcpy(w->handle->a[i], w->values[i],
               (size_t)w->handle->nnz * sizeof(double));
}

/* Computes row i of M: row i of P A Q^T minus multiples of the rows above. row:
 * n zeros, on return again. */
static void eliminate_row(const struct cusolverRfCommon *h, const double *a,
                          double *m, double *row, int i)
{
    int from = h->p[i];
    for (int p = h->a_start[from]; p < h->a_start[from + 1]; p++)
        row[h->place[h->a_index[p]]] += a[p];
    for (int p = h->start[i]; p < h->at[i]; p++) {
        int k = h->index[p];
        double factor = row[k] / m[h->at[k]];
        row[k] = factor;
        for (int u = h->at[k] + 1; u < h->start[k + 1]; u++)
            row[h->index[u]] -= factor * m[u];
    }
    for (int p = h->start[i]; p < h->start[i + 1]; p++)
        m[p] = row[h->index[p]];
    /* Zeros again, also where M's pattern has no entry. */
    for (int p = h->a_start[from]; p < h->a_start[from + 1]; p++)
        row[h->place[h->a_index[p]]] = 0;
    for (int p = h->start[i]; p < h->at[i]; p++) {
        int k = h->index[p];
        for (int u = h->at[k]; u < h->start[k + 1]; u++)
            row[h->index[u]] = 0;
    }
    for (int p = h->start[i]; p < h->start[i + 1]; p++)
        row[h->index[p]] = 0;
}

/* Matrix `which` of the batch. row: n zeros. */
static void factor_matrix(struct cusolverRfCommon *h, int which, double *row)
{
    double *m = h->m[which];
    h->pivot[which] = -1;
    for (int i = 0; i < h->n; i++) {
        eliminate_row(h, h->a[which], m, row, i);
        double *diagonal = &m[h->at[i]];
        if (fabs(*diagonal) > h->zero)
            continue;
        if (h->boost != 0) {
            *diagonal = h->boost;
            __atomic_store_n(&h->is_boosted, true, __ATOMIC_RELAXED);
        } else if (*diagonal == 0 && h->pivot[which] < 0) {
            h->pivot[which] = i;
        }
    }
}

static void factor_tiles(const void *args, uint64_t first, uint64_t end)
{
    struct work *w = *(struct work *const *)args;
    double *row = calloc((size_t)w->handle->n, sizeof *row);
    if (!row)
        __atomic_store_n(&w->has_failed, true, __ATOMIC_RELAXED);
    for (uint64_t i = first; row && i < end; i++)
        factor_matrix(w->handle, (int)i, row);
    free(row);
}

/* x = A^-1 x by the values m; t: n numbers of scratch. */
static void solve_system(const struct cusolverRfCommon *h, const struct work *w,
                         const double *m, double *x, double *t)
{
    for (int i = 0; i < h->n; i++) {
        t[i] = x[w->p[i]];
        for (int p = h->start[i]; p < h->at[i]; p++)
            t[i] -= m[p] * t[h->index[p]];
    }
    for (int i = h->n - 1; i >= 0; i--) {
        for (int p = h->at[i] + 1; p < h->start[i + 1]; p++)
            t[i] -= m[p] * t[h->index[p]];
        t[i] /= m[h->at[i]];
    }
    for (int i = 0; i < h->n; i++)
        x[w->q[i]] = t[i];
}

/* A tile is a right-hand side of one of the batch. */
static void solve_tiles(const void *args, uint64_t first, uint64_t end)
{
    struct work *w = *(struct work *const *)args;
    double *t = malloc((size_t)w->handle->n * sizeof *t);
    if (!t)
        __atomic_store_n(&w->has_failed, true, __ATOMIC_RELAXED);
    for (uint64_t i = first; t && i < end; i++) {
        uint64_t which = i / (unsigned)w->nrhs, side = i % (unsigned)w->nrhs;
        solve_system(w->handle, w, w->handle->m[which],
                     w->values[which] + side * (unsigned)w->ld, t);
    }
    free(t);
}

static const struct native_kernel copying = {"cusolver_rf_values", copy_values,
                                             sizeof(struct work *), 1 << 18};
static const struct native_kernel factoring = {"cusolver_rf", factor_tiles,
                                               sizeof(struct work *), 1 << 18};
static const struct native_kernel solving = {"cusolver_rf_solve", solve_tiles,
                                             sizeof(struct work *), 1 << 18};

static cusolverStatus_t status_of(CUresult err, const struct work *w)
{
    if (err)
        return CUSOLVER_STATUS_EXECUTION_FAILED;
    return w->has_failed ? CUSOLVER_STATUS_ALLOC_FAILED
                         : CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverRfBatchResetValues(int batchSize, int n, int nnzA,
                                            int *csrRowPtrA, int *csrColIndA,
                                            double *csrValA_array[], int *P,
                                            int *Q, cusolverRfHandle_t handle)
{
    CHECK(handle, handle->is_ready && batchSize == handle->batch &&
                      n == handle->n && nnzA == handle->nnz && csrRowPtrA &&
                      csrColIndA && csrValA_array && P && Q);
    struct work w = {.handle = handle, .values = csrValA_array};
    return status_of(run_and_wait(&copying, handle->batch, &w), &w);
}

cusolverStatus_t cusolverRfResetValues(int n, int nnzA, int *csrRowPtrA,
                                       int *csrColIndA, double *csrValA, int *P,
                                       int *Q, cusolverRfHandle_t handle)
{
    CHECK(handle, csrValA);
    return cusolverRfBatchResetValues(1, n, nnzA, csrRowPtrA, csrColIndA,
                                      &csrValA, P, Q, handle);
}

cusolverStatus_t cusolverRfBatchRefactor(cusolverRfHandle_t handle)
{
    CHECK(handle, handle->is_ready);
    struct work w = {.handle = handle};
    handle->is_boosted = false;
    cusolverStatus_t status =
        status_of(run_and_wait(&factoring, handle->batch, &w), &w);
    handle->is_factored = !status;
    return status;
}

cusolverStatus_t cusolverRfRefactor(cusolverRfHandle_t handle)
{
    cusolverStatus_t status = cusolverRfBatchRefactor(handle);
    return !status && handle->pivot[0] >= 0 ? CUSOLVER_STATUS_ZERO_PIVOT
                                            : status;
}

cusolverStatus_t cusolverRfBatchZeroPivot(cusolverRfHandle_t handle,
                                          int *position)
{
    CHECK(handle, handle->is_factored && position);
    cusolverStatus_t status = CUSOLVER_STATUS_SUCCESS;
    for (int i = 0; i < handle->batch; i++) {
        position[i] = handle->pivot[i];
        if (position[i] >= 0)
            status = CUSOLVER_STATUS_ZERO_PIVOT;
    }
    return status;
}

cusolverStatus_t cusolverRfBatchSolve(cusolverRfHandle_t handle, int *P, int *Q,
                                      int nrhs, double *Temp, int ldt,
                                      double *XF_array[], int ldxf)
{
    (void)Temp, (void)ldt;
    CHECK(handle, handle->is_factored && P && Q && nrhs > 0 && XF_array &&
                      ldxf >= handle->n);
    struct work w = {.handle = handle,
                     .values = XF_array,
                     .p = P,
                     .q = Q,
                     .nrhs = nrhs,
                     .ld = ldxf};
    return status_of(run_and_wait(&solving, handle->batch * nrhs, &w), &w);
}

cusolverStatus_t cusolverRfSolve(cusolverRfHandle_t handle, int *P, int *Q,
                                 int nrhs, double *Temp, int ldt, double *XF,
                                 int ldxf)
{
    CHECK(handle, XF);
    return cusolverRfBatchSolve(handle, P, Q, nrhs, Temp, ldt, &XF, ldxf);
}

/* ---- factors for the program, which frees those of the host ----------- */

cusolverStatus_t cusolverRfExtractBundledFactorsHost(cusolverRfHandle_t handle,
                                                     int *h_nnzM, int **h_Mp,
                                                     int **h_Mi, double **h_Mx)
{
    CHECK(handle, handle->is_factored && h_nnzM && h_Mp && h_Mi && h_Mx);
    int count = handle->start[handle->n];
    int *start = copy_ints(handle->start, handle->n + 1);
    int *index = copy_ints(handle->index, count);
    double *value = malloc(((size_t)count + 1) * sizeof *value);
    if (!start || !index || !value) {
        free(start);
        free(index);
        free(value);
        return CUSOLVER_STATUS_ALLOC_FAILED;
    }
    memcpy(value, handle->m[0], (size_t)count * sizeof *value);
    *h_nnzM = count;
    *h_Mp = start;
    *h_Mi = index;
    *h_Mx = value;
    return CUSOLVER_STATUS_SUCCESS;
}

/* The program reads a copy, which stays the handle's. It has later factors only
 * after another call. */
cusolverStatus_t cusolverRfAccessBundledFactorsDevice(cusolverRfHandle_t handle,
                                                      int *nnzM, int **Mp,
                                                      int **Mi, double **Mx)
{
    CHECK(handle, handle->is_factored && nnzM && Mp && Mi && Mx);
    size_t rows = (size_t)handle->n + 1,
           count = (size_t)handle->start[rows - 1];
    size_t bytes = count * sizeof(double) + (rows + count) * sizeof(int);
    if (!handle->shown && (ctx_of_thread(&handle->context) ||
                           mem_alloc(handle->context, &handle->shown, bytes)))
        return CUSOLVER_STATUS_ALLOC_FAILED;
    double *values = (double *)handle->shown;
    int *start = (int *)(values + count);
    memcpy(values, handle->m[0], count * sizeof *values);
    memcpy(start, handle->start, rows * sizeof *start);
    memcpy(start + rows, handle->index, count * sizeof *start);
    *nnzM = (int)count;
    *Mp = start;
    *Mi = start + rows;
    *Mx = values;
    return CUSOLVER_STATUS_SUCCESS;
}

/* L or U, in memory of malloc. */
struct triangle {
    int count, *start, *index;
    double *value;
};

static bool make_triangle(const struct cusolverRfCommon *h, bool is_upper,
                          struct triangle *t)
{
    size_t most = (size_t)h->start[h->n] + (size_t)h->n + 1;
    bool has_ones = h->diagonal == CUSOLVERRF_UNIT_DIAGONAL_STORED_L;
    *t = (struct triangle){0, calloc((size_t)h->n + 1, sizeof(int)),
                           calloc(most, sizeof(int)),
                           calloc(most, sizeof(double))};
    if (!t->start || !t->index || !t->value)
        return false;
    for (int i = 0; i < h->n; i++) {
        int first = is_upper ? h->at[i] : h->start[i];
        int end = is_upper ? h->start[i + 1] : h->at[i];
        for (int p = first; p < end; p++) {
            t->index[t->count] = h->index[p];
            t->value[t->count++] = h->m[0][p];
        }
        if (!is_upper && has_ones) {
            t->index[t->count] = i;
            t->value[t->count++] = 1;
        }
        t->start[i + 1] = t->count;
    }
    return true;
}

cusolverStatus_t cusolverRfExtractSplitFactorsHost(
    cusolverRfHandle_t handle, int *h_nnzL, int **h_csrRowPtrL,
    int **h_csrColIndL, double **h_csrValL, int *h_nnzU, int **h_csrRowPtrU,
    int **h_csrColIndU, double **h_csrValU)
{
    CHECK(handle, handle->is_factored && h_nnzL && h_csrRowPtrL &&
                      h_csrColIndL && h_csrValL && h_nnzU && h_csrRowPtrU &&
                      h_csrColIndU && h_csrValU);
    struct triangle l, u = {0};
    if (!make_triangle(handle, false, &l) || !make_triangle(handle, true, &u)) {
        void *all[] = {l.start, l.index, l.value, u.start, u.index, u.value};
        for (int i = 0; i < 6; i++)
            free(all[i]);
        return CUSOLVER_STATUS_ALLOC_FAILED;
    }
    *h_nnzL = l.count;
    *h_csrRowPtrL = l.start;
    *h_csrColIndL = l.index;
    *h_csrValL = l.value;
    *h_nnzU = u.count;
    *h_csrRowPtrU = u.start;
    *h_csrColIndU = u.index;
    *h_csrValU = u.value;
    return CUSOLVER_STATUS_SUCCESS;
}
