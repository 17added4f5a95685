/* SPDX-License-Identifier: Apache-2.0 */
/* Copies a row with non-temporal stores, whole cache lines at a time. */
#include "core/copy_row.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <emmintrin.h>

#define LINE_BYTES 64

static void copy_line(__m128i *to, const __m128i *from)
{
    __m128i a = _mm_loadu_si128(from), b = _mm_loadu_si128(from + 1);
    __m128i c = _mm_loadu_si128(from + 2), d = _mm_loadu_si128(from + 3);
    _mm_stream_si128(to, a);
    _mm_stream_si128(to + 1, b);
    _mm_stream_si128(to + 2, c);
    _mm_stream_si128(to + 3, d);
}

void copy_row_streamed(void *to, const void *from, size_t size_bytes)
{
    size_t head = (LINE_BYTES - (uintptr_t)to % LINE_BYTES) % LINE_BYTES;
    char *out = to;
    const char *in = from;
    if (size_bytes < head + LINE_BYTES) {
        memcpy(to, from, size_bytes);
        return;
    }
    assert((uintptr_t)(out + head) % LINE_BYTES == 0);
    memcpy(out, in, head);
    size_t done = head;
    for (; done + LINE_BYTES <= size_bytes; done += LINE_BYTES)
        copy_line((__m128i *)(void *)(out + done),
                  (const __m128i *)(const void *)(in + done));
    memcpy(out + done, in + done, size_bytes - done);
    _mm_sfence(); /* before the copy counts as done */
}

#else

void copy_row_streamed(void *to, const void *from, size_t size_bytes)
{
    memcpy(to, from, size_bytes);
}

#endif
