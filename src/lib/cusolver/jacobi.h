/* SPDX-License-Identifier: Apache-2.0 */
/* What the Jacobi functions answer about their work. A program may destroy the
 * parameters that own a result before the kernel that writes it has run. So a
 * result is never freed, but given to the next owner. */
#ifndef WEFT_CUSOLVER_JACOBI_H
#define WEFT_CUSOLVER_JACOBI_H

struct jacobi_result;
/* One that has no owner, or a new one; its residual is unknown. NULL: no
 * memory. Any thread may call. */
struct jacobi_result *jacobi_result_new(void);
/* It has no owner any more. Any thread may call. */
void jacobi_result_drop(struct jacobi_result *r);

#endif
