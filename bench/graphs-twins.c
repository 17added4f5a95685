/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The OpenMP twins of graphs.cu. Written by hand, an iteration is three loops;
 * "in order", a loop for each kernel.
 */
#include "timing.h"

enum { N = CG_LENGTH };
static int length;

static int rows[N + 1], columns[3 * N];
static float values[3 * N], x[N], r[N], p[N], q[N], right[N], rr;

/* x = 0, so that r is the right side. */
static void restart(void)
{
    memset(x, 0, sizeof x);
    memcpy(r, right, sizeof r);
    memcpy(p, right, sizeof p);
    rr = 0;
    for (int i = 0; i < length; i++)
        rr += r[i] * r[i];
}

static inline float row_of(int i)
{
    float sum = 0;
    for (int k = rows[i]; k < rows[i + 1]; k++)
        sum += values[k] * p[columns[k]];
    return sum;
}

static void iterate(void)
{
    float pq = 0, now = 0;
#pragma omp parallel for reduction(+ : pq)
    for (int i = 0; i < length; i++) {
        q[i] = row_of(i);
        pq += p[i] * q[i];
    }
    float alpha = rr / pq;
#pragma omp parallel for simd reduction(+ : now)
    for (int i = 0; i < length; i++) {
        x[i] += alpha * p[i];
        r[i] -= alpha * q[i];
        now += r[i] * r[i];
    }
    float beta = now / rr;
    rr = now;
#pragma omp parallel for simd
    for (int i = 0; i < length; i++)
        p[i] = r[i] + beta * p[i];
}

static void iterate_in_order(void)
{
    float pq = 0, now = 0;
#pragma omp parallel for
    for (int i = 0; i < length; i++)
        q[i] = row_of(i);
#pragma omp parallel for simd reduction(+ : pq)
    for (int i = 0; i < length; i++)
        pq += p[i] * q[i];
    float alpha = rr / pq;
#pragma omp parallel for simd
    for (int i = 0; i < length; i++)
        x[i] += alpha * p[i];
#pragma omp parallel for simd
    for (int i = 0; i < length; i++)
        r[i] -= alpha * q[i];
#pragma omp parallel for simd reduction(+ : now)
    for (int i = 0; i < length; i++)
        now += r[i] * r[i];
    float beta = now / rr;
    rr = now;
#pragma omp parallel for simd
    for (int i = 0; i < length; i++)
        p[i] = r[i] + beta * p[i];
}

static void rounds(void)
{
    restart();
    for (int i = 0; i < CG_ROUNDS; i++)
        iterate();
}

static void rounds_in_order(void)
{
    restart();
    for (int i = 0; i < CG_ROUNDS; i++)
        iterate_in_order();
}

static double measured(int n, void (*work)(void))
{
    length = n;
    cg_system(n, rows, columns, values, right);
    double ms = measure_ms(work) / CG_ROUNDS;
    return cg_is_solution(x[0], x[length / 2]) ? ms : -1;
}

static double run_cg(void)
{
    return measured(CG_LENGTH, rounds);
}

static double run_small_cg(void)
{
    return measured(CG_SMALL, rounds);
}

static double run_small_cg_in_order(void)
{
    return measured(CG_SMALL, rounds_in_order);
}

static double run_cg_in_order(void)
{
    return measured(CG_LENGTH, rounds_in_order);
}

int main(int argc, char **argv)
{
    const struct program programs[] = {
        {"graph-cg", run_cg},
        {"graph-cg-in-order", run_cg_in_order},
        {"graph-small-cg", run_small_cg},
        {"graph-small-cg-in-order", run_small_cg_in_order},
        {"graph-library-cg", run_cg},
        {"graph-library-small-cg", run_small_cg},
        {NULL, NULL},
    };
    return run_named(programs, argc, argv);
}
