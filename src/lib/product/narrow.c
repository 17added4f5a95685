/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/product/narrow.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>

#include "lib/common/clones.h"

/* A block of sums in registers: `rows` along their lanes, by `columns`. */
enum { MOST_ROWS = 48, MOST_COLUMNS = 8 };

/* sums (rows x columns, columns ld apart) += `steps` lanes of A times those of B,
 * less what `less` has for a column. a has `rows` lanes for each step, b
 * `columns`. */
typedef void kernel_fn(int64_t steps, const int32_t *a, const int32_t *b,
                       const int32_t *less, int32_t *sums, int64_t ld);

/* Lanes of `count` (at most `width`) neighbours from x->at on; others are 0. */
typedef void pack_fn(const struct narrow *x, int64_t count, int64_t width,
                     int64_t k, int32_t *to);

struct kernel {
    int rows, columns, group; /* group: numbers in a lane */
    size_t element_bytes;
    pack_fn *pack_a, *pack_b;
    kernel_fn *run;
    /* Or NULL: what comes of how A is packed, a number for each column. */
    void (*find_less)(int64_t steps, const int32_t *b, int32_t *less);
};

/* ---- kernels ---------------------------------------------------------- */

__attribute__((target("avx2"))) static void
multiply_avx2(int64_t steps, const int32_t *a, const int32_t *b,
              const int32_t *less, int32_t *sums, int64_t ld)
{
    __m256i sum[4][2];
    (void)less;
#pragma GCC unroll 8
    for (int j = 0; j < 8; j++)
        sum[j / 2][j % 2] = _mm256_loadu_si256(
            (const __m256i *)(sums + j / 2 * ld + j % 2 * 8));
    for (int64_t k = 0; k < steps; k++, a += 16, b += 4) {
        __m256i a0 = _mm256_load_si256((const __m256i *)a);
        __m256i a1 = _mm256_load_si256((const __m256i *)a + 1);
#pragma GCC unroll 4
        for (int j = 0; j < 4; j++) {
            __m256i x = _mm256_set1_epi32(b[j]);
            sum[j][0] = _mm256_add_epi32(sum[j][0], _mm256_madd_epi16(a0, x));
            sum[j][1] = _mm256_add_epi32(sum[j][1], _mm256_madd_epi16(a1, x));
        }
    }
#pragma GCC unroll 8
    for (int j = 0; j < 8; j++)
        _mm256_storeu_si256((__m256i *)(sums + j / 2 * ld + j % 2 * 8),
                            sum[j / 2][j % 2]);
}

/* Three vectors of rows by eight columns, by one instruction ADD. */
#define KERNEL(name, isa, V, FROM, TO, LESS, ADD)                              \
    __attribute__((target(isa))) static void name(                             \
        int64_t steps, const int32_t *a, const int32_t *b,                     \
        const int32_t *less, int32_t *sums, int64_t ld)                        \
    {                                                                          \
        V sum[8][3];                                                           \
        (void)less;                                                            \
        _Pragma("GCC unroll 8") for (int j = 0; j < 8; j++)                    \
            _Pragma("GCC unroll 3") for (int i = 0; i < 3; i++)                \
                sum[j][i] = LESS(                                              \
                    FROM(_mm512_loadu_si512(sums + j * ld + 16 * i)), j);      \
        for (int64_t k = 0; k < steps; k++, a += 48, b += 8) {                 \
            __m512i lanes[3] = {_mm512_load_si512(a),                          \
                                _mm512_load_si512(a + 16),                     \
                                _mm512_load_si512(a + 32)};                    \
            _Pragma("GCC unroll 8") for (int j = 0; j < 8; j++)                \
            {                                                                  \
                __m512i x = _mm512_set1_epi32(b[j]);                           \
                _Pragma("GCC unroll 3") for (int i = 0; i < 3; i++)            \
                    sum[j][i] = ADD(sum[j][i], lanes[i], x);                   \
            }                                                                  \
        }                                                                      \
        _Pragma("GCC unroll 8") for (int j = 0; j < 8; j++)                    \
            _Pragma("GCC unroll 3") for (int i = 0; i < 3; i++)                \
                _mm512_storeu_si512(sums + j * ld + 16 * i, TO(sum[j][i]));    \
    }

