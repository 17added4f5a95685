/* SPDX-License-Identifier: Apache-2.0 */
/* The public header; what it declares is exported. */
#ifndef WEFT_CURAND_API_H
#define WEFT_CURAND_API_H

#pragma GCC visibility push(default)
#include "curand.h"
#include "curand_discrete.h"
#include "curand_globals.h"
#pragma GCC visibility pop

#endif
