/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plans against sums in long double: each type, on each engine that this
 * processor has, over lengths, ranks and layouts; both directions, in and out
 * of place. The bound is the theory's: eps log2 n times the norm.
 */
#include "../exec/check.h"
#include "lib/cufft/plan.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef _Complex double number;

/* How elements lie: packed; an element apart, with gaps between lines; batch
 * innermost. */
enum spread { PACKED, GAPS, INTERLEAVED };

struct plan_case {
    unsigned rank;
    int n[3], batch;
    enum spread spread;
};

static const struct plan_case cases[] = {
#define CASE(rank, n0, n1, n2, batch, spread)                                  \
    {rank, {n0, n1, n2}, batch, spread},
#include "plans.def"
};

/* ---- reference -------------------------------------------------------- */

static size_t total(const struct plan_case *c)
{
    size_t t = 1;
    for (unsigned k = 0; k < c->rank; k++)
        t *= (size_t)c->n[k];
    return t;
}

static void sum_line(number *x, size_t stride, int n, int sign)
{
    long double *roots = malloc(2 * (size_t)n * sizeof *roots);
    number *y = malloc((size_t)n * sizeof *y);
    for (int k = 0; k < n; k++) {
        long double a = 6.283185307179586476925286766559L * k / n;
        roots[2 * k] = cosl(a);
        roots[2 * k + 1] = sign * sinl(a);
    }
    for (int k = 0; k < n; k++) {
        long double re = 0, im = 0;
        for (int j = 0; j < n; j++) {
            const long double *w = roots + 2 * ((long)j * k % n);
            double a = __real__ x[(size_t)j * stride],
                   b = __imag__ x[(size_t)j * stride];
            re += a * w[0] - b * w[1];
            im += a * w[1] + b * w[0];
        }
        __real__ y[k] = (double)re;
        __imag__ y[k] = (double)im;
    }
    for (int k = 0; k < n; k++)
        x[(size_t)k * stride] = y[k];
    free(roots);
    free(y);
}

static void sum_all(const struct plan_case *c, number *x, int sign)
{
    size_t stride = 1, count = total(c);
    for (unsigned k = c->rank; k-- > 0; stride *= (size_t)c->n[k]) {
        size_t n = (size_t)c->n[k];
        for (size_t i = 0; i < count; i++) {
            if (i / stride % n == 0)
                sum_line(x + i, stride, c->n[k], sign);
        }
    }
}

/* ---- layouts ---------------------------------------------------------- */

/* length: of the last axis in this buffer, padding included. */
static struct fft_layout layout_of(const struct plan_case *c, int length)
{
    struct fft_layout l = {.format = FFT_OWN};
    int64_t step = c->spread == GAPS ? 2 : 1;
    if (c->spread == INTERLEAVED)
        step = c->batch;
    for (unsigned k = c->rank; k-- > 0;) {
        l.stride[k] = step;
        step *= k == c->rank - 1 ? length : c->n[k];
        step += c->spread == GAPS ? 6 : 0;
    }
    l.distance = c->spread == INTERLEAVED ? 1 : step;
    return l;
}

static int64_t place(const struct plan_case *c, const struct fft_layout *l,
                     size_t i, int batch)
{
    int64_t at = batch * l->distance;
    for (unsigned k = c->rank; k-- > 0; i /= (size_t)c->n[k])
        at += (int64_t)(i % (size_t)c->n[k]) * l->stride[k];
    return at;
}

/* ---- running ---------------------------------------------------------- */

struct buffers {
    double *in, *out; /* as doubles; what the engine reads is `raw` */
    size_t count;     /* reals */
};

static void convert(const struct fft_engine *e, void *raw, double *values,
                    size_t count, bool to_raw)
{
    for (size_t i = 0; i < count; i++) {
        if (e->real_bytes == 8 && to_raw)
            ((double *)raw)[i] = values[i];
        else if (e->real_bytes == 8)
            values[i] = ((double *)raw)[i];
        else if (to_raw)
            ((float *)raw)[i] = (float)(values[i] = (float)values[i]);
        else
            values[i] = ((float *)raw)[i];
    }
}

static void run(const struct fft_plan *p, char *in, char *out, bool inverse)
{
    char *work = aligned_alloc(64, p->work_bytes + 64);
    struct fft_pointers at = {{in, out, work}, inverse};
    for (unsigned s = 0; s < p->step_count; s++) {
        uint64_t middle = p->step[s].tiles / 2;
        fft_plan_run(p, s, &at, middle, p->step[s].tiles);
        fft_plan_run(p, s, &at, 0, middle);
    }
    free(work);
}

