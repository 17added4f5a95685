/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The meaning of CUDA, in one place: device, context, stream, event, memory,
 * module, launch, error. Both APIs check arguments and call this. Functions
 * return CUresult (cuda.h); runtime/ turns it into cudaError_t (the numbers
 * agree for every code that both have). Comments name errors of their own; what
 * allocates may return OUT_OF_MEMORY.
 *
 * In this folder, unless a comment says otherwise:
 *   threads  any thread may call any function
 *   errors   a CUresult; NULL or false of what has none: memory has run out
 *   owners   a context owns what is made in it, a module its functions and
 *            variables; a handle ends with its destroy function, and outputs
 *            are written on success only
 *   units    sizes and pitches are bytes, coordinates in arrays elements, times
 *            milliseconds
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

/* The driver is initialised by cuInit, by each call of the runtime API that
 * needs a device, and with the first context. This notes that it is. */
void ctx_note_initialised(void);
bool ctx_is_initialised(void);
/* True in a process that was forked from one with contexts, which it cannot
 * use. */
bool ctx_is_lost(void);
/* Around what the calling thread does for the program before its first call:
 * what contexts it makes are none of the program's, which may still fork. */
void ctx_registration_begin(void);
void ctx_registration_end(void);
/* Writes a line to stderr, once for each name, that the entry point is not
 * supported. Keeps the pointer `name`. */
void explain_not_supported(const char *name);
/* The same of code that a program gave to `caller` and that does not link. */
void explain_link(const char *caller, const char *why);

/* A device's primary context for the runtime API: made at first use, and held
 * from then on. After a kernel has failed, returns the context's sticky error
 * instead. INVALID_DEVICE, NO_DEVICE. */
CUresult ctx_primary_of(int device, CUcontext *out);
CUresult ctx_primary(CUcontext *out); /* of the thread's device */
/* The same for the driver API, whose programs count their holds. release:
 * INVALID_CONTEXT if nobody holds it. */
CUresult ctx_primary_retain(int device, CUcontext *out);
CUresult ctx_primary_release(int device);
CUresult ctx_primary_reset(int device); /* cudaDeviceReset */
bool ctx_primary_is_active(int device);
unsigned ctx_primary_flags(int device);
void ctx_primary_set_flags(int device, unsigned flags);
/* Flags of a context: known ones, and at most one way to wait. */
bool ctx_are_flags(unsigned flags);

/* flags: CU_CTX_*. The caller owns the context until ctx_destroy.
 * INVALID_DEVICE, OUT_OF_MEMORY. */
CUresult ctx_create(int device, unsigned flags, CUcontext *out);
/* A green context of SMs sm_first to sm_first + sm_count - 1. It keeps the
 * device's primary context alive. */
CUresult ctx_create_green(int device, unsigned sm_first, unsigned sm_count,
                          CUcontext *out);
/* The context that owns the modules, functions and events of ctx: for a green
 * context the device's primary one, otherwise ctx itself. */
CUcontext ctx_home(CUcontext ctx);
/* Waits for the context's work, and ends all that was made in it.
 * INVALID_CONTEXT: it is no context, or a primary one. */
CUresult ctx_destroy(CUcontext ctx);

/* Counts uses besides the creator's; ctx_destroy ends the context whatever
 * their number. detach: false, if that was the last. */
CUresult ctx_attach(CUcontext ctx);
bool ctx_detach(CUcontext ctx);

bool ctx_is_alive(CUcontext ctx); /* of any value */
bool ctx_is_gone(CUcontext ctx);  /* of any value; it was alive once */
bool ctx_is_primary(CUcontext ctx); /* cudaSetDevice's, not cuCtxCreate's */
unsigned long long ctx_id(CUcontext ctx); /* of no other, ever */
int ctx_device(CUcontext ctx); /* its number */
unsigned ctx_flags(CUcontext ctx); /* CU_CTX_* */
void ctx_set_flags(CUcontext ctx, unsigned flags); /* checked by the caller */
/* What the program prefers, L1 cache or shared memory. It is kept but has no
 * effect: a CPU's caches cannot be configured. INVALID_VALUE: no such
 * preference; and capture_check_call's errors. */
CUfunc_cache ctx_cache_config(CUcontext ctx);
CUresult ctx_set_cache_config(CUcontext ctx, CUfunc_cache config);
/* Number of places for contexts; no two living contexts have the same
 * place. */
enum { CTX_PLACE_COUNT = 256 };
unsigned ctx_place(CUcontext ctx);
CUresult ctx_sticky(CUcontext ctx); /* CUDA_SUCCESS or the sticky error */
/* cuCtxSynchronize. Invalidates captures of the context's streams and then
 * fails. A primary context's green ones are waited for, too. */
CUresult ctx_synchronize(CUcontext ctx);
/* The same for calls that destroy memory, a module or a plan; captures go
 * on. */
CUresult ctx_wait(CUcontext ctx);
/* Has ctx been given access to memory of `peer`? There is one memory, so this
 * only remembers what programs have asked for. A green context has what its
 * home has. */
bool ctx_is_peer(CUcontext ctx, CUcontext peer);
void ctx_set_peer(CUcontext ctx, CUcontext peer, bool is_peer);

