/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the device that we report. */
#ifndef WEFT_CORE_LIMITS_H
#define WEFT_CORE_LIMITS_H

#include "abi/shared.h"
#include "exec/exec.h"

#define LIMIT_THREADS_PER_BLOCK  1024
#define LIMIT_BLOCK_Z            64
#define LIMIT_GRID_X             0x7fffffffu
#define LIMIT_GRID_YZ            65535u
#define LIMIT_SHARED_BYTES       (48u << 10)
#define LIMIT_SHARED_OPTIN_BYTES (227u << 10)
#define LIMIT_SHARED_SM_BYTES    EXEC_SHARED_BYTES
#define LIMIT_SHARED_RESERVED    (unsigned)WEFT_SHARED_RESERVED
#define LIMIT_THREADS_PER_SM     2048
#define LIMIT_BLOCKS_PER_SM      32
#define LIMIT_WARPS_PER_SM       64
#define LIMIT_CLUSTER_PORTABLE   8
#define LIMIT_SYNC_DOMAINS       4
#define LIMIT_TEXTURE_ALIGN      512
#define DEVICE_SM                90 /* compute capability 9.0 */

#endif
