/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of the driver API; a part of cuda.h. A function whose
 * parameters changed has a number behind its name, and the plain name is a
 * macro for the form of CUDA 12, as programs and cuGetProcAddress expect.
 */
#ifndef WEFT_DRIVER_API_H
#define WEFT_DRIVER_API_H

#define cuDeviceTotalMem                   cuDeviceTotalMem_v2
#define cuCtxCreate                        cuCtxCreate_v2
#define cuCtxDestroy                       cuCtxDestroy_v2
#define cuCtxPopCurrent                    cuCtxPopCurrent_v2
#define cuCtxPushCurrent                   cuCtxPushCurrent_v2
#define cuDevicePrimaryCtxRelease          cuDevicePrimaryCtxRelease_v2
#define cuDevicePrimaryCtxReset            cuDevicePrimaryCtxReset_v2
#define cuDevicePrimaryCtxSetFlags         cuDevicePrimaryCtxSetFlags_v2
#define cuModuleGetGlobal                  cuModuleGetGlobal_v2
#define cuLinkCreate                       cuLinkCreate_v2
#define cuLinkAddData                      cuLinkAddData_v2
#define cuLinkAddFile                      cuLinkAddFile_v2
#define cuMemGetInfo                       cuMemGetInfo_v2
#define cuMemAlloc                         cuMemAlloc_v2
#define cuMemAllocPitch                    cuMemAllocPitch_v2
#define cuMemFree                          cuMemFree_v2
#define cuMemGetAddressRange               cuMemGetAddressRange_v2
#define cuMemAllocHost                     cuMemAllocHost_v2
#define cuMemHostGetDevicePointer          cuMemHostGetDevicePointer_v2
#define cuMemHostRegister                  cuMemHostRegister_v2
#define cuIpcOpenMemHandle                 cuIpcOpenMemHandle_v2
#define cuArrayCreate                      cuArrayCreate_v2
#define cuArrayGetDescriptor               cuArrayGetDescriptor_v2
#define cuArray3DCreate                    cuArray3DCreate_v2
#define cuArray3DGetDescriptor             cuArray3DGetDescriptor_v2
#define cuStreamDestroy                    cuStreamDestroy_v2
#define cuEventDestroy                     cuEventDestroy_v2
#define cuTexRefSetAddress                 cuTexRefSetAddress_v2
#define cuTexRefSetAddress2D               cuTexRefSetAddress2D_v3
#define cuTexRefGetAddress                 cuTexRefGetAddress_v2
#define cuGraphicsResourceGetMappedPointer cuGraphicsResourceGetMappedPointer_v2
#define cuGraphicsResourceSetMapFlags      cuGraphicsResourceSetMapFlags_v2
#define cuGetProcAddress                   cuGetProcAddress_v2
#define cuGraphInstantiate                 cuGraphInstantiateWithFlags
#define cuGraphExecUpdate                  cuGraphExecUpdate_v2
#define cuGraphAddKernelNode               cuGraphAddKernelNode_v2
#define cuGraphKernelNodeGetParams         cuGraphKernelNodeGetParams_v2
#define cuGraphKernelNodeSetParams         cuGraphKernelNodeSetParams_v2
#define cuGraphExecKernelNodeSetParams     cuGraphExecKernelNodeSetParams_v2

/* With a default stream per thread. */
#if defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM) ||                           \
    defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define WEFT_PTDS(name)           name##_ptds
#define WEFT_PTSZ(name)           name##_ptsz
#define cuMemcpy                  WEFT_PTDS(cuMemcpy)
#define cuMemcpyPeer              WEFT_PTDS(cuMemcpyPeer)
#define cuMemcpyAsync             WEFT_PTSZ(cuMemcpyAsync)
#define cuMemcpyPeerAsync         WEFT_PTSZ(cuMemcpyPeerAsync)
#define cuMemcpy3DPeer            WEFT_PTDS(cuMemcpy3DPeer)
#define cuMemcpy3DPeerAsync       WEFT_PTSZ(cuMemcpy3DPeerAsync)
#define cuMemPrefetchAsync        WEFT_PTSZ(cuMemPrefetchAsync)
#define cuEventRecord             WEFT_PTSZ(cuEventRecord)
#define cuLaunchKernel            WEFT_PTSZ(cuLaunchKernel)
#define cuLaunchKernelEx          WEFT_PTSZ(cuLaunchKernelEx)
#define cuLaunchHostFunc          WEFT_PTSZ(cuLaunchHostFunc)
#define cuLaunchCooperativeKernel WEFT_PTSZ(cuLaunchCooperativeKernel)
#define cuStreamGetPriority       WEFT_PTSZ(cuStreamGetPriority)
#define cuStreamGetFlags          WEFT_PTSZ(cuStreamGetFlags)
#define cuStreamGetCtx            WEFT_PTSZ(cuStreamGetCtx)
#define cuStreamWaitEvent         WEFT_PTSZ(cuStreamWaitEvent)
#define cuStreamAddCallback       WEFT_PTSZ(cuStreamAddCallback)
#define cuStreamEndCapture        WEFT_PTSZ(cuStreamEndCapture)
#define cuStreamIsCapturing       WEFT_PTSZ(cuStreamIsCapturing)
#define cuStreamAttachMemAsync    WEFT_PTSZ(cuStreamAttachMemAsync)
#define cuStreamQuery             WEFT_PTSZ(cuStreamQuery)
#define cuStreamSynchronize       WEFT_PTSZ(cuStreamSynchronize)
#define cuGraphLaunch             WEFT_PTSZ(cuGraphLaunch)
#define cuGraphUpload             WEFT_PTSZ(cuGraphUpload)
#define cuMemAllocAsync           WEFT_PTSZ(cuMemAllocAsync)
#define cuMemFreeAsync            WEFT_PTSZ(cuMemFreeAsync)
#define cuMemAllocFromPoolAsync   WEFT_PTSZ(cuMemAllocFromPoolAsync)
#define cuMemsetD8Async           WEFT_PTSZ(cuMemsetD8Async)
#define cuMemsetD16Async          WEFT_PTSZ(cuMemsetD16Async)
#define cuMemsetD32Async          WEFT_PTSZ(cuMemsetD32Async)
#define cuMemsetD2D8Async         WEFT_PTSZ(cuMemsetD2D8Async)
#define cuMemsetD2D16Async        WEFT_PTSZ(cuMemsetD2D16Async)
#define cuMemsetD2D32Async        WEFT_PTSZ(cuMemsetD2D32Async)
#define cuMemcpyHtoD              cuMemcpyHtoD_v2_ptds
#define cuMemcpyDtoH              cuMemcpyDtoH_v2_ptds
#define cuMemcpyDtoD              cuMemcpyDtoD_v2_ptds
#define cuMemcpyDtoA              cuMemcpyDtoA_v2_ptds
#define cuMemcpyAtoD              cuMemcpyAtoD_v2_ptds
#define cuMemcpyHtoA              cuMemcpyHtoA_v2_ptds
#define cuMemcpyAtoH              cuMemcpyAtoH_v2_ptds
#define cuMemcpyAtoA              cuMemcpyAtoA_v2_ptds
#define cuMemcpy2D                cuMemcpy2D_v2_ptds
#define cuMemcpy2DUnaligned       cuMemcpy2DUnaligned_v2_ptds
#define cuMemcpy3D                cuMemcpy3D_v2_ptds
#define cuMemcpyHtoDAsync         cuMemcpyHtoDAsync_v2_ptsz
#define cuMemcpyDtoHAsync         cuMemcpyDtoHAsync_v2_ptsz
#define cuMemcpyDtoDAsync         cuMemcpyDtoDAsync_v2_ptsz
#define cuMemcpyHtoAAsync         cuMemcpyHtoAAsync_v2_ptsz
#define cuMemcpyAtoHAsync         cuMemcpyAtoHAsync_v2_ptsz
#define cuMemcpy2DAsync           cuMemcpy2DAsync_v2_ptsz
#define cuMemcpy3DAsync           cuMemcpy3DAsync_v2_ptsz
#define cuMemsetD8                cuMemsetD8_v2_ptds
#define cuMemsetD16               cuMemsetD16_v2_ptds
#define cuMemsetD32               cuMemsetD32_v2_ptds
#define cuMemsetD2D8              cuMemsetD2D8_v2_ptds
#define cuMemsetD2D16             cuMemsetD2D16_v2_ptds
#define cuMemsetD2D32             cuMemsetD2D32_v2_ptds
#define cuStreamBeginCapture      cuStreamBeginCapture_v2_ptsz
#define cuStreamGetCaptureInfo    cuStreamGetCaptureInfo_v2_ptsz
#define cuStreamBeginCaptureToGraph        cuStreamBeginCaptureToGraph_ptsz
#define cuStreamUpdateCaptureDependencies                                      \
    cuStreamUpdateCaptureDependencies_ptsz
