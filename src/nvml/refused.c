/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that return NOT_SUPPORTED whatever their arguments. */
#include "nvml.h"

#define NVML_REFUSED(name)                                                     \
    nvmlReturn_t name(void);                                                   \
    nvmlReturn_t name(void)                                                    \
    {                                                                          \
        return NVML_ERROR_NOT_SUPPORTED;                                       \
    }
#include "nvml/refused.def"
