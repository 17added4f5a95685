/* SPDX-License-Identifier: Apache-2.0 */
/* Of sparse.c, once for each type: no guard. */

#define FN(name) CUSOLVER_S(_##name)
#define PARTS    (1 + CUSOLVER_IS_COMPLEX)
#define BOUND    (100 * N * (sizeof(CUSOLVER_R) == 4 ? 1.2e-7 : 2.3e-16))

static void FN(put)(CUSOLVER_T *to, const number *from, int n)
{
    CUSOLVER_R *at = (CUSOLVER_R *)to;
    for (int i = 0; i < n; i++) {
        at[(i + 1) * PARTS - 1] = (CUSOLVER_R)cimag(from[i]);
        at[i * PARTS] = (CUSOLVER_R)creal(from[i]);
    }
}

static void FN(get)(number *to, const CUSOLVER_T *from, int n)
{
    const CUSOLVER_R *at = (const CUSOLVER_R *)from;
    for (int i = 0; i < n; i++)
        to[i] = at[i * PARTS] + (PARTS == 2 ? at[i * PARTS + 1] * I : 0);
}

struct FN(data) {
    CUSOLVER_T v[BATCH * MOST], b[BATCH * N], x[BATCH * N];
    number exact_v[BATCH * MOST], exact_b[BATCH * N];
    int start[N + 1], column[MOST];
};

static void FN(fill)(struct FN(data) * d, int is_hermitian, int shift)
{
    make_matrix(is_hermitian, CUSOLVER_IS_COMPLEX, shift);
    memcpy(d->start, start, sizeof start);
    memcpy(d->column, column, sizeof column);
    for (int i = 0; i < BATCH * count; i++)
        d->exact_v[i] = value[i % count] * (1 + i / count);
    for (int i = 0; i < BATCH * N; i++)
        d->exact_b[i] = random_real();
    FN(put)(d->v, d->exact_v, BATCH * count);
    FN(put)(d->b, d->exact_b, BATCH * N);
    FN(get)(d->exact_v, d->v, BATCH * count);
    FN(get)(d->exact_b, d->b, BATCH * N);
    memset(d->x, 0, sizeof d->x);
}

static void FN(check)(struct FN(data) * d, int line)
{
    number x[N];
    FN(get)(x, d->x, N);
    double off = residual(d->exact_v, x, d->exact_b);
    if (off > BOUND)
        fprintf(stderr, "line %d: off by %g, bound %g\n", line, off, BOUND);
    CHECK(off <= BOUND);
    memset(d->x, 0, sizeof d->x);
}

#define MATRIX  N, count, descr, d->v, d->start, d->column
#define PATTERN N, count, descr, d->start, d->column

static void FN(solve)(struct FN(data) * d, int reorder)
{
    int at = 7;
    FN(fill)(d, 0, 3);
    OK(CUSOLVER_SP(csrlsvluHost)(handle, MATRIX, d->b, 0, reorder, d->x, &at));
    CHECK_EQUAL(at, -1);
    FN(check)(d, __LINE__);
    OK(CUSOLVER_SP(csrlsvqrHost)(handle, MATRIX, d->b, 0, reorder, d->x, &at));
    CHECK_EQUAL(at, -1);
    FN(check)(d, __LINE__);
    OK(CUSOLVER_SP(csrlsvqr)(handle, MATRIX, d->b, 0, reorder, d->x, &at));
    CHECK_EQUAL(at, -1);
    FN(check)(d, __LINE__);
    FN(fill)(d, 1, 0);
    OK(CUSOLVER_SP(csrlsvchol)(handle, MATRIX, d->b, 0, reorder, d->x, &at));
    CHECK_EQUAL(at, -1);
    FN(check)(d, __LINE__);
    OK(CUSOLVER_SP(csrlsvcholHost)(handle, MATRIX, d->b, 0, reorder, d->x,
                                   &at));
    CHECK_EQUAL(at, -1);
    FN(check)(d, __LINE__);
}

/* The last column is zero: it is what LU and QR stop at. */
static void FN(singular)(struct FN(data) * d)
{
    int at = -7;
    FN(fill)(d, 0, 0);
    for (int i = 0; i < count; i++) {
        if (column[i] - base == N - 1)
            memset(&d->v[i], 0, sizeof d->v[i]);
    }
    OK(CUSOLVER_SP(csrlsvluHost)(handle, MATRIX, d->b, 0, 0, d->x, &at));
    CHECK_EQUAL(at, N - 1);
    OK(CUSOLVER_SP(csrlsvqr)(handle, MATRIX, d->b, 0, 0, d->x, &at));
    CHECK_EQUAL(at, N - 1);
    FN(fill)(d, 1, 0);
    number minus = -1;
    for (int p = start[40] - base; p < start[41] - base; p++) {
        if (column[p] - base == 40)
            FN(put)(&d->v[p], &minus, 1);
    }
    OK(CUSOLVER_SP(csrlsvchol)(handle, MATRIX, d->b, 0, 0, d->x, &at));
    CHECK_EQUAL(at, 40);
}

