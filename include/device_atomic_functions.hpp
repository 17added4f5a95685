/* SPDX-License-Identifier: Apache-2.0 */
/* All in the header of the same name that ends in .h. */
#ifndef WEFT_DEVICE_ATOMIC_FUNCTIONS_HPP
#define WEFT_DEVICE_ATOMIC_FUNCTIONS_HPP

#include "device_atomic_functions.h"

#endif