static double bound(const struct fft_engine *e, const struct plan_case *c)
{
    double eps = e->real_bytes == 8 ? DBL_EPSILON : FLT_EPSILON;
    return eps * (3 + 2 * log2((double)total(c)));
}

struct trial {
    const struct plan_case *c;
    const struct fft_engine *engine;
    enum fft_type type;
    bool inverse, in_place;
    struct fft_layout in, out;
    size_t in_count, out_count; /* reals */
};

static struct fft_plan *plan_of(const struct trial *t)
{
    struct fft_request r = {.real = t->engine->real_bytes == 8,
                            .type = t->type,
                            .rank = t->c->rank,
                            .batch = (uint64_t)t->c->batch,
                            .in = t->in,
                            .out = t->out,
                            .engine = t->engine};
    for (unsigned k = 0; k < r.rank; k++)
        r.n[k] = (uint64_t)t->c->n[k];
    return fft_plan_create(&r, 2, NULL);
}

static size_t room(const struct plan_case *c, const struct fft_layout *l)
{
    int64_t last = (c->batch - 1) * l->distance;
    for (unsigned k = 0; k < c->rank; k++)
        last += (c->n[k] - 1) * l->stride[k];
    return (size_t)last + 8;
}

static bool in_half(const struct plan_case *c, size_t i)
{
    int n = c->n[c->rank - 1];
    return (int)(i % (size_t)n) <= n / 2;
}

/* What the input means, whole: of a half, with what it implies. */
static number *read_input(const struct trial *t, const double *in, int batch)
{
    const struct plan_case *c = t->c;
    size_t count = total(c);
    number *x = calloc(count, sizeof *x);
    for (size_t i = 0; i < count; i++) {
        int64_t at = place(c, &t->in, i, batch);
        if (t->type == FFT_R2C) {
            x[i] = in[at];
        } else if (t->type == FFT_C2C || in_half(c, i)) {
            __real__ x[i] = in[2 * at];
            __imag__ x[i] = in[2 * at + 1];
        }
    }
    return x;
}

/* The last axis of a half: other axes have been transformed. */
static void to_reals(const struct plan_case *c, number *x)
{
    int n = c->n[c->rank - 1];
    for (size_t i = 0; i < total(c); i += (size_t)n) {
        x[i] = __real__ x[i];
        if (n % 2 == 0)
            x[i + (size_t)n / 2] = __real__ x[i + (size_t)n / 2];
        for (int k = 1; k <= (n - 1) / 2; k++)
            x[i + (size_t)(n - k)] = ~x[i + (size_t)k];
        sum_line(x + i, 1, n, 1);
    }
}

static void reference(const struct trial *t, number *x)
{
    struct plan_case others = *t->c;
    if (t->type != FFT_C2R)
        return sum_all(t->c, x, t->inverse ? 1 : -1);
    size_t n = (size_t)others.n[others.rank - 1], count = total(t->c);
    size_t stride = n;
    for (unsigned k = others.rank - 1; k-- > 0; stride *= (size_t)others.n[k]) {
        for (size_t i = 0; i < count; i++) {
            if (i / stride % (size_t)others.n[k] == 0)
                sum_line(x + i, stride, others.n[k], 1);
        }
    }
    to_reals(t->c, x);
}

static double compare(const struct trial *t, const double *in,
                      const double *out)
{
    double worst = 0;
    for (int b = 0; b < t->c->batch; b++) {
        double norm = 0, largest = 0;
        number *x = read_input(t, in, b);
        reference(t, x);
        for (size_t i = 0; i < total(t->c); i++) {
            int64_t at = place(t->c, &t->out, i, b);
            number found = t->type == FFT_C2R ? out[at] : out[2 * at];
            norm += __real__(x[i] * ~x[i]);
            if (t->type == FFT_R2C && !in_half(t->c, i))
                continue;
            if (t->type != FFT_C2R)
                __imag__ found = out[2 * at + 1];
            found -= x[i];
            double error = hypot(__real__ found, __imag__ found);
            if (!(error <= largest))
                largest = error;
        }
        norm = sqrt(norm / (double)total(t->c)) + 1e-30;
        if (!(largest / norm <= worst))
            worst = largest / norm;
        free(x);
    }
    return worst;
}