static void FN(lu_steps)(struct FN(data) * d)
{
    csrluInfoHost_t info;
    size_t inside, work;
    int at, nl, nu, p[N], q[N], ls[N + 1], us[N + 1];
    FN(fill)(d, 0, 3);
    OK(cusolverSpCreateCsrluInfoHost(&info));
    OK(cusolverSpXcsrluAnalysisHost(handle, PATTERN, info));
    OK(CUSOLVER_SP(csrluBufferInfoHost)(handle, MATRIX, info, &inside, &work));
    OK(CUSOLVER_SP(csrluFactorHost)(handle, MATRIX, info, 1, NULL));
    OK(CUSOLVER_SP(csrluZeroPivotHost)(handle, info, 0, &at));
    CHECK_EQUAL(at, -1);
    OK(CUSOLVER_SP(csrluSolveHost)(handle, N, d->b, d->x, info, NULL));
    FN(check)(d, __LINE__);
    OK(cusolverSpXcsrluNnzHost(handle, &nl, &nu, info));
    CUSOLVER_T *l = calloc(nl, sizeof *l), *u = calloc(nu, sizeof *u);
    int *lc = calloc(nl, sizeof *lc), *uc = calloc(nu, sizeof *uc);
    OK(CUSOLVER_SP(csrluExtractHost)(handle, p, q, descr, l, ls, lc, descr, u,
                                     us, uc, info, NULL));
    CHECK(is_permutation(p) && is_permutation(q));
    /* Row by row, P A Q^T = (L + 1) U. */
    for (int i = 0; i < N; i++) {
        number row[N] = {0}, x;
        for (int k = ls[i] - base; k <= ls[i + 1] - base; k++) {
            int j = k < ls[i + 1] - base ? lc[k] - base : i;
            number factor = 1;
            if (k < ls[i + 1] - base)
                FN(get)(&factor, &l[k], 1);
            CHECK(j < i || (j == i && factor == 1));
            for (int m = us[j] - base; m < us[j + 1] - base; m++) {
                FN(get)(&x, &u[m], 1);
                row[uc[m] - base] += factor * x;
            }
        }
        for (int k = start[p[i]] - base; k < start[p[i] + 1] - base; k++) {
            for (int j = 0; j < N; j++) {
                if (q[j] == column[k] - base)
                    row[j] -= d->exact_v[k];
            }
        }
        for (int j = 0; j < N; j++)
            CHECK(cabs(row[j]) <= BOUND);
    }
    OK(cusolverSpDestroyCsrluInfoHost(info));
    free(l), free(u), free(lc), free(uc);
}

static void FN(qr_steps)(struct FN(data) * d)
{
    csrqrInfo_t info;
    size_t inside, work;
    int at;
    CUSOLVER_T zero = {0};
    FN(fill)(d, 0, 3);
    OK(cusolverSpCreateCsrqrInfo(&info));
    OK(cusolverSpXcsrqrAnalysis(handle, N, PATTERN, info));
    OK(CUSOLVER_SP(csrqrBufferInfo)(handle, N, MATRIX, info, &inside, &work));
    OK(CUSOLVER_SP(csrqrSetup)(handle, N, MATRIX, zero, info));
    OK(CUSOLVER_SP(csrqrFactor)(handle, N, N, count, NULL, NULL, info, NULL));
    OK(CUSOLVER_SP(csrqrZeroPivot)(handle, info, 0, &at));
    CHECK_EQUAL(at, -1);
    for (int i = 0; i < 2; i++) {
        OK(CUSOLVER_SP(csrqrSolve)(handle, N, N, d->b, d->x, info, NULL));
        FN(check)(d, __LINE__);
    }
    OK(cusolverSpXcsrqrAnalysisBatched(handle, N, PATTERN, info));
    OK(CUSOLVER_SP(csrqrBufferInfoBatched)(handle, N, MATRIX, BATCH, info,
                                           &inside, &work));
    OK(CUSOLVER_SP(csrqrsvBatched)(handle, N, MATRIX, d->b, d->x, BATCH, info,
                                   NULL));
    for (int i = 0; i < BATCH; i++) {
        number x[N];
        FN(get)(x, d->x + i * N, N);
        CHECK(residual(d->exact_v + i * count, x, d->exact_b + i * N) <= BOUND);
    }
    OK(cusolverSpDestroyCsrqrInfo(info));
}

