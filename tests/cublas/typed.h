/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every routine of one type against the reference; routines.c includes this
 * four times with T the element, R its real type, F(x) the function's name of
 * version 2, G(x) of version 1, and IS_COMPLEX. No guard.
 */

#define N_(x) CAT(x, T)

/* ---- numbers and memory ----------------------------------------------- */

static number N_(get)(const T *p)
{
#if IS_COMPLEX
    return CMPLX(p->x, p->y);
#else
    return *p;
#endif
}

static T N_(put)(number x)
{
#if IS_COMPLEX
    return (T){(R)creal(x), (R)cimag(x)};
#else
    return (R)creal(x);
#endif
}

static T *N_(random)(int count)
{
    T *p = arena_take(((size_t)count + 1) * sizeof(T));
    for (int i = 0; i < count + 1; i++) {
        double re = random_part(), im = random_part();
        p[i] = N_(put)(CMPLX(re, im));
    }
    return p;
}

static T *N_(copy_of)(const T *p, int count)
{
    T *out = malloc(((size_t)count + 1) * sizeof(T));
    memcpy(out, p, ((size_t)count + 1) * sizeof(T));
    return out;
}

static struct dense N_(dense)(const T *p, int rows, int columns, int ld)
{
    struct dense m = dense_make(rows, columns);
    for (int c = 0; c < columns; c++) {
        for (int r = 0; r < rows; r++)
            *dense_at(m, r, c) = N_(get)(p + r + c * ld);
    }
    return m;
}

/* A vector as a matrix of one column; a negative step runs backwards. */
static struct dense N_(vector)(const T *p, int n, int step)
{
    struct dense m = dense_make(n, 1);
    for (int i = 0; i < n; i++)
        m.at[i] = N_(get)(p + (step < 0 ? (i - n + 1) * step : i * step));
    return m;
}

static void N_(shape)(struct dense m, enum shape shape, int kl, int ku)
{
    for (int c = 0; c < m.columns; c++) {
        for (int r = 0; r < m.rows; r++)
            *dense_at(m, r, c) =
                shaped(shape, kl, ku, r, c, *dense_at(m, r, c));
    }
}

static const double N_(eps) = sizeof(R) == 4 ? 0x1p-23 : 0x1p-52;

/* |found - expected| within (terms + 8) eps times the sum of absolute values;
 * frees what it is given. */
static void N_(compare)(const char *what, struct dense found,
                        struct dense expected, struct dense bound, int terms,
                        enum shape shape)
{
    cudaDeviceSynchronize();
    for (int c = 0; c < found.columns; c++) {
        for (int r = 0; r < found.rows; r++) {
            if (shape != FULL && r != c && (r < c) != (shape == UPPER))
                continue;
            double error =
                cabs(*dense_at(found, r, c) - *dense_at(expected, r, c));
            double most = (terms + 8) * 2 * N_(eps) *
                          (creal(*dense_at(bound, r, c)) + 1e-30);
            if (error <= most)
                continue;
            fprintf(stderr,
                    "%s %s: (%d, %d) of %d x %d off by %g, at most %g\n", what,
                    NAME_OF(T), r, c, found.rows, found.columns, error, most);
            check_failures++;
            goto done;
        }
    }
done:
    free(found.at);
    free(expected.at);
    free(bound.at);
}

static const T *N_(scalar)(cublasHandle_t h, number value)
{
    static T *kept;
    static int next;
    if (!kept)
        CHECK_EQUAL(cudaMallocManaged((void **)&kept, 64 * sizeof(T),
                                      cudaMemAttachGlobal),
                    cudaSuccess);
    next = (next + 1) % 64;
    cublasPointerMode_t mode;
    cublasGetPointerMode(h, &mode);
    if (mode == CUBLAS_POINTER_MODE_DEVICE)
        cudaDeviceSynchronize(); /* the slot may be in use */
    kept[next] = N_(put)(value);
    return &kept[next];
}
#define SCALAR(x) N_(scalar)(h, x)
#define VALUE(x)  N_(get)(&(T){N_(put)(x)})

/* ---- level 3 ---------------------------------------------------------- */

#if IS_COMPLEX
#define ALPHA CMPLX(0.75, -0.5)
#define BETA  CMPLX(-0.25, 1.5)
#else
#define ALPHA 0.75
#define BETA  -1.25
#endif

