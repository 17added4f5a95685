/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The class of an object. To nvcc what is static in a class is a constant
 * whatever object it is read through, `this` and references too; to clang only
 * through an object that it knows. weftcc names the class there
 * (src/cc/compat/members.c).
 */
#ifndef WEFT_OBJECT_H
#define WEFT_OBJECT_H

#if defined(__CUDA__) && __cplusplus >= 201103L
template <typename T> struct weft_object {
    typedef T weft_type;
};
template <typename T> struct weft_object<T &> {
    typedef T weft_type;
};
template <typename T> struct weft_object<T &&> {
    typedef T weft_type;
};
#endif

#endif
