/* SPDX-License-Identifier: Apache-2.0 */
/* cuSPARSE against dense arithmetic: formats, types, bases, operations,
 * pointer modes, statuses, capture. */
#include "check.h"

enum { ROWS = 37, COLS = 29, WIDE = 18, MOST = ROWS * ROWS };

/* A matrix, as it is and as each format has it. */
struct matrix {
    int t, rows, cols, nnz, base;
    bool wide;
    number at[MOST];
    void *val, *major, *minor;
    cusparseSpMatDescr_t d;
};

static void put_index(const struct matrix *m, void *at, int i, int v)
{
    if (m->wide)
        ((int64_t *)at)[i] = v + m->base;
    else
        ((int *)at)[i] = v + m->base;
}

static void make(struct matrix *m, cusparseFormat_t format)
{
    bool csc = format == CUSPARSE_FORMAT_CSC, coo = format == 3;
    int majors = csc ? m->cols : m->rows, minors = csc ? m->rows : m->cols;
    cusparseIndexType_t it = m->wide ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
    m->val = managed(MOST * 16);
    m->major = managed(MOST * 8);
    m->minor = managed(MOST * 8);
    m->nnz = 0;
    for (int i = 0; i < majors; i++) {
        if (!coo)
            put_index(m, m->major, i, m->nnz);
        for (int j = 0; j < minors; j++) {
            number v = m->at[csc ? j * m->cols + i : i * m->cols + j];
            if (v == 0)
                continue;
            if (coo)
                put_index(m, m->major, m->nnz, i);
            put_index(m, m->minor, m->nnz, j);
            put(m->t, m->val, m->nnz++, v);
        }
    }
    if (!coo)
        put_index(m, m->major, majors, m->nnz);
    if (coo)
        OK(cusparseCreateCoo(&m->d, m->rows, m->cols, m->nnz, m->major,
                             m->minor, m->val, it, m->base, types[m->t]));
    else
        OK((csc ? cusparseCreateCsc : cusparseCreateCsr)(
            &m->d, m->rows, m->cols, m->nnz, m->major, m->minor, m->val, it, it,
            m->base, types[m->t]));
}

static void fill(struct matrix *m, int t, int rows, int cols)
{
    *m = (struct matrix){.t = t, .rows = rows, .cols = cols};
    for (int i = 0; i < rows * cols; i++)
        m->at[i] = i % 5 == 0 || i % 7 == 2 ? draw(t) + 3 : 0;
}

static void drop(struct matrix *m)
{
    cudaDeviceSynchronize();
    cusparseDestroySpMat(m->d);
    cudaFree(m->val), cudaFree(m->major), cudaFree(m->minor);
}

static number element(const struct matrix *m, int op, int i, int j)
{
    if (!op)
        return m->at[i * m->cols + j];
    number v = m->at[j * m->cols + i];
    return op == 2 ? conj(v) : v;
}

/* ---- SpMV and SpMM ---------------------------------------------------- */

