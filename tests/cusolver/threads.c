/* SPDX-License-Identifier: Apache-2.0 */
/*
 * 8 threads, each with handles of cuBLAS, cuBLASLt, cublasXt, cuSOLVER and
 * cuSPARSE and a stream of its own: products, factors, solutions, eigenvalues
 * and singular values, first call by call, then all of it as a graph that was
 * captured, but for cublasXt, which waits. Each has what one thread alone has.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cublasLt.h"
#include "cublasXt.h"
#include "cublas_v2.h"
#include "cuda_runtime_api.h"
#include "cusolverDn.h"
#include "cusparse.h"

/* N: the factors are split over threads. SMALL: those of spectra. */
enum { THREADS = 8, N = 288, SMALL = 24, BATCH = 6, ROUNDS = 2 };
enum { ROOM = 1 << 16 };

/* All that the work writes and what it begins from, doubles first. */
struct numbers {
    double a[N * N], lu[N * N], cholesky[N * N], product[N * N], right[N];
    double spectra[SMALL * SMALL], values[SMALL], room[ROOM];
    double general[SMALL * SMALL], u[SMALL * SMALL], vt[SMALL * SMALL];
    double singular[SMALL], vector[N], sparse[3 * N];
    double scaled[N * N], shared[SMALL * SMALL];
    cuDoubleComplex batch[BATCH][SMALL * SMALL], rights[BATCH][SMALL];
    double alpha, beta;
    cuDoubleComplex *batches[BATCH], *right_of[BATCH];
    int pivots[N], batch_pivots[BATCH * SMALL], infos[BATCH], info[5];
    int offsets[N + 1], columns[3 * N];
};

struct work {
    unsigned seed;
    cudaStream_t stream;
    cublasHandle_t blas;
    cublasLtHandle_t lt;
    cublasLtMatmulDesc_t scale;
    cublasLtMatrixLayout_t layout;
    cublasXtHandle_t xt;
    cusolverDnHandle_t solver;
    cusparseHandle_t sparse;
    cusparseSpMatDescr_t lower;
    cusparseDnVecDescr_t x, y;
    cusparseSpSVDescr_t solve;
    void *solve_room;
    struct numbers *n;
    bool is_right;
};