#define cuGraphInstantiateWithParams       cuGraphInstantiateWithParams_ptsz
#define cuEventRecordWithFlags             cuEventRecordWithFlags_ptsz
#define cuStreamWaitValue32       cuStreamWaitValue32_v2_ptsz
#define cuStreamWaitValue64       cuStreamWaitValue64_v2_ptsz
#define cuStreamWriteValue32      cuStreamWriteValue32_v2_ptsz
#define cuStreamWriteValue64      cuStreamWriteValue64_v2_ptsz
#define cuStreamBatchMemOp        cuStreamBatchMemOp_v2_ptsz
#else
#define cuMemcpyHtoD           cuMemcpyHtoD_v2
#define cuMemcpyDtoH           cuMemcpyDtoH_v2
#define cuMemcpyDtoD           cuMemcpyDtoD_v2
#define cuMemcpyDtoA           cuMemcpyDtoA_v2
#define cuMemcpyAtoD           cuMemcpyAtoD_v2
#define cuMemcpyHtoA           cuMemcpyHtoA_v2
#define cuMemcpyAtoH           cuMemcpyAtoH_v2
#define cuMemcpyAtoA           cuMemcpyAtoA_v2
#define cuMemcpy2D             cuMemcpy2D_v2
#define cuMemcpy2DUnaligned    cuMemcpy2DUnaligned_v2
#define cuMemcpy3D             cuMemcpy3D_v2
#define cuMemcpyHtoDAsync      cuMemcpyHtoDAsync_v2
#define cuMemcpyDtoHAsync      cuMemcpyDtoHAsync_v2
#define cuMemcpyDtoDAsync      cuMemcpyDtoDAsync_v2
#define cuMemcpyHtoAAsync      cuMemcpyHtoAAsync_v2
#define cuMemcpyAtoHAsync      cuMemcpyAtoHAsync_v2
#define cuMemcpy2DAsync        cuMemcpy2DAsync_v2
#define cuMemcpy3DAsync        cuMemcpy3DAsync_v2
#define cuMemsetD8             cuMemsetD8_v2
#define cuMemsetD16            cuMemsetD16_v2
#define cuMemsetD32            cuMemsetD32_v2
#define cuMemsetD2D8           cuMemsetD2D8_v2
#define cuMemsetD2D16          cuMemsetD2D16_v2
#define cuMemsetD2D32          cuMemsetD2D32_v2
#define cuStreamBeginCapture   cuStreamBeginCapture_v2
#define cuStreamGetCaptureInfo cuStreamGetCaptureInfo_v2
#define cuStreamWaitValue32    cuStreamWaitValue32_v2
#define cuStreamWaitValue64    cuStreamWaitValue64_v2
#define cuStreamWriteValue32   cuStreamWriteValue32_v2
#define cuStreamWriteValue64   cuStreamWriteValue64_v2
#define cuStreamBatchMemOp     cuStreamBatchMemOp_v2
#endif

#define WEFT_API CUresult CUDAAPI

/* ---- the driver, devices ------------------------------------------------- */
/*
 * CUDA driver API, "Initialization", "Version Management", "Driver Entry Point
 * Access", "Device Management". Strings that are returned by pointer are
 * constants of the library. cuInit() comes before anything else.
 */

WEFT_API cuInit(unsigned int Flags);
WEFT_API cuDriverGetVersion(int *driverVersion);
WEFT_API cuGetErrorString(CUresult error, const char **pStr);
WEFT_API cuGetErrorName(CUresult error, const char **pStr);
WEFT_API cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion,
                          cuuint64_t flags,
                          CUdriverProcAddressQueryResult *symbolStatus);
WEFT_API cuGetExportTable(const void **ppExportTable,
                          const CUuuid *pExportTableId);
WEFT_API cuDeviceGet(CUdevice *device, int ordinal);
WEFT_API cuDeviceGetCount(int *count);
WEFT_API cuDeviceGetName(char *name, int len, CUdevice dev);
WEFT_API cuDeviceGetUuid(CUuuid *uuid, CUdevice dev);
WEFT_API cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice dev);
WEFT_API cuDeviceGetLuid(char *luid, unsigned int *deviceNodeMask,
                         CUdevice dev);
WEFT_API cuDeviceTotalMem(size_t *bytes, CUdevice dev);
WEFT_API cuDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements,
                                            CUarray_format format,
                                            unsigned numChannels, CUdevice dev);
WEFT_API cuDeviceGetAttribute(int *pi, CUdevice_attribute attrib, CUdevice dev);
WEFT_API cuDeviceGetNvSciSyncAttributes(void *nvSciSyncAttrList, CUdevice dev,
                                        int flags);
WEFT_API cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool);
WEFT_API cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice dev);
WEFT_API cuDeviceGetDefaultMemPool(CUmemoryPool *pool_out, CUdevice dev);
WEFT_API cuDeviceGetExecAffinitySupport(int *pi, CUexecAffinityType type,
                                        CUdevice dev);
WEFT_API cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget target,
                                    CUflushGPUDirectRDMAWritesScope scope);
WEFT_API cuDeviceGetProperties(CUdevprop *prop, CUdevice dev);
WEFT_API cuDeviceComputeCapability(int *major, int *minor, CUdevice dev);
WEFT_API cuDeviceGetByPCIBusId(CUdevice *dev, const char *pciBusId);
WEFT_API cuDeviceGetPCIBusId(char *pciBusId, int len, CUdevice dev);
WEFT_API cuDeviceCanAccessPeer(int *canAccessPeer, CUdevice dev,
                               CUdevice peerDev);
WEFT_API cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attrib,
                                 CUdevice srcDevice, CUdevice dstDevice);
WEFT_API cuDeviceGetGraphMemAttribute(CUdevice device,
                                      CUgraphMem_attribute attr, void *value);
WEFT_API cuDeviceSetGraphMemAttribute(CUdevice device,
                                      CUgraphMem_attribute attr, void *value);
WEFT_API cuDeviceGraphMemTrim(CUdevice device);

/* ---- contexts ------------------------------------------------------------ */
/* CUDA driver API, "Primary Context Management", "Context Management", "Green
 * Contexts". Each thread has a stack of contexts; the top is current. */

WEFT_API cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev);
WEFT_API cuDevicePrimaryCtxRelease(CUdevice dev);
WEFT_API cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags);
WEFT_API cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int *flags,
                                    int *active);
WEFT_API cuDevicePrimaryCtxReset(CUdevice dev);
WEFT_API cuCtxCreate(CUcontext *pctx, unsigned int flags, CUdevice dev);
WEFT_API cuCtxCreate_v3(CUcontext *pctx, CUexecAffinityParam *paramsArray,
                        int numParams, unsigned int flags, CUdevice dev);
WEFT_API cuCtxCreate_v4(CUcontext *pctx, CUctxCreateParams *ctxCreateParams,
                        unsigned int flags, CUdevice dev);
