/* SPDX-License-Identifier: Apache-2.0 */
/* What texture objects and the references of older programs share. */
#ifndef WEFT_RUNTIME_TEXTURE_H
#define WEFT_RUNTIME_TEXTURE_H

#include "runtime/internal.h"

#include "texture_types.h"

/* Arguments that are there; makes the context. */
cudaError_t rt_texture_create(const struct cudaResourceDesc *resource,
                              const struct cudaTextureDesc *texture,
                              const struct cudaResourceViewDesc *view,
                              cudaTextureObject_t *out);

/* register.c: a texture reference that gives fractions of integers. */
bool rt_reads_normalized(const void *host_variable);

/* array.c: channels as the driver API has them, and back. */
cudaError_t rt_format_of(const struct cudaChannelFormatDesc *d,
                         CUarray_format *format, unsigned *channels);
struct cudaChannelFormatDesc rt_channels_of(CUarray_format format,
                                            unsigned channels);

#endif
