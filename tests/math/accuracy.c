/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs every function of table.def in a kernel, and those that the C library
 * lacks on the host too, compares with quadruple precision, prints the worst
 * case of each and fails where one is beyond what CUDA's documentation allows.
 * Arguments: the usual corners (all pairs of them for functions of two
 * arguments), random over all exponents, and random within the function's
 * range. The sign of a zero counts.
 *
 * usage: accuracy [samples [function]]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functions.h"
#include "reference.h"

struct function {
    const char *name;
    int arguments;
    double bound_single, bound_double;
    quad (*reference)(quad x, quad y, quad z, quad w, bool is_double);
    double from, to;
    double floor; /* an error counts as if the result were this large */
};

#define ROW(name, n, s, d, ref, single, dbl, from, to, floor)                  \
    static quad row_##name(quad x, quad y, quad z, quad w, bool is_double)     \
    {                                                                          \
        (void)y, (void)z, (void)w, (void)is_double;                            \
        return (ref);                                                          \
    }
#include "table.def"

static const struct function functions[] = {
#define ROW(name, n, s, d, ref, single, dbl, from, to, floor)                  \
    {#name, n, s, d, row_##name, from, to, floor},
#include "table.def"
};

static uint64_t random_bits(void)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 2685821657736338717u;
}

static double double_of(uint64_t u)
{
    double x;
    memcpy(&x, &u, sizeof x);
    return x;
}

static float float_of(uint32_t u)
{
    float x;
    memcpy(&x, &u, sizeof x);
    return x;
}

static const double corners[] = {
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    -2.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    3.0,
    -3.0,
    INFINITY,
    -INFINITY,
    NAN,
    0x1p-1074,
    0x1p-1022,
    -0x1p-1022,
    0x1p-149,
    0x1p-126,
    -0x1p-149,
    0x1.fffffep127,
    0x1.fffffffffffffp1023,
    1.5707963267948966,
    3.141592653589793,
    0x1.921fb6p+0,
    6381956970095103e2,
    6381956970095103.0 * 0x1p797,
    88.722839,
    -103.97208,
    709.782712893384,
    -745.1332191019411,
    0x1.fffffep-1,
    0x1.000002p0,
    0x1.fffffffffffffp-1,
    0x1.0000000000001p0,
    0.25,
    0.75,
    1e-10,
    -1e-10,
    1e22,
    105615.0,
    98304.0,
    786432.0,
    16777216.0,
    4503599627370496.5,
    0.49999999999999994,
    0.49999997,
    10.0,
    100.0,
    1024.0,
    127.0,
    128.0,
    -149.0,
    -150.0,
    5.0,
    7.0,
};
#define CORNERS (sizeof corners / sizeof *corners)

/* A distance in units in the last place between what the function returned
 * and the reference rounded to the same type. */
static double ulps_double(double got, quad want, double floor)
{
    double w = (double)want;
    if (isnan(w) || isnan(got))
        return isnan(w) && isnan(got) ? 0 : INFINITY;
    if (got == w) /* of zeros the sign counts */
        return !signbit(got) == !signbit(w) ? 0 : INFINITY;
    if (fabs(w) < floor)
        return (double)fabsq(got - want) / (floor * 0x1p-52);
    int64_t a, b;
    memcpy(&a, &got, 8);
    memcpy(&b, &w, 8);
    a = a < 0 ? INT64_MIN - a : a;
    b = b < 0 ? INT64_MIN - b : b;
    return a > b ? (double)((uint64_t)a - (uint64_t)b)
                 : (double)((uint64_t)b - (uint64_t)a);
}

static double ulps_single(float got, quad want, double floor)
{
    float w = (float)want;
    if (isnan(w) || isnan(got))
        return isnan(w) && isnan(got) ? 0 : INFINITY;
    if (got == w)
        return !signbit(got) == !signbit(w) ? 0 : INFINITY;
    if (fabsf(w) < floor)
        return (double)fabsq(got - want) / (floor * 0x1p-23);
    int32_t a, b;
    memcpy(&a, &got, 4);
    memcpy(&b, &w, 4);
    a = a < 0 ? INT32_MIN - a : a;
    b = b < 0 ? INT32_MIN - b : b;
    return fabs((double)a - (double)b);
}

