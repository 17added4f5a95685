/* SPDX-License-Identifier: Apache-2.0 */
/* cuSPARSE's generic API with matrices in blocks and slices, with types that
 * differ, and what is analysed once and used often. */
#include "check.h"

enum { N = 12, AREA = N * N };

static void pattern(int t, number at[AREA])
{
    for (int i = 0; i < AREA; i++)
        at[i] = i % 5 == 0 || i % 17 == 3 ? draw(t) : 0;
    for (int i = 0; i < N; i++)
        at[i * N + i] = 20 + i;
}

static void multiply(const number *a, const number *b, int cols, number *c)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < cols; j++) {
            c[i * cols + j] = 0;
            for (int k = 0; k < N; k++)
                c[i * cols + j] += a[i * N + k] * b[k * cols + j];
        }
}

/* 0: blocked ELL of 3 x 3, 3 in each row; 1: BSR of 4 x 4 by rows, 2: by
 * columns; 3: slices of 5 rows. Changes `at` to what the format has. */
static cusparseSpMatDescr_t describe(int format, int t, int base,
                                     number at[AREA], void **memory)
{
    int *ptr = managed(64), *ind = managed(AREA * 4), n = 0;
    void *val = managed(AREA * 32);
    cusparseSpMatDescr_t d = NULL;
    if (format == 0) {
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 3; k++) {
                bool pad = i == 1 && k == 2;
                ind[i * 3 + k] = pad ? -1 : (i + k) % 4 + base;
                for (int e = 0; e < 9; e++) {
                    int row = i * 3 + e / 3, col = (i + k) % 4 * 3 + e % 3;
                    if (pad)
                        at[row * N + col] = 0;
                    put(t, val, row * 9 + k * 3 + e % 3, at[row * N + col]);
                }
            }
        for (int i = 0; i < AREA; i++)
            if ((i % N / 3 + 4 - i / N / 3) % 4 == 3)
                at[i] = 0;
        OK(cusparseCreateBlockedEll(&d, N, N, 3, 9, ind, val, 2, base,
                                    types[t]));
    } else if (format < 3) {
        for (int i = 0; i < 3; i++) {
            ptr[i] = n + base;
            for (int j = 0; j < 3; j++) {
                bool none = (i + j) % 3 == 1;
                for (int e = 0; e < 16; e++) {
                    number *v = &at[(i * 4 + e / 4) * N + j * 4 + e % 4];
                    if (none)
                        *v = 0;
                    put(t, val, n * 16 + (format == 1 ? e : e % 4 * 4 + e / 4),
                        *v);
                }
                ind[n] = j + base;
                n += !none;
            }
        }
        ptr[3] = n + base;
        OK(cusparseCreateBsr(&d, 3, 3, n, 4, 4, ptr, ind, val, 2, 2, base,
                             types[t], format == 1 ? 2 : 1));
    } else {
        int nnz = 0;
        for (int s = 0; s < 3; s++) {
            int width = 0;
            ptr[s] = n + base;
            for (int i = s * 5; i < s * 5 + 5 && i < N; i++) {
                int k = 0;
                for (int j = 0; j < N; j++)
                    k += at[i * N + j] != 0;
                width = k > width ? k : width;
                nnz += k;
            }
            for (int r = 0; r < 5; r++)
                for (int k = 0, j = 0; k < width; k++, j++) {
                    int i = s * 5 + r;
                    while (i < N && j < N && at[i * N + j] == 0)
                        j++;
                    bool pad = i >= N || j >= N;
                    ind[n + k * 5 + r] = pad ? -1 : j + base;
                    put(t, val, n + k * 5 + r, pad ? 0 : at[i * N + j]);
                }
            n += width * 5;
        }
        ptr[3] = n + base;
        OK(cusparseCreateSlicedEll(&d, N, N, nnz, n, 5, ptr, ind, val, 2, 2,
                                   base, types[t]));
    }
    memory[0] = ptr, memory[1] = ind, memory[2] = val;
    return d;
}

