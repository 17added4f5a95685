/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that come in four types and two widths of integers.
 * weft/cublas_types.h includes this once for each of the eight (so there is no
 * guard) and defines CUBLAS_T, CUBLAS_S and so on; doors.c defines
 *
 *     TYPE                  BLAS_S, BLAS_D, BLAS_C or BLAS_Z
 *     ELEMENT, REAL         the cudaDataType of elements, of their real parts
 *     INDEX                 CUDA_R_32I or CUDA_R_64I, as CUBLAS_I is
 *     NAME(name, version)   the symbol
 */

#define MATRIX(p, ld_)                                                         \
    {                                                                          \
        .at = (void *)(p), .ld = ld_, .type = ELEMENT                          \
    }
#define BATCH(p, ld_, stride_)                                                 \
    {                                                                          \
        .at = (void *)(p), .ld = ld_, .stride = stride_, .type = ELEMENT       \
    }
#define ARRAY(p, ld_)                                                          \
    {                                                                          \
        .at = (void *)(p), .ld = ld_, .is_array = true, .type = ELEMENT        \
    }
#define VECTOR(p, inc_)                                                        \
    {                                                                          \
        .at = (void *)(p), .inc = inc_, .type = ELEMENT                        \
    }
#define DO(valid, nothing, routine, ...)                                       \
    cublas_do(__func__, handle, valid, nothing, routine,                       \
              &(struct job){.type = TYPE, __VA_ARGS__})
#define LEVEL1(valid, ...)                                                     \
    cublas_do_level1(__func__, handle, valid,                                  \
                     &(struct level1){.n = n, .compute = REAL, __VA_ARGS__})
#define TRIANGLE                                                               \
    .is_upper = uplo == CUBLAS_FILL_MODE_UPPER, .op = (enum product_op)trans,  \
    .is_unit = diag == CUBLAS_DIAG_UNIT
#define UPPER   .is_upper = uplo == CUBLAS_FILL_MODE_UPPER
#define SCALARS .alpha_at = alpha, .beta_at = beta

#define TRIANGLE_OK check_triangle(uplo, trans, diag)

/* ---- level 1 ---------------------------------------------------------- */

#define REDUCTION(name, what_, type_, out)                                     \
    cublasStatus_t NAME(name, V2)(cublasHandle_t handle, CUBLAS_I n,           \
                                  const CUBLAS_T *x, CUBLAS_I incx,            \
                                  out *result)                                 \
    {                                                                          \
        return LEVEL1(n <= 0 || x, .what = what_, .x = VECTOR(x, incx),        \
                      .result = result, .result_type = type_);                 \
    }
REDUCTION(CUBLAS_RES(nrm2), LEVEL1_NRM2, REAL, CUBLAS_R)
REDUCTION(CUBLAS_RES(asum), LEVEL1_ASUM, REAL, CUBLAS_R)
REDUCTION(CUBLAS_IDX(amax), LEVEL1_AMAX, INDEX, CUBLAS_I)
REDUCTION(CUBLAS_IDX(amin), LEVEL1_AMIN, INDEX, CUBLAS_I)
#undef REDUCTION

cublasStatus_t NAME(CUBLAS_S(scal), V2)(cublasHandle_t handle, CUBLAS_I n,
                                        const CUBLAS_T *alpha, CUBLAS_T *x,
                                        CUBLAS_I incx)
{
    return LEVEL1(alpha && (n <= 0 || x), .what = LEVEL1_SCAL,
                  .x = VECTOR(x, incx), .alpha_at = alpha,
                  .alpha.type = ELEMENT);
}

cublasStatus_t NAME(CUBLAS_S(axpy), V2)(cublasHandle_t handle, CUBLAS_I n,
                                        const CUBLAS_T *alpha,
                                        const CUBLAS_T *x, CUBLAS_I incx,
                                        CUBLAS_T *y, CUBLAS_I incy)
{
    return LEVEL1(alpha && (n <= 0 || (x && y)), .what = LEVEL1_AXPY,
                  .x = VECTOR(x, incx), .y = VECTOR(y, incy), .alpha_at = alpha,
                  .alpha.type = ELEMENT);
}

cublasStatus_t NAME(CUBLAS_S(copy), V2)(cublasHandle_t handle, CUBLAS_I n,
                                        const CUBLAS_T *x, CUBLAS_I incx,
                                        CUBLAS_T *y, CUBLAS_I incy)
{
    return LEVEL1(n <= 0 || (x && y), .what = LEVEL1_COPY, .x = VECTOR(x, incx),
                  .y = VECTOR(y, incy));
}

