/* SPDX-License-Identifier: Apache-2.0 */
/* Reads cuSPARSE's description of a matrix. In a file of its own, since the
 * internal headers of both libraries do not go together. */
#include "lib/cusparse/internal.h"

#include "describe.h"

bool describe_is_general(cusparseMatDescr_t descr, int *base)
{
    *base = descr->base == CUSPARSE_INDEX_BASE_ONE;
    return descr->type == CUSPARSE_MATRIX_TYPE_GENERAL;
}