#define TRY(call)                                                              \
    do {                                                                       \
        int status_ = (int)(call);                                             \
        if (status_) {                                                         \
            printf("%s:%d: %s: %d\n", __FILE__, __LINE__, #call, status_);     \
            return false;                                                      \
        }                                                                      \
    } while (0)

static double number_of(unsigned seed, int i)
{
    unsigned x = (seed * 7919u + (unsigned)i + 1) * 2654435761u;
    return (double)((x ^ x >> 13) >> 8) / (1 << 24) - 0.5;
}

/* A symmetric matrix with a large diagonal, and the rest. */
static void fill(struct numbers *n, unsigned seed)
{
    memset(n, 0, sizeof *n);
    for (int j = 0; j < N; j++)
        for (int i = 0; i <= j; i++)
            n->a[i + j * N] = n->a[j + i * N] =
                number_of(seed, i + j * N) + (i == j) * N;
    for (int i = 0; i < SMALL * SMALL; i++) {
        n->general[i] = number_of(seed + 50, i);
        n->spectra[i] = n->a[i % SMALL + i / SMALL * N];
    }
    for (int b = 0; b < BATCH; b++) {
        n->batches[b] = n->batch[b];
        n->right_of[b] = n->rights[b];
        for (int i = 0; i < SMALL * SMALL; i++)
            n->batch[b][i] = make_cuDoubleComplex(
                number_of(seed + (unsigned)b, i) + (i % (SMALL + 1) == 0) * 9,
                number_of(seed + 9, i));
        for (int i = 0; i < SMALL; i++)
            n->rights[b][i] = make_cuDoubleComplex(i, b);
    }
    for (int i = 0; i < N; i++) {
        n->right[i] = number_of(seed + 3, i);
        for (int c = i < 2 ? 0 : i - 2; c <= i; c++) {
            n->columns[n->offsets[i + 1]] = c;
            n->sparse[n->offsets[i + 1]++] = c == i ? 4 : number_of(seed, c);
        }
        if (i + 1 < N)
            n->offsets[i + 2] = n->offsets[i + 1];
    }
    n->alpha = 0.5;
    memcpy(n->lu, n->a, sizeof n->a);
    memcpy(n->cholesky, n->a, sizeof n->a);
}

static bool start_sparse(struct work *w)
{
    struct numbers *n = w->n;
    size_t bytes = 0;
    double one = 1;
    cusparseFillMode_t low = CUSPARSE_FILL_MODE_LOWER;
    TRY(cusparseCreate(&w->sparse));
    TRY(cusparseSetStream(w->sparse, w->stream));
    TRY(cusparseCreateCsr(&w->lower, N, N, n->offsets[N], n->offsets,
                          n->columns, n->sparse, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                          CUDA_R_64F));
    TRY(cusparseSpMatSetAttribute(w->lower, CUSPARSE_SPMAT_FILL_MODE, &low,
                                  sizeof low));
    TRY(cusparseCreateDnVec(&w->x, N, n->right, CUDA_R_64F));
    TRY(cusparseCreateDnVec(&w->y, N, n->vector, CUDA_R_64F));
    TRY(cusparseSpSV_createDescr(&w->solve));
    TRY(cusparseSpSV_bufferSize(w->sparse, CUSPARSE_OPERATION_NON_TRANSPOSE,
                                &one, w->lower, w->x, w->y, CUDA_R_64F,
                                CUSPARSE_SPSV_ALG_DEFAULT, w->solve, &bytes));
    TRY(cudaMalloc(&w->solve_room, bytes + 16));
    TRY(cusparseSpSV_analysis(
        w->sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, w->lower, w->x, w->y,
        CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, w->solve, w->solve_room));
    return true;
}

static bool start_lt(struct work *w)
{
    cublasOperation_t op = CUBLAS_OP_T;
    TRY(cublasLtCreate(&w->lt));
    TRY(cublasLtMatmulDescCreate(&w->scale, CUBLAS_COMPUTE_64F, CUDA_R_64F));
    TRY(cublasLtMatmulDescSetAttribute(w->scale, CUBLASLT_MATMUL_DESC_TRANSB,
                                       &op, sizeof op));
    TRY(cublasLtMatrixLayoutCreate(&w->layout, CUDA_R_64F, N, N, N));
    return true;
}

static bool start_xt(struct work *w)
{
    int device = 0;
    TRY(cublasXtCreate(&w->xt));
    TRY(cublasXtDeviceSelect(w->xt, 1, &device));
    return true;
}

static bool start(struct work *w)
{
    TRY(cudaStreamCreateWithFlags(&w->stream, cudaStreamNonBlocking));
    TRY(cudaMallocManaged((void **)&w->n, sizeof *w->n, cudaMemAttachGlobal));
    fill(w->n, w->seed);
    TRY(cublasCreate(&w->blas));
    TRY(cublasSetStream(w->blas, w->stream));
    TRY(cusolverDnCreate(&w->solver));
    TRY(cusolverDnSetStream(w->solver, w->stream));
    return start_lt(w) && start_xt(w) && start_sparse(w);
}

/* Products with scalars of both sides, LU of a batch, a triangle. */
static bool enqueue_products(struct work *w)
{
    struct numbers *n = w->n;
    const double two = 2, one = 1;
    TRY(cublasSetPointerMode(w->blas, CUBLAS_POINTER_MODE_DEVICE));
    TRY(cublasDgemm(w->blas, CUBLAS_OP_N, CUBLAS_OP_T, N, N, N, &n->alpha, n->a,
                    N, n->lu, N, &n->beta, n->product, N));
    TRY(cublasSetPointerMode(w->blas, CUBLAS_POINTER_MODE_HOST));
    TRY(cublasDsyrk(w->blas, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, N, N, &two,
                    n->a, N, &one, n->product, N));
    TRY(cublasZgetrfBatched(w->blas, SMALL, n->batches, SMALL, n->batch_pivots,
                            n->infos, BATCH));
    int bad = 0;
    TRY(cublasZgetrsBatched(w->blas, CUBLAS_OP_N, SMALL, 1,
                            (const cuDoubleComplex *const *)n->batches, SMALL,
                            n->batch_pivots, n->right_of, SMALL, &bad, BATCH));
    TRY(cusparseSpSV_solve(w->sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one,
                           w->lower, w->x, w->y, CUDA_R_64F,
                           CUSPARSE_SPSV_ALG_DEFAULT, w->solve));
    return bad == 0;
}

/* An algorithm that is asked for, then the product. */
static bool enqueue_lt(struct work *w)
{
    struct numbers *n = w->n;
    const double two = 2, half = 0.5;
    cublasLtMatmulPreference_t preference;
    cublasLtMatmulHeuristicResult_t found;
    int count = 0;
    TRY(cublasLtMatmulPreferenceCreate(&preference));
    TRY(cublasLtMatmulAlgoGetHeuristic(w->lt, w->scale, w->layout, w->layout,
                                       w->layout, w->layout, preference, 1,
                                       &found, &count));
    TRY(count != 1);
    TRY(cublasLtMatmul(w->lt, w->scale, &two, n->a, w->layout, n->a, w->layout,
                       &half, n->scaled, w->layout, n->scaled, w->layout,
                       &found.algo, NULL, 0, w->stream));
    TRY(cublasLtMatmulPreferenceDestroy(preference));
    return true;
}

/* Of matrices that nothing else writes. */
static bool call_xt(struct work *w)
{
    struct numbers *n = w->n;
    const double one = 1, zero = 0;
    TRY(cublasXtDgemm(w->xt, CUBLAS_OP_N, CUBLAS_OP_T, SMALL, SMALL, SMALL,
                      &one, n->a, N, n->a, N, &zero, n->shared, SMALL));
    return true;
}

static bool enqueue_factors(struct work *w)
{
    struct numbers *n = w->n;
    TRY(cusolverDnDgetrf(w->solver, N, N, n->lu, N, n->room, n->pivots,
                         &n->info[0]));
    TRY(cusolverDnDgetrs(w->solver, CUBLAS_OP_N, N, 1, n->lu, N, n->pivots,
                         n->right, N, &n->info[1]));
    TRY(cusolverDnDpotrf(w->solver, CUBLAS_FILL_MODE_LOWER, N, n->cholesky, N,
                         n->room, ROOM, &n->info[2]));
    TRY(cusolverDnDsyevd(w->solver, CUSOLVER_EIG_MODE_VECTOR,
                         CUBLAS_FILL_MODE_LOWER, SMALL, n->spectra, SMALL,
                         n->values, n->room, ROOM, &n->info[3]));
    TRY(cusolverDnDgesvd(w->solver, 'A', 'A', SMALL, SMALL, n->general, SMALL,
                         n->singular, n->u, SMALL, n->vt, SMALL, n->room, ROOM,
                         NULL, &n->info[4]));
    return true;
}

static bool end(struct work *w)
{
    TRY(cusparseSpSV_destroyDescr(w->solve));
    TRY(cusparseDestroySpMat(w->lower));
    TRY(cusparseDestroyDnVec(w->x));
    TRY(cusparseDestroyDnVec(w->y));
    TRY(cusparseDestroy(w->sparse));
    TRY(cublasLtMatmulDescDestroy(w->scale));
    TRY(cublasLtMatrixLayoutDestroy(w->layout));
    TRY(cublasLtDestroy(w->lt));
    TRY(cublasXtDestroy(w->xt));
    TRY(cusolverDnDestroy(w->solver));
    TRY(cublasDestroy(w->blas));
    TRY(cudaStreamDestroy(w->stream));
    TRY(cudaFree(w->solve_room));
    TRY(cudaFree(w->n));
    return true;
}

/* Of all that does not say where memory is. */
static uint64_t hash_of(const struct work *w)
{
    struct numbers *n = w->n;
    uint64_t h = 14695981039346656037ull;
    memset(n->room, 0, sizeof n->room);
    memset(n->batches, 0, sizeof n->batches);
    memset(n->right_of, 0, sizeof n->right_of);
    for (size_t i = 0; i < sizeof *n / 4; i++) {
        uint32_t bits;
        memcpy(&bits, (char *)n + 4 * i, sizeof bits);
        h = (h ^ bits) * 1099511628211ull;
    }
    return h;
}

static bool is_solved(const struct work *w)
{
    for (int i = 0; i < 5; i++)
        if (w->n->info[i])
            return false;
    return true;
}

static bool run(struct work *w, uint64_t *hash)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    if (!start(w) || !call_xt(w) || !enqueue_products(w) || !enqueue_lt(w) ||
        !enqueue_factors(w))
        return false;
    TRY(cudaStreamSynchronize(w->stream));
    bool is_right = is_solved(w);
    *hash = hash_of(w);
    TRY(cudaStreamBeginCapture(w->stream, cudaStreamCaptureModeThreadLocal));
    is_right =
        enqueue_products(w) && enqueue_lt(w) && enqueue_factors(w) && is_right;
    TRY(cudaStreamEndCapture(w->stream, &graph));
    TRY(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < ROUNDS && is_right; i++) {
        fill(w->n, w->seed);
        is_right = call_xt(w);
        TRY(cudaGraphLaunch(exec, w->stream));
        TRY(cudaStreamSynchronize(w->stream));
        is_right = hash_of(w) == *hash && is_right;
        if (!is_right)
            printf("seed %u: another result in a graph\n", w->seed);
    }
    TRY(cudaGraphExecDestroy(exec));
    TRY(cudaGraphDestroy(graph));
    return end(w) && is_right;
}

static uint64_t expected[THREADS];

static void *thread_main(void *arg)
{
    struct work *w = arg;
    uint64_t hash = 0;
    w->is_right = run(w, &hash) && hash == expected[w->seed];
    return NULL;
}

int main(void)
{
    static struct work works[THREADS];
    pthread_t threads[THREADS];
    bool is_right = true;
    for (unsigned i = 0; i < THREADS; i++) {
        struct work alone = {.seed = i};
        is_right = run(&alone, &expected[i]) && is_right;
        is_right = (!i || expected[i] != expected[i - 1]) && is_right;
        works[i].seed = i;
    }
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread_main, &works[i]);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        is_right = works[i].is_right && is_right;
    }
    printf("%s\n", is_right ? "right" : "wrong");
    return !is_right;
}
