/* SPDX-License-Identifier: Apache-2.0 */
/*
 * IEEE arithmetic by whole numbers: slow, and open to inspection. Results are
 * computed exactly, or as far as the first hundred bits and whether anything
 * follows them, and rounded once.
 */
#ifndef WEFT_TESTS_FUZZ_EXACT_H
#define WEFT_TESTS_FUZZ_EXACT_H

#include <stdbool.h>
#include <stdint.h>

struct exact_format {
    int fraction_bits, exponent_bits;
};
extern const struct exact_format exact_single, exact_double;

enum exact_rounding { EXACT_RN, EXACT_RZ, EXACT_RM, EXACT_RP };

enum exact_op {
    EXACT_ADD,
    EXACT_SUB,
    EXACT_MUL,
    EXACT_DIV,
    EXACT_FMA,
    EXACT_RCP,
    EXACT_SQRT
};

/* Numbers as bits; a NaN is any NaN. is_flushed: subnormal operands count as
 * zeros, and so does a result that is below the normal numbers when it is
 * rounded to as many bits as they have. */
uint64_t exact_compute(struct exact_format f, enum exact_op op,
                       enum exact_rounding rounding, bool is_flushed,
                       const uint64_t operand[3]);
bool exact_is_nan(struct exact_format f, uint64_t v);

#endif
