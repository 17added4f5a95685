/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plans: what is asked for, as a list of passes with their tables. Made once,
 * never changed; any number of threads may run one, each with its own work
 * area.
 */
#ifndef WEFT_FFT_PLAN_H
#define WEFT_FFT_PLAN_H

#include "fft.h"

enum { FFT_RANK_MAX = 3 };

enum fft_type { FFT_C2C, FFT_R2C, FFT_C2R };

/* Distances in elements: complex numbers, or reals. */
struct fft_layout {
    enum fft_format format;
    int64_t stride[FFT_RANK_MAX]; /* of each axis */
    int64_t distance;             /* of the batch */
};

struct fft_request {
    enum fft_real real;
    enum fft_type type;
    unsigned rank;
    uint64_t n[FFT_RANK_MAX], batch;
    struct fft_layout in, out;
    const struct fft_engine *engine; /* NULL: the widest */
};

/* One kernel: passes that a tile runs one after the other. */
struct fft_step {
    unsigned first, count;
    uint64_t tiles, groups_per_tile; /* of one pass: groups; else blocks */
};

enum { FFT_TABLES_MAX = 4 * FFT_PASSES_MAX };

struct fft_plan {
    const struct fft_engine *engine;
    struct fft_request request;
    struct fft_pass pass[FFT_PASSES_MAX];
    unsigned pass_count;
    struct fft_step step[FFT_PASSES_MAX];
    unsigned step_count;
    size_t work_bytes, scratch_bytes;
    /* Owned: what the passes refer to. */
    struct fft_core *core[FFT_TABLES_MAX];
    struct fft_roots *roots[FFT_TABLES_MAX];
    void *table[FFT_TABLES_MAX];
    unsigned core_count, roots_count, table_count;
};

/* threads: how many run it. share: for long tables, may be NULL. NULL: out of
 * memory. */
struct fft_plan *fft_plan_create(const struct fft_request *r, unsigned threads,
                                 fft_share *share);
void fft_plan_destroy(struct fft_plan *p);
/* What the plan's work area would have, without making tables. */
size_t fft_plan_work_bytes(const struct fft_request *r, unsigned threads);

/* Runs tiles [first, end) of a step in this thread, in scratch memory that the
 * thread keeps; traps where there is none. */
void fft_plan_run(const struct fft_plan *p, unsigned step,
                  const struct fft_pointers *at, uint64_t first, uint64_t end);

#endif
