/* SPDX-License-Identifier: Apache-2.0 */
/* cublasXt: products of level 3 on matrices of the host, stored by columns.
 * They are done on return. cuBLAS library documentation, "Using the cublasXt
 * API".
 *
 * Matrices are the caller's, in elements. A handle is the caller's until
 * cublasXtDestroy, and for one thread at a time. */
#ifndef WEFT_CUBLASXT_H
#define WEFT_CUBLASXT_H

#include "cublas_v2.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cublasXtContext;
typedef struct cublasXtContext *cublasXtHandle_t;

typedef enum {
    CUBLASXT_PINNING_DISABLED = 0,
    CUBLASXT_PINNING_ENABLED = 1
} cublasXtPinnedMemMode_t;

typedef enum {
    CUBLASXT_FLOAT = 0,
    CUBLASXT_DOUBLE = 1,
    CUBLASXT_COMPLEX = 2,
    CUBLASXT_DOUBLECOMPLEX = 3
} cublasXtOpType_t;

typedef enum {
    CUBLASXT_GEMM = 0,
    CUBLASXT_SYRK = 1,
    CUBLASXT_HERK = 2,
    CUBLASXT_SYMM = 3,
    CUBLASXT_HEMM = 4,
    CUBLASXT_TRSM = 5,
    CUBLASXT_SYR2K = 6,
    CUBLASXT_HER2K = 7,
    CUBLASXT_SPMM = 8,
    CUBLASXT_SYRKX = 9,
    CUBLASXT_HERKX = 10,
    CUBLASXT_TRMM = 11,
    CUBLASXT_ROUTINE_MAX = 12
} cublasXtBlasOp_t;

cublasStatus_t cublasXtCreate(cublasXtHandle_t *handle);
cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle);
cublasStatus_t cublasXtGetNumBoards(int nbDevices, int deviceId[],
                                    int *nbBoards);
cublasStatus_t cublasXtMaxBoards(int *nbGpuBoards);
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int nbDevices,
                                    int deviceId[]);
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int blockDim);
cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int *blockDim);
cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t handle,
                                         cublasXtPinnedMemMode_t *mode);
cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle,
                                         cublasXtPinnedMemMode_t mode);
/* A part of the work for another library: checked, and changes nothing. */
cublasStatus_t cublasXtSetCpuRoutine(cublasXtHandle_t handle,
                                     cublasXtBlasOp_t blasOp,
                                     cublasXtOpType_t type, void *blasFunctor);
cublasStatus_t cublasXtSetCpuRatio(cublasXtHandle_t handle,
                                   cublasXtBlasOp_t blasOp,
                                   cublasXtOpType_t type, float ratio);

#define CUBLASXT_HANDLE_(...) (cublasXtHandle_t handle, __VA_ARGS__)
#define XT(name, version, parameters, arguments)                               \
    cublasStatus_t CUBLAS_XT(name) CUBLASXT_HANDLE_ parameters;
#define CUBLAS_ROWS "weft/cublasxt.def"
#include "weft/cublas_types.h"
#undef CUBLAS_ROWS
#undef XT
#undef CUBLASXT_HANDLE_

#define CUBLASXT_SPMM_(S, type)                                                \
    cublasStatus_t cublasXt##S##spmm(                                          \
        cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, \
        size_t m, size_t n, const type *alpha, const type *AP, const type *B,  \
        size_t ldb, const type *beta, type *C, size_t ldc);
CUBLASXT_SPMM_(S, float)
CUBLASXT_SPMM_(D, double)
CUBLASXT_SPMM_(C, cuComplex)
CUBLASXT_SPMM_(Z, cuDoubleComplex)
#undef CUBLASXT_SPMM_

#ifdef __cplusplus
}
#endif

#endif
