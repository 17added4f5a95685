/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernels of operators.cu are given, for both sides. */
#ifndef WEFT_CUSPARSE_OPERATORS_H
#define WEFT_CUSPARSE_OPERATORS_H

#include <stdbool.h>

struct operators_dense {
    void *at;
    long long row_step, col_step; /* elements */
    int type;                     /* a cudaDataType */
};

struct operators_args {
    const void *offsets, *columns, *values;  /* of the matrix in CSR */
    bool has_wide_offsets, has_wide_columns; /* long long, else int */
    int base, type;
    long long rows, cols; /* of the result */
    struct operators_dense b, c;
};

#endif
