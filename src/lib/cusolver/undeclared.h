/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that NVIDIA's library exports, that no header of theirs declares,
 * and that programs (HiOp, ReSolve, VertexCFD, CUSOLVERRF.jl) declare
 * themselves: csrlu's factors as one matrix M = L + U without L's diagonal of
 * ones; and GLU, which computes M for other values on the device and refines
 * solutions by it.
 *
 * P and Q begin at 0: row i of M comes from row P[i] of A, column j from column
 * Q[j]. Arguments h_... are the host's, d_... the device's. Any thread may
 * call, but an info is one call's at a time. Statuses are those of cusolverSp.
 */
#ifndef WEFT_CUSOLVER_UNDECLARED_H
#define WEFT_CUSOLVER_UNDECLARED_H

#pragma GCC visibility push(default)
#include "cusolverSp.h"
#include "cusolverSp_LOWLEVEL_PREVIEW.h"

/* Called before the analysis. Columns: 0 stay in order, 1 are reordered. */
cusolverStatus_t CUSOLVERAPI cusolverSpXcsrluConfigHost(csrluInfoHost_t info,
                                                        int reorder);
/* The number of M's entries. */
cusolverStatus_t CUSOLVERAPI cusolverSpXcsrluNnzMHost(cusolverSpHandle_t handle,
                                                      int *nnzMRef,
                                                      csrluInfoHost_t info);
#define JOINED(s, T, R)                                                        \
    /* P, Q and M; csrValM may be NULL. */                                     \
    cusolverStatus_t CUSOLVERAPI cusolverSp##s##csrluExtractMHost(             \
        cusolverSpHandle_t handle, int *P, int *Q,                             \
        const cusparseMatDescr_t descrM, T *csrValM, int *csrRowPtrM,          \
        int *csrColIndM, csrluInfoHost_t info, void *pBuffer);                 \
    /* Magnitudes: the largest and smallest pivot, the largest of L. */        \
    cusolverStatus_t CUSOLVERAPI cusolverSp##s##csrlucondHost(                 \
        csrluInfoHost_t info, R *maxDiagU, R *minDiagU, R *maxL);
JOINED(S, float, float)
JOINED(D, double, double)
JOINED(C, cuComplex, float)
JOINED(Z, cuDoubleComplex, double)
#undef JOINED

typedef struct csrgluInfo *csrgluInfo_t;
/* In this order: Setup with the patterns of A and M, Analysis, Reset with A's
 * values, Factor, Solve; then Reset again for other values. The program
 * destroys the info; workspaces are not used. */
cusolverStatus_t CUSOLVERAPI cusolverSpCreateGluInfo(csrgluInfo_t *info);
cusolverStatus_t CUSOLVERAPI cusolverSpDestroyGluInfo(csrgluInfo_t info);
cusolverStatus_t CUSOLVERAPI cusolverSpDgluSetup(
    cusolverSpHandle_t handle, int m, int nnzA, const cusparseMatDescr_t descrA,
    const int *h_csrRowPtrA, const int *h_csrColIndA, const int *h_P,
    const int *h_Q, int nnzM, const cusparseMatDescr_t descrM,
    const int *h_csrRowPtrM, const int *h_csrColIndM, csrgluInfo_t info);
cusolverStatus_t CUSOLVERAPI cusolverSpDgluBufferSize(cusolverSpHandle_t handle,
                                                      csrgluInfo_t info,
                                                      size_t *pBufferSize);
cusolverStatus_t CUSOLVERAPI cusolverSpDgluAnalysis(cusolverSpHandle_t handle,
                                                    csrgluInfo_t info,
                                                    void *workspace);
cusolverStatus_t CUSOLVERAPI cusolverSpDgluReset(
    cusolverSpHandle_t handle, int m, int nnzA, const cusparseMatDescr_t descrA,
    const double *d_csrValA, const int *d_csrRowPtrA, const int *d_csrColIndA,
    csrgluInfo_t info);
cusolverStatus_t CUSOLVERAPI cusolverSpDgluFactor(cusolverSpHandle_t handle,
                                                  csrgluInfo_t info,
                                                  void *workspace);
/* Solves A x = b. To the host: ite_refine_succ, is |b - A x| as small as
 * rounding allows; r_nrminf_ptr, its largest element. x may be b. */
cusolverStatus_t CUSOLVERAPI cusolverSpDgluSolve(
    cusolverSpHandle_t handle, int m, int nnzA, const cusparseMatDescr_t descrA,
    const double *d_csrValA, const int *d_csrRowPtrA, const int *d_csrColIndA,
    const double *d_b0, double *d_x, int *ite_refine_succ, double *r_nrminf_ptr,
    csrgluInfo_t info, void *workspace);
/* The largest |x_i|, to the host. d_work is not used (NVIDIA's wants 8192
 * bytes). */
cusolverStatus_t CUSOLVERAPI cusolverSpDnrminf(cusolverSpHandle_t handle, int n,
                                               const double *x, double *result,
                                               void *d_work);
#pragma GCC visibility pop

#endif
