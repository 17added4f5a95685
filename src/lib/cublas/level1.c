/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Level 1: vectors, in pieces, each a tile. A reduction makes a partial result
 * of each piece, and the tile that ends last joins them in order. The number of
 * pieces depends on n alone, so that the same numbers give the same result on
 * any machine.
 */
#include "internal.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "lib/product/sums.h"

enum {
    PIECE_MIN = 16384, /* elements that are worth a tile */
    PIECES_MAX = 96,   /* of a reduction: they are in the arguments */
    CHUNK = 256,       /* elements that are converted or gathered together */
};

/* A partial result. nrm2: sum.re is a scale, sum.im the sum of squares of the
 * numbers divided by it. amax, amin: sum.re is the magnitude, index its place
 * from 0 (-1: none yet). */
struct partial {
    struct number sum;
    int64_t index;
};

struct level1_args {
    struct level1 v;
    int64_t piece, pieces;
    _Atomic int64_t done;
    struct partial partial[PIECES_MAX];
};

/* Where element i is: with a negative increment the vector runs backwards. */
static char *element_at(const struct vector *x, int64_t n, int64_t i)
{
    int64_t index = x->inc < 0 ? (i - n + 1) * x->inc : i * x->inc;
    return (char *)x->at + index * (int64_t)element_bytes(x->type);
}

/* Can it be computed with where it is? */
static bool is_plain(const struct vector *x, cudaDataType_t compute)
{
    return x->inc == 1 && element_of(x->type).part == element_of(compute).part;
}

/* ---- chunks in the type that is computed in --------------------------- */

union chunk {
    float f[2 * CHUNK];
    double d[2 * CHUNK];
};

static void components_in(enum component part, const char *from, void *to,
                          size_t n, bool is_float)
{
    if (is_float)
        element_to_float(part, from, to, n);
    else
        element_to_double(part, from, to, n);
}

/* `count` elements from element i on, in the components of `compute` and
 * without gaps: in x's own memory, if they are so there, else in room. */
static const void *fetch_chunk(const struct vector *x, int64_t n, int64_t i,
                               int64_t count, cudaDataType_t compute,
                               union chunk *room)
{
    struct element e = element_of(x->type);
    bool is_float = element_of(compute).part == PART_F32;
    if (is_plain(x, compute))
        return element_at(x, n, i);
    if (x->inc == 1) {
        components_in(e.part, element_at(x, n, i), room,
                      (size_t)count * e.parts, is_float);
        return room;
    }
    size_t size = is_float ? sizeof(float) : sizeof(double);
    for (int64_t c = 0; c < count; c++)
        components_in(e.part, element_at(x, n, i + c),
                      (char *)room + (size_t)c * e.parts * size, e.parts,
                      is_float);
    return room;
}

/* The other way: stores `count` elements from element i on. */
static void store_chunk(const struct vector *y, int64_t n, int64_t i,
                        int64_t count, const double *from)
{
    struct element e = element_of(y->type);
    if (y->inc == 1) {
        element_from_double(e.part, from, element_at(y, n, i),
                            (size_t)count * e.parts);
        return;
    }
    for (int64_t c = 0; c < count; c++)
        element_from_double(e.part, from + c * e.parts, element_at(y, n, i + c),
                            e.parts);
}

/* ---- element by element ----------------------------------------------- */

struct pair {
    double *x, *y;
    size_t parts;
};

static struct number multiply_element(struct number a, const double *x,
                                      size_t parts)
{
    double im = parts == 2 ? x[1] : 0;
    return (struct number){a.re * x[0] - a.im * im, a.re * im + a.im * x[0]};
}

static void add_to_element(double *y, struct number a, size_t parts)
{
    y[0] += a.re;
    if (parts == 2)
        y[1] += a.im;
}

static void set_element(double *y, struct number a, size_t parts)
{
    y[0] = a.re;
    if (parts == 2)
        y[1] = a.im;
}

/* x' = c x + s y, y' = c y - conj(s) x. */
static void rotate_elements(double *x, double *y, size_t parts, struct number c,
                            struct number s)
{
    double old_x[2] = {x[0], parts == 2 ? x[1] : 0};
    struct number minus_conj = {-s.re, s.im};
    set_element(x, multiply_element(c, x, parts), parts);
    add_to_element(x, multiply_element(s, y, parts), parts);
    set_element(y, multiply_element(c, y, parts), parts);
    add_to_element(y, multiply_element(minus_conj, old_x, parts), parts);
}

