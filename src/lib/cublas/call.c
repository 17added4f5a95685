/* SPDX-License-Identifier: Apache-2.0 */
/* What all doors share: checks in cuBLAS's order, scalars, the log. */
#include "internal.h"

static cublasStatus_t check_call(cublasHandle_t handle, bool is_valid)
{
    cublasStatus_t status = cublas_check_handle(handle);
    if (!status && !is_valid)
        status = CUBLAS_STATUS_INVALID_VALUE;
    return status;
}

static cudaDataType_t scalar_type(enum blas_type type, bool is_real)
{
    if (is_real && type == BLAS_C)
        return CUDA_R_32F;
    if (is_real && type == BLAS_Z)
        return CUDA_R_64F;
    return blas_element(type);
}

cublasStatus_t cublas_do(const char *name, cublasHandle_t handle, bool is_valid,
                         bool is_nothing, cublas_routine *run, struct job *j)
{
    cublasStatus_t status = check_call(handle, is_valid);
    if (status || is_nothing)
        return cublas_end(name, status);
    if (j->batch == 0)
        j->batch = 1; /* the routine has no batches */
    if (j->alpha_at)
        j->alpha = cublas_scalar(
            handle, scalar_type(j->type, j->has_real_alpha), j->alpha_at);
    if (j->beta_at)
        j->beta = cublas_scalar(handle, scalar_type(j->type, j->has_real_beta),
                                j->beta_at);
    return cublas_end(name, run(handle, j));
}

cublasStatus_t cublas_do_product(const char *name, cublasHandle_t handle,
                                 bool is_valid, struct product *p,
                                 cudaDataType_t scale, const void *alpha,
                                 const void *beta)
{
    cublasStatus_t status = check_call(handle, is_valid && alpha && beta);
    if (status || p->m == 0 || p->n == 0 || p->batch == 0)
        return cublas_end(name, status);
    p->alpha = cublas_scalar(handle, scale, alpha);
    p->beta = cublas_scalar(handle, scale, beta);
    p->d = p->c;
    bool reads = p->k > 0 && !cublas_is_value(&p->alpha, 0);
    if (!p->c.at || (reads && (!p->a.at || !p->b.at)))
        return cublas_end(name, CUBLAS_STATUS_INVALID_VALUE);
    return cublas_end(name,
                      cublas_status(product_run(p, sizeof *p, handle->stream)));
}

cublasStatus_t cublas_do_level1(const char *name, cublasHandle_t handle,
                                bool is_valid, struct level1 *v)
{
    cublasStatus_t status = check_call(handle, is_valid);
    if (status)
        return cublas_end(name, status);
    if (v->alpha_at)
        v->alpha = cublas_scalar(handle, v->alpha.type, v->alpha_at);
    if (v->beta_at)
        v->beta = cublas_scalar(handle, v->beta.type, v->beta_at);
    if (v->param_at && handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        v->param_device = v->param_at;
    else if (v->param_at)
        element_to_double(element_of(v->alpha.type).part, v->param_at, v->param,
                          5);
    return cublas_end(name, cublas_level1(handle, v));
}
