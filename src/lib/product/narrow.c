/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/product/narrow.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>

#include "lib/product/narrow_kernel.h"
#include "lib/product/product.h"

/* ---- kernels ---------------------------------------------------------- */

__attribute__((target("avx2"))) static void
multiply_avx2(int64_t steps, const int32_t *a, const int32_t *b,
              const int32_t *less, struct narrow_sums to)
{
    __m256i sum[4][2];
    (void)less;
#pragma GCC unroll 8
    for (int j = 0; j < 8; j++)
        sum[j / 2][j % 2] = _mm256_setzero_si256();
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
    for (int j = 0; j < 8; j++) {
        __m256i *at = (__m256i *)(to.at + j / 2 * to.ld + j % 2 * 8);
        __m256i x = sum[j / 2][j % 2];
        if (to.adds)
            x = _mm256_add_epi32(x, _mm256_loadu_si256(at));
        _mm256_storeu_si256(at, x);
    }
}

/* A block of 3 vectors of rows by 8 columns. ADD is the instruction that
 * multiplies and adds. Sums that are in memory already are prefetched first and
 * added last. */
#define EACH_COLUMN _Pragma("GCC unroll 8") for (int j = 0; j < 8; j++)
#define EACH_VECTOR _Pragma("GCC unroll 3") for (int i = 0; i < 3; i++)
#define KERNEL(name, isa, V, FROM, TO, START, ADD, PLUS)                       \
    __attribute__((target(isa))) static void name(                             \
        int64_t steps, const int32_t *a, const int32_t *b,                     \
        const int32_t *less, struct narrow_sums to)                            \
    {                                                                          \
        V sum[8][3];                                                           \
        (void)less;                                                            \
        EACH_COLUMN                                                            \
        {                                                                      \
            EACH_VECTOR sum[j][i] = FROM(START(j));                            \
            EACH_VECTOR __builtin_prefetch(to.at + j * to.ld + 16 * i, 1);     \
        }                                                                      \
        for (int64_t k = 0; k < steps; k++, a += 48, b += 8) {                 \
            __m512i lanes[3] = {_mm512_load_si512(a),                          \
                                _mm512_load_si512(a + 16),                     \
                                _mm512_load_si512(a + 32)};                    \
            EACH_COLUMN                                                        \
            {                                                                  \
                __m512i x = _mm512_set1_epi32(b[j]);                           \
                EACH_VECTOR sum[j][i] = ADD(sum[j][i], lanes[i], x);           \
            }                                                                  \
        }                                                                      \
        if (to.adds)                                                           \
            EACH_COLUMN EACH_VECTOR sum[j][i] =                                \
                PLUS(sum[j][i],                                                \
                     FROM(_mm512_loadu_si512(to.at + j * to.ld + 16 * i)));    \
        EACH_COLUMN EACH_VECTOR _mm512_storeu_si512(                           \
            to.at + j * to.ld + 16 * i, TO(sum[j][i]));                        \
    }

#define BYTES_ISA "avx512f,avx512bw,avx512vl,avx512vnni"
#define SAME(x)   (x)
#define LESS(j)   _mm512_set1_epi32(-less[j])
KERNEL(multiply_bytes, BYTES_ISA, __m512i, SAME, SAME, LESS,
       _mm512_dpbusd_epi32, _mm512_add_epi32)

#define NONE(j) _mm512_setzero_si512()
#define ADD_BFLOATS(sum, a, b)                                                 \
    _mm512_dpbf16_ps(sum, (__m512bh)(a), (__m512bh)(b))
KERNEL(multiply_bfloats, "avx512f,avx512bf16", __m512, _mm512_castsi512_ps,
       _mm512_castps_si512, NONE, ADD_BFLOATS, _mm512_add_ps)

/* The instruction takes A's bytes as unsigned ones: they are packed with 128
 * added, which makes a sum larger by 128 times that of B's column. */
