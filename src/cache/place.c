/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the cache is and how large it may become: NVIDIA's environment
 * variables, then the XDG Base Directory Specification.
 */
#include "cache/cache.h"

#include <stdio.h>
#include <stdlib.h>

#define LIMIT_BYTES (UINT64_C(1) << 30) /* CUDA's, for current drivers */

bool cache_is_disabled(void)
{
    const char *text = getenv("CUDA_CACHE_DISABLE");
    return text && *text && strcmp(text, "0") != 0;
}

uint64_t cache_limit_bytes(void)
{
    const char *text = getenv("CUDA_CACHE_MAXSIZE");
    if (!text || *text < '0' || *text > '9')
        return LIMIT_BYTES;
    char *end;
    uint64_t limit = strtoull(text, &end, 10);
    return *end ? LIMIT_BYTES : limit;
}

bool cache_folder(char path[CACHE_PATH_BYTES])
{
    static const struct {
        const char *variable, *below;
    } places[] = {
        {"CUDA_CACHE_PATH", ""},
        {"XDG_CACHE_HOME", "/weft"},
        {"HOME", "/.cache/weft"},
    };
    for (size_t i = 0; i < ARRAY_COUNT(places); i++) {
        const char *base = secure_getenv(places[i].variable);
        if (!base || !*base)
            continue;
        int n = snprintf(path, CACHE_PATH_BYTES, "%s%s", base, places[i].below);
        return n < CACHE_PATH_BYTES - 2 * CACHE_NAME_BYTES;
    }
    return false;
}