static void N_(test_gemm)(cublasHandle_t h, int m, int n, int k, int op_a,
                          int op_b, number beta)
{
    bool a_turns = op_a == CUBLAS_OP_T || op_a == CUBLAS_OP_C;
    bool b_turns = op_b == CUBLAS_OP_T || op_b == CUBLAS_OP_C;
    int a_rows = a_turns ? k : m, b_rows = b_turns ? n : k;
    int lda = a_rows + 3, ldb = b_rows + 1, ldc = m + 2;
    T *a = N_(random)(lda * (a_turns ? m : k));
    T *b = N_(random)(ldb * (b_turns ? k : n)), *c = N_(random)(ldc * n);
    struct dense bound, before = N_(dense)(c, m, n, ldc);
    T beyond = c[m];
    if (beta == 0)
        c[0] = N_(put)(NAN);
    CHECK_EQUAL(F(gemm)(h, (cublasOperation_t)op_a, (cublasOperation_t)op_b, m,
                        n, k, SCALAR(ALPHA), a, lda, b, ldb, SCALAR(beta), c,
                        ldc),
                CUBLAS_STATUS_SUCCESS);
    struct dense x = dense_op((cublasOperation_t)op_a,
                              N_(dense)(a, a_rows, a_turns ? m : k, lda));
    struct dense y = dense_op((cublasOperation_t)op_b,
                              N_(dense)(b, b_rows, b_turns ? k : n, ldb));
    struct dense expected = dense_product(ALPHA, x, y, beta, before, &bound);
    cudaDeviceSynchronize();
    CHECK(memcmp(&beyond, &c[m], sizeof beyond) == 0);
    N_(compare)("gemm", N_(dense)(c, m, n, ldc), expected, bound, k, FULL);
    free(x.at), free(y.at), free(before.at);
    arena_free(a), arena_free(b), arena_free(c);
}

/* side: of the special matrix S; left: C = alpha S B + beta C. */
static struct dense N_(either_side)(bool is_right, number alpha, struct dense s,
                                    struct dense b, number beta, struct dense c,
                                    struct dense *bound)
{
    return is_right ? dense_product(alpha, b, s, beta, c, bound)
                    : dense_product(alpha, s, b, beta, c, bound);
}

static void N_(test_symm)(cublasHandle_t h, int m, int n, bool is_right,
                          bool is_upper, bool is_hermitian)
{
    int size = is_right ? n : m, lda = size + 1, ldb = m, ldc = m + 1;
    T *a = N_(random)(lda * size), *b = N_(random)(ldb * n),
      *c = N_(random)(ldc * n);
    struct dense bound, before = N_(dense)(c, m, n, ldc);
    cublasSideMode_t side = is_right ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT;
    cublasFillMode_t fill =
        is_upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
#if IS_COMPLEX
    if (is_hermitian)
        CHECK_EQUAL(F(hemm)(h, side, fill, m, n, SCALAR(ALPHA), a, lda, b, ldb,
                            SCALAR(BETA), c, ldc),
                    CUBLAS_STATUS_SUCCESS);
    else
#endif
        CHECK_EQUAL(F(symm)(h, side, fill, m, n, SCALAR(ALPHA), a, lda, b, ldb,
                            SCALAR(BETA), c, ldc),
                    CUBLAS_STATUS_SUCCESS);
    struct dense s =
        dense_mirror(N_(dense)(a, size, size, lda), is_upper, is_hermitian);
    struct dense y = N_(dense)(b, m, n, ldb);
    struct dense expected =
        N_(either_side)(is_right, ALPHA, s, y, BETA, before, &bound);
    cudaDeviceSynchronize();
    N_(compare)("symm", N_(dense)(c, m, n, ldc), expected, bound, size, FULL);
    free(s.at), free(y.at), free(before.at);
    arena_free(a), arena_free(b), arena_free(c);
}

/* trmm as it is; trsm by multiplying its result again. */
static void N_(test_triangular)(cublasHandle_t h, int m, int n, bool is_right,
                                bool is_upper, int op, bool is_unit)
{
    int size = is_right ? n : m, lda = size + 2, ldb = m + 1;
    T *a = N_(random)(lda * size), *b = N_(random)(ldb * n),
      *c = N_(random)(ldb * n);
    cublasSideMode_t side = is_right ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT;
    cublasFillMode_t fill =
        is_upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    cublasDiagType_t diag = is_unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
    enum shape shape = is_upper  ? is_unit ? UPPER_UNIT : UPPER
                       : is_unit ? LOWER_UNIT
                                 : LOWER;
    /* Well conditioned: a diagonal that is larger than its row. */
    for (int i = 0; i < lda * size; i++)
        a[i] = N_(put)(N_(get)(&a[i]) / (size + 1) + (i % (lda + 1) == 0));
    struct dense s = N_(dense)(a, size, size, lda), bound;
    N_(shape)(s, shape, 0, 0);
    s = dense_op((cublasOperation_t)op, s);
    struct dense x = N_(dense)(b, m, n, ldb), none = {0, 0, NULL};
    CHECK_EQUAL(F(trmm)(h, side, fill, (cublasOperation_t)op, diag, m, n,
                        SCALAR(ALPHA), a, lda, b, ldb, c, ldb),
                CUBLAS_STATUS_SUCCESS);
    struct dense expected =
        N_(either_side)(is_right, ALPHA, s, x, 0, none, &bound);
    cudaDeviceSynchronize();
    N_(compare)("trmm", N_(dense)(c, m, n, ldb), expected, bound, size, FULL);

    CHECK_EQUAL(F(trsm)(h, side, fill, (cublasOperation_t)op, diag, m, n,
                        SCALAR(ALPHA), a, lda, b, ldb),
                CUBLAS_STATUS_SUCCESS);
    cudaDeviceSynchronize();
    struct dense solved = N_(dense)(b, m, n, ldb);
    struct dense again =
        N_(either_side)(is_right, 1, s, solved, 0, none, &bound);
    for (int i = 0; i < m * n; i++)
        x.at[i] *= ALPHA;
    N_(compare)("trsm", again, x, bound, 4 * size, FULL);
    free(s.at), free(solved.at);
    arena_free(a), arena_free(b), arena_free(c);
}