static void products(int t, int format, int op, int base, bool wide)
{
    static struct matrix m;
    fill(&m, t, ROWS, COLS);
    m.base = base, m.wide = wide;
    make(&m, format);
    int rows = op ? COLS : ROWS, cols = op ? ROWS : COLS;
    for (int way = 0; way < 8; way++) {
        bool b_row = way & 1, c_row = way & 2, device = way & 4;
        int n = way == 0 ? 1 : WIDE, opb = way % 3;
        void *b = managed(COLS * ROWS * 16), *c = managed(ROWS * ROWS * 16);
        void *scalars = managed(64);
        number alpha = draw(t) + 2, beta = way == 5 ? 0 : draw(t), was[MOST];
        put(t, scalars, 0, alpha), put(t, (char *)scalars + 32, 0, beta);
        for (int i = 0; i < COLS * ROWS; i++)
            put(t, b, i, draw(t));
        for (int i = 0; i < ROWS * WIDE; i++)
            put(t, c, i, was[i] = way == 5 ? NAN : draw(t));
        cusparseDnMatDescr_t db, dc;
        int br = opb ? n : cols, bc = opb ? cols : n;
        OK(cusparseCreateDnMat(&db, br, bc, b_row ? bc : br, b, types[t],
                               b_row ? 2 : 1));
        OK(cusparseCreateDnMat(&dc, rows, n, c_row ? n : rows, c, types[t],
                               c_row ? 2 : 1));
        cusparseSetPointerMode(handle, device);
        size_t bytes;
        void *beta_at = (char *)scalars + 32;
        OK(cusparseSpMM_bufferSize(handle, op, opb, scalars, m.d, db, beta_at,
                                   dc, types[t], 0, &bytes));
        if (way == 0) {
            cusparseDnVecDescr_t x, y;
            OK(cusparseCreateDnVec(&x, cols, b, types[t]));
            OK(cusparseCreateDnVec(&y, rows, c, types[t]));
            /* Real matrices are not conjugated. */
            if (op == 2 && t < 2)
                CHECK(cusparseSpMV(handle, op, scalars, m.d, x, beta_at, y,
                                   types[t], 0,
                                   NULL) == CUSPARSE_STATUS_INVALID_VALUE);
            OK(cusparseSpMV(handle, t < 2 ? op % 2 + op / 2 : op, scalars, m.d,
                            x, beta_at, y, types[t], 0, NULL));
            cusparseDestroyDnVec(x), cusparseDestroyDnVec(y);
        } else {
            OK(cusparseSpMM(handle, op, opb, scalars, m.d, db, beta_at, dc,
                            types[t], 0, NULL));
        }
        cudaDeviceSynchronize();
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < n; j++) {
                number sum = 0;
                int at = c_row ? i * n + j : j * rows + i;
                for (int k = 0; k < cols; k++) {
                    int r = opb ? j : k, s = opb ? k : j;
                    number v = get(t, b, b_row ? r * bc + s : s * br + r);
                    sum += element(&m, op, i, k) * (opb == 2 ? conj(v) : v);
                }
                sum = alpha * sum + (beta == 0 ? 0 : beta * was[at]);
                if (!near(t, get(t, c, at), sum)) {
                    CHECK(!"product");
                    i = rows;
                    break;
                }
            }
        cusparseDestroyDnMat(db), cusparseDestroyDnMat(dc);
        cudaFree(b), cudaFree(c), cudaFree(scalars);
    }
    cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST);
    drop(&m);
}

/* ---- triangles -------------------------------------------------------- */

static void triangle(int t, int format, int op, int upper, int unit, int base)
{
    bool is_refused = op == 2 && t < 2; /* real matrices are not conjugated */
    static struct matrix m;
    fill(&m, t, COLS, COLS);
    m.base = base;
    for (int i = 0; i < COLS; i++)
        for (int j = 0; j < COLS; j++)
            m.at[i * COLS + j] = i == j ? 4 : m.at[i * COLS + j] / 20;
    make(&m, format);
    number one = 0, x[COLS];
    put(t, &one, 0, 2);
    OK(cusparseSpMatSetAttribute(m.d, CUSPARSE_SPMAT_FILL_MODE, &upper, 4));
    OK(cusparseSpMatSetAttribute(m.d, CUSPARSE_SPMAT_DIAG_TYPE, &unit, 4));
    void *b = managed(COLS * 2 * 16), *c = managed(COLS * 2 * 16);
    for (int i = 0; i < 2 * COLS; i++) {
        number v = draw(t);
        put(t, b, i, v);
        if (i < COLS)
            x[i] = 2 * v;
    }
    cusparseDnMatDescr_t db, dc;
    cusparseDnVecDescr_t vx, vy;
    cusparseSpSVDescr_t sv;
    cusparseSpSMDescr_t sm;
    size_t bytes;
    OK(cusparseCreateDnMat(&db, COLS, 2, COLS, b, types[t], 1));
    OK(cusparseCreateDnMat(&dc, COLS, 2, COLS, c, types[t], 1));
    OK(cusparseCreateDnVec(&vx, COLS, b, types[t]));
    OK(cusparseCreateDnVec(&vy, COLS, c, types[t]));
    OK(cusparseSpSV_createDescr(&sv));
    OK(cusparseSpSM_createDescr(&sm));
    if (is_refused) {
        CHECK(cusparseSpSV_bufferSize(handle, op, &one, m.d, vx, vy, types[t],
                                      0, sv,
                                      &bytes) == CUSPARSE_STATUS_INVALID_VALUE);
        CHECK(cusparseSpSM_bufferSize(handle, op, 0, &one, m.d, db, dc,
                                      types[t], 0, sm,
                                      &bytes) == CUSPARSE_STATUS_INVALID_VALUE);
        op = 1;
    }
    for (int way = 0; way < 2; way++) {
        if (way) {
            CHECK(cusparseSpSM_solve(handle, op, 0, &one, m.d, db, dc, types[t],
                                     0, sm) == CUSPARSE_STATUS_INVALID_VALUE);
            OK(cusparseSpSM_bufferSize(handle, op, 0, &one, m.d, db, dc,
                                       types[t], 0, sm, &bytes));
            OK(cusparseSpSM_analysis(handle, op, 0, &one, m.d, db, dc, types[t],
                                     0, sm, b));
            OK(cusparseSpSM_solve(handle, op, 0, &one, m.d, db, dc, types[t], 0,
                                  sm));
        } else {
            OK(cusparseSpSV_bufferSize(handle, op, &one, m.d, vx, vy, types[t],
                                       0, sv, &bytes));
            OK(cusparseSpSV_analysis(handle, op, &one, m.d, vx, vy, types[t], 0,
                                     sv, b));
            OK(cusparseSpSV_solve(handle, op, &one, m.d, vx, vy, types[t], 0,
                                  sv));
        }
        cudaDeviceSynchronize();
        for (int i = 0; i < COLS; i++) {
            number sum = 0;
            for (int j = 0; j < COLS; j++) {
                int r = op ? j : i, s = op ? i : j;
                if (upper ? s < r : s > r)
                    continue;
                number v = unit && i == j ? 1 : element(&m, op, i, j);
                sum += v * get(t, c, j);
            }
            CHECK(near(t, sum, x[i]));
        }
    }
    cusparseSpSV_destroyDescr(sv), cusparseSpSM_destroyDescr(sm);
    cusparseDestroyDnMat(db), cusparseDestroyDnMat(dc);
    cusparseDestroyDnVec(vx), cusparseDestroyDnVec(vy);
    cudaFree(b), cudaFree(c);
    drop(&m);
}