/* param: flag, h11, h21, h12, h22, some of them implied by the flag. */
static void rotate_modified(double *x, double *y, const double *param)
{
    double flag = param[0], h11 = param[1], h21 = param[2], h12 = param[3],
           h22 = param[4], old = *x;
    if (flag != -1 && flag != 0 && flag != 1)
        return; /* -2, and what is no flag */
    if (flag == 0)
        h11 = h22 = 1;
    if (flag == 1) {
        h12 = 1;
        h21 = -1;
    }
    *x = h11 * old + h12 * *y;
    *y = h21 * old + h22 * *y;
}

/* The scalars, read when the work runs. */
struct factors {
    struct number alpha, beta;
    double param[5];
};

static void change_chunk(const struct level1 *v, const struct factors *f,
                         double *x, double *y, int64_t count, size_t parts)
{
    for (int64_t i = 0; i < count; i++, x += parts, y += parts) {
        switch (v->what) {
        case LEVEL1_AXPY:
            add_to_element(y, multiply_element(f->alpha, x, parts), parts);
            break;
        case LEVEL1_SCAL:
            set_element(x, multiply_element(f->alpha, x, parts), parts);
            break;
        case LEVEL1_ROT:
            rotate_elements(x, y, parts, f->alpha, f->beta);
            break;
        case LEVEL1_ROTM:
            rotate_modified(x, y, f->param);
            break;
        default:
            break; /* copy, swap: only moved */
        }
    }
}

/* rotate_elements() for vectors of one real type without gaps. */
#define ROTATE(real)                                                           \
    static void rotate_##real(real *x, real *y, int64_t n, double c, double s) \
    {                                                                          \
        for (int64_t i = 0; i < n; i++) {                                      \
            double a = x[i], b = y[i];                                         \
            x[i] = (real)(c * a + s * b);                                      \
            y[i] = (real)(c * b - s * a);                                      \
        }                                                                      \
    }
ROTATE(float)
ROTATE(double)

/* False: these vectors are others, and nothing is done. */
static bool rotates_plain(const struct level1 *v, const struct factors *f,
                          int64_t from, int64_t end)
{
    void *x = element_at(&v->x, v->n, from), *y = element_at(&v->y, v->n, from);
    if (v->what != LEVEL1_ROT || v->x.inc != 1 || v->y.inc != 1 ||
        v->x.type != v->y.type)
        return false;
    if (v->x.type == CUDA_R_32F)
        rotate_float(x, y, end - from, f->alpha.re, f->beta.re);
    else if (v->x.type == CUDA_R_64F)
        rotate_double(x, y, end - from, f->alpha.re, f->beta.re);
    return v->x.type == CUDA_R_32F || v->x.type == CUDA_R_64F;
}

/* By conversion to double and back, for every mix of types. */
static void change_converted(const struct level1 *v, const struct factors *f,
                             int64_t from, int64_t end)
{
    size_t parts = element_of(v->x.type).parts;
    bool writes_x = v->what == LEVEL1_SCAL || v->what == LEVEL1_SWAP ||
                    v->what == LEVEL1_ROT || v->what == LEVEL1_ROTM;
    union chunk room_x, room_y;
    for (int64_t i = from; i < end; i += CHUNK) {
        int64_t count = at_most(end - i, CHUNK);
        const void *x = fetch_chunk(&v->x, v->n, i, count, CUDA_R_64F, &room_x);
        memmove(&room_x, x, (size_t)count * parts * sizeof(double));
        if (v->y.at && v->what != LEVEL1_COPY) {
            const void *y =
                fetch_chunk(&v->y, v->n, i, count, CUDA_R_64F, &room_y);
            memmove(&room_y, y, (size_t)count * parts * sizeof(double));
        }
        change_chunk(v, f, room_x.d, room_y.d, count, parts);
        if (v->what == LEVEL1_SWAP || v->what == LEVEL1_COPY) {
            store_chunk(&v->y, v->n, i, count, room_x.d);
            if (writes_x)
                store_chunk(&v->x, v->n, i, count, room_y.d);
            continue;
        }
        if (writes_x)
            store_chunk(&v->x, v->n, i, count, room_x.d);
        if (v->y.at)
            store_chunk(&v->y, v->n, i, count, room_y.d);
    }
}

