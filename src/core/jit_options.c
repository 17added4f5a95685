/* SPDX-License-Identifier: Apache-2.0 */
/* Which values the options of loads and links may have, whichever API. */
#include "core/internal.h"

/* One of CUjit_target. */
static bool is_target(unsigned value)
{
    static const uint8_t known[] = {20, 21, 30,  32,  35,  37,  50,  52, 53,
                                    60, 61, 62,  70,  72,  75,  80,  86, 87,
                                    89, 90, 100, 101, 103, 110, 120, 121};
    unsigned base = value & ~(unsigned)0xffff, number = value & 0xffff;
    bool is_special = base == CU_COMPUTE_ACCELERATED_TARGET_BASE ||
                      base == CU_COMPUTE_FAMILY_TARGET_BASE;
    if (base && !(is_special && number >= 90))
        return false;
    for (size_t i = 0; i < sizeof known; i++) {
        if (known[i] == number)
            return true;
    }
    return false;
}

CUresult jit_option_check(CUjit_option option, unsigned value)
{
    bool ok = true;
    switch (option) {
    case CU_JIT_MAX_REGISTERS:
        ok = value != 0;
        break;
    case CU_JIT_OPTIMIZATION_LEVEL:
        ok = value <= 4;
        break;
    case CU_JIT_TARGET:
        ok = is_target(value);
        break;
    case CU_JIT_FALLBACK_STRATEGY:
        ok = value <= CU_PREFER_BINARY;
        break;
    case CU_JIT_CACHE_MODE:
        ok = value <= CU_JIT_CACHE_OPTION_CA;
        break;
    case CU_JIT_GLOBAL_SYMBOL_NAMES:
    case CU_JIT_GLOBAL_SYMBOL_ADDRESSES:
    case CU_JIT_GLOBAL_SYMBOL_COUNT:
        return CUDA_ERROR_NOT_SUPPORTED;
    default:
        ok = (unsigned)option < CU_JIT_NUM_OPTIONS;
    }
    return ok ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
