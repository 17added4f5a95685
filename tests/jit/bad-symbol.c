/* SPDX-License-Identifier: Apache-2.0 */
/* Calls a function that no kernel may reach. */
#include "abi/abi.h"

int system(const char *command);

void weft_kernel(struct exec_warp *w);
void weft_kernel(struct exec_warp *w)
{
    system((const char *)w->shared);
}
