/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The other side of fft.cu: FFTW with measured plans and as many threads as
 * OpenMP has, where Debian's libfftw3-single3 is there.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>

#include "fft.h"

enum { FORWARD = -1, MEASURE = 0 };

static void *(*plan_many)(int, const int *, int, float *, const int *, int, int,
                          float *, const int *, int, int, int, unsigned);
static void (*execute)(void *);
static void *plan;

static void find_fftw(void)
{
    int (*init)(void) = NULL;
    void (*with_threads)(int) = NULL;
    void *l = dlopen("libfftw3f.so.3", RTLD_NOW | RTLD_GLOBAL);
    void *threads = dlopen("libfftw3f_omp.so.3", RTLD_NOW);
    if (!l || !threads) {
        fprintf(stderr, "no FFTW: %s\n", dlerror());
        exit(EXIT_WITHOUT);
    }
    *(void **)&plan_many = dlsym(l, "fftwf_plan_many_dft");
    *(void **)&execute = dlsym(l, "fftwf_execute");
    *(void **)&init = dlsym(threads, "fftwf_init_threads");
    *(void **)&with_threads = dlsym(threads, "fftwf_plan_with_nthreads");
    init();
    with_threads(omp_get_max_threads());
}

static void transform(void)
{
    execute(plan);
}

int main(int argc, char **argv)
{
    const struct fft_case *c = fft_find(argc > 1 ? argv[1] : "");
    if (!c)
        return 1;
    find_fftw();
    size_t bytes = (size_t)fft_count(c) * 8;
    int each = (int)(fft_count(c) / c->batch);
    float *in = aligned_alloc(64, bytes), *out = aligned_alloc(64, bytes);
    if (!in || !out)
        return 1;
    plan = plan_many(c->rank, c->n, c->batch, in, NULL, 1, each, out, NULL, 1,
                     each, FORWARD, MEASURE);
    fft_fill(in, fft_count(c)); /* planning writes over it */
    memset(out, 0, bytes);
    double ms = measure_ms(transform);
    if (!fft_check(c, in, out))
        ms = -1;
    printf("%g\n", ms);
    return ms < 0;
}