cublasStatus_t NAME(CUBLAS_S(swap), V2)(cublasHandle_t handle, CUBLAS_I n,
                                        CUBLAS_T *x, CUBLAS_I incx, CUBLAS_T *y,
                                        CUBLAS_I incy)
{
    return LEVEL1(n <= 0 || (x && y), .what = LEVEL1_SWAP, .x = VECTOR(x, incx),
                  .y = VECTOR(y, incy));
}

#define ROTATION(name, sine, sine_type)                                        \
    cublasStatus_t NAME(name, V2)(                                             \
        cublasHandle_t handle, CUBLAS_I n, CUBLAS_T * x, CUBLAS_I incx,        \
        CUBLAS_T * y, CUBLAS_I incy, const CUBLAS_R *c, const sine *s)         \
    {                                                                          \
        return LEVEL1(c && s && (n <= 0 || (x && y)), .what = LEVEL1_ROT,      \
                      .x = VECTOR(x, incx), .y = VECTOR(y, incy),              \
                      .alpha_at = c, .alpha.type = REAL, .beta_at = s,         \
                      .beta.type = sine_type);                                 \
    }
ROTATION(CUBLAS_S(rot), CUBLAS_T, ELEMENT)

#define DOT(name, conjugate)                                                   \
    cublasStatus_t NAME(name, V2)(                                             \
        cublasHandle_t handle, CUBLAS_I n, const CUBLAS_T *x, CUBLAS_I incx,   \
        const CUBLAS_T *y, CUBLAS_I incy, CUBLAS_T *result)                    \
    {                                                                          \
        return LEVEL1(n <= 0 || (x && y), .what = LEVEL1_DOT,                  \
                      .is_conjugate = conjugate, .x = VECTOR(x, incx),         \
                      .y = VECTOR(y, incy), .result = result,                  \
                      .result_type = ELEMENT);                                 \
    }

#if CUBLAS_IS_COMPLEX
ROTATION(CUBLAS_BY(rot), CUBLAS_R, REAL)
DOT(CUBLAS_S(dotu), false)
DOT(CUBLAS_S(dotc), true)

cublasStatus_t NAME(CUBLAS_BY(scal), V2)(cublasHandle_t handle, CUBLAS_I n,
                                         const CUBLAS_R *alpha, CUBLAS_T *x,
                                         CUBLAS_I incx)
{
    return LEVEL1(alpha && (n <= 0 || x), .what = LEVEL1_SCAL,
                  .x = VECTOR(x, incx), .alpha_at = alpha, .alpha.type = REAL);
}
#else
DOT(CUBLAS_S(dot), false)

cublasStatus_t NAME(CUBLAS_S(rotm), V2)(cublasHandle_t handle, CUBLAS_I n,
                                        CUBLAS_T *x, CUBLAS_I incx, CUBLAS_T *y,
                                        CUBLAS_I incy, const CUBLAS_T *param)
{
    return LEVEL1(param && (n <= 0 || (x && y)), .what = LEVEL1_ROTM,
                  .x = VECTOR(x, incx), .y = VECTOR(y, incy), .param_at = param,
                  .alpha.type = ELEMENT);
}
#endif
#undef ROTATION
#undef DOT

/* ---- level 2 ---------------------------------------------------------- */

cublasStatus_t NAME(CUBLAS_S(gemv),
                    V2)(cublasHandle_t handle, cublasOperation_t trans,
                        CUBLAS_I m, CUBLAS_I n, const CUBLAS_T *alpha,
                        const CUBLAS_T *A, CUBLAS_I lda, const CUBLAS_T *x,
                        CUBLAS_I incx, const CUBLAS_T *beta, CUBLAS_T *y,
                        CUBLAS_I incy)
{
    return DO(check_ld(lda, m) && alpha && beta, m <= 0 || n <= 0, cublas_gemv,
              .op = (enum product_op)trans, .m = m, .n = n, .a = MATRIX(A, lda),
              .x = MATRIX(x, incx), .y = MATRIX(y, incy), SCALARS);
}

