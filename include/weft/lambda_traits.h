/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a lambda is marked with, for libraries that ask. CUDA C++ programming
 * guide, "Extended Lambdas", "Extended Lambda Type Traits". A function of the
 * host tries to call the lambda: one that is __device__ alone does not fit, and
 * that is no error where a template's result is found out.
 *
 * clang takes a lambda without a mark for both sides, so it counts as one of
 * both here. Host code knows what any lambda returns, so that of each is
 * preserved. A lambda with auto parameters has no type to be tried.
 */
#ifndef WEFT_LAMBDA_TRAITS_H
#define WEFT_LAMBDA_TRAITS_H

#if defined(__cplusplus) && __cplusplus >= 201103L

namespace weft_lambda
{

template <typename T> T &&make() noexcept;
struct yes {
    enum { value = 1 };
};
struct no {
    enum { value = 0 };
};

/* With a second overload the call by name is one that sides are looked at for;
 * an operator's might go through a pointer to function. */
template <typename F> struct overloaded : F {
    using F::operator();
    void operator()(yes) const;
};

template <typename Signature> struct probe;
#define WEFT_PROBE(qualifiers)                                                 \
    template <typename C, typename R, typename... A>                           \
    struct probe<R (C::*)(A...) qualifiers> {                                  \
        template <typename F>                                                  \
        static __attribute__((host)) auto host(int)                            \
            -> decltype(make<overloaded<F> &>().operator()(make<A>()...),      \
                        yes());                                                \
        template <typename F> static __attribute__((host)) no host(...);       \
    };
WEFT_PROBE()
WEFT_PROBE(const)
#if __cplusplus >= 201703L
WEFT_PROBE(noexcept)
WEFT_PROBE(const noexcept)
#endif
#undef WEFT_PROBE

/* A character of "... [T = (lambda at x.cu:1:2)]", or how many there are. Names
 * can be longer than a constant expression may be deep. */
template <typename T> constexpr unsigned text(long i)
{
    return i < 0 ? (unsigned)sizeof __PRETTY_FUNCTION__
                 : (unsigned)__PRETTY_FUNCTION__[i];
}
template <typename T> constexpr bool is_closure()
{
    return text<T>(text<int>(-1) - sizeof "int]") == '(' &&
           text<T>(text<int>(-1) - sizeof "int]" + 1) == 'l' &&
           text<T>(text<int>(-1) - sizeof "int]" + 2) == 'a';
}

template <typename T, bool = is_closure<T>()> struct host_call : no {
    enum { is_known = 0 };
};
template <typename T> struct host_call<T, true> {
    template <typename U>
    static decltype(probe<decltype(&U::operator())>::template host<U>(0))
    call(int);
    template <typename U> static no call(...);
    template <typename U>
    static decltype(&U::operator(), yes()) known(int);
    template <typename U> static no known(...);
    enum {
        value = decltype(call<T>(0))::value,
        is_known = decltype(known<T>(0))::value
    };
};

template <typename T> struct is_device {
    static constexpr bool value =
        host_call<T>::is_known && !host_call<T>::value;
};
template <typename T> struct is_both {
    static constexpr bool value = host_call<T>::is_known && host_call<T>::value;
};

} // namespace weft_lambda

#define __nv_is_extended_device_lambda_closure_type(...)                       \
    (::weft_lambda::is_device<__VA_ARGS__>::value)
#define __nv_is_extended_device_lambda_with_preserved_return_type(...)         \
    (::weft_lambda::is_device<__VA_ARGS__>::value)
#define __nv_is_extended_host_device_lambda_closure_type(...)                  \
    (::weft_lambda::is_both<__VA_ARGS__>::value)

#endif
#endif
