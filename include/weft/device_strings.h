/* SPDX-License-Identifier: Apache-2.0 */
/* <string.h> for device code: byte by byte, as the C standard says. */
#ifndef WEFT_DEVICE_STRINGS_H
#define WEFT_DEVICE_STRINGS_H

extern "C" {

#define WEFT_DEVICE __device__ static inline

WEFT_DEVICE size_t strlen(const char *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

WEFT_DEVICE char *strcpy(char *to, const char *from)
{
    for (size_t i = 0; (to[i] = from[i]) != 0; i++) {
    }
    return to;
}

WEFT_DEVICE char *strncpy(char *to, const char *from, size_t n)
{
    bool is_over = false;
    for (size_t i = 0; i < n; i++) {
        to[i] = is_over ? 0 : from[i];
        is_over |= !to[i];
    }
    return to;
}

WEFT_DEVICE char *strcat(char *to, const char *from)
{
    strcpy(to + strlen(to), from);
    return to;
}

WEFT_DEVICE char *strncat(char *to, const char *from, size_t n)
{
    char *end = to + strlen(to);
    size_t i = 0;
    for (; i < n && from[i]; i++)
        end[i] = from[i];
    end[i] = 0;
    return to;
}

WEFT_DEVICE int strncmp(const char *left, const char *right, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char a = (unsigned char)left[i], b = (unsigned char)right[i];
        if (a != b)
            return a < b ? -1 : 1;
        if (!a)
            break;
    }
    return 0;
}

WEFT_DEVICE int strcmp(const char *left, const char *right)
{
    return strncmp(left, right, ~(size_t)0);
}

/* Where the byte is; NULL: nowhere. */
WEFT_DEVICE const void *weft_find_byte(const void *s, int c, size_t n)
{
    const unsigned char *p = (const unsigned char *)s;
    for (size_t i = 0; i < n; i++)
        if (p[i] == (unsigned char)c)
            return p + i;
    return 0;
}
WEFT_DEVICE const char *weft_find_last(const char *s, int c)
{
    const char *found = 0;
    for (;; s++) {
        if (*s == (char)c)
            found = s;
        if (!*s)
            return found;
    }
}

#undef WEFT_DEVICE
} /* extern "C" */

/* The C++ library has two of each. */
#define WEFT_DEVICE static __device__ inline
#define WEFT_BOTH(type, function, parameters, expression)                      \
    WEFT_DEVICE const type *function(const type *s, WEFT_OPEN parameters)      \
    {                                                                          \
        return (const type *)(expression);                                     \
    }                                                                          \
    WEFT_DEVICE type *function(type *s, WEFT_OPEN parameters)                  \
    {                                                                          \
        return (type *)(expression);                                           \
    }
#define WEFT_OPEN(...) __VA_ARGS__
WEFT_BOTH(void, memchr, (int c, size_t n), weft_find_byte(s, c, n))
WEFT_BOTH(char, strchr, (int c), weft_find_byte(s, c, strlen(s) + 1))
WEFT_BOTH(char, strrchr, (int c), weft_find_last(s, c))
#undef WEFT_OPEN
#undef WEFT_BOTH
#undef WEFT_DEVICE

#endif
