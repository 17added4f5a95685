/* SPDX-License-Identifier: Apache-2.0 */
/* cuFFT: other types, several devices, callbacks.
 *
 * Threads, errors, owners and units are as cufft.h says. */
#ifndef _CUFFTXT_H_
#define _CUFFTXT_H_

#include "cudalibxt.h"
#include "cufft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- types ------------------------------------------------------------ */

cufftResult CUFFTAPI cufftXtMakePlanMany(
    cufftHandle plan, int rank, long long int *n, long long int *inembed,
    long long int istride, long long int idist, cudaDataType inputtype,
    long long int *onembed, long long int ostride, long long int odist,
    cudaDataType outputtype, long long int batch, size_t *workSize,
    cudaDataType executiontype);
cufftResult CUFFTAPI cufftXtGetSizeMany(
    cufftHandle plan, int rank, long long int *n, long long int *inembed,
    long long int istride, long long int idist, cudaDataType inputtype,
    long long int *onembed, long long int ostride, long long int odist,
    cudaDataType outputtype, long long int batch, size_t *workSize,
    cudaDataType executiontype);
cufftResult CUFFTAPI cufftXtExec(cufftHandle plan, void *input, void *output,
                                 int direction);

typedef enum cufftXtWorkAreaPolicy_t {
    CUFFT_WORKAREA_MINIMAL = 0,
    CUFFT_WORKAREA_USER = 1,
    CUFFT_WORKAREA_PERFORMANCE = 2
} cufftXtWorkAreaPolicy;

cufftResult CUFFTAPI cufftXtSetWorkAreaPolicy(cufftHandle plan,
                                              cufftXtWorkAreaPolicy policy,
                                              size_t *workSize);

/* ---- several devices -------------------------------------------------- */

typedef enum cufftXtSubFormat_t {
    CUFFT_XT_FORMAT_INPUT = 0x00,
    CUFFT_XT_FORMAT_OUTPUT = 0x01,
    CUFFT_XT_FORMAT_INPLACE = 0x02,
    CUFFT_XT_FORMAT_INPLACE_SHUFFLED = 0x03,
    CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED = 0x04,
    CUFFT_XT_FORMAT_DISTRIBUTED_INPUT = 0x05,
    CUFFT_XT_FORMAT_DISTRIBUTED_OUTPUT = 0x06,
    CUFFT_FORMAT_UNDEFINED = 0x07
} cufftXtSubFormat;

typedef enum cufftXtCopyType_t {
    CUFFT_COPY_HOST_TO_DEVICE = 0x00,
    CUFFT_COPY_DEVICE_TO_HOST = 0x01,
    CUFFT_COPY_DEVICE_TO_DEVICE = 0x02,
    CUFFT_COPY_UNDEFINED = 0x03
} cufftXtCopyType;

typedef enum cufftXtQueryType_t {
    CUFFT_QUERY_1D_FACTORS = 0x00,
    CUFFT_QUERY_UNDEFINED = 0x01
} cufftXtQueryType;

typedef struct cufftXt1dFactors_t {
    long long int size;
    long long int stringCount;
    long long int stringLength;
    long long int substringLength;
    long long int factor1;
    long long int factor2;
    long long int stringMask;
    long long int substringMask;
    long long int factor1Mask;
    long long int factor2Mask;
    int stringShift;
    int substringShift;
    int factor1Shift;
    int factor2Shift;
} cufftXt1dFactors;

cufftResult CUFFTAPI cufftXtSetGPUs(cufftHandle handle, int nGPUs,
                                    int *whichGPUs);
cufftResult CUFFTAPI cufftXtMalloc(cufftHandle plan, cudaLibXtDesc **descriptor,
                                   cufftXtSubFormat format);
cufftResult CUFFTAPI cufftXtFree(cudaLibXtDesc *descriptor);
cufftResult CUFFTAPI cufftXtMemcpy(cufftHandle plan, void *dstPointer,
                                   void *srcPointer, cufftXtCopyType type);
cufftResult CUFFTAPI cufftXtSetWorkArea(cufftHandle plan, void **workArea);
cufftResult CUFFTAPI cufftXtQueryPlan(cufftHandle plan, void *queryStruct,
                                      cufftXtQueryType queryType);
cufftResult CUFFTAPI cufftXtExecDescriptor(cufftHandle plan,
                                           cudaLibXtDesc *input,
                                           cudaLibXtDesc *output,
                                           int direction);