WEFT_API cuCtxDestroy(CUcontext ctx);
WEFT_API cuCtxPushCurrent(CUcontext ctx);
WEFT_API cuCtxPopCurrent(CUcontext *pctx);
WEFT_API cuCtxSetCurrent(CUcontext ctx);
WEFT_API cuCtxGetCurrent(CUcontext *pctx);
WEFT_API cuCtxGetDevice(CUdevice *device);
WEFT_API cuCtxGetFlags(unsigned int *flags);
WEFT_API cuCtxSetFlags(unsigned int flags);
WEFT_API cuCtxGetId(CUcontext ctx, unsigned long long *ctxId);
WEFT_API cuCtxSynchronize(void);
WEFT_API cuCtxSetLimit(CUlimit limit, size_t value);
WEFT_API cuCtxGetLimit(size_t *pvalue, CUlimit limit);
WEFT_API cuCtxGetCacheConfig(CUfunc_cache *pconfig);
WEFT_API cuCtxSetCacheConfig(CUfunc_cache config);
WEFT_API cuCtxGetApiVersion(CUcontext ctx, unsigned int *version);
WEFT_API cuCtxGetStreamPriorityRange(int *leastPriority, int *greatestPriority);
WEFT_API cuCtxResetPersistingL2Cache(void);
WEFT_API cuCtxGetExecAffinity(CUexecAffinityParam *pExecAffinity,
                              CUexecAffinityType type);
WEFT_API cuCtxRecordEvent(CUcontext hCtx, CUevent hEvent);
WEFT_API cuCtxWaitEvent(CUcontext hCtx, CUevent hEvent);
WEFT_API cuCtxAttach(CUcontext *pctx, unsigned int flags);
WEFT_API cuCtxDetach(CUcontext ctx);
WEFT_API cuCtxGetSharedMemConfig(CUsharedconfig *pConfig);
WEFT_API cuCtxSetSharedMemConfig(CUsharedconfig config);
WEFT_API cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags);
WEFT_API cuCtxDisablePeerAccess(CUcontext peerContext);
WEFT_API cuGreenCtxCreate(CUgreenCtx *phCtx, CUdevResourceDesc desc,
                          CUdevice dev, unsigned int flags);
WEFT_API cuGreenCtxDestroy(CUgreenCtx hCtx);
WEFT_API cuCtxFromGreenCtx(CUcontext *pContext, CUgreenCtx hCtx);
WEFT_API cuDeviceGetDevResource(CUdevice device, CUdevResource *resource,
                                CUdevResourceType type);
WEFT_API cuCtxGetDevResource(CUcontext hCtx, CUdevResource *resource,
                             CUdevResourceType type);
WEFT_API cuGreenCtxGetDevResource(CUgreenCtx hCtx, CUdevResource *resource,
                                  CUdevResourceType type);
WEFT_API cuDevSmResourceSplitByCount(
    CUdevResource *result, unsigned int *nbGroups, const CUdevResource *input,
    CUdevResource *remaining, unsigned int useFlags, unsigned int minCount);
WEFT_API cuDevResourceGenerateDesc(CUdevResourceDesc *phDesc,
                                   CUdevResource *resources,
                                   unsigned int nbResources);
WEFT_API cuGreenCtxRecordEvent(CUgreenCtx hCtx, CUevent hEvent);
WEFT_API cuGreenCtxWaitEvent(CUgreenCtx hCtx, CUevent hEvent);
WEFT_API cuGreenCtxStreamCreate(CUstream *phStream, CUgreenCtx greenCtx,
                                unsigned int flags, int priority);
WEFT_API cuStreamGetGreenCtx(CUstream hStream, CUgreenCtx *phCtx);

/* ---- modules, linking, libraries ----------------------------------------- */
/*
 * CUDA driver API, "Module Management", "Library Management". A module is its
 * context's; functions and variables are the module's. Images may be PTX text
 * or fat binaries, and may be freed after the call. Logs are filled into
 * buffers of the caller, of a size in bytes.
 */

WEFT_API cuModuleLoad(CUmodule *module, const char *fname);
WEFT_API cuModuleLoadData(CUmodule *module, const void *image);
WEFT_API cuModuleLoadDataEx(CUmodule *module, const void *image,
                            unsigned int numOptions, CUjit_option *options,
                            void **optionValues);
WEFT_API cuModuleLoadFatBinary(CUmodule *module, const void *fatCubin);
WEFT_API cuModuleUnload(CUmodule hmod);
WEFT_API cuModuleGetLoadingMode(CUmoduleLoadingMode *mode);
WEFT_API cuModuleGetFunction(CUfunction *hfunc, CUmodule hmod,
                             const char *name);
WEFT_API cuModuleGetFunctionCount(unsigned int *count, CUmodule mod);
WEFT_API cuModuleEnumerateFunctions(CUfunction *functions,
                                    unsigned int numFunctions, CUmodule mod);
WEFT_API cuModuleGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod,
                           const char *name);
WEFT_API cuModuleGetTexRef(CUtexref *pTexRef, CUmodule hmod, const char *name);
WEFT_API cuModuleGetSurfRef(CUsurfref *pSurfRef, CUmodule hmod,
                            const char *name);
WEFT_API cuLinkCreate(unsigned int numOptions, CUjit_option *options,
                      void **optionValues, CUlinkState *stateOut);
WEFT_API cuLinkAddData(CUlinkState state, CUjitInputType type, void *data,
                       size_t size, const char *name, unsigned int numOptions,
                       CUjit_option *options, void **optionValues);
WEFT_API cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path,
                       unsigned int numOptions, CUjit_option *options,
                       void **optionValues);
WEFT_API cuLinkComplete(CUlinkState state, void **cubinOut, size_t *sizeOut);
WEFT_API cuLinkDestroy(CUlinkState state);
WEFT_API cuLibraryLoadData(CUlibrary *library, const void *code,
                           CUjit_option *jitOptions, void **jitOptionsValues,
                           unsigned int numJitOptions,
                           CUlibraryOption *libraryOptions,
                           void **libraryOptionValues,
                           unsigned int numLibraryOptions);
WEFT_API cuLibraryLoadFromFile(CUlibrary *library, const char *fileName,
                               CUjit_option *jitOptions,
                               void **jitOptionsValues,
                               unsigned int numJitOptions,
                               CUlibraryOption *libraryOptions,
                               void **libraryOptionValues,
                               unsigned int numLibraryOptions);
WEFT_API cuLibraryUnload(CUlibrary library);
WEFT_API cuLibraryGetKernel(CUkernel *pKernel, CUlibrary library,
                            const char *name);
WEFT_API cuLibraryGetKernelCount(unsigned int *count, CUlibrary lib);
WEFT_API cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int numKernels,
                                   CUlibrary lib);
WEFT_API cuLibraryGetModule(CUmodule *pMod, CUlibrary library);
WEFT_API cuLibraryGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUlibrary library,
                            const char *name);
WEFT_API cuLibraryGetManaged(CUdeviceptr *dptr, size_t *bytes,
                             CUlibrary library, const char *name);
WEFT_API cuLibraryGetUnifiedFunction(void **fptr, CUlibrary library,
                                     const char *symbol);
WEFT_API cuKernelGetFunction(CUfunction *pFunc, CUkernel kernel);
WEFT_API cuKernelGetLibrary(CUlibrary *pLib, CUkernel kernel);
WEFT_API cuKernelGetAttribute(int *pi, CUfunction_attribute attrib,
                              CUkernel kernel, CUdevice dev);
WEFT_API cuKernelSetAttribute(CUfunction_attribute attrib, int val,
                              CUkernel kernel, CUdevice dev);
WEFT_API cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config,
                                CUdevice dev);
WEFT_API cuKernelGetName(const char **name, CUkernel hfunc);
WEFT_API cuKernelGetParamInfo(CUkernel kernel, size_t paramIndex,
                              size_t *paramOffset, size_t *paramSize);

/* ---- memory -------------------------------------------------------------- */
/*
 * CUDA driver API, "Memory Management". Sizes and pitches are bytes. Copies
 * named Async return at once; the program keeps both sides valid until the
 * stream has passed them.
 */

