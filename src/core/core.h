/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The meaning of CUDA, once: device, context, stream, event, memory, module,
 * launch, error. Both APIs check arguments and call this. Results are
 * CUresult values (cuda.h); runtime/ maps them to cudaError_t (the numbers
 * agree for every code both have).
 *
 * Thread-safe unless said otherwise.
 */
#ifndef WEFT_CORE_H
#define WEFT_CORE_H

#include "core/exports.h"

#include "base/base.h"
#include "cuda.h"
#include "exec/exec.h"
#include "fatbin/fatbin.h"
#include "ptx/ptx.h"

#include "core/captures.h"
#include "core/external.h"
#include "core/graphics.h"
#include "core/graphs.h"

#pragma GCC visibility push(default)

/* ---- contexts (contexts.c) -------------------------------------------- */

/* The driver is initialised by cuInit, by each call of the runtime API that has
 * to do with devices, and with the first context. */
void ctx_note_initialised(void);
bool ctx_is_initialised(void);
/* This process was forked from one whose contexts it cannot use. */
bool ctx_is_lost(void);
/* Says on stderr, once for each, that the entry point is not supported. The
 * name is kept. */
void explain_not_supported(const char *name);

/* A device's primary context, made at first use, for the runtime API: it is
 * held from then on. Its sticky error, if a kernel failed, is returned instead:
 * every later call reports it. INVALID_DEVICE, NO_DEVICE. */
CUresult ctx_primary_of(int device, CUcontext *out);
CUresult ctx_primary(CUcontext *out); /* of the thread's device */
/* The same for the driver API, whose programs say how long they hold it.
 * release: INVALID_CONTEXT if it is not held. */
CUresult ctx_primary_retain(int device, CUcontext *out);
CUresult ctx_primary_release(int device);
CUresult ctx_primary_reset(int device); /* cudaDeviceReset */
bool ctx_primary_is_active(int device);
unsigned ctx_primary_flags(int device);
void ctx_primary_set_flags(int device, unsigned flags);

/* flags: CU_CTX_*. The caller owns the context until ctx_destroy; any thread
 * may use it. INVALID_DEVICE, OUT_OF_MEMORY. */
CUresult ctx_create(int device, unsigned flags, CUcontext *out);
/* A green one, of SMs sm_first and the next sm_count - 1, which keeps the
 * device's primary context alive. */
CUresult ctx_create_green(int device, unsigned sm_first, unsigned sm_count,
                          CUcontext *out);
/* Whose modules, functions and events a context has: a green one has the
 * device's primary context's, others have their own. */
CUcontext ctx_home(CUcontext ctx);
/* Waits for its work; what was made in it is gone. INVALID_CONTEXT: it is none,
 * or a primary one. */
CUresult ctx_destroy(CUcontext ctx);

/* Its uses may be counted: destroy ends it whatever their number. detach:
 * false, if that was the last. */
CUresult ctx_attach(CUcontext ctx);
bool ctx_detach(CUcontext ctx);

bool ctx_is_alive(CUcontext ctx); /* of any value */
bool ctx_is_gone(CUcontext ctx);  /* of any value; it was alive once */
bool ctx_is_primary(CUcontext ctx); /* cudaSetDevice's, not cuCtxCreate's */
unsigned long long ctx_id(CUcontext ctx); /* of no other, ever */
int ctx_device(CUcontext ctx); /* its number */
unsigned ctx_flags(CUcontext ctx); /* CU_CTX_* */
void ctx_set_flags(CUcontext ctx, unsigned flags); /* checked by the caller */
/* Its number: of living contexts, no two have the same. */
enum { CTX_PLACE_COUNT = 256 };
unsigned ctx_place(CUcontext ctx);
CUresult ctx_sticky(CUcontext ctx); /* CUDA_SUCCESS or the sticky error */
/* cuCtxSynchronize: ends all captures of the context's streams, and fails. */
CUresult ctx_synchronize(CUcontext ctx);
/* The same for what goes: memory, a module, a plan. Captures go on. */
CUresult ctx_wait(CUcontext ctx);
/* May kernels of one use the other's memory? One memory is under all of them:
 * this is only what programs have asked for. */
bool ctx_is_peer(CUcontext ctx, CUcontext peer);
void ctx_set_peer(CUcontext ctx, CUcontext peer, bool is_peer);

/* ctx_order.c. The event is done when all streams of the context have done what
 * they have; all of them, later ones too, go on when it is done. Event and
 * context may be of different devices. INVALID_HANDLE: no event;
 * STREAM_CAPTURE_UNSUPPORTED: a stream of the context is captured. */
CUresult ctx_record_event(CUcontext ctx, CUevent e);
CUresult ctx_wait_event(CUcontext ctx, CUevent e);

/* The calling thread runs a host function of a stream, where CUDA may not be
 * called (ctx_stack.c). */
void ctx_set_in_host_function(bool is_in);
bool ctx_is_in_host_function(void);

