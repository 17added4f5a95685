/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Renames the library's functions from f to weft_f: programs call wrappers that
 * log errors (wrappers.c). To be included before any declaration of them.
 */
#ifndef WEFT_DRIVER_RENAMES_H
#define WEFT_DRIVER_RENAMES_H

#define RENAME_AS(text)   _Pragma(#text)
#define RENAME(name)      RENAME_AS(redefine_extname name weft_##name)
#define RENAME_NO(name)   RENAME(name)
#define RENAME_PTDS(name) RENAME(name) RENAME(name##_ptds)
#define RENAME_PTSZ(name) RENAME(name) RENAME(name##_ptsz)
#define STATE_REFUSES(name, per_thread)
#define STATE_NARROW_0(name, per_thread)
#define STATE_NARROW_1(name, per_thread)
#define STATE_NARROW_2(name, per_thread)
#define STATE_DONE(name, per_thread) RENAME_##per_thread(name)
#define CU_API(name, suffix, since, per_thread, state)                         \
    STATE_##state(name##suffix, per_thread)
#include "driver/api.def"
#undef STATE_REFUSES
#undef STATE_NARROW_0
#undef STATE_NARROW_1
#undef STATE_NARROW_2
#undef STATE_DONE

#endif
