/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions a kernel may call that the execution engine implements:
 * printf, assert and clock (malloc and free stand in the prologue). PTX
 * interoperability guide, "System Calls".
 */
#ifndef WEFT_DEVICE_SYSTEM_H
#define WEFT_DEVICE_SYSTEM_H

extern "C" {
__device__ int vprintf(const char *format, const char *args);
/* Not noreturn: ptxas has miscompiled kernels that said so. */
__device__ void __assertfail(const char *message, const char *file,
                             unsigned line, const char *function,
                             size_t char_size);

/* clang turns it into vprintf with the arguments packed. */
__device__ int printf(const char *format, ...);

/* What glibc's assert() calls, with its exception specification. Programs
 * declare it too, for host and device. */
__device__ void __assert_fail(const char *message, const char *file,
                              unsigned line, const char *function)
#if __cplusplus >= 201103L
    noexcept;
#else
    throw();
#endif

/* clock_t, whose 64 bits nvcc fills. */
__device__ static inline long clock()
{
    return (long)__nvvm_read_ptx_sreg_clock64();
}

__device__ static inline void *calloc(size_t count, size_t size)
{
    if (size && count > ~(size_t)0 / size)
        return 0;
    void *p = malloc(count * size);
    if (p)
        __builtin_memset(p, 0, count * size);
    return p;
}

__device__ static inline void *memmove(void *dst, const void *src, size_t n)
{
    unsigned char *d = (unsigned char *)dst;
    const unsigned char *s = (const unsigned char *)src;
    if (d <= s)
        for (size_t i = 0; i < n; i++)
            d[i] = s[i];
    else
        for (size_t i = n; i > 0; i--)
            d[i - 1] = s[i - 1];
    return dst;
}

__device__ static inline int memcmp(const void *left, const void *right,
                                    size_t n)
{
    const unsigned char *a = (const unsigned char *)left;
    const unsigned char *b = (const unsigned char *)right;
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}
} /* extern "C" */

/* What clang calls first for a <<<>>> launch. */
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block,
                                                size_t shared_bytes = 0,
                                                void *stream = 0);

#endif
