/* SPDX-License-Identifier: Apache-2.0 */
/* What texture objects and texture references share. */
#ifndef WEFT_RUNTIME_TEXTURE_H
#define WEFT_RUNTIME_TEXTURE_H

#include "runtime/internal.h"

#include "texture_types.h"

/* Creates a texture object. The arguments are not NULL, except `view`. */
cudaError_t rt_texture_create(const struct cudaResourceDesc *resource,
                              const struct cudaTextureDesc *texture,
                              const struct cudaResourceViewDesc *view,
                              cudaTextureObject_t *out);

/* Does the texture reference read integers as fractions? register.c */
bool rt_reads_normalized(const void *host_variable);

/* Converts a channel descriptor to the driver API's format, and back: array.c.
 * cudaErrorInvalidChannelDescriptor. */
cudaError_t rt_format_of(const struct cudaChannelFormatDesc *d,
                         CUarray_format *format, unsigned *channels);
struct cudaChannelFormatDesc rt_channels_of(CUarray_format format,
                                            unsigned channels);

#endif
