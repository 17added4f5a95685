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

#define START          start_avx2
#define PREPARE        prepare_avx2
#define TARGET         __attribute__((target("avx2")))
#define LANES          4
#define V              __m256i
#define INDEX          _mm256_set_epi64x(3, 1, 2, 0)
#define SET(v)         _mm256_set1_epi64x((long long)(v))
#define ADD(a, b)      _mm256_add_epi64(a, b)
#define AND(a, b)      _mm256_and_si256(a, b)
#define SHIFT(a, n)    _mm256_srli_epi64(a, n)
#define MULTIPLY(a, b) _mm256_mul_epu32(a, b)
#define XOR2(a, b)     _mm256_xor_si256(a, b)
#define XOR(a, b, c)   _mm256_xor_si256(a, _mm256_xor_si256(b, c))
/* The high half of q, with sums, and behind it the low one. */
#define PAIR(q, y, key)                                                        \
    XOR2(_mm256_shuffle_epi32(q, 0xb1), AND(XOR2(y, key), SET(0xffffffffu)))
#include "philox_start.h"

#define NAME   group_avx2
#define CHAINS 2
#define OUT    uint32_t
#define STORE(to, first, second)                                               \
    do {                                                                       \
        V a = first, b = second, *to_ = (V *)(to);                             \
        _mm256_storeu_si256(to_, _mm256_unpacklo_epi64(a, b));                 \
        _mm256_storeu_si256(to_ + 1, _mm256_unpackhi_epi64(a, b));             \
    } while (0)
#include "philox_vector.h"

TARGET static void blocks_avx2(const struct place *at, uint32_t each,
                               uint32_t *out, uint32_t n)
{
    struct start_avx2 s;
    prepare_avx2(at, each, &s);
    for (uint32_t i = 0; i < n * each; i += 2 * LANES)
        group_avx2(&s, i, out);
}

#undef START
#undef PREPARE
#undef TARGET
#undef LANES
#undef V
#undef INDEX
#undef SET
#undef ADD
#undef AND
#undef SHIFT
#undef MULTIPLY
#undef XOR2
#undef XOR
#undef PAIR
#undef NAME
#undef CHAINS
#undef OUT
#undef STORE

#define START          start_avx512
#define PREPARE        prepare_avx512
#define TARGET         __attribute__((target("avx512f")))
#define LANES          8
#define V              __m512i
#define INDEX          _mm512_set_epi64(7, 3, 6, 2, 5, 1, 4, 0)
#define SET(v)         _mm512_set1_epi64((long long)(v))
#define ADD(a, b)      _mm512_add_epi64(a, b)
#define AND(a, b)      _mm512_and_si512(a, b)
#define SHIFT(a, n)    _mm512_srli_epi64(a, n)
#define MULTIPLY(a, b) _mm512_mul_epu32(a, b)
#define XOR2(a, b)     _mm512_xor_si512(a, b)
#define XOR(a, b, c)   _mm512_ternarylogic_epi64(a, b, c, 0x96)
#define PAIR(q, y, key)                                                        \
    _mm512_mask_ternarylogic_epi32(                                            \
        _mm512_shuffle_epi32(q, (_MM_PERM_ENUM)0xb1), 0x5555, y, key, 0x96)
#include "philox_start.h"

/* Six vectors at once, and what is left by four and two: `out` has room for
 * PHILOX_SLACK numbers more. */
#define GROUPS(name, type)                                                     \
    TARGET static void name(const struct place *at, uint32_t each, type *out,  \
                            uint32_t n)                                        \
    {                                                                          \
        struct start_avx512 s;                                                 \
        uint32_t i = 0, end = n * each;                                        \
        prepare_avx512(at, each, &s);                                          \
        for (; i + 6 * LANES <= end; i += 6 * LANES)                           \
            name##_6(&s, i, out);                                              \
        for (; i + 2 * LANES < end; i += 4 * LANES)                            \
            name##_4(&s, i, out);                                              \
        if (i < end)                                                           \
            name##_2(&s, i, out);                                              \
    }

#define OUT uint32_t
#define STORE(to, first, second)                                               \
    do {                                                                       \
        V a = first, b = second;                                               \
        _mm512_storeu_si512((to), _mm512_unpacklo_epi64(a, b));                \
        _mm512_storeu_si512((to) + 16, _mm512_unpackhi_epi64(a, b));           \
    } while (0)
#define NAME   blocks_avx512_6
#define CHAINS 6
#include "philox_vector.h"
#undef NAME
#undef CHAINS
#define NAME   blocks_avx512_4
#define CHAINS 4
#include "philox_vector.h"
#undef NAME
#undef CHAINS
#define NAME   blocks_avx512_2
#define CHAINS 2
#include "philox_vector.h"
#undef NAME
#undef CHAINS
#undef OUT
#undef STORE
GROUPS(blocks_avx512, uint32_t)

/* As convert.c's unit_float(): the product is exact, so that one rounding is
 * left. */
TARGET static inline __m512 unit_512(__m512i x)
{
    return _mm512_fmadd_ps(_mm512_cvtepu32_ps(x), _mm512_set1_ps(0x1p-32f),
                           _mm512_set1_ps(0x1p-33f));
}

#define OUT float
#define STORE(to, first, second)                                               \
    do {                                                                       \
        V a = first, b = second;                                               \
        _mm512_stream_ps((to), unit_512(_mm512_unpacklo_epi64(a, b)));         \
        _mm512_stream_ps((to) + 16, unit_512(_mm512_unpackhi_epi64(a, b)));    \
    } while (0)
#define NAME   floats_avx512_6
#define CHAINS 6
#include "philox_vector.h"
#undef NAME
#undef CHAINS
#define NAME   floats_avx512_4
#define CHAINS 4
#include "philox_vector.h"
#undef NAME
#undef CHAINS
#define NAME   floats_avx512_2
#define CHAINS 2
#include "philox_vector.h"
GROUPS(floats_avx512, float)

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
