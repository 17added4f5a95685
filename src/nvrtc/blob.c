/* SPDX-License-Identifier: Apache-2.0 */
/* Growing bytes on the heap; memory that runs out is an error to report. */
#include "nvrtc/internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"

void rtc_blob_free(struct rtc_blob *b)
{
    free(b->data);
    *b = (struct rtc_blob){0};
}

bool rtc_blob_add(struct rtc_blob *b, const void *data, size_t bytes)
{
    char *grown = realloc(b->data, b->bytes + bytes + 1);
    if (!grown)
        return false;
    if (bytes)
        memcpy(grown + b->bytes, data, bytes);
    b->data = grown;
    b->bytes += bytes;
    b->data[b->bytes] = 0;
    return true;
}

bool rtc_blob_set(struct rtc_blob *b, const void *data, size_t bytes)
{
    rtc_blob_free(b);
    return rtc_blob_add(b, data, bytes);
}

bool rtc_blob_read(struct rtc_blob *b, const char *path)
{
    FILE *f = fopen(path, "rbe");
    rtc_blob_free(b);
    b->data = f ? file_read(f, &b->bytes) : NULL;
    if (f)
        fclose(f);
    return b->data;
}