cublasStatus_t NAME(CUBLAS_S(gemvBatched),
                    V1)(cublasHandle_t handle, cublasOperation_t trans,
                        CUBLAS_I m, CUBLAS_I n, const CUBLAS_T *alpha,
                        const CUBLAS_T *const Aarray[], CUBLAS_I lda,
                        const CUBLAS_T *const xarray[], CUBLAS_I incx,
                        const CUBLAS_T *beta, CUBLAS_T *const yarray[],
                        CUBLAS_I incy, CUBLAS_I batchCount)
{
    return DO(check_ld(lda, m) && alpha && beta && batchCount >= 0,
              m <= 0 || n <= 0 || batchCount == 0, cublas_gemv,
              .op = (enum product_op)trans, .m = m, .n = n, .batch = batchCount,
              .a = ARRAY(Aarray, lda), .x = ARRAY(xarray, incx),
              .y = ARRAY(yarray, incy), SCALARS);
}

cublasStatus_t NAME(CUBLAS_S(gemvStridedBatched),
                    V1)(cublasHandle_t handle, cublasOperation_t trans,
                        CUBLAS_I m, CUBLAS_I n, const CUBLAS_T *alpha,
                        const CUBLAS_T *A, CUBLAS_I lda, long long int strideA,
                        const CUBLAS_T *x, CUBLAS_I incx, long long int stridex,
                        const CUBLAS_T *beta, CUBLAS_T *y, CUBLAS_I incy,
                        long long int stridey, CUBLAS_I batchCount)
{
    return DO(check_ld(lda, m) && alpha && beta && batchCount >= 0,
              m <= 0 || n <= 0 || batchCount == 0, cublas_gemv,
              .op = (enum product_op)trans, .m = m, .n = n, .batch = batchCount,
              .a = BATCH(A, lda, strideA), .x = BATCH(x, incx, stridex),
              .y = BATCH(y, incy, stridey), SCALARS);
}

cublasStatus_t NAME(CUBLAS_S(gbmv),
                    V2)(cublasHandle_t handle, cublasOperation_t trans,
                        CUBLAS_I m, CUBLAS_I n, CUBLAS_I kl, CUBLAS_I ku,
                        const CUBLAS_T *alpha, const CUBLAS_T *A, CUBLAS_I lda,
                        const CUBLAS_T *x, CUBLAS_I incx, const CUBLAS_T *beta,
                        CUBLAS_T *y, CUBLAS_I incy)
{
    return DO(check_op(trans) && trans != CUBLAS_OP_CONJG && m >= 0 &&
                  n >= 0 && kl >= 0 && ku >= 0 && lda >= kl + ku + 1 && incx &&
                  incy && alpha && beta,
              m == 0 || n == 0, cublas_gbmv, .op = (enum product_op)trans,
              .m = m, .n = n, .kl = kl, .ku = ku, .a = MATRIX(A, lda),
              .x = MATRIX(x, incx), .y = MATRIX(y, incy), SCALARS);
}

#define TRIANGULAR(name, routine)                                              \
    cublasStatus_t NAME(name, V2)(                                             \
        cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, \
        cublasDiagType_t diag, CUBLAS_I n, const CUBLAS_T *A, CUBLAS_I lda,    \
        CUBLAS_T *x, CUBLAS_I incx)                                            \
    {                                                                          \
        return DO(TRIANGLE_OK && n >= 0 && check_ld(lda, n) && incx, n == 0,   \
                  routine, TRIANGLE, .n = n, .a = MATRIX(A, lda),              \
                  .x = MATRIX(x, incx));                                       \
    }
TRIANGULAR(CUBLAS_S(trmv), cublas_trmv)
TRIANGULAR(CUBLAS_S(trsv), cublas_trsv)
#undef TRIANGULAR

#define BAND(name, routine)                                                    \
    cublasStatus_t NAME(name, V2)(                                             \
        cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, \
        cublasDiagType_t diag, CUBLAS_I n, CUBLAS_I k, const CUBLAS_T *A,      \
        CUBLAS_I lda, CUBLAS_T *x, CUBLAS_I incx)                              \
    {                                                                          \
        return DO(TRIANGLE_OK && n >= 0 && k >= 0 && lda > k && incx, n == 0,  \
                  routine, TRIANGLE, .n = n, .k = k, .a = MATRIX(A, lda),      \
                  .x = MATRIX(x, incx));                                       \
    }
BAND(CUBLAS_S(tbmv), cublas_tbmv)
BAND(CUBLAS_S(tbsv), cublas_tbsv)
#undef BAND