__attribute__((target(BYTES_ISA))) static void
find_less_bytes(int64_t steps, const int32_t *b, int32_t *less)
{
    __m256i sum[4] = {_mm256_setzero_si256(), _mm256_setzero_si256(),
                      _mm256_setzero_si256(), _mm256_setzero_si256()};
    __m256i ones = _mm256_set1_epi8(1);
    int64_t k = 0;
    for (; k + 4 <= steps; k += 4, b += 32) {
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++)
            sum[i] = _mm256_dpbusd_epi32(
                sum[i], ones, _mm256_loadu_si256((const __m256i *)b + i));
    }
    for (; k < steps; k++, b += 8)
        sum[0] = _mm256_dpbusd_epi32(sum[0], ones,
                                     _mm256_loadu_si256((const __m256i *)b));
    __m256i all = _mm256_add_epi32(_mm256_add_epi32(sum[0], sum[1]),
                                   _mm256_add_epi32(sum[2], sum[3]));
    _mm256_storeu_si256((__m256i *)less, _mm256_slli_epi32(all, 7));
}

/* ---- packing ---------------------------------------------------------- */

static inline int32_t lane_at(const void *at)
{
    int32_t lane;
    memcpy(&lane, at, sizeof lane);
    return lane;
}

__attribute__((target("avx2"))) void narrow_turn(const char *at, int64_t step,
                                                 int32_t flip, int64_t width,
                                                 int32_t *lanes)
{
    __m256i x[8], y[8], flips = _mm256_set1_epi32(flip);
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++)
        x[i] = _mm256_xor_si256(
            flips, _mm256_loadu_si256((const __m256i *)(at + i * step)));
#pragma GCC unroll 4
    for (int i = 0; i < 8; i += 2) {
        y[i] = _mm256_unpacklo_epi32(x[i], x[i + 1]);
        y[i + 1] = _mm256_unpackhi_epi32(x[i], x[i + 1]);
    }
#pragma GCC unroll 2
    for (int i = 0; i < 8; i += 4) {
        x[i] = _mm256_unpacklo_epi64(y[i], y[i + 2]);
        x[i + 1] = _mm256_unpackhi_epi64(y[i], y[i + 2]);
        x[i + 2] = _mm256_unpacklo_epi64(y[i + 1], y[i + 3]);
        x[i + 3] = _mm256_unpackhi_epi64(y[i + 1], y[i + 3]);
    }
#pragma GCC unroll 4
    for (int p = 0; p < 4; p++) {
        __m256i low = _mm256_permute2x128_si256(x[p], x[p + 4], 0x20);
        __m256i high = _mm256_permute2x128_si256(x[p], x[p + 4], 0x31);
        _mm256_storeu_si256((__m256i *)(lanes + p * width), low);
        _mm256_storeu_si256((__m256i *)(lanes + (p + 4) * width), high);
    }
}

/* lanes[p * width + i] = lane p of row i, for `whole` lanes of `count` rows;
 * rows are `step` bytes apart, and a lane is 4 bytes that lie together. */
static void turn_rows(const char *at, int64_t step, int32_t flip, int64_t count,
                      int64_t whole, int64_t width, int32_t *lanes)
{
    int64_t i = 0;
    for (; i + 8 <= count; i += 8) {
        int64_t p = 0;
        for (; p + 8 <= whole; p += 8)
            narrow_turn(at + i * step + 4 * p, step, flip, width,
                        lanes + p * width + i);
        for (; p < whole; p++)
            for (int64_t row = i; row < i + 8; row++)
                lanes[p * width + row] =
                    lane_at(at + row * step + 4 * p) ^ flip;
    }
    for (; i < count; i++)
        for (int64_t p = 0; p < whole; p++)
            lanes[p * width + i] = lane_at(at + i * step + 4 * p) ^ flip;
}

/* The same with lanes of two bytes, each widened to 16 bits. */
static void turn_wide(const char *at, int64_t step, int32_t flip, int64_t count,
                      int64_t whole, int64_t width, int32_t *lanes)
{
    (void)flip;
    for (int64_t i = 0; i < count; i++)
        for (int64_t p = 0; p < whole; p++) {
            const int8_t *two = (const int8_t *)at + i * step + 2 * p;
            lanes[p * width + i] =
                (int32_t)((uint32_t)two[1] << 16 | (uint16_t)two[0]);
        }
}

