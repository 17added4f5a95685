/* SPDX-License-Identifier: Apache-2.0 */
/* The file CUBLAS_ROWS, such as weft/cublas.def, once for each of the four
 * types. No guard: cublas_api.h includes this for both widths of integers. */
#define CUBLAS_T float
#define CUBLAS_R float
#define CUBLAS_IS_COMPLEX 0
#define CUBLAS_S(name) cublasS##name
#define CUBLAS_XT(name) cublasXtS##name
#define CUBLAS_RES(name) cublasS##name
#define CUBLAS_IDX(name) cublasIs##name
#include CUBLAS_ROWS
#undef CUBLAS_T
#undef CUBLAS_R
#undef CUBLAS_S
#undef CUBLAS_XT
#undef CUBLAS_RES
#undef CUBLAS_IDX

#define CUBLAS_T double
#define CUBLAS_R double
#define CUBLAS_S(name) cublasD##name
#define CUBLAS_XT(name) cublasXtD##name
#define CUBLAS_RES(name) cublasD##name
#define CUBLAS_IDX(name) cublasId##name
#include CUBLAS_ROWS
#undef CUBLAS_T
#undef CUBLAS_R
#undef CUBLAS_IS_COMPLEX
#undef CUBLAS_S
#undef CUBLAS_XT
#undef CUBLAS_RES
#undef CUBLAS_IDX

#define CUBLAS_T cuComplex
#define CUBLAS_R float
#define CUBLAS_IS_COMPLEX 1
#define CUBLAS_S(name) cublasC##name
#define CUBLAS_XT(name) cublasXtC##name
#define CUBLAS_RES(name) cublasSc##name
#define CUBLAS_BY(name) cublasCs##name
#define CUBLAS_IDX(name) cublasIc##name
#include CUBLAS_ROWS
#undef CUBLAS_T
#undef CUBLAS_R
#undef CUBLAS_S
#undef CUBLAS_XT
#undef CUBLAS_RES
#undef CUBLAS_BY
#undef CUBLAS_IDX

#define CUBLAS_T cuDoubleComplex
#define CUBLAS_R double
#define CUBLAS_S(name) cublasZ##name
#define CUBLAS_XT(name) cublasXtZ##name
#define CUBLAS_RES(name) cublasDz##name
#define CUBLAS_BY(name) cublasZd##name
#define CUBLAS_IDX(name) cublasIz##name
#include CUBLAS_ROWS
#undef CUBLAS_T
#undef CUBLAS_R
#undef CUBLAS_IS_COMPLEX
#undef CUBLAS_S
#undef CUBLAS_XT
#undef CUBLAS_RES
#undef CUBLAS_BY
#undef CUBLAS_IDX