static void drop(cusparseSpMatDescr_t d, void **memory)
{
    cudaDeviceSynchronize();
    OK(cusparseDestroySpMat(d));
    for (int i = 0; i < 3; i++)
        cudaFree(memory[i]);
}

static void product(int format, int t, int base)
{
    number at[AREA], x[N * 4], y[N * 4], want[N * 4];
    void *memory[3], *room = managed(1 << 16);
    pattern(t, at);
    cusparseSpMatDescr_t d = describe(format, t, base, at, memory);
    void *dx = managed(N * 64), *dy = managed(N * 64), *scalars = managed(64);
    cusparseDnVecDescr_t vx, vy;
    cusparseDnMatDescr_t mx, my;
    size_t bytes;
    put(t, scalars, 0, 2), put(t, (char *)scalars + 32, 0, 3);
    void *beta = (char *)scalars + 32;
    for (int i = 0; i < N * 4; i++)
        put(t, dx, i, x[i] = draw(t)), put(t, dy, i, y[i] = draw(t));
    OK(cusparseCreateDnVec(&vx, N, dx, types[t]));
    OK(cusparseCreateDnVec(&vy, N, dy, types[t]));
    OK(cusparseCreateDnMat(&mx, N, 4, 4, dx, types[t], 2));
    OK(cusparseCreateDnMat(&my, N, 4, 4, dy, types[t], 2));
    if (format) {
        OK(cusparseSpMV_bufferSize(handle, 0, scalars, d, vx, beta, vy,
                                   types[t], 0, &bytes));
        OK(cusparseSpMV(handle, 0, scalars, d, vx, beta, vy, types[t], 0,
                        room));
        cudaDeviceSynchronize();
        multiply(at, x, 1, want);
        for (int i = 0; i < N; i++) {
            CHECK(near(t, get(t, dy, i), 2 * want[i] + 3 * y[i]));
            y[i] = get(t, dy, i);
        }
    }
    if (format < 3) {
        OK(cusparseSpMM_bufferSize(handle, 0, 0, scalars, d, mx, beta, my,
                                   types[t], 0, &bytes));
        OK(cusparseSpMM(handle, 0, 0, scalars, d, mx, beta, my, types[t], 0,
                        room));
        cudaDeviceSynchronize();
        multiply(at, x, 4, want);
        for (int i = 0; i < N * 4; i++)
            CHECK(near(t, get(t, dy, i), 2 * want[i] + 3 * y[i]));
    }
    OK(cusparseDestroyDnVec(vx));
    OK(cusparseDestroyDnVec(vy));
    OK(cusparseDestroyDnMat(mx));
    OK(cusparseDestroyDnMat(my));
    cudaFree(dx), cudaFree(dy), cudaFree(scalars), cudaFree(room);
    drop(d, memory);
}

