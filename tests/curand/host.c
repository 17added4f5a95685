/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers of the host API against those of NVIDIA's library on an H200: each
 * line of host.truth is a case, a hash of all its numbers and some of them,
 * which count where last digits may differ.
 */
#define _GNU_SOURCE
#include "../exec/check.h"
#include "cuda_runtime_api.h"
#include "curand.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 8, BYTES_MAX = 10 << 20 };

static const char *const forms[] = {"u32",  "u64", "uni",  "unid", "nrm",
                                    "nrmd", "log", "logd", "poi"};
enum { U32, U64, UNI, UNID, NRM, NRMD, LOG, LOGD, POI };

struct numbers_case {
    int type, order, form;
    unsigned long long seed, offset;
    unsigned dimensions;
    size_t count;
    int split; /* above 0: the first of several calls makes so many */
    double mean, stddev;
};

struct result {
    int status;
    unsigned long long hash, samples[SAMPLES];
    int sample_count;
};

static char *device, host[BYTES_MAX];

static int form_size(int form)
{
    return form == U64 || form == UNID || form == NRMD || form == LOGD ? 8 : 4;
}

static int generate(curandGenerator_t g, int form, void *p, size_t n, double a,
                    double b)
{
    switch (form) {
    case U32:
        return curandGenerate(g, p, n);
    case U64:
        return curandGenerateLongLong(g, p, n);
    case UNI:
        return curandGenerateUniform(g, p, n);
    case UNID:
        return curandGenerateUniformDouble(g, p, n);
    case NRM:
        return curandGenerateNormal(g, p, n, (float)a, (float)b);
    case NRMD:
        return curandGenerateNormalDouble(g, p, n, a, b);
    case LOG:
        return curandGenerateLogNormal(g, p, n, (float)a, (float)b);
    case LOGD:
        return curandGenerateLogNormalDouble(g, p, n, a, b);
    default:
        return curandGeneratePoisson(g, p, n, a);
    }
}

static int create(const struct numbers_case *c, bool on_host,
                  curandGenerator_t *g)
{
    int status = on_host ? curandCreateGeneratorHost(g, c->type)
                         : curandCreateGenerator(g, c->type);
    if (!status && c->order >= 0)
        status = curandSetGeneratorOrdering(*g, c->order);
    if (!status && c->type < 200 && c->seed != ~0ull)
        status = curandSetPseudoRandomGeneratorSeed(*g, c->seed);
    if (!status && c->offset)
        status = curandSetGeneratorOffset(*g, c->offset);
    if (!status && c->type >= 200)
        status = curandSetQuasiRandomGeneratorDimensions(*g, c->dimensions);
    return status;
}

/* Several calls, each some three times as long as the one before. */
static int generate_all(curandGenerator_t g, const struct numbers_case *c,
                        char *out)
{
    size_t done = 0, step = c->split ? (size_t)c->split : c->count;
    int status = 0;
    while (done < c->count && !status) {
        size_t n = c->count - done < step ? c->count - done : step;
        status = generate(g, c->form, out + done * form_size(c->form), n,
                          c->mean, c->stddev);
        done += n;
        step = step * 3 + (step & 1 ? 0 : 2);
        if (c->form >= NRM && c->form <= LOGD)
            step += step & 1;
    }
    return status;
}

static unsigned long long hash_of(const void *p, size_t bytes)
{
    unsigned long long h = 1469598103934665603ull;
    const unsigned *w = p;
    for (size_t i = 0; i < bytes / 4; i++)
        h = (h ^ w[i]) * 1099511628211ull, h ^= h >> 29;
    return h;
}

static unsigned long long number(int form, size_t i)
{
    unsigned long long x = 0;
    memcpy(&x, host + i * form_size(form), form_size(form));
    return x;
}

static void run_case(const struct numbers_case *c, bool on_host,
                     struct result *r)
{
    size_t n = c->count, bytes = n * form_size(c->form);
    size_t at[SAMPLES] = {0, 1, 2, 3, n / 3, n / 2, n - 2, n - 1};
    curandGenerator_t g;
    memset(r, 0, sizeof *r);
    r->status = create(c, on_host, &g);
    CHECK_EQUAL(r->status, 0);
    r->status = generate_all(g, c, on_host ? host : device);
    if (!on_host)
        CHECK_EQUAL(cudaMemcpy(host, device, bytes, cudaMemcpyDefault), 0);
    CHECK_EQUAL(curandDestroyGenerator(g), 0);
    r->hash = hash_of(host, bytes);
    for (int i = 0; i < SAMPLES; i++) {
        if (at[i] < n)
            r->samples[r->sample_count++] = number(c->form, at[i]);
    }
}

/* ---- the truth -------------------------------------------------------- */

static bool parse(const char *line, struct numbers_case *c, struct result *r)
{
    char form[8];
    int end = 0;
    if (sscanf(line, "%d %d %7s s%llx o%llx d%u n%zu p%d %lg %lg: %d %llx%n",
               &c->type, &c->order, form, &c->seed, &c->offset, &c->dimensions,
               &c->count, &c->split, &c->mean, &c->stddev, &r->status, &r->hash,
               &end) != 12)
        return false;
    for (c->form = 0; strcmp(form, forms[c->form]); c->form++)
        ;
    r->sample_count = 0;
    for (const char *p = line + end; *p == ' ' && p[1] != '-';) {
        r->samples[r->sample_count++] = strtoull(p, (char **)&p, 16);
        if (r->sample_count == SAMPLES)
            break;
    }
    return true;
}

