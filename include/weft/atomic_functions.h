/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that C has for what atomic objects do: part of
 * <cuda/std/atomic>, in its namespace. */
#ifndef WEFT_ATOMIC_FUNCTIONS_H
#define WEFT_ATOMIC_FUNCTIONS_H

#define WEFT_ATOMIC_FUNCTION(result)                                           \
    template <typename T>                                                      \
    __host__ __device__ __forceinline__ result

/* What the object holds, and what is added to it: not deduced. */
template <typename T> struct atomic_held {
    typedef T value;
    typedef T step;
};
template <typename T> struct atomic_held<T *> {
    typedef T *value;
    typedef ::std::ptrdiff_t step;
};
#define WEFT_VALUE typename atomic_held<T>::value
#define WEFT_STEP  typename atomic_held<T>::step

WEFT_ATOMIC_FUNCTION(bool) atomic_is_lock_free(const atomic<T> *a)
{
    return a->is_lock_free();
}
WEFT_ATOMIC_FUNCTION(void) atomic_init(atomic<T> *a, WEFT_VALUE x)
{
    a->store(x, memory_order_relaxed);
}
WEFT_ATOMIC_FUNCTION(void) atomic_store(atomic<T> *a, WEFT_VALUE x)
{
    a->store(x);
}
WEFT_ATOMIC_FUNCTION(void)
atomic_store_explicit(atomic<T> *a, WEFT_VALUE x, memory_order order)
{
    a->store(x, order);
}
WEFT_ATOMIC_FUNCTION(T) atomic_load(const atomic<T> *a)
{
    return a->load();
}
WEFT_ATOMIC_FUNCTION(T)
atomic_load_explicit(const atomic<T> *a, memory_order order)
{
    return a->load(order);
}
WEFT_ATOMIC_FUNCTION(bool)
atomic_compare_exchange_strong(atomic<T> *a, T *old, WEFT_VALUE x)
{
    return a->compare_exchange_strong(*old, x);
}
WEFT_ATOMIC_FUNCTION(bool)
atomic_compare_exchange_weak(atomic<T> *a, T *old, WEFT_VALUE x)
{
    return a->compare_exchange_weak(*old, x);
}
WEFT_ATOMIC_FUNCTION(bool)
atomic_compare_exchange_strong_explicit(atomic<T> *a, T *old, WEFT_VALUE x,
                                        memory_order success,
                                        memory_order failure)
{
    return a->compare_exchange_strong(*old, x, success, failure);
}
WEFT_ATOMIC_FUNCTION(bool)
atomic_compare_exchange_weak_explicit(atomic<T> *a, T *old, WEFT_VALUE x,
                                      memory_order success,
                                      memory_order failure)
{
    return a->compare_exchange_weak(*old, x, success, failure);
}
WEFT_ATOMIC_FUNCTION(void) atomic_wait(const atomic<T> *a, WEFT_VALUE old)
{
    a->wait(old);
}
WEFT_ATOMIC_FUNCTION(void)
atomic_wait_explicit(const atomic<T> *a, WEFT_VALUE old, memory_order order)
{
    a->wait(old, order);
}
WEFT_ATOMIC_FUNCTION(void) atomic_notify_one(atomic<T> *a)
{
    a->notify_one();
}
WEFT_ATOMIC_FUNCTION(void) atomic_notify_all(atomic<T> *a)
{
    a->notify_all();
}

#define WEFT_MODIFY(name, operand)                                             \
    WEFT_ATOMIC_FUNCTION(T) atomic_##name(atomic<T> *a, operand x)             \
    {                                                                          \
        return a->name(x);                                                     \
    }                                                                          \
    WEFT_ATOMIC_FUNCTION(T)                                                    \
    atomic_##name##_explicit(atomic<T> *a, operand x, memory_order order)      \
    {                                                                          \
        return a->name(x, order);                                              \
    }
WEFT_MODIFY(exchange, WEFT_VALUE)
WEFT_MODIFY(fetch_add, WEFT_STEP)
WEFT_MODIFY(fetch_sub, WEFT_STEP)
WEFT_MODIFY(fetch_and, WEFT_VALUE)
WEFT_MODIFY(fetch_or, WEFT_VALUE)
WEFT_MODIFY(fetch_xor, WEFT_VALUE)
#undef WEFT_MODIFY
#undef WEFT_VALUE
#undef WEFT_STEP
#undef WEFT_ATOMIC_FUNCTION

#define WEFT_FLAG_FUNCTION(result)                                             \
    __host__ __device__ __forceinline__ result
WEFT_FLAG_FUNCTION(bool) atomic_flag_test(const atomic_flag *flag)
{
    return flag->test();
}
WEFT_FLAG_FUNCTION(bool)
atomic_flag_test_explicit(const atomic_flag *flag, memory_order order)
{
    return flag->test(order);
}
WEFT_FLAG_FUNCTION(bool) atomic_flag_test_and_set(atomic_flag *flag)
{
    return flag->test_and_set();
}
WEFT_FLAG_FUNCTION(bool)
atomic_flag_test_and_set_explicit(atomic_flag *flag, memory_order order)
{
    return flag->test_and_set(order);
}
WEFT_FLAG_FUNCTION(void) atomic_flag_clear(atomic_flag *flag)
{
    flag->clear();
}
WEFT_FLAG_FUNCTION(void)
atomic_flag_clear_explicit(atomic_flag *flag, memory_order order)
{
    flag->clear(order);
}
WEFT_FLAG_FUNCTION(void) atomic_flag_wait(const atomic_flag *flag, bool old)
{
    flag->wait(old);
}
WEFT_FLAG_FUNCTION(void)
atomic_flag_wait_explicit(const atomic_flag *flag, bool old, memory_order order)
{
    flag->wait(old, order);
}
WEFT_FLAG_FUNCTION(void) atomic_flag_notify_one(atomic_flag *flag)
{
    flag->notify_one();
}
WEFT_FLAG_FUNCTION(void) atomic_flag_notify_all(atomic_flag *flag)
{
    flag->notify_all();
}
#undef WEFT_FLAG_FUNCTION

#endif
