/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cusolverMg: matrices whose blocks of columns are on several devices in turn.
 * All devices share one memory. So a call copies the matrix into one piece,
 * runs cusolverDn on the caller's device, waits, and copies the columns back.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(default)
#include "cusolverMg.h"
#pragma GCC visibility pop
#include "lib/common/lib.h"

enum { MG_MAGIC = 0x6d670a0a, GRID = 0x67726964, MATRIX = 0x6d617472 };

struct cusolverMgContext {
    uint32_t magic;
    int devices;
    cusolverDnHandle_t dense;
};

struct grid {
    uint32_t magic;
    int columns;
};

struct matrix {
    uint32_t magic;
    int64_t rows, columns, block;
    cudaDataType type;
    int devices;
};

static cusolverStatus_t check_handle(cusolverMgHandle_t handle)
{
    return handle && handle->magic == MG_MAGIC
               ? CUSOLVER_STATUS_SUCCESS
               : CUSOLVER_STATUS_NOT_INITIALIZED;
}

cusolverStatus_t cusolverMgCreate(cusolverMgHandle_t *handle)
{
    if (!handle)
        return CUSOLVER_STATUS_INVALID_VALUE;
    struct cusolverMgContext *h = calloc(1, sizeof *h);
    if (!h)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    cusolverStatus_t status = cusolverDnCreate(&h->dense);
    if (status) {
        free(h);
        return status;
    }
    h->magic = MG_MAGIC;
    *handle = h;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverMgDestroy(cusolverMgHandle_t handle)
{
    cusolverStatus_t status = check_handle(handle);
    if (status)
        return status;
    cusolverDnDestroy(handle->dense);
    handle->magic = 0;
    free(handle);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverMgDeviceSelect(cusolverMgHandle_t handle,
                                        int nbDevices, int deviceId[])
{
    cusolverStatus_t status = check_handle(handle);
    if (!status && (nbDevices < 1 || !deviceId))
        status = CUSOLVER_STATUS_INVALID_VALUE;
    if (!status)
        handle->devices = nbDevices;
    return status;
}

/* ---- descriptions ----------------------------------------------------- */

cusolverStatus_t cusolverMgCreateDeviceGrid(cudaLibMgGrid_t *grid,
                                            int32_t numRowDevices,
                                            int32_t numColDevices,
                                            const int32_t deviceId[],
                                            cusolverMgGridMapping_t mapping)
{
    if (!grid || numRowDevices != 1 || numColDevices < 1 || !deviceId ||
        (unsigned)mapping > CUDALIBMG_GRID_MAPPING_ROW_MAJOR)
        return CUSOLVER_STATUS_INVALID_VALUE;
    struct grid *g = calloc(1, sizeof *g);
    if (!g)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    *g = (struct grid){GRID, numColDevices};
    *grid = g;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverMgDestroyGrid(cudaLibMgGrid_t grid)
{
    struct grid *g = grid;
    if (!g || g->magic != GRID)
        return CUSOLVER_STATUS_INVALID_VALUE;
    g->magic = 0;
    free(g);
    return CUSOLVER_STATUS_SUCCESS;
}

static size_t bytes_of(cudaDataType type)
{
    switch ((int)type) {
    case CUDA_R_32F:
        return 4;
    case CUDA_R_64F:
    case CUDA_C_32F:
        return 8;
    case CUDA_C_64F:
        return 16;
    }
    return 0;
}

/* Blocks have all rows. */
cusolverStatus_t cusolverMgCreateMatrixDesc(cudaLibMgMatrixDesc_t *desc,
                                            int64_t numRows, int64_t numCols,
                                            int64_t rowBlockSize,
                                            int64_t colBlockSize,
                                            cudaDataType dataType,
                                            const cudaLibMgGrid_t grid)
{
    const struct grid *g = grid;
    if (!desc || numRows < 0 || numCols < 0 || rowBlockSize < numRows ||
        colBlockSize < 1 || !bytes_of(dataType) || !g || g->magic != GRID)
        return CUSOLVER_STATUS_INVALID_VALUE;
    struct matrix *m = calloc(1, sizeof *m);
    if (!m)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    *m = (struct matrix){MATRIX,       numRows,  numCols,
                         colBlockSize, dataType, g->columns};
    *desc = m;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverMgDestroyMatrixDesc(cudaLibMgMatrixDesc_t desc)
{
    struct matrix *m = desc;
    if (!m || m->magic != MATRIX)
        return CUSOLVER_STATUS_INVALID_VALUE;
    m->magic = 0;
    free(m);
    return CUSOLVER_STATUS_SUCCESS;
}

/* ---- parts of matrices ------------------------------------------------ */

/* rows x columns elements from (row, column) on, which count from 0. */
struct part {
    const struct matrix *m;
    void *const *at; /* the memory of each device */
    int64_t row, column, rows, columns;
    size_t bytes;
    char *all; /* the part in one piece, from malloc; ld_of */
};

/* row and column count from 1, as in the calls. */
static bool check_part(void *const *at, cudaLibMgMatrixDesc_t desc, int64_t row,
                       int64_t column, int64_t rows, int64_t columns,
                       cudaDataType compute, struct part *out)
{
    const struct matrix *m = desc;
    if (!m || m->magic != MATRIX || !at || row < 1 || column < 1 || rows < 0 ||
        columns < 0 || compute != m->type || row - 1 + rows > m->rows ||
        column - 1 + columns > m->columns)
        return false;
    *out = (struct part){m,    at,      row - 1,           column - 1,
                         rows, columns, bytes_of(m->type), NULL};
    return true;
}

/* The device of a column; *local: which of its columns it is there. */
static int device_of(const struct matrix *m, int64_t column, int64_t *local)
{
    int64_t block = column / m->block;
    *local = block / m->devices * m->block + column % m->block;
    return (int)(block % m->devices);
}

static char *column_of(const struct part *p, int64_t j)
{
    int64_t local;
    int device = device_of(p->m, p->column + j, &local);
    return (char *)p->at[device] +
           (size_t)(local * p->m->rows + p->row) * p->bytes;
}

static bool gather_columns(struct part *p)
{
    size_t column = (size_t)p->rows * p->bytes;
    p->all = malloc(column * (size_t)p->columns + 1);
    for (int64_t j = 0; p->all && j < p->columns; j++)
        memcpy(p->all + (size_t)j * column, column_of(p, j), column);
    return p->all;
}

static void scatter_columns(const struct part *p)
{
    size_t column = (size_t)p->rows * p->bytes;
    for (int64_t j = 0; j < p->columns; j++)
        memcpy(column_of(p, j), p->all + (size_t)j * column, column);
}

static int64_t ld_of(const struct part *p)
{
    return p->rows > 0 ? p->rows : 1;
}

/* ---- calls ------------------------------------------------------------ */

/* Waits for earlier work, then copies A, and B (or NULL), into one piece.
 * Without success there is nothing to free. */
static cusolverStatus_t begin_call(struct part *a, struct part *b)
{
    if (lib_synchronize(NULL))
        return CUSOLVER_STATUS_EXECUTION_FAILED;
    if (gather_columns(a) && (!b || gather_columns(b)))
        return CUSOLVER_STATUS_SUCCESS;
    free(a->all);
    return CUSOLVER_STATUS_ALLOC_FAILED;
}

/* Waits and frees both; on success copies B, or A without B, back. */
static cusolverStatus_t end_call(struct part *a, struct part *b,
                                 cusolverStatus_t status)
{
    if (!status && lib_synchronize(NULL))
        status = CUSOLVER_STATUS_EXECUTION_FAILED;
    if (!status)
        scatter_columns(b ? b : a);
    free(a->all);
    free(b ? b->all : NULL);
    return status;
}

static cusolverStatus_t answer_size(cusolverMgHandle_t handle, bool is_valid,
                                    int64_t *lwork)
{
    cusolverStatus_t status = check_handle(handle);
    if (!status && (!is_valid || !lwork))
        status = CUSOLVER_STATUS_INVALID_VALUE;
    if (!status)
        *lwork = 32; /* not used: memory is allocated */
    return status;
}

static bool check_fill(cublasFillMode_t uplo)
{
    return uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER;
}

#define BEGIN(is_valid, b)                                                     \
    cusolverStatus_t status = check_handle(handle);                            \
    if (status)                                                                \
        return status;                                                         \
    if (!(is_valid))                                                           \
        return CUSOLVER_STATUS_INVALID_VALUE;                                  \
    status = begin_call(&a, b);                                                \
    if (status)                                                                \
    return status

/* ---- eigenvalues ------------------------------------------------------ */

cusolverStatus_t cusolverMgSyevd_bufferSize(
    cusolverMgHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,
    int N, void *array_d_A[], int IA, int JA, cudaLibMgMatrixDesc_t descrA,
    void *W, cudaDataType dataTypeW, cudaDataType computeType, int64_t *lwork)
{
    (void)jobz, (void)W, (void)dataTypeW;
    struct part a;
    return answer_size(handle,
                       check_fill(uplo) && check_part(array_d_A, descrA, IA, JA,
                                                      N, N, computeType, &a),
                       lwork);
}

cusolverStatus_t cusolverMgSyevd(cusolverMgHandle_t handle,
                                 cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                 int N, void *array_d_A[], int IA, int JA,
                                 cudaLibMgMatrixDesc_t descrA, void *W,
                                 cudaDataType dataTypeW,
                                 cudaDataType computeType, void *array_d_work[],
                                 int64_t lwork, int *info)
{
    (void)array_d_work, (void)lwork;
    struct part a;
    BEGIN(check_part(array_d_A, descrA, IA, JA, N, N, computeType, &a) && info,
          NULL);
    status = cusolverDnXsyevd(handle->dense, NULL, jobz, uplo, N, a.m->type,
                              a.all, ld_of(&a), dataTypeW, W, computeType, NULL,
                              0, NULL, 0, info);
    return end_call(&a, NULL, status);
}

/* ---- LU --------------------------------------------------------------- */

cusolverStatus_t
cusolverMgGetrf_bufferSize(cusolverMgHandle_t handle, int M, int N,
                           void *array_d_A[], int IA, int JA,
                           cudaLibMgMatrixDesc_t descrA, int *array_d_IPIV[],
                           cudaDataType computeType, int64_t *lwork)
{
    (void)array_d_IPIV;
    struct part a;
    return answer_size(
        handle, check_part(array_d_A, descrA, IA, JA, M, N, computeType, &a),
        lwork);
}

/* Where pivot j is: on the device of its column. */
static int *pivot_at(const struct part *a, int *const *pivots, int64_t j)
{
    int64_t local;
    int device = device_of(a->m, a->column + j, &local);
    return pivots[device] + local;
}

cusolverStatus_t cusolverMgGetrf(cusolverMgHandle_t handle, int M, int N,
                                 void *array_d_A[], int IA, int JA,
                                 cudaLibMgMatrixDesc_t descrA,
                                 int *array_d_IPIV[], cudaDataType computeType,
                                 void *array_d_work[], int64_t lwork, int *info)
{
    (void)array_d_work, (void)lwork;
    struct part a;
    BEGIN(check_part(array_d_A, descrA, IA, JA, M, N, computeType, &a) && info,
          NULL);
    int64_t count = M < N ? M : N;
    int64_t *pivots = calloc((size_t)count + 1, sizeof *pivots);
    status = !pivots
                 ? CUSOLVER_STATUS_ALLOC_FAILED
                 : cusolverDnXgetrf(handle->dense, NULL, M, N, a.m->type, a.all,
                                    ld_of(&a), array_d_IPIV ? pivots : NULL,
                                    computeType, NULL, 0, NULL, 0, info);
    status = end_call(&a, NULL, status);
    for (int64_t j = 0; !status && array_d_IPIV && j < count; j++)
        *pivot_at(&a, array_d_IPIV, j) = (int)pivots[j];
    free(pivots);
    return status;
}

cusolverStatus_t cusolverMgGetrs_bufferSize(
    cusolverMgHandle_t handle, cublasOperation_t TRANS, int N, int NRHS,
    void *array_d_A[], int IA, int JA, cudaLibMgMatrixDesc_t descrA,
    int *array_d_IPIV[], void *array_d_B[], int IB, int JB,
    cudaLibMgMatrixDesc_t descrB, cudaDataType computeType, int64_t *lwork)
{
    (void)TRANS, (void)array_d_IPIV;
    struct part a, b;
    return answer_size(
        handle,
        check_part(array_d_A, descrA, IA, JA, N, N, computeType, &a) &&
            check_part(array_d_B, descrB, IB, JB, N, NRHS, computeType, &b),
        lwork);
}

cusolverStatus_t cusolverMgGetrs(cusolverMgHandle_t handle,
                                 cublasOperation_t TRANS, int N, int NRHS,
                                 void *array_d_A[], int IA, int JA,
                                 cudaLibMgMatrixDesc_t descrA,
                                 int *array_d_IPIV[], void *array_d_B[], int IB,
                                 int JB, cudaLibMgMatrixDesc_t descrB,
                                 cudaDataType computeType, void *array_d_work[],
                                 int64_t lwork, int *info)
{
    (void)array_d_work, (void)lwork;
    struct part a, b;
    BEGIN(check_part(array_d_A, descrA, IA, JA, N, N, computeType, &a) &&
              check_part(array_d_B, descrB, IB, JB, N, NRHS, computeType, &b) &&
              info,
          &b);
    int64_t *pivots = calloc((size_t)N + 1, sizeof *pivots);
    for (int64_t j = 0; pivots && array_d_IPIV && j < N; j++)
        pivots[j] = *pivot_at(&a, array_d_IPIV, j);
    status = !pivots ? CUSOLVER_STATUS_ALLOC_FAILED
                     : cusolverDnXgetrs(handle->dense, NULL, TRANS, N, NRHS,
                                        a.m->type, a.all, ld_of(&a),
                                        array_d_IPIV ? pivots : NULL, b.m->type,
                                        b.all, ld_of(&b), info);
    status = end_call(&a, &b, status);
    free(pivots);
    return status;
}

/* ---- Cholesky --------------------------------------------------------- */

cusolverStatus_t cusolverMgPotrf_bufferSize(cusolverMgHandle_t handle,
                                            cublasFillMode_t uplo, int N,
                                            void *array_d_A[], int IA, int JA,
                                            cudaLibMgMatrixDesc_t descrA,
                                            cudaDataType computeType,
                                            int64_t *lwork)
{
    struct part a;
    return answer_size(handle,
                       check_fill(uplo) && check_part(array_d_A, descrA, IA, JA,
                                                      N, N, computeType, &a),
                       lwork);
}

cusolverStatus_t cusolverMgPotrf(cusolverMgHandle_t handle,
                                 cublasFillMode_t uplo, int N,
                                 void *array_d_A[], int IA, int JA,
                                 cudaLibMgMatrixDesc_t descrA,
                                 cudaDataType computeType, void *array_d_work[],
                                 int64_t lwork, int *h_info)
{
    (void)array_d_work, (void)lwork;
    struct part a;
    BEGIN(check_part(array_d_A, descrA, IA, JA, N, N, computeType, &a) &&
              h_info,
          NULL);
    status = cusolverDnXpotrf(handle->dense, NULL, uplo, N, a.m->type, a.all,
                              ld_of(&a), computeType, NULL, 0, NULL, 0, h_info);
    return end_call(&a, NULL, status);
}

cusolverStatus_t
cusolverMgPotrs_bufferSize(cusolverMgHandle_t handle, cublasFillMode_t uplo,
                           int n, int nrhs, void *array_d_A[], int IA, int JA,
                           cudaLibMgMatrixDesc_t descrA, void *array_d_B[],
                           int IB, int JB, cudaLibMgMatrixDesc_t descrB,
                           cudaDataType computeType, int64_t *lwork)
{
    struct part a, b;
    return answer_size(
        handle,
        check_fill(uplo) &&
            check_part(array_d_A, descrA, IA, JA, n, n, computeType, &a) &&
            check_part(array_d_B, descrB, IB, JB, n, nrhs, computeType, &b),
        lwork);
}

cusolverStatus_t
cusolverMgPotrs(cusolverMgHandle_t handle, cublasFillMode_t uplo, int n,
                int nrhs, void *array_d_A[], int IA, int JA,
                cudaLibMgMatrixDesc_t descrA, void *array_d_B[], int IB, int JB,
                cudaLibMgMatrixDesc_t descrB, cudaDataType computeType,
                void *array_d_work[], int64_t lwork, int *h_info)
{
    (void)array_d_work, (void)lwork;
    struct part a, b;
    BEGIN(check_part(array_d_A, descrA, IA, JA, n, n, computeType, &a) &&
              check_part(array_d_B, descrB, IB, JB, n, nrhs, computeType, &b) &&
              h_info,
          &b);
    status =
        cusolverDnXpotrs(handle->dense, NULL, uplo, n, nrhs, a.m->type, a.all,
                         ld_of(&a), b.m->type, b.all, ld_of(&b), h_info);
    return end_call(&a, &b, status);
}

cusolverStatus_t cusolverMgPotri_bufferSize(cusolverMgHandle_t handle,
                                            cublasFillMode_t uplo, int N,
                                            void *array_d_A[], int IA, int JA,
                                            cudaLibMgMatrixDesc_t descrA,
                                            cudaDataType computeType,
                                            int64_t *lwork)
{
    return cusolverMgPotrf_bufferSize(handle, uplo, N, array_d_A, IA, JA,
                                      descrA, computeType, lwork);
}

static cusolverStatus_t invert_part(cusolverDnHandle_t dense,
                                    cublasFillMode_t uplo, struct part *a,
                                    int *info)
{
    int n = (int)a->rows, ld = (int)ld_of(a);
    switch ((int)a->m->type) {
    case CUDA_R_32F:
        return cusolverDnSpotri(dense, uplo, n, (void *)a->all, ld, NULL, 0,
                                info);
    case CUDA_R_64F:
        return cusolverDnDpotri(dense, uplo, n, (void *)a->all, ld, NULL, 0,
                                info);
    case CUDA_C_32F:
        return cusolverDnCpotri(dense, uplo, n, (void *)a->all, ld, NULL, 0,
                                info);
    default:
        return cusolverDnZpotri(dense, uplo, n, (void *)a->all, ld, NULL, 0,
                                info);
    }
}

cusolverStatus_t cusolverMgPotri(cusolverMgHandle_t handle,
                                 cublasFillMode_t uplo, int N,
                                 void *array_d_A[], int IA, int JA,
                                 cudaLibMgMatrixDesc_t descrA,
                                 cudaDataType computeType, void *array_d_work[],
                                 int64_t lwork, int *h_info)
{
    (void)array_d_work, (void)lwork;
    struct part a;
    BEGIN(check_part(array_d_A, descrA, IA, JA, N, N, computeType, &a) &&
              h_info,
          NULL);
    return end_call(&a, NULL, invert_part(handle->dense, uplo, &a, h_info));
}
