/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which opcode is emitted by what, and whether each lane stands alone:
 * emitters.def. An opcode without a row there is refused by its name. This
 * table is the only way from the lower layers up to the emitters.
 */
#include "emit/core/emitters.h"

const struct emit_emitter emit_emitters[PTX_OP_COUNT] = {
#define LANES             EMIT_LANES
#define WHOLE             EMIT_WHOLE
#define EMIT(op, how, fn) [PTX_OP_##op] = {how, fn},
#include "emit/emitters.def"
};
