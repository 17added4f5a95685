/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that free what kernels of any stream have still to use wait for them: a
 * descriptor's values, the counts of a product, a factor's pivot. New values
 * come behind the solutions with the old ones. */
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

/* A system: 2 y = x of 8, so y is 4; with the diagonal `fours`, 2. */
struct system {
    double *x, *y, *z, *fours;
    cusparseSpMatDescr_t m;
    cusparseDnVecDescr_t vx, vy, vz;
    cusparseSpSVDescr_t d;
};
static const cusparseOperation_t op = CUSPARSE_OPERATION_NON_TRANSPOSE;
static const double one = 1;

static struct system new_system(void)
{
    struct system s = {.m = diagonal(values, offsets, columns, N)};
    s.x = managed(N * sizeof *s.x), s.y = managed(N * sizeof *s.y);
    s.z = managed(N * sizeof *s.z), s.fours = managed(N * sizeof *s.fours);
    for (int i = 0; i < N; i++)
        s.x[i] = 8, s.fours[i] = 4;
    OK(cusparseSetStream(handle, held));
    OK(cusparseCreateDnVec(&s.vx, N, s.x, CUDA_R_64F));
    OK(cusparseCreateDnVec(&s.vy, N, s.y, CUDA_R_64F));
    OK(cusparseCreateDnVec(&s.vz, N, s.z, CUDA_R_64F));
    OK(cusparseSpSV_createDescr(&s.d));
    OK(cusparseSpSV_analysis(handle, op, &one, s.m, s.vx, s.vy, CUDA_R_64F, 0,
                             s.d, s.x));
    return s;
}

static void end_system(struct system *s)
{
    cusparseDestroyDnVec(s->vx), cusparseDestroyDnVec(s->vy);
    cusparseDestroyDnVec(s->vz), cusparseDestroySpMat(s->m);
    cudaFree(s->x), cudaFree(s->y), cudaFree(s->z), cudaFree(s->fours);
}

static void solve(struct system *s, cusparseDnVecDescr_t to)
{
    OK(cusparseSpSV_solve(handle, op, &one, s->m, s->vx, to, CUDA_R_64F, 0,
                          s->d));
}

/* The descriptor ends while a solution with its new values waits. If it `moves`
 * it was used in another stream since. */
static void end_solver(bool moves)
{
    struct system s = new_system();
    hold_stream();
    OK(cusparseSpSV_updateMatrix(handle, s.d, s.fours, 0));
    solve(&s, s.vy);
    if (moves) {
        OK(cusparseSetStream(handle, other));
        solve(&s, s.vz);
    }
    begin_release();
    OK(cusparseSpSV_destroyDescr(s.d));
    check_released();
    for (int i = 0; i < N; i++)
        CHECK(s.y[i] == 2);
    end_system(&s);
}

/* New values in one stream do not change a solution in another. */
static void change_values(void)
{
    struct system s = new_system();
    OK(cusparseSpSV_updateMatrix(handle, s.d, values, 0));
    hold_stream();
    solve(&s, s.vy);
    OK(cusparseSetStream(handle, other));
    OK(cusparseSpSV_updateMatrix(handle, s.d, s.fours, 0));
    solve(&s, s.vz);
    begin_release();
    CHECK(cudaStreamSynchronize(other) == cudaSuccess);
    check_released();
    for (int i = 0; i < N; i++)
        CHECK(s.y[i] == 4 && s.z[i] == 2);
    OK(cusparseSpSV_destroyDescr(s.d));
    end_system(&s);
}

/* A factor's pivot is asked for in another stream, and its info ends, while the
 * factor waits. */
static void end_factor(bool asks)
{
    double *val = managed(N * sizeof *val);
    cusparseMatDescr_t descr;
    csrilu02Info_t info;
    int pivot = -1;
    for (int i = 0; i < N; i++)
        val[i] = i != 2;
    OK(cusparseSetStream(handle, held));
    OK(cusparseCreateMatDescr(&descr));
    OK(cusparseCreateCsrilu02Info(&info));
    OK(cusparseDcsrilu02_analysis(handle, N, N, descr, val, offsets, columns,
                                  info, 0, val));
    hold_stream();
    OK(cusparseDcsrilu02(handle, N, N, descr, val, offsets, columns, info, 0,
                         val));
    OK(cusparseSetStream(handle, other));
    begin_release();
    if (asks)
        CHECK(cusparseXcsrilu02_zeroPivot(handle, info, &pivot) ==
                  CUSPARSE_STATUS_ZERO_PIVOT &&
              pivot == 2);
    OK(cusparseDestroyCsrilu02Info(info));
    check_released();
    cusparseDestroyMatDescr(descr);
    cudaFree(val);
}

/* A product is computed anew in one stream while its structure is still to be
 * written in another. */
static void renew_product(void)
{
    const double zero = 0;
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
    end_solver(false);
    snprintf(about, sizeof about, "solver in two streams");
    end_solver(true);
    snprintf(about, sizeof about, "new values");
    change_values();
    snprintf(about, sizeof about, "factor");
    end_factor(false);
    end_factor(true);
    snprintf(about, sizeof about, "product");
    renew_product();
    OK(cusparseDestroy(handle));
    return failures != 0;
}
