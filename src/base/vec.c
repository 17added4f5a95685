/* SPDX-License-Identifier: Apache-2.0 */
/* Growable arrays: the part of VEC that does not depend on the type. */
#include "base/base.h"

#include <stdlib.h>

#ifdef WEFT_CRAMPED
#define VEC_MIN 1
#else
#define VEC_MIN 8
#endif

bool vec_reserve_(void **data, size_t *capacity, size_t count, size_t size)
{
    if (count <= *capacity)
        return true;
    size_t wanted = *capacity ? *capacity * 2 : VEC_MIN;
    if (wanted < count)
        wanted = count;
    if (wanted > SIZE_MAX / 2 / size)
        return false;
    void *grown = realloc(*data, wanted * size);
    if (!grown)
        return false;
    *data = grown;
    *capacity = wanted;
    return true;
}

void vec_fini_(void **data, size_t *count, size_t *capacity)
{
    free(*data);
    *data = NULL;
    *count = *capacity = 0;
}
