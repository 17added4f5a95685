/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The square histogram is Marsaglia, Tsang and Wang's ("Fast generation of
 * discrete random variables", Journal of Statistical Software 11/3, 2004): of
 * count columns of one height, each is filled by its own number and one other.
 */
#include "poisson.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/core.h"

/* ---- the numbers that double precision knows -------------------------- */

static double poisson_probability(double lambda, double k)
{
    return exp(-lambda + k * log(lambda) - lgamma(k + 1));
}

static bool is_possible(double lambda, int64_t k)
{
    return k >= 0 && poisson_probability(lambda, (double)k) > 0;
}

/* Sets shift and count: the numbers whose probability in double is not 0. */
static void find_range(struct poisson *p)
{
    int64_t low = (int64_t)p->lambda, high = low;
    while (is_possible(p->lambda, low - 1))
        low--;
    while (is_possible(p->lambda, high + 1))
        high++;
    p->shift = (uint32_t)low;
    p->count = (uint32_t)(high - low + 1);
}

/* ---- the tables ------------------------------------------------------- */

static void make_sums(const struct poisson *p)
{
    for (uint32_t i = 1; i < p->count; i++)
        p->at[i] += p->at[i - 1];
}

enum { OPEN, DONE };

/* The last column that has more than its share. */
static int64_t next_rich(const struct poisson *p, const char *state, int64_t i)
{
    while (i >= 0 && (state[i] == DONE || p->at[i] <= 1.0 / p->count))
        i--;
    return i;
}

/* Columns that lack something, first to last, get it from the last that has too
 * much. One that has given too much comes in the next round. */
static void fill_columns(const struct poisson *p, char *state)
{
    double share = 1.0 / p->count;
    int64_t rich = next_rich(p, state, p->count - 1);
    for (uint32_t left = 0; rich >= 0 && left < p->count; left++) {
        for (uint32_t j = 0; j < p->count && rich >= 0; j++) {
            if (state[j] == DONE || j == rich || p->at[j] >= share)
                continue;
            p->at[rich] -= share - p->at[j];
            p->at[j] += j * share;
            p->alias[j] = (uint32_t)rich;
            state[j] = DONE;
            rich = next_rich(p, state, rich);
        }
    }
    for (uint32_t j = 0; j < p->count; j++) {
        if (state[j] == OPEN) {
            p->alias[j] = j;
            p->at[j] = (j + 1) * share;
        }
    }
}

static bool fill_table(const struct poisson *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        p->at[i] = poisson_probability(p->lambda, (double)p->shift + i);
    if (!p->alias) {
        make_sums(p);
        return true;
    }
    char *state = calloc(p->count, 1);
    if (!state)
        return false;
    fill_columns(p, state);
    free(state);
    return true;
}

static uint64_t table_bytes(const struct poisson *p)
{
    return p->count * (sizeof *p->at + sizeof *p->alias);
}

/* ---- of generators ---------------------------------------------------- */

/* Memory for a table and its head, in one piece; the table is not filled. */
static struct poisson *new_table(curandGenerator_t g, double lambda,
                                 bool is_histogram)
{
    struct poisson p = {.lambda = lambda};
    CUdeviceptr memory = 0;
    find_range(&p);
    uint64_t bytes = sizeof p + table_bytes(&p);
    struct poisson *new = NULL;
    if (g->on_host)
        new = malloc(bytes);
    else if (!mem_alloc(g->context, &memory, bytes))
        new = (struct poisson *)(uintptr_t)memory;
    if (!new)
        return NULL;
    p.at = (double *)(new + 1);
    p.alias = is_histogram ? (uint32_t *)(p.at + p.count) : NULL;
    *new = p;
    return new;
}

static void free_table(curandGenerator_t g, struct poisson *p)
{
    if (g->on_host)
        free(p);
    else
        mem_free(g->context, (CUdeviceptr)(uintptr_t)p);
}