/* Each join_ function makes sixteen lanes of columns that are step_k apart:
 * lane i has number i of each of them. Here of four columns of bytes. */
static inline void join_bytes(const uint8_t *at, int64_t step_k, int flip,
                              uint8_t *to)
{
    __m128i x[4], *out = (__m128i *)to, flips = _mm_set1_epi8((char)flip);
#pragma GCC unroll 4
    for (int g = 0; g < 4; g++)
        x[g] = _mm_xor_si128(
            flips, _mm_loadu_si128((const __m128i *)(at + g * step_k)));
    __m128i low = _mm_unpacklo_epi8(x[0], x[1]);
    __m128i low_next = _mm_unpacklo_epi8(x[2], x[3]);
    __m128i high = _mm_unpackhi_epi8(x[0], x[1]);
    __m128i high_next = _mm_unpackhi_epi8(x[2], x[3]);
    _mm_storeu_si128(out, _mm_unpacklo_epi16(low, low_next));
    _mm_storeu_si128(out + 1, _mm_unpackhi_epi16(low, low_next));
    _mm_storeu_si128(out + 2, _mm_unpacklo_epi16(high, high_next));
    _mm_storeu_si128(out + 3, _mm_unpackhi_epi16(high, high_next));
}

/* Of two columns of bytes, widened to 16 bits. */
static inline void join_wide(const int8_t *at, int64_t step_k, int flip,
                             int16_t *to)
{
    __m128i a = _mm_loadu_si128((const __m128i *)at), *out = (__m128i *)to;
    __m128i b = _mm_loadu_si128((const __m128i *)(at + step_k));
    __m128i low = _mm_unpacklo_epi8(a, b), high = _mm_unpackhi_epi8(a, b);
    (void)flip;
    _mm_storeu_si128(out, _mm_srai_epi16(_mm_unpacklo_epi8(low, low), 8));
    _mm_storeu_si128(out + 1, _mm_srai_epi16(_mm_unpackhi_epi8(low, low), 8));
    _mm_storeu_si128(out + 2, _mm_srai_epi16(_mm_unpacklo_epi8(high, high), 8));
    _mm_storeu_si128(out + 3, _mm_srai_epi16(_mm_unpackhi_epi8(high, high), 8));
}

/* Of two columns of bfloat16. */
static inline void join_bfloats(const uint16_t *at, int64_t step_k, int flip,
                                uint16_t *to)
{
    (void)flip;
#pragma GCC unroll 2
    for (int i = 0; i < 16; i += 8) {
        __m128i a = _mm_loadu_si128((const __m128i *)(at + i));
        __m128i b = _mm_loadu_si128((const __m128i *)(at + step_k + i));
        __m128i *out = (__m128i *)(to + 2 * i);
        _mm_storeu_si128(out, _mm_unpacklo_epi16(a, b));
        _mm_storeu_si128(out + 1, _mm_unpackhi_epi16(a, b));
    }
}

/* A narrow_pack_fn: GROUP neighbours along k, of from_type, become one lane of
 * numbers of to_type, each XORed with FLIP. JOIN makes sixteen lanes where
 * columns lie together (step is 1), TURN all of them where k does. */
