/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations of the runtime API fail: starved.h. */
#define ROUTINES "runtime.def"
#include "starved.h"
