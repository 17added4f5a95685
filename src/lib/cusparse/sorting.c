/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting of indices; the order that it finds, for values. */
#include "internal.h"

#include "lib/common/pending.h"

#include <stdlib.h>
#include <string.h>

#define WRONG CUSPARSE_STATUS_INVALID_VALUE

struct sorting {
    int majors, nnz, base, value_bytes;
    int *major, *minor, *order; /* what is sorted */
    const int *from;            /* offsets of majors */
    char *values;
    int64_t pieces;
    struct place *room[2]; /* of the buffer: what is merged, into what */
    int64_t width;         /* pieces of a sorted run */
};

struct place {
    int major, minor, order, at;
};

#define KERNEL(name)                                                           \
    static const struct native_kernel kernel_##name = {                        \
        "cusparse_" #name, name, sizeof(struct sorting), 0}

/* By major, then by minor, then by where the entry was: none are equal. */
static int compare_places(const struct place *x, const struct place *y)
{
    if (x->major != y->major)
        return x->major < y->major ? -1 : 1;
    if (x->minor != y->minor)
        return x->minor < y->minor ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* ---- sorting places: few by insertion, many by digits ----------------- */

enum { FEW_PLACES = 32, DIGITS = 8, DIGIT_VALUES = 256 };

static void insert_places(struct place *p, int n)
{
    for (int k = 1; k < n; k++) {
        struct place next = p[k];
        int to = k;
        for (; to && compare_places(p + to - 1, &next) > 0; to--)
            p[to] = p[to - 1];
        p[to] = next;
    }
}

/* Bytes of minor, then of major, the lowest first; the sign is turned. */
static unsigned digit_of(const struct place *p, int digit)
{
    unsigned key = (unsigned)(digit < 4 ? p->minor : p->major) ^ 0x80000000U;
    return key >> digit % 4 * 8 & (DIGIT_VALUES - 1);
}

/* Counting sort by one digit, stable. starts: how many have each value. */
static void spread_places(const struct place *from, struct place *to, int n,
                          int digit, unsigned *starts)
{
    unsigned sum = 0;
    for (int v = 0; v < DIGIT_VALUES; v++) {
        unsigned count = starts[v];
        starts[v] = sum;
        sum += count;
    }
    for (int k = 0; k < n; k++)
        to[starts[digit_of(from + k, digit)]++] = from[k];
}

/* Sorts n places; room: for as many more. A digit that is the same in all
 * costs no pass. */
static void sort_places(struct place *p, struct place *room, int n)
{
    unsigned counts[DIGITS][DIGIT_VALUES] = {0};
    struct place *from = p, *to = room;
    if (n <= FEW_PLACES) {
        insert_places(p, n);
        return;
    }
    for (int k = 0; k < n; k++)
        for (int digit = 0; digit < DIGITS; digit++)
            counts[digit][digit_of(p + k, digit)]++;
    for (int digit = 0; digit < DIGITS; digit++) {
        if (counts[digit][digit_of(p, digit)] == (unsigned)n)
            continue;
        spread_places(from, to, n, digit, counts[digit]);
        struct place *spread = to;
        to = from;
        from = spread;
    }
    if (from != p)
        memcpy(p, from, (size_t)n * sizeof *p);
}

/* n entries from the given one on, sorted; room: for n places more. */
static void load_places(const struct sorting *s, struct place *p,
                        struct place *room, int from, int n)
{
    for (int k = 0; k < n; k++)
        p[k] = (struct place){s->major ? s->major[from + k] : 0,
                              s->minor[from + k],
                              s->order ? s->order[from + k] : 0, from + k};
    sort_places(p, room, n);
}

static void store_places(const struct sorting *s, const struct place *p,
                         int from, int n)
{
    for (int k = 0; k < n; k++) {
        if (s->major)
            s->major[from + k] = p[k].major;
        s->minor[from + k] = p[k].minor;
        if (s->order)
            s->order[from + k] = p[k].order;
    }
}

/* ---- all by major and minor: runs that are merged --------------------- */

static int run_start(const struct sorting *s, int64_t piece)
{
    if (piece > s->pieces)
        piece = s->pieces;
    return (int)((int64_t)s->nnz * piece / s->pieces);
}

static void sort_runs(const void *args, uint64_t first, uint64_t end)
{
    const struct sorting *s = args;
    for (uint64_t t = first; t < end; t++) {
        int from = run_start(s, (int64_t)t), to = run_start(s, (int64_t)t + 1);
        load_places(s, s->room[0] + from, s->room[1] + from, from, to - from);
    }
}
KERNEL(sort_runs);

/* Tile t merges runs 2 t and 2 t + 1. */
static void merge_runs(const void *args, uint64_t first, uint64_t end)
{
    const struct sorting *s = args;
    for (uint64_t t = first; t < end; t++) {
        int64_t run = (int64_t)t * 2 * s->width;
        int i = run_start(s, run), middle = run_start(s, run + s->width),
            j = middle;
        int high = run_start(s, run + 2 * s->width), to = i;
        for (; to < high; to++) {
            bool is_left = j >= high ||
                           (i < middle &&
                            compare_places(s->room[0] + i, s->room[0] + j) < 0);
            s->room[1][to] = s->room[0][is_left ? i++ : j++];
        }
    }
}
KERNEL(merge_runs);

static void store_runs(const void *args, uint64_t first, uint64_t end)
{
    const struct sorting *s = args;
    int from = run_start(s, (int64_t)first), to = run_start(s, (int64_t)end);
    store_places(s, s->room[0] + from, from, to - from);
}
KERNEL(store_runs);

static CUresult launch_sorting(cusparseHandle_t handle,
                               const struct native_kernel *k, int64_t tiles,
                               const struct sorting *s)
{
    return lib_run(k, handle->stream, (uint64_t)tiles, s);
}

static cusparseStatus_t sort_all(cusparseHandle_t handle, struct sorting *s,
                                 void *buffer)
{
    s->pieces = lib_thread_count();
    s->room[0] = buffer;
    s->room[1] = s->room[0] + s->nnz;
    CUresult err = launch_sorting(handle, &kernel_sort_runs, s->pieces, s);
    for (s->width = 1; s->width < s->pieces && !err; s->width *= 2) {
        int64_t pairs = (s->pieces + 2 * s->width - 1) / (2 * s->width);
        err = launch_sorting(handle, &kernel_merge_runs, pairs, s);
        struct place *sorted = s->room[1];
        s->room[1] = s->room[0];
        s->room[0] = sorted;
    }
    if (!err)
        err = launch_sorting(handle, &kernel_store_runs, s->pieces, s);
    return cusparse_status(err);
}

static cusparseStatus_t check_coo(cusparseHandle_t handle, int m, int n,
                                  int nnz)
{
    cusparseStatus_t status = cusparse_check_handle(handle);
    return !status && (m < 0 || n < 0 || nnz < 0) ? WRONG : status;
}

cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int m,
                                                int n, int nnz,
                                                const int *cooRowsA,
                                                const int *cooColsA,
                                                size_t *pBufferSizeInBytes)
{
    (void)cooRowsA, (void)cooColsA;
    cusparseStatus_t status = check_coo(handle, m, n, nnz);
    if (!status && !pBufferSizeInBytes)
        status = WRONG;
    if (!status)
        *pBufferSizeInBytes = 2 * sizeof(struct place) * (size_t)nnz + 16;
    return CUSPARSE_END(status);
}

