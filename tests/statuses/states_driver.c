/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of the driver API in states that calls do not expect: states.h. */
#define ROUTINES "driver.def"
#include "states.h"
