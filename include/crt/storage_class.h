/* SPDX-License-Identifier: Apache-2.0 */
/* What it has is for compilers alone; the attributes are there. */
#include "../host_defines.h"
