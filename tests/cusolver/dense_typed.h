/* SPDX-License-Identifier: Apache-2.0 */
/* Of dense.c, once for each type: no guard. */

#define FN(name) CUSOLVER_S(_##name)
#define PARTS    (1 + CUSOLVER_IS_COMPLEX)
#define EPS      (sizeof(CUSOLVER_R) == 4 ? 1.2e-7 : 2.3e-16)
#define START                                                                  \
    double eps = EPS;                                                          \
    int line = __LINE__;                                                       \
    (void)line, (void)eps
#define ADJOINT_OP (CUSOLVER_IS_COMPLEX ? CUBLAS_OP_C : CUBLAS_OP_T)
#define X_REAL     (sizeof(CUSOLVER_R) == 4 ? CUDA_R_32F : CUDA_R_64F)
#define X_TYPE                                                                 \
    (sizeof(CUSOLVER_R) == 4                                                   \
         ? (CUSOLVER_IS_COMPLEX ? CUDA_C_32F : CUDA_R_32F)                     \
         : (CUSOLVER_IS_COMPLEX ? CUDA_C_64F : CUDA_R_64F))

static struct dense FN(read)(const CUSOLVER_T *from, int ld, int m, int n)
{
    struct dense a = {m, n, {0}};
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            const CUSOLVER_R *f = (const CUSOLVER_R *)(from + i + j * ld);
            *at(&a, i, j) = f[0] + (PARTS == 2 ? f[1] * I : 0);
        }
    }
    return a;
}

static void FN(write)(CUSOLVER_T *to, int ld, struct dense *a)
{
    for (int i = 0; i < a->m; i++) {
        for (int j = 0; j < a->n; j++) {
            CUSOLVER_R *t = (CUSOLVER_R *)(to + i + j * ld);
            t[0] = (CUSOLVER_R)creal(*at(a, i, j));
            t[PARTS - 1] = PARTS == 2 ? (CUSOLVER_R)cimag(*at(a, i, j)) : t[0];
        }
    }
}

/* Numbers that the type has. */
static struct dense FN(random)(int m, int n)
{
    struct dense a = {m, n, {0}};
    for (int i = 0; i < m * n; i++) {
        a.at[i] = (CUSOLVER_R)random_real();
        if (PARTS == 2)
            a.at[i] += (CUSOLVER_R)random_real() * I;
    }
    return a;
}

static struct dense FN(definite)(int n, double more)
{
    struct dense a = FN(random)(n, n), t = adjoint(&a);
    for (int i = 0; i < n * n; i++)
        a.at[i] = (a.at[i] + t.at[i]) / 2;
    for (int i = 0; i < n; i++)
        *at(&a, i, i) += more;
    return a;
}

/* As the triangle says. */
static void FN(mirror)(struct dense *a, int is_upper, int is_hermitian)
{
    for (int j = 0; j < a->n; j++) {
        for (int i = j + 1; i < a->n; i++) {
            number *from = is_upper ? at(a, j, i) : at(a, i, j);
            number *to = is_upper ? at(a, i, j) : at(a, j, i);
            *to = is_hermitian ? conj(*from) : *from;
        }
    }
}

static void FN(cholesky)(CUSOLVER_T *a, CUSOLVER_T *b, cublasFillMode_t uplo)
{
    START;
    struct dense full = FN(definite)(N, N), right = FN(random)(N, 5);
    int lwork;
    OK(CUSOLVER_S(potrf_bufferSize)(handle, uplo, N, a, LD, &lwork));
    CUSOLVER_T *work = room(lwork * sizeof *work);
    FN(write)(a, LD, &full);
    FN(write)(b, LD, &right);
    OK(CUSOLVER_S(potrf)(handle, uplo, N, a, LD, work, lwork, info));
    wait_for(0, __LINE__);
    OK(CUSOLVER_S(potrs)(handle, uplo, N, 5, a, LD, b, LD, info));
    wait_for(0, __LINE__);
    struct dense x = FN(read)(b, LD, N, 5), ax = product(&full, &x);
    CHECK_NEAR(ax, right, 20 * N);
    OK(CUSOLVER_S(potri)(handle, uplo, N, a, LD, work, lwork, info));
    wait_for(0, __LINE__);
    struct dense inverse = FN(read)(a, LD, N, N), one = identity(N);
    FN(mirror)(&inverse, uplo == CUBLAS_FILL_MODE_UPPER, 1);
    ax = product(&full, &inverse);
    CHECK_NEAR(ax, one, 20 * N);
    *at(&full, 4, 4) = -1;
    FN(write)(a, LD, &full);
    OK(cusolverDnXpotrf(handle, NULL, uplo, N, X_TYPE, a, LD, X_TYPE, NULL, 0,
                        NULL, 0, info));
    wait_for(5, __LINE__);
    cudaFree(work);
}

