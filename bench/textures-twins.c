/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The OpenMP side of textures.cu: by hand for vectors of sixteen floats where
 * the CPU has AVX-512, else of eight, with the same clamped coordinates and
 * weights of 8 bits; and NAME-in-order, plain C that leaves vectors to the
 * compiler.
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

/* ---- rows --------------------------------------------------------------- */

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

/* ---- a register of lanes ------------------------------------------------ */

#ifdef __AVX512F__
enum { LANES = 16 };
typedef __m512 floats;
typedef __m512i ints;
#define V(name)                       _mm512_##name
#define BOTH(a, b)                    _mm512_and_si512(a, b)
#define GATHER(type, base, at, scale) _mm512_i32gather_##type(at, base, scale)
#else
enum { LANES = 8 };
typedef __m256 floats;
typedef __m256i ints;
#define V(name)                       _mm256_##name
#define BOTH(a, b)                    _mm256_and_si256(a, b)
#define GATHER(type, base, at, scale) _mm256_i32gather_##type(base, at, scale)
#endif

static floats steps(void)
{
    static const float numbers[] = {0, 1, 2,  3,  4,  5,  6,  7,
                                    8, 9, 10, 11, 12, 13, 14, 15};
    return V(loadu_ps)(numbers);
}

static floats gather_floats(ints at)
{
    return GATHER(ps, in, at, 4);
}

static ints gather_bytes(ints at)
{
    ints words = GATHER(epi32, (const int *)(const void *)bytes, at, 1);
    return BOTH(words, V(set1_epi32)(255));
}

struct taps {
    ints first, second; /* clamped */
    floats part;        /* in 1 / 256 */
};

static struct taps find_taps(floats x, int size)
{
    floats scale = V(set1_ps)(256.0f * (float)size);
    floats at = V(floor_ps)(V(fmsub_ps)(x, scale, V(set1_ps)(127.5f)));
    ints fixed = V(cvttps_epi32)(at);
    ints i = V(srai_epi32)(fixed, 8), zero = V(set1_epi32)(0);
    ints last = V(set1_epi32)(size - 1);
    ints next = V(add_epi32)(i, V(set1_epi32)(1));
    struct taps t = {
        .first = V(min_epi32)(V(max_epi32)(i, zero), last),
        .second = V(min_epi32)(V(max_epi32)(next, zero), last),
        .part = V(cvtepi32_ps)(BOTH(fixed, V(set1_epi32)(255))),
    };
    return t;
}

static floats scaled_product(floats a, floats b)
{
    floats p = V(mul_ps)(V(mul_ps)(a, b), V(set1_ps)(1.0f / 256));
    return V(floor_ps)(V(add_ps)(p, V(set1_ps)(0.5f)));
}

static void plane_weights(floats x, floats y, floats *w)
{
    floats xy = scaled_product(x, y), one = V(set1_ps)(256);
    w[3] = xy;
    w[2] = V(sub_ps)(y, xy);
    w[1] = V(sub_ps)(x, xy);
    w[0] = V(sub_ps)(V(sub_ps)(one, x), w[2]);
}

static ints offset_of(ints x, ints y, int pitch)
{
    return V(add_epi32)(x, V(mullo_epi32)(y, V(set1_epi32)(pitch)));
}

static floats bilinear(floats u, floats v)
{
    struct taps x = find_taps(u, side), y = find_taps(v, side);
    floats w[4], sum = V(setzero_ps)();
    plane_weights(x.part, y.part, w);
    for (int i = 0; i < 4; i++) {
        ints at = offset_of(i & 1 ? x.second : x.first,
                            i & 2 ? y.second : y.first, side);
        floats t = gather_floats(at);
        w[i] = V(mul_ps)(w[i], V(set1_ps)(1.0f / 256));
        sum = V(fmadd_ps)(w[i], t, sum);
    }
    return sum;
}

static floats bilinear_bytes(floats u, floats v)
{
    struct taps x = find_taps(u, side), y = find_taps(v, side);
    floats w[4], sum = V(setzero_ps)();
    plane_weights(x.part, y.part, w);
    for (int i = 0; i < 4; i++) {
        ints at = offset_of(i & 1 ? x.second : x.first,
                            i & 2 ? y.second : y.first, side);
        ints t = gather_bytes(at);
        sum = V(fmadd_ps)(w[i], V(cvtepi32_ps)(t), sum);
    }
    return V(mul_ps)(sum, V(set1_ps)(1.0f / (255 * 256)));
}

typedef floats sample_fn(floats u, floats v);

static inline __attribute__((always_inline)) void turn(sample_fn *sample)
{
    const float c = cosf(TURNED_BY), s = sinf(TURNED_BY);
#pragma omp parallel for
    for (int y = 0; y < side; y++) {
        float v = (float)y / side - 0.5f;
        for (int x = 0; x < side; x += LANES) {
            floats i = V(add_ps)(V(set1_ps)((float)x), steps());
            floats u =
                V(fmsub_ps)(i, V(set1_ps)(1.0f / side), V(set1_ps)(0.5f));
            floats a = V(fmadd_ps)(u, V(set1_ps)(c), V(set1_ps)(0.5f - v * s));
            floats b = V(fmadd_ps)(u, V(set1_ps)(s), V(set1_ps)(0.5f + v * c));
            V(storeu_ps)(out + y * side + x, sample(a, b));
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

/* ---- plain -------------------------------------------------------------- */

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

/* ---- the volume --------------------------------------------------------- */

static void make_volume(void)
{
    in = room(sizeof(float) * cells * cells * cells);
    out = room(sizeof(float) * RAYS * RAYS);
    for (int i = 0; i < cells * cells * cells; i++)
        in[i] = volume_value(i % cells, i / cells % cells, i / cells / cells);
}

static floats trilinear(floats u, floats v, floats w)
{
    struct taps x = find_taps(u, cells), y = find_taps(v, cells);
    struct taps z = find_taps(w, cells);
    floats plane[4], sum = V(setzero_ps)();
    plane_weights(x.part, y.part, plane);
    for (int i = 0; i < 4; i++) {
        ints at = offset_of(i & 1 ? x.second : x.first,
                            i & 2 ? y.second : y.first, cells);
        floats far = scaled_product(plane[i], z.part);
        floats near = V(sub_ps)(plane[i], far);
        floats a = gather_floats(offset_of(at, z.first, cells * cells));
        floats b = gather_floats(offset_of(at, z.second, cells * cells));
        sum = V(fmadd_ps)(near, a, sum);
        sum = V(fmadd_ps)(far, b, sum);
    }
    return V(mul_ps)(sum, V(set1_ps)(1.0f / 256));
}

static void cast(void)
{
#pragma omp parallel for
    for (int y = 0; y < RAYS; y++)
        for (int x = 0; x < RAYS; x += LANES) {
            floats u =
                V(mul_ps)(V(add_ps)(V(set1_ps)((float)x + 0.5f), steps()),
                          V(set1_ps)(1.0f / RAYS));
            floats sum = V(setzero_ps)();
            float v = ((float)y + 0.5f) / RAYS;
            for (int i = 0; i < RAY_STEPS; i++) {
                float w = ((float)i + 0.5f) / RAY_STEPS;
                floats s =
                    trilinear(V(add_ps)(u, V(set1_ps)(0.2f * (w - 0.5f))),
                              V(set1_ps)(v + 0.1f * (w - 0.5f)), V(set1_ps)(w));
                sum = V(add_ps)(sum, s);
            }
            V(storeu_ps)(out + y * RAYS + x, sum);
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
