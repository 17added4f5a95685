/* SPDX-License-Identifier: Apache-2.0 */
/* One row of a copy. */
#ifndef WEFT_CORE_COPY_ROW_H
#define WEFT_CORE_COPY_ROW_H

#include <stddef.h>

/* memcpy with non-temporal stores, which do not read the destination first.
 * For pieces of copies that are larger than the last cache in all. */
void copy_row_streamed(void *to, const void *from, size_t size_bytes);

#endif
