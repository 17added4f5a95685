/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The OpenMP side of sparse.cu. spmv: CSR, rows divided among threads. philox
 * and xorwow: a fill of as many floats, the least time in which they are
 * written. philox-in-order, xorwow-in-order: the same numbers by hand, with
 * AVX-512 where the processor has it.
 */
#define _GNU_SOURCE
#if defined(__AVX512F__)
#include <immintrin.h>
#endif
#include <stdint.h>
#include <sys/mman.h>

#include "sparse.h"

static double *values, *x, *y;
static int *offsets, *columns;
static float *numbers;

static void *reserve(size_t bytes)
{
    const size_t page = 2 << 20;
    void *p = aligned_alloc(page, (bytes + page - 1) / page * page);
    if (!p) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    madvise(p, bytes, MADV_HUGEPAGE);
    return p;
}

static void spmv(void)
{
#pragma omp parallel for schedule(static)
    for (int i = 0; i < BAND_ROWS; i++) {
        double sum = 0;
        for (int e = offsets[i]; e < offsets[i + 1]; e++)
            sum += values[e] * x[columns[e]];
        y[i] = sum;
    }
}

static double run_spmv(void)
{
    size_t entries = (size_t)BAND_ROWS * BAND_WIDTH;
    values = reserve(entries * sizeof *values);
    columns = reserve(entries * sizeof *columns);
    offsets = reserve((BAND_ROWS + 1) * sizeof *offsets);
    x = reserve(BAND_ROWS * sizeof *x);
    y = reserve(BAND_ROWS * sizeof *y);
    band_fill(values, offsets, columns, x);
    double ms = measure_ms(spmv);
    return band_check(y) ? ms : -1;
}

static void fill(void)
{
#pragma omp parallel for simd
    for (int i = 0; i < NUMBERS; i++)
        numbers[i] = 0.5f;
}

static double run_fill(void)
{
    numbers = reserve(NUMBERS * sizeof *numbers);
    return measure_ms(fill);
}

/* ---- the generators by hand ------------------------------------------- */

enum { PHILOX_LANES = 65536, XORWOW_LANES = 4096, XORWOW_WORDS = 6 };
enum { PIECE = 256 }; /* lanes that a thread does together */

static uint32_t *states; /* XORWOW's, word by word */

#if defined(__AVX512F__)
static __m512 unit(__m512i x)
{
    return _mm512_fmadd_ps(_mm512_cvtepu32_ps(x), _mm512_set1_ps(0x1p-32f),
                           _mm512_set1_ps(0x1p-33f));
}

/* The low halves of two vectors in turn. */
static __m512i pair(__m512i low, __m512i high)
{
    return _mm512_mask_shuffle_epi32(low, 0xaaaa, high, (_MM_PERM_ENUM)0xa0);
}

/* Four vectors of blocks at once: 32 lanes, 128 numbers. */
static void philox_32(uint64_t counter, uint64_t lane, float *to)
{
    __m512i x[4], y[4], z[4], w[4];
    uint32_t key[2] = {0, 0};
    __m512i order = _mm512_set_epi64(7, 3, 6, 2, 5, 1, 4, 0);
    for (int j = 0; j < 4; j++) {
        x[j] = _mm512_set1_epi64((long long)counter);
        z[j] =
            _mm512_add_epi64(order, _mm512_set1_epi64((long long)lane + 8 * j));
        y[j] = w[j] = _mm512_setzero_si512();
    }
    for (int r = 0; r < 10; r++) {
        __m512i k0 = _mm512_set1_epi64(key[0]), k1 = _mm512_set1_epi64(key[1]);
        for (int j = 0; j < 4; j++) {
            __m512i p = _mm512_mul_epu32(x[j], _mm512_set1_epi64(0xd2511f53));
            __m512i q = _mm512_mul_epu32(z[j], _mm512_set1_epi64(0xcd9e8d57));
            x[j] = _mm512_ternarylogic_epi64(_mm512_srli_epi64(q, 32), y[j], k0,
                                             0x96);
            z[j] = _mm512_ternarylogic_epi64(_mm512_srli_epi64(p, 32), w[j], k1,
                                             0x96);
            y[j] = q, w[j] = p;
        }
        key[0] += 0x9e3779b9u, key[1] += 0xbb67ae85u;
    }
    for (int j = 0; j < 4; j++) {
        __m512i xy = pair(x[j], y[j]), zw = pair(z[j], w[j]);
        _mm512_stream_ps(to + 32 * j, unit(_mm512_unpacklo_epi64(xy, zw)));
        _mm512_stream_ps(to + 32 * j + 16, unit(_mm512_unpackhi_epi64(xy, zw)));
    }
}

static void philox_piece(uint64_t counter, uint64_t lane, float *to)
{
    for (int i = 0; i < PIECE; i += 32)
        philox_32(counter, lane + (uint64_t)i, to + 4 * i);
}