static cusparseStatus_t sort_coordinates(cusparseHandle_t handle, int m, int n,
                                         int nnz, int *major, int *minor,
                                         int *order, void *buffer)
{
    struct sorting s = {
        .nnz = nnz, .major = major, .minor = minor, .order = order};
    cusparseStatus_t status = check_coo(handle, m, n, nnz);
    if (status || !nnz)
        return status;
    return major && minor && buffer ? sort_all(handle, &s, buffer) : WRONG;
}

cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int m, int n,
                                       int nnz, int *cooRowsA, int *cooColsA,
                                       int *P, void *pBuffer)
{
    return CUSPARSE_END(
        sort_coordinates(handle, m, n, nnz, cooRowsA, cooColsA, P, pBuffer));
}

cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int m, int n,
                                          int nnz, int *cooRowsA, int *cooColsA,
                                          int *P, void *pBuffer)
{
    return CUSPARSE_END(
        sort_coordinates(handle, m, n, nnz, cooColsA, cooRowsA, P, pBuffer));
}

/* ---- the minors of each major ----------------------------------------- */

/* For n entries and as much room to sort them. */
static struct place *places_for(int n)
{
    struct place *p = malloc((2 * (size_t)n + 1) * sizeof *p);
    if (!p)
        __builtin_trap();
    return p;
}

