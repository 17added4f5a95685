/* SPDX-License-Identifier: Apache-2.0 */
/* What FFTW's planners say, in one form for both precisions. */
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

/* One line of elements, lines padded where reals are transformed in place.
 * embed NULL: the lengths. */
struct many {
    int rank;
    const int *n, *inembed, *onembed;
    int batch, istride, idist, ostride, odist;
};
bool shape_of_many(struct shape *s, const struct many *m, bool in_place);
bool shape_of_guru(struct shape *s, int rank, const fftw_iodim64 *dims,
                   int batch_rank, const fftw_iodim64 *batch_dims);
/* dims of ints; to: FFT_RANK_MAX. */
const fftw_iodim64 *shape_widen(int rank, const fftw_iodim *dims,
                                fftw_iodim64 *to);

/* NULL: not possible. */
struct plan *plan_make(const struct shape *s, void *in, void *out);
/* Is done when it returns. */
void plan_execute(const struct plan *p, void *in, void *out);
void plan_end(struct plan *p);
double plan_operations(const struct plan *p);

#endif
