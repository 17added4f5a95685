/* SPDX-License-Identifier: Apache-2.0 */
/* The statuses of cuBLAS and cuBLASLt, from statuses.def. Any thread may call;
 * the strings are constants. */
#ifndef WEFT_LIB_PRODUCT_STATUSES_H
#define WEFT_LIB_PRODUCT_STATUSES_H

#pragma GCC visibility push(default)
#include "cublas_api.h"
#pragma GCC visibility pop

/* "CUBLAS_STATUS_SUCCESS" and so on; a name of its own for an unknown one. */
const char *product_status_name(cublasStatus_t status);
/* What it means. */
const char *product_status_text(cublasStatus_t status);

#endif