/* syrk, herk, syr2k, her2k, syrkx, herkx; what: 1, 2 or 'x'. */
static void N_(test_rank_k)(cublasHandle_t h, int what, int n, int k,
                            bool is_upper, bool turns, bool is_hermitian)
{
    int rows = turns ? k : n, columns = turns ? n : k;
    int lda = rows + 1, ldb = rows + 2, ldc = n + 1;
    T *a = N_(random)(lda * columns), *b = N_(random)(ldb * columns),
      *c = N_(random)(ldc * n);
    cublasFillMode_t fill =
        is_upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    cublasOperation_t flip = is_hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
    cublasOperation_t op = turns ? flip : CUBLAS_OP_N;
    struct dense before = N_(dense)(c, n, n, ldc), bound, bound2;
    T *old = N_(copy_of)(c, ldc * n);
    number alpha = ALPHA, beta = BETA;
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    if (is_hermitian) {
        beta = creal(beta);
        for (int i = 0; i < n; i++)
            *dense_at(before, i, i) = creal(*dense_at(before, i, i));
        if (what == 1)
            alpha = creal(alpha);
    }
#if IS_COMPLEX
    /* A real scalar is the first part of a complex one. */
    const R *ra = (const R *)SCALAR(alpha), *rb = (const R *)SCALAR(beta);
    if (is_hermitian && what == 1)
        status = F(herk)(h, fill, op, n, k, ra, a, lda, rb, c, ldc);
    else if (is_hermitian && what == 2)
        status = F(her2k)(h, fill, op, n, k, SCALAR(alpha), a, lda, b, ldb, rb,
                          c, ldc);
    else if (is_hermitian)
        status = G(herkx)(h, fill, op, n, k, SCALAR(alpha), a, lda, b, ldb, rb,
                          c, ldc);
    else
#endif
        if (what == 1)
        status = F(syrk)(h, fill, op, n, k, SCALAR(alpha), a, lda, SCALAR(beta),
                         c, ldc);
    else if (what == 2)
        status = F(syr2k)(h, fill, op, n, k, SCALAR(alpha), a, lda, b, ldb,
                          SCALAR(beta), c, ldc);
    else
        status = G(syrkx)(h, fill, op, n, k, SCALAR(alpha), a, lda, b, ldb,
                          SCALAR(beta), c, ldc);
    CHECK_EQUAL(status, CUBLAS_STATUS_SUCCESS);
    cudaDeviceSynchronize();
    struct dense x = dense_op(op, N_(dense)(a, rows, columns, lda));
    struct dense y = dense_op(
        op, N_(dense)(what == 1 ? a : b, rows, columns, what == 1 ? lda : ldb));
    struct dense yt = dense_op(flip, N_(dense)(what == 1 ? a : b, rows, columns,
                                               what == 1 ? lda : ldb));
    struct dense xt = dense_op(flip, N_(dense)(a, rows, columns, lda));
    if (turns) { /* op(Y)' is Y itself */
        free(yt.at), free(xt.at);
        yt = N_(dense)(what == 1 ? a : b, rows, columns, what == 1 ? lda : ldb);
        xt = N_(dense)(a, rows, columns, lda);
    }
    struct dense expected = dense_product(alpha, x, yt, beta, before, &bound);
    if (what == 2) {
        number other = is_hermitian ? conj(alpha) : alpha;
        struct dense sum = dense_product(other, y, xt, 1, expected, &bound2);
        free(expected.at), free(bound2.at);
        expected = sum;
        for (int i = 0; i < n * n; i++)
            bound.at[i] = 2 * bound.at[i] + 2;
    }
    if (is_hermitian && what == 'x') { /* the diagonal's imaginary part is 0 */
        for (int i = 0; i < n; i++)
            *dense_at(expected, i, i) = creal(*dense_at(expected, i, i));
    }
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            if (i != j && (i < j) != is_upper)
                CHECK(!memcmp(&old[i + j * ldc], &c[i + j * ldc], sizeof *c));
        }
    }
    N_(compare)
    ("rank k", N_(dense)(c, n, n, ldc), expected, bound, 2 * k,
     is_upper ? UPPER : LOWER);
    free(x.at), free(y.at), free(xt.at), free(yt.at), free(before.at),
        free(old);
    arena_free(a), arena_free(b), arena_free(c);
}

static void N_(test_level3)(cublasHandle_t h, int m, int n, int k)
{
    for (int op_a = 0; op_a < 3; op_a++) {
        for (int op_b = 0; op_b < 3; op_b++)
            N_(test_gemm)(h, m, n, k, op_a, op_b, op_a == op_b ? 0 : BETA);
    }
    N_(test_gemm)(h, m, n, 0, 0, 0, BETA);
    N_(test_gemm)(h, 1, n, k, 0, 1, BETA);
    N_(test_gemm)(h, m, 1, k, 1, 0, BETA);
    for (int bits = 0; bits < 16; bits++) {
        bool b0 = bits & 1, b1 = bits & 2, b2 = bits & 4, b3 = bits & 8;
        N_(test_triangular)(h, m, n, b0, b1, b2 ? 2 : b3, b3);
        N_(test_triangular)(h, m, n, b0, b1, b2, !b3);
        if (b2 && !IS_COMPLEX)
            continue;
        if (!b3)
            N_(test_symm)(h, m, n, b0, b1, b2);
        N_(test_rank_k)(h, b3 ? 1 : 2, n, k, b0, b1, b2);
        if (b3)
            N_(test_rank_k)(h, 'x', n, k, b0, b1, b2);
    }
}

