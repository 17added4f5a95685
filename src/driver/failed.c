/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/failed.h"

#include "core/error_log.h"
#include "driver/internal.h"

int drv_is_initialised(void);
int drv_is_initialised(void)
{
    return (int)drv_initialised();
}

extern CUresult weft_cuGetErrorName(CUresult error, const char **pStr);

CUresult drv_failed(const char *function, CUresult err)
{
    const char *name = "?";
    if (err == CUDA_ERROR_NOT_READY ||     /* an answer, not an error */
        err == CUDA_ERROR_NOT_INITIALIZED) /* NVIDIA's driver logs none */
        return err;
    if (err == CUDA_ERROR_NOT_SUPPORTED)
        explain_not_supported(function);
    weft_cuGetErrorName(err, &name);
    error_log_return(function, (int)err, name);
    return err;
}
