/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses through surface references; cuda_runtime.h has them. */
#ifndef WEFT_SURFACE_FUNCTIONS_H
#define WEFT_SURFACE_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
