/* SPDX-License-Identifier: Apache-2.0 */
/* Matrices of more rows than are converted together, rows of more entries than
 * are sorted by insertion, and a part of many magnitudes. */
#include "check.h"

enum { M = 700, N = 90, LD = 703, AREA = LD * LD, ENTRIES = 20000 };

static void *dense, *val;
static int *major, *minor;

/* Most are 0; what is not a number stays. */
static number cell(int row, int col)
{
    unsigned mixed = (unsigned)(row * N + col) * 2654435761u >> 16;
    if (mixed % 1000 == 7)
        return NAN;
    return mixed % 7 ? 0 : (int)(mixed % 200) - 100;
}

static bool is_equal(number a, number b)
{
    return a == b || (isnan(creal(a)) && isnan(creal(b)));
}

/* The next entry of the result is the cell, if that stays. */
static void check_entry(int t, int format, int base, int row, int col, int *e)
{
    if (cell(row, col) == 0)
        return;
    bool is_coo = format == CUSPARSE_FORMAT_COO;
    bool is_csc = format == CUSPARSE_FORMAT_CSC;
    CHECK(minor[*e] == (is_csc ? row : col) + base);
    CHECK(!is_coo || major[*e] == row + base);
    CHECK(is_equal(get(t, val, *e), cell(row, col)));
    ++*e;
}

static void check_result(int t, int format, int base)
{
    bool is_csc = format == CUSPARSE_FORMAT_CSC;
    int majors = is_csc ? N : M, minors = is_csc ? M : N, e = 0;
    for (int i = 0; i < majors; i++) {
        CHECK(format == CUSPARSE_FORMAT_COO || major[i] == e + base);
        for (int j = 0; j < minors; j++)
            check_entry(t, format, base, is_csc ? j : i, is_csc ? i : j, &e);
    }
    CHECK(format == CUSPARSE_FORMAT_COO || major[majors] == e + base);
}

static void sparsify(int t, cusparseOrder_t order, cusparseFormat_t format,
                     int base)
{
    cusparseDnMatDescr_t full;
    cusparseSpMatDescr_t s;
    size_t bytes;
    bool is_row = order == CUSPARSE_ORDER_ROW;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            put(t, dense, is_row ? i * LD + j : i + j * LD, cell(i, j));
    OK(cusparseCreateDnMat(&full, M, N, LD, dense, types[t], order));
    if (format == CUSPARSE_FORMAT_COO)
        OK(cusparseCreateCoo(&s, M, N, 0, NULL, NULL, NULL, 2, base, types[t]));
    else
        OK((format == CUSPARSE_FORMAT_CSR ? cusparseCreateCsr
                                          : cusparseCreateCsc)(
            &s, M, N, 0, major, NULL, NULL, 2, 2, base, types[t]));
    OK(cusparseDenseToSparse_bufferSize(handle, full, s, 0, &bytes));
    OK(cusparseDenseToSparse_analysis(handle, full, s, 0, val));
    OK((format == CUSPARSE_FORMAT_CSR ? cusparseCsrSetPointers
        : format == CUSPARSE_FORMAT_CSC
            ? cusparseCscSetPointers
            : cusparseCooSetPointers)(s, major, minor, val));
    OK(cusparseDenseToSparse_convert(handle, full, s, 0, val));
    cudaDeviceSynchronize();
    check_result(t, format, base);
    OK(cusparseDestroySpMat(s));
    OK(cusparseDestroyDnMat(full));
}

/* Columns of which many are equal, or negative: these keep their order. */
static void sort(int is_wide)
{
    enum { ROWS = 50, WIDTH = ENTRIES / ROWS };
    int *order = managed(ENTRIES * 4), *was = malloc(ENTRIES * sizeof *was);
    int spread = is_wide ? 1 << 30 : 300;
    cusparseMatDescr_t d;
    OK(cusparseCreateMatDescr(&d));
    for (int i = 0; i <= ROWS; i++)
        major[i] = i * WIDTH;
    for (int e = 0; e < ENTRIES; e++) {
        was[e] = minor[e] = (int)(e * 2654435761u % (unsigned)spread) - 150;
        order[e] = e;
    }
    OK(cusparseXcsrsort(handle, ROWS, 1 << 30, ENTRIES, d, major, minor, order,
                        val));
    cudaDeviceSynchronize();
    for (int e = 0; e < ENTRIES; e++) {
        CHECK(minor[e] == was[order[e]]);
        CHECK(order[e] / WIDTH == e / WIDTH);
        CHECK(e % WIDTH == 0 || minor[e - 1] < minor[e] ||
              (minor[e - 1] == minor[e] && order[e - 1] < order[e]));
    }
    OK(cusparseDestroyMatDescr(d));
    free(was);
    cudaFree(order);
}

/* As many of distinct magnitudes go as the part says. */
static void prune(float percentage)
{
    pruneInfo_t info;
    cusparseMatDescr_t d;
    int nnz = -1;
    float *a = dense;
    for (int i = 0; i < M * N; i++)
        a[i] = (float)(1 + i * 7919 % (M * N)) / (i % 2 ? 1024 : -1024);
    OK(cusparseCreatePruneInfo(&info));
    OK(cusparseCreateMatDescr(&d));
    OK(cusparseSpruneDense2csrNnzByPercentage(handle, M, N, a, M, percentage, d,
                                              major, &nnz, info, val));
    int gone = (int)ceilf((float)(M * N) * (percentage / 100)) - 1;
    gone = gone < 0 ? 0 : gone;
    snprintf(about, sizeof about, "%g percent: %d stay", percentage, nnz);
    CHECK(nnz == M * N - gone - 1);
    OK(cusparseDestroyPruneInfo(info));
    OK(cusparseDestroyMatDescr(d));
}

int main(void)
{
    OK(cusparseCreate(&handle));
    dense = managed(AREA * 16), val = managed(AREA * 16);
    major = managed(AREA * 4), minor = managed(AREA * 4);
    static const int formats[] = {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC,
                                  CUSPARSE_FORMAT_COO};
    for (int k = 0; k < 24; k++) {
        int t = k % 4, order = 1 + k / 4 % 2, format = formats[k / 8];
        snprintf(about, sizeof about, "type %d order %d format %d", t, order,
                 format);
        sparsify(t, order, format, t % 2);
    }
    sort(0), sort(1);
    for (int i = 0; i <= 10; i++)
        prune((float)i * 10);
    cudaFree(dense), cudaFree(val), cudaFree(major), cudaFree(minor);
    OK(cusparseDestroy(handle));
    printf("%d failures\n", failures);
    return failures != 0;
}
