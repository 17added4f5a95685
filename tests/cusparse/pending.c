/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that free what kernels of a stream have still to read wait for them:
 * a descriptor's values, and the counts of a product. */
#include "check.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <unistd.h>

enum { N = 4 };

/* A stream stands still until `released` is set by another thread, some time
 * after the call that is to wait began. */
static cudaStream_t held, other;
static sem_t may_go_on;
static atomic_bool is_released;
static pthread_t releaser;

static void wait_for_release(void *unused)
{
    (void)unused;
    sem_wait(&may_go_on);
}

static void *release_later(void *unused)
{
    usleep(50000);
    is_released = true;
    sem_post(&may_go_on);
    return unused;
}

static void hold_stream(void)
{
    is_released = false;
    CHECK(cudaLaunchHostFunc(held, wait_for_release, NULL) == cudaSuccess);
}

static void begin_release(void)
{
    CHECK(pthread_create(&releaser, NULL, release_later, NULL) == 0);
}

static void check_released(void)
{
    CHECK(is_released);
    pthread_join(releaser, NULL);
    CHECK(cudaStreamSynchronize(held) == cudaSuccess);
}

/* 2 on the diagonal. */
static double *values;
static int *offsets, *columns;

static cusparseSpMatDescr_t diagonal(double *val, int *ptr, int *ind, int nnz)
{
    cusparseSpMatDescr_t m = NULL;
    OK(cusparseCreateCsr(&m, N, N, nnz, ptr, ind, val, CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                         CUDA_R_64F));
    return m;
}

/* The descriptor of a system ends while a solution with its new values waits. */
static void end_solver(void)
{
    const cusparseOperation_t op = CUSPARSE_OPERATION_NON_TRANSPOSE;
    const double one = 1;
    double *x = managed(N * sizeof *x), *y = managed(N * sizeof *y);
    double *fours = managed(N * sizeof *fours);
    cusparseSpMatDescr_t m = diagonal(values, offsets, columns, N);
    cusparseDnVecDescr_t vx, vy;
    cusparseSpSVDescr_t d;
    for (int i = 0; i < N; i++)
        x[i] = 8, fours[i] = 4;
    OK(cusparseSetStream(handle, held));
    OK(cusparseCreateDnVec(&vx, N, x, CUDA_R_64F));
    OK(cusparseCreateDnVec(&vy, N, y, CUDA_R_64F));
    OK(cusparseSpSV_createDescr(&d));
    OK(cusparseSpSV_analysis(handle, op, &one, m, vx, vy, CUDA_R_64F, 0, d,
                             x));
    hold_stream();
    OK(cusparseSpSV_updateMatrix(handle, d, fours, 0));
    OK(cusparseSpSV_solve(handle, op, &one, m, vx, vy, CUDA_R_64F, 0, d));
    begin_release();
    OK(cusparseSpSV_destroyDescr(d));
    check_released();
    for (int i = 0; i < N; i++)
        CHECK(y[i] == 2);
    cusparseDestroyDnVec(vx), cusparseDestroyDnVec(vy), cusparseDestroySpMat(m);
    cudaFree(x), cudaFree(y), cudaFree(fours);
}

/* A product is computed anew in one stream while its structure is still to be
 * written in another. */
static void renew_product(void)
{
    const cusparseOperation_t op = CUSPARSE_OPERATION_NON_TRANSPOSE;
    const double one = 1, zero = 0;
    double *val = managed(N * sizeof *val);
    int *ptr = managed((N + 1) * sizeof *ptr), *ind = managed(N * sizeof *ind);
    cusparseSpMatDescr_t a = diagonal(values, offsets, columns, N);
    cusparseSpMatDescr_t c = diagonal(NULL, ptr, NULL, 0);
    cusparseSpGEMMDescr_t d;
    size_t bytes = 8;
    OK(cusparseSetStream(handle, held));
    OK(cusparseSpGEMM_createDescr(&d));
    OK(cusparseSpGEMM_workEstimation(handle, op, op, &one, a, a, &zero, c,
                                     CUDA_R_64F, 0, d, &bytes, val));
    OK(cusparseSpGEMM_compute(handle, op, op, &one, a, a, &zero, c, CUDA_R_64F,
                              0, d, &bytes, val));
    OK(cusparseCsrSetPointers(c, ptr, ind, val));
    hold_stream();
    OK(cusparseSpGEMM_copy(handle, op, op, &one, a, a, &zero, c, CUDA_R_64F, 0,
                           d));
    OK(cusparseSetStream(handle, other));
    begin_release();
    OK(cusparseSpGEMM_compute(handle, op, op, &one, a, a, &zero, c, CUDA_R_64F,
                              0, d, &bytes, val));
    check_released();
    for (int i = 0; i < N; i++)
        CHECK(ptr[i] == i && ind[i] == i && val[i] == 4);
    CHECK(ptr[N] == N);
    OK(cusparseSpGEMM_destroyDescr(d));
    cusparseDestroySpMat(a), cusparseDestroySpMat(c);
    cudaFree(val), cudaFree(ptr), cudaFree(ind);
}

int main(void)
{
    values = managed(N * sizeof *values);
    offsets = managed((N + 1) * sizeof *offsets);
    columns = managed(N * sizeof *columns);
    for (int i = 0; i < N; i++)
        values[i] = 2, offsets[i + 1] = i + 1, columns[i] = i;
    sem_init(&may_go_on, 0, 0);
    cudaStreamCreateWithFlags(&held, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    OK(cusparseCreate(&handle));
    snprintf(about, sizeof about, "solver");
    end_solver();
    snprintf(about, sizeof about, "product");
    renew_product();
    OK(cusparseDestroy(handle));
    return failures != 0;
}
