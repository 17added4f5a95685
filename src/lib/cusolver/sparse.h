/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Direct methods for sparse matrices: orders that keep factors sparse, LU, QR
 * and Cholesky factors, in four types. All memory belongs to a room; where
 * there is none left, the work stops and sparse_enter() answers.
 */
#ifndef WEFT_CUSOLVER_SPARSE_H
#define WEFT_CUSOLVER_SPARSE_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/blas/blas.h"

/* ---- memory ----------------------------------------------------------- */

struct sparse_block;
struct sparse_room {
    struct sparse_block *blocks;
    jmp_buf out; /* where to go without memory */
};

/* True at first; false when it returns again because memory ran out. */
#define sparse_enter(room) (setjmp((room)->out) == 0)
/* Zeroed, aligned for all types. */
void *sparse_new(struct sparse_room *room, int64_t count, size_t bytes);
/* `at` with room for `bytes`; its contents move. */
void *sparse_grow(struct sparse_room *room, void *at, size_t bytes);
void sparse_free(struct sparse_room *room, void *at);
/* All of it. */
void sparse_leave(struct sparse_room *room);

/* ---- matrices --------------------------------------------------------- */

/* By rows; indices begin at `base`. By columns: of the transpose. */
struct sparse {
    enum blas_type type;
    int m, n, base;
    const int *start, *index;
    const void *value; /* NULL: the pattern alone */
};
size_t sparse_bytes(enum blas_type type);
int sparse_count(const struct sparse *a);

/* By columns, base 0: rows are in order. value may be NULL. */
struct sparse sparse_transpose(struct sparse_room *room,
                               const struct sparse *a);

/* The pattern of A^T A, whose order is what QR factors want: columns of A that
 * do not meet may well meet there. */
struct sparse sparse_normal(struct sparse_room *room, const struct sparse *a);

/* ---- orders: sparse_order.c ------------------------------------------- */

/* Of the pattern of A + A^T: order[k] is the row and column that becomes the
 * k-th. n numbers of the room. */
int *sparse_rcm(struct sparse_room *room, const struct sparse *a);
int *sparse_minimum_degree(struct sparse_room *room, const struct sparse *a);
int *sparse_dissection(struct sparse_room *room, const struct sparse *a);
/* As csrlsv's argument has it: 0 is none. NULL: no such number. */
int *sparse_order(struct sparse_room *room, const struct sparse *a, int how);
/* row[k]: what to put into row k so that the diagonal has no zero; returns how
 * many entries of it there are. */
int sparse_zero_free(struct sparse_room *room, const struct sparse *a,
                     int *row);

/* ---- factors: sparse_lu.h, sparse_qr.h, sparse_cholesky.h ------------- */

/* Columns that are made one after the other. */
struct sparse_part {
    int64_t *start;
    int *index;
    void *value;
    int64_t count, room;
};

enum sparse_kind { SPARSE_LU, SPARSE_QR, SPARSE_CHOLESKY };

struct sparse_factor {
    enum sparse_kind kind;
    int m, n;
    int *order;       /* of columns; Cholesky: of rows too */
    int *row;         /* of step k; QR: -1 where the column depends on others */
    double *diagonal; /* |u_kk|, |r_kk| or l_kk */
    int stopped;      /* Cholesky: at this step; else n */
    /* LU: l without its diagonal, in rows of A, u with it, last. QR: l is the
     * reflectors, whose first row is `row`, scale their factors, u is R with
     * the diagonal last. Cholesky: l alone, diagonal first. */
    struct sparse_part l, u;
    double *scale;
};

struct sparse_engine {
    /* threshold: how large a diagonal entry must be, beside the largest of its
     * column, to be the pivot. */
    struct sparse_factor *(*lu)(struct sparse_room *room,
                                const struct sparse *a, const int *order,
                                double threshold);
    /* m >= n or not; columns that are shorter than tol are left out. */
    struct sparse_factor *(*qr)(struct sparse_room *room,
                                const struct sparse *a, const int *order,
                                double tol);
    /* Of the lower triangle. */
    struct sparse_factor *(*cholesky)(struct sparse_room *room,
                                      const struct sparse *a, const int *order);
    /* x = A \ b: m numbers to n; the norm of what is left of b (QR). */
    double (*solve)(struct sparse_room *room, const struct sparse_factor *f,
                    const void *b, void *x);
    /* A without mu (one number) on its diagonal. */
    struct sparse (*shift)(struct sparse_room *room, const struct sparse *a,
                           const void *mu);
    /* Inverse iteration from x0, of factors of A - mu0: x and its Rayleigh
     * quotient. */
    void (*iterate)(struct sparse_room *room, const struct sparse *a,
                    const struct sparse_factor *f, const void *x0, int limit,
                    double tol, void *mu, void *x);
    /* The factors of LU by rows, base 0, both with their columns in order;
     * step[row]: that of a row of A. */
    void (*split)(const struct sparse_factor *f, const int *step, int *l_start,
                  int *l_index, void *l_value, int *u_start, int *u_index,
                  void *u_value);
};
extern const struct sparse_engine sparse_engines[4]; /* by enum blas_type */

/* The first step whose diagonal is not above tol; -1: there is none. */
int sparse_singular(const struct sparse_factor *f, double tol);

#endif
