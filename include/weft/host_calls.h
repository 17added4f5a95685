/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What weftcc puts around a call of a __host__ function in a function of both
 * sides, which nvcc takes with a warning. In the device pass the call stands in
 * a lambda of the host's, so that the kernels which it launches are
 * instantiated; a thread that gets there ends its kernel with an error. Another
 * instance of a template may call a __device__ function there: a lambda of the
 * device's can be called only then, and is.
 */
#ifndef WEFT_HOST_CALLS_H
#define WEFT_HOST_CALLS_H

#if defined(__cplusplus) && defined(__CUDA_ARCH__) && __cplusplus >= 201103L

template <typename F>
__attribute__((host)) __attribute__((device)) inline auto weft_on_host(F f)
    -> decltype(f())
{
    __builtin_trap();
}

#if __cplusplus >= 201402L
#define WEFT_HOST_RESULT ->decltype(auto)
#else
#define WEFT_HOST_RESULT
#endif
#define WEFT_HOST_CALL                                                         \
    ::weft_on_host([&]() __attribute__((host)) WEFT_HOST_RESULT { return
#define WEFT_HOST_CALL_END                                                     \
    ;                                                                          \
    })

#if __cplusplus >= 201402L
template <typename D, typename H> struct weft_either {
    D on_device;
    H on_host;

    template <typename... A>
    __attribute__((host)) __attribute__((device)) auto call(int, A &&...a)
        -> decltype(on_device(static_cast<A &&>(a)...))
    {
        return on_device(static_cast<A &&>(a)...);
    }
    template <typename... A>
    __attribute__((host)) __attribute__((device)) auto call(long, A &&...)
        -> decltype(on_host())
    {
        __builtin_trap();
    }
    template <typename... A>
    __attribute__((host)) __attribute__((device)) decltype(auto)
    operator()(A &&...a)
    {
        return call(0, static_cast<A &&>(a)...);
    }
};
template <typename D, typename H>
__attribute__((host)) __attribute__((device)) inline weft_either<D, H>
weft_either_of(D on_device, H on_host)
{
    return {on_device, on_host};
}
#define WEFT_BARE(...)      __VA_ARGS__
#define WEFT_HOST_FORWARDED (static_cast<decltype(weft_a)>(weft_a)...)
#define WEFT_HOST_EITHER(name)                                                 \
    ::weft_either_of(                                                          \
        [&](auto &&...weft_a) __attribute__((device))                          \
            -> decltype(WEFT_BARE name WEFT_HOST_FORWARDED) {                  \
                return WEFT_BARE name WEFT_HOST_FORWARDED;                     \
            },                                                                 \
        [&]() __attribute__((host)) WEFT_HOST_RESULT { return
#define WEFT_HOST_EITHER_END(...)                                              \
    ;                                                                          \
    })(__VA_ARGS__)
#else
#define WEFT_HOST_EITHER(name)    WEFT_HOST_CALL
#define WEFT_HOST_EITHER_END(...) WEFT_HOST_CALL_END
#endif

/* In a loop, since the block may leave one. */
#define WEFT_HOST_BLOCK                                                        \
    ::weft_on_host([&]() __attribute__((host)) { for (;;) {
#define WEFT_HOST_BLOCK_END                                                    \
    }                                                                          \
    });                                                                      \
    __builtin_trap();

#else

#define WEFT_HOST_CALL
#define WEFT_HOST_CALL_END
#define WEFT_HOST_EITHER(name)
#define WEFT_HOST_EITHER_END(...)
#define WEFT_HOST_BLOCK
#define WEFT_HOST_BLOCK_END

#endif
#endif
