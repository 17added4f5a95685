/* SPDX-License-Identifier: Apache-2.0 */
/* Work of a plan's making on the SM threads (share.c). */
#ifndef WEFT_CUFFT_SHARE_H
#define WEFT_CUFFT_SHARE_H

#include <stdint.h>

/* An fft_share: the caller works too, and never waits for an SM thread that has
 * not begun. */
void share_work(void (*fn)(void *data, uint64_t first, uint64_t end),
                void *data, uint64_t count);

#endif
