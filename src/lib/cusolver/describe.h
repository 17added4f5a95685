/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WEFT_CUSOLVER_DESCRIBE_H
#define WEFT_CUSOLVER_DESCRIBE_H

#include <stdbool.h>

struct cusparseMatDescr;

/* Does it describe a general matrix? base: 0 or 1, of its indices. descr must
 * not be NULL. Any thread may call. */
bool describe_is_general(struct cusparseMatDescr *descr, int *base);

#endif