/* On the entries of BSR, and a triangle of slices. */
static void others(int t, int base)
{
    number at[AREA], x[AREA], y[AREA], want[AREA], one = 0, zero = 0;
    void *memory[3], *room = managed(1 << 16);
    void *dx = managed(AREA * 16), *dy = managed(AREA * 16);
    size_t bytes;
    put(t, &one, 0, 1);
    pattern(t, at);
    for (int i = 0; i < AREA; i++)
        put(t, dx, i, x[i] = draw(t)), put(t, dy, i, y[i] = draw(t));
    cusparseSpMatDescr_t d = describe(1, t, base, at, memory);
    cusparseDnMatDescr_t mx, my;
    OK(cusparseCreateDnMat(&mx, N, N, N, dx, types[t], 2));
    OK(cusparseCreateDnMat(&my, N, N, N, dy, types[t], 2));
    OK(cusparseSDDMM_bufferSize(handle, 0, 0, &one, mx, my, &zero, d, types[t],
                                0, &bytes));
    OK(cusparseSDDMM(handle, 0, 0, &one, mx, my, &zero, d, types[t], 0, room));
    cudaDeviceSynchronize();
    multiply(x, y, N, want);
    const int *ptr = memory[0], *ind = memory[1];
    for (int i = 0; i < 3; i++)
        for (int s = ptr[i] - base; s < ptr[i + 1] - base; s++)
            for (int e = 0; e < 16; e++) {
                int row = i * 4 + e / 4, col = (ind[s] - base) * 4 + e % 4;
                CHECK(near(t, get(t, memory[2], s * 16 + e),
                           want[row * N + col]));
            }
    OK(cusparseDestroyDnMat(mx));
    OK(cusparseDestroyDnMat(my));
    drop(d, memory);
    pattern(t, at);
    d = describe(3, t, base, at, memory);
    cusparseDnVecDescr_t vx, vy;
    cusparseSpSVDescr_t sv;
    int lower = 0;
    OK(cusparseSpMatSetAttribute(d, CUSPARSE_SPMAT_FILL_MODE, &lower, 4));
    OK(cusparseCreateDnVec(&vx, N, dx, types[t]));
    OK(cusparseCreateDnVec(&vy, N, dy, types[t]));
    OK(cusparseSpSV_createDescr(&sv));
    OK(cusparseSpSV_bufferSize(handle, 0, &one, d, vx, vy, types[t], 0, sv,
                               &bytes));
    OK(cusparseSpSV_analysis(handle, 0, &one, d, vx, vy, types[t], 0, sv,
                             room));
    OK(cusparseSpSV_solve(handle, 0, &one, d, vx, vy, types[t], 0, sv));
    cudaDeviceSynchronize();
    for (int i = 0; i < N; i++) {
        number v = 0;
        for (int j = 0; j <= i; j++)
            v += at[i * N + j] * get(t, dy, j);
        CHECK(near(t, v, x[i]));
    }
    OK(cusparseSpSV_destroyDescr(sv));
    OK(cusparseDestroyDnVec(vx));
    OK(cusparseDestroyDnVec(vy));
    cudaFree(dx), cudaFree(dy), cudaFree(room);
    drop(d, memory);
}

/* ---- types that differ: small integers, exact in all ------------------ */

static void put_small(cudaDataType type, void *at, int i, int v)
{
    _Float16 half = (_Float16)v;
    float f = (float)v;
    switch (type) {
    case CUDA_R_16F: memcpy((char *)at + 2 * i, &half, 2); break;
    case CUDA_R_16BF: memcpy((char *)at + 2 * i, (char *)&f + 2, 2); break;
    case CUDA_R_8I: ((int8_t *)at)[i] = (int8_t)v; break;
    case CUDA_R_32I: ((int *)at)[i] = v; break;
    case CUDA_R_64F: ((double *)at)[i] = v; break;
    default: ((float *)at)[i] = f;
    }
}

static double get_small(cudaDataType type, const void *at, int i)
{
    _Float16 half;
    float f = 0;
    switch (type) {
    case CUDA_R_16F: memcpy(&half, (char *)at + 2 * i, 2); return (double)half;
    case CUDA_R_16BF: memcpy((char *)&f + 2, (char *)at + 2 * i, 2); return f;
    case CUDA_R_32I: return ((const int *)at)[i];
    case CUDA_R_64F: return ((const double *)at)[i];
    default: return ((const float *)at)[i];
    }
}

static const struct {
    cudaDataType a, x, y, compute;
    cusparseStatus_t status;
} mixed[] = {
    {CUDA_R_8I, CUDA_R_8I, CUDA_R_32I, CUDA_R_32I, 0},
    {CUDA_R_8I, CUDA_R_8I, CUDA_R_32F, CUDA_R_32F, 0},
    {CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUDA_R_32F, 0},
    {CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, 0},
    {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, CUDA_R_32F, 0},
    {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, 0},
    {CUDA_R_32F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, 0},
    {CUDA_R_64F, CUDA_R_32F, CUDA_R_64F, CUDA_R_64F, 10},
    {CUDA_R_16F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, 10},
};

