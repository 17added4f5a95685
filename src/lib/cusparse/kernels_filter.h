/* SPDX-License-Identifier: Apache-2.0 */
/* From dense to sparse and back, and entries that are large enough: those of
 * the dense matrix x, or where it has none of a, go into c. */

/* x, as the majors of s have it. */
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

/* Magnitudes above alpha stay. What is not a number is not 0. */
static inline bool OF(stays)(T v, double threshold)
{
    return !(MAGNITUDE(v) <= threshold);
}

/* counts[i]: entries of major i that stay; or all of them in counts[0]. */
static void OF(count)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    double threshold = creal(OF(value)(&w->alpha));
    int64_t high = w->c.majors * (int64_t)end / w->pieces;
    for (int64_t i = w->c.majors * (int64_t)first / w->pieces; i < high; i++) {
        int64_t n = 0;
        struct OF(candidate) c = OF(candidates)(w, i);
        while (OF(next)(w, i, &c))
            n += OF(stays)(c.v, threshold);
        if (w->c.is_coo)
            __atomic_fetch_add(w->counts, n, __ATOMIC_RELAXED);
        else
            list_set(w->c.major, i + 1, n);
    }
}

/* c has its offsets; coordinates are one tile. */
static void OF(keep)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    double threshold = creal(OF(value)(&w->alpha));
    int64_t low = w->c.majors * (int64_t)first / w->pieces;
    int64_t high = w->c.majors * (int64_t)end / w->pieces;
    int64_t to = w->c.is_coo ? 0 : sparse_start(&w->c, low);
    for (int64_t i = low; i < high; i++) {
        struct OF(candidate) c = OF(candidates)(w, i);
        while (OF(next)(w, i, &c)) {
            if (!OF(stays)(c.v, threshold))
                continue;
            if (w->c.is_coo)
                list_set(w->c.major, to, i + w->c.base);
            list_set(w->c.minor, to, c.minor + w->c.base);
            OF(store)(w->c.type, w->c.values, to++, c.v);
        }
    }
}

/* ---- the magnitude below which a part of the candidates lies ----------- */

static int OF(compare)(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

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
    qsort(all, (size_t)count, sizeof *all, OF(compare));
    *(double *)w->out = w->n < count ? all[w->n] : -1;
    free(all);
}
