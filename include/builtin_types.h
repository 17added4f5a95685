/* SPDX-License-Identifier: Apache-2.0 */
/* All types of the runtime API at once. */
#ifndef WEFT_BUILTIN_TYPES_H
#define WEFT_BUILTIN_TYPES_H
/* Programs ask for this name to know whether the header was included. */
#define __BUILTIN_TYPES_H__

#include "device_types.h"
#include "driver_types.h"
#include "surface_types.h"
#include "texture_types.h"
#include "vector_types.h"

#endif