/* T of Q's reflectors: I - V T V^H is Q, on columns and on rows. */
static void FN(larft)(CUSOLVER_T *a, CUSOLVER_T *t, CUSOLVER_T *tau)
{
    START;
    struct dense full = FN(random)(N, 5);
    FN(write)(a, LD, &full);
    OK(CUSOLVER_S(geqrf)(handle, N, 5, a, LD, tau, NULL, 0, info));
    wait_for(0, __LINE__);
    struct dense r = FN(read)(a, LD, N, 5), v = r;
    for (int j = 0; j < 5; j++) {
        for (int i = 0; i < N; i++) {
            if (i > j)
                *at(&r, i, j) = 0;
            else
                *at(&v, i, j) = i == j;
        }
    }
    size_t bytes[2] = {0};
    OK(cusolverDnXlarft_bufferSize(
        handle, NULL, CUBLAS_DIRECT_FORWARD, CUBLAS_STOREV_COLUMNWISE, N, 5,
        X_TYPE, a, LD, X_TYPE, tau, X_TYPE, t, 5, X_TYPE, bytes, bytes + 1));
    memset(t, 0, 25 * sizeof *t);
    OK(cusolverDnXlarft(handle, NULL, CUBLAS_DIRECT_FORWARD,
                        CUBLAS_STOREV_COLUMNWISE, N, 5, X_TYPE, a, LD, X_TYPE,
                        tau, X_TYPE, t, 5, X_TYPE, NULL, 0, NULL, 0));
    CHECK_EQUAL(cudaDeviceSynchronize(), 0);
    CHECK_EQUAL((int)cusolverDnXlarft(handle, NULL, CUBLAS_DIRECT_FORWARD,
                                      CUBLAS_STOREV_COLUMNWISE, N, N + 1,
                                      X_TYPE, a, LD, X_TYPE, tau, X_TYPE, t, LD,
                                      X_TYPE, NULL, 0, NULL, 0),
                CUSOLVER_STATUS_INVALID_VALUE);
    struct dense factor = FN(read)(t, 5, 5, 5), vt = product(&v, &factor);
    struct dense vh = adjoint(&v), vr = product(&vh, &r);
    struct dense taken = product(&vt, &vr);
    for (int i = 0; i < N * 5; i++)
        r.at[i] -= taken.at[i];
    CHECK_NEAR(r, full, 20 * N);
}

/* Functions without an X do what those with one do. */
static void FN(older)(CUSOLVER_T *a, CUSOLVER_T *b, CUSOLVER_T *t)
{
    size_t bytes = 0;
    static char kept[ROOM * sizeof(CUSOLVER_T)];
    struct dense full = FN(definite)(N, N);
    cusolverEigMode_t vectors = CUSOLVER_EIG_MODE_VECTOR;
    cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
    cusolverEigRange_t all = CUSOLVER_EIG_RANGE_ALL;
    int64_t found = 0;
#define NONE NULL, 0
#define SAME(x, old)                                                           \
    do {                                                                       \
        FN(write)(a, LD, &full);                                               \
        OK(x);                                                                 \
        wait_for(0, __LINE__);                                                 \
        memcpy(kept, a, LD *N * sizeof *a);                                    \
        FN(write)(a, LD, &full);                                               \
        OK(old);                                                               \
        wait_for(0, __LINE__);                                                 \
        CHECK(memcmp(kept, a, LD *N * sizeof *a) == 0);                        \
    } while (0)
#define BYTES(size)                                                            \
    do {                                                                       \
        bytes = 0;                                                             \
        OK(size);                                                              \
        CHECK(bytes > 0);                                                      \
    } while (0)
    BYTES(cusolverDnPotrf_bufferSize(handle, NULL, lower, N, X_TYPE, a, LD,
                                     X_TYPE, &bytes));
    SAME(cusolverDnXpotrf(handle, NULL, lower, N, X_TYPE, a, LD, X_TYPE, NONE,
                          NONE, info),
         cusolverDnPotrf(handle, NULL, lower, N, X_TYPE, a, LD, X_TYPE, NONE,
                         info));
    OK(cusolverDnPotrs(handle, NULL, lower, N, 0, X_TYPE, a, LD, X_TYPE, b, LD,
                       info));
    BYTES(cusolverDnGetrf_bufferSize(handle, NULL, N, N, X_TYPE, a, LD, X_TYPE,
                                     &bytes));
    SAME(cusolverDnXgetrf(handle, NULL, N, N, X_TYPE, a, LD, wide_pivots,
                          X_TYPE, NONE, NONE, info),
         cusolverDnGetrf(handle, NULL, N, N, X_TYPE, a, LD, wide_pivots, X_TYPE,
                         NONE, info));
    struct dense right = FN(random)(N, 5);
    FN(write)(b, LD, &right);
    OK(cusolverDnGetrs(handle, NULL, CUBLAS_OP_N, N, 5, X_TYPE, a, LD,
                       wide_pivots, X_TYPE, b, LD, info));
    wait_for(0, __LINE__);
    struct dense x = FN(read)(b, LD, N, 5), ax = product(&full, &x);
    double eps = EPS;
    int line = __LINE__;
    CHECK_NEAR(ax, right, 20 * N);
    BYTES(cusolverDnGeqrf_bufferSize(handle, NULL, N, N, X_TYPE, a, LD, X_TYPE,
                                     t, X_TYPE, &bytes));
    SAME(cusolverDnXgeqrf(handle, NULL, N, N, X_TYPE, a, LD, X_TYPE, t, X_TYPE,
                          NONE, NONE, info),
         cusolverDnGeqrf(handle, NULL, N, N, X_TYPE, a, LD, X_TYPE, t, X_TYPE,
                         NONE, info));
    BYTES(cusolverDnSyevd_bufferSize(handle, NULL, vectors, lower, N, X_TYPE, a,
                                     LD, X_REAL, t, X_TYPE, &bytes));
    SAME(cusolverDnXsyevd(handle, NULL, vectors, lower, N, X_TYPE, a, LD,
                          X_REAL, t, X_TYPE, NONE, NONE, info),
         cusolverDnSyevd(handle, NULL, vectors, lower, N, X_TYPE, a, LD, X_REAL,
                         t, X_TYPE, NONE, info));
    BYTES(cusolverDnSyevdx_bufferSize(handle, NULL, vectors, all, lower, N,
                                      X_TYPE, a, LD, NULL, NULL, 0, 0, &found,
                                      X_REAL, t, X_TYPE, &bytes));
    SAME(cusolverDnXsyevdx(handle, NULL, vectors, all, lower, N, X_TYPE, a, LD,
                           NULL, NULL, 0, 0, &found, X_REAL, t, X_TYPE, NONE,
                           NONE, info),
         cusolverDnSyevdx(handle, NULL, vectors, all, lower, N, X_TYPE, a, LD,
                          NULL, NULL, 0, 0, &found, X_REAL, t, X_TYPE, NONE,
                          info));
    BYTES(cusolverDnGesvd_bufferSize(handle, NULL, 'O', 'N', N, N, X_TYPE, a,
                                     LD, X_REAL, t, X_TYPE, NULL, LD, X_TYPE,
                                     NULL, LD, X_TYPE, &bytes));
    SAME(cusolverDnXgesvd(handle, NULL, 'O', 'N', N, N, X_TYPE, a, LD, X_REAL,
                          t, X_TYPE, NULL, LD, X_TYPE, NULL, LD, X_TYPE, NONE,
                          NONE, info),
         cusolverDnGesvd(handle, NULL, 'O', 'N', N, N, X_TYPE, a, LD, X_REAL, t,
                         X_TYPE, NULL, LD, X_TYPE, NULL, LD, X_TYPE, NONE,
                         info));
#undef SAME
#undef BYTES
#undef NONE
}

