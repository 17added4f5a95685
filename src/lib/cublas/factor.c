/* SPDX-License-Identifier: Apache-2.0 */
/* Batches of factorisations: LU with and without pivoting, inverses and
 * solutions by it, QR, least squares. Each matrix of a batch is a tile. */
#include "internal.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 32 }; /* LAPACK's blocks of columns: sizes of work arrays */

struct factor_args;
typedef void factor_fn(const struct factor_args *f, int64_t tile);

struct factor_args {
    factor_fn *run;
    enum blas_type type;
    int m, n, nrhs, lda, ldc;
    char op;
    void *const *a, *const *c; /* c: inverses, right-hand sides, tau */
    int *pivots, *info;
};

static void run_factor(const void *args, uint64_t first, uint64_t end)
{
    const struct factor_args *f = args;
    for (uint64_t i = first; i < end; i++)
        f->run(f, (int64_t)i);
}

/* LAPACK's LU is recursive. */
static const struct native_kernel kernel = {.name = "factor",
                                            .run = run_factor,
                                            .args_bytes =
                                                sizeof(struct factor_args),
                                            .stack_bytes = 262144};

/* ---- LU --------------------------------------------------------------- */

static struct number divide_numbers(struct number a, struct number b)
{
    double _Complex q =
        __builtin_complex(a.re, a.im) / __builtin_complex(b.re, b.im);
    return (struct number){__real__ q, __imag__ q};
}

/* LU without exchanging rows, column by column. Returns LAPACK's info: the
 * first column, from 1, whose pivot is 0; such a column is left as it is. */
static int factor_in_order(const struct factor_args *f, char *a)
{
    const struct blas *blas = &weft_blas[f->type];
    cudaDataType_t type = blas_element(f->type);
    int64_t bytes = (int64_t)blas_bytes(f->type), lda = f->lda;
    int info = 0, one = 1;
    for (int64_t k = 0; k < f->n; k++) {
        struct number pivot = element_load(type, a + (k + k * lda) * bytes);
        int below = f->n - 1 - (int)k;
        if (pivot.re == 0 && pivot.im == 0) {
            info = info ? info : (int)k + 1;
            continue;
        }
        union blas_number inverse =
            blas_number(f->type, divide_numbers((struct number){1, 0}, pivot));
        char *column = a + (k + 1 + k * lda) * bytes;
        blas->scal(&below, &inverse, column, &one);
        for (int64_t j = k + 1; j < f->n; j++) {
            struct number top = element_load(type, a + (k + j * lda) * bytes);
            union blas_number factor =
                blas_number(f->type, (struct number){-top.re, -top.im});
            blas->axpy(&below, &factor, column, &one,
                       a + (k + 1 + j * lda) * bytes, &one);
        }
    }
    return info;
}

static void run_getrf(const struct factor_args *f, int64_t tile)
{
    int info = 0;
    if (f->pivots)
        weft_blas[f->type].getrf(&f->n, &f->n, f->a[tile], &f->lda,
                                 f->pivots + tile * f->n, &info);
    else
        info = factor_in_order(f, f->a[tile]);
    f->info[tile] = info;
}

/* The tile's pivots; if the call gave none, those that exchange nothing (in
 * room). */
static int *pivots_of(const struct factor_args *f, int64_t tile, int *room)
{
    for (int i = 0; !f->pivots && i < f->n; i++)
        room[i] = i + 1;
    return f->pivots ? f->pivots + tile * f->n : room;
}

static void copy_matrix(const struct factor_args *f, const char *from, char *to,
                        int ld_to)
{
    size_t bytes = blas_bytes(f->type);
    for (int64_t c = 0; c < f->n; c++)
        memcpy(to + (size_t)c * (size_t)ld_to * bytes,
               from + (size_t)c * (size_t)f->lda * bytes, (size_t)f->n * bytes);
}

