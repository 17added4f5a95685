/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What of the host's C++ library has no state of its own, pairs, tuples,
 * arrays, optionals, variants, algorithms, function objects, is compiled for
 * both sides: clang does so with constexpr functions, and C++17 lacks the word
 * where C++20 has it. The headers in library/ stand before the library's, in
 * CUDA files only. Most of them use clang's pragma, whose attributes do not
 * count when a program specialises a template; those with classes that
 * override functions of the host use the library's own macro.
 *
 * What they include and what belongs to the host comes first, outside of the
 * pragma. A function that cannot be called is no error until it is.
 */
#ifndef WEFT_LIBRARY_FIRST_H
#define WEFT_LIBRARY_FIRST_H

#define WEFT_BOTH_SIDES __attribute__((host)) __attribute__((device))

#if defined(__CUDA_ARCH__) && !defined(_GLIBCXX_THROW_OR_ABORT)
/* Device code cannot throw. */
#define _GLIBCXX_THROW_OR_ABORT(exception) (__builtin_trap())
#endif

#include <cstdlib>
#include <initializer_list>
#include <new>

#if __has_include(<bits/functexcept.h>)
#include <bits/functexcept.h>

#if defined(__CUDA_ARCH__)
/* What array::at, optional::value and their like call. */
namespace std
{
_GLIBCXX_BEGIN_NAMESPACE_VERSION
#define WEFT_NO_THROW(name, parameters)                                        \
    __attribute__((device, noreturn)) inline void name parameters              \
    {                                                                          \
        __builtin_trap();                                                      \
    }
WEFT_NO_THROW(__throw_bad_alloc, ())
WEFT_NO_THROW(__throw_bad_function_call, ())
WEFT_NO_THROW(__throw_bad_optional_access, ())
WEFT_NO_THROW(__throw_bad_variant_access, (bool))
WEFT_NO_THROW(__throw_bad_variant_access, (const char *))
WEFT_NO_THROW(__throw_invalid_argument, (const char *))
WEFT_NO_THROW(__throw_length_error, (const char *))
WEFT_NO_THROW(__throw_logic_error, (const char *))
WEFT_NO_THROW(__throw_out_of_range, (const char *))
#if __cplusplus >= 201103L
template <typename... Values>
WEFT_NO_THROW(__throw_out_of_range_fmt, (const char *, Values...))
#endif
#undef WEFT_NO_THROW
_GLIBCXX_END_NAMESPACE_VERSION
} // namespace std
#endif
#endif

#endif
