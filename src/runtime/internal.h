/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the runtime API share. An entry point checks its
 * arguments, asks core/ for the meaning, and returns through rt_return, which
 * remembers the error for cudaGetLastError.
 *
 *   error.c     the last error; names and texts (core/errors.def); logs.c the
 *               error log
 *   context.c   finds the context of a call
 *   device.c    the current device, its attributes and limits
 *   props.c     cudaDeviceProp (props.def)
 *   register.c  kernels and variables of the program's object files
 *   unregistered.c  variables that these did not register
 *   function.c  attributes of kernels, occupancy
 *   memory.c    allocations, attributes of pointers; managed.c advice about
 *               managed memory; ipc.c other processes
 *   array.c     arrays and mipmapped arrays; box.c boxes in them; channel.c
 *               channel descriptors
 *   texture.h   textures and surfaces: texture.c objects, texture_reference.c
 *               references
 *   graphics.c  buffers and images of OpenGL; graphics_egl.c of EGL
 *   external.c  memory and semaphores of other APIs
 *   pools.c     memory pools
 *   graph.h     graphs: graph.c, graph_exec.c, graph_nodes.c, graph_order.c,
 *               graph_params.c
 *   object.c    streams and events, created and destroyed; timing
 *   peer.c      access between devices; launch_all.c launches on all of them
 *   configure.c launch configurations; config.c those with attributes
 *   library.c   device code that the program loads itself
 *   entry_point.c  functions of the driver API by name
 *   legacy.c    names and launches of the first toolkits
 *   refuse.c    what is not supported (api.def)
 *   static_doors.c  the library for programs that link the runtime statically
 *
 * These depend on the default stream and are compiled twice, the second time
 * with CUDA_API_PER_THREAD_DEFAULT_STREAM, which renames their functions:
 *
 *   batch.c, copy.c, copy_array.c, copy_box.c, entry_point.c,
 *   external_order.c, fill.c, graph_order.c, launch.c, order.c, pool.c,
 *   prefetch.c
 *
 * In this folder, unless a comment says otherwise:
 *   threads  any thread may call; the last error and the current device are the
 *            calling thread's
 *   errors   a cudaError_t, with no output written; entry points pass it to
 *            rt_return
 *   owners   handles are the program's; what is registered lives as long as its
 *            object file
 *   units    sizes and pitches are bytes
 */
#ifndef WEFT_RUNTIME_INTERNAL_H
#define WEFT_RUNTIME_INTERNAL_H

#include "cuda_runtime_api.h"
#include "core/core.h"
#include "weft/launch.h"

/* The toolkit whose runtime this library is: each has its own. Only for sources
 * that are compiled for each; see CMakeLists.txt. */
#if WEFT_CUDART == 13
enum { RT_VERSION = 13000 };
#elif WEFT_CUDART == 12
enum { RT_VERSION = CUDART_VERSION };
#endif

/* ---- errors -------------------------------------------------------------- */

/* Every entry point, `name`, returns through this, which remembers and logs the
 * error. cudaErrorNotReady is an answer, not an error. Returns err. */
cudaError_t rt_return(const char *name, cudaError_t err);
#define rt_return(err) rt_return(__func__, err)

/* What an entry point returns that is another one with some of its arguments:
 * errors have the name of the one that the program called. */
#define rt_forward(call) (rt_begin_forward(__func__), rt_end_forward(call))
void rt_begin_forward(const char *name);
cudaError_t rt_end_forward(cudaError_t err);

/* A pointer as the driver API passes it. */
static inline CUdeviceptr rt_device_pointer(const void *p)
{
    return (CUdeviceptr)(uintptr_t)p;
}

/* Both APIs number errors alike. */
static inline cudaError_t rt_error(CUresult err)
{
    return (cudaError_t)err;
}

/* ---- context and streams ------------------------------------------------- */

/* cudaErrorNotPermitted inside a host function of a stream. All checks below
 * but rt_sticky begin with this one. */
cudaError_t rt_check_permitted(void);
/* The calling thread's current context, else its device's primary one, which is
 * made at its first use. Fails with its sticky error. */
cudaError_t rt_context(CUcontext *out);
cudaError_t rt_check_context(void);
/* The same, but a context that has failed will do. */
cudaError_t rt_context_of_any_state(void);
/* rt_context for calls that need a pointer; NULL: cudaErrorInvalidValue. */
cudaError_t rt_context_for(const void *given, CUcontext *out);
cudaError_t rt_check_given(const void *given);
/* Makes the device's primary context current. */
cudaError_t rt_choose_device(int device);
/* The sticky error of the thread's context, if there is one; makes none. */
cudaError_t rt_sticky(void);

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define RT_DEFAULT_STREAM CU_STREAM_PER_THREAD
#else
#define RT_DEFAULT_STREAM CU_STREAM_LEGACY
#endif

/* Context and stream of a call. NULL means `default_stream`.
 * cudaErrorInvalidResourceHandle: `handle` is no stream. */
