/* SPDX-License-Identifier: Apache-2.0 */
/* cuBLAS, first version: no handles, letters instead of enumerations, scalars
 * by value. The routines are rows of weft/cublas_legacy.def. Results of scalar
 * functions are returned when they are ready; other routines work in the
 * stream that was set. Errors are kept for cublasGetError().
 *
 * Threads, owners and units are as cublas_api.h says; here the process has one
 * state, which calls change. */
#ifndef WEFT_CUBLAS_H
#define WEFT_CUBLAS_H
#define CUBLAS_H_

#ifdef WEFT_CUBLAS_V2_H
#error "cublas.h and cublas_v2.h cannot go together: include one of them"
#endif

#include "cublas_api.h"
#include "cuda_runtime.h"

#define cublasStatus cublasStatus_t

#ifdef __cplusplus
extern "C" {
#endif

cublasStatus cublasInit(void);
cublasStatus cublasShutdown(void);
/* The latest error since the last call of this function; CUBLAS_STATUS_SUCCESS
 * if there was none. */
cublasStatus cublasGetError(void);
cublasStatus cublasGetVersion(int *version);
cublasStatus cublasAlloc(int n, int elemSize, void **devicePtr);
cublasStatus cublasFree(void *devicePtr);
cublasStatus cublasSetKernelStream(cudaStream_t stream);

#define LEGACY(name, parameters, arguments)          void name parameters;
#define LEGACY_OF(type, name, parameters, arguments) type name parameters;
#define CUBLAS_ROWS                                  "weft/cublas_legacy.def"
#include "weft/cublas_types.h"
#undef CUBLAS_ROWS
#undef LEGACY
#undef LEGACY_OF

#ifdef __cplusplus
}
#endif

#endif
