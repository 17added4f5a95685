/* SPDX-License-Identifier: Apache-2.0 */
/* The functions whose types are arguments or stand in their names. doors.c
 * includes this once for each width of integers (so there is no guard), with
 * CUBLAS_I, INDEX and NAME as for doors_typed.h. */

#define MATRIX(p, type_, ld_)                                                  \
    {                                                                          \
        .at = (void *)(p), .ld = ld_, .type = type_                            \
    }
#define BATCH(p, type_, ld_, stride_)                                          \
    {                                                                          \
        .at = (void *)(p), .ld = ld_, .stride = stride_, .type = type_         \
    }
#define ARRAY(p, type_, ld_)                                                   \
    {                                                                          \
        .at = (void *)(p), .ld = ld_, .is_array = true, .type = type_          \
    }
#define VECTOR(p, type_, inc_)                                                 \
    {                                                                          \
        .at = (void *)(p), .inc = inc_, .type = type_                          \
    }
#define LEVEL1(supported, valid, compute_, ...)                                \
    cublas_do_level1_ex(                                                       \
        __func__, handle, supported, valid,                                    \
        &(struct level1){.n = n, .compute = compute_, __VA_ARGS__})

/* ---- level 1 ---------------------------------------------------------- */

cublasStatus_t NAME(cublasNrm2Ex,
                    V1)(cublasHandle_t handle, CUBLAS_I n, const void *x,
                        cudaDataType xType, CUBLAS_I incx, void *result,
                        cudaDataType resultType, cudaDataType executionType)
{
    return LEVEL1(cublas_vector_types(xType, executionType) &&
                      cublas_is_real_of(resultType, xType),
                  n <= 0 || x, executionType, .what = LEVEL1_NRM2,
                  .x = VECTOR(x, xType, incx), .result = result,
                  .result_type = resultType);
}

cublasStatus_t NAME(cublasAsumEx,
                    V1)(cublasHandle_t handle, CUBLAS_I n, const void *x,
                        cudaDataType xType, CUBLAS_I incx, void *result,
                        cudaDataType resultType, cudaDataType executiontype)
{
    return LEVEL1(cublas_vector_types(xType, executiontype) &&
                      (cublas_is_real_of(resultType, xType) ||
                       cublas_is_real_of(resultType, executiontype)),
                  n <= 0 || x, executiontype, .what = LEVEL1_ASUM,
                  .x = VECTOR(x, xType, incx), .result = result,
                  .result_type = resultType);
}

#define DOT(name, conjugate)                                                   \
    cublasStatus_t NAME(name, V1)(                                             \
        cublasHandle_t handle, CUBLAS_I n, const void *x, cudaDataType xType,  \
        CUBLAS_I incx, const void *y, cudaDataType yType, CUBLAS_I incy,       \
        void *result, cudaDataType resultType, cudaDataType executionType)     \
    {                                                                          \
        return LEVEL1(cublas_vector_types(xType, executionType) &&             \
                          yType == xType && resultType == xType,               \
                      n <= 0 || (x && y), executionType, .what = LEVEL1_DOT,   \
                      .is_conjugate = conjugate, .x = VECTOR(x, xType, incx),  \
                      .y = VECTOR(y, yType, incy), .result = result,           \
                      .result_type = resultType);                              \
    }
DOT(cublasDotEx, false)
DOT(cublasDotcEx, cublas_is_complex(xType))
#undef DOT

cublasStatus_t NAME(cublasScalEx, V1)(cublasHandle_t handle, CUBLAS_I n,
                                      const void *alpha, cudaDataType alphaType,
                                      void *x, cudaDataType xType,
                                      CUBLAS_I incx, cudaDataType executionType)
{
    return LEVEL1(cublas_vector_types(xType, executionType) &&
                      cublas_is_complex(alphaType) ==
                          cublas_is_complex(xType) &&
                      cublas_scalar_type(alphaType, executionType),
                  alpha && (n <= 0 || x), executionType, .what = LEVEL1_SCAL,
                  .x = VECTOR(x, xType, incx), .alpha_at = alpha,
                  .alpha.type = alphaType);
}