static void mixed_types(int row)
{
    cudaDataType a = mixed[row].a, x = mixed[row].x, y = mixed[row].y;
    cudaDataType compute = mixed[row].compute;
    int *ptr = managed(64), *ind = managed(AREA * 4), at[AREA], n = 0;
    void *val = managed(AREA * 8), *dx = managed(N * 8), *dy = managed(N * 8);
    void *scalars = managed(64);
    for (int i = 0; i < AREA; i++) {
        at[i] = i % 4 == 1 ? i % 7 - 3 : 0;
        if (i % N == 0)
            ptr[i / N] = n;
        if (at[i])
            put_small(a, val, n, at[i]), ind[n++] = i % N;
    }
    ptr[N] = n;
    for (int i = 0; i < N; i++)
        put_small(x, dx, i, i - 4), put_small(y, dy, i, i);
    put_small(compute, scalars, 0, 2), put_small(compute, scalars, 4, 1);
    void *beta = (char *)scalars + (compute == CUDA_R_64F ? 32 : 16);
    cusparseSpMatDescr_t d;
    cusparseDnVecDescr_t vx, vy;
    OK(cusparseCreateCsr(&d, N, N, n, ptr, ind, val, 2, 2, 0, a));
    OK(cusparseCreateDnVec(&vx, N, dx, x));
    OK(cusparseCreateDnVec(&vy, N, dy, y));
    CHECK(cusparseSpMV(handle, 0, scalars, d, vx, beta, vy, compute, 0,
                       managed(4096)) == mixed[row].status);
    cudaDeviceSynchronize();
    for (int i = 0; i < N && !mixed[row].status; i++) {
        int want = i;
        for (int j = 0; j < N; j++)
            want += 2 * at[i * N + j] * (j - 4);
        CHECK(get_small(y, dy, i) == want);
    }
    OK(cusparseDestroySpMat(d));
    OK(cusparseDestroyDnVec(vx));
    OK(cusparseDestroyDnVec(vy));
    cudaFree(ptr), cudaFree(ind), cudaFree(val), cudaFree(dx), cudaFree(dy);
    cudaFree(scalars);
}

/* ---- analysed once ---------------------------------------------------- */

/* A 2-D grid's five points: hundreds of levels, some of them wide. */
enum { SIDE = 160, GRID = SIDE * SIDE };

struct grid {
    int *ptr, *ind, n;
    double *val;
};

static struct grid make_grid(void)
{
    struct grid g = {managed((GRID + 1) * 4), managed(GRID * 20), 0,
                     managed(GRID * 40)};
    for (int i = 0; i < GRID; i++) {
        static const int steps[] = {-SIDE, -1, 0, 1, SIDE};
        g.ptr[i] = g.n;
        for (int k = 0; k < 5; k++) {
            int j = i + steps[k];
            bool out = j < 0 || j >= GRID || (k == 1 && i % SIDE == 0) ||
                       (k == 3 && j % SIDE == 0);
            if (out)
                continue;
            g.val[g.n] = k == 2 ? 4.5 + i % 3 : -1 - i % 2 * .25;
            g.ind[g.n++] = j;
        }
    }
    g.ptr[GRID] = g.n;
    return g;
}

