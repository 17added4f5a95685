/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names in the LLVM code that emit makes, by which codegen finds what it has
 * to act on. Needs no LLVM.
 */
#ifndef WEFT_EMIT_MARKS_H
#define WEFT_EMIT_MARKS_H

/* Metadata of the load of the shared window's address, if only its function
 * accesses the window. */
#define EMIT_SHARED_NAME "weft.shared"

/* `i1 weft.bases.s.4(i32 id, base, base, base, base)`: do the addresses of all
 * groups of lanes follow from the first group's? 's' or 'u': the index is
 * signed or unsigned; then the number of groups. */
#define EMIT_BASES_FORMAT "weft.bases.%c.%u"
/* `base weft.base(i32 id, base)`: a group's base behind such a test, which may
 * be computed from the first group's. */
#define EMIT_BASE_NAME "weft.base"

#endif
