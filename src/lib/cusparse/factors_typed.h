/* SPDX-License-Identifier: Apache-2.0 */
/* The doors for the type T. No guard: factors.c includes this four times. */

/* What each door has of the matrix: CSR, and blocks. */
#define CSR_ARGS                                                               \
    cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA
#define CSR_MATRIX(policy)                                                     \
    (&(struct matrix){descrA, val, ptr, ind, m, nnz, 1,                        \
                      CUSPARSE_DIRECTION_ROW, policy})
#define BSR_ARGS                                                               \
    cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb,       \
        const cusparseMatDescr_t descrA
#define BSR_MATRIX(policy)                                                     \
    (&(struct matrix){descrA, val, ptr, ind, mb, nnzb, blockDim, dirA, policy})
#define NO_POLICY CUSPARSE_SOLVE_POLICY_NO_LEVEL
#define INFO_OF(info) ((info) ? &(info)->i : NULL)

/* ANALYSED: the values are const in all _analysis but one. */
#define FACTOR(name, kernel, ARGS, MATRIX, DIM, ANALYSED)                      \
    cusparseStatus_t NAME(name##_bufferSize)(ARGS, T * val, const int *ptr,    \
                                             const int *ind DIM,               \
                                             name##Info_t info, int *bytes)    \
    {                                                                          \
        return CUSPARSE_END(ask_bytes(handle, TYPE, MATRIX(NO_POLICY),         \
                                      INFO_OF(info), bytes, NULL));            \
    }                                                                          \
    cusparseStatus_t NAME(name##_bufferSizeExt)(                               \
        ARGS, T * val, const int *ptr, const int *ind DIM, name##Info_t info,  \
        size_t *bytes)                                                         \
    {                                                                          \
        return CUSPARSE_END(ask_bytes(handle, TYPE, MATRIX(NO_POLICY),         \
                                      INFO_OF(info), NULL, bytes));            \
    }                                                                          \
    cusparseStatus_t NAME(name##_analysis)(                                    \
        ARGS, ANALYSED T * val, const int *ptr, const int *ind DIM,            \
        name##Info_t info, cusparseSolvePolicy_t policy, void *pBuffer)        \
    {                                                                          \
        return CUSPARSE_END(analyse_levels(handle, TYPE, MATRIX(policy),       \
                                           INFO_OF(info), pBuffer, true));     \
    }                                                                          \
    cusparseStatus_t NAME(name)(ARGS, T * val, const int *ptr,                 \
                                const int *ind DIM, name##Info_t info,         \
                                cusparseSolvePolicy_t policy, void *pBuffer)   \
    {                                                                          \
        (void)pBuffer;                                                         \
        return CUSPARSE_END(                                                   \
            run_factor(handle, kernel, TYPE, MATRIX(policy), INFO_OF(info)));  \
    }
#define NO_DIM
#define BLOCK_DIM , int blockDim
FACTOR(csrilu02, KERNEL_ilu, CSR_ARGS, CSR_MATRIX, NO_DIM, const)
FACTOR(csric02, KERNEL_chol, CSR_ARGS, CSR_MATRIX, NO_DIM, const)
FACTOR(bsrilu02, KERNEL_ilu, BSR_ARGS, BSR_MATRIX, BLOCK_DIM, )
FACTOR(bsric02, KERNEL_chol, BSR_ARGS, BSR_MATRIX, BLOCK_DIM, const)
#undef FACTOR

#define BOOST(name)                                                            \
    cusparseStatus_t NAME(name##_numericBoost)(                                \
        cusparseHandle_t handle, name##Info_t info, int enable_boost,          \
        double *tol, T *boost_val)                                             \
    {                                                                          \
        return CUSPARSE_END(set_boost(handle, TYPE, INFO_OF(info),             \
                                      enable_boost, tol, boost_val));          \
    }
BOOST(csrilu02)
BOOST(bsrilu02)
#undef BOOST

/* ---- triangles in blocks ---------------------------------------------- */

#define SOLVER(name, ARGS)                                                     \
    cusparseStatus_t NAME(name##_bufferSize)(ARGS, T * val, const int *ptr,    \
                                             const int *ind, int blockDim,     \
                                             name##Info_t info, int *bytes)    \
    {                                                                          \
        UNUSED;                                                                \
        return CUSPARSE_END(ask_bytes(handle, TYPE, BSR_MATRIX(NO_POLICY),     \
                                      INFO_OF(info), bytes, NULL));            \
    }                                                                          \
    cusparseStatus_t NAME(name##_bufferSizeExt)(                               \
        ARGS, T * val, const int *ptr, const int *ind, int blockDim,           \
        name##Info_t info, size_t *bytes)                                      \
    {                                                                          \
        UNUSED;                                                                \
        return CUSPARSE_END(ask_bytes(handle, TYPE, BSR_MATRIX(NO_POLICY),     \
                                      INFO_OF(info), NULL, bytes));            \
    }                                                                          \
    cusparseStatus_t NAME(name##_analysis)(                                    \
        ARGS, const T *val, const int *ptr, const int *ind, int blockDim,      \
        name##Info_t info, cusparseSolvePolicy_t policy, void *pBuffer)        \
    {                                                                          \
        UNUSED;                                                                \
        const struct matrix *a = BSR_MATRIX(policy);                           \
        struct info *checked = IS_VALID ? INFO_OF(info) : NULL;                \
        return CUSPARSE_END(                                                   \
            analyse_levels(handle, TYPE, a, checked, pBuffer, false));         \
    }
#define BSRSV2_ARGS                                                            \
    cusparseHandle_t handle, cusparseDirection_t dirA,                         \
        cusparseOperation_t transA, int mb, int nnzb,                          \
        const cusparseMatDescr_t descrA
#define UNUSED (void)transA
#define IS_VALID true
SOLVER(bsrsv2, BSRSV2_ARGS)
#undef UNUSED
#undef IS_VALID
#define BSRSM2_ARGS                                                            \
    cusparseHandle_t handle, cusparseDirection_t dirA,                         \
        cusparseOperation_t transA, cusparseOperation_t transXY, int mb,       \
        int n, int nnzb, const cusparseMatDescr_t descrA
#define UNUSED (void)transA, (void)transXY, (void)n
#define IS_VALID (check_op(transA) && check_op(transXY))
SOLVER(bsrsm2, BSRSM2_ARGS)
#undef UNUSED
#undef IS_VALID
#undef SOLVER

cusparseStatus_t
NAME(bsrsv2_solve)(cusparseHandle_t handle, cusparseDirection_t dirA,
                   cusparseOperation_t transA, int mb, int nnzb, const T *alpha,
                   const cusparseMatDescr_t descrA, const T *val,
                   const int *ptr, const int *ind, int blockDim,
                   bsrsv2Info_t info, const T *f, T *x,
                   cusparseSolvePolicy_t policy, void *pBuffer)
{
    int64_t rows = (int64_t)mb * blockDim;
    struct work w = {.x = right_side(TYPE, f, rows, 1, rows, 0),
                     .y = right_side(TYPE, x, rows, 1, rows, 0)};
    (void)pBuffer;
    return CUSPARSE_END(solve_triangle(handle, TYPE, transA, alpha,
                                       BSR_MATRIX(policy), INFO_OF(info), &w));
}

cusparseStatus_t NAME(bsrsm2_solve)(
    cusparseHandle_t handle, cusparseDirection_t dirA,
    cusparseOperation_t transA, cusparseOperation_t transXY, int mb, int n,
    int nnzb, const T *alpha, const cusparseMatDescr_t descrA, const T *val,
    const int *ptr, const int *ind, int blockDim, bsrsm2Info_t info, const T *B,
    int ldb, T *X, int ldx, cusparseSolvePolicy_t policy, void *pBuffer)
{
    int64_t rows = (int64_t)mb * blockDim;
    int64_t least = transXY == CUSPARSE_OPERATION_NON_TRANSPOSE ? rows : n;
    struct work w = {.x = right_side(TYPE, B, rows, n, ldb, transXY),
                     .y = right_side(TYPE, X, rows, n, ldx, transXY)};
    (void)pBuffer;
    if (!check_op(transXY) || ldb < least || ldx < least)
        w.x.at = NULL; /* INVALID_VALUE, behind the handle's */
    return CUSPARSE_END(solve_triangle(handle, TYPE, transA, alpha,
                                       BSR_MATRIX(policy), INFO_OF(info), &w));
}

#undef CSR_ARGS
#undef CSR_MATRIX
#undef BSR_ARGS
#undef BSR_MATRIX
#undef BSRSV2_ARGS
#undef BSRSM2_ARGS
#undef NO_DIM
#undef NO_POLICY
#undef BLOCK_DIM
#undef INFO_OF
