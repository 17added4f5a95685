/* SPDX-License-Identifier: Apache-2.0 */
/* What cuRAND's host API answers to mistakes: an H200's statuses. And capture. */
#include "../exec/check.h"
#include "cuda_runtime_api.h"
#include "curand.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static const int types[] = {101, 121, 141, 142, 161, 201, 202, 203, 204};
enum { TYPES = sizeof types / sizeof *types, WORDS = 4096 };

static unsigned *memory;

static curandGenerator_t generator(int type)
{
    curandGenerator_t g = NULL;
    CHECK_EQUAL(curandCreateGenerator(&g, type), 0);
    return g;
}

static void no_generator(void)
{
    curandGenerator_t g;
    CHECK_EQUAL(curandCreateGenerator(&g, 102), CURAND_STATUS_TYPE_ERROR);
    CHECK_EQUAL(curandCreateGenerator(&g, -1), CURAND_STATUS_TYPE_ERROR);
    CHECK_EQUAL(curandCreateGeneratorHost(&g, 205), CURAND_STATUS_TYPE_ERROR);
    CHECK(curandCreateGenerator(NULL, 101) != 0);
    CHECK_EQUAL(curandGenerate(NULL, memory, 1), 101);
    CHECK_EQUAL(curandGeneratePoisson(NULL, memory, 1, 1), 101);
    CHECK_EQUAL(curandSetPseudoRandomGeneratorSeed(NULL, 1), 101);
    CHECK_EQUAL(curandSetGeneratorOffset(NULL, 1), 101);
    CHECK_EQUAL(curandSetGeneratorOrdering(NULL, 101), 101);
    CHECK_EQUAL(curandSetQuasiRandomGeneratorDimensions(NULL, 1), 101);
    CHECK_EQUAL(curandSetStream(NULL, 0), 101);
    CHECK_EQUAL(curandGenerateSeeds(NULL), 101);
    CHECK_EQUAL(curandDestroyGenerator(NULL), 101);
    CHECK_EQUAL(curandDestroyDistribution(NULL), 101);
}

/* Which options a type has. */
static void options(int type)
{
    bool quasi = type >= 200, twister = type == 141 || type == 142;
    curandGenerator_t g = generator(type);
    CHECK_EQUAL(curandSetPseudoRandomGeneratorSeed(g, 5), quasi ? 103 : 0);
    CHECK_EQUAL(curandSetGeneratorOffset(g, 5), twister ? 103 : 0);
    CHECK_EQUAL(curandSetGeneratorOrdering(g, 101), quasi ? 104 : 0);
    CHECK_EQUAL(curandSetGeneratorOrdering(g, 102), type == 101 ? 0 : 104);
    CHECK_EQUAL(curandSetGeneratorOrdering(g, 103), quasi ? 104 : 0);
    CHECK_EQUAL(curandSetGeneratorOrdering(g, 201), quasi ? 0 : 104);
    CHECK_EQUAL(curandSetGeneratorOrdering(g, 999), 104);
    CHECK_EQUAL(curandSetQuasiRandomGeneratorDimensions(g, 2),
                quasi ? 0 : 103);
    CHECK_EQUAL(curandSetQuasiRandomGeneratorDimensions(g, 0),
                quasi ? 104 : 103);
    CHECK_EQUAL(curandSetQuasiRandomGeneratorDimensions(g, 20001),
                quasi ? 104 : 103);
    CHECK_EQUAL(curandDestroyGenerator(g), 0);
}

