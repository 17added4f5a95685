/* SPDX-License-Identifier: Apache-2.0 */
/* VDPAU surfaces belong to a display that weft has none of: the header is there for
 * programs that include it in passing. */
#ifndef WEFT_CUDAVDPAU_H
#define WEFT_CUDAVDPAU_H

#include "cuda.h"

#endif
