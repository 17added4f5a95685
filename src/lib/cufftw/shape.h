/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arguments of FFTW's planners, in one form for both precisions.
 *
 * In this folder, unless a comment says otherwise:
 *   threads  any thread may call, one at a time for each plan
 *   errors   NULL: there is no such plan, or memory has run out
 *   owners   plans are the caller's; arguments are read at the call
 *   units    sizes, strides and distances are elements
 */
#ifndef WEFT_CUFFTW_SHAPE_H
#define WEFT_CUFFTW_SHAPE_H

#include "cufftw.h"

#include "lib/cufft/handles.h"

/* Distances are in elements of each side. */
struct shape {
    int rank, batch_rank;
    fftw_iodim64 dim[FFT_RANK_MAX], batch;
    enum fft_type type;
    enum fft_real real;
    int sign;
};

struct plan {
    struct handle *handle;
    void *in, *out;
    bool inverse;
};

/* Arguments of the planners called many. embed NULL: as large as the transform,
 * lines padded where reals are transformed in place. */
struct many {
    int rank;
    const int *n, *inembed, *onembed;
    int batch, istride, idist, ostride, odist;
};
/* Both fill the shape; its type, real and sign are set. False: there is no such
 * transform. */
bool shape_of_many(struct shape *s, const struct many *m, bool in_place);
bool shape_of_guru(struct shape *s, int rank, const fftw_iodim64 *dims,
                   int batch_rank, const fftw_iodim64 *batch_dims);
/* dims of ints; to: FFT_RANK_MAX. */
const fftw_iodim64 *shape_widen(int rank, const fftw_iodim *dims,
                                fftw_iodim64 *to);

/* NULL: not possible, or no memory. The caller ends the plan; in and out are
 * the program's. */
struct plan *plan_make(const struct shape *s, void *in, void *out);
/* Transforms and waits. FFTW's functions have no status, so failures are
 * silent. */
void plan_execute(const struct plan *p, void *in, void *out);
/* Waits and frees; p may be NULL. */
void plan_end(struct plan *p);
/* Numbers times the logarithm (base 2) of a transform's length; half of that
 * with reals. */
double plan_operations(const struct plan *p);

#endif
