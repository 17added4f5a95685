/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernels of normals.cu are told. */
#ifndef WEFT_CURAND_NORMALS_H
#define WEFT_CURAND_NORMALS_H

#include <stdint.h>

enum { NORMAL_PLAIN, NORMAL_LOG, NORMAL_ROUNDED };

struct normals_args {
    void *numbers;
    uint64_t count;
    uint32_t cut;      /* 1: the first number is a pair's second */
    uint32_t becomes; /* NORMAL_* */
    double mean, stddev;
    const void *edges; /* the words of the pairs that are cut, 16 bytes apart */
};

#endif
