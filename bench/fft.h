/* SPDX-License-Identifier: Apache-2.0 */
/* What fft.cu and fft-twins.c share: transforms, complex, float, forward, out of
 * place. */
#ifndef WEFT_BENCH_FFT_H
#define WEFT_BENCH_FFT_H

#include "timing.h"

static const struct fft_case {
    const char *name;
    int rank, n[3], batch;
} fft_cases[] = {
    {"fft-2^8", 1, {1 << 8}, 4096},  {"fft-2^10", 1, {1 << 10}, 1024},
    {"fft-2^14", 1, {1 << 14}, 64},  {"fft-2^16", 1, {1 << 16}, 1},
    {"fft-2^20", 1, {1 << 20}, 1},   {"fft-2^24", 1, {1 << 24}, 1},
    {"fft-1001", 1, {1001}, 1024},   {"fft-1024x1024", 2, {1024, 1024}, 1},
    {"fft-256^3", 3, {256, 256, 256}, 1},
};

static inline const struct fft_case *fft_find(const char *name)
{
    for (size_t i = 0; i < sizeof fft_cases / sizeof *fft_cases; i++) {
        if (!strcmp(fft_cases[i].name, name))
            return &fft_cases[i];
    }
    return NULL;
}

static inline long fft_count(const struct fft_case *c)
{
    long count = c->batch;
    for (int i = 0; i < c->rank; i++)
        count *= c->n[i];
    return count;
}

static inline void fft_fill(float *numbers, long count)
{
    for (long i = 0; i < 2 * count; i++)
        numbers[i] = (float)((unsigned)i * 2654435761u >> 8) / (1 << 24) - 0.5f;
}

/* Checks the first of a batch: its element 0 is the sum of the input. */
static inline int fft_check(const struct fft_case *c, const float *in,
                            const float *out)
{
    long each = fft_count(c) / c->batch;
    double sum[2] = {0, 0};
    for (long i = 0; i < 2 * each; i++)
        sum[i % 2] += in[i];
    double bound = 1e-4 * (double)each;
    return sum[0] - out[0] < bound && out[0] - sum[0] < bound &&
           sum[1] - out[1] < bound && out[1] - sum[1] < bound;
}

#endif
