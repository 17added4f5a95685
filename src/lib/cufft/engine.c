/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs passes. Compiled once for each real type and number of lanes:
 * FFT_LANES, FFT_IS_DOUBLE, FFT_ENGINE (the name).
 */
#include "fft.h"

#include "elements.h"
#include "moves.h"
#include "passes.h"
#include "reals.h"
#include "vec.h"

extern const struct fft_engine FFT_ENGINE;

static bool is_swapped(const struct fft_side *s, const struct fft_pointers *at)
{
    return s->swap == FFT_SWAP ||
           (s->swap == FFT_SWAP_IF_INVERSE && at->inverse);
}

/* ---- lines, one per lane ---------------------------------------------- */

/* Roots for the elements of the lines from `line`: in the two tables, w[j] of
 * the first times w[k] of the second is that of element j + k * size. */
static void fill_twist(const struct fft_pass *p, uint64_t line, void *to)
{
    struct cv *w = to;
    size_t first, second;
    fft_twist_sizes(p, &first, &second);
    for (size_t j = 0; j < first + second; j++) {
        uint64_t k = j < first ? j : (j - first) * first;
        for (unsigned lane = 0; lane < V; lane++) {
            uint64_t e = (line + order[lane]) * k;
            double one[2] = {1, 0};
            if (line + order[lane] < p->dim[0].count)
                root_at(p->twist, e, one);
            w[j].r[lane] = (real)one[0];
            w[j].i[lane] = (real)one[1];
        }
    }
}

static void twist_lines(const struct fft_pass *p, struct cv *x, uint64_t line,
                        struct cv *spare)
{
    size_t first, second;
    fft_twist_sizes(p, &first, &second);
    const struct cv *w = spare;
    if (p->twists)
        w = (const struct cv *)p->twists + line / V * (first + second);
    else
        fill_twist(p, line, spare);
    for (size_t k = 0; k < p->n; k += first) {
        struct cv far = w[first + k / first];
        size_t count = p->n - k < first ? p->n - k : first;
        for (size_t j = 0; j < count; j++)
            x[k + j] = times(x[k + j], times(w[j], far));
    }
}

static size_t numbers_in(const struct fft_pass *p)
{
    if (p->kind == FFT_HALF_TO_REAL)
        return p->n + 1;
    return p->kind == FFT_FULL_TO_REAL ? p->n / 2 + 1 : p->n;
}

static size_t numbers_out(const struct fft_pass *p)
{
    if (p->kind == FFT_REAL_TO_HALF)
        return p->n + 1;
    return p->kind == FFT_REAL_TO_FULL ? p->n / 2 + 1 : p->n;
}

static void swap_all(struct cv *x, size_t n)
{
    for (size_t k = 0; k < n; k++)
        x[k] = swap_if(true, x[k]);
}

static void run_lines(const struct fft_pass *p, const struct row *at,
                      uint64_t line, struct cv *x)
{
    size_t room = fft_line_room(p);
    uint64_t left = p->dim[0].count - line;
    struct cv *y = x + room;
    bool to_real = p->kind == FFT_HALF_TO_REAL || p->kind == FFT_FULL_TO_REAL;
    struct lines in = {
        .at = at->in,
        .lane = p->dim[0].in,
        .element = p->in.element,
        .imaginary = p->in.imaginary,
        .count = left < V ? left : V,
        .format = p->in.format,
        .swap = at->swap_in,
    };
    struct lines out = {
        .at = at->out,
        .lane = p->dim[0].out,
        .element = p->out.element,
        .imaginary = p->out.imaginary,
        .count = in.count,
        .format = p->out.format,
        .swap = at->swap_out || to_real,
    };
    load_lines(x, numbers_in(p), &in);
    if (p->kind == FFT_HALF_TO_REAL)
        join_lanes(x, p->n, p->split_roots);
    if (p->kind == FFT_FULL_TO_REAL)
        mirror_lanes(x, p->n);
    if (to_real)
        swap_all(x, p->n);
    struct cv *z = transform_lanes(p->core, x, y);
    if (p->twist)
        twist_lines(p, z, line, x + 2 * room);
    if (p->kind == FFT_REAL_TO_HALF)
        split_lanes(z, p->n, p->split_roots);
    store_lines(z, numbers_out(p), &out);
}

/* ---- columns beside each other ---------------------------------------- */

static struct lines lines_of(const struct fft_side *side, char *at,
                             int64_t lane, bool swap)
{
    return (struct lines){at, lane,         side->element, side->imaginary,
                          V,  side->format, swap};
}

static bool are_columns(const struct fft_side *side, int64_t lane)
{
    return lane == 2 * (int64_t)sizeof(real) &&
           side->imaginary == (int64_t)sizeof(real);
}

/* Loads `count` groups of V lines. Where lines are columns, a row of all groups
 * is read before the next row. */
static void load_groups(const struct fft_pass *p, const struct row *at,
                        struct cv *x, size_t room, unsigned count)
{
    int64_t lane = p->dim[0].in;
    bool columns = are_columns(&p->in, lane);
    struct lines l = lines_of(&p->in, at->in, lane, at->swap_in);
    for (unsigned g = 0; !columns && g < count; g++, l.at += V * lane)
        load_lines(x + g * room, p->n, &l);
    for (size_t j = 0; columns && j < p->n; j++, l.at += l.element) {
        for (unsigned g = 0; g < count; g++)
            x[g * room + j] =
                swap_if(l.swap, load_pairs(l.at + g * 2 * sizeof(vec)));
    }
}

