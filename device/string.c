/* SPDX-License-Identifier: Apache-2.0 */
/* What the C++ library calls as a builtin that is no instruction: string_view
 * and char_traits do, in kernels too. Programs' own calls find the functions of
 * weft/device_strings.h. */
#include "device.h"

#include <stddef.h>

size_t strlen(const char *s);
size_t strlen(const char *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

int memcmp(const void *left, const void *right, size_t n);
int memcmp(const void *left, const void *right, size_t n)
{
    const unsigned char *a = left, *b = right;
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

void *memchr(const void *s, int byte, size_t n);
void *memchr(const void *s, int byte, size_t n)
{
    const unsigned char *p = s;
    for (size_t i = 0; i < n; i++)
        if (p[i] == (unsigned char)byte)
            return (void *)(p + i);
    return NULL;
}

int strncmp(const char *left, const char *right, size_t n);
int strncmp(const char *left, const char *right, size_t n)
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

int strcmp(const char *left, const char *right);
int strcmp(const char *left, const char *right)
{
    return strncmp(left, right, (size_t)-1);
}

char *strchr(const char *s, int c);
char *strchr(const char *s, int c)
{
    return memchr(s, c, strlen(s) + 1);
}