/* ctx_order.c. Record: the event is done when all streams of the context have
 * done their work so far. Wait: all of them, later ones too, go on when the
 * event is done. Context and event may be of different devices.
 * INVALID_HANDLE: no event; STREAM_CAPTURE_UNSUPPORTED: a stream of the
 * context is captured. */
CUresult ctx_record_event(CUcontext ctx, CUevent e);
CUresult ctx_wait_event(CUcontext ctx, CUevent e);

/* Calls a function of the program's as a host function of a stream: CUDA calls
 * in it fail. is_in: the calling thread is in one (ctx_stack.c). */
void ctx_call_host_function(void (*fn)(void *data), void *data);
bool ctx_is_in_host_function(void);

/* process.c. The state of a process, which other processes may change, if they
 * belong to the same user. OPERATING_SYSTEM: there is no such process;
 * NOT_INITIALIZED: it does not use CUDA; ILLEGAL_STATE: it is not in state
 * `from`. */
CUresult process_state(int pid, CUprocessState *out);
CUresult process_change(int pid, CUprocessState from, CUprocessState to);
/* Calls begin with it: returns at once, or when this process may run again. */
void process_await_running(void);

/* The calling thread's current context (ctx_stack.c). INVALID_CONTEXT: there
 * is none; CONTEXT_IS_DESTROYED: it has been destroyed, and *out is its
 * handle. */
CUresult ctx_current(CUcontext *out);
bool ctx_push(CUcontext ctx); /* false: there are too many */
CUcontext ctx_pop(void);      /* NULL: there was none */
void ctx_set_current(CUcontext ctx); /* instead of the top one; NULL: none */
/* For the runtime API: the current context or, without one, the primary
 * context of the thread's device, which becomes current. Otherwise its sticky
 * error. */
CUresult ctx_of_thread(CUcontext *out);
CUresult ctx_choose_device(int device); /* cudaSetDevice */
int ctx_device_of_thread(void);
/* For a thread that has not chosen a device: the first of these that may be
 * used is its; count 0: of all. And the one behind `device` in that list, or -1
 * at its end. */
void ctx_prefer_devices(const int *list, int count);
int ctx_next_device(int device);
CUresult ctx_sticky_of_thread(void); /* makes no context */

/* Values that clients keep with a context under their own keys
 * (ctx_storage.c). `end` is called when the context ends; it may be NULL.
 * INVALID_HANDLE: nothing is kept under the key. */
typedef void ctx_storage_end_fn(CUcontext ctx, void *key, void *value);
CUresult ctx_storage_put(CUcontext ctx, const void *key, void *value,
                         ctx_storage_end_fn *end);
CUresult ctx_storage_get(CUcontext ctx, const void *key, void **value);
/* What is kept, or else what make makes, which is kept from then on. One thread
 * at a time makes something; make does not come here again. */
typedef CUresult ctx_storage_make_fn(CUcontext ctx, const void *key,
                                     void **value);
CUresult ctx_storage_get_or_make(CUcontext ctx, const void *key,
                                 ctx_storage_make_fn *make, void **value);
CUresult ctx_storage_delete(CUcontext ctx, const void *key);
/* Ends what is kept under the key in any context. */
void ctx_storage_end_key(const void *key);

/* Settings of core files (coredump.c), of a context or, with NULL, global.
 * get: with value NULL, *size becomes the largest size. set: NULL means an
 * empty text. INVALID_VALUE: there is no such setting, or it has another
 * size. */
CUresult coredump_get(CUcontext ctx, CUcoredumpSettings what, void *value,
                      size_t *size);
CUresult coredump_set(CUcontext ctx, CUcoredumpSettings what, const void *value,
                      size_t size);

/* ---- device ----------------------------------------------------------- */

/* The CUDA version that this driver reports, such as 13000 for 13.0: its own,
 * or the later one that WEFT_DRIVER_VERSION names. */
#define DRIVER_VERSION 13000
int device_driver_version(void);

enum { DEVICE_COUNT_MAX = 32 };
int device_count(void); /* as WEFT_DEVICES and CUDA_VISIBLE_DEVICES say */
bool device_exists(int device); /* has one of them that number? */
/* Whether CUDA_VISIBLE_DEVICES lists them or not: how many there are, and the
 * number that a device of the program has among them; 0 if there is no such
 * device. */
int device_total_count(void);
int device_number(int device);
CUresult device_missing(void); /* what calls answer if that is 0 */
/* By the number among all: a uuid, the same in each process, and the place on
 * the PCI bus, such as "0000:01:00.0". */
void device_uuid(int number, uint8_t out[16]);
enum { DEVICE_PCI_ID_BYTES = 16 };
void device_pci_id(int number, char out[DEVICE_PCI_ID_BYTES]);
/* The device at such a place; the domain and the function may be missing.
 * INVALID_VALUE: it is no place; INVALID_DEVICE: no device is there. */
CUresult device_by_pci_id(const char *text, int *out);
unsigned device_sm_count(void); /* of each, as programs are told */
/* An attribute of attributes.def. INVALID_DEVICE, INVALID_VALUE: there is
 * none. */
CUresult device_attribute(int *value, CUdevice_attribute attribute, int device);
CUresult device_attribute_at(int *value, CUdevice_attribute attribute,
                             int number); /* among all */