#define PACKED(name, routine)                                                  \
    cublasStatus_t NAME(name, V2)(                                             \
        cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, \
        cublasDiagType_t diag, CUBLAS_I n, const CUBLAS_T *AP, CUBLAS_T *x,    \
        CUBLAS_I incx)                                                         \
    {                                                                          \
        return DO(TRIANGLE_OK && n >= 0 && incx, n == 0, routine, TRIANGLE,    \
                  .n = n, .a = MATRIX(AP, 1), .x = MATRIX(x, incx));           \
    }
PACKED(CUBLAS_S(tpmv), cublas_tpmv)
PACKED(CUBLAS_S(tpsv), cublas_tpsv)
#undef PACKED

#define SYMMETRIC(name, hermitian)                                             \
    cublasStatus_t NAME(name, V2)(                                             \
        cublasHandle_t handle, cublasFillMode_t uplo, CUBLAS_I n,              \
        const CUBLAS_T *alpha, const CUBLAS_T *A, CUBLAS_I lda,                \
        const CUBLAS_T *x, CUBLAS_I incx, const CUBLAS_T *beta, CUBLAS_T *y,   \
        CUBLAS_I incy)                                                         \
    {                                                                          \
        return DO(check_fill(uplo) && n >= 0 && check_ld(lda, n) && incx &&    \
                      incy && alpha && beta,                                   \
                  n == 0, cublas_symv, UPPER, .is_hermitian = hermitian,       \
                  .n = n, .a = MATRIX(A, lda), .x = MATRIX(x, incx),           \
                  .y = MATRIX(y, incy), SCALARS);                              \
    }
#define SYMMETRIC_BAND(name)                                                   \
    cublasStatus_t NAME(name, V2)(                                             \
        cublasHandle_t handle, cublasFillMode_t uplo, CUBLAS_I n, CUBLAS_I k,  \
        const CUBLAS_T *alpha, const CUBLAS_T *A, CUBLAS_I lda,                \
        const CUBLAS_T *x, CUBLAS_I incx, const CUBLAS_T *beta, CUBLAS_T *y,   \
        CUBLAS_I incy)                                                         \
    {                                                                          \
        return DO(check_fill(uplo) && n >= 0 && k >= 0 && lda > k && incx &&   \
                      incy && alpha && beta,                                   \
                  n == 0, cublas_sbmv, UPPER, .n = n, .k = k,                  \
                  .a = MATRIX(A, lda), .x = MATRIX(x, incx),                   \
                  .y = MATRIX(y, incy), SCALARS);                              \
    }
#define SYMMETRIC_PACKED(name)                                                 \
    cublasStatus_t NAME(name, V2)(                                             \
        cublasHandle_t handle, cublasFillMode_t uplo, CUBLAS_I n,              \
        const CUBLAS_T *alpha, const CUBLAS_T *AP, const CUBLAS_T *x,          \
        CUBLAS_I incx, const CUBLAS_T *beta, CUBLAS_T *y, CUBLAS_I incy)       \
    {                                                                          \
        return DO(check_fill(uplo) && n >= 0 && incx && incy && alpha && beta, \
                  n == 0, cublas_spmv, UPPER, .n = n, .a = MATRIX(AP, 1),      \
                  .x = MATRIX(x, incx), .y = MATRIX(y, incy), SCALARS);        \
    }
#define RANK_ONE(name, hermitian, scale, is_real)                              \
    cublasStatus_t NAME(name, V2)(cublasHandle_t handle,                       \
                                  cublasFillMode_t uplo, CUBLAS_I n,           \
                                  const scale *alpha, const CUBLAS_T *x,       \
                                  CUBLAS_I incx, CUBLAS_T *A, CUBLAS_I lda)    \
    {                                                                          \
        return DO(check_fill(uplo) && n >= 0 && check_ld(lda, n) && incx &&    \
                      alpha,                                                   \
                  n == 0, cublas_syr, UPPER, .is_hermitian = hermitian,        \
                  .n = n, .a = MATRIX(A, lda), .x = MATRIX(x, incx),           \
                  .alpha_at = alpha, .has_real_alpha = is_real);               \
    }
#define RANK_ONE_PACKED(name, hermitian, scale, is_real)                       \
    cublasStatus_t NAME(name, V2)(                                             \
        cublasHandle_t handle, cublasFillMode_t uplo, CUBLAS_I n,              \
        const scale *alpha, const CUBLAS_T *x, CUBLAS_I incx, CUBLAS_T *AP)    \
    {                                                                          \
        return DO(check_fill(uplo) && n >= 0 && incx && alpha, n == 0,         \
                  cublas_syr, UPPER, .is_hermitian = hermitian,                \
                  .is_packed = true, .n = n, .a = MATRIX(AP, 1),               \
                  .x = MATRIX(x, incx), .alpha_at = alpha,                     \
                  .has_real_alpha = is_real);                                  \
    }
