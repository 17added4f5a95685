/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of the runtime API: engine.h. */
#define ROUTINES "runtime.def"
#include "api.h"
