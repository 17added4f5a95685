/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits of the device that programs may change: cudaDeviceSetLimit. Those of
 * printf, the heap and stacks are exec's; the others are remembered.
 */
#include "core/internal.h"

#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define STACK_BYTES_DEFAULT   1024
#define STACK_BYTES_MAX       ((size_t)512 << 10) /* a thread's local memory */
#define FETCH_GRANULARITY_MAX 128
#define DEFAULT_LIMITS                                                         \
    {                                                                          \
        [CU_LIMIT_STACK_SIZE] = STACK_BYTES_DEFAULT,                           \
        [CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT] = 2048,                    \
        [CU_LIMIT_MAX_L2_FETCH_GRANULARITY] = 64,                              \
    }
/* Limits that are only remembered. */
static const size_t default_limits[CU_LIMIT_MAX] = DEFAULT_LIMITS;
static size_t remembered[CU_LIMIT_MAX] = DEFAULT_LIMITS;

static CUresult shared_limit(size_t *value)
{
    int bytes;
    CUresult err = device_attribute(
        &bytes, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 0);
    if (!err)
        *value = (size_t)bytes;
    return err;
}

CUresult device_limit_get(size_t *value, CUlimit limit)
{
    if (!value)
        return CUDA_ERROR_INVALID_VALUE;
    switch ((int)limit) {
    case CU_LIMIT_PRINTF_FIFO_SIZE:
        *value = exec_printf_size();
        return CUDA_SUCCESS;
    case CU_LIMIT_MALLOC_HEAP_SIZE:
        *value = exec_heap_size();
        return CUDA_SUCCESS;
    case CU_LIMIT_STACK_SIZE:
    case CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT:
    case CU_LIMIT_MAX_L2_FETCH_GRANULARITY:
    case CU_LIMIT_PERSISTING_L2_CACHE_SIZE:
        pthread_mutex_lock(&lock);
        *value = remembered[limit];
        pthread_mutex_unlock(&lock);
        return CUDA_SUCCESS;
    case CU_LIMIT_CIG_ENABLED: /* no graphics client shares a context */
        *value = 0;
        return CUDA_SUCCESS;
    case CU_LIMIT_SHMEM_SIZE:
        return shared_limit(value);
    case CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH: /* gone since 9.0 */
    case CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED:
        return CUDA_ERROR_UNSUPPORTED_LIMIT;
    default:
        return CUDA_ERROR_INVALID_VALUE; /* hardware; the manual says 215 */
    }
}

static CUresult remember_limit(CUlimit limit, size_t value)
{
    pthread_mutex_lock(&lock);
    assert((unsigned)limit < CU_LIMIT_MAX);
    remembered[limit] = value;
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

/* Rounded up to sixteenths of the cache, as by an H200. */
static CUresult set_persisting(size_t value)
{
    int most, cache;
    CUresult err = device_attribute(
        &most, CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE, 0);
    if (!err)
        err = device_attribute(&cache, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 0);
    if (err)
        return err;
    if (value > (size_t)most)
        return CUDA_ERROR_INVALID_VALUE;
    const size_t part = cache < 16 ? 1 : (size_t)cache / 16;
    value = (value + part - 1) / part * part;
    return remember_limit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE,
                          value < (size_t)most ? value : (size_t)most);
}

/* Values of an H200. */
enum {
    PENDING_LEAST = 32,
    PENDING_MOST = 599186,
    FIFO_LEAST_BYTES = 512 << 10,
    FIFO_UNIT = 256,
    HEAP_UNIT = 64 << 10,
    STACK_UNIT = 16
};

/* Rounded up to a multiple of unit, a power of two; unchanged if that
 * overflows. */
static size_t rounded_to_unit(size_t value, size_t unit)
{
    assert((unit & (unit - 1)) == 0);
    return value > SIZE_MAX - unit ? value : (value + unit - 1) & -unit;
}

/* No more than the device's memory. What overflows is refused; an H200 makes
 * it 0. */
static CUresult set_heap(size_t value)
{
    const size_t rounded = rounded_to_unit(value, HEAP_UNIT);
    const size_t most = device_total_memory() & -(size_t)HEAP_UNIT;
    if (rounded % HEAP_UNIT)
        return CUDA_ERROR_INVALID_VALUE;
    return exec_heap_set_size(rounded < most ? rounded : most)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

CUresult device_limit_set(CUlimit limit, size_t value)
{
    size_t old;
    CUresult err = capture_check_call();
    if (!err)
        err = device_limit_get(&old, limit);
    if (err)
        return err;
    switch (limit) {
    case CU_LIMIT_PRINTF_FIFO_SIZE:
        value = value < FIFO_LEAST_BYTES ? FIFO_LEAST_BYTES : value;
        return exec_printf_set_size(rounded_to_unit(value, FIFO_UNIT))
                   ? CUDA_SUCCESS
                   : CUDA_ERROR_INVALID_VALUE;
    case CU_LIMIT_MALLOC_HEAP_SIZE:
        return set_heap(value);
    case CU_LIMIT_STACK_SIZE:
        if (value >= STACK_BYTES_MAX)
            return CUDA_ERROR_INVALID_VALUE;
        value = rounded_to_unit(value, STACK_UNIT);
        exec_set_stack_limit(value);
        return remember_limit(limit, value);
    case CU_LIMIT_MAX_L2_FETCH_GRANULARITY:
        return value > FETCH_GRANULARITY_MAX ? CUDA_ERROR_INVALID_VALUE
                                             : remember_limit(limit, value);
    case CU_LIMIT_PERSISTING_L2_CACHE_SIZE:
        return set_persisting(value);
    case CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT:
        return remember_limit(limit, value < PENDING_LEAST  ? PENDING_LEAST
                                     : value > PENDING_MOST ? PENDING_MOST
                                                            : value);
    case CU_LIMIT_CIG_ENABLED:
    case CU_LIMIT_SHMEM_SIZE:
        return CUDA_ERROR_NOT_PERMITTED;
    default:
        return remember_limit(limit, value);
    }
}

void device_limits_reset(void)
{
    exec_printf_reset();
    exec_heap_reset();
    exec_set_stack_limit(STACK_BYTES_DEFAULT);
    pthread_mutex_lock(&lock);
    memcpy(remembered, default_limits, sizeof remembered);
    pthread_mutex_unlock(&lock);
}
