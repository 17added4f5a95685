/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects that ended with their context, and arrays that were freed: who still
 * hands one in is told that its context is destroyed, as on hardware, until so
 * many others have ended. Their memory stays until then, so that no new object
 * has the address.
 */
#ifndef WEFT_CORE_ORPHANS_H
#define WEFT_CORE_ORPHANS_H

#include "cuda.h"

/* Takes over `object`, for free(). Any thread. */
void orphan_keep(void *object);

/* CONTEXT_IS_DESTROYED, or INVALID_HANDLE for what is no orphan; never looks
 * into it. Any thread. */
CUresult orphan_error(const void *handle);

#endif
