/* SPDX-License-Identifier: Apache-2.0 */
/* The expert interface of the solvers with iterative refinement. Parameters are
 * checked and kept. Factors are made in the main precision, so that no step of
 * refinement is needed and there are 0 iterations. */
#include <math.h>
#include <stdlib.h>

#include "internal.h"

enum { IRS_PARAMS = 0x69727370, IRS_INFOS = 0x69727369 };

struct cusolverDnIRSParams {
    uint32_t magic;
    cusolverIRSRefinement_t solver;
    cusolverPrecType_t main, lowest;
    double tol, tol_inner;
    int max_iters, max_inner;
    bool falls_back;
};

/* history: max_iters + 1 rows in two columns of the type's reals, the
 * iterations so far and the residual's norm; NULL: there is none. */
struct cusolverDnIRSInfos {
    uint32_t magic;
    int iterations, max_iters;
    bool wants_history;
    void *history;
};

static bool is_params(cusolverDnIRSParams_t p)
{
    return p && p->magic == IRS_PARAMS;
}

static bool is_infos(cusolverDnIRSInfos_t i)
{
    return i && i->magic == IRS_INFOS;
}

cusolverStatus_t cusolverDnIRSParamsCreate(cusolverDnIRSParams_t *params_ptr)
{
    if (!params_ptr)
        return CUSOLVER_STATUS_INVALID_VALUE;
    struct cusolverDnIRSParams *p = calloc(1, sizeof *p);
    if (!p)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    *p = (struct cusolverDnIRSParams){
        .magic = IRS_PARAMS,
        .solver = CUSOLVER_IRS_REFINE_NOT_SET,
        .max_iters = 50,
        .max_inner = 50,
        .falls_back = true,
    };
    *params_ptr = p;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnIRSParamsDestroy(cusolverDnIRSParams_t params)
{
    if (!is_params(params))
        return CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
    params->magic = 0;
    free(params);
    return CUSOLVER_STATUS_SUCCESS;
}

static bool is_precision(cusolverPrecType_t t)
{
    return (t >= CUSOLVER_R_64F && t <= CUSOLVER_R_TF32) ||
           (t >= CUSOLVER_C_64F && t <= CUSOLVER_C_TF32);
}

/* As in NVIDIA's library, most are checked where they are used. */
#define SETTER(name, field, type, is_valid)                                    \
    cusolverStatus_t cusolverDnIRSParams##name(cusolverDnIRSParams_t params,   \
                                               type value)                     \
    {                                                                          \
        if (!is_params(params))                                                \
            return CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;                 \
        if (!(is_valid))                                                       \
            return CUSOLVER_STATUS_IRS_PARAMS_INVALID;                         \
        params->field = value;                                                 \
        return CUSOLVER_STATUS_SUCCESS;                                        \
    }
SETTER(SetRefinementSolver, solver, cusolverIRSRefinement_t, true)
SETTER(SetSolverMainPrecision, main, cusolverPrecType_t, true)
SETTER(SetSolverLowestPrecision, lowest, cusolverPrecType_t, true)
SETTER(SetTol, tol, double, value > 0)
SETTER(SetTolInner, tol_inner, double, value > 0)
SETTER(SetMaxIters, max_iters, cusolver_int_t, true)
SETTER(SetMaxItersInner, max_inner, cusolver_int_t, true)

cusolverStatus_t cusolverDnIRSParamsSetSolverPrecisions(
    cusolverDnIRSParams_t params, cusolverPrecType_t solver_main_precision,
    cusolverPrecType_t solver_lowest_precision)
{
    cusolverStatus_t status = cusolverDnIRSParamsSetSolverMainPrecision(
        params, solver_main_precision);
    return status ? status
                  : cusolverDnIRSParamsSetSolverLowestPrecision(
                        params, solver_lowest_precision);
}

