/* SPDX-License-Identifier: Apache-2.0 */
#include "convert.h"

#include <math.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#undef QUALIFIERS /* of device code */
#define QUALIFIERS static inline
#include "curand_mufu.h"
#include "lib/common/clones.h"
#include "poisson.h"

/* The constants of curand_globals.h, which round as these do. */
#define INV_32 2.3283064e-10f
#define INV_32_DOUBLE 0x1p-32
#define INV_53 0x1p-53
#define MRG_NORM 2.3283065498378288e-10
#define MRG_BITS_NORM 1.000000048662

/* Above this a call writes more than caches hold. */
enum { STREAMED_NUMBERS = 1 << 22 };

unsigned item_numbers(enum words words, enum form form)
{
    return form_is_normal(form) && words <= WORDS_MRG ? 2 : 1;
}

unsigned item_words(enum words words, enum form form)
{
    unsigned numbers = item_numbers(words, form);
    return words == WORDS_MANY && form_bytes(form) == 8 ? 2 * numbers : numbers;
}

/* ---- uniform ---------------------------------------------------------- */

static inline float unit_float(uint32_t x)
{
    return (float)x * INV_32 + INV_32 / 2;
}

static inline double unit_double(uint32_t low, uint32_t high)
{
    uint64_t z = (uint64_t)low ^ (uint64_t)high << 21;
    return (double)(int64_t)z * INV_53 + INV_53 / 2;
}

/* Functions that make n uniform numbers, or bits, of one kind of words. */
#define EACH(name, word, per_item, number, expression)                       \
    CLONES static void name(const void *restrict in, void *restrict out,     \
                            uint64_t n)                                      \
    {                                                                        \
        const word *restrict x = in;                                         \
        number *restrict y = out;                                            \
        for (uint64_t i = 0; i < n; i++, x += per_item)                      \
            y[i] = (expression);                                             \
    }

EACH(many_uniform, uint32_t, 1, float, unit_float(x[0]))
EACH(many_uniform_double, uint32_t, 2, double, unit_double(x[0], x[1]))
EACH(mrg_bits, uint32_t, 1, uint32_t, (uint32_t)(int64_t)(x[0] * MRG_BITS_NORM))
EACH(mrg_uniform, uint32_t, 1, float, (float)(x[0] * MRG_NORM))
EACH(mrg_uniform_double, uint32_t, 1, double, x[0] * MRG_NORM)
EACH(single_uniform_double, uint32_t, 1, double,
     x[0] * INV_32_DOUBLE + INV_32_DOUBLE)
EACH(half_uniform, uint32_t, 1, float,
     (float)(x[0] * INV_32_DOUBLE + INV_32_DOUBLE / 2))
EACH(half_uniform_double, uint32_t, 1, double,
     x[0] * INV_32_DOUBLE + INV_32_DOUBLE / 2)
EACH(wide_uniform, uint64_t, 1, float, unit_float((uint32_t)(x[0] >> 32)))
EACH(wide_uniform_double, uint64_t, 1, double,
     (double)(int64_t)(x[0] >> 11) * INV_53 + INV_53 / 2)
#undef EACH

#if defined(__x86_64__)
/* many_uniform with stores past the caches. out: aligned to 64 bytes. */
__attribute__((target("avx512f"))) static void
stream_uniform_512(const uint32_t *restrict in, float *restrict out, uint64_t n)
{
    uint64_t i = 0;
    for (; i + 16 <= n; i += 16) {
        __m512 f = _mm512_cvtepu32_ps(_mm512_loadu_si512(in + i));
        _mm512_stream_ps(out + i, _mm512_fmadd_ps(f, _mm512_set1_ps(INV_32),
                                                  _mm512_set1_ps(INV_32 / 2)));
    }
    many_uniform(in + i, out + i, n - i);
}

