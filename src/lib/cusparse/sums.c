/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of sparse matrices. */
#include "structure.h"

#define WRONG CUSPARSE_STATUS_INVALID_VALUE

cusparseStatus_t cusparseXcsrgeam2Nnz(
    cusparseHandle_t handle, int m, int n, const cusparseMatDescr_t descrA,
    int nnzA, const int *csrSortedRowPtrA, const int *csrSortedColIndA,
    const cusparseMatDescr_t descrB, int nnzB, const int *csrSortedRowPtrB,
    const int *csrSortedColIndB, const cusparseMatDescr_t descrC,
    int *csrSortedRowPtrC, int *nnzTotalDevHostPtr, void *workspace)
{
    (void)workspace;
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (status)
        return CUSPARSE_END(status);
    if (m < 0 || n < 0 || nnzA < 0 || nnzB < 0 || !descrA || !descrB ||
        !descrC || !csrSortedRowPtrA || !csrSortedRowPtrB ||
        !csrSortedRowPtrC || !nnzTotalDevHostPtr)
        return CUSPARSE_END(WRONG);
    struct work w = {.a = cusparse_csr(m, n, nnzA, descrA, CUDA_R_32F, NULL,
                                       csrSortedRowPtrA, csrSortedColIndA),
                     .b = cusparse_csr(m, n, nnzB, descrB, CUDA_R_32F, NULL,
                                       csrSortedRowPtrB, csrSortedColIndB),
                     .c = cusparse_csr(m, n, 0, descrC, CUDA_R_32F, NULL,
                                       csrSortedRowPtrC, NULL),
                     .n = m,
                     .total = {nnzTotalDevHostPtr, false},
                     .pieces = cusparse_pieces(nnzA + nnzB)};
    return CUSPARSE_END(structure_count(handle, &structure_sum, &w));
}

static cusparseStatus_t add_matrices(cusparseHandle_t handle, cudaDataType type,
                                     const void *alpha, const void *beta,
                                     struct work *w)
{
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (status)
        return status;
    if (!alpha || !beta || w->a.majors < 0 || w->a.minors < 0 ||
        w->a.nnz < 0 || w->b.nnz < 0 ||
        !w->a.major.at || !w->b.major.at || !w->c.major.at ||
        (w->a.nnz && (!w->a.values || !w->a.minor.at)) ||
        (w->b.nnz && (!w->b.values || !w->b.minor.at)))
        return WRONG;
    w->alpha = cusparse_scalar(handle, type, alpha);
    w->beta = cusparse_scalar(handle, type, beta);
    w->pieces = cusparse_pieces(w->a.nnz + w->b.nnz);
    return cusparse_launch(handle, KERNEL_geam, type, w->pieces, w);
}

#define TYPED "lib/cusparse/sums_typed.h"
#include "lib/cusparse/each_type.h"
