/* SPDX-License-Identifier: Apache-2.0 */
/* Of split.c, once for each type: no guard. */

#define FN(name) CUSOLVER_S(_##name)
#define PARTS    (1 + CUSOLVER_IS_COMPLEX)
#define EPS      (sizeof(CUSOLVER_R) == 4 ? 1.2e-7 : 2.3e-16)
#define X_TYPE                                                                 \
    (sizeof(CUSOLVER_R) == 4                                                   \
         ? (CUSOLVER_IS_COMPLEX ? CUDA_C_32F : CUDA_R_32F)                     \
         : (CUSOLVER_IS_COMPLEX ? CUDA_C_64F : CUDA_R_64F))

static number FN(get)(const CUSOLVER_T *a, int row, int column)
{
    const CUSOLVER_R *at = (const CUSOLVER_R *)(a + row + column * LD);
    return at[0] + (PARTS == 2 ? at[1] * I : 0);
}

static void FN(put)(CUSOLVER_T *a, int row, int column, number x)
{
    CUSOLVER_R *at = (CUSOLVER_R *)(a + row + column * LD);
    at[PARTS - 1] = (CUSOLVER_R)cimag(x);
    at[0] = (CUSOLVER_R)creal(x);
}

static void FN(fill)(CUSOLVER_T *a, int m, int n, double diagonal)
{
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m; i++)
            FN(put)
            (a, i, j,
             random_real() + (PARTS == 2 ? random_real() * I : 0) +
                 (i == j ? diagonal : 0));
    }
}

/* y = A x, of the elements between two diagonals, or with unit diagonal. */
static void FN(apply)(const CUSOLVER_T *a, int m, int n, int lowest,
                      int highest, int is_unit, const number *x, number *y)
{
    number out[SIZE] = {0};
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m; i++) {
            if (i == j && is_unit)
                out[i] += x[j];
            else if (j - i >= lowest && j - i <= highest)
                out[i] += FN(get)(a, i, j) * x[j];
        }
    }
    memcpy(y, out, sizeof out);
}

static void FN(lu)(CUSOLVER_T *a, int m, int n, int how)
{
    int count = m < n ? m : n;
    number x[SIZE], expected[SIZE], y[SIZE];
    FN(fill)(a, m, n, how ? 0 : SIZE);
    for (int i = 0; i < SIZE; i++)
        x[i] = random_real();
    FN(apply)(a, m, n, -SIZE, SIZE, 0, x, expected);
    if (how < 2)
        OK(CUSOLVER_S(getrf)(handle, m, n, a, LD, NULL, how ? pivots : NULL,
                             info));
    else
        OK(cusolverDnXgetrf(handle, NULL, m, n, X_TYPE, a, LD, wide_pivots,
                            X_TYPE, NULL, 0, NULL, 0, info));
    wait_for(0, __LINE__);
    FN(apply)(a, m, n, 0, SIZE, 0, x, y);
    FN(apply)(a, m, count, -SIZE, -1, 1, y, y);
    for (int i = count - 1; how && i >= 0; i--) {
        int other = (how == 1 ? pivots[i] : (int)wide_pivots[i]) - 1;
        CHECK(other >= i && other < m);
        number t = y[i];
        y[i] = y[other];
        y[other] = t;
    }
    for (int j = 0; how && PARTS == 1 && j < count; j++) {
        for (int i = j + 1; i < m; i++)
            CHECK(cabs(FN(get)(a, i, j)) <= 1);
    }
    check_vector(__LINE__, y, expected, m, 500 * SIZE * EPS);
}

static void FN(singular)(CUSOLVER_T *a, int column)
{
    FN(fill)(a, SIZE, SIZE, 0);
    for (int i = 0; i < SIZE; i++)
        FN(put)(a, i, column, 0);
    OK(CUSOLVER_S(getrf)(handle, SIZE, SIZE, a, LD, NULL, pivots, info));
    wait_for(column + 1, __LINE__);
}

/* A Hermitian matrix, all of it. */
static void FN(hermitian)(CUSOLVER_T *a)
{
    FN(fill)(a, SIZE, SIZE, 0);
    for (int j = 0; j < SIZE; j++) {
        FN(put)(a, j, j, SIZE);
        for (int i = j + 1; i < SIZE; i++)
            FN(put)(a, j, i, conj(FN(get)(a, i, j)));
    }
}

