/* SPDX-License-Identifier: Apache-2.0 */
/*
 * 8 threads, each with a handle of cuRAND, cuFFT and cuSPARSE and a stream of its
 * own: they draw, transform and multiply, first call by call, then all of it as
 * a graph that was captured. Each has what one thread alone has.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "cufft.h"
#include "curand.h"
#include "cusparse.h"

enum { THREADS = 8, N = 4096, ROUNDS = 3 };

struct work {
    unsigned seed;
    cudaStream_t stream;
    curandGenerator_t generator;
    cufftHandle plan;
    cusparseHandle_t sparse;
    cusparseSpMatDescr_t a;
    cusparseDnVecDescr_t x, y;
    float *numbers, *result;
    int *offsets, *columns;
    float *values;
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

static bool start(struct work *w)
{
    TRY(cudaStreamCreateWithFlags(&w->stream, cudaStreamNonBlocking));
    TRY(cudaMallocManaged((void **)&w->numbers, N * 8, cudaMemAttachGlobal));
    TRY(cudaMallocManaged((void **)&w->result, N * 8, cudaMemAttachGlobal));
    TRY(cudaMallocManaged((void **)&w->offsets, N * 8 + 4, cudaMemAttachGlobal));
    TRY(cudaMallocManaged((void **)&w->columns, N * 8, cudaMemAttachGlobal));
    TRY(cudaMallocManaged((void **)&w->values, N * 8, cudaMemAttachGlobal));
    for (int i = 0; i < 2 * N; i++) {
        w->offsets[i] = i;
        w->columns[i] = 2 * N - 1 - i;
        w->values[i] = (float)(i % 5);
    }
    w->offsets[2 * N] = 2 * N;
    TRY(curandCreateGenerator(&w->generator, CURAND_RNG_PSEUDO_PHILOX4_32_10));
    TRY(curandSetPseudoRandomGeneratorSeed(w->generator, w->seed));
    TRY(curandSetStream(w->generator, w->stream));
    TRY(curandGenerateSeeds(w->generator));
    TRY(cufftPlan1d(&w->plan, N, CUFFT_C2C, 1));
    TRY(cufftSetStream(w->plan, w->stream));
    TRY(cusparseCreate(&w->sparse));
    TRY(cusparseSetStream(w->sparse, w->stream));
    TRY(cusparseCreateCsr(&w->a, 2 * N, 2 * N, 2 * N, w->offsets, w->columns,
                          w->values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    TRY(cusparseCreateDnVec(&w->x, 2 * N, w->numbers, CUDA_R_32F));
    TRY(cusparseCreateDnVec(&w->y, 2 * N, w->result, CUDA_R_32F));
    return true;
}

static bool enqueue(struct work *w)
{
    float one = 1, zero = 0;
    TRY(curandGenerateUniform(w->generator, w->numbers, 2 * N));
    TRY(cufftExecC2C(w->plan, (cufftComplex *)w->numbers,
                     (cufftComplex *)w->numbers, CUFFT_FORWARD));
    TRY(cusparseSpMV(w->sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, w->a,
                     w->x, &zero, w->y, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT,
                     NULL));
    return true;
}

static bool end(struct work *w)
{
    TRY(curandDestroyGenerator(w->generator));
    TRY(cufftDestroy(w->plan));
    TRY(cusparseDestroySpMat(w->a));
    TRY(cusparseDestroyDnVec(w->x));
    TRY(cusparseDestroyDnVec(w->y));
    TRY(cusparseDestroy(w->sparse));
    TRY(cudaStreamDestroy(w->stream));
    cudaFree(w->numbers), cudaFree(w->result), cudaFree(w->offsets);
    cudaFree(w->columns), cudaFree(w->values);
    return true;
}

static uint64_t hash_of(const struct work *w)
{
    uint64_t h = 14695981039346656037ull;
    for (int i = 0; i < 2 * N; i++) {
        uint32_t bits;
        memcpy(&bits, &w->result[i], sizeof bits);
        h = (h ^ bits) * 1099511628211ull;
    }
    return h;
}

static uint64_t expected[THREADS];

/* A generator that begins anew gives the same numbers in a graph. */
static bool run(struct work *w, uint64_t *hash)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    if (!start(w) || !enqueue(w))
        return false;
    TRY(cudaStreamSynchronize(w->stream));
    *hash = hash_of(w);
    TRY(curandSetGeneratorOffset(w->generator, 0));
    TRY(curandGenerateSeeds(w->generator));
    TRY(cudaStreamBeginCapture(w->stream, cudaStreamCaptureModeThreadLocal));
    bool is_captured = enqueue(w);
    TRY(cudaStreamEndCapture(w->stream, &graph));
    TRY(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < ROUNDS && is_captured; i++) {
        memset(w->result, 0, N * 8);
        /* Else a replay takes the next counters. */
        TRY(curandSetGeneratorOffset(w->generator, 0));
        TRY(curandGenerateSeeds(w->generator));
        TRY(cudaGraphLaunch(exec, w->stream));
        TRY(cudaStreamSynchronize(w->stream));
        if (hash_of(w) != *hash) {
            printf("seed %u: another result in a graph\n", w->seed);
            return false;
        }
    }
    TRY(cudaGraphExecDestroy(exec));
    TRY(cudaGraphDestroy(graph));
    return end(w) && is_captured;
}

static void *thread_main(void *arg)
{
    struct work *w = arg;
    uint64_t hash = 0;
    w->is_right = run(w, &hash) && hash == expected[w->seed];
    return NULL;
}

static void *destroy_plan(void *plan)
{
    return cufftDestroy(*(cufftHandle *)plan) ? plan : NULL;
}

/* A plan of another thread goes: it waits for its work, and the capture here,
 * which forbids things to this thread only, goes on. */
static bool capture_beside_destroy(void)
{
    struct work w = {.seed = 1};
    cufftHandle plan;
    cudaGraph_t graph;
    pthread_t thread;
    void *failed;
    if (!start(&w) || !enqueue(&w))
        return false;
    TRY(cufftPlan1d(&plan, 1 << 20, CUFFT_C2C, 1));
    TRY(cudaStreamBeginCapture(w.stream, cudaStreamCaptureModeThreadLocal));
    TRY(pthread_create(&thread, NULL, destroy_plan, &plan));
    TRY(pthread_join(thread, &failed));
    TRY(failed != NULL);
    if (!enqueue(&w))
        return false;
    TRY(cudaStreamEndCapture(w.stream, &graph));
    TRY(cudaGraphDestroy(graph));
    return end(&w);
}

int main(void)
{
    struct work works[THREADS] = {{0}};
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
    is_right = capture_beside_destroy() && is_right;
    printf("%s\n", is_right ? "right" : "wrong");
    return !is_right;
}
