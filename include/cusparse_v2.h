/* SPDX-License-Identifier: Apache-2.0 */
/* An older header's name of cusparse.h. */
#ifndef WEFT_CUSPARSE_V2_H
#define WEFT_CUSPARSE_V2_H

#include "cusparse.h"

#endif
