/* SPDX-License-Identifier: Apache-2.0 */
#include "band_rows.h"

#include <stdbool.h>

#if defined(__x86_64__)

#include <immintrin.h>

/* ---- AVX-512 ------------------------------------------------------------- */

#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl,fma")))

static inline TARGET __m512 spread_s16(const float *p, int64_t step)
{
    __m512 v = _mm512_castps128_ps512(_mm_loadu_ps(p));
    v = _mm512_insertf32x4(v, _mm_loadu_ps(p + step), 1);
    v = _mm512_insertf32x4(v, _mm_loadu_ps(p + 2 * step), 2);
    return _mm512_insertf32x4(v, _mm_loadu_ps(p + 3 * step), 3);
}

static inline TARGET void turn_s16(__m512 v[4])
{
    __m512 a = _mm512_unpacklo_ps(v[0], v[1]);
    __m512 b = _mm512_unpackhi_ps(v[0], v[1]);
    __m512 c = _mm512_unpacklo_ps(v[2], v[3]);
    __m512 d = _mm512_unpackhi_ps(v[2], v[3]);
    v[0] = _mm512_shuffle_ps(a, c, 0x44);
    v[1] = _mm512_shuffle_ps(a, c, 0xee);
    v[2] = _mm512_shuffle_ps(b, d, 0x44);
    v[3] = _mm512_shuffle_ps(b, d, 0xee);
}

static inline TARGET bool are_apart_16(const int *p, int64_t step, int64_t by)
{
    __m512i d =
        _mm512_sub_epi32(_mm512_loadu_si512(p + step), _mm512_loadu_si512(p));
    return !_mm512_cmpneq_epi32_mask(d, _mm512_set1_epi32((int)by));
}

#define T         float
#define OF(name)  name##_s16
#define V         __m512
#define ZERO      _mm512_setzero_ps()
#define LOAD      _mm512_loadu_ps
#define STORE     _mm512_storeu_ps
#define SET       _mm512_set1_ps
#define MULTIPLY  _mm512_mul_ps
#define FMA       _mm512_fmadd_ps
#define LANES     16
#define PIECE     4
#define SPREAD    spread_s16
#define TURN      turn_s16
#define ARE_APART are_apart_16
#include "band_rows_typed.h"
#undef T
#undef OF
#undef V
#undef ZERO
#undef LOAD
#undef STORE
#undef SET
#undef MULTIPLY
#undef FMA
#undef LANES
#undef PIECE
#undef SPREAD
#undef TURN
#undef ARE_APART

static inline TARGET __m512d spread_d8(const double *p, int64_t step)
{
    __m512d v = _mm512_castpd128_pd512(_mm_loadu_pd(p));
    v = _mm512_insertf64x2(v, _mm_loadu_pd(p + step), 1);
    v = _mm512_insertf64x2(v, _mm_loadu_pd(p + 2 * step), 2);
    return _mm512_insertf64x2(v, _mm_loadu_pd(p + 3 * step), 3);
}

static inline TARGET void turn_d8(__m512d v[2])
{
    __m512d a = v[0], b = v[1];
    v[0] = _mm512_unpacklo_pd(a, b);
    v[1] = _mm512_unpackhi_pd(a, b);
}

static inline TARGET bool are_apart_8(const int *p, int64_t step, int64_t by)
{
    __m256i d =
        _mm256_sub_epi32(_mm256_loadu_si256((const __m256i_u *)(p + step)),
                         _mm256_loadu_si256((const __m256i_u *)p));
    return !_mm256_cmpneq_epi32_mask(d, _mm256_set1_epi32((int)by));
}

#define T         double
#define OF(name)  name##_d8
#define V         __m512d
#define ZERO      _mm512_setzero_pd()
#define LOAD      _mm512_loadu_pd
#define STORE     _mm512_storeu_pd
#define SET       _mm512_set1_pd
#define MULTIPLY  _mm512_mul_pd
#define FMA       _mm512_fmadd_pd
#define LANES     8
#define PIECE     2
#define SPREAD    spread_d8
#define TURN      turn_d8
#define ARE_APART are_apart_8
#include "band_rows_typed.h"
#undef TARGET
#undef T
#undef OF
#undef V
#undef ZERO
#undef LOAD
#undef STORE
#undef SET
#undef MULTIPLY
#undef FMA
#undef LANES
#undef PIECE
#undef SPREAD
#undef TURN
#undef ARE_APART

/* ---- AVX2 ---------------------------------------------------------------- */

#define TARGET __attribute__((target("avx2,fma")))

static inline TARGET __m256 spread_s8(const float *p, int64_t step)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p)),
                                _mm_loadu_ps(p + step), 1);
}

