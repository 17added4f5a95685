/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Types of pointers to functions of the driver API, for cuGetProcAddress: of
 * every form, with the CUDA version that brought it, and without a version the
 * form that the plain name stands for.
 */
#ifndef WEFT_CUDATYPEDEFS_H
#define WEFT_CUDATYPEDEFS_H
/* Programs ask for this name to know whether the header was included. */
#define CUDATYPEDEFS_H

#include "cuda.h"
#include "cudaProfiler.h"

/* The form that the plain name stands for, and forms that carry a number. */
#define WEFT_PFN(name, version)                                                \
    typedef __typeof__(&name) PFN_##name##_v##version;                         \
    typedef PFN_##name##_v##version PFN_##name;
#define WEFT_PFN_FORM(name, form, version)                                     \
    typedef __typeof__(&name##form) PFN_##name##_v##version;
/* The forms with a default stream per thread. */
#define WEFT_PFN_PTDS(name, version, since)                                    \
    typedef PFN_##name##_v##version PFN_##name##_v##since##_ptds;
#define WEFT_PFN_PTSZ(name, version, since)                                    \
    typedef PFN_##name##_v##version PFN_##name##_v##since##_ptsz;

/* In C++ two functions of CUDA 12 and 13 share this name. */
typedef CUresult(CUDAAPI *PFN_cuCtxCreate_v3020)(CUcontext *pctx,
                                                 unsigned int flags,
                                                 CUdevice dev);
typedef PFN_cuCtxCreate_v3020 PFN_cuCtxCreate;
/* Newer headers do not declare the first form any more. */
typedef CUresult(CUDAAPI *PFN_cuGetProcAddress_v11030)(const char *symbol,
                                                       void **pfn,
                                                       int cudaVersion,
                                                       cuuint64_t flags);

#include "weft/driver_pointers.h"

#undef WEFT_PFN
#undef WEFT_PFN_PTDS
#undef WEFT_PFN_PTSZ
#undef WEFT_PFN_FORM

#endif