static void FN(lu)(CUSOLVER_T *a, CUSOLVER_T *b, cublasOperation_t op, int how)
{
    START;
    struct dense full = FN(definite)(N, how ? 0 : N), right = FN(random)(N, 5);
    *at(&full, 3, 5) += 2;
    int *p = how ? pivots : NULL;
    FN(write)(a, LD, &full);
    FN(write)(b, LD, &right);
    if (how == 2) {
        OK(cusolverDnXgetrf(handle, NULL, N, N, X_TYPE, a, LD, wide_pivots,
                            X_TYPE, NULL, 0, NULL, 0, info));
        wait_for(0, __LINE__);
        OK(cusolverDnXgetrs(handle, NULL, op, N, 5, X_TYPE, a, LD, wide_pivots,
                            X_TYPE, b, LD, info));
    } else {
        OK(CUSOLVER_S(getrf)(handle, N, N, a, LD, NULL, p, info));
        wait_for(0, __LINE__);
        OK(CUSOLVER_S(getrs)(handle, op, N, 5, a, LD, p, b, LD, info));
    }
    wait_for(0, __LINE__);
    struct dense x = FN(read)(b, LD, N, 5), t = full;
    if (op != CUBLAS_OP_N)
        t = adjoint(&full);
    for (int i = 0; op == CUBLAS_OP_T && i < N * N; i++)
        t.at[i] = conj(t.at[i]);
    struct dense ax = product(&t, &x);
    CHECK_NEAR(ax, right, 200 * N * fmax(1, largest(&x)));
    for (int i = 0; i < N; i++)
        *at(&full, i, 2) = 0;
    FN(write)(a, LD, &full);
    OK(CUSOLVER_S(getrf)(handle, N, N, a, LD, NULL, p, info));
    wait_for(3, __LINE__);
}

static void FN(qr)(CUSOLVER_T *a, CUSOLVER_T *b, CUSOLVER_T *tau)
{
    START;
    struct dense full = FN(random)(M, N), one = identity(N);
    FN(write)(a, M, &full);
    FN(write)(b, M, &full);
    OK(CUSOLVER_S(geqrf)(handle, M, N, a, M, tau, NULL, 32, info));
    wait_for(0, __LINE__);
    struct dense r = FN(read)(a, M, N, N);
    for (int j = 0; j < N; j++) {
        for (int i = j + 1; i < N; i++)
            *at(&r, i, j) = 0;
    }
    OK(CUSOLVER_OR(mqr)(handle, CUBLAS_SIDE_LEFT, ADJOINT_OP, M, N, N, a, M,
                        tau, b, M, NULL, 32, info));
    wait_for(0, __LINE__);
    struct dense same = FN(read)(b, M, N, N);
    CHECK_NEAR(same, r, 20 * M);
    OK(CUSOLVER_OR(gqr)(handle, M, N, N, a, M, tau, NULL, 32, info));
    wait_for(0, __LINE__);
    struct dense q = FN(read)(a, M, M, N), t = adjoint(&q);
    struct dense qq = product(&t, &q), back = product(&q, &r);
    CHECK_NEAR(qq, one, 20 * M);
    CHECK_NEAR(back, full, 20 * M);
}

