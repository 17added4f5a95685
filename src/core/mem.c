/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocations, and what is known about a pointer. A large allocation has units
 * of pages.c to itself; small ones share a unit with others of their size
 * class. A table with an entry for each unit finds the allocation of any
 * address at once. Device, managed, pinned memory and modules' variables are
 * one kind of memory under different names.
 */
#define _GNU_SOURCE
#include "core/capture_hooks.h"
#include "core/check.h"
#include "exec/reach.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define ALIGN_BYTES     ((size_t)512)
#define SMALL_BYTES_MAX ((size_t)256 << 10)
#define CLASS_COUNT     19 /* 512, 768 rounded up to 1024 ... 256 KiB */
#define SLAB_WORDS      (PAGES_UNIT / ALIGN_BYTES / 64)

struct large {
    struct mem_info info;
    size_t whole_bytes;   /* info's size is what the program asked for */
    size_t counted_bytes; /* charged to the device's memory */
    bool is_reserved;     /* only addresses, or a file's bytes at them */
    int fd;               /* file, once it is shared; else -1 */
};

/* What a slab knows about one of its objects. */
struct small {
    uint32_t size_bytes;
    uint16_t flags;
    uint8_t kind;  /* MEM_UNKNOWN: free */
    uint8_t place; /* of the context: see contexts.c */
    bool is_sync;
    void *owner;
    uint64_t id;
};

struct slab {
    struct list in_class; /* slabs with a free object */
    uint8_t *base;
    size_t object_bytes;
    unsigned object_count, free_count;
    int fd;                       /* once an object is shared; else -1 */
    uint64_t is_free[SLAB_WORDS]; /* by bit */
    struct small small[];
};

/* The entry of a unit: NULL, a slab, or a large allocation (lowest bit
 * set). */
typedef uintptr_t unit_entry;

static struct {
    pthread_mutex_t lock;
    atomic_bool is_ready; /* written with the lock, read without */
    unit_entry *units;    /* mapped; one per unit */
    struct list classes[CLASS_COUNT];
    size_t used_bytes;
    uint64_t last_id;
    size_t used_of[DEVICE_COUNT_MAX];
    size_t room_bytes; /* taken of all devices */
    VEC(struct mem_info) registered;
} mem = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- setting up ------------------------------------------------------- */

static bool is_heap_ready(void)
{
    /* Pairs with the store in prepare_heap: pages.c is, too. */
    return atomic_load_explicit(&mem.is_ready, memory_order_acquire);
}

static bool prepare_heap(void)
{
    if (is_heap_ready())
        return true;
    if (!pages_init())
        return false;
    size_t bytes = pages_unit_count() * sizeof(unit_entry);
    void *units = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (units == MAP_FAILED)
        return false;
    mem.units = units;
    for (unsigned i = 0; i < CLASS_COUNT; i++)
        list_init(&mem.classes[i]);
    /* Pairs with the load in is_heap_ready. */
    atomic_store_explicit(&mem.is_ready, true, memory_order_release);
    return true;
}

/* ---- whose it is ------------------------------------------------------ */

static uint8_t place_now(void)
{
    static_assert(CTX_PLACE_COUNT <= UINT8_MAX + 1, "a byte is enough");
    return (uint8_t)ctx_place_of_thread();
}

static void note_used(uint8_t place, ptrdiff_t bytes)
{
    CUcontext ctx = ctx_at_place(place);
    mem.used_bytes += (size_t)bytes;
    mem.used_of[ctx_device(ctx)] += (size_t)bytes;
}

/* Bytes used of the calling thread's device. */
static size_t used_now(void)
{
    return mem.used_of[ctx_device_of_thread()] + mem.room_bytes;
}

/* ---- small allocations ------------------------------------------------ */

/* Size of class 2i: 512 << i, of class 2i + 1: 768 << i, rounded to the
 * alignment. */
static size_t class_bytes(unsigned c)
{
    assert(c < CLASS_COUNT);
    size_t bytes = (c % 2 ? (size_t)768 : (size_t)512) << c / 2;
    return (bytes + ALIGN_BYTES - 1) & ~(ALIGN_BYTES - 1);
}

