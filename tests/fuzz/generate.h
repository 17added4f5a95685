/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random PTX kernels that are valid, terminate, and give one result whatever
 * the order of threads: for comparing the engines with each other.
 *
 * The kernel is `k(in, out, acc, scratch)`: `in` has FUZZ_INPUTS words, each
 * thread writes FUZZ_RESULTS words of `out` at its linear index in the grid,
 * atomics go to `acc` with FUZZ_ATOMICS words, and in `scratch` with
 * FUZZ_SCRATCH bytes each thread has places of its own.
 */
#ifndef WEFT_TESTS_FUZZ_GENERATE_H
#define WEFT_TESTS_FUZZ_GENERATE_H

#include <stdint.h>
#include <stdio.h>

enum {
    FUZZ_INPUTS = 4096,
    FUZZ_RESULTS = 12,
    FUZZ_SUMS = 64,           /* words that know one operation each; */
    FUZZ_TICKETS = FUZZ_SUMS, /* a counter, its sum, a lock, what it guards */
    FUZZ_ATOMICS = FUZZ_TICKETS + 4,
    FUZZ_SCRATCH = 1 << 18
};

struct fuzz_case {
    uint64_t seed; /* of the inputs too */
    uint32_t grid[3], block[3];
    uint32_t lane_count; /* as in simt_spec */
    uint32_t warp_count; /* wished for; 0: the compiler's choice */
    char *text;          /* malloc'ed PTX */
};

/* The same seed and size give the same case. size: about how many
 * statements. */
void fuzz_generate(uint64_t seed, unsigned size, struct fuzz_case *out);

/* A statement made of a row of instructions.def. */
void fuzz_row(FILE *out, uint64_t seed);

#endif