WEFT_API cuMemGetInfo(size_t *free, size_t *total);
WEFT_API cuMemAlloc(CUdeviceptr *dptr, size_t bytesize);
WEFT_API cuMemAllocPitch(CUdeviceptr *dptr, size_t *pPitch, size_t WidthInBytes,
                         size_t Height, unsigned int ElementSizeBytes);
WEFT_API cuMemFree(CUdeviceptr dptr);
WEFT_API cuMemGetAddressRange(CUdeviceptr *pbase, size_t *psize,
                              CUdeviceptr dptr);
WEFT_API cuMemAllocHost(void **pp, size_t bytesize);
WEFT_API cuMemFreeHost(void *p);
WEFT_API cuMemHostAlloc(void **pp, size_t bytesize, unsigned int Flags);
WEFT_API cuMemHostGetDevicePointer(CUdeviceptr *pdptr, void *p,
                                   unsigned int Flags);
WEFT_API cuMemHostGetFlags(unsigned int *pFlags, void *p);
WEFT_API cuMemAllocManaged(CUdeviceptr *dptr, size_t bytesize,
                           unsigned int flags);
WEFT_API cuMemHostRegister(void *p, size_t bytesize, unsigned int Flags);
WEFT_API cuMemHostUnregister(void *p);
WEFT_API cuIpcGetEventHandle(CUipcEventHandle *pHandle, CUevent event);
WEFT_API cuIpcOpenEventHandle(CUevent *phEvent, CUipcEventHandle handle);
WEFT_API cuIpcGetMemHandle(CUipcMemHandle *pHandle, CUdeviceptr dptr);
WEFT_API cuIpcOpenMemHandle(CUdeviceptr *pdptr, CUipcMemHandle handle,
                            unsigned int Flags);
WEFT_API cuIpcCloseMemHandle(CUdeviceptr dptr);
WEFT_API cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount);
WEFT_API cuMemcpyPeer(CUdeviceptr dstDevice, CUcontext dstContext,
                      CUdeviceptr srcDevice, CUcontext srcContext,
                      size_t ByteCount);
WEFT_API cuMemcpyHtoD(CUdeviceptr dstDevice, const void *srcHost,
                      size_t ByteCount);
WEFT_API cuMemcpyDtoH(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount);
WEFT_API cuMemcpyDtoD(CUdeviceptr dstDevice, CUdeviceptr srcDevice,
                      size_t ByteCount);
WEFT_API cuMemcpyDtoA(CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice,
                      size_t ByteCount);
WEFT_API cuMemcpyAtoD(CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset,
                      size_t ByteCount);
WEFT_API cuMemcpyHtoA(CUarray dstArray, size_t dstOffset, const void *srcHost,
                      size_t ByteCount);
WEFT_API cuMemcpyAtoH(void *dstHost, CUarray srcArray, size_t srcOffset,
                      size_t ByteCount);
WEFT_API cuMemcpyAtoA(CUarray dstArray, size_t dstOffset, CUarray srcArray,
                      size_t srcOffset, size_t ByteCount);
WEFT_API cuMemcpy2D(const CUDA_MEMCPY2D *pCopy);
WEFT_API cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *pCopy);
WEFT_API cuMemcpy3D(const CUDA_MEMCPY3D *pCopy);
WEFT_API cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *pCopy);
WEFT_API cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount,
                       CUstream hStream);
WEFT_API cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext,
                           CUdeviceptr srcDevice, CUcontext srcContext,
                           size_t ByteCount, CUstream hStream);
WEFT_API cuMemcpyHtoDAsync(CUdeviceptr dstDevice, const void *srcHost,
                           size_t ByteCount, CUstream hStream);
WEFT_API cuMemcpyDtoHAsync(void *dstHost, CUdeviceptr srcDevice,
                           size_t ByteCount, CUstream hStream);
WEFT_API cuMemcpyDtoDAsync(CUdeviceptr dstDevice, CUdeviceptr srcDevice,
                           size_t ByteCount, CUstream hStream);
WEFT_API cuMemcpyHtoAAsync(CUarray dstArray, size_t dstOffset,
                           const void *srcHost, size_t ByteCount,
                           CUstream hStream);
WEFT_API cuMemcpyAtoHAsync(void *dstHost, CUarray srcArray, size_t srcOffset,
                           size_t ByteCount, CUstream hStream);
WEFT_API cuMemcpy2DAsync(const CUDA_MEMCPY2D *pCopy, CUstream hStream);
WEFT_API cuMemcpy3DAsync(const CUDA_MEMCPY3D *pCopy, CUstream hStream);
WEFT_API cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *pCopy, CUstream hStream);
WEFT_API cuMemsetD8(CUdeviceptr dstDevice, unsigned char uc, size_t N);
WEFT_API cuMemsetD16(CUdeviceptr dstDevice, unsigned short us, size_t N);
WEFT_API cuMemsetD32(CUdeviceptr dstDevice, unsigned int ui, size_t N);
WEFT_API cuMemsetD2D8(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc,
                      size_t Width, size_t Height);
WEFT_API cuMemsetD2D16(CUdeviceptr dstDevice, size_t dstPitch,
                       unsigned short us, size_t Width, size_t Height);
WEFT_API cuMemsetD2D32(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui,
                       size_t Width, size_t Height);
WEFT_API cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N,
                         CUstream hStream);
WEFT_API cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N,
                          CUstream hStream);
WEFT_API cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N,
                          CUstream hStream);
WEFT_API cuMemsetD2D8Async(CUdeviceptr dstDevice, size_t dstPitch,
                           unsigned char uc, size_t Width, size_t Height,
                           CUstream hStream);
WEFT_API cuMemsetD2D16Async(CUdeviceptr dstDevice, size_t dstPitch,
                            unsigned short us, size_t Width, size_t Height,
                            CUstream hStream);
WEFT_API cuMemsetD2D32Async(CUdeviceptr dstDevice, size_t dstPitch,
                            unsigned int ui, size_t Width, size_t Height,
                            CUstream hStream);
WEFT_API cuArrayCreate(CUarray *pHandle,
                       const CUDA_ARRAY_DESCRIPTOR *pAllocateArray);
WEFT_API cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *pArrayDescriptor,
                              CUarray hArray);
WEFT_API
cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *sparseProperties,
                           CUarray array);
WEFT_API cuMipmappedArrayGetSparseProperties(
    CUDA_ARRAY_SPARSE_PROPERTIES *sparseProperties, CUmipmappedArray mipmap);
WEFT_API
cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *memoryRequirements,
                             CUarray array, CUdevice device);
WEFT_API cuMipmappedArrayGetMemoryRequirements(
    CUDA_ARRAY_MEMORY_REQUIREMENTS *memoryRequirements, CUmipmappedArray mipmap,
    CUdevice device);
WEFT_API cuArrayGetPlane(CUarray *pPlaneArray, CUarray hArray,
                         unsigned int planeIdx);
WEFT_API cuArrayDestroy(CUarray hArray);
WEFT_API cuArray3DCreate(CUarray *pHandle,
                         const CUDA_ARRAY3D_DESCRIPTOR *pAllocateArray);
WEFT_API cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *pArrayDescriptor,
                                CUarray hArray);
WEFT_API
cuMipmappedArrayCreate(CUmipmappedArray *pHandle,
                       const CUDA_ARRAY3D_DESCRIPTOR *pMipmappedArrayDesc,
                       unsigned int numMipmapLevels);
WEFT_API cuMipmappedArrayGetLevel(CUarray *pLevelArray,
                                  CUmipmappedArray hMipmappedArray,
                                  unsigned int level);
WEFT_API cuMipmappedArrayDestroy(CUmipmappedArray hMipmappedArray);
WEFT_API cuMemGetHandleForAddressRange(void *handle, CUdeviceptr dptr,
                                       size_t size,
                                       CUmemRangeHandleType handleType,
                                       unsigned long long flags);