/* Do both vectors have a type and increments that OpenBLAS takes? */
static bool has_blas_type(const struct level1 *v, enum blas_type *type)
{
    static const cudaDataType_t types[] = {CUDA_R_32F, CUDA_R_64F, CUDA_C_32F,
                                           CUDA_C_64F};
    for (int t = BLAS_S; t <= BLAS_Z; t++) {
        if (v->x.type == types[t]) {
            *type = (enum blas_type)t;
            return (!v->y.at || v->y.type == v->x.type) &&
                   v->x.inc <= INT32_MAX && v->x.inc >= INT32_MIN &&
                   v->y.inc <= INT32_MAX && v->y.inc >= INT32_MIN;
        }
    }
    return false;
}

/* Where BLAS wants a piece to begin: at its lowest address. */
static void *piece_at(const struct vector *x, int64_t n, int64_t from,
                      int64_t end)
{
    return element_at(x, n, x->inc < 0 ? end - 1 : from);
}

static void change_piece(const struct level1 *v, const struct factors *f,
                         int64_t from, int64_t end)
{
    enum blas_type type;
    /* OpenBLAS's scal by 0 gives 0 for NaN, too. */
    bool is_zero = v->what == LEVEL1_SCAL && f->alpha.re == 0;
    if (!has_blas_type(v, &type) || v->what == LEVEL1_ROT ||
        v->what == LEVEL1_ROTM || is_zero) {
        if (!rotates_plain(v, f, from, end))
            change_converted(v, f, from, end);
        return;
    }
    const struct blas *blas = &weft_blas[type];
    union blas_number alpha = blas_number(type, f->alpha);
    int n = (int)(end - from), incx = (int)v->x.inc, incy = (int)v->y.inc;
    void *x = piece_at(&v->x, v->n, from, end);
    void *y = v->y.at ? piece_at(&v->y, v->n, from, end) : NULL;
    switch (v->what) {
    case LEVEL1_AXPY:
        blas->axpy(&n, &alpha, x, &incx, y, &incy);
        break;
    case LEVEL1_SCAL:
        blas->scal(&n, &alpha, x, &incx);
        break;
    case LEVEL1_COPY:
        blas->copy(&n, x, &incx, y, &incy);
        break;
    case LEVEL1_SWAP:
        blas->swap(&n, x, &incx, y, &incy);
        break;
    default:
        break;
    }
}

static void load_factors(const struct level1 *v, struct factors *f)
{
    f->alpha = scalar_get(&v->alpha);
    f->beta = scalar_get(&v->beta);
    memcpy(f->param, v->param, sizeof f->param);
    if (v->param_device)
        element_to_double(element_of(v->alpha.type).part, v->param_device,
                          f->param, 5);
}

static void run_change(const void *args, uint64_t first, uint64_t end)
{
    const struct level1_args *a = args;
    struct factors f;
    load_factors(&a->v, &f);
    for (uint64_t i = first; i < end; i++) {
        int64_t from = (int64_t)i * a->piece;
        change_piece(&a->v, &f, from, at_most(from + a->piece, a->v.n));
    }
}

/* ---- reductions ------------------------------------------------------- */

/* |re| + |im| of element i. */
static double magnitude_at(const void *at, int64_t i, size_t parts,
                           bool is_float)
{
    const float *f = (const float *)at + (size_t)i * parts;
    const double *d = (const double *)at + (size_t)i * parts;
    double re = is_float ? f[0] : d[0];
    double im = parts == 1 ? 0 : is_float ? f[1] : d[1];
    return is_float ? (double)(float)(fabs(re) + fabs(im))
                    : fabs(re) + fabs(im);
}

static void find_extreme(const struct level1 *v, struct partial *p,
                         const void *x, int64_t from, int64_t count,
                         size_t parts, bool is_float)
{
    bool is_max = v->what == LEVEL1_AMAX;
    if (is_max && parts == 1) {
        double most = is_float ? largest_f(x, (size_t)count)
                               : largest_d(x, (size_t)count);
        if (p->index >= 0 && !(most > p->sum.re))
            return;
    }
    for (int64_t i = 0; i < count; i++) {
        double m = magnitude_at(x, i, parts, is_float);
        bool is_better = is_max ? m > p->sum.re : m < p->sum.re;
        if (p->index >= 0 && !is_better)
            continue;
        p->sum.re = m;
        p->index = from + i;
    }
}

