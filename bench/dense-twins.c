/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The other side of dense.cu: OpenBLAS with threads where Debian's
 * libopenblas0-pthread is there, else whatever OpenBLAS there is; a loop over
 * its products for batches; loops with OpenMP for vectors; oneDNN (libdnnl2)
 * for bfloat16 and bytes.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#include "dense.h"

static float *x, *y, *z, sum;
static double *a, *b, *c, *work, *tau;
static unsigned short *halves;
static signed char *bytes;
static int *pivots, n = DENSE_SIZE, room, info, *sums;
static const float one_f = 1, zero_f;
static const double one = 1, zero;

static void (*blas_sgemm)(const char *, const char *, const int *, const int *,
                          const int *, const float *, const float *,
                          const int *, const float *, const int *,
                          const float *, float *, const int *);
static void (*blas_dgemm)(const char *, const char *, const int *, const int *,
                          const int *, const double *, const double *,
                          const int *, const double *, const int *,
                          const double *, double *, const int *);
static void (*lapack_getrf)(const int *, const int *, double *, const int *,
                            int *, int *);
static void (*lapack_potrf)(const char *, const int *, double *, const int *,
                            int *);
static void (*lapack_geqrf)(const int *, const int *, double *, const int *,
                            double *, double *, const int *, int *);

/* oneDNN's, by rows: A and B change places. */
static int (*dnnl_bf16)(char, char, int64_t, int64_t, int64_t, float,
                        const unsigned short *, int64_t, const unsigned short *,
                        int64_t, float, float *, int64_t);
static int (*dnnl_bytes)(char, char, char, int64_t, int64_t, int64_t, float,
                         const signed char *, int64_t, signed char,
                         const signed char *, int64_t, signed char, float,
                         int *, int64_t, const int *);

static void find_dnnl(void)
{
    void *l = dlopen("libdnnl.so.2", RTLD_NOW);
    if (!l) {
        fprintf(stderr, "no oneDNN: %s\n", dlerror());
        exit(EXIT_WITHOUT);
    }
    *(void **)&dnnl_bf16 = dlsym(l, "dnnl_gemm_bf16bf16f32");
    *(void **)&dnnl_bytes = dlsym(l, "dnnl_gemm_s8s8s32");
}

static void find_openblas(void)
{
    void *l = dlopen("/usr/lib/x86_64-linux-gnu/openblas-pthread/"
                     "libopenblas.so.0",
                     RTLD_NOW);
    if (!l)
        l = dlopen("libopenblas.so.0", RTLD_NOW);
    if (!l) {
        fprintf(stderr, "no OpenBLAS: %s\n", dlerror());
        exit(EXIT_WITHOUT);
    }
    *(void **)&blas_sgemm = dlsym(l, "sgemm_");
    *(void **)&blas_dgemm = dlsym(l, "dgemm_");
    *(void **)&lapack_getrf = dlsym(l, "dgetrf_");
    *(void **)&lapack_potrf = dlsym(l, "dpotrf_");
    *(void **)&lapack_geqrf = dlsym(l, "dgeqrf_");
}

static void sgemm(void)
{
    blas_sgemm("N", "N", &n, &n, &n, &one_f, x, &n, y, &n, &zero_f, z, &n);
}

static void dgemm(void)
{
    blas_dgemm("N", "N", &n, &n, &n, &one, a, &n, b, &n, &zero, c, &n);
}

static void bf16(void)
{
    if (dnnl_bf16('N', 'N', n, n, n, 1, halves, n, halves, n, 0, z, n))
        exit(1);
}

static void products_of_bytes(void)
{
    const int none = 0;
    if (dnnl_bytes('N', 'N', 'F', n, n, n, 1, bytes, n, 0, bytes, n, 0, 0, sums,
                   n, &none))
        exit(1);
}

static void batched(void)
{
    const int m = BATCH_SIZE;
    for (long i = 0; i < BATCH_COUNT; i++)
        blas_sgemm("N", "N", &m, &m, &m, &one_f, x + i * m * m, &m,
                   y + i * m * m, &m, &zero_f, z + i * m * m, &m);
}

static void axpy(void)
{
#pragma omp parallel for simd
    for (int i = 0; i < DENSE_VECTOR; i++)
        y[i] += 0.5f * x[i];
}

static void dot(void)
{
    float s = 0;
#pragma omp parallel for simd reduction(+ : s)
    for (int i = 0; i < DENSE_VECTOR; i++)
        s += x[i] * y[i];
    sum = s;
}

static void getrf(void)
{
    memcpy(b, a, (size_t)n * n * sizeof *a);
    lapack_getrf(&n, &n, b, &n, pivots, &info);
}

static void potrf(void)
{
    memcpy(b, a, (size_t)n * n * sizeof *a);
    lapack_potrf("L", &n, b, &n, &info);
}

static void geqrf(void)
{
    memcpy(b, a, (size_t)n * n * sizeof *a);
    lapack_geqrf(&n, &n, b, &n, tau, work, &room, &info);
}

static void *reserve(size_t count, size_t bytes)
{
    void *p = calloc(count, bytes);
    if (!p)
        exit(1);
    return p;
}

static void prepare(void)
{
    size_t all = (size_t)n * n;
    room = n * 64;
    halves = reserve(all, sizeof *halves);
    bytes = reserve(all, sizeof *bytes);
    sums = reserve(all, sizeof *sums);
    dense_fill_narrow(halves, bytes, (long)all);
    x = reserve(DENSE_VECTOR, sizeof *x);
    y = reserve(DENSE_VECTOR, sizeof *y);
    z = reserve(DENSE_VECTOR, sizeof *z);
    a = reserve(all, sizeof *a);
    b = reserve(all, sizeof *b);
    c = reserve(all, sizeof *c);
    tau = reserve(n, sizeof *tau);
    work = reserve(room, sizeof *work);
    pivots = reserve(n, sizeof *pivots);
    dense_fill_floats(x, DENSE_VECTOR);
    dense_fill_floats(y, DENSE_VECTOR);
    dense_fill(a, n);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } all[] = {{"sgemm", sgemm}, {"dgemm", dgemm}, {"batched", batched},
               {"bf16", bf16},   {"bytes", products_of_bytes},
               {"axpy", axpy},   {"dot", dot},     {"getrf", getrf},
               {"potrf", potrf}, {"geqrf", geqrf}};
    const char *name = argc > 1 ? argv[1] : "";
    double ms = -1;
    n = dense_size(name);
    if (dense_is(name, "bf16") || dense_is(name, "bytes"))
        find_dnnl();
    find_openblas();
    prepare();
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (dense_is(name, all[i].name))
            ms = measure_ms(all[i].run);
    }
    printf("%g\n", ms);
    return ms < 0;
}
