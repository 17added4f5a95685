/* SPDX-License-Identifier: Apache-2.0 */
/* Pages that have vanished (SIGBUS), for code that can bring them back. A part
 * of exec.h. */
#ifndef WEFT_EXEC_LOST_PAGE_H
#define WEFT_EXEC_LOST_PAGE_H

#include <stdbool.h>

/* Called in a signal handler, for a SIGBUS outside of kernels: true if the
 * page at `address` exists again, so that the access is repeated. There is one
 * such function. */
typedef bool exec_lost_page_fn(const void *address);
void exec_on_lost_page(exec_lost_page_fn *fn);

#endif
