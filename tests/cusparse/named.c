/* SPDX-License-Identifier: Apache-2.0 */
/* cuSPARSE's functions that name their type, in blocks and out of them, against
 * dense arithmetic: formats, products, triangles, factors, filters. */
#include "check.h"

enum { N = 12, AREA = N * N };

/* A matrix by rows, and as CSR or in blocks of r x c. */
struct matrix {
    int t, r, c, nnz, base;
    cusparseDirection_t dir;
    number at[AREA];
    void *val;
    int *ptr, *ind;
    cusparseMatDescr_t d;
};

static struct matrix *matrix_new(int t, int base)
{
    struct matrix *m = calloc(1, sizeof *m);
    m->t = t, m->base = base, m->r = m->c = 1;
    m->val = managed(AREA * 16), m->ptr = managed(64), m->ind = managed(AREA * 4);
    OK(cusparseCreateMatDescr(&m->d));
    OK(cusparseSetMatIndexBase(m->d, base));
    return m;
}

static void matrix_free(struct matrix *m)
{
    cudaDeviceSynchronize();
    cusparseDestroyMatDescr(m->d);
    cudaFree(m->val), cudaFree(m->ptr), cudaFree(m->ind);
    free(m);
}

static int value_at(const struct matrix *m, int slot, int r, int c)
{
    return slot * m->r * m->c +
           (m->dir == CUSPARSE_DIRECTION_ROW ? r * m->c + c : c * m->r + r);
}

/* Writes val, ptr, ind of what `at` has. */
static void matrix_pack(struct matrix *m)
{
    m->nnz = 0;
    for (int i = 0; i < N / m->r; i++) {
        m->ptr[i] = m->nnz + m->base;
        for (int j = 0; j < N / m->c; j++) {
            bool any = false;
            for (int k = 0; k < m->r * m->c; k++) {
                int row = i * m->r + k / m->c, col = j * m->c + k % m->c;
                number v = m->at[row * N + col];
                any = any || v != 0;
                put(m->t, m->val, value_at(m, m->nnz, k / m->c, k % m->c), v);
            }
            m->ind[m->nnz] = j + m->base;
            m->nnz += any;
        }
    }
    m->ptr[N / m->r] = m->nnz + m->base;
}

/* What val, ptr, ind have. */
static void matrix_unpack(const struct matrix *m, number out[AREA])
{
    cudaDeviceSynchronize();
    memset(out, 0, AREA * sizeof *out);
    for (int i = 0; i < N / m->r; i++)
        for (int s = m->ptr[i] - m->base; s < m->ptr[i + 1] - m->base; s++)
            for (int k = 0; k < m->r * m->c; k++) {
                int row = i * m->r + k / m->c;
                int col = (m->ind[s] - m->base) * m->c + k % m->c;
                out[row * N + col] =
                    get(m->t, m->val, value_at(m, s, k / m->c, k % m->c));
            }
}

static bool same(int t, const number *a, const number *b, int n)
{
    for (int i = 0; i < n; i++)
        if (!near(t, a[i], b[i]))
            return false;
    return true;
}

static struct matrix *matrix_draw(int t, int base, int r, int c,
                                  cusparseDirection_t dir)
{
    struct matrix *m = matrix_new(t, base);
    m->r = r, m->c = c, m->dir = dir;
    for (int i = 0; i < AREA; i++)
        m->at[i] = i % 5 == 0 || i % 17 == 3 ? draw(t) + 3 : 0;
    for (int i = 0; i < N; i++)
        m->at[i * N + i] = 20 + i;
    matrix_pack(m);
    return m;
}

static void *vector_of(int t, int n, number *v)
{
    void *p = managed((size_t)n * 16);
    for (int i = 0; i < n; i++)
        put(t, p, i, v[i] = draw(t));
    return p;
}

static void dense_product(const number *a, bool is_t, const number *x,
                          number *y)
{
    for (int i = 0; i < N; i++) {
        y[i] = 0;
        for (int j = 0; j < N; j++)
            y[i] += (is_t ? a[j * N + i] : a[i * N + j]) * x[j];
    }
}