#define FLIPS(byte) (int32_t)((byte)*0x01010101u)
#define PACK(name, GROUP, from_type, to_type, FLIP, JOIN, TURN)                \
    static void name##_column(const from_type *restrict at, int64_t step_k,    \
                              int64_t count, to_type *restrict to)             \
    {                                                                          \
        int64_t i = 0;                                                         \
        for (; i + 16 <= count; i += 16)                                       \
            JOIN(at + i, step_k, FLIP, to + GROUP * i);                        \
        for (; i < count; i++)                                                 \
            _Pragma("GCC unroll 4") for (int g = 0; g < GROUP; g++)            \
                to[GROUP * i + g] = (to_type)(at[g * step_k + i] ^ FLIP);      \
    }                                                                          \
    void name(const struct narrow *x, int64_t count, int64_t width, int64_t k, \
              int32_t *lanes)                                                  \
    {                                                                          \
        const from_type *at = x->at;                                           \
        int64_t steps = (k + GROUP - 1) / GROUP, whole = k / GROUP;            \
        to_type *to = (to_type *)lanes;                                        \
        if (count < width || whole < steps)                                    \
            memset(to, 0, (size_t)(steps * width) * sizeof *lanes);            \
        for (int64_t p = 0; x->step == 1 && p < whole; p++)                    \
            name##_column(at + p * GROUP * x->step_k, x->step_k, count,        \
                          to + p * GROUP * width);                             \
        if (x->step != 1)                                                      \
            TURN((const char *)at, x->step *(int64_t)sizeof *at, FLIPS(FLIP),  \
                 count, whole, width, lanes);                                  \
        for (int64_t i = 0; i < count; i++)                                    \
            for (int64_t l = whole * GROUP; l < k; l++)                        \
                to[(whole * width + i) * GROUP + l % GROUP] =                  \
                    (to_type)(at[i * x->step + l * x->step_k] ^ FLIP);         \
    }

static narrow_pack_fn pack_wide, pack_flipped;
PACK(pack_wide, 2, int8_t, int16_t, 0, join_wide, turn_wide)
PACK(narrow_pack_bytes, 4, uint8_t, uint8_t, 0, join_bytes, turn_rows)
PACK(pack_flipped, 4, uint8_t, uint8_t, 0x80, join_bytes, turn_rows)
PACK(narrow_pack_bfloats, 2, uint16_t, uint16_t, 0, join_bfloats, turn_rows)

/* Of the second-level cache: for packed rows of A. */
enum { CACHED_BYTES = 3 << 17 };

static int64_t panel_count(int64_t count, int64_t width)
{
    return (count + width - 1) / width;
}

/* Lanes along k, with those of zeros at the end. */
static int64_t steps_of(const struct narrow_kernel *kernel, int64_t k)
{
    int64_t unit = (int64_t)kernel->group * kernel->steps;
    return (k + unit - 1) / unit * kernel->steps;
}

/* Packs all panels of A or B. Where neighbours lie together (step is 1), 64 of
 * k of each panel in turn, so that memory is read along its addresses. */
static void pack_operand(const struct narrow_kernel *kernel,
                         narrow_pack_fn *one, const struct narrow *x,
                         int64_t count, int64_t width, int64_t k, int32_t *to)
{
    int64_t together = x->step == 1 ? 64 : k, steps = steps_of(kernel, k);
    int64_t size = steps * width;
    int64_t bytes = (int64_t)kernel->element_bytes;
    for (int64_t from = 0; from < k; from += together) {
        int64_t some = at_most(together, k - from);
        int32_t *lanes = to + from / kernel->group * width;
        for (int64_t i = 0; i < count; i += width, lanes += size) {
            struct narrow panel = *x;
            panel.at =
                (const char *)x->at + (i * x->step + from * x->step_k) * bytes;
            one(&panel, at_most(width, count - i), width, some, lanes);
        }
    }
}

/* The steps that fill up to a multiple of kernel->steps are zeros in A. What B
 * has there is finite, so they add nothing. */
static void pack_a(const struct narrow_kernel *kernel, const struct narrow *x,
                   int64_t m, int64_t k, int32_t *to)
{
    int64_t steps = steps_of(kernel, k);
    int64_t used = (k + kernel->group - 1) / kernel->group;
    pack_operand(kernel, kernel->pack_a, x, m, kernel->rows, k, to);
    for (int64_t i = 0; i < m && used < steps; i += kernel->rows)
        memset(to + i * steps + used * kernel->rows, 0,
               (size_t)((steps - used) * kernel->rows) * sizeof *to);
}