/* The calling thread's (ctx_stack.c); one that is gone can be made current,
 * too. INVALID_CONTEXT: none is current; CONTEXT_IS_DESTROYED: it is gone, *out
 * says which. */
CUresult ctx_current(CUcontext *out);
bool ctx_push(CUcontext ctx); /* false: there are too many */
CUcontext ctx_pop(void);      /* NULL: there was none */
void ctx_set_current(CUcontext ctx); /* instead of the top one; NULL: none */
/* For the runtime API: the current one, or else the primary one of the thread's
 * device, which is current then. Or its sticky error. */
CUresult ctx_of_thread(CUcontext *out);
CUresult ctx_choose_device(int device); /* cudaSetDevice */
int ctx_device_of_thread(void);
/* The device of a thread that has not chosen any. */
void ctx_prefer_device(int device);
CUresult ctx_sticky_of_thread(void); /* makes no context */

/* What clients keep with a context, under keys of their own (ctx_storage.c).
 * `end` is called when the context ends; NULL: nothing is. INVALID_HANDLE:
 * there is nothing under that key. */
typedef void ctx_storage_end_fn(CUcontext ctx, void *key, void *value);
CUresult ctx_storage_put(CUcontext ctx, const void *key, void *value,
                         ctx_storage_end_fn *end);
CUresult ctx_storage_get(CUcontext ctx, const void *key, void **value);
CUresult ctx_storage_delete(CUcontext ctx, const void *key);
/* Ends what is kept under the key, in all contexts. */
void ctx_storage_end_key(const void *key);

/* Settings of core files (coredump.c), of a context, or globally with NULL.
 * get: value NULL asks for the most that it can have. set: text NULL is none.
 * INVALID_VALUE: there is no such setting, or it has another size. */
CUresult coredump_get(CUcontext ctx, CUcoredumpSettings what, void *value,
                      size_t *size);
CUresult coredump_set(CUcontext ctx, CUcoredumpSettings what, const void *value,
                      size_t size);

/* ---- device ----------------------------------------------------------- */

/* The CUDA version of the driver that we are. */
#define DRIVER_VERSION 13000

enum { DEVICE_COUNT_MAX = 32 };
int device_count(void); /* as WEFT_DEVICES and CUDA_VISIBLE_DEVICES say */
void device_uuid(int device, uint8_t out[16]); /* the same in each process */
unsigned device_sm_count(void); /* of each, as programs are told */
/* Of attributes.def. INVALID_DEVICE or INVALID_VALUE for what there is not. */
CUresult device_attribute(int *value, CUdevice_attribute attribute, int device);
/* Between two devices, which are parts of one machine. */
int device_p2p_attribute(CUdevice_P2PAttribute attribute);
/* CU_ATOMIC_CAPABILITY_* of each operation, between any two places. */
CUresult device_atomic_capabilities(unsigned *out,
                                    const CUatomicOperation *operations,
                                    unsigned count);
const char *device_name(void);
size_t device_total_memory(void);
void device_free_memory(size_t *free_bytes, size_t *total_bytes);
CUresult device_limit_get(size_t *value, CUlimit limit);
CUresult device_limit_set(CUlimit limit, size_t value);
void device_limits_reset(void); /* as at the process's start */

/* ---- memory ----------------------------------------------------------- */

/* Host memory is device memory (design, decision 8). Device allocations come
 * from one reserved range, aligned to 512 bytes, with guard gaps. */
CUresult mem_alloc(CUcontext ctx, CUdeviceptr *out, size_t size_bytes);
CUresult mem_alloc_managed(CUcontext ctx, CUdeviceptr *out, size_t size_bytes,
                           unsigned flags);
CUresult mem_alloc_host(CUcontext ctx, void **out, size_t size_bytes,
                        unsigned flags); /* CU_MEMHOSTALLOC_* */
CUresult mem_register_host(CUcontext ctx, void *p, size_t size_bytes,
                           unsigned flags);
CUresult mem_unregister_host(CUcontext ctx, void *p);
CUresult mem_free(CUcontext ctx, CUdeviceptr p); /* device or managed; 0 ok */
CUresult mem_free_host(CUcontext ctx, void *p);
/* Device memory or a pool's, once the stream's earlier work is done. */
CUresult mem_free_later(CUstream s, CUdeviceptr p);