/* The tile's majors, and the widest of them. */
static int majors_of(const struct sorting *s, uint64_t first, uint64_t end,
                     int *low, int *high)
{
    int widest = 0;
    *low = (int)((int64_t)s->majors * (int64_t)first / s->pieces);
    *high = (int)((int64_t)s->majors * (int64_t)end / s->pieces);
    for (int i = *low; i < *high; i++)
        if (s->from[i + 1] - s->from[i] > widest)
            widest = s->from[i + 1] - s->from[i];
    return widest;
}

static void sort_majors(const void *args, uint64_t first, uint64_t end)
{
    const struct sorting *s = args;
    int low, high, widest = majors_of(s, first, end, &low, &high);
    struct place *p = places_for(widest);
    for (int i = low; i < high; i++) {
        int from = s->from[i] - s->base, n = s->from[i + 1] - s->from[i];
        load_places(s, p, p + widest, from, n);
        store_places(s, p, from, n);
    }
    free(p);
}
KERNEL(sort_majors);

#define SORT_BYTES(name)                                                       \
    cusparseStatus_t cusparse##name##_bufferSizeExt(                           \
        cusparseHandle_t handle, int m, int n, int nnz, const int *major,      \
        const int *minor, size_t *pBufferSizeInBytes)                          \
    {                                                                          \
        (void)major, (void)minor;                                              \
        cusparseStatus_t status = check_coo(handle, m, n, nnz);                \
        if (!status && !pBufferSizeInBytes)                                    \
            status = WRONG;                                                    \
        if (!status)                                                           \
            *pBufferSizeInBytes = 8;                                           \
        return CUSPARSE_END(status);                                           \
    }
SORT_BYTES(Xcsrsort)
SORT_BYTES(Xcscsort)

static cusparseStatus_t sort_compressed(cusparseHandle_t handle, int majors,
                                        int minors, int nnz,
                                        cusparseMatDescr_t descr,
                                        const int *ptr, int *ind, int *order,
                                        const void *buffer)
{
    struct sorting s = {.majors = majors,
                        .nnz = nnz,
                        .base = descr ? (int)descr->base : 0,
                        .from = ptr,
                        .minor = ind,
                        .order = order,
                        .pieces = cusparse_pieces((int64_t)nnz * 8)};
    cusparseStatus_t status = check_coo(handle, majors, minors, nnz);
    if (status)
        return status;
    if (!descr || !ptr || !buffer || (nnz && !ind))
        return WRONG;
    return cusparse_status(
        launch_sorting(handle, &kernel_sort_majors, s.pieces, &s));
}

cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int n,
                                  int nnz, const cusparseMatDescr_t descrA,
                                  const int *csrRowPtrA, int *csrColIndA,
                                  int *P, void *pBuffer)
{
    return CUSPARSE_END(sort_compressed(handle, m, n, nnz, descrA, csrRowPtrA,
                                        csrColIndA, P, pBuffer));
}

cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int m, int n,
                                  int nnz, const cusparseMatDescr_t descrA,
                                  const int *cscColPtrA, int *cscRowIndA,
                                  int *P, void *pBuffer)
{
    return CUSPARSE_END(sort_compressed(handle, n, m, nnz, descrA, cscColPtrA,
                                        cscRowIndA, P, pBuffer));
}

/* ---- with values, and back -------------------------------------------- */

struct csru2csrInfo {
    int *order; /* where each sorted entry was, in its major */
    int count;
    struct pending pending; /* kernels that use it */
};