cublasStatus_t NAME(cublasAxpyEx, V1)(cublasHandle_t handle, CUBLAS_I n,
                                      const void *alpha, cudaDataType alphaType,
                                      const void *x, cudaDataType xType,
                                      CUBLAS_I incx, void *y,
                                      cudaDataType yType, CUBLAS_I incy,
                                      cudaDataType executiontype)
{
    return LEVEL1(
        cublas_vector_types(xType, executiontype) &&
            cublas_scalar_type(alphaType, executiontype) && yType == xType,
        alpha && (n <= 0 || (x && y)), executiontype, .what = LEVEL1_AXPY,
        .x = VECTOR(x, xType, incx), .y = VECTOR(y, yType, incy),
        .alpha_at = alpha, .alpha.type = alphaType);
}

cublasStatus_t NAME(cublasCopyEx, V1)(cublasHandle_t handle, CUBLAS_I n,
                                      const void *x, cudaDataType xType,
                                      CUBLAS_I incx, void *y,
                                      cudaDataType yType, CUBLAS_I incy)
{
    return LEVEL1(element_bytes(xType) && xType == yType, n <= 0 || (x && y),
                  CUDA_R_32F, .what = LEVEL1_COPY, .x = VECTOR(x, xType, incx),
                  .y = VECTOR(y, yType, incy));
}

cublasStatus_t NAME(cublasSwapEx, V1)(cublasHandle_t handle, CUBLAS_I n,
                                      void *x, cudaDataType xType,
                                      CUBLAS_I incx, void *y,
                                      cudaDataType yType, CUBLAS_I incy)
{
    return LEVEL1(element_bytes(xType) && xType == yType, n <= 0 || (x && y),
                  CUDA_R_32F, .what = LEVEL1_SWAP, .x = VECTOR(x, xType, incx),
                  .y = VECTOR(y, yType, incy));
}

#define EXTREME(name, what_)                                                   \
    cublasStatus_t NAME(name, V1)(cublasHandle_t handle, CUBLAS_I n,           \
                                  const void *x, cudaDataType xType,           \
                                  CUBLAS_I incx, CUBLAS_I *result)             \
    {                                                                          \
        return LEVEL1(cublas_vector_types(xType, cublas_real_compute(xType)),  \
                      n <= 0 || x, cublas_real_compute(xType), .what = what_,  \
                      .x = VECTOR(x, xType, incx), .result = result,           \
                      .result_type = INDEX);                                   \
    }
EXTREME(cublasIamaxEx, LEVEL1_AMAX)
EXTREME(cublasIaminEx, LEVEL1_AMIN)
#undef EXTREME

cublasStatus_t NAME(cublasRotEx, V1)(cublasHandle_t handle, CUBLAS_I n, void *x,
                                     cudaDataType xType, CUBLAS_I incx, void *y,
                                     cudaDataType yType, CUBLAS_I incy,
                                     const void *c, const void *s,
                                     cudaDataType csType,
                                     cudaDataType executiontype)
{
    /* csType is that of s; c is real. */
    cudaDataType_t c_type = csType == CUDA_C_32F   ? CUDA_R_32F
                            : csType == CUDA_C_64F ? CUDA_R_64F
                                                   : csType;
    return LEVEL1(cublas_vector_types(xType, executiontype) && yType == xType &&
                      cublas_is_real_of(c_type, xType),
                  c && s && (n <= 0 || (x && y)), executiontype,
                  .what = LEVEL1_ROT, .x = VECTOR(x, xType, incx),
                  .y = VECTOR(y, yType, incy), .alpha_at = c,
                  .alpha.type = c_type, .beta_at = s, .beta.type = csType);
}

