/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builtins of clang's that become operations for which NVPTX has no code, by
 * functions of the same meaning. Those that become calls are answered by
 * device/builtins.c.
 */
#ifndef WEFT_DEVICE_BUILTINS_H
#define WEFT_DEVICE_BUILTINS_H

#define WEFT_REPLACED(result, name, parameters, own, arguments)                \
    static __device__ __forceinline__ result weft_builtin_##name parameters    \
    {                                                                          \
        return __nv_##own arguments;                                           \
    }                                                                          \
    static __host__ inline result weft_builtin_##name parameters               \
    {                                                                          \
        return __builtin_##name arguments;                                     \
    }
WEFT_REPLACED(double, modf, (double x, double *i), modf, (x, i))
WEFT_REPLACED(float, modff, (float x, float *i), modff, (x, i))
WEFT_REPLACED(double, powi, (double x, int n), powi, (x, n))
WEFT_REPLACED(float, powif, (float x, int n), powif, (x, n))
#undef WEFT_REPLACED

#define __builtin_modf  weft_builtin_modf
#define __builtin_modff weft_builtin_modff
#define __builtin_powi  weft_builtin_powi
#define __builtin_powif weft_builtin_powif

#endif