/* A V = B V W, with B = 1 if there is none. */
static void FN(check_eigen)(struct dense *a, struct dense *b,
                            const CUSOLVER_T *v_at, int ld,
                            const CUSOLVER_R *w_at)
{
    START;
    double w[64];
    for (int i = 0; i < a->n; i++) {
        w[i] = w_at[i];
        CHECK(i == 0 || w[i - 1] <= w[i]);
    }
    struct dense v = FN(read)(v_at, ld, a->n, a->n), t = adjoint(&v);
    struct dense bv = b ? product(b, &v) : v, one = identity(a->n);
    struct dense d = diagonal(a->n, a->n, w);
    struct dense left = product(a, &v), right = product(&bv, &d);
    struct dense unit = product(&t, &bv);
    CHECK_NEAR(left, right, 50 * a->n);
    CHECK_NEAR(unit, one, 50 * a->n);
}

static void FN(eigen)(CUSOLVER_T *a, CUSOLVER_T *b, CUSOLVER_R *w)
{
    struct dense full = FN(definite)(N, 0), metric = FN(definite)(N, N);
    cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
    FN(write)(a, LD, &full);
    OK(CUSOLVER_SY(evd)(handle, CUSOLVER_EIG_MODE_VECTOR, lower, N, a, LD, w,
                        NULL, 32, info));
    wait_for(0, __LINE__);
    FN(check_eigen)(&full, NULL, a, LD, w);
    FN(write)(a, LD, &full);
    FN(write)(b, LD, &metric);
    OK(CUSOLVER_SY(gvd)(handle, CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_MODE_VECTOR,
                        lower, N, a, LD, b, LD, w, NULL, 32, info));
    wait_for(0, __LINE__);
    FN(check_eigen)(&full, &metric, a, LD, w);
    *at(&metric, 0, 0) = -1;
    FN(write)(b, LD, &metric);
    OK(CUSOLVER_SY(gvj)(handle, CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_MODE_VECTOR,
                        lower, N, a, LD, b, LD, w, NULL, 32, info,
                        eigen_params));
    wait_for(N + 1, __LINE__);
}

static void FN(batches)(CUSOLVER_T *a, CUSOLVER_T **list, CUSOLVER_R *w)
{
    struct dense full[BATCH];
    for (int i = 0; i < BATCH; i++) {
        full[i] = FN(definite)(9, 9);
        FN(write)(a + i * 11 * 9, 11, &full[i]);
        list[i] = a + i * 11 * 9;
    }
    OK(CUSOLVER_SY(evjBatched)(handle, CUSOLVER_EIG_MODE_VECTOR,
                               CUBLAS_FILL_MODE_UPPER, 9, a, 11, w, NULL, 32,
                               info, eigen_params, BATCH));
    wait_for(0, __LINE__);
    for (int i = 0; i < BATCH; i++)
        FN(check_eigen)(&full[i], NULL, list[i], 11, w + i * 9);
    *at(&full[1], 2, 2) = -1;
    for (int i = 0; i < BATCH; i++)
        FN(write)(list[i], 11, &full[i]);
    OK(CUSOLVER_S(potrfBatched)(handle, CUBLAS_FILL_MODE_LOWER, 9, list, 11,
                                info, BATCH));
    wait_for(0, __LINE__);
    CHECK_EQUAL(info[1], 3);
    CHECK_EQUAL(info[2], 0);
    list[1] = list[2];
    CUSOLVER_T *rights[2] = {a + 1000, a + 1100};
    struct dense right = FN(random)(9, 1);
    memcpy(list + 4, rights, sizeof rights);
    list[1] = list[2];
    FN(write)(rights[0], 9, &right);
    FN(write)(rights[1], 9, &right);
    CHECK_EQUAL(CUSOLVER_S(potrsBatched)(handle, CUBLAS_FILL_MODE_LOWER, 9, 2,
                                         list, 11, list + 4, 9, info, 2),
                CUSOLVER_STATUS_INVALID_VALUE);
    OK(CUSOLVER_S(potrsBatched)(handle, CUBLAS_FILL_MODE_LOWER, 9, 1, list, 11,
                                list + 4, 9, info, 2));
    wait_for(0, __LINE__);
    START;
    struct dense x = FN(read)(rights[1], 9, 9, 1), ax = product(&full[2], &x);
    CHECK_NEAR(ax, right, 500);
}

static void FN(check_svd)(struct dense *a, CUSOLVER_T *u_at, int columns,
                          CUSOLVER_R *s_at, struct dense *vt)
{
    START;
    double s[64];
    for (int i = 0; i < a->m && i < a->n; i++) {
        s[i] = s_at[i];
        CHECK(i == 0 || s[i - 1] >= s[i]);
    }
    struct dense u = FN(read)(u_at, a->m, a->m, columns);
    struct dense d = diagonal(columns, vt->m, s), us = product(&u, &d);
    struct dense usv = product(&us, vt);
    CHECK_NEAR(usv, *a, 50 * a->m);
}

