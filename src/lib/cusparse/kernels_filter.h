/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions between dense and sparse, and filters, which put entries that are
 * large enough into c: those of the dense matrix x, or of a if x.at is NULL. */

/* Where x has what s has at a major and a minor. */
static inline int64_t OF(spot)(const struct sparse *s, const struct dense *x,
                               int64_t major, int64_t minor)
{
    return s->is_transposed ? OF(place)(x, minor, major)
                            : OF(place)(x, major, minor);
}

static void OF(densify)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    const struct dense *x = &w->x;
    int64_t low = w->a.majors * (int64_t)first / w->pieces;
    int64_t high = w->a.majors * (int64_t)end / w->pieces;
    for (int64_t i = low; i < high; i++) {
        for (int64_t j = 0; j < w->a.minors; j++)
            OF(store)(x->type, x->at, OF(spot)(&w->a, x, i, j), 0);
        for (struct cursor e = sparse_row(&w->a, i); sparse_next(&e);)
            OF(store)
        (x->type, x->at, OF(spot)(&w->a, x, i, e.minor),
         OF(entry)(&w->a, e.at));
    }
}

/* The candidates of a major: entries of a, or all of a row of x. */
struct OF(candidate) {
    struct cursor e;
    int64_t minor;
    T v;
};

static inline struct OF(candidate)
    OF(candidates)(const struct work *w, int64_t major)
{
    struct OF(candidate) c = {.minor = -1};
    if (!w->x.at)
        c.e = sparse_row(&w->a, major);
    return c;
}

static inline bool OF(next)(const struct work *w, int64_t major,
                            struct OF(candidate) * c)
{
    if (!w->x.at) {
        if (!sparse_next(&c->e))
            return false;
        c->minor = c->e.minor;
        c->v = OF(entry)(&w->a, c->e.at);
        return true;
    }
    if (++c->minor >= w->c.minors)
        return false;
    c->v =
        OF(load)(w->x.type, w->x.at, OF(spot)(&w->c, &w->x, major, c->minor));
    return true;
}

/* The blocks of blocked ELL, whose columns are known, from x. */
static void OF(collect)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    int64_t high = w->c.majors * (int64_t)end / w->pieces;
    for (int64_t i = w->c.majors * (int64_t)first / w->pieces; i < high; i++)
        for (struct cursor e = sparse_row(&w->c, i); sparse_next(&e);)
            OF(store)
    (w->c.type, w->c.values, e.at, OF(read)(&w->x, i, e.minor));
}

/* Magnitudes above the threshold stay, and so does NaN. */
static inline bool OF(stays)(T v, double threshold)
{
    return !(MAGNITUDE(v) <= threshold);
}

/* Majors that are counted and kept together: where neighbours along the minor
 * lie further apart in x than those along the major, x is read in its order. */
#define MAJORS_TOGETHER 256

static inline int64_t OF(majors_together)(const struct work *w)
{
    int64_t major = OF(spot)(&w->c, &w->x, 1, 0);
    int64_t minor = OF(spot)(&w->c, &w->x, 0, 1);
    return w->x.at && minor > major ? MAJORS_TOGETHER : 1;
}

/* n[r]: the cells of minor j in majors i + r that stay are counted. */
static inline void OF(count_cells)(const struct work *w, int64_t i,
                                   int64_t majors, int64_t j, double threshold,
                                   int64_t *n)
{
    const T *cell = (const T *)w->x.at + OF(spot)(&w->c, &w->x, i, j);
    if (w->x.type == NATIVE && OF(spot)(&w->c, &w->x, 1, 0) == 1) {
        for (int64_t r = 0; r < majors; r++)
            n[r] += OF(stays)(cell[r], threshold);
        return;
    }
    for (int64_t r = 0; r < majors; r++)
        n[r] += OF(stays)(OF(load)(w->x.type, w->x.at,
                                   OF(spot)(&w->c, &w->x, i + r, j)),
                          threshold);
}

