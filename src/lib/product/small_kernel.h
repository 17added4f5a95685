/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel for small products, once for each type and width of vectors: no
 * guard. small.c defines REAL, VECTOR_BYTES, TARGET and NAME(x).
 *
 * A block of C is two vectors high and up to six columns wide, all of it in
 * registers; a column of A is loaded, elements of B are broadcast.
 */

typedef REAL NAME(vector) __attribute__((vector_size(VECTOR_BYTES),
                                         aligned(sizeof(REAL)), may_alias));

enum {
    NAME(lanes) = VECTOR_BYTES / sizeof(REAL),
    NAME(high) = 2 * NAME(lanes),
};

/* rows x columns of C from a panel of A whose columns are lda apart. */
static inline __attribute__((always_inline, target(TARGET))) void
NAME(block)(const struct small *s, const REAL *a, int64_t lda, const REAL *b,
            REAL *c, int64_t rows, const int columns)
{
    NAME(vector) sum[2][6] = {0};
    for (int64_t p = 0; p < s->k; p++, a += lda, b += s->b_down) {
        NAME(vector) top = *(const NAME(vector) *)a;
        NAME(vector) low = *(const NAME(vector) *)(a + NAME(lanes));
        for (int j = 0; j < columns; j++) {
            NAME(vector) factor = b[j * s->b_right] - (NAME(vector)){0};
            sum[0][j] += top * factor;
            sum[1][j] += low * factor;
        }
    }
    REAL alpha = *(const REAL *)s->alpha, beta = *(const REAL *)s->beta;
    for (int j = 0; j < columns; j++, c += s->ldc) {
        NAME(vector) out[2] = {sum[0][j] * alpha, sum[1][j] * alpha};
        if (rows == NAME(high)) {
            NAME(vector) *to = (NAME(vector) *)c;
            NAME(vector) *to_low = (NAME(vector) *)(c + NAME(lanes));
            if (beta != 0) {
                out[0] += *to * beta;
                out[1] += *to_low * beta;
            }
            *to = out[0];
            *to_low = out[1];
            continue;
        }
        const REAL *from = (const REAL *)out;
        for (int64_t i = 0; i < rows; i++)
            c[i] = from[i] + (beta == 0 ? 0 : beta * c[i]);
    }
}

static __attribute__((target(TARGET))) void
NAME(panel)(const struct small *s, const REAL *a, int64_t lda, const REAL *b,
            REAL *c, int64_t rows)
{
    for (int64_t j = 0, step; j < s->n; j += step) {
        int64_t left = s->n - j;
        /* Two of 4 rather than 6 and 2. */
        step = left >= 12 ? 6 : left > 6 ? (left + 1) / 2 : left;
        switch (step) {
        case 1:
            NAME(block)(s, a, lda, b, c, rows, 1);
            break;
        case 2:
            NAME(block)(s, a, lda, b, c, rows, 2);
            break;
        case 3:
            NAME(block)(s, a, lda, b, c, rows, 3);
            break;
        case 4:
            NAME(block)(s, a, lda, b, c, rows, 4);
            break;
        case 5:
            NAME(block)(s, a, lda, b, c, rows, 5);
            break;
        default:
            NAME(block)(s, a, lda, b, c, rows, 6);
            break;
        }
        b += step * s->b_right;
        c += step * s->ldc;
    }
}

/* Rows of op(A), with zeros below, as columns of a block's height. */
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

#undef REAL
#undef VECTOR_BYTES
#undef NAME