static void FN(singular)(CUSOLVER_T *a, CUSOLVER_T *u, CUSOLVER_T *v,
                         CUSOLVER_R *s, int m, int n)
{
    struct dense full = FN(random)(m, n), vt;
    int less = m < n ? m : n;
    FN(write)(a, m, &full);
    OK(CUSOLVER_S(gesvd)(handle, 'S', 'S', m, n, a, m, s, u, m, v, less, NULL,
                         32, NULL, info));
    wait_for(0, __LINE__);
    vt = FN(read)(v, less, less, n);
    FN(check_svd)(&full, u, less, s, &vt);
    for (int econ = 0; econ < 2; econ++) {
        FN(write)(a, m, &full);
        OK(CUSOLVER_S(gesvdj)(handle, CUSOLVER_EIG_MODE_VECTOR, econ, m, n, a,
                              m, s, u, m, v, n, NULL, 32, info,
                              singular_params));
        wait_for(0, __LINE__);
        vt = FN(read)(v, n, n, econ ? less : n);
        vt = adjoint(&vt);
        FN(check_svd)(&full, u, econ ? less : m, s, &vt);
    }
    double perturbed = -1;
    FN(write)(a, m, &full);
    OK(cusolverDnXgesvdp(handle, NULL, CUSOLVER_EIG_MODE_VECTOR, 1, m, n,
                         X_TYPE, a, m, X_REAL, s, X_TYPE, u, m, X_TYPE, v, n,
                         X_TYPE, NULL, 0, NULL, 0, info, &perturbed));
    wait_for(0, __LINE__);
    CHECK(perturbed == 0);
    vt = FN(read)(v, n, n, less);
    vt = adjoint(&vt);
    FN(check_svd)(&full, u, less, s, &vt);
    FN(write)(a, m, &full);
    FN(write)(a + m * n, m, &full);
    OK(CUSOLVER_S(gesvdjBatched)(handle, CUSOLVER_EIG_MODE_VECTOR, m, n, a, m,
                                 s, u, m, v, n, NULL, 32, info, singular_params,
                                 2));
    wait_for(0, __LINE__);
    vt = FN(read)(v + n * n, n, n, n);
    vt = adjoint(&vt);
    FN(check_svd)(&full, u + m * m, m, s + less, &vt);
}

/* Q T Q' = A, and Q B P' = A. */
static void FN(reduced)(CUSOLVER_T *a, CUSOLVER_T *b, CUSOLVER_T *tau,
                        CUSOLVER_R *d, CUSOLVER_R *e)
{
    START;
    struct dense full = FN(definite)(N, 0);
    FN(write)(a, LD, &full);
    OK(CUSOLVER_SY(trd)(handle, CUBLAS_FILL_MODE_LOWER, N, a, LD, d, e, tau,
                        NULL, 32, info));
    wait_for(0, __LINE__);
    OK(CUSOLVER_OR(gtr)(handle, CUBLAS_FILL_MODE_LOWER, N, a, LD, tau, NULL, 32,
                        info));
    wait_for(0, __LINE__);
    struct dense q = FN(read)(a, LD, N, N), t = {N, N, {0}}, p;
    for (int i = 0; i < N; i++) {
        *at(&t, i, i) = d[i];
        if (i + 1 < N)
            *at(&t, i, i + 1) = *at(&t, i + 1, i) = e[i];
    }
    struct dense qt = product(&q, &t), qq = adjoint(&q);
    struct dense back = product(&qt, &qq);
    CHECK_NEAR(back, full, 50 * N);
    full = FN(random)(N, N);
    FN(write)(a, LD, &full);
    OK(CUSOLVER_S(gebrd)(handle, N, N, a, LD, d, e, tau, tau + N, NULL, 32,
                         info));
    wait_for(0, __LINE__);
    cudaMemcpy(b, a, LD * N * sizeof *a, cudaMemcpyDefault);
    OK(CUSOLVER_OR(gbr)(handle, CUBLAS_SIDE_LEFT, N, N, N, a, LD, tau, NULL, 32,
                        info));
    wait_for(0, __LINE__);
    OK(CUSOLVER_OR(gbr)(handle, CUBLAS_SIDE_RIGHT, N, N, N, b, LD, tau + N,
                        NULL, 32, info));
    wait_for(0, __LINE__);
    q = FN(read)(a, LD, N, N);
    p = FN(read)(b, LD, N, N);
    for (int i = 0; i < N; i++) {
        *at(&t, i, i) = d[i];
        if (i + 1 < N) {
            *at(&t, i + 1, i) = 0;
            *at(&t, i, i + 1) = e[i];
        }
    }
    qt = product(&q, &t);
    back = product(&qt, &p);
    CHECK_NEAR(back, full, 50 * N);
}

static void FN(indefinite)(CUSOLVER_T *a)
{
    START;
    struct dense full = FN(random)(N, N), one = identity(N);
    FN(mirror)(&full, 1, 0);
    FN(write)(a, LD, &full);
    OK(CUSOLVER_S(sytrf)(handle, CUBLAS_FILL_MODE_UPPER, N, a, LD, pivots, NULL,
                         32, info));
    wait_for(0, __LINE__);
    OK(CUSOLVER_S(sytri)(handle, CUBLAS_FILL_MODE_UPPER, N, a, LD, pivots, NULL,
                         32, info));
    wait_for(0, __LINE__);
    struct dense inverse = FN(read)(a, LD, N, N);
    FN(mirror)(&inverse, 1, 0);
    struct dense back = product(&full, &inverse);
    CHECK_NEAR(back, one, 500 * N * fmax(1, largest(&inverse)));
}

