/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WEFT_CURAND_VECTORS_H
#define WEFT_CURAND_VECTORS_H

#include "api.h"

enum { DIMENSIONS_MAX = 20000 };

/* Direction vectors, 32 or 64 to each of DIMENSIONS_MAX dimensions, and
 * constants that all points are XORed with, or NULL. Never freed. */
struct vector_set {
    const void *vectors;
    const void *constants;
};

/* The set of a quasi-random type, made at the first call. NULL: no memory. Any
 * thread. */
const struct vector_set *vectors_of(curandRngType_t type);

#endif