/* ---- sparse by sparse, and from dense --------------------------------- */

static void sparse_product(int t, int base)
{
    static struct matrix a, b;
    fill(&a, t, ROWS, COLS), fill(&b, t, COLS, ROWS);
    a.base = base;
    make(&a, CUSPARSE_FORMAT_CSR), make(&b, CUSPARSE_FORMAT_CSR);
    number one = 0, zero = 0;
    put(t, &one, 0, 3);
    cusparseSpMatDescr_t c;
    cusparseSpGEMMDescr_t d;
    size_t n1, n2;
    int64_t r, s, nnz;
    int *ptr = managed(4 * MOST), *ind = managed(4 * MOST);
    void *val = managed(16 * MOST), *dense = managed(16 * MOST);
    OK(cusparseCreateCsr(&c, ROWS, ROWS, 0, NULL, NULL, NULL, 2, 2, base,
                         types[t]));
    OK(cusparseSpGEMM_createDescr(&d));
#define STEP(name, ...)                                                        \
    OK(cusparseSpGEMM_##name(handle, 0, 0, &one, a.d, b.d, &zero, c, types[t], \
                             0, d, ##__VA_ARGS__))
    STEP(workEstimation, &n1, NULL);
    STEP(workEstimation, &n1, val);
    STEP(compute, &n2, NULL);
    STEP(compute, &n2, val);
    OK(cusparseSpMatGetSize(c, &r, &s, &nnz));
    OK(cusparseCsrSetPointers(c, ptr, ind, val));
    STEP(copy);
    cusparseDnMatDescr_t full;
    OK(cusparseCreateDnMat(&full, ROWS, ROWS, ROWS, dense, types[t], 2));
    OK(cusparseSparseToDense(handle, c, full, 0, NULL));
    cudaDeviceSynchronize();
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++) {
            number sum = 0;
            for (int k = 0; k < COLS; k++)
                sum += 3 * a.at[i * COLS + k] * b.at[k * ROWS + j];
            CHECK(near(t, get(t, dense, i * ROWS + j), sum));
        }
    for (int format = 1; format <= 3; format++) {
        cusparseSpMatDescr_t e;
        size_t n = 0;
        void *back = managed(16 * MOST);
        cusparseDnMatDescr_t full2;
        if (format == 3)
            cusparseCreateCoo(&e, ROWS, ROWS, 0, NULL, NULL, NULL, 2, base,
                              types[t]);
        else
            (format == 1 ? cusparseCreateCsr : cusparseCreateCsc)(
                &e, ROWS, ROWS, 0, ptr, NULL, NULL, 2, 2, base, types[t]);
        OK(cusparseCreateDnMat(&full2, ROWS, ROWS, ROWS, back, types[t], 2));
        OK(cusparseDenseToSparse_bufferSize(handle, full, e, 0, &n));
        OK(cusparseDenseToSparse_analysis(handle, full, e, 0, val));
        OK((format == 1   ? cusparseCsrSetPointers
            : format == 2 ? cusparseCscSetPointers
                          : cusparseCooSetPointers)(e, ptr, ind, val));
        OK(cusparseDenseToSparse_convert(handle, full, e, 0, val));
        OK(cusparseSparseToDense(handle, e, full2, 0, NULL));
        cudaDeviceSynchronize();
        CHECK(!memcmp(back, dense, ROWS * ROWS * 4));
        cusparseDestroySpMat(e), cusparseDestroyDnMat(full2), cudaFree(back);
    }
    cusparseSpGEMM_destroyDescr(d), cusparseDestroySpMat(c);
    cusparseDestroyDnMat(full);
    cudaFree(ptr), cudaFree(ind), cudaFree(val), cudaFree(dense);
    drop(&a), drop(&b);
}

