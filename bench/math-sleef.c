/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SLEEF's vector routines, the widest that this machine has, on the numbers
 * of math.cu and with as many threads as there are cores.
 */
#include <sleef.h>

#include "math-numbers.h"
#include "timing.h"

#if defined(__AVX512F__)
#include <immintrin.h>
#define S(name) Sleef_##name##f16_u10avx512f
#define D(name) Sleef_##name##d8_u10avx512f
typedef __m512 floats;
typedef __m512d doubles;
#elif defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#define S(name) Sleef_##name##f8_u10avx2
#define D(name) Sleef_##name##d4_u10avx2
typedef __m256 floats;
typedef __m256d doubles;
#else
#include <emmintrin.h>
#define S(name) Sleef_##name##f4_u10
#define D(name) Sleef_##name##d2_u10
typedef __m128 floats;
typedef __m128d doubles;
#endif

enum { ALIGNMENT = 64 };
static _Alignas(ALIGNMENT) double array_x[MATH_LENGTH], array_y[MATH_LENGTH],
    array_out[MATH_LENGTH];

#define ROW(type, vectors, name, call, x0, x1, y0, y1)                         \
    static void pass_##name(void)                                              \
    {                                                                          \
        const vectors *xs = (const vectors *)array_x;                          \
        const vectors *ys = (const vectors *)array_y;                          \
        vectors *out = (vectors *)array_out;                                   \
        int count = MATH_LENGTH / (int)(sizeof(vectors) / sizeof(type));       \
        for (int r = 0; r < MATH_REPEATS; r++) {                               \
            _Pragma("omp parallel for") for (int i = 0; i < count; i++)        \
            {                                                                  \
                vectors x = xs[i], y = ys[i];                                  \
                (void)y;                                                       \
                out[i] = call;                                                 \
            }                                                                  \
        }                                                                      \
    }                                                                          \
    static double run_##name(void)                                             \
    {                                                                          \
        for (int i = 0; i < MATH_LENGTH; i++) {                                \
            ((type *)array_x)[i] = (type)math_number((unsigned)i, x0, x1, 1);  \
            ((type *)array_y)[i] = (type)math_number((unsigned)i, y0, y1, 2);  \
        }                                                                      \
        return measure_ms(pass_##name);                                        \
    }
#define SINGLE(name, call, sleef, x0, x1, y0, y1)                              \
    ROW(float, floats, name, sleef, x0, x1, y0, y1)
#define DOUBLE(name, call, sleef, x0, x1, y0, y1)                              \
    ROW(double, doubles, name, sleef, x0, x1, y0, y1)
#include "math.def"

static const struct program programs[] = {
#define SINGLE(name, call, sleef, x0, x1, y0, y1) {#name, run_##name},
#define DOUBLE(name, call, sleef, x0, x1, y0, y1) {#name, run_##name},
#include "math.def"
    {0}};

int main(int argc, char **argv)
{
    return run_named(programs, argc, argv);
}
