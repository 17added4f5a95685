/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compilation of CUDA C++ at run time: a string of source becomes PTX, which
 * cuModuleLoadData takes. Library: libnvrtc.so.
 *
 * A program is for one thread at a time; different programs may be compiled
 * by different threads at once.
 */
#ifndef WEFT_NVRTC_H
#define WEFT_NVRTC_H
#define __NVRTC_H__

#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    NVRTC_SUCCESS = 0,
    NVRTC_ERROR_OUT_OF_MEMORY = 1,
    NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
    NVRTC_ERROR_INVALID_INPUT = 3,
    NVRTC_ERROR_INVALID_PROGRAM = 4,
    NVRTC_ERROR_INVALID_OPTION = 5,
    NVRTC_ERROR_COMPILATION = 6,
    NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
    NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
    NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
    NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
    NVRTC_ERROR_INTERNAL_ERROR = 11,
    NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12,
    NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED = 13,
    NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED = 14,
    NVRTC_ERROR_PCH_CREATE = 15,
    NVRTC_ERROR_CANCELLED = 16,
    NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED = 17
} nvrtcResult;

typedef struct _nvrtcProgram *nvrtcProgram;

/* "NVRTC_SUCCESS" and so on. */
const char *nvrtcGetErrorString(nvrtcResult result);
nvrtcResult nvrtcVersion(int *major, int *minor);
/* The numbers XX of compute_XX that -arch accepts, in rising order. */
nvrtcResult nvrtcGetNumSupportedArchs(int *numArchs);
nvrtcResult nvrtcGetSupportedArchs(int *supportedArchs);

/* `name` is used in messages (NULL: default_program). `includeNames` are the
 * names by which the source includes the texts in `headers`. Everything is
 * copied. */
nvrtcResult nvrtcCreateProgram(nvrtcProgram *prog, const char *src,
                               const char *name, int numHeaders,
                               const char *const *headers,
                               const char *const *includeNames);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *prog);
nvrtcResult nvrtcCompileProgram(nvrtcProgram prog, int numOptions,
                                const char *const *options);

/* Sizes count the final NUL of texts. */
nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t *ptxSizeRet);
nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char *ptx);
/* An image for cuModuleLoadData; its size is 0 unless -arch named an sm_XX. */
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t *cubinSizeRet);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, char *cubin);
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, size_t *logSizeRet);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, char *log);

/* Link-time code for nvJitLink, of programs that -dlto compiled; these have no
 * PTX. */
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram prog, size_t *LTOIRSizeRet);
nvrtcResult nvrtcGetLTOIR(nvrtcProgram prog, char *LTOIR);
/* Output formats that only NVIDIA's compiler writes: programs here have
 * none. */
nvrtcResult nvrtcGetNVVMSize(nvrtcProgram prog, size_t *nvvmSizeRet);
nvrtcResult nvrtcGetNVVM(nvrtcProgram prog, char *nvvm);
nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram prog, size_t *optixirSizeRet);
nvrtcResult nvrtcGetOptiXIR(nvrtcProgram prog, char *optixir);

/* Before compiling: asks for the name in PTX of a function or variable,
 * "kernel<int>" or "&variable", and instantiates it. */
nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog,
                                   const char *const name_expression);
/* After compiling. The string belongs to the program. */
nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog,
                                const char *const name_expression,
                                const char **lowered_name);

nvrtcResult nvrtcGetPCHHeapSize(size_t *ret);
nvrtcResult nvrtcSetPCHHeapSize(size_t size);
nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram prog);
nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram prog, size_t *size);
/* `callback` is called now and then while compiling; if it returns 1,
 * compiling stops. */
nvrtcResult nvrtcSetFlowCallback(nvrtcProgram prog,
                                 int (*callback)(void *payload, void *future),
                                 void *payload);

#ifdef __cplusplus
}

#if defined(NVRTC_GET_TYPE_NAME) && NVRTC_GET_TYPE_NAME
#include <cxxabi.h>
#include <string>
#include <typeinfo>

/* The name of a type, for name expressions: nvrtcGetTypeName<T>(&name). */
inline nvrtcResult nvrtcGetTypeName(const std::type_info &tinfo,
                                    std::string *result)
{
    int status = 0;
    char *text = abi::__cxa_demangle(tinfo.name(), nullptr, nullptr, &status);
    if (!text)
        return status == -1 ? NVRTC_ERROR_OUT_OF_MEMORY
                            : NVRTC_ERROR_INTERNAL_ERROR;
    *result = text;
    free(text);
    return NVRTC_SUCCESS;
}

template <typename T> struct __weft_type_name {
};

template <typename T> nvrtcResult nvrtcGetTypeName(std::string *result)
{
    /* Behind a template, so that references and const stay. */
    std::string whole;
    nvrtcResult err = nvrtcGetTypeName(typeid(__weft_type_name<T>), &whole);
    if (err)
        return err;
    size_t from = whole.find('<') + 1;
    size_t to = whole.rfind('>');
    while (to > from && whole[to - 1] == ' ')
        to--;
    *result = whole.substr(from, to - from);
    return NVRTC_SUCCESS;
}
#endif
#endif

#endif