#define BYTES_ISA "avx512f,avx512bw,avx512vl,avx512vnni"
#define SAME(x)   (x)
#define LESS(x, j) _mm512_sub_epi32(x, _mm512_set1_epi32(less[j]))
KERNEL(multiply_bytes, BYTES_ISA, __m512i, SAME, SAME, LESS,
       _mm512_dpbusd_epi32)

#define NONE(x, j) (x)
#define ADD_BFLOATS(sum, a, b) \
    _mm512_dpbf16_ps(sum, (__m512bh)(a), (__m512bh)(b))
KERNEL(multiply_bfloats, "avx512f,avx512bf16", __m512, _mm512_castsi512_ps,
       _mm512_castps_si512, NONE, ADD_BFLOATS)

/* A's bytes are packed as unsigned ones, 128 larger: 128 times a column's sum. */
__attribute__((target(BYTES_ISA))) static void
find_less_bytes(int64_t steps, const int32_t *b, int32_t *less)
{
    __m256i sum = _mm256_setzero_si256();
    for (int64_t k = 0; k < steps; k++, b += 8)
        sum = _mm256_dpbusd_epi32(sum, _mm256_set1_epi8(1),
                                  _mm256_loadu_si256((const __m256i *)b));
    _mm256_storeu_si256((__m256i *)less, _mm256_slli_epi32(sum, 7));
}

/* ---- packing ---------------------------------------------------------- */

/* GROUP numbers of the type `from` share a lane, as numbers of the type `to`.
 * LANE: those that lie one after the other. */
#define PACK(name, GROUP, from_type, to_type, FLIP, LANE)                      \
    CLONES static void name##_column(const from_type *restrict at,             \
                                     int64_t step_k, int64_t count,            \
                                     to_type *restrict to)                     \
    {                                                                          \
        for (int64_t i = 0; i < count; i++)                                    \
            _Pragma("GCC unroll 4") for (int g = 0; g < GROUP; g++)            \
                to[GROUP * i + g] = (to_type)(at[g * step_k + i] ^ FLIP);      \
    }                                                                          \
    static void name(const struct narrow *x, int64_t count, int64_t width,     \
                     int64_t k, int32_t *lanes)                                \
    {                                                                          \
        const from_type *at = x->at;                                           \
        int64_t steps = (k + GROUP - 1) / GROUP, whole = k / GROUP;            \
        to_type *to = (to_type *)lanes;                                        \
        if (count < width || whole < steps)                                    \
            memset(to, 0, (size_t)(steps * width) * sizeof *lanes);            \
        for (int64_t p = 0; x->step == 1 && p < whole; p++)                    \
            name##_column(at + p * GROUP * x->step_k, x->step_k, count,        \
                          to + p * GROUP * width);                             \
        for (int64_t i = 0; x->step != 1 && i < count; i++)                    \
            for (int64_t p = 0; p < whole; p++)                                \
                lanes[p * width + i] = LANE(at + i * x->step + p * GROUP);     \
        for (int64_t i = 0; i < count; i++)                                    \
            for (int64_t l = whole * GROUP; l < k; l++)                        \
                to[(whole * width + i) * GROUP + l % GROUP] =                  \
                    (to_type)(at[i * x->step + l * x->step_k] ^ FLIP);         \
    }

static inline int32_t lane_at(const void *at)
{
    int32_t lane;
    memcpy(&lane, at, sizeof lane);
    return lane;
}

static inline int32_t flipped_lane(const uint8_t *at)
{
    return lane_at(at) ^ (int32_t)0x80808080;
}

static inline int32_t wide_lane(const int8_t *at)
{
    return (int32_t)((uint32_t)at[1] << 16 | (uint16_t)at[0]);
}

PACK(pack_wide, 2, int8_t, int16_t, 0, wide_lane)
PACK(pack_bytes, 4, uint8_t, uint8_t, 0, lane_at)
PACK(pack_flipped, 4, uint8_t, uint8_t, 0x80, flipped_lane)
PACK(pack_bfloats, 2, uint16_t, uint16_t, 0, lane_at)

static int64_t panels(int64_t count, int64_t width)
{
    return (count + width - 1) / width;
}