curandStatus_t poisson_table(curandGenerator_t g, double lambda,
                             bool is_histogram, const struct poisson **out)
{
    struct poisson *p = g->tables;
    while (p && (p->lambda != lambda || !p->alias == is_histogram))
        p = p->next;
    if (!p) {
        p = new_table(g, lambda, is_histogram);
        if (!p)
            return CURAND_STATUS_ALLOCATION_FAILED;
        if (!fill_table(p)) {
            free_table(g, p);
            return CURAND_STATUS_ALLOCATION_FAILED;
        }
        p->next = g->tables;
        g->tables = p;
    }
    *out = p;
    return CURAND_STATUS_SUCCESS;
}

void poisson_end(curandGenerator_t g)
{
    while (g->tables) {
        struct poisson *p = g->tables;
        g->tables = p->next;
        free_table(g, p);
    }
}

/* ---- of kernels ------------------------------------------------------- */

/* All of a distribution, in one piece of the device's memory. */
struct pieces {
    struct curandDiscreteDistribution_st head;
    struct curandDistributionM2Shift_st shift;
    struct curandHistogramM2_st histogram;
};

static void link_pieces(struct pieces *d, const struct poisson *p)
{
    d->histogram.V = d->histogram.host_V = p->at;
    d->histogram.K = d->histogram.host_K = p->alias;
    d->shift.histogram = d->shift.host_histogram = &d->histogram;
    d->shift.shift = p->shift;
    d->shift.length = p->count;
    d->head.M2 = d->head.host_M2 = &d->shift;
    d->head.method = CURAND_M2;
}

curandStatus_t
curandCreatePoissonDistribution(double lambda,
                                curandDiscreteDistribution_t *out)
{
    struct poisson p = {.lambda = lambda};
    CUcontext ctx;
    CUdeviceptr memory;
    if (!out)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (!(lambda > 0 && lambda <= MAX_LAMBDA))
        return CURAND_STATUS_OUT_OF_RANGE;
    if (ctx_of_thread(&ctx))
        return CURAND_STATUS_INITIALIZATION_FAILED;
    bool is_normal = lambda >= POISSON_NORMAL;
    if (!is_normal)
        find_range(&p);
    if (mem_alloc(ctx, &memory, sizeof(struct pieces) + table_bytes(&p)))
        return CURAND_STATUS_ALLOCATION_FAILED;
    struct pieces *d = (struct pieces *)(uintptr_t)memory;
    memset(d, 0, sizeof *d);
    d->head.self_host_ptr = &d->head;
    d->head.method = CURAND_DISCRETE_GAUSS;
    if (is_normal) {
        d->head.mean = lambda;
        d->head.stddev = sqrt(lambda);
    } else {
        p.at = (double *)(d + 1);
        p.alias = (uint32_t *)(p.at + p.count);
        link_pieces(d, &p);
        if (!fill_table(&p)) {
            mem_free(ctx, memory);
            return CURAND_STATUS_ALLOCATION_FAILED;
        }
    }
    *out = &d->head;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandDestroyDistribution(curandDiscreteDistribution_t d)
{
    if (!d)
        return CURAND_STATUS_NOT_INITIALIZED;
    struct mem_info info = mem_query(d);
    if (!mem_is_device_kind(info.kind) || d->self_host_ptr != d ||
        mem_free(mem_context(&info), (CUdeviceptr)(uintptr_t)d))
        return CURAND_STATUS_NOT_INITIALIZED;
    return CURAND_STATUS_SUCCESS;
}

/* The method is for NVIDIA's own use. */
curandStatus_t curandGeneratePoissonMethod(curandGenerator_t generator,
                                           unsigned int *outputPtr, size_t n,
                                           double lambda,
                                           curandMethod_t method)
{
    if (method != CURAND_CHOOSE_BEST)
        return CURAND_STATUS_OUT_OF_RANGE;
    return curandGeneratePoisson(generator, outputPtr, n, lambda);
}