/* ---- virtual memory, pools ----------------------------------------------- */
/*
 * CUDA driver API, "Virtual Memory Management", "Stream Ordered Memory
 * Allocator". Sizes are multiples of the granularity; a mapping keeps the
 * memory behind it alive.
 */

WEFT_API cuMemAddressReserve(CUdeviceptr *ptr, size_t size, size_t alignment,
                             CUdeviceptr addr, unsigned long long flags);
WEFT_API cuMemAddressFree(CUdeviceptr ptr, size_t size);
WEFT_API cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size,
                     const CUmemAllocationProp *prop, unsigned long long flags);
WEFT_API cuMemRelease(CUmemGenericAllocationHandle handle);
WEFT_API cuMemMap(CUdeviceptr ptr, size_t size, size_t offset,
                  CUmemGenericAllocationHandle handle,
                  unsigned long long flags);
WEFT_API cuMemMapArrayAsync(CUarrayMapInfo *mapInfoList, unsigned int count,
                            CUstream hStream);
WEFT_API cuMemUnmap(CUdeviceptr ptr, size_t size);
WEFT_API cuMemSetAccess(CUdeviceptr ptr, size_t size,
                        const CUmemAccessDesc *desc, size_t count);
WEFT_API cuMemGetAccess(unsigned long long *flags,
                        const CUmemLocation *location, CUdeviceptr ptr);
WEFT_API cuMemExportToShareableHandle(void *shareableHandle,
                                      CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType handleType,
                                      unsigned long long flags);
WEFT_API cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle,
                                        void *osHandle,
                                        CUmemAllocationHandleType shHandleType);
WEFT_API cuMemGetAllocationGranularity(size_t *granularity,
                                       const CUmemAllocationProp *prop,
                                       CUmemAllocationGranularity_flags option);
WEFT_API
cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop,
                                       CUmemGenericAllocationHandle handle);
WEFT_API cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle,
                                     void *addr);
WEFT_API cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream);
WEFT_API cuMemAllocAsync(CUdeviceptr *dptr, size_t bytesize, CUstream hStream);
WEFT_API cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep);
WEFT_API cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr,
                               void *value);
WEFT_API cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr,
                               void *value);
WEFT_API cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *map,
                            size_t count);
WEFT_API cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool memPool,
                            CUmemLocation *location);
WEFT_API cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *poolProps);
WEFT_API cuMemPoolDestroy(CUmemoryPool pool);
WEFT_API cuMemAllocFromPoolAsync(CUdeviceptr *dptr, size_t bytesize,
                                 CUmemoryPool pool, CUstream hStream);
WEFT_API cuMemPoolExportToShareableHandle(void *handle_out, CUmemoryPool pool,
                                          CUmemAllocationHandleType handleType,
                                          unsigned long long flags);
WEFT_API
cuMemPoolImportFromShareableHandle(CUmemoryPool *pool_out, void *handle,
                                   CUmemAllocationHandleType handleType,
                                   unsigned long long flags);
WEFT_API cuMemPoolExportPointer(CUmemPoolPtrExportData *shareData_out,
                                CUdeviceptr ptr);
WEFT_API cuMemPoolImportPointer(CUdeviceptr *ptr_out, CUmemoryPool pool,
                                CUmemPoolPtrExportData *shareData);
WEFT_API cuMulticastCreate(CUmemGenericAllocationHandle *mcHandle,
                           const CUmulticastObjectProp *prop);
WEFT_API cuMulticastAddDevice(CUmemGenericAllocationHandle mcHandle,
                              CUdevice dev);
WEFT_API cuMulticastBindMem(CUmemGenericAllocationHandle mcHandle,
                            size_t mcOffset,
                            CUmemGenericAllocationHandle memHandle,
                            size_t memOffset, size_t size,
                            unsigned long long flags);
WEFT_API cuMulticastBindAddr(CUmemGenericAllocationHandle mcHandle,
                             size_t mcOffset, CUdeviceptr memptr, size_t size,
                             unsigned long long flags);
WEFT_API cuMulticastUnbind(CUmemGenericAllocationHandle mcHandle, CUdevice dev,
                           size_t mcOffset, size_t size);
WEFT_API cuMulticastGetGranularity(size_t *granularity,
                                   const CUmulticastObjectProp *prop,
                                   CUmulticastGranularity_flags option);

/* ---- unified addressing -------------------------------------------------- */
/* CUDA driver API, "Unified Addressing". */

WEFT_API cuPointerGetAttribute(void *data, CUpointer_attribute attribute,
                               CUdeviceptr ptr);
WEFT_API cuPointerSetAttribute(const void *value, CUpointer_attribute attribute,
                               CUdeviceptr ptr);
WEFT_API cuPointerGetAttributes(unsigned int numAttributes,
                                CUpointer_attribute *attributes, void **data,
                                CUdeviceptr ptr);
WEFT_API cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count,
                            CUdevice dstDevice, CUstream hStream);
WEFT_API cuMemPrefetchAsync_v2(CUdeviceptr devPtr, size_t count,
                               CUmemLocation location, unsigned int flags,
                               CUstream hStream);
WEFT_API cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice,
                     CUdevice device);
WEFT_API cuMemAdvise_v2(CUdeviceptr devPtr, size_t count, CUmem_advise advice,
                        CUmemLocation location);
WEFT_API cuMemRangeGetAttribute(void *data, size_t dataSize,
                                CUmem_range_attribute attribute,
                                CUdeviceptr devPtr, size_t count);
WEFT_API cuMemRangeGetAttributes(void **data, size_t *dataSizes,
                                 CUmem_range_attribute *attributes,
                                 size_t numAttributes, CUdeviceptr devPtr,
                                 size_t count);

/* ---- streams ------------------------------------------------------------- */
/* CUDA driver API, "Stream Management". 0 is the default stream. Functions
 * called by a stream run on one thread of the library and may not call
 * CUDA. */

WEFT_API cuStreamCreate(CUstream *phStream, unsigned int Flags);
WEFT_API cuStreamCreateWithPriority(CUstream *phStream, unsigned int flags,
                                    int priority);
WEFT_API cuStreamGetPriority(CUstream hStream, int *priority);
WEFT_API cuStreamGetFlags(CUstream hStream, unsigned int *flags);
WEFT_API cuStreamGetId(CUstream hStream, unsigned long long *streamId);
WEFT_API cuStreamGetCtx(CUstream hStream, CUcontext *pctx);
WEFT_API cuStreamWaitEvent(CUstream hStream, CUevent hEvent,
                           unsigned int Flags);
WEFT_API cuStreamAddCallback(CUstream hStream, CUstreamCallback callback,
                             void *userData, unsigned int flags);
WEFT_API cuStreamBeginCapture(CUstream hStream, CUstreamCaptureMode mode);
WEFT_API cuStreamBeginCaptureToGraph(CUstream hStream, CUgraph hGraph,
                                     const CUgraphNode *dependencies,
                                     const CUgraphEdgeData *dependencyData,
                                     size_t numDependencies,
                                     CUstreamCaptureMode mode);
WEFT_API cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode);
WEFT_API cuStreamEndCapture(CUstream hStream, CUgraph *phGraph);
WEFT_API cuStreamIsCapturing(CUstream hStream,
                             CUstreamCaptureStatus *captureStatus);
WEFT_API cuStreamGetCaptureInfo(CUstream hStream,
                                CUstreamCaptureStatus *captureStatus_out,
                                cuuint64_t *id_out, CUgraph *graph_out,
                                const CUgraphNode **dependencies_out,
                                size_t *numDependencies_out);
WEFT_API cuStreamUpdateCaptureDependencies(CUstream hStream,
                                           CUgraphNode *dependencies,
                                           size_t numDependencies,
                                           unsigned int flags);
WEFT_API cuStreamAttachMemAsync(CUstream hStream, CUdeviceptr dptr,
                                size_t length, unsigned int flags);