static void calls(int type)
{
    bool wide = type >= 203, quasi = type >= 200;
    bool pairs = type == 101 || type == 121;
    curandGenerator_t g = generator(type);
    CHECK_EQUAL(curandGenerate(g, memory, 8), wide ? 103 : 0);
    CHECK_EQUAL(curandGenerateLongLong(g, (void *)memory, 8), wide ? 0 : 103);
    CHECK_EQUAL(curandGenerateLongLong(g, NULL, 0), 0);
    CHECK_EQUAL(curandGenerateUniform(g, NULL, 1), 201);
    CHECK_EQUAL(curandGenerateNormal(g, (float *)memory, 7, 0, 1),
                pairs ? 105 : 0);
    CHECK_EQUAL(curandGenerateNormal(g, (float *)memory, 8, 0, -1), 0);
    CHECK_EQUAL(curandGeneratePoisson(g, memory, 8, 0), 104);
    CHECK_EQUAL(curandGeneratePoisson(g, memory, 8, -1), 104);
    CHECK_EQUAL(curandGeneratePoisson(g, memory, 8, 400001), 104);
    CHECK_EQUAL(curandGeneratePoisson(g, memory, 8, 400000), 0);
    if (quasi) {
        CHECK_EQUAL(curandSetQuasiRandomGeneratorDimensions(g, 3), 0);
        CHECK_EQUAL(curandGenerateUniform(g, (float *)memory, 7), 105);
    }
    CHECK_EQUAL(curandDestroyGenerator(g), 0);
    CHECK_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
}

static void tables(void)
{
    curandDiscreteDistribution_t d;
    curandDirectionVectors32_t *narrow;
    curandDirectionVectors64_t *wide;
    unsigned *constants;
    unsigned long long *wide_constants;
    int value = 0;
    CHECK_EQUAL(curandCreatePoissonDistribution(0, &d), 104);
    CHECK_EQUAL(curandCreatePoissonDistribution(400001, &d), 104);
    CHECK_EQUAL(curandCreatePoissonDistribution(5000, &d), 0);
    CHECK_EQUAL(curandDestroyDistribution(d), 0);
    CHECK_EQUAL(curandGetDirectionVectors32(&narrow, 103), 104);
    CHECK_EQUAL(curandGetDirectionVectors64(&wide, 101), 104);
    CHECK_EQUAL(curandGetDirectionVectors32(&narrow, 101), 0);
    CHECK_EQUAL(curandGetDirectionVectors64(&wide, 103), 0);
    CHECK(narrow[19999][31] == wide[19999][31] >> 32);
    CHECK_EQUAL(curandGetScrambleConstants32(&constants), 0);
    CHECK_EQUAL(curandGetScrambleConstants64(&wide_constants), 0);
    CHECK(constants[0] == 0xe20866fe && wide_constants[0] >> 32 == 0xe20866fe);
    CHECK_EQUAL(curandGetVersion(&value), 0);
    CHECK_EQUAL(value, CURAND_VERSION);
    CHECK_EQUAL(curandGetProperty(MAJOR_VERSION, &value), 0);
    CHECK_EQUAL(value, 10);
    CHECK_EQUAL(curandGetProperty(3, &value), 104);
}

/* Numbers in a graph are those of a plain call. */
static void capture(int type)
{
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    curandGenerator_t g = generator(type), plain = generator(type);
    uint64_t *found = (uint64_t *)memory, *expected = found + 64;
    CHECK_EQUAL(cudaStreamCreate(&s), cudaSuccess);
    CHECK_EQUAL(curandSetStream(g, s), 0);
    CHECK_EQUAL(curandGenerateSeeds(g), 0);
    CHECK_EQUAL(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal), 0);
    CHECK_EQUAL(curandGenerateUniformDouble(g, (double *)found, 60), 0);
    CHECK_EQUAL(cudaStreamEndCapture(s, &graph), cudaSuccess);
    CHECK_EQUAL(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    CHECK_EQUAL(curandGenerateUniformDouble(plain, (double *)expected, 60), 0);
    CHECK_EQUAL(cudaGraphLaunch(exec, s), cudaSuccess);
    CHECK_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    for (int i = 0; i < 60; i++)
        CHECK(found[i] == expected[i]);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    CHECK_EQUAL(curandDestroyGenerator(g), 0);
    CHECK_EQUAL(curandDestroyGenerator(plain), 0);
    cudaStreamDestroy(s);
}

/* Each replay of a captured call takes the next counters of its lanes, which
 * are 65,536: with an H200 the first 64 numbers of the call below were those at
 * 4,096, at 266,240 and at 528,384. A call after them goes on from where the
 * captured one ended; after a seed, all is as at first. */
