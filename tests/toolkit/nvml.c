/* SPDX-License-Identifier: Apache-2.0 */
/* NVML says of the device what the driver API says, and finds this process. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../exec/check.h"

#include "cuda.h"
#include "nvml.h"

static void check_branch(void)
{
    nvmlSystemDriverBranchInfo_t info = {nvmlSystemDriverBranchInfo_v1, ""};
    char version[80];
    CHECK(!nvmlSystemGetDriverVersion(version, sizeof version));
    CHECK(!nvmlSystemGetDriverBranch(&info, sizeof info.branch));
    CHECK(*info.branch == 'r' &&
          !strncmp(info.branch + 1, version, strlen(info.branch) - 1) &&
          version[strlen(info.branch) - 1] == '.');
    info.version = 1;
    CHECK(nvmlSystemGetDriverBranch(&info, sizeof info.branch) ==
          NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
}

static void check_peers(nvmlDevice_t device)
{
    nvmlGpuP2PStatus_t status = NVML_P2P_STATUS_UNKNOWN;
    CHECK(!nvmlDeviceGetP2PStatus(device, device, NVML_P2P_CAPS_INDEX_READ,
                                  &status));
    CHECK(status == NVML_P2P_STATUS_OK);
    CHECK(!nvmlDeviceGetP2PStatus(device, device, NVML_P2P_CAPS_INDEX_NVLINK,
                                  &status));
    CHECK(status == NVML_P2P_STATUS_NOT_SUPPORTED);
    CHECK(nvmlDeviceGetP2PStatus(device, NULL, NVML_P2P_CAPS_INDEX_READ,
                                 &status) == NVML_ERROR_INVALID_ARGUMENT);
    CHECK(nvmlDeviceGetP2PStatus(device, device, NVML_P2P_CAPS_INDEX_UNKNOWN,
                                 &status) == NVML_ERROR_INVALID_ARGUMENT);
}

static void check_pci(nvmlDevice_t device)
{
    nvmlPciInfo_t pci;
    memset(&pci, 7, sizeof pci);
    CHECK(!nvmlDeviceGetPciInfo_v3(device, &pci));
    size_t used = strlen(pci.busId) + 1;
    CHECK(used < sizeof pci.busId);
    for (size_t i = used; i < sizeof pci.busId; i++)
        CHECK(pci.busId[i] == 7);
}

static void check_device(nvmlDevice_t device)
{
    char name[96], driver_name[96], uuid[96];
    int major, minor, attribute;
    unsigned index = 7, clock;
    int khz;
    size_t total;
    nvmlMemory_t memory;
    nvmlUtilization_t use = {101, 101};
    nvmlPciInfo_t pci;
    nvmlDevice_t same;
    check_peers(device);
    check_pci(device);
    CHECK(!nvmlDeviceGetName(device, name, sizeof name));
    CHECK(!cuDeviceGetName(driver_name, sizeof driver_name, 0));
    CHECK(!strcmp(name, driver_name));
    CHECK(nvmlDeviceGetName(device, name, 2) == NVML_ERROR_INSUFFICIENT_SIZE);
    CHECK(!nvmlDeviceGetCudaComputeCapability(device, &major, &minor));
    CHECK(!cuDeviceGetAttribute(
        &attribute, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
    CHECK(major == attribute);
    nvmlDeviceArchitecture_t arch = 0;
    CHECK(!nvmlDeviceGetArchitecture(device, &arch));
    CHECK(arch == NVML_DEVICE_ARCH_HOPPER && major == 9);
    CHECK(nvmlDeviceGetArchitecture(device, NULL) ==
          NVML_ERROR_INVALID_ARGUMENT);
    CHECK(!nvmlDeviceGetMemoryInfo(device, &memory));
    CHECK(!cuDeviceTotalMem(&total, 0) && memory.total == total);
    CHECK(memory.used + memory.free == memory.total);
    CHECK(!nvmlDeviceGetUtilizationRates(device, &use) && use.gpu <= 100);
    CHECK(!nvmlDeviceGetIndex(device, &index) && index == 0);
    CHECK(!nvmlDeviceGetUUID(device, uuid, sizeof uuid));
    CHECK(!nvmlDeviceGetHandleByUUID(uuid, &same) && same == device);
    CHECK(!nvmlDeviceGetPciInfo(device, &pci));
    CHECK(!nvmlDeviceGetHandleByPciBusId(pci.busId, &same) && same == device);
    CHECK(!cuDeviceGetAttribute(&khz, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE,
                                0));
    CHECK(!nvmlDeviceGetClockInfo(device, NVML_CLOCK_MEM, &clock) &&
          clock * 1000 == (unsigned)khz);
    CHECK(!nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_MEM, &clock) &&
          clock * 1000 == (unsigned)khz);
    CHECK(nvmlDeviceGetName(NULL, name, 96) == NVML_ERROR_INVALID_ARGUMENT);
}

/* By the names and in the forms of older versions, as programs look them up. */
static void check_older(nvmlDevice_t device)
{
    void *self = dlopen(NULL, RTLD_NOW);
    nvmlReturn_t (*get_pci)(nvmlDevice_t, void *) =
        (nvmlReturn_t(*)(nvmlDevice_t, void *))dlsym(self,
                                                     "nvmlDeviceGetPciInfo");
    nvmlReturn_t (*get_processes)(nvmlDevice_t, unsigned *, void *) =
        (nvmlReturn_t(*)(nvmlDevice_t, unsigned *, void *))dlsym(
            self, "nvmlDeviceGetComputeRunningProcesses");
    struct {
        char id[16];
        unsigned number[5], guard;
    } old = {.guard = 7};
    struct {
        unsigned pid;
        unsigned long long bytes;
    } found[512];
    unsigned count = 512;
    nvmlPciInfo_t pci;
    bool is_there = false;
    CHECK(get_pci && get_processes);
    CHECK(!nvmlDeviceGetPciInfo(device, &pci) && !get_pci(device, &old));
    CHECK(!strcmp(old.id, pci.busIdLegacy) && old.number[1] == pci.bus);
    CHECK(old.guard == 7);
    CHECK(get_pci(device, NULL) == NVML_ERROR_INVALID_ARGUMENT);
    CHECK(!get_processes(device, &count, found));
    for (unsigned i = 0; i < count; i++)
        is_there |= found[i].pid == (unsigned)getpid() && found[i].bytes;
    CHECK(is_there);
    dlclose(self);
}