WEFT_API cuStreamQuery(CUstream hStream);
WEFT_API cuStreamSynchronize(CUstream hStream);
WEFT_API cuStreamDestroy(CUstream hStream);
WEFT_API cuStreamCopyAttributes(CUstream dst, CUstream src);
WEFT_API cuStreamGetAttribute(CUstream hStream, CUstreamAttrID attr,
                              CUstreamAttrValue *value_out);
WEFT_API cuStreamSetAttribute(CUstream hStream, CUstreamAttrID attr,
                              const CUstreamAttrValue *value);
WEFT_API cuStreamWaitValue32(CUstream stream, CUdeviceptr addr,
                             cuuint32_t value, unsigned int flags);
WEFT_API cuStreamWaitValue64(CUstream stream, CUdeviceptr addr,
                             cuuint64_t value, unsigned int flags);
WEFT_API cuStreamWriteValue32(CUstream stream, CUdeviceptr addr,
                              cuuint32_t value, unsigned int flags);
WEFT_API cuStreamWriteValue64(CUstream stream, CUdeviceptr addr,
                              cuuint64_t value, unsigned int flags);
WEFT_API cuStreamBatchMemOp(CUstream stream, unsigned int count,
                            CUstreamBatchMemOpParams *paramArray,
                            unsigned int flags);

/* ---- events, external resources ------------------------------------------ */
/* CUDA driver API, "Event Management", "External Resource Interoperability".
 * Elapsed times are milliseconds. */

WEFT_API cuEventCreate(CUevent *phEvent, unsigned int Flags);
WEFT_API cuEventRecord(CUevent hEvent, CUstream hStream);
WEFT_API cuEventRecordWithFlags(CUevent hEvent, CUstream hStream,
                                unsigned int flags);
WEFT_API cuEventQuery(CUevent hEvent);
WEFT_API cuEventSynchronize(CUevent hEvent);
WEFT_API cuEventDestroy(CUevent hEvent);
WEFT_API cuEventElapsedTime(float *pMilliseconds, CUevent hStart, CUevent hEnd);
WEFT_API
cuImportExternalMemory(CUexternalMemory *extMem_out,
                       const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *memHandleDesc);
WEFT_API cuExternalMemoryGetMappedBuffer(
    CUdeviceptr *devPtr, CUexternalMemory extMem,
    const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *bufferDesc);
WEFT_API cuExternalMemoryGetMappedMipmappedArray(
    CUmipmappedArray *mipmap, CUexternalMemory extMem,
    const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC *mipmapDesc);
WEFT_API cuDestroyExternalMemory(CUexternalMemory extMem);
WEFT_API cuImportExternalSemaphore(
    CUexternalSemaphore *extSem_out,
    const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *semHandleDesc);
WEFT_API cuSignalExternalSemaphoresAsync(
    const CUexternalSemaphore *extSemArray,
    const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *paramsArray,
    unsigned int numExtSems, CUstream stream);
WEFT_API cuWaitExternalSemaphoresAsync(
    const CUexternalSemaphore *extSemArray,
    const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *paramsArray,
    unsigned int numExtSems, CUstream stream);
WEFT_API cuDestroyExternalSemaphore(CUexternalSemaphore extSem);

/* ---- launches, occupancy ------------------------------------------------- */
/*
 * CUDA driver API, "Execution Control", "Occupancy". A launch copies its
 * arguments and returns before the kernel has run. Grids count blocks, blocks
 * count threads; shared memory is bytes.
 */

WEFT_API cuFuncGetAttribute(int *pi, CUfunction_attribute attrib,
                            CUfunction hfunc);
WEFT_API cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib,
                            int value);
WEFT_API cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config);
WEFT_API cuFuncSetSharedMemConfig(CUfunction hfunc, CUsharedconfig config);
WEFT_API cuFuncGetModule(CUmodule *hmod, CUfunction hfunc);
WEFT_API cuFuncGetName(const char **name, CUfunction hfunc);
WEFT_API cuFuncGetParamInfo(CUfunction func, size_t paramIndex,
                            size_t *paramOffset, size_t *paramSize);
WEFT_API cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function);
WEFT_API cuFuncLoad(CUfunction function);
WEFT_API cuLaunchKernel(CUfunction f, unsigned int gridDimX,
                        unsigned int gridDimY, unsigned int gridDimZ,
                        unsigned int blockDimX, unsigned int blockDimY,
                        unsigned int blockDimZ, unsigned int sharedMemBytes,
                        CUstream hStream, void **kernelParams, void **extra);
WEFT_API cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f,
                          void **kernelParams, void **extra);
WEFT_API cuLaunchCooperativeKernel(CUfunction f, unsigned int gridDimX,
                                   unsigned int gridDimY, unsigned int gridDimZ,
                                   unsigned int blockDimX,
                                   unsigned int blockDimY,
                                   unsigned int blockDimZ,
                                   unsigned int sharedMemBytes,
                                   CUstream hStream, void **kernelParams);
WEFT_API
cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS *launchParamsList,
                                     unsigned int numDevices,
                                     unsigned int flags);
WEFT_API cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void *userData);
WEFT_API cuFuncSetBlockShape(CUfunction hfunc, int x, int y, int z);
WEFT_API cuFuncSetSharedSize(CUfunction hfunc, unsigned int bytes);
WEFT_API cuParamSetSize(CUfunction hfunc, unsigned int numbytes);
WEFT_API cuParamSeti(CUfunction hfunc, int offset, unsigned int value);
WEFT_API cuParamSetf(CUfunction hfunc, int offset, float value);
WEFT_API cuParamSetv(CUfunction hfunc, int offset, void *ptr,
                     unsigned int numbytes);
WEFT_API cuParamSetTexRef(CUfunction hfunc, int texunit, CUtexref hTexRef);
WEFT_API cuLaunch(CUfunction f);
WEFT_API cuLaunchGrid(CUfunction f, int grid_width, int grid_height);
WEFT_API cuLaunchGridAsync(CUfunction f, int grid_width, int grid_height,
                           CUstream hStream);
WEFT_API cuOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks,
                                                     CUfunction func,
                                                     int blockSize,
                                                     size_t dynamicSMemSize);
WEFT_API cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *numBlocks, CUfunction func, int blockSize, size_t dynamicSMemSize,
    unsigned int flags);
WEFT_API
cuOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize,
                                 CUfunction func,
                                 CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                 size_t dynamicSMemSize, int blockSizeLimit);
WEFT_API cuOccupancyMaxPotentialBlockSizeWithFlags(
    int *minGridSize, int *blockSize, CUfunction func,
    CUoccupancyB2DSize blockSizeToDynamicSMemSize, size_t dynamicSMemSize,
    int blockSizeLimit, unsigned int flags);
WEFT_API cuOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize,
                                                 CUfunction func, int numBlocks,
                                                 int blockSize);
WEFT_API cuOccupancyMaxPotentialClusterSize(int *clusterSize, CUfunction func,
                                            const CUlaunchConfig *config);
WEFT_API cuOccupancyMaxActiveClusters(int *numClusters, CUfunction func,
                                      const CUlaunchConfig *config);

/* ---- graphs -------------------------------------------------------------- */
/*
 * CUDA driver API, "Graph Management". A node belongs to its graph. Parameters
 * and kernel arguments are copied into it. One thread at a time may use a
 * graph.
 */

WEFT_API cuGraphCreate(CUgraph *phGraph, unsigned int flags);
WEFT_API cuGraphAddKernelNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                              const CUgraphNode *dependencies,
                              size_t numDependencies,
                              const CUDA_KERNEL_NODE_PARAMS *nodeParams);
WEFT_API cuGraphKernelNodeGetParams(CUgraphNode hNode,
                                    CUDA_KERNEL_NODE_PARAMS *nodeParams);
WEFT_API cuGraphKernelNodeSetParams(CUgraphNode hNode,
                                    const CUDA_KERNEL_NODE_PARAMS *nodeParams);
WEFT_API cuGraphAddMemcpyNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                              const CUgraphNode *dependencies,
                              size_t numDependencies,
                              const CUDA_MEMCPY3D *copyParams, CUcontext ctx);
