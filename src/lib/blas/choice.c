/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which kernels OpenBLAS takes. 0.3.21 chooses by the models of processors that
 * it knows. On others its kernels are for AVX2 at most (AMD behind Zen 4: half
 * as fast as those for AVX-512) or for SSE (a Xeon of 2024: 16 GFLOP/s on a
 * core in single precision). It asks the environment first, and this library's
 * getenv is the function here (the linker's --wrap).
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

char *__real_getenv(const char *name);
char *__wrap_getenv(const char *name);

#if defined(__x86_64__)
/* AMD's up to Zen 4 and other makers' are left to OpenBLAS. */
static bool is_known(void)
{
    enum { LAST_FAMILY = 25 };
    unsigned a = 0, b, c, d;
    if (__builtin_cpu_is("intel"))
        return false;
    return !__builtin_cpu_is("amd") || !__get_cpuid(1, &a, &b, &c, &d) ||
           (a >> 8 & 15) + (a >> 20 & 255) <= LAST_FAMILY;
}
#endif

/* Of the processor; NULL: OpenBLAS's own choice. */
static char *best_kernels(void)
{
#if defined(__x86_64__)
    static char wide[] = "SkylakeX", bfloats[] = "Cooperlake",
                narrow[] = "Haswell";
    __builtin_cpu_init();
    if (is_known())
        return NULL;
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
