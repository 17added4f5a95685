/* SPDX-License-Identifier: Apache-2.0 */
/* cuSOLVER: sparse factors in steps, on the host and on the device.
 *
 * Threads, errors, owners and units are as cusolverSp.h says. */
#ifndef WEFT_CUSOLVERSP_LOWLEVEL_PREVIEW_H
#define WEFT_CUSOLVERSP_LOWLEVEL_PREVIEW_H

#define CUSOLVERSP_LOWLEVEL_PREVIEW_H_

#include "cusolverSp.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct csrluInfoHost *csrluInfoHost_t;
typedef struct csrqrInfoHost *csrqrInfoHost_t;
typedef struct csrcholInfoHost *csrcholInfoHost_t;
typedef struct csrcholInfo *csrcholInfo_t;

cusolverStatus_t CUSOLVERAPI
cusolverSpCreateCsrluInfoHost(csrluInfoHost_t *info);
cusolverStatus_t CUSOLVERAPI
cusolverSpDestroyCsrluInfoHost(csrluInfoHost_t info);
cusolverStatus_t CUSOLVERAPI
cusolverSpCreateCsrqrInfoHost(csrqrInfoHost_t *info);
cusolverStatus_t CUSOLVERAPI
cusolverSpDestroyCsrqrInfoHost(csrqrInfoHost_t info);
cusolverStatus_t CUSOLVERAPI
cusolverSpCreateCsrcholInfoHost(csrcholInfoHost_t *info);
cusolverStatus_t CUSOLVERAPI
cusolverSpDestroyCsrcholInfoHost(csrcholInfoHost_t info);
cusolverStatus_t CUSOLVERAPI cusolverSpCreateCsrcholInfo(csrcholInfo_t *info);
cusolverStatus_t CUSOLVERAPI cusolverSpDestroyCsrcholInfo(csrcholInfo_t info);
cusolverStatus_t CUSOLVERAPI cusolverSpXcsrluAnalysisHost(
    cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA,
    const int *csrRowPtrA, const int *csrColIndA, csrluInfoHost_t info);
cusolverStatus_t CUSOLVERAPI cusolverSpXcsrluNnzHost(cusolverSpHandle_t handle,
                                                     int *nnzLRef, int *nnzURef,
                                                     csrluInfoHost_t info);
cusolverStatus_t CUSOLVERAPI cusolverSpXcsrqrAnalysisHost(
    cusolverSpHandle_t handle, int m, int n, int nnzA,
    const cusparseMatDescr_t descrA, const int *csrRowPtrA,
    const int *csrColIndA, csrqrInfoHost_t info);
cusolverStatus_t CUSOLVERAPI
cusolverSpXcsrqrAnalysis(cusolverSpHandle_t handle, int m, int n, int nnzA,
                         const cusparseMatDescr_t descrA, const int *csrRowPtrA,
                         const int *csrColIndA, csrqrInfo_t info);
cusolverStatus_t CUSOLVERAPI cusolverSpXcsrcholAnalysisHost(
    cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA,
    const int *csrRowPtrA, const int *csrColIndA, csrcholInfoHost_t info);
cusolverStatus_t CUSOLVERAPI cusolverSpXcsrcholAnalysis(
    cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA,
    const int *csrRowPtrA, const int *csrColIndA, csrcholInfo_t info);

#define CUSOLVER_ROWS "weft/cusolver_preview.def"
#include "weft/cusolver_types.h"
#undef CUSOLVER_ROWS

#ifdef __cplusplus
}
#endif

#endif
