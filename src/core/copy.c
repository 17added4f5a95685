/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies and fills in stream order. A large one is a kernel of ours whose
 * blocks are pieces of the memory, so that all SMs share it. A small one with
 * no work before it is done by the calling thread.
 */
#include "core/capture_hooks.h"
#include "core/check.h"

#include <stdlib.h>

#include "base/size.h"
#include "core/copy_row.h"

#define PIECE_BYTES      ((size_t)WEFT_SIZE(256 << 10, 4096))
#define STAGED_BYTES_MAX ((size_t)64 << 10) /* as on hardware */
/* Copies up to this size are not worth a second thread. */
#define INLINE_BYTES ((size_t)WEFT_SIZE(512 << 10, 0))

/* Parameters of the copy kernel. Piece i is rows [i * rows, ...) of all slices
 * or, if there is one row, a range of bytes. */
struct job {
    struct mem_copy copy;   /* source unused in a fill */
    uint32_t value;         /* of a fill */
    unsigned element_bytes; /* 1, 2, 4; 0: a copy */
    size_t rows_per_piece;
    size_t pieces_per_row; /* > 1 only for long rows */
    uint64_t piece_count;
    bool is_streamed; /* larger than the last cache */
    /* The host's: may not be there. */
    bool is_source_hosts, is_destination_hosts;
};

/* ---- pieces ----------------------------------------------------------- */

static void fill_row(uint8_t *p, uint32_t value, unsigned element_bytes,
                     size_t size_bytes)
{
    assert(element_bytes && size_bytes % element_bytes == 0);
    if (element_bytes == 1) {
        memset(p, (int)value, size_bytes);
        return;
    }
    for (size_t i = 0; i < size_bytes; i += element_bytes)
        memcpy(p + i, &value, element_bytes);
}

static void do_row(const struct job *j, size_t row, size_t first, size_t end)
{
    assert(first < end && end <= j->copy.width_bytes);
    assert(row < j->copy.height * j->copy.depth);
    const struct mem_copy *c = &j->copy;
    size_t slice = row / c->height, line = row % c->height;
    uint8_t *to = (uint8_t *)c->destination + slice * c->destination_slice +
                  line * c->destination_pitch + first;
    if (j->element_bytes) {
        check_values_set(to, end - first);
        fill_row(to, j->value, j->element_bytes, end - first);
        return;
    }
    const uint8_t *from = (const uint8_t *)c->source + slice * c->source_slice +
                          line * c->source_pitch + first;
    check_values_copied(to, from - first, c->width_bytes, first, end);
    if (j->is_streamed)
        copy_row_streamed(to, from, end - first);
    else
        memcpy(to, from, end - first);
}

static void do_piece(const struct job *j, uint64_t piece)
{
    assert(piece < j->piece_count);
    const struct mem_copy *c = &j->copy;
    size_t rows = c->height * c->depth;
    if (j->pieces_per_row > 1) {
        size_t row = piece / j->pieces_per_row;
        size_t first = piece % j->pieces_per_row * PIECE_BYTES;
        size_t end = first + PIECE_BYTES;
        do_row(j, row, first, end < c->width_bytes ? end : c->width_bytes);
        return;
    }
    size_t row = piece * j->rows_per_piece, end = row + j->rows_per_piece;
    for (; row < end && row < rows; row++)
        do_row(j, row, 0, c->width_bytes);
}

static void job_kernel(struct exec_warp *w)
{
    const struct job *j = (const void *)w->launch->params;
    for (uint64_t i = w->block_first; i < w->block_end; i++)
        do_piece(j, i);
}

static void run_inline(const struct job *j)
{
    assert(j->piece_count > 0);
    for (uint64_t i = 0; i < j->piece_count; i++)
        do_piece(j, i);
}

static void run_pieces(void *job)
{
    run_inline(job);
}

/* By this thread. False: some of the host's memory is not there. */
static bool run_here(struct job *j)
{
    if (j->is_source_hosts || j->is_destination_hosts)
        return exec_try(run_pieces, j);
    run_inline(j);
    return true;
}

/* ---- planning --------------------------------------------------------- */

/* Makes one long row of rows without gaps. */
static void join_rows(struct mem_copy *c)
{
    assert(c->width_bytes && c->height && c->depth);
    if (c->height > 1 && c->source_pitch == c->width_bytes &&
        c->destination_pitch == c->width_bytes) {
        c->width_bytes *= c->height;
        c->height = 1;
    }
    if (c->depth > 1 && c->height == 1 && c->source_slice == c->width_bytes &&
        c->destination_slice == c->width_bytes) {
        c->width_bytes *= c->depth;
        c->depth = 1;
    }
}

