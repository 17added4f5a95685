/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries of weft's that lie in one folder. Who includes this defines
 * _GNU_SOURCE first. */
#ifndef WEFT_BASE_BESIDE_H
#define WEFT_BASE_BESIDE_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Opens the library by that name that lies in the folder of the one that has
 * `inside`; not another one that the loader might find first. NULL: there is
 * none. The caller closes it. Any thread may call it. */
static inline void *open_beside(const void *inside, const char *name)
{
    char path[4096];
    Dl_info here;
    if (!dladdr(inside, &here) || !here.dli_fname)
        return NULL;
    const char *slash = strrchr(here.dli_fname, '/');
    int length = slash ? (int)(slash - here.dli_fname) : 0;
    snprintf(path, sizeof path, "%.*s/%s", length, here.dli_fname, name);
    return slash ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
}

#endif
