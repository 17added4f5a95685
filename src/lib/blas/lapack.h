/* SPDX-License-Identifier: Apache-2.0 */
/* The LAPACK that is part of OpenBLAS; blas.h says how it is called. Workspaces
 * are the caller's. */
#ifndef WEFT_LIB_LAPACK_H
#define WEFT_LIB_LAPACK_H

#include "lib/blas/blas.h"

#define K blas_char
#define I blas_int
#define P blas_ptr
#define R blas_ptr
#define L unsigned long
struct lapack {
#define LAPACK_ALIKE(member, arguments)                 void(*member) arguments;
#define LAPACK_DIFFERENT(member, s, d, c, z, arguments) void(*member) arguments;
#include "lib/blas/lapack.def"
#undef LAPACK_ALIKE
#undef LAPACK_DIFFERENT
};
#undef K
#undef I
#undef P
#undef R
#undef L

/* By enum blas_type; NULL where a type has no such routine. */
extern const struct lapack weft_blas_lapack[4];

#endif