static void store_groups(const struct fft_pass *p, const struct row *at,
                         const struct cv *x, size_t room, unsigned count)
{
    int64_t lane = p->dim[0].out;
    bool columns = are_columns(&p->out, lane);
    struct lines l = lines_of(&p->out, at->out, lane, at->swap_out);
    for (unsigned g = 0; !columns && g < count; g++, l.at += V * lane)
        store_lines(x + g * room, p->n, &l);
    for (size_t j = 0; columns && j < p->n; j++, l.at += l.element) {
        for (unsigned g = 0; g < count; g++)
            store_pairs(l.at + g * 2 * sizeof(vec),
                        swap_if(l.swap, x[g * room + j]));
    }
}

/* The buffer before the first group's is spare. A group's result is in its
 * own buffer, or in the one before, according to the number of passes. */
static void run_columns(const struct fft_pass *p, const struct row *at,
                        uint64_t line, unsigned count, struct cv *spare)
{
    size_t room = fft_line_room(p);
    struct cv *first = spare + room, *result = first;
    bool moves = p->core->radix_count % 2;
    load_groups(p, at, first, room, count);
    for (unsigned g = 0; g < count; g++) {
        struct cv *x = first + g * room;
        struct cv *z = transform_lanes(p->core, x, moves ? x - room : spare);
        if (g == 0)
            result = z;
        if (p->twist)
            twist_lines(p, z, line + g * V, first + count * room);
    }
    store_groups(p, at, result, room, count);
}

/* ---- a line over all lanes -------------------------------------------- */

/* The first butterfly, of radix V, leaves one line per lane. */
INLINE void front_pass(const char *in, bool swap, struct cv *x, size_t m,
                       const struct cv *w)
{
    for (size_t p = 0; p < m; p += V, w += V - 1) {
        struct cv a[V];
        vec r[V], i[V];
#pragma GCC unroll 16
        for (unsigned k = 0; k < V; k++)
            a[k] =
                swap_if(swap, load_pairs(in + (p + m * k) * 2 * sizeof(real)));
        butterfly(V, a, NULL);
#pragma GCC unroll 16
        for (unsigned k = 1; k < V; k++)
            a[k] = times(a[k], w[k - 1]);
#pragma GCC unroll 16
        for (unsigned k = 0; k < V; k++) {
            r[k] = a[ORDER(0, k)].r;
            i[k] = a[ORDER(0, k)].i;
        }
        transpose(r);
        transpose(i);
#pragma GCC unroll 16
        for (unsigned k = 0; k < V; k++)
            x[p + ORDER(0, k)] = (struct cv){r[k], i[k]};
    }
}

static void run_across(const struct fft_pass *p, const struct row *at,
                       struct cv *x)
{
    const struct fft_core *c = p->core;
    struct cv *y = x + fft_line_room(p);
    const char *in = at->in;
    bool to_real = p->kind == FFT_HALF_TO_REAL;
    bool swap_in = at->swap_in || to_real, swap_out = at->swap_out || to_real;
    if (to_real) {
        join_row((const void *)in, (void *)y, p->n, p->split_roots);
        in = (const void *)y;
    }
    if (swap_in)
        front_pass(in, true, x, c->n, c->front);
    else
        front_pass(in, false, x, c->n, c->front);
    transform_smooth(c, x, y, at->out, swap_out);
    if (p->kind == FFT_REAL_TO_HALF)
        split_row((void *)at->out, p->n, p->split_roots);
}

/* ---- groups ----------------------------------------------------------- */

struct place {
    uint64_t line; /* of the first dimension */
    uint64_t segment;
    int64_t in, out;
};

/* Where group `g` of block `b` begins. */
static struct place find_group(const struct fft_pass *p, uint64_t b, uint64_t g)
{
    bool single = p->across_lanes || fft_is_by_element(p->kind);
    struct place at = {0, 0, p->in.offset, p->out.offset};
    if (fft_is_by_element(p->kind)) {
        uint64_t segments =
            (fft_extent(p) + fft_segment(p) - 1) / fft_segment(p);
        at.segment = g % segments;
        g /= segments;
    }
    uint64_t groups = single ? p->dim[0].count : (p->dim[0].count + V - 1) / V;
    at.line = g % groups * (single ? 1 : V);
    g /= groups;
    at.in += (int64_t)at.line * p->dim[0].in;
    at.out += (int64_t)at.line * p->dim[0].out;
    for (unsigned d = 1; d < FFT_DIMS_MAX; d++) {
        uint64_t *rest = d < p->inner_dims ? &g : &b;
        uint64_t i = *rest % p->dim[d].count;
        *rest /= p->dim[d].count;
        at.in += (int64_t)i * p->dim[d].in;
        at.out += (int64_t)i * p->dim[d].out;
    }
    return at;
}

static void run_pass(const struct fft_pass *p, const struct fft_pointers *at,
                     uint64_t block, uint64_t first, uint64_t end,
                     void *scratch)
{
    struct row r = {.swap_in = is_swapped(&p->in, at),
                    .swap_out = is_swapped(&p->out, at)};
    unsigned wide = fft_columns_at_once(&FFT_ENGINE, p);
    for (uint64_t g = first; g < end; g++) {
        struct place place = find_group(p, block, g);
        r.in = at->buffer[p->in.buffer] + place.in;
        r.out = at->buffer[p->out.buffer] + place.out;
        if (wide > 1 && end - g >= wide &&
            place.line + wide * V <= p->dim[0].count) {
            run_columns(p, &r, place.line, wide, scratch);
            g += wide - 1;
        } else if (fft_is_by_element(p->kind)) {
            by_element(p, &r, place.segment);
        } else if (p->across_lanes) {
            run_across(p, &r, scratch);
        } else {
            run_lines(p, &r, place.line, scratch);
        }
    }
}

const struct fft_engine FFT_ENGINE = {.lanes = V,
                                      .real_bytes = sizeof(real),
                                      .run = run_pass,
                                      .fill_twist = fill_twist};