static unsigned class_of(size_t size_bytes)
{
    assert(size_bytes <= SMALL_BYTES_MAX);
    unsigned c = 0;
    while (class_bytes(c) < size_bytes)
        c++;
    return c;
}

static struct slab *slab_create(unsigned c)
{
    size_t object_bytes = class_bytes(c);
    /* The last page stays closed, as a guard before the next unit. */
    unsigned count = (unsigned)((PAGES_UNIT - 4096) / object_bytes);
    struct slab *s = calloc(1, sizeof *s + count * sizeof s->small[0]);
    if (!s)
        return NULL;
    s->base = pages_alloc(count * object_bytes);
    if (!s->base) {
        free(s);
        return NULL;
    }
    s->fd = -1;
    s->object_bytes = object_bytes;
    s->object_count = s->free_count = count;
    for (unsigned i = 0; i < count; i++)
        s->is_free[i / 64] |= UINT64_C(1) << i % 64;
    list_push(&mem.classes[c], &s->in_class);
    mem.units[pages_unit(s->base)] = (unit_entry)s;
    return s;
}

static unsigned first_free(const struct slab *s)
{
    assert(s->free_count > 0);
    unsigned word = 0;
    while (!s->is_free[word])
        word++;
    return word * 64 + (unsigned)__builtin_ctzll(s->is_free[word]);
}

static void *alloc_small(size_t size_bytes, enum mem_kind kind, unsigned flags,
                         void *owner)
{
    assert(kind != MEM_UNKNOWN);
    unsigned c = class_of(size_bytes);
    struct slab *s =
        list_is_empty(&mem.classes[c])
            ? slab_create(c)
            : container_of(mem.classes[c].next, struct slab, in_class);
    if (!s)
        return NULL;
    unsigned i = first_free(s);
    s->is_free[i / 64] &= ~(UINT64_C(1) << i % 64);
    s->small[i] = (struct small){
        .size_bytes = (uint32_t)size_bytes,
        .flags = (uint16_t)flags,
        .kind = (uint8_t)kind,
        .place = place_now(),
        .owner = owner,
        .id = ++mem.last_id,
    };
    if (--s->free_count == 0)
        list_remove(&s->in_class);
    note_used(s->small[i].place, (ptrdiff_t)s->object_bytes);
    return s->base + i * s->object_bytes;
}

static void free_small(struct slab *s, unsigned i)
{
    exec_reach_expire();
    assert(i < s->object_count && s->small[i].kind != MEM_UNKNOWN);
    assert(s->free_count < s->object_count);
    s->is_free[i / 64] |= UINT64_C(1) << i % 64;
    s->small[i].kind = MEM_UNKNOWN;
    note_used(s->small[i].place, -(ptrdiff_t)s->object_bytes);
    if (s->free_count++ == 0)
        list_push(&mem.classes[class_of(s->object_bytes)], &s->in_class);
}

/* ---- large allocations ------------------------------------------------ */

static void set_units(const void *p, size_t size_bytes, unit_entry entry)
{
    assert(size_bytes > 0 && pages_unit(p) != SIZE_MAX);
    size_t first = pages_unit(p);
    size_t last = pages_unit((const uint8_t *)p + size_bytes - 1);
    for (size_t i = first; i <= last; i++)
        mem.units[i] = entry;
}

/* Enters a large allocation at p; NULL: there is no memory. */
static void *note_large(struct large l, void *p)
{
    assert(!p || l.counted_bytes <= l.whole_bytes);
    struct large *own = p ? malloc(sizeof *own) : NULL;
    if (!own)
        return NULL;
    *own = l;
    own->info.base = (CUdeviceptr)(uintptr_t)p;
    own->info.id = ++mem.last_id;
    set_units(p, l.whole_bytes, (unit_entry)own | 1);
    note_used(l.info.place, (ptrdiff_t)l.counted_bytes);
    return p;
}

static struct large large_of(size_t size_bytes, enum mem_kind kind,
                             unsigned flags, void *owner)
{
    return (struct large){
        .info = {.kind = kind,
                 .size_bytes = size_bytes,
                 .flags = flags,
                 .place = place_now(),
                 .owner = owner},
        .whole_bytes = size_bytes,
        .counted_bytes = size_bytes,
        .fd = -1,
    };
}

