/* SPDX-License-Identifier: Apache-2.0 */
/* Factorisations that are several launches: large, tall, wide, with and without
 * pivots, in four types, singular ones too. What they give is applied to a
 * vector, beside what the matrix makes of it. */
#include "../exec/check.h"

#include <complex.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "cusolverDn.h"

typedef double complex number;

enum { SIZE = 420, LD = 423 };

static cusolverDnHandle_t handle;
static cudaStream_t stream;
static int *info, *pivots;
static int64_t *wide_pivots;
static uint64_t seed = 1;

#define OK(call) CHECK_EQUAL((int)(call), CUSOLVER_STATUS_SUCCESS)

static void *room(size_t bytes)
{
    void *p = NULL;
    CHECK_EQUAL(cudaMallocManaged(&p, bytes, cudaMemAttachGlobal), 0);
    memset(p, 0, bytes);
    return p;
}

static double random_real(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 40) / (1 << 23) - 1;
}

static void wait_for(int expected, int line)
{
    CHECK_EQUAL(cudaStreamSynchronize(stream), 0);
    if (*info != expected)
        fprintf(stderr, "split.c:%d: info %d, not %d\n", line, *info, expected);
    CHECK_EQUAL(*info, expected);
    *info = -99;
}

static void check_vector(int line, const number *x, const number *y, int n,
                         double bound)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, isnan(cabs(x[i])) ? INFINITY : cabs(x[i] - y[i]));
    if (most > bound)
        fprintf(stderr, "split.c:%d: off by %g, bound %g\n", line, most, bound);
    CHECK(most <= bound);
}

#define CUSOLVER_ROWS "../../tests/cusolver/split_typed.h"
#include "weft/cusolver_types.h"

/* ---- captured, and from many threads ---------------------------------- */

enum { BIG = 300, THREADS = 8 };

struct system {
    cusolverDnHandle_t handle;
    cudaStream_t stream;
    double *a, *b, *work, *tau, *original;
    int *pivots, *info, lwork;
};

static struct system make_system(void)
{
    struct system s = {.a = room(BIG * BIG * 8), .b = room(BIG * 8)};
    s.tau = room(BIG * 8);
    s.original = room(BIG * BIG * 8);
    s.pivots = room(BIG * sizeof(int));
    s.info = room(sizeof(int));
    CHECK_EQUAL(cudaStreamCreate(&s.stream), 0);
    OK(cusolverDnCreate(&s.handle));
    OK(cusolverDnSetStream(s.handle, s.stream));
    OK(cusolverDnDgeqrf_bufferSize(s.handle, BIG, BIG, s.a, BIG, &s.lwork));
    s.work = room((size_t)s.lwork * 8);
    for (int i = 0; i < BIG * BIG; i++)
        s.original[i] = random_real() + (i % (BIG + 1) == 0 ? BIG : 0);
    return s;
}

/* The right side is A times ones. */
static void reset(struct system *s)
{
    memcpy(s->a, s->original, BIG * BIG * 8);
    memset(s->b, 0, BIG * 8);
    for (int i = 0; i < BIG * BIG; i++)
        s->b[i % BIG] += s->original[i];
}

static void check_ones(struct system *s)
{
    CHECK_EQUAL(cudaStreamSynchronize(s->stream), 0);
    CHECK_EQUAL(*s->info, 0);
    for (int i = 0; i < BIG; i++)
        CHECK(fabs(s->b[i] - 1) < 1e-11);
}

static void solve_lu(struct system *s)
{
    OK(cusolverDnDgetrf(s->handle, BIG, BIG, s->a, BIG, NULL, s->pivots,
                        s->info));
    OK(cusolverDnDgetrs(s->handle, CUBLAS_OP_N, BIG, 1, s->a, BIG, s->pivots,
                        s->b, BIG, s->info));
}

static void test_capture(void)
{
    struct system s = make_system();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK_EQUAL(cudaStreamBeginCapture(s.stream, cudaStreamCaptureModeGlobal),
                0);
    solve_lu(&s);
    CHECK_EQUAL(cudaStreamEndCapture(s.stream, &graph), 0);
    CHECK_EQUAL(cudaGraphInstantiate(&exec, graph, 0), 0);
    for (int i = 0; i < 3; i++) {
        s.original[7] += i;
        reset(&s);
        CHECK_EQUAL(cudaGraphLaunch(exec, s.stream), 0);
        check_ones(&s);
    }
    CHECK_EQUAL(cudaGraphExecDestroy(exec), 0);
    CHECK_EQUAL(cudaGraphDestroy(graph), 0);
}

static void *run_thread(void *arg)
{
    struct system *s = arg;
    for (int i = 0; i < 3; i++) {
        reset(s);
        solve_lu(s);
        check_ones(s);
        reset(s);
        OK(cusolverDnDgeqrf(s->handle, BIG, BIG, s->a, BIG, s->tau, s->work,
                            s->lwork, s->info));
        OK(cusolverDnDpotrf(s->handle, CUBLAS_FILL_MODE_LOWER, BIG, s->original,
                            BIG, NULL, 0, s->info));
        CHECK_EQUAL(cudaStreamSynchronize(s->stream), 0);
        for (int k = 0; k < BIG * BIG; k++)
            s->original[k] =
                (k * 37 % 101) / 101.0 + (k % (BIG + 1) == 0 ? BIG : 0);
    }
    return NULL;
}

static void test_threads(void)
{
    struct system s[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        s[i] = make_system();
    for (int i = 0; i < THREADS; i++)
        CHECK_EQUAL(pthread_create(&threads[i], NULL, run_thread, &s[i]), 0);
    for (int i = 0; i < THREADS; i++)
        CHECK_EQUAL(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < THREADS; i++)
        OK(cusolverDnDestroy(s[i].handle));
}

int main(void)
{
    OK(cusolverDnCreate(&handle));
    CHECK_EQUAL(cudaStreamCreate(&stream), 0);
    OK(cusolverDnSetStream(handle, stream));
    info = room(sizeof *info);
    pivots = room(SIZE * sizeof *pivots);
    wide_pivots = room(SIZE * sizeof *wide_pivots);
    *info = -99;
    cusolverDnS_split();
    cusolverDnD_split();
    cusolverDnC_split();
    cusolverDnZ_split();
    test_capture();
    test_threads();
    OK(cusolverDnDestroy(handle));
    return check_result();
}
