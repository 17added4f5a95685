/* SPDX-License-Identifier: Apache-2.0 */
/* All in the header of the same name that ends in .h. */
#ifndef WEFT_SM_60_ATOMIC_FUNCTIONS_HPP
#define WEFT_SM_60_ATOMIC_FUNCTIONS_HPP

#include "sm_60_atomic_functions.h"

#endif