static void *alloc_large(size_t size_bytes, enum mem_kind kind, unsigned flags,
                         void *owner)
{
    assert(size_bytes > SMALL_BYTES_MAX && kind != MEM_UNKNOWN);
    struct large l = large_of(size_bytes, kind, flags, owner);
    void *p = pages_alloc(size_bytes);
    if (p && !note_large(l, p)) {
        pages_free(p, size_bytes);
        return NULL;
    }
    return p;
}

static void *reserve_large(size_t size_bytes, enum mem_kind kind, void *owner,
                           size_t counted_bytes)
{
    struct large l = large_of(size_bytes, kind, 0, owner);
    l.is_reserved = true;
    l.counted_bytes = counted_bytes;
    void *p = pages_reserve(size_bytes);
    if (p && !note_large(l, p)) {
        pages_give_back(p, size_bytes);
        return NULL;
    }
    return p;
}

static void free_large(struct large *l)
{
    exec_reach_expire();
    assert(l->whole_bytes > 0 && l->info.kind != MEM_UNKNOWN);
    void *p = (void *)(uintptr_t)l->info.base;
    set_units(p, l->whole_bytes, 0);
    note_used(l->info.place, -(ptrdiff_t)l->counted_bytes);
    if (l->fd >= 0)
        close(l->fd);
    if (l->is_reserved || l->fd >= 0)
        pages_give_back(p, l->whole_bytes);
    else
        pages_free(p, l->whole_bytes);
    free(l);
}

/* ---- looking up ------------------------------------------------------- */

static struct mem_info query_small(const struct slab *s, const void *p)
{
    assert((const uint8_t *)p >= s->base);
    struct mem_info none = {0};
    size_t i = (size_t)((const uint8_t *)p - s->base) / s->object_bytes;
    if (i >= s->object_count || s->small[i].kind == MEM_UNKNOWN ||
        (size_t)((const uint8_t *)p - s->base) % s->object_bytes >=
            s->small[i].size_bytes)
        return none;
    return (struct mem_info){
        .kind = s->small[i].kind,
        .base = (CUdeviceptr)(uintptr_t)(s->base + i * s->object_bytes),
        .size_bytes = s->small[i].size_bytes,
        .flags = s->small[i].flags,
        .place = s->small[i].place,
        .owner = s->small[i].owner,
        .id = s->small[i].id,
        .is_sync = s->small[i].is_sync,
    };
}

static struct mem_info query_registered(const void *p)
{
    CUdeviceptr address = (CUdeviceptr)(uintptr_t)p;
    for (size_t i = 0; i < mem.registered.count; i++) {
        const struct mem_info *r = &mem.registered.data[i];
        if (address - r->base < r->size_bytes)
            return *r;
    }
    return (struct mem_info){0};
}

static struct mem_info query_locked(const void *p)
{
    struct mem_info none = {0};
    size_t unit = is_heap_ready() ? pages_unit(p) : SIZE_MAX;
    if (unit == SIZE_MAX)
        return query_registered(p);
    unit_entry entry = mem.units[unit];
    if (entry == 0)
        return none;
    if (!(entry & 1))
        return query_small((const struct slab *)entry, p);
    struct mem_info info =
        ((const struct large *)(entry & ~(uintptr_t)1))->info;
    return (uintptr_t)p - info.base < info.size_bytes ? info : none;
}

static _Atomic(const struct mem_lookup *) mappings;

void mem_set_mappings(const struct mem_lookup *lookup)
{
    assert(lookup && lookup->query && lookup->holds);
    atomic_store(&mappings, lookup);
}

static const struct mem_lookup *mapping_lookup(void)
{
    const struct mem_lookup *l = atomic_load(&mappings);
    assert(l); /* reserved addresses always have an entry */
    return l;
}

CUcontext mem_context(const struct mem_info *info)
{
    CUcontext ctx = ctx_at(info->place);
    return ctx ? ctx : ctx_at_place((unsigned)ctx_device_of_thread());
}

struct mem_info mem_query(const void *p)
{
    pthread_mutex_lock(&mem.lock);
    struct mem_info info = query_locked(p);
    pthread_mutex_unlock(&mem.lock);
    return info.kind == MEM_CACHED ? (struct mem_info){0}
           : info.kind == MEM_VIRTUAL
               ? mapping_lookup()->query((CUdeviceptr)(uintptr_t)p)
               : info;
}

