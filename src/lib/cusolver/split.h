/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Factorisations on all threads. A step is a launch: the panels and tiles in
 * it do not depend on each other, and the stream's order is what the next step
 * waits for. Tile 0 of a step makes the next panel as well, so that the others
 * have work meanwhile.
 */
#ifndef WEFT_CUSOLVER_SPLIT_H
#define WEFT_CUSOLVER_SPLIT_H

#include "internal.h"

/* Columns [first, end) are the panel that is done, [end, next) the next one;
 * the other columns are cut into parts. */
struct step {
    struct job j;
    int first, end, next, part;
};

/* 1 or -1 as an element of any type. */
union number {
    float s[2];
    double d[2];
};
union number number_of(enum blas_type type, double value);

/* Element (row, column) of the job's matrix. */
void *job_element(const struct job *j, int row, int column);

/* Columns below their diagonal without pivots: see factor.c. */
void lu_without_pivots(const struct job *j, int *info);

/* The width of the panel at `first`, of `count` columns in all. */
int split_width(int count, int first);
/* Into how many parts `count` columns go, and how wide they are. */
int split_parts(int count, int *part);

/* Puts a step of so many tiles into the stream; the kernel gets a copy of *t.
 */
CUresult split_launch(const struct native_kernel *k, CUstream stream, int tiles,
                      const struct step *t);

/* The tiles [first, end) of a step. Tile 0 is the next panel, where there is
 * one, [end, next): what the last panel does to it, then its own columns'
 * factors. The others are the parts of the columns behind it, to which the last
 * panel is applied. */
void split_run_tiles(const struct step *t, int first, int end,
                     void (*factor)(const struct job *j, int first, int end),
                     void (*apply)(const struct step *t, int from, int to));

/* info of an earlier step: tile 0 may be writing one of this step. */
bool split_has_failed(const struct step *t);
void split_fail(const struct job *j, int info);

#endif