cublasStatus_t NAME(cublasRotmEx,
                    V1)(cublasHandle_t handle, CUBLAS_I n, void *x,
                        cudaDataType xType, CUBLAS_I incx, void *y,
                        cudaDataType yType, CUBLAS_I incy, const void *param,
                        cudaDataType paramType, cudaDataType executiontype)
{
    return LEVEL1(cublas_vector_types(xType, executiontype) && yType == xType &&
                      !cublas_is_complex(xType) && paramType == xType,
                  param && (n <= 0 || (x && y)), executiontype,
                  .what = LEVEL1_ROTM, .x = VECTOR(x, xType, incx),
                  .y = VECTOR(y, yType, incy), .param_at = param,
                  .alpha.type = paramType);
}

/* ---- level 2, whose scalars are floats -------------------------------- */

#define GEMV_OK (check_ld(lda, m) && alpha && beta && batchCount >= 0)
#define GEMV(in, out, ...)                                                     \
    cublas_do(__func__, handle, GEMV_OK, m <= 0 || n <= 0 || batchCount == 0,  \
              cublas_gemv,                                                     \
              &(struct job){.type = BLAS_S,                                    \
                            .op = (enum product_op)trans,                      \
                            .m = m,                                            \
                            .n = n,                                            \
                            .batch = batchCount,                               \
                            .alpha_at = alpha,                                 \
                            .beta_at = beta,                                   \
                            __VA_ARGS__})
#define GEMV_MIXED(prefix, in_type, in, out_type, out)                         \
    cublasStatus_t NAME(prefix##gemvBatched, V1)(                              \
        cublasHandle_t handle, cublasOperation_t trans, CUBLAS_I m,            \
        CUBLAS_I n, const float *alpha, const in_type *const Aarray[],         \
        CUBLAS_I lda, const in_type *const xarray[], CUBLAS_I incx,            \
        const float *beta, out_type *const yarray[], CUBLAS_I incy,            \
        CUBLAS_I batchCount)                                                   \
    {                                                                          \
        return GEMV(in, out, .a = ARRAY(Aarray, in, lda),                      \
                    .x = ARRAY(xarray, in, incx),                              \
                    .y = ARRAY(yarray, out, incy));                            \
    }                                                                          \
    cublasStatus_t NAME(prefix##gemvStridedBatched, V1)(                       \
        cublasHandle_t handle, cublasOperation_t trans, CUBLAS_I m,            \
        CUBLAS_I n, const float *alpha, const in_type *A, CUBLAS_I lda,        \
        long long int strideA, const in_type *x, CUBLAS_I incx,                \
        long long int stridex, const float *beta, out_type *y, CUBLAS_I incy,  \
        long long int stridey, CUBLAS_I batchCount)                            \
    {                                                                          \
        return GEMV(in, out, .a = BATCH(A, in, lda, strideA),                  \
                    .x = BATCH(x, in, incx, stridex),                          \
                    .y = BATCH(y, out, incy, stridey));                        \
    }
GEMV_MIXED(cublasHSH, __half, CUDA_R_16F, __half, CUDA_R_16F)
GEMV_MIXED(cublasHSS, __half, CUDA_R_16F, float, CUDA_R_32F)
GEMV_MIXED(cublasTST, __nv_bfloat16, CUDA_R_16BF, __nv_bfloat16, CUDA_R_16BF)
GEMV_MIXED(cublasTSS, __nv_bfloat16, CUDA_R_16BF, float, CUDA_R_32F)
#undef GEMV_OK
#undef GEMV
#undef GEMV_MIXED

/* ---- products --------------------------------------------------------- */

#define PRODUCT_OK                                                             \
    check_product((enum product_op)transa, (enum product_op)transb, m, n, k,   \
                  lda, ldb, ldc)
#define PRODUCT(compute, valid, ...)                                           \
    cublas_do_product_ex(__func__, handle, compute, valid,                     \
                         &(struct product){.op_a = (enum product_op)transa,    \
                                           .op_b = (enum product_op)transb,    \
                                           .m = m,                             \
                                           .n = n,                             \
                                           .k = k,                             \
                                           __VA_ARGS__},                       \
                         alpha, beta)

