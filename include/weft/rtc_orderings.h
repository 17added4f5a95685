/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For the host's C++ library where its namespace has another name, so that a
 * program of NVRTC's can define its own: what <=> gives has to be std's to the
 * compiler, so <compare> is left out, and these names mean that nothing can be
 * ordered by it.
 */
#ifndef WEFT_RTC_ORDERINGS_H
#define WEFT_RTC_ORDERINGS_H

#if __cplusplus >= 202002L
#define _COMPARE 1 /* libstdc++'s guard of <compare> */

namespace std
{
class partial_ordering
{
};
class weak_ordering
{
};
class strong_ordering
{
};
template <class T, class Category = void>
concept three_way_comparable = false;
template <class T, class U, class Category = void>
concept three_way_comparable_with = false;
template <class T, class U = T> using compare_three_way_result_t = void;
} // namespace std
#endif

#endif
