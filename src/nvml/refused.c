/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that only refuse, whatever their arguments; and older names of
 * others. */
#include "nvml.h"

#undef nvmlInit
#undef nvmlDeviceGetCount
#undef nvmlDeviceGetHandleByIndex
#undef nvmlDeviceGetHandleByPciBusId
#undef nvmlDeviceGetPciInfo

#define NVML_REFUSED(name)                                                     \
    nvmlReturn_t name(void);                                                   \
    nvmlReturn_t name(void)                                                    \
    {                                                                          \
        return NVML_ERROR_NOT_SUPPORTED;                                       \
    }
#include "nvml/refused.def"

nvmlReturn_t nvmlInit(void);
nvmlReturn_t nvmlInit(void)
{
    return nvmlInit_v2();
}

nvmlReturn_t nvmlDeviceGetCount(unsigned *count);
nvmlReturn_t nvmlDeviceGetCount(unsigned *count)
{
    return nvmlDeviceGetCount_v2(count);
}

nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned index, nvmlDevice_t *device);
nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned index, nvmlDevice_t *device)
{
    return nvmlDeviceGetHandleByIndex_v2(index, device);
}

nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char *id,
                                           nvmlDevice_t *device);
nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char *id, nvmlDevice_t *device)
{
    return nvmlDeviceGetHandleByPciBusId_v2(id, device);
}
