/* SPDX-License-Identifier: Apache-2.0 */
/* Whole files in memory: read until the end, since a pipe has no size. */
#include "base/file.h"

#include "base/base.h"

#define CHUNK_BYTES ((size_t)1 << 16)

char *file_read(FILE *f, size_t *size_bytes)
{
    VEC(char) text = {0};
    size_t n;
    do {
        if (!vec_reserve_((void **)&text.data, &text.capacity,
                          text.count + CHUNK_BYTES + 1, 1)) {
            vec_fini(&text);
            return NULL;
        }
        n = fread(text.data + text.count, 1, CHUNK_BYTES, f);
        text.count += n;
    } while (n > 0);
    if (ferror(f)) {
        vec_fini(&text);
        return NULL;
    }
    text.data[text.count] = 0;
    *size_bytes = text.count;
    return text.data;
}
