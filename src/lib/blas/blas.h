/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OpenBLAS for the CUDA libraries, in libweft-blas.so: the serial build with
 * hidden symbols, so that it and a program's own BLAS never meet, and with work
 * buffers of ours (memory.c). Any number of threads may call at once; a call
 * runs on its thread alone and takes some kilobytes of its stack. A routine
 * with wrong arguments does nothing, and says so only in LAPACK's info.
 *
 * In this folder, unless a comment says otherwise:
 *   threads  any thread may call; a call runs on its thread alone
 *   errors   LAPACK's info; a wrong argument of BLAS's does nothing
 *   owners   matrices, vectors and workspaces are the caller's
 *   units    sizes, strides and leading dimensions are elements
 */
#ifndef WEFT_LIB_BLAS_H
#define WEFT_LIB_BLAS_H

#include <stdbool.h>
#include <stddef.h>

enum blas_type { BLAS_S, BLAS_D, BLAS_C, BLAS_Z };

/* One of four constants, by an element's C type. */
#define BLAS_OF(element, s, d, c, z)                                           \
    _Generic(*(element *)0, float                                              \
             : s, double                                                       \
             : d, cuComplex                                                    \
             : c, cuDoubleComplex                                              \
             : z)
#define BLAS_TYPE_OF(element) BLAS_OF(element, BLAS_S, BLAS_D, BLAS_C, BLAS_Z)

/* Bytes of an element. */
static inline size_t blas_bytes(enum blas_type type)
{
    return type == BLAS_S ? 4 : type == BLAS_Z ? 16 : 8;
}
static inline bool blas_is_complex(enum blas_type type)
{
    return type >= BLAS_C;
}

/* Fortran's convention; see blas.def. */
typedef const char *blas_char;
typedef const int *blas_int;
typedef void *blas_ptr; /* elements; read only where BLAS only reads them */

#define K blas_char
#define I blas_int
#define P blas_ptr
struct blas {
#define BLAS_ALIKE(member, arguments)                 void(*member) arguments;
#define BLAS_DIFFERENT(member, s, d, c, z, arguments) void(*member) arguments;
#include "lib/blas/blas.def"
#undef BLAS_ALIKE
#undef BLAS_DIFFERENT
};
#undef K
#undef I
#undef P

extern const struct blas weft_blas[4]; /* by enum blas_type */

#endif