/* One that all devices have in common; 0: there is no device. */
static inline int device_attribute_of(CUdevice_attribute attribute)
{
    int value = 0;
    device_attribute(&value, attribute, 0);
    return value;
}
/* Which processes may make contexts on a device, by its number among all; holds
 * for all processes of the user. False: there is no safe place to note it. */
CUcomputemode compute_mode_of(int number);
bool compute_mode_set(int number, CUcomputemode mode);
/* The same between any two devices, which are parts of one machine. */
int device_p2p_attribute(CUdevice_P2PAttribute attribute);
/* CU_ATOMIC_CAPABILITY_* for each operation, the same between any two
 * places. */
CUresult device_atomic_capabilities(unsigned *out,
                                    const CUatomicOperation *operations,
                                    unsigned count);
const char *device_name(void);
size_t device_total_memory(void); /* of each device, in bytes */
void device_free_memory(size_t *free_bytes, size_t *total_bytes);
CUresult device_limit_get(size_t *value, CUlimit limit); /* of all devices */
CUresult device_limit_set(CUlimit limit, size_t value); /* as an H200 rounds */
void device_limits_reset(void); /* as at the process's start */

/* ---- memory ----------------------------------------------------------- */

/* Host memory is device memory. Device allocations come from one reserved
 * range of addresses and are aligned to 512 bytes. Small ones lie side by side;
 * with WEFT_GUARD=1 large ones have closed pages before and behind them. */
CUresult mem_alloc(CUcontext ctx, CUdeviceptr *out, size_t size_bytes);
/* The pitch for rows of `width_bytes`, and the size of `row_count` rows. False:
 * it is too large. */
bool mem_pitched_size(size_t width_bytes, size_t row_count, size_t *pitch,
                      size_t *size_bytes);
CUresult mem_alloc_managed(CUcontext ctx, CUdeviceptr *out, size_t size_bytes,
                           unsigned flags);
CUresult mem_alloc_host(CUcontext ctx, void **out, size_t size_bytes,
                        unsigned flags); /* CU_MEMHOSTALLOC_* */
CUresult mem_register_host(CUcontext ctx, void *p, size_t size_bytes,
                           unsigned flags);
CUresult mem_unregister_host(CUcontext ctx, void *p);
CUresult mem_free(CUcontext ctx, CUdeviceptr p); /* device or managed; 0 ok */
CUresult mem_free_host(CUcontext ctx, void *p);
/* Frees device memory, or memory of a pool, once the stream's earlier work is
 * done. */
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
/* The context that the memory was made in; if that is gone, a primary one. */
CUcontext mem_context(const struct mem_info *info);
/* Describes the memory at p; kind UNKNOWN: ordinary host memory. */
struct mem_info mem_query(const void *p);
/* The memory's kind as programs see it: pools' host memory is PINNED, their
 * managed memory MANAGED. */
enum mem_kind mem_seen_as(const struct mem_info *info);
/* Is each of these addresses mapped? */
bool mem_is_reachable(const void *p, size_t size_bytes);

/* The same with variables of modules as allocations of their own.
 * pointer_is_open: may kernels use the memory now? (pointer.c) */
struct mem_info pointer_query(const void *p);
bool pointer_is_open(const struct mem_info *info, const void *p);
/* CU_MEMHOSTALLOC_* flags of memory that the host can use, too. INVALID_VALUE:
 * other memory. */
CUresult pointer_host_flags(const void *p, unsigned *flags);
int pointer_device(const struct mem_info *m); /* its number */
/* cuPointerGetAttribute, and cuPointerGetAttributes, which takes pointers and
 * attributes that do not exist. */
CUresult pointer_get(void *data, CUpointer_attribute attribute, CUdeviceptr p);
CUresult pointer_get_or_nothing(void *data, CUpointer_attribute attribute,
                                CUdeviceptr p);
CUresult pointer_set(const void *value, CUpointer_attribute attribute,
                     CUdeviceptr p);

/* Is this memory of the device only? */
static inline bool mem_is_device_kind(enum mem_kind kind)
{
    return kind == MEM_DEVICE || kind == MEM_MODULE || kind >= MEM_ARRAY;
}
/* True: ordinary host memory that kernels may use as well. Only its first and
 * last byte are looked at. */
bool mem_is_shared_by_host(const void *p, size_t size_bytes);

/* The kind of memory that a program says one side of a copy is. */
enum mem_side { MEM_SIDE_ANY, MEM_SIDE_HOST, MEM_SIDE_DEVICE };
static inline CUmemorytype mem_side_type(enum mem_side side)
{
    return side == MEM_SIDE_HOST     ? CU_MEMORYTYPE_HOST
           : side == MEM_SIDE_DEVICE ? CU_MEMORYTYPE_DEVICE
                                     : CU_MEMORYTYPE_UNIFIED;
}

/* A box of height x depth rows; for a plain copy both are 1. */
struct mem_copy {
    const void *source;
    void *destination;
    size_t source_pitch, destination_pitch; /* bytes from row to row */
    size_t source_slice, destination_slice; /* bytes from slice to slice */
    size_t width_bytes, height, depth;
    enum mem_side source_side, destination_side;
    const CUDA_MEMCPY3D *described; /* as the program did, for nodes; or NULL */
};
/* The copy comes after all earlier work of the stream. wait: returns when it is
 * done. Without wait, the caller sees to it that pageable host memory is not
 * reused too early. */