/* ---- SDDMM and vectors ------------------------------------------------ */

static void sampled(int t, int format)
{
    static struct matrix m;
    fill(&m, t, ROWS, COLS);
    make(&m, format);
    void *a = managed(ROWS * 16 * 8), *b = managed(COLS * 16 * 8);
    for (int i = 0; i < ROWS * 8; i++)
        put(t, a, i, draw(t)), put(t, b, i % (COLS * 8), draw(t));
    cusparseDnMatDescr_t da, db, dc;
    void *out = managed(MOST * 16);
    number alpha = 0, beta = 0;
    put(t, &alpha, 0, 2), put(t, &beta, 0, 3);
    OK(cusparseCreateDnMat(&da, ROWS, 8, ROWS, a, types[t], 1));
    OK(cusparseCreateDnMat(&db, COLS, 8, 8, b, types[t], 2));
    OK(cusparseCreateDnMat(&dc, ROWS, COLS, COLS, out, types[t], 2));
    OK(cusparseSDDMM(handle, 0, 1, &alpha, da, db, &beta, m.d, types[t], 0,
                     NULL));
    OK(cusparseSparseToDense(handle, m.d, dc, 0, NULL));
    cudaDeviceSynchronize();
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++) {
            number sum = 0, was = m.at[i * COLS + j];
            for (int k = 0; k < 8; k++)
                sum += get(t, a, k * ROWS + i) * get(t, b, j * 8 + k);
            CHECK(near(t, get(t, out, i * COLS + j),
                       was == 0 ? 0 : 2 * sum + 3 * was));
        }
    cusparseDestroyDnMat(da), cusparseDestroyDnMat(db);
    cusparseDestroyDnMat(dc);
    cudaFree(a), cudaFree(b), cudaFree(out);
    drop(&m);
}

static void vectors(int t, int base)
{
    void *x = managed(8 * 16), *y = managed(ROWS * 16);
    int *ind = managed(32);
    number xs[8], ys[ROWS], alpha = 0, beta = 0, dot = 0;
    put(t, &alpha, 0, 2), put(t, &beta, 0, 3);
    for (int i = 0; i < ROWS; i++)
        put(t, y, i, ys[i] = draw(t));
    for (int i = 0; i < 8; i++)
        put(t, x, i, xs[i] = draw(t)), ind[i] = (i * 11) % ROWS + base;
    cusparseSpVecDescr_t vx;
    cusparseDnVecDescr_t vy;
    OK(cusparseCreateSpVec(&vx, ROWS, 8, ind, x, 2, base, types[t]));
    OK(cusparseCreateDnVec(&vy, ROWS, y, types[t]));
    OK(cusparseSpVV(handle, 2, vx, vy, &dot, types[t], NULL));
    number want = 0;
    for (int i = 0; i < 8; i++)
        want += conj(xs[i]) * ys[ind[i] - base];
    CHECK(near(t, get(t, &dot, 0), want));
    OK(cusparseAxpby(handle, &alpha, vx, &beta, vy));
    OK(cusparseGather(handle, vy, vx));
    cudaDeviceSynchronize();
    for (int i = 0; i < 8; i++) {
        xs[i] = 2 * xs[i] + 3 * ys[ind[i] - base];
        CHECK(near(t, get(t, x, i), xs[i]));
    }
    OK(cusparseRot(handle, &alpha, &beta, vx, vy));
    OK(cusparseScatter(handle, vx, vy));
    cudaDeviceSynchronize();
    for (int i = 0; i < 8; i++)
        CHECK(near(t, get(t, y, ind[i] - base), 5 * xs[i]));
    cusparseDestroySpVec(vx), cusparseDestroyDnVec(vy);
    cudaFree(x), cudaFree(y), cudaFree(ind);
}

