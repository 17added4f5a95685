/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a CUDA program includes, and what weftcc includes for it: the runtime
 * API, its C++ layer, the vector types and, in a CUDA compilation, everything
 * that device code may use without including anything.
 *
 * The device side comes first: clang has to see its overloads before any C++
 * standard header.
 */
#ifndef WEFT_CUDA_RUNTIME_H
#define WEFT_CUDA_RUNTIME_H
/* Programs ask for this name to know whether the header was included. */
#define __CUDA_RUNTIME_H__

#if defined(__WEFT_RUNTIME_STD) /* which is called something else here */
#include "weft/rtc_orderings.h"
#endif
#if defined(__CUDA__)
#include "weft/names_aside.h"
#include "weft/gcc_builtins.h"
#include "weft/device_runtime.h"
#include <time.h> /* programs use clock() and time() without asking */
#endif

#include "host_defines.h"
#include "builtin_types.h"
#include "library_types.h"
#include "channel_descriptor.h"
#include "cuda_runtime_api.h"
#include "driver_functions.h"
#include "vector_functions.h"
#if defined(__cplusplus) && !defined(__CUDACC_RTC__)
#include <utility> /* as NVIDIA's does, which programs count on */
#endif
#include "weft/launch.h"

#if defined(__cplusplus)
#include "weft/runtime_templates.h"
#include "weft/texture_templates.h"
#endif

#if defined(__CUDA__)
#include "cuda_device_runtime_api.h"
#include "weft/host_calls.h"
#include "weft/lambda_traits.h"
#include "weft/fill.h"
#include "weft/object.h"
#include "weft/asm_text.h"
#include "weft/shared_room.h"
#include "weft/device_textures.h"
#include "weft/device_surfaces.h"
#endif

#if defined(__CUDA__)
#include "weft/names_back.h"
#endif

#if defined(__CUDACC_RTC__)
#include "nv/target"
#include "weft/rtc_last.h"
#endif

#endif
