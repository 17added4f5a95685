/* SPDX-License-Identifier: Apache-2.0 */
/* cusolverSp in four types: solutions put back into their equations, factors
 * multiplied out, orders that are permutations, singular matrices, bad input.
 */
#include "../exec/check.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "cusolverSp.h"
#include "cusolverSp_LOWLEVEL_PREVIEW.h"
#include "cusparse.h"

typedef double complex number;

/* A grid of SIDE x SIDE points, each next to four others. */
enum { SIDE = 9, N = SIDE * SIDE, MOST = 5 * N, BATCH = 3 };

static cusolverSpHandle_t handle;
static cusparseMatDescr_t descr;
static int base, start[N + 1], column[MOST], count;
static number value[MOST];
static uint64_t seed = 1;

#define OK(call)              CHECK_EQUAL((int)(call), CUSOLVER_STATUS_SUCCESS)
#define REFUSED(status, call) CHECK_EQUAL((int)(call), CUSOLVER_STATUS_##status)

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

/* Hermitian and definite, or random with a strong diagonal that is not where
 * it was if `shift` is not 0. */
static void make_matrix(int is_hermitian, int is_complex, int shift)
{
    count = 0;
    for (int i = 0; i < N; i++) {
        static const int steps[] = {-SIDE, -1, 0, 1, SIDE};
        start[i] = count + base;
        for (int k = 0; k < 5; k++) {
            int j = i + steps[k], to = (j + shift) % N;
            if (j < 0 || j >= N || (steps[k] == 1 && j % SIDE == 0) ||
                (steps[k] == -1 && i % SIDE == 0))
                continue;
            number x = random_real() + (is_complex ? random_real() * I : 0);
            if (is_hermitian)
                x = k == 2 ? 5 : -1 + (is_complex ? (k < 2 ? I : -I) / 2 : 0);
            else if (k == 2)
                x += 4;
            column[count] = to + base;
            value[count++] = x;
        }
    }
    start[N] = count + base;
}

static double residual(const number *v, const number *x, const number *b)
{
    double most = 0;
    for (int i = 0; i < N; i++) {
        number sum = -b[i];
        for (int p = start[i] - base; p < start[i + 1] - base; p++)
            sum += v[p] * x[column[p] - base];
        most = fmax(most, isnan(cabs(sum)) ? INFINITY : cabs(sum));
    }
    return most;
}

static int is_permutation(const int *p)
{
    char seen[N] = {0};
    for (int i = 0; i < N; i++) {
        if (p[i] < 0 || p[i] >= N || seen[p[i]])
            return 0;
        seen[p[i]] = 1;
    }
    return 1;
}

#define CUSOLVER_ROWS "../../tests/cusolver/sparse_typed.h"
#include "weft/cusolver_types.h"

static void test_orders(void)
{
    int p[N], q[N], map[MOST], s[N + 1], c[MOST], is_symmetric = -1;
    size_t bytes = 0;
    make_matrix(0, 0, 0);
    OK(cusolverSpXcsrissymHost(handle, N, count, descr, start, start + 1,
                               column, &is_symmetric));
    CHECK_EQUAL(is_symmetric, 1);
    int end[N];
    memcpy(end, start + 1, sizeof end);
    end[N - 1] = base + count + 1; /* one entry more than there are */
    CHECK_EQUAL(cusolverSpXcsrissymHost(handle, N, count, descr, start, end,
                                        column, &is_symmetric),
                CUSOLVER_STATUS_INVALID_VALUE);
    OK(cusolverSpXcsrsymamdHost(handle, N, count, descr, start, column, q));
    CHECK(is_permutation(q));
    OK(cusolverSpXcsrsymmdqHost(handle, N, count, descr, start, column, q));
    CHECK(is_permutation(q));
    OK(cusolverSpXcsrmetisndHost(handle, N, count, descr, start, column, NULL,
                                 q));
    CHECK(is_permutation(q));
    OK(cusolverSpXcsrsymrcmHost(handle, N, count, descr, start, column, p));
    CHECK(is_permutation(p));
    memcpy(s, start, sizeof s);
    memcpy(c, column, sizeof c);
    for (int i = 0; i < count; i++)
        map[i] = i;
    OK(cusolverSpXcsrperm_bufferSizeHost(handle, N, N, count, descr, s, c, p, q,
                                         &bytes));
    CHECK(bytes > 0);
    OK(cusolverSpXcsrpermHost(handle, N, N, count, descr, s, c, p, q, map,
                              NULL));
    for (int i = 0; i < N; i++) {
        for (int k = s[i] - base; k < s[i + 1] - base; k++) {
            CHECK(map[k] >= start[p[i]] - base &&
                  map[k] < start[p[i] + 1] - base);
            CHECK_EQUAL(q[c[k] - base], column[map[k]] - base);
            CHECK(k == s[i] - base || c[k - 1] < c[k]);
        }
    }
    make_matrix(0, 0, 3);
    OK(cusolverSpXcsrissymHost(handle, N, count, descr, start, start + 1,
                               column, &is_symmetric));
    CHECK_EQUAL(is_symmetric, 0);
}

