/* SPDX-License-Identifier: Apache-2.0 */
/* What NVRTC has of namespace std without any header, for programs that define
 * the rest of it by themselves: src/cc/hidden.def. */
#ifndef WEFT_RUNTIME_STD_H
#define WEFT_RUNTIME_STD_H

#include "rtc_features.h" /* beside it: no folder is known here */

#if __cplusplus >= 201103L
#define WEFT_STD __attribute__((host, device)) constexpr

namespace weft_std
{
template <class T> struct no_reference {
    typedef T type;
};
template <class T> struct no_reference<T &> {
    typedef T type;
};
template <class T> struct no_reference<T &&> {
    typedef T type;
};
} // namespace weft_std

namespace std
{
enum class align_val_t : decltype(sizeof 0) {
};

/* The compiler makes them: a pointer and a count, in this order. */
template <class E> class initializer_list
{
    const E *first;
    decltype(sizeof 0) count;

  public:
    typedef E value_type;
    typedef const E &reference;
    typedef const E &const_reference;
    typedef decltype(sizeof 0) size_type;
    typedef const E *iterator;
    typedef const E *const_iterator;

    WEFT_STD initializer_list() noexcept : first(0), count(0)
    {
    }
    WEFT_STD size_type size() const noexcept
    {
        return count;
    }
    WEFT_STD const E *begin() const noexcept
    {
        return first;
    }
    WEFT_STD const E *end() const noexcept
    {
        return first + count;
    }
};

template <class T>
WEFT_STD typename weft_std::no_reference<T>::type &&move(T &&value) noexcept
{
    return static_cast<typename weft_std::no_reference<T>::type &&>(value);
}
template <class T>
WEFT_STD T &&
forward(typename weft_std::no_reference<T>::type &value) noexcept
{
    return static_cast<T &&>(value);
}
template <class T>
WEFT_STD T &&
forward(typename weft_std::no_reference<T>::type &&value) noexcept
{
    return static_cast<T &&>(value);
}
} // namespace std
#undef WEFT_STD
#endif

#endif
