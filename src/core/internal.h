/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layouts that only core/ knows.
 *
 *   ctx.c       a context, sticky errors; contexts.c which there are;
 * ctx_life.c how they come and go; ctx_stack.c those of a thread ctx_storage.c
 * what clients keep with a context device.c    attributes (attributes.def),
 * limits mem.c       allocations and what a pointer is; pages.c maps the
 * memory; mem_calls.c what programs call copy.c      copies and fills;
 * copy_policy.c who waits for them; copy_box.c what their descriptions mean
 *   pool.c      memory in stream order; pool_share.c between processes
 *   virtual.c   addresses and memory apart
 *   range.c     what is said of managed memory; batch.c many of them at once
 *   ipc.c       memory and events of other processes
 *   graphics.c  buffers and images of OpenGL (graphics_resource.h)
 *   external_memory.c, external_semaphore.c  what Vulkan and others share
 *   memops.c    words that streams write and wait for; until.c waiting for
 *               what no task of ours does
 *   pointer.c   what is said of a pointer
 *   array.c     arrays (array.h says how they lie); registry.c living handles
 *   capture_hooks.c  where streams ask graph/ whether they are captured
 *   stream.c    order between pieces of work; stream_attributes.c what is said
 *               about it
 *   event.c     marks in that order
 *   module.c    loading PTX, functions; globals.c variables
 *   library.c   device code of no context, of which each makes a module
 *   image.c     what PTX is loaded from; src/fatbin the container that
 * compilers put it in externs.c   what a module does not define; refused.c what
 * nothing runs report.c    the logs of a load launch.c    launching a kernel;
 * launch_attributes.c what is said about it; function.c the kernel's
 * attributes; clusters.c how many blocks its clusters have alike.c     rows of
 * a block of which one stands for all tensor_map.c  descriptions of tensors for
 * the device's copies grid.c      grids that launch grids (grid.h);
 * device_calls.c what kernels call of the runtime; error_text.c names of errors
 * for them
 */
#ifndef WEFT_CORE_INTERNAL_H
#define WEFT_CORE_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "core/core.h"
#include "jit/jit.h"

/* ---- context ---------------------------------------------------------- */

struct CUctx_st {
    /* A CUresult, set once by the first fault; tasks that start later are
     * cancelled by it. */
    atomic_int sticky;
    /* Guards everything below, and the tails of the streams. */
    pthread_mutex_t lock;
    struct list streams; /* of CUstream_st.in_ctx, destroyed ones too while
                            their work goes on */
    struct map handles;  /* living streams, events, modules, by address */
    struct list events;
    struct list modules;
    CUstream legacy;     /* the default stream */
    struct exec_task *gate; /* what new streams wait for first; or NULL */
    unsigned generation; /* resets so far */
    uint64_t peers[4];   /* contexts that it may access, by place */
    /* contexts.c. The id is of no other context, ever; 0: there is none. */
    atomic_ullong id;
    atomic_uint flags; /* CU_CTX_* */
    int device;
    unsigned holder_count; /* of a primary one */
    bool is_runtimes;      /* the runtime API holds it, too */
    bool is_taken;         /* a created one's place */
    unsigned use_count;    /* beside the one of who created it */
};

/* Waits for all work; how many streams were not done. */
unsigned ctx_drain(CUcontext ctx);
CUcontext ctx_at(unsigned place); /* NULL: none is alive there */
CUcontext ctx_at_place(unsigned place); /* alive or not */
/* With an id from now on. */
void ctx_come_alive(CUcontext ctx);
/* A child of this process may not use what is made from here on. Once. */
void ctx_watch_forks(void);
/* The calling thread's top one is this now, which the program did not choose;
 * the runtime API's device. */
void ctx_replace_current(CUcontext ctx);
void ctx_note_device(int device);
/* Called whenever somebody has waited for work; one function. */
typedef void ctx_waited_fn(void);
void ctx_on_wait(ctx_waited_fn *fn);
void ctx_note_wait(void);
/* Where the calling thread's allocations belong. */
unsigned ctx_place_of_thread(void);

/* Ends what is kept with the context. */
void ctx_storage_end(CUcontext ctx);
void ctx_lock(CUcontext ctx);
void ctx_unlock(CUcontext ctx);
/* Takes the lock at a moment when no stream has unfinished work. */
void ctx_lock_idle(CUcontext ctx);
/* on_done of every task: a fault becomes the context's sticky error. */
void ctx_task_done(void *ctx, enum exec_fault fault);