cublasStatus_t NAME(cublasHgemm,
                    V1)(cublasHandle_t handle, cublasOperation_t transa,
                        cublasOperation_t transb, CUBLAS_I m, CUBLAS_I n,
                        CUBLAS_I k, const __half *alpha, const __half *A,
                        CUBLAS_I lda, const __half *B, CUBLAS_I ldb,
                        const __half *beta, __half *C, CUBLAS_I ldc)
{
    return PRODUCT(CUBLAS_COMPUTE_16F, PRODUCT_OK, .batch = 1,
                   .a = MATRIX(A, CUDA_R_16F, lda),
                   .b = MATRIX(B, CUDA_R_16F, ldb),
                   .c = MATRIX(C, CUDA_R_16F, ldc));
}

cublasStatus_t NAME(cublasGemmEx,
                    V1)(cublasHandle_t handle, cublasOperation_t transa,
                        cublasOperation_t transb, CUBLAS_I m, CUBLAS_I n,
                        CUBLAS_I k, const void *alpha, const void *A,
                        cudaDataType Atype, CUBLAS_I lda, const void *B,
                        cudaDataType Btype, CUBLAS_I ldb, const void *beta,
                        void *C, cudaDataType Ctype, CUBLAS_I ldc,
                        cublasComputeType_t computeType, cublasGemmAlgo_t algo)
{
    return PRODUCT(computeType, PRODUCT_OK && cublas_is_algorithm(algo),
                   .batch = 1, .a = MATRIX(A, Atype, lda),
                   .b = MATRIX(B, Btype, ldb), .c = MATRIX(C, Ctype, ldc));
}

/* Scalars are of float: C must be complex or real as they are. */
#define GEMM_EX(name, scale, is_of)                                            \
    cublasStatus_t NAME(name, V1)(                                             \
        cublasHandle_t handle, cublasOperation_t transa,                       \
        cublasOperation_t transb, CUBLAS_I m, CUBLAS_I n, CUBLAS_I k,          \
        const scale *alpha, const void *A, cudaDataType Atype, CUBLAS_I lda,   \
        const void *B, cudaDataType Btype, CUBLAS_I ldb, const scale *beta,    \
        void *C, cudaDataType Ctype, CUBLAS_I ldc)                             \
    {                                                                          \
        cublasComputeType_t compute =                                          \
            cublas_is_type(Ctype) && is_of cublas_is_complex(Ctype)            \
                ? CUBLAS_COMPUTE_32F                                           \
                : NO_COMPUTE;                                                  \
        return PRODUCT(compute, PRODUCT_OK, .batch = 1,                        \
                       .a = MATRIX(A, Atype, lda), .b = MATRIX(B, Btype, ldb), \
                       .c = MATRIX(C, Ctype, ldc));                            \
    }
GEMM_EX(cublasSgemmEx, float, !)
GEMM_EX(cublasCgemmEx, cuComplex, )
GEMM_EX(cublasCgemm3mEx, cuComplex, )
#undef GEMM_EX

