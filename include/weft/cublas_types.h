/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of weft/cublas.def that have a type, once for each of the four. No
 * guard: cublas_api.h includes it for both widths of integers. */
#define CUBLAS_T float
#define CUBLAS_R float
#define CUBLAS_IS_COMPLEX 0
#define CUBLAS_S(name) cublasS##name
#define CUBLAS_RES(name) cublasS##name
#define CUBLAS_IDX(name) cublasIs##name
#include "weft/cublas.def"
#undef CUBLAS_T
#undef CUBLAS_R
#undef CUBLAS_S
#undef CUBLAS_RES
#undef CUBLAS_IDX

#define CUBLAS_T double
#define CUBLAS_R double
#define CUBLAS_S(name) cublasD##name
#define CUBLAS_RES(name) cublasD##name
#define CUBLAS_IDX(name) cublasId##name
#include "weft/cublas.def"
#undef CUBLAS_T
#undef CUBLAS_R
#undef CUBLAS_IS_COMPLEX
#undef CUBLAS_S
#undef CUBLAS_RES
#undef CUBLAS_IDX

#define CUBLAS_T cuComplex
#define CUBLAS_R float
#define CUBLAS_IS_COMPLEX 1
#define CUBLAS_S(name) cublasC##name
#define CUBLAS_RES(name) cublasSc##name
#define CUBLAS_BY(name) cublasCs##name
#define CUBLAS_IDX(name) cublasIc##name
#include "weft/cublas.def"
#undef CUBLAS_T
#undef CUBLAS_R
#undef CUBLAS_S
#undef CUBLAS_RES
#undef CUBLAS_BY
#undef CUBLAS_IDX

#define CUBLAS_T cuDoubleComplex
#define CUBLAS_R double
#define CUBLAS_S(name) cublasZ##name
#define CUBLAS_RES(name) cublasDz##name
#define CUBLAS_BY(name) cublasZd##name
#define CUBLAS_IDX(name) cublasIz##name
#include "weft/cublas.def"
#undef CUBLAS_T
#undef CUBLAS_R
#undef CUBLAS_IS_COMPLEX
#undef CUBLAS_S
#undef CUBLAS_RES
#undef CUBLAS_BY
#undef CUBLAS_IDX
