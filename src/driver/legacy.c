/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Old forms of functions, which programs may ask for by name. Most have the
 * meaning of the new form; those with addresses of 32 bits are in refuse.c.
 */
#include "driver/internal.h"

#include <limits.h>

#define OLD_FORM(name, new_name, parameters, arguments)                        \
    CUresult name parameters;                                                  \
    CUresult name parameters                                                   \
    {                                                                          \
        return new_name arguments;                                             \
    }

#undef cuDeviceTotalMem
#undef cuMemHostRegister
#undef cuCtxCreate
#undef cuCtxDestroy
#undef cuCtxPushCurrent
#undef cuCtxPopCurrent
#undef cuDevicePrimaryCtxRelease
#undef cuDevicePrimaryCtxReset
#undef cuDevicePrimaryCtxSetFlags
#undef cuStreamDestroy
#undef cuEventDestroy
#undef cuLinkCreate
#undef cuLinkAddData
#undef cuLinkAddFile

OLD_FORM(cuCtxCreate, cuCtxCreate_v2,
         (CUcontext * pctx, unsigned int flags, CUdevice dev),
         (pctx, flags, dev))
OLD_FORM(cuCtxDestroy, cuCtxDestroy_v2, (CUcontext ctx), (ctx))
OLD_FORM(cuCtxPushCurrent, cuCtxPushCurrent_v2, (CUcontext ctx), (ctx))
OLD_FORM(cuCtxPopCurrent, cuCtxPopCurrent_v2, (CUcontext * pctx), (pctx))
OLD_FORM(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2,
         (CUdevice dev), (dev))
OLD_FORM(cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2, (CUdevice dev),
         (dev))
OLD_FORM(cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2,
         (CUdevice dev, unsigned int flags), (dev, flags))
OLD_FORM(cuStreamDestroy, cuStreamDestroy_v2, (CUstream stream), (stream))
OLD_FORM(cuEventDestroy, cuEventDestroy_v2, (CUevent event), (event))
OLD_FORM(cuLinkCreate, cuLinkCreate_v2,
         (unsigned int count, CUjit_option *options, void **values,
          CUlinkState *out),
         (count, options, values, out))
OLD_FORM(cuLinkAddData, cuLinkAddData_v2,
         (CUlinkState state, CUjitInputType type, void *data, size_t size,
          const char *name, unsigned int count, CUjit_option *options,
          void **values),
         (state, type, data, size, name, count, options, values))
OLD_FORM(cuLinkAddFile, cuLinkAddFile_v2,
         (CUlinkState state, CUjitInputType type, const char *path,
          unsigned int count, CUjit_option *options, void **values),
         (state, type, path, count, options, values))
OLD_FORM(cuMemHostRegister, cuMemHostRegister_v2,
         (void *p, size_t size, unsigned int flags), (p, size, flags))

/* At most what 32 bits can say. */
CUresult cuDeviceTotalMem(unsigned int *bytes, CUdevice dev);
CUresult cuDeviceTotalMem(unsigned int *bytes, CUdevice dev)
{
    size_t all;
    CUresult err = cuDeviceTotalMem_v2(bytes ? &all : NULL, dev);
    if (!err)
        *bytes = all < UINT_MAX ? (unsigned)all : UINT_MAX;
    return err;
}
