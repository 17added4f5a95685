/* SPDX-License-Identifier: Apache-2.0 */
/* What an emitter of whole instructions mostly needs. */
#ifndef WEFT_EMIT_INTERNAL_H
#define WEFT_EMIT_INTERNAL_H

#include "emit/core/address.h"
#include "emit/core/emitters.h"
#include "emit/core/launch.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/memory/memory.h"

#endif
