/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of a band for one type and one width of vectors. No guard: band_rows.c
 * includes it for each, with
 *   T, OF(name), TARGET        the type, names, the instruction set
 *   V, ZERO, LOAD, STORE, SET, MULTIPLY, FMA
 *                              vectors of T, in memory at any address
 *   LANES                      rows at a time
 *   PIECE                      entries in 16 bytes
 *   SPREAD(p, step)            16 bytes each of p, p + step, p + 2 step...
 *   TURN(pieces)               in each 16 bytes of PIECE vectors, rows become
 *                              columns
 *   ARE_APART(p, step, by)     is p[i + step] p[i] + by, for i below LANES?
 */

static inline __attribute__((always_inline)) TARGET bool
OF(is_band)(const int *ptr, const int *ind, int64_t count)
{
    const int64_t compared = (LANES - 1) * count;
    if (!ARE_APART(ptr, 1, count))
        return false;
    for (int64_t i = 0; i + LANES < compared; i += LANES)
        if (!ARE_APART(ind + i, count, 1))
            return false;
    if (compared >= LANES)
        return ARE_APART(ind + compared - LANES, count, 1);
    for (int64_t i = 0; i < compared; i++)
        if (ind[i + count] != ind[i] + 1)
            return false;
    return true;
}

/* Adds up to PIECE entries of each row. What lies behind them is read. */
static inline __attribute__((always_inline)) TARGET V
OF(add_piece)(V sum, const int *ind, const T *val, const T *x, int64_t stride,
              int64_t count)
{
    V pieces[PIECE];
    for (int i = 0; i < PIECE; i++)
        pieces[i] = SPREAD(val + i * stride, PIECE * stride);
    TURN(pieces);
    for (int i = 0; i < PIECE && i < count; i++)
        sum = FMA(pieces[i], LOAD(x + ind[i]), sum);
    return sum;
}

static inline __attribute__((always_inline)) TARGET int64_t
OF(rows_of)(const struct csr_rows *r, int64_t first, int64_t end, T alpha,
            T beta, bool is_large)
{
    const T *x = r->x;
    T *y = r->y;
    int64_t i = first;
    for (; i + LANES <= end; i += LANES) {
        const int64_t at = r->ptr[i] - r->base;
        const int64_t count = r->ptr[i + 1] - r->base - at;
        const int *ind = r->ind + at;
        const T *val = (const T *)r->val + at;
        V sum = ZERO;
        if (at + LANES * count + PIECE > r->nnz + 1 ||
            !OF(is_band)(r->ptr + i, ind, count))
            break;
        if (is_large)
            fetch_entries(r, at, LANES * count, sizeof(T));
        for (int64_t k = 0; k < count; k += PIECE)
            sum = OF(add_piece)(sum, ind + k, val + k, x, count, count - k);
        sum = MULTIPLY(SET(alpha), sum);
        STORE(y + i, beta == 0 ? sum : FMA(SET(beta), LOAD(y + i), sum));
    }
    return i;
}

static TARGET int64_t OF(rows)(const struct csr_rows *r, int64_t first,
                               int64_t end, T alpha, T beta)
{
    return r->is_large ? OF(rows_of)(r, first, end, alpha, beta, true)
                       : OF(rows_of)(r, first, end, alpha, beta, false);
}
