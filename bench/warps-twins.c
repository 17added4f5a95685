/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The OpenMP twins of warps.cu: each thread has a piece of the numbers; what
 * needs to know what came before makes two passes.
 */
#define _GNU_SOURCE
#include <omp.h>
#include <sys/mman.h>

#include "timing.h"

static const int n = WARPS_LENGTH;
enum { THREADS_MAX = 1024 };

static unsigned *array(size_t count)
{
    const size_t page = 2 << 20;
    size_t bytes = (count * sizeof(unsigned) + page - 1) / page * page;
    unsigned *p = aligned_alloc(page, bytes);
    if (!p) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    madvise(p, bytes, MADV_HUGEPAGE);
#pragma omp parallel for simd
    for (size_t i = 0; i < count; i++)
        p[i] = warps_number((unsigned)i);
    return p;
}

static unsigned *in, *out, bins[256];
static unsigned long long total;

static void shuffle_sum(void)
{
    unsigned long long sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += in[i] & 255;
    total = sum;
}

static double run_shuffle_sum(void)
{
    in = array(n);
    double ms = measure_ms(shuffle_sum);
    unsigned long long want = 0;
    for (int i = 0; i < n; i++)
        want += warps_number((unsigned)i) & 255;
    return total == want ? ms : -1;
}

/* Four tables a thread, so that neighbours seldom wait for each other. */
static void histogram(void)
{
    memset(bins, 0, sizeof bins);
#pragma omp parallel
    {
        unsigned local[4][256] = {{0}};
#pragma omp for nowait
        for (int i = 0; i < n / 4; i++)
            for (int k = 0; k < 4; k++)
                local[k][warps_bin(in[4 * i + k])]++;
#pragma omp critical
        for (int b = 0; b < 256; b++)
            for (int k = 0; k < 4; k++)
                bins[b] += local[k][b];
    }
}

static double run_histogram(void)
{
    in = array(n);
    double ms = measure_ms(histogram);
    unsigned want[256] = {0};
    for (int i = 0; i < n; i++)
        want[warps_bin(warps_number((unsigned)i))]++;
    return memcmp(bins, want, sizeof bins) == 0 ? ms : -1;
}

static int first_of(int thread, int threads)
{
    return (int)((long long)n * thread / threads);
}

/* Counts, agrees on where each thread's numbers go, then moves them. */
static void compaction(void)
{
    static unsigned long long kept[THREADS_MAX];
#pragma omp parallel
    {
        int t = omp_get_thread_num(), threads = omp_get_num_threads();
        int first = first_of(t, threads), end = first_of(t + 1, threads);
        unsigned long long count = 0, to = 0;
        for (int i = first; i < end; i++)
            count += warps_keeps(in[i]);
        kept[t] = count;
#pragma omp barrier
        for (int k = 0; k < t; k++)
            to += kept[k];
        if (t == threads - 1)
            total = to + count;
        for (int i = first; i < end; i++) {
            out[to] = in[i];
            to += warps_keeps(in[i]);
        }
    }
}

static double run_compaction(void)
{
    in = array(n);
    out = array((size_t)n + 1);
    double ms = measure_ms(compaction);
    unsigned long long want = 0;
    for (int i = 0; i < n; i++)
        want += warps_keeps(warps_number((unsigned)i));
    return total == want ? ms : -1;
}

static void scan(void)
{
    static unsigned sums[THREADS_MAX];
#pragma omp parallel
    {
        int t = omp_get_thread_num(), threads = omp_get_num_threads();
        int first = first_of(t, threads), end = first_of(t + 1, threads);
        unsigned sum = 0, running = 0;
        for (int i = first; i < end; i++)
            sum += in[i];
        sums[t] = sum;
#pragma omp barrier
        for (int k = 0; k < t; k++)
            running += sums[k];
#pragma omp simd reduction(inscan, + : running)
        for (int i = first; i < end; i++) {
            running += in[i];
#pragma omp scan inclusive(running)
            out[i] = running;
        }
    }
}

static double run_scan(void)
{
    in = array(n);
    out = array(n);
    double ms = measure_ms(scan);
    unsigned want = 0;
    for (int i = 0; i < n; i++)
        if (out[i] != (want += warps_number((unsigned)i)))
            return -1;
    return ms;
}

int main(int argc, char **argv)
{
    static const struct program programs[] = {
        {"shuffle-sum", run_shuffle_sum}, {"histogram", run_histogram},
        {"compaction", run_compaction},   {"scan", run_scan},
        {NULL, NULL},
    };
    return run_named(programs, argc, argv);
}