/* ---- level 2 ---------------------------------------------------------- */

/* y = alpha S x + beta y for a matrix that the caller has made dense. */
#define Y_CHECK(name, call, rows_, columns_, terms)                            \
    do {                                                                       \
        T *x = N_(random)((columns_)*abs(incx));                               \
        T *y = N_(random)((rows_)*abs(incy));                                  \
        struct dense old = N_(vector)(y, rows_, incy), bound;                  \
        CHECK_EQUAL(call, CUBLAS_STATUS_SUCCESS);                              \
        struct dense v = N_(vector)(x, columns_, incx);                        \
        struct dense expected = dense_product(ALPHA, s, v, BETA, old, &bound); \
        cudaDeviceSynchronize();                                               \
        N_(compare)                                                            \
        (name, N_(vector)(y, rows_, incy), expected, bound, terms, FULL);      \
        free(v.at), free(old.at), free(s.at);                                  \
        arena_free(x), arena_free(y);                                          \
    } while (0)

static void N_(test_gemv)(cublasHandle_t h, int m, int n, int op_, int incx,
                          int incy)
{
    cublasOperation_t op = (cublasOperation_t)op_;
    int lda = m + 1, kl = m / 3, ku = n / 2, ldb = kl + ku + 2;
    int rows = op_ == 0 ? m : n, columns = op_ == 0 ? n : m;
    T *a = N_(random)(lda * n), *band = N_(random)(ldb * n);
    struct dense s = dense_op(op, N_(dense)(a, m, n, lda));
    Y_CHECK("gemv",
            F(gemv)(h, op, m, n, SCALAR(ALPHA), a, lda, x, incx, SCALAR(BETA),
                    y, incy),
            rows, columns, columns);
    s = dense_make(m, n);
    for (int c = 0; c < n; c++) {
        for (int r = 0; r < m; r++) {
            if (r - c <= kl && c - r <= ku)
                *dense_at(s, r, c) = N_(get)(&band[ku + r - c + c * ldb]);
        }
    }
    s = dense_op(op, s);
    Y_CHECK("gbmv",
            F(gbmv)(h, op, m, n, kl, ku, SCALAR(ALPHA), band, ldb, x, incx,
                    SCALAR(BETA), y, incy),
            rows, columns, columns);
    arena_free(a), arena_free(band);
}

/* Packed and band forms of the dense triangle. */
static T *N_(packed)(struct dense m, bool is_upper)
{
    T *p = N_(random)(m.rows * (m.rows + 1) / 2), *to = p;
    for (int c = 0; c < m.columns; c++) {
        for (int r = is_upper ? 0 : c; r < (is_upper ? c + 1 : m.rows); r++)
            *to++ = N_(put)(*dense_at(m, r, c));
    }
    return p;
}

static T *N_(banded)(struct dense m, bool is_upper, int k, int ld)
{
    T *p = N_(random)(ld * m.columns);
    for (int c = 0; c < m.columns; c++) {
        for (int r = 0; r < m.rows; r++) {
            int at = is_upper ? k + r - c : r - c;
            if (at >= 0 && at <= k && (is_upper ? r <= c : r >= c))
                p[at + c * ld] = N_(put)(*dense_at(m, r, c));
        }
    }
    return p;
}

static void N_(test_symv)(cublasHandle_t h, int n, bool is_upper,
                          bool is_hermitian, int incx, int incy)
{
    int lda = n + 1, k = n / 2, ldb = k + 2;
    cublasFillMode_t fill =
        is_upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    T *a = N_(random)(lda * n);
    struct dense plain = N_(dense)(a, n, n, lda), s, s2;
    T *ap = N_(packed)(plain, is_upper);
    T *ab = N_(banded)(plain, is_upper, k, ldb);
    s = dense_mirror(N_(dense)(a, n, n, lda), is_upper, is_hermitian);
    s2 = N_(dense)(a, n, n, lda);
#if IS_COMPLEX
    if (is_hermitian)
        Y_CHECK("hemv",
                F(hemv)(h, fill, n, SCALAR(ALPHA), a, lda, x, incx,
                        SCALAR(BETA), y, incy),
                n, n, n);
    else
#endif
        Y_CHECK("symv",
                F(symv)(h, fill, n, SCALAR(ALPHA), a, lda, x, incx,
                        SCALAR(BETA), y, incy),
                n, n, n);
#if IS_COMPLEX
#define PACKED_FORM hpmv
#define BAND_FORM   hbmv
#else
#define PACKED_FORM spmv
#define BAND_FORM   sbmv
#endif
    if (is_hermitian || !IS_COMPLEX) {
        s = dense_mirror(N_(dense)(a, n, n, lda), is_upper, is_hermitian);
        Y_CHECK("packed",
                F(PACKED_FORM)(h, fill, n, SCALAR(ALPHA), ap, x, incx,
                               SCALAR(BETA), y, incy),
                n, n, n);
        N_(shape)(s2, BAND, k, k);
        s = dense_mirror(s2, is_upper, is_hermitian);
        Y_CHECK("band",
                F(BAND_FORM)(h, fill, n, k, SCALAR(ALPHA), ab, ldb, x, incx,
                             SCALAR(BETA), y, incy),
                n, n, n);
    } else {
        free(s2.at);
    }
#undef PACKED_FORM
#undef BAND_FORM
    free(plain.at);
    arena_free(a), arena_free(ap), arena_free(ab);
}

