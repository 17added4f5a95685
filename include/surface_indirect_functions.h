/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses through surface objects; cuda_runtime.h has them. */
#ifndef WEFT_SURFACE_INDIRECT_FUNCTIONS_H
#define WEFT_SURFACE_INDIRECT_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
