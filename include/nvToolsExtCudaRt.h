/* SPDX-License-Identifier: Apache-2.0 */
/* NVTX for the runtime API under its older name. */
#include "nvtx3/nvToolsExtCudaRt.h"
