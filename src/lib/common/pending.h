/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of a library that kernels of several streams may still use: a
 * descriptor's values, say. Each use is noted; who frees the memory waits for
 * all of them, whatever has become of the streams. Zeros are an empty one. Any
 * thread may note, while none waits.
 *
 * What a stream that is being captured does is not noted: the program keeps
 * the memory for as long as it launches the graph.
 */
#ifndef WEFT_LIB_COMMON_PENDING_H
#define WEFT_LIB_COMMON_PENDING_H

#include <stddef.h>

#include "cuda.h"

struct pending_use;

struct pending {
    struct pending_use *uses; /* one for each stream */
    size_t count;
};

/* Notes what is in the stream now. Without memory for the note it waits. */
void pending_note(struct pending *p, CUstream stream);

/* What the stream gets from now on waits for the uses in other streams. */
CUresult pending_order(struct pending *p, CUstream stream);

/* Waits for all uses and forgets them. */
void pending_wait(struct pending *p);

#endif