#define GEMM_BATCHED(name, compute, element, type)                             \
    cublasStatus_t NAME(name##Batched, V1)(                                    \
        cublasHandle_t handle, cublasOperation_t transa,                       \
        cublasOperation_t transb, CUBLAS_I m, CUBLAS_I n, CUBLAS_I k,          \
        const element *alpha, const element *const Aarray[], CUBLAS_I lda,     \
        const element *const Barray[], CUBLAS_I ldb, const element *beta,      \
        element *const Carray[], CUBLAS_I ldc, CUBLAS_I batchCount)            \
    {                                                                          \
        return PRODUCT(compute, PRODUCT_OK && batchCount >= 0,                 \
                       .batch = batchCount, .a = ARRAY(Aarray, type, lda),     \
                       .b = ARRAY(Barray, type, ldb),                          \
                       .c = ARRAY(Carray, type, ldc));                         \
    }                                                                          \
    cublasStatus_t NAME(name##StridedBatched, V1)(                             \
        cublasHandle_t handle, cublasOperation_t transa,                       \
        cublasOperation_t transb, CUBLAS_I m, CUBLAS_I n, CUBLAS_I k,          \
        const element *alpha, const element *A, CUBLAS_I lda,                  \
        long long int strideA, const element *B, CUBLAS_I ldb,                 \
        long long int strideB, const element *beta, element *C, CUBLAS_I ldc,  \
        long long int strideC, CUBLAS_I batchCount)                            \
    {                                                                          \
        return PRODUCT(compute, PRODUCT_OK && batchCount >= 0,                 \
                       .batch = batchCount, .a = BATCH(A, type, lda, strideA), \
                       .b = BATCH(B, type, ldb, strideB),                      \
                       .c = BATCH(C, type, ldc, strideC));                     \
    }
GEMM_BATCHED(cublasHgemm, CUBLAS_COMPUTE_16F, __half, CUDA_R_16F)
GEMM_BATCHED(cublasCgemm3m, CUBLAS_COMPUTE_32F, cuComplex, CUDA_C_32F)
#undef GEMM_BATCHED

cublasStatus_t NAME(cublasGemmBatchedEx, V1)(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
    CUBLAS_I m, CUBLAS_I n, CUBLAS_I k, const void *alpha,
    const void *const Aarray[], cudaDataType Atype, CUBLAS_I lda,
    const void *const Barray[], cudaDataType Btype, CUBLAS_I ldb,
    const void *beta, void *const Carray[], cudaDataType Ctype, CUBLAS_I ldc,
    CUBLAS_I batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t algo)
{
    return PRODUCT(
        computeType, PRODUCT_OK && batchCount >= 0 && cublas_is_algorithm(algo),
        .batch = batchCount, .a = ARRAY(Aarray, Atype, lda),
        .b = ARRAY(Barray, Btype, ldb), .c = ARRAY(Carray, Ctype, ldc));
}

cublasStatus_t NAME(cublasGemmStridedBatchedEx, V1)(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
    CUBLAS_I m, CUBLAS_I n, CUBLAS_I k, const void *alpha, const void *A,
    cudaDataType Atype, CUBLAS_I lda, long long int strideA, const void *B,
    cudaDataType Btype, CUBLAS_I ldb, long long int strideB, const void *beta,
    void *C, cudaDataType Ctype, CUBLAS_I ldc, long long int strideC,
    CUBLAS_I batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t algo)
{
    return PRODUCT(
        computeType, PRODUCT_OK && batchCount >= 0 && cublas_is_algorithm(algo),
        .batch = batchCount, .a = BATCH(A, Atype, lda, strideA),
        .b = BATCH(B, Btype, ldb, strideB), .c = BATCH(C, Ctype, ldc, strideC));
}

/* Launches one batch for each group. Sizes and scalars are the host's. A first
 * round with empty batches checks all groups, so that nothing is written if one
 * of them is wrong. */
