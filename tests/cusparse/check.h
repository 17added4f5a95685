/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of all types, and checks that count. The programs build with NVIDIA's
 * toolkit, too: nvcc FILE.c -lcusparse. */
#ifndef WEFT_TESTS_CUSPARSE_CHECK_H
#define WEFT_TESTS_CUSPARSE_CHECK_H

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "cusparse.h"

static int failures;
#define CHECK(x)                                                               \
    do {                                                                       \
        if (!(x)) {                                                            \
            printf("%s:%d: %s (%s)\n", __FILE__, __LINE__, #x, about);         \
            failures++;                                                        \
        }                                                                      \
    } while (0)
#define OK(x) CHECK((x) == CUSPARSE_STATUS_SUCCESS)
static char about[128];

typedef double _Complex number;
static const cudaDataType types[] = {CUDA_R_32F, CUDA_R_64F, CUDA_C_32F,
                                     CUDA_C_64F};

static void *managed(size_t bytes)
{
    void *p = NULL;
    cudaMallocManaged(&p, bytes + 16, cudaMemAttachGlobal);
    memset(p, 0, bytes + 16);
    return p;
}

static inline void put(int t, void *at, int64_t i, number v)
{
    switch (t) {
    case 0: ((float *)at)[i] = (float)creal(v); break;
    case 1: ((double *)at)[i] = creal(v); break;
    case 2: ((float _Complex *)at)[i] = (float _Complex)v; break;
    default: ((number *)at)[i] = v;
    }
}

static inline number get(int t, const void *at, int64_t i)
{
    switch (t) {
    case 0: return ((const float *)at)[i];
    case 1: return ((const double *)at)[i];
    case 2: return ((const float _Complex *)at)[i];
    default: return ((const number *)at)[i];
    }
}

static inline bool near(int t, number a, number b)
{
    return cabs(a - b) <= (t % 2 ? 1e-10 : 2e-3) * (1 + cabs(b));
}

static inline number draw(int t)
{
    static unsigned s = 1;
    double r = (s = s * 1664525 + 1013904223, (s >> 8) % 200 - 100.0) / 50;
    double i = (s = s * 1664525 + 1013904223, (s >> 8) % 200 - 100.0) / 50;
    return t < 2 ? r : r + i * I;
}

static cusparseHandle_t handle;

#endif
