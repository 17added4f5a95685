/* SPDX-License-Identifier: Apache-2.0 */
/* What the Jacobi functions say of their work. A result lives as long as the
 * process, and is used again: a kernel may come to it after its owner is gone.
 */
#ifndef WEFT_CUSOLVER_JACOBI_H
#define WEFT_CUSOLVER_JACOBI_H

struct jacobi_result;
/* From the list of free ones, or allocated. NULL: no memory. Any thread. */
struct jacobi_result *jacobi_result_new(void);
/* Back to the list. Any thread. */
void jacobi_result_drop(struct jacobi_result *r);

#endif
