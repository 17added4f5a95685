/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WEFT_CURAND_VECTORS_H
#define WEFT_CURAND_VECTORS_H

#include "api.h"

enum { DIMENSIONS_MAX = 20000 };

/* Direction vectors, 32 or 64 to a dimension, and what is added to all points,
 * or NULL. For ever. */
struct vector_set {
    const void *vectors;
    const void *constants;
};

/* Of the first `dimensions` at least. NULL: no memory. Any thread. */
const struct vector_set *vectors_of(curandRngType_t type, unsigned dimensions);

#endif
