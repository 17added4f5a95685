/* SPDX-License-Identifier: Apache-2.0 */
/* Names, modules, parameters and loading state of kernels. */
#include "driver/internal.h"

CUresult cuFuncGetModule(CUmodule *hmod, CUfunction hfunc)
{
    if (!hmod || !hfunc)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = drv_function(&hfunc);
    if (!err)
        *hmod = function_module(hfunc);
    return err;
}

CUresult cuFuncGetName(const char **name, CUfunction hfunc)
{
    if (!name || !hfunc)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = drv_function(&hfunc);
    if (!err)
        *name = function_mangled_name(hfunc);
    return err;
}

CUresult cuFuncGetParamInfo(CUfunction func, size_t paramIndex,
                            size_t *paramOffset, size_t *paramSize)
{
    if (!func)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = drv_function(&func);
    if (err)
        return err;
    return function_parameter(func, paramIndex, paramOffset, paramSize);
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t paramIndex,
                              size_t *paramOffset, size_t *paramSize)
{
    return cuFuncGetParamInfo((CUfunction)kernel, paramIndex, paramOffset,
                              paramSize);
}

/* A function of a module that is loaded counts as loaded, though its code is
 * compiled at the first launch. */
CUresult cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function)
{
    CUresult err = drv_function(&function);
    if (err)
        return err;
    if (!state)
        return CUDA_ERROR_INVALID_VALUE;
    *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return CUDA_SUCCESS;
}

CUresult cuFuncLoad(CUfunction function)
{
    return drv_function(&function);
}

CUresult cuModuleGetFunctionCount(unsigned int *count, CUmodule mod)
{
    CUresult err = drv_check_context_or_none();
    if (!err)
        err = module_check(mod);
    if (err)
        return err;
    if (!count)
        return CUDA_ERROR_INVALID_VALUE;
    *count = (unsigned)module_functions(mod, NULL, 0);
    return CUDA_SUCCESS;
}

CUresult cuModuleEnumerateFunctions(CUfunction *functions,
                                    unsigned int numFunctions, CUmodule mod)
{
    CUresult err = drv_check_context_or_none();
    if (!err)
        err = module_check(mod);
    if (err)
        return err;
    if (!functions)
        return CUDA_ERROR_INVALID_VALUE;
    module_functions(mod, functions, numFunctions);
    return CUDA_SUCCESS;
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize,
                                                 CUfunction func, int numBlocks,
                                                 int blockSize)
{
    CUresult err = drv_check_context();
    if (!err && (!dynamicSmemSize || numBlocks <= 0 || blockSize <= 0))
        err = CUDA_ERROR_INVALID_VALUE;
    if (!err)
        err = drv_function(&func);
    return err ? err
               : occupancy_available_shared(func, numBlocks, blockSize,
                                            dynamicSmemSize);
}

/* A preference without effect: shared memory has no banks. */
CUresult cuFuncSetSharedMemConfig(CUfunction hfunc, CUsharedconfig config)
{
    CUresult err = drv_function(&hfunc);
    if (err)
        return err;
    return (unsigned)config <= CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}
