/* SPDX-License-Identifier: Apache-2.0 */
/* Which types go together, and the calls whose types are arguments. */
#include "internal.h"

bool cublas_is_complex(cudaDataType_t type)
{
    return element_of(type).parts == 2;
}

bool cublas_vector_types(cudaDataType_t x, cudaDataType_t compute)
{
    enum component part = element_of(x).part;
    switch (compute) {
    case CUDA_R_32F:
    case CUDA_C_32F:
        return part == PART_F32 || part == PART_F16 || part == PART_BF16;
    case CUDA_R_64F:
    case CUDA_C_64F:
        return part == PART_F64;
    default:
        return false;
    }
}

cudaDataType_t cublas_real_compute(cudaDataType_t type)
{
    enum component part = element_of(type).part;
    return part == PART_F64 || part == PART_I32 ? CUDA_R_64F : CUDA_R_32F;
}

bool cublas_is_real_of(cudaDataType_t type, cudaDataType_t x)
{
    return element_of(type).part == element_of(x).part &&
           !cublas_is_complex(type);
}

bool cublas_scalar_type(cudaDataType_t type, cudaDataType_t compute)
{
    return element_of(type).part == element_of(compute).part;
}

bool cublas_is_type(cudaDataType_t type)
{
    return (unsigned)type <= CUDA_R_4F_E2M1;
}

bool cublas_is_algorithm(cublasGemmAlgo_t algo)
{
    return (algo >= CUBLAS_GEMM_DFALT && algo <= CUBLAS_GEMM_ALGO23) ||
           (algo >= CUBLAS_GEMM_DFALT_TENSOR_OP &&
            algo <= CUBLAS_GEMM_ALGO15_TENSOR_OP) ||
           algo == CUBLAS_GEMM_AUTOTUNE;
}

cublasStatus_t cublas_unsupported(cublasHandle_t handle, struct job *j)
{
    (void)handle, (void)j;
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

/* Why the types are refused. As NVIDIA's, some functions say INVALID_VALUE of a
 * number that is no type. */
static cublasStatus_t refusal_status(const struct level1 *v)
{
    cudaDataType_t types[] = {v->x.type, v->y.type, v->alpha.type,
                              v->result_type, v->compute};
    bool asks = v->what == LEVEL1_NRM2 || v->what == LEVEL1_DOT ||
                v->what == LEVEL1_AXPY || v->what == LEVEL1_SCAL;
    for (unsigned i = 0; asks && i < sizeof types / sizeof *types; i++) {
        if (!cublas_is_type(types[i]))
            return CUBLAS_STATUS_INVALID_VALUE;
    }
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t cublas_do_level1_ex(const char *name, cublasHandle_t handle,
                                   bool is_supported, bool is_valid,
                                   struct level1 *v)
{
    cublasStatus_t status = cublas_check_handle(handle);
    if (!status && !is_supported)
        return cublas_end(name, refusal_status(v));
    return cublas_do_level1(name, handle, is_valid, v);
}

/* Is it a type that some product of GemmEx has? */
static bool is_gemm_type(cudaDataType_t type)
{
    return ((unsigned)type <= CUDA_R_32I && type != CUDA_C_8U) ||
           type == CUDA_R_16BF;
}

/* An H200's status for types that go together in no product. NO_COMPUTE: of
 * the forms before GemmEx. */
static cublasStatus_t mismatch_status(cublasComputeType_t compute,
                                      const struct product *p)
{
    bool is_a_known = (unsigned)p->a.type <= CUDA_R_4F_E2M1;
    bool is_invalid =
        !is_gemm_type(p->c.type) || (is_a_known && !is_gemm_type(p->a.type));
    return is_invalid && compute != NO_COMPUTE ? CUBLAS_STATUS_INVALID_VALUE
                                               : CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t cublas_do_product_ex(const char *name, cublasHandle_t handle,
                                    cublasComputeType_t compute, bool is_valid,
                                    struct product *p, const void *alpha,
                                    const void *beta)
{
    struct product_types types = {0};
    cublasStatus_t status = cublas_check_handle(handle);
    if (!status &&
        !product_types_of(compute, p->a.type, p->b.type, p->c.type, &types))
        return cublas_end(name, mismatch_status(compute, p));
    p->type = types.type;
    p->is_integer = types.is_integer;
    return cublas_do_product(name, handle, is_valid, p, types.scale, alpha,
                             beta);
}
