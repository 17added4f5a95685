/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The elements of matrices: what a cudaDataType is made of, and conversions to
 * and from float and double. A complex number is two components side by side.
 * Nothing here has state: any thread may call.
 */
#ifndef WEFT_LIB_ELEMENTS_H
#define WEFT_LIB_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "library_types.h"

#include "lib/blas/blas.h"

enum component {
    PART_NONE, /* of a type that has no arithmetic here */
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
    unsigned part_bytes,
        parts; /* bytes of a component; 1, complex: 2 of them */
};

/* Any number may be asked for; {PART_NONE, 0, 0}: no arithmetic here. */
struct element element_of(cudaDataType_t type);
/* Bytes of an element; 0 for a type without arithmetic. */
size_t element_bytes(cudaDataType_t type);

/* Converts n components that lie one after another; `from` and `to` do not
 * overlap. */
void element_to_float(enum component part, const void *from, float *to,
                      size_t n);
void element_to_double(enum component part, const void *from, double *to,
                       size_t n);
/* The same from float or double: to nearest, ties to even; integers and 8-bit
 * floats saturate. A double becomes a type of 16 or 8 bits by way of float. */
void element_from_float(enum component part, const float *from, void *to,
                        size_t n);
void element_from_double(enum component part, const double *from, void *to,
                         size_t n);

/* One number of any type: a scalar, or an element of a vector. */
struct number {
    double re, im;
};
static inline struct number number_times(struct number a, struct number b)
{
    return (struct number){a.re * b.re - a.im * b.im,
                           a.re * b.im + a.im * b.re};
}
/* One element; a type without arithmetic reads as 0 and stores nothing. */
struct number element_load(cudaDataType_t type, const void *at);
void element_store(cudaDataType_t type, struct number value, void *at);

/* alpha or beta: a value, or where it will be when the work runs. */
struct scalar {
    const void *device; /* NULL: it is `value` */
    cudaDataType_t type;
    struct number value;
};
/* Its value; where it is the device's, only the work may ask. */
struct number scalar_get(const struct scalar *s);

/* A number in the memory that BLAS wants it in. */
union blas_number {
    float s[2];
    double d[2];
};
union blas_number blas_number(enum blas_type type, struct number value);
/* CUDA's name of the type. */
cudaDataType_t blas_element(enum blas_type type);

#endif
