/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WEFT_PTX_TEXTURE_FORM_H
#define WEFT_PTX_TEXTURE_FORM_H

#include "abi/texture.h"
#include "ptx/ptx.h"

/* False: no engine runs this form (multisampled, two halves in one register,
 * offsets, depth references, samplers apart from textures, formatted
 * reductions, queries of a level or of a sampler). */
bool ptx_texture_form(const struct ptx_inst *inst, struct texture_form *form);
/* The operand whose letter in forms.def this is, or NULL. */
const struct ptx_operand *ptx_texture_operand(const struct ptx_inst *inst,
                                              char letter);

#endif
