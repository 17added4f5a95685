/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations of the driver API fail: starved.h. */
#define ROUTINES "driver.def"
#include "starved.h"