enum mem_kind {
    MEM_UNKNOWN,
    MEM_DEVICE,
    MEM_MANAGED,
    MEM_PINNED,
    MEM_REGISTERED,
    MEM_MODULE, /* a module's variables */
    MEM_ARRAY,  /* elements of arrays: no pointer of the program leads there */
    MEM_POOL,   /* of a pool (pool.c); the owner is its block */
    MEM_CACHED, /* a free block of a pool: unknown to programs */
    MEM_OPENED, /* shared with another process (ipc.c) or API (graphics.c) */
    MEM_VIRTUAL /* mapped at a reserved address (virtual.c) */
};
struct mem_info {
    enum mem_kind kind;
    CUdeviceptr base;
    size_t size_bytes;
    unsigned flags;
    uint8_t place; /* of the context that it was made in */
    void *owner; /* who made it, if that is no call of mem_alloc... */
    uint64_t id; /* of no other allocation, ever */
    bool is_sync; /* synchronous copies of it are waited for in any case; of
                   * managed memory, which is: need not be */
};
/* Which context it was made in; a primary one, if that is gone. */
CUcontext mem_context(const struct mem_info *info);
/* What a pointer is; kind UNKNOWN: ordinary host memory. */
struct mem_info mem_query(const void *p);
/* Its kind; of the host's pools PINNED, of managed ones MANAGED. */
enum mem_kind mem_seen_as(const struct mem_info *info);
/* There is memory at each of these addresses. */
bool mem_is_reachable(const void *p, size_t size_bytes);

/* What a pointer is, where variables of modules are allocations, too; may
 * kernels use it now? (pointer.c) */
struct mem_info pointer_query(const void *p);
bool pointer_is_open(const struct mem_info *info, const void *p);
/* CU_MEMHOSTALLOC_... of memory that the host has, too. INVALID_VALUE. */
CUresult pointer_host_flags(const void *p, unsigned *flags);
int pointer_device(const struct mem_info *m); /* its number */
/* What cuPointerGetAttribute says; and cuPointerGetAttributes, of
 * pointers and attributes that are none. */
CUresult pointer_get(void *data, CUpointer_attribute attribute, CUdeviceptr p);
CUresult pointer_get_or_nothing(void *data, CUpointer_attribute attribute,
                                CUdeviceptr p);
CUresult pointer_set(const void *value, CUpointer_attribute attribute,
                     CUdeviceptr p);

/* Memory that belongs to the device alone. */
static inline bool mem_is_device_kind(enum mem_kind kind)
{
    return kind == MEM_DEVICE || kind == MEM_MODULE || kind >= MEM_ARRAY;
}
/* Ordinary host memory that kernels may use as well: by its ends. */
bool mem_is_shared_by_host(const void *p, size_t size_bytes);

/* What a program says of one side of a copy. */
enum mem_side { MEM_SIDE_ANY, MEM_SIDE_HOST, MEM_SIDE_DEVICE };

/* A copy of height x depth rows; a plain copy has height == depth == 1. */
struct mem_copy {
    const void *source;
    void *destination;
    size_t source_pitch, destination_pitch; /* bytes from row to row */
    size_t source_slice, destination_slice; /* bytes from slice to slice */
    size_t width_bytes, height, depth;
    enum mem_side source_side, destination_side;
};
/* stream_order: after all earlier work of the stream. wait: returns when
 * done. Without wait, pageable host memory is still safe to reuse on return
 * where CUDA says so (the caller decides). */
CUresult mem_copy_box(CUstream s, const struct mem_copy *copy, bool wait);
/* The source may be used again on return. A small one is kept aside, so that
 * earlier work of the stream is not waited for. */
CUresult mem_copy_staged(CUstream s, const struct mem_copy *copy);

/* What copies of both APIs do (copy_policy.c): checks both sides, decides
 * whether the caller waits and what is kept aside. */
enum copy_manner { COPY_SYNC, COPY_ASYNC };
CUresult copy_run(CUstream s, const struct mem_copy *copy,
                  enum copy_manner manner);
/* The memory behind a description whose sides may be arrays (copy_box.c).
 * `out` has a width of 0 if there is nothing to copy. */
CUresult copy_describe(const CUDA_MEMCPY3D *description, struct mem_copy *out);
/* Bytes in the order of rows: from `x_bytes` of row `y` on, if it is an array,
 * and across the ends of its rows. */
struct copy_place {
    CUarray array;
    size_t x_bytes, y;
    void *p; /* without an array */
    enum mem_side side;
};
CUresult copy_linear(CUstream s, struct copy_place to, struct copy_place from,
                     size_t size_bytes, enum copy_manner manner);

/* What fills of both APIs do; `copy` says where, its widths count bytes. */
CUresult fill_run(CUstream s, const struct mem_copy *where, unsigned value,
                  unsigned element_bytes, enum copy_manner manner);

/* A fill of `depth` slices of `height` rows of `width` elements, in stream
 * order; pitch and depth_slice count bytes. wait: returns when it is done. */
CUresult mem_set(CUstream s, CUdeviceptr p, size_t pitch, unsigned value,
                 unsigned element_bytes, size_t width, size_t height,
                 size_t depth_slice, size_t depth, bool wait);

/* ---- arrays (array.c) ------------------------------------------------- */

/* INVALID_VALUE: no array has this shape, size or format; NOT_SUPPORTED:
 * sparse ones, ones without memory. */
CUresult array_create(CUcontext ctx, const CUDA_ARRAY3D_DESCRIPTOR *d,
                      CUarray *out);