cufftResult CUFFTAPI cufftXtExecDescriptorC2C(cufftHandle plan,
                                              cudaLibXtDesc *input,
                                              cudaLibXtDesc *output,
                                              int direction);
cufftResult CUFFTAPI cufftXtExecDescriptorR2C(cufftHandle plan,
                                              cudaLibXtDesc *input,
                                              cudaLibXtDesc *output);
cufftResult CUFFTAPI cufftXtExecDescriptorC2R(cufftHandle plan,
                                              cudaLibXtDesc *input,
                                              cudaLibXtDesc *output);
cufftResult CUFFTAPI cufftXtExecDescriptorZ2Z(cufftHandle plan,
                                              cudaLibXtDesc *input,
                                              cudaLibXtDesc *output,
                                              int direction);
cufftResult CUFFTAPI cufftXtExecDescriptorD2Z(cufftHandle plan,
                                              cudaLibXtDesc *input,
                                              cudaLibXtDesc *output);
cufftResult CUFFTAPI cufftXtExecDescriptorZ2D(cufftHandle plan,
                                              cudaLibXtDesc *input,
                                              cudaLibXtDesc *output);

/* ---- callbacks -------------------------------------------------------- */

typedef enum cufftXtCallbackType_t {
    CUFFT_CB_LD_COMPLEX = 0x0,
    CUFFT_CB_LD_COMPLEX_DOUBLE = 0x1,
    CUFFT_CB_LD_REAL = 0x2,
    CUFFT_CB_LD_REAL_DOUBLE = 0x3,
    CUFFT_CB_ST_COMPLEX = 0x4,
    CUFFT_CB_ST_COMPLEX_DOUBLE = 0x5,
    CUFFT_CB_ST_REAL = 0x6,
    CUFFT_CB_ST_REAL_DOUBLE = 0x7,
    CUFFT_CB_UNDEFINED = 0x8
} cufftXtCallbackType;

/* The older kind of callback, whose offset is a size_t, and the kind for JIT
 * linking. */
#define WEFT_CUFFT_LOAD(name, type)                                            \
    typedef type (*cufftCallbackLoad##name)(                                   \
        void *dataIn, size_t offset, void *callerInfo, void *sharedPointer);   \
    typedef type (*cufftJITCallbackLoad##name)(                                \
        void *dataIn, unsigned long long offset, void *callerInfo,             \
        void *sharedPointer);
#define WEFT_CUFFT_STORE(name, type)                                           \
    typedef void (*cufftCallbackStore##name)(void *dataOut, size_t offset,     \
                                             type element, void *callerInfo,   \
                                             void *sharedPointer);             \
    typedef void (*cufftJITCallbackStore##name)(                               \
        void *dataOut, unsigned long long offset, type element,                \
        void *callerInfo, void *sharedPointer);
WEFT_CUFFT_LOAD(C, cufftComplex)
WEFT_CUFFT_LOAD(Z, cufftDoubleComplex)
WEFT_CUFFT_LOAD(R, cufftReal)
WEFT_CUFFT_LOAD(D, cufftDoubleReal)
WEFT_CUFFT_STORE(C, cufftComplex)
WEFT_CUFFT_STORE(Z, cufftDoubleComplex)
WEFT_CUFFT_STORE(R, cufftReal)
WEFT_CUFFT_STORE(D, cufftDoubleReal)
#undef WEFT_CUFFT_LOAD
#undef WEFT_CUFFT_STORE

/* Only kernels of its own module can call a callback: where this header is
 * compiled as CUDA, weft/cufft_callbacks.h provides them. */
#if !defined(__cplusplus) || !defined(__CUDACC__)
cufftResult CUFFTAPI cufftXtSetCallback(cufftHandle plan,
                                        void **callback_routine,
                                        cufftXtCallbackType cbType,
                                        void **caller_info);
#endif
cufftResult CUFFTAPI cufftXtClearCallback(cufftHandle plan,
                                          cufftXtCallbackType cbType);
cufftResult CUFFTAPI cufftXtSetCallbackSharedSize(cufftHandle plan,
                                                  cufftXtCallbackType cbType,
                                                  size_t sharedSize);
cufftResult CUFFTAPI cufftXtSetJITCallback(cufftHandle plan,
                                           const char *lto_callback_symbol_name,
                                           const void *lto_callback_fatbin,
                                           size_t lto_callback_fatbin_size,
                                           cufftXtCallbackType type,
                                           void **caller_info);

#ifdef __cplusplus
}
#endif

#if defined(__cplusplus) && defined(__CUDACC__)
#include "weft/cufft_callbacks.h"
#endif

#endif
