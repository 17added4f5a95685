/* SPDX-License-Identifier: Apache-2.0 */
/* All in the header of the same name that ends in .h. */
#ifndef WEFT_VECTOR_FUNCTIONS_HPP
#define WEFT_VECTOR_FUNCTIONS_HPP

#include "vector_functions.h"

#endif
