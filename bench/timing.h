/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the CUDA programs and their OpenMP twins share, so that both are
 * measured the same way: sizes, the clock, the median, the work's parameters.
 * Plain C that is C++ as well.
 */
#ifndef WEFT_BENCH_TIMING_H
#define WEFT_BENCH_TIMING_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    VECTOR_LENGTH = 1 << 26,
    MATRIX_SIZE = 1024,
    PICTURE_SIZE = 2048,
    PICTURE_LIMIT = 256,
    WARPS_LENGTH = 1 << 24,
    STRIDED_BLOCKS = 512, /* of kernels with a grid-stride loop */
    BLOCK_SIZE = 256,
    STRIDE = STRIDED_BLOCKS * BLOCK_SIZE,
    SCAN_ITEMS = 16, /* numbers to a thread */
    SCAN_TILE = BLOCK_SIZE * SCAN_ITEMS,
    CG_LENGTH = 10000,
    CG_SMALL = 1000,
    CG_ROUNDS = 100, /* iterations that are measured together */
    MAX_ROUNDS = 200,
    EXIT_WITHOUT = 77 /* a twin that lacks its library */
};

static inline double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

static inline int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof(double), compare_doubles);
    return values[count / 2];
}

/* Runs `work` until it has been measured for about 0.7 s, at least 5 times,
 * after one run that warms up. Returns the median in milliseconds. */
static inline double measure_ms(void (*work)(void))
{
    double ms[MAX_ROUNDS], total = 0;
    int count = 0;

    work();
    while (count < 5 || (total < 700 && count < MAX_ROUNDS)) {
        double start = now_ms();
        work();
        ms[count] = now_ms() - start;
        total += ms[count++];
    }
    return median(ms, count);
}

/* The numbers that the programs of warps.cu work on, and what they ask of
 * them. */
#ifdef __CUDACC__
#define BENCH_FN static inline __host__ __device__
#else
#define BENCH_FN static inline
#endif
BENCH_FN unsigned warps_number(unsigned i)
{
    i = (i ^ i >> 15) * 0x2c1b3c6du;
    i = (i ^ i >> 12) * 0x297a2d39u;
    return i ^ i >> 15;
}

/* Three numbers of four hit one bin of eight. */
BENCH_FN unsigned warps_bin(unsigned v)
{
    return v >> 30 ? v & 7 : v & 255;
}

BENCH_FN int warps_keeps(unsigned v)
{
    return v % 3 == 0;
}

/* A system of three diagonals, as rows of values, and its right side. */
static inline void cg_system(int length, int *rows, int *columns, float *values,
                             float *right)
{
    int k = 0;
    for (int i = 0; i < length; i++) {
        rows[i] = k;
        right[i] = 1;
        for (int c = i - 1; c <= i + 1; c++) {
            if (c < 0 || c >= length)
                continue;
            columns[k] = c;
            values[k++] = c == i ? 2.05f : -1;
        }
    }
    rows[length] = k;
}

/* Of its solution, the first element and the middle one. */
static inline int cg_is_solution(float first, float middle)
{
    float d = first - 4, e = middle - 20;
    return d * d < 1e-6f && e * e < 1e-5f;
}

struct program {
    const char *name;
    double (*run)(void); /* milliseconds, or less than 0: a wrong answer */
};

/* main: runs the program that the argument names and prints its time. */
static inline int run_named(const struct program *programs, int argc,
                            char **argv)
{
    for (const struct program *p = programs; p->name; p++) {
        if (argc != 2 || strcmp(p->name, argv[1]))
            continue;
        double ms = p->run();
        if (ms < 0) {
            fprintf(stderr, "%s: %s: wrong answer\n", argv[0], p->name);
            return 1;
        }
        printf("%.6f\n", ms);
        return 0;
    }
    fprintf(stderr, "usage: %s PROGRAM, one of:", argv[0]);
    for (const struct program *p = programs; p->name; p++)
        fprintf(stderr, " %s", p->name);
    fprintf(stderr, "\n");
    return 2;
}

#endif
