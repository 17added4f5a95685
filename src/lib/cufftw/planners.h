/* SPDX-License-Identifier: Apache-2.0 */
/* FFTW's functions for one precision: X(name), REAL, COMPLEX, PLAN, PRECISION
 * are the includer's. */

#define EXPORT __attribute__((visibility("default")))

static struct shape X(shape)(enum fft_type type, int sign)
{
    return (struct shape){.type = type, .real = PRECISION, .sign = sign};
}

static PLAN X(many)(struct shape s, const struct many *m, void *in, void *out)
{
    return shape_of_many(&s, m, in == out) ? plan_make(&s, in, out) : NULL;
}

static PLAN X(packed)(enum fft_type type, int sign, int rank, const int *n,
                      void *in, void *out)
{
    struct many m = {
        .rank = rank, .n = n, .batch = 1, .istride = 1, .ostride = 1};
    return X(many)(X(shape)(type, sign), &m, in, out);
}

static PLAN X(guru)(enum fft_type type, int sign, int rank,
                    const fftw_iodim64 *dims, int batch_rank,
                    const fftw_iodim64 *batch_dims, void *in, void *out)
{
    struct shape s = X(shape)(type, sign);
    return shape_of_guru(&s, rank, dims, batch_rank, batch_dims)
               ? plan_make(&s, in, out)
               : NULL;
}

/* ---- packed ----------------------------------------------------------- */

EXPORT PLAN X(plan_dft)(int rank, const int *n, COMPLEX *in, COMPLEX *out,
                        int sign, unsigned flags)
{
    (void)flags;
    return X(packed)(FFT_C2C, sign, rank, n, in, out);
}

EXPORT PLAN X(plan_dft_r2c)(int rank, const int *n, REAL *in, COMPLEX *out,
                            unsigned flags)
{
    (void)flags;
    return X(packed)(FFT_R2C, FFTW_FORWARD, rank, n, in, out);
}

EXPORT PLAN X(plan_dft_c2r)(int rank, const int *n, COMPLEX *in, REAL *out,
                            unsigned flags)
{
    (void)flags;
    return X(packed)(FFT_C2R, FFTW_BACKWARD, rank, n, in, out);
}

EXPORT PLAN X(plan_dft_1d)(int n, COMPLEX *in, COMPLEX *out, int sign,
                           unsigned flags)
{
    return X(plan_dft)(1, &n, in, out, sign, flags);
}

EXPORT PLAN X(plan_dft_2d)(int n0, int n1, COMPLEX *in, COMPLEX *out, int sign,
                           unsigned flags)
{
    return X(plan_dft)(2, (int[]){n0, n1}, in, out, sign, flags);
}

EXPORT PLAN X(plan_dft_3d)(int n0, int n1, int n2, COMPLEX *in, COMPLEX *out,
                           int sign, unsigned flags)
{
    return X(plan_dft)(3, (int[]){n0, n1, n2}, in, out, sign, flags);
}

EXPORT PLAN X(plan_dft_r2c_1d)(int n, REAL *in, COMPLEX *out, unsigned flags)
{
    return X(plan_dft_r2c)(1, &n, in, out, flags);
}

EXPORT PLAN X(plan_dft_r2c_2d)(int n0, int n1, REAL *in, COMPLEX *out,
                               unsigned flags)
{
    return X(plan_dft_r2c)(2, (int[]){n0, n1}, in, out, flags);
}

EXPORT PLAN X(plan_dft_r2c_3d)(int n0, int n1, int n2, REAL *in, COMPLEX *out,
                               unsigned flags)
{
    return X(plan_dft_r2c)(3, (int[]){n0, n1, n2}, in, out, flags);
}

EXPORT PLAN X(plan_dft_c2r_1d)(int n, COMPLEX *in, REAL *out, unsigned flags)
{
    return X(plan_dft_c2r)(1, &n, in, out, flags);
}

EXPORT PLAN X(plan_dft_c2r_2d)(int n0, int n1, COMPLEX *in, REAL *out,
                               unsigned flags)
{
    return X(plan_dft_c2r)(2, (int[]){n0, n1}, in, out, flags);
}

EXPORT PLAN X(plan_dft_c2r_3d)(int n0, int n1, int n2, COMPLEX *in, REAL *out,
                               unsigned flags)
{
    return X(plan_dft_c2r)(3, (int[]){n0, n1, n2}, in, out, flags);
}

/* ---- many ------------------------------------------------------------- */

#define MANY                                                                   \
    (&(struct many){rank, n, inembed, onembed, batch, istride, idist, ostride, \
                    odist})

EXPORT PLAN X(plan_many_dft)(int rank, const int *n, int batch, COMPLEX *in,
                             const int *inembed, int istride, int idist,
                             COMPLEX *out, const int *onembed, int ostride,
                             int odist, int sign, unsigned flags)
{
    (void)flags;
    return X(many)(X(shape)(FFT_C2C, sign), MANY, in, out);
}

EXPORT PLAN X(plan_many_dft_r2c)(int rank, const int *n, int batch, REAL *in,
                                 const int *inembed, int istride, int idist,
                                 COMPLEX *out, const int *onembed, int ostride,
                                 int odist, unsigned flags)
{
    (void)flags;
    return X(many)(X(shape)(FFT_R2C, FFTW_FORWARD), MANY, in, out);
}