WEFT_API cuGraphMemcpyNodeGetParams(CUgraphNode hNode,
                                    CUDA_MEMCPY3D *nodeParams);
WEFT_API cuGraphMemcpyNodeSetParams(CUgraphNode hNode,
                                    const CUDA_MEMCPY3D *nodeParams);
WEFT_API cuGraphAddMemsetNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                              const CUgraphNode *dependencies,
                              size_t numDependencies,
                              const CUDA_MEMSET_NODE_PARAMS *memsetParams,
                              CUcontext ctx);
WEFT_API cuGraphMemsetNodeGetParams(CUgraphNode hNode,
                                    CUDA_MEMSET_NODE_PARAMS *nodeParams);
WEFT_API cuGraphMemsetNodeSetParams(CUgraphNode hNode,
                                    const CUDA_MEMSET_NODE_PARAMS *nodeParams);
WEFT_API cuGraphAddHostNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                            const CUgraphNode *dependencies,
                            size_t numDependencies,
                            const CUDA_HOST_NODE_PARAMS *nodeParams);
WEFT_API cuGraphHostNodeGetParams(CUgraphNode hNode,
                                  CUDA_HOST_NODE_PARAMS *nodeParams);
WEFT_API cuGraphHostNodeSetParams(CUgraphNode hNode,
                                  const CUDA_HOST_NODE_PARAMS *nodeParams);
WEFT_API cuGraphAddChildGraphNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                  const CUgraphNode *dependencies,
                                  size_t numDependencies, CUgraph childGraph);
WEFT_API cuGraphChildGraphNodeGetGraph(CUgraphNode hNode, CUgraph *phGraph);
WEFT_API cuGraphAddEmptyNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                             const CUgraphNode *dependencies,
                             size_t numDependencies);
WEFT_API cuGraphAddEventRecordNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                   const CUgraphNode *dependencies,
                                   size_t numDependencies, CUevent event);
WEFT_API cuGraphEventRecordNodeGetEvent(CUgraphNode hNode, CUevent *event_out);
WEFT_API cuGraphEventRecordNodeSetEvent(CUgraphNode hNode, CUevent event);
WEFT_API cuGraphAddEventWaitNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                 const CUgraphNode *dependencies,
                                 size_t numDependencies, CUevent event);
WEFT_API cuGraphEventWaitNodeGetEvent(CUgraphNode hNode, CUevent *event_out);
WEFT_API cuGraphEventWaitNodeSetEvent(CUgraphNode hNode, CUevent event);
WEFT_API cuGraphAddExternalSemaphoresSignalNode(
    CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
    size_t numDependencies, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams);
WEFT_API cuGraphAddExternalSemaphoresWaitNode(
    CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
    size_t numDependencies, const CUDA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams);
WEFT_API cuGraphAddBatchMemOpNode(
    CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
    size_t numDependencies, const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams);
WEFT_API cuGraphAddMemAllocNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                const CUgraphNode *dependencies,
                                size_t numDependencies,
                                CUDA_MEM_ALLOC_NODE_PARAMS *nodeParams);
WEFT_API cuGraphMemAllocNodeGetParams(CUgraphNode hNode,
                                      CUDA_MEM_ALLOC_NODE_PARAMS *params_out);
WEFT_API cuGraphAddMemFreeNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                               const CUgraphNode *dependencies,
                               size_t numDependencies, CUdeviceptr dptr);
WEFT_API cuGraphMemFreeNodeGetParams(CUgraphNode hNode, CUdeviceptr *dptr_out);
WEFT_API cuGraphAddNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                        const CUgraphNode *dependencies, size_t numDependencies,
                        CUgraphNodeParams *nodeParams);
WEFT_API cuGraphNodeSetParams(CUgraphNode hNode, CUgraphNodeParams *nodeParams);
WEFT_API cuGraphExecNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                  CUgraphNodeParams *nodeParams);
WEFT_API cuGraphConditionalHandleCreate(CUgraphConditionalHandle *pHandle_out,
                                        CUgraph hGraph, CUcontext ctx,
                                        unsigned int defaultLaunchValue,
                                        unsigned int flags);
WEFT_API cuGraphClone(CUgraph *phGraphClone, CUgraph originalGraph);
WEFT_API cuGraphNodeFindInClone(CUgraphNode *phNode, CUgraphNode hOriginalNode,
                                CUgraph hClonedGraph);
WEFT_API cuGraphNodeGetType(CUgraphNode hNode, CUgraphNodeType *type);
WEFT_API cuGraphGetNodes(CUgraph hGraph, CUgraphNode *nodes, size_t *numNodes);
WEFT_API cuGraphGetRootNodes(CUgraph hGraph, CUgraphNode *rootNodes,
                             size_t *numRootNodes);
WEFT_API cuGraphGetEdges(CUgraph hGraph, CUgraphNode *from, CUgraphNode *to,
                         size_t *numEdges);
WEFT_API cuGraphNodeGetDependencies(CUgraphNode hNode,
                                    CUgraphNode *dependencies,
                                    size_t *numDependencies);
WEFT_API cuGraphNodeGetDependentNodes(CUgraphNode hNode,
                                      CUgraphNode *dependentNodes,
                                      size_t *numDependentNodes);
WEFT_API cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode *from,
                                const CUgraphNode *to, size_t numDependencies);
WEFT_API cuGraphRemoveDependencies(CUgraph hGraph, const CUgraphNode *from,
                                   const CUgraphNode *to,
                                   size_t numDependencies);
WEFT_API cuGraphDestroyNode(CUgraphNode hNode);
WEFT_API cuGraphInstantiate(CUgraphExec *phGraphExec, CUgraph hGraph,
                            unsigned long long flags);
WEFT_API
cuGraphInstantiateWithParams(CUgraphExec *phGraphExec, CUgraph hGraph,
                             CUDA_GRAPH_INSTANTIATE_PARAMS *instantiateParams);
WEFT_API cuGraphExecGetFlags(CUgraphExec hGraphExec, cuuint64_t *flags);
WEFT_API
cuGraphExecKernelNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                               const CUDA_KERNEL_NODE_PARAMS *nodeParams);
WEFT_API cuGraphExecMemcpyNodeSetParams(CUgraphExec hGraphExec,
                                        CUgraphNode hNode,
                                        const CUDA_MEMCPY3D *copyParams,
                                        CUcontext ctx);
WEFT_API
cuGraphExecMemsetNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                               const CUDA_MEMSET_NODE_PARAMS *memsetParams,
                               CUcontext ctx);
WEFT_API cuGraphExecHostNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                      const CUDA_HOST_NODE_PARAMS *nodeParams);
WEFT_API cuGraphExecChildGraphNodeSetParams(CUgraphExec hGraphExec,
                                            CUgraphNode hNode,
                                            CUgraph childGraph);
WEFT_API cuGraphExecEventRecordNodeSetEvent(CUgraphExec hGraphExec,
                                            CUgraphNode hNode, CUevent event);
WEFT_API cuGraphExecEventWaitNodeSetEvent(CUgraphExec hGraphExec,
                                          CUgraphNode hNode, CUevent event);
WEFT_API cuGraphNodeSetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode,
                               unsigned int isEnabled);
WEFT_API cuGraphNodeGetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode,
                               unsigned int *isEnabled);
WEFT_API cuGraphUpload(CUgraphExec hGraphExec, CUstream hStream);
WEFT_API cuGraphLaunch(CUgraphExec hGraphExec, CUstream hStream);
WEFT_API cuGraphExecDestroy(CUgraphExec hGraphExec);
WEFT_API cuGraphDestroy(CUgraph hGraph);
WEFT_API cuGraphExecUpdate(CUgraphExec hGraphExec, CUgraph hGraph,
                           CUgraphExecUpdateResultInfo *resultInfo);
WEFT_API cuGraphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src);
WEFT_API cuGraphKernelNodeGetAttribute(CUgraphNode hNode,
                                       CUkernelNodeAttrID attr,
                                       CUkernelNodeAttrValue *value_out);