#define CASES(X, T, R, t)                                                      \
    static void formats_##X(int base, cusparseDirection_t dir)                 \
    {                                                                          \
        struct matrix *a = matrix_draw(t, base, 1, 1, dir);                    \
        struct matrix *b = matrix_new(t, !base), *c = matrix_new(t, base);     \
        number out[AREA];                                                      \
        void *room = managed(65536);                                           \
        int nnz = 0, bytes = 0;                                                \
        b->r = b->c = 3, b->dir = c->dir = dir;                                \
        OK(cusparseXcsr2bsrNnz(handle, dir, N, N, a->d, a->ptr, a->ind, 3,     \
                               b->d, b->ptr, &nnz));                           \
        OK(cusparse##X##csr2bsr(handle, dir, N, N, a->d, a->val, a->ptr,       \
                                a->ind, 3, b->d, b->val, b->ptr, b->ind));     \
        matrix_unpack(b, out);                                                 \
        CHECK(same(t, out, a->at, AREA) && nnz == b->ptr[4] - b->base);        \
        OK(cusparse##X##bsr2csr(handle, dir, 4, 4, b->d, b->val, b->ptr,       \
                                b->ind, 3, c->d, c->val, c->ptr, c->ind));     \
        matrix_unpack(c, out);                                                 \
        CHECK(same(t, out, a->at, AREA));                                      \
        CHECK(c->ptr[N] - c->base == nnz * 9);                                 \
        /* 2 x 3, then 4 x 2, then as rows. */                                 \
        b->r = 2;                                                              \
        OK(cusparse##X##csr2gebsr_bufferSize(handle, dir, N, N, a->d, a->val,  \
                                             a->ptr, a->ind, 2, 3, &bytes));   \
        OK(cusparseXcsr2gebsrNnz(handle, dir, N, N, a->d, a->ptr, a->ind,      \
                                 b->d, b->ptr, 2, 3, &nnz, room));             \
        OK(cusparse##X##csr2gebsr(handle, dir, N, N, a->d, a->val, a->ptr,     \
                                  a->ind, b->d, b->val, b->ptr, b->ind, 2, 3,  \
                                  room));                                      \
        matrix_unpack(b, out);                                                 \
        CHECK(same(t, out, a->at, AREA));                                      \
        int nnzb = nnz;                                                        \
        c->r = 4, c->c = 2;                                                    \
        OK(cusparse##X##gebsr2gebsr_bufferSize(handle, dir, 6, 4, nnzb, b->d,  \
                                               b->val, b->ptr, b->ind, 2, 3,   \
                                               4, 2, &bytes));                 \
        OK(cusparseXgebsr2gebsrNnz(handle, dir, 6, 4, nnzb, b->d, b->ptr,      \
                                   b->ind, 2, 3, c->d, c->ptr, 4, 2, &nnz,     \
                                   room));                                     \
        OK(cusparse##X##gebsr2gebsr(handle, dir, 6, 4, nnzb, b->d, b->val,     \
                                    b->ptr, b->ind, 2, 3, c->d, c->val,        \
                                    c->ptr, c->ind, 4, 2, room));              \
        matrix_unpack(c, out);                                                 \
        CHECK(same(t, out, a->at, AREA));                                      \
        c->r = c->c = 1;                                                       \
        OK(cusparse##X##gebsr2csr(handle, dir, 6, 4, b->d, b->val, b->ptr,     \
                                  b->ind, 2, 3, c->d, c->val, c->ptr,          \
                                  c->ind));                                    \
        matrix_unpack(c, out);                                                 \
        CHECK(same(t, out, a->at, AREA));                                      \
        /* By columns of blocks: the transposed matrix of blocks. */           \
        int *col_ptr = managed(64), *row_ind = managed(AREA * 4);              \
        void *val = managed(AREA * 16);                                        \
        OK(cusparse##X##gebsr2gebsc_bufferSize(                                \
            handle, 6, 4, nnzb, b->val, b->ptr, b->ind, 2, 3, &bytes));        \
        OK(cusparse##X##gebsr2gebsc(handle, 6, 4, nnzb, b->val, b->ptr,        \
                                    b->ind, 2, 3, val, row_ind, col_ptr, 1,    \
                                    b->base, room));                           \
        cudaDeviceSynchronize();                                               \
        for (int j = 0; j < 4; j++)                                            \
            for (int s = col_ptr[j] - b->base; s < col_ptr[j + 1] - b->base;   \
                 s++)                                                          \
                for (int k = 0; k < 6; k++) {                                  \
                    int row = (row_ind[s] - b->base) * 2 + k / 3;              \
                    number v =                                                 \
                        get(t, val, value_at(b, s, k / 3, k % 3));             \
                    CHECK(near(t, v, a->at[row * N + j * 3 + k % 3]));         \
                }                                                              \
        cudaFree(col_ptr), cudaFree(row_ind), cudaFree(val), cudaFree(room);   \
        matrix_free(a), matrix_free(b), matrix_free(c);                        \
    }                                                                          \
    static void products_##X(int base, cusparseDirection_t dir)                \
    {                                                                          \
        struct matrix *a = matrix_draw(t, base, 3, 3, dir);                    \
        number x[2 * N], y[2 * N], want[N], al, be;                            \
        T *dx = vector_of(t, 2 * N, x), *dy = vector_of(t, 2 * N, y);          \
        T alpha, beta;                                                         \
        put(t, &alpha, 0, al = 2), put(t, &beta, 0, be = draw(t));             \
        OK(cusparse##X##bsrmv(handle, dir, 0, 4, 4, a->nnz, &alpha, a->d,      \
                              a->val, a->ptr, a->ind, 3, dx, &beta, dy));      \
        cudaDeviceSynchronize();                                               \
        dense_product(a->at, false, x, want);                                  \
        for (int i = 0; i < N; i++) {                                          \
            CHECK(near(t, get(t, dy, i), al * want[i] + be * y[i]));           \
            y[i] = get(t, dy, i);                                              \
        }                                                                      \
        CHECK(cusparse##X##bsrmv(handle, dir, 1, 4, 4, a->nnz, &alpha, a->d,   \
                                 a->val, a->ptr, a->ind, 3, dx, &beta, dy) ==  \
              CUSPARSE_STATUS_INVALID_VALUE);                                  \
        /* Rows 0 and 2 of blocks; of row 2 all blocks but the last. */        \
        int *mask = managed(64), *ends = managed(64);                          \
        mask[0] = base, mask[1] = 2 + base;                                    \
        for (int i = 0; i < 4; i++)                                            \
            ends[i] = a->ptr[i + 1] - (i == 2);                                \
        int cut = (a->ind[ends[2] - base] - base) * 3;                         \
        OK(cusparse##X##bsrxmv(handle, dir, 0, 2, 4, 4, a->nnz, &alpha, a->d,  \
                               a->val, mask, a->ptr, ends, a->ind, 3, dx,      \
                               &beta, dy));                                    \
        cudaDeviceSynchronize();                                               \
        for (int i = 0; i < N; i++) {                                          \
            number v = be * y[i];                                              \
            for (int j = 0; j < (i / 3 == 2 ? cut : N); j++)                   \
                v += al * a->at[i * N + j] * x[j];                             \
            CHECK(near(t, get(t, dy, i), i / 3 % 2 ? y[i] : v));               \
            y[i] = get(t, dy, i);                                              \
        }                                                                      \
        /* Two columns; B as it is, and transposed. */                         \
        for (int op = 0; op < 2; op++) {                                       \
            for (int i = 0; i < 2 * N; i++)                                    \
                y[i] = get(t, dy, i);                                          \
            OK(cusparse##X##bsrmm(handle, dir, 0, op, 4, 2, 4, a->nnz, &alpha, \
                                  a->d, a->val, a->ptr, a->ind, 3, dx,         \
                                  op ? 2 : N, &beta, dy, N));                  \
            cudaDeviceSynchronize();                                           \
            for (int c = 0; c < 2; c++) {                                      \
                number column[N];                                              \
                for (int i = 0; i < N; i++)                                    \
                    column[i] = x[op ? i * 2 + c : c * N + i];                 \
                dense_product(a->at, false, column, want);                     \
                for (int i = 0; i < N; i++)                                    \
                    CHECK(near(t, get(t, dy, c * N + i),                       \
                               al * want[i] + be * y[c * N + i]));             \
            }                                                                  \
        }                                                                      \
        cudaFree(dx), cudaFree(dy), cudaFree(mask), cudaFree(ends);            \
        matrix_free(a);                                                        \
    }                                                                          \
    static void triangles_##X(int base, cusparseDirection_t dir, int upper,    \
                              int unit, int op)                                \
    {                                                                          \
        struct matrix *a = matrix_draw(t, base, 3, 3, dir);                    \
        number f[2 * N], x[N], full[AREA];                                     \
        T *df = vector_of(t, 2 * N, f), *dx = managed(2 * N * 16), alpha;      \
        void *room = managed(65536);                                           \
        bsrsv2Info_t sv;                                                       \
        bsrsm2Info_t sm;                                                       \
        int bytes, position;                                                   \
        if (unit)                                                              \
            for (int i = 0; i < AREA; i++)                                     \
                a->at[i] /= 30;                                                \
        matrix_pack(a);                                                        \
        put(t, &alpha, 0, 2);                                                  \
        for (int i = 0; i < AREA; i++) {                                       \
            int r = i / N, c = i % N;                                          \
            number v = op == 2 ? conj(a->at[i]) : a->at[i];                    \
            full[i] = r == c && unit ? 1 : (upper ? c < r : c > r) ? 0 : v;    \
        }                                                                      \
        OK(cusparseSetMatFillMode(a->d, upper));                               \
        OK(cusparseSetMatDiagType(a->d, unit));                                \
        OK(cusparseCreateBsrsv2Info(&sv));                                     \
        OK(cusparseCreateBsrsm2Info(&sm));                                     \
        OK(cusparse##X##bsrsv2_bufferSize(handle, dir, op, 4, a->nnz, a->d,    \
                                          a->val, a->ptr, a->ind, 3, sv,       \
                                          &bytes));                            \
        OK(cusparse##X##bsrsv2_analysis(handle, dir, op, 4, a->nnz, a->d,      \
                                        a->val, a->ptr, a->ind, 3, sv, 0,      \
                                        room));                                \
        OK(cusparse##X##bsrsv2_solve(handle, dir, op, 4, a->nnz, &alpha,       \
                                     a->d, a->val, a->ptr, a->ind, 3, sv, df,  \
                                     dx, 0, room));                            \
        OK(cusparseXbsrsv2_zeroPivot(handle, sv, &position));                  \
        CHECK(position == -1);                                                 \
        for (int i = 0; i < N; i++)                                            \
            x[i] = get(t, dx, i);                                              \
        number back[N];                                                        \
        dense_product(full, op != 0, x, back);                                 \
        for (int i = 0; i < N; i++)                                            \
            CHECK(near(t, back[i], 2 * f[i]));                                 \
        OK(cusparse##X##bsrsm2_bufferSize(handle, dir, op, 0, 4, 2, a->nnz,    \
                                          a->d, a->val, a->ptr, a->ind, 3, sm, \
                                          &bytes));                            \
        OK(cusparse##X##bsrsm2_analysis(handle, dir, op, 0, 4, 2, a->nnz,      \
                                        a->d, a->val, a->ptr, a->ind, 3, sm,   \
                                        0, room));                             \
        OK(cusparse##X##bsrsm2_solve(handle, dir, op, 0, 4, 2, a->nnz, &alpha, \
                                     a->d, a->val, a->ptr, a->ind, 3, sm, df,  \
                                     N, dx, N, 0, room));                      \
        cudaDeviceSynchronize();                                               \
        for (int c = 0; c < 2; c++) {                                          \
            for (int i = 0; i < N; i++)                                        \
                x[i] = get(t, dx, c * N + i);                                  \
            dense_product(full, op != 0, x, back);                             \
            for (int i = 0; i < N; i++)                                        \
                CHECK(near(t, back[i], 2 * f[c * N + i]));                     \
        }                                                                      \
        OK(cusparseDestroyBsrsv2Info(sv));                                     \
        OK(cusparseDestroyBsrsm2Info(sm));                                     \
        cudaFree(df), cudaFree(dx), cudaFree(room);                            \
        matrix_free(a);                                                        \
    }                                                                          \
    static void factors_##X(int base, cusparseDirection_t dir)                 \
    {                                                                          \
        struct matrix *a = matrix_new(t, base), *b = matrix_new(t, base);      \
        number out[AREA];                                                      \
        void *room = managed(65536);                                           \
        bsrilu02Info_t lu;                                                     \
        bsric02Info_t ic;                                                      \
        csrilu02Info_t csr;                                                    \
        int bytes, position;                                                   \
        double tol = 1e-3;                                                     \
        T seven;                                                               \
        put(t, &seven, 0, 7);                                                  \
        a->r = a->c = b->r = b->c = 3, a->dir = b->dir = dir;                  \
        for (int i = 0; i < N; i++)                                            \
            for (int j = 0; j <= i; j++) {                                     \
                a->at[i * N + j] = i == j ? 40 : draw(t) / 2;                  \
                a->at[j * N + i] = conj(a->at[i * N + j]);                     \
            }                                                                  \
        memcpy(b->at, a->at, sizeof b->at);                                    \
        matrix_pack(a), matrix_pack(b);                                        \
        OK(cusparseCreateBsrilu02Info(&lu));                                   \
        OK(cusparseCreateBsric02Info(&ic));                                    \
        OK(cusparseCreateCsrilu02Info(&csr));                                  \
        OK(cusparse##X##bsrilu02_bufferSize(handle, dir, 4, a->nnz, a->d,      \
                                            a->val, a->ptr, a->ind, 3, lu,     \
                                            &bytes));                          \
        OK(cusparse##X##bsrilu02_analysis(handle, dir, 4, a->nnz, a->d,        \
                                          a->val, a->ptr, a->ind, 3, lu, 0,    \
                                          room));                              \
        OK(cusparse##X##bsrilu02(handle, dir, 4, a->nnz, a->d, a->val, a->ptr, \
                                 a->ind, 3, lu, 0, room));                     \
        OK(cusparseXbsrilu02_zeroPivot(handle, lu, &position));                \
        OK(cusparse##X##bsric02_bufferSize(handle, dir, 4, b->nnz, b->d,       \
                                           b->val, b->ptr, b->ind, 3, ic,      \
                                           &bytes));                           \
        OK(cusparse##X##bsric02_analysis(handle, dir, 4, b->nnz, b->d,         \
                                         b->val, b->ptr, b->ind, 3, ic, 0,     \
                                         room));                               \
        OK(cusparse##X##bsric02(handle, dir, 4, b->nnz, b->d, b->val, b->ptr,  \
                                b->ind, 3, ic, 0, room));                      \
        OK(cusparseXbsric02_zeroPivot(handle, ic, &position));                 \
        matrix_unpack(a, out);                                                 \
        number l[AREA];                                                        \
        matrix_unpack(b, l);                                                   \
        for (int i = 0; i < N; i++)                                            \
            for (int j = 0; j < N; j++) {                                      \
                number p = 0, q = 0;                                           \
                for (int k = 0; k <= i && k <= j; k++) {                       \
                    p += (k == i ? 1 : out[i * N + k]) * out[k * N + j];       \
                    q += l[i * N + k] * conj(l[j * N + k]);                    \
                }                                                              \
                CHECK(near(t, p, a->at[i * N + j]));                           \
                CHECK(near(t, q, a->at[i * N + j]));                           \
            }                                                                  \
        /* The pivot of row 5 is 0: a pivot of block row 1, or boosted. */     \
        memset(a->at, 0, sizeof a->at);                                        \
        for (int i = 0; i < N; i++)                                            \
            a->at[i * N + i] = i == 5 ? 0 : 1 + i;                             \
        matrix_pack(a);                                                        \
        OK(cusparse##X##bsrilu02_analysis(handle, dir, 4, a->nnz, a->d,        \
                                          a->val, a->ptr, a->ind, 3, lu, 0,    \
                                          room));                              \
        OK(cusparse##X##bsrilu02(handle, dir, 4, a->nnz, a->d, a->val, a->ptr, \
                                 a->ind, 3, lu, 0, room));                     \
        CHECK(cusparseXbsrilu02_zeroPivot(handle, lu, &position) ==            \
              CUSPARSE_STATUS_ZERO_PIVOT);                                     \
        CHECK(position == 1 + base);                                           \
        matrix_pack(a);                                                        \
        OK(cusparse##X##bsrilu02_numericBoost(handle, lu, 1, &tol, &seven));   \
        OK(cusparse##X##bsrilu02(handle, dir, 4, a->nnz, a->d, a->val, a->ptr, \
                                 a->ind, 3, lu, 0, room));                     \
        matrix_unpack(a, out);                                                 \
        CHECK(near(t, out[5 * N + 5], 7) && near(t, out[4 * N + 4], 5));       \
        OK(cusparse##X##csrilu02_numericBoost(handle, csr, 0, NULL, NULL));    \
        OK(cusparseDestroyBsrilu02Info(lu));                                   \
        OK(cusparseDestroyBsric02Info(ic));                                    \
        OK(cusparseDestroyCsrilu02Info(csr));                                  \
        cudaFree(room);                                                        \
        matrix_free(a), matrix_free(b);                                        \
    }                                                                          \
    static void bands_##X(void)                                                \
    {                                                                          \
        enum { SYSTEMS = 3, ALL = N * SYSTEMS };                               \
        number d[5][ALL], b[ALL];                                              \
        T *at[5], *x = vector_of(t, ALL, b);                                   \
        size_t bytes = 0;                                                      \
        for (int k = 0; k < 5; k++)                                            \
            at[k] = vector_of(t, ALL, d[k]);                                   \
        OK(cusparse##X##gpsvInterleavedBatch_bufferSizeExt(                    \
            handle, 0, N, at[0], at[1], at[2], at[3], at[4], x, SYSTEMS,       \
            &bytes));                                                          \
        void *room = managed(bytes);                                           \
        for (int s = 0; s < SYSTEMS; s++) {                                    \
            put(t, at[0], s, 0), put(t, at[0], SYSTEMS + s, 0);                \
            put(t, at[1], s, 0), put(t, at[3], (N - 1) * SYSTEMS + s, 0);      \
            put(t, at[4], (N - 1) * SYSTEMS + s, 0);                           \
            put(t, at[4], (N - 2) * SYSTEMS + s, 0);                           \
        }                                                                      \
        OK(cusparse##X##gpsvInterleavedBatch(handle, 0, N, at[0], at[1],       \
                                             at[2], at[3], at[4], x, SYSTEMS,  \
                                             room));                           \
        cudaDeviceSynchronize();                                               \
        for (int s = 0; s < SYSTEMS; s++)                                      \
            for (int i = 0; i < N; i++) {                                      \
                number v = 0;                                                  \
                double big = 0;                                                \
                for (int k = 0; k < 5; k++)                                    \
                    if (i + k >= 2 && i + k - 2 < N) {                         \
                        number part = d[k][i * SYSTEMS + s] *                  \
                                      get(t, x, (i + k - 2) * SYSTEMS + s);    \
                        v += part, big += cabs(part);                          \
                    }                                                          \
                CHECK(cabs(v - b[i * SYSTEMS + s]) <                           \
                      (t % 2 ? 1e-9 : 1e-3) * (1 + big));                      \
            }                                                                  \
        for (int k = 0; k < 5; k++)                                            \
            cudaFree(at[k]);                                                   \
        cudaFree(x), cudaFree(room);                                           \
    }                                                                          \
    static void filters_##X(int base)                                          \
    {                                                                          \
        struct matrix *a = matrix_draw(t, base, 1, 1, 0);                      \
        struct matrix *c = matrix_new(t, base);                                \
        int *each = managed(64), total = 0, want = 0, bytes;                   \
        T *dense = managed(AREA * 16), tol, alpha, beta;                       \
        number x[N], y[N], out[AREA];                                          \
        for (int i = 0; i < AREA; i++)                                         \
            put(t, dense, i % N * N + i / N, a->at[i]);                        \
        for (int by = 0; by < 2; by++) {                                       \
            OK(cusparse##X##nnz(handle, by, N, N, a->d, dense, N, each,        \
                                &total));                                      \
            cudaDeviceSynchronize();                                           \
            CHECK(total == a->nnz);                                            \
            for (int i = 0; i < N; i++, want = 0) {                            \
                for (int j = 0; j < N; j++)                                    \
                    want += a->at[by ? j * N + i : i * N + j] != 0;            \
                CHECK(each[i] == want);                                        \
            }                                                                  \
        }                                                                      \
        put(t, &tol, 0, 4);                                                    \
        OK(cusparse##X##nnz_compress(handle, N, a->d, a->val, a->ptr, each,    \
                                     &total, tol));                            \
        OK(cusparse##X##csr2csr_compress(handle, N, N, a->d, a->val, a->ind,   \
                                         a->ptr, a->nnz, each, c->val, c->ind, \
                                         c->ptr, tol));                        \
        matrix_unpack(c, out);                                                 \
        CHECK(c->ptr[N] - base == total);                                      \
        for (int i = 0; i < AREA; i++) {                                       \
            CHECK(near(t, out[i], cabs(a->at[i]) > 4 ? a->at[i] : 0));         \
            want += cabs(a->at[i]) > 4;                                        \
        }                                                                      \
        CHECK(total == want);                                                  \
        /* gemvi: y = 2 op(dense) x + 3 y, x with two entries. */              \
        int *ind = managed(16);                                                \
        T *dx = vector_of(t, N, x), *dy = vector_of(t, N, y);                  \
        void *room = managed(65536);                                           \
        ind[0] = 1 + base, ind[1] = 7 + base;                                  \
        put(t, &alpha, 0, 2), put(t, &beta, 0, 3);                             \
        OK(cusparse##X##gemvi_bufferSize(handle, 0, N, N, 2, &bytes));         \
        OK(cusparse##X##gemvi(handle, 0, N, N, &alpha, dense, N, 2, dx, ind,   \
                              &beta, dy, base, room));                         \
        cudaDeviceSynchronize();                                               \
        for (int i = 0; i < N; i++)                                            \
            CHECK(near(t, get(t, dy, i),                                       \
                       2 * (a->at[i * N + 1] * x[0] +                          \
                            a->at[i * N + 7] * x[1]) +                         \
                           3 * y[i]));                                         \
        /* Unsorted, sorted, and back. */                                      \
        csru2csrInfo_t info;                                                   \
        size_t big;                                                            \
        int was[2] = {a->ind[0], a->ind[1]};                                   \
        number v[2] = {get(t, a->val, 0), get(t, a->val, 1)};                  \
        a->ind[0] = was[1], a->ind[1] = was[0];                                \
        put(t, a->val, 0, v[1]), put(t, a->val, 1, v[0]);                      \
        OK(cusparseCreateCsru2csrInfo(&info));                                 \
        OK(cusparse##X##csru2csr_bufferSizeExt(handle, N, N, a->nnz, a->val,   \
                                               a->ptr, a->ind, info, &big));   \
        void *more = managed(big);                                             \
        OK(cusparse##X##csru2csr(handle, N, N, a->nnz, a->d, a->val, a->ptr,   \
                                 a->ind, info, more));                         \
        cudaDeviceSynchronize();                                               \
        CHECK(a->ind[0] == was[0] && a->ind[1] == was[1]);                     \
        CHECK(near(t, get(t, a->val, 0), v[0]));                               \
        OK(cusparse##X##csr2csru(handle, N, N, a->nnz, a->d, a->val, a->ptr,   \
                                 a->ind, info, more));                         \
        cudaDeviceSynchronize();                                               \
        CHECK(a->ind[0] == was[1] && near(t, get(t, a->val, 1), v[0]));        \
        OK(cusparseDestroyCsru2csrInfo(info));                                 \
        cudaFree(each), cudaFree(dense), cudaFree(ind), cudaFree(dx);          \
        cudaFree(dy), cudaFree(room), cudaFree(more);                          \
        matrix_free(a), matrix_free(c);                                        \
    }                                                                          \
    static void colors_##X(int base)                                           \
    {                                                                          \
        struct matrix *a = matrix_new(t, base);                                \
        int *colors = managed(64), *order = managed(64), count = 0, seen = 0;  \
        R all = 1;                                                             \
        cusparseColorInfo_t info;                                              \
        for (int i = 0; i < AREA; i++)                                         \
            a->at[i] = abs(i / N - i % N) % 5 == 0 || abs(i / N - i % N) == 1; \
        matrix_pack(a);                                                        \
        OK(cusparseCreateColorInfo(&info));                                    \
        OK(cusparse##X##csrcolor(handle, N, a->nnz, a->d, a->val, a->ptr,      \
                                 a->ind, &all, &count, colors, order, info));  \
        cudaDeviceSynchronize();                                               \
        CHECK(count >= 2);                                                     \
        for (int i = 0; i < N; i++)                                            \
            seen |= 1 << (order[i] - base);                                    \
        CHECK(seen == (1 << N) - 1);                                           \
        for (int i = 0; i < AREA; i++)                                         \
            CHECK(a->at[i] == 0 || i / N == i % N ||                           \
                  colors[i / N] != colors[i % N]);                             \
        OK(cusparseDestroyColorInfo(info));                                    \
        cudaFree(colors), cudaFree(order);                                     \
        matrix_free(a);                                                        \
    }                                                                          \
    static void all_##X(void)                                                  \
    {                                                                          \
        for (int k = 0; k < 4; k++) {                                          \
            snprintf(about, sizeof about, #X " base %d dir %d", k & 1, k / 2); \
            formats_##X(k & 1, k / 2);                                         \
            products_##X(k & 1, k / 2);                                        \
            factors_##X(k & 1, k / 2);                                         \
            filters_##X(k & 1);                                                \
            colors_##X(k & 1);                                                 \
        }                                                                      \
        for (int k = 0; k < 24; k++) {                                         \
            snprintf(about, sizeof about,                                      \
                     #X " triangle dir %d upper %d unit %d op %d", k & 1,      \
                     k >> 1 & 1, k >> 2 & 1, k / 8);                           \
            triangles_##X(k & 1, k & 1, k >> 1 & 1, k >> 2 & 1, k / 8);        \
        }                                                                      \
        bands_##X();                                                           \
    }
CASES(S, float, float, 0)
CASES(D, double, double, 1)
CASES(C, cuComplex, float, 2)
CASES(Z, cuDoubleComplex, double, 3)

/* ---- pruning: entries 1 to 144, some negative -------------------------- */

#define PRUNE(X, T, TO, FROM)                                                  \
    static void prune_##X(int base)                                            \
    {                                                                          \
        cusparseMatDescr_t d;                                                  \
        pruneInfo_t info;                                                      \
        T *dense = managed(AREA * 8), threshold, *val = managed(AREA * 8);     \
        T *val2 = managed(AREA * 8);                                           \
        int *ptr = managed(64), *ind = managed(AREA * 4), nnz = 0;             \
        int *ptr2 = managed(64), *ind2 = managed(AREA * 4);                    \
        size_t bytes;                                                          \
        void *room = managed(65536);                                           \
        OK(cusparseCreateMatDescr(&d));                                        \
        OK(cusparseSetMatIndexBase(d, base));                                  \
        OK(cusparseCreatePruneInfo(&info));                                    \
        for (int i = 0; i < AREA; i++)                                         \
            dense[i] = TO((i % 3 ? 1.0f : -1.0f) * (float)(i * 53 % AREA + 1));\
        threshold = TO(100);                                                   \
        OK(cusparse##X##pruneDense2csr_bufferSizeExt(                          \
            handle, N, N, dense, N, &threshold, d, val, ptr, ind, &bytes));    \
        OK(cusparse##X##pruneDense2csrNnz(handle, N, N, dense, N, &threshold,  \
                                          d, ptr, &nnz, room));                \
        OK(cusparse##X##pruneDense2csr(handle, N, N, dense, N, &threshold, d,  \
                                       val, ptr, ind, room));                  \
        cudaDeviceSynchronize();                                               \
        CHECK(nnz == AREA - 100 && ptr[N] == nnz + base);                      \
        for (int i = 0; i < N; i++)                                            \
            for (int e = ptr[i] - base; e < ptr[i + 1] - base; e++)            \
                CHECK(FROM(val[e]) ==                                          \
                      FROM(dense[(ind[e] - base) * N + i]));                   \
        threshold = TO(120);                                                   \
        OK(cusparse##X##pruneCsr2csrNnz(handle, N, N, nnz, d, val, ptr, ind,   \
                                        &threshold, d, ptr2, &nnz, room));     \
        OK(cusparse##X##pruneCsr2csr(handle, N, N, AREA - 100, d, val, ptr,    \
                                     ind, &threshold, d, val2, ptr2, ind2,     \
                                     room));                                   \
        cudaDeviceSynchronize();                                               \
        CHECK(nnz == AREA - 120);                                              \
        for (int e = 0; e < nnz; e++)                                          \
            CHECK(fabs(FROM(val2[e])) > 120);                                  \
        /* Half of 144 goes; of 44 a quarter. */                               \
        OK(cusparse##X##pruneCsr2csrNnzByPercentage(                           \
            handle, N, N, AREA - 100, d, val, ptr, ind, 25, d, ptr2, &nnz,     \
            info, room));                                                      \
        OK(cusparse##X##pruneCsr2csrByPercentage(                              \
            handle, N, N, AREA - 100, d, val, ptr, ind, 25, d, val2, ptr2,     \
            ind2, info, room));                                                \
        CHECK(nnz == 33);                                                      \
        OK(cusparse##X##pruneDense2csrByPercentage_bufferSizeExt(              \
            handle, N, N, dense, N, 50, d, val, ptr, ind, info, &bytes));      \
        OK(cusparse##X##pruneDense2csrNnzByPercentage(                         \
            handle, N, N, dense, N, 50, d, ptr, &nnz, info, room));            \
        OK(cusparse##X##pruneDense2csrByPercentage(                            \
            handle, N, N, dense, N, 50, d, val, ptr, ind, info, room));        \
        cudaDeviceSynchronize();                                               \
        CHECK(nnz == 72);                                                      \
        for (int e = 0; e < nnz; e++)                                          \
            CHECK(fabs(FROM(val[e])) > 72);                                    \
        OK(cusparseDestroyPruneInfo(info));                                    \
        OK(cusparseDestroyMatDescr(d));                                        \
        cudaFree(dense), cudaFree(val), cudaFree(val2), cudaFree(room);        \
        cudaFree(ptr), cudaFree(ind), cudaFree(ptr2), cudaFree(ind2);          \
    }