static void pack(const struct kernel *kernel, pack_fn *one,
                 const struct narrow *x, int64_t count, int64_t width,
                 int64_t k, int32_t *to)
{
    int64_t size = (k + kernel->group - 1) / kernel->group * width;
    for (int64_t i = 0; i < count; i += width, to += size) {
        struct narrow panel = *x;
        panel.at = (const char *)x->at +
                   i * x->step * (int64_t)kernel->element_bytes;
        one(&panel, count - i < width ? count - i : width, width, k, to);
    }
}

/* ---- products --------------------------------------------------------- */

static struct kernel find_kernel(enum narrow_kind kind)
{
    static const struct kernel avx2 = {
        16, 4, 2, 1, pack_wide, pack_wide, multiply_avx2, NULL};
    static const struct kernel vnni = {48,           8,
                                       4,            1,
                                       pack_flipped, pack_bytes,
                                       multiply_bytes, find_less_bytes};
    static const struct kernel bfloats = {
        48, 8, 2, 2, pack_bfloats, pack_bfloats, multiply_bfloats, NULL};
    struct kernel none = {0};
    __builtin_cpu_init();
    if (kind == NARROW_BFLOATS)
        return __builtin_cpu_supports("avx512bf16") ? bfloats : none;
    if (__builtin_cpu_supports("avx512vnni") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
        return vnni;
    return __builtin_cpu_supports("avx2") ? avx2 : none;
}

bool narrow_supported(enum narrow_kind kind)
{
    return find_kernel(kind).run;
}

size_t narrow_room(enum narrow_kind kind, int64_t m, int64_t n, int64_t k)
{
    struct kernel kernel = find_kernel(kind);
    int64_t steps = (k + kernel.group - 1) / kernel.group;
    int64_t a = panels(m, kernel.rows) * kernel.rows * steps;
    int64_t b = panels(n, kernel.columns) * kernel.columns * steps;
    return (size_t)(a + b) * sizeof(int32_t) + 128;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* A block of which not all sums are wanted. */
static void multiply_part(const struct kernel *kernel, int64_t steps,
                          const int32_t *a, const int32_t *b,
                          const int32_t *less, int64_t m, int64_t n,
                          int32_t *sums, int64_t ld)
{
    int32_t block[MOST_ROWS * MOST_COLUMNS] = {0};
    for (int64_t j = 0; j < n; j++)
        memcpy(block + j * kernel->rows, sums + j * ld,
               (size_t)m * sizeof *sums);
    kernel->run(steps, a, b, less, block, kernel->rows);
    for (int64_t j = 0; j < n; j++)
        memcpy(sums + j * ld, block + j * kernel->rows,
               (size_t)m * sizeof *sums);
}

void narrow_multiply(enum narrow_kind kind, int64_t m, int64_t n, int64_t k,
                     struct narrow a, struct narrow b, void *to, void *room)
{
    struct kernel kernel = find_kernel(kind);
    int64_t rows = kernel.rows, columns = kernel.columns;
    int64_t steps = (k + kernel.group - 1) / kernel.group;
    int32_t *packed_a = room, *sums = to;
    int32_t *packed_b = packed_a + panels(m, rows) * rows * steps;
    int32_t less[MOST_COLUMNS] = {0};
    pack(&kernel, kernel.pack_a, &a, m, rows, k, packed_a);
    pack(&kernel, kernel.pack_b, &b, n, columns, k, packed_b);
    for (int64_t j = 0; j < n; j += columns) {
        const int32_t *right = packed_b + j * steps;
        if (kernel.find_less)
            kernel.find_less(steps, right, less);
        for (int64_t i = 0; i < m; i += rows) {
            const int32_t *left = packed_a + i * steps;
            int32_t *at = sums + i + j * m;
            if (i + rows <= m && j + columns <= n)
                kernel.run(steps, left, right, less, at, m);
            else
                multiply_part(&kernel, steps, left, right, less,
                              least(rows, m - i), least(columns, n - j), at, m);
        }
    }
}

#else

bool narrow_supported(enum narrow_kind kind)
{
    (void)kind;
    return false;
}

size_t narrow_room(enum narrow_kind kind, int64_t m, int64_t n, int64_t k)
{
    (void)kind, (void)m, (void)n, (void)k;
    return 0;
}

void narrow_multiply(enum narrow_kind kind, int64_t m, int64_t n, int64_t k,
                     struct narrow a, struct narrow b, void *sums, void *room)
{
    (void)kind, (void)m, (void)n, (void)k;
    (void)a, (void)b, (void)sums, (void)room;
}

#endif
