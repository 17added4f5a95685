/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses OpenBLAS's kernels. 0.3.21 knows Intel's processors by their models
 * and gives newer ones the kernels for SSE: 16 GFLOP/s in single precision on a
 * core of a Xeon of 2024. But first it asks the environment for
 * OPENBLAS_CORETYPE, and the linker's --wrap lets __wrap_getenv answer.
 */
#include <stdlib.h>
#include <string.h>

char *__real_getenv(const char *name);
char *__wrap_getenv(const char *name);

/* OpenBLAS's name of the kernels for this processor; NULL: it chooses well. */
static char *best_kernels(void)
{
#if defined(__x86_64__)
    static char wide[] = "SkylakeX", bfloats[] = "Cooperlake",
                narrow[] = "Haswell";
    __builtin_cpu_init();
    if (!__builtin_cpu_is("intel"))
        return NULL; /* OpenBLAS asks AMD's for their instructions */
    if (__builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return __builtin_cpu_supports("avx512bf16") ? bfloats : wide;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return narrow;
#endif
    return NULL;
}

char *__wrap_getenv(const char *name)
{
    char *value = __real_getenv(name);
    if (value || strcmp(name, "OPENBLAS_CORETYPE") != 0)
        return value;
    return best_kernels();
}