static void plan_pieces(struct job *j)
{
    struct mem_copy *c = &j->copy;
    join_rows(c);
    size_t rows = c->height * c->depth;
    j->is_streamed = c->width_bytes * rows > exec_cache_bytes();
    if (c->width_bytes > PIECE_BYTES) {
        j->pieces_per_row = (c->width_bytes + PIECE_BYTES - 1) / PIECE_BYTES;
        j->piece_count = rows * j->pieces_per_row;
        return;
    }
    j->pieces_per_row = 1;
    j->rows_per_piece = PIECE_BYTES / c->width_bytes;
    j->piece_count = (rows + j->rows_per_piece - 1) / j->rows_per_piece;
}

/* The task for a job; takes over `own`, which is malloc'ed. NULL: out of
 * memory. */
static struct exec_task *make_task_of(CUcontext ctx, struct job *own)
{
    if (!own)
        return NULL;
    struct exec_kernel k = {
        .fn = job_kernel,
        .stack_bytes = 4096,
        .params_storage = own,
        .launch =
            {
                .params = (const uint8_t *)own,
                .grid = {1, 1, 1},
                .block = {WEFT_WARP_LANES, 1, 1},
                .block_count = own->piece_count,
            },
    };
    struct exec_task *t = exec_task_kernel(&k);
    if (!t) {
        free(own);
        return NULL;
    }
    exec_task_on_done(t, ctx_task_done, ctx);
    exec_task_cancel_if(t, &ctx->sticky);
    return t;
}

static struct exec_task *make_task(CUcontext ctx, const struct job *job)
{
    struct job *own = malloc(sizeof *own);
    if (own)
        *own = *job;
    return make_task_of(ctx, own);
}

struct exec_task *copy_task(CUcontext ctx, const struct mem_copy *copy,
                            uint32_t value, unsigned element_bytes)
{
    struct job j = {
        .copy = *copy,
        .value = value,
        .element_bytes = element_bytes,
    };
    plan_pieces(&j);
    return make_task(ctx, &j);
}

static CUresult submit_job(CUstream s, const struct job *j, bool wait)
{
    assert(j->piece_count > 0);
    struct exec_task *t = make_task(s->ctx, j);
    if (!t)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult err = stream_submit(s, t);
    if (!err && wait) {
        exec_wait(t, EXEC_WAIT_HELP);
        exec_printf_flush();
        err = ctx_sticky(s->ctx);
    }
    exec_task_unref(t);
    return err;
}

/* Bytes from the first to the last of a box; SIZE_MAX: more than there are
 * addresses. */
static size_t copy_extent(const struct mem_copy *c, size_t pitch, size_t slice)
{
    size_t slices, rows, bytes;
    if (c->width_bytes == 0 || c->height == 0 || c->depth == 0)
        return 0;
    if (__builtin_mul_overflow(c->depth - 1, slice, &slices) ||
        __builtin_mul_overflow(c->height - 1, pitch, &rows) ||
        __builtin_add_overflow(slices, rows, &bytes) ||
        __builtin_add_overflow(bytes, c->width_bytes, &bytes))
        return SIZE_MAX;
    return bytes;
}

/* Of the host's memory, before another thread copies it later. Between rows
 * there may be nothing. */
static bool is_there(const void *p, size_t extent_bytes, bool to_write,
                     bool is_row)
{
    return (!is_row || mem_is_reachable(p, extent_bytes)) &&
           mem_can_touch(p, extent_bytes, to_write);
}

static bool are_sides_there(const struct job *j)
{
    const struct mem_copy *c = &j->copy;
    bool is_row = c->height * c->depth == 1;
    return (!j->is_source_hosts ||
            is_there(c->source,
                     copy_extent(c, c->source_pitch, c->source_slice), false,
                     is_row)) &&
           (!j->is_destination_hosts ||
            is_there(c->destination,
                     copy_extent(c, c->destination_pitch, c->destination_slice),
                     true, is_row));
}

static CUresult run_job(CUstream s, struct job *j, bool wait)
{
    CUresult err = ctx_sticky(s->ctx);
    if (err)
        return err;
    const struct mem_copy *c = &j->copy;
    if (c->width_bytes == 0 || c->height == 0 || c->depth == 0)
        return wait ? stream_synchronize(s) : CUDA_SUCCESS;
    plan_pieces(j);
    if (j->piece_count * PIECE_BYTES <= INLINE_BYTES && stream_is_idle(s)) {
        if (!run_here(j))
            return CUDA_ERROR_INVALID_VALUE;
        if (wait)
            exec_printf_flush();
        return ctx_sticky(s->ctx); /* another's memory may be gone */
    }
    if (!are_sides_there(j))
        return CUDA_ERROR_INVALID_VALUE;
    return submit_job(s, j, wait);
}

