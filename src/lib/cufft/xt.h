/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of one transform on several devices. */
#ifndef WEFT_CUFFT_XT_H
#define WEFT_CUFFT_XT_H

#include "handles.h"

/* What a device has of the whole: rows, `stride` bytes apart in the whole,
 * without gaps in the piece. */
struct piece {
    char *at;
    uint64_t offset, row_bytes, rows, stride;
};

struct pieces {
    char *whole;
    bool gathers; /* from the pieces to the whole */
    uint32_t count;
    struct piece piece[CUFFT_GPUS_MAX];
};

/* In the current thread; all of it is done when this returns. */
void pieces_copy(const struct pieces *p);
/* As a kernel in the stream. */
CUresult pieces_run(const struct pieces *p, CUstream stream);

#endif
