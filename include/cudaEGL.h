/* SPDX-License-Identifier: Apache-2.0 */
/* EGL streams and images belong to a display that weft has none of: the header is there for
 * programs that include it in passing. */
#ifndef WEFT_CUDAEGL_H
#define WEFT_CUDAEGL_H

#include "cuda.h"

#endif