CUresult array_destroy(CUcontext ctx, CUarray a);
CUresult array_describe(CUarray a, CUDA_ARRAY3D_DESCRIPTOR *out);
unsigned array_element_bytes(CUarray a); /* 0: no array */
/* An array that ends with `a`; the same one each time. INVALID_VALUE: there is
 * no such plane. */
CUresult array_plane(CUarray a, unsigned plane, CUarray *out);
/* As many levels as there can be, if more are asked for. */
CUresult mipmap_create(CUcontext ctx, const CUDA_ARRAY3D_DESCRIPTOR *d,
                       unsigned levels, CUmipmappedArray *out);
CUresult mipmap_destroy(CUcontext ctx, CUmipmappedArray m);
CUresult mipmap_level(CUmipmappedArray m, unsigned level, CUarray *out);

/* ---- textures and surfaces (texture.c) --------------------------------- */

/* INVALID_VALUE, INVALID_HANDLE: not such a resource; NOT_SUPPORTED: a format
 * of several planes. view may be NULL.
 * Handles are numbers, never 0. */
CUresult texture_create(const CUDA_RESOURCE_DESC *resource,
                        const CUDA_TEXTURE_DESC *texture,
                        const CUDA_RESOURCE_VIEW_DESC *view, CUtexObject *out);
CUresult texture_destroy(CUtexObject handle);
/* As they were given; any may be NULL. INVALID_VALUE: no such object, or it has
 * no view. */
CUresult texture_describe(CUtexObject handle, CUDA_RESOURCE_DESC *resource,
                          CUDA_TEXTURE_DESC *texture,
                          CUDA_RESOURCE_VIEW_DESC *view);
/* The most texels of such a format in linear memory. */
CUresult texture_linear_width(CUarray_format format, unsigned channels,
                              size_t *out);
CUresult surface_create(const CUDA_RESOURCE_DESC *resource, CUsurfObject *out);
CUresult surface_destroy(CUsurfObject handle);
CUresult surface_describe(CUsurfObject handle, CUDA_RESOURCE_DESC *resource);

/* ---- texture_reference.c ----------------------------------------------- */

/* What a texture reference says. The format counts for linear memory. */
struct texture_settings {
    bool is_bound;
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC texture;
    CUarray_format format;
    int channels;
};

/* A .texref variable of the module: the same reference each time. NOT_FOUND:
 * there is none of that name. */
CUresult texture_reference_of(CUmodule m, const char *name, CUtexref *out);
CUresult texture_reference_create(CUtexref *out);
CUresult texture_reference_destroy(CUtexref t);
CUresult texture_reference_read(CUtexref t, struct texture_settings *out);
/* What launches from now on read; INVALID_VALUE: nothing, since the settings
 * do not go together. They are kept all the same. */
CUresult texture_reference_write(CUtexref t, const struct texture_settings *as);
CUresult surface_reference_of(CUmodule m, const char *name, CUsurfref *out);
CUresult surface_reference_bind(CUsurfref s, CUarray array);
CUresult surface_reference_array(CUsurfref s, CUarray *out);
/* Has a .texref or .surfref variable hold a handle; waits for launches that
 * read another by it. */
CUresult texture_point_variable(CUcontext ctx, CUdeviceptr variable,
                                uint64_t handle);

/* ---- pools (pool.c) --------------------------------------------------- */

/* The caller owns it until pool_destroy. INVALID_VALUE: no such kind of
 * memory, or too much at most; NOT_SUPPORTED: handles of other systems. */
CUresult pool_create(const CUmemPoolProps *props, CUmemoryPool *out);
CUresult pool_destroy(CUmemoryPool p); /* its allocations stay until freed */
/* The device's own, and the one that allocations without a pool come from. */
CUresult pool_default(int device, CUmemoryPool *out);
CUresult pool_current(int device, CUmemoryPool *out);
CUresult pool_set_current(int device, CUmemoryPool p);
/* The same by place and kind of memory; NOT_SUPPORTED: not a device's. */
CUresult pool_default_at(const CUmemLocation *location,
                         CUmemAllocationType type, CUmemoryPool *out);
CUresult pool_current_at(const CUmemLocation *location,
                         CUmemAllocationType type, CUmemoryPool *out);
CUresult pool_set_current_at(const CUmemLocation *location,
                             CUmemAllocationType type, CUmemoryPool p);
/* value: int for the policies, cuuint64_t for sizes. */
CUresult pool_get(CUmemoryPool p, CUmemPool_attribute attribute, void *value);
CUresult pool_set(CUmemoryPool p, CUmemPool_attribute attribute,
                  const void *value);
CUresult pool_trim(CUmemoryPool p, size_t bytes_to_keep);
CUresult pool_set_access(CUmemoryPool p, const CUmemAccessDesc *desc,
                         size_t count);
CUresult pool_get_access(CUmemoryPool p, const CUmemLocation *location,
                         CUmemAccess_flags *out);
