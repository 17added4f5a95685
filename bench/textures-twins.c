/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The OpenMP side of textures.cu: by hand for vectors of eight floats where the
 * CPU has AVX2, with the same clamped coordinates and weights of 8 bits; and
 * NAME-in-order, plain C that leaves vectors to the compiler.
 */
#define _GNU_SOURCE
#include <immintrin.h>

#include "picture.h"
#include "timing.h"

static const int side = TEXTURE_SIDE, cells = VOLUME_SIDE;
static float *in, *out;
static unsigned char *bytes;

static void *room(size_t size_bytes)
{
    void *p = aligned_alloc(64, size_bytes);
    if (!p) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return p;
}

static void make_picture(void)
{
    in = room(sizeof(float) * side * side);
    out = room(sizeof(float) * side * side);
    bytes = room(side * side + 64);
#pragma omp parallel for
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            in[y * side + x] = picture_value(x, y);
            bytes[y * side + x] = (unsigned char)picture_value(x, y);
            out[y * side + x] = 0;
        }
}

/* ---- rows ------------------------------------------------------------------
 */

static int clamped(int i, int size)
{
    return i < 0 ? 0 : i >= size ? size - 1 : i;
}

static void points(void)
{
#pragma omp parallel for
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
            out[y * side + x] = in[clamped(y, side) * side + clamped(x, side)];
}

static double run_points(void)
{
    make_picture();
    double ms = measure_ms(points);
    return out[99 * side + 77] == picture_value(77, 99) ? ms : -1;
}

/* ---- eight lanes -----------------------------------------------------------
 */

struct taps {
    __m256i first, second; /* clamped */
    __m256 part;           /* in 1 / 256 */
};

static struct taps find_taps(__m256 x, int size)
{
    __m256 scale = _mm256_set1_ps(256.0f * (float)size);
    __m256 at =
        _mm256_floor_ps(_mm256_fmsub_ps(x, scale, _mm256_set1_ps(127.5f)));
    __m256i fixed = _mm256_cvttps_epi32(at);
    __m256i i = _mm256_srai_epi32(fixed, 8), zero = _mm256_setzero_si256();
    __m256i last = _mm256_set1_epi32(size - 1);
    __m256i next = _mm256_add_epi32(i, _mm256_set1_epi32(1));
    struct taps t = {
        .first = _mm256_min_epi32(_mm256_max_epi32(i, zero), last),
        .second = _mm256_min_epi32(_mm256_max_epi32(next, zero), last),
        .part =
            _mm256_cvtepi32_ps(_mm256_and_si256(fixed, _mm256_set1_epi32(255))),
    };
    return t;
}

static __m256 scaled_product(__m256 a, __m256 b)
{
    __m256 p = _mm256_mul_ps(_mm256_mul_ps(a, b), _mm256_set1_ps(1.0f / 256));
    return _mm256_floor_ps(_mm256_add_ps(p, _mm256_set1_ps(0.5f)));
}

static void plane_weights(__m256 x, __m256 y, __m256 *w)
{
    __m256 xy = scaled_product(x, y), one = _mm256_set1_ps(256);
    w[3] = xy;
    w[2] = _mm256_sub_ps(y, xy);
    w[1] = _mm256_sub_ps(x, xy);
    w[0] = _mm256_sub_ps(_mm256_sub_ps(one, x), w[2]);
}

static __m256i offset_of(__m256i x, __m256i y, int pitch)
{
    return _mm256_add_epi32(x, _mm256_mullo_epi32(y, _mm256_set1_epi32(pitch)));
}

static __m256 bilinear(__m256 u, __m256 v)
{
    struct taps x = find_taps(u, side), y = find_taps(v, side);
    __m256 w[4], sum = _mm256_setzero_ps();
    plane_weights(x.part, y.part, w);
    for (int i = 0; i < 4; i++) {
        __m256i at = offset_of(i & 1 ? x.second : x.first,
                               i & 2 ? y.second : y.first, side);
        __m256 t = _mm256_i32gather_ps(in, at, 4);
        w[i] = _mm256_mul_ps(w[i], _mm256_set1_ps(1.0f / 256));
        sum = _mm256_fmadd_ps(w[i], t, sum);
    }
    return sum;
}

