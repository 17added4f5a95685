/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuFFT as programs call it: long transforms by what is known of a few waves
 * and an impulse, layouts in place, work areas, graphs, threads, halves.
 */
#include "../exec/check.h"
#include "cufftXt.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define OK(call) CHECK_EQUAL(call, 0)

static const long double turn = 6.283185307179586476925286766559L;

static void *device(size_t bytes)
{
    void *p = NULL;
    OK(cudaMalloc(&p, bytes));
    return p;
}

/* ---- long transforms -------------------------------------------------- */

enum { WAVES = 3 };

struct signal {
    long n;
    long frequency[WAVES], impulse;
};

static struct signal signal_of(long n)
{
    return (struct signal){n, {1 % n, n / 3, n / 2 - n / 7}, n / 5};
}

/* Of the signal's transform at k; forward. is_real: cosines. */
static void expected(const struct signal *s, bool is_real, long k, double *x)
{
    long double a = turn * (long double)((__int128)s->impulse * k % s->n) /
                    (long double)s->n;
    x[0] = (double)(100 * cosl(a));
    x[1] = (double)(-100 * sinl(a));
    for (int i = 0; i < WAVES; i++) {
        bool mirrored = is_real && (s->n - s->frequency[i]) % s->n == k;
        double each = is_real ? (double)s->n / 2 : (double)s->n;
        x[0] += (k == s->frequency[i]) * each + mirrored * each;
    }
}

static void fill(const struct signal *s, bool is_real, double *x)
{
    for (long j = 0; j < s->n; j++) {
        double re = j == s->impulse ? 100 : 0, im = 0;
        for (int i = 0; i < WAVES; i++) {
            long double a =
                turn * (long double)((__int128)s->frequency[i] * j % s->n) /
                (long double)s->n;
            re += cos((double)a);
            im += sin((double)a);
        }
        x[is_real ? j : 2 * j] = re;
        if (!is_real)
            x[2 * j + 1] = im;
    }
}

static void copy_in(void *to, const double *from, size_t count, bool is_double)
{
    for (size_t i = 0; i < count; i++) {
        if (is_double)
            ((double *)to)[i] = from[i];
        else
            ((float *)to)[i] = (float)from[i];
    }
}

static double element(const void *at, size_t i, bool is_double)
{
    return is_double ? ((const double *)at)[i] : ((const float *)at)[i];
}

static double tolerance(long n, bool is_double)
{
    double eps = is_double ? 2.3e-16 : 1.2e-7;
    return eps * (4 + 2 * log2((double)n)) * (100 + 2 * sqrt((double)n)) *
           sqrt((double)n);
}

static void check_spectrum(const struct signal *s, bool is_real,
                           const void *out, bool is_double)
{
    long count = is_real ? s->n / 2 + 1 : s->n;
    double worst = 0;
    for (long k = 0; k < count; k += 1 + (k > 3000 && k % 97)) {
        double x[2];
        expected(s, is_real, k, x);
        double error = hypot(element(out, 2 * (size_t)k, is_double) - x[0],
                             element(out, 2 * (size_t)k + 1, is_double) - x[1]);
        worst = error > worst || isnan(error) ? error : worst;
    }
    if (!(worst <= tolerance(s->n, is_double))) {
        fprintf(stderr, "n %ld%s%s: error %g, expected at most %g\n", s->n,
                is_real ? ", real" : "", is_double ? ", double" : "", worst,
                tolerance(s->n, is_double));
        check_failures++;
    }
}

static void check_back(const struct signal *s, bool is_real,
                       const double *signal, const void *back, bool is_double)
{
    size_t count = (size_t)s->n * (is_real ? 1 : 2);
    double worst = 0;
    for (size_t i = 0; i < count; i++) {
        double error =
            fabs(element(back, i, is_double) / (double)s->n - signal[i]);
        worst = error > worst || isnan(error) ? error : worst;
    }
    CHECK(worst <= tolerance(s->n, is_double) / (double)s->n +
                       100 * (is_double ? 1e-14 : 1e-5));
}

