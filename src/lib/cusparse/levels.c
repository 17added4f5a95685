/* SPDX-License-Identifier: Apache-2.0 */
#include "levels.h"

#include <stdlib.h>

/* Below this many entries a level is not worth a launch of its own. */
enum { WIDE_ENTRIES = 16384, FEW_ROWS = 2048 };

struct search {
    struct sparse a;
    int64_t *order, *starts, *level, *count;
};

static int64_t level_of(const struct search *s, int64_t i)
{
    int64_t level = 0;
    for (struct cursor e = sparse_row(&s->a, i); sparse_next(&e);) {
        int64_t j = sparse_inside(e.minor, s->a.majors);
        if (j != i && (j < i) == s->a.is_lower && s->level[j] + 1 > level)
            level = s->level[j] + 1;
    }
    return level;
}

/* One tile. Rows by levels, and where levels start. */
static void search_levels(const void *args, uint64_t first, uint64_t end)
{
    const struct search *s = args;
    int64_t n = s->a.majors, count = 0;
    (void)first, (void)end;
    for (int64_t k = 0; k < n; k++) {
        int64_t i = s->a.is_lower ? k : n - 1 - k;
        s->level[i] = level_of(s, i);
        s->starts[s->level[i] + 1]++;
        if (s->level[i] >= count)
            count = s->level[i] + 1;
    }
    for (int64_t l = 0; l < count; l++)
        s->starts[l + 1] += s->starts[l];
    for (int64_t i = n - 1; i >= 0; i--)
        s->order[--s->starts[s->level[i] + 1]] = i;
    /* What was the end of a level has become its start. */
    for (int64_t l = 0; l < count; l++)
        s->starts[l] = s->starts[l + 1];
    s->starts[count] = n;
    *s->count = count;
}

static const struct native_kernel search_kernel = {
    "cusparse_levels", search_levels, sizeof(struct search), 0};

void levels_free(struct levels *levels)
{
    free(levels->order);
    free(levels->groups);
    *levels = (struct levels){0};
}

/* Narrow levels side by side become one group. */
static void make_groups(const struct search *s, struct levels *out)
{
    int64_t per_row = s->a.nnz * s->a.block_cols / s->a.majors + 1;
    for (int64_t l = 0; l < *s->count; l++) {
        struct group g = {s->starts[l], s->starts[l + 1], false};
        g.is_wide = (g.end - g.from) * per_row >= WIDE_ENTRIES;
        struct group *last = out->count ? &out->groups[out->count - 1] : NULL;
        if (last && !g.is_wide && !last->is_wide)
            last->end = g.end;
        else
            out->groups[out->count++] = g;
    }
}

static bool has_wide(const struct levels *levels)
{
    for (int64_t i = 0; i < levels->count; i++)
        if (levels->groups[i].is_wide)
            return true;
    return false;
}

static cusparseStatus_t search_now(cusparseHandle_t handle,
                                   const struct search *s, struct levels *out)
{
    CUresult err = lib_run(&search_kernel, handle->stream, 1, s);
    cusparseStatus_t status =
        err ? cusparse_status(err) : cusparse_wait(handle);
    if (status)
        return status;
    out->groups = malloc((size_t)*s->count * sizeof *out->groups);
    if (!out->groups)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    make_groups(s, out);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t levels_find(cusparseHandle_t handle, const struct work *w,
                             struct levels *out)
{
    int64_t count = 0;
    size_t n = (size_t)w->a.majors;
    levels_free(out);
    if (n < FEW_ROWS || lib_is_capturing(handle->stream) ||
        lib_thread_count() < 2)
        return CUSPARSE_STATUS_SUCCESS;
    struct search s = {.a = w->a, .count = &count};
    cusparseStatus_t status = CUSPARSE_STATUS_ALLOC_FAILED;
    s.order = malloc(n * sizeof(int64_t));
    s.starts = calloc(n + 2, sizeof(int64_t));
    s.level = malloc(n * sizeof(int64_t));
    out->order = s.order;
    if (s.order && s.starts && s.level)
        status = search_now(handle, &s, out);
    free(s.level);
    free(s.starts);
    if (status || !has_wide(out))
        levels_free(out);
    return status;
}

cusparseStatus_t levels_run(cusparseHandle_t handle, enum kernel k,
                            cudaDataType type, struct work *w,
                            const struct levels *levels)
{
    cusparseStatus_t status = CUSPARSE_STATUS_SUCCESS;
    w->order = levels->order;
    for (int64_t i = 0; i < levels->count && !status; i++) {
        w->from = levels->groups[i].from;
        w->end = levels->groups[i].end;
        w->pieces = levels->groups[i].is_wide ? 2 * lib_thread_count() : 1;
        status = cusparse_launch(handle, k, type, w->pieces, w);
    }
    return status;
}