static inline TARGET void turn_s8(__m256 v[4])
{
    __m256 a = _mm256_unpacklo_ps(v[0], v[1]);
    __m256 b = _mm256_unpackhi_ps(v[0], v[1]);
    __m256 c = _mm256_unpacklo_ps(v[2], v[3]);
    __m256 d = _mm256_unpackhi_ps(v[2], v[3]);
    v[0] = _mm256_shuffle_ps(a, c, 0x44);
    v[1] = _mm256_shuffle_ps(a, c, 0xee);
    v[2] = _mm256_shuffle_ps(b, d, 0x44);
    v[3] = _mm256_shuffle_ps(b, d, 0xee);
}

static inline TARGET bool are_apart_8_avx2(const int *p, int64_t step,
                                           int64_t by)
{
    __m256i d =
        _mm256_sub_epi32(_mm256_loadu_si256((const __m256i_u *)(p + step)),
                         _mm256_loadu_si256((const __m256i_u *)p));
    d = _mm256_cmpeq_epi32(d, _mm256_set1_epi32((int)by));
    return _mm256_movemask_epi8(d) == -1;
}

#define T         float
#define OF(name)  name##_s8
#define V         __m256
#define ZERO      _mm256_setzero_ps()
#define LOAD      _mm256_loadu_ps
#define STORE     _mm256_storeu_ps
#define SET       _mm256_set1_ps
#define MULTIPLY  _mm256_mul_ps
#define FMA       _mm256_fmadd_ps
#define LANES     8
#define PIECE     4
#define SPREAD    spread_s8
#define TURN      turn_s8
#define ARE_APART are_apart_8_avx2
#include "band_rows_typed.h"
#undef T
#undef OF
#undef V
#undef ZERO
#undef LOAD
#undef STORE
#undef SET
#undef MULTIPLY
#undef FMA
#undef LANES
#undef PIECE
#undef SPREAD
#undef TURN
#undef ARE_APART

static inline TARGET __m256d spread_d4(const double *p, int64_t step)
{
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p)),
                                _mm_loadu_pd(p + step), 1);
}

static inline TARGET void turn_d4(__m256d v[2])
{
    __m256d a = v[0], b = v[1];
    v[0] = _mm256_unpacklo_pd(a, b);
    v[1] = _mm256_unpackhi_pd(a, b);
}

static inline TARGET bool are_apart_4(const int *p, int64_t step, int64_t by)
{
    __m128i d = _mm_sub_epi32(_mm_loadu_si128((const __m128i_u *)(p + step)),
                              _mm_loadu_si128((const __m128i_u *)p));
    d = _mm_cmpeq_epi32(d, _mm_set1_epi32((int)by));
    return _mm_movemask_epi8(d) == 0xffff;
}

#define T         double
#define OF(name)  name##_d4
#define V         __m256d
#define ZERO      _mm256_setzero_pd()
#define LOAD      _mm256_loadu_pd
#define STORE     _mm256_storeu_pd
#define SET       _mm256_set1_pd
#define MULTIPLY  _mm256_mul_pd
#define FMA       _mm256_fmadd_pd
#define LANES     4
#define PIECE     2
#define SPREAD    spread_d4
#define TURN      turn_d4
#define ARE_APART are_apart_4
#include "band_rows_typed.h"

/* ---- of this CPU --------------------------------------------------------- */

enum vectors { NONE, AVX2, AVX512 };

static enum vectors vectors_of_cpu(void)
{
    if (__builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return AVX512;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
               ? AVX2
               : NONE;
}

int64_t cusparse_band_rows_s(const struct csr_rows *r, int64_t first,
                             int64_t end, float alpha, float beta)
{
    switch (vectors_of_cpu()) {
    case AVX512:
        return rows_s16(r, first, end, alpha, beta);
    case AVX2:
        return rows_s8(r, first, end, alpha, beta);
    default:
        return first;
    }
}

int64_t cusparse_band_rows_d(const struct csr_rows *r, int64_t first,
                             int64_t end, double alpha, double beta)
{
    switch (vectors_of_cpu()) {
    case AVX512:
        return rows_d8(r, first, end, alpha, beta);
    case AVX2:
        return rows_d4(r, first, end, alpha, beta);
    default:
        return first;
    }
}

#else

int64_t cusparse_band_rows_s(const struct csr_rows *r, int64_t first,
                             int64_t end, float alpha, float beta)
{
    (void)r, (void)end, (void)alpha, (void)beta;
    return first;
}

int64_t cusparse_band_rows_d(const struct csr_rows *r, int64_t first,
                             int64_t end, double alpha, double beta)
{
    (void)r, (void)end, (void)alpha, (void)beta;
    return first;
}

#endif