cublasStatus_t NAME(cublasGemmGroupedBatchedEx, V1)(
    cublasHandle_t handle, const cublasOperation_t transa_array[],
    const cublasOperation_t transb_array[], const CUBLAS_I m_array[],
    const CUBLAS_I n_array[], const CUBLAS_I k_array[], const void *alpha_array,
    const void *const Aarray[], cudaDataType_t Atype,
    const CUBLAS_I lda_array[], const void *const Barray[],
    cudaDataType_t Btype, const CUBLAS_I ldb_array[], const void *beta_array,
    void *const Carray[], cudaDataType_t Ctype, const CUBLAS_I ldc_array[],
    CUBLAS_I group_count, const CUBLAS_I group_size[],
    cublasComputeType_t computeType)
{
    struct product_types types;
    cublasStatus_t status = cublas_check_handle(handle);
    bool has_all = transa_array && transb_array && m_array && n_array &&
                   k_array && alpha_array && lda_array && ldb_array &&
                   beta_array && ldc_array && group_size;
    if (!status && (group_count < 0 || (group_count > 0 && !has_all)))
        status = CUBLAS_STATUS_INVALID_VALUE;
    if (!status && !product_types_of(computeType, Atype, Btype, Ctype, &types))
        status = CUBLAS_STATUS_NOT_SUPPORTED;
    int64_t done = 0;
    for (int64_t i = 0; !status && i < 2 * (int64_t)group_count; i++) {
        bool is_checked = i >= group_count; /* the second round */
        int64_t g = is_checked ? i - group_count : i;
        CUBLAS_I size = group_size[g];
        size_t scale = (size_t)g * element_bytes(types.scale);
        status = NAME(cublasGemmBatchedEx, V1)(
            handle, transa_array[g], transb_array[g], m_array[g], n_array[g],
            k_array[g], (const char *)alpha_array + scale, Aarray + done, Atype,
            lda_array[g], Barray + done, Btype, ldb_array[g],
            (const char *)beta_array + scale, Carray + done, Ctype,
            ldc_array[g], is_checked || size < 0 ? size : 0, computeType,
            CUBLAS_GEMM_DEFAULT);
        done += is_checked ? size : 0;
    }
    return CUBLAS_END(status);
}

#define GROUPED(name, element, type, compute)                                  \
    cublasStatus_t NAME(name, V1)(                                             \
        cublasHandle_t handle, const cublasOperation_t transa_array[],         \
        const cublasOperation_t transb_array[], const CUBLAS_I m_array[],      \
        const CUBLAS_I n_array[], const CUBLAS_I k_array[],                    \
        const element alpha_array[], const element *const Aarray[],            \
        const CUBLAS_I lda_array[], const element *const Barray[],             \
        const CUBLAS_I ldb_array[], const element beta_array[],                \
        element *const Carray[], const CUBLAS_I ldc_array[],                   \
        CUBLAS_I group_count, const CUBLAS_I group_size[])                     \
    {                                                                          \
        return NAME(cublasGemmGroupedBatchedEx,                                \
                    V1)(handle, transa_array, transb_array, m_array, n_array,  \
                        k_array, alpha_array, (const void *const *)Aarray,     \
                        type, lda_array, (const void *const *)Barray, type,    \
                        ldb_array, beta_array, (void *const *)Carray, type,    \
                        ldc_array, group_count, group_size, compute);          \
    }
GROUPED(cublasSgemmGroupedBatched, float, CUDA_R_32F, CUBLAS_COMPUTE_32F)
GROUPED(cublasDgemmGroupedBatched, double, CUDA_R_64F, CUBLAS_COMPUTE_64F)
#undef GROUPED
#undef PRODUCT_OK
#undef PRODUCT

/* Only of single complex numbers; those of 8 bits are NOT_SUPPORTED. */
#define RANK_K_EX(name, hermitian, scale)                                      \
    cublasStatus_t NAME(name, V1)(                                             \
        cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, \
        CUBLAS_I n, CUBLAS_I k, const scale *alpha, const void *A,             \
        cudaDataType Atype, CUBLAS_I lda, const scale *beta, void *C,          \
        cudaDataType Ctype, CUBLAS_I ldc)                                      \
    {                                                                          \
        bool is_valid = check_fill(uplo) && (unsigned)trans <= CUBLAS_OP_C &&  \
                        n >= 0 && k >= 0 && check_ld(lda, trans ? k : n) &&    \
                        check_ld(ldc, n) && alpha && beta;                     \
        bool is_known = cublas_is_type(Atype) && cublas_is_type(Ctype);        \
        bool is_there = Atype == CUDA_C_32F && Ctype == CUDA_C_32F;            \
        return cublas_do(                                                      \
            __func__, handle, is_valid && is_known, n == 0,                    \
            is_there ? cublas_syrk : cublas_unsupported,                       \
            &(struct job){.type = BLAS_C,                                      \
                          .is_upper = uplo == CUBLAS_FILL_MODE_UPPER,          \
                          .op = rank_op(hermitian, trans),                     \
                          .is_hermitian = hermitian,                           \
                          .n = n,                                              \
                          .k = k,                                              \
                          .a = MATRIX(A, Atype, lda),                          \
                          .c = MATRIX(C, Ctype, ldc),                          \
                          .alpha_at = alpha,                                   \
                          .beta_at = beta,                                     \
                          .has_real_alpha = hermitian,                         \
                          .has_real_beta = hermitian});                        \
    }