/* What has no inverse gets infinities: programs take norms of them. */
static void fill_infinite(const struct factor_args *f, char *to)
{
    static const double wide[2] = {INFINITY, 0};
    static const float narrow[2] = {INFINITY, 0};
    bool is_wide = f->type == BLAS_D || f->type == BLAS_Z;
    size_t bytes = blas_bytes(f->type);
    for (int64_t c = 0; c < f->n; c++)
        for (int64_t i = 0; i < f->n; i++)
            memcpy(to + ((size_t)c * (size_t)f->ldc + (size_t)i) * bytes,
                   is_wide ? (const void *)wide : narrow, bytes);
}

static void invert_factors(const struct factor_args *f, char *c, int *pivots,
                           char *work, int *info)
{
    int length = f->n * BLOCK;
    weft_blas[f->type].getri(&f->n, c, &f->ldc, pivots, work, &length, info);
    if (*info > 0)
        fill_infinite(f, c);
}

static void run_getri(const struct factor_args *f, int64_t tile)
{
    size_t work = (size_t)f->n * BLOCK * blas_bytes(f->type);
    char *room = product_scratch(work + (size_t)f->n * sizeof(int));
    int info = 0;
    copy_matrix(f, f->a[tile], f->c[tile], f->ldc);
    invert_factors(f, f->c[tile], pivots_of(f, tile, (int *)(room + work)),
                   room, &info);
    f->info[tile] = info;
}

static void run_matinv(const struct factor_args *f, int64_t tile)
{
    size_t work = (size_t)f->n * BLOCK * blas_bytes(f->type);
    char *room = product_scratch(work + (size_t)f->n * sizeof(int));
    int info = 0, *pivots = (int *)(room + work);
    copy_matrix(f, f->a[tile], f->c[tile], f->ldc);
    weft_blas[f->type].getrf(&f->n, &f->n, f->c[tile], &f->ldc, pivots, &info);
    if (info == 0)
        invert_factors(f, f->c[tile], pivots, room, &info);
    else if (info > 0)
        fill_infinite(f, f->c[tile]);
    f->info[tile] = info;
}

static void run_getrs(const struct factor_args *f, int64_t tile)
{
    int info, *room = product_scratch((size_t)f->n * sizeof(int));
    weft_blas[f->type].getrs(&f->op, &f->n, &f->nrhs, f->a[tile], &f->lda,
                             pivots_of(f, tile, room), f->c[tile], &f->ldc,
                             &info);
}

/* ---- QR --------------------------------------------------------------- */

static void run_geqrf(const struct factor_args *f, int64_t tile)
{
    int length = f->n * BLOCK, info;
    void *work = product_scratch((size_t)length * blas_bytes(f->type));
    weft_blas[f->type].geqrf(&f->m, &f->n, f->a[tile], &f->lda, f->c[tile],
                             work, &length, &info);
}

static void run_gels(const struct factor_args *f, int64_t tile)
{
    int length = f->n + (f->n > f->nrhs ? f->n : f->nrhs) * BLOCK, info = 0;
    void *work = product_scratch((size_t)length * blas_bytes(f->type));
    weft_blas[f->type].gels(&f->op, &f->m, &f->n, &f->nrhs, f->a[tile], &f->lda,
                            f->c[tile], &f->ldc, work, &length, &info, 1);
    if (f->info)
        f->info[tile] = info;
}

/* ---- the calls -------------------------------------------------------- */

/* What the doors end with: checks, and the batch in the stream. */
static cublasStatus_t start_batch(const char *name, cublasHandle_t handle,
                                  bool is_valid, int batch, bool is_nothing,
                                  const struct factor_args *f)
{
    cublasStatus_t status = cublas_check_handle(handle);
    if (!status && (!is_valid || batch < 0))
        status = CUBLAS_STATUS_INVALID_VALUE;
    if (!status && batch > 0 && !is_nothing)
        status =
            cublas_status(lib_run(&kernel, handle->stream, (uint64_t)batch, f));
    return cublas_end(name, status);
}

/* Writes -i to *info if the i-th argument, from 1, is the first wrong one, else
 * 0. True: none is wrong, and info is not NULL. */
