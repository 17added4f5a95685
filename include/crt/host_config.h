/* SPDX-License-Identifier: Apache-2.0 */
/* Which host compilers are good enough: all that compile this. */
#ifndef WEFT_CRT_HOST_CONFIG_H
#define WEFT_CRT_HOST_CONFIG_H

#include "../host_defines.h"

#endif
