/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the functions of cuda::ptx take in the place of an instruction's
 * modifiers, and how these functions are declared. They are templates, so that
 * one that is not used asks nothing of the device.
 */
#ifndef WEFT_PTX_TAGS_H
#define WEFT_PTX_TAGS_H

#include "../../cuda_runtime.h"
#include <stdint.h>
#include <type_traits>

namespace cuda
{
namespace ptx
{

#define WEFT_TAG(kind, name)                                                   \
    typedef kind##_t<dot_##kind::name> kind##_##name##_t;                      \
    static constexpr kind##_##name##_t kind##_##name{};
#define WEFT_TAGS(kind)                                                        \
    template <dot_##kind Value>                                                \
    struct kind##_t : ::std::integral_constant<dot_##kind, Value> {            \
    };

enum class dot_sem { acq_rel, acquire, relaxed, release, sc, weak };
WEFT_TAGS(sem)
WEFT_TAG(sem, acq_rel)
WEFT_TAG(sem, acquire)
WEFT_TAG(sem, relaxed)
WEFT_TAG(sem, release)
WEFT_TAG(sem, sc)
WEFT_TAG(sem, weak)

enum class dot_scope { cta, cluster, gpu, sys };
WEFT_TAGS(scope)
WEFT_TAG(scope, cta)
WEFT_TAG(scope, cluster)
WEFT_TAG(scope, gpu)
WEFT_TAG(scope, sys)

enum class dot_space { global, cluster, shared };
WEFT_TAGS(space)
WEFT_TAG(space, global)
WEFT_TAG(space, cluster)
WEFT_TAG(space, shared)

enum class dot_op { add, dec, inc, max, min, and_op, or_op, xor_op };
WEFT_TAGS(op)
WEFT_TAG(op, add)
WEFT_TAG(op, dec)
WEFT_TAG(op, inc)
WEFT_TAG(op, max)
WEFT_TAG(op, min)
WEFT_TAG(op, and_op)
WEFT_TAG(op, or_op)
WEFT_TAG(op, xor_op)

#undef WEFT_TAG
#undef WEFT_TAGS

template <int N> struct n32_t : ::std::integral_constant<int, N> {
};

/* How every function begins. */
#define WEFT_PTX(result)                                                       \
    template <typename = void> static __device__ __forceinline__ result
#define WEFT_PTX_IF(condition, result)                                         \
    template <typename T,                                                      \
              typename ::std::enable_if<(condition), bool>::type = true>       \
    static __device__ __forceinline__ result

#define WEFT_SHARED(pointer)                                                   \
    "r"((unsigned)__cvta_generic_to_shared((const void *)(pointer)))
#define WEFT_GLOBAL(pointer)                                                   \
    "l"(__cvta_generic_to_global((const void *)(pointer)))

#define WEFT_EACH_SCOPE(X, ...)                                                \
    X(cta, __VA_ARGS__)                                                        \
    X(cluster, __VA_ARGS__) X(gpu, __VA_ARGS__) X(sys, __VA_ARGS__)

} // namespace ptx
} // namespace cuda

#endif
