/* SPDX-License-Identifier: Apache-2.0 */
/* All in the header of the same name that ends in .h. */
#ifndef WEFT_SM_20_INTRINSICS_HPP
#define WEFT_SM_20_INTRINSICS_HPP

#include "sm_20_intrinsics.h"

#endif