/* ---- named types: a macro for each ------------------------------------ */

#define LEGACY(X, T, t)                                                        \
    static void legacy_##X(void)                                               \
    {                                                                          \
        enum { N = 12, SYSTEMS = 3 };                                          \
        T *low = managed(N * SYSTEMS * 16), *mid = managed(N * SYSTEMS * 16);  \
        T *up = managed(N * SYSTEMS * 16), *x = managed(N * SYSTEMS * 16);     \
        void *room = managed(N * SYSTEMS * 64 + 64);                           \
        for (int way = 0; way < 4; way++) {                                    \
            number b[N * SYSTEMS], l[N * SYSTEMS], d[N * SYSTEMS],             \
                u[N * SYSTEMS];                                                \
            int step = way == 3 ? SYSTEMS : 1, stride = way == 3 ? 1 : N;      \
            for (int i = 0; i < N * SYSTEMS; i++) {                            \
                put(t, low, i, l[i] = draw(t));                                \
                put(t, mid, i, d[i] = way == 1 ? draw(t) + 6 : draw(t) + .1);  \
                put(t, up, i, u[i] = draw(t));                                 \
                put(t, x, i, b[i] = draw(t));                                  \
            }                                                                  \
            if (way == 0)                                                      \
                OK(cusparse##X##gtsv2(handle, N, SYSTEMS, low, mid, up, x, N,  \
                                      room));                                  \
            else if (way == 1)                                                 \
                OK(cusparse##X##gtsv2_nopivot(handle, N, SYSTEMS, low, mid,    \
                                              up, x, N, room));                \
            else if (way == 2)                                                 \
                OK(cusparse##X##gtsv2StridedBatch(handle, N, low, mid, up, x,  \
                                                  SYSTEMS, N, room));          \
            else                                                               \
                OK(cusparse##X##gtsvInterleavedBatch(handle, 1, N, low, mid,   \
                                                     up, x, SYSTEMS, room));   \
            cudaDeviceSynchronize();                                           \
            for (int s = 0; s < SYSTEMS; s++)                                  \
                for (int i = 0; i < N; i++) {                                  \
                    int k = s * stride + i * step, q = way < 2 ? i : k;        \
                    number v = d[q] * get(t, x, k), big = cabs(v);             \
                    if (i)                                                     \
                        v += l[q] * get(t, x, k - step);                       \
                    if (i + 1 < N)                                             \
                        v += u[q] * get(t, x, k + step);                       \
                    CHECK(cabs(v - b[k]) <                                     \
                          (t % 2 ? 1e-9 : 2e-3) * (1 + cabs(big)));            \
                }                                                              \
        }                                                                      \
        /* 1-based: LU of a full matrix is exact, so is Cholesky. */           \
        enum { M = 4 };                                                        \
        int *ptr = managed(64), *ind = managed(4 * M * M), position;           \
        T *lu = managed(16 * M * M), *c = managed(16 * M * M);                 \
        number h[M][M];                                                        \
        cusparseMatDescr_t descr;                                              \
        csrilu02Info_t iluinfo;                                                \
        csric02Info_t icinfo;                                                  \
        OK(cusparseCreateMatDescr(&descr));                                    \
        OK(cusparseSetMatIndexBase(descr, CUSPARSE_INDEX_BASE_ONE));           \
        OK(cusparseCreateCsrilu02Info(&iluinfo));                              \
        OK(cusparseCreateCsric02Info(&icinfo));                                \
        for (int i = 0; i < M; i++)                                            \
            for (int j = 0; j <= i; j++) {                                     \
                h[i][j] = i == j ? 9 : draw(t) / 2;                            \
                h[j][i] = conj(h[i][j]);                                       \
            }                                                                  \
        for (int i = 0; i < M * M; i++) {                                      \
            put(t, lu, i, h[i / M][i % M]), put(t, c, i, h[i / M][i % M]);     \
            ind[i] = i % M + 1;                                                \
        }                                                                      \
        for (int i = 0; i <= M; i++)                                           \
            ptr[i] = i * M + 1;                                                \
        CHECK(cusparse##X##csrilu02(handle, M, M * M, descr, lu, ptr, ind,     \
                                    iluinfo, 0, room) ==                       \
              CUSPARSE_STATUS_INTERNAL_ERROR);                                 \
        OK(cusparse##X##csrilu02_analysis(handle, M, M * M, descr, lu, ptr,    \
                                          ind, iluinfo, 0, room));             \
        OK(cusparse##X##csric02_analysis(handle, M, M * M, descr, c, ptr, ind, \
                                         icinfo, 0, room));                    \
        OK(cusparse##X##csrilu02(handle, M, M * M, descr, lu, ptr, ind,        \
                                 iluinfo, 0, room));                           \
        OK(cusparse##X##csric02(handle, M, M * M, descr, c, ptr, ind, icinfo,  \
                                0, room));                                     \
        OK(cusparseXcsrilu02_zeroPivot(handle, iluinfo, &position));           \
        OK(cusparseXcsric02_zeroPivot(handle, icinfo, &position));             \
        CHECK(position == -1);                                                 \
        for (int i = 0; i < M; i++)                                            \
            for (int j = 0; j < M; j++) {                                      \
                number p = 0, q = 0;                                           \
                for (int k = 0; k <= i && k <= j; k++) {                       \
                    p += (k == i ? 1 : get(t, lu, i * M + k)) *                \
                         get(t, lu, k * M + j);                                \
                    q += get(t, c, i * M + k) * conj(get(t, c, j * M + k));    \
                }                                                              \
                CHECK(near(t, p, h[i][j]) && near(t, q, h[i][j]));             \
            }                                                                  \
        put(t, lu, 0, 0);                                                      \
        OK(cusparse##X##csrilu02(handle, M, M * M, descr, lu, ptr, ind,        \
                                 iluinfo, 0, room));                           \
        CHECK(cusparseXcsrilu02_zeroPivot(handle, iluinfo, &position) ==       \
              CUSPARSE_STATUS_ZERO_PIVOT);                                     \
        CHECK(position == 1);                                                  \
        /* 2 A + 3 B of the upper row and the diagonal. */                     \
        int a_ptr[] = {0, 3, 3, 4}, a_ind[] = {0, 1, 2, 2};                    \
        int b_ptr[] = {1, 2, 3, 4}, b_ind[] = {1, 2, 3}, n = 0;                \
        int c_ptr[4], c_ind[8];                                                \
        T va[4], vb[3], vc[8], alpha, beta;                                    \
        for (int i = 0; i < 4; i++)                                            \
            put(t, va, i, i + 1), put(t, vb, i % 3, 10);                       \
        put(t, &alpha, 0, 2), put(t, &beta, 0, 3);                             \
        cusparseMatDescr_t zero;                                               \
        OK(cusparseCreateMatDescr(&zero));                                     \
        OK(cusparseXcsrgeam2Nnz(handle, 3, 3, zero, 4, a_ptr, a_ind, descr, 3, \
                                b_ptr, b_ind, zero, c_ptr, &n, room));         \
        CHECK(n == 5 && c_ptr[1] == 3 && c_ptr[2] == 4 && c_ptr[3] == 5);      \
        OK(cusparse##X##csrgeam2(handle, 3, 3, &alpha, zero, 4, va, a_ptr,     \
                                 a_ind, &beta, descr, 3, vb, b_ptr, b_ind,     \
                                 zero, vc, c_ptr, c_ind, room));               \
        cudaDeviceSynchronize();                                               \
        static const int want_ind[] = {0, 1, 2, 1, 2};                         \
        static const double want[] = {32, 4, 6, 30, 38};                       \
        for (int i = 0; i < 5; i++)                                            \
            CHECK(c_ind[i] == want_ind[i] && get(t, vc, i) == want[i]);        \
        cusparseDestroyMatDescr(descr), cusparseDestroyMatDescr(zero);         \
        cusparseDestroyCsrilu02Info(iluinfo);                                  \
        cusparseDestroyCsric02Info(icinfo);                                    \
    }
