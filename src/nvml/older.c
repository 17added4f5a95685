/* SPDX-License-Identifier: Apache-2.0 */
/* Older names and forms of functions, for programs that look them up by
 * name. */
#include "nvml.h"

#include <stdlib.h>
#include <string.h>

#undef nvmlInit
#undef nvmlDeviceGetCount
#undef nvmlDeviceGetHandleByIndex
#undef nvmlDeviceGetHandleByPciBusId
#undef nvmlDeviceGetPciInfo
#undef nvmlDeviceGetComputeRunningProcesses
#undef nvmlDeviceGetGraphicsRunningProcesses

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

/* The structure of versions 1 and 2, which lacks the id of 32 characters. */
struct pci_info_v1 {
    char busId[16];
    unsigned domain, bus, device, pciDeviceId, pciSubSystemId;
};

nvmlReturn_t nvmlDeviceGetPciInfo_v2(nvmlDevice_t device,
                                     struct pci_info_v1 *pci);
nvmlReturn_t nvmlDeviceGetPciInfo_v2(nvmlDevice_t device,
                                     struct pci_info_v1 *pci)
{
    nvmlPciInfo_t info;
    nvmlReturn_t err = pci ? nvmlDeviceGetPciInfo_v3(device, &info)
                           : NVML_ERROR_INVALID_ARGUMENT;
    if (err)
        return err;
    memcpy(pci->busId, info.busIdLegacy, sizeof pci->busId);
    pci->domain = info.domain;
    pci->bus = info.bus;
    pci->device = info.device;
    pci->pciDeviceId = info.pciDeviceId;
    pci->pciSubSystemId = info.pciSubSystemId;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetPciInfo(nvmlDevice_t device, struct pci_info_v1 *pci);
nvmlReturn_t nvmlDeviceGetPciInfo(nvmlDevice_t device, struct pci_info_v1 *pci)
{
    return nvmlDeviceGetPciInfo_v2(device, pci);
}

/* The structure of version 1, which lacks the instances. Those of versions 2
 * and 3 are the same. */
struct process_v1 {
    unsigned pid;
    unsigned long long usedGpuMemory;
};

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v2(nvmlDevice_t device,
                                                     unsigned *count,
                                                     nvmlProcessInfo_t *infos);
nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v2(nvmlDevice_t device,
                                                     unsigned *count,
                                                     nvmlProcessInfo_t *infos)
{
    return nvmlDeviceGetComputeRunningProcesses_v3(device, count, infos);
}

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses(nvmlDevice_t device,
                                                  unsigned *count,
                                                  struct process_v1 *infos);
nvmlReturn_t nvmlDeviceGetComputeRunningProcesses(nvmlDevice_t device,
                                                  unsigned *count,
                                                  struct process_v1 *infos)
{
    if (!count || !infos || !*count)
        return nvmlDeviceGetComputeRunningProcesses_v3(device, count, NULL);
    nvmlProcessInfo_t *newer = calloc(*count, sizeof *newer);
    if (!newer)
        return NVML_ERROR_MEMORY;
    nvmlReturn_t err =
        nvmlDeviceGetComputeRunningProcesses_v3(device, count, newer);
    for (unsigned i = 0; !err && i < *count; i++)
        infos[i] = (struct process_v1){newer[i].pid, newer[i].usedGpuMemory};
    free(newer);
    return err;
}

nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v2(nvmlDevice_t device,
                                                      unsigned *count,
                                                      nvmlProcessInfo_t *infos);
nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v2(nvmlDevice_t device,
                                                      unsigned *count,
                                                      nvmlProcessInfo_t *infos)
{
    return nvmlDeviceGetGraphicsRunningProcesses_v3(device, count, infos);
}

nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses(nvmlDevice_t device,
                                                   unsigned *count,
                                                   struct process_v1 *infos);
nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses(nvmlDevice_t device,
                                                   unsigned *count,
                                                   struct process_v1 *infos)
{
    (void)infos; /* there are none */
    return nvmlDeviceGetGraphicsRunningProcesses_v3(device, count, NULL);
}