static __m256 bilinear_bytes(__m256 u, __m256 v)
{
    struct taps x = find_taps(u, side), y = find_taps(v, side);
    __m256 w[4], sum = _mm256_setzero_ps();
    plane_weights(x.part, y.part, w);
    for (int i = 0; i < 4; i++) {
        __m256i at = offset_of(i & 1 ? x.second : x.first,
                               i & 2 ? y.second : y.first, side);
        __m256i t = _mm256_i32gather_epi32((const int *)bytes, at, 1);
        t = _mm256_and_si256(t, _mm256_set1_epi32(255));
        sum = _mm256_fmadd_ps(w[i], _mm256_cvtepi32_ps(t), sum);
    }
    return _mm256_mul_ps(sum, _mm256_set1_ps(1.0f / (255 * 256)));
}

typedef __m256 sample_fn(__m256 u, __m256 v);

static inline __attribute__((always_inline)) void turn(sample_fn *sample)
{
    const float c = cosf(TURNED_BY), s = sinf(TURNED_BY);
#pragma omp parallel for
    for (int y = 0; y < side; y++) {
        float v = (float)y / side - 0.5f;
        for (int x = 0; x < side; x += 8) {
            __m256 i = _mm256_add_ps(_mm256_set1_ps((float)x),
                                     _mm256_setr_ps(0, 1, 2, 3, 4, 5, 6, 7));
            __m256 u = _mm256_fmsub_ps(i, _mm256_set1_ps(1.0f / side),
                                       _mm256_set1_ps(0.5f));
            __m256 a = _mm256_fmadd_ps(u, _mm256_set1_ps(c),
                                       _mm256_set1_ps(0.5f - v * s));
            __m256 b = _mm256_fmadd_ps(u, _mm256_set1_ps(s),
                                       _mm256_set1_ps(0.5f + v * c));
            _mm256_storeu_ps(out + y * side + x, sample(a, b));
        }
    }
}

static void turn_float(void)
{
    turn(bilinear);
}

static void turn_byte(void)
{
    turn(bilinear_bytes);
}

static double measure_turned(void (*work)(void), float one)
{
    make_picture();
    double ms = measure_ms(work);
    float middle = out[side / 2 * side + side / 2] * one;
    return fabsf(middle - picture_middle()) < 1 ? ms : -1;
}

static double run_turn_float(void)
{
    return measure_turned(turn_float, 1);
}

static double run_turn_byte(void)
{
    return measure_turned(turn_byte, 255);
}

/* ---- plain -----------------------------------------------------------------
 */

static float plain_bilinear(float u, float v)
{
    float x = u * side - 0.5f, y = v * side - 0.5f;
    float fx = x - floorf(x), fy = y - floorf(y);
    int i = (int)floorf(x), j = (int)floorf(y);
    const float *a = in + clamped(j, side) * side;
    const float *b = in + clamped(j + 1, side) * side;
    int p = clamped(i, side), q = clamped(i + 1, side);
    return (1 - fy) * ((1 - fx) * a[p] + fx * a[q]) +
           fy * ((1 - fx) * b[p] + fx * b[q]);
}

static void turn_plain(void)
{
    const float c = cosf(TURNED_BY), s = sinf(TURNED_BY);
#pragma omp parallel for
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            float u = (float)x / side - 0.5f, v = (float)y / side - 0.5f;
            out[y * side + x] =
                plain_bilinear(u * c - v * s + 0.5f, v * c + u * s + 0.5f);
        }
}

static double run_turn_plain(void)
{
    return measure_turned(turn_plain, 1);
}

/* ---- the volume ------------------------------------------------------------
 */

static void make_volume(void)
{
    in = room(sizeof(float) * cells * cells * cells);
    out = room(sizeof(float) * RAYS * RAYS);
    for (int i = 0; i < cells * cells * cells; i++)
        in[i] = volume_value(i % cells, i / cells % cells, i / cells / cells);
}

