/* SPDX-License-Identifier: Apache-2.0 */
/* Devices: how many, what they are, their attributes. */
#include "driver/internal.h"

#include <stdio.h>
#include <string.h>

CUresult drv_check_device(CUdevice device)
{
    CUresult err = drv_initialised();
    if (err)
        return err;
    return device_exists(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDriverGetVersion(int *driverVersion)
{
    if (!driverVersion)
        return CUDA_ERROR_INVALID_VALUE;
    *driverVersion = device_driver_version();
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    CUresult err = drv_initialised();
    if (err)
        return err;
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    err = drv_check_device(ordinal);
    if (!err)
        *device = ordinal;
    return err;
}

CUresult cuDeviceGetCount(int *count)
{
    CUresult err = drv_initialised();
    if (err)
        return err;
    if (!count)
        return CUDA_ERROR_INVALID_VALUE;
    *count = device_count();
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int len, CUdevice dev)
{
    CUresult err = drv_check_device(dev);
    if (err)
        return err;
    if (!name || len <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    snprintf(name, (size_t)len, "%s", device_name());
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice dev)
{
    CUresult err = drv_check_device(dev);
    if (err)
        return err;
    if (!uuid)
        return CUDA_ERROR_INVALID_VALUE;
    uint8_t bytes[16];
    device_uuid(device_number(dev), bytes);
    memcpy(uuid->bytes, bytes, sizeof bytes);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice dev)
{
    return cuDeviceGetUuid(uuid, dev);
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice dev)
{
    CUresult err = drv_check_device(dev);
    if (err)
        return err;
    if (!bytes)
        return CUDA_ERROR_INVALID_VALUE;
    *bytes = device_total_memory();
    return CUDA_SUCCESS;
}

/* ---- attributes ---------------------------------------------------------- */

CUresult cuDeviceGetAttribute(int *pi, CUdevice_attribute attrib, CUdevice dev)
{
    CUresult err = drv_check_device(dev);
    if (err)
        return err;
    return pi ? device_attribute(pi, attrib, dev) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceGetProperties(CUdevprop *prop, CUdevice dev)
{
    CUresult err = drv_check_device(dev);
    if (err)
        return err;
    if (!prop)
        return CUDA_ERROR_INVALID_VALUE;
#define A(name) device_attribute_of(CU_DEVICE_ATTRIBUTE_##name)
    *prop = (CUdevprop){
        .maxThreadsPerBlock = A(MAX_THREADS_PER_BLOCK),
        .maxThreadsDim = {A(MAX_BLOCK_DIM_X), A(MAX_BLOCK_DIM_Y),
                          A(MAX_BLOCK_DIM_Z)},
        .maxGridSize = {A(MAX_GRID_DIM_X), A(MAX_GRID_DIM_Y),
                        A(MAX_GRID_DIM_Z)},
        .sharedMemPerBlock = A(MAX_SHARED_MEMORY_PER_BLOCK),
        .totalConstantMemory = A(TOTAL_CONSTANT_MEMORY),
        .SIMDWidth = A(WARP_SIZE),
        .memPitch = A(MAX_PITCH),
        .regsPerBlock = A(MAX_REGISTERS_PER_BLOCK),
        .clockRate = A(CLOCK_RATE),
        .textureAlign = A(TEXTURE_ALIGNMENT),
    };
#undef A
    return CUDA_SUCCESS;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice dev)
{
    CUresult err = drv_check_device(dev);
    if (err)
        return err;
    if (!major || !minor)
        return CUDA_ERROR_INVALID_VALUE;
    *major = device_attribute_of(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    *minor = device_attribute_of(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char *pciBusId, int len, CUdevice dev)
{
    char id[DEVICE_PCI_ID_BYTES];
    CUresult err = drv_check_device(dev);
    if (err)
        return err;
    device_pci_id(device_number(dev), id);
    if (!pciBusId || len <= (int)strlen(id))
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(pciBusId, id, strlen(id) + 1);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetByPCIBusId(CUdevice *dev, const char *pciBusId)
{
    CUresult err = drv_initialised();
    if (err)
        return err;
    return dev && pciBusId ? device_by_pci_id(pciBusId, dev)
                           : CUDA_ERROR_INVALID_VALUE;
}

/* ---- peers --------------------------------------------------------------- */

CUresult cuDeviceCanAccessPeer(int *canAccessPeer, CUdevice dev,
                               CUdevice peerDev)
{
    CUresult err = drv_check_device(dev);
    if (!err)
        err = drv_check_device(peerDev);
    if (err)
        return err;
    if (!canAccessPeer)
        return CUDA_ERROR_INVALID_VALUE;
    *canAccessPeer = dev != peerDev;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attrib,
                                 CUdevice srcDevice, CUdevice dstDevice)
{
    CUresult err = drv_initialised();
    if (err)
        return err;
    if (!value)
        return CUDA_ERROR_INVALID_VALUE;
    if (drv_check_device(srcDevice) || drv_check_device(dstDevice) ||
        srcDevice == dstDevice)
        return CUDA_ERROR_INVALID_DEVICE;
    if (attrib < CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK ||
        attrib > CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED)
        return CUDA_ERROR_INVALID_VALUE;
    *value = device_p2p_attribute(attrib);
    return CUDA_SUCCESS;
}

/* ---- atomic operations, affinity ----------------------------------------- */

CUresult cuDeviceGetHostAtomicCapabilities(unsigned int *capabilities,
                                           const CUatomicOperation *operations,
                                           unsigned int count, CUdevice dev)
{
    CUresult err = drv_initialised();
    if (!err && (!capabilities || !operations || !count))
        err = CUDA_ERROR_INVALID_VALUE;
    if (!err)
        err = drv_check_device(dev);
    return err ? err
               : device_atomic_capabilities(capabilities, operations, count);
}

CUresult cuDeviceGetP2PAtomicCapabilities(unsigned int *capabilities,
                                          const CUatomicOperation *operations,
                                          unsigned int count,
                                          CUdevice srcDevice,
                                          CUdevice dstDevice)
{
    CUresult err = drv_initialised();
    if (!err && (!capabilities || !operations || !count))
        err = CUDA_ERROR_INVALID_VALUE;
    if (!err)
        err = drv_check_device(srcDevice);
    if (!err)
        err = drv_check_device(dstDevice);
    if (!err && srcDevice == dstDevice)
        err = CUDA_ERROR_INVALID_DEVICE;
    return err ? err
               : device_atomic_capabilities(capabilities, operations, count);
}

/* No type of affinity is supported: green contexts have some of the SMs. */
CUresult cuDeviceGetExecAffinitySupport(int *pi, CUexecAffinityType type,
                                        CUdevice dev)
{
    CUresult err = drv_check_device(dev);
    if (err)
        return err;
    if (!pi)
        return CUDA_ERROR_INVALID_VALUE;
    (void)type; /* unknown ones are not supported either, and no error */
    *pi = 0;
    return CUDA_SUCCESS;
}

/* Kernels read host memory, so they see at once what a network card writes. */
CUresult cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget target,
                                    CUflushGPUDirectRDMAWritesScope scope)
{
    CUresult err = drv_check_context();
    if (err)
        return err;
    if (target != CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX ||
        (scope != CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER &&
         scope != CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_ALL_DEVICES))
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}
