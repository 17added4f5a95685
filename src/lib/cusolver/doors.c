/* SPDX-License-Identifier: Apache-2.0 */
/* Defines the functions of doors_typed.h: sizes of int, four types each. */
#include "internal.h"

/* The bufferSize functions use few of their arguments. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define TYPE BLAS_TYPE_OF(CUSOLVER_T)

#define DO(valid, batch, ...)                                                  \
    solver_do(handle, valid, batch, &(struct job){.type = TYPE, __VA_ARGS__})
#define UPLO .uplo = fill_letter(uplo)
#define SIDE .side = side == CUBLAS_SIDE_RIGHT ? 'R' : 'L'
#define OP   .op = "NTC"[trans]
#define JOBZ .jobz = job_letter(jobz)

static bool is_side(cublasSideMode_t side)
{
    return side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT;
}

static bool is_itype(cusolverEigType_t itype)
{
    return itype >= CUSOLVER_EIG_TYPE_1 && itype <= CUSOLVER_EIG_TYPE_3;
}

/* The memory for singular vectors, if they are asked for. */
static bool check_vectors(char job, const void *at, int64_t ld, int64_t rows)
{
    return job == 'N' || job == 'O' || (check_ld(ld, rows) && (at || !rows));
}

/* The memory for U and V of the Jacobi functions. */
static bool check_jacobi(cusolverEigMode_t jobz, int m, int n, const void *u,
                         int ldu, const void *v, int ldv)
{
    char job = jobz == CUSOLVER_EIG_MODE_VECTOR ? 'A' : 'N';
    return check_jobz(jobz) && check_vectors(job, u, ldu, m) &&
           check_vectors(job, v, ldv, n);
}

#define CUSOLVER_ROWS "lib/cusolver/doors_typed.h"
#include "weft/cusolver_types.h"
