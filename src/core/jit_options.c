/* SPDX-License-Identifier: Apache-2.0 */
/* The options of loads and links, which both APIs number alike. */
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

static CUresult check_option(CUjit_option option, unsigned value)
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

/* Numbers are passed in the bytes of a pointer. */
static unsigned option_number(void *value)
{
    return (unsigned)(uintptr_t)value;
}

CUresult jit_options_read(struct jit_options *out, unsigned count,
                          const CUjit_option *options, void **values)
{
    *out = (struct jit_options){0};
    if (count && (!options || !values))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = CUDA_SUCCESS;
    for (unsigned i = 0; i < count && !err; i++) {
        switch (options[i]) {
        case CU_JIT_INFO_LOG_BUFFER:
            out->info.buffer = values[i];
            break;
        case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
            out->info.size_bytes = option_number(values[i]);
            out->info_size = &values[i];
            break;
        case CU_JIT_ERROR_LOG_BUFFER:
            out->errors.buffer = values[i];
            break;
        case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
            out->errors.size_bytes = option_number(values[i]);
            out->errors_size = &values[i];
            break;
        case CU_JIT_WALL_TIME:
            out->wall_time = &values[i];
            break;
        default:
            err = check_option(options[i], option_number(values[i]));
        }
    }
    return err;
}

/* A log without a buffer has no bytes. */
static void write_size(void **to, const char *buffer, size_t size_bytes)
{
    if (to)
        *to = (void *)(buffer ? size_bytes : 0);
}

void jit_options_write(const struct jit_options *o, double seconds)
{
    write_size(o->info_size, o->info.buffer, o->info.size_bytes);
    write_size(o->errors_size, o->errors.buffer, o->errors.size_bytes);
    if (o->wall_time) {
        float ms = (float)(seconds * 1e3);
        memcpy(o->wall_time, &ms, sizeof ms);
    }
}
