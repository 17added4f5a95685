/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ten families of TestU01's SmallCrush (L'Ecuyer, Simard: "TestU01", 2007)
 * on each pseudorandom generator, with their parameters; each statistic within
 * five standard deviations. `crush N` takes an N-th of the numbers: sizes that
 * depend on n follow. MT19937, whose 8,192 engines cost seconds, is tried where
 * all numbers are. Distributions are computed exactly, by recurrences.
 */
#include "../exec/check.h"
#include "curand.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 1 << 18, CLASSES_MAX = 1 << 17 };

static const struct {
    int type;
    const char *name;
} generators[] = {{CURAND_RNG_PSEUDO_XORWOW, "XORWOW"},
                  {CURAND_RNG_PSEUDO_MRG32K3A, "MRG32k3a"},
                  {CURAND_RNG_PSEUDO_MTGP32, "MTGP32"},
                  {CURAND_RNG_PSEUDO_PHILOX4_32_10, "Philox"},
                  {CURAND_RNG_PSEUDO_MT19937, "MT19937"}};

static curandGenerator_t generator;
static const char *generator_name;
static unsigned *buffer, used = BUFFER;
static int divisor = 1;

static int share_of(int n)
{
    return n / divisor;
}

/* The next number without its `skipped` highest bits. */
static unsigned draw(int skipped)
{
    if (used == BUFFER) {
        CHECK_EQUAL(curandGenerate(generator, buffer, BUFFER), 0);
        used = 0;
    }
    return buffer[used++] << skipped;
}

/* The next one in 0 .. range - 1. */
static unsigned below(int skipped, unsigned range)
{
    return (unsigned)((uint64_t)draw(skipped) * range >> 32);
}

static void judge(const char *what, double deviations)
{
    bool is_likely = fabs(deviations) < 5;
    if (!is_likely || getenv("CRUSH_SHOW"))
        fprintf(stderr, "%s, %s: %.2f standard deviations\n", generator_name,
                what, deviations);
    CHECK(is_likely);
}

/* ---- chi-square ------------------------------------------------------- */

static double chances[CLASSES_MAX];
static int counts[CLASSES_MAX];

static void start_counting(int classes)
{
    memset(chances, 0, (size_t)classes * sizeof *chances);
    memset(counts, 0, (size_t)classes * sizeof *counts);
}

/* Classes of which less than ten are expected join the next one. As a normal
 * number, after Wilson and Hilferty. */
static void judge_counts(const char *what, int classes, int n)
{
    double sum = 0, waiting = 0, freedom = -1;
    int waiting_count = 0;
    double left = n;
    for (int i = 0; i < classes; i++) {
        waiting += chances[i] * n;
        waiting_count += counts[i];
        if (waiting < 10 || (i < classes - 1 && left - waiting < 10))
            continue;
        sum += (waiting_count - waiting) * (waiting_count - waiting) / waiting;
        freedom++;
        left -= waiting;
        waiting = waiting_count = 0;
    }
    CHECK(freedom >= 1);
    judge(what, (cbrt(sum / freedom) - (1 - 2 / (9 * freedom))) /
                    sqrt(2 / (9 * freedom)));
}

static double binomial(int n, int k, double p)
{
    if (k < 0 || k > n)
        return 0;
    return exp(lgamma(n + 1.) - lgamma(k + 1.) - lgamma(n - k + 1.) +
               k * log(p) + (n - k) * log1p(-p));
}

/* ---- points and cells ------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Numbers of `bits` bits, in order. */
static uint64_t *sorted_points(int n, int bits)
{
    uint64_t *at = malloc((size_t)n * sizeof *at);
    for (int i = 0; i < n; i++) {
        uint64_t high = draw(0);
        at[i] = (high << 32 | draw(0)) >> (64 - bits);
    }
    qsort(at, (size_t)n, sizeof *at, compare);
    return at;
}

static int count_equal(const uint64_t *at, int n)
{
    int equal = 0;
    for (int i = 1; i < n; i++)
        equal += at[i] == at[i - 1];
    return equal;
}

/* Equal distances between birthdays: Poisson, of n^3 / 4k, about 27. */
static void birthday_spacings(void)
{
    int n = share_of(5000000);
    int bits = (int)lround(log2((double)n * n * n / 108));
    uint64_t *at = sorted_points(n, bits);
    double mean = (double)n * n * n / 4 / ldexp(1, bits);
    for (int i = 0; i < n - 1; i++)
        at[i] = at[i + 1] - at[i];
    qsort(at, (size_t)n - 1, sizeof *at, compare);
    judge("birthday spacings", (count_equal(at, n - 1) - mean) / sqrt(mean));
    free(at);
}

/* Balls in urns that are not empty; sparse. */
static void collisions(void)
{
    int n = share_of(5000000);
    int bits = (int)lround(log2((double)n * n / 5820));
    double urns = ldexp(1, bits);
    uint64_t *at = sorted_points(n, bits);
    double mean = n - urns + urns * exp(n * log1p(-1 / urns));
    judge("collisions", (count_equal(at, n) - mean) / sqrt(mean));
    free(at);
}

