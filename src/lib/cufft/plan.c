/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a request to passes. Each axis is one pass over lines where they are
 * short; long lines are a matrix, transformed by columns and by rows with a
 * twist between (Bailey's four steps), and lengths with large prime factors
 * are convolutions (Bluestein).
 */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

enum {
    ACROSS_MIN = 128,
    ACROSS_BYTES_MAX = 1 << 18, /* of a line over all lanes: half an L2 */
    BLUESTEIN_LINE_MAX = 1 << 12,
    FUSED_BYTES_MAX = 1 << 20, /* of what one tile transforms */
    TILE_BYTES = 1 << 15,
    TWISTS_BYTES_MAX = 1 << 20, /* longer ones are computed as they are used */
};

struct builder {
    struct fft_plan *plan;
    unsigned threads;
    fft_share *share;
    bool sizes_only, failed;
    size_t work_used;
};

static size_t number_bytes(const struct builder *b)
{
    return 2 * b->plan->engine->real_bytes;
}

/* ---- tables ----------------------------------------------------------- */

static const struct fft_core *core_for(struct builder *b, uint64_t n,
                                       bool across)
{
    struct fft_plan *p = b->plan;
    unsigned lanes = p->engine->lanes;
    for (unsigned i = 0; i < p->core_count; i++) {
        struct fft_core *c = p->core[i];
        if (c->n == (across ? n / lanes : n) && !c->front == !across)
            return c;
    }
    struct fft_core *c = fft_core_create(p->engine, (uint32_t)n, across);
    if (c)
        p->core[p->core_count++] = c;
    b->failed |= !c;
    return c;
}

static const struct fft_roots *roots_for(struct builder *b, uint64_t n)
{
    struct fft_plan *p = b->plan;
    for (unsigned i = 0; i < p->roots_count; i++) {
        if (p->roots[i]->n == n)
            return p->roots[i];
    }
    struct fft_roots *r = fft_roots_create(p->engine, n);
    if (r)
        p->roots[p->roots_count++] = r;
    b->failed |= !r;
    return r;
}

static const void *keep_table(struct builder *b, void *table)
{
    if (table)
        b->plan->table[b->plan->table_count++] = table;
    b->failed |= !table;
    return table;
}

/* ---- lines ------------------------------------------------------------ */

/* Where an axis's lines are read and written: all but the axis itself. */
struct axis {
    uint64_t n;
    struct fft_side in, out;
    struct fft_dim dim[FFT_DIMS_MAX - 1];
    bool keeps_dims; /* part of a tile with other axes */
};

static uint64_t line_count(const struct axis *a)
{
    return a->dim[0].count * a->dim[1].count * a->dim[2].count;
}

/* Takes room in the work area for the axis's lines, n numbers each, packed;
 * `distance` in bytes. */
static struct fft_side take_work(struct builder *b, struct axis *a, uint64_t n,
                                 int64_t distance[FFT_DIMS_MAX - 1])
{
    int64_t bytes = (int64_t)number_bytes(b);
    struct fft_side s = {.buffer = FFT_WORK,
                         .offset = (int64_t)b->work_used,
                         .element = bytes,
                         .imaginary = bytes / 2};
    int64_t step = bytes * (int64_t)n;
    for (unsigned d = 0; d < FFT_DIMS_MAX - 1; d++) {
        distance[d] = step;
        step *= (int64_t)a->dim[d].count;
    }
    b->work_used += ((size_t)step + 63) / 64 * 64;
    if (b->work_used > b->plan->work_bytes)
        b->plan->work_bytes = b->work_used;
    return s;
}

static bool is_packed(const struct builder *b, const struct fft_side *s)
{
    int64_t bytes = (int64_t)number_bytes(b);
    return s->format == FFT_OWN && s->element == bytes &&
           s->imaginary == bytes / 2;
}

static bool can_go_across(const struct builder *b, const struct axis *a,
                          uint64_t n)
{
    unsigned lanes = b->plan->engine->lanes;
    return n % (lanes * lanes) == 0 && n >= ACROSS_MIN &&
           n * number_bytes(b) <= ACROSS_BYTES_MAX && fft_is_smooth(n) &&
           is_packed(b, &a->in) && is_packed(b, &a->out);
}

/* The largest c with n = c * rows, c <= rows <= FFT_LINE_MAX; 0: there is
 * none. */
static uint64_t column_length(uint64_t n)
{
    uint64_t best = 0;
    if (!fft_is_smooth(n))
        return 0;
    for (uint64_t c = 2; c * c <= n && c <= FFT_LINE_MAX; c++) {
        if (n % c == 0 && n / c <= FFT_LINE_MAX)
            best = c;
    }
    return best;
}

static struct fft_pass *new_pass(struct builder *b, enum fft_kind kind,
                                 const struct axis *a)
{
    struct fft_pass *p = &b->plan->pass[b->plan->pass_count++];
    *p = (struct fft_pass){.kind = kind,
                           .n = a->n,
                           .padded = a->n,
                           .in = a->in,
                           .out = a->out,
                           .inner_dims = 1};
    memcpy(p->dim, a->dim, sizeof a->dim);
    p->dim[FFT_DIMS_MAX - 1].count = 1;
    return p;
}

/* Fills lanes with lines of dim[0]: drops dimensions of 1, and joins one to
 * dim[0] that continues it in memory, until lanes divide it. */
static void merge_dims(const struct builder *b, struct fft_pass *p)
{
    for (unsigned turns = 0; turns < FFT_DIMS_MAX; turns++) {
        struct fft_dim *d = p->dim;
        bool follows = d[1].in == d[0].in * (int64_t)d[0].count &&
                       d[1].out == d[0].out * (int64_t)d[0].count;
        if (d[0].count > 1 &&
            (d[0].count % b->plan->engine->lanes == 0 || !follows))
            return;
        if (d[0].count == 1)
            d[0] = d[1];
        else
            d[0].count *= d[1].count;
        memmove(d + 1, d + 2, (FFT_DIMS_MAX - 2) * sizeof *d);
        d[FFT_DIMS_MAX - 1] = (struct fft_dim){1, 0, 0};
    }
}

/* ---- complex axes ----------------------------------------------------- */

static void add_line_pass(struct builder *b, const struct axis *a,
                          enum fft_kind kind, bool across)
{
    struct fft_pass *p = new_pass(b, kind, a);
    p->across_lanes = across;
    if (!a->keeps_dims && !across)
        merge_dims(b, p);
    if (b->sizes_only)
        return;
    p->core = core_for(b, a->n, across);
    if (kind == FFT_REAL_TO_HALF || kind == FFT_HALF_TO_REAL)
        p->split_roots =
            keep_table(b, fft_root_table(b->plan->engine, 2 * a->n,
                                         a->n / 2 + b->plan->engine->lanes));
}

/* The pass's twists, computed once if they are few. */
static void keep_twists(struct builder *b, struct fft_pass *p)
{
    const struct fft_engine *e = b->plan->engine;
    uint64_t lanes = e->lanes, groups = (p->dim[0].count + lanes - 1) / lanes;
    size_t first, second;
    fft_twist_sizes(p, &first, &second);
    size_t bytes = (first + second) * lanes * number_bytes(b);
    if (b->failed || groups * bytes > TWISTS_BYTES_MAX)
        return;
    char *twists = fft_allocate(groups * bytes);
    p->twists = keep_table(b, twists);
    for (uint64_t g = 0; twists && g < groups; g++)
        e->fill_twist(p, g * lanes, twists + g * bytes);
}

static void add_matrix_passes(struct builder *b, struct axis *a,
                              uint64_t columns_n)
{
    int64_t distance[FFT_DIMS_MAX - 1], bytes = (int64_t)number_bytes(b);
    uint64_t rows_n = a->n / columns_n;
    struct fft_side work = take_work(b, a, a->n, distance);

    struct fft_pass *p = new_pass(b, FFT_COMPLEX, a);
    p->n = columns_n;
    p->in.element *= (int64_t)rows_n;
    p->out = work;
    p->out.element = bytes * (int64_t)rows_n;
    p->dim[0] = (struct fft_dim){rows_n, a->in.element, bytes};
    for (unsigned d = 1; d < FFT_DIMS_MAX; d++)
        p->dim[d] = (struct fft_dim){a->dim[d - 1].count, a->dim[d - 1].in,
                                     distance[d - 1]};
    if (!b->sizes_only) {
        p->core = core_for(b, columns_n, false);
        p->twist = roots_for(b, a->n);
        keep_twists(b, p);
    }

    p = new_pass(b, FFT_COMPLEX, a);
    p->n = rows_n;
    p->in = work;
    p->out.element *= (int64_t)columns_n;
    p->dim[0] =
        (struct fft_dim){columns_n, bytes * (int64_t)rows_n, a->out.element};
    for (unsigned d = 1; d < FFT_DIMS_MAX; d++)
        p->dim[d] = (struct fft_dim){a->dim[d - 1].count, distance[d - 1],
                                     a->dim[d - 1].out};
    if (!b->sizes_only)
        p->core = core_for(b, rows_n, false);
}

/* The same axis, read from (from_side) or written to (to_side) s instead. */
static struct axis from_side(const struct axis *a, struct fft_side s,
                             const int64_t *distance)
{
    struct axis to = *a;
    to.in = s;
    for (unsigned d = 0; d < FFT_DIMS_MAX - 1; d++)
        to.dim[d].in = distance[d];
    return to;
}

static struct axis to_side(const struct axis *a, struct fft_side s,
                           const int64_t *distance)
{
    struct axis to = *a;
    to.out = s;
    for (unsigned d = 0; d < FFT_DIMS_MAX - 1; d++)
        to.dim[d].out = distance[d];
    return to;
}

static void add_complex(struct builder *b, struct axis *a);

static void add_bluestein(struct builder *b, struct axis *a)
{
    int64_t distance[FFT_DIMS_MAX - 1];
    uint64_t padded = fft_power_of_2_from(2 * a->n - 1);
    struct fft_side work = take_work(b, a, padded, distance);
    struct axis into = to_side(a, work, distance);
    struct axis from = from_side(a, work, distance);
    struct axis within = to_side(&from, work, distance);
    const void *chirp = NULL, *spectrum = NULL;
    size_t mark = b->work_used;
    if (!b->sizes_only) {
        const struct fft_engine *e = b->plan->engine;
        chirp = keep_table(b, fft_chirp(e, a->n, b->share));
        spectrum = keep_table(b, fft_chirp_spectrum(e, a->n, padded, b->share));
    }
    struct fft_pass *p = new_pass(b, FFT_CHIRP, &into);
    p->padded = padded;
    p->table = chirp;

    within.n = padded;
    add_complex(b, &within);
    b->work_used = mark;
    p = new_pass(b, FFT_SPECTRUM, &within);
    p->out.swap = FFT_SWAP;
    p->table = spectrum;
    add_complex(b, &within);
    b->work_used = mark;

    from.in.swap = FFT_SWAP;
    p = new_pass(b, FFT_CHIRP, &from);
    p->table = chirp;
}

static void add_complex(struct builder *b, struct axis *a)
{
    unsigned lanes = b->plan->engine->lanes;
    bool smooth = fft_is_smooth(a->n);
    uint64_t columns = smooth ? column_length(a->n) : 0;
    size_t mark = b->work_used;
    if (can_go_across(b, a, a->n))
        add_line_pass(b, a, FFT_COMPLEX, true);
    else if (columns >= 8 && a->n >= 256 && line_count(a) <= lanes / 2)
        add_matrix_passes(b, a, columns);
    else if (a->n <= (smooth ? FFT_LINE_MAX : BLUESTEIN_LINE_MAX))
        add_line_pass(b, a, FFT_COMPLEX, false);
    else if (columns)
        add_matrix_passes(b, a, columns);
    else
        add_bluestein(b, a);
    b->work_used = mark;
}

/* ---- axes with reals -------------------------------------------------- */

static bool fits_line(uint64_t n)
{
    return n <=
           (uint64_t)(fft_is_smooth(n) ? FFT_LINE_MAX : BLUESTEIN_LINE_MAX);
}

/* Reals in pairs, as if they were complex. */
static struct fft_side pairs_of(struct fft_side s)
{
    s.imaginary = s.element;
    s.element *= 2;
    return s;
}

static void add_split_or_join(struct builder *b, enum fft_kind kind,
                              const struct axis *a)
{
    struct fft_pass *p = new_pass(b, kind, a);
    if (!b->sizes_only)
        p->real_roots = roots_for(b, 2 * a->n);
}

static void add_even_to_half(struct builder *b, struct axis *a)
{
    struct axis half = *a;
    half.n = a->n / 2;
    half.in = pairs_of(a->in);
    if (can_go_across(b, &half, half.n))
        return add_line_pass(b, &half, FFT_REAL_TO_HALF, true);
    if (fits_line(half.n))
        return add_line_pass(b, &half, FFT_REAL_TO_HALF, false);
    add_complex(b, &half);
    for (unsigned d = 0; d < FFT_DIMS_MAX - 1; d++)
        half.dim[d].in = half.dim[d].out;
    half.in = half.out;
    add_split_or_join(b, FFT_SPLIT_REAL, &half);
}

static void add_even_to_real(struct builder *b, struct axis *a)
{
    int64_t distance[FFT_DIMS_MAX - 1];
    struct axis half = *a;
    size_t mark = b->work_used;
    half.n = a->n / 2;
    half.out = pairs_of(a->out);
    if (can_go_across(b, &half, half.n))
        return add_line_pass(b, &half, FFT_HALF_TO_REAL, true);
    if (fits_line(half.n))
        return add_line_pass(b, &half, FFT_HALF_TO_REAL, false);
    struct fft_side work = take_work(b, a, half.n, distance);
    struct axis join = to_side(&half, work, distance);
    add_split_or_join(b, FFT_JOIN_REAL, &join);
    half = from_side(&half, work, distance);
    half.in.swap = half.out.swap = FFT_SWAP;
    add_complex(b, &half);
    b->work_used = mark;
}

/* Odd and long: as complex numbers, in the work area. */
static void add_odd(struct builder *b, struct axis *a, enum fft_type type)
{
    int64_t distance[FFT_DIMS_MAX - 1];
    size_t mark = b->work_used;
    struct fft_side work = take_work(b, a, a->n, distance);
    struct axis into = to_side(a, work, distance);
    struct axis from = from_side(a, work, distance);
    struct axis within = to_side(&from, work, distance);
    new_pass(b, type == FFT_R2C ? FFT_WIDEN : FFT_MIRROR, &into);
    if (type == FFT_C2R)
        within.in.swap = within.out.swap = FFT_SWAP;
    add_complex(b, &within);
    if (type == FFT_R2C)
        from.n = a->n / 2 + 1;
    new_pass(b, FFT_COPY, &from);
    b->work_used = mark;
}

static void add_real(struct builder *b, struct axis *a, enum fft_type type)
{
    bool even = a->n % 2 == 0;
    if (even && type == FFT_R2C)
        return add_even_to_half(b, a);
    if (even)
        return add_even_to_real(b, a);
    if (!fits_line(a->n))
        return add_odd(b, a, type);
    add_line_pass(b, a, type == FFT_R2C ? FFT_REAL_TO_FULL : FFT_FULL_TO_REAL,
                  false);
}

/* ---- a request's axes ------------------------------------------------- */

/* A buffer as the axes see it, in bytes. */
struct place {
    struct fft_side side; /* all but .element */
    int64_t stride[FFT_RANK_MAX], distance;
};

static struct place place_of(const struct builder *b,
                             const struct fft_layout *l, enum fft_buffer buffer,
                             bool is_real)
{
    int64_t real = (int64_t)b->plan->engine->real_bytes;
    if (l->format != FFT_OWN)
        real = 2;
    int64_t bytes = is_real ? real : 2 * real;
    struct place p = {.side = {.buffer = buffer,
                               .format = l->format,
                               .imaginary = is_real ? 0 : real},
                      .distance = l->distance * bytes};
    for (unsigned i = 0; i < FFT_RANK_MAX; i++)
        p.stride[i] = l->stride[i] * bytes;
    return p;
}

/* Lines of other axes that stand along this one: of a real transform's last
 * axis only half. */
static uint64_t axis_extent(const struct fft_request *r, unsigned axis)
{
    bool halved = r->type != FFT_C2C && axis == r->rank - 1;
    return halved ? r->n[axis] / 2 + 1 : r->n[axis];
}

static struct axis axis_of(const struct fft_request *r, unsigned k,
                           const struct place *from, const struct place *to)
{
    struct axis a = {.n = r->n[k], .in = from->side, .out = to->side};
    unsigned d = 0;
    a.in.element = from->stride[k];
    a.out.element = to->stride[k];
    for (unsigned j = r->rank; j-- > 0;) {
        if (j != k)
            a.dim[d++] = (struct fft_dim){axis_extent(r, j), from->stride[j],
                                          to->stride[j]};
    }
    a.dim[d++] = (struct fft_dim){r->batch, from->distance, to->distance};
    for (; d < FFT_DIMS_MAX - 1; d++)
        a.dim[d] = (struct fft_dim){1, 0, 0};
    return a;
}

/* How many of the last axes one tile transforms: those of a plane or of a
 * volume that a cache holds, if there are enough of them for all threads. */
static unsigned fused_axes(const struct builder *b)
{
    const struct fft_request *r = &b->plan->request;
    uint64_t tiles = r->batch, bytes = number_bytes(b);
    unsigned first = 0;
    for (unsigned k = 0; k < r->rank; k++)
        bytes *= axis_extent(r, k);
    while (first + 1 < r->rank &&
           (bytes > FUSED_BYTES_MAX || tiles < 2 * b->threads)) {
        tiles *= r->n[first];
        bytes /= r->n[first++];
    }
    return bytes > FUSED_BYTES_MAX || tiles < 2 * b->threads ? 1
                                                             : r->rank - first;
}

static void add_axis(struct builder *b, unsigned k, const struct place *from,
                     const struct place *to, unsigned fused)
{
    const struct fft_request *r = &b->plan->request;
    struct axis a = axis_of(r, k, from, to);
    a.keeps_dims = fused > 1 && k + fused >= r->rank;
    if (r->type != FFT_C2C && k == r->rank - 1)
        add_real(b, &a, r->type);
    else
        add_complex(b, &a);
}

/* Packed, as the output of the complex axes. */
static struct place work_place(struct builder *b)
{
    const struct fft_request *r = &b->plan->request;
    int64_t bytes = (int64_t)number_bytes(b), step = bytes;
    struct place p = {.side = {.buffer = FFT_WORK, .imaginary = bytes / 2}};
    for (unsigned k = r->rank; k-- > 0;) {
        p.stride[k] = step;
        step *= (int64_t)axis_extent(r, k);
    }
    p.distance = step;
    b->work_used = (size_t)step * r->batch;
    b->work_used = (b->work_used + 63) / 64 * 64;
    if (b->work_used > b->plan->work_bytes)
        b->plan->work_bytes = b->work_used;
    return p;
}

/* The input stays as it is, unless it is the output. */
static void add_to_real_axes(struct builder *b, unsigned fused)
{
    const struct fft_request *r = &b->plan->request;
    struct place from = place_of(b, &r->in, FFT_IN, false);
    struct place to = place_of(b, &r->out, FFT_OUT, true), work;
    if (r->rank > 1)
        work = work_place(b);
    for (unsigned k = 0; k + 1 < r->rank; k++) {
        struct place into = work;
        from.side.swap = into.side.swap = FFT_SWAP;
        add_axis(b, k, &from, &into, fused);
        from = work;
    }
    add_axis(b, r->rank - 1, &from, &to, fused);
}

static void add_axes(struct builder *b, unsigned fused)
{
    const struct fft_request *r = &b->plan->request;
    bool from_real = r->type == FFT_R2C;
    struct place from = place_of(b, &r->in, FFT_IN, from_real);
    struct place to = place_of(b, &r->out, FFT_OUT, false);
    for (unsigned k = r->rank; k-- > 0;) {
        from.side.swap = FFT_STRAIGHT;
        to.side.swap = FFT_STRAIGHT;
        if (!from_real && k == r->rank - 1)
            from.side.swap = FFT_SWAP_IF_INVERSE;
        if (!from_real && k == 0)
            to.side.swap = FFT_SWAP_IF_INVERSE;
        add_axis(b, k, &from, &to, fused);
        from = to;
    }
}

/* ---- steps ------------------------------------------------------------ */

static void add_step(struct builder *b, unsigned first, unsigned count)
{
    struct fft_plan *plan = b->plan;
    struct fft_pass *p = &plan->pass[first];
    struct fft_step *s = &plan->step[plan->step_count++];
    uint64_t blocks = fft_blocks(p);
    *s = (struct fft_step){first, count, blocks, 1};
    if (count > 1)
        return;
    uint64_t groups = fft_groups_in_block(plan->engine, p) * blocks;
    uint64_t bytes = p->n * number_bytes(b);
    if (!p->across_lanes && !fft_is_by_element(p->kind))
        bytes *= plan->engine->lanes;
    uint64_t per_tile = TILE_BYTES / bytes, most = groups / (4 * b->threads);
    unsigned together = fft_columns_at_once(plan->engine, p);
    if (per_tile < together)
        per_tile = together;
    s->groups_per_tile = per_tile < most ? per_tile : most;
    if (!s->groups_per_tile)
        s->groups_per_tile = 1;
    while (groups / s->groups_per_tile > INT32_MAX)
        s->groups_per_tile *= 2;
    s->tiles = (groups + s->groups_per_tile - 1) / s->groups_per_tile;
}

/* The fused passes are the last ones of C2R, the first ones of others. */
static void add_steps(struct builder *b, unsigned fused)
{
    struct fft_plan *p = b->plan;
    unsigned first = 0;
    bool each_has_one = p->pass_count == p->request.rank;
    if (fused < 2 || !each_has_one)
        fused = 1;
    if (p->request.type == FFT_C2R)
        first = p->pass_count - fused;
    for (unsigned i = first; fused > 1 && i < first + fused; i++)
        p->pass[i].inner_dims = fused - 1;
    for (unsigned i = 0; i < p->pass_count;) {
        unsigned count = i == first ? fused : 1;
        add_step(b, i, count);
        i += count;
    }
}

/* ---- plans ------------------------------------------------------------ */

static void build_plan(struct builder *b)
{
    unsigned fused = fused_axes(b);
    if (b->plan->request.type == FFT_C2R)
        add_to_real_axes(b, fused);
    else
        add_axes(b, fused);
    if (b->sizes_only || b->failed)
        return;
    add_steps(b, fused);
    for (unsigned i = 0; i < b->plan->pass_count; i++) {
        size_t bytes = fft_scratch_bytes(b->plan->engine, &b->plan->pass[i]);
        if (bytes > b->plan->scratch_bytes)
            b->plan->scratch_bytes = bytes;
    }
}

static struct fft_plan *make_plan(const struct fft_request *r, unsigned threads,
                                  fft_share *share, bool sizes_only)
{
    struct fft_plan *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    struct builder b = {.plan = p,
                        .threads = threads,
                        .share = share,
                        .sizes_only = sizes_only};
    p->engine = r->engine ? r->engine : fft_engine(r->real);
    p->request = *r;
    build_plan(&b);
    if (!b.failed)
        return p;
    fft_plan_destroy(p);
    return NULL;
}

struct fft_plan *fft_plan_create(const struct fft_request *r, unsigned threads,
                                 fft_share *share)
{
    return make_plan(r, threads, share, false);
}

size_t fft_plan_work_bytes(const struct fft_request *r, unsigned threads)
{
    struct fft_plan *p = make_plan(r, threads, NULL, true);
    size_t bytes = p ? p->work_bytes : 0;
    fft_plan_destroy(p);
    return bytes;
}

void fft_plan_destroy(struct fft_plan *p)
{
    if (!p)
        return;
    for (unsigned i = 0; i < p->core_count; i++)
        fft_core_destroy(p->core[i]);
    for (unsigned i = 0; i < p->roots_count; i++)
        fft_roots_destroy(p->roots[i]);
    for (unsigned i = 0; i < p->table_count; i++)
        free(p->table[i]);
    free(p);
}
