/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What weftcc puts around a call of a __host__ function in a function of both
 * sides, which nvcc takes with a warning. In the device pass the call stands in
 * a lambda of the host's, so that the kernels which it launches are
 * instantiated; a thread that gets there ends its kernel with an error.
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
#define WEFT_HOST_RESULT -> decltype(auto)
#else
#define WEFT_HOST_RESULT
#endif
#define WEFT_HOST_CALL                                                         \
    ::weft_on_host([&]() __attribute__((host)) WEFT_HOST_RESULT { return
#define WEFT_HOST_CALL_END ; })
/* In a loop, since the block may leave one. */
#define WEFT_HOST_BLOCK                                                        \
    ::weft_on_host([&]() __attribute__((host)) { for (;;) {
#define WEFT_HOST_BLOCK_END                                                    \
    } });                                                                      \
    __builtin_trap();

#else

#define WEFT_HOST_CALL
#define WEFT_HOST_CALL_END
#define WEFT_HOST_BLOCK
#define WEFT_HOST_BLOCK_END

#endif
#endif
