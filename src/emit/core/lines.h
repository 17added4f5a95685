/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of the PTX in the object, where the PTX has lines of the source. Each
 * does nothing otherwise.
 */
#ifndef WEFT_EMIT_LINES_H
#define WEFT_EMIT_LINES_H

#include "emit/core/state.h"

void emit_lines_begin(struct emit *e); /* of a new module with its types */
/* What is built from here on comes from `inst`; NULL: from no instruction. */
void emit_set_line(struct emit *e, const struct ptx_inst *inst);
/* To the end of `here`, after something has been put before an instruction
 * elsewhere, which takes the builder that one's line. */
void emit_go_back(struct emit *e, LLVMBasicBlockRef here);
void emit_lines_end(struct emit *e); /* of a whole module */

#endif
