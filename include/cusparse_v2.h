/* SPDX-License-Identifier: Apache-2.0 */
/* The name that old programs include cuSPARSE by. */
#ifndef WEFT_CUSPARSE_V2_H
#define WEFT_CUSPARSE_V2_H

#include "cusparse.h"

#endif