CUresult mem_copy_box(CUstream s, const struct mem_copy *copy, bool wait);
/* The source may be reused on return. A small one is copied aside, so that
 * earlier work of the stream is not waited for. */
CUresult mem_copy_staged(CUstream s, const struct mem_copy *copy);

/* copy_policy.c: checks both sides of a copy and decides whether the caller
 * waits, and what is copied aside. */
enum copy_manner { COPY_SYNC, COPY_ASYNC };
CUresult copy_run(CUstream s, const struct mem_copy *copy,
                  enum copy_manner manner);
/* copy_box.c: the memory that a description means, whose sides may be arrays.
 * out->width_bytes is 0 if there is nothing to copy. */
CUresult copy_describe(const CUDA_MEMCPY3D *description, struct mem_copy *out);
/* copy_run of what it means; INVALID_VALUE for NULL. */
CUresult copy_run_box(CUstream s, const CUDA_MEMCPY3D *description,
                      enum copy_manner manner);
/* A run of bytes in row order: in an array from byte `x_bytes` of row `y` on,
 * continuing in the next row. */
struct copy_place {
    CUarray array;
    size_t x_bytes, y;
    void *p; /* without an array */
    enum mem_side side;
};
CUresult copy_linear(CUstream s, struct copy_place to, struct copy_place from,
                     size_t size_bytes, enum copy_manner manner);

/* A fill by either API; where->destination... say where, in bytes. */
CUresult fill_run(CUstream s, const struct mem_copy *where, unsigned value,
                  unsigned element_bytes, enum copy_manner manner);

/* Fills `depth` slices of `height` rows of `width` elements, in stream order.
 * pitch and depth_slice are bytes. wait: returns when it is done. */
CUresult mem_set(CUstream s, CUdeviceptr p, size_t pitch, unsigned value,
                 unsigned element_bytes, size_t width, size_t height,
                 size_t depth_slice, size_t depth, bool wait);

/* ---- arrays (array.c) ------------------------------------------------- */

/* The caller owns arrays until array_destroy. INVALID_VALUE: no array has this
 * shape, size or format; NOT_SUPPORTED: sparse arrays, and arrays without
 * memory. */
CUresult array_create(CUcontext ctx, const CUDA_ARRAY3D_DESCRIPTOR *d,
                      CUarray *out);
CUresult array_destroy(CUcontext ctx, CUarray a);
CUresult array_describe(CUarray a, CUDA_ARRAY3D_DESCRIPTOR *out);
unsigned array_element_bytes(CUarray a); /* 0: no array */
/* The array that shows one plane of a; it ends with a, and is the same each
 * time. INVALID_VALUE: there is no such plane. */
CUresult array_plane(CUarray a, unsigned plane, CUarray *out);
/* `levels` is reduced to what there can be. */
CUresult mipmap_create(CUcontext ctx, const CUDA_ARRAY3D_DESCRIPTOR *d,
                       unsigned levels, CUmipmappedArray *out);
CUresult mipmap_destroy(CUcontext ctx, CUmipmappedArray m);
CUresult mipmap_level(CUmipmappedArray m, unsigned level, CUarray *out);

/* ---- textures and surfaces (texture.c) --------------------------------- */

/* INVALID_VALUE, INVALID_HANDLE: the resource is wrong; NOT_SUPPORTED: a
 * format of several planes. view may be NULL. Handles are numbers, never 0;
 * the caller owns them until destroy. */
CUresult texture_create(const CUDA_RESOURCE_DESC *resource,
                        const CUDA_TEXTURE_DESC *texture,
                        const CUDA_RESOURCE_VIEW_DESC *view, CUtexObject *out);
CUresult texture_destroy(CUtexObject handle);
/* The descriptions as they were given; each may be NULL. INVALID_VALUE: no
 * such object, or it has no view. */
CUresult texture_describe(CUtexObject handle, CUDA_RESOURCE_DESC *resource,
                          CUDA_TEXTURE_DESC *texture,
                          CUDA_RESOURCE_VIEW_DESC *view);
/* The most texels of a format in linear memory. */
CUresult texture_linear_width(CUarray_format format, unsigned channels,
                              size_t *out);
CUresult surface_create(const CUDA_RESOURCE_DESC *resource, CUsurfObject *out);
CUresult surface_destroy(CUsurfObject handle);
CUresult surface_describe(CUsurfObject handle, CUDA_RESOURCE_DESC *resource);

/* ---- texture_reference.c ----------------------------------------------- */

/* Settings of a texture reference. The format is for linear memory. */
struct texture_settings {
    bool is_bound;
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC texture;
    CUarray_format format;
    int channels;
};

/* The reference of a module's .texref variable, the same each time. NOT_FOUND:
 * there is no such variable. */
CUresult texture_reference_of(CUmodule m, const char *name, CUtexref *out);
CUresult texture_reference_create(CUtexref *out);
CUresult texture_reference_destroy(CUtexref t);
CUresult texture_reference_read(CUtexref t, struct texture_settings *out);
/* Launches from now on read the texture with these settings. INVALID_VALUE:
 * they do not go together; they are kept, and launches read nothing. */
CUresult texture_reference_write(CUtexref t, const struct texture_settings *as);
CUresult surface_reference_of(CUmodule m, const char *name, CUsurfref *out);
CUresult surface_reference_bind(CUsurfref s, CUarray array);
CUresult surface_reference_array(CUsurfref s, CUarray *out);
/* Stores a handle in a .texref or .surfref variable, after launches that read
 * the old one. */
