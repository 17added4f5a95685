/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that the table calls REFUSED. Their arguments are not looked
 * at: the headers' declarations are not in sight here. */
#include "cusolver_common.h"

#define DONE(name)
#define REFUSED(name)                                                          \
    __attribute__((visibility("default"))) cusolverStatus_t name(void);        \
    cusolverStatus_t name(void)                                                \
    {                                                                          \
        return CUSOLVER_STATUS_NOT_SUPPORTED;                                  \
    }
#define CUSOLVER_API(name, state) state(name)
#include "lib/cusolver/api.def"