/* What a narrow order is for: the band of a grid that was shuffled. */
static void test_band(void)
{
    int p[N], place[N], widest = 0, shuffled[N];
    make_matrix(0, 0, 0);
    for (int i = 0; i < N; i++)
        shuffled[i] = i * 32 % N;
    int s[N + 1], c[MOST], put = 0;
    for (int i = 0; i < N; i++) {
        s[i] = put + base;
        for (int k = start[shuffled[i]] - base;
             k < start[shuffled[i] + 1] - base; k++) {
            for (int j = 0; j < N; j++) {
                if (shuffled[j] == column[k] - base)
                    c[put] = j + base;
            }
            put++;
        }
    }
    s[N] = put + base;
    OK(cusolverSpXcsrsymrcmHost(handle, N, count, descr, s, c, p));
    for (int i = 0; i < N; i++)
        place[p[i]] = i;
    for (int i = 0; i < N; i++) {
        for (int k = s[i] - base; k < s[i + 1] - base; k++) {
            int width = abs(place[i] - place[c[k] - base]);
            widest = width > widest ? width : widest;
        }
    }
    CHECK(widest <= SIDE + 1);
}

/* A ring of n: its eigenvalues are the n-th roots of 1; times 2. */
static void test_count(void)
{
    int rows[N + 1], columns[N], found = -1;
    float s[N];
    double d[N];
    cuComplex c[N];
    cuDoubleComplex z[N];
    for (int i = 0; i < N; i++) {
        rows[i] = i + base;
        columns[i] = (i + 1) % N + base;
        s[i] = 2;
        d[i] = 2;
        c[i] = make_cuComplex(0, 2); /* turned by a quarter */
        z[i] = make_cuDoubleComplex(0, 2);
    }
    rows[N] = N + base;
    int right = 0, above = 0;
    for (int k = 0; k < N; k++) {
        double angle = 6.283185307179586 * k / N;
        right += cos(angle) > 0.1;
        above += cos(angle) > 0.1 && sin(angle) > 0.3;
    }
    cuDoubleComplex low = {0.2, -3}, high = {3, 3};
    cuDoubleComplex low_turned = {-3, 0.2}, low_above = {0.2, 0.6};
    cuComplex low_f = {0.2f, 0.6f}, high_f = {3, 3}, turned_f = {-3, 0.2f};
    OK(cusolverSpDcsreigsHost(handle, N, N, descr, d, rows, columns, low, high,
                              &found));
    CHECK_EQUAL(found, right);
    OK(cusolverSpDcsreigsHost(handle, N, N, descr, d, rows, columns, low_above,
                              high, &found));
    CHECK_EQUAL(found, above);
    OK(cusolverSpScsreigsHost(handle, N, N, descr, s, rows, columns, low_f,
                              high_f, &found));
    CHECK_EQUAL(found, above);
    OK(cusolverSpZcsreigsHost(handle, N, N, descr, z, rows, columns, low_turned,
                              high, &found));
    CHECK_EQUAL(found, right);
    OK(cusolverSpCcsreigsHost(handle, N, N, descr, c, rows, columns, turned_f,
                              high_f, &found));
    CHECK_EQUAL(found, right);
    REFUSED(INVALID_VALUE, cusolverSpDcsreigsHost(handle, N, N, descr, d, rows,
                                                  columns, low, high, NULL));
    REFUSED(INVALID_VALUE,
            cusolverSpDcsreigsHost(handle, N, N, descr, NULL, rows, columns,
                                   low, high, &found));
}