#define SAME(v) (v)
PRUNE(S, float, SAME, SAME)
PRUNE(D, double, SAME, SAME)

/* Without entries there is nothing that values could be. */
static void compress_nothing(void)
{
    enum { ROWS = 3 };
    int *ptr = managed((ROWS + 1) * 4), *out = managed((ROWS + 1) * 4);
    int *each = managed(ROWS * 4), total = 7;
    cusparseMatDescr_t d;
    OK(cusparseCreateMatDescr(&d));
    for (int i = 0; i <= ROWS; i++)
        ptr[i] = 0, out[i] = 7;
    OK(cusparseSnnz_compress(handle, ROWS, d, NULL, ptr, each, &total, 0));
    OK(cusparseScsr2csr_compress(handle, ROWS, ROWS, d, NULL, NULL, ptr, 0,
                                 each, NULL, NULL, out, 0));
    cudaDeviceSynchronize();
    CHECK(total == 0 && out[0] == 0 && out[ROWS] == 0);
    OK(cusparseDestroyMatDescr(d));
}

/* Row 1 has no diagonal: analyses say so, unless it counts as 1. */
static void missing_diagonal(int base)
{
    enum { ROWS = 3, BLOCK = 4 };
    int *ptr = managed((ROWS + 1) * 4), *ind = managed(ROWS * 4), at;
    float *val = managed(ROWS * BLOCK * 4);
    char *room = managed(64);
    cusparseMatDescr_t d;
    csrilu02Info_t ilu;
    bsric02Info_t chol;
    bsrsv2Info_t solve;
    for (int i = 0; i <= ROWS; i++)
        ptr[i] = i + base;
    for (int i = 0; i < ROWS; i++)
        ind[i] = (i == 1 ? 0 : i) + base;
    for (int i = 0; i < ROWS * BLOCK; i++)
        val[i] = 2;
    OK(cusparseCreateMatDescr(&d));
    OK(cusparseSetMatIndexBase(d, (cusparseIndexBase_t)base));
    OK(cusparseCreateCsrilu02Info(&ilu));
    OK(cusparseCreateBsric02Info(&chol));
    OK(cusparseCreateBsrsv2Info(&solve));
    OK(cusparseScsrilu02_analysis(handle, ROWS, ROWS, d, val, ptr, ind, ilu, 0,
                                  room));
    CHECK(cusparseXcsrilu02_zeroPivot(handle, ilu, &at) ==
          CUSPARSE_STATUS_ZERO_PIVOT);
    CHECK(at == 1 + base);
    OK(cusparseSbsric02_analysis(handle, 0, ROWS, ROWS, d, val, ptr, ind, 2,
                                 chol, 0, room));
    CHECK(cusparseXbsric02_zeroPivot(handle, chol, &at) ==
          CUSPARSE_STATUS_ZERO_PIVOT);
    CHECK(at == 1 + base);
    OK(cusparseSetMatDiagType(d, CUSPARSE_DIAG_TYPE_UNIT));
    OK(cusparseSbsrsv2_analysis(handle, 0, 0, ROWS, ROWS, d, val, ptr, ind, 2,
                                solve, 0, room));
    OK(cusparseXbsrsv2_zeroPivot(handle, solve, &at));
    CHECK(at == -1);
    OK(cusparseDestroyCsrilu02Info(ilu));
    OK(cusparseDestroyBsric02Info(chol));
    OK(cusparseDestroyBsrsv2Info(solve));
    OK(cusparseDestroyMatDescr(d));
    cudaFree(ptr), cudaFree(ind), cudaFree(val), cudaFree(room);
}

