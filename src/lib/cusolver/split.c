/* SPDX-License-Identifier: Apache-2.0 */
/* On all threads (split.h): LU, Cholesky, solutions of many right sides. */
#include "split.h"

enum {
    UNIT = 16,       /* widths are multiples of it */
    WIDTH_MAX = 256, /* of a panel */
    SMALLEST = 256,  /* matrix that is split */
    PARTS = 4,       /* of the columns, for each thread */
};

static int larger_of(int a, int b)
{
    return a > b ? a : b;
}

static int round_up(int n)
{
    return (n + UNIT - 1) / UNIT * UNIT;
}

/* ---- steps ------------------------------------------------------------ */

/*
 * One thread factors the next panel, w columns of m rows, while the others
 * apply the last panel to the columns right of it. A panel costs 3 w^2 m
 * operations at 0.6 of the speed of the others' products, which cost 2 w m for
 * each column. Both take the same time if w is about 2/5 of a thread's share of
 * the columns.
 */
int split_width(int count, int first)
{
    int left = count - first;
    int w = round_up(left * 2 / 5 / (int)lib_thread_count());
    w = smaller_of(larger_of(w, 4 * UNIT), WIDTH_MAX);
    return left < w + w / 2 ? left : w;
}

int split_parts(int count, int *part)
{
    int parts = PARTS * (int)lib_thread_count();
    *part = larger_of(round_up((count + parts - 1) / parts), 2 * UNIT);
    return (count + *part - 1) / *part;
}

CUresult split_launch(const struct native_kernel *k, CUstream stream, int tiles,
                      const struct step *t)
{
    return lib_run(k, stream, (uint64_t)tiles, t);
}

bool split_has_failed(const struct step *t)
{
    int info = __atomic_load_n(t->j.info, __ATOMIC_RELAXED);
    return info != 0 && info <= t->end;
}

void split_fail(const struct job *j, int info)
{
    if (__atomic_load_n(j->info, __ATOMIC_RELAXED) == 0)
        __atomic_store_n(j->info, info, __ATOMIC_RELAXED);
}

void split_run_tiles(const struct step *t, int first, int end,
                     void (*factor)(const struct job *j, int first, int end),
                     void (*apply)(const struct step *t, int from, int to))
{
    bool has_panel = t->end < t->next;
    for (int i = first; i < end; i++) {
        if (i == 0 && t->end == 0 && t->j.info)
            *t->j.info = 0;
        if (i == 0 && has_panel) {
            if (t->end > 0)
                apply(t, t->end, t->next);
            factor(&t->j, t->end, t->next);
            continue;
        }
        int from = t->next + (i - has_panel) * t->part;
        apply(t, from, smaller_of(from + t->part, t->j.n));
    }
}

/* ---- LU --------------------------------------------------------------- */

/* As LAPACK's, of 32 bits; run_widen makes those of 64. */
static int *pivots_of(const struct job *j)
{
    return j->pivots;
}

/* Columns [first, end) of the job, from row `first` on. */
static void factor_panel(const struct job *all, int first, int end)
{
    struct job j = *all;
    int info = 0;
    j.a = job_element(all, first, first);
    j.m -= first;
    j.n = end - first;
    if (all->pivots) {
        int *pivots = pivots_of(all) + first;
        blas_of(&j)->getrf(&j.m, &j.n, j.a, &j.lda, pivots, &info);
        for (int i = 0; i < smaller_of(j.m, j.n); i++)
            pivots[i] += first;
    } else {
        lu_without_pivots(&j, &info);
    }
    if (info > 0)
        split_fail(all, first + info);
}

/* Exchanges rows of the columns [from, to) by the pivots [first, end). */
static void swap_rows(const struct job *j, int from, int to, int first, int end)
{
    int columns = to - from, one = 1, k1 = first + 1;
    if (j->pivots && columns > 0 && first < end)
        lapack_of(j)->laswp(&columns, job_element(j, 0, from), &j->lda, &k1,
                            &end, pivots_of(j), &one);
}

/* Applies the last panel to the columns [from, to). */
static void apply_panel(const struct step *t, int from, int to)
{
    const struct job *j = &t->j;
    union number one = number_of(j->type, 1), minus = number_of(j->type, -1);
    int w = t->end - t->first, columns = to - from, below = j->m - t->end;
    swap_rows(j, from, to, t->first, t->end);
    blas_of(j)->trsm("L", "L", "N", "U", &w, &columns, &one,
                     job_element(j, t->first, t->first), &j->lda,
                     job_element(j, t->first, from), &j->lda);
    if (below > 0)
        blas_of(j)->gemm("N", "N", &below, &columns, &w, &minus,
                         job_element(j, t->end, t->first), &j->lda,
                         job_element(j, t->first, from), &j->lda, &one,
                         job_element(j, t->end, from), &j->lda);
}