static void test_statuses(void)
{
    double x[N], b[N], v[MOST] = {1};
    int position;
    cusolverSpHandle_t none = NULL;
    make_matrix(0, 0, 0);
    REFUSED(NOT_INITIALIZED,
            cusolverSpDcsrlsvqrHost(none, N, count, descr, v, start, column, b,
                                    0, 0, x, &position));
    REFUSED(INVALID_VALUE,
            cusolverSpDcsrlsvqrHost(handle, -1, count, descr, v, start, column,
                                    b, 0, 0, x, &position));
    REFUSED(INVALID_VALUE,
            cusolverSpDcsrlsvqrHost(handle, N, count, descr, v, start, column,
                                    b, 0, 4, x, &position));
    REFUSED(INVALID_VALUE,
            cusolverSpDcsrlsvqrHost(handle, N, count, descr, v, start, column,
                                    b, 0, 0, x, NULL));
    REFUSED(MATRIX_TYPE_NOT_SUPPORTED, /* as on an H200 */
            cusolverSpDcsrlsvqrHost(handle, N, count, NULL, v, start, column, b,
                                    0, 0, x, &position));
    /* Rows and columns that leave the matrix; orders that are none. */
    int kept = column[3], p[N], map[MOST] = {0};
    for (int i = 0; i < N; i++)
        p[i] = i;
    REFUSED(INVALID_VALUE, cusolverSpXcsrsymrcmHost(handle, N / 2, count, descr,
                                                    start, column, p));
    column[3] = N + base;
    REFUSED(INVALID_VALUE,
            cusolverSpDcsrlsvqr(handle, N, count, descr, v, start, column, b, 0,
                                0, x, &position));
    column[3] = base - 1;
    REFUSED(INVALID_VALUE,
            cusolverSpDcsrlsvluHost(handle, N, count, descr, v, start, column,
                                    b, 0, 0, x, &position));
    column[3] = kept;
    kept = start[3];
    start[3] = start[4] + 1;
    REFUSED(INVALID_VALUE,
            cusolverSpDcsrlsvcholHost(handle, N, count, descr, v, start, column,
                                      b, 0, 0, x, &position));
    start[3] = kept;
    p[2] = p[1];
    REFUSED(INVALID_VALUE,
            cusolverSpXcsrpermHost(handle, N, N, count, descr, start, column, p,
                                   p, map, NULL));
    REFUSED(INVALID_VALUE, cusolverSpCreate(NULL));
    REFUSED(NOT_INITIALIZED, cusolverSpDestroy(none));
    csrqrInfo_t info;
    OK(cusolverSpCreateCsrqrInfo(&info));
    REFUSED(INVALID_VALUE,
            cusolverSpDcsrqrZeroPivot(handle, info, 0, &position));
    OK(cusolverSpDestroyCsrqrInfo(info));
}

int main(void)
{
    cudaStream_t stream;
    CHECK_EQUAL(cudaStreamCreate(&stream), 0);
    OK(cusolverSpCreate(&handle));
    OK(cusolverSpSetStream(handle, stream));
    CHECK_EQUAL(cusparseCreateMatDescr(&descr), 0);
    for (base = 0; base < 2; base++) {
        cusparseSetMatIndexBase(descr, (cusparseIndexBase_t)base);
        cusolverDnS_sparse();
        cusolverDnD_sparse();
        cusolverDnC_sparse();
        cusolverDnZ_sparse();
        test_orders();
        test_band();
        test_count();
        test_statuses();
    }
    OK(cusolverSpDestroy(handle));
    return check_result();
}