/* As an H200 has them. */
static void texts_of_statuses(void)
{
    static const struct {
        const char *name, *text;
    } rows[] = {
        {"CUSPARSE_STATUS_SUCCESS", "success"},
        {"CUSPARSE_STATUS_NOT_INITIALIZED", "initialization error"},
        {"CUSPARSE_STATUS_ALLOC_FAILED", "out of memory"},
        {"CUSPARSE_STATUS_INVALID_VALUE", "invalid value"},
        {"CUSPARSE_STATUS_ARCH_MISMATCH", "architecture mismatch"},
        {"CUSPARSE_STATUS_MAPPING_ERROR", "texture memory mapping error"},
        {"CUSPARSE_STATUS_EXECUTION_FAILED", "kernel launch failure"},
        {"CUSPARSE_STATUS_INTERNAL_ERROR", "internal error"},
        {"CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED",
         "matrix type not supported"},
        {"CUSPARSE_STATUS_ZERO_PIVOT", "zero pivot"},
        {"CUSPARSE_STATUS_NOT_SUPPORTED", "operation not supported"},
        {"CUSPARSE_STATUS_INSUFFICIENT_RESOURCES", "insufficient resources"},
        {"unrecognized error code", "unrecognized error code"},
    };
    for (int i = 0; i < (int)(sizeof rows / sizeof *rows); i++) {
        cusparseStatus_t status = (cusparseStatus_t)i;
        CHECK(!strcmp(cusparseGetErrorName(status), rows[i].name));
        CHECK(!strcmp(cusparseGetErrorString(status), rows[i].text));
    }
}

int main(void)
{
    OK(cusparseCreate(&handle));
    texts_of_statuses();
    compress_nothing();
    missing_diagonal(0);
    missing_diagonal(1);
    all_S(), all_D(), all_C(), all_Z();
    for (int base = 0; base < 2; base++) {
        snprintf(about, sizeof about, "prune base %d", base);
        prune_S(base), prune_D(base);
    }
    OK(cusparseDestroy(handle));
    printf("%d failures\n", failures);
    return failures != 0;
}
