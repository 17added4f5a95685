/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/product/elements.h"

#include <math.h>
#include <string.h>

#include "base/bits.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

static const struct element elements[] = {
    [CUDA_R_32F] = {PART_F32, 4, 1},      [CUDA_C_32F] = {PART_F32, 4, 2},
    [CUDA_R_64F] = {PART_F64, 8, 1},      [CUDA_C_64F] = {PART_F64, 8, 2},
    [CUDA_R_16F] = {PART_F16, 2, 1},      [CUDA_C_16F] = {PART_F16, 2, 2},
    [CUDA_R_16BF] = {PART_BF16, 2, 1},    [CUDA_C_16BF] = {PART_BF16, 2, 2},
    [CUDA_R_8I] = {PART_I8, 1, 1},        [CUDA_C_8I] = {PART_I8, 1, 2},
    [CUDA_R_8U] = {PART_U8, 1, 1},        [CUDA_C_8U] = {PART_U8, 1, 2},
    [CUDA_R_32I] = {PART_I32, 4, 1},      [CUDA_C_32I] = {PART_I32, 4, 2},
    [CUDA_R_8F_E4M3] = {PART_E4M3, 1, 1}, [CUDA_R_8F_E5M2] = {PART_E5M2, 1, 1},
};

struct element element_of(cudaDataType_t type)
{
    if ((unsigned)type >= sizeof elements / sizeof *elements)
        return (struct element){PART_NONE, 0, 0};
    return elements[type];
}

size_t element_bytes(cudaDataType_t type)
{
    struct element e = element_of(type);
    return (size_t)e.part_bytes * e.parts;
}

/* ---- one component ---------------------------------------------------- */

/* The value of a float of 1 + e + f bits: sign, exponent, fraction. Infinities
 * and NaN are the caller's. */
static float decode_small(unsigned bits, unsigned e, unsigned f)
{
    unsigned exponent = bits >> f & ((1u << e) - 1);
    unsigned fraction = bits & ((1u << f) - 1);
    int bias = (1 << (e - 1)) - 1;
    float magnitude = exponent ? ldexpf((float)(fraction | 1u << f),
                                        (int)exponent - bias - (int)f)
                               : ldexpf((float)fraction, 1 - bias - (int)f);
    return bits >> (e + f) & 1 ? -magnitude : magnitude;
}

static float from_e4m3(uint8_t bits)
{
    return (bits & 0x7f) == 0x7f ? NAN : decode_small(bits, 4, 3);
}

static float from_e5m2(uint8_t bits)
{
    if ((bits & 0x7f) > 0x7c)
        return NAN;
    if ((bits & 0x7f) == 0x7c)
        return bits & 0x80 ? -INFINITY : INFINITY;
    return decode_small(bits, 5, 2);
}

/* |value|, at most max, as an exponent and f bits of fraction: to nearest, ties
 * to even. A number below 2^e_min is subnormal there: it is rounded by adding a
 * power of 2 whose last place is the subnormal numbers' step. */
static inline unsigned encode_small(float value, int f, int e_min, float max)
{
    float magnitude = fminf(fabsf(value), max);
    uint32_t u = bits_of_float(magnitude), last = 23 - (uint32_t)f;
    uint32_t normal = (u + (1u << (last - 1)) - 1 + (u >> last & 1)) >> last;
    uint32_t large = (uint32_t)(150 + e_min - f) << 23;
    uint32_t subnormal =
        bits_of_float(magnitude + float_of_bits(large)) - large;
    return u < (uint32_t)(127 + e_min) << 23
               ? subnormal
               : normal - ((uint32_t)(126 + e_min) << f);
}

static uint8_t to_e4m3(float value)
{
    unsigned sign = signbit(value) ? 0x80 : 0;
    return (uint8_t)(isnan(value) ? 0x7f
                                  : sign | encode_small(value, 3, -6, 448.0f));
}