/* The next 16 rows of sixteen lanes. */
static void xorwow_16(uint32_t *s, float *to)
{
    __m512i v[XORWOW_WORDS];
    for (int k = 0; k < XORWOW_WORDS; k++)
        v[k] = _mm512_loadu_si512(s + k * XORWOW_LANES);
    for (int row = 0; row < 16; row++) {
        __m512i t = _mm512_xor_si512(v[1], _mm512_srli_epi32(v[1], 2));
        __m512i u = _mm512_ternarylogic_epi64(t, _mm512_slli_epi32(t, 1),
                                              _mm512_slli_epi32(v[5], 4), 0x96);
        v[1] = v[2], v[2] = v[3], v[3] = v[4], v[4] = v[5];
        v[5] = _mm512_xor_si512(v[5], u);
        v[0] = _mm512_add_epi32(v[0], _mm512_set1_epi32(362437));
        _mm512_stream_ps(to + row * XORWOW_LANES,
                         unit(_mm512_add_epi32(v[0], v[5])));
    }
    for (int k = 0; k < XORWOW_WORDS; k++)
        _mm512_storeu_si512(s + k * XORWOW_LANES, v[k]);
}

/* All rows of some lanes. */
static void xorwow_piece(uint32_t *s, float *to)
{
    for (long i = 0; i < NUMBERS; i += 16 * XORWOW_LANES) {
        for (int lane = 0; lane < PIECE; lane += 16)
            xorwow_16(s + lane, to + i + lane);
    }
}

static void finish(void)
{
    _mm_sfence();
}
#else
static float unit(uint32_t x)
{
    return (float)x * 0x1p-32f + 0x1p-33f;
}

static void philox_piece(uint64_t counter, uint64_t lane, float *to)
{
    for (uint32_t i = 0; i < PIECE; i++) {
        uint32_t x = (uint32_t)counter, y = 0, z = (uint32_t)lane + i, w = 0;
        uint32_t key[2] = {0, 0};
        for (int r = 0; r < 10; r++) {
            uint64_t p = (uint64_t)x * 0xd2511f53u;
            uint64_t q = (uint64_t)z * 0xcd9e8d57u;
            x = (uint32_t)(q >> 32) ^ y ^ key[0], y = (uint32_t)q;
            z = (uint32_t)(p >> 32) ^ w ^ key[1], w = (uint32_t)p;
            key[0] += 0x9e3779b9u, key[1] += 0xbb67ae85u;
        }
        to[4 * i] = unit(x), to[4 * i + 1] = unit(y);
        to[4 * i + 2] = unit(z), to[4 * i + 3] = unit(w);
    }
}

static void xorwow_piece(uint32_t *s, float *to)
{
    for (long i = 0; i < NUMBERS; i += XORWOW_LANES) {
        for (int l = 0; l < PIECE; l++) {
            uint32_t v[XORWOW_WORDS];
            for (int k = 0; k < XORWOW_WORDS; k++)
                v[k] = s[k * XORWOW_LANES + l];
            uint32_t t = v[1] ^ v[1] >> 2;
            v[1] = v[2], v[2] = v[3], v[3] = v[4], v[4] = v[5];
            v[5] ^= v[5] << 4 ^ t ^ t << 1;
            v[0] += 362437;
            to[i + l] = unit(v[0] + v[5]);
            for (int k = 0; k < XORWOW_WORDS; k++)
                s[k * XORWOW_LANES + l] = v[k];
        }
    }
}

static void finish(void)
{
}
#endif

static void philox(void)
{
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 16)
        for (long lane = 0; lane < NUMBERS / 4; lane += PIECE)
            philox_piece((uint64_t)lane / PHILOX_LANES,
                         (uint64_t)lane % PHILOX_LANES, numbers + 4 * lane);
        finish();
    }
}

static void xorwow(void)
{
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int lane = 0; lane < XORWOW_LANES; lane += PIECE)
            xorwow_piece(states + lane, numbers + lane);
        finish();
    }
}

static double run_by_hand(void (*generate)(void))
{
    numbers = reserve(NUMBERS * sizeof *numbers);
    states = reserve(XORWOW_LANES * XORWOW_WORDS * sizeof *states);
    for (int i = 0; i < XORWOW_LANES * XORWOW_WORDS; i++)
        states[i] = (uint32_t)i * 2654435761u + 1;
    return measure_ms(generate);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    double ms = -1;
    if (!strcmp(name, "spmv"))
        ms = run_spmv();
    if (!strcmp(name, "philox") || !strcmp(name, "xorwow"))
        ms = run_fill();
    if (!strcmp(name, "philox-in-order"))
        ms = run_by_hand(philox);
    if (!strcmp(name, "xorwow-in-order"))
        ms = run_by_hand(xorwow);
    printf("%g\n", ms);
    return ms < 0;
}
