/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory, for the files of core/: pages, allocations, ranges, addresses apart
 * from memory, pools. Above contexts.
 */
#ifndef WEFT_CORE_MEM_H
#define WEFT_CORE_MEM_H

#include "core/ctx.h"

/* What the system maps memory by. */
#define PAGE_BYTES ((size_t)4096)

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
/* Whole pages between these addresses lose what they hold. */
void pages_discard(void *p, size_t size_bytes);
/* Addresses that no access is allowed to, and back; whatever lies there is gone
 * then. NULL: none are left. */
void *pages_reserve(size_t size_bytes);
void pages_give_back(void *p, size_t size_bytes);
/* A file's bytes at reserved addresses. */
bool pages_map_file(void *p, size_t size_bytes, int fd, uint64_t offset);
/* The number of the unit that holds p, or SIZE_MAX. */
size_t pages_unit(const void *p);
size_t pages_unit_count(void);

/* Aligned to 512 bytes; NULL: there is no room. mem_release frees it. The owner
 * of MEM_DEVICE is the block of a graph (graph/memory.c). */
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
/* Calls fn(data, info) for each allocation, with the lock of all memory. */
void mem_visit(void (*fn)(void *data, const struct mem_info *info), void *data);
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
/* Of mapped memory: whether the device has that access to all of the bytes; and
 * whose memory it is. Device 0 stands for the host's, and for addresses where
 * nothing is mapped. */
bool virtual_reaches(int device, CUdeviceptr p, size_t size_bytes,
                     CUmemAccess_flags access);
int virtual_device(CUdeviceptr p);
/* pointer.c: the context's device has been given that access to the bytes, or
 * needs none. There is one memory; only calls ask. */
bool pointer_reaches(CUcontext ctx, const void *p, size_t size_bytes,
                     CUmemAccess_flags access);
void virtual_free_all(void);
void virtual_reservation(const struct mem_info *m, CUdeviceptr *base,
                         size_t *size_bytes);
int virtual_handle_types(const struct mem_info *m);

/* globals.c: makes what is said of a module's memory what is said of the
 * variable at p, if there is one. */
void module_refine(struct mem_info *info, CUdeviceptr p);

/* pool.c: some device may use it. */
bool pool_is_open(const struct mem_info *info);
/* Frees it at once; false: p is no pool's. */
bool pool_free_now(CUdeviceptr p);
/* The same once work in `s` is done. */
bool pool_free(CUstream s, CUdeviceptr p, CUresult *err);
/* What pools need not keep, now that somebody has waited. */
void pool_release_unused(void);
void pool_free_all(int device); /* what is in its memory */
/* [p, p + size) is inside one allocation, or no device memory at all. */
bool mem_holds(const void *p, size_t size_bytes);
/* The host's memory, which may be gone by now, or not writable. */
bool mem_is_hosts(const void *p);
/* Bytes of the host's, from its first to its last: both can be read, or
 * written. */
bool mem_can_touch(const void *p, size_t size_bytes, bool to_write);
/* A variable of the program that kernels use as their managed one. */
bool mem_adopt_managed(void *p, size_t size_bytes);
void mem_forget_managed(const void *p);

#endif
