/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the driver API share. An entry point checks its arguments,
 * asks core/ for the meaning and returns what that says.
 *
 *   context.c      contexts, and the checks that entry points begin with;
 *                  settings.c limits, caches, access to other contexts
 *   device.c       devices and their attributes
 *   error.c        names and texts of errors; logs.c the error log
 *   module.c       modules; linker.c images linked into one module
 *   library.c      code that belongs to no context
 *   memory.c       allocations; pointer.c attributes of pointers; range.c
 *                  advice about managed memory; ipc.c other processes
 *   array.c        arrays and mipmapped arrays
 *   texture.c      texture and surface objects; texture_reference.c references
 *   graphics.c     buffers and images of OpenGL; graphics_egl.c of EGL;
 *                  graphics_map.c mapping them
 *   external.c     memory and semaphores of other APIs
 *   pools.c        memory pools; virtual.c memory that is mapped to addresses;
 *                  multicast.c memory of several devices at one address
 *   object.c       streams and events, created and destroyed; timing;
 *                  stream_info.c attributes of streams
 *   green.c        contexts with some of the SMs; launch_all.c: all devices
 *   function.c     attributes of kernels, occupancy; function_info.c their
 *                  names and parameters; old_launch.c launches in steps
 *   config.c       launch configurations with attributes, clusters
 *   graph.c        graphs; graph_nodes.c their nodes; graph_order.c launches
 *                  and captures
 *   tensor_map.c   tensor maps
 *   coredump.c     settings of core files; checkpoint.c states of processes;
 *                  profiler.c marks for profilers
 *   legacy.c       old forms of functions
 *   entry_point.c  functions by their names
 *   entry_table.c  the table of them; refuse.c what is not supported (api.def)
 *   wrappers.c     what programs call; failed.c logs the errors (renames.h)
 *   export_table.c tables of functions by ids (export_tables.def), which
 *                  NVIDIA's runtime asks for where it is linked in statically;
 *                  export_table_runtime.c and export_table_check.c have them
 *
 * These depend on the default stream and are compiled twice, the second time
 * with CUDA_API_PER_THREAD_DEFAULT_STREAM, which renames their functions:
 *
 *   copy.c, copy_array.c, copy_box.c, external_order.c, fill.c,
 *   graphics_map.c, graph_order.c, launch.c, memops.c, order.c, pool.c,
 *   prefetch.c, stream_info.c
 *
 * In this folder, unless a comment says otherwise:
 *   threads  any thread may call any function
 *   errors   a CUresult, with no output written
 *   owners   handles are the program's or, as core.h says, their context's
 *   units    sizes and pitches are bytes
 */
#ifndef WEFT_DRIVER_INTERNAL_H
#define WEFT_DRIVER_INTERNAL_H

#include "driver/renames.h"

#include "core/core.h"
#include "cuda.h"

/* ---- checks (context.c, device.c, library.c) ----------------------------- */

/* cuInit has been called. Else NOT_INITIALIZED, also in a process that forked
 * after it; NOT_PERMITTED inside a host function of a stream. The checks below
 * begin with this one. */
CUresult drv_initialised(void);
/* For calls that need nothing, neither cuInit nor a context, such as those of
 * graphs: handles, of which there are none before, are checked behind it. */
CUresult drv_check_nothing(void);
/* The calling thread's current context. INVALID_CONTEXT: there is none;
 * CONTEXT_IS_DESTROYED: and *out is its handle. */
CUresult drv_current(CUcontext *out);
/* The same, but a context that has failed gives its sticky error. */
CUresult drv_context(CUcontext *out);
CUresult drv_check_context(void);
/* The same, but *out is NULL if no context is current: for handles that know
 * their context, which programs use and destroy without a current one. */
CUresult drv_context_or_none(CUcontext *out);
/* The same, but a context that has failed will do, as for drv_current. */
CUresult drv_current_or_none(CUcontext *out);
/* drv_context_or_none for calls of which the handle is all they need: they are
 * also permitted inside a host function of a stream. */
