/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/product/product.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "lib/common/lib.h"
#include "lib/product/narrow.h"
#include "lib/product/small.h"

enum {
    SLICE = 512, /* of k: so few products of bytes are exact in a float */
    NARROW_SLICE = 1024,
    PACKED_TILE = 384, /* the most rows and columns of a tile */
    NARROW_TILE = 1056,
    INT_LD_MAX = INT32_MAX
};

void *matrix_at(const struct matrix *m, int64_t batch, int64_t row,
                int64_t column)
{
    char *at = m->is_array
                   ? ((char *const *)m->at)[batch]
                   : (char *)m->at +
                         batch * m->stride * (int64_t)element_bytes(m->type);
    int64_t element = m->offset + row + column * m->ld;
    return at + element * (int64_t)element_bytes(m->type);
}

/* ---- scratch ---------------------------------------------------------- */

struct scratch {
    size_t bytes;
    _Alignas(64) char data[];
};

static pthread_key_t scratch_key;
static pthread_once_t scratch_once = PTHREAD_ONCE_INIT;

static void make_key(void)
{
    pthread_key_create(&scratch_key, free);
}

void *product_scratch(size_t bytes)
{
    pthread_once(&scratch_once, make_key);
    struct scratch *s = pthread_getspecific(scratch_key);
    if (s && s->bytes >= bytes)
        return s->data;
    free(s);
    s = aligned_alloc(64, (sizeof *s + bytes + 63) & ~(size_t)63);
    pthread_setspecific(scratch_key, s);
    if (!s)
        __builtin_trap();
    s->bytes = bytes;
    return s->data;
}

/* ---- one tile --------------------------------------------------------- */

static char op_letter(enum product_op op)
{
    return "NTCR"[op];
}

static struct product_tile tile_of(const struct product *p, uint64_t index)
{
    int64_t each = p->rows * p->columns;
    struct product_tile t = {.batch = (int64_t)index / each};
    int64_t in = (int64_t)index % each;
    t.row = in % p->rows * p->tile_m;
    t.column = in / p->rows * p->tile_n;
    t.rows = p->m - t.row < p->tile_m ? p->m - t.row : p->tile_m;
    t.columns = p->n - t.column < p->tile_n ? p->n - t.column : p->tile_n;
    return t;
}

/* The part of op(X) whose rows begin at `row` and whose columns at `column`. */
static void *part_of(const struct matrix *x, enum product_op op, int64_t batch,
                     int64_t row, int64_t column)
{
    bool as_stored = product_as_stored(op);
    return as_stored ? matrix_at(x, batch, row, column)
                     : matrix_at(x, batch, column, row);
}

/* Where D is one row: gemv with op(B)'s transpose. BLAS wants the lowest
 * address of a vector, also of one that runs backwards. */
static void compute_row(const struct product *p, const struct product_tile *t)
{
    char op = "TNRC"[p->op_b]; /* of op(B)'s transpose */
    bool as_stored = op == 'N' || op == 'R';
    int m = (int)(as_stored ? t->columns : p->k);
    int n = (int)(as_stored ? p->k : t->columns);
    int ldb = (int)p->b.ld, incx = (int)p->a.ld, incy = (int)p->d.ld;
    union blas_number alpha = blas_number(p->type, scalar_get(&p->alpha));
    union blas_number beta = blas_number(p->type, scalar_get(&p->beta));
    int64_t last = t->column + t->columns - 1;
    void *x = matrix_at(&p->a, t->batch, 0, incx < 0 ? p->k - 1 : 0);
    void *y = matrix_at(&p->d, t->batch, 0, incy < 0 ? last : t->column);
    void *b = part_of(&p->b, p->op_b, t->batch, 0, t->column);
    weft_blas[p->type].gemv(&op, &m, &n, &alpha, b, &ldb, x, &incx, &beta, y,
                            &incy);
}

static bool number_is_zero(enum blas_type type, const union blas_number *x)
{
    bool is_single = type == BLAS_S || type == BLAS_C;
    double re = is_single ? x->s[0] : x->d[0];
    double im = !blas_is_complex(type) ? 0 : is_single ? x->s[1] : x->d[1];
    return re == 0 && im == 0;
}