/* Memory for work in `s` and what comes after it. p NULL: the current pool. */
CUresult pool_alloc(CUmemoryPool p, CUstream s, size_t size_bytes,
                    CUdeviceptr *out);
CUmemoryPool pool_of(const void *address); /* NULL: of none */
/* Between processes: a file descriptor for the pool, 64 bytes for a pointer. */
CUresult pool_export(CUmemoryPool p, int *fd);
CUresult pool_import(CUcontext ctx, int fd, CUmemoryPool *out);
CUresult pool_export_pointer(CUdeviceptr p, CUmemPoolPtrExportData *out);
CUresult pool_import_pointer(CUmemoryPool p,
                             const CUmemPoolPtrExportData *data,
                             CUdeviceptr *out);

/* ---- addresses and memory apart (virtual.c) ---------------------------- */

/* Sizes, alignments and offsets count bytes, all multiples of
 * virtual_granularity. Whoever reserves frees, once nothing is mapped there;
 * whoever creates or imports releases the handle, as often as it was retained:
 * the memory stays as long as a mapping. INVALID_VALUE: no such range, memory
 * or size; OUT_OF_MEMORY: addresses, memory or descriptors have run out. Any
 * thread may call. `wish` is not granted, but must be an address that could
 * be. */
CUresult virtual_reserve(size_t size_bytes, size_t alignment, CUdeviceptr wish,
                         CUdeviceptr *out);
CUresult virtual_free(CUdeviceptr p, size_t size_bytes);
CUresult virtual_create(size_t size_bytes, const CUmemAllocationProp *props,
                        CUmemGenericAllocationHandle *out);
CUresult virtual_release(CUmemGenericAllocationHandle handle);
CUresult virtual_retain(CUdeviceptr p, CUmemGenericAllocationHandle *out);
CUresult virtual_props(CUmemGenericAllocationHandle handle,
                       CUmemAllocationProp *out);
CUresult virtual_granularity(CUmemAllocationGranularity_flags option,
                             size_t *out);
/* As a file descriptor: the caller closes the one that it gets; the one that
 * it gives stays its own. */
CUresult virtual_export(CUmemGenericAllocationHandle handle, int *fd);
CUresult virtual_import(CUcontext ctx, int fd,
                        CUmemGenericAllocationHandle *out);
/* The memory from `offset` on shows at p, which was reserved and has nothing
 * mapped; nothing may be done there before virtual_set_access. */
CUresult virtual_map(CUdeviceptr p, size_t size_bytes, size_t offset,
                     CUmemGenericAllocationHandle handle);
CUresult virtual_unmap(CUcontext ctx, CUdeviceptr p, size_t size_bytes);
CUresult virtual_set_access(CUdeviceptr p, size_t size_bytes,
                            const CUmemAccessDesc *desc, size_t count);
CUresult virtual_get_access(CUdeviceptr p, const CUmemLocation *location,
                            unsigned long long *out);
/* What devices may do at p now; is the memory of the host? */
CUmemAccess_flags virtual_access(CUdeviceptr p);
bool virtual_is_host(const struct mem_info *info);

/* ---- several devices' memory at one address (multicast.c) --------------- */

/* Handles are virtual_release's. Of one device alone, and for other processes,
 * NOT_SUPPORTED. All devices are added first; then each binds its memory to
 * parts of the object, and the object is mapped (virtual_map). Sizes and
 * offsets are multiples of the granularity. INVALID_VALUE, INVALID_DEVICE (that
 * is none of the object's). */
CUresult multicast_granularity(const CUmulticastObjectProp *p,
                               CUmulticastGranularity_flags option,
                               size_t *out);
CUresult multicast_create(const CUmulticastObjectProp *p,
                          CUmemGenericAllocationHandle *out);
CUresult multicast_add_device(CUmemGenericAllocationHandle handle, int device);
CUresult multicast_bind_memory(CUmemGenericAllocationHandle handle, size_t to,
                               CUmemGenericAllocationHandle memory,
                               size_t offset, size_t size_bytes);
CUresult multicast_bind_address(CUmemGenericAllocationHandle handle, size_t to,
                                CUdeviceptr p, size_t size_bytes);
/* Work of the context is waited for. */
CUresult multicast_unbind(CUcontext ctx, CUmemGenericAllocationHandle handle,
                          int device, size_t offset, size_t size_bytes);
/* Where the index-th of the devices has what is at that address of a mapped
 * object; 0: there is no such device. */
uint64_t multicast_replica(uint64_t address, uint32_t index);

/* ---- what is said of managed memory (range.c) --------------------------- */

/* All for whole pages of managed memory, kept by address; any thread may call.
 * INVALID_VALUE: memory of another kind, or no such place or attribute;
 * INVALID_DEVICE. */
CUresult range_check_location(const CUmemLocation *l);
CUmemLocation range_location_of(CUdevice device); /* or CU_DEVICE_CPU */
CUresult range_advise(CUdeviceptr p, size_t size_bytes, CUmem_advise advice,
                      CUmemLocation location);