/* x = S x, or the solution of S x = b by multiplying again. */
#define X_CHECK(name, call, solves)                                            \
    do {                                                                       \
        T *x = N_(random)(n * abs(incx));                                      \
        struct dense old = N_(vector)(x, n, incx), none = {0, 0, NULL}, bound; \
        CHECK_EQUAL(call, CUBLAS_STATUS_SUCCESS);                              \
        cudaDeviceSynchronize();                                               \
        struct dense now = N_(vector)(x, n, incx);                             \
        struct dense made =                                                    \
            dense_product(1, s, solves ? now : old, 0, none, &bound);          \
        N_(compare)(name, made, solves ? old : now, bound, 4 * n, FULL);       \
        free(solves ? now.at : old.at);                                        \
        arena_free(x);                                                         \
    } while (0)

static void N_(test_triangle_vector)(cublasHandle_t h, int n, bool is_upper,
                                     int op_, bool is_unit, int incx)
{
    int lda = n + 1, k = n / 2, ldb = k + 2;
    cublasFillMode_t fill =
        is_upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    cublasDiagType_t diag = is_unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
    cublasOperation_t op = (cublasOperation_t)op_;
    enum shape shape = is_upper  ? is_unit ? UPPER_UNIT : UPPER
                       : is_unit ? LOWER_UNIT
                                 : LOWER;
    T *a = N_(random)(lda * n);
    for (int i = 0; i < lda * n; i++)
        a[i] = N_(put)(N_(get)(&a[i]) / (n + 1) + (i % (lda + 1) == 0));
    struct dense plain = N_(dense)(a, n, n, lda);
    T *ap = N_(packed)(plain, is_upper);
    T *ab = N_(banded)(plain, is_upper, k, ldb);
    struct dense s = N_(dense)(a, n, n, lda);
    N_(shape)(s, shape, 0, 0);
    s = dense_op(op, s);
    X_CHECK("trmv", F(trmv)(h, fill, op, diag, n, a, lda, x, incx), false);
    X_CHECK("trsv", F(trsv)(h, fill, op, diag, n, a, lda, x, incx), true);
    X_CHECK("tpmv", F(tpmv)(h, fill, op, diag, n, ap, x, incx), false);
    X_CHECK("tpsv", F(tpsv)(h, fill, op, diag, n, ap, x, incx), true);
    free(s.at);
    s = N_(dense)(a, n, n, lda);
    N_(shape)(s, shape, 0, 0);
    N_(shape)(s, BAND, k, k);
    s = dense_op(op, s);
    X_CHECK("tbmv", F(tbmv)(h, fill, op, diag, n, k, ab, ldb, x, incx), false);
    X_CHECK("tbsv", F(tbsv)(h, fill, op, diag, n, k, ab, ldb, x, incx), true);
    free(s.at), free(plain.at);
    arena_free(a), arena_free(ap), arena_free(ab);
}