static inline cudaError_t rt_stream_or(cudaStream_t handle,
                                       CUstream default_stream, CUcontext *ctx,
                                       CUstream *out)
{
    cudaError_t err = rt_context(ctx);
    if (err)
        return err;
    return rt_error(
        stream_resolve(*ctx, handle ? handle : default_stream, out));
}
#define rt_stream(handle, ctx, out)                                            \
    rt_stream_or(handle, RT_DEFAULT_STREAM, ctx, out)

/* For what graphs have no nodes of. */
static inline cudaError_t rt_refuse_captured(cudaStream_t handle)
{
    CUcontext ctx;
    CUstream s;
    cudaError_t err = rt_stream(handle, &ctx, &s);
    return err ? err : rt_error(capture_refuse(s));
}

/* ---- device -------------------------------------------------------------- */

/* Initialises the driver, as cuInit does. */
int rt_device_count(void);
/* There is a device with this number. */
bool rt_is_device(int device);
/* The error for a number that no device has: cudaErrorNoDevice if there is none
 * at all, else cudaErrorInvalidDevice. */
cudaError_t rt_no_such_device(void);
int rt_current_device(void);
/* An attribute of the current device; 0: the device does not have it. */
int rt_attribute(CUdevice_attribute attribute);

/* ---- what the program registered ----------------------------------------- */

/* The kernel of a host function, in the thread's context. Loads its module at
 * first use. cudaErrorInvalidDeviceFunction: it has none; or why the module
 * cannot be loaded. */
cudaError_t rt_function(const void *host_function, CUfunction *out);
/* The kernel's name in PTX; NULL: it is no kernel. */
const char *rt_function_name(const void *host_function);
/* The handle of a host function's kernel, the same each time. Every function of
 * either API that takes a kernel takes it. */
cudaError_t rt_kernel(const void *host_function, CUkernel *out);

struct rt_symbol {
    CUdeviceptr address;
    size_t size_bytes;
};
/* The device variable of a host variable, in the thread's context. Loads its
 * module at first use. cudaErrorInvalidSymbol: it has none. */
cudaError_t rt_symbol(const void *host_variable, struct rt_symbol *out);

enum rt_direction { RT_TO_SYMBOL, RT_FROM_SYMBOL };
/* The place of a copy of so many bytes within a variable, if it is within, and
 * the copy's kind is one for the direction. */
cudaError_t rt_symbol_part(const void *symbol, size_t count, size_t offset,
                           enum cudaMemcpyKind kind,
                           enum rt_direction direction, void **out);

/* A host variable that no object file registered, found in a symbol table. */
struct unregistered {
    char *name; /* the caller frees it */
    size_t size_bytes;
    const void *object; /* the program or library, as the loader knows it */
};
/* False: the address is no variable's, or the symbols have been stripped. */
bool unregistered_find(const void *host, struct unregistered *out);
/* Is the address in the same program or library? */
bool unregistered_is_in(const struct unregistered *u, const void *address);

/* ---- memory -------------------------------------------------------------- */

/* Where a copy's direction says that its source or destination is. */
static inline enum mem_side rt_side(enum cudaMemcpyKind kind, bool is_source)
{
    switch (kind) {
    case cudaMemcpyDeviceToDevice:
        return MEM_SIDE_DEVICE;
    case cudaMemcpyHostToDevice:
        return is_source ? MEM_SIDE_HOST : MEM_SIDE_DEVICE;
    case cudaMemcpyDeviceToHost:
        return is_source ? MEM_SIDE_DEVICE : MEM_SIDE_HOST;
    case cudaMemcpyHostToHost:
        return MEM_SIDE_HOST;
    default:
        return MEM_SIDE_ANY;
    }
}
static inline cudaError_t rt_check_direction(enum cudaMemcpyKind kind)
{
    return (unsigned)kind > cudaMemcpyDefault ? cudaErrorInvalidMemcpyDirection
                                              : cudaSuccess;
}
/* Describes a copy of a box as the driver API does, after checks: box.c. */
cudaError_t rt_describe_box(const struct cudaMemcpy3DParms *p,
                            CUDA_MEMCPY3D *out);
/* Can rows of `width_bytes` be `pitch` bytes apart? */
bool rt_is_pitch(size_t pitch, size_t width_bytes, size_t row_count);
/* The error of a copy of `row_count` rows whose pitch is wrong. */
cudaError_t rt_wrong_pitch(size_t pitch, size_t row_count);

/* A location in the driver API's type. */
CUmemLocation rt_core_location(struct cudaMemLocation location);
/* The location of a device number, or of cudaCpuDeviceId. */
struct cudaMemLocation rt_location_of(int device);

/* ---- launches ------------------------------------------------------------ */

/* Checks the dimensions of a launch. If the device cannot run them, invalidates
 * a capture of the stream and returns cudaErrorInvalidConfiguration, or
 * cudaErrorInvalidValue since CUDA 13. */
cudaError_t rt_check_dimensions(dim3 grid, dim3 block, cudaStream_t stream);
struct launch_config rt_config(dim3 grid, dim3 block, size_t shared);
/* Checks the dimensions and reads all of a configuration but its stream. */
cudaError_t rt_read_config(const cudaLaunchConfig_t *config,
                           struct launch_config *out);

#endif
