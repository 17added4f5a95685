/* SPDX-License-Identifier: Apache-2.0 */
/* One emitter for each opcode. */
#ifndef WEFT_EMIT_EMITTERS_H
#define WEFT_EMIT_EMITTERS_H

#include "emit/core/state.h"

#define EMIT(op, how, fn) emit_op_fn fn;
#include "emit/emitters.def"

struct emit_emitter {
    enum {
        EMIT_REFUSED,
        /* each lane by itself: runs once for each way in which a destination
         * is kept */
        EMIT_LANES,
        EMIT_WHOLE, /* looks at shapes and masks itself; guards are masks */
    } how;
    emit_op_fn *fn;
};
extern const struct emit_emitter emit_emitters[PTX_OP_COUNT];

#endif
