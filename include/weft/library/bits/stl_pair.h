/* SPDX-License-Identifier: Apache-2.0 */
/* The host's <bits/stl_pair.h>, all of it for both sides: see <weft/library_first.h>. */
#include <weft/library_first.h>
#pragma clang force_cuda_host_device begin
#if __cplusplus < 202002L
#pragma push_macro("_GLIBCXX20_CONSTEXPR")
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR
#include_next <bits/stl_pair.h>
#pragma pop_macro("_GLIBCXX20_CONSTEXPR")
#else
#include_next <bits/stl_pair.h>
#endif
#pragma clang force_cuda_host_device end
