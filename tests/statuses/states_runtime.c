/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of the runtime API in states that calls do not expect: states.h. */
#define ROUTINES "runtime.def"
#include "states.h"
