/* SPDX-License-Identifier: Apache-2.0 */
/* What cuSPARSE's description says of a matrix. */
#include "lib/cusparse/internal.h"

#include "describe.h"

bool describe_is_general(cusparseMatDescr_t descr, int *base)
{
    *base = descr->base == CUSPARSE_INDEX_BASE_ONE;
    return descr->type == CUSPARSE_MATRIX_TYPE_GENERAL;
}
