/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WEFT_CUSOLVER_DESCRIBE_H
#define WEFT_CUSOLVER_DESCRIBE_H

#include <stdbool.h>

struct cusparseMatDescr;

/* Is it a description of general matrices? base: of their indices. */
bool describe_is_general(struct cusparseMatDescr *descr, int *base);

#endif
