/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_runtime.h, which comes by itself, declares all of this. */
#include "../host_defines.h"