static void compute_in_place(const struct product *p,
                             const struct product_tile *t)
{
    char op_a = op_letter(p->op_a), op_b = op_letter(p->op_b);
    int m = (int)t->rows, n = (int)t->columns, k = (int)p->k;
    int lda = (int)p->a.ld, ldb = (int)p->b.ld, ldd = (int)p->d.ld;
    if (p->m == 1 && p->op_a == PRODUCT_N && p->k > 0) {
        compute_row(p, t);
        return;
    }
    union blas_number alpha = blas_number(p->type, scalar_get(&p->alpha));
    union blas_number beta = blas_number(p->type, scalar_get(&p->beta));
    if (number_is_zero(p->type, &alpha))
        k = 0; /* else OpenBLAS's kernel for small products reads A and B */
    void *d = matrix_at(&p->d, t->batch, t->row, t->column);
    const void *a = part_of(&p->a, p->op_a, t->batch, t->row, 0);
    const void *b = part_of(&p->b, p->op_b, t->batch, 0, t->column);
    if (small_gemm(p->type, p->op_a, p->op_b, t->rows, t->columns, p->k, &alpha,
                   a, p->a.ld, b, p->b.ld, &beta, d, p->d.ld))
        return;
    weft_blas[p->type].gemm(&op_a, &op_b, &m, &n, &k, &alpha, (void *)a, &lda,
                            (void *)b, &ldb, &beta, d, &ldd);
}

/* Converts rows x columns elements, as they are stored, to columns without
 * gaps. */
static void convert_columns(const struct matrix *x, enum blas_type type,
                            const char *from, void *to, int64_t rows,
                            int64_t columns)
{
    struct element e = element_of(x->type);
    size_t parts = (size_t)rows * e.parts;
    for (int64_t j = 0; j < columns; j++) {
        const char *column = from + j * x->ld * (int64_t)element_bytes(x->type);
        size_t done = (size_t)j * parts;
        if (type == BLAS_S || type == BLAS_C)
            element_to_float(e.part, column, (float *)to + done, parts);
        else
            element_to_double(e.part, column, (double *)to + done, parts);
    }
}

/* Converts the rows x columns part of op(X) that begins at `from`, as it is
 * stored; returns the ld of the result. */
static int convert_operand(const struct product *p, const struct matrix *x,
                           enum product_op op, const void *from, void *to,
                           int64_t rows, int64_t columns)
{
    bool as_stored = product_as_stored(op);
    int64_t down = as_stored ? rows : columns;
    convert_columns(x, p->type, from, to, down, as_stored ? columns : rows);
    return (int)(down ? down : 1);
}

/* A tile's scratch memory. */
struct packed {
    char *a, *b, *sums; /* a slice of k, converted; the tile's sums */
    int32_t *totals;    /* of integers: the sums of all slices */
};

static void packed_init(struct packed *s, const struct product *p)
{
    size_t element = blas_bytes(p->type);
    size_t a = (size_t)p->tile_m * SLICE * element;
    size_t b = (size_t)p->tile_n * SLICE * element;
    size_t sums = (size_t)p->tile_m * (size_t)p->tile_n * element;
    char *at = product_scratch(a + b + 2 * sums);
    *s =
        (struct packed){at, at + a, at + a + b, (int32_t *)(at + a + b + sums)};
}

static void add_totals(const struct packed *s, int64_t count, bool is_first)
{
    const float *sums = (const float *)s->sums;
    for (int64_t i = 0; i < count; i++)
        s->totals[i] = (int32_t)((is_first ? 0u : (uint32_t)s->totals[i]) +
                                 (uint32_t)(int32_t)sums[i]);
}

static void add_slice(const struct product *p, const struct packed *s,
                      const struct product_tile *t, int64_t from, int64_t k)
{
    int m = (int)t->rows, n = (int)t->columns, depth = (int)k;
    int lda = m, ldb = depth;
    char op_a = op_letter(p->op_a), op_b = op_letter(p->op_b);
    if (p->load) {
        p->load(p, false, t->batch, t->row, t->rows, from, k, s->a);
        p->load(p, true, t->batch, t->column, t->columns, from, k, s->b);
        op_a = op_b = 'N';
    } else {
        const void *a = part_of(&p->a, p->op_a, t->batch, t->row, from);
        const void *b = part_of(&p->b, p->op_b, t->batch, from, t->column);
        lda = convert_operand(p, &p->a, p->op_a, a, s->a, t->rows, k);
        ldb = convert_operand(p, &p->b, p->op_b, b, s->b, k, t->columns);
    }
    bool goes_on = from > 0 && !p->is_integer;
    union blas_number one = blas_number(p->type, (struct number){1, 0});
    union blas_number beta =
        blas_number(p->type, (struct number){goes_on ? 1 : 0, 0});
    weft_blas[p->type].gemm(&op_a, &op_b, &m, &n, &depth, &one, s->a, &lda,
                            s->b, &ldb, &beta, s->sums, &m);
    if (p->is_integer)
        add_totals(s, t->rows * t->columns, from == 0);
}