static void pack_b(const struct narrow_kernel *kernel, const struct narrow *x,
                   int64_t n, int64_t k, int32_t *to)
{
    int64_t steps = steps_of(kernel, k), width = kernel->width;
    int64_t packed = panel_count(n, width) * width;
    int64_t all = panel_count(n, kernel->columns) * kernel->columns;
    pack_operand(kernel, kernel->pack_b, x, n, width, k, to);
    memset(to + packed * steps, 0,
           (size_t)((all - packed) * steps) * sizeof *to);
}

/* ---- products --------------------------------------------------------- */

static const struct narrow_kernel *find_avx512(enum narrow_kind kind)
{
    static const struct narrow_kernel bytes = {
        .rows = 48,
        .columns = 8,
        .width = 8,
        .group = 4,
        .steps = 1,
        .element_bytes = 1,
        .pack_a = pack_flipped,
        .pack_b = narrow_pack_bytes,
        .run = multiply_bytes,
        .find_less = find_less_bytes,
    };
    static const struct narrow_kernel bfloats = {
        .rows = 48,
        .columns = 8,
        .width = 8,
        .group = 2,
        .steps = 1,
        .element_bytes = 2,
        .pack_a = narrow_pack_bfloats,
        .pack_b = narrow_pack_bfloats,
        .run = multiply_bfloats,
    };
    if (kind == NARROW_BFLOATS)
        return __builtin_cpu_supports("avx512bf16") ? &bfloats : NULL;
    return __builtin_cpu_supports("avx512vnni") &&
                   __builtin_cpu_supports("avx512bw") &&
                   __builtin_cpu_supports("avx512vl")
               ? &bytes
               : NULL;
}

static const struct narrow_kernel *find_avx2(enum narrow_kind kind)
{
    static const struct narrow_kernel bytes = {
        .rows = 16,
        .columns = 4,
        .width = 4,
        .group = 2,
        .steps = 1,
        .element_bytes = 1,
        .pack_a = pack_wide,
        .pack_b = pack_wide,
        .run = multiply_avx2,
    };
    return kind == NARROW_BYTES && __builtin_cpu_supports("avx2") ? &bytes
                                                                  : NULL;
}

static const struct narrow_kernel *find_kernel(enum narrow_kind kind,
                                               enum narrow_way way)
{
    const struct narrow_kernel *kernel = NULL;
    if (way == NARROW_AMX || way == NARROW_BEST)
        kernel = narrow_amx(kind);
    if (way == NARROW_AVX512 || (way == NARROW_BEST && !kernel))
        kernel = find_avx512(kind);
    if (way == NARROW_AVX2 || (way == NARROW_BEST && !kernel))
        kernel = find_avx2(kind);
    return way == NARROW_TILES ? narrow_tiles(kind) : kernel;
}

bool narrow_has(enum narrow_kind kind, enum narrow_way way)
{
    return find_kernel(kind, way);
}

int64_t narrow_rows(enum narrow_kind kind)
{
    return find_kernel(kind, NARROW_BEST)->rows;
}

size_t narrow_room(enum narrow_kind kind, enum narrow_way way, int64_t m,
                   int64_t n, int64_t k)
{
    const struct narrow_kernel *kernel = find_kernel(kind, way);
    int64_t steps = steps_of(kernel, k);
    int64_t a = panel_count(m, kernel->rows) * kernel->rows * steps;
    int64_t b = panel_count(n, kernel->columns) * kernel->columns * steps;
    return (size_t)(a + b) * sizeof(int32_t) + 128;
}

static void add_numbers(enum narrow_kind kind, int64_t n, const int32_t *from,
                        int32_t *to)
{
    const float *numbers = (const float *)from;
    for (int64_t i = 0; i < n && kind == NARROW_BFLOATS; i++)
        ((float *)to)[i] += numbers[i];
    for (int64_t i = 0; i < n && kind != NARROW_BFLOATS; i++)
        to[i] = (int32_t)((uint32_t)to[i] + (uint32_t)from[i]);
}

