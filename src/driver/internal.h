/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the driver API share. An entry point checks its arguments,
 * asks core/ for the meaning and returns what that says.
 *
 *   context.c      contexts, the way to the current one; settings.c what is
 *                  wished of it
 *   device.c       devices and their attributes
 *   error.c        names and texts of errors
 *   module.c       modules; linker.c several images made into one
 *   library.c      code that belongs to no context
 *   memory.c       allocations; pointer.c what a pointer is
 *   array.c        arrays and mipmapped arrays
 *   graphics.c     buffers and images of OpenGL; graphics_map.c mapping them
 *   external.c     memory and semaphores of other APIs
 *   pools.c        pools of memory; virtual.c addresses and memory apart;
 *                  multicast.c memory of several devices at one address
 *   object.c       making and ending streams and events, timing
 *   green.c        contexts with a part of the SMs; launch_all.c: all devices
 *   function.c     attributes of kernels, occupancy; function_info.c their
 *                  names and parameters; old_launch.c launches in steps
 *   config.c       launch configurations with attributes, clusters
 *   tensor_map.c   tensor maps
 *   legacy.c       old forms of functions
 *   entry_point.c  functions by their names
 *   entry_table.c  the table of them; refuse.c what is not supported (api.def)
 *   export_table.c tables of functions by ids (export_tables.def), which
 *                  NVIDIA's runtime asks for where it is linked in statically;
 *                  export_table_runtime.c and export_table_check.c have them
 *
 * These depend on the default stream and are compiled twice, the second time
 * with CUDA_API_PER_THREAD_DEFAULT_STREAM, which renames their functions:
 *
 *   copy.c, copy_array.c, copy_box.c, external_order.c, fill.c,
 *   graphics_map.c, pool.c, order.c, launch.c
 */
#ifndef WEFT_DRIVER_INTERNAL_H
#define WEFT_DRIVER_INTERNAL_H

#include "driver/renames.h"

#include "core/core.h"
#include "cuda.h"

/* The calling thread's current context: NOT_INITIALIZED, INVALID_CONTEXT,
 * CONTEXT_IS_DESTROYED, or the context's sticky error. */
CUresult drv_context(CUcontext *out);
/* The same, with SUCCESS for one that has failed. */
CUresult drv_current(CUcontext *out);
/* The same for who has something that knows its context: clients use and end
 * it when none is current; NULL then. */
CUresult drv_context_or_none(CUcontext *out);
/* The same for who needs no more of it than that it is there; and for who has a
 * handle as well: INVALID_HANDLE, if that is NULL. */
CUresult drv_check_context(void);
CUresult drv_check_handle(const void *handle);
/* Those for who was given a pointer as well: INVALID_VALUE, if that is NULL. */
CUresult drv_context_for(const void *given, CUcontext *out);
CUresult drv_check_given(const void *given);
CUresult drv_initialised_for(const void *given);
/* Another context, handed in: INVALID_CONTEXT. */
CUresult drv_check_other(CUcontext ctx);
/* For functions, where a library's kernel may stand: makes that the context's
 * function. */
CUresult drv_function(CUfunction *f);
/* INVALID_CONTEXT: it is none. */
CUresult drv_check_living(CUcontext ctx);
/* NULL becomes the current one. */
CUresult drv_context_or_current(CUcontext *ctx);
bool drv_are_context_flags(unsigned flags);
/* The primary context of the thread's device, also one that has failed. */
CUresult drv_primary(CUcontext *out);
/* SUCCESS behind cuInit. */
CUresult drv_initialised(void);
/* SUCCESS if there is such a device. */
CUresult drv_check_device(CUdevice device);

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define DRV_DEFAULT_STREAM CU_STREAM_PER_THREAD
#else
#define DRV_DEFAULT_STREAM CU_STREAM_LEGACY
#endif

/* What drv_stream does, with the default stream to take for NULL. *ctx: the
 * current context, or else the stream's. INVALID_CONTEXT: a default stream
 * without one; INVALID_HANDLE: no stream. */
static inline CUresult drv_stream_or(CUstream handle, CUstream default_stream,
                                     CUcontext *ctx, CUstream *out)
{
    CUresult err = drv_context_or_none(ctx);
    bool is_default =
        !handle || handle == CU_STREAM_LEGACY || handle == CU_STREAM_PER_THREAD;
    if (err)
        return err;
    if (!*ctx && is_default)
        return CUDA_ERROR_INVALID_CONTEXT;
    err = stream_resolve(*ctx, handle ? handle : default_stream, out);
    if (!err && !*ctx)
        *ctx = stream_context(*out);
    return err;
}
/* Context and stream of one call. A stream knows its context, if none is
 * current. */
#define drv_stream(handle, ctx, out)                                           \
    drv_stream_or(handle, DRV_DEFAULT_STREAM, ctx, out)

/* All of it but the stream. */
CUresult drv_read_config(const CUlaunchConfig *config,
                         struct launch_config *out);

/* What options of cuModuleLoadDataEx and cuLinkCreate say. */
struct drv_jit_options {
    struct module_log errors, info;
    /* Where the lengths of the logs go: the options' values. NULL: nowhere. */
    void **errors_size, **info_size;
    void **wall_time;
};
CUresult drv_read_jit_options(struct drv_jit_options *out, unsigned count,
                              const CUjit_option *options, void **values);
/* Puts what came of it where the options want it. */
void drv_write_jit_options(const struct drv_jit_options *o, double seconds);

#endif