/* ---- one tile of narrow numbers --------------------------------------- */

/* op(A) from (row, from) on, as narrow.h wants it. */
static struct narrow narrow_of(const struct matrix *x, enum product_op op,
                               int64_t batch, int64_t row, int64_t from)
{
    bool as_stored = product_as_stored(op);
    return (struct narrow){
        .at = part_of(x, op, batch, row, from),
        .step = as_stored ? 1 : x->ld,
        .step_k = as_stored ? x->ld : 1,
    };
}

/* Which kernel for narrow numbers fits the types; NARROW_KINDS: none. */
static enum narrow_kind narrow_kind_of(const struct product *p)
{
    enum narrow_kind kind = NARROW_KINDS;
    if (p->load)
        return kind;
    if (p->is_integer && p->a.type == CUDA_R_8I && p->b.type == CUDA_R_8I)
        kind = NARROW_BYTES;
    if (p->type == BLAS_S && p->a.type == CUDA_R_16BF &&
        p->b.type == CUDA_R_16BF)
        kind = NARROW_BFLOATS;
    bool is_known = kind != NARROW_KINDS && narrow_has(kind, NARROW_BEST);
    return is_known ? kind : NARROW_KINDS;
}

/* Are the sums D as they are, without scaling or conversion? */
static bool is_plain(const struct product *p)
{
    struct number alpha = scalar_get(&p->alpha), beta = scalar_get(&p->beta);
    cudaDataType_t sums = p->is_integer ? CUDA_R_32I : CUDA_R_32F;
    return !p->finish && p->d.type == sums && alpha.re == 1 && beta.re == 0;
}

/* Sums over all k, a slice at a time: in D itself, where they are D (t->sums is
 * NULL then), else in t->sums. */
static void compute_narrow(const struct product *p, enum narrow_kind kind,
                           struct product_tile *t, int64_t k)
{
    int64_t slice = at_most(NARROW_SLICE, k);
    bool in_place = k > 0 && is_plain(p);
    size_t sums =
        in_place ? 0 : ((size_t)(t->rows * t->columns) * 4 + 63) & ~(size_t)63;
    char *room = product_scratch(
        sums + narrow_room(kind, NARROW_BEST, t->rows, t->columns, slice));
    struct narrow_sums to = {(int32_t *)room, t->rows, false};
    if (in_place) {
        to.at = matrix_at(&p->d, t->batch, t->row, t->column);
        to.ld = p->d.ld;
    }
    if (k == 0)
        memset(room, 0, sums);
    for (int64_t from = 0; from < k; from += slice) {
        struct narrow a = narrow_of(&p->a, p->op_a, t->batch, t->row, from);
        struct narrow b = {part_of(&p->b, p->op_b, t->batch, from, t->column),
                           p->b.ld, 1};
        if (!product_as_stored(p->op_b))
            b = (struct narrow){b.at, 1, p->b.ld};
        to.adds = from > 0;
        narrow_multiply(kind, NARROW_BEST, t->rows, t->columns,
                        at_most(slice, k - from), a, b, to, room + sums);
    }
    t->sums = in_place ? NULL : room;
}

/* ---- one tile of other types ------------------------------------------ */

static void compute_slices(const struct product *p, struct product_tile *t,
                           int64_t k)
{
    struct packed s;
    packed_init(&s, p);
    int64_t from = 0;
    do {
        int64_t left = k - from;
        add_slice(p, &s, t, from, left < SLICE ? left : SLICE);
        from += SLICE;
    } while (from < k);
    t->sums = p->is_integer ? (void *)s.totals : (void *)s.sums;
}

static void compute_packed(const struct product *p, struct product_tile *t)
{
    /* With alpha 0, A and B are not read. */
    struct number alpha = scalar_get(&p->alpha);
    bool is_zero = !p->finish && alpha.re == 0 && alpha.im == 0;
    int64_t k = is_zero ? 0 : p->k;
    enum narrow_kind kind = narrow_kind_of(p);
    if (kind != NARROW_KINDS)
        compute_narrow(p, kind, t, k);
    else
        compute_slices(p, t, k);
    if (t->sums)
        (p->finish ? p->finish : product_finish)(p, t);
}

/* ---- D from sums ------------------------------------------------------ */

