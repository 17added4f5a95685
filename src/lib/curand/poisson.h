/* SPDX-License-Identifier: Apache-2.0 */
/* Poisson's distribution as a table: one number from one uniform number. */
#ifndef WEFT_CURAND_POISSON_H
#define WEFT_CURAND_POISSON_H

#include <stdint.h>

#include "generator.h"

/* From this mean on it is a normal that is rounded; of 32-bit words that give
 * one number each, from the second. */
#define POISSON_NORMAL 2000.0
#define POISSON_NORMAL_SINGLE 8192.0

/* The number of column j is shift + j. A square histogram: j where the uniform
 * number is below at[j], else alias[j]. Or sums of probabilities: the first
 * that is not below the uniform number; then alias is NULL. */
struct poisson {
    double lambda;
    uint32_t count, shift;
    double *at;
    uint32_t *alias;
    struct poisson *next;
};

/* The generator's table, made at the first call, which lives as long as the
 * generator. */
curandStatus_t poisson_table(curandGenerator_t g, double lambda,
                             bool is_histogram, const struct poisson **out);
/* Frees all tables of the generator. */
void poisson_end(curandGenerator_t g);

/* The number that a uniform one, 0 < u <= 1, becomes. */
static inline uint32_t poisson_of(const struct poisson *p, double u)
{
    if (p->alias) {
        uint32_t j = (uint32_t)(p->count * u);
        j = j < p->count ? j : p->count - 1; /* u may be 1 */
        return p->shift + (u < p->at[j] ? j : p->alias[j]);
    }
    uint32_t low = 0, high = p->count - 1;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (u <= p->at[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return p->shift + low;
}

#endif