CUresult drv_context_anywhere(CUcontext *out);
/* drv_context_or_none for calls that do not need the context itself. */
CUresult drv_check_context_or_none(void);

/* Checks for calls that need a pointer as well; `given` NULL: INVALID_VALUE. */
CUresult drv_initialised_for(const void *given);
CUresult drv_context_for(const void *given, CUcontext *out);
CUresult drv_check_given(const void *given);
/* drv_context_anywhere for calls that need a handle; NULL: INVALID_HANDLE. */
CUresult drv_check_handle(const void *handle);

/* Checks of a context that is an argument. INVALID_CONTEXT: it is none, or has
 * been destroyed. drv_check_other: the caller has checked the current one. */
CUresult drv_check_living(CUcontext ctx);
CUresult drv_check_other(CUcontext ctx);
/* The same; NULL is replaced by the current context, as by drv_context. */
CUresult drv_context_or_current(CUcontext *ctx);
/* The primary context of the thread's device, even if it has failed. */
CUresult drv_primary(CUcontext *out);
/* The green context whose context this is; NULL: it is a regular one. */
CUgreenCtx drv_green_of(CUcontext ctx);
/* INVALID_DEVICE: there is no such device. */
CUresult drv_check_device(CUdevice device);
/* Replaces a library's kernel by its function in the current context.
 * INVALID_HANDLE: it is neither a function nor a kernel. */
CUresult drv_function(CUfunction *f);

/* ---- streams ------------------------------------------------------------- */

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define DRV_DEFAULT_STREAM CU_STREAM_PER_THREAD
#else
#define DRV_DEFAULT_STREAM CU_STREAM_LEGACY
#endif

/* Context and stream of a call. *ctx: the current context, or the stream's if
 * there is none. NULL means `default_stream`. INVALID_CONTEXT: a default
 * stream, and no context is current; INVALID_HANDLE: `handle` is no stream.
 * drv_stream is permitted inside a host function, for a stream of the
 * program's; drv_stream_outside never is. */
static inline CUresult drv_stream_or(CUstream handle, CUstream default_stream,
                                     CUcontext *ctx, CUstream *out)
{
    bool is_default =
        !handle || handle == CU_STREAM_LEGACY || handle == CU_STREAM_PER_THREAD;
    CUresult err =
        is_default ? drv_context_or_none(ctx) : drv_context_anywhere(ctx);
    if (err)
        return err;
    if (!*ctx && is_default)
        return CUDA_ERROR_INVALID_CONTEXT;
    err = stream_resolve(*ctx, handle ? handle : default_stream, out);
    if (!err && !*ctx)
        *ctx = stream_context(*out);
    return err;
}
#define drv_stream(handle, ctx, out)                                           \
    drv_stream_or(handle, DRV_DEFAULT_STREAM, ctx, out)

/* The same; NOT_PERMITTED inside a host function, whatever the stream. */
static inline CUresult drv_stream_outside(CUstream handle, CUcontext *ctx,
                                          CUstream *out)
{
    CUresult err = drv_initialised();
    return err ? err : drv_stream(handle, ctx, out);
}

/* For what graphs have no nodes of. */
static inline CUresult drv_refuse_captured(CUstream handle)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(handle, &ctx, &s);
    return err ? err : capture_refuse(s);
}

/* A copy of rows or boxes as `c` describes it; INVALID_VALUE for NULL. */
static inline CUresult drv_copy_box(const CUDA_MEMCPY3D *c,
                                    enum copy_manner manner, CUstream handle)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream_outside(handle, &ctx, &s);
    return err ? err : copy_run_box(s, c, manner);
}

/* ---- launches ------------------------------------------------------------ */

/* Reads all of a configuration but its stream. INVALID_VALUE. */
CUresult drv_read_config(const CUlaunchConfig *config,
                         struct launch_config *out);

#endif