static uint8_t to_e5m2(float value)
{
    unsigned sign = signbit(value) ? 0x80 : 0;
    return (uint8_t)(isnan(value)
                         ? 0x7f
                         : sign | encode_small(value, 2, -14, 57344.0f));
}

/* To an integer in [low, high]: to nearest, ties to even; NaN: 0. */
static double round_saturated(double value, double low, double high)
{
    return isnan(value) ? 0 : fmin(fmax(nearbyint(value), low), high);
}

/* ---- rows of components ----------------------------------------------- */

#if defined(__x86_64__)
__attribute__((target("avx2,f16c"))) static void
halves_to_float_f16c(const _Float16 *from, float *to, size_t n)
{
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128(
                                     (const __m128i *)(from + i))));
    for (; i < n; i++)
        to[i] = (float)from[i];
}

__attribute__((target("avx2,f16c"))) static void
float_to_halves_f16c(const float *from, _Float16 *to, size_t n)
{
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        _mm_storeu_si128((__m128i *)(to + i),
                         _mm256_cvtps_ph(_mm256_loadu_ps(from + i), 0));
    for (; i < n; i++)
        to[i] = (_Float16)from[i];
}

static bool has_f16c(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c");
}
#endif

static void halves_to_float(const _Float16 *from, float *to, size_t n)
{
#if defined(__x86_64__)
    if (has_f16c()) {
        halves_to_float_f16c(from, to, n);
        return;
    }
#endif
    for (size_t i = 0; i < n; i++)
        to[i] = (float)from[i];
}

static void float_to_halves(const float *from, _Float16 *to, size_t n)
{
#if defined(__x86_64__)
    if (has_f16c()) {
        float_to_halves_f16c(from, to, n);
        return;
    }
#endif
    for (size_t i = 0; i < n; i++)
        to[i] = (_Float16)from[i];
}

/* By way of halves. An e5m2 is a half's high byte; the bits of an e4m3, moved
 * to a half's places, are a number 256 times too small. */
static void bytes_to_float(enum component part, const uint8_t *from, float *to,
                           size_t n)
{
    enum { SOME = 256 };
    _Float16 halves[SOME];
    uint16_t bits[SOME];
    bool is_e4m3 = part == PART_E4M3;
    for (size_t at = 0, some; at < n; at += some, from += some, to += some) {
        some = n - at < SOME ? n - at : SOME;
        for (size_t i = 0; i < some; i++)
            bits[i] = (uint16_t)(is_e4m3 ? (from[i] & 0x80u) << 8 |
                                               (from[i] & 0x7fu) << 7
                                         : (unsigned)from[i] << 8);
        memcpy(halves, bits, sizeof bits);
        halves_to_float(halves, to, some);
        for (size_t i = 0; i < some && is_e4m3; i++)
            to[i] = (from[i] & 0x7f) == 0x7f ? NAN : to[i] * 256;
    }
}

/* to[i] = value, which reads in[i], for n components of the type. */
#define EACH(type, value)                                                      \
    do {                                                                       \
        const type *in = from;                                                 \
        for (size_t i = 0; i < n; i++)                                         \
            to[i] = value;                                                     \
    } while (0)

void element_to_float(enum component part, const void *from, float *to,
                      size_t n)
{
    switch (part) {
    case PART_F32:
        memcpy(to, from, n * sizeof *to);
        break;
    case PART_F64:
        EACH(double, (float)in[i]);
        break;
    case PART_F16:
        halves_to_float(from, to, n);
        break;
    case PART_BF16:
        EACH(uint16_t, bfloat_of_bits(in[i]));
        break;
    case PART_E4M3:
    case PART_E5M2:
        bytes_to_float(part, from, to, n);
        break;
    case PART_I8:
        EACH(int8_t, in[i]);
        break;
    case PART_U8:
        EACH(uint8_t, in[i]);
        break;
    case PART_I32:
        EACH(int32_t, (float)in[i]);
        break;
    case PART_NONE:
        break;
    }
}

