/* SPDX-License-Identifier: Apache-2.0 */
/* nvFatbin: fat binaries made at run time; nvFatbin API reference.
 *
 * Images are copied when they are added. Sizes are bytes; the caller provides
 * the buffer of nvFatbinSize() bytes that nvFatbinGet() fills. A handle is the
 * caller's until nvFatbinDestroy, and for one thread at a time. Functions
 * return an nvFatbinResult. */
#ifndef WEFT_NVFATBIN_H
#define WEFT_NVFATBIN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    NVFATBIN_SUCCESS = 0,
    NVFATBIN_ERROR_INTERNAL,
    NVFATBIN_ERROR_ELF_ARCH_MISMATCH,
    NVFATBIN_ERROR_ELF_SIZE_MISMATCH,
    NVFATBIN_ERROR_MISSING_PTX_VERSION,
    NVFATBIN_ERROR_NULL_POINTER,
    NVFATBIN_ERROR_COMPRESSION_FAILED,
    NVFATBIN_ERROR_COMPRESSED_SIZE_EXCEEDED,
    NVFATBIN_ERROR_UNRECOGNIZED_OPTION,
    NVFATBIN_ERROR_INVALID_ARCH,
    NVFATBIN_ERROR_INVALID_NVVM,
    NVFATBIN_ERROR_EMPTY_INPUT,
    NVFATBIN_ERROR_MISSING_PTX_ARCH,
    NVFATBIN_ERROR_PTX_ARCH_MISMATCH,
    NVFATBIN_ERROR_MISSING_FATBIN,
    NVFATBIN_ERROR_INVALID_INDEX,
    NVFATBIN_ERROR_IDENTIFIER_REUSE,
    NVFATBIN_ERROR_INTERNAL_PTX_OPTION
} nvFatbinResult;

typedef struct _nvFatbinHandle *nvFatbinHandle;

const char *nvFatbinGetErrorString(nvFatbinResult result);
nvFatbinResult nvFatbinCreate(nvFatbinHandle *handle_indirect,
                              const char **options, size_t optionsCount);
nvFatbinResult nvFatbinDestroy(nvFatbinHandle *handle_indirect);
nvFatbinResult nvFatbinAddPTX(nvFatbinHandle handle, const char *code,
                              size_t size, const char *arch,
                              const char *identifier,
                              const char *optionsCmdLine);
nvFatbinResult nvFatbinAddCubin(nvFatbinHandle handle, const void *code,
                                size_t size, const char *arch,
                                const char *identifier);
nvFatbinResult nvFatbinAddLTOIR(nvFatbinHandle handle, const void *code,
                                size_t size, const char *arch,
                                const char *identifier,
                                const char *optionsCmdLine);
nvFatbinResult nvFatbinAddReloc(nvFatbinHandle handle, const void *code,
                                size_t size);
nvFatbinResult nvFatbinSize(nvFatbinHandle handle, size_t *size);
nvFatbinResult nvFatbinGet(nvFatbinHandle handle, void *buffer);
nvFatbinResult nvFatbinVersion(unsigned int *major, unsigned int *minor);

#ifdef __cplusplus
}
#endif

#endif