static void FN(cholesky_steps)(struct FN(data) * d)
{
    csrcholInfo_t info;
    size_t inside, work;
    int at;
    CUSOLVER_R diagonal[N];
    FN(fill)(d, 1, 0);
    OK(cusolverSpCreateCsrcholInfo(&info));
    OK(cusolverSpXcsrcholAnalysis(handle, PATTERN, info));
    OK(CUSOLVER_SP(csrcholBufferInfo)(handle, MATRIX, info, &inside, &work));
    for (int i = 0; i < 2; i++)
        OK(CUSOLVER_SP(csrcholFactor)(handle, MATRIX, info, NULL));
    OK(CUSOLVER_SP(csrcholZeroPivot)(handle, info, 0, &at));
    CHECK_EQUAL(at, -1);
    OK(CUSOLVER_SP(csrcholSolve)(handle, N, d->b, d->x, info, NULL));
    FN(check)(d, __LINE__);
    OK(CUSOLVER_SP(csrcholDiag)(handle, info, diagonal));
    CHECK(fabs(diagonal[0] - sqrt(5)) < 1e-6);
    OK(cusolverSpDestroyCsrcholInfo(info));
}

/* Least squares: the equations' left half of columns; what is left is
 * orthogonal to them. A column that comes twice costs a rank. */
static void FN(least)(struct FN(data) * d, int is_twice)
{
    enum { COLUMNS = N / 2 };
    int rank = -1, p[N], put = 0, last = 0;
    CUSOLVER_R norm = -1;
    FN(fill)(d, 0, 0);
    for (int i = 0; i < N; i++) {
        int first = last;
        last = start[i + 1] - base;
        d->start[i] = put + base;
        for (int k = first; k < last; k++) {
            int j = column[k] - base;
            if (j >= COLUMNS)
                continue;
            d->column[put] = j + base;
            d->exact_v[put] = d->exact_v[k];
            d->v[put++] = d->v[k];
        }
    }
    d->start[N] = put + base;
    for (int k = 0; is_twice && k < put; k++) {
        if (d->column[k] - base == 5)
            d->v[k] = (CUSOLVER_T){0}, d->exact_v[k] = 0;
    }
    OK(CUSOLVER_SP(csrlsqvqrHost)(handle, N, COLUMNS, put, descr, d->v,
                                  d->start, d->column, d->b, 0, &rank, d->x, p,
                                  &norm));
    CHECK_EQUAL(rank, COLUMNS - is_twice);
    number x[N], left[N], along[N] = {0};
    double squares = 0;
    FN(get)(x, d->x, COLUMNS);
    for (int i = 0; i < N; i++) {
        left[i] = d->exact_b[i];
        for (int k = d->start[i] - base; k < d->start[i + 1] - base; k++)
            left[i] -= d->exact_v[k] * x[d->column[k] - base];
        for (int k = d->start[i] - base; k < d->start[i + 1] - base; k++)
            along[d->column[k] - base] += conj(d->exact_v[k]) * left[i];
        squares += cabs(left[i]) * cabs(left[i]);
    }
    CHECK(fabs(norm - sqrt(squares)) <= BOUND);
    for (int j = 0; j < COLUMNS; j++)
        CHECK(cabs(along[j]) <= 10 * BOUND);
}

/* Of the Hermitian grid: 5 - 2 sqrt(5/4) (cos a + cos b) or nearly. */
static void FN(eigen)(struct FN(data) * d)
{
    CUSOLVER_T mu0 = {0}, mu;
    number x[N], near, v0 = 5.3;
    FN(fill)(d, 1, 0);
    FN(put)(&mu0, &v0, 1);
    OK(CUSOLVER_SP(csreigvsi)(handle, MATRIX, mu0, d->b, 500,
                              (CUSOLVER_R)BOUND / 10, &mu, d->x));
    FN(get)(x, d->x, N);
    FN(get)(&near, &mu, 1);
    for (int i = 0; i < N; i++)
        d->exact_b[i] = near * x[i];
    FN(check)(d, __LINE__);
    CHECK(fabs(creal(near) - 5.3) < 0.5);
}

static void FN(zero_free)(struct FN(data) * d)
{
    int p[N], found = 0;
    FN(fill)(d, 0, 3);
    OK(CUSOLVER_SP(csrzfdHost)(handle, MATRIX, p, &found));
    CHECK_EQUAL(found, N);
    CHECK(is_permutation(p));
    for (int i = 0; i < N; i++) {
        int has = 0;
        for (int k = start[p[i]] - base; k < start[p[i] + 1] - base; k++)
            has |= column[k] - base == i;
        CHECK(has);
    }
}

static void FN(sparse)(void)
{
    struct FN(data) *d = room(sizeof *d);
    for (int reorder = 0; reorder < 4; reorder++)
        FN(solve)(d, reorder);
    FN(singular)(d);
    FN(lu_steps)(d);
    FN(qr_steps)(d);
    FN(cholesky_steps)(d);
    FN(least)(d, 0);
    FN(least)(d, 1);
    FN(eigen)(d);
    FN(zero_free)(d);
    CHECK_EQUAL(cudaFree(d), 0);
}

#undef FN
#undef PARTS
#undef BOUND
#undef MATRIX
#undef PATTERN
