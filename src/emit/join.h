/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of 16 bytes that are loaded or stored as one. */
#ifndef WEFT_EMIT_JOIN_H
#define WEFT_EMIT_JOIN_H

#include "emit/internal.h"

/*
 * For instructions [first, end) of one block what is to be emitted in their
 * places: themselves, an access that stands for several, or NULL where
 * another does the work.
 */
const struct ptx_inst **emit_join_accesses(struct emit *e, uint32_t first,
                                           uint32_t end);

#endif