#define RANK_TWO(name, hermitian)                                              \
    cublasStatus_t NAME(name, V2)(                                             \
        cublasHandle_t handle, cublasFillMode_t uplo, CUBLAS_I n,              \
        const CUBLAS_T *alpha, const CUBLAS_T *x, CUBLAS_I incx,               \
        const CUBLAS_T *y, CUBLAS_I incy, CUBLAS_T *A, CUBLAS_I lda)           \
    {                                                                          \
        return DO(check_fill(uplo) && n >= 0 && check_ld(lda, n) && incx &&    \
                      incy && alpha,                                           \
                  n == 0, cublas_syr2, UPPER, .is_hermitian = hermitian,       \
                  .n = n, .a = MATRIX(A, lda), .x = MATRIX(x, incx),           \
                  .y = MATRIX(y, incy), .alpha_at = alpha);                    \
    }
#define RANK_TWO_PACKED(name, hermitian)                                       \
    cublasStatus_t NAME(name, V2)(                                             \
        cublasHandle_t handle, cublasFillMode_t uplo, CUBLAS_I n,              \
        const CUBLAS_T *alpha, const CUBLAS_T *x, CUBLAS_I incx,               \
        const CUBLAS_T *y, CUBLAS_I incy, CUBLAS_T *AP)                        \
    {                                                                          \
        return DO(check_fill(uplo) && n >= 0 && incx && incy && alpha, n == 0, \
                  cublas_syr2, UPPER, .is_hermitian = hermitian,               \
                  .is_packed = true, .n = n, .a = MATRIX(AP, 1),               \
                  .x = MATRIX(x, incx), .y = MATRIX(y, incy),                  \
                  .alpha_at = alpha);                                          \
    }
#define GENERAL_RANK_ONE(name, conjugates)                                     \
    cublasStatus_t NAME(name, V2)(                                             \
        cublasHandle_t handle, CUBLAS_I m, CUBLAS_I n, const CUBLAS_T *alpha,  \
        const CUBLAS_T *x, CUBLAS_I incx, const CUBLAS_T *y, CUBLAS_I incy,    \
        CUBLAS_T *A, CUBLAS_I lda)                                             \
    {                                                                          \
        return DO(m >= 0 && n >= 0 && check_ld(lda, m) && incx && incy &&      \
                      alpha,                                                   \
                  m == 0 || n == 0, cublas_ger, .is_hermitian = conjugates,    \
                  .m = m, .n = n, .a = MATRIX(A, lda), .x = MATRIX(x, incx),   \
                  .y = MATRIX(y, incy), .alpha_at = alpha);                    \
    }

SYMMETRIC(CUBLAS_S(symv), false)
RANK_ONE(CUBLAS_S(syr), false, CUBLAS_T, false)
RANK_TWO(CUBLAS_S(syr2), false)
#if CUBLAS_IS_COMPLEX
SYMMETRIC(CUBLAS_S(hemv), true)
SYMMETRIC_BAND(CUBLAS_S(hbmv))
SYMMETRIC_PACKED(CUBLAS_S(hpmv))
RANK_ONE(CUBLAS_S(her), true, CUBLAS_R, true)
RANK_ONE_PACKED(CUBLAS_S(hpr), true, CUBLAS_R, true)
RANK_TWO(CUBLAS_S(her2), true)
RANK_TWO_PACKED(CUBLAS_S(hpr2), true)
GENERAL_RANK_ONE(CUBLAS_S(geru), false)
GENERAL_RANK_ONE(CUBLAS_S(gerc), true)
#else
SYMMETRIC_BAND(CUBLAS_S(sbmv))
SYMMETRIC_PACKED(CUBLAS_S(spmv))
RANK_ONE_PACKED(CUBLAS_S(spr), false, CUBLAS_T, false)
RANK_TWO_PACKED(CUBLAS_S(spr2), false)
GENERAL_RANK_ONE(CUBLAS_S(ger), false)
#endif
#undef SYMMETRIC
#undef SYMMETRIC_BAND
#undef SYMMETRIC_PACKED
#undef RANK_ONE
#undef RANK_ONE_PACKED
#undef RANK_TWO
#undef RANK_TWO_PACKED
#undef GENERAL_RANK_ONE

/* ---- level 3 ---------------------------------------------------------- */