/* ---- the API ---------------------------------------------------------- */

CUresult mem_copy_box(CUstream s, const struct mem_copy *copy, bool wait)
{
    CUresult err;
    struct job j = {.copy = *copy,
                    .is_source_hosts = mem_is_hosts(copy->source),
                    .is_destination_hosts = mem_is_hosts(copy->destination)};
    size_t from = copy_extent(copy, copy->source_pitch, copy->source_slice);
    size_t to =
        copy_extent(copy, copy->destination_pitch, copy->destination_slice);
    if (from &&
        (!mem_holds(copy->source, from) || !mem_holds(copy->destination, to)))
        return CUDA_ERROR_INVALID_VALUE;
    return capture_copy(s, copy, &err) ? err : run_job(s, &j, wait);
}

/* A job with a copy of its source behind it, without gaps. INVALID_VALUE: the
 * source is not there. */
static CUresult with_source(const struct mem_copy *c, size_t size_bytes,
                            struct job **out)
{
    struct job *own = malloc(sizeof *own + size_bytes);
    if (!own)
        return CUDA_ERROR_OUT_OF_MEMORY;
    size_t slice = c->width_bytes * c->height;
    struct job gather = {.copy = *c, .is_source_hosts = true};
    gather.copy.destination = own + 1;
    gather.copy.destination_pitch = c->width_bytes;
    gather.copy.destination_slice = slice;
    plan_pieces(&gather);
    if (!run_here(&gather)) {
        free(own);
        return CUDA_ERROR_INVALID_VALUE;
    }
    *own = (struct job){.copy = *c};
    own->copy.source = own + 1;
    own->copy.source_pitch = c->width_bytes;
    own->copy.source_slice = slice;
    plan_pieces(own);
    *out = own;
    return CUDA_SUCCESS;
}

CUresult mem_copy_staged(CUstream s, const struct mem_copy *c)
{
    size_t rows, size_bytes;
    CUresult err;
    if (capture_copy(s, c, &err))
        return err;
    if (__builtin_mul_overflow(c->height, c->depth, &rows) ||
        __builtin_mul_overflow(rows, c->width_bytes, &size_bytes) ||
        size_bytes == 0 || size_bytes > STAGED_BYTES_MAX || stream_is_idle(s))
        return mem_copy_box(s, c, true);
    size_t to = copy_extent(c, c->destination_pitch, c->destination_slice);
    if (!mem_holds(c->destination, to))
        return CUDA_ERROR_INVALID_VALUE;
    struct job *own;
    err = with_source(c, size_bytes, &own);
    if (err)
        return err;
    struct exec_task *t = make_task_of(s->ctx, own);
    if (!t)
        return CUDA_ERROR_OUT_OF_MEMORY;
    err = stream_submit(s, t);
    exec_task_unref(t);
    return err;
}

/* `pitch` and `depth_slice` are bytes, from row to row and from slice to
 * slice. */
CUresult mem_set(CUstream s, CUdeviceptr p, size_t pitch, unsigned value,
                 unsigned element_bytes, size_t width, size_t height,
                 size_t depth_slice, size_t depth, bool wait)
{
    struct job j = {
        .copy =
            {
                .destination = (void *)(uintptr_t)p,
                .source_pitch = pitch,
                .destination_pitch = pitch,
                .source_slice = depth_slice,
                .destination_slice = depth_slice,
                .width_bytes = width * element_bytes,
                .height = height,
                .depth = depth,
            },
        .value = value,
        .element_bytes = element_bytes,
        .is_destination_hosts = mem_is_hosts((void *)(uintptr_t)p),
    };
    size_t size_bytes = copy_extent(&j.copy, pitch, depth_slice);
    if (p % element_bytes)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err;
    if (capture_fill(s, &j.copy, value, element_bytes, &err))
        return err;
    if (size_bytes && (!mem_holds(j.copy.destination, size_bytes) ||
                       !pointer_reaches(s->ctx, j.copy.destination, size_bytes,
                                        CU_MEM_ACCESS_FLAGS_PROT_READWRITE)))
        return CUDA_ERROR_INVALID_VALUE;
    return run_job(s, &j, wait);
}