/* ---- streams and events ----------------------------------------------- */

/* stream_attributes.c. All zero: nothing was said. */
struct stream_hints {
    CUaccessPolicyWindow window;
    CUsynchronizationPolicy policy;
    CUlaunchMemSyncDomain domain;
};

struct CUstream_st {
    struct list in_ctx;
    CUcontext ctx;
    struct exec_task *tail; /* last work submitted; NULL: none yet */
    unsigned flags;         /* CU_STREAM_*; never changes */
    int priority;
    struct stream_hints hints;
    unsigned long long id; /* of no other stream, ever */
    bool is_legacy;
    struct capture_point *point; /* graph/capture.h; NULL: not captured */
    bool is_destroyed; /* freed when its work is done */
};

struct CUevent_st {
    struct list in_ctx;
    CUcontext ctx;
    struct exec_task *task; /* of the last record; NULL: never recorded */
    struct capture_point *point; /* of a record in a captured stream */
    unsigned flags;
    struct ipc_event *shared; /* with other processes; else NULL */
};

/* event.c: a stream's wait for an event that other processes may record; true:
 * it is one. */
bool event_wait_shared(CUevent e, CUstream s, CUresult *err);

enum { HANDLE_STREAM = 1, HANDLE_EVENT = 2, HANDLE_MODULE = 3 };
bool handle_add(CUcontext ctx, const void *handle, intptr_t what);
bool handle_is(CUcontext ctx, const void *handle, intptr_t what);
/* The living context that has it, locked, or NULL. */
CUcontext handle_lock_owner(CUcontext likely, const void *handle,
                            intptr_t what);

/* memops.c: they could be done. */
CUresult memops_check(const CUstreamBatchMemOpParams *ops, unsigned count);
/* As a program would say it. */
void memop_params(const struct memop *m, CUstreamBatchMemOpParams *out);

/* texture_reference.c: before its variables go. */
void texture_references_forget(CUmodule m);
/* ctx.c: ctx_synchronize, whatever is captured. */
CUresult ctx_wait(CUcontext ctx);

/* graph/memory.c: true, with what comes of it, if a graph's node allocated p. */
bool graph_memory_free(CUdeviceptr p, CUresult *err);

/* copy_policy.c: both sides may be what they are. */
CUresult copy_check(const struct mem_copy *copy);

/* event.c, for graphs: the event is recorded when *mark, the caller's to
 * submit, is done; what it waits for now, with a reference, or NULL. */
CUresult event_set_mark(CUcontext ctx, CUevent e, struct exec_task **mark);
CUresult event_get_mark(CUcontext ctx, CUevent e, struct exec_task **mark);

CUstream stream_new(CUcontext ctx, unsigned flags, int priority);
int stream_clamp_priority(int priority);
void stream_free_all(CUcontext ctx); /* all work is done */
void stream_free_legacy(CUcontext ctx);
void event_free_all(CUcontext ctx);
/* The task of the last record, with a reference; may be NULL. */
CUresult event_task(CUevent e, struct exec_task **out);
/* True: nothing submitted before is unfinished. */
bool stream_is_idle(CUstream s);
/* A reference to a task that is done when all submitted before is, or NULL: it
 * is now. False: no memory. */
bool stream_mark(CUstream s, struct exec_task **out);
/* What comes in `s` comes after `t` as well. */
CUresult stream_wait_task(CUstream s, struct exec_task *t);

/* ---- memory ----------------------------------------------------------- */

/* pages.c: the reserved range, in units of 2 MiB. */
#define PAGES_UNIT ((size_t)2 << 20)
bool pages_init(void);
/* `size_bytes` readable and writable bytes, at least 4 KiB of guard behind
 * them. NULL: no memory. */
void *pages_alloc(size_t size_bytes);
void pages_free(void *p, size_t size_bytes);
/* Freed pages that are open still are closed. */
bool pages_are_parked(void);
void pages_close_parked(void);
/* Addresses that nobody may touch yet, and back; whatever lies there is gone
 * then. NULL: none are left. */
void *pages_reserve(size_t size_bytes);
void pages_give_back(void *p, size_t size_bytes);
/* A file's bytes at reserved addresses. */
bool pages_map_file(void *p, size_t size_bytes, int fd, uint64_t offset);
/* The number of the unit that holds p, or SIZE_MAX. */
size_t pages_unit(const void *p);
size_t pages_unit_count(void);