CUresult range_check_prefetch(CUdeviceptr p, size_t size_bytes,
                              const CUmemLocation *location);
CUresult range_prefetch(CUdeviceptr p, size_t size_bytes,
                        CUmemLocation location);
CUresult range_attach(CUstream s, CUdeviceptr p, size_t size_bytes,
                      unsigned flags);
CUresult range_get(void *data, size_t size_bytes,
                   CUmem_range_attribute attribute, CUdeviceptr p,
                   size_t count);
CUresult range_get_all(void **data, const size_t *sizes,
                       const CUmem_range_attribute *attributes, size_t n,
                       CUdeviceptr p, size_t count);

/* ---- batches (batch.c) -------------------------------------------------- */

/* attributes[i] is for the copies from indices[i] on, until the next. */
struct batch_copies {
    const CUdeviceptr *to, *from;
    const size_t *sizes;
    size_t count;
    const CUmemcpyAttributes *attributes;
    const size_t *indices;
    size_t attribute_count;
};
/* fail: the number of the copy that is wrong, or SIZE_MAX. */
CUresult batch_copy(CUstream s, const struct batch_copies *b, size_t *fail);
CUresult batch_copy_boxes(CUstream s, const CUDA_MEMCPY3D_BATCH_OP *ops,
                          size_t count, unsigned long long flags, size_t *fail);
struct batch_ranges {
    const CUdeviceptr *starts;
    const size_t *sizes;
    size_t count;
    const CUmemLocation *locations;
    const size_t *indices;
    size_t location_count;
    unsigned long long flags;
};
CUresult batch_prefetch(CUstream s, const struct batch_ranges *b);
CUresult batch_discard(CUstream s, const struct batch_ranges *b);

/* ---- other processes (ipc.c) ------------------------------------------- */

/* Of memory of mem_alloc; p may lie anywhere in it. Work that is under way is
 * waited for. */
CUresult ipc_export(CUcontext ctx, CUdeviceptr p, CUipcMemHandle *out);
/* The same handle again gives the same address, to be closed as often.
 * INVALID_CONTEXT: it is this process's own. */
CUresult ipc_open(CUcontext ctx, const CUipcMemHandle *handle, unsigned flags,
                  CUdeviceptr *out);
CUresult ipc_close(CUcontext ctx, CUdeviceptr p);
CUresult event_export(CUevent e, CUipcEventHandle *out);
CUresult event_open(CUcontext ctx, const CUipcEventHandle *handle,
                    CUevent *out);

/* ---- words that streams write and wait for (memops.c) ------------------ */

struct memop {
    enum { MEMOP_WAIT, MEMOP_WRITE, MEMOP_BARRIER } kind;
    bool is_wide; /* 64 bits */
    CUdeviceptr address;
    uint64_t value;
    unsigned flags; /* CU_STREAM_WAIT_VALUE_..., CU_STREAM_WRITE_VALUE_... */
};
/* All of them are checked first, then done one after the other. */
CUresult stream_memops(CUstream s, const struct memop *ops, size_t count);
CUresult stream_batch_memops(CUstream s, const CUstreamBatchMemOpParams *ops,
                             unsigned count);

/* ---- streams, events -------------------------------------------------- */

/* Resolves 0 / CU_STREAM_LEGACY / CU_STREAM_PER_THREAD and checks that the
 * handle is alive: CUDA_ERROR_INVALID_HANDLE. */
CUresult stream_resolve(CUcontext ctx, CUstream handle, CUstream *out);
CUresult stream_create(CUcontext ctx, unsigned flags, int priority,
                       CUstream *out);
CUresult stream_destroy(CUstream s); /* work goes on, then freed */
CUresult stream_synchronize(CUstream s);
CUresult stream_query(CUstream s); /* SUCCESS or NOT_READY */
CUresult stream_wait_event(CUstream s, CUevent e);
/* As a node of the stream's capture; ILLEGAL_STATE: there is none. */
CUresult stream_wait_event_external(CUstream s, CUevent e);
CUresult event_record_external(CUevent e, CUstream s);
CUresult stream_add_callback(CUstream s, void (*fn)(void *data), void *data);
/* Puts a task into stream order and submits it (takes its own reference). */
CUresult stream_submit(CUstream s, struct exec_task *t);
CUcontext stream_context(CUstream s);
unsigned stream_flags(CUstream s);
int stream_priority(CUstream s);
unsigned long long stream_id(CUstream s);
CUresult stream_attribute_get(CUstream s, CUstreamAttrID id,
                              CUstreamAttrValue *value);
CUresult stream_attribute_set(CUstream s, CUstreamAttrID id,
                              const CUstreamAttrValue *value);
void stream_attributes_copy(CUstream to, CUstream from);