static void long_transform(long n, bool is_real, bool is_double)
{
    struct signal s = signal_of(n);
    size_t bytes = (is_double ? 16u : 8u) * (size_t)(n + 2);
    double *x = malloc(16 * (size_t)n);
    char *in = device(bytes), *out = device(bytes), *back = device(bytes);
    cufftHandle p, q;
    static const cufftType forward[][2] = {{CUFFT_C2C, CUFFT_Z2Z},
                                           {CUFFT_R2C, CUFFT_D2Z}};
    static const cufftType inverse[][2] = {{CUFFT_C2C, CUFFT_Z2Z},
                                           {CUFFT_C2R, CUFFT_Z2D}};
    fill(&s, is_real, x);
    copy_in(in, x, (size_t)n * (is_real ? 1 : 2), is_double);
    OK(cufftPlan1d(&p, (int)n, forward[is_real][is_double], 1));
    OK(cufftPlan1d(&q, (int)n, inverse[is_real][is_double], 1));
    OK(cufftXtExec(p, in, out, CUFFT_FORWARD));
    OK(cufftXtExec(q, out, back, CUFFT_INVERSE));
    OK(cudaDeviceSynchronize());
    check_spectrum(&s, is_real, out, is_double);
    check_back(&s, is_real, x, back, is_double);
    OK(cufftDestroy(p));
    OK(cufftDestroy(q));
    cudaFree(in);
    cudaFree(out);
    cudaFree(back);
    free(x);
}

static void long_transforms(void)
{
    static const long lengths[] = {
        1 << 15,   1 << 16, 3 * 5 * 7 * 11 * 13 * 2,
        19683,     29791,   65537,
        2 * 20011, 30000,   4099,
        8198,
    };
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        for (int is_real = 0; is_real < 2; is_real++) {
            long_transform(lengths[i], is_real, i % 2);
        }
    }
}

/* ---- in place --------------------------------------------------------- */

/* Reals in place have padded lines, batch or not. */
static void reals_in_place_are_padded(void)
{
    enum { NY = 6, NX = 10, BATCH = 3, HALF = NX / 2 + 1 };
    int n[] = {NY, NX};
    float *real = device(sizeof(float) * BATCH * NY * NX);
    float *padded = device(sizeof(float) * BATCH * NY * 2 * HALF);
    cufftComplex *out = device(sizeof(cufftComplex) * BATCH * NY * HALF);
    cufftHandle forward, back;
    OK(cufftPlanMany(&forward, 2, n, NULL, 9, 9, NULL, 9, 9, CUFFT_R2C, BATCH));
    OK(cufftPlanMany(&back, 2, n, NULL, 1, 0, NULL, 1, 0, CUFFT_C2R, BATCH));
    for (int line = 0; line < BATCH * NY; line++) {
        for (int x = 0; x < NX; x++) {
            float value = (float)sin(line * 1.7 + x * x);
            real[line * NX + x] = value;
            padded[line * 2 * HALF + x] = value;
        }
    }
    OK(cufftExecR2C(forward, real, out));
    OK(cufftExecR2C(forward, padded, (cufftComplex *)padded));
    OK(cudaDeviceSynchronize());
    CHECK(!memcmp(out, padded, sizeof(cufftComplex) * BATCH * NY * HALF));
    OK(cufftExecC2R(back, (cufftComplex *)padded, padded));
    OK(cudaDeviceSynchronize());
    double worst = 0;
    for (int line = 0; line < BATCH * NY; line++) {
        for (int x = 0; x < NX; x++)
            worst = fmax(worst, fabs(padded[line * 2 * HALF + x] / (NX * NY) -
                                     real[line * NX + x]));
    }
    CHECK(worst < 1e-6);
    OK(cufftDestroy(forward));
    OK(cufftDestroy(back));
    cudaFree(real);
    cudaFree(padded);
    cudaFree(out);
}

/* ---- work areas ------------------------------------------------------- */

static void work_areas_are_the_callers(void)
{
    enum { N = 1 << 16 };
    size_t bytes = 0, again = 0, estimate = 0;
    cufftComplex *x = device(sizeof *x * N);
    cufftHandle p;
    memset(x, 0, sizeof *x * N);
    x[1].x = 1;
    OK(cufftCreate(&p));
    OK(cufftSetAutoAllocation(p, 0));
    OK(cufftMakePlan1d(p, N, CUFFT_C2C, 1, &bytes));
    OK(cufftGetSize(p, &again));
    OK(cufftEstimate1d(N, CUFFT_C2C, 1, &estimate));
    CHECK(bytes >= sizeof *x * N && again == bytes && estimate >= bytes);
    CHECK(cufftExecC2C(p, x, x, CUFFT_FORWARD) != CUFFT_SUCCESS);
    char *work = device(bytes + 64);
    memset(work + bytes, 77, 64);
    OK(cufftSetWorkArea(p, work));
    OK(cufftExecC2C(p, x, x, CUFFT_FORWARD));
    OK(cudaDeviceSynchronize());
    for (int k = 0; k < N; k += 997) {
        double a = (double)(turn * k / N);
        CHECK(fabs(x[k].x - cos(a)) < 1e-6 && fabs(x[k].y + sin(a)) < 1e-6);
    }
    for (int i = 0; i < 64; i++)
        CHECK(work[bytes + (size_t)i] == 77);
    OK(cufftDestroy(p));
    cudaFree(work);
    cudaFree(x);
}

