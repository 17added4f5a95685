/* SPDX-License-Identifier: Apache-2.0 */
/* The file CUSOLVER_ROWS, such as weft/cusolver.def, once for each of the four
 * types. No guard. */
#define CUSOLVER_T float
#define CUSOLVER_R float
#define CUSOLVER_IS_COMPLEX 0
#define CUSOLVER_S(name) cusolverDnS##name
#define CUSOLVER_SP(name) cusolverSpS##name
#define CUSOLVER_SY(name) cusolverDnSsy##name
#define CUSOLVER_OR(name) cusolverDnSor##name
#include CUSOLVER_ROWS
#undef CUSOLVER_T
#undef CUSOLVER_R
#undef CUSOLVER_IS_COMPLEX
#undef CUSOLVER_S
#undef CUSOLVER_SP
#undef CUSOLVER_SY
#undef CUSOLVER_OR

#define CUSOLVER_T double
#define CUSOLVER_R double
#define CUSOLVER_IS_COMPLEX 0
#define CUSOLVER_S(name) cusolverDnD##name
#define CUSOLVER_SP(name) cusolverSpD##name
#define CUSOLVER_SY(name) cusolverDnDsy##name
#define CUSOLVER_OR(name) cusolverDnDor##name
#include CUSOLVER_ROWS
#undef CUSOLVER_T
#undef CUSOLVER_R
#undef CUSOLVER_IS_COMPLEX
#undef CUSOLVER_S
#undef CUSOLVER_SP
#undef CUSOLVER_SY
#undef CUSOLVER_OR

#define CUSOLVER_T cuComplex
#define CUSOLVER_R float
#define CUSOLVER_IS_COMPLEX 1
#define CUSOLVER_S(name) cusolverDnC##name
#define CUSOLVER_SP(name) cusolverSpC##name
#define CUSOLVER_SY(name) cusolverDnChe##name
#define CUSOLVER_OR(name) cusolverDnCun##name
#include CUSOLVER_ROWS
#undef CUSOLVER_T
#undef CUSOLVER_R
#undef CUSOLVER_IS_COMPLEX
#undef CUSOLVER_S
#undef CUSOLVER_SP
#undef CUSOLVER_SY
#undef CUSOLVER_OR

#define CUSOLVER_T cuDoubleComplex
#define CUSOLVER_R double
#define CUSOLVER_IS_COMPLEX 1
#define CUSOLVER_S(name) cusolverDnZ##name
#define CUSOLVER_SP(name) cusolverSpZ##name
#define CUSOLVER_SY(name) cusolverDnZhe##name
#define CUSOLVER_OR(name) cusolverDnZun##name
#include CUSOLVER_ROWS
#undef CUSOLVER_T
#undef CUSOLVER_R
#undef CUSOLVER_IS_COMPLEX
#undef CUSOLVER_S
#undef CUSOLVER_SP
#undef CUSOLVER_SY
#undef CUSOLVER_OR