#define PRODUCT_OK                                                             \
    check_product((enum product_op)transa, (enum product_op)transb, m, n, k,   \
                  lda, ldb, ldc)
#define PRODUCT(valid, ...)                                                    \
    cublas_do_product(__func__, handle, valid,                                 \
                      &(struct product){.op_a = (enum product_op)transa,       \
                                        .op_b = (enum product_op)transb,       \
                                        .m = m,                                \
                                        .n = n,                                \
                                        .k = k,                                \
                                        .type = TYPE,                          \
                                        __VA_ARGS__},                          \
                      ELEMENT, alpha, beta)

#define GEMM(name, version)                                                    \
    cublasStatus_t NAME(name, version)(                                        \
        cublasHandle_t handle, cublasOperation_t transa,                       \
        cublasOperation_t transb, CUBLAS_I m, CUBLAS_I n, CUBLAS_I k,          \
        const CUBLAS_T *alpha, const CUBLAS_T *A, CUBLAS_I lda,                \
        const CUBLAS_T *B, CUBLAS_I ldb, const CUBLAS_T *beta, CUBLAS_T *C,    \
        CUBLAS_I ldc)                                                          \
    {                                                                          \
        return PRODUCT(PRODUCT_OK, .batch = 1, .a = MATRIX(A, lda),            \
                       .b = MATRIX(B, ldb), .c = MATRIX(C, ldc));              \
    }
GEMM(CUBLAS_S(gemm), V2)
#if CUBLAS_IS_COMPLEX
GEMM(CUBLAS_S(gemm3m), V1)
#endif
#undef GEMM

cublasStatus_t NAME(CUBLAS_S(gemmBatched),
                    V1)(cublasHandle_t handle, cublasOperation_t transa,
                        cublasOperation_t transb, CUBLAS_I m, CUBLAS_I n,
                        CUBLAS_I k, const CUBLAS_T *alpha,
                        const CUBLAS_T *const Aarray[], CUBLAS_I lda,
                        const CUBLAS_T *const Barray[], CUBLAS_I ldb,
                        const CUBLAS_T *beta, CUBLAS_T *const Carray[],
                        CUBLAS_I ldc, CUBLAS_I batchCount)
{
    return PRODUCT(PRODUCT_OK && batchCount >= 0, .batch = batchCount,
                   .a = ARRAY(Aarray, lda), .b = ARRAY(Barray, ldb),
                   .c = ARRAY(Carray, ldc));
}

cublasStatus_t NAME(CUBLAS_S(gemmStridedBatched),
                    V1)(cublasHandle_t handle, cublasOperation_t transa,
                        cublasOperation_t transb, CUBLAS_I m, CUBLAS_I n,
                        CUBLAS_I k, const CUBLAS_T *alpha, const CUBLAS_T *A,
                        CUBLAS_I lda, long long int strideA, const CUBLAS_T *B,
                        CUBLAS_I ldb, long long int strideB,
                        const CUBLAS_T *beta, CUBLAS_T *C, CUBLAS_I ldc,
                        long long int strideC, CUBLAS_I batchCount)
{
    return PRODUCT(PRODUCT_OK && batchCount >= 0, .batch = batchCount,
                   .a = BATCH(A, lda, strideA), .b = BATCH(B, ldb, strideB),
                   .c = BATCH(C, ldc, strideC));
}
#undef PRODUCT_OK
#undef PRODUCT

/* op(A) has n rows. */
#define RANK_K_OK                                                              \
    (check_fill(uplo) && (unsigned)trans <= CUBLAS_OP_C && n >= 0 && k >= 0 && \
     check_ld(lda, trans == CUBLAS_OP_N ? n : k) && check_ld(ldc, n) &&        \
     alpha && beta)
#define RANK_K(name, hermitian, scale, is_real)                                \
    cublasStatus_t NAME(name, V2)(                                             \
        cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, \
        CUBLAS_I n, CUBLAS_I k, const scale *alpha, const CUBLAS_T *A,         \
        CUBLAS_I lda, const scale *beta, CUBLAS_T *C, CUBLAS_I ldc)            \
    {                                                                          \
        return DO(RANK_K_OK, n == 0, cublas_syrk, UPPER,                       \
                  .op = rank_op(hermitian, trans), .is_hermitian = hermitian,  \
                  .n = n, .k = k, .a = MATRIX(A, lda), .c = MATRIX(C, ldc),    \
                  SCALARS, .has_real_alpha = is_real,                          \
                  .has_real_beta = is_real);                                   \
    }
