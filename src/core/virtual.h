/* SPDX-License-Identifier: Apache-2.0 */
/* What virtual.c and multicast.c share: memory, and where it is mapped. */
#ifndef WEFT_CORE_VIRTUAL_H
#define WEFT_CORE_VIRTUAL_H

#include "core/internal.h"

#define GRAIN_BYTES ((size_t)2 << 20)

struct multicast;

struct memory {
    int fd; /* -1: of a multicast object */
    size_t size_bytes;
    CUmemAllocationProp props;
    unsigned holders;  /* handles that the program has */
    unsigned mappings; /* and bindings; it ends when there are neither */
    uint64_t id;
    struct multicast *multicast; /* NULL: it is memory */
};

struct mapping {
    CUdeviceptr base;
    size_t size_bytes;
    struct memory *memory;
    CUmemAccess_flags access[DEVICE_COUNT_MAX], host_access;
};

struct range {
    struct list in_all;
    void *whole; /* reserved, for the alignment perhaps more than was asked */
    CUdeviceptr base;
    size_t size_bytes;
    VEC(struct mapping) mappings; /* by address */
};

/* Of all ranges, memories and multicast objects. */
void virtual_lock(void);
void virtual_unlock(void);
/* With the lock; NULL: none. */
struct mapping *virtual_find_mapping(CUdeviceptr p);
/* With the lock: the most that any device may do. */
CUmemAccess_flags virtual_access_of_all(const struct mapping *m);
struct memory *virtual_find_memory(CUmemGenericAllocationHandle handle);
/* With the lock; when neither a handle nor a mapping is left. */
void virtual_end_if_unused(struct memory *m);
/* Makes it one that has a handle: its address. False: out of memory. */
bool virtual_keep(struct memory *m);

/* multicast.c, with the lock: its bindings end, and it; may it be mapped? */
void multicast_destroy(struct memory *m);
bool multicast_is_complete(const struct memory *m);

#endif