static void run_lu(const void *args, uint64_t first, uint64_t end)
{
    split_run_tiles(args, (int)first, (int)end, factor_panel, apply_panel);
}

/* Exchanges rows in the columns left of each panel by its pivots. */
static void run_swaps(const void *args, uint64_t first, uint64_t end)
{
    const struct step *t = args;
    int count = smaller_of(t->j.m, t->j.n);
    for (int i = (int)first; i < (int)end; i++) {
        int from = i * t->part, to = smaller_of(from + t->part, count);
        for (int c = from; c < to;) {
            int panel = c;
            int panel_end = 0;
            while (panel_end <= c) {
                panel = panel_end;
                panel_end += split_width(count, panel);
            }
            int stop = smaller_of(panel_end, to);
            swap_rows(&t->j, c, stop, panel_end, count);
            c = stop;
        }
    }
}

/* From the end, since pivots of 64 bits take the place of those of 32. */
static void run_widen(const void *args, uint64_t first, uint64_t end)
{
    (void)first, (void)end;
    const struct step *t = args;
    const int *from = pivots_of(&t->j);
    int64_t *to = t->j.pivots;
    for (int i = smaller_of(t->j.m, t->j.n) - 1; i >= 0; i--)
        __atomic_store_n(to + i, __atomic_load_n(from + i, __ATOMIC_RELAXED),
                         __ATOMIC_RELAXED);
}

static const struct native_kernel lu = {"cusolver_lu", run_lu,
                                        sizeof(struct step), 1 << 20};
static const struct native_kernel swaps = {"cusolver_lu_swaps", run_swaps,
                                           sizeof(struct step), 1 << 20};
static const struct native_kernel widen = {"cusolver_lu_widen", run_widen,
                                           sizeof(struct step), 0};

static CUresult finish_pivots(CUstream stream, struct step *t, int count)
{
    CUresult err =
        split_launch(&swaps, stream, split_parts(count, &t->part), t);
    if (!err && t->j.has_wide_pivots)
        err = split_launch(&widen, stream, 1, t);
    return err;
}

bool split_getrf(CUstream stream, const struct job *j, CUresult *err)
{
    int count = smaller_of(j->m, j->n);
    struct step t = {.j = *j};
    if (lib_thread_count() == 1 || count < SMALLEST)
        return false;
    t.next = split_width(count, 0);
    *err = split_launch(&lu, stream, 1, &t);
    while (!*err && t.end < count) {
        t.first = t.end;
        t.end = t.next;
        t.next += t.end < count ? split_width(count, t.end) : 0;
        int parts = split_parts(j->n - t.next, &t.part);
        if (parts + (t.end < t.next) > 0)
            *err = split_launch(&lu, stream, parts + (t.end < t.next), &t);
    }
    if (!*err && j->pivots)
        *err = finish_pivots(stream, &t, count);
    return true;
}

/* ---- Cholesky --------------------------------------------------------- */

/* Where a block of the lower triangle begins; with uplo 'U', where its
 * transpose in the upper triangle does. */
static void *block_at(const struct job *j, int row, int column)
{
    return j->uplo == 'L' ? job_element(j, row, column)
                          : job_element(j, column, row);
}

static void factor_diagonal(const struct job *j, int first, int end)
{
    int n = end - first, info = 0;
    lapack_of(j)->potrf(&j->uplo, &n, job_element(j, first, first), &j->lda,
                        &info, 1);
    if (info > 0)
        split_fail(j, first + info);
}

/* The panel below its diagonal block; a tile is a part of its rows. */
static void run_below(const void *args, uint64_t first, uint64_t end)
{
    const struct step *t = args;
    const struct job *j = &t->j;
    union number one = number_of(j->type, 1);
    int w = t->end - t->first;
    const char *side = j->uplo == 'L' ? "R" : "L";
    for (int i = (int)first; i < (int)end; i++) {
        int from = t->end + i * t->part;
        int rows = smaller_of(t->part, j->n - from);
        if (split_has_failed(t))
            return;
        blas_of(j)->trsm(side, &j->uplo, "C", "N", j->uplo == 'L' ? &rows : &w,
                         j->uplo == 'L' ? &w : &rows, &one,
                         job_element(j, t->first, t->first), &j->lda,
                         block_at(j, from, t->first), &j->lda);
    }
}