/* The same for `out` aligned to 32 bytes or better. */
__attribute__((target("avx2"))) static void
stream_uniform(const uint32_t *restrict in, float *restrict out, uint64_t n)
{
    uint64_t i = 0;
    if ((uintptr_t)out % 64 == 0 && __builtin_cpu_supports("avx512f")) {
        stream_uniform_512(in, out, n);
        return;
    }
    for (; i + 8 <= n; i += 8) {
        __m256i x = _mm256_loadu_si256((const __m256i *)(in + i));
        __m256 high = _mm256_cvtepi32_ps(_mm256_srli_epi32(x, 16));
        __m256i low = _mm256_and_si256(x, _mm256_set1_epi32(0xffff));
        /* Both halves are exact: their sum is rounded once. */
        __m256 f = _mm256_add_ps(_mm256_mul_ps(high, _mm256_set1_ps(65536)),
                                 _mm256_cvtepi32_ps(low));
        f = _mm256_add_ps(_mm256_mul_ps(f, _mm256_set1_ps(INV_32)),
                          _mm256_set1_ps(INV_32 / 2));
        _mm256_stream_ps(out + i, f);
    }
    many_uniform(in + i, out + i, n - i);
}

static bool can_stream(void)
{
    return __builtin_cpu_supports("avx2");
}

void convert_finish(const struct recipe *recipe)
{
    if (recipe->is_streamed)
        _mm_sfence();
}
#else
static void stream_uniform(const uint32_t *in, float *out, uint64_t n)
{
    many_uniform(in, out, n);
}

static bool can_stream(void)
{
    return false;
}

void convert_finish(const struct recipe *recipe)
{
    (void)recipe;
}
#endif

void normals_of(enum words words, const uint32_t in[2], float out[2])
{
    bool is_mrg = words == WORDS_MRG;
    float u = is_mrg ? (float)(in[0] * MRG_NORM) : unit_float(in[0]);
    float v = is_mrg ? (float)(in[1] * MRG_NORM) * CURAND_2PI
                     : fmaf((float)in[1], CURAND_2POW32_INV_2PI,
                            CURAND_2POW32_INV_2PI / 2);
    float radius = sqrtf(-2 * weft_log(u)), sine, cosine;
    weft_sine_cosine(v, &sine, &cosine);
    out[0] = radius * sine;
    out[1] = radius * cosine;
}

/* ---- words for finish_normals ----------------------------------------- */

#define EACH(name, word, number, expression)                             \
    CLONES static void name(const void *restrict in, void *restrict out, \
                            uint64_t n)                                  \
    {                                                                    \
        const word *restrict x = in;                                     \
        number *restrict y = out;                                        \
        for (uint64_t i = 0; i < n; i++)                                 \
            y[i] = (expression);                                         \
    }

EACH(copy_words, uint32_t, uint32_t, x[i])
EACH(copy_wide, uint64_t, uint64_t, x[i])
EACH(widen, uint32_t, uint64_t, x[i])
EACH(high_words, uint64_t, uint32_t, (uint32_t)(x[i] >> 32))
#undef EACH

/* ---- the table -------------------------------------------------------- */

typedef void convert_fn(const void *restrict in, void *restrict out,
                        uint64_t n);

/* A row of normals makes the words that finish_normals takes, as large as its
 * results. per_item: values that `run` converts for each item. */
struct row {
    convert_fn *run;
    unsigned per_item;
};

