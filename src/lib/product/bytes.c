/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/product/bytes.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>

/* A block of sums in registers: `rows` along their lanes, by `columns`. */
enum { MOST_ROWS = 32, MOST_COLUMNS = 6 };

/* sums (rows x columns) = the products of `pairs` pairs: a has `rows` of them
 * for each step, b `columns`. */
typedef void kernel_fn(int64_t pairs, const int16_t *a, const int16_t *b,
                       int32_t *sums);

struct kernel {
    int rows, columns;
    kernel_fn *run;
};

static int pair_at(const int16_t *at)
{
    int pair;
    memcpy(&pair, at, sizeof pair);
    return pair;
}

__attribute__((target("avx2"))) static void
multiply_avx2(int64_t pairs, const int16_t *a, const int16_t *b, int32_t *sums)
{
    __m256i sum[4][2] = {0};
    for (int64_t k = 0; k < pairs; k++) {
        __m256i a0 = _mm256_load_si256((const __m256i *)a);
        __m256i a1 = _mm256_load_si256((const __m256i *)a + 1);
#pragma GCC unroll 4
        for (int j = 0; j < 4; j++) {
            __m256i x = _mm256_set1_epi32(pair_at(b + 2 * j));
            sum[j][0] = _mm256_add_epi32(sum[j][0], _mm256_madd_epi16(a0, x));
            sum[j][1] = _mm256_add_epi32(sum[j][1], _mm256_madd_epi16(a1, x));
        }
        a += 2 * 16;
        b += 2 * 4;
    }
#pragma GCC unroll 8
    for (int j = 0; j < 8; j++)
        _mm256_storeu_si256((__m256i *)sums + j, sum[j / 2][j % 2]);
}

__attribute__((target("avx512f,avx512bw,avx512vnni"))) static void
multiply_512(int64_t pairs, const int16_t *a, const int16_t *b, int32_t *sums)
{
    __m512i sum[6][2] = {0};
    for (int64_t k = 0; k < pairs; k++) {
        __m512i a0 = _mm512_load_si512(a), a1 = _mm512_load_si512(a + 32);
#pragma GCC unroll 6
        for (int j = 0; j < 6; j++) {
            __m512i x = _mm512_set1_epi32(pair_at(b + 2 * j));
            sum[j][0] = _mm512_dpwssd_epi32(sum[j][0], a0, x);
            sum[j][1] = _mm512_dpwssd_epi32(sum[j][1], a1, x);
        }
        a += 2 * 32;
        b += 2 * 6;
    }
#pragma GCC unroll 12
    for (int j = 0; j < 12; j++)
        _mm512_storeu_si512(sums + 16 * j, sum[j / 2][j % 2]);
}

static struct kernel find_kernel(void)
{
    static const struct kernel avx2 = {16, 4, multiply_avx2};
    static const struct kernel vnni = {32, 6, multiply_512};
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512vnni") &&
        __builtin_cpu_supports("avx512bw"))
        return vnni;
    return __builtin_cpu_supports("avx2") ? avx2 : (struct kernel){0};
}

/* ---- packing ---------------------------------------------------------- */

/* Neighbours lie side by side: two columns of `count` are woven together. */
static void weave(const int8_t *restrict even, const int8_t *restrict odd,
                  int16_t *restrict to, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        to[2 * i] = even[i];
        to[2 * i + 1] = odd[i];
    }
}

/* `count` (at most `width`) neighbours from `first` on; the rest is zero. */
static void pack_panel(const struct bytes *x, int64_t first, int64_t count,
                       int64_t width, int64_t k, int16_t *to)
{
    static const int8_t none[MOST_ROWS];
    const int8_t *at = x->at + first * x->step;
    int64_t pairs = (k + 1) / 2;
    if (count < width)
        memset(to, 0, (size_t)(pairs * width) * 2 * sizeof *to);
    for (int64_t p = 0; x->step == 1 && p < pairs; p++) {
        const int8_t *even = at + 2 * p * x->step_k;
        bool is_last = 2 * p + 1 == k;
        weave(even, is_last ? none : even + x->step_k, to + 2 * p * width,
              count);
    }
    for (int64_t i = 0; x->step != 1 && i < count; i++) {
        const int8_t *row = at + i * x->step;
        for (int64_t p = 0; p < pairs; p++) {
            int16_t *pair = to + 2 * (p * width + i);
            pair[0] = row[2 * p * x->step_k];
            pair[1] = 2 * p + 1 < k ? row[(2 * p + 1) * x->step_k] : 0;
        }
    }
}

static int64_t panels(int64_t count, int64_t width)
{
    return (count + width - 1) / width;
}

static void pack(const struct bytes *x, int64_t count, int64_t width, int64_t k,
                 int16_t *to)
{
    int64_t size = (k + 1) / 2 * width * 2;
    for (int64_t i = 0; i < count; i += width)
        pack_panel(x, i, count - i < width ? count - i : width, width, k,
                   to + i / width * size);
}

/* ---- products --------------------------------------------------------- */

bool bytes_supported(void)
{
    return find_kernel().run;
}

size_t bytes_room(int64_t m, int64_t n, int64_t k)
{
    int64_t pairs = (k + 1) / 2;
    int64_t a = panels(m, MOST_ROWS) * MOST_ROWS * pairs;
    int64_t b = (n + MOST_COLUMNS) * pairs;
    return (size_t)(a + b) * 2 * sizeof(int16_t) + 128;
}

static void add_block(const int32_t *block, int rows, int64_t m, int64_t n,
                      int32_t *sums, int64_t ld)
{
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = 0; i < m; i++)
            sums[i + j * ld] = (int32_t)((uint32_t)sums[i + j * ld] +
                                         (uint32_t)block[i + j * rows]);
    }
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

void bytes_multiply(int64_t m, int64_t n, int64_t k, struct bytes a,
                    struct bytes b, int32_t *sums, void *room)
{
    _Alignas(64) int32_t block[MOST_ROWS * MOST_COLUMNS];
    struct kernel kernel = find_kernel();
    int rows = kernel.rows, columns = kernel.columns;
    int64_t pairs = (k + 1) / 2;
    int16_t *packed_a = room;
    int16_t *packed_b = packed_a + panels(m, rows) * rows * pairs * 2;
    pack(&a, m, rows, k, packed_a);
    pack(&b, n, columns, k, packed_b);
    for (int64_t i = 0; i < m; i += rows) {
        for (int64_t j = 0; j < n; j += columns) {
            kernel.run(pairs, packed_a + i * pairs * 2,
                       packed_b + j * pairs * 2, block);
            add_block(block, rows, least(rows, m - i), least(columns, n - j),
                      sums + i + j * m, m);
        }
    }
}

#else

bool bytes_supported(void)
{
    return false;
}

size_t bytes_room(int64_t m, int64_t n, int64_t k)
{
    (void)m, (void)n, (void)k;
    return 0;
}

void bytes_multiply(int64_t m, int64_t n, int64_t k, struct bytes a,
                    struct bytes b, int32_t *sums, void *room)
{
    (void)m, (void)n, (void)k, (void)a, (void)b, (void)sums, (void)room;
}

#endif
