/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WEFT_PTX_TEXTURE_FORM_H
#define WEFT_PTX_TEXTURE_FORM_H

#include "abi/texture.h"
#include "ptx/ptx.h"

/* False: no engine can run this form (multisampled textures). */
bool ptx_texture_form(const struct ptx_inst *inst, struct texture_form *form);
/* The operand with this letter in forms.def; NULL: none. */
const struct ptx_operand *ptx_texture_operand(const struct ptx_inst *inst,
                                              char letter);
/* The operand with offsets, or the reference, if form.offsets,
 * form.has_reference. */
const struct ptx_operand *ptx_texture_offsets(const struct ptx_inst *inst);
const struct ptx_operand *ptx_texture_reference(const struct ptx_inst *inst);
/* The settings of a .samplerref variable, by its initialiser. */
struct texture_sampler ptx_texture_sampler(const struct ptx_var *v);

#endif
