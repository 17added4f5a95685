/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NVML: all devices, whichever CUDA_VISIBLE_DEVICES lists, their memory, their
 * load, and the processes that use them. Functions about what a processor lacks
 * (fans, links, ECC ...) return NOT_SUPPORTED, as they do on a GPU that lacks
 * it: refused.def.
 */
#include "nvml.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/core.h"
#include "nvml/processes.h"

/* The driver that we stand for, of CUDA 13.0's time. */
#define DRIVER_NAME "580.00"

static atomic_int users;

struct nvmlDevice_st {
    char unused; /* a device is its place in the array */
};
static struct nvmlDevice_st devices[DEVICE_COUNT_MAX];

const char *nvmlErrorString(nvmlReturn_t result)
{
    switch (result) {
    case NVML_SUCCESS:
        return "Success";
    case NVML_ERROR_UNINITIALIZED:
        return "Uninitialized";
    case NVML_ERROR_INVALID_ARGUMENT:
        return "Invalid Argument";
    case NVML_ERROR_NOT_SUPPORTED:
        return "Not Supported";
    case NVML_ERROR_NO_PERMISSION:
        return "Insufficient Permissions";
    case NVML_ERROR_ALREADY_INITIALIZED:
        return "Already Initialized";
    case NVML_ERROR_NOT_FOUND:
        return "Not Found";
    case NVML_ERROR_INSUFFICIENT_SIZE:
        return "Insufficient Size";
    case NVML_ERROR_DRIVER_NOT_LOADED:
        return "Driver Not Loaded";
    case NVML_ERROR_FUNCTION_NOT_FOUND:
        return "Function Not Found";
    default:
        return "Unknown Error";
    }
}

/* ---- the library --------------------------------------------------------- */

nvmlReturn_t nvmlInitWithFlags(unsigned int flags)
{
    (void)flags; /* they are about devices that cannot be used: we have none */
    atomic_fetch_add(&users, 1);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlInit_v2(void)
{
    return nvmlInitWithFlags(0);
}

nvmlReturn_t nvmlShutdown(void)
{
    int n = atomic_load(&users);
    while (n > 0)
        if (atomic_compare_exchange_weak(&users, &n, n - 1))
            return NVML_SUCCESS;
    return NVML_ERROR_UNINITIALIZED;
}

static nvmlReturn_t check_call(const void *out)
{
    if (atomic_load(&users) <= 0)
        return NVML_ERROR_UNINITIALIZED;
    return out ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

static nvmlReturn_t put_text(char *out, unsigned length, const char *text)
{
    nvmlReturn_t err = check_call(out);
    if (err)
        return err;
    if (length < strlen(text) + 1)
        return NVML_ERROR_INSUFFICIENT_SIZE;
    strcpy(out, text);
    return NVML_SUCCESS;
}

static nvmlReturn_t put_number(unsigned *out, unsigned number)
{
    nvmlReturn_t err = check_call(out);
    if (!err)
        *out = number;
    return err;
}

nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned int length)
{
    return put_text(version, length, DRIVER_NAME);
}

/* "r580": the driver's number up to its point. */
nvmlReturn_t nvmlSystemGetDriverBranch(nvmlSystemDriverBranchInfo_t *branchInfo,
                                       unsigned int length)
{
    char name[sizeof branchInfo->branch];
    if (!branchInfo)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (branchInfo->version != nvmlSystemDriverBranchInfo_v1)
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    snprintf(name, sizeof name, "r%.*s", (int)strcspn(DRIVER_NAME, "."),
             DRIVER_NAME);
    if (length > sizeof branchInfo->branch)
        length = sizeof branchInfo->branch;
    return put_text(branchInfo->branch, length, name);
}

nvmlReturn_t nvmlSystemGetNVMLVersion(char *version, unsigned int length)
{
    return put_text(version, length, "13." DRIVER_NAME);
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *version)
{
    return put_number((unsigned *)version, device_driver_version());
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *version)
{
    return nvmlSystemGetCudaDriverVersion_v2(version);
}

nvmlReturn_t nvmlSystemGetProcessName(unsigned int pid, char *name,
                                      unsigned int length)
{
    char path[64], text[4096] = "";
    nvmlReturn_t err = check_call(length ? name : NULL);
    if (err)
        return err;
    snprintf(path, sizeof path, "/proc/%u/cmdline", pid);
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    if (!n)
        return NVML_ERROR_NOT_FOUND;
    snprintf(name, length, "%s", text);
    return NVML_SUCCESS;
}

/* ---- devices ------------------------------------------------------------- */

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int *deviceCount)
{
    return put_number(deviceCount, (unsigned)device_total_count());
}

