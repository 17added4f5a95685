/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Source lines in the object, if the PTX has them; otherwise these do nothing.
 */
#ifndef WEFT_EMIT_LINES_H
#define WEFT_EMIT_LINES_H

#include "emit/core/state.h"

void emit_lines_begin(struct emit *e); /* for a new module that has its types */
/* Later instructions are from `inst`; NULL: from none. */
void emit_set_line(struct emit *e, const struct ptx_inst *inst);
/* Moves the builder to the end of `here`, after something was inserted before
 * an instruction elsewhere, which changes the builder's line. */
void emit_go_back(struct emit *e, LLVMBasicBlockRef here);
void emit_lines_end(struct emit *e); /* for a complete module */

#endif