/* ---- tests of Knuth's ------------------------------------------------- */

/* How many numbers lie between two below 1 / 256. */
static void gaps(void)
{
    enum { GAPS = 4096 };
    int n = share_of(200000);
    start_counting(GAPS);
    for (int i = 0; i < n; i++) {
        int length = 0;
        while (length < GAPS - 1 && below(22, 256))
            length++;
        counts[length]++;
    }
    for (int i = 0; i < GAPS - 1; i++)
        chances[i] = pow(255. / 256, i) / 256;
    chances[GAPS - 1] = pow(255. / 256, GAPS - 1);
    judge_counts("gaps", GAPS, n);
}

/* How many different values a hand of 64 has, of 64. */
static void poker(void)
{
    enum { HAND = 64 };
    int n = share_of(400000);
    start_counting(HAND + 1);
    for (int i = 0; i < n; i++) {
        uint64_t seen = 0;
        for (int k = 0; k < HAND; k++)
            seen |= (uint64_t)1 << below(24, HAND);
        counts[__builtin_popcountll(seen)]++;
    }
    chances[0] = 1;
    for (int k = 0; k < HAND; k++) {
        for (int s = k + 1; s > 0; s--)
            chances[s] =
                (chances[s] * s + chances[s - 1] * (HAND - s + 1)) / HAND;
        chances[0] = 0;
    }
    judge_counts("poker", HAND + 1, n);
}

/* How many numbers until all 16 values were there. */
static void coupons(void)
{
    enum { VALUES = 16, LONGEST = 400 };
    double have[VALUES + 1] = {1};
    int n = share_of(500000);
    start_counting(LONGEST + 1);
    for (int i = 0; i < n; i++) {
        unsigned seen = 0;
        int length = 0;
        for (; seen != (1u << VALUES) - 1 && length < LONGEST; length++)
            seen |= 1u << below(26, VALUES);
        counts[length]++;
    }
    for (int k = 1; k <= LONGEST; k++) {
        double done = have[VALUES - 1] / VALUES;
        for (int s = VALUES - 1; s >= 0; s--)
            have[s] = (have[s] * s + (s ? have[s - 1] * (VALUES - s + 1) : 0)) /
                      VALUES;
        chances[k] = done;
    }
    /* The last class: that long, or longer. */
    for (int s = 0; s < VALUES; s++)
        chances[LONGEST] += have[s];
    judge_counts("coupons", LONGEST + 1, n);
}

/* The largest of six: its sixth power is uniform. */
static void largest(void)
{
    int n = share_of(2000000), classes = share_of(100000);
    start_counting(classes);
    for (int i = 0; i < n; i++) {
        unsigned most = 0;
        for (int k = 0; k < 6; k++) {
            unsigned x = draw(0);
            most = x > most ? x : most;
        }
        int class = (int)(pow((most + 0.5) / 4294967296., 6) * classes);
        counts[class < classes ? class : classes - 1]++;
    }
    for (int i = 0; i < classes; i++)
        chances[i] = 1. / classes;
    judge_counts("the largest of six", classes, n);
}

/* How many of 256 lie below 1 / 8. */
static void weights(void)
{
    enum { DRAWN = 256 };
    int n = share_of(200000);
    start_counting(DRAWN + 1);
    for (int i = 0; i < n; i++) {
        int count = 0;
        for (int k = 0; k < DRAWN; k++)
            count += below(27, 8) == 0;
        counts[count]++;
    }
    for (int i = 0; i <= DRAWN; i++)
        chances[i] = binomial(DRAWN, i, 1. / 8);
    judge_counts("weights", DRAWN + 1, n);
}

/* ---- bits ------------------------------------------------------------- */

enum { TAKEN = 10 }; /* bits of a number, behind the first 20 */

static int rank_of(uint64_t *row, int rows)
{
    int rank = 0;
    for (int bit = 0; bit < rows; bit++) {
        int found = rank;
        while (found < rows && !(row[found] >> bit & 1))
            found++;
        if (found == rows)
            continue;
        uint64_t pivot = row[found];
        row[found] = row[rank];
        row[rank++] = pivot;
        for (int i = rank; i < rows; i++)
            row[i] ^= row[i] >> bit & 1 ? pivot : 0;
    }
    return rank;
}

/* Ranks of 60 x 60 matrices of bits. */
static void ranks(void)
{
    enum { ROWS = 60 };
    int n = share_of(20000);
    start_counting(ROWS + 1);
    for (int i = 0; i < n; i++) {
        uint64_t row[ROWS] = {0};
        for (int k = 0; k < ROWS * ROWS / TAKEN; k++)
            row[k / 6] = row[k / 6] << TAKEN | draw(20) >> (32 - TAKEN);
        counts[rank_of(row, ROWS)]++;
    }
    for (int r = ROWS - 6; r <= ROWS; r++) {
        double log2_chance = (double)r * (2 * ROWS - r) - ROWS * ROWS, p = 1;
        for (int i = 0; i < r; i++)
            p *= (1 - ldexp(1, i - ROWS)) * (1 - ldexp(1, i - ROWS)) /
                 (1 - ldexp(1, i - r));
        chances[r] = p * exp2(log2_chance);
    }
    judge_counts("ranks", ROWS + 1, n);
}