/* Solutions by levels, then with other values. */
static void levels(int upper)
{
    struct grid g = make_grid();
    double *x = managed(GRID * 8), *y = managed(GRID * 8), one = 1;
    double *diagonal = managed(GRID * 8);
    cusparseSpMatDescr_t d;
    cusparseDnVecDescr_t vx, vy;
    cusparseSpSVDescr_t sv;
    size_t bytes;
    for (int i = 0; i < GRID; i++)
        x[i] = i % 11 - 5, diagonal[i] = 8 + i % 5;
    OK(cusparseCreateCsr(&d, GRID, GRID, g.n, g.ptr, g.ind, g.val, 2, 2, 0,
                         CUDA_R_64F));
    OK(cusparseSpMatSetAttribute(d, CUSPARSE_SPMAT_FILL_MODE, &upper, 4));
    OK(cusparseCreateDnVec(&vx, GRID, x, CUDA_R_64F));
    OK(cusparseCreateDnVec(&vy, GRID, y, CUDA_R_64F));
    OK(cusparseSpSV_createDescr(&sv));
    OK(cusparseSpSV_bufferSize(handle, 0, &one, d, vx, vy, CUDA_R_64F, 0, sv,
                               &bytes));
    void *room = managed(bytes);
    OK(cusparseSpSV_analysis(handle, 0, &one, d, vx, vy, CUDA_R_64F, 0, sv,
                             room));
    for (int way = 0; way < 2; way++) {
        if (way)
            OK(cusparseSpSV_updateMatrix(handle, sv, diagonal, 1));
        OK(cusparseSpSV_solve(handle, 0, &one, d, vx, vy, CUDA_R_64F, 0, sv));
        cudaDeviceSynchronize();
        double worst = 0;
        for (int i = 0; i < GRID; i++) {
            double sum = -x[i];
            for (int e = g.ptr[i]; e < g.ptr[i + 1]; e++) {
                int j = g.ind[e];
                double v = way && i == j ? diagonal[i] : g.val[e];
                sum += (upper ? j >= i : j <= i) ? v * y[j] : 0;
            }
            worst = fmax(worst, fabs(sum));
        }
        CHECK(worst < 1e-12);
    }
    OK(cusparseSpSV_destroyDescr(sv));
    OK(cusparseDestroyDnVec(vx));
    OK(cusparseDestroyDnVec(vy));
    OK(cusparseDestroySpMat(d));
    cudaFree(g.ptr), cudaFree(g.ind), cudaFree(g.val), cudaFree(room);
    cudaFree(x), cudaFree(y), cudaFree(diagonal);
}

/* Factors by levels are those that are made row by row: as they are where the
 * analysis was captured. */
static void factors(void)
{
    struct grid g = make_grid();
    double *val[2] = {g.val, managed(GRID * 40)};
    double *ic[2] = {managed(GRID * 40), managed(GRID * 40)};
    void *room = managed(1 << 20);
    cusparseMatDescr_t d;
    cudaStream_t stream;
    cudaGraph_t graph = NULL;
    cudaStreamCreate(&stream);
    OK(cusparseSetStream(handle, stream));
    for (int k = 0; k < g.n; k++)
        val[1][k] = ic[0][k] = ic[1][k] = g.val[k];
    OK(cusparseCreateMatDescr(&d));
    for (int way = 0; way < 2; way++) {
        csrilu02Info_t lu;
        csric02Info_t c;
        int position;
        OK(cusparseCreateCsrilu02Info(&lu));
        OK(cusparseCreateCsric02Info(&c));
        if (way)
            cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
        OK(cusparseDcsrilu02_analysis(handle, GRID, g.n, d, val[0], g.ptr,
                                      g.ind, lu, 1, room));
        OK(cusparseDcsric02_analysis(handle, GRID, g.n, d, ic[0], g.ptr, g.ind,
                                     c, 1, room));
        if (way)
            cudaStreamEndCapture(stream, &graph);
        OK(cusparseDcsrilu02(handle, GRID, g.n, d, val[way], g.ptr, g.ind, lu,
                             1, room));
        OK(cusparseDcsric02(handle, GRID, g.n, d, ic[way], g.ptr, g.ind, c, 1,
                            room));
        OK(cusparseXcsrilu02_zeroPivot(handle, lu, &position));
        OK(cusparseDestroyCsrilu02Info(lu));
        OK(cusparseDestroyCsric02Info(c));
    }
    cudaStreamSynchronize(stream);
    OK(cusparseSetStream(handle, 0));
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    CHECK(!memcmp(val[0], val[1], (size_t)g.n * 8));
    CHECK(!memcmp(ic[0], ic[1], (size_t)g.n * 8));
    OK(cusparseDestroyMatDescr(d));
    cudaFree(g.ptr), cudaFree(g.ind), cudaFree(val[0]), cudaFree(val[1]);
    cudaFree(ic[0]), cudaFree(ic[1]), cudaFree(room);
}

