/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that are not supported yet: programs link and look them up, and
 * the call that needs one gets CUDA_ERROR_NOT_SUPPORTED. Their arguments do
 * not matter, so this file sees no declaration of them.
 */
int drv_failed(const char *function, int err);

enum { NOT_SUPPORTED = 801 };

#define REFUSE(name)                                                           \
    int name(void);                                                            \
    int name(void)                                                             \
    {                                                                          \
        return drv_failed(#name, NOT_SUPPORTED);                               \
    }
#define REFUSE_NO(name)   REFUSE(name)
#define REFUSE_PTDS(name) REFUSE(name) REFUSE(name##_ptds)
#define REFUSE_PTSZ(name) REFUSE(name) REFUSE(name##_ptsz)

#define STATE_DONE(name, per_thread)
#define STATE_REFUSES(name, per_thread) REFUSE_##per_thread(name)
#define CU_API(name, suffix, since, per_thread, state)                         \
    STATE_##state(name##suffix, per_thread)
#include "driver/api.def"
