/* SPDX-License-Identifier: Apache-2.0 */
/* Pages that are gone, for who can bring them back. A part of exec.h. */
#ifndef WEFT_EXEC_LOST_PAGE_H
#define WEFT_EXEC_LOST_PAGE_H

#include <stdbool.h>

/* SIGBUS outside of kernels: true if the page at `address` is there again, so
 * that the access may be done once more. In a signal handler; one function. */
typedef bool exec_lost_page_fn(const void *address);
void exec_on_lost_page(exec_lost_page_fn *fn);

#endif