/* A += alpha x y' and so on, in full and packed form. */
static void N_(test_rank)(cublasHandle_t h, int n, bool is_upper,
                          bool is_hermitian, int incx, int incy)
{
    int lda = n + 1;
    cublasFillMode_t fill =
        is_upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    cublasOperation_t flip = is_hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
    T *x = N_(random)(n * abs(incx)), *y = N_(random)(n * abs(incy));
    for (int two = 0; two < 2; two++) {
        T *a = N_(random)(lda * n);
        struct dense old = N_(dense)(a, n, n, lda), bound, bound2;
        for (int i = 0; is_hermitian && i < n; i++)
            *dense_at(old, i, i) = creal(*dense_at(old, i, i));
        T *ap = N_(packed)(old, is_upper);
        number alpha = is_hermitian && !two ? creal(ALPHA) : ALPHA;
        struct dense vx = N_(vector)(x, n, incx);
        struct dense vy = N_(vector)(two ? y : x, n, two ? incy : incx);
        struct dense tx = dense_op(flip, N_(vector)(x, n, incx));
        struct dense ty =
            dense_op(flip, N_(vector)(two ? y : x, n, two ? incy : incx));
        struct dense expected = dense_product(alpha, vx, ty, 1, old, &bound);
        cublasStatus_t full = 0, packed = 0;
        if (two) {
            struct dense sum = dense_product(is_hermitian ? conj(alpha) : alpha,
                                             vy, tx, 1, expected, &bound2);
            free(expected.at), free(bound2.at);
            expected = sum;
            for (int i = 0; i < n * n; i++)
                bound.at[i] = 2 * bound.at[i] + 2;
        }
#if IS_COMPLEX
        const R *real = (const R *)SCALAR(alpha);
        if (is_hermitian && two) {
            full = F(her2)(h, fill, n, SCALAR(alpha), x, incx, y, incy, a, lda);
            packed = F(hpr2)(h, fill, n, SCALAR(alpha), x, incx, y, incy, ap);
        } else if (is_hermitian) {
            full = F(her)(h, fill, n, real, x, incx, a, lda);
            packed = F(hpr)(h, fill, n, real, x, incx, ap);
        } else if (two) {
            full = F(syr2)(h, fill, n, SCALAR(alpha), x, incx, y, incy, a, lda);
        } else {
            full = F(syr)(h, fill, n, SCALAR(alpha), x, incx, a, lda);
        }
#else
        if (two) {
            full = F(syr2)(h, fill, n, SCALAR(alpha), x, incx, y, incy, a, lda);
            packed = F(spr2)(h, fill, n, SCALAR(alpha), x, incx, y, incy, ap);
        } else {
            full = F(syr)(h, fill, n, SCALAR(alpha), x, incx, a, lda);
            packed = F(spr)(h, fill, n, SCALAR(alpha), x, incx, ap);
        }
#endif
        CHECK_EQUAL(full, CUBLAS_STATUS_SUCCESS);
        CHECK_EQUAL(packed, CUBLAS_STATUS_SUCCESS);
        cudaDeviceSynchronize();
        if (is_hermitian || !IS_COMPLEX) {
            T *from = ap;
            for (int c = 0; c < n; c++) {
                for (int r = is_upper ? 0 : c; r < (is_upper ? c + 1 : n);
                     r++, from++)
                    CHECK(cabs(N_(get)(from) - N_(get)(&a[r + c * lda])) <
                          64 * N_(eps));
            }
        }
        N_(compare)
        ("rank 1 or 2", N_(dense)(a, n, n, lda), expected, bound, 4,
         is_upper ? UPPER : LOWER);
        free(vx.at), free(vy.at), free(tx.at), free(ty.at), free(old.at);
        arena_free(a), arena_free(ap);
    }
    arena_free(x), arena_free(y);
}

static void N_(test_ger)(cublasHandle_t h, int m, int n, bool conjugates,
                         int incx, int incy)
{
    int lda = m + 1;
    T *x = N_(random)(m * abs(incx)), *y = N_(random)(n * abs(incy)),
      *a = N_(random)(lda * n);
    struct dense old = N_(dense)(a, m, n, lda), bound;
    struct dense vx = N_(vector)(x, m, incx);
    struct dense ty = dense_op(conjugates ? CUBLAS_OP_C : CUBLAS_OP_T,
                               N_(vector)(y, n, incy));
#if IS_COMPLEX
    CHECK_EQUAL((conjugates ? F(gerc) : F(geru))(h, m, n, SCALAR(ALPHA), x,
                                                 incx, y, incy, a, lda),
                CUBLAS_STATUS_SUCCESS);
#else
    CHECK_EQUAL(F(ger)(h, m, n, SCALAR(ALPHA), x, incx, y, incy, a, lda),
                CUBLAS_STATUS_SUCCESS);
#endif
    cudaDeviceSynchronize();
    struct dense expected = dense_product(ALPHA, vx, ty, 1, old, &bound);
    N_(compare)("ger", N_(dense)(a, m, n, lda), expected, bound, 2, FULL);
    free(vx.at), free(ty.at), free(old.at);
    arena_free(a), arena_free(x), arena_free(y);
}

static void N_(test_level2)(cublasHandle_t h, int m, int n, int incx, int incy)
{
    for (int op = 0; op < 3; op++) {
        N_(test_gemv)(h, m, n, op, incx, incy);
        for (int bits = 0; bits < 4; bits++)
            N_(test_triangle_vector)(h, n, bits & 1, op, bits & 2, incx);
    }
    for (int bits = 0; bits < (IS_COMPLEX ? 4 : 2); bits++) {
        N_(test_symv)(h, n, bits & 1, bits & 2, incx, incy);
        N_(test_rank)(h, n, bits & 1, bits & 2, incx, incy);
        N_(test_ger)(h, m, n, bits & 2, incx, incy);
    }
}

/* ---- level 1 ---------------------------------------------------------- */

