/* SPDX-License-Identifier: Apache-2.0 */
/* One row of a copy. */
#ifndef WEFT_CORE_COPY_ROW_H
#define WEFT_CORE_COPY_ROW_H

#include <stddef.h>

/* As memcpy; but the destination passes the caches by, which saves reading it
 * first. For what is larger than the last cache in all, piece by piece. */
void copy_row_streamed(void *to, const void *from, size_t size_bytes);

#endif