/* Adds a scale and a sum of squares to those of *p. */
static void add_squares(struct number *p, double scale, double sum)
{
    if (sum == 0)
        return;
    if (scale > p->re) {
        double ratio = p->re / scale;
        *p = (struct number){scale, sum + p->im * ratio * ratio};
        return;
    }
    double ratio = p->re == scale ? 1 : scale / p->re; /* both may be inf */
    p->im += sum * ratio * ratio;
}

/* Scaled by the largest magnitude where squares would leave the range of
 * double. */
static void sum_of_squares(struct partial *p, const void *x, size_t n,
                           bool is_float)
{
    double sum = is_float ? sum_squares_f(x, n) : sum_squares_d(x, n);
    if (is_float || (sum < 1e300 && sum > 1e-280) || sum == 0 || isnan(sum)) {
        /* A sum of 0 may be that of tiny numbers. */
        double most = sum == 0 && !is_float ? largest_d(x, n) : 0;
        if (!(most > 0)) {
            add_squares(&p->sum, 1, sum);
            return;
        }
    }
    double most = largest_d(x, n), scaled = 0;
    for (size_t i = 0; i < n; i++) {
        double ratio = isinf(most) ? (isinf(((const double *)x)[i]) ? 1 : 0)
                                   : ((const double *)x)[i] / most;
        scaled += ratio * ratio;
    }
    add_squares(&p->sum, most, scaled);
}

static void reduce_chunk(const struct level1 *v, struct partial *p,
                         const void *x, const void *y, int64_t from,
                         int64_t count)
{
    size_t parts = element_of(v->x.type).parts, n = (size_t)count * parts;
    bool is_float = element_of(v->compute).part == PART_F32;
    double sum[2] = {0, 0};
    switch (v->what) {
    case LEVEL1_NRM2:
        sum_of_squares(p, x, n, is_float);
        break;
    case LEVEL1_ASUM:
        sum[0] = is_float ? sum_absolute_f(x, n) : sum_absolute_d(x, n);
        break;
    case LEVEL1_DOT:
        if (parts == 2 && is_float)
            sum_complex_f(x, y, n, v->is_conjugate, sum);
        else if (parts == 2)
            sum_complex_d(x, y, n, v->is_conjugate, sum);
        else
            sum[0] =
                is_float ? sum_products_f(x, y, n) : sum_products_d(x, y, n);
        break;
    default:
        find_extreme(v, p, x, from, count, parts, is_float);
        break;
    }
    p->sum.re += v->what == LEVEL1_AMAX || v->what == LEVEL1_AMIN ? 0 : sum[0];
    p->sum.im += sum[1];
}

static void reduce_piece(const struct level1 *v, int64_t from, int64_t end,
                         struct partial *p)
{
    union chunk room_x, room_y;
    int64_t step = SUMS_BLOCK;
    bool is_direct = is_plain(&v->x, v->compute) &&
                     (!v->y.at || is_plain(&v->y, v->compute));
    bool has_blocks = v->what == LEVEL1_DOT || v->what == LEVEL1_ASUM;
    if (!is_direct)
        step = CHUNK;
    else if (has_blocks && element_of(v->x.type).parts == 1)
        step = end - from; /* sums.h splits it into blocks */
    *p = (struct partial){.index = -1};
    for (int64_t i = from; i < end; i += step) {
        int64_t count = at_most(end - i, step);
        const void *x = fetch_chunk(&v->x, v->n, i, count, v->compute, &room_x);
        const void *y =
            v->y.at ? fetch_chunk(&v->y, v->n, i, count, v->compute, &room_y)
                    : NULL;
        reduce_chunk(v, p, x, y, i, count);
    }
}

static void join_partial(const struct level1 *v, struct partial *all,
                         const struct partial *p)
{
    bool is_max = v->what == LEVEL1_AMAX;
    switch (v->what) {
    case LEVEL1_AMAX:
    case LEVEL1_AMIN:
        if (all->index < 0 ||
            (p->index >= 0 &&
             (is_max ? p->sum.re > all->sum.re : p->sum.re < all->sum.re)))
            *all = *p;
        break;
    case LEVEL1_NRM2:
        add_squares(&all->sum, p->sum.re, p->sum.im);
        break;
    default:
        all->sum.re += p->sum.re;
        all->sum.im += p->sum.im;
    }
}

