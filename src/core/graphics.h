/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resources of graphics APIs: buffers and images of OpenGL that kernels use
 * while they are mapped. A part of core.h.
 *
 *     registered --map--> mapped --unmap--> registered
 *
 * The graphics API and we have separate memory: mapping copies one way and
 * unmapping the other, unless flags make a copy unnecessary. So a buffer has
 * the same pointer each time it is mapped. OpenGL is called on the calling
 * thread, whose current context must have the objects.
 * INVALID_GRAPHICS_CONTEXT: no context is current; OPERATING_SYSTEM: the
 * process has loaded no OpenGL.
 */
#ifndef WEFT_CORE_GRAPHICS_H
#define WEFT_CORE_GRAPHICS_H

#include "base/base.h"
#include "cuda.h"

#pragma redefine_extname graphics_gl_check weft_graphics_gl_check
#pragma redefine_extname graphics_register_buffer weft_graphics_register_buffer
#pragma redefine_extname graphics_register_image weft_graphics_register_image
#pragma redefine_extname graphics_register_egl_image                           \
    weft_graphics_register_egl_image
#pragma redefine_extname graphics_egl_event weft_graphics_egl_event
#pragma redefine_extname graphics_unregister weft_graphics_unregister
#pragma redefine_extname graphics_set_map_flags weft_graphics_set_map_flags
#pragma redefine_extname graphics_map weft_graphics_map
#pragma redefine_extname graphics_unmap weft_graphics_unmap
#pragma redefine_extname graphics_pointer weft_graphics_pointer
#pragma redefine_extname graphics_array weft_graphics_array
#pragma redefine_extname graphics_mipmap weft_graphics_mipmap
#pragma redefine_extname graphics_register_by_name                             \
    weft_graphics_register_by_name
#pragma redefine_extname graphics_find_by_name weft_graphics_find_by_name

#pragma GCC visibility push(default)

/* SUCCESS: the calling thread has a current context of OpenGL. */
CUresult graphics_gl_check(void);

/* The caller owns the resource until graphics_unregister. flags:
 * CU_GRAPHICS_REGISTER_FLAGS_*. INVALID_HANDLE: there is no such object;
 * INVALID_VALUE: flags, targets or formats that cannot be shared. */
CUresult graphics_register_buffer(CUcontext ctx, unsigned buffer,
                                  unsigned flags, CUgraphicsResource *out);
CUresult graphics_register_image(CUcontext ctx, unsigned image, unsigned target,
                                 unsigned flags, CUgraphicsResource *out);
/* An EGLImage, whose texels are those of a 2-D texture. */
CUresult graphics_register_egl_image(CUcontext ctx, void *image, unsigned flags,
                                     CUgraphicsResource *out);
/* An event that is done when a fence of the current EGL display is. */
CUresult graphics_egl_event(CUcontext ctx, void *sync, unsigned flags,
                            CUevent *out);
CUresult graphics_unregister(CUgraphicsResource r);
/* For later mappings. ALREADY_MAPPED. */
CUresult graphics_set_map_flags(CUgraphicsResource r, unsigned flags);

/* All of them or none. Unmapping waits for the stream. INVALID_HANDLE: one is
 * no resource, or appears twice; ALREADY_MAPPED, NOT_MAPPED. */
CUresult graphics_map(CUstream s, const CUgraphicsResource *resources,
                      unsigned count);
CUresult graphics_unmap(CUstream s, const CUgraphicsResource *resources,
                        unsigned count);

/* NOT_MAPPED, NOT_MAPPED_AS_POINTER, NOT_MAPPED_AS_ARRAY. INVALID_VALUE: all is
 * right, but out is NULL (an H200 looks at the resource first). size_bytes may
 * be NULL. index: a cubemap's face or a layer; otherwise 0. */
CUresult graphics_pointer(CUgraphicsResource r, CUdeviceptr *out,
                          size_t *size_bytes);
CUresult graphics_array(CUgraphicsResource r, unsigned index, unsigned level,
                        CUarray *out);
CUresult graphics_mipmap(CUgraphicsResource r, CUmipmappedArray *out);

/* Buffers that programs of CUDA 2 name by number. INVALID_VALUE: the buffer is
 * registered already, or is not. */
CUresult graphics_register_by_name(CUcontext ctx, unsigned buffer);
CUresult graphics_find_by_name(unsigned buffer, CUgraphicsResource *out);

#pragma GCC visibility pop

#endif
