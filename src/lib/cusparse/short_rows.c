/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled without vectors of entries: a row has too few of them, and each
 * branch that asks how many is predicted wrongly where lengths are random. */
#include "short_rows.h"

#include "lib/common/clones.h"

/* Elements of x are fetched for so many entries ahead. */
enum { ENTRIES_AHEAD = 32 };

/* Rows from `first` to this one have ENTRIES_AHEAD entries behind their own. */
static int64_t last_fetched(const struct csr_rows *r, int64_t first,
                            int64_t end)
{
    int64_t i = end;
    if (!r->is_x_large)
        return first;
    while (i > first && r->ptr[i] - r->base + ENTRIES_AHEAD > r->nnz)
        i--;
    return i;
}

/* Rows i to `last`, from entry e on; FETCH is done at each row, FETCH_X at each
 * entry. */
#define EACH_ROW(T, last, FETCH, FETCH_X)                                      \
    for (; i < (last); i++) {                                                  \
        int64_t to = ptr[i + 1] - r->base;                                     \
        T sum = 0;                                                             \
        FETCH;                                                                 \
        for (; e < to; e++) {                                                  \
            FETCH_X;                                                           \
            sum += val[e] * x[ind[e]];                                         \
        }                                                                      \
        y[i] = beta == 0 ? alpha * sum : beta * y[i] + alpha * sum;            \
    }

#define FETCH_ROW                                                              \
    __builtin_prefetch((const char *)&val[e] + FETCH_AHEAD);                   \
    __builtin_prefetch((const char *)&ind[e] + FETCH_AHEAD)

#define SHORT_ROWS(name, T)                                                    \
    CLONES void name(const struct csr_rows *r, int64_t first, int64_t end,     \
                     T alpha, T beta)                                          \
    {                                                                          \
        const int *ptr = r->ptr, *ind = r->ind;                                \
        const T *val = r->val, *x = r->x;                                      \
        T *y = r->y;                                                           \
        int64_t fetched = last_fetched(r, first, end);                         \
        int64_t i = first, e = ptr[first] - r->base;                           \
        EACH_ROW(T, fetched, FETCH_ROW,                                        \
                 __builtin_prefetch(&x[ind[e + ENTRIES_AHEAD]]))               \
        EACH_ROW(T, end, , )                                                   \
    }

SHORT_ROWS(cusparse_short_rows_s, float)
SHORT_ROWS(cusparse_short_rows_d, double)
SHORT_ROWS(cusparse_short_rows_c, float _Complex)
SHORT_ROWS(cusparse_short_rows_z, double _Complex)