/* flags: CU_EVENT_*. The caller owns it until event_destroy, which waits for
 * nothing. Any thread may call. INVALID_VALUE: flags; INVALID_HANDLE: it is no
 * event; OUT_OF_MEMORY. */
CUresult event_create(CUcontext ctx, unsigned flags, CUevent *out);
CUresult event_destroy(CUevent e);
CUcontext event_context(CUevent e); /* NULL: it is none */
/* Behind all that is in the stream now, in the place of an earlier record.
 * INVALID_HANDLE: event and stream are of different contexts. */
CUresult event_record(CUevent e, CUstream s);
/* Waits, or asks (NOT_READY), for the last record; one that was never recorded
 * is done. Then the context's sticky error, if it has one. */
CUresult event_synchronize(CUevent e);
CUresult event_query(CUevent e);
/* Between two records, in milliseconds. NOT_READY: one is not done;
 * INVALID_HANDLE: it keeps no time, or was never recorded; CAPTURED_EVENT. */
CUresult event_elapsed(float *ms, CUevent start, CUevent end);

/* ---- modules, launch -------------------------------------------------- */

/* Loads PTX text, or a fat binary (the best PTX in it). log may be NULL. */
CUresult module_load(CUcontext ctx, const void *image, struct diag *log,
                     CUmodule *out);
/* Loads several images and links them into one module. An image without PTX
 * for this device is left out as long as another has some. */
CUresult module_load_linked(CUcontext ctx, const void *const *images,
                            size_t count, struct diag *log, CUmodule *out);
/* As module_load does, with logs: errors and warnings in one, what each kernel
 * takes in the other. size_bytes is the buffer's size, then the length of its
 * text. Either may be NULL. */
struct module_log {
    char *buffer;
    size_t size_bytes;
};
CUresult module_load_logged(CUcontext ctx, const void *const *images,
                            size_t count, struct module_log *errors,
                            struct module_log *info, CUmodule *out);
/* Whether an option of the JIT, but for logs and times, may have this value:
 * those that only tune what a GPU would run, ask for what is so anyway, or are
 * about link-time code alone, which no input is. INVALID_VALUE; NOT_SUPPORTED:
 * an option that cannot be honoured. */
CUresult jit_option_check(CUjit_option option, unsigned value);
/* Whether module_link would take this image, `name` in messages.
 * NO_BINARY_FOR_GPU: it has no PTX for this device, and would be left out.
 * `errors` as above. */
CUresult module_check_image(const void *image, const char *name,
                            struct module_log *errors);
/* Whether no name has two meanings in several such images. INVALID_SOURCE. */
CUresult module_check_images(const void *const *images, size_t count,
                             struct module_log *errors);
/* Several images linked into one: PTX, malloc'ed. Logs as above. */
CUresult module_link(const void *const *images, size_t count,
                     struct module_log *errors, struct module_log *info,
                     char **out);
/* What a module's kernels take, as text; malloc'ed. NULL: no memory. */
char *report_info(const struct ptx_module *m);
CUresult module_unload(CUmodule m);
bool module_is_of_library(CUmodule m); /* which unloads it */
CUresult module_function(CUmodule m, const char *name, CUfunction *out);
CUresult module_global(CUmodule m, const char *name, CUdeviceptr *out,
                       size_t *size_bytes);
/* Makes `address`, the program's own variable, the place of a managed one, and
 * gives it the initial value. NOT_FOUND: there is no such managed variable.
 * Only before anything of the module has run. */
CUresult module_adopt(CUmodule m, const char *name, void *address);
/* The same with what another module has there already. */
CUresult module_share(CUmodule m, const char *name, void *address);
CUcontext module_context(CUmodule m);
CUresult module_check(CUmodule m); /* INVALID_HANDLE: it is none */
/* NOT_FOUND: no managed variable of that name. */
CUresult module_managed(CUmodule m, const char *name, CUdeviceptr *out,
                        size_t *size_bytes);
const char *function_mangled_name(CUfunction f);
CUmodule function_module(CUfunction f);
/* INVALID_VALUE: it has fewer parameters. size_bytes may be NULL. */
CUresult function_parameter(CUfunction f, size_t index, size_t *offset,
                            size_t *size_bytes);
/* How many kernels it has; the first `count` of them go into `out`. */
size_t module_functions(CUmodule m, CUfunction *out, size_t count);
/* The most dynamic shared memory with which so many blocks still fit. */
CUresult occupancy_available_shared(CUfunction f, int block_count,
                                    int block_size, size_t *out);

/* Launches in steps (old_launch.c). */
/* What one sets holds for the next launches of the function; old_launch_grid
 * launches. INVALID_VALUE: no such shape, size or place. */
CUresult old_launch_block(CUfunction f, int x, int y, int z);
CUresult old_launch_shared(CUfunction f, size_t size_bytes);
CUresult old_launch_param_size(CUfunction f, size_t size_bytes);
CUresult old_launch_param(CUfunction f, int offset, const void *value,
                          size_t size_bytes);