/* The vectors of some eigenvalues: A V = V W. */
static void FN(check_some)(struct dense *a, CUSOLVER_T *v_at, CUSOLVER_R *w_at,
                           int count)
{
    START;
    double w[64];
    for (int i = 0; i < count; i++)
        w[i] = w_at[i];
    struct dense v = FN(read)(v_at, LD, a->n, count);
    struct dense d = diagonal(count, count, w), left = product(a, &v);
    struct dense right = product(&v, &d);
    CHECK_NEAR(left, right, 50 * a->n);
}

static void FN(selected)(CUSOLVER_T *a, CUSOLVER_T *b, CUSOLVER_R *w)
{
    START;
    cusolverEigMode_t vectors = CUSOLVER_EIG_MODE_VECTOR;
    struct dense full = FN(definite)(N, 0), one = identity(N);
    double all[N];
    int found = -1, sweeps = -1;
    int64_t wide = -1;
    double left = -1;
    FN(write)(a, LD, &full);
    OK(CUSOLVER_SY(evj)(handle, vectors, CUBLAS_FILL_MODE_UPPER, N, a, LD, w,
                        NULL, 32, info, eigen_params));
    OK(cusolverDnXsyevjGetSweeps(handle, eigen_params, &sweeps));
    OK(cusolverDnXsyevjGetResidual(handle, eigen_params, &left));
    wait_for(0, __LINE__);
    CHECK_EQUAL(sweeps, 0);
    CHECK(left > 0 && left < 50 * N * eps);
    /* Without vectors there is one, too. */
    FN(write)(a, LD, &full);
    OK(CUSOLVER_SY(evj)(handle, CUSOLVER_EIG_MODE_NOVECTOR,
                        CUBLAS_FILL_MODE_UPPER, N, a, LD, w, NULL, 32, info,
                        eigen_params));
    OK(cusolverDnXsyevjGetResidual(handle, eigen_params, &left));
    CHECK(left >= 0 && left < 50 * N * eps);
    for (int i = 0; i < N; i++)
        all[i] = w[i];
    FN(write)(a, LD, &full);
    OK(CUSOLVER_SY(evdx)(handle, vectors, CUSOLVER_EIG_RANGE_I,
                         CUBLAS_FILL_MODE_LOWER, N, a, LD, 0, 0, 5, 9, &found,
                         w, NULL, 32, info));
    wait_for(0, __LINE__);
    CHECK_EQUAL(found, 5);
    CHECK(fabs(w[0] - all[4]) < 100 * eps && fabs(w[4] - all[8]) < 100 * eps);
    FN(check_some)(&full, a, w, 5);
    FN(write)(a, LD, &full);
    FN(write)(b, LD, &one);
    CUSOLVER_R low = (all[3] + all[4]) / 2, high = (all[10] + all[11]) / 2;
    OK(CUSOLVER_SY(gvdx)(handle, CUSOLVER_EIG_TYPE_1, vectors,
                         CUSOLVER_EIG_RANGE_V, CUBLAS_FILL_MODE_LOWER, N, a, LD,
                         b, LD, low, high, 0, 0, &found, w, NULL, 32, info));
    wait_for(0, __LINE__);
    CHECK_EQUAL(found, 7);
    FN(check_some)(&full, a, w, 7);
    FN(write)(a, LD, &full);
    OK(cusolverDnXsyevdx(handle, NULL, vectors, CUSOLVER_EIG_RANGE_V,
                         CUBLAS_FILL_MODE_UPPER, N, X_TYPE, a, LD, &low, &high,
                         0, 0, &wide, X_REAL, w, X_TYPE, NULL, 0, NULL, 0,
                         info));
    wait_for(0, __LINE__);
    CHECK_EQUAL((int)wide, 7);
    FN(check_some)(&full, a, w, 7);
    /* Numbers of eigenvalues that int would cut off are wrong; of all of them
     * they are not looked at. */
    CHECK_EQUAL(cusolverDnXsyevdx(handle, NULL, vectors, CUSOLVER_EIG_RANGE_I,
                                  CUBLAS_FILL_MODE_UPPER, N, X_TYPE, a, LD,
                                  NULL, NULL, (1LL << 32) + 1, 3, &wide, X_REAL,
                                  w, X_TYPE, NULL, 0, NULL, 0, info),
                CUSOLVER_STATUS_INVALID_VALUE);
    OK(cusolverDnXsyevdx(handle, NULL, vectors, CUSOLVER_EIG_RANGE_ALL,
                         CUBLAS_FILL_MODE_UPPER, N, X_TYPE, a, LD, NULL, NULL,
                         1LL << 32, 1LL << 33, &wide, X_REAL, w, X_TYPE, NULL,
                         0, NULL, 0, info));
}

/* Eigenvalues of a general matrix, complex; those of its vectors that are in
 * no pair. */