void *mem_alloc_kind(size_t size_bytes, enum mem_kind kind, unsigned flags);
void *mem_alloc_owned(size_t size_bytes, enum mem_kind kind, void *owner);
/* A part of a file, as device memory. */
struct mem_file {
    int fd;
    uint64_t offset;
};
void *mem_alloc_file(size_t size_bytes, enum mem_kind kind, void *owner,
                     struct mem_file file);
/* Makes the allocation at p a part of a file, if it is none yet; nobody uses
 * it meanwhile. False: no memory. The file lives as long as the allocation. */
struct mem_shared {
    int fd;
    uint64_t offset;
    size_t size_bytes;
};
bool mem_share(const void *p, struct mem_shared *out);
/* Asked about addresses of MEM_VIRTUAL; before any is reserved. */
struct mem_lookup {
    struct mem_info (*query)(CUdeviceptr p);
    bool (*holds)(CUdeviceptr p, size_t size_bytes, CUmemAccess_flags access);
};
void mem_set_mappings(const struct mem_lookup *lookup);
/* Addresses without memory, all of one owner. */
void *mem_reserve(size_t size_bytes, enum mem_kind kind, void *owner);
/* An allocation's owner, if it starts at p and is of kind `from`; it is of kind
 * `to` then and, if that is not 0, of this size. */
void *mem_change(const void *p, enum mem_kind from, enum mem_kind to,
                 size_t size_bytes);
void mem_set_sync(const void *p, bool is_sync);
/* Before kernels run: what was freed is closed to them. */
void mem_close_freed(void);
/* Counts memory that is not mem.c's as the device's. False: too much. */
bool mem_take_room(size_t size_bytes);
void mem_give_room(size_t size_bytes);
/* False: p is no start of a living allocation of that kind. */
bool mem_release(const void *p, enum mem_kind kind);
/* What programs have allocated in the context, and its arrays. */
void mem_release_all(CUcontext ctx);
/* range.c: nothing was said of it. */
void range_forget(CUdeviceptr p, size_t size_bytes);
void array_free_all(CUcontext ctx);
void graphics_free_all(CUcontext ctx);
/* external_memory.c, external_semaphore.c. The first: it was such a buffer. */
bool external_free(CUdeviceptr p);
void external_memory_free_all(CUcontext ctx);
void external_semaphore_free_all(CUcontext ctx);
/* INVALID_VALUE: nothing to do; INVALID_HANDLE: not all are semaphores. */
CUresult external_check(const CUexternalSemaphore *sems, const void *params,
                        unsigned count);

/* virtual.c: what is mapped at p; bytes with that access, in several mappings;
 * the whole reserved range and the kinds of handles that memory may have, which
 * other memory leaves as they are. */
struct mem_info virtual_query(CUdeviceptr p);
bool virtual_holds(CUdeviceptr p, size_t size_bytes, CUmemAccess_flags access);
void virtual_free_all(void);
void virtual_reservation(const struct mem_info *m, CUdeviceptr *base,
                         size_t *size_bytes);
int virtual_handle_types(const struct mem_info *m);

/* pool.c. Frees it at once; false: p is no pool's. */
bool pool_free_now(CUdeviceptr p);
/* The same once work in `s` is done. */
bool pool_free(CUstream s, CUdeviceptr p, CUresult *err);
/* What pools need not keep, now that somebody has waited. */
void pool_release_unused(void);
void pool_free_all(int device); /* what is in its memory */
/* [p, p + size) is inside one allocation, or no device memory at all. */
bool mem_holds(const void *p, size_t size_bytes);
/* A variable of the program that kernels use as their managed one. */
bool mem_adopt_managed(void *p, size_t size_bytes);
void mem_forget_managed(const void *p);

/* ---- images ----------------------------------------------------------- */

/* PTX of an image. `text` is the image's own, or `owned`. */
struct image_text {
    const char *text;
    size_t length;
    void *owned;
};
CUresult image_open(const void *image, struct diag *log,
                    struct image_text *out);
void image_close(struct image_text *t);
/* NO_BINARY_FOR_GPU, after reporting, where the device is too old for it. */
CUresult image_check_target(const struct ptx_module *m, struct diag *log);

/* ---- modules ---------------------------------------------------------- */

