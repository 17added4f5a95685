/* SPDX-License-Identifier: Apache-2.0 */
/* The host's <bits/cpp_type_traits.h>, what C++20 has made constexpr in it for both sides: see
 * <weft/library_first.h>. */
#include <weft/library_first.h>
#if __cplusplus < 202002L
#pragma push_macro("_GLIBCXX20_CONSTEXPR")
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR WEFT_BOTH_SIDES
#include_next <bits/cpp_type_traits.h>
#pragma pop_macro("_GLIBCXX20_CONSTEXPR")
#else
#include_next <bits/cpp_type_traits.h>
#endif
