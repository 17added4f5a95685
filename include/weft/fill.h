/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of an array of variable length, which gcc takes where it is declared.
 * weftcc has it filled behind its declaration (src/cc/compat/gnu.c).
 */
#ifndef WEFT_FILL_H
#define WEFT_FILL_H

#if defined(__CUDA__) && __cplusplus >= 201103L
#include <initializer_list>

/* A value as its type says, or the first member of a structure. */
template <typename T, typename V>
__host__ __device__ auto weft_value(const V &v, int) -> decltype(T(v))
{
    return T(v);
}
template <typename T, typename V>
__host__ __device__ T weft_value(const V &v, long)
{
    return T{v};
}

template <typename T> struct weft_filler {
    T *first;
    decltype(sizeof 0) count;

    template <typename... V>
    __host__ __device__ void operator()(const V &...v) const
    {
        T values[sizeof...(v) + 1] = {weft_value<T>(v, 0)...};
        for (decltype(sizeof 0) i = 0; i < count; i++)
            first[i] = i < sizeof...(v) ? values[i] : T();
    }
};

template <typename T>
__host__ __device__ weft_filler<T> weft_fill(T *first, decltype(sizeof 0) bytes)
{
    return {first, bytes / sizeof(T)};
}

/* The same for rows that each have braces of their own. */
template <typename T> struct weft_row_filler {
    T *first;
    decltype(sizeof 0) count, row;

    __host__ __device__ void
    operator()(std::initializer_list<std::initializer_list<T>> rows) const
    {
        for (decltype(sizeof 0) i = 0; i < count; i++) {
            auto r = i / row, at = i % row;
            bool is_given = r < rows.size() && at < rows.begin()[r].size();
            first[i] = is_given ? rows.begin()[r].begin()[at] : T();
        }
    }
};

template <typename T>
__host__ __device__ weft_row_filler<T>
weft_fill_rows(T *first, decltype(sizeof 0) bytes, decltype(sizeof 0) row_bytes)
{
    return {first, bytes / sizeof(T), row_bytes / sizeof(T)};
}
#endif

#endif