WEFT_API cuGraphKernelNodeSetAttribute(CUgraphNode hNode,
                                       CUkernelNodeAttrID attr,
                                       const CUkernelNodeAttrValue *value);
WEFT_API cuGraphDebugDotPrint(CUgraph hGraph, const char *path,
                              unsigned int flags);
WEFT_API cuUserObjectCreate(CUuserObject *object_out, void *ptr,
                            CUhostFn destroy, unsigned int initialRefcount,
                            unsigned int flags);
WEFT_API cuUserObjectRetain(CUuserObject object, unsigned int count);
WEFT_API cuUserObjectRelease(CUuserObject object, unsigned int count);
WEFT_API cuGraphRetainUserObject(CUgraph graph, CUuserObject object,
                                 unsigned int count, unsigned int flags);
WEFT_API cuGraphReleaseUserObject(CUgraph graph, CUuserObject object,
                                  unsigned int count);

/* ---- textures, surfaces -------------------------------------------------- */
/* CUDA driver API, "Texture Object Management", "Texture Reference
 * Management", "Surface Object Management". Widths of arrays are elements. */

WEFT_API cuTexRefCreate(CUtexref *pTexRef);
WEFT_API cuTexRefDestroy(CUtexref hTexRef);
WEFT_API cuTexRefSetArray(CUtexref hTexRef, CUarray hArray, unsigned int Flags);
WEFT_API cuTexRefSetMipmappedArray(CUtexref hTexRef,
                                   CUmipmappedArray hMipmappedArray,
                                   unsigned int Flags);
WEFT_API cuTexRefSetAddress(size_t *ByteOffset, CUtexref hTexRef,
                            CUdeviceptr dptr, size_t bytes);
WEFT_API cuTexRefSetAddress2D(CUtexref hTexRef,
                              const CUDA_ARRAY_DESCRIPTOR *desc,
                              CUdeviceptr dptr, size_t Pitch);
WEFT_API cuTexRefSetFormat(CUtexref hTexRef, CUarray_format fmt,
                           int NumPackedComponents);
WEFT_API cuTexRefSetAddressMode(CUtexref hTexRef, int dim, CUaddress_mode am);
WEFT_API cuTexRefSetFilterMode(CUtexref hTexRef, CUfilter_mode fm);
WEFT_API cuTexRefSetMipmapFilterMode(CUtexref hTexRef, CUfilter_mode fm);
WEFT_API cuTexRefSetMipmapLevelBias(CUtexref hTexRef, float bias);
WEFT_API cuTexRefSetMipmapLevelClamp(CUtexref hTexRef,
                                     float minMipmapLevelClamp,
                                     float maxMipmapLevelClamp);
WEFT_API cuTexRefSetMaxAnisotropy(CUtexref hTexRef, unsigned int maxAniso);
WEFT_API cuTexRefSetBorderColor(CUtexref hTexRef, float *pBorderColor);
WEFT_API cuTexRefSetFlags(CUtexref hTexRef, unsigned int Flags);
WEFT_API cuTexRefGetAddress(CUdeviceptr *pdptr, CUtexref hTexRef);
WEFT_API cuTexRefGetArray(CUarray *phArray, CUtexref hTexRef);
WEFT_API cuTexRefGetMipmappedArray(CUmipmappedArray *phMipmappedArray,
                                   CUtexref hTexRef);
WEFT_API cuTexRefGetAddressMode(CUaddress_mode *pam, CUtexref hTexRef, int dim);
WEFT_API cuTexRefGetFilterMode(CUfilter_mode *pfm, CUtexref hTexRef);
WEFT_API cuTexRefGetFormat(CUarray_format *pFormat, int *pNumChannels,
                           CUtexref hTexRef);
WEFT_API cuTexRefGetMipmapFilterMode(CUfilter_mode *pfm, CUtexref hTexRef);
WEFT_API cuTexRefGetMipmapLevelBias(float *pbias, CUtexref hTexRef);
WEFT_API cuTexRefGetMipmapLevelClamp(float *pminMipmapLevelClamp,
                                     float *pmaxMipmapLevelClamp,
                                     CUtexref hTexRef);
WEFT_API cuTexRefGetMaxAnisotropy(int *pmaxAniso, CUtexref hTexRef);
WEFT_API cuTexRefGetBorderColor(float *pBorderColor, CUtexref hTexRef);
WEFT_API cuTexRefGetFlags(unsigned int *pFlags, CUtexref hTexRef);
WEFT_API cuSurfRefSetArray(CUsurfref hSurfRef, CUarray hArray,
                           unsigned int Flags);
WEFT_API cuSurfRefGetArray(CUarray *phArray, CUsurfref hSurfRef);
WEFT_API cuTexObjectCreate(CUtexObject *pTexObject,
                           const CUDA_RESOURCE_DESC *pResDesc,
                           const CUDA_TEXTURE_DESC *pTexDesc,
                           const CUDA_RESOURCE_VIEW_DESC *pResViewDesc);
WEFT_API cuTexObjectDestroy(CUtexObject texObject);
WEFT_API cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *pResDesc,
                                    CUtexObject texObject);
WEFT_API cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *pTexDesc,
                                   CUtexObject texObject);
WEFT_API cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *pResViewDesc,
                                        CUtexObject texObject);
WEFT_API cuSurfObjectCreate(CUsurfObject *pSurfObject,
                            const CUDA_RESOURCE_DESC *pResDesc);
WEFT_API cuSurfObjectDestroy(CUsurfObject surfObject);
WEFT_API cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *pResDesc,
                                     CUsurfObject surfObject);
WEFT_API cuTensorMapEncodeTiled(
    CUtensorMap *tensorMap, CUtensorMapDataType tensorDataType,
    cuuint32_t tensorRank, void *globalAddress, const cuuint64_t *globalDim,
    const cuuint64_t *globalStrides, const cuuint32_t *boxDim,
    const cuuint32_t *elementStrides, CUtensorMapInterleave interleave,
    CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2Promotion,
    CUtensorMapFloatOOBfill oobFill);
WEFT_API cuTensorMapEncodeIm2col(
    CUtensorMap *tensorMap, CUtensorMapDataType tensorDataType,
    cuuint32_t tensorRank, void *globalAddress, const cuuint64_t *globalDim,
    const cuuint64_t *globalStrides, const int *pixelBoxLowerCorner,
    const int *pixelBoxUpperCorner, cuuint32_t channelsPerPixel,
    cuuint32_t pixelsPerColumn, const cuuint32_t *elementStrides,
    CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
    CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill);
WEFT_API cuTensorMapReplaceAddress(CUtensorMap *tensorMap, void *globalAddress);

/* ---- graphics, profiler -------------------------------------------------- */
/* CUDA driver API, "Graphics Interoperability", "Profiler Control". A mapped
 * resource belongs to CUDA until it is unmapped. */

WEFT_API cuGraphicsUnregisterResource(CUgraphicsResource resource);
WEFT_API cuGraphicsSubResourceGetMappedArray(CUarray *pArray,
                                             CUgraphicsResource resource,
                                             unsigned int arrayIndex,
                                             unsigned int mipLevel);
WEFT_API
cuGraphicsResourceGetMappedMipmappedArray(CUmipmappedArray *pMipmappedArray,
                                          CUgraphicsResource resource);
WEFT_API cuGraphicsResourceGetMappedPointer(CUdeviceptr *pDevPtr, size_t *pSize,
                                            CUgraphicsResource resource);
WEFT_API cuGraphicsResourceSetMapFlags(CUgraphicsResource resource,
                                       unsigned int flags);
WEFT_API cuGraphicsMapResources(unsigned int count,
                                CUgraphicsResource *resources,
                                CUstream hStream);
WEFT_API cuGraphicsUnmapResources(unsigned int count,
                                  CUgraphicsResource *resources,
                                  CUstream hStream);

#undef WEFT_API

#endif