/* sum = alpha * sum + beta * c (NULL: without it) for n components. */
#define FINISH(real)                                                           \
    static void finish_##real(real *sum, const real *c, size_t n,              \
                              unsigned parts, struct number alpha,             \
                              struct number beta)                              \
    {                                                                          \
        real ar = (real)alpha.re, ai = (real)alpha.im;                         \
        real br = (real)beta.re, bi = (real)beta.im;                           \
        for (size_t i = 0; parts == 1 && i < n; i++)                           \
            sum[i] = ar * sum[i] + (c ? br * c[i] : 0);                        \
        for (size_t i = 0; parts == 2 && i < n; i += 2) {                      \
            real re = ar * sum[i] - ai * sum[i + 1];                           \
            real im = ar * sum[i + 1] + ai * sum[i];                           \
            sum[i] = re + (c ? br * c[i] - bi * c[i + 1] : 0);                 \
            sum[i + 1] = im + (c ? br * c[i + 1] + bi * c[i] : 0);             \
        }                                                                      \
    }
FINISH(float)
FINISH(double)

/* D from sums of integers, in double, which holds them exactly. */
static void finish_integers(const struct product *p,
                            const struct product_tile *t, struct number alpha,
                            struct number beta)
{
    struct element c = element_of(p->c.type), d = element_of(p->d.type);
    double sums[128], old[128];
    bool is_copy = is_plain(p);
    for (int64_t j = 0; j < t->columns; j++) {
        if (is_copy) {
            memcpy(matrix_at(&p->d, t->batch, t->row, t->column + j),
                   (const int32_t *)t->sums + j * t->rows,
                   (size_t)t->rows * sizeof(int32_t));
            continue;
        }
        for (int64_t i = 0; i < t->rows; i += 128) {
            size_t n = (size_t)(t->rows - i < 128 ? t->rows - i : 128);
            const int32_t *from = (const int32_t *)t->sums + j * t->rows + i;
            bool has_c = beta.re != 0;
            element_to_double(PART_I32, from, sums, n);
            if (has_c)
                element_to_double(
                    c.part,
                    matrix_at(&p->c, t->batch, t->row + i, t->column + j), old,
                    n);
            finish_double(sums, has_c ? old : NULL, n, 1, alpha, beta);
            element_from_double(
                d.part, sums,
                matrix_at(&p->d, t->batch, t->row + i, t->column + j), n);
        }
    }
}

static void finish_column_float(const struct product *p,
                                const struct product_tile *t, int64_t j,
                                struct number alpha, struct number beta)
{
    struct element c = element_of(p->c.type), d = element_of(p->d.type);
    bool has_c = beta.re != 0 || beta.im != 0;
    size_t step = 128 / d.parts, n = (size_t)t->rows;
    float old[128];
    float *sums = (float *)t->sums + (size_t)j * n * d.parts;
    for (size_t i = 0; i < n; i += step) {
        size_t parts = (n - i < step ? n - i : step) * d.parts;
        int64_t row = t->row + (int64_t)i;
        if (has_c)
            element_to_float(c.part,
                             matrix_at(&p->c, t->batch, row, t->column + j),
                             old, parts);
        finish_float(sums + i * d.parts, has_c ? old : NULL, parts, d.parts,
                     alpha, beta);
    }
    element_from_float(d.part, sums,
                       matrix_at(&p->d, t->batch, t->row, t->column + j),
                       n * d.parts);
}

static void finish_column_double(const struct product *p,
                                 const struct product_tile *t, int64_t j,
                                 struct number alpha, struct number beta)
{
    struct element c = element_of(p->c.type), d = element_of(p->d.type);
    bool has_c = beta.re != 0 || beta.im != 0;
    size_t step = 128 / d.parts, n = (size_t)t->rows;
    double old[128];
    double *sums = (double *)t->sums + (size_t)j * n * d.parts;
    for (size_t i = 0; i < n; i += step) {
        size_t parts = (n - i < step ? n - i : step) * d.parts;
        int64_t row = t->row + (int64_t)i;
        if (has_c)
            element_to_double(c.part,
                              matrix_at(&p->c, t->batch, row, t->column + j),
                              old, parts);
        finish_double(sums + i * d.parts, has_c ? old : NULL, parts, d.parts,
                      alpha, beta);
    }
    element_from_double(d.part, sums,
                        matrix_at(&p->d, t->batch, t->row, t->column + j),
                        n * d.parts);
}

void product_finish(const struct product *p, const struct product_tile *t)
{
    struct number alpha = scalar_get(&p->alpha), beta = scalar_get(&p->beta);
    if (p->is_integer) {
        finish_integers(p, t, alpha, beta);
        return;
    }
    for (int64_t j = 0; j < t->columns; j++) {
        if (p->type == BLAS_S || p->type == BLAS_C)
            finish_column_float(p, t, j, alpha, beta);
        else
            finish_column_double(p, t, j, alpha, beta);
    }
}