/* The product of the grid with itself; then with all values doubled. */
static void reuse(void)
{
    struct grid g = make_grid();
    double one = 1, zero = 0;
    cusparseSpMatDescr_t a, c;
    cusparseSpGEMMDescr_t d;
    size_t n1 = 0, n2 = 0, n3 = 0, n4 = 0, n5 = 0;
    int64_t rows, cols, nnz;
    OK(cusparseCreateCsr(&a, GRID, GRID, g.n, g.ptr, g.ind, g.val, 2, 2, 0,
                         CUDA_R_64F));
    OK(cusparseCreateCsr(&c, GRID, GRID, 0, NULL, NULL, NULL, 2, 2, 0,
                         CUDA_R_64F));
    OK(cusparseSpGEMM_createDescr(&d));
#define REUSE(step, ...)                                                       \
    OK(cusparseSpGEMMreuse_##step(handle, 0, 0, a, a, c, 0, d, __VA_ARGS__))
    REUSE(workEstimation, &n1, NULL);
    void *b1 = managed(n1);
    REUSE(workEstimation, &n1, b1);
    REUSE(nnz, &n2, NULL, &n3, NULL, &n4, NULL);
    void *b2 = managed(n2), *b3 = managed(n3), *b4 = managed(n4);
    REUSE(nnz, &n2, b2, &n3, b3, &n4, b4);
    OK(cusparseSpMatGetSize(c, &rows, &cols, &nnz));
    int *ptr = managed((GRID + 1) * 4), *ind = managed((size_t)nnz * 4);
    double *val = managed((size_t)nnz * 8);
    OK(cusparseCsrSetPointers(c, ptr, ind, val));
    REUSE(copy, &n5, NULL);
    void *b5 = managed(n5);
    REUSE(copy, &n5, b5);
    for (int way = 1; way <= 2; way++) {
        OK(cusparseSpGEMMreuse_compute(handle, 0, 0, &one, a, a, &zero, c,
                                       CUDA_R_64F, 0, d));
        cudaDeviceSynchronize();
        double worst = 0;
        for (int i = 0; i < GRID; i++) {
            double sum = 0, want = 0;
            for (int e = ptr[i]; e < ptr[i + 1]; e++)
                sum += val[e] * (ind[e] % 7);
            for (int e = g.ptr[i]; e < g.ptr[i + 1]; e++)
                for (int j = g.ind[e], f = g.ptr[j]; f < g.ptr[j + 1]; f++)
                    want += g.val[e] * g.val[f] * (g.ind[f] % 7);
            worst = fmax(worst, fabs(sum - want));
        }
        CHECK(worst < 1e-9 && ptr[GRID] == nnz);
        for (int e = 0; e < g.n; e++)
            g.val[e] *= 2;
    }
    OK(cusparseSpGEMM_destroyDescr(d));
    OK(cusparseDestroySpMat(a));
    OK(cusparseDestroySpMat(c));
    cudaFree(g.ptr), cudaFree(g.ind), cudaFree(g.val), cudaFree(ptr);
    cudaFree(ind), cudaFree(val), cudaFree(b1), cudaFree(b2), cudaFree(b3);
    cudaFree(b4), cudaFree(b5);
}

/* Many entries, so that several threads sort and transpose. */
static void large(void)
{
    enum { M = 300, K = 200, MANY = 60000 };
    int *rows = managed(MANY * 4), *cols = managed(MANY * 4);
    int *order = managed(MANY * 4), *ptr = managed((M + 1) * 4);
    int *col_ptr = managed((K + 1) * 4), *row_ind = managed(MANY * 4);
    float *val = managed(MANY * 4), *out = managed(MANY * 4);
    size_t bytes;
    for (int i = 0; i < MANY; i++)
        rows[i] = i * 7919 % MANY / K, cols[i] = i * 7919 % MANY % K;
    OK(cusparseCreateIdentityPermutation(handle, MANY, order));
    OK(cusparseXcoosort_bufferSizeExt(handle, M, K, MANY, rows, cols, &bytes));
    void *room = managed(bytes);
    OK(cusparseXcoosortByRow(handle, M, K, MANY, rows, cols, order, room));
    OK(cusparseXcoo2csr(handle, rows, MANY, M, ptr, 0));
    cudaDeviceSynchronize();
    for (int i = 0; i < MANY; i++) {
        CHECK(rows[i] * K + cols[i] == i && order[i] * 7919 % MANY == i);
        val[i] = (float)i;
    }
    OK(cusparseCsr2cscEx2_bufferSize(handle, M, K, MANY, val, ptr, cols, out,
                                     col_ptr, row_ind, CUDA_R_32F, 1, 0, 1,
                                     &bytes));
    void *more = managed(bytes);
    OK(cusparseCsr2cscEx2(handle, M, K, MANY, val, ptr, cols, out, col_ptr,
                          row_ind, CUDA_R_32F, 1, 0, 1, more));
    cudaDeviceSynchronize();
    for (int i = 0; i < MANY; i++)
        CHECK(row_ind[i] == i % M && out[i] == (float)(i % M * K + i / M));
    cudaFree(rows), cudaFree(cols), cudaFree(order), cudaFree(ptr);
    cudaFree(col_ptr), cudaFree(row_ind), cudaFree(val), cudaFree(out);
    cudaFree(room), cudaFree(more);
}

/* Members of a batch that overlap are refused, one for all is not. */
static void batch_strides(void)
{
    float *x = managed(64);
    int *ptr = managed(16), *ind = managed(16);
    cusparseSpMatDescr_t csr, coo;
    cusparseDnMatDescr_t dense;
    OK(cusparseCreateCsr(&csr, 3, 4, 4, ptr, ind, x, CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                         CUDA_R_32F));
    OK(cusparseCreateCoo(&coo, 3, 4, 4, ind, ind, x, CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    OK(cusparseCreateDnMat(&dense, 4, 2, 4, x, CUDA_R_32F, CUSPARSE_ORDER_COL));
    CHECK(cusparseCsrSetStridedBatch(csr, 2, 4, 3) ==
          CUSPARSE_STATUS_INVALID_VALUE);
    OK(cusparseCsrSetStridedBatch(csr, 2, 4, 4));
    OK(cusparseCsrSetStridedBatch(csr, 2, 0, 0));
    CHECK(cusparseCooSetStridedBatch(coo, 2, 3) ==
          CUSPARSE_STATUS_INVALID_VALUE);
    OK(cusparseCooSetStridedBatch(coo, 2, 4));
    CHECK(cusparseDnMatSetStridedBatch(dense, 2, 7) ==
          CUSPARSE_STATUS_INVALID_VALUE);
    OK(cusparseDnMatSetStridedBatch(dense, 2, 8));
    OK(cusparseDnMatSetStridedBatch(dense, 2, 0));
    OK(cusparseDestroySpMat(csr));
    OK(cusparseDestroySpMat(coo));
    OK(cusparseDestroyDnMat(dense));
    cudaFree(x), cudaFree(ptr), cudaFree(ind);
}

int main(void)
{
    OK(cusparseCreate(&handle));
    batch_strides();
    for (int k = 0; k < 32; k++) {
        int format = k / 8, t = k / 2 % 4, base = k % 2;
        snprintf(about, sizeof about, "format %d type %d base %d", format, t,
                 base);
        product(format, t, base);
        if (!format)
            others(t, base);
    }
    for (size_t i = 0; i < sizeof mixed / sizeof *mixed; i++) {
        snprintf(about, sizeof about, "mixed %d", (int)i);
        mixed_types((int)i);
    }
    snprintf(about, sizeof about, "large");
    levels(0), levels(1), factors(), reuse(), large();
    OK(cusparseDestroy(handle));
    printf("%d failures\n", failures);
    return failures != 0;
}
