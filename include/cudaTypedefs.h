/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Types of the driver API's entry points, for what cudaGetDriverEntryPoint
 * gives: so far those that it has. A name with a version means that version of
 * the function.
 */
#ifndef WEFT_CUDATYPEDEFS_H
#define WEFT_CUDATYPEDEFS_H

#include "cuda.h"

#define WEFT_PFN(name, version)                                                \
    typedef __typeof__(name) *PFN_##name##_##version;                          \
    typedef PFN_##name##_##version PFN_##name
WEFT_PFN(cuTensorMapEncodeTiled, v12000);
WEFT_PFN(cuTensorMapEncodeIm2col, v12000);
WEFT_PFN(cuTensorMapReplaceAddress, v12000);
#undef WEFT_PFN

#endif