static void N_(test_changes)(cublasHandle_t h, int n, int incx, int incy)
{
    T *x = N_(random)(n * abs(incx)), *y = N_(random)(n * abs(incy));
    struct dense vx = N_(vector)(x, n, incx), vy = N_(vector)(y, n, incy);
    struct dense bound = dense_make(n, 1), expected = dense_make(n, 1);
    number s = IS_COMPLEX ? CMPLX(0.5, 0.25) : 0.5;
    for (int i = 0; i < n; i++) {
        bound.at[i] = cabs(vx.at[i]) + cabs(vy.at[i]);
        expected.at[i] = vy.at[i] + ALPHA * vx.at[i];
    }
    CHECK_EQUAL(F(axpy)(h, n, SCALAR(ALPHA), x, incx, y, incy), 0);
    cudaDeviceSynchronize();
    N_(compare)("axpy", N_(vector)(y, n, incy), expected, bound, 8, FULL);

    CHECK_EQUAL(F(copy)(h, n, x, incx, y, incy), 0);
    cudaDeviceSynchronize();
    struct dense now = N_(vector)(y, n, incy);
    CHECK(memcmp(now.at, vx.at, (size_t)n * sizeof(number)) == 0);
    if (incx > 0) {
        CHECK_EQUAL(F(scal)(h, n, SCALAR(ALPHA), x, incx), 0);
        cudaDeviceSynchronize();
        for (int i = 0; i < n; i++)
            CHECK(cabs(N_(get)(&x[i * incx]) - ALPHA * vx.at[i]) <=
                  8 * N_(eps) * cabs(vx.at[i]));
    }
    struct dense px = N_(vector)(x, n, incx), py = N_(vector)(y, n, incy);
    CHECK_EQUAL(F(swap)(h, n, x, incx, y, incy), 0);
    cudaDeviceSynchronize();
    struct dense qx = N_(vector)(x, n, incx), qy = N_(vector)(y, n, incy);
    CHECK(!memcmp(px.at, qy.at, (size_t)n * sizeof(number)) &&
          !memcmp(py.at, qx.at, (size_t)n * sizeof(number)));

    const R *c = (const R *)SCALAR(0.75);
    CHECK_EQUAL(F(rot)(h, n, x, incx, y, incy, c, SCALAR(s)), 0);
    cudaDeviceSynchronize();
    struct dense rx = N_(vector)(x, n, incx), ry = N_(vector)(y, n, incy);
    for (int i = 0; i < n; i++) {
        number ex = 0.75 * qx.at[i] + s * qy.at[i];
        number ey = 0.75 * qy.at[i] - conj(s) * qx.at[i];
        double most = 8 * N_(eps) * (cabs(qx.at[i]) + cabs(qy.at[i]));
        CHECK(cabs(rx.at[i] - ex) <= most && cabs(ry.at[i] - ey) <= most);
    }
    free(vx.at), free(vy.at), free(now.at), free(px.at), free(py.at);
    free(qx.at), free(qy.at), free(rx.at), free(ry.at);
    arena_free(x), arena_free(y);
}

static void N_(test_reductions)(cublasHandle_t h, int n, int incx, int incy)
{
    T *x = N_(random)(n * abs(incx)), *y = N_(random)(n * abs(incy));
    T *result = N_(random)(2);
    int *index = (int *)N_(random)(8);
    R *real = (R *)result;
    struct dense vx = N_(vector)(x, n, incx), vy = N_(vector)(y, n, incy);
    number dot = 0, dotc = 0;
    double size = 0, squares = 0, sum = 0, most = -1, least = INFINITY;
    for (int i = 0; i < n; i++) {
        double one_norm = fabs(creal(vx.at[i])) + fabs(cimag(vx.at[i]));
        if (sizeof(R) == 4)
            one_norm = (float)one_norm;
        dot += vx.at[i] * vy.at[i];
        dotc += conj(vx.at[i]) * vy.at[i];
        size += cabs(vx.at[i]) * cabs(vy.at[i]);
        squares += creal(vx.at[i] * conj(vx.at[i]));
        sum += one_norm;
        most = fmax(most, one_norm);
        least = fmin(least, one_norm);
    }
    double error = 64 * N_(eps);
#if IS_COMPLEX
    CHECK_EQUAL(F(dotu)(h, n, x, incx, y, incy, result), 0);
    cudaDeviceSynchronize();
    CHECK(cabs(N_(get)(result) - dot) <= error * size);
    CHECK_EQUAL(F(dotc)(h, n, x, incx, y, incy, result), 0);
    cudaDeviceSynchronize();
    CHECK(cabs(N_(get)(result) - dotc) <= error * size);
#else
    CHECK_EQUAL(F(dot)(h, n, x, incx, y, incy, result), 0);
    cudaDeviceSynchronize();
    CHECK(cabs(N_(get)(result) - dot) <= error * size);
#endif
    if (incx > 0) {
        CHECK_EQUAL(RES(nrm2)(h, n, x, incx, real), 0);
        cudaDeviceSynchronize();
        CHECK(fabs(*real - sqrt(squares)) <= error * sqrt(squares));
        CHECK_EQUAL(RES(asum)(h, n, x, incx, real), 0);
        cudaDeviceSynchronize();
        CHECK(fabs(*real - sum) <= error * sum);
        CHECK_EQUAL(IDX(amax)(h, n, x, incx, index), 0);
        cudaDeviceSynchronize();
        int at = *index - 1;
        CHECK(at >= 0 && at < n);
        double there = fabs(creal(vx.at[at])) + fabs(cimag(vx.at[at]));
        CHECK(fabs(there - most) <= error);
        for (int i = 0; i < at; i++)
            CHECK((R)(fabs(creal(vx.at[i])) + fabs(cimag(vx.at[i]))) <
                  (R)there);
        CHECK_EQUAL(IDX(amin)(h, n, x, incx, index), 0);
        cudaDeviceSynchronize();
        at = *index - 1;
        there = fabs(creal(vx.at[at])) + fabs(cimag(vx.at[at]));
        CHECK(fabs(there - least) <= error);
    }
    free(vx.at), free(vy.at);
    arena_free(x), arena_free(y), arena_free(result), arena_free(index);
}