RANK_K_EX(cublasCsyrkEx, false, cuComplex)
RANK_K_EX(cublasCsyrk3mEx, false, cuComplex)
RANK_K_EX(cublasCherkEx, true, float)
RANK_K_EX(cublasCherk3mEx, true, float)
#undef RANK_K_EX

/* ---- copies between host and device ----------------------------------- */

#define COPY_VECTOR(name, from, to, kind)                                      \
    cublasStatus_t NAME(name, V1)(CUBLAS_I n, CUBLAS_I elemSize,               \
                                  const void *from, CUBLAS_I incx, void *to,   \
                                  CUBLAS_I incy)                               \
    {                                                                          \
        return CUBLAS_END(cublas_copy(1, n, elemSize, from, incx, to, incy,    \
                                      kind, NULL, false));                     \
    }                                                                          \
    cublasStatus_t NAME(name##Async, V1)(                                      \
        CUBLAS_I n, CUBLAS_I elemSize, const void *from, CUBLAS_I incx,        \
        void *to, CUBLAS_I incy, cudaStream_t stream)                          \
    {                                                                          \
        return CUBLAS_END(cublas_copy(1, n, elemSize, from, incx, to, incy,    \
                                      kind, stream, true));                    \
    }
COPY_VECTOR(cublasSetVector, x, y, cudaMemcpyHostToDevice)
COPY_VECTOR(cublasGetVector, x, y, cudaMemcpyDeviceToHost)
#undef COPY_VECTOR

#define COPY_MATRIX(name, kind)                                                \
    cublasStatus_t NAME(name, V1)(CUBLAS_I rows, CUBLAS_I cols,                \
                                  CUBLAS_I elemSize, const void *A,            \
                                  CUBLAS_I lda, void *B, CUBLAS_I ldb)         \
    {                                                                          \
        bool is_valid = check_ld(lda, rows) && check_ld(ldb, rows);            \
        return CUBLAS_END(is_valid ? cublas_copy(rows, cols, elemSize, A, lda, \
                                                 B, ldb, kind, NULL, false)    \
                                   : CUBLAS_STATUS_INVALID_VALUE);             \
    }                                                                          \
    cublasStatus_t NAME(name##Async, V1)(                                      \
        CUBLAS_I rows, CUBLAS_I cols, CUBLAS_I elemSize, const void *A,        \
        CUBLAS_I lda, void *B, CUBLAS_I ldb, cudaStream_t stream)              \
    {                                                                          \
        bool is_valid = check_ld(lda, rows) && check_ld(ldb, rows);            \
        return CUBLAS_END(is_valid ? cublas_copy(rows, cols, elemSize, A, lda, \
                                                 B, ldb, kind, stream, true)   \
                                   : CUBLAS_STATUS_INVALID_VALUE);             \
    }
COPY_MATRIX(cublasSetMatrix, cudaMemcpyHostToDevice)
COPY_MATRIX(cublasGetMatrix, cudaMemcpyDeviceToHost)
#undef COPY_MATRIX

#undef MATRIX
#undef BATCH
#undef ARRAY
#undef VECTOR
#undef LEVEL1
