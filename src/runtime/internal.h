/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the runtime API share. An entry point checks its
 * arguments, asks core/ for the meaning, and returns through rt_return, which
 * remembers the error for cudaGetLastError.
 *
 *   error.c     the last error; names and texts (core/errors.def)
 *   context.c   the way to the context
 *   device.c    the current device, its attributes and limits
 *   props.c     cudaDeviceProp (props.def)
 *   register.c  kernels and variables of the program's object files
 *   unregistered.c  variables that they did not register
 *   function.c  attributes of kernels, occupancy
 *   memory.c    allocations, what a pointer is
 *   managed.c   advice about managed memory
 *   array.c     arrays and mipmapped arrays; box.c boxes in them
 *   graphics.c  buffers and images of OpenGL
 *   external.c  memory and semaphores of other APIs
 *   pools.c     pools of memory
 *   graph.h     graphs
 *   object.c    making and ending streams and events, timing
 *   peer.c      other devices
 *   configure.c launch configurations
 *   library.c   device code that the program loads itself
 *   legacy.c    names and launches of the first toolkits
 *   channel.c   channel descriptors
 *   refuse.c    what is not supported (api.def)
 *
 * These depend on the default stream and are compiled twice, the second time
 * with CUDA_API_PER_THREAD_DEFAULT_STREAM, which renames their functions:
 *
 *   batch.c, copy.c, copy_box.c, copy_array.c, external_order.c, fill.c,
 *   prefetch.c, pool.c, order.c, launch.c
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

/* Every entry point, `name`, ends with this. "Not ready" is an answer, not an
 * error, and is not kept. */
cudaError_t rt_return(const char *name, cudaError_t err);
#define rt_return(err) rt_return(__func__, err)

/* A pointer as the driver API has it. */
static inline CUdeviceptr rt_device_pointer(const void *p)
{
    return (CUdeviceptr)(uintptr_t)p;
}

/* Both APIs number their errors alike. */
static inline cudaError_t rt_error(CUresult err)
{
    return (cudaError_t)err;
}

/* ---- context and streams ------------------------------------------------- */

/* The context, made at first use. Fails with its sticky error, and inside a
 * host function of a stream, where CUDA may not be called. */
cudaError_t rt_context(CUcontext *out);
/* The same for who was given a pointer as well: cudaErrorInvalidValue, if that
 * is NULL. */
cudaError_t rt_context_for(const void *given, CUcontext *out);
cudaError_t rt_check_given(const void *given);
/* Makes the device's primary context current; likewise. */
cudaError_t rt_choose_device(int device);
/* The same for calls that do not care whether it has failed, and for those that
 * need no more of it than that it has not. */
cudaError_t rt_context_of_any_state(void);
cudaError_t rt_check_context(void);

/* The sticky error, if there is a context; makes none. */
cudaError_t rt_sticky(void);
/* NOT_PERMITTED inside a host function of a stream. */
cudaError_t rt_check_permitted(void);

/* Runs fn(data) as a host function of a stream: CUDA calls in it fail. */
void rt_call_host_function(void (*fn)(void *data), void *data);
/* The same for one in a graph: not called when the context has failed. */
void rt_call_host_node(CUhostFn fn, void *data);

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define RT_DEFAULT_STREAM CU_STREAM_PER_THREAD
#else
#define RT_DEFAULT_STREAM CU_STREAM_LEGACY
#endif

/* Context and stream of one call. */
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

/* ---- device -------------------------------------------------------------- */

int rt_device_count(void); /* asking initialises the driver, as cuInit does */
bool rt_is_device(int device); /* the number of one */
/* What a call gets that names another: there may be none at all. */
cudaError_t rt_no_such_device(void);
int rt_current_device(void);
/* Of the current device; 0 if it does not know the attribute. */
int rt_attribute(CUdevice_attribute attribute);

/* ---- what the program registered ----------------------------------------- */

/* The kernel behind a host function; loads its module at first use.
 * cudaErrorInvalidDeviceFunction, or why the module cannot be loaded. */
cudaError_t rt_function(const void *host_function, CUfunction *out);
const char *rt_function_name(const void *host_function); /* may be NULL */
/* The handle of a host function, the same each time: every call of either API
 * that takes a kernel takes it. */
cudaError_t rt_kernel(const void *host_function, CUkernel *out);

struct rt_symbol {
    CUdeviceptr address;
    size_t size_bytes;
};
/* The device variable behind a host variable; cudaErrorInvalidSymbol. */
cudaError_t rt_symbol(const void *host_variable, struct rt_symbol *out);

/* A host variable by its file's symbol table; the caller frees the name. */
struct unregistered {
    char *name;
    size_t size_bytes;
    const void *object; /* the file, as the loader knows it */
};
/* False: nothing of a file that still has its symbols. */
bool unregistered_find(const void *host, struct unregistered *out);
/* Whether the address lies in the same file. */
bool unregistered_is_in(const struct unregistered *u, const void *address);

/* ---- memory -------------------------------------------------------------- */

/* What a direction says of one side. */
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
/* A box as the driver API describes it: box.c. */
cudaError_t rt_describe_box(const struct cudaMemcpy3DParms *p,
                            CUDA_MEMCPY3D *out);
/* Rows of `width_bytes` may be this far apart. */
bool rt_is_pitch(size_t pitch, size_t width_bytes, size_t row_count);
/* What a copy of so many rows gets if it is none. */
cudaError_t rt_wrong_pitch(size_t pitch, size_t row_count);

/* The same place, by the driver's names. */
CUmemLocation rt_core_location(struct cudaMemLocation location);
/* Of a device number, or cudaCpuDeviceId. */
struct cudaMemLocation rt_location_of(int device);

/* ---- launches ------------------------------------------------------------ */

/* Dimensions that the device can run; cudaErrorInvalidConfiguration, and a
 * capture of the stream is invalid. */
cudaError_t rt_check_dimensions(dim3 grid, dim3 block, cudaStream_t stream);
struct launch_config rt_config(dim3 grid, dim3 block, size_t shared);
/* All but the stream, after checking the dimensions. */
cudaError_t rt_read_config(const cudaLaunchConfig_t *config,
                           struct launch_config *out);

#endif
