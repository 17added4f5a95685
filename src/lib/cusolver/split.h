/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Factorisations on all threads. A step is a launch, whose tiles do not depend
 * on each other; steps follow each other in the stream. Tile 0 of a step makes
 * the next panel while the other tiles apply the last one.
 */
#ifndef WEFT_CUSOLVER_SPLIT_H
#define WEFT_CUSOLVER_SPLIT_H

#include "internal.h"

/* Columns [first, end) are the last panel, [end, next) the next one; the
 * columns from `next` on are split into parts of `part` columns. The first step
 * has no last panel (end is 0), the last one no next panel. */
struct step {
    struct job j;
    int first, end, next, part;
};

/* A real number as an element of any type. */
union number {
    float s[2];
    double d[2];
};
union number number_of(enum blas_type type, double value);

/* Element (row, column) of the job's matrix. */
void *job_element(const struct job *j, int row, int column);

/* LU of the job's matrix without pivots. *info, if it is 0, becomes the first
 * column, from 1, whose pivot is 0. */
void lu_without_pivots(const struct job *j, int *info);

/* The width of the panel at `first`, of `count` columns in all. */
int split_width(int count, int first);
/* How many parts to split `count` columns into; *part: how wide they are. */
int split_parts(int count, int *part);

/* Puts a step of so many tiles into the stream; *t is copied. */
CUresult split_launch(const struct native_kernel *k, CUstream stream, int tiles,
                      const struct step *t);

/* Runs the tiles [first, end) of a step. apply(t, from, to) applies the last
 * panel to columns, factor(j, first, end) factors a panel. Tile 0, if there is
 * a next panel, applies the last panel to it and factors it; the others apply
 * the last panel to a part each. In the first step tile 0 also clears *info. */
void split_run_tiles(const struct step *t, int first, int end,
                     void (*factor)(const struct job *j, int first, int end),
                     void (*apply)(const struct step *t, int from, int to));

/* Has an earlier step failed? (A failure of this step, which tile 0 may be
 * writing to *info just now, does not count.) */
bool split_has_failed(const struct step *t);
/* Writes *info, unless an earlier failure is there. info: LAPACK's, of the
 * whole matrix. */
void split_fail(const struct job *j, int info);

#endif