CUresult texture_point_variable(CUcontext ctx, CUdeviceptr variable,
                                uint64_t handle);

/* ---- pools (pool.c) --------------------------------------------------- */

/* The caller owns the pool until pool_destroy. INVALID_VALUE: there is no such
 * kind of memory, place or handle; NOT_SUPPORTED: a usage, and handles for
 * other machines (fabric). */
CUresult pool_create(const CUmemPoolProps *props, CUmemoryPool *out);
CUresult pool_destroy(CUmemoryPool p); /* its allocations stay until freed */
/* The device's default pool, and its current pool, which allocations without a
 * pool come from. */
CUresult pool_default(int device, CUmemoryPool *out);
CUresult pool_current(int device, CUmemoryPool *out);
CUresult pool_set_current(int device, CUmemoryPool p);
/* The same by place and kind of memory. INVALID_VALUE: there is no such place
 * or kind; NOT_SUPPORTED: the node of the calling thread. */
CUresult pool_default_at(const CUmemLocation *location,
                         CUmemAllocationType type, CUmemoryPool *out);
CUresult pool_current_at(const CUmemLocation *location,
                         CUmemAllocationType type, CUmemoryPool *out);
CUresult pool_set_current_at(const CUmemLocation *location,
                             CUmemAllocationType type, CUmemoryPool p);
/* value: an int for policies, a cuuint64_t for sizes. */
CUresult pool_get(CUmemoryPool p, CUmemPool_attribute attribute, void *value);
CUresult pool_set(CUmemoryPool p, CUmemPool_attribute attribute,
                  const void *value);
CUresult pool_trim(CUmemoryPool p, size_t bytes_to_keep);
CUresult pool_set_access(CUmemoryPool p, const CUmemAccessDesc *desc,
                         size_t count);
CUresult pool_get_access(CUmemoryPool p, const CUmemLocation *location,
                         CUmemAccess_flags *out);
/* Allocates memory for work in s and for what comes after it. p NULL: the
 * current pool. */
CUresult pool_alloc(CUmemoryPool p, CUstream s, size_t size_bytes,
                    CUdeviceptr *out);
CUmemoryPool pool_of(const void *address); /* NULL: of none */
/* For other processes: a pool becomes a file descriptor, a pointer 64
 * bytes. INVALID_VALUE: `type` is not that, or there are flags. */
CUresult pool_export(CUmemoryPool p, CUmemAllocationHandleType type,
                     unsigned long long flags, int *fd);
/* May pools be imported as this? NOT_SUPPORTED: not on this system;
 * INVALID_VALUE: there is no such type. */
CUresult pool_check_handle_type(CUmemAllocationHandleType type);
CUresult pool_import(CUcontext ctx, int fd, CUmemoryPool *out);
CUresult pool_export_pointer(CUdeviceptr p, CUmemPoolPtrExportData *out);
CUresult pool_import_pointer(CUmemoryPool p,
                             const CUmemPoolPtrExportData *data,
                             CUdeviceptr *out);

/* ---- addresses and memory apart (virtual.c) ---------------------------- */

/* Sizes, alignments and offsets are bytes, all multiples of
 * virtual_granularity. What is reserved is the caller's to free, once nothing
 * is mapped there. What is created or imported is the caller's to release, as
 * often as it was retained; a mapping keeps the memory alive. INVALID_VALUE:
 * no such range, memory or size; OUT_OF_MEMORY: addresses, memory or
 * descriptors have run out. `wish` has to be a possible address, and is
 * otherwise ignored. */
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
/* As a file descriptor. The caller closes the one that it gets, and keeps the
 * one that it gives. */
CUresult virtual_export(CUmemGenericAllocationHandle handle, int *fd);
CUresult virtual_import(CUcontext ctx, int fd,
                        CUmemGenericAllocationHandle *out);
/* Maps the memory from `offset` on at p, which is reserved and has nothing
 * mapped. Access is forbidden until virtual_set_access. */
CUresult virtual_map(CUdeviceptr p, size_t size_bytes, size_t offset,
                     CUmemGenericAllocationHandle handle);
CUresult virtual_unmap(CUcontext ctx, CUdeviceptr p, size_t size_bytes);
CUresult virtual_set_access(CUdeviceptr p, size_t size_bytes,
                            const CUmemAccessDesc *desc, size_t count);
CUresult virtual_get_access(CUdeviceptr p, const CUmemLocation *location,
                            unsigned long long *out);
/* The access that devices have at p. virtual_is_host: is the memory there the
 * host's? */
CUmemAccess_flags virtual_access(CUdeviceptr p);
bool virtual_is_host(const struct mem_info *info);

/* ---- several devices' memory at one address (multicast.c) --------------- */

/* Handles are released by virtual_release. All devices are added first; then
 * each binds memory of its own to parts of the object; then the object is
 * mapped with virtual_map. Sizes and offsets are multiples of the granularity.
 * INVALID_VALUE; INVALID_DEVICE: the device is not one of the object's;
 * NOT_SUPPORTED: an object of one device, or one for other processes. */
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
/* Waits for the context's work. */
CUresult multicast_unbind(CUcontext ctx, CUmemGenericAllocationHandle handle,
                          int device, size_t offset, size_t size_bytes);
