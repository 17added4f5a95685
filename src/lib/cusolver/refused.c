/* SPDX-License-Identifier: Apache-2.0 */
/* Defines the functions that api.def calls REFUSED. They take no arguments
 * here: this file does not include the headers that declare them. */
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
