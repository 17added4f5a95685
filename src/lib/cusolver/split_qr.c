/* SPDX-License-Identifier: Apache-2.0 */
/* QR on all threads (split.h). The reflectors of a panel are applied as one
 * block, which needs a triangle T. The program's workspace has room for two:
 * that of the last panel and that of the next one. */
#include "split.h"

#include <stdlib.h>

enum { WIDTH = 64, ROOM = 2 * WIDTH * WIDTH, SMALLEST = 256 };

/* T of the panel that begins at this column. */
static void *triangle_of(const struct job *j, int panel)
{
    return (char *)j->work +
           (size_t)(panel / WIDTH % 2 * WIDTH * WIDTH) * element_bytes(j->type);
}

static void *tau_of(const struct job *j, int column)
{
    return (char *)j->tau + (int64_t)column * element_bytes(j->type);
}

/* Factors columns [first, end) and makes their T. */
static void make_reflectors(const struct job *all, int first, int end)
{
    struct job j = *all;
    int info = 0, width = WIDTH, count = WIDTH * WIDTH;
    j.a = job_element(all, first, first);
    j.m -= first;
    j.n = end - first;
    void *room = scratch((uint64_t)count, element_bytes(j.type));
    weft_blas[j.type].geqrf(&j.m, &j.n, j.a, &j.lda, tau_of(all, first), room,
                            &count, &info);
    lapack_of(&j)->larft("F", "C", &j.m, &j.n, j.a, &j.lda, tau_of(all, first),
                         triangle_of(all, first), &width, 1, 1);
    free(room);
}

/* Applies the adjoint of the last panel's reflectors to columns [from, to). */
static void apply_reflectors(const struct step *t, int from, int to)
{
    const struct job *j = &t->j;
    int rows = j->m - t->first, columns = to - from, w = t->end - t->first;
    int width = WIDTH, room_ld = columns;
    void *room = scratch((uint64_t)columns * WIDTH, element_bytes(j->type));
    lapack_of(j)->larfb("L", "C", "F", "C", &rows, &columns, &w,
                        job_element(j, t->first, t->first), &j->lda,
                        triangle_of(j, t->first), &width,
                        job_element(j, t->first, from), &j->lda, room, &room_ld,
                        1, 1, 1, 1);
    free(room);
}

static void run_qr(const void *args, uint64_t first, uint64_t end)
{
    split_run_tiles(args, (int)first, (int)end, make_reflectors,
                    apply_reflectors);
}

static const struct native_kernel qr = {"cusolver_qr", run_qr,
                                        sizeof(struct step), 1 << 20};

int solver_qr_room(int64_t m, int64_t n)
{
    return m < SMALLEST || n < SMALLEST ? WORK_ELEMENTS : ROOM;
}

bool split_geqrf(CUstream stream, const struct job *j, CUresult *err)
{
    int count = smaller_of(j->m, j->n);
    struct step t = {.j = *j, .next = WIDTH};
    if (lib_thread_count() == 1 || count < SMALLEST || !j->work ||
        j->work_count < ROOM)
        return false;
    *err = split_launch(&qr, stream, 1, &t);
    while (!*err && t.end < count) {
        t.first = t.end;
        t.end = t.next;
        t.next = smaller_of(t.end + WIDTH, count);
        int tiles = split_parts(j->n - t.next, &t.part) + (t.end < t.next);
        if (tiles > 0)
            *err = split_launch(&qr, stream, tiles, &t);
    }
    return true;
}
