/* SPDX-License-Identifier: Apache-2.0 */
/* EGL streams and images belong to a display that weft has none of: the header is there for
 * programs that include it in passing. */
#ifndef WEFT_CUDA_EGL_INTEROP_H
#define WEFT_CUDA_EGL_INTEROP_H

#include "cuda_runtime_api.h"

#endif