/* ---- graphs ----------------------------------------------------------- */

static void graphs_hold_transforms(void)
{
    enum { N = 1 << 15 };
    cufftComplex *x = device(sizeof *x * N);
    cufftHandle p;
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    memset(x, 0, sizeof *x * N);
    for (int i = 0; i < N; i++)
        x[i].x = (float)(i % 13);
    OK(cudaStreamCreate(&s));
    OK(cufftPlan1d(&p, N, CUFFT_C2C, 1));
    OK(cufftSetStream(p, s));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cufftExecC2C(p, x, x, CUFFT_FORWARD));
    OK(cufftExecC2C(p, x, x, CUFFT_INVERSE));
    OK(cudaStreamEndCapture(s, &graph));
    CHECK(x[5].x == 5 && x[14].x == 1);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, s));
    OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    for (int i = 0; i < N; i += 101)
        CHECK(fabs(x[i].x / N / N - i % 13) < 1e-4);
    OK(cufftDestroy(p));
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(s);
    cudaFree(x);
}

/* ---- threads ---------------------------------------------------------- */

static void *one_of_many(void *arg)
{
    long id = (long)arg;
    long n = 512 + 31 * id;
    cudaStream_t s;
    cufftHandle p;
    cufftDoubleComplex *x = device(sizeof *x * (size_t)n * 4);
    memset(x, 0, sizeof *x * (size_t)n * 4);
    for (int b = 0; b < 4; b++)
        x[b * n + b].x = 1;
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    for (int i = 0; i < 5; i++) {
        OK(cufftPlan1d(&p, (int)n, CUFFT_Z2Z, 4));
        OK(cufftSetStream(p, s));
        OK(cufftExecZ2Z(p, x, x, CUFFT_FORWARD));
        OK(cufftExecZ2Z(p, x, x, CUFFT_INVERSE));
        OK(cudaStreamSynchronize(s));
        OK(cufftDestroy(p));
    }
    for (int b = 0; b < 4; b++)
        CHECK(fabs(x[b * n + b].x / pow((double)n, 5) - 1) < 1e-12);
    OK(cudaStreamDestroy(s));
    cudaFree(x);
    return NULL;
}

static void threads_have_their_plans(void)
{
    pthread_t t[8];
    for (long i = 0; i < 8; i++)
        CHECK_EQUAL(pthread_create(&t[i], NULL, one_of_many, (void *)i), 0);
    for (int i = 0; i < 8; i++)
        pthread_join(t[i], NULL);
}

/* ---- halves ----------------------------------------------------------- */

static float half_value(uint16_t bits, bool is_bfloat)
{
    float f;
    uint32_t u = (uint32_t)bits << 16;
    _Float16 h;
    memcpy(&h, &bits, 2);
    memcpy(&f, &u, 4);
    return is_bfloat ? f : (float)h;
}

static void halves(cudaDataType type, bool is_bfloat)
{
    enum { N = 64, BATCH = 3 };
    long long n = N;
    size_t bytes;
    cufftHandle p;
    uint16_t *x = device(sizeof *x * 2 * N * BATCH);
    memset(x, 0, sizeof *x * 2 * N * BATCH);
    for (int b = 0; b < BATCH; b++)
        x[2 * (b * N + b)] = is_bfloat ? 0x3f80 : 0x3c00;
    OK(cufftCreate(&p));
    OK(cufftXtMakePlanMany(p, 1, &n, NULL, 1, N, type, NULL, 1, N, type, BATCH,
                           &bytes, type));
    OK(cufftXtExec(p, x, x, CUFFT_FORWARD));
    OK(cudaDeviceSynchronize());
    for (int b = 0; b < BATCH; b++) {
        for (int k = 0; k < N; k++) {
            double a = (double)(turn * k * b / N);
            const uint16_t *at = x + 2 * (b * N + k);
            double limit = is_bfloat ? 1.0 / 256 : 1.0 / 2048;
            CHECK(fabs(half_value(at[0], is_bfloat) - cos(a)) < limit);
            CHECK(fabs(half_value(at[1], is_bfloat) + sin(a)) < limit);
        }
    }
    OK(cufftDestroy(p));
    cudaFree(x);
}

int main(void)
{
    long_transforms();
    reals_in_place_are_padded();
    work_areas_are_the_callers();
    graphs_hold_transforms();
    threads_have_their_plans();
    halves(CUDA_C_16F, false);
    halves(CUDA_C_16BF, true);
    return check_result();
}
