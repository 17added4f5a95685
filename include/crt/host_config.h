/* SPDX-License-Identifier: Apache-2.0 */
/* NVIDIA's header refuses host compilers that it does not know; this one takes
 * all that compile it. */
#ifndef WEFT_CRT_HOST_CONFIG_H
#define WEFT_CRT_HOST_CONFIG_H

#include "../host_defines.h"

#endif