static void FN(general)(CUSOLVER_T *a, CUSOLVER_T *v, CUSOLVER_T *w)
{
    START;
    struct dense full = FN(definite)(N, 0);
    *at(&full, 0, 1) += 0.25; /* nearly Hermitian: mostly real */
    cudaDataType type = sizeof(CUSOLVER_R) == 4 ? CUDA_C_32F : CUDA_C_64F;
    CUSOLVER_R *values = (CUSOLVER_R *)w;
    FN(write)(a, LD, &full);
    OK(cusolverDnXgeev(handle, NULL, CUSOLVER_EIG_MODE_NOVECTOR,
                       CUSOLVER_EIG_MODE_VECTOR, N, X_TYPE, a, LD, type, w,
                       X_TYPE, NULL, 0, X_TYPE, v, LD, X_TYPE, NULL, 0, NULL, 0,
                       info));
    wait_for(0, __LINE__);
    struct dense vectors = FN(read)(v, LD, N, N);
    struct dense left = product(&full, &vectors);
    number trace = 0;
    for (int j = 0; j < N; j++) {
        number x = values[2 * j] + values[2 * j + 1] * I;
        trace += x - *at(&full, j, j);
        for (int i = 0; i < N && (PARTS == 2 || cimag(x) == 0); i++)
            CHECK(cabs(*at(&left, i, j) - x * *at(&vectors, i, j)) <
                  200 * N * eps);
    }
    CHECK(cabs(trace) < 200 * N * eps);
}

/* What H200s store for wrong arguments: which of LAPACK's it is. */
static void FN(named_mistakes)(CUSOLVER_T *a, CUSOLVER_T *w, CUSOLVER_R *r)
{
    enum { WRONG = CUSOLVER_STATUS_INVALID_VALUE };
    const cublasSideMode_t left = CUBLAS_SIDE_LEFT;
    const cublasFillMode_t low = CUBLAS_FILL_MODE_LOWER;
    const cusolverEigMode_t vectors = CUSOLVER_EIG_MODE_VECTOR;
#define NAMED(expected, argument, call)                                        \
    do {                                                                       \
        *info = -99;                                                           \
        CHECK_EQUAL((int)(call), expected);                                    \
        wait_for(-(argument), __LINE__);                                       \
    } while (0)
    NAMED(WRONG, 1,
          CUSOLVER_S(potrf)(handle, (cublasFillMode_t)2, 4, a, 4, w, 32, info));
    NAMED(0, 4, CUSOLVER_S(getrf)(handle, 4, 4, a, 3, w, NULL, info));
    NAMED(0, 4,
          cusolverDnXgetrf(handle, NULL, 4, 4, X_TYPE, a, 3, NULL, X_TYPE, NULL,
                           0, NULL, 0, info));
    NAMED(WRONG, 2, CUSOLVER_OR(gqr)(handle, 3, 4, 3, a, 4, w, w, 32, info));
    NAMED(WRONG, 3, CUSOLVER_OR(gqr)(handle, 4, 3, 4, a, 4, w, w, 32, info));
    NAMED(WRONG, 5,
          CUSOLVER_OR(mqr)(handle, left, CUBLAS_OP_N, 4, 3, 5, a, 5, w, w, 4, w,
                           32, info));
    NAMED(WRONG, 10,
          CUSOLVER_OR(mqr)(handle, left, CUBLAS_OP_N, 4, 3, 4, a, 4, w, w, 3, w,
                           32, info));
    NAMED(WRONG, 1,
          CUSOLVER_SY(evd)(handle, (cusolverEigMode_t)5, low, 4, a, 4, r, w, 32,
                           info));
    NAMED(WRONG, 2,
          CUSOLVER_SY(evd)(handle, vectors, (cublasFillMode_t)5, 4, a, 4, r, w,
                           32, info));
    NAMED(WRONG, 5,
          CUSOLVER_SY(evd)(handle, vectors, low, 4, a, 3, r, w, 32, info));
    NAMED(WRONG, 2,
          CUSOLVER_S(gesvd)(handle, 'O', 'O', 5, 3, a, 5, r, w, 5, w, 5, w, 32,
                            NULL, info));
    NAMED(WRONG, 6,
          CUSOLVER_S(gesvd)(handle, 'A', 'A', 5, 3, a, 4, r, w, 5, w, 5, w, 32,
                            NULL, info));
    NAMED(WRONG, 9,
          CUSOLVER_S(gesvd)(handle, 'A', 'A', 5, 3, a, 5, r, w, 4, w, 5, w, 32,
                            NULL, info));
#undef NAMED
}

