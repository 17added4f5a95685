/* SPDX-License-Identifier: Apache-2.0 */
#include "philox_blocks.h"

#include <stddef.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* One block after the other, or as the compiler has it. */
static void blocks_plain(const struct place *at, uint32_t each, uint32_t *out,
                         uint32_t n)
{
    for (uint32_t i = 0; i < n * each; i++) {
        uint64_t counter = at->counter + i % each;
        uint32_t x = (uint32_t)counter, y = (uint32_t)(counter >> 32);
        uint32_t z = (uint32_t)at->lane + i / each, w = 0;
        uint32_t k0 = at->key[0], k1 = at->key[1];
        for (int r = 0; r < 10; r++, k0 += 0x9e3779b9u, k1 += 0xbb67ae85u) {
            uint64_t p = (uint64_t)x * 0xd2511f53u;
            uint64_t q = (uint64_t)z * 0xcd9e8d57u;
            x = (uint32_t)(q >> 32) ^ y ^ k0;
            z = (uint32_t)(p >> 32) ^ w ^ k1;
            y = (uint32_t)q, w = (uint32_t)p;
        }
        out[4 * i] = x, out[4 * i + 1] = y;
        out[4 * i + 2] = z, out[4 * i + 3] = w;
    }
}

#if defined(__x86_64__)

#define NAME           blocks_avx2
#define TARGET         __attribute__((target("avx2")))
#define LANES          4
#define CHAINS         2
#define V              __m256i
#define INDEX          _mm256_set_epi64x(3, 2, 1, 0)
#define SET(v)         _mm256_set1_epi64x((long long)(v))
#define ADD(a, b)      _mm256_add_epi64(a, b)
#define AND(a, b)      _mm256_and_si256(a, b)
#define SHIFT(a, n)    _mm256_srli_epi64(a, n)
#define MULTIPLY(a, b) _mm256_mul_epu32(a, b)
#define XOR(a, b, c)   _mm256_xor_si256(a, _mm256_xor_si256(b, c))
#define PAIR(low, high)                                                        \
    _mm256_blend_epi32(low, _mm256_slli_epi64(high, 32), 0xaa)
#define OUT uint32_t
#define STORE(to, x, y, z, w)                                                  \
    do {                                                                       \
        V xy = PAIR(x, y), zw = PAIR(z, w);                                    \
        V even = _mm256_unpacklo_epi64(xy, zw);                                \
        V odd = _mm256_unpackhi_epi64(xy, zw);                                 \
        _mm256_storeu_si256((V *)(to),                                         \
                            _mm256_permute2x128_si256(even, odd, 0x20));       \
        _mm256_storeu_si256((V *)(to) + 1,                                     \
                            _mm256_permute2x128_si256(even, odd, 0x31));       \
    } while (0)
#include "philox_vector.h"
#undef NAME
#undef TARGET
#undef LANES
#undef CHAINS
#undef V
#undef INDEX
#undef SET
#undef ADD
#undef AND
#undef SHIFT
#undef MULTIPLY
#undef XOR
#undef PAIR
#undef OUT
#undef STORE

#define NAME           blocks_avx512
#define TARGET         __attribute__((target("avx512f")))
#define LANES          8
#define CHAINS         4 /* 32 registers */
#define V              __m512i
#define INDEX          _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0)
#define SET(v)         _mm512_set1_epi64((long long)(v))
#define ADD(a, b)      _mm512_add_epi64(a, b)
#define AND(a, b)      _mm512_and_si512(a, b)
#define SHIFT(a, n)    _mm512_srli_epi64(a, n)
#define MULTIPLY(a, b) _mm512_mul_epu32(a, b)
#define XOR(a, b, c)   _mm512_ternarylogic_epi64(a, b, c, 0x96)

/* Low halves of two vectors, one of each in turn. */
TARGET static inline __m512i pair_512(__m512i low, __m512i high)
{
    __m512i halves = _mm512_set_epi32(30, 14, 28, 12, 26, 10, 24, 8, 22, 6, 20,
                                      4, 18, 2, 16, 0);
    return _mm512_permutex2var_epi32(low, halves, high);
}

/* Blocks one after the other: their first half, and their second one. */
TARGET static inline void turn_512(__m512i x, __m512i y, __m512i z, __m512i w,
                                   __m512i out[2])
{
    __m512i low = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0);
    __m512i high = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
    __m512i xy = pair_512(x, y), zw = pair_512(z, w);
    out[0] = _mm512_permutex2var_epi64(xy, low, zw);
    out[1] = _mm512_permutex2var_epi64(xy, high, zw);
}

#define OUT uint32_t
#define STORE(to, x, y, z, w)                                                  \
    do {                                                                       \
        V turned[2];                                                           \
        turn_512(x, y, z, w, turned);                                          \
        _mm512_storeu_si512((to), turned[0]);                                  \
        _mm512_storeu_si512((to) + 16, turned[1]);                             \
    } while (0)
#include "philox_vector.h"
#undef NAME
#undef OUT
#undef STORE

/* As convert.c's unit(): the product is exact, so that one rounding is left. */
TARGET static inline __m512 unit_512(__m512i x)
{
    return _mm512_fmadd_ps(_mm512_cvtepu32_ps(x), _mm512_set1_ps(0x1p-32f),
                           _mm512_set1_ps(0x1p-33f));
}

#define NAME floats_avx512
#define OUT  float
#define STORE(to, x, y, z, w)                                                  \
    do {                                                                       \
        V turned[2];                                                           \
        turn_512(x, y, z, w, turned);                                          \
        _mm512_stream_ps((to), unit_512(turned[0]));                           \
        _mm512_stream_ps((to) + 16, unit_512(turned[1]));                      \
    } while (0)
#include "philox_vector.h"

philox_floats_fn *philox_floats(void)
{
    return __builtin_cpu_supports("avx512f") ? floats_avx512 : NULL;
}

philox_blocks_fn *philox_blocks(void)
{
    if (__builtin_cpu_supports("avx512f"))
        return blocks_avx512;
    return __builtin_cpu_supports("avx2") ? blocks_avx2 : blocks_plain;
}

#else

philox_floats_fn *philox_floats(void)
{
    return NULL;
}

philox_blocks_fn *philox_blocks(void)
{
    return blocks_plain;
}

#endif
