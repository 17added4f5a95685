/* SPDX-License-Identifier: Apache-2.0 */
#include "generator.h"

#include <stdlib.h>
#include <string.h>

#include "core/core.h"
#include "poisson.h"
#include "vectors.h"

static void release_state(curandGenerator_t g)
{
    if (g->on_host)
        free(g->state);
    else
        mem_free(g->context, (CUdeviceptr)(uintptr_t)g->state);
    g->state = NULL;
    g->state_bytes = 0;
}

static void *allocate_state(curandGenerator_t g, uint64_t bytes)
{
    CUdeviceptr p;
    if (g->on_host)
        return aligned_alloc(64, (bytes + 63) / 64 * 64);
    return mem_alloc(g->context, &p, bytes) ? NULL : (void *)(uintptr_t)p;
}

curandStatus_t generator_reserve(curandGenerator_t g, uint64_t bytes)
{
    if (g->state_bytes == bytes)
        return CURAND_STATUS_SUCCESS;
    void *state = allocate_state(g, bytes);
    if (!state)
        return CURAND_STATUS_ALLOCATION_FAILED;
    release_state(g);
    g->state = state;
    g->state_bytes = bytes;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t generator_run(curandGenerator_t g, const struct native_kernel *k,
                             uint64_t tiles, const void *args)
{
    if (g->on_host) {
        k->run(args, 0, tiles);
        return CURAND_STATUS_SUCCESS;
    }
    return lib_run(k, g->stream, tiles, args) ? CURAND_STATUS_LAUNCH_FAILURE
                                              : CURAND_STATUS_SUCCESS;
}

curandStatus_t generator_go_to_offset(curandGenerator_t g)
{
    g->cursor = g->offset;
    return CURAND_STATUS_SUCCESS;
}

/* ---- life ------------------------------------------------------------- */

static const struct engine *const engines[] = {
    &xorwow_engine,      &mrg_engine,      &mtgp_engine,        &mt19937_engine,
    &philox_engine,      &sobol32_engine,  &scrambled32_engine, &sobol64_engine,
    &scrambled64_engine, &counting_engine,
};

static const struct engine *find_engine(curandRngType_t type)
{
    if (type == CURAND_RNG_PSEUDO_DEFAULT)
        type = CURAND_RNG_PSEUDO_XORWOW;
    if (type == CURAND_RNG_QUASI_DEFAULT)
        type = CURAND_RNG_QUASI_SOBOL32;
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
        if (engines[i]->type == type)
            return engines[i];
    }
    return NULL;
}