/* ---- the kernel ------------------------------------------------------- */

static void run_in_place(const void *args, uint64_t first, uint64_t end)
{
    const struct product *p = args;
    for (uint64_t i = first; i < end; i++) {
        struct product_tile t = tile_of(p, i);
        compute_in_place(p, &t);
    }
}

static void run_packed(const void *args, uint64_t first, uint64_t end)
{
    const struct product *p = args;
    for (uint64_t i = first; i < end; i++) {
        struct product_tile t = tile_of(p, i);
        compute_packed(p, &t);
    }
}

static const struct native_kernel in_place = {
    .name = "gemm", .run = run_in_place, .args_bytes = sizeof(struct product)};
static const struct native_kernel packed = {
    .name = "gemm_convert", .run = run_packed, .args_bytes = PRODUCT_ARGS};

/* ---- the plan --------------------------------------------------------- */

static bool has_type(const struct matrix *m, enum blas_type type)
{
    return m->type == blas_element(type) && m->ld <= INT_LD_MAX &&
           m->ld >= -INT_LD_MAX;
}

static bool is_in_place(const struct product *p)
{
    return !p->finish && !p->load && !p->is_integer &&
           has_type(&p->a, p->type) && has_type(&p->b, p->type) &&
           has_type(&p->d, p->type) && p->a.ld && p->c.at == p->d.at &&
           p->c.ld == p->d.ld && p->c.stride == p->d.stride &&
           p->c.offset == p->d.offset && p->k <= INT_LD_MAX;
}

int64_t product_part(int64_t n, int64_t parts, int64_t unit)
{
    int64_t part = (n + parts - 1) / parts;
    return (part + unit - 1) / unit * unit;
}

/* What the thread with the most tiles computes, and what packing adds to it. */
static double cost_of(const struct product *p, int64_t m, int64_t n)
{
    int64_t threads = lib_thread_count();
    int64_t tiles = (p->m + m - 1) / m * ((p->n + n - 1) / n) * p->batch;
    double rounds = (double)((tiles + threads - 1) / threads);
    return rounds * (double)m * (double)n *
           (1 + 16.0 / (double)m + 16.0 / (double)n);
}

/* Chooses the size of tiles: about as many as there are threads, those that
 * cost least, and more where a tile would have over `limit` rows or columns.
 * Tiles have a multiple of `unit` rows. */
static void choose_tiles(struct product *p, int64_t limit, int64_t unit)
{
    int64_t threads = lib_thread_count();
    double work = (double)p->m * (double)p->n * (double)(p->k + 1);
    int64_t want = p->batch >= 4 * threads || work < 64.0 * 64 * 64
                       ? 1
                       : (threads + p->batch - 1) / p->batch;
    int64_t rows_min = (p->m + limit - 1) / limit;
    int64_t columns_min = (p->n + limit - 1) / limit;
    double best = 0;
    p->tile_m = p->tile_n = 0;
    for (int64_t rows = rows_min; rows <= rows_min * want || !best; rows++) {
        int64_t columns = (want + rows - 1) / rows;
        if (columns < columns_min)
            columns = columns_min;
        int64_t m = at_most(product_part(p->m, rows, unit), limit);
        int64_t n = at_most(product_part(p->n, columns, 8), limit);
        double cost = cost_of(p, m, n);
        if (best && cost >= best)
            continue;
        best = cost;
        p->tile_m = m;
        p->tile_n = n;
    }
    if (p->whole_rows) {
        p->tile_m = p->row_unit > 16 ? p->row_unit : 16;
        p->tile_n = p->n;
    }
    p->rows = (p->m + p->tile_m - 1) / p->tile_m;
    p->columns = (p->n + p->tile_n - 1) / p->tile_n;
}

CUresult product_run(struct product *p, size_t bytes, CUstream stream)
{
    bool direct = is_in_place(p);
    enum narrow_kind kind = direct ? NARROW_KINDS : narrow_kind_of(p);
    bool is_narrow = kind != NARROW_KINDS;
    int64_t unit = is_narrow ? narrow_rows(kind) : 16;
    while (p->row_unit > 0 && unit % p->row_unit)
        unit *= 2;
    choose_tiles(p,
                 direct      ? 1 << 24
                 : is_narrow ? NARROW_TILE
                             : PACKED_TILE,
                 unit);
    uint64_t tiles = (uint64_t)(p->rows * p->columns * p->batch);
    if (direct)
        return lib_run(&in_place, stream, tiles, p);
    char args[PRODUCT_ARGS] = {0};
    memcpy(args, p, bytes);
    return lib_run(&packed, stream, tiles, args);
}