void element_to_double(enum component part, const void *from, double *to,
                       size_t n)
{
    switch (part) {
    case PART_F32:
        EACH(float, in[i]);
        break;
    case PART_F64:
        memcpy(to, from, n * sizeof *to);
        break;
    case PART_F16:
        EACH(_Float16, in[i]);
        break;
    case PART_BF16:
        EACH(uint16_t, bfloat_of_bits(in[i]));
        break;
    case PART_E4M3:
        EACH(uint8_t, from_e4m3(in[i]));
        break;
    case PART_E5M2:
        EACH(uint8_t, from_e5m2(in[i]));
        break;
    case PART_I8:
        EACH(int8_t, in[i]);
        break;
    case PART_U8:
        EACH(uint8_t, in[i]);
        break;
    case PART_I32:
        EACH(int32_t, in[i]);
        break;
    case PART_NONE:
        break;
    }
}

/* out[i] = value, which reads from[i], for n components of the type. */
#undef EACH
#define EACH(type, value)                                                      \
    do {                                                                       \
        type *out = to;                                                        \
        for (size_t i = 0; i < n; i++)                                         \
            out[i] = value;                                                    \
    } while (0)

void element_from_float(enum component part, const float *from, void *to,
                        size_t n)
{
    switch (part) {
    case PART_F32:
        memcpy(to, from, n * sizeof *from);
        break;
    case PART_F64:
        EACH(double, from[i]);
        break;
    case PART_F16:
        float_to_halves(from, to, n);
        break;
    case PART_BF16:
        EACH(uint16_t, bits_of_bfloat(from[i]));
        break;
    case PART_E4M3:
        EACH(uint8_t, to_e4m3(from[i]));
        break;
    case PART_E5M2:
        EACH(uint8_t, to_e5m2(from[i]));
        break;
    case PART_I8:
        EACH(int8_t, (int8_t)round_saturated(from[i], -128, 127));
        break;
    case PART_U8:
        EACH(uint8_t, (uint8_t)round_saturated(from[i], 0, 255));
        break;
    case PART_I32:
        EACH(int32_t, (int32_t)round_saturated(from[i], INT32_MIN, INT32_MAX));
        break;
    case PART_NONE:
        break;
    }
}

void element_from_double(enum component part, const double *from, void *to,
                         size_t n)
{
    switch (part) {
    case PART_F64:
        memcpy(to, from, n * sizeof *from);
        break;
    case PART_I32:
        EACH(int32_t, (int32_t)round_saturated(from[i], INT32_MIN, INT32_MAX));
        break;
    default:
        for (size_t i = 0; i < n; i++) {
            float narrow = (float)from[i];
            char *out = to;
            unsigned bytes = part == PART_F32                        ? 4
                             : part == PART_F16 || part == PART_BF16 ? 2
                                                                     : 1;
            element_from_float(part, &narrow, out + i * bytes, 1);
        }
    }
}

/* ---- numbers ---------------------------------------------------------- */

struct number element_load(cudaDataType_t type, const void *at)
{
    struct element e = element_of(type);
    double parts[2] = {0, 0};
    element_to_double(e.part, at, parts, e.parts);
    return (struct number){parts[0], parts[1]};
}

void element_store(cudaDataType_t type, struct number value, void *at)
{
    struct element e = element_of(type);
    double parts[2] = {value.re, value.im};
    element_from_double(e.part, parts, at, e.parts);
}

struct number scalar_get(const struct scalar *s)
{
    return s->device ? element_load(s->type, s->device) : s->value;
}

union blas_number blas_number(enum blas_type type, struct number value)
{
    union blas_number out;
    if (type == BLAS_S || type == BLAS_C) {
        out.s[0] = (float)value.re;
        out.s[1] = (float)value.im;
    } else {
        out.d[0] = value.re;
        out.d[1] = value.im;
    }
    return out;
}

cudaDataType_t blas_element(enum blas_type type)
{
    static const cudaDataType_t of[] = {CUDA_R_32F, CUDA_R_64F, CUDA_C_32F,
                                        CUDA_C_64F};
    return of[type];
}
