/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel for small products. small.c includes it once for each type and
 * width of vectors (so it has no guard) and defines REAL, VECTOR_BYTES, TARGET,
 * WIDTH and NAME(x).
 *
 * A block of C, two vectors high and up to WIDTH columns wide, is kept in
 * registers. For each k two vectors of A's column are loaded, and elements of B
 * are broadcast.
 */

#define EACH_COLUMN _Pragma("GCC unroll 8") for (int j = 0; j < columns; j++)

typedef REAL NAME(vector) __attribute__((vector_size(VECTOR_BYTES),
                                         aligned(sizeof(REAL)), may_alias));

enum {
    NAME(lanes) = VECTOR_BYTES / sizeof(REAL),
    NAME(high) = 2 * NAME(lanes),
};

/* c[i] = out + beta * c[i] for `rows` elements of the two vectors. */
static inline __attribute__((always_inline, target(TARGET))) void
NAME(put)(REAL *c, NAME(vector) top, NAME(vector) low, REAL beta, int64_t rows)
{
    NAME(vector) out[2] = {top, low};
    const REAL *from = (const REAL *)out;
    for (int64_t i = 0; i < rows; i++)
        c[i] = from[i] + (beta == 0 ? 0 : beta * c[i]);
}

/* rows x columns of C; a: two vectors high, columns lda apart. */
static inline __attribute__((always_inline, target(TARGET))) void
NAME(block)(const struct small *s, const REAL *a, int64_t lda, const REAL *b,
            REAL *c, int64_t rows, const int columns)
{
    REAL alpha = *(const REAL *)s->alpha, beta = *(const REAL *)s->beta;
    NAME(vector) top[WIDTH], low[WIDTH];
    EACH_COLUMN top[j] = low[j] = (NAME(vector)){0};
    for (int64_t p = 0; p < s->k; p++, a += lda, b += s->b_down) {
        NAME(vector) a_top = *(const NAME(vector) *)a;
        NAME(vector) a_low = *(const NAME(vector) *)(a + NAME(lanes));
        EACH_COLUMN
        {
            NAME(vector) factor = b[j * s->b_right] - (NAME(vector)){0};
            top[j] += a_top * factor;
            low[j] += a_low * factor;
        }
    }
    EACH_COLUMN top[j] *= alpha, low[j] *= alpha;
    if (rows < NAME(high)) {
        EACH_COLUMN NAME(put)(c + j * s->ldc, top[j], low[j], beta, rows);
        return;
    }
    if (beta != 0) {
        EACH_COLUMN
        {
            top[j] += beta * *(NAME(vector) *)(c + j * s->ldc);
            low[j] += beta * *(NAME(vector) *)(c + j * s->ldc + NAME(lanes));
        }
    }
    EACH_COLUMN
    {
        *(NAME(vector) *)(c + j * s->ldc) = top[j];
        *(NAME(vector) *)(c + j * s->ldc + NAME(lanes)) = low[j];
    }
}

/* All columns of `rows` rows of C. */
static __attribute__((target(TARGET))) void
NAME(panel)(const struct small *s, const REAL *a, int64_t lda, const REAL *b,
            REAL *c, int64_t rows)
{
    for (int64_t j = 0, step; j < s->n; j += step) {
        int64_t left = s->n - j;
        /* 8 columns are 4 and 4 rather than 6 and 2. */
        step = left >= 2 * WIDTH ? WIDTH : left > WIDTH ? (left + 1) / 2 : left;
        switch (step) {
#define CASE(columns)                                                          \
    case columns: NAME(block)(s, a, lda, b, c, rows, columns); break;
            CASE(1) CASE(2) CASE(3) CASE(4) CASE(5)
#if WIDTH == 8
            CASE(6) CASE(7)
#endif
#undef CASE
        default: NAME(block)(s, a, lda, b, c, rows, WIDTH); break;
        }
        b += step * s->b_right;
        c += step * s->ldc;
    }
}

/* Copies rows of op(A) to columns of a block's height, with zeros below. */
static __attribute__((target(TARGET))) const REAL *
NAME(panel_of_a)(const struct small *s, int64_t row, int64_t rows, REAL *room)
{
    const REAL *a = (const REAL *)s->a + row * s->a_down;
    for (int64_t p = 0; p < s->k; p++) {
        for (int64_t i = 0; i < NAME(high); i++)
            room[p * NAME(high) + i] =
                i < rows ? a[i * s->a_down + p * s->a_right] : 0;
    }
    return room;
}

static __attribute__((target(TARGET))) void NAME(product)(const struct small *s)
{
    REAL room[SMALL_MAX * NAME(high)];
    for (int64_t row = 0; row < s->m; row += NAME(high)) {
        int64_t rows = s->m - row < NAME(high) ? s->m - row : NAME(high);
        bool in_place = s->a_down == 1 && rows == NAME(high);
        const REAL *a = in_place ? (const REAL *)s->a + row
                                 : NAME(panel_of_a)(s, row, rows, room);
        NAME(panel)
        (s, a, in_place ? s->a_right : (int64_t)NAME(high), s->b,
         (REAL *)s->c + row, rows);
    }
}

#undef EACH_COLUMN
#undef REAL
#undef VECTOR_BYTES
#undef NAME