LEGACY(S, float, 0)
LEGACY(D, double, 1)
LEGACY(C, cuComplex, 2)
LEGACY(Z, cuDoubleComplex, 3)

/* ---- integers --------------------------------------------------------- */

static void conversions(int base)
{
    int rows[] = {2, 0, 2, 1, 0}, cols[] = {1, 3, 0, 2, 0}, p[5], ptr[4];
    int back[5], col_ptr[5], row_ind[5];
    float v[] = {21, 3, 20, 12, 0.5f}, s[5], w[5];
    cusparseMatDescr_t d;
    size_t bytes;
    for (int i = 0; i < 5; i++)
        rows[i] += base, cols[i] += base;
    OK(cusparseCreateMatDescr(&d));
    OK(cusparseSetMatIndexBase(d, base));
    OK(cusparseCreateIdentityPermutation(handle, 5, p));
    OK(cusparseXcoosort_bufferSizeExt(handle, 3, 4, 5, rows, cols, &bytes));
    void *room = managed(bytes);
    OK(cusparseXcoosortByRow(handle, 3, 4, 5, rows, cols, p, room));
    OK(cusparseXcoo2csr(handle, rows, 5, 3, ptr, base));
    OK(cusparseXcsr2coo(handle, ptr, 5, 3, back, base));
    cudaDeviceSynchronize();
    static const int order[] = {4, 1, 3, 2, 0}, starts[] = {0, 2, 3, 5};
    for (int i = 0; i < 5; i++)
        s[i] = v[p[i]];
    CHECK(!memcmp(p, order, sizeof p) && !memcmp(rows, back, sizeof rows));
    for (int i = 0; i < 4; i++)
        CHECK(ptr[i] == starts[i] + base);
    OK(cusparseCsr2cscEx2(handle, 3, 4, 5, s, ptr, cols, w, col_ptr, row_ind,
                          CUDA_R_32F, CUSPARSE_ACTION_NUMERIC, base, 1, NULL));
    cudaDeviceSynchronize();
    static const int col_starts[] = {0, 2, 3, 4, 5}, in[] = {0, 2, 2, 1, 0};
    static const float by_column[] = {0.5f, 20, 21, 12, 3};
    for (int i = 0; i < 5; i++)
        CHECK(col_ptr[i] == col_starts[i] + base && row_ind[i] == in[i] + base &&
              w[i] == by_column[i]);
    int mixed[] = {3 + base, base, 2 + base, 1 + base, base};
    OK(cusparseCreateIdentityPermutation(handle, 5, p));
    OK(cusparseXcsrsort(handle, 3, 4, 5, d, ptr, mixed, p, room));
    cudaDeviceSynchronize();
    static const int sorted[] = {1, 0, 2, 4, 3};
    CHECK(!memcmp(p, sorted, sizeof p) && mixed[3] == base);
    cudaFree(room);
    cusparseDestroyMatDescr(d);
}

