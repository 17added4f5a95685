/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unnamed tables of functions: what NVIDIA's runtimes call without looking
 * whether it is there.
 */
#include "check.h"

static const CUuuid RUNTIME = {{0x6b, (char)0xd5, (char)0xfb, 0x6c, 0x5b,
                                (char)0xf4, (char)0xe7, 0x4a, (char)0x89,
                                (char)0x87, (char)0xd9, 0x39, 0x12, (char)0xfd,
                                (char)0x9d, (char)0xf9}};
static const CUuuid NONE;

int main(void)
{
    /* The runtime of CUDA 11.8 says so of each fat binary when a program ends.
     */
    enum { SIZE = 0, FORGET_CONTAINER = 7, COUNT_LEAST = 13 };
    typedef void forget_fn(const void *wrapper);
    const void *const *table = NULL;
    forget_fn *forget;
    const char wrapper[24] = {0};

    CU_GIVES(INVALID_VALUE, cuGetExportTable((const void **)&table, &NONE));
    CHECK(!table);
    CU_GIVES(INVALID_VALUE, cuGetExportTable(NULL, &RUNTIME));
    CU_OK(cuGetExportTable((const void **)&table, &RUNTIME));
    CHECK((size_t)table[SIZE] >= COUNT_LEAST * sizeof *table);
    *(const void **)&forget = table[FORGET_CONTAINER];
    CHECK(forget);
    if (forget)
        forget(wrapper);
    return failures != 0;
}
