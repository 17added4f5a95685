/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that are not supported: programs link to them and look them up, and
 * a call returns CUDA_ERROR_NOT_SUPPORTED. Also the forms with addresses of 32
 * bits, which return CUDA_ERROR_INVALID_CONTEXT (NARROW_n in api.def). Their
 * arguments do not matter, so this file includes no declaration of them.
 */
#include <stddef.h>
#include <stdint.h>

int drv_failed(const char *function, int err);
int drv_is_initialised(void); /* 0, or the error to return */

enum { INVALID_CONTEXT = 201, NOT_SUPPORTED = 801 };

#define REFUSE(name)                                                           \
    int name(void);                                                            \
    int name(void)                                                             \
    {                                                                          \
        return drv_failed(#name, NOT_SUPPORTED);                               \
    }
static int narrow_list(const char *name, uint32_t *const *out, size_t count)
{
    int err = drv_is_initialised();
    for (size_t i = 0; i < count && !err; i++) {
        if (out[i])
            *out[i] = 0;
    }
    return drv_failed(name, err ? err : INVALID_CONTEXT);
}

#define NARROW(name, count)                                                    \
    int name(uint32_t *a, uint32_t *b);                                        \
    int name(uint32_t *a, uint32_t *b)                                         \
    {                                                                          \
        return narrow_list(#name, (uint32_t *const[]){a, b}, count);           \
    }
#define REFUSE_NO(name)   REFUSE(name)
#define REFUSE_PTDS(name) REFUSE(name) REFUSE(name##_ptds)
#define REFUSE_PTSZ(name) REFUSE(name) REFUSE(name##_ptsz)

#define STATE_DONE(name, per_thread)
#define STATE_NARROW_0(name, per_thread) NARROW(name, 0)
#define STATE_NARROW_1(name, per_thread) NARROW(name, 1)
#define STATE_NARROW_2(name, per_thread) NARROW(name, 2)
#define STATE_REFUSES(name, per_thread)  REFUSE_##per_thread(name)
#define CU_API(name, suffix, since, per_thread, state)                         \
    STATE_##state(name##suffix, per_thread)
#include "driver/api.def"