static const struct row table[WORDS_COUNT][FORM_COUNT] = {
    [WORDS_MANY] =
        {
            [FORM_BITS] = {copy_words, 1},
            [FORM_UNIFORM] = {many_uniform, 1},
            [FORM_UNIFORM_DOUBLE] = {many_uniform_double, 1},
            [FORM_NORMAL] = {copy_words, 2},
            [FORM_NORMAL_DOUBLE] = {copy_words, 4},
        },
    [WORDS_MRG] =
        {
            [FORM_BITS] = {mrg_bits, 1},
            [FORM_UNIFORM] = {mrg_uniform, 1},
            [FORM_UNIFORM_DOUBLE] = {mrg_uniform_double, 1},
            [FORM_NORMAL] = {mrg_uniform, 2},
            [FORM_NORMAL_DOUBLE] = {mrg_uniform_double, 2},
        },
    [WORDS_SINGLE] =
        {
            [FORM_BITS] = {copy_words, 1},
            [FORM_UNIFORM] = {many_uniform, 1},
            [FORM_UNIFORM_DOUBLE] = {single_uniform_double, 1},
            [FORM_NORMAL] = {copy_words, 1},
            [FORM_NORMAL_DOUBLE] = {widen, 1},
        },
    [WORDS_HALF] =
        {
            [FORM_BITS] = {copy_words, 1},
            [FORM_UNIFORM] = {half_uniform, 1},
            [FORM_UNIFORM_DOUBLE] = {half_uniform_double, 1},
            [FORM_NORMAL] = {copy_words, 1},
            [FORM_NORMAL_DOUBLE] = {widen, 1},
        },
    [WORDS_WIDE] =
        {
            [FORM_BITS_64] = {copy_wide, 1},
            [FORM_UNIFORM] = {wide_uniform, 1},
            [FORM_UNIFORM_DOUBLE] = {wide_uniform_double, 1},
            [FORM_NORMAL] = {high_words, 1},
            [FORM_NORMAL_DOUBLE] = {copy_wide, 1},
        },
};

static const struct row *row_of(enum words words, enum form form)
{
    if (form == FORM_LOG_NORMAL || form == FORM_LOG_NORMAL_DOUBLE)
        form -= FORM_LOG_NORMAL - FORM_NORMAL;
    return &table[words][form];
}

/* ---- Poisson ---------------------------------------------------------- */

static void convert_poisson(const struct recipe *recipe, const void *in,
                            uint32_t *out, uint64_t n)
{
    const uint32_t *narrow = in;
    const uint64_t *wide = in;
    for (uint64_t i = 0; i < n; i++) {
        double u;
        if (recipe->words == WORDS_WIDE)
            u = (double)(wide[i] >> 11) * INV_53 + INV_53 / 2;
        else if (recipe->words == WORDS_MRG)
            u = (uint32_t)(narrow[i] * MRG_BITS_NORM) * INV_32_DOUBLE +
                INV_32_DOUBLE;
        else if (recipe->words == WORDS_HALF)
            u = narrow[i] * INV_32_DOUBLE + INV_32_DOUBLE / 2;
        else
            u = narrow[i] * INV_32_DOUBLE + INV_32_DOUBLE;
        out[i] = poisson_of(recipe->poisson, u);
    }
}

/* A table of sums keeps the order of uniform numbers, which matters to
 * quasi-random ones; a histogram is faster. */
static bool takes_histogram(curandGenerator_t g, enum words words,
                            double lambda)
{
    if (words <= WORDS_MRG || words == WORDS_HALF)
        return true;
    if (!g->engine->is_quasi)
        return lambda < 32;
    return words == WORDS_SINGLE && lambda < 10;
}

curandStatus_t recipe_for(curandGenerator_t g, enum words words,
                          const struct request *r, struct recipe *out)
{
    *out = (struct recipe){
        .words = words,
        .form = r->form,
        .is_streamed = r->form == FORM_UNIFORM && words == WORDS_MANY &&
                       r->count >= STREAMED_NUMBERS && can_stream(),
    };
    if (r->form != FORM_POISSON)
        return CURAND_STATUS_SUCCESS;
    if (r->mean >= (words == WORDS_SINGLE ? POISSON_NORMAL_SINGLE
                                          : POISSON_NORMAL)) {
        out->form = FORM_NORMAL;
        return CURAND_STATUS_SUCCESS;
    }
    return poisson_table(g, r->mean, takes_histogram(g, words, r->mean),
                         &out->poisson);
}

/* ----------------------------------------------------------------------- */

void convert(const struct recipe *recipe, const void *in, void *out,
             uint64_t items)
{
    if (recipe->form == FORM_POISSON) {
        convert_poisson(recipe, in, out, items);
        return;
    }
    if (recipe->is_streamed && (uintptr_t)out % 32 == 0) {
        stream_uniform(in, out, items);
        return;
    }
    const struct row *row = row_of(recipe->words, recipe->form);
    row->run(in, out, items * row->per_item);
}