/* ---- statuses and capture --------------------------------------------- */

static void misuse(void)
{
    cusparseDnVecDescr_t v = NULL;
    cusparseSpMatDescr_t m = NULL;
    float x[4] = {0};
    int n;
    CHECK(cusparseCreate(NULL) == CUSPARSE_STATUS_INVALID_VALUE);
    CHECK(cusparseSetStream(NULL, 0) == CUSPARSE_STATUS_INVALID_VALUE);
    CHECK(cusparseSpMV(NULL, 0, x, m, v, x, v, CUDA_R_32F, 0, NULL) ==
          CUSPARSE_STATUS_INVALID_VALUE);
    CHECK(cusparseSpMV(handle, 0, x, m, v, x, v, CUDA_R_32F, 0, NULL) ==
          CUSPARSE_STATUS_INVALID_VALUE);
    CHECK(cusparseCreateDnVec(&v, -1, x, CUDA_R_32F) ==
          CUSPARSE_STATUS_INVALID_VALUE);
    cusparseSpMatDescr_t none;
    OK(cusparseCreateCsr(&none, 2, 2, 0, &n, NULL, NULL, 2, 2, 0, CUDA_R_32F));
    OK(cusparseCsrSetPointers(none, &n, NULL, NULL));
    OK(cusparseDestroySpMat(none));
    CHECK(cusparseSpMMOp(NULL, NULL) == CUSPARSE_STATUS_INVALID_VALUE);
    OK(cusparseGetVersion(handle, &n));
    CHECK(n == CUSPARSE_VERSION);
    CHECK(!strcmp(cusparseGetErrorName(9), "CUSPARSE_STATUS_ZERO_PIVOT"));
}

