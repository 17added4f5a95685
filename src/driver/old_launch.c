/* SPDX-License-Identifier: Apache-2.0 */
/* Launches in steps: shape, shared memory, parameters, launch. Before CUDA 4.
 */
#include "driver/internal.h"

/* Kernels in any form; a context has to be current. */
static CUresult find_function(CUfunction *f)
{
    CUresult err = drv_check_context();
    return err ? err : drv_function(f);
}

CUresult cuFuncSetBlockShape(CUfunction hfunc, int x, int y, int z)
{
    CUresult err = find_function(&hfunc);
    return err ? err : old_launch_block(hfunc, x, y, z);
}

CUresult cuFuncSetSharedSize(CUfunction hfunc, unsigned int bytes)
{
    CUresult err = find_function(&hfunc);
    return err ? err : old_launch_shared(hfunc, bytes);
}

CUresult cuParamSetSize(CUfunction hfunc, unsigned int numbytes)
{
    CUresult err = find_function(&hfunc);
    return err ? err : old_launch_param_size(hfunc, numbytes);
}

CUresult cuParamSetv(CUfunction hfunc, int offset, void *ptr,
                     unsigned int numbytes)
{
    CUresult err = find_function(&hfunc);
    return err ? err : old_launch_param(hfunc, offset, ptr, numbytes);
}

CUresult cuParamSeti(CUfunction hfunc, int offset, unsigned int value)
{
    return cuParamSetv(hfunc, offset, &value, sizeof value);
}

CUresult cuParamSetf(CUfunction hfunc, int offset, float value)
{
    return cuParamSetv(hfunc, offset, &value, sizeof value);
}

CUresult cuLaunchGridAsync(CUfunction f, int grid_width, int grid_height,
                           CUstream hStream)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(hStream, &ctx, &s);
    if (!err)
        err = drv_function(&f);
    return err ? err : old_launch_grid(f, grid_width, grid_height, s);
}

CUresult cuLaunchGrid(CUfunction f, int grid_width, int grid_height)
{
    return cuLaunchGridAsync(f, grid_width, grid_height, NULL);
}

CUresult cuLaunch(CUfunction f)
{
    return cuLaunchGrid(f, 1, 1);
}
