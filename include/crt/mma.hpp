/* SPDX-License-Identifier: Apache-2.0 */
/* mma.h declares all of this. */
#include "../mma.h"
