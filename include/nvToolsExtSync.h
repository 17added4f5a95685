/* SPDX-License-Identifier: Apache-2.0 */
/* NVTX under its older name. */
#include "nvtx3/nvToolsExtSync.h"