static void store_result(const struct level1 *v, const struct partial *all)
{
    struct number value = all->sum;
    if (v->what == LEVEL1_NRM2)
        value = (struct number){all->sum.re * sqrt(all->sum.im), 0};
    if (v->result_type == CUDA_R_64I)
        *(int64_t *)v->result = all->index + 1;
    else if (v->result_type == CUDA_R_32I)
        *(int32_t *)v->result = (int32_t)(all->index + 1);
    else
        element_store(v->result_type, value, v->result);
}

/* Writes to its arguments, which are this launch's own copy; a graph launches
 * its copy again, so `done` is 0 at the end. */
static void run_reduction(const void *args, uint64_t first, uint64_t end)
{
    struct level1_args *a = (struct level1_args *)args;
    for (uint64_t i = first; i < end; i++) {
        int64_t from = (int64_t)i * a->piece;
        reduce_piece(&a->v, from, at_most(from + a->piece, a->v.n),
                     &a->partial[i]);
    }
    int64_t own = (int64_t)(end - first);
    if (atomic_fetch_add(&a->done, own) + own < a->pieces)
        return;
    struct partial all = {.index = -1};
    for (int64_t i = 0; i < a->pieces; i++)
        join_partial(&a->v, &all, &a->partial[i]);
    store_result(&a->v, &all);
    atomic_store(&a->done, 0);
}

static const struct native_kernel change = {
    .name = "level1",
    .run = run_change,
    .args_bytes = offsetof(struct level1_args, done),
    .stack_bytes = 65536};
static const struct native_kernel reduction = {.name = "reduction",
                                               .run = run_reduction,
                                               .args_bytes =
                                                   sizeof(struct level1_args),
                                               .stack_bytes = 65536};
static_assert(sizeof(struct level1_args) <= 4096, "a launch's arguments");

/* ---- the call --------------------------------------------------------- */

static bool is_reduction(const struct level1 *v)
{
    return v->what >= LEVEL1_DOT;
}

static bool is_nothing(const struct level1 *v)
{
    bool one_vector = v->what == LEVEL1_SCAL || v->what >= LEVEL1_NRM2;
    return v->n <= 0 || (one_vector && v->x.inc <= 0);
}

static cublasStatus_t launch_reduction(cublasHandle_t handle, struct level1 *v)
{
    struct level1_args a = {.v = *v};
    bool waits = handle->pointer_mode == CUBLAS_POINTER_MODE_HOST;
    if (!v->result)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (waits && lib_is_capturing(handle->stream))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    if (is_nothing(v))
        a.v.n = 0;
    a.piece = (a.v.n + PIECES_MAX - 1) / PIECES_MAX;
    a.piece = (a.piece + CHUNK - 1) / CHUNK * CHUNK;
    if (a.piece < PIECE_MIN)
        a.piece = PIECE_MIN;
    a.pieces = a.v.n ? (a.v.n + a.piece - 1) / a.piece : 1;
    CUresult err = lib_run(&reduction, handle->stream, (uint64_t)a.pieces, &a);
    if (!err && waits)
        err = lib_synchronize(handle->stream);
    return cublas_status(err);
}

cublasStatus_t cublas_level1(cublasHandle_t handle, struct level1 *v)
{
    if (is_reduction(v))
        return launch_reduction(handle, v);
    if (is_nothing(v))
        return CUBLAS_STATUS_SUCCESS;
    /* Increment 0: one element is read or written for all, in order. */
    bool in_order = v->x.inc == 0 || (v->y.at && v->y.inc == 0);
    struct level1_args a = {.v = *v, .piece = in_order ? v->n : PIECE_MIN};
    int64_t most = in_order ? 1 : (v->n + PIECE_MIN - 1) / PIECE_MIN;
    if (most > INT32_MAX / 2)
        a.piece = (v->n / INT32_MAX + 1) * PIECE_MIN;
    a.pieces = (v->n + a.piece - 1) / a.piece;
    return cublas_status(
        lib_run(&change, handle->stream, (uint64_t)a.pieces, &a));
}