/* n[r]: entries of major i + r that stay. */
static void OF(count_majors)(const struct work *w, int64_t i, int64_t majors,
                             double threshold, int64_t *n)
{
    memset(n, 0, (size_t)majors * sizeof *n);
    if (w->x.at) {
        for (int64_t j = 0; j < w->c.minors; j++)
            OF(count_cells)(w, i, majors, j, threshold, n);
        return;
    }
    for (struct cursor e = sparse_row(&w->a, i); sparse_next(&e);)
        *n += OF(stays)(OF(entry)(&w->a, e.at), threshold);
}

/* counts[i]: entries of major i that stay; or all of them in counts[0]. */
static void OF(count)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    double threshold = creal(OF(value)(&w->alpha));
    int64_t n[MAJORS_TOGETHER], all = 0, group = OF(majors_together)(w);
    int64_t high = w->c.majors * (int64_t)end / w->pieces;
    int64_t i = w->c.majors * (int64_t)first / w->pieces;
    for (; i < high; i += group) {
        int64_t majors = high - i < group ? high - i : group;
        OF(count_majors)(w, i, majors, threshold, n);
        for (int64_t r = 0; r < majors; r++) {
            all += n[r];
            if (!w->c.is_coo)
                list_set(w->c.major, i + r + 1, n[r]);
        }
    }
    if (w->c.is_coo)
        __atomic_fetch_add(w->counts, all, __ATOMIC_RELAXED);
}

/* Entry e of c, in the given major. */
static inline void OF(put_kept)(const struct work *w, int64_t e, int64_t major,
                                int64_t minor, T v)
{
    if (w->c.is_coo)
        list_set(w->c.major, e, major + w->c.base);
    list_set(w->c.minor, e, minor + w->c.base);
    OF(store)(w->c.type, w->c.values, e, v);
}

/* to[r]: where the next entry of major i + r goes. */
static void OF(keep_majors)(const struct work *w, int64_t i, int64_t majors,
                            double threshold, int64_t *to)
{
    if (!w->x.at) {
        for (struct cursor e = sparse_row(&w->a, i); sparse_next(&e);) {
            T v = OF(entry)(&w->a, e.at);
            if (OF(stays)(v, threshold))
                OF(put_kept)(w, (*to)++, i, e.minor, v);
        }
        return;
    }
    for (int64_t j = 0; j < w->c.minors; j++)
        for (int64_t r = 0; r < majors; r++) {
            T v = OF(load)(w->x.type, w->x.at,
                           OF(spot)(&w->c, &w->x, i + r, j));
            if (OF(stays)(v, threshold))
                OF(put_kept)(w, to[r]++, i + r, j, v);
        }
}

/* c has its offsets; coordinates are one tile, and are counted once more. */
static void OF(keep)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    double threshold = creal(OF(value)(&w->alpha));
    int64_t n[MAJORS_TOGETHER], next = 0, group = OF(majors_together)(w);
    int64_t high = w->c.majors * (int64_t)end / w->pieces;
    int64_t i = w->c.majors * (int64_t)first / w->pieces;
    for (; i < high; i += group) {
        int64_t majors = high - i < group ? high - i : group;
        if (w->c.is_coo)
            OF(count_majors)(w, i, majors, threshold, n);
        for (int64_t r = 0; r < majors; r++) {
            int64_t start = next;
            if (w->c.is_coo)
                next += n[r];
            else
                start = sparse_start(&w->c, i + r);
            n[r] = start;
        }
        OF(keep_majors)(w, i, majors, threshold, n);
    }
}

/* ---- the magnitude below which a part of the candidates lies ----------- */

/* One tile. *out: the w->n-th smallest magnitude, or one below all. */
static void OF(quantile)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    int64_t count = 0, room = w->x.at ? w->c.majors * w->c.minors : w->a.nnz;
    double *all = malloc((size_t)(room + 1) * sizeof *all);
    (void)first, (void)end;
    if (!all)
        __builtin_trap();
    for (int64_t i = 0; i < w->c.majors; i++) {
        struct OF(candidate) c = OF(candidates)(w, i);
        while (count < room && OF(next)(w, i, &c))
            all[count++] = MAGNITUDE(c.v);
    }
    *(double *)w->out =
        w->n < count ? select_magnitude(all, count, w->n) : -1;
    free(all);
}