/* A block over the edge of D: m x n of its sums are wanted. */
static void multiply_part(enum narrow_kind kind,
                          const struct narrow_kernel *kernel, int64_t steps,
                          const int32_t *a, const int32_t *b,
                          const int32_t *less, int64_t m, int64_t n,
                          struct narrow_sums to)
{
    int32_t block[NARROW_BLOCK];
    kernel->run(steps, a, b, less,
                (struct narrow_sums){block, kernel->rows, false});
    for (int64_t j = 0; j < n; j++) {
        const int32_t *from = block + j * kernel->rows;
        if (to.adds)
            add_numbers(kind, m, from, to.at + j * to.ld);
        else
            memcpy(to.at + j * to.ld, from, (size_t)m * sizeof *from);
    }
}

/* How many packed rows of A stay in the second-level cache while all columns of
 * B are read. */
static int64_t rows_in_cache(const struct narrow_kernel *kernel, int64_t steps)
{
    int64_t panel = kernel->rows * steps * (int64_t)sizeof(int32_t);
    int64_t count = CACHED_BYTES / (panel ? panel : 1);
    return (count > 1 ? count : 1) * kernel->rows;
}

static void multiply_block(enum narrow_kind kind,
                           const struct narrow_kernel *kernel, int64_t steps,
                           int64_t m, int64_t n, const int32_t *packed_a,
                           const int32_t *packed_b, struct narrow_sums to)
{
    int64_t rows = kernel->rows, columns = kernel->columns;
    int32_t less[NARROW_COLUMNS] = {0};
    for (int64_t j = 0; j < n; j += columns) {
        const int32_t *right = packed_b + j * steps;
        if (kernel->find_less)
            kernel->find_less(steps, right, less);
        for (int64_t i = 0; i < m; i += rows) {
            const int32_t *left = packed_a + i * steps;
            struct narrow_sums at = {to.at + i + j * to.ld, to.ld, to.adds};
            if (i + rows <= m && j + columns <= n)
                kernel->run(steps, left, right, less, at);
            else
                multiply_part(kind, kernel, steps, left, right, less,
                              at_most(rows, m - i), at_most(columns, n - j),
                              at);
        }
    }
}

void narrow_multiply(enum narrow_kind kind, enum narrow_way way, int64_t m,
                     int64_t n, int64_t k, struct narrow a, struct narrow b,
                     struct narrow_sums to, void *room)
{
    const struct narrow_kernel *kernel = find_kernel(kind, way);
    int64_t rows = kernel->rows, steps = steps_of(kernel, k);
    int32_t *packed_a = room;
    int32_t *packed_b = packed_a + panel_count(m, rows) * rows * steps;
    pack_a(kernel, &a, m, k, packed_a);
    pack_b(kernel, &b, n, k, packed_b);
    if (kernel->begin)
        kernel->begin();
    int64_t block = rows_in_cache(kernel, steps);
    for (int64_t i = 0; i < m; i += block) {
        struct narrow_sums at = {to.at + i, to.ld, to.adds};
        multiply_block(kind, kernel, steps, at_most(block, m - i), n,
                       packed_a + i * steps, packed_b, at);
    }
    if (kernel->end)
        kernel->end();
}

#else

bool narrow_has(enum narrow_kind kind, enum narrow_way way)
{
    (void)kind, (void)way;
    return false;
}

int64_t narrow_rows(enum narrow_kind kind)
{
    (void)kind;
    return 1;
}

size_t narrow_room(enum narrow_kind kind, enum narrow_way way, int64_t m,
                   int64_t n, int64_t k)
{
    (void)kind, (void)way, (void)m, (void)n, (void)k;
    return 0;
}

void narrow_multiply(enum narrow_kind kind, enum narrow_way way, int64_t m,
                     int64_t n, int64_t k, struct narrow a, struct narrow b,
                     struct narrow_sums to, void *room)
{
    (void)kind, (void)way, (void)m, (void)n, (void)k;
    (void)a, (void)b, (void)to, (void)room;
}

#endif