static curandStatus_t create_generator(curandGenerator_t *out,
                                       curandRngType_t type, bool on_host)
{
    const struct engine *engine = find_engine(type);
    CUcontext context = NULL;
    if (!out)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (!engine)
        return CURAND_STATUS_TYPE_ERROR;
    if (!on_host && ctx_of_thread(&context))
        return CURAND_STATUS_INITIALIZATION_FAILED;
    struct curandGenerator_st *g = calloc(1, sizeof *g);
    if (!g)
        return CURAND_STATUS_ALLOCATION_FAILED;
    g->magic = GENERATOR_MAGIC;
    g->engine = engine;
    g->on_host = on_host;
    g->context = context;
    g->order = engine->is_quasi ? CURAND_ORDERING_QUASI_DEFAULT
                                : CURAND_ORDERING_PSEUDO_DEFAULT;
    g->dimensions = 1;
    *out = g;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandCreateGenerator(curandGenerator_t *generator,
                                     curandRngType_t rng_type)
{
    return create_generator(generator, rng_type, false);
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator,
                                         curandRngType_t rng_type)
{
    return create_generator(generator, rng_type, true);
}

static bool is_alive(curandGenerator_t g)
{
    return g && g->magic == GENERATOR_MAGIC;
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator)
{
    if (!is_alive(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    release_state(generator); /* of a device's memory, when its work is done */
    poisson_end(generator);
    free(generator->notes);
    generator->magic = 0;
    free(generator);
    return CURAND_STATUS_SUCCESS;
}

/* ---- options ---------------------------------------------------------- */

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream)
{
    if (!is_alive(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    generator->stream = (CUstream)stream;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed)
{
    if (!is_alive(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    if (generator->engine->is_quasi)
        return CURAND_STATUS_TYPE_ERROR;
    /* Those without offsets go on if the seed is what it was, as an H200's. */
    if (generator->engine->has_offset || generator->seed != seed)
        generator->is_seeded = false;
    generator->seed = seed;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator,
                                        unsigned long long offset)
{
    if (!is_alive(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    if (!generator->engine->has_offset)
        return CURAND_STATUS_TYPE_ERROR;
    generator->offset = offset;
    generator->is_seeded = false;
    return CURAND_STATUS_SUCCESS;
}

static bool has_order(const struct engine *e, curandOrdering_t order)
{
    if (e->is_quasi)
        return order == CURAND_ORDERING_QUASI_DEFAULT;
    return order >= CURAND_ORDERING_PSEUDO_BEST &&
           order <= CURAND_ORDERING_PSEUDO_DYNAMIC &&
           (e->orders >> (order - CURAND_ORDERING_PSEUDO_BEST) & 1) != 0;
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator,
                                          curandOrdering_t order)
{
    if (!is_alive(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    if (!has_order(generator->engine, order))
        return CURAND_STATUS_OUT_OF_RANGE;
    if (generator->on_host && order == CURAND_ORDERING_PSEUDO_DYNAMIC)
        return CURAND_STATUS_OUT_OF_RANGE;
    generator->order = order;
    generator->is_seeded = false;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(
    curandGenerator_t generator, unsigned int num_dimensions)
{
    if (!is_alive(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    if (!generator->engine->is_quasi)
        return CURAND_STATUS_TYPE_ERROR;
    if (num_dimensions < 1 || num_dimensions > DIMENSIONS_MAX)
        return CURAND_STATUS_OUT_OF_RANGE;
    generator->dimensions = num_dimensions;
    generator->is_seeded = false;
    return CURAND_STATUS_SUCCESS;
}

static curandStatus_t seed_if_needed(curandGenerator_t g)
{
    if (g->is_seeded)
        return CURAND_STATUS_SUCCESS;
    curandStatus_t status = g->engine->seed(g);
    g->is_seeded = status == CURAND_STATUS_SUCCESS;
    return status;
}

curandStatus_t curandGenerateSeeds(curandGenerator_t generator)
{
    if (!is_alive(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    return seed_if_needed(generator);
}

/* ---- numbers ---------------------------------------------------------- */

static bool has_form(const struct engine *e, enum form form)
{
    if (form == FORM_BITS)
        return !e->is_wide;
    return form != FORM_BITS_64 || e->is_wide;
}

static curandStatus_t draw_request(curandGenerator_t g, const struct request *r)
{
    if (!is_alive(g))
        return CURAND_STATUS_NOT_INITIALIZED;
    if (r->count == 0)
        return CURAND_STATUS_SUCCESS;
    if (!has_form(g->engine, r->form))
        return CURAND_STATUS_TYPE_ERROR;
    if (g->engine->is_quasi && r->count % g->dimensions)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    if (r->form == FORM_POISSON && !(r->mean > 0 && r->mean <= MAX_LAMBDA))
        return CURAND_STATUS_OUT_OF_RANGE;
    if (!r->out)
        return CURAND_STATUS_LAUNCH_FAILURE;
    curandStatus_t status = seed_if_needed(g);
    if (!status)
        status = g->engine->draw(g, r);
    if (!status && g->engine->has_offset)
        g->offset += r->count / g->dimensions;
    return status;
}

#define GENERATE(name, number, its_form)                                       \
    curandStatus_t name(curandGenerator_t generator, number *outputPtr,        \
                        size_t num)                                            \
    {                                                                          \
        return draw_request(generator, &(struct request){.out = outputPtr,     \
                                                         .count = num,         \
                                                         .form = its_form});   \
    }
GENERATE(curandGenerate, unsigned int, FORM_BITS)
GENERATE(curandGenerateLongLong, unsigned long long, FORM_BITS_64)
GENERATE(curandGenerateUniform, float, FORM_UNIFORM)
GENERATE(curandGenerateUniformDouble, double, FORM_UNIFORM_DOUBLE)
#undef GENERATE

#define GENERATE(name, number, its_form)                                       \
    curandStatus_t name(curandGenerator_t generator, number *outputPtr,        \
                        size_t n, number mean, number stddev)                  \
    {                                                                          \
        return draw_request(generator, &(struct request){.out = outputPtr,     \
                                                         .count = n,           \
                                                         .form = its_form,     \
                                                         .mean = mean,         \
                                                         .stddev = stddev});   \
    }
GENERATE(curandGenerateNormal, float, FORM_NORMAL)
GENERATE(curandGenerateNormalDouble, double, FORM_NORMAL_DOUBLE)
GENERATE(curandGenerateLogNormal, float, FORM_LOG_NORMAL)
GENERATE(curandGenerateLogNormalDouble, double, FORM_LOG_NORMAL_DOUBLE)
#undef GENERATE

curandStatus_t curandGeneratePoisson(curandGenerator_t generator,
                                     unsigned int *outputPtr, size_t n,
                                     double lambda)
{
    return draw_request(generator, &(struct request){.out = outputPtr,
                                                     .count = n,
                                                     .form = FORM_POISSON,
                                                     .mean = lambda});
}

/* ---- the library ------------------------------------------------------ */

curandStatus_t curandGetVersion(int *version)
{
    if (!version)
        return CURAND_STATUS_OUT_OF_RANGE;
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetProperty(libraryPropertyType type, int *value)
{
    static const int values[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR,
                                 CURAND_VER_PATCH};
    if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL)
        return CURAND_STATUS_OUT_OF_RANGE;
    *value = values[type];
    return CURAND_STATUS_SUCCESS;
}
