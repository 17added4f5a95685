/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The OpenMP twins of warps.cu: each thread has a piece of the numbers; what
 * needs to know what came before makes two passes. "In order" is what the
 * kernels do, in their order: the same algorithm, where the former has another.
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

/* Every thread of 512 blocks takes each 131072nd. */
static void shuffle_sum_in_order(void)
{
    unsigned long long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int block = 0; block < STRIDED_BLOCKS; block++) {
        unsigned mine[BLOCK_SIZE] = {0};
        for (int i = block * BLOCK_SIZE; i < n; i += STRIDE)
#pragma omp simd
            for (int t = 0; t < BLOCK_SIZE; t++)
                mine[t] += in[i + t] & 255;
        for (int t = 0; t < BLOCK_SIZE; t++)
            sum += mine[t];
    }
    total = sum;
}

static double measure_shuffle_sum(void (*work)(void))
{
    in = array(n);
    double ms = measure_ms(work);
    unsigned long long want = 0;
    for (int i = 0; i < n; i++)
        want += warps_number((unsigned)i) & 255;
    return total == want ? ms : -1;
}

static double run_shuffle_sum(void)
{
    return measure_shuffle_sum(shuffle_sum);
}

static double run_shuffle_sum_in_order(void)
{
    return measure_shuffle_sum(shuffle_sum_in_order);
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

enum { SCAN_TILES = WARPS_LENGTH / SCAN_TILE };
enum state { NOTHING, OWN_SUM, WHOLE_SUM };
static struct tile {
    _Atomic unsigned state;
    unsigned own, whole;
} tiles[SCAN_TILES];

static unsigned sum_before(int tile)
{
    unsigned before = 0;
    for (int at = tile - 1; at >= 0; at--) {
        unsigned state;
        while ((state = tiles[at].state) == NOTHING)
            ;
        if (state == WHOLE_SUM)
            return before + tiles[at].whole;
        before += tiles[at].own;
    }
    return before;
}

/* One pass: each tile looks back for the sum of those before it. */
static void scan_in_order(void)
{
    memset(tiles, 0, sizeof tiles);
#pragma omp parallel for schedule(static, 1)
    for (int tile = 0; tile < SCAN_TILES; tile++) {
        const unsigned *from = in + tile * SCAN_TILE;
        unsigned values[SCAN_TILE], sum = 0;
#pragma omp simd reduction(inscan, + : sum)
        for (int i = 0; i < SCAN_TILE; i++) {
            sum += from[i];
#pragma omp scan inclusive(sum)
            values[i] = sum;
        }
        tiles[tile].own = sum;
        tiles[tile].state = OWN_SUM;
        unsigned before = sum_before(tile);
        tiles[tile].whole = before + sum;
        tiles[tile].state = WHOLE_SUM;
#pragma omp simd
        for (int i = 0; i < SCAN_TILE; i++)
            out[tile * SCAN_TILE + i] = before + values[i];
    }
}

static double measure_scan(void (*work)(void))
{
    in = array(n);
    out = array(n);
    double ms = measure_ms(work);
    unsigned want = 0;
    for (int i = 0; i < n; i++)
        if (out[i] != (want += warps_number((unsigned)i)))
            return -1;
    return ms;
}

static double run_scan(void)
{
    return measure_scan(scan);
}

static double run_scan_in_order(void)
{
    return measure_scan(scan_in_order);
}

int main(int argc, char **argv)
{
    static const struct program programs[] = {
        {"shuffle-sum", run_shuffle_sum},
        {"shuffle-sum-in-order", run_shuffle_sum_in_order},
        {"histogram", run_histogram},
        {"compaction", run_compaction},
        {"scan", run_scan},
        {"scan-in-order", run_scan_in_order},
        {NULL, NULL},
    };
    return run_named(programs, argc, argv);
}