static void FN(truncated)(CUSOLVER_T *a, CUSOLVER_T *u, CUSOLVER_T *v,
                          CUSOLVER_R *s)
{
    enum { ROWS = 21, COLUMNS = 13, RANK = 4 };
    START;
    struct dense full = FN(random)(ROWS, COLUMNS);
    double norms[2] = {-1, -1};
    for (int i = 0; i < 2; i++)
        FN(write)(a + i * ROWS * COLUMNS, ROWS, &full);
    OK(CUSOLVER_S(gesvdaStridedBatched)(
        handle, CUSOLVER_EIG_MODE_VECTOR, RANK, ROWS, COLUMNS, a, ROWS,
        ROWS * COLUMNS, s, RANK, u, ROWS, ROWS * RANK, v, COLUMNS,
        COLUMNS * RANK, NULL, 32, info, norms, 2));
    wait_for(0, __LINE__);
    struct dense vt = FN(read)(v + COLUMNS * RANK, COLUMNS, COLUMNS, RANK);
    struct dense ut = FN(read)(u + ROWS * RANK, ROWS, ROWS, RANK);
    struct dense same = FN(read)(a + ROWS * COLUMNS, ROWS, ROWS, COLUMNS);
    CHECK_NEAR(same, full, 0);
    for (int i = 0; i < ROWS; i++) {
        for (int k = 0; k < RANK; k++) {
            double complex left = -*at(&ut, i, k) * (double)s[RANK + k];
            for (int j = 0; j < COLUMNS; j++)
                left += *at(&same, i, j) * *at(&vt, j, k);
            CHECK(cabs(left) < 100 * eps);
        }
    }
    /* |A V - U S|, without what the rank leaves. */
    CHECK(norms[1] >= 0 && norms[1] < 1000 * eps);
    OK(cusolverDnXgesvdr(handle, NULL, 'S', 'S', ROWS, COLUMNS, RANK, 2, 2,
                         X_TYPE, a, ROWS, X_REAL, s + RANK, X_TYPE, u, ROWS,
                         X_TYPE, v, COLUMNS, X_TYPE, NULL, 0, NULL, 0, info));
    wait_for(0, __LINE__);
    for (int k = 0; k < RANK; k++)
        CHECK(fabs((double)s[k] - s[RANK + k]) < 100 * eps);
}

static void FN(triangle)(CUSOLVER_T *a, CUSOLVER_T *b)
{
    START;
    struct dense full = FN(definite)(N, 4 * N), one = identity(N);
    for (int j = 0; j < N; j++) {
        for (int i = j + 1; i < N; i++)
            *at(&full, i, j) = 0;
    }
    FN(write)(a, LD, &full);
    OK(cusolverDnXtrtri(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_DIAG_NON_UNIT, N,
                        X_TYPE, a, LD, NULL, 0, NULL, 0, info));
    wait_for(0, __LINE__);
    struct dense inverse = FN(read)(a, LD, N, N), p = product(&full, &inverse);
    CHECK_NEAR(p, one, 20 * N);
    /* A diagonal of ones is stored. */
    FN(write)(a, LD, &full);
    OK(cusolverDnXtrtri(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_DIAG_UNIT, 3,
                        X_TYPE, a, LD, NULL, 0, NULL, 0, info));
    wait_for(0, __LINE__);
    inverse = FN(read)(a, LD, 3, 3);
    CHECK(*at(&inverse, 1, 1) == 1 && *at(&inverse, 2, 2) == 1);
    full = FN(definite)(N, 0);
    FN(mirror)(&full, 1, 0);
    struct dense right = FN(random)(N, 5);
    FN(write)(a, LD, &full);
    FN(write)(b, LD, &right);
    OK(CUSOLVER_S(sytrf)(handle, CUBLAS_FILL_MODE_UPPER, N, a, LD, pivots, NULL,
                         32, info));
    wait_for(0, __LINE__);
    for (int i = 0; i < N; i++)
        wide_pivots[i] = pivots[i];
    OK(cusolverDnXsytrs(handle, CUBLAS_FILL_MODE_UPPER, N, 5, X_TYPE, a, LD,
                        wide_pivots, X_TYPE, b, LD, NULL, 0, NULL, 0, info));
    wait_for(0, __LINE__);
    struct dense x = FN(read)(b, LD, N, 5), ax = product(&full, &x);
    CHECK_NEAR(ax, right, 500 * N * fmax(1, largest(&x)));
}

static void FN(test)(int line)
{
    (void)line;
    CUSOLVER_T *a = room(2 * ROOM * sizeof *a), *b = room(2 * ROOM * sizeof *b);
    CUSOLVER_T *u = room(2 * ROOM * sizeof *a), *tau = room(256 * sizeof *a);
    CUSOLVER_T **list = room(16 * sizeof *list);
    CUSOLVER_R *w = room(256 * sizeof *w), *e = room(256 * sizeof *w);
    FN(cholesky)(a, b, CUBLAS_FILL_MODE_LOWER);
    FN(cholesky)(a, b, CUBLAS_FILL_MODE_UPPER);
    FN(older)(a, b, u);
    FN(larft)(a, b, tau);
    for (int how = 0; how < 3; how++) {
        FN(lu)(a, b, CUBLAS_OP_N, how);
        FN(lu)(a, b, CUBLAS_OP_T, how);
        FN(lu)(a, b, CUBLAS_OP_C, how);
    }
    FN(qr)(a, b, tau);
    FN(eigen)(a, b, w);
    FN(batches)(a, list, w);
    FN(singular)(a, u, b, w, 21, 13);
    FN(singular)(a, u, b, w, 13, 21);
    FN(reduced)(a, b, tau, w, e);
    FN(indefinite)(a);
    FN(selected)(a, b, w);
    FN(general)(a, b, tau);
    FN(truncated)(a, u, b, w);
    FN(named_mistakes)(a, u, w);
    FN(triangle)(a, b);
    void *all[] = {a, b, u, tau, list, w, e};
    for (int i = 0; i < 7; i++)
        CHECK_EQUAL(cudaFree(all[i]), 0);
}

#undef FN
#undef PARTS
#undef EPS
#undef START
#undef ADJOINT_OP
#undef X_REAL
#undef X_TYPE
