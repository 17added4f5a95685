/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Direct methods for sparse matrices: orders that keep factors sparse, and LU,
 * QR and Cholesky factors, in four types. All memory belongs to a room. Where
 * memory runs out, the work is left by a jump to the room's sparse_enter(). Any
 * thread may call; a room is one thread's at a time.
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
    jmp_buf out; /* sparse_enter's */
};

/* True at first; returns again, with false, when memory runs out. The function
 * that says it must not return while the room is worked in. */
#define sparse_enter(room) (setjmp((room)->out) == 0)
/* `count` zeros of `bytes`, aligned for all types. Jumps without memory. */
void *sparse_new(struct sparse_room *room, int64_t count, size_t bytes);
/* Makes what sparse_new gave `bytes` long; contents stay, and what is added is
 * not zeroed. Jumps without memory. */
void *sparse_grow(struct sparse_room *room, void *at, size_t bytes);
void sparse_free(struct sparse_room *room, void *at); /* at may be NULL */
/* Frees all that is in the room, which may be used again. */
void sparse_leave(struct sparse_room *room);

/* ---- matrices --------------------------------------------------------- */

/* m x n, by rows (CSR); indices begin at `base`. A matrix by columns is that of
 * its transpose. */
struct sparse {
    enum blas_type type;
    int m, n, base;
    const int *start, *index;
    const void *value; /* NULL: the pattern alone */
};
int sparse_count(const struct sparse *a); /* entries */

/* The transpose, base 0; columns of a row are in order. */
struct sparse sparse_transpose(struct sparse_room *room,
                               const struct sparse *a);

/* The pattern of A^T A. Orders for QR are made of it, since R has fill-in where
 * two columns of A share a row. */
struct sparse sparse_normal(struct sparse_room *room, const struct sparse *a);

/* ---- orders: sparse_order.c ------------------------------------------- */

/* An order of rows and columns by the pattern of A + A^T: order[k] becomes the
 * k-th. n numbers in the room. */
int *sparse_rcm(struct sparse_room *room, const struct sparse *a);
int *sparse_minimum_degree(struct sparse_room *room, const struct sparse *a);
int *sparse_dissection(struct sparse_room *room, const struct sparse *a);
/* By the number of the reorder argument of csrlsv: 0 none, 1 RCM, 2 minimum
 * degree, 3 dissection. NULL: no such number. */
int *sparse_order(struct sparse_room *room, const struct sparse *a, int how);
/* row[k], of n: which row of A to move to row k so that the diagonal has as few
 * zeros as possible; returns how many entries of it are none. */
int sparse_zero_free(struct sparse_room *room, const struct sparse *a,
                     int *row);

/* ---- factors: sparse_lu.h, sparse_qr.h, sparse_cholesky.h ------------- */

/* L or U by columns, which are made one after the other; `room` entries fit. */
struct sparse_part {
    int64_t *start;
    int *index;
    void *value;
    int64_t count, room;
};

enum sparse_kind { SPARSE_LU, SPARSE_QR, SPARSE_CHOLESKY };

/* Factors of an m x n matrix; all memory is the room's. Step k eliminates a
 * column. */
struct sparse_factor {
    enum sparse_kind kind;
    int m, n;
    int *order; /* the column of each step; Cholesky: and the row */
    int *row; /* A's row that is row k of U, or of R (-1: the column depends on
               * those before) */
    double *diagonal; /* |u_kk|, |r_kk| or l_kk */
    int stopped; /* Cholesky: the step whose diagonal is not positive, or n */
    /* LU: L without its diagonal, by rows of A, and U, a column's diagonal
     * last. QR: the reflectors, by rows of A, with factors in `scale`, and R,
     * as U. Cholesky: L alone, a column's diagonal first. */
    struct sparse_part l, u;
    double *scale;
};

/* The functions of a type. Memory is the room's. */
struct sparse_engine {
    /* The diagonal entry is the pivot if it is at least threshold times the
     * largest of its column, else that one is. */
    struct sparse_factor *(*lu)(struct sparse_room *room,
                                const struct sparse *a, const int *order,
                                double threshold);
    /* Of any m and n. Leaves out a column of which tol or less is left. */
    struct sparse_factor *(*qr)(struct sparse_room *room,
                                const struct sparse *a, const int *order,
                                double tol);
    /* Reads the lower triangle. */
    struct sparse_factor *(*cholesky)(struct sparse_room *room,
                                      const struct sparse *a, const int *order);
    /* Solves A x = b, m numbers to n; QR: returns the norm of b - A x. b may be
     * x. */
    double (*solve)(struct sparse_room *room, const struct sparse_factor *f,
                    const void *b, void *x);
    /* A - mu I; mu: an element. */
    struct sparse (*shift)(struct sparse_room *room, const struct sparse *a,
                           const void *mu);
    /* Inverse iteration from x0 by the factors of A - mu0 I, at most `limit`
     * times, until |A x - mu x| <= tol: x, a unit vector, and its Rayleigh
     * quotient mu. */
    void (*iterate)(struct sparse_room *room, const struct sparse *a,
                    const struct sparse_factor *f, const void *x0, int limit,
                    double tol, void *mu, void *x);
    /* The factors of LU by rows, base 0, columns in order; step[row]: the step
     * of a row of A. */
    void (*split)(const struct sparse_factor *f, const int *step, int *l_start,
                  int *l_index, void *l_value, int *u_start, int *u_index,
                  void *u_value);
};
extern const struct sparse_engine sparse_engines[4]; /* by enum blas_type */

/* Of LU: the rows and columns in the order of its steps, n of each, to p and q;
 * returns the step of each row, in the room. */
int *sparse_steps(struct sparse_room *room, const struct sparse_factor *f,
                  int *p, int *q);
/* The first step whose diagonal is not larger than tol; -1: none. */
int sparse_singular(const struct sparse_factor *f, double tol);

#endif