CUresult old_launch_grid(CUfunction f, int width, int height, CUstream s);

/* Bytes, registers and threads as CU_FUNC_ATTRIBUTE_* says; set: of the
 * launches that come. INVALID_VALUE: no such attribute, not one to set, or no
 * such value. */
CUresult function_attribute(int *value, CUfunction_attribute attribute,
                            CUfunction f);
CUresult function_set_attribute(CUfunction f, CUfunction_attribute attribute,
                                int value);

/* Device code of no context: a context gets a module of it when it first wants
 * one. Loads what module_load_linked does, or a wrapper with several parts.
 * Fails only without memory: where the code is wrong, the logs say so, and
 * library_module and library_kernel give the error, as does library_fault. */
CUresult library_load(const void *image, struct module_log *errors,
                      struct module_log *info, CUlibrary *out);
bool library_is_alive(CUlibrary library);
CUresult library_fault(CUlibrary l);
CUresult library_unload(CUlibrary l);
CUresult library_module(CUlibrary l, CUcontext ctx, CUmodule *out);
CUresult library_kernel(CUlibrary l, const char *name, CUkernel *out);
/* How many there are; the first `count` of them go into `out`. */
size_t library_kernels(CUlibrary l, CUkernel *out, size_t count);
/* A handle for a kernel of the program's own. `find` gives the current
 * context's function of the host function; `name` is borrowed. NULL: out of
 * memory. */
typedef CUresult kernel_find_fn(const void *host, CUfunction *out);
CUkernel kernel_create(const char *name, const void *host,
                       kernel_find_fn *find);
void kernel_destroy(CUkernel k);
CUresult kernel_check(CUkernel k); /* INVALID_HANDLE: no kernel's */
const char *kernel_name(CUkernel k);
CUlibrary kernel_library(CUkernel k); /* NULL: the program's own */
CUresult kernel_function(CUkernel k, CUcontext ctx, CUfunction *out);
/* A kernel in a function's place becomes the context's function. */
CUresult function_resolve(CUcontext ctx, CUfunction *f);

struct launch_config {
    CUgraphExec graph_exec; /* for kernels, whose node it is, or NULL */
    unsigned grid[3], block[3];
    size_t shared_bytes;
    CUstream stream; /* resolved */
    bool is_cooperative;
    bool is_programmatic; /* may begin before the kernel before it has ended */
    unsigned cluster[3]; /* blocks in a cluster; 0: as the kernel says */
    CUevent event;       /* recorded behind the kernel; NULL: none */
    CUkernel kern;       /* what the program calls it; for graphs */
    /* Of a captured launch: its node's handle for kernels that change it is to
     * be put there. NULL: none is wanted. */
    CUlaunchAttributeValue *updatable;
};
/* Puts what the attributes say into the configuration. INVALID_VALUE;
 * NOT_SUPPORTED: one that cannot be honoured. */
CUresult launch_attributes_read(const CUlaunchAttribute *attributes,
                                unsigned count, struct launch_config *config);
/* args: one pointer per parameter, or NULL when `packed` holds the whole
 * parameter buffer. Copies the arguments before it returns. */
CUresult launch_kernel(CUfunction f, const struct launch_config *config,
                       void **args, const void *packed, size_t packed_bytes);
/* A cooperative grid on each of several devices (launch_all.c). */
struct launch_part {
    CUfunction function;
    struct launch_config config;
    void **args;
};
CUresult launch_on_all(struct launch_part *parts, unsigned count,
                       unsigned flags);
CUresult occupancy_max_blocks(CUfunction f, int block_size, size_t shared_bytes,
                              int *blocks);
/* The largest cluster that a launch of the kernel may have, whatever cluster
 * `config` names; and how many clusters of a launch are there at once. */
CUresult occupancy_max_cluster_size(CUfunction f,
                                    const struct launch_config *config,
                                    int *size);
CUresult occupancy_max_clusters(CUfunction f,
                                const struct launch_config *config,
                                int *count);

/* ---- tensor maps (tensor_map.c) ---------------------------------------- */

/* As the driver API's functions: entry points of both libraries. */
CUresult tensor_map_tiled(
    CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
    const cuuint64_t *dim, const cuuint64_t *stride, const cuuint32_t *box,
    const cuuint32_t *step, CUtensorMapInterleave interleave,
    CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2_promotion,
    CUtensorMapFloatOOBfill fill);
CUresult tensor_map_im2col(
    CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
    const cuuint64_t *dim, const cuuint64_t *stride, const int *lower,
    const int *upper, cuuint32_t channels, cuuint32_t pixels,
    const cuuint32_t *step, CUtensorMapInterleave interleave,
    CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2_promotion,
    CUtensorMapFloatOOBfill fill);
CUresult tensor_map_replace_address(CUtensorMap *map, void *address);

/* Names and texts of the runtime API's errors; static, never NULL. */
const char *error_name(int error);
const char *error_text(int error);

#pragma GCC visibility pop

#endif