/* A random argument: half over all exponents, half within the range. */
static double argument(const struct function *f, bool is_double)
{
    double unit = (double)(random_bits() >> 11) * 0x1p-53;
    double to = f->to, from = f->from;
    if (to > 1e3) { /* huge ranges: near by in linear steps */
        to = 100;
        from = from < 0 ? -100 : from;
    }
    switch (random_bits() % 4) {
    case 0:
        return is_double ? double_of(random_bits())
                         : float_of((uint32_t)random_bits());
    case 1: { /* a moderate exponent */
        double x = ldexp(1 + unit, (int)(random_bits() % 60) - 40);
        return random_bits() & 1 ? -x : x;
    }
    default:
        return from + (to - from) * unit;
    }
}

/* The k-th argument of call i. */
static double choose(const struct function *f, bool is_double, size_t i, int k)
{
    if (f->arguments == 1 && i < CORNERS)
        return corners[i];
    if (f->arguments == 2 && i < CORNERS * CORNERS)
        return corners[k == 0 ? i / CORNERS : i % CORNERS];
    if (f->arguments > 2 && random_bits() % 4 == 0)
        return corners[random_bits() % CORNERS];
    return argument(f, is_double);
}

enum { MAX_ARGUMENTS = 4 };

struct worst {
    double ulps, x[MAX_ARGUMENTS], got, want;
};

/* Room for all arguments of all calls, as doubles and as the type asked for. */
struct calls {
    size_t count;
    double *x;
    void *numbers;
};

static void draw(const struct function *f, bool is_double, struct calls *c)
{
    for (size_t i = 0; i < c->count; i++)
        for (int k = 0; k < MAX_ARGUMENTS; k++) {
            double x = k < f->arguments ? choose(f, is_double, i, k) : 0;
            size_t at = i + (size_t)k * c->count;
            c->x[at] = is_double ? x : (float)x;
            if (is_double)
                ((double *)c->numbers)[at] = x;
            else
                ((float *)c->numbers)[at] = (float)x;
        }
}

static void compare(const struct function *f, bool is_double,
                    const struct calls *c, struct worst *worst)
{
    *worst = (struct worst){0};
    for (size_t i = 0; i < c->count; i++) {
        const double *x = c->x + i;
        size_t n = c->count;
        quad want = f->reference(x[0], x[n], x[2 * n], x[3 * n], is_double);
        double got =
            is_double ? ((double *)c->numbers)[i] : ((float *)c->numbers)[i];
        double ulps = is_double ? ulps_double(got, want, f->floor)
                                : ulps_single((float)got, want, f->floor);
        if (ulps > worst->ulps && want != NOT_TESTED)
            *worst = (struct worst){
                ulps, {x[0], x[n], x[2 * n], x[3 * n]}, got, (double)want};
    }
}

static bool report(const char *where, const struct function *f, bool is_double,
                   const struct calls *c)
{
    struct worst w;
    compare(f, is_double, c, &w);
    double bound = is_double ? f->bound_double : f->bound_single;
    bool is_bad = !(w.ulps <= bound);
    printf("%-6s %-16s %-6s %9.4g ulp of %-3g", where, f->name,
           is_double ? "double" : "single", w.ulps, bound);
    if (is_bad) {
        printf("  TOO FAR: (%a", w.x[0]);
        for (int k = 1; k < f->arguments; k++)
            printf(", %a", w.x[k]);
        printf(") = %a, expected %a", w.got, w.want);
    }
    printf("\n");
    return !is_bad;
}

static int measure(size_t row, bool is_double, struct calls *c)
{
    const struct function *f = &functions[row];
    int bad = 0;
    draw(f, is_double, c);
    functions_apply((int)row, is_double, c->numbers, (int)c->count);
    bad += !report("device", f, is_double, c);
    draw(f, is_double, c);
    if (functions_call((int)row, is_double, c->numbers, (int)c->count))
        bad += !report("host", f, is_double, c);
    return bad;
}

int main(int argc, char **argv)
{
    size_t samples = argc > 1 ? strtoul(argv[1], NULL, 10) : 20000;
    int bad = 0;
    struct calls c = {.count = samples + CORNERS * CORNERS};
    c.x = malloc(MAX_ARGUMENTS * c.count * sizeof(double));
    c.numbers = malloc(MAX_ARGUMENTS * c.count * sizeof(double));
    if (!c.x || !c.numbers) {
        fprintf(stderr, "accuracy: out of memory\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (argc > 2 && strcmp(argv[2], functions[i].name))
            continue;
        bad += measure(i, false, &c);
        bad += measure(i, true, &c);
    }
    if (bad)
        printf("%d functions beyond their bound\n", bad);
    free(c.numbers);
    free(c.x);
    return bad != 0;
}