#define RANK_2K(name, version, routine, hermitian, scale, is_real)             \
    cublasStatus_t NAME(name, version)(                                        \
        cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, \
        CUBLAS_I n, CUBLAS_I k, const CUBLAS_T *alpha, const CUBLAS_T *A,      \
        CUBLAS_I lda, const CUBLAS_T *B, CUBLAS_I ldb, const scale *beta,      \
        CUBLAS_T *C, CUBLAS_I ldc)                                             \
    {                                                                          \
        return DO(RANK_K_OK && check_ld(ldb, trans == CUBLAS_OP_N ? n : k),    \
                  n == 0, routine, UPPER, .op = rank_op(hermitian, trans),     \
                  .is_hermitian = hermitian, .n = n, .k = k,                   \
                  .a = MATRIX(A, lda), .b = MATRIX(B, ldb),                    \
                  .c = MATRIX(C, ldc), SCALARS, .has_real_beta = is_real);     \
    }
#define SYMMETRIC_PRODUCT(name, hermitian)                                     \
    cublasStatus_t NAME(name, V2)(                                             \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,   \
        CUBLAS_I m, CUBLAS_I n, const CUBLAS_T *alpha, const CUBLAS_T *A,      \
        CUBLAS_I lda, const CUBLAS_T *B, CUBLAS_I ldb, const CUBLAS_T *beta,   \
        CUBLAS_T *C, CUBLAS_I ldc)                                             \
    {                                                                          \
        return DO(check_side(side) && check_fill(uplo) && m >= 0 && n >= 0 &&  \
                      check_ld(lda, side == CUBLAS_SIDE_LEFT ? m : n) &&       \
                      check_ld(ldb, m) && check_ld(ldc, m) && alpha && beta,   \
                  m == 0 || n == 0, cublas_symm, UPPER,                        \
                  .is_right = side == CUBLAS_SIDE_RIGHT,                       \
                  .is_hermitian = hermitian, .m = m, .n = n,                   \
                  .a = MATRIX(A, lda), .b = MATRIX(B, ldb),                    \
                  .c = MATRIX(C, ldc), SCALARS);                               \
    }

RANK_K(CUBLAS_S(syrk), false, CUBLAS_T, false)
RANK_2K(CUBLAS_S(syr2k), V2, cublas_syr2k, false, CUBLAS_T, false)
RANK_2K(CUBLAS_S(syrkx), V1, cublas_syrkx, false, CUBLAS_T, false)
SYMMETRIC_PRODUCT(CUBLAS_S(symm), false)
#if CUBLAS_IS_COMPLEX
RANK_K(CUBLAS_S(herk), true, CUBLAS_R, true)
RANK_2K(CUBLAS_S(her2k), V2, cublas_syr2k, true, CUBLAS_R, true)
RANK_2K(CUBLAS_S(herkx), V1, cublas_syrkx, true, CUBLAS_R, true)
SYMMETRIC_PRODUCT(CUBLAS_S(hemm), true)
#endif
#undef RANK_K_OK
#undef RANK_K
#undef RANK_2K
#undef SYMMETRIC_PRODUCT

cublasStatus_t NAME(CUBLAS_S(trmm),
                    V2)(cublasHandle_t handle, cublasSideMode_t side,
                        cublasFillMode_t uplo, cublasOperation_t trans,
                        cublasDiagType_t diag, CUBLAS_I m, CUBLAS_I n,
                        const CUBLAS_T *alpha, const CUBLAS_T *A, CUBLAS_I lda,
                        const CUBLAS_T *B, CUBLAS_I ldb, CUBLAS_T *C,
                        CUBLAS_I ldc)
{
    return DO(check_side(side) && TRIANGLE_OK && m >= 0 && n >= 0 &&
                  check_ld(lda, side == CUBLAS_SIDE_LEFT ? m : n) &&
                  check_ld(ldb, m) && check_ld(ldc, m) && alpha,
              m == 0 || n == 0, cublas_trmm, TRIANGLE,
              .is_right = side == CUBLAS_SIDE_RIGHT, .m = m, .n = n,
              .a = MATRIX(A, lda), .b = MATRIX(B, ldb), .c = MATRIX(C, ldc),
              .alpha_at = alpha);
}

