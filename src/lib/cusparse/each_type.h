/* SPDX-License-Identifier: Apache-2.0 */
/* Includes TYPED, a header in quotes, for each of the four types: T, its name
 * TYPE, its real part's R, and NAME of a function. No guard. */

#define TYPE       CUDA_R_32F
#define T          float
#define R          float
#define NAME(name) cusparseS##name
#include TYPED
#undef TYPE
#undef T
#undef R
#undef NAME

#define TYPE       CUDA_R_64F
#define T          double
#define R          double
#define NAME(name) cusparseD##name
#include TYPED
#undef TYPE
#undef T
#undef R
#undef NAME

#define TYPE       CUDA_C_32F
#define T          cuComplex
#define R          float
#define NAME(name) cusparseC##name
#include TYPED
#undef TYPE
#undef T
#undef R
#undef NAME

#define TYPE       CUDA_C_64F
#define T          cuDoubleComplex
#define R          double
#define NAME(name) cusparseZ##name
#include TYPED
#undef TYPE
#undef T
#undef R
#undef NAME