static bool finds_this_process(nvmlDevice_t device)
{
    nvmlProcessInfo_t found[512];
    unsigned count = 512;
    CHECK(!nvmlDeviceGetComputeRunningProcesses(device, &count, found));
    for (unsigned i = 0; i < count; i++)
        if (found[i].pid == (unsigned)getpid() && found[i].usedGpuMemory)
            return true;
    return false;
}

int main(void)
{
    nvmlDevice_t device;
    unsigned count;
    int version;
    char text[4];
    CHECK(nvmlDeviceGetCount(&count) == NVML_ERROR_UNINITIALIZED);
    CHECK(nvmlShutdown() == NVML_ERROR_UNINITIALIZED);
    CHECK(!nvmlInitWithFlags(77)); /* an H200 takes any */
    CHECK(nvmlSystemGetProcessName(1, text, 0) == NVML_ERROR_INVALID_ARGUMENT);
    CHECK(!nvmlSystemGetProcessName((unsigned)getpid(), text, sizeof text));
    CHECK(strlen(text) == sizeof text - 1);
    CHECK(!nvmlShutdown());
    CHECK(!cuInit(0) && !nvmlInit());
    CHECK(!nvmlSystemGetCudaDriverVersion(&version) && version == 13000);
    setenv("WEFT_DRIVER_VERSION", "13040", 1);
    CHECK(!nvmlSystemGetCudaDriverVersion(&version) && version == 13040);
    unsetenv("WEFT_DRIVER_VERSION");
    CHECK(!nvmlDeviceGetCount(&count) && count >= 1);
    CHECK(nvmlDeviceGetHandleByIndex(count, &device) ==
          NVML_ERROR_INVALID_ARGUMENT);
    CHECK(!nvmlDeviceGetHandleByIndex(0, &device));
    check_branch();
    check_device(device);
    CHECK(finds_this_process(device));
    check_older(device);
    CHECK(!nvmlShutdown());
    return check_result();
}