/* What an H200 does not take, and says so by which status. */
static void refused(void)
{
    const cusparseStatus_t wrong = CUSPARSE_STATUS_INVALID_VALUE;
    static struct matrix m;
    fill(&m, 1, ROWS, COLS);
    make(&m, CUSPARSE_FORMAT_CSR);
    double *x = managed(ROWS * COLS * 8), *y = managed(ROWS * COLS * 8), r;
    int *at = managed(64);
    double one = 1;
    size_t bytes;
    cusparseSpMatDescr_t mixed;
    cusparseSpVecDescr_t sparse;
    cusparseDnVecDescr_t dense;
    cusparseDnMatDescr_t a, b;
    CHECK(cusparseCreateCsr(&mixed, 2, 2, 0, at, NULL, NULL, 3, 2, 0,
                            CUDA_R_32F) == CUSPARSE_STATUS_NOT_SUPPORTED);
    CHECK(cusparseCsr2cscEx2_bufferSize(handle, 2, 2, 2, x, at, at, y, at, at,
                                        CUDA_R_64F, 0, 0, 2, &bytes) == wrong);
    OK(cusparseCreateSpVec(&sparse, 4, 0, at, x, 2, 0, CUDA_R_64F));
    OK(cusparseCreateDnVec(&dense, 4, y, CUDA_R_64F));
    CHECK(cusparseSpVV(handle, 1, sparse, dense, &r, CUDA_R_64F, x) == wrong);
    OK(cusparseSpVV(handle, 0, sparse, dense, &r, CUDA_R_64F, x));
    OK(cusparseCreateDnMat(&a, ROWS, 2, ROWS, x, CUDA_R_64F, 1));
    OK(cusparseCreateDnMat(&b, COLS, 2, COLS, y, CUDA_R_64F, 1));
    CHECK(cusparseSpMM_bufferSize(handle, 1, 0, &one, m.d, a, &one, b,
                                  CUDA_R_64F, CUSPARSE_SPMM_CSR_ALG3,
                                  &bytes) == CUSPARSE_STATUS_NOT_SUPPORTED);
    OK(cusparseSpMM_bufferSize(handle, 0, 0, &one, m.d, b, &one, a, CUDA_R_64F,
                               CUSPARSE_SPMM_CSR_ALG3, &bytes));
    cusparseDestroyDnMat(a), cusparseDestroyDnMat(b);
    cusparseDestroySpVec(sparse), cusparseDestroyDnVec(dense);
    cudaFree(x), cudaFree(y), cudaFree(at);
    drop(&m);
}

static void capture(void)
{
    static struct matrix m;
    fill(&m, 1, ROWS, COLS);
    make(&m, CUSPARSE_FORMAT_CSR);
    double *x = managed(COLS * 8), *y = managed(ROWS * 8), one = 1;
    cusparseDnVecDescr_t vx, vy;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    for (int i = 0; i < COLS; i++)
        x[i] = 1;
    OK(cusparseCreateDnVec(&vx, COLS, x, CUDA_R_64F));
    OK(cusparseCreateDnVec(&vy, ROWS, y, CUDA_R_64F));
    cudaStreamCreate(&stream);
    OK(cusparseSetStream(handle, stream));
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    OK(cusparseSpMV(handle, 0, &one, m.d, vx, &one, vy, CUDA_R_64F, 0, NULL));
    one = 99; /* was copied */
    cudaStreamEndCapture(stream, &graph);
    CHECK(y[0] == 0);
    CHECK(!cudaGraphInstantiate(&exec, graph, 0));
    cudaGraphLaunch(exec, stream);
    cudaGraphLaunch(exec, stream);
    CHECK(!cudaStreamSynchronize(stream));
    number sum = 0;
    for (int j = 0; j < COLS; j++)
        sum += 2 * m.at[j];
    CHECK(near(1, y[0], sum));
    cudaGraphExecDestroy(exec), cudaGraphDestroy(graph);
    OK(cusparseSetStream(handle, 0));
    cusparseDestroyDnVec(vx), cusparseDestroyDnVec(vy);
    drop(&m);
}

int main(void)
{
    OK(cusparseCreate(&handle));
    for (int t = 0; t < 4; t++)
        for (int format = 1; format <= 3; format++) {
            for (int op = 0; op < 3; op++)
                for (int k = 0; k < 4; k++) {
                    snprintf(about, sizeof about, "type %d format %d op %d %d",
                             t, format, op, k);
                    products(t, format, op, k & 1, k & 2);
                    triangle(t, format, op, k & 1, k >> 1, k == 1);
                }
            if (format == CUSPARSE_FORMAT_CSR)
                sampled(t, format);
        }
    for (int t = 0; t < 4; t++)
        for (int base = 0; base < 2; base++) {
            snprintf(about, sizeof about, "type %d base %d", t, base);
            sparse_product(t, base);
            vectors(t, base);
        }
    legacy_S(), legacy_D(), legacy_C(), legacy_Z();
    conversions(0), conversions(1);
    misuse();
    refused();
    capture();
    OK(cusparseDestroy(handle));
    printf("%d failures\n", failures);
    return failures != 0;
}
