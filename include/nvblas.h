/* SPDX-License-Identifier: Apache-2.0 */
/* Level 3 of BLAS by Fortran's names, over cublasXt: all arguments are
 * pointers, matrices are the host's, the caller's, and stored by columns.
 * Results are there on return. A call that is refused adds a line to the log
 * (NVBLAS_LOGFILE) and writes nothing else. NVBLAS library documentation. */
#ifndef NVBLAS_H_
#define NVBLAS_H_

#include "cuComplex.h"
#include "driver_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NVBLAS(name, parameters)                                               \
    void name##_ parameters;                                                   \
    void name parameters;
#include "weft/nvblas.def"
#undef NVBLAS

#ifdef __cplusplus
}
#endif

#endif
