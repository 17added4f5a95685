/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The elements of matrices: what a cudaDataType is made of, and conversions to
 * and from float and double. Complex numbers are two components side by side.
 */
#ifndef WEFT_LIB_ELEMENTS_H
#define WEFT_LIB_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "library_types.h"

#include "lib/blas/blas.h"

enum component {
    PART_NONE, /* a type that has no arithmetic here */
    PART_F32,
    PART_F64,
    PART_F16,
    PART_BF16,
    PART_E4M3,
    PART_E5M2,
    PART_I8,
    PART_U8,
    PART_I32,
};

struct element {
    enum component part;
    unsigned part_bytes, parts; /* parts: 2 if complex */
};

/* PART_NONE: the type has no arithmetic here. */
struct element element_of(cudaDataType_t type);
/* 0 for a type without arithmetic. */
size_t element_bytes(cudaDataType_t type);

/* n components; strides do not occur: columns are contiguous. */
void element_to_float(enum component part, const void *from, float *to,
                      size_t n);
void element_to_double(enum component part, const void *from, double *to,
                       size_t n);
/* To nearest, ties to even; integers and 8-bit floats saturate. */
void element_from_float(enum component part, const float *from, void *to,
                        size_t n);
void element_from_double(enum component part, const double *from, void *to,
                         size_t n);

/* A number on its own: a scalar, or an element of a vector. */
struct number {
    double re, im;
};
static inline struct number number_times(struct number a, struct number b)
{
    return (struct number){a.re * b.re - a.im * b.im,
                           a.re * b.im + a.im * b.re};
}
struct number element_load(cudaDataType_t type, const void *at);
void element_store(cudaDataType_t type, struct number value, void *at);

/* alpha and beta: a value, or where it will be when the work runs. */
struct scalar {
    const void *device; /* NULL: value */
    cudaDataType_t type;
    struct number value;
};
struct number scalar_get(const struct scalar *s);

/* As BLAS wants it. */
union blas_number {
    float s[2];
    double d[2];
};
union blas_number blas_number(enum blas_type type, struct number value);
static inline size_t blas_bytes(enum blas_type type)
{
    return type == BLAS_S ? 4 : type == BLAS_Z ? 16 : 8;
}
static inline bool blas_is_complex(enum blas_type type)
{
    return type >= BLAS_C;
}
cudaDataType_t blas_element(enum blas_type type);

#endif