bool mem_holds(const void *p, size_t size_bytes)
{
    struct mem_info info = mem_query(p);
    if (info.kind == MEM_VIRTUAL)
        return mapping_lookup()->holds((CUdeviceptr)(uintptr_t)p, size_bytes,
                                       CU_MEM_ACCESS_FLAGS_PROT_READ);
    if (info.kind == MEM_UNKNOWN || info.kind == MEM_REGISTERED)
        return p && size_bytes <= UINTPTR_MAX - (uintptr_t)p &&
               (!is_heap_ready() || pages_unit(p) == SIZE_MAX);
    return size_bytes <= info.base + info.size_bytes - (uintptr_t)p;
}

bool mem_is_hosts(const void *p)
{
    return !is_heap_ready() || pages_unit(p) == SIZE_MAX;
}

/* ---- allocating by kind ----------------------------------------------- */

/* True: the device has so many bytes left. */
static bool has_room(size_t size_bytes)
{
    size_t total = device_total_memory();
    return prepare_heap() && size_bytes <= total &&
           used_now() <= total - size_bytes;
}

void mem_close_freed(void)
{
    if (!pages_are_parked())
        return;
    pthread_mutex_lock(&mem.lock);
    pages_close_parked();
    pthread_mutex_unlock(&mem.lock);
}

bool mem_take_room(size_t size_bytes)
{
    pthread_mutex_lock(&mem.lock);
    bool ok = has_room(size_bytes);
    if (ok)
        mem.room_bytes += size_bytes;
    pthread_mutex_unlock(&mem.lock);
    return ok;
}

void mem_give_room(size_t size_bytes)
{
    pthread_mutex_lock(&mem.lock);
    mem.room_bytes -= size_bytes;
    pthread_mutex_unlock(&mem.lock);
}

static void *alloc_within_limit(size_t size_bytes, enum mem_kind kind,
                                unsigned flags, void *owner)
{
    void *p = NULL;
    pthread_mutex_lock(&mem.lock);
    if (has_room(size_bytes))
        p = size_bytes <= SMALL_BYTES_MAX
                ? alloc_small(size_bytes, kind, flags, owner)
                : alloc_large(size_bytes, kind, flags, owner);
    pthread_mutex_unlock(&mem.lock);
    if (p && kind == MEM_DEVICE)
        check_values_unset(p, size_bytes);
    else if (p)
        check_values_set(p, size_bytes);
    return p;
}

void *mem_alloc_kind(size_t size_bytes, enum mem_kind kind, unsigned flags)
{
    return alloc_within_limit(size_bytes, kind, flags, NULL);
}

void *mem_alloc_owned(size_t size_bytes, enum mem_kind kind, void *owner)
{
    return alloc_within_limit(size_bytes, kind, 0, owner);
}

void *mem_alloc_file(size_t size_bytes, enum mem_kind kind, void *owner,
                     struct mem_file file)
{
    assert(file.fd >= 0);
    void *p = NULL;
    pthread_mutex_lock(&mem.lock);
    if (has_room(size_bytes))
        p = reserve_large(size_bytes, kind, owner, size_bytes);
    pthread_mutex_unlock(&mem.lock);
    if (!p || pages_map_file(p, size_bytes, file.fd, file.offset))
        return p;
    mem_release(p, kind);
    return NULL;
}

void *mem_reserve(size_t size_bytes, enum mem_kind kind, void *owner)
{
    assert(kind != MEM_UNKNOWN);
    pthread_mutex_lock(&mem.lock);
    void *p = prepare_heap() ? reserve_large(size_bytes, kind, owner, 0) : NULL;
    pthread_mutex_unlock(&mem.lock);
    return p;
}

static void change_locked(unit_entry entry, const void *p, enum mem_kind to,
                          size_t size_bytes)
{
    assert(entry && to != MEM_UNKNOWN);
    if (entry & 1) {
        struct mem_info *info =
            &((struct large *)(entry & ~(uintptr_t)1))->info;
        info->kind = to;
        info->size_bytes = size_bytes ? size_bytes : info->size_bytes;
        info->id = ++mem.last_id;
        return;
    }
    const struct slab *s = (const struct slab *)entry;
    size_t i = (size_t)((const uint8_t *)p - s->base) / s->object_bytes;
    struct small *o = &((struct slab *)entry)->small[i];
    o->kind = (uint8_t)to;
    o->size_bytes = size_bytes ? (uint32_t)size_bytes : o->size_bytes;
    o->id = ++mem.last_id;
}

