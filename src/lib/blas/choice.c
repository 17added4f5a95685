/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which kernels OpenBLAS takes. 0.3.21 knows Intel's processors by their
 * models, and newer ones get kernels for SSE: 16 GFLOP/s on a core of a Xeon of
 * 2024 in single precision. It asks the environment first, and this library's
 * getenv is the function here (the linker's --wrap).
 */
#include <stdlib.h>
#include <string.h>

char *__real_getenv(const char *name);
char *__wrap_getenv(const char *name);

/* Of the processor; NULL: OpenBLAS's own choice. */
static char *best_kernels(void)
{
#if defined(__x86_64__)
    static char wide[] = "SkylakeX", bfloats[] = "Cooperlake",
                narrow[] = "Haswell";
    __builtin_cpu_init();
    if (!__builtin_cpu_is("intel"))
        return NULL; /* AMD's are asked for what they have */
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
