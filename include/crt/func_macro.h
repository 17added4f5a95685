/* SPDX-License-Identifier: Apache-2.0 */
/* Only compilers use what NVIDIA's header has; the attributes are in
 * host_defines.h. */
#include "../host_defines.h"