cusolverStatus_t cusolverDnIRSParamsGetMaxIters(cusolverDnIRSParams_t params,
                                                cusolver_int_t *maxiters)
{
    if (!is_params(params))
        return CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
    if (!maxiters)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *maxiters = params->max_iters;
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t set_fallback(cusolverDnIRSParams_t params, bool on)
{
    if (!is_params(params))
        return CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
    params->falls_back = on;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnIRSParamsEnableFallback(cusolverDnIRSParams_t params)
{
    return set_fallback(params, true);
}

cusolverStatus_t
cusolverDnIRSParamsDisableFallback(cusolverDnIRSParams_t params)
{
    return set_fallback(params, false);
}

/* ---- infos: what is answered about a solution ------------------------- */

cusolverStatus_t cusolverDnIRSInfosCreate(cusolverDnIRSInfos_t *infos_ptr)
{
    if (!infos_ptr)
        return CUSOLVER_STATUS_INVALID_VALUE;
    struct cusolverDnIRSInfos *i = calloc(1, sizeof *i);
    if (!i)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    i->magic = IRS_INFOS;
    *infos_ptr = i;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnIRSInfosDestroy(cusolverDnIRSInfos_t infos)
{
    if (!is_infos(infos))
        return CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
    infos->magic = 0;
    free(infos->history);
    free(infos);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnIRSInfosRequestResidual(cusolverDnIRSInfos_t infos)
{
    if (!is_infos(infos))
        return CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
    infos->wants_history = true;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t
cusolverDnIRSInfosGetResidualHistory(cusolverDnIRSInfos_t infos,
                                     void **residual_history)
{
    if (!is_infos(infos))
        return CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
    if (!infos->history || !residual_history)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *residual_history = infos->history;
    return CUSOLVER_STATUS_SUCCESS;
}

#define GETTER(name, field)                                                    \
    cusolverStatus_t cusolverDnIRSInfos##name(cusolverDnIRSInfos_t infos,      \
                                              cusolver_int_t *value)           \
    {                                                                          \
        if (!is_infos(infos))                                                  \
            return CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;                  \
        if (!value)                                                            \
            return CUSOLVER_STATUS_INVALID_VALUE;                              \
        *value = infos->field;                                                 \
        return CUSOLVER_STATUS_SUCCESS;                                        \
    }
GETTER(GetNiters, iterations)
GETTER(GetOuterNiters, iterations)
GETTER(GetMaxIters, max_iters)

/* ---- solutions -------------------------------------------------------- */

static bool find_main(cusolverPrecType_t main, enum blas_type *type)
{
    switch ((int)main) {
    case CUSOLVER_R_32F:
        *type = BLAS_S;
        return true;
    case CUSOLVER_R_64F:
        *type = BLAS_D;
        return true;
    case CUSOLVER_C_32F:
        *type = BLAS_C;
        return true;
    case CUSOLVER_C_64F:
        *type = BLAS_Z;
        return true;
    }
    return false;
}

static cusolverStatus_t check_params(cusolverDnHandle_t handle,
                                     cusolverDnIRSParams_t params,
                                     enum blas_type *type)
{
    cusolverStatus_t status = solver_check_handle(handle);
    if (status)
        return status;
    if (!is_params(params))
        return CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
    if (!find_main(params->main, type) || !is_precision(params->lowest))
        return CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC;
    if (params->solver < CUSOLVER_IRS_REFINE_NONE ||
        params->solver > CUSOLVER_IRS_REFINE_GMRES_NOPCOND)
        return CUSOLVER_STATUS_IRS_PARAMS_INVALID_REFINE;
    if (params->max_iters < 0 || params->max_inner < 0)
        return CUSOLVER_STATUS_IRS_PARAMS_INVALID_MAXITER;
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t answer_size(cusolverDnHandle_t handle,
                                    cusolverDnIRSParams_t params, bool is_valid,
                                    size_t *bytes)
{
    enum blas_type type;
    int elements;
    cusolverStatus_t status = check_params(handle, params, &type);
    if (!status && !is_valid)
        status = CUSOLVER_STATUS_IRS_PARAMS_INVALID;
    if (!status)
        status = solver_size(handle, bytes, &elements);
    if (!status)
        *bytes = (size_t)elements * sizeof(cuDoubleComplex);
    return status;
}

cusolverStatus_t cusolverDnIRSXgesv_bufferSize(cusolverDnHandle_t handle,
                                               cusolverDnIRSParams_t params,
                                               cusolver_int_t n,
                                               cusolver_int_t nrhs,
                                               size_t *lwork_bytes)
{
    return answer_size(handle, params, n >= 0 && nrhs >= 0, lwork_bytes);
}

cusolverStatus_t cusolverDnIRSXgels_bufferSize(
    cusolverDnHandle_t handle, cusolverDnIRSParams_t params, cusolver_int_t m,
    cusolver_int_t n, cusolver_int_t nrhs, size_t *lwork_bytes)
{
    return answer_size(handle, params, m >= 0 && n >= 0 && nrhs >= 0,
                       lwork_bytes);
}

/* Its first row, since there are no iterations. */
static void write_history(void *history, enum blas_type type, size_t rows,
                          double norm)
{
    if (real_bytes(type) == 4)
        ((float *)history)[rows] = (float)norm;
    else
        ((double *)history)[rows] = norm;
}

/* A call that keeps the residual's norm waits for it. */
static cusolverStatus_t solve_with_history(cusolverDnHandle_t handle,
                                           cusolverDnIRSInfos_t infos,
                                           size_t rows, bool is_valid,
                                           struct job *j)
{
    double norm = NAN;
    void *history = calloc(rows, 2 * real_bytes(j->type));
    if (!history)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    j->norms = &norm;
    cusolverStatus_t status = solver_do_answer(handle, is_valid, true, 1, j);
    if (status) {
        free(history);
        return status;
    }
    write_history(history, j->type, rows, norm);
    free(infos->history);
    infos->history = history;
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t launch_solver(cusolverDnHandle_t handle,
                                      cusolverDnIRSParams_t params,
                                      cusolverDnIRSInfos_t infos, int *niters,
                                      struct job *j)
{
    cusolverStatus_t status = check_params(handle, params, &j->type);
    if (status)
        return status;
    if (!is_infos(infos))
        return CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
    bool is_valid = j->n >= 0 && j->m >= j->n && j->nrhs >= 0 &&
                    check_ld(j->lda, j->m) && check_ld(j->ldb, j->m) &&
                    check_ld(j->ldu, j->n) && check_at(j->a, j->m, j->n) &&
                    check_at(j->b, j->m, j->nrhs) &&
                    check_at(j->x, j->n, j->nrhs) && niters && j->info;
    status =
        infos->wants_history
            ? solve_with_history(handle, infos, (size_t)params->max_iters + 1,
                                 is_valid, j)
            : solver_do(handle, is_valid, 1, j);
    if (status)
        return status;
    infos->iterations = *niters = 0;
    infos->max_iters = params->max_iters;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnIRSXgesv(
    cusolverDnHandle_t handle, cusolverDnIRSParams_t gesv_irs_params,
    cusolverDnIRSInfos_t gesv_irs_infos, cusolver_int_t n, cusolver_int_t nrhs,
    void *dA, cusolver_int_t ldda, void *dB, cusolver_int_t lddb, void *dX,
    cusolver_int_t lddx, void *dWorkspace, size_t lwork_bytes,
    cusolver_int_t *niters, cusolver_int_t *d_info)
{
    (void)dWorkspace, (void)lwork_bytes;
    struct job j = {.run = run_gesv_own,
                    .m = n,
                    .n = n,
                    .nrhs = nrhs,
                    .a = dA,
                    .lda = ldda,
                    .b = dB,
                    .ldb = lddb,
                    .x = dX,
                    .ldu = lddx,
                    .info = d_info};
    return launch_solver(handle, gesv_irs_params, gesv_irs_infos, niters, &j);
}

cusolverStatus_t cusolverDnIRSXgels(
    cusolverDnHandle_t handle, cusolverDnIRSParams_t gels_irs_params,
    cusolverDnIRSInfos_t gels_irs_infos, cusolver_int_t m, cusolver_int_t n,
    cusolver_int_t nrhs, void *dA, cusolver_int_t ldda, void *dB,
    cusolver_int_t lddb, void *dX, cusolver_int_t lddx, void *dWorkspace,
    size_t lwork_bytes, cusolver_int_t *niters, cusolver_int_t *d_info)
{
    (void)dWorkspace, (void)lwork_bytes;
    struct job j = {.run = run_gels,
                    .asks = true,
                    .m = m,
                    .n = n,
                    .nrhs = nrhs,
                    .a = dA,
                    .lda = ldda,
                    .b = dB,
                    .ldb = lddb,
                    .x = dX,
                    .ldu = lddx,
                    .info = d_info};
    return launch_solver(handle, gels_irs_params, gels_irs_infos, niters, &j);
}