/* The index-th device's copy of what is at an address of a mapped object; 0:
 * there are fewer devices. */
uint64_t multicast_replica(uint64_t address, uint32_t index);

/* ---- what is said of managed memory (range.c) --------------------------- */

/* What a program has said about whole pages of managed memory, kept by
 * address. INVALID_VALUE: memory of another kind, or no such place or
 * attribute; INVALID_DEVICE. */
CUresult range_check_location(const CUmemLocation *l);
CUmemLocation range_location_of(CUdevice device); /* or CU_DEVICE_CPU */
CUresult range_advise(CUdeviceptr p, size_t size_bytes, CUmem_advise advice,
                      CUmemLocation location);
CUresult range_check_prefetch(CUdeviceptr p, size_t size_bytes,
                              const CUmemLocation *location);
CUresult range_prefetch(CUstream s, CUdeviceptr p, size_t size_bytes,
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

/* attributes[i] are for the copies from number indices[i] on, up to the next
 * index. */
struct batch_copies {
    const CUdeviceptr *to, *from;
    const size_t *sizes;
    size_t count;
    const CUmemcpyAttributes *attributes;
    const size_t *indices;
    size_t attribute_count;
};
/* *fail: the number of the copy that is wrong; SIZE_MAX: none in
 * particular. */
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

/* Exports memory of mem_alloc; p may be anywhere in it. Waits for all work. */
CUresult ipc_export(CUcontext ctx, CUdeviceptr p, CUipcMemHandle *out);
/* The same handle gives the same address again, which then has to be closed as
 * often. INVALID_CONTEXT: the memory is this process's own. */
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
/* Checks all operations, then puts them into the stream one after the
 * other. */
CUresult stream_memops(CUstream s, const struct memop *ops, size_t count);
CUresult stream_batch_memops(CUstream s, const CUstreamBatchMemOpParams *ops,
                             unsigned count);

/* ---- streams, events -------------------------------------------------- */

/* Resolves 0, CU_STREAM_LEGACY and CU_STREAM_PER_THREAD, and checks that other
 * handles are alive. INVALID_HANDLE. */
CUresult stream_resolve(CUcontext ctx, CUstream handle, CUstream *out);
CUresult stream_create(CUcontext ctx, unsigned flags, int priority,
                       CUstream *out);
CUresult stream_destroy(CUstream s); /* work goes on, then freed */
CUresult stream_synchronize(CUstream s);
CUresult stream_query(CUstream s); /* SUCCESS or NOT_READY */
CUresult stream_wait_event(CUstream s, CUevent e);
/* Adds a wait for an event outside of the capture as a node of the stream's
 * capture. ILLEGAL_STATE: s is not captured. */
CUresult stream_wait_event_external(CUstream s, CUevent e);
CUresult event_record_external(CUevent e, CUstream s);
/* host_call.c. Calls fn(data) in stream order, on the thread of host functions;
 * in a capture, adds a node. Not called when the context has failed. */
CUresult stream_launch_host(CUstream s, CUhostFn fn, void *data);
/* The same for a callback, which cannot be captured and is always called, with
 * the handle `named` and the context's sticky error. */
CUresult stream_add_callback(CUstream s, CUstream named, CUstreamCallback fn,
                             void *data);
/* Puts a task behind the stream's work and submits it; takes a reference of
 * its own. */
CUresult stream_submit(CUstream s, struct exec_task *t);
CUcontext stream_context(CUstream s);
unsigned stream_flags(CUstream s);
int stream_priority(CUstream s);
unsigned long long stream_id(CUstream s);
CUresult stream_attribute_get(CUstream s, CUstreamAttrID id,
                              CUstreamAttrValue *value);
CUresult stream_attribute_set(CUstream s, CUstreamAttrID id,
                              const CUstreamAttrValue *value);
/* INVALID_VALUE: they are of two devices. */
CUresult stream_attributes_copy(CUstream to, CUstream from);

/* flags: CU_EVENT_*. The caller owns the event until event_destroy, which
 * waits for nothing. INVALID_VALUE: flags; INVALID_HANDLE: no event;
 * OUT_OF_MEMORY. */
CUresult event_create(CUcontext ctx, unsigned flags, CUevent *out);
CUresult event_destroy(CUevent e);
CUcontext event_context(CUevent e); /* NULL: it is none */
/* Records the event behind all work that is in the stream now; an earlier
 * record no longer counts. INVALID_HANDLE: event and stream have different
 * contexts. */
CUresult event_record(CUevent e, CUstream s);
/* synchronize waits for the last record, query asks for it (NOT_READY). An
 * event that was never recorded is done. Both then return the context's sticky
 * error, if there is one. */
CUresult event_synchronize(CUevent e);
CUresult event_query(CUevent e);
/* Milliseconds between two records. NOT_READY: one is not done;
 * INVALID_HANDLE: it keeps no time, or was never recorded; CAPTURED_EVENT. */
CUresult event_elapsed(float *ms, CUevent start, CUevent end);

/* ---- modules, launch -------------------------------------------------- */

/* Reads a file to load: *out is malloc'ed, *size_bytes long, with a NUL behind.
 * FILE_NOT_FOUND: it cannot be read; OUT_OF_MEMORY: also of a folder;
 * INVALID_IMAGE: it is a fat binary that is cut off. */
CUresult module_read_file(const char *path, char **out, size_t *size_bytes);
/* Loads PTX text, or the best PTX in a fat binary. The caller owns the module
 * until module_unload. log may be NULL. */
CUresult module_load(CUcontext ctx, const void *image, struct diag *log,
                     CUmodule *out);
/* Loads several images and links them into one module. An image without PTX
 * for this device is left out if another image has some. */
CUresult module_load_linked(CUcontext ctx, const void *const *images,
                            size_t count, struct diag *log, CUmodule *out);
/* As module_load, with two logs: errors and warnings, and the resources of
 * each kernel. size_bytes: in, the size of the buffer; out, the length of the
 * text. Either log may be NULL. */
struct module_log {
    char *buffer;
    size_t size_bytes;
};
CUresult module_load_logged(CUcontext ctx, const void *const *images,
                            size_t count, struct module_log *errors,
                            struct module_log *info, CUmodule *out);
/* The options of loads and links (jit_options.c). */
struct jit_options {
    struct module_log errors, info;
    /* The options' values, which results are written to; NULL: the option was
     * not given. Sizes are the lengths of the logs, in bytes. */
    void **errors_size, **info_size;
    void **wall_time; /* a float of milliseconds, in the pointer's bytes */
};
/* Reads options, and checks the others. An option is accepted if it only tunes
 * what a GPU would run, asks for what is so anyway, or is about link-time code
 * alone, which no input is. INVALID_VALUE; NOT_SUPPORTED: the option cannot be
 * honoured. */
CUresult jit_options_read(struct jit_options *out, unsigned count,
                          const CUjit_option *options, void **values);
/* Writes the lengths of the logs and the time to the options' values. */
void jit_options_write(const struct jit_options *o, double seconds);
/*
 * Images that come one by one, to be linked: each is parsed once, when it is
 * added. With checks_names what does not fit earlier ones is refused then, else
 * by the link. One thread at a time. create gives NULL without memory;
 * destroying NULL is harmless.
 */
struct module_parts;
struct module_parts *module_parts_create(bool checks_names);
void module_parts_destroy(struct module_parts *p);
bool module_parts_is_empty(const struct module_parts *p);
/*
 * Adds an image, which is not needed afterwards; messages call it `name`.
 * `errors` is filled where this fails, and may be NULL; nothing is added then.
 * NO_BINARY_FOR_GPU: it has no PTX for this device; with may_lack_ptx the link
 * leaves it out, if another one has some. INVALID_SOURCE: a name has another
 * meaning before. INVALID_VALUE: they are linked.
 */
CUresult module_parts_add(struct module_parts *p, const void *image,
                          const char *name, bool may_lack_ptx,
                          struct module_log *errors);
/* Links them into one PTX text, which is malloc'ed; once, whatever comes of
 * it: INVALID_VALUE later. may_lack_names: a later link defines what is used
 * and not defined. Logs: as above. */
CUresult module_parts_link(struct module_parts *p, bool may_lack_names,
                           struct module_log *errors, struct module_log *info,
                           char **out);
/* The same for images that are all there. */
CUresult module_link(const void *const *images, size_t count,
                     struct module_log *errors, struct module_log *info,
                     char **out);
/* The resources of a module's kernels as text, malloc'ed. NULL: out of
 * memory. */
char *report_info(const struct ptx_module *m);
CUresult module_unload(CUmodule m);
bool module_is_of_library(CUmodule m); /* which unloads it */
CUresult module_function(CUmodule m, const char *name, CUfunction *out);
CUresult module_global(CUmodule m, const char *name, CUdeviceptr *out,
                       size_t *size_bytes);
/* Makes `address`, the program's own variable, the storage of a managed
 * variable, and initialises it. To be called before anything of the module
 * runs. NOT_FOUND: there is no such managed variable. */
CUresult module_adopt(CUmodule m, const char *name, void *address);
/* The same for storage that another module has initialised. */
CUresult module_share(CUmodule m, const char *name, void *address);
CUcontext module_context(CUmodule m);
CUresult module_check(CUmodule m); /* INVALID_HANDLE: it is none */
/* Address and size of a managed variable. NOT_FOUND: there is none. */
CUresult module_managed(CUmodule m, const char *name, CUdeviceptr *out,
                        size_t *size_bytes);
const char *function_mangled_name(CUfunction f);
CUmodule function_module(CUfunction f);
/* INVALID_VALUE: the kernel has fewer parameters. size_bytes may be NULL. */
CUresult function_parameter(CUfunction f, size_t index, size_t *offset,
                            size_t *size_bytes);
/* Number of the module's kernels; the first `count` of them are written to
 * `out`. */
size_t module_functions(CUmodule m, CUfunction *out, size_t count);
/* The most dynamic shared memory with which block_count blocks still fit on an
 * SM. */
CUresult occupancy_available_shared(CUfunction f, int block_count,
                                    int block_size, size_t *out);

/* Launches in steps (old_launch.c). */
/* Each sets something for the later launches of the function, and
 * old_launch_grid launches it. INVALID_VALUE: no such shape, size or
 * offset. */
CUresult old_launch_block(CUfunction f, int x, int y, int z);
CUresult old_launch_shared(CUfunction f, size_t size_bytes);
CUresult old_launch_param_size(CUfunction f, size_t size_bytes);
CUresult old_launch_param(CUfunction f, int offset, const void *value,
                          size_t size_bytes);
CUresult old_launch_grid(CUfunction f, int width, int height, CUstream s);

/* Bytes, registers and threads as CU_FUNC_ATTRIBUTE_* defines them. Setting
 * affects later launches. INVALID_VALUE: no such attribute, or it cannot have
 * this value. */
CUresult function_attribute(int *value, CUfunction_attribute attribute,
                            CUfunction f);
CUresult function_set_attribute(CUfunction f, CUfunction_attribute attribute,
                                int value);

/* Device code of no context; a context gets a module of it when it first uses
 * it. Loads what module_load_linked loads, or a wrapper of several parts.
 * Fails only without memory: if the code is wrong, the logs say so, and
 * library_module, library_kernel and library_fault return the error. */
CUresult library_load(const void *image, struct module_log *errors,
                      struct module_log *info, CUlibrary *out);
bool library_is_alive(CUlibrary library);
CUresult library_fault(CUlibrary l);
CUresult library_unload(CUlibrary l);
CUresult library_module(CUlibrary l, CUcontext ctx, CUmodule *out);
CUresult library_kernel(CUlibrary l, const char *name, CUkernel *out);
/* Number of the library's kernels; the first `count` of them are written to
 * `out`. */
size_t library_kernels(CUlibrary l, CUkernel *out, size_t count);
/* A handle for a kernel of the program itself. `find` gives the current
 * context's function for the host function; `name` is borrowed. NULL: out of
 * memory. */
typedef CUresult kernel_find_fn(const void *host, CUfunction *out);
CUkernel kernel_create(const char *name, const void *host,
                       kernel_find_fn *find);
void kernel_destroy(CUkernel k);
CUresult kernel_check(CUkernel k); /* INVALID_HANDLE: no kernel's */
const char *kernel_name(CUkernel k);
CUlibrary kernel_library(CUkernel k); /* NULL: the program's own */
CUresult kernel_function(CUkernel k, CUcontext ctx, CUfunction *out);
/* *f may be a kernel: then it is replaced by its function in the context. */
CUresult function_resolve(CUcontext ctx, CUfunction *f);

struct launch_config {
    CUgraphExec graph_exec; /* the instance that it is a node of, or NULL */
    unsigned grid[3], block[3];
    size_t shared_bytes;
    CUstream stream; /* resolved */
    bool is_cooperative;
    bool is_programmatic; /* may begin before the kernel before it has ended */
    unsigned cluster[3]; /* blocks in a cluster; 0: as the kernel says */
    CUevent event;       /* recorded behind the kernel; NULL: none */
    CUgraphEdgeData event_edge; /* in graphs: what comes behind the event */
    const int *priority;        /* of its node, or NULL: the stream's */
    const CUaccessPolicyWindow *window; /* of its node, or NULL: the stream's */
    CUkernel kern;       /* what the program calls it; for graphs */
    /* In a capture: where the handle goes by which kernels change the node.
     * NULL: none is wanted. */
    CUlaunchAttributeValue *updatable;
};
/* Enters launch attributes into the configuration. INVALID_VALUE;
 * NOT_SUPPORTED: one that cannot be honoured. */
CUresult launch_attributes_read(const CUlaunchAttribute *attributes,
                                unsigned count, struct launch_config *config);
/* args: one pointer for each parameter; NULL: `packed` is the whole parameter
 * buffer. Copies the arguments before it returns. */
CUresult launch_kernel(CUfunction f, const struct launch_config *config,
                       void **args, const void *packed, size_t packed_bytes);
/* CUDA_LAUNCH_BLOCKING=1: a launch returns when its kernel has ended, with the
 * kernel's error. Read once. */
bool launch_is_blocking(void);
/* One device's part of a cooperative launch on several devices
 * (launch_all.c). */
struct launch_part {
    CUfunction function;
    struct launch_config config;
    void **args;
};
CUresult launch_on_all(struct launch_part *parts, unsigned count,
                       unsigned flags);
CUresult occupancy_max_blocks(CUfunction f, int block_size, size_t shared_bytes,
                              int *blocks); /* that fit on an SM at once */
/* The largest cluster that a launch may have, whatever cluster the kernel
 * requires; INVALID_CLUSTER_SIZE: what `config` names is none. And how many
 * clusters of a launch fit on the device at once. */
CUresult occupancy_max_cluster_size(CUfunction f,
                                    const struct launch_config *config,
                                    int *size);
CUresult occupancy_max_clusters(CUfunction f,
                                const struct launch_config *config,
                                int *count);

/* ---- tensor maps (tensor_map.c) ---------------------------------------- */

/* The driver API's functions, which both libraries export as they are. */
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
CUresult tensor_map_im2col_wide(
    CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
    const cuuint64_t *dim, const cuuint64_t *stride, int lower, int upper,
    cuuint32_t channels, cuuint32_t pixels, const cuuint32_t *step,
    CUtensorMapInterleave interleave, CUtensorMapIm2ColWideMode mode,
    CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2_promotion,
    CUtensorMapFloatOOBfill fill);
CUresult tensor_map_replace_address(CUtensorMap *map, void *address);

/* Names and texts of the runtime API's errors; constants, never NULL. */
const char *error_name(int error);
const char *error_text(int error);

#pragma GCC visibility pop

#endif