static void FN(cholesky)(CUSOLVER_T *a, CUSOLVER_T *b, cublasFillMode_t uplo)
{
    enum { SIDES = 70 };
    number x[SIZE], expected[SIZE], y[SIZE];
    FN(hermitian)(a);
    FN(fill)(b, SIZE, SIDES, 0);
    CUSOLVER_T *full = malloc(LD * SIZE * sizeof *full);
    memcpy(full, a, LD * SIZE * sizeof *full);
    for (int i = 0; i < SIZE; i++)
        expected[i] = FN(get)(b, i, SIDES - 1);
    OK(CUSOLVER_S(potrf)(handle, uplo, SIZE, a, LD, NULL, 0, info));
    wait_for(0, __LINE__);
    /* The other triangle is not touched. */
    int is_lower = uplo == CUBLAS_FILL_MODE_LOWER;
    for (int j = 1; j < SIZE; j++)
        CHECK(FN(get)(a, is_lower ? 0 : j, is_lower ? j : 0) ==
              FN(get)(full, is_lower ? 0 : j, is_lower ? j : 0));
    /* info may be NULL. */
    *info = 0;
    OK(CUSOLVER_S(potrs)(handle, uplo, SIZE, SIDES, a, LD, b, LD,
                         is_lower ? info : NULL));
    wait_for(0, __LINE__);
    for (int i = 0; i < SIZE; i++)
        x[i] = FN(get)(b, i, SIDES - 1);
    FN(apply)(full, SIZE, SIZE, -SIZE, SIZE, 0, x, y);
    check_vector(__LINE__, y, expected, SIZE, 50 * SIZE * EPS);
    FN(hermitian)(a);
    FN(put)(a, 300, 300, -1);
    FN(put)(a, 400, 400, -1);
    OK(CUSOLVER_S(potrf)(handle, uplo, SIZE, a, LD, NULL, 0, info));
    wait_for(301, __LINE__);
    free(full);
}

static void FN(qr)(CUSOLVER_T *a, CUSOLVER_T *b, int m, int n)
{
    number x[SIZE], expected[SIZE], y[SIZE];
    int lwork, count = m < n ? m : n;
    CUSOLVER_T *tau = room(SIZE * sizeof *tau);
    /* CuPy says n for the leading dimension */
    OK(CUSOLVER_S(geqrf_bufferSize)(handle, m, n, a, n, &lwork));
    CUSOLVER_T *work = room(lwork * sizeof *work);
    FN(fill)(a, m, n, 0);
    for (int i = 0; i < SIZE; i++)
        x[i] = random_real();
    FN(apply)(a, m, n, -SIZE, SIZE, 0, x, expected);
    /* info may be NULL. */
    *info = 0;
    OK(CUSOLVER_S(geqrf)(handle, m, n, a, LD, tau, work, lwork,
                         m > n ? NULL : info));
    wait_for(0, __LINE__);
    FN(apply)(a, m, n, 0, SIZE, 0, x, y);
    for (int i = 0; i < m; i++)
        FN(put)(b, i, 0, y[i]);
    OK(CUSOLVER_OR(mqr)(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_N, m, 1, count, a,
                        LD, tau, b, LD, work, lwork, info));
    wait_for(0, __LINE__);
    for (int i = 0; i < m; i++)
        y[i] = FN(get)(b, i, 0);
    check_vector(__LINE__, y, expected, m, 50 * SIZE * EPS);
    CHECK_EQUAL(cudaFree(tau), 0);
    CHECK_EQUAL(cudaFree(work), 0);
}

static void CUSOLVER_S(_split)(void)
{
    CUSOLVER_T *a = room(LD * SIZE * sizeof *a);
    CUSOLVER_T *b = room(LD * SIZE * sizeof *b);
    for (int how = 0; how < 3; how++)
        FN(lu)(a, SIZE, SIZE, how);
    FN(lu)(a, SIZE, 300, 1);
    FN(lu)(a, 301, SIZE, 2);
    FN(singular)(a, 0);
    FN(singular)(a, 399);
    FN(cholesky)(a, b, CUBLAS_FILL_MODE_LOWER);
    FN(cholesky)(a, b, CUBLAS_FILL_MODE_UPPER);
    FN(qr)(a, b, SIZE, 300);
    FN(qr)(a, b, 300, SIZE);
    CHECK_EQUAL(cudaFree(a), 0);
    CHECK_EQUAL(cudaFree(b), 0);
}

#undef FN
#undef PARTS
#undef EPS
#undef X_TYPE
