/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that are not supported: programs link to them, and a call returns
 * cudaErrorNotSupported. Their arguments do not matter, so this file includes
 * no declaration of them.
 */
int rt_return(const char *name, int err);

enum { NOT_SUPPORTED = 801 };

#define REFUSE(name)                                                           \
    int name(void);                                                            \
    int name(void)                                                             \
    {                                                                          \
        return rt_return(#name, NOT_SUPPORTED);                                \
    }
#define REFUSE_NO(name)   REFUSE(name)
#define REFUSE_PTDS(name) REFUSE(name) REFUSE(name##_ptds)
#define REFUSE_PTSZ(name) REFUSE(name) REFUSE(name##_ptsz)

#define STATE_DONE(name, per_thread)
#define STATE_REFUSES(name, per_thread)        REFUSE_##per_thread(name)
#define RT_API(name, since, per_thread, state) STATE_##state(name, per_thread)
#include "runtime/api.def"