cusparseStatus_t cusparseCreateCsru2csrInfo(csru2csrInfo_t *info)
{
    if (!info)
        return CUSPARSE_END(WRONG);
    *info = calloc(1, sizeof **info);
    return CUSPARSE_END(*info ? CUSPARSE_STATUS_SUCCESS
                              : CUSPARSE_STATUS_ALLOC_FAILED);
}

static void forget_order(csru2csrInfo_t info)
{
    pending_wait(&info->pending);
    free(info->order);
    info->order = NULL;
}

cusparseStatus_t cusparseDestroyCsru2csrInfo(csru2csrInfo_t info)
{
    if (info)
        forget_order(info);
    free(info);
    return CUSPARSE_END(CUSPARSE_STATUS_SUCCESS);
}

/* Entries of a major, in another order: number k comes from, or goes to, place
 * order[k]. */
static void permute_entries(const struct sorting *s, int from, int n,
                            bool is_back, struct place *p, char *values)
{
    size_t size = (size_t)s->value_bytes;
    for (int k = 0; k < n; k++) {
        int was = s->order[from + k];
        int to = is_back ? was : k, at = is_back ? k : was;
        p[to].minor = s->minor[from + at];
        memcpy(values + to * size, s->values + (from + at) * size, size);
    }
    for (int k = 0; k < n; k++)
        s->minor[from + k] = p[k].minor;
    memcpy(s->values + from * size, values, (size_t)n * size);
}

static void permute_majors(const struct sorting *s, uint64_t first,
                           uint64_t end, bool is_back)
{
    int low, high, widest = majors_of(s, first, end, &low, &high);
    struct place *p = places_for(widest);
    char *values = malloc(((size_t)widest + 1) * (size_t)s->value_bytes);
    if (!values)
        __builtin_trap();
    for (int i = low; i < high; i++) {
        int from = s->from[i] - s->base, n = s->from[i + 1] - s->from[i];
        if (from < 0 || n < 0 || (int64_t)from + n > s->nnz)
            __builtin_trap(); /* order has nnz numbers */
        struct sorting one = *s;
        one.order = NULL;
        if (!is_back)
            load_places(&one, p, p + widest, from, n);
        for (int k = 0; k < n && !is_back; k++)
            s->order[from + k] = p[k].at - from;
        permute_entries(s, from, n, is_back, p, values);
    }
    free(values);
    free(p);
}

static void sort_values(const void *args, uint64_t first, uint64_t end)
{
    permute_majors(args, first, end, false);
}
KERNEL(sort_values);

static void unsort_values(const void *args, uint64_t first, uint64_t end)
{
    permute_majors(args, first, end, true);
}
KERNEL(unsort_values);

/* The order is found where there is none, and kept for the way back. */
static cusparseStatus_t sort_with_values(cusparseHandle_t handle, int m, int n,
                                         int nnz, cusparseMatDescr_t descr,
                                         int value_bytes, void *val,
                                         const int *ptr, int *ind,
                                         csru2csrInfo_t info, bool is_back)
{
    cusparseStatus_t status = check_coo(handle, m, n, nnz);
    if (status)
        return status;
    if (!descr || !ptr || !info || !ind || !val || m < 1 || n < 1 || nnz < 1 ||
        (is_back && (!info->order || info->count != nnz)))
        return WRONG;
    if (!is_back) {
        forget_order(info);
        info->order = malloc(((size_t)nnz + 1) * sizeof(int));
        info->count = nnz;
    }
    if (!info->order)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    struct sorting s = {.majors = m,
                        .nnz = nnz,
                        .base = descr->base,
                        .value_bytes = value_bytes,
                        .from = ptr,
                        .minor = ind,
                        .order = info->order,
                        .values = val,
                        .pieces = cusparse_pieces((int64_t)nnz * 8)};
    status = cusparse_status(launch_sorting(
        handle, is_back ? &kernel_unsort_values : &kernel_sort_values, s.pieces,
        &s));
    pending_note(&info->pending, handle->stream);
    return status;
}

#define TYPED "lib/cusparse/sorting_typed.h"
#include "lib/cusparse/each_type.h"
