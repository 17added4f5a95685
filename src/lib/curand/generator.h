/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A generator: its options, and an engine that makes its numbers. It is one
 * thread's at a time.
 *
 * An engine writes numbers in the order that cuRAND promises. All of them work
 * alike: a call becomes a kernel in C over tiles of the output; a host
 * generator runs the tiles at once. What an engine remembers between calls is
 * in g->state, memory of the device that only its kernels touch, and in
 * g->cursor, which the calls count.
 *
 * In this folder, unless a comment says otherwise:
 *   threads  one at a time for each generator; kernels that it queues are
 *            anybody's
 *   errors   a curandStatus_t, and nothing is queued
 *   owners   a generator owns its state and tables; output is the caller's
 *   units    lengths are numbers, not bytes
 */
#ifndef WEFT_CURAND_GENERATOR_H
#define WEFT_CURAND_GENERATOR_H

#include "lib/common/lib.h"

#include "api.h"

/* What is asked for, in the order of convert.c's table. */
enum form {
    FORM_BITS,
    FORM_BITS_64,
    FORM_UNIFORM,
    FORM_UNIFORM_DOUBLE,
    FORM_NORMAL,
    FORM_NORMAL_DOUBLE,
    FORM_LOG_NORMAL,
    FORM_LOG_NORMAL_DOUBLE,
    FORM_POISSON,
    FORM_COUNT
};

/* One call of curandGenerate*. */
struct request {
    void *out;
    uint64_t count;
    enum form form;
    double mean, stddev; /* mean: lambda, too */
};

struct poisson;

/* The orders of pseudo-random numbers, as bits of engine.orders; quasi-random
 * ones have one. */
enum {
    ORDER_BEST = 1 << 0,
    ORDER_DEFAULT = 1 << 1,
    ORDER_SEEDED = 1 << 2,
    ORDER_LEGACY = 1 << 3,
    ORDER_DYNAMIC = 1 << 4,
    ORDERS_USUAL = ORDER_BEST | ORDER_DEFAULT | ORDER_LEGACY | ORDER_DYNAMIC,
};

struct engine {
    curandRngType_t type;
    bool has_offset, is_quasi, is_wide; /* wide: 64 bits a number */
    unsigned orders;
    /* Makes g->state anew from the options: before the first numbers, and
     * whenever an option has changed. */
    curandStatus_t (*seed)(curandGenerator_t g);
    curandStatus_t (*draw)(curandGenerator_t g, const struct request *r);
};

extern const struct engine xorwow_engine, mrg_engine, philox_engine,
    mtgp_engine, mt19937_engine, sobol32_engine, scrambled32_engine,
    sobol64_engine, scrambled64_engine, counting_engine;

struct curandGenerator_st {
    uint64_t magic; /* GENERATOR_MAGIC while it lives */
    const struct engine *engine;
    bool on_host, is_seeded;
    CUstream stream;
    CUcontext context; /* of device generators; borrowed */
    curandOrdering_t order;
    uint64_t seed;
    uint64_t offset; /* of the next number: a new seed goes on from there */
    uint32_t dimensions;

    /* The engine's. */
    void *state;
    uint64_t state_bytes;
    uint64_t cursor;
    uint32_t tiles_seeded;
    void *notes;      /* malloc'ed */
    /* malloc'ed, or NULL; only kernels touch it: philox.c. Never freed: graphs
     * that have them may outlive the generator. */
    uint64_t *counts;
    struct poisson *tables;
};

#define GENERATOR_MAGIC 0x6475726e61726475ull

/* Gives g->state that size; contents of another size are lost. If memory runs
 * out, the old state stays. */
curandStatus_t generator_reserve(curandGenerator_t g, uint64_t bytes);
/* Runs the kernel for the generator: in its stream, or here and now. */
curandStatus_t generator_run(curandGenerator_t g, const struct native_kernel *k,
                             uint64_t tiles, const void *args);

/* The seed of an engine whose only state is g->cursor. */
curandStatus_t generator_go_to_offset(curandGenerator_t g);

/* Bytes of one number of the form. */
static inline unsigned form_bytes(enum form form)
{
    return form == FORM_BITS_64 || form == FORM_UNIFORM_DOUBLE ||
                   form == FORM_NORMAL_DOUBLE || form == FORM_LOG_NORMAL_DOUBLE
               ? 8
               : 4;
}

static inline bool form_is_normal(enum form form)
{
    return form >= FORM_NORMAL && form <= FORM_LOG_NORMAL_DOUBLE;
}

#endif