static double value_of(int form, unsigned long long bits)
{
    float f;
    double d;
    unsigned narrow = (unsigned)bits;
    memcpy(&d, &bits, sizeof d);
    memcpy(&f, &narrow, sizeof f);
    return form_size(form) == 8 ? d : f;
}

/* What is not equal in bits: normals by the inverse of the distribution, which
 * are right to 2 ulp here, and what is of double precision. */
static bool is_inexact(const struct numbers_case *c)
{
    bool is_pair = c->type == CURAND_RNG_PSEUDO_XORWOW ||
                   c->type == CURAND_RNG_PSEUDO_MRG32K3A ||
                   c->type == CURAND_RNG_PSEUDO_PHILOX4_32_10;
    return c->form >= NRM && c->form <= LOGD &&
           !(is_pair && form_size(c->form) == 4);
}

/* Normals of mean 0 to 2 ulp; then the mean is added and, of log-normals, the
 * exponential taken, each with a rounding. */
static bool is_near(const struct numbers_case *c, unsigned long long a,
                    unsigned long long b)
{
    double x = value_of(c->form, a), y = value_of(c->form, b);
    double ulp = form_size(c->form) == 8 ? 0x1p-52 : 0x1p-23;
    if (c->form < LOG)
        return fabs(x - y) <= ulp * (2 * fabs(y - c->mean) + fabs(y));
    double normal = log(y);
    double bound = 2 * fabs(normal - c->mean) + fabs(normal) + 2;
    return fabs(x - y) <= ulp * bound * y;
}

static bool agree(const struct numbers_case *c, const struct result *a,
                  const struct result *b)
{
    if (a->status || b->status)
        return a->status == b->status;
    if (!is_inexact(c))
        return a->hash == b->hash;
    for (int i = 0; i < b->sample_count; i++) {
        if (!is_near(c, a->samples[i], b->samples[i]))
            return false;
    }
    return true;
}

/* Long calls have kernels of their own: numbers are those of the words. */
static void long_calls(int type)
{
    enum { COUNT = (1 << 22) + 4096 };
    curandGenerator_t g[2];
    unsigned *words;
    float *numbers;
    long wrong = 0;
    CHECK_EQUAL(cudaMallocManaged((void **)&words, COUNT * sizeof *words, 1),
                0);
    CHECK_EQUAL(
        cudaMallocManaged((void **)&numbers, COUNT * sizeof *numbers, 1), 0);
    for (int i = 0; i < 2; i++)
        CHECK_EQUAL(curandCreateGenerator(&g[i], type), 0);
    for (int cut = 0; cut < 2; cut++) {
        int n = COUNT - 77 * cut;
        CHECK_EQUAL(curandGenerate(g[0], words, n), 0);
        CHECK_EQUAL(curandGenerateUniform(g[1], numbers, n), 0);
        CHECK_EQUAL(cudaDeviceSynchronize(), 0);
        for (int i = 0; i < n; i++)
            wrong += numbers[i] != (float)words[i] * 0x1p-32f + 0x1p-33f;
    }
    CHECK_EQUAL(wrong, 0);
    for (int i = 0; i < 2; i++)
        CHECK_EQUAL(curandDestroyGenerator(g[i]), 0);
    cudaFree(words);
    cudaFree(numbers);
}

/* 924 blocks of 256 numbers in turn; those of the published parameters. */
static void dynamic_twister(void)
{
    static const struct {
        unsigned at, number;
    } truth[] = {{0, 360948779},       {255, 39615257},
                 {49152, 62949262},    {51199, 3079958693},
                 {236544, 1798968667}, {287743, 2550317698},
                 {1892452, 71153854}};
    enum { COUNT = 1892453 };
    curandGenerator_t g;
    unsigned number;
    CHECK_EQUAL(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_MTGP32), 0);
    CHECK_EQUAL(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_DYNAMIC),
                0);
    CHECK_EQUAL(curandGenerate(g, (unsigned *)device, COUNT), 0);
    for (size_t i = 0; i < sizeof truth / sizeof *truth; i++) {
        CHECK_EQUAL(cudaMemcpy(&number, device + 4 * (size_t)truth[i].at, 4,
                               cudaMemcpyDeviceToHost),
                    0);
        CHECK_EQUAL(number, truth[i].number);
    }
    CHECK_EQUAL(curandDestroyGenerator(g), 0);
}

int main(int argc, char **argv)
{
    char line[400];
    FILE *f = fopen(argc > 1 ? argv[1] : "host.truth", "r");
    int count = 0;
    CHECK(f != NULL);
    CHECK_EQUAL(cudaMalloc((void **)&device, BYTES_MAX), 0);
    while (f && fgets(line, sizeof line, f)) {
        struct numbers_case c;
        struct result truth, ours;
        if (!parse(line, &c, &truth))
            continue;
        for (int on_host = 0; on_host < 2; on_host++) {
            if (on_host &&
                (c.order == CURAND_ORDERING_PSEUDO_DYNAMIC || c.count > 1000))
                continue;
            run_case(&c, on_host, &ours);
            CHECK(agree(&c, &ours, &truth));
            if (!agree(&c, &ours, &truth))
                printf("%s%s", on_host ? "host: " : "", line);
        }
        count++;
    }
    CHECK(count > 300);
    long_calls(CURAND_RNG_PSEUDO_XORWOW);
    long_calls(CURAND_RNG_PSEUDO_PHILOX4_32_10);
    dynamic_twister();
    return check_result();
}