static __m256 trilinear(__m256 u, __m256 v, __m256 w)
{
    struct taps x = find_taps(u, cells), y = find_taps(v, cells);
    struct taps z = find_taps(w, cells);
    __m256 plane[4], sum = _mm256_setzero_ps();
    plane_weights(x.part, y.part, plane);
    for (int i = 0; i < 4; i++) {
        __m256i at = offset_of(i & 1 ? x.second : x.first,
                               i & 2 ? y.second : y.first, cells);
        __m256 far = scaled_product(plane[i], z.part);
        __m256 near = _mm256_sub_ps(plane[i], far);
        __m256 a =
            _mm256_i32gather_ps(in, offset_of(at, z.first, cells * cells), 4);
        __m256 b =
            _mm256_i32gather_ps(in, offset_of(at, z.second, cells * cells), 4);
        sum = _mm256_fmadd_ps(near, a, sum);
        sum = _mm256_fmadd_ps(far, b, sum);
    }
    return _mm256_mul_ps(sum, _mm256_set1_ps(1.0f / 256));
}

static void cast(void)
{
#pragma omp parallel for
    for (int y = 0; y < RAYS; y++)
        for (int x = 0; x < RAYS; x += 8) {
            __m256 u = _mm256_mul_ps(
                _mm256_add_ps(_mm256_set1_ps((float)x + 0.5f),
                              _mm256_setr_ps(0, 1, 2, 3, 4, 5, 6, 7)),
                _mm256_set1_ps(1.0f / RAYS));
            __m256 sum = _mm256_setzero_ps();
            float v = ((float)y + 0.5f) / RAYS;
            for (int i = 0; i < RAY_STEPS; i++) {
                float w = ((float)i + 0.5f) / RAY_STEPS;
                __m256 s = trilinear(
                    _mm256_add_ps(u, _mm256_set1_ps(0.2f * (w - 0.5f))),
                    _mm256_set1_ps(v + 0.1f * (w - 0.5f)), _mm256_set1_ps(w));
                sum = _mm256_add_ps(sum, s);
            }
            _mm256_storeu_ps(out + y * RAYS + x, sum);
        }
}

static float plain_trilinear(const float at[3])
{
    int cell[3][2];
    float part[3], sum = 0;
    for (int d = 0; d < 3; d++) {
        float x = at[d] * cells - 0.5f;
        int i = (int)floorf(x);
        part[d] = x - floorf(x);
        cell[d][0] = clamped(i, cells);
        cell[d][1] = clamped(i + 1, cells);
    }
    for (int i = 0; i < 8; i++) {
        float weight = (i & 1 ? part[0] : 1 - part[0]) *
                       (i & 2 ? part[1] : 1 - part[1]) *
                       (i & 4 ? part[2] : 1 - part[2]);
        sum += weight *
               in[(cell[2][i >> 2] * cells + cell[1][i >> 1 & 1]) * cells +
                  cell[0][i & 1]];
    }
    return sum;
}

static void cast_plain(void)
{
#pragma omp parallel for
    for (int y = 0; y < RAYS; y++)
        for (int x = 0; x < RAYS; x++) {
            float sum = 0;
            for (int i = 0; i < RAY_STEPS; i++) {
                float w = ((float)i + 0.5f) / RAY_STEPS;
                const float at[3] = {
                    ((float)x + 0.5f) / RAYS + 0.2f * (w - 0.5f),
                    ((float)y + 0.5f) / RAYS + 0.1f * (w - 0.5f),
                    w,
                };
                sum += plain_trilinear(at);
            }
            out[y * RAYS + x] = sum;
        }
}

static double measure_volume(void (*work)(void))
{
    make_volume();
    double ms = measure_ms(work);
    float middle = out[RAYS / 2 * RAYS + RAYS / 2];
    return fabsf(middle - ray_middle()) < 1 ? ms : -1;
}

static double run_volume(void)
{
    return measure_volume(cast);
}

static double run_volume_plain(void)
{
    return measure_volume(cast_plain);
}

int main(int argc, char **argv)
{
    static const struct program programs[] = {
        {"points", run_points},
        {"turn-float", run_turn_float},
        {"turn-float-in-order", run_turn_plain},
        {"turn-byte", run_turn_byte},
        {"volume", run_volume},
        {"volume-in-order", run_volume_plain},
        {NULL, NULL},
    };
    return run_named(programs, argc, argv);
}
