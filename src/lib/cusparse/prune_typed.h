/* SPDX-License-Identifier: Apache-2.0 */
/* Pruning of the type T: by a threshold, or by a percentage, from dense and
 * from CSR. No guard: filters.c includes this three times. */

/* What each door has of the source. */
#define DENSE_ARGS int m, int n, const T *A, int lda
#define DENSE      (&(struct source){.m = m, .n = n, .a = A, .lda = lda})
#define CSR_ARGS                                                               \
    int m, int n, int nnzA, const cusparseMatDescr_t descrA, const T *val,     \
        const int *ptr, const int *ind
#define CSR                                                                    \
    (&(struct source){.m = m,                                                  \
                      .n = n,                                                  \
                      .nnz = nnzA,                                             \
                      .descr = descrA,                                         \
                      .val = val,                                              \
                      .ptr = ptr,                                              \
                      .ind = ind})

#define PRUNE(name, ARGS, SOURCE)                                              \
    cusparseStatus_t NAME(name##_bufferSizeExt)(                               \
        cusparseHandle_t handle, ARGS, const T *threshold,                     \
        const cusparseMatDescr_t descrC, const T *c_val, const int *c_ptr,     \
        const int *c_ind, size_t *bytes)                                       \
    {                                                                          \
        (void)SOURCE, (void)c_val, (void)c_ptr, (void)c_ind;                   \
        return CUSPARSE_END(eight_bytes(handle, threshold && descrC, bytes));  \
    }                                                                          \
    cusparseStatus_t NAME(name##Nnz)(cusparseHandle_t handle, ARGS,            \
                                     const T *threshold,                       \
                                     const cusparseMatDescr_t descrC,          \
                                     int *c_ptr, int *total, void *pBuffer)    \
    {                                                                          \
        struct result r = {descrC, NULL, c_ptr, NULL};                         \
        (void)pBuffer;                                                         \
        return CUSPARSE_END(                                                   \
            prune_count(handle, TYPE, SOURCE, &r, threshold, total));          \
    }                                                                          \
    cusparseStatus_t NAME(name)(cusparseHandle_t handle, ARGS,                 \
                                const T *threshold,                            \
                                const cusparseMatDescr_t descrC, T *c_val,     \
                                const int *c_ptr, int *c_ind, void *pBuffer)   \
    {                                                                          \
        struct result r = {descrC, c_val, (int *)c_ptr, c_ind};                \
        (void)pBuffer;                                                         \
        return CUSPARSE_END(                                                   \
            prune_entries(handle, TYPE, SOURCE, &r, threshold));               \
    }                                                                          \
    cusparseStatus_t NAME(name##ByPercentage_bufferSizeExt)(                   \
        cusparseHandle_t handle, ARGS, float percentage,                       \
        const cusparseMatDescr_t descrC, const T *c_val, const int *c_ptr,     \
        const int *c_ind, pruneInfo_t info, size_t *bytes)                     \
    {                                                                          \
        (void)SOURCE, (void)c_val, (void)c_ptr, (void)c_ind;                   \
        return CUSPARSE_END(eight_bytes(                                       \
            handle, descrC && info && percentage >= 0 && percentage <= 100,    \
            bytes));                                                           \
    }                                                                          \
    cusparseStatus_t NAME(name##NnzByPercentage)(                              \
        cusparseHandle_t handle, ARGS, float percentage,                       \
        const cusparseMatDescr_t descrC, int *c_ptr, int *total,               \
        pruneInfo_t info, void *pBuffer)                                       \
    {                                                                          \
        struct result r = {descrC, NULL, c_ptr, NULL};                         \
        (void)pBuffer;                                                         \
        return CUSPARSE_END(                                                   \
            share_count(handle, TYPE, SOURCE, &r, percentage, info, total));   \
    }                                                                          \
    cusparseStatus_t NAME(name##ByPercentage)(                                 \
        cusparseHandle_t handle, ARGS, float percentage,                       \
        const cusparseMatDescr_t descrC, T *c_val, const int *c_ptr,           \
        int *c_ind, pruneInfo_t info, void *pBuffer)                           \
    {                                                                          \
        struct result r = {descrC, c_val, (int *)c_ptr, c_ind};                \
        (void)pBuffer;                                                         \
        return CUSPARSE_END(                                                   \
            prune_share(handle, TYPE, SOURCE, &r, percentage, info));          \
    }
PRUNE(pruneDense2csr, DENSE_ARGS, DENSE)
PRUNE(pruneCsr2csr, CSR_ARGS, CSR)
#undef PRUNE
#undef DENSE_ARGS
#undef DENSE
#undef CSR_ARGS
#undef CSR
