/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WEFT_PTX_TEXTURE_FORM_H
#define WEFT_PTX_TEXTURE_FORM_H

#include "abi/texture.h"
#include "ptx/ptx.h"

/* False: no engine runs this form (multisampled textures). */
bool ptx_texture_form(const struct ptx_inst *inst, struct texture_form *form);
/* The operand whose letter in forms.def this is, or NULL. */
const struct ptx_operand *ptx_texture_operand(const struct ptx_inst *inst,
                                              char letter);
/* Where form.offsets, form.has_reference say that they are. */
const struct ptx_operand *ptx_texture_offsets(const struct ptx_inst *inst);
const struct ptx_operand *ptx_texture_reference(const struct ptx_inst *inst);
/* What a .samplerref variable holds, by its initialiser. */
struct texture_sampler ptx_texture_sampler(const struct ptx_var *v);

#endif