static nvmlReturn_t check_device(nvmlDevice_t device, const void *out)
{
    nvmlReturn_t err = check_call(out);
    if (err)
        return err;
    bool is_ours = device >= devices && device < devices + device_total_count();
    return is_ours ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

static int index_of(nvmlDevice_t device)
{
    return (int)(device - devices);
}

static int attribute_of(nvmlDevice_t device, CUdevice_attribute which)
{
    int value = 0;
    device_attribute_at(&value, which, index_of(device));
    return value;
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index,
                                           nvmlDevice_t *device)
{
    nvmlReturn_t err = check_call(device);
    if (err)
        return err;
    if (index >= (unsigned)device_total_count())
        return NVML_ERROR_INVALID_ARGUMENT;
    *device = &devices[index];
    return NVML_SUCCESS;
}

static void print_uuid(int device, char out[64])
{
    uint8_t id[16];
    device_uuid(device, id);
    int n = snprintf(out, 64, "GPU-");
    for (int i = 0; i < 16; i++)
        n += snprintf(out + n, (size_t)(64 - n), "%s%02x",
                      i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", id[i]);
}

/* Does not write the members behind busId: NCCL passes a shorter structure. */
static void fill_pci(nvmlDevice_t device, nvmlPciInfo_t *pci)
{
    pci->domain =
        (unsigned)attribute_of(device, CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID);
    pci->bus = (unsigned)attribute_of(device, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID);
    pci->device =
        (unsigned)attribute_of(device, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID);
    pci->pciDeviceId = pci->pciSubSystemId = 0;
    snprintf(pci->busIdLegacy, sizeof pci->busIdLegacy, "%04X:%02X:%02X.0",
             pci->domain & 0xffff, pci->bus & 0xff, pci->device & 0xff);
    snprintf(pci->busId, sizeof pci->busId, "%08X:%02X:%02X.0", pci->domain,
             pci->bus & 0xff, pci->device & 0xff);
}

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device)
{
    char text[64];
    nvmlReturn_t err = check_call(device);
    if (err || !uuid)
        return err ? err : NVML_ERROR_INVALID_ARGUMENT;
    for (int i = 0; i < device_total_count(); i++) {
        print_uuid(i, text);
        if (!strcmp(text, uuid))
            return *device = &devices[i], NVML_SUCCESS;
    }
    return NVML_ERROR_NOT_FOUND;
}

nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *pciBusId,
                                              nvmlDevice_t *device)
{
    nvmlPciInfo_t pci;
    nvmlReturn_t err = check_call(device);
    unsigned domain, bus, number;
    if (err)
        return err;
    if (!pciBusId || sscanf(pciBusId, "%x:%x:%x", &domain, &bus, &number) != 3)
        return NVML_ERROR_INVALID_ARGUMENT;
    for (int i = 0; i < device_total_count(); i++) {
        fill_pci(&devices[i], &pci);
        if (pci.domain == domain && pci.bus == bus && pci.device == number)
            return *device = &devices[i], NVML_SUCCESS;
    }
    return NVML_ERROR_NOT_FOUND;
}

nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int *index)
{
    nvmlReturn_t err = check_device(device, index);
    return err ? err : put_number(index, (unsigned)index_of(device));
}

nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t device,
                                      unsigned int *minorNumber)
{
    return nvmlDeviceGetIndex(device, minorNumber);
}

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name,
                               unsigned int length)
{
    nvmlReturn_t err = check_device(device, name);
    return err ? err : put_text(name, length, device_name());
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid,
                               unsigned int length)
{
    char text[64];
    nvmlReturn_t err = check_device(device, uuid);
    if (err)
        return err;
    print_uuid(index_of(device), text);
    return put_text(uuid, length, text);
}

nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *pci)
{
    nvmlReturn_t err = check_device(device, pci);
    if (!err)
        fill_pci(device, pci);
    return err;
}

nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major,
                                                int *minor)
{
    nvmlReturn_t err = check_device(device, major);
    if (err || !minor)
        return err ? err : NVML_ERROR_INVALID_ARGUMENT;
    *major = attribute_of(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    *minor = attribute_of(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    return NVML_SUCCESS;
}

/* The architecture of compute capability 9.0. */
nvmlReturn_t nvmlDeviceGetArchitecture(nvmlDevice_t device,
                                       nvmlDeviceArchitecture_t *arch)
{
    nvmlReturn_t err = check_device(device, arch);
    if (!err)
        *arch = NVML_DEVICE_ARCH_HOPPER;
    return err;
}

nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device,
                                      nvmlComputeMode_t *mode)
{
    nvmlReturn_t err = check_device(device, mode);
    if (!err)
        *mode = (nvmlComputeMode_t)compute_mode_of(index_of(device));
    return err;
}

/* EXCLUSIVE_THREAD is of the time before CUDA 4; drivers take it no more. */
nvmlReturn_t nvmlDeviceSetComputeMode(nvmlDevice_t device,
                                      nvmlComputeMode_t mode)
{
    nvmlReturn_t err = check_device(device, &device);
    if (err)
        return err;
    if ((unsigned)mode >= NVML_COMPUTEMODE_COUNT)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (mode == NVML_COMPUTEMODE_EXCLUSIVE_THREAD)
        return NVML_ERROR_NOT_SUPPORTED;
    return compute_mode_set(index_of(device), (CUcomputemode)mode)
               ? NVML_SUCCESS
               : NVML_ERROR_NO_PERMISSION;
}

nvmlReturn_t nvmlDeviceGetP2PStatus(nvmlDevice_t device1, nvmlDevice_t device2,
                                    nvmlGpuP2PCapsIndex_t p2pIndex,
                                    nvmlGpuP2PStatus_t *p2pStatus)
{
    nvmlReturn_t err = check_device(device1, p2pStatus);
    if (!err)
        err = check_device(device2, p2pStatus);
    if (err || (unsigned)p2pIndex >= NVML_P2P_CAPS_INDEX_UNKNOWN)
        return err ? err : NVML_ERROR_INVALID_ARGUMENT;
    bool is_memory = p2pIndex == NVML_P2P_CAPS_INDEX_READ ||
                     p2pIndex == NVML_P2P_CAPS_INDEX_WRITE ||
                     p2pIndex == NVML_P2P_CAPS_INDEX_ATOMICS;
    *p2pStatus =
        is_memory ? NVML_P2P_STATUS_OK : NVML_P2P_STATUS_NOT_SUPPORTED;
    return NVML_SUCCESS;
}

/* Counts 32 cores for each SM, one for each lane of a warp. */
nvmlReturn_t nvmlDeviceGetNumGpuCores(nvmlDevice_t device,
                                      unsigned int *numCores)
{
    nvmlReturn_t err = check_device(device, numCores);
    return err ? err : put_number(numCores, 32 * device_sm_count());
}

nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t device,
                                         unsigned int *busWidth)
{
    nvmlReturn_t err = check_device(device, busWidth);
    if (err)
        return err;
    return put_number(busWidth,
                      (unsigned)attribute_of(
                          device, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH));
}

/* ---- memory, load, processes --------------------------------------------- */

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory)
{
    size_t free_bytes, total;
    nvmlReturn_t err = check_device(device, memory);
    if (err)
        return err;
    device_free_memory(&free_bytes, &total);
    /* Nobody knows which device of several another process uses. */
    size_t others =
        (size_t)processes_other_memory() / (size_t)device_total_count();
    free_bytes -= others < free_bytes ? others : free_bytes;
    *memory = (nvmlMemory_t){
        .total = total, .free = free_bytes, .used = total - free_bytes};
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device,
                                        nvmlMemory_v2_t *memory)
{
    nvmlMemory_t m;
    if (!memory)
        return NVML_ERROR_INVALID_ARGUMENT;
    nvmlReturn_t err = nvmlDeviceGetMemoryInfo(device, &m);
    if (err)
        return err;
    memory->total = m.total;
    memory->reserved = 0;
    memory->free = m.free;
    memory->used = m.used;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device,
                                           nvmlUtilization_t *utilization)
{
    nvmlMemory_t m;
    nvmlReturn_t err = check_device(device, utilization);
    if (!err)
        err = nvmlDeviceGetMemoryInfo(device, &m);
    if (err)
        return err;
    utilization->gpu = processes_utilisation(device_sm_count() *
                                             (unsigned)device_total_count());
    utilization->memory = (unsigned)(m.total ? m.used * 100 / m.total : 0);
    return NVML_SUCCESS;
}

static nvmlReturn_t clock_info(nvmlDevice_t device, nvmlClockType_t type,
                               unsigned *clock, unsigned mhz)
{
    nvmlReturn_t err = check_device(device, clock);
    if (err)
        return err;
    if ((unsigned)type >= NVML_CLOCK_COUNT)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (type == NVML_CLOCK_MEM) /* what the device's properties say */
        mhz = (unsigned)attribute_of(device,
                                     CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE) /
              1000;
    if (!mhz)
        return NVML_ERROR_NOT_SUPPORTED;
    *clock = mhz;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type,
                                    unsigned int *clock)
{
    return clock_info(device, type, clock, processor_clock_mhz());
}

nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device,
                                       nvmlClockType_t type,
                                       unsigned int *clock)
{
    return clock_info(device, type, clock, processor_max_clock_mhz());
}

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t device,
                                                     unsigned int *infoCount,
                                                     nvmlProcessInfo_t *infos)
{
    nvmlReturn_t err = check_device(device, infoCount);
    if (err)
        return err;
    unsigned room = infos ? *infoCount : 0;
    *infoCount = processes_find(infos, room);
    return *infoCount > room ? NVML_ERROR_INSUFFICIENT_SIZE : NVML_SUCCESS;
}

/* None: weft has no graphics contexts. */
nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v3(nvmlDevice_t device,
                                                      unsigned int *infoCount,
                                                      nvmlProcessInfo_t *infos)
{
    (void)infos;
    nvmlReturn_t err = check_device(device, infoCount);
    return err ? err : put_number(infoCount, 0);
}
