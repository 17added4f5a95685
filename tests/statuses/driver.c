/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of the driver API: engine.h. */
#define ROUTINES "driver.def"
#include "api.h"