static void philox_replays(void)
{
    enum { BEFORE = 4096, CALL = 64, ROW = 4 * 65536, ALL = 3 * ROW };
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    float *all, *found;
    curandGenerator_t g = generator(161), plain = generator(161);
    CHECK_EQUAL(cudaMalloc((void **)&all, ALL * sizeof *all), 0);
    CHECK_EQUAL(cudaMalloc((void **)&found, BEFORE * sizeof *found), 0);
    CHECK_EQUAL(curandGenerateUniform(plain, all, ALL), 0);
    CHECK_EQUAL(cudaStreamCreate(&s), cudaSuccess);
    CHECK_EQUAL(curandSetStream(g, s), 0);
    CHECK_EQUAL(curandGenerateUniform(g, found, BEFORE), 0);
    CHECK_EQUAL(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal), 0);
    CHECK_EQUAL(curandGenerateUniform(g, found, CALL), 0);
    CHECK_EQUAL(cudaStreamEndCapture(s, &graph), cudaSuccess);
    CHECK_EQUAL(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    for (int i = 0; i < 3; i++) {
        CHECK_EQUAL(cudaGraphLaunch(exec, s), cudaSuccess);
        CHECK_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
        CHECK(!memcmp(found, all + BEFORE + i * ROW, CALL * sizeof *found));
    }
    CHECK_EQUAL(curandGenerateUniform(g, found, 1001), 0);
    CHECK_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    CHECK(!memcmp(found, all + BEFORE + CALL, 1001 * sizeof *found));
    CHECK_EQUAL(curandSetGeneratorOffset(g, ROW + 1000), 0);
    CHECK_EQUAL(curandGenerateUniform(g, found, BEFORE), 0);
    CHECK_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    CHECK(!memcmp(found, all + ROW + 1000, BEFORE * sizeof *found));
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    CHECK_EQUAL(curandDestroyGenerator(g), 0);
    CHECK_EQUAL(curandDestroyGenerator(plain), 0);
    cudaStreamDestroy(s);
    cudaFree(all), cudaFree(found);
}

/* The twisters go on if they get the seed that they have. */
static void same_seed(int type)
{
    unsigned *numbers = memory + 1024;
    curandGenerator_t g = generator(type), plain = generator(type);
    CHECK_EQUAL(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_BEST), 0);
    CHECK_EQUAL(curandSetPseudoRandomGeneratorSeed(g, 4), 0);
    CHECK_EQUAL(curandSetPseudoRandomGeneratorSeed(plain, 4), 0);
    CHECK_EQUAL(curandGenerate(plain, numbers, 20), 0);
    CHECK_EQUAL(curandGenerate(g, memory, 10), 0);
    CHECK_EQUAL(curandSetPseudoRandomGeneratorSeed(g, 4), 0);
    CHECK_EQUAL(curandGenerate(g, memory + 10, 10), 0);
    CHECK_EQUAL(curandSetPseudoRandomGeneratorSeed(plain, 5), 0);
    CHECK_EQUAL(curandSetPseudoRandomGeneratorSeed(plain, 4), 0);
    CHECK_EQUAL(curandGenerate(plain, numbers + 20, 20), 0);
    CHECK_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    CHECK(!memcmp(memory, numbers, 80));
    CHECK(!memcmp(numbers + 20, numbers, 80));
    CHECK_EQUAL(curandDestroyGenerator(g), 0);
    CHECK_EQUAL(curandDestroyGenerator(plain), 0);
}

int main(void)
{
    CHECK_EQUAL(cudaMalloc((void **)&memory, WORDS * sizeof *memory), 0);
    no_generator();
    tables();
    for (int i = 0; i < TYPES; i++) {
        options(types[i]);
        calls(types[i]);
        capture(types[i]);
    }
    philox_replays();
    same_seed(CURAND_RNG_PSEUDO_MTGP32);
    same_seed(CURAND_RNG_PSEUDO_MT19937);
    return check_result();
}
