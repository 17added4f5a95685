/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which kernels OpenBLAS takes. 0.3.21 chooses by families of processors, and
 * those of AMD behind the ones it knows get kernels for AVX2: half as fast as
 * the ones for AVX-512 on a Zen 5. It asks the environment first, and this
 * library's getenv is the function here (the linker's --wrap).
 */
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

char *__real_getenv(const char *name);
char *__wrap_getenv(const char *name);

/* Of the processor; NULL: OpenBLAS's own choice. */
static char *best_kernels(void)
{
#if defined(__x86_64__)
    enum { LAST_KNOWN = 25 }; /* AMD's family of Zen 3 and 4 */
    static char bfloats[] = "Cooperlake", others[] = "SkylakeX";
    unsigned a = 0, b, c, d;
    __builtin_cpu_init();
    if (!__builtin_cpu_is("amd") || !__get_cpuid(1, &a, &b, &c, &d) ||
        (a >> 8 & 15) + (a >> 20 & 255) <= LAST_KNOWN)
        return NULL;
    if (!__builtin_cpu_supports("avx512bw") ||
        !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512vl"))
        return NULL;
    return __builtin_cpu_supports("avx512bf16") ? bfloats : others;
#else
    return NULL;
#endif
}

char *__wrap_getenv(const char *name)
{
    char *value = __real_getenv(name);
    if (value || strcmp(name, "OPENBLAS_CORETYPE") != 0)
        return value;
    return best_kernels();
}
