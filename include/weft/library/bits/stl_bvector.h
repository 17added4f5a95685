/* SPDX-License-Identifier: Apache-2.0 */
/* The host's <bits/stl_bvector.h>: it defines a function that the header of the
 * algorithms has declared, for both sides here. See <weft/library_first.h>. */
#include <weft/library_first.h>
#if __cplusplus < 202002L
#pragma push_macro("__fill_a1")
#define __fill_a1 WEFT_BOTH_SIDES __fill_a1
#include_next <bits/stl_bvector.h>
#pragma pop_macro("__fill_a1")
#else
#include_next <bits/stl_bvector.h>
#endif