/* ---- like BLAS -------------------------------------------------------- */

/* Blocks of 32 are transposed at once; C may be A. */
static void N_(test_geam)(cublasHandle_t h, int m, int n, int op_a, int op_b,
                          bool in_place)
{
    cublasOperation_t oa = (cublasOperation_t)op_a,
                      ob = (cublasOperation_t)op_b;
    int a_rows = op_a ? n : m, b_rows = op_b ? n : m;
    int lda = a_rows + 2, ldb = b_rows + 3, ldc = in_place ? lda : m + 1;
    T *a = N_(random)(lda * (op_a ? m : n));
    T *b = N_(random)(ldb * (op_b ? m : n));
    T *c = in_place ? a : N_(random)(ldc * n), beyond = c[m];
    struct dense x = dense_op(oa, N_(dense)(a, a_rows, op_a ? m : n, lda));
    struct dense y = dense_op(ob, N_(dense)(b, b_rows, op_b ? m : n, ldb));
    struct dense bound = dense_make(m, n), expected = dense_make(m, n);
    for (int i = 0; i < m * n; i++) {
        bound.at[i] = cabs(x.at[i]) + 2 * cabs(y.at[i]);
        expected.at[i] = ALPHA * x.at[i] + BETA * y.at[i];
    }
    CHECK_EQUAL(G(geam)(h, oa, ob, m, n, SCALAR(ALPHA), a, lda, SCALAR(BETA), b,
                        ldb, c, ldc),
                CUBLAS_STATUS_SUCCESS);
    cudaDeviceSynchronize();
    CHECK(memcmp(&beyond, &c[m], sizeof beyond) == 0);
    N_(compare)("geam", N_(dense)(c, m, n, ldc), expected, bound, 8, FULL);
    free(x.at), free(y.at), arena_free(a), arena_free(b);
    if (!in_place)
        arena_free(c);
}

static void N_(test_dgmm)(cublasHandle_t h, int m, int n, bool is_right,
                          int inc)
{
    int count = is_right ? n : m, lda = m + 2, ldc = m + 1;
    T *a = N_(random)(lda * n), *c = N_(random)(ldc * n), beyond = c[m];
    T *x = N_(random)(count * abs(inc));
    struct dense va = N_(dense)(a, m, n, lda), vx = N_(vector)(x, count, inc);
    struct dense bound = dense_make(m, n), expected = dense_make(m, n);
    for (int i = 0; i < m * n; i++) {
        number factor = vx.at[is_right ? i / m : i % m];
        expected.at[i] = va.at[i] * factor;
        bound.at[i] = 2 * cabs(va.at[i]) * cabs(factor);
    }
    CHECK_EQUAL(G(dgmm)(h, is_right ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT, m,
                        n, a, lda, x, inc, c, ldc),
                CUBLAS_STATUS_SUCCESS);
    cudaDeviceSynchronize();
    CHECK(memcmp(&beyond, &c[m], sizeof beyond) == 0);
    N_(compare)("dgmm", N_(dense)(c, m, n, ldc), expected, bound, 1, FULL);
    free(va.at), free(vx.at), arena_free(a), arena_free(c), arena_free(x);
}

static void N_(test_extensions)(cublasHandle_t h)
{
    static const int incs[] = {1, 3, -1, -2};
    for (int ops = 0; ops < 9; ops++)
        N_(test_geam)(h, 41, 70, ops / 3, ops % 3, false);
    N_(test_geam)(h, 41, 70, CUBLAS_OP_N, CUBLAS_OP_T, true);
    for (int i = 0; i < 8; i++)
        N_(test_dgmm)(h, 41, 37, i / 4, incs[i % 4]);
}

static void N_(test_all)(cublasHandle_t h)
{
    static const int sizes[][3] = {
        {1, 1, 1}, {3, 5, 2}, {17, 12, 9}, {40, 33, 21}, {70, 90, 67}};
    for (int i = 0; i < 5; i++)
        N_(test_level3)(h, sizes[i][0], sizes[i][1], sizes[i][2]);
    N_(test_gemm)(h, 230, 190, 110, 0, 1, BETA);
    N_(test_level2)(h, 1, 1, 1, 1);
    N_(test_level2)(h, 13, 20, 1, 1);
    N_(test_level2)(h, 30, 17, -2, 3);
    N_(test_level2)(h, 9, 40, 3, -1);
    N_(test_gemv)(h, 700, 600, 0, 1, 1);
    N_(test_gemv)(h, 700, 600, 1, 2, -2);
    N_(test_extensions)(h);
    static const int lengths[] = {1, 7, 100, 5000, 40000};
    for (int i = 0; i < 5; i++) {
        N_(test_changes)(h, lengths[i], 1, 1);
        N_(test_changes)(h, lengths[i], 2, -3);
        N_(test_reductions)(h, lengths[i], 1, 1);
        N_(test_reductions)(h, lengths[i], 3, -2);
    }
}

#undef N_
#undef SCALAR
#undef VALUE
#undef ALPHA
#undef BETA
#undef Y_CHECK
#undef X_CHECK