static void try_it(const struct trial *t)
{
    size_t bytes = t->engine->real_bytes;
    size_t most = (t->in_count > t->out_count ? t->in_count : t->out_count);
    double *in = malloc(most * sizeof *in), *out = malloc(most * sizeof *out);
    char *raw_in = aligned_alloc(64, (most * bytes + 127) / 64 * 64);
    char *raw_out = aligned_alloc(64, (most * bytes + 127) / 64 * 64);
    for (size_t i = 0; i < most; i++)
        in[i] = rand() / (double)RAND_MAX - 0.5;
    convert(t->engine, raw_in, in, most, true);
    memset(raw_out, 0, most * bytes);
    struct fft_plan *p = plan_of(t);
    run(p, raw_in, t->in_place ? raw_in : raw_out, t->inverse);
    convert(t->engine, t->in_place ? raw_in : raw_out, out, most, false);
    double worst = compare(t, in, out);
    if (!(worst <= bound(t->engine, t->c))) {
        fprintf(stderr,
                "rank %u of %d %d %d, batch %d, spread %d, type %d, %u lanes of"
                " %zu bytes%s%s: error %g, expected at most %g\n",
                t->c->rank, t->c->n[0], t->c->n[1], t->c->n[2], t->c->batch,
                t->c->spread, t->type, t->engine->lanes, bytes,
                t->inverse ? ", inverse" : "", t->in_place ? ", in place" : "",
                worst, bound(t->engine, t->c));
        check_failures++;
    }
    fft_plan_destroy(p);
    free(in);
    free(out);
    free(raw_in);
    free(raw_out);
}

static void try_type(const struct plan_case *c, const struct fft_engine *e,
                     enum fft_type type, bool inverse, bool in_place)
{
    struct trial t = {c, e, type, inverse, in_place, {0}, {0}, 0, 0};
    int n = c->n[c->rank - 1], half = n / 2 + 1;
    int padded = in_place ? 2 * half : n;
    if (in_place && type != FFT_C2C && c->spread != PACKED)
        return;
    t.in = layout_of(c, type == FFT_C2C ? n : type == FFT_R2C ? padded : half);
    t.out = layout_of(c, type == FFT_C2C ? n : type == FFT_R2C ? half : padded);
    t.in_count = room(c, &t.in) * (type == FFT_R2C ? 1 : 2);
    t.out_count = room(c, &t.out) * (type == FFT_C2R ? 1 : 2);
    try_it(&t);
}

static void try_engine(const struct fft_engine *e)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int in_place = 0; in_place < 2; in_place++) {
            try_type(&cases[i], e, FFT_C2C, false, in_place);
            try_type(&cases[i], e, FFT_C2C, true, in_place);
            try_type(&cases[i], e, FFT_R2C, false, in_place);
            try_type(&cases[i], e, FFT_C2R, true, in_place);
        }
    }
}

/* ---- tables that threads share ---------------------------------------- */

/* From the end, in pieces of different lengths. */
static void share_backwards(void (*fn)(void *data, uint64_t first,
                                       uint64_t end),
                            void *data, uint64_t count)
{
    uint64_t length = 1;
    for (uint64_t end = count; end > 0; end -= length) {
        length = 3 * length + 1 < end ? 3 * length + 1 : end;
        fn(data, end - length, end);
    }
}

/* The tables are the same, however they were made. */
static void try_shared_tables(const struct fft_engine *e)
{
    const uint64_t n = 65537, padded = 1 << 18; /* a prime */
    struct fft_request r = {.real = e->real_bytes == 8,
                            .type = FFT_C2C,
                            .rank = 1,
                            .batch = 1,
                            .n = {n},
                            .in = {.stride = {1}, .distance = (int64_t)n},
                            .out = {.stride = {1}, .distance = (int64_t)n},
                            .engine = e};
    struct fft_plan *alone = fft_plan_create(&r, 2, NULL);
    struct fft_plan *shared = fft_plan_create(&r, 2, share_backwards);
    CHECK(alone && shared && alone->table_count >= 2);
    CHECK(!memcmp(alone->table[0], shared->table[0], 2 * n * e->real_bytes));
    CHECK(
        !memcmp(alone->table[1], shared->table[1], 2 * padded * e->real_bytes));
    fft_plan_destroy(alone);
    fft_plan_destroy(shared);
}

int main(void)
{
    for (unsigned i = 0;; i++) {
        const struct fft_engine *e = fft_engine_at(i);
        if (!e)
            return check_result();
        try_engine(e);
        try_shared_tables(e);
    }
}
