/* SPDX-License-Identifier: Apache-2.0 */
/* Managed memory: advice about ranges, and their attributes. */
#include "driver/internal.h"

CUresult cuMemAdvise_v2(CUdeviceptr devPtr, size_t count, CUmem_advise advice,
                        CUmemLocation location)
{
    CUresult err = drv_check_context();
    return err ? err : range_advise(devPtr, count, advice, location);
}

CUresult cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice,
                     CUdevice device)
{
    return cuMemAdvise_v2(devPtr, count, advice, range_location_of(device));
}

CUresult cuMemRangeGetAttribute(void *data, size_t dataSize,
                                CUmem_range_attribute attribute,
                                CUdeviceptr devPtr, size_t count)
{
    CUresult err = drv_check_context();
    return err ? err : range_get(data, dataSize, attribute, devPtr, count);
}

CUresult cuMemRangeGetAttributes(void **data, size_t *dataSizes,
                                 CUmem_range_attribute *attributes,
                                 size_t numAttributes, CUdeviceptr devPtr,
                                 size_t count)
{
    CUresult err = drv_check_context();
    return err ? err
               : range_get_all(data, dataSizes, attributes, numAttributes,
                               devPtr, count);
}