cublasStatus_t NAME(CUBLAS_S(trsm),
                    V2)(cublasHandle_t handle, cublasSideMode_t side,
                        cublasFillMode_t uplo, cublasOperation_t trans,
                        cublasDiagType_t diag, CUBLAS_I m, CUBLAS_I n,
                        const CUBLAS_T *alpha, const CUBLAS_T *A, CUBLAS_I lda,
                        CUBLAS_T *B, CUBLAS_I ldb)
{
    return DO(check_side(side) && TRIANGLE_OK && m >= 0 && n >= 0 &&
                  check_ld(lda, side == CUBLAS_SIDE_LEFT ? m : n) &&
                  check_ld(ldb, m) && alpha,
              m == 0 || n == 0, cublas_trsm, TRIANGLE,
              .is_right = side == CUBLAS_SIDE_RIGHT, .m = m, .n = n,
              .a = MATRIX(A, lda), .b = MATRIX(B, ldb), .alpha_at = alpha);
}

cublasStatus_t NAME(CUBLAS_S(trsmBatched),
                    V1)(cublasHandle_t handle, cublasSideMode_t side,
                        cublasFillMode_t uplo, cublasOperation_t trans,
                        cublasDiagType_t diag, CUBLAS_I m, CUBLAS_I n,
                        const CUBLAS_T *alpha, const CUBLAS_T *const A[],
                        CUBLAS_I lda, CUBLAS_T *const B[], CUBLAS_I ldb,
                        CUBLAS_I batchCount)
{
    return DO(check_side(side) && TRIANGLE_OK && m >= 0 && n >= 0 &&
                  check_ld(lda, side == CUBLAS_SIDE_LEFT ? m : n) &&
                  check_ld(ldb, m) && alpha && batchCount >= 0,
              m == 0 || n == 0 || batchCount == 0, cublas_trsm, TRIANGLE,
              .is_right = side == CUBLAS_SIDE_RIGHT, .m = m, .n = n,
              .batch = batchCount, .a = ARRAY(A, lda), .b = ARRAY(B, ldb),
              .alpha_at = alpha);
}

/* ---- extensions of BLAS ----------------------------------------------- */

cublasStatus_t NAME(CUBLAS_S(geam),
                    V1)(cublasHandle_t handle, cublasOperation_t transa,
                        cublasOperation_t transb, CUBLAS_I m, CUBLAS_I n,
                        const CUBLAS_T *alpha, const CUBLAS_T *A, CUBLAS_I lda,
                        const CUBLAS_T *beta, const CUBLAS_T *B, CUBLAS_I ldb,
                        CUBLAS_T *C, CUBLAS_I ldc)
{
    bool a_stored = transa == CUBLAS_OP_N, b_stored = transb == CUBLAS_OP_N;
    return DO(check_op(transa) && check_op(transb) &&
                  transa != CUBLAS_OP_CONJG && transb != CUBLAS_OP_CONJG &&
                  m >= 0 && n >= 0 &&
                  check_ld(lda, a_stored ? m : n) &&
                  check_ld(ldb, b_stored ? m : n) && check_ld(ldc, m) &&
                  alpha && beta &&
                  /* C may be A or B only if they are not transposed. */
                  !(A == C && (!a_stored || lda != ldc)) &&
                  !(B == C && (!b_stored || ldb != ldc)),
              m == 0 || n == 0, cublas_geam, .op = (enum product_op)transa,
              .op_b = (enum product_op)transb, .m = m, .n = n,
              .a = MATRIX(A, lda), .b = MATRIX(B, ldb), .c = MATRIX(C, ldc),
              SCALARS);
}

cublasStatus_t NAME(CUBLAS_S(dgmm),
                    V1)(cublasHandle_t handle, cublasSideMode_t mode,
                        CUBLAS_I m, CUBLAS_I n, const CUBLAS_T *A, CUBLAS_I lda,
                        const CUBLAS_T *x, CUBLAS_I incx, CUBLAS_T *C,
                        CUBLAS_I ldc)
{
    return DO(check_side(mode) && m >= 0 && n >= 0 && check_ld(lda, m) &&
                  check_ld(ldc, m),
              m == 0 || n == 0, cublas_dgmm,
              .is_right = mode == CUBLAS_SIDE_RIGHT, .m = m, .n = n,
              .a = MATRIX(A, lda), .x = MATRIX(x, incx), .c = MATRIX(C, ldc));
}

#undef MATRIX
#undef BATCH
#undef ARRAY
#undef VECTOR
#undef DO
#undef LEVEL1
#undef TRIANGLE
#undef TRIANGLE_OK
#undef UPPER
#undef SCALARS
