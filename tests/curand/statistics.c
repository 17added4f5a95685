/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small battery on each generator: moments, frequencies, runs of pairs. Bounds
 * are five standard deviations; quasirandom numbers must do much better.
 */
#include "../exec/check.h"
#include "curand.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { MOST = 1 << 17, FEW = 1 << 13, BINS = 256, SIDE = 16 };

static const int types[] = {101, 121, 141, 142, 161, 201, 202, 203, 204};

static float *numbers;
static int n; /* of them */

static curandGenerator_t generator(int type)
{
    curandGenerator_t g = NULL;
    CHECK_EQUAL(curandCreateGeneratorHost(&g, type), 0);
    if (type < 200)
        CHECK_EQUAL(curandSetPseudoRandomGeneratorSeed(g, 20), 0);
    return g;
}

static double chi_square(const int *count, int bins)
{
    double expected = 0, sum = 0;
    for (int i = 0; i < bins; i++)
        expected += (double)count[i] / bins;
    for (int i = 0; i < bins; i++)
        sum += (count[i] - expected) * (count[i] - expected) / expected;
    return sum;
}

/* Within five standard deviations of its mean, bins - 1. */
static bool is_even(const int *count, int bins)
{
    return fabs(chi_square(count, bins) - (bins - 1)) <
           5 * sqrt(2. * (bins - 1));
}

static void uniform(int type)
{
    int bins[BINS] = {0}, pairs[SIDE * SIDE] = {0};
    double sum = 0, product = 0;
    curandGenerator_t g = generator(type);
    CHECK_EQUAL(curandGenerateUniform(g, numbers, n), 0);
    for (int i = 0; i < n; i++) {
        float x = numbers[i], y = numbers[i ^ 1];
        CHECK(x > 0 && x <= 1);
        sum += x - 0.5;
        product += (x - 0.5) * (y - 0.5);
        bins[(int)(x * BINS) % BINS]++;
        if (i % 2)
            pairs[(int)(x * SIDE) % SIDE * SIDE + (int)(y * SIDE) % SIDE]++;
    }
    if (type >= 200) {
        CHECK(fabs(sum) < 2 && chi_square(bins, BINS) < 1);
    } else {
        CHECK(fabs(sum) < 5 * sqrt(n / 12.));
        CHECK(fabs(product) < 5 * sqrt(2. * n) / 12);
        CHECK(is_even(bins, BINS) && is_even(pairs, SIDE * SIDE));
    }
    CHECK_EQUAL(curandDestroyGenerator(g), 0);
}

static void normal(int type)
{
    double moment[5] = {0};
    curandGenerator_t g = generator(type);
    CHECK_EQUAL(curandGenerateNormal(g, numbers, n, 0, 1), 0);
    for (int i = 0; i < n; i++) {
        double power = 1;
        for (int k = 1; k < 5; k++)
            moment[k] += (power *= numbers[i]) / n;
    }
    CHECK(fabs(moment[1]) < 5 / sqrt(n));
    CHECK(fabs(moment[2] - 1) < 5 * sqrt(2. / n));
    CHECK(fabs(moment[3]) < 5 * sqrt(15. / n));
    CHECK(fabs(moment[4] - 3) < 5 * sqrt(96. / n));
    CHECK_EQUAL(curandDestroyGenerator(g), 0);
}

static void poisson(int type, double lambda)
{
    double mean = 0, square = 0;
    unsigned *counts = (unsigned *)numbers;
    curandGenerator_t g = generator(type);
    CHECK_EQUAL(curandGeneratePoisson(g, counts, n, lambda), 0);
    for (int i = 0; i < n; i++) {
        mean += (counts[i] - lambda) / n;
        square += (counts[i] - lambda) * (counts[i] - lambda) / n;
    }
    CHECK(fabs(mean) < 5 * sqrt(lambda / n));
    CHECK(fabs(square / lambda - 1) < 5 * sqrt((2 + 1 / lambda) / n));
    CHECK_EQUAL(curandDestroyGenerator(g), 0);
}

int main(void)
{
    numbers = aligned_alloc(64, MOST * sizeof *numbers);
    for (unsigned i = 0; i < sizeof types / sizeof *types; i++) {
        /* MT19937 seeds an engine for each eight numbers. */
        n = types[i] == CURAND_RNG_PSEUDO_MT19937 ? FEW : MOST;
        uniform(types[i]);
        normal(types[i]);
        poisson(types[i], 3.5);
        poisson(types[i], 700);
        poisson(types[i], 20000);
    }
    free(numbers);
    return check_result();
}