struct CUmod_st {
    struct list in_ctx;
    CUcontext ctx;
    struct ptx_module *ptx;
    bool is_ptx_borrowed; /* of a library's */
    struct jit_module *jit;
    uint8_t *globals;
    CUfunction functions; /* array, one for each entry */
    size_t function_count;
    struct map function_of_name;
    atomic_int calls_device; /* module_calls_device knows */
};

struct CUfunc_st {
    CUmodule module;
    const struct ptx_func *ptx;
    uint32_t static_shared_bytes;
    size_t max_dynamic_bytes; /* what a launch may ask for */
    int carveout;
    unsigned cluster[3]; /* asked for at run time; 0: not */
    bool is_large_cluster_allowed;
    int cluster_policy;
    atomic_int rows; /* enum row_kind, once somebody has looked */
    atomic_bool is_callable; /* looked at, and good */
    /* WEFT_ENGINE=emu: made at the first launch, under lock. */
    struct emu_kernel *emu;
    struct jit_kernel emu_code;
    /* native.c: what it runs instead of its PTX; NULL: nothing. */
    const struct native_kernel *native;
    struct jit_kernel native_code;
    struct old_launch *old; /* old_launch.c, under lock */
    pthread_mutex_t lock;   /* of emu and old */
};

/* Does the reference interpreter run kernels? It sees them as they are, without
 * any optimisation. */
bool function_is_interpreted(void);

enum row_kind { ROWS_UNKNOWN, ROWS_DIFFER, ROWS_ALIKE };
/* alike.c: a block of several rows may run one of them. */
bool kernel_rows_are_alike(const struct ptx_func *kernel);

/* explain.c: one line on stderr about the kernel that has just failed. */
void explain_fault(enum exec_fault fault);

/* globals.c */
CUresult module_make_globals(CUmodule m, struct diag *log);
void module_set_globals(CUmodule m); /* their initial values */
void module_free_globals(CUmodule m);
/* report.c: what is alive at once, in 32-bit registers. */
unsigned report_register_count(const struct ptx_func *f);
size_t report_local_bytes(const struct ptx_func *f);
size_t report_const_bytes(const struct ptx_module *m);
/* Fills both; either may be NULL. m: what was loaded, NULL if nothing was. */
void report_logs(struct module_log *errors, struct module_log *info,
                 const struct diag *log, const struct ptx_module *m);
void report_warnings(const struct ptx_module *m, struct diag *log);
/* externs.c: INVALID_PTX after naming what is used and defined nowhere. */
CUresult module_check_externs(const struct ptx_module *m, struct diag *log);
/* Reads several images and links them into one module. */
CUresult module_link_parts(const void *const *images, size_t count,
                           struct diag *log, struct ptx_module **out,
                           uint64_t *hash);
/* A module of code that others own, and that outlives it. */
CUresult module_of_ptx(CUcontext ctx, struct ptx_module *ptx,
                       uint64_t text_hash, CUmodule *out);
/* module_load of several images. */
CUresult module_load_all(CUcontext ctx, const void *const *images, size_t count,
                         struct diag *log, CUmodule *out);
/* Refuses, with messages, what has instructions that nothing runs. */
CUresult module_check_instructions(const struct ptx_module *m,
                                   struct diag *log);
/* A function of the device runtime that the kernel may call, or NULL. */
const char *kernel_device_runtime_call(const struct ptx_func *kernel);
/* NULL after reporting. */
const struct jit_kernel *
function_variant(CUfunction f, const struct simt_spec *spec, struct diag *diag);
void function_fini(CUfunction f);
/* clusters.c: what the launch's clusters are, written into c; and its grid, if
 * that counts clusters. */
CUresult cluster_resolve(CUfunction f, struct launch_config *c);

/* ---- limits of the device we are -------------------------------------- */

#define LIMIT_THREADS_PER_BLOCK  1024
#define LIMIT_BLOCK_Z            64
#define LIMIT_GRID_X             0x7fffffffu
#define LIMIT_GRID_YZ            65535u
#define LIMIT_SHARED_BYTES       (48u << 10)
#define LIMIT_SHARED_OPTIN_BYTES (227u << 10)
#define LIMIT_SHARED_SM_BYTES    (228u << 10)
#define LIMIT_SHARED_RESERVED    1024u
#define LIMIT_THREADS_PER_SM     2048
#define LIMIT_BLOCKS_PER_SM      32
#define LIMIT_WARPS_PER_SM       64
#define LIMIT_CLUSTER_PORTABLE   8
#define DEVICE_SM                90 /* compute capability 9.0 */

#endif
