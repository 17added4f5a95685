/* SPDX-License-Identifier: Apache-2.0 */
/* Growing bytes on the heap; memory that runs out is an error to report. */
#include "nvrtc/internal.h"

#include <stdio.h>
#include <stdlib.h>

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
    char buffer[1 << 16];
    size_t n;
    FILE *f = fopen(path, "rbe");
    rtc_blob_free(b);
    bool ok = f && rtc_blob_add(b, "", 0);
    while (ok && (n = fread(buffer, 1, sizeof buffer, f)))
        ok = rtc_blob_add(b, buffer, n);
    ok = ok && !ferror(f);
    if (f)
        fclose(f);
    return ok;
}