/* Subtracts the panel's product from a square right of it; row and column count
 * squares. */
static void change_square(const struct step *t, int row, int column)
{
    const struct job *j = &t->j;
    union number one = number_of(j->type, 1), minus = number_of(j->type, -1);
    int w = t->end - t->first, r = t->end + row * t->part;
    int c = t->end + column * t->part;
    int rows = smaller_of(t->part, j->n - r),
        columns = smaller_of(t->part, j->n - c);
    bool is_lower = j->uplo == 'L';
    if (row == column)
        blas_of(j)->herk(&j->uplo, is_lower ? "N" : "C", &rows, &w, &minus,
                         block_at(j, r, t->first), &j->lda, &one,
                         job_element(j, r, r), &j->lda);
    else if (is_lower)
        blas_of(j)->gemm("N", "C", &rows, &columns, &w, &minus,
                         block_at(j, r, t->first), &j->lda,
                         block_at(j, c, t->first), &j->lda, &one,
                         block_at(j, r, c), &j->lda);
    else
        blas_of(j)->gemm("C", "N", &columns, &rows, &w, &minus,
                         block_at(j, c, t->first), &j->lda,
                         block_at(j, r, t->first), &j->lda, &one,
                         block_at(j, r, c), &j->lda);
}

/* Tiles are squares, counted along the rows of the lower triangle. The first is
 * the next panel's diagonal block, which is then factored. */
static void run_squares(const void *args, uint64_t first, uint64_t end)
{
    const struct step *t = args;
    for (uint64_t i = first; i < end; i++) {
        int row = 0, tile = (int)i;
        while (tile > row)
            tile -= ++row;
        if (i == 0 && t->end == 0)
            *t->j.info = 0;
        if (split_has_failed(t))
            return;
        if (t->end > 0)
            change_square(t, row, tile);
        if (i == 0)
            factor_diagonal(&t->j, t->end, t->next);
    }
}

static const struct native_kernel below = {"cusolver_cholesky_below", run_below,
                                           sizeof(struct step), 1 << 20};
static const struct native_kernel squares = {"cusolver_cholesky", run_squares,
                                             sizeof(struct step), 1 << 20};

/* The width of squares and panels: enough squares for all threads. */
static int square_width(int n)
{
    int w = round_up(n / (3 * (int)lib_thread_count()));
    return smaller_of(larger_of(w, 6 * UNIT), WIDTH_MAX);
}

bool split_potrf(CUstream stream, const struct job *j, CUresult *err)
{
    int w = square_width(j->n);
    struct step t = {.j = *j, .next = w};
    if (lib_thread_count() == 1 || j->n < SMALLEST)
        return false;
    *err = split_launch(&squares, stream, 1, &t);
    while (!*err && t.next < j->n) {
        t.first = t.end;
        t.end = t.next;
        *err = split_launch(&below, stream, split_parts(j->n - t.end, &t.part),
                            &t);
        t.next = smaller_of(t.end + w, j->n);
        t.part = w;
        int count = (j->n - t.end + w - 1) / w;
        if (!*err)
            *err = split_launch(&squares, stream, count * (count + 1) / 2, &t);
    }
    return true;
}

/* ---- right-hand sides ------------------------------------------------- */

static void run_columns(const void *args, uint64_t first, uint64_t end)
{
    const struct step *t = args;
    for (int i = (int)first; i < (int)end; i++) {
        struct job j = t->j;
        int info = 0;
        j.nrhs = smaller_of(t->part, j.nrhs - i * t->part);
        j.b = (char *)j.b +
              (int64_t)i * t->part * j.ldb * (int64_t)element_bytes(j.type);
        j.run(&j, NULL, &info);
        if (i == 0 && j.info)
            *j.info = info;
    }
}

static const struct native_kernel columns = {"cusolver_solve", run_columns,
                                             sizeof(struct step), 1 << 20};

bool split_solve(CUstream stream, const struct job *j, CUresult *err)
{
    struct step t = {.j = *j};
    if (lib_thread_count() == 1 || j->nrhs < 4 * UNIT || j->n < 4 * UNIT)
        return false;
    *err = split_launch(&columns, stream, split_parts(j->nrhs, &t.part), &t);
    return true;
}
