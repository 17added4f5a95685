/* SPDX-License-Identifier: Apache-2.0 */
/* Puts jobs into streams, and has the checks that doors share. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

unsigned real_bytes(enum blas_type type)
{
    return type == BLAS_S || type == BLAS_C ? 4 : 8;
}

unsigned element_bytes(enum blas_type type)
{
    return real_bytes(type) << blas_is_complex(type);
}

void *scratch(uint64_t count, uint64_t bytes)
{
    void *p = malloc(count * bytes + 64);
    if (!p)
        __builtin_trap();
    return p;
}

void copy_matrix(enum blas_type type, void *to, int64_t ld_to, const void *from,
                 int64_t ld_from, int rows, int columns)
{
    unsigned bytes = element_bytes(type);
    for (int64_t c = 0; c < columns; c++)
        memcpy((char *)to + c * ld_to * bytes,
               (const char *)from + c * ld_from * bytes, (size_t)rows * bytes);
}

/* ---- one tile --------------------------------------------------------- */

/* The count that LAPACK answers when it is asked for the size of a workspace.
 * It is a float in single precision, perhaps rounded down. */
static int count_of(enum blas_type type, const void *at)
{
    double n = real_bytes(type) == 4 ? *(const float *)at : *(const double *)at;
    return (int)(n * 1.000001) + 1;
}

/* Asks the routine for the sizes of its workspaces, then runs it with them. */
static void run_with_work(const struct job *j, int *info)
{
    double element[2] = {0}, real = 0;
    int integer = 0;
    struct work w = {&element, &real, &integer, -1, -1, -1};
    j->run(j, &w, info);
    w.count = count_of(j->type, element);
    w.reals = count_of(j->type, &real);
    w.int_count = integer + 1;
    w.at = scratch(w.count, element_bytes(j->type));
    w.real = scratch(w.reals, real_bytes(j->type));
    w.ints = scratch(w.int_count, sizeof(int));
    j->run(j, &w, info);
    free(w.ints);
    free(w.real);
    free(w.at);
}

/* NULL stays NULL. */
static void *advance_pointer(void *at, int64_t elements, unsigned bytes)
{
    return at ? (char *)at + elements * bytes : NULL;
}

static struct job job_of_tile(const struct job *all, int64_t i)
{
    struct job j = *all;
    unsigned element = element_bytes(j.type);
    j.a = all->a_array ? all->a_array[i]
                       : advance_pointer(j.a, i * j.stride_a, element);
    if (all->b_array)
        j.b = all->b_array[i];
    j.s = advance_pointer(j.s, i * j.stride_s, real_bytes(j.type));
    j.u = advance_pointer(j.u, i * j.stride_u, element);
    j.v = advance_pointer(j.v, i * j.stride_v, element);
    if (j.norms)
        j.norms += i;
    return j;
}

static void run_tiles(const void *args, uint64_t first, uint64_t end)
{
    const struct job *all = args;
    for (uint64_t i = first; i < end; i++) {
        struct job j = job_of_tile(all, i);
        int info = 0;
        if (j.asks)
            run_with_work(&j, &info);
        else
            j.run(&j, NULL, &info);
        if (all->info && (i == 0 || !all->has_one_info))
            all->info[i] = info;
    }
}

static const struct native_kernel kernel = {"cusolver_dense", run_tiles,
                                            sizeof(struct job), 1 << 20};

/* ---- doors ------------------------------------------------------------ */

cusolverStatus_t solver_status(CUresult err)
{
    switch (err) {
    case CUDA_SUCCESS:
        return CUSOLVER_STATUS_SUCCESS;
    case CUDA_ERROR_OUT_OF_MEMORY:
        return CUSOLVER_STATUS_ALLOC_FAILED;
    case CUDA_ERROR_NOT_INITIALIZED:
    case CUDA_ERROR_NO_DEVICE:
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    default:
        return CUSOLVER_STATUS_EXECUTION_FAILED;
    }
}

static void run_wrong(const struct job *j, struct work *w, int *info)
{
    (void)w;
    *info = -j->wrong;
}

/* Writes to devInfo, in the stream, which argument is wrong. */
static void report_wrong(CUstream stream, const struct job *j)
{
    struct job report = {.run = run_wrong, .wrong = j->wrong, .info = j->info};
    if (j->wrong && j->info)
        lib_run(&kernel, stream, 1, &report);
}

cusolverStatus_t solver_do(cusolverDnHandle_t handle, bool is_valid,
                           int64_t batch, const struct job *j)
{
    cusolverStatus_t status = solver_check_handle(handle);
    if (status)
        return status;
    if (!is_valid)
        report_wrong(handle->stream, j);
    if (!is_valid || batch < 0 || batch > INT32_MAX)
        return CUSOLVER_STATUS_INVALID_VALUE;
    if (batch == 0)
        return CUSOLVER_STATUS_SUCCESS;
    CUresult err;
    if (batch > 1 || j->a_array || !j->split ||
        !j->split(handle->stream, j, &err))
        err = lib_run(&kernel, handle->stream, batch, j);
    return solver_status(err);
}

cusolverStatus_t solver_do_answer(cusolverDnHandle_t handle, bool is_valid,
                                  bool has_answer, int64_t batch,
                                  const struct job *j)
{
    cusolverStatus_t status = solver_check_handle(handle);
    if (!status && is_valid && has_answer && lib_is_capturing(handle->stream))
        return CUSOLVER_STATUS_NOT_SUPPORTED;
    status = solver_do(handle, is_valid, batch, j);
    if (!status && has_answer)
        status = solver_status(lib_synchronize(handle->stream));
    return status;
}

cusolverStatus_t solver_size(cusolverDnHandle_t handle, bool is_valid,
                             int *lwork)
{
    cusolverStatus_t status = solver_check_handle(handle);
    if (status)
        return status;
    if (!is_valid || !lwork)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *lwork = WORK_ELEMENTS;
    return CUSOLVER_STATUS_SUCCESS;
}

/* ---- checks ----------------------------------------------------------- */

bool check_fill(cublasFillMode_t uplo)
{
    return uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER;
}

bool check_jobz(cusolverEigMode_t jobz)
{
    return jobz == CUSOLVER_EIG_MODE_NOVECTOR ||
           jobz == CUSOLVER_EIG_MODE_VECTOR;
}

bool check_ld(int64_t ld, int64_t rows)
{
    return rows >= 0 && ld >= rows && ld >= 1;
}

bool check_unitary_op(enum blas_type type, cublasOperation_t op)
{
    return op == CUBLAS_OP_N ||
           op == (blas_is_complex(type) ? CUBLAS_OP_C : CUBLAS_OP_T);
}

bool check_svd_job(signed char job)
{
    return job == 'A' || job == 'S' || job == 'O' || job == 'N';
}

bool check_at(const void *at, int64_t m, int64_t n)
{
    return at || m == 0 || n == 0;
}
