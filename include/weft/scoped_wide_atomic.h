/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atomic accesses of 16 bytes with scope and order, on devices that have them:
 * the part of scoped_atomic.h for those types, included by it inside
 * weft_cuda::detail. A load is a swap of nothing for nothing; orders other than
 * relaxed are made acquire and release, which is more than they ask.
 */

#define WEFT_WIDE_CALL(operation, ...)                                         \
    (order == __ATOMIC_RELAXED                                                 \
         ? (Scope == thread_scope_system                                       \
                ? __weft_wide_##operation##_relaxed_sys(__VA_ARGS__)           \
            : Scope == thread_scope_device                                     \
                ? __weft_wide_##operation##_relaxed_gpu(__VA_ARGS__)           \
                : __weft_wide_##operation##_relaxed_cta(__VA_ARGS__))          \
         : (Scope == thread_scope_system                                       \
                ? __weft_wide_##operation##_acq_rel_sys(__VA_ARGS__)           \
            : Scope == thread_scope_device                                     \
                ? __weft_wide_##operation##_acq_rel_gpu(__VA_ARGS__)           \
                : __weft_wide_##operation##_acq_rel_cta(__VA_ARGS__)))

template <thread_scope Scope>
WEFT_HD __weft_wide wide_exchange(void *p, __weft_wide value, int order)
{
    if (order == __ATOMIC_SEQ_CST)
        __scoped_atomic_thread_fence(order, scope_number<Scope>::value);
    return WEFT_WIDE_CALL(exch, p, value);
}
template <thread_scope Scope>
WEFT_HD __weft_wide wide_swap(void *p, __weft_wide compare, __weft_wide value,
                              int order)
{
    if (order == __ATOMIC_SEQ_CST)
        __scoped_atomic_thread_fence(order, scope_number<Scope>::value);
    return WEFT_WIDE_CALL(cas, p, compare, value);
}
#undef WEFT_WIDE_CALL

template <thread_scope Scope, typename T>
WEFT_HD if_wide<T> atomic_load(const T *p, int order)
{
    return __builtin_bit_cast(
        T, wide_swap<Scope>(const_cast<T *>(p), 0, 0, order));
}
template <thread_scope Scope, typename T>
WEFT_HD if_wide<T, void> atomic_store(T *p, T value, int order)
{
    wide_exchange<Scope>(p, __builtin_bit_cast(__weft_wide, value), order);
}
template <thread_scope Scope, typename T>
WEFT_HD if_wide<T> atomic_exchange(T *p, T value, int order)
{
    return __builtin_bit_cast(
        T,
        wide_exchange<Scope>(p, __builtin_bit_cast(__weft_wide, value), order));
}
template <thread_scope Scope, typename T>
WEFT_HD if_wide<T, bool> atomic_compare_exchange(T *p, T &expected, T desired,
                                                 int success, int failure)
{
    (void)failure; /* never more than success asks for */
    __weft_wide want = __builtin_bit_cast(__weft_wide, expected);
    __weft_wide old = wide_swap<Scope>(
        p, want, __builtin_bit_cast(__weft_wide, desired), success);
    expected = __builtin_bit_cast(T, old);
    return old == want;
}