EXPORT PLAN X(plan_many_dft_c2r)(int rank, const int *n, int batch, COMPLEX *in,
                                 const int *inembed, int istride, int idist,
                                 REAL *out, const int *onembed, int ostride,
                                 int odist, unsigned flags)
{
    (void)flags;
    return X(many)(X(shape)(FFT_C2R, FFTW_BACKWARD), MANY, in, out);
}

#undef MANY

/* ---- guru ------------------------------------------------------------- */

EXPORT PLAN X(plan_guru64_dft)(int rank, const fftw_iodim64 *dims,
                               int batch_rank, const fftw_iodim64 *batch_dims,
                               COMPLEX *in, COMPLEX *out, int sign,
                               unsigned flags)
{
    (void)flags;
    return X(guru)(FFT_C2C, sign, rank, dims, batch_rank, batch_dims, in, out);
}

EXPORT PLAN X(plan_guru64_dft_r2c)(int rank, const fftw_iodim64 *dims,
                                   int batch_rank,
                                   const fftw_iodim64 *batch_dims, REAL *in,
                                   COMPLEX *out, unsigned flags)
{
    (void)flags;
    return X(guru)(FFT_R2C, FFTW_FORWARD, rank, dims, batch_rank, batch_dims,
                   in, out);
}

EXPORT PLAN X(plan_guru64_dft_c2r)(int rank, const fftw_iodim64 *dims,
                                   int batch_rank,
                                   const fftw_iodim64 *batch_dims, COMPLEX *in,
                                   REAL *out, unsigned flags)
{
    (void)flags;
    return X(guru)(FFT_C2R, FFTW_BACKWARD, rank, dims, batch_rank, batch_dims,
                   in, out);
}

EXPORT PLAN X(plan_guru_dft)(int rank, const fftw_iodim *dims, int batch_rank,
                             const fftw_iodim *batch_dims, COMPLEX *in,
                             COMPLEX *out, int sign, unsigned flags)
{
    fftw_iodim64 d[FFT_RANK_MAX], b[FFT_RANK_MAX];
    return X(plan_guru64_dft)(rank, shape_widen(rank, dims, d), batch_rank,
                              shape_widen(batch_rank, batch_dims, b), in, out,
                              sign, flags);
}

EXPORT PLAN X(plan_guru_dft_r2c)(int rank, const fftw_iodim *dims,
                                 int batch_rank, const fftw_iodim *batch_dims,
                                 REAL *in, COMPLEX *out, unsigned flags)
{
    fftw_iodim64 d[FFT_RANK_MAX], b[FFT_RANK_MAX];
    return X(plan_guru64_dft_r2c)(rank, shape_widen(rank, dims, d), batch_rank,
                                  shape_widen(batch_rank, batch_dims, b), in,
                                  out, flags);
}

EXPORT PLAN X(plan_guru_dft_c2r)(int rank, const fftw_iodim *dims,
                                 int batch_rank, const fftw_iodim *batch_dims,
                                 COMPLEX *in, REAL *out, unsigned flags)
{
    fftw_iodim64 d[FFT_RANK_MAX], b[FFT_RANK_MAX];
    return X(plan_guru64_dft_c2r)(rank, shape_widen(rank, dims, d), batch_rank,
                                  shape_widen(batch_rank, batch_dims, b), in,
                                  out, flags);
}

/* ---- use -------------------------------------------------------------- */

EXPORT void X(execute)(const PLAN plan)
{
    const struct plan *p = plan;
    if (p)
        plan_execute(p, p->in, p->out);
}

EXPORT void X(execute_dft)(const PLAN plan, COMPLEX *idata, COMPLEX *odata)
{
    plan_execute(plan, idata, odata);
}

EXPORT void X(execute_dft_r2c)(const PLAN plan, REAL *idata, COMPLEX *odata)
{
    plan_execute(plan, idata, odata);
}

EXPORT void X(execute_dft_c2r)(const PLAN plan, COMPLEX *idata, REAL *odata)
{
    plan_execute(plan, idata, odata);
}

EXPORT void X(destroy_plan)(PLAN plan)
{
    plan_end(plan);
}

EXPORT void X(cleanup)(void)
{
}

EXPORT void *X(malloc)(size_t n)
{
    return aligned_alloc(64, (n + 64) / 64 * 64);
}

EXPORT void X(free)(void *pointer)
{
    free(pointer);
}

/* There is nothing to learn: plans are made in one way. */
EXPORT void X(export_wisdom_to_file)(FILE *output_file)
{
    (void)output_file;
}

EXPORT int X(import_wisdom_from_file)(FILE *input_file)
{
    (void)input_file;
    return 0;
}

EXPORT void X(set_timelimit)(double seconds)
{
    (void)seconds;
}

EXPORT void X(print_plan)(const PLAN plan)
{
    const struct plan *p = plan;
    if (!p)
        return;
    for (unsigned k = 0; k < p->handle->request.rank; k++)
        printf("%s%llu", k ? " x " : "",
               (unsigned long long)p->handle->request.n[k]);
    printf(", batch %llu\n", (unsigned long long)p->handle->request.batch);
}

EXPORT double X(cost)(const PLAN plan)
{
    return plan ? 5 * plan_operations(plan) : 0;
}

/* As for radix 2. */
EXPORT void X(flops)(const PLAN plan, double *add, double *mul, double *fma)
{
    double operations = plan ? plan_operations(plan) : 0;
    if (add)
        *add = 3 * operations;
    if (mul)
        *mul = 2 * operations;
    if (fma)
        *fma = 0;
}

#undef EXPORT