void mem_set_sync(const void *p, bool is_sync)
{
    pthread_mutex_lock(&mem.lock);
    size_t unit = is_heap_ready() ? pages_unit(p) : SIZE_MAX;
    unit_entry entry = unit == SIZE_MAX ? 0 : mem.units[unit];
    struct slab *s = (struct slab *)entry;
    if (entry & 1)
        ((struct large *)(entry & ~(uintptr_t)1))->info.is_sync = is_sync;
    else if (entry)
        s->small[(size_t)((const uint8_t *)p - s->base) / s->object_bytes]
            .is_sync = is_sync;
    pthread_mutex_unlock(&mem.lock);
}

/* ---- sharing ---------------------------------------------------------- */

static bool write_all(int fd, const uint8_t *p, size_t size_bytes)
{
    for (size_t done = 0; done < size_bytes;) {
        ssize_t n = pwrite(fd, p + done, size_bytes - done, (off_t)done);
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

/* Replaces memory by a file with the same bytes at the same address. Returns
 * the descriptor; -1: out of memory. */
static int move_to_file(void *p, size_t size_bytes)
{
    size_t length = (size_bytes + 4095) & ~(size_t)4095;
    int fd = memfd_create("weft-shared", MFD_CLOEXEC);
    if (fd >= 0 && write_all(fd, p, length) && pages_map_file(p, length, fd, 0))
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static bool share_large(struct large *l, struct mem_shared *out)
{
    if (l->fd < 0)
        l->fd = move_to_file((void *)(uintptr_t)l->info.base, l->whole_bytes);
    *out = (struct mem_shared){.fd = l->fd, .size_bytes = l->info.size_bytes};
    return l->fd >= 0;
}

/* The other objects of the slab move along, as they do in a GPU driver's
 * blocks. */
static bool share_small(struct slab *s, size_t i, struct mem_shared *out)
{
    assert(i < s->object_count);
    if (s->fd < 0)
        s->fd = move_to_file(s->base, s->object_count * s->object_bytes);
    *out = (struct mem_shared){.fd = s->fd,
                               .offset = i * s->object_bytes,
                               .size_bytes = s->small[i].size_bytes};
    return s->fd >= 0;
}

bool mem_share(const void *p, struct mem_shared *out)
{
    bool ok = false;
    pthread_mutex_lock(&mem.lock);
    size_t unit = is_heap_ready() ? pages_unit(p) : SIZE_MAX;
    unit_entry entry = unit == SIZE_MAX ? 0 : mem.units[unit];
    struct slab *s = (struct slab *)entry;
    if (entry & 1)
        ok = share_large((struct large *)(entry & ~(uintptr_t)1), out);
    else if (entry)
        ok = share_small(
            s, (size_t)((const uint8_t *)p - s->base) / s->object_bytes, out);
    pthread_mutex_unlock(&mem.lock);
    return ok;
}

void *mem_change(const void *p, enum mem_kind from, enum mem_kind to,
                 size_t size_bytes)
{
    void *owner = NULL;
    exec_reach_expire();
    pthread_mutex_lock(&mem.lock);
    struct mem_info info = query_locked(p);
    if (info.kind == from && info.base == (uintptr_t)p) {
        owner = info.owner;
        change_locked(mem.units[pages_unit(p)], p, to, size_bytes);
    }
    pthread_mutex_unlock(&mem.lock);
    return owner;
}

static bool release_locked(const void *p, enum mem_kind kind)
{
    struct mem_info info = query_locked(p);
    if (info.kind != kind || info.base != (uintptr_t)p ||
        pages_unit(p) == SIZE_MAX) /* a variable of the program */
        return false;
    unit_entry entry = mem.units[pages_unit(p)];
    if (entry & 1) {
        free_large((struct large *)(entry & ~(uintptr_t)1));
    } else {
        struct slab *s = (struct slab *)entry;
        size_t offset = (size_t)((const uint8_t *)p - s->base);
        free_small(s, (unsigned)(offset / s->object_bytes));
    }
    return true;
}

bool mem_release(const void *p, enum mem_kind kind)
{
    pthread_mutex_lock(&mem.lock);
    bool ok = release_locked(p, kind);
    pthread_mutex_unlock(&mem.lock);
    return ok;
}

/* True: the memory has an owner that releases it. */
static bool is_kept(enum mem_kind kind)
{
    return kind == MEM_MODULE || kind >= MEM_ARRAY;
}

static void release_all_small(struct slab *s, uint8_t place)
{
    for (unsigned i = 0; i < s->object_count; i++) {
        const struct small *o = &s->small[i];
        if (o->kind != MEM_UNKNOWN && !is_kept(o->kind) && o->place == place)
            free_small(s, i);
    }
}

void mem_release_all(CUcontext ctx)
{
    const uint8_t place = (uint8_t)ctx_place(ctx);
    pthread_mutex_lock(&mem.lock);
    size_t count = is_heap_ready() ? pages_unit_count() : 0;
    size_t left = mem.used_bytes;
    for (size_t i = 0; i < count && left; i++) {
        unit_entry entry = mem.units[i];
        struct large *l = (struct large *)(entry & ~(uintptr_t)1);
        if (!entry)
            continue;
        if (!(entry & 1))
            release_all_small((struct slab *)entry, place);
        else if (!is_kept(l->info.kind) && l->info.place == place)
            free_large(l);
        left = mem.used_bytes;
    }
    size_t kept = 0; /* managed variables stay */
    for (size_t i = 0; i < mem.registered.count; i++) {
        const struct mem_info *r = &mem.registered.data[i];
        if (r->kind == MEM_MANAGED || r->place != place)
            mem.registered.data[kept++] = mem.registered.data[i];
    }
    mem.registered.count = kept;
    pthread_mutex_unlock(&mem.lock);
}

static void visit_small(const struct slab *s,
                        void (*fn)(void *data, const struct mem_info *info),
                        void *data)
{
    for (unsigned i = 0; i < s->object_count; i++) {
        struct mem_info info = query_small(s, s->base + i * s->object_bytes);
        if (info.kind != MEM_UNKNOWN)
            fn(data, &info);
    }
}

void mem_visit(void (*fn)(void *data, const struct mem_info *info), void *data)
{
    pthread_mutex_lock(&mem.lock);
    size_t count = is_heap_ready() ? pages_unit_count() : 0;
    unit_entry before = 0; /* a large one has several units */
    for (size_t i = 0; i < count; i++) {
        unit_entry entry = mem.units[i];
        if (entry && !(entry & 1))
            visit_small((const struct slab *)entry, fn, data);
        else if (entry && entry != before)
            fn(data, &((const struct large *)(entry & ~(uintptr_t)1))->info);
        before = entry;
    }
    pthread_mutex_unlock(&mem.lock);
}

void device_free_memory(size_t *free_bytes, size_t *total_bytes)
{
    size_t total = device_total_memory();
    pthread_mutex_lock(&mem.lock);
    size_t used = used_now();
    *free_bytes = used < total ? total - used : 0;
    pthread_mutex_unlock(&mem.lock);
    *total_bytes = total;
}

/* ---- memory of the program --------------------------------------------- */

bool mem_adopt_managed(void *p, size_t size_bytes)
{
    struct mem_info info = {
        .kind = MEM_MANAGED,
        .base = (CUdeviceptr)(uintptr_t)p,
        .size_bytes = size_bytes,
        .flags = CU_MEM_ATTACH_GLOBAL,
    };
    pthread_mutex_lock(&mem.lock);
    bool ok = vec_push(&mem.registered, info);
    pthread_mutex_unlock(&mem.lock);
    return ok;
}

/* Takes the range that starts at p off the list. False: there is none. */
static bool forget_allocation(const void *p, enum mem_kind kind)
{
    bool found = false;
    pthread_mutex_lock(&mem.lock);
    for (size_t i = 0; i < mem.registered.count && !found; i++) {
        const struct mem_info *r = &mem.registered.data[i];
        found = r->base == (uintptr_t)p && r->kind == kind;
        if (found)
            mem.registered.data[i] =
                mem.registered.data[--mem.registered.count];
    }
    pthread_mutex_unlock(&mem.lock);
    return found;
}

void mem_forget_managed(const void *p)
{
    forget_allocation(p, MEM_MANAGED);
}

/* Is every page of the range mapped? */
static bool is_mapped(const void *p, size_t size_bytes)
{
    uintptr_t page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = (uintptr_t)p & ~(page_bytes - 1);
    size_t length = (uintptr_t)p - first + size_bytes;
    /* No effect, but fails where nothing is mapped. */
    return size_bytes <= UINTPTR_MAX / 2 - page_bytes &&
           !msync((void *)first, length, MS_ASYNC);
}

bool mem_is_reachable(const void *p, size_t size_bytes)
{
    return size_bytes == 0 || is_mapped(p, size_bytes);
}

/* True: the range overlaps a registered one. */
static bool is_registered(CUdeviceptr base, size_t size_bytes)
{
    for (size_t i = 0; i < mem.registered.count; i++) {
        const struct mem_info *r = &mem.registered.data[i];
        if (base < r->base + r->size_bytes && r->base < base + size_bytes)
            return true;
    }
    return false;
}

/* Kernels and other threads may write what is touched: that is no race. */
#define TOUCHES __attribute__((no_sanitize("thread")))

TOUCHES static void read_byte(void *p)
{
    (void)*(const volatile uint8_t *)p;
}

/* Leaves it as it is, whoever writes it meanwhile. */
TOUCHES static void write_byte(void *p)
{
    atomic_fetch_or_explicit((_Atomic uint8_t *)p, 0, memory_order_relaxed);
}

bool mem_can_touch(const void *p, size_t size_bytes, bool to_write)
{
    assert(size_bytes > 0);
    void (*touch)(void *) = to_write ? write_byte : read_byte;
    uint8_t *first = (uint8_t *)(uintptr_t)p;
    return exec_try(touch, first) && exec_try(touch, first + size_bytes - 1);
}

CUresult mem_register_host(CUcontext ctx, void *p, size_t size_bytes,
                           unsigned flags)
{
    /* IOMEMORY is missing: no device's registers are mapped here. */
    const unsigned known = CU_MEMHOSTREGISTER_PORTABLE |
                           CU_MEMHOSTREGISTER_DEVICEMAP |
                           CU_MEMHOSTREGISTER_READ_ONLY;
    CUresult err = ctx_sticky(ctx);
    if (!err)
        err = capture_check_call();
    if (err)
        return err;
    if (!p || size_bytes == 0 || (flags & ~known))
        return CUDA_ERROR_INVALID_VALUE;
    struct mem_info info = {
        .kind = MEM_REGISTERED,
        .base = (CUdeviceptr)(uintptr_t)p,
        .size_bytes = size_bytes,
        .flags = flags,
        .place = place_now(),
    };
    bool is_there =
        is_mapped(p, size_bytes) &&
        mem_can_touch(p, size_bytes, !(flags & CU_MEMHOSTREGISTER_READ_ONLY));
    pthread_mutex_lock(&mem.lock);
    enum mem_kind kind = query_locked(p).kind;
    if (!mem_is_hosts(p) || kind == MEM_MANAGED)
        err = CUDA_ERROR_INVALID_VALUE;
    else if (is_registered(info.base, size_bytes))
        err = CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    else if (!is_there)
        err = CUDA_ERROR_INVALID_VALUE;
    else if (info.id = ++mem.last_id, !vec_push(&mem.registered, info))
        err = CUDA_ERROR_OUT_OF_MEMORY;
    pthread_mutex_unlock(&mem.lock);
    return err;
}

CUresult mem_unregister_host(CUcontext ctx, void *p)
{
    CUresult err = capture_check_call();
    if (!err && ctx)
        err = ctx_wait(ctx);
    if (err)
        return err;
    struct mem_info info = mem_query(p);
    bool is_inside = info.kind == MEM_REGISTERED && info.base != (uintptr_t)p;
    if (!p || info.kind == MEM_PINNED || info.kind == MEM_MANAGED || is_inside)
        return CUDA_ERROR_INVALID_VALUE;
    return forget_allocation(p, MEM_REGISTERED)
               ? CUDA_SUCCESS
               : CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
}