static bool report_argument(int *info, int count, const bool *ok)
{
    if (!info)
        return false;
    *info = 0;
    for (int i = 0; i < count && *info == 0; i++) {
        if (!ok[i])
            *info = -(i + 1);
    }
    return *info == 0;
}

static const char op_letters[] = "NTC";

#define FACTORS(S, element, code)                                              \
    cublasStatus_t cublas##S##getrfBatched(cublasHandle_t handle, int n,       \
                                           element *const A[], int lda,        \
                                           int *P, int *info, int batchSize)   \
    {                                                                          \
        return start_batch(__func__, handle, n >= 0 && check_ld(lda, n),       \
                           batchSize, n == 0,                                  \
                           &(struct factor_args){.run = run_getrf,             \
                                                 .type = code,                 \
                                                 .n = n,                       \
                                                 .lda = lda,                   \
                                                 .a = (void *const *)A,        \
                                                 .pivots = P,                  \
                                                 .info = info});               \
    }                                                                          \
    cublasStatus_t cublas##S##getriBatched(                                    \
        cublasHandle_t handle, int n, const element *const A[], int lda,       \
        const int *P, element *const C[], int ldc, int *info, int batchSize)   \
    {                                                                          \
        return start_batch(__func__, handle,                                   \
                           n >= 0 && check_ld(lda, n) && check_ld(ldc, n),     \
                           batchSize, n == 0,                                  \
                           &(struct factor_args){.run = run_getri,             \
                                                 .type = code,                 \
                                                 .n = n,                       \
                                                 .lda = lda,                   \
                                                 .ldc = ldc,                   \
                                                 .a = (void *const *)A,        \
                                                 .c = (void *const *)C,        \
                                                 .pivots = (int *)P,           \
                                                 .info = info});               \
    }                                                                          \
    cublasStatus_t cublas##S##matinvBatched(                                   \
        cublasHandle_t handle, int n, const element *const A[], int lda,       \
        element *const Ainv[], int lda_inv, int *info, int batchSize)          \
    {                                                                          \
        return start_batch(__func__, handle,                                   \
                           n >= 0 && n <= 32 && check_ld(lda, n) &&            \
                               check_ld(lda_inv, n),                           \
                           batchSize, n == 0,                                  \
                           &(struct factor_args){.run = run_matinv,            \
                                                 .type = code,                 \
                                                 .n = n,                       \
                                                 .lda = lda,                   \
                                                 .ldc = lda_inv,               \
                                                 .a = (void *const *)A,        \
                                                 .c = (void *const *)Ainv,     \
                                                 .info = info});               \
    }                                                                          \
    cublasStatus_t cublas##S##getrsBatched(                                    \
        cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,       \
        const element *const Aarray[], int lda, const int *devIpiv,            \
        element *const Barray[], int ldb, int *info, int batchSize)            \
    {                                                                          \
        bool ok[] = {(unsigned)trans <= CUBLAS_OP_C,                           \
                     n >= 0,                                                   \
                     nrhs >= 0,                                                \
                     Aarray != NULL,                                           \
                     check_ld(lda, n),                                         \
                     true,                                                     \
                     Barray != NULL,                                           \
                     check_ld(ldb, n),                                         \
                     true,                                                     \
                     batchSize >= 0};                                          \
        return start_batch(                                                    \
            __func__, handle, report_argument(info, 10, ok), batchSize,        \
            n == 0 || nrhs == 0,                                               \
            &(struct factor_args){.run = run_getrs,                            \
                                  .type = code,                                \
                                  .op = op_letters[ok[0] ? trans : 0],         \
                                  .n = n,                                      \
                                  .nrhs = nrhs,                                \
                                  .lda = lda,                                  \
                                  .ldc = ldb,                                  \
                                  .a = (void *const *)Aarray,                  \
                                  .c = (void *const *)Barray,                  \
                                  .pivots = (int *)devIpiv});                  \
    }                                                                          \
    cublasStatus_t cublas##S##geqrfBatched(                                    \
        cublasHandle_t handle, int m, int n, element *const Aarray[], int lda, \
        element *const TauArray[], int *info, int batchSize)                   \
    {                                                                          \
        bool ok[] = {                                                          \
            m >= 0,           n >= 0, Aarray != NULL, check_ld(lda, m),        \
            TauArray != NULL, true,   batchSize >= 0};                         \
        return start_batch(                                                    \
            __func__, handle, report_argument(info, 7, ok), batchSize,         \
            m == 0 || n == 0,                                                  \
            &(struct factor_args){.run = run_geqrf,                            \
                                  .type = code,                                \
                                  .m = m,                                      \
                                  .n = n,                                      \
                                  .lda = lda,                                  \
                                  .a = (void *const *)Aarray,                  \
                                  .c = (void *const *)TauArray});              \
    }                                                                          \
    cublasStatus_t cublas##S##gelsBatched(                                     \
        cublasHandle_t handle, cublasOperation_t trans, int m, int n,          \
        int nrhs, element *const Aarray[], int lda, element *const Carray[],   \
        int ldc, int *info, int *devInfoArray, int batchSize)                  \
    {                                                                          \
        bool ok[] = {true,           m >= 0,           n >= 0,                 \
                     nrhs >= 0,      Aarray != NULL,   check_ld(lda, m),       \
                     Carray != NULL, check_ld(ldc, m), true,                   \
                     true,           batchSize >= 0};                          \
        bool is_valid = report_argument(info, 11, ok);                         \
        if (is_valid && !cublas_check_handle(handle) &&                        \
            (trans != CUBLAS_OP_N || (m < n && m > 0)))                        \
            return CUBLAS_END(CUBLAS_STATUS_NOT_SUPPORTED);                    \
        return start_batch(__func__, handle, is_valid, batchSize,              \
                           m == 0 || n == 0 || nrhs == 0,                      \
                           &(struct factor_args){.run = run_gels,              \
                                                 .type = code,                 \
                                                 .op = 'N',                    \
                                                 .m = m,                       \
                                                 .n = n,                       \
                                                 .nrhs = nrhs,                 \
                                                 .lda = lda,                   \
                                                 .ldc = ldc,                   \
                                                 .a = (void *const *)Aarray,   \
                                                 .c = (void *const *)Carray,   \
                                                 .info = devInfoArray});       \
    }                                                                          \
    cublasStatus_t cublas##S##tpttr(cublasHandle_t handle,                     \
                                    cublasFillMode_t uplo, int n,              \
                                    const element *AP, element *A, int lda)    \
    {                                                                          \
        return cublas_do(                                                      \
            __func__, handle, check_fill(uplo) && n >= 0 && check_ld(lda, n),  \
            n == 0, cublas_tpttr,                                              \
            &(struct job){                                                     \
                .type = code,                                                  \
                .is_upper = uplo == CUBLAS_FILL_MODE_UPPER,                    \
                .n = n,                                                        \
                .a = {.at = (void *)AP},                                       \
                .c = {.at = A, .ld = lda, .type = blas_element(code)}});       \
    }                                                                          \
    cublasStatus_t cublas##S##trttp(cublasHandle_t handle,                     \
                                    cublasFillMode_t uplo, int n,              \
                                    const element *A, int lda, element *AP)    \
    {                                                                          \
        return cublas_do(                                                      \
            __func__, handle, check_fill(uplo) && n >= 0 && check_ld(lda, n),  \
            n == 0, cublas_trttp,                                              \
            &(struct job){                                                     \
                .type = code,                                                  \
                .is_upper = uplo == CUBLAS_FILL_MODE_UPPER,                    \
                .n = n,                                                        \
                .a = {.at = (void *)A, .ld = lda, .type = blas_element(code)}, \
                .c = {.at = AP}});                                             \
    }
FACTORS(S, float, BLAS_S)
FACTORS(D, double, BLAS_D)
FACTORS(C, cuComplex, BLAS_C)
FACTORS(Z, cuDoubleComplex, BLAS_Z)
