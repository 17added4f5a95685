/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WEFT_CORE_TEXTURE_H
#define WEFT_CORE_TEXTURE_H

#include "abi/texture.h"
#include "base/base.h"
#include "cuda.h"

/* How texels lie and what they mean. NOT_SUPPORTED: video formats, whose
 * planes have others. */
CUresult texture_set_format(struct exec_texture *t, CUarray_format format,
                            unsigned channels);
CUresult texture_set_view_format(struct exec_texture *t,
                                 CUresourceViewFormat view);
/* Once all else is known of it. */
void texture_choose_path(struct exec_texture *t);

/* Ends the objects of a context that the program has not destroyed. Nothing of
 * the context runs. */
void texture_free_all(CUcontext ctx);

/* Textures and surfaces of an array; they know where their list begins. */
struct texture_object;
/* The array ends: who reads them from now on faults, as on an H200. */
void texture_array_ends(struct texture_object **of_array);

#endif
