/* SPDX-License-Identifier: Apache-2.0 */
/* cuFFT under FFTW's names. Arrays may be anywhere: host memory is device
 * memory. Sizes and strides count elements. A plan is the caller's until
 * fftw_destroy_plan, and NULL if it cannot be made; what is executed has ended
 * on return. One thread at a time for each plan. */
#ifndef _CUFFTW_H_
#define _CUFFTW_H_

#include <stddef.h>
#include <stdio.h>

#include "cufft.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FFTW_FORWARD  -1
#define FFTW_INVERSE  1
#define FFTW_BACKWARD 1

/* All planner flags make the same plan, and no plan destroys its input. */
#define FFTW_ESTIMATE       0x01
#define FFTW_MEASURE        0x02
#define FFTW_PATIENT        0x03
#define FFTW_EXHAUSTIVE     0x04
#define FFTW_WISDOM_ONLY    0x05
#define FFTW_DESTROY_INPUT  0x08
#define FFTW_PRESERVE_INPUT 0x0C
#define FFTW_UNALIGNED      0x10

#if !defined(FFTW_NO_Complex) && defined(_Complex_I) && defined(complex)
typedef double _Complex fftw_complex;
typedef float _Complex fftwf_complex;
#else
typedef double fftw_complex[2];
typedef float fftwf_complex[2];
#endif

typedef void *fftw_plan;
typedef void *fftwf_plan;

typedef struct {
    int n;
    int is;
    int os;
} fftw_iodim;
typedef fftw_iodim fftwf_iodim;

typedef struct {
    ptrdiff_t n;
    ptrdiff_t is;
    ptrdiff_t os;
} fftw_iodim64;
typedef fftw_iodim64 fftwf_iodim64;

/* The functions of one precision. X(name) is a function's full name, P the
 * plan's type, R and C the real and the complex type. */
#define WEFT_FFTW_API(X, P, R, C)                                              \
    P CUFFTAPI X(plan_dft_1d)(int n, C *in, C *out, int sign, unsigned flags); \
    P CUFFTAPI X(plan_dft_2d)(int n0, int n1, C *in, C *out, int sign,         \
                              unsigned flags);                                 \
    P CUFFTAPI X(plan_dft_3d)(int n0, int n1, int n2, C *in, C *out, int sign, \
                              unsigned flags);                                 \
    P CUFFTAPI X(plan_dft)(int rank, const int *n, C *in, C *out, int sign,    \
                           unsigned flags);                                    \
    P CUFFTAPI X(plan_dft_r2c_1d)(int n, R *in, C *out, unsigned flags);       \
    P CUFFTAPI X(plan_dft_r2c_2d)(int n0, int n1, R *in, C *out,               \
                                  unsigned flags);                             \
    P CUFFTAPI X(plan_dft_r2c_3d)(int n0, int n1, int n2, R *in, C *out,       \
                                  unsigned flags);                             \
    P CUFFTAPI X(plan_dft_r2c)(int rank, const int *n, R *in, C *out,          \
                               unsigned flags);                                \
    P CUFFTAPI X(plan_dft_c2r_1d)(int n, C *in, R *out, unsigned flags);       \
    P CUFFTAPI X(plan_dft_c2r_2d)(int n0, int n1, C *in, R *out,               \
                                  unsigned flags);                             \
    P CUFFTAPI X(plan_dft_c2r_3d)(int n0, int n1, int n2, C *in, R *out,       \
                                  unsigned flags);                             \
    P CUFFTAPI X(plan_dft_c2r)(int rank, const int *n, C *in, R *out,          \
                               unsigned flags);                                \
    P CUFFTAPI X(plan_many_dft)(int rank, const int *n, int batch, C *in,      \
                                const int *inembed, int istride, int idist,    \
                                C *out, const int *onembed, int ostride,       \
                                int odist, int sign, unsigned flags);          \
    P CUFFTAPI X(plan_many_dft_r2c)(                                           \
        int rank, const int *n, int batch, R *in, const int *inembed,          \
        int istride, int idist, C *out, const int *onembed, int ostride,       \
        int odist, unsigned flags);                                            \
    P CUFFTAPI X(plan_many_dft_c2r)(                                           \
        int rank, const int *n, int batch, C *in, const int *inembed,          \
        int istride, int idist, R *out, const int *onembed, int ostride,       \
        int odist, unsigned flags);                                            \
    P CUFFTAPI X(plan_guru_dft)(int rank, const fftw_iodim *dims,              \
                                int batch_rank, const fftw_iodim *batch_dims,  \
                                C *in, C *out, int sign, unsigned flags);      \
    P CUFFTAPI X(plan_guru_dft_r2c)(                                           \
        int rank, const fftw_iodim *dims, int batch_rank,                      \
        const fftw_iodim *batch_dims, R *in, C *out, unsigned flags);          \
    P CUFFTAPI X(plan_guru_dft_c2r)(                                           \
        int rank, const fftw_iodim *dims, int batch_rank,                      \
        const fftw_iodim *batch_dims, C *in, R *out, unsigned flags);          \
    P CUFFTAPI X(plan_guru64_dft)(                                             \
        int rank, const fftw_iodim64 *dims, int batch_rank,                    \
        const fftw_iodim64 *batch_dims, C *in, C *out, int sign,               \
        unsigned flags);                                                       \
    P CUFFTAPI X(plan_guru64_dft_r2c)(                                         \
        int rank, const fftw_iodim64 *dims, int batch_rank,                    \
        const fftw_iodim64 *batch_dims, R *in, C *out, unsigned flags);        \
    P CUFFTAPI X(plan_guru64_dft_c2r)(                                         \
        int rank, const fftw_iodim64 *dims, int batch_rank,                    \
        const fftw_iodim64 *batch_dims, C *in, R *out, unsigned flags);        \
    void CUFFTAPI X(execute)(const P plan);                                    \
    void CUFFTAPI X(execute_dft)(const P plan, C * idata, C * odata);          \
    void CUFFTAPI X(execute_dft_r2c)(const P plan, R *idata, C *odata);        \
    void CUFFTAPI X(execute_dft_c2r)(const P plan, C *idata, R *odata);        \
    void *CUFFTAPI X(malloc)(size_t n);                                        \
    void CUFFTAPI X(free)(void *pointer);                                      \
    void CUFFTAPI X(export_wisdom_to_file)(FILE * output_file);                \
    int CUFFTAPI X(import_wisdom_from_file)(FILE * input_file);                \
    void CUFFTAPI X(print_plan)(const P plan);                                 \
    void CUFFTAPI X(set_timelimit)(double seconds);                            \
    double CUFFTAPI X(cost)(const P plan);                                     \
    void CUFFTAPI X(flops)(const P plan, double *add, double *mul,             \
                           double *fma);                                       \
    void CUFFTAPI X(destroy_plan)(P plan);                                     \
    void CUFFTAPI X(cleanup)(void);

#define WEFT_FFTW_DOUBLE(name) fftw_##name
#define WEFT_FFTW_FLOAT(name)  fftwf_##name
WEFT_FFTW_API(WEFT_FFTW_DOUBLE, fftw_plan, double, fftw_complex)
WEFT_FFTW_API(WEFT_FFTW_FLOAT, fftwf_plan, float, fftwf_complex)
#undef WEFT_FFTW_API
#undef WEFT_FFTW_DOUBLE
#undef WEFT_FFTW_FLOAT

#ifdef __cplusplus
}
#endif

#endif