/* Weights of two blocks of 300 bits that follow each other. */
static void hamming(void)
{
    enum { BITS = 300, FIRST = 100, SPAN = 101 };
    int n = share_of(500000), weight[2];
    start_counting(SPAN * SPAN + 1);
    for (int i = 0; i < n; i++) {
        for (int b = 0; b < 2; b++) {
            weight[b] = -FIRST;
            for (int k = 0; k < BITS / TAKEN; k++)
                weight[b] += __builtin_popcount(draw(20) >> (32 - TAKEN));
        }
        bool is_inside =
            (unsigned)weight[0] < SPAN && (unsigned)weight[1] < SPAN;
        counts[is_inside ? weight[0] * SPAN + weight[1] : SPAN * SPAN]++;
    }
    double rest = 1;
    for (int i = 0; i < SPAN * SPAN; i++) {
        chances[i] = binomial(BITS, FIRST + i / SPAN, 0.5) *
                     binomial(BITS, FIRST + i % SPAN, 0.5);
        rest -= chances[i];
    }
    chances[SPAN * SPAN] = fmax(rest, 0);
    judge_counts("pairs of Hamming weights", SPAN * SPAN + 1, n);
}

/* ---- random walks ----------------------------------------------------- */

enum { STEPS = 150 };

struct walks {
    int end[STEPS + 1], most[STEPS + 1], positive[STEPS + 1];
    int returns[STEPS + 1], crossings[STEPS + 1];
};

static void walk(struct walks *w)
{
    int at = 0, ups = 0, most = 0, positive = 0, returns = 0, crossings = 0;
    unsigned bits = 0;
    for (int i = 0, side = 0; i < STEPS; i++) {
        bits = i % 30 ? bits << 1 : draw(0);
        int step = bits >> 31 ? 1 : -1, before = at;
        at += step;
        ups += step > 0;
        most = at > most ? at : most;
        positive += at > 0 || before > 0;
        returns += at == 0;
        crossings += side && at && (at > 0) != (side > 0);
        side = at ? at : side;
    }
    w->end[ups]++;
    w->most[most]++;
    w->positive[positive]++;
    w->returns[returns]++;
    w->crossings[crossings]++;
}

static void judge_walks(const char *what, const int *seen, int n,
                        double (*chance)(int))
{
    start_counting(STEPS + 1);
    memcpy(counts, seen, (STEPS + 1) * sizeof *counts);
    for (int i = 0; i <= STEPS; i++)
        chances[i] = chance(i);
    judge_counts(what, STEPS + 1, n);
}

static double end_chance(int i)
{
    return binomial(STEPS, i, 0.5);
}

static double most_chance(int i)
{
    return binomial(STEPS, (STEPS + i + 1) / 2, 0.5);
}

static double positive_chance(int i)
{
    return i % 2 ? 0
                 : binomial(i, i / 2, 0.5) *
                       binomial(STEPS - i, (STEPS - i) / 2, 0.5);
}

static double returns_chance(int i)
{
    return i > STEPS / 2 ? 0 : binomial(STEPS - i, STEPS / 2, 0.5);
}

/* Those at an even step: as many as the first 149 have. */
static double crossings_chance(int i)
{
    return 2 * binomial(STEPS - 1, STEPS / 2 + i, 0.5);
}

static void random_walks(void)
{
    int n = share_of(1000000);
    struct walks w = {0};
    for (int i = 0; i < n; i++)
        walk(&w);
    judge_walks("walks' ends", w.end, n, end_chance);
    judge_walks("walks' heights", w.most, n, most_chance);
    judge_walks("walks' time above", w.positive, n, positive_chance);
    judge_walks("walks' returns", w.returns, n, returns_chance);
    judge_walks("walks' crossings", w.crossings, n, crossings_chance);
}

int main(int argc, char **argv)
{
    divisor = argc > 1 ? atoi(argv[1]) : 1;
    buffer = aligned_alloc(64, BUFFER * sizeof *buffer);
    for (size_t i = 0; i < sizeof generators / sizeof *generators; i++) {
        if (divisor > 1 && generators[i].type == CURAND_RNG_PSEUDO_MT19937)
            continue;
        generator_name = generators[i].name;
        used = BUFFER;
        CHECK_EQUAL(curandCreateGeneratorHost(&generator, generators[i].type),
                    0);
        CHECK_EQUAL(curandSetPseudoRandomGeneratorSeed(generator, 1234), 0);
        birthday_spacings();
        collisions();
        gaps();
        poker();
        coupons();
        largest();
        weights();
        ranks();
        hamming();
        random_walks();
        CHECK_EQUAL(curandDestroyGenerator(generator), 0);
    }
    free(buffer);
    return check_result();
}
