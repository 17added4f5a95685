/* SPDX-License-Identifier: Apache-2.0 */
/* doors_typed.h, once for each of the four types; see there. No guard. */
#define CUBLAS_T float
#define TYPE BLAS_S
#define ELEMENT CUDA_R_32F
#define REAL CUDA_R_32F
#define CUBLAS_R float
#define CUBLAS_IS_COMPLEX 0
#define CUBLAS_S(name) cublasS##name
#define CUBLAS_RES(name) cublasS##name
#define CUBLAS_IDX(name) cublasIs##name
#include "lib/cublas/doors_typed.h"
#undef CUBLAS_T
#undef TYPE
#undef ELEMENT
#undef REAL
#undef CUBLAS_R
#undef CUBLAS_S
#undef CUBLAS_RES
#undef CUBLAS_IDX

#define CUBLAS_T double
#define TYPE BLAS_D
#define ELEMENT CUDA_R_64F
#define REAL CUDA_R_64F
#define CUBLAS_R double
#define CUBLAS_S(name) cublasD##name
#define CUBLAS_RES(name) cublasD##name
#define CUBLAS_IDX(name) cublasId##name
#include "lib/cublas/doors_typed.h"
#undef CUBLAS_T
#undef TYPE
#undef ELEMENT
#undef REAL
#undef CUBLAS_R
#undef CUBLAS_IS_COMPLEX
#undef CUBLAS_S
#undef CUBLAS_RES
#undef CUBLAS_IDX

#define CUBLAS_T cuComplex
#define TYPE BLAS_C
#define ELEMENT CUDA_C_32F
#define REAL CUDA_R_32F
#define CUBLAS_R float
#define CUBLAS_IS_COMPLEX 1
#define CUBLAS_S(name) cublasC##name
#define CUBLAS_RES(name) cublasSc##name
#define CUBLAS_BY(name) cublasCs##name
#define CUBLAS_IDX(name) cublasIc##name
#include "lib/cublas/doors_typed.h"
#undef CUBLAS_T
#undef TYPE
#undef ELEMENT
#undef REAL
#undef CUBLAS_R
#undef CUBLAS_S
#undef CUBLAS_RES
#undef CUBLAS_BY
#undef CUBLAS_IDX

#define CUBLAS_T cuDoubleComplex
#define TYPE BLAS_Z
#define ELEMENT CUDA_C_64F
#define REAL CUDA_R_64F
#define CUBLAS_R double
#define CUBLAS_S(name) cublasZ##name
#define CUBLAS_RES(name) cublasDz##name
#define CUBLAS_BY(name) cublasZd##name
#define CUBLAS_IDX(name) cublasIz##name
#include "lib/cublas/doors_typed.h"
#undef CUBLAS_T
#undef TYPE
#undef ELEMENT
#undef REAL
#undef CUBLAS_R
#undef CUBLAS_IS_COMPLEX
#undef CUBLAS_S
#undef CUBLAS_RES
#undef CUBLAS_BY
#undef CUBLAS_IDX
