/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one range of addresses that device memory comes from, cut into units
 * of 2 MiB. Reserved at once and inaccessible; an allocation opens its units,
 * with a page to spare behind it, and the page before them. So there is memory
 * around most allocations, as on a GPU, whose pages are as large as our units,
 * and programs that read or write a little too far do here what they do there.
 * With WEFT_GUARD=1 nothing behind an allocation's last page is open, nor the
 * page before it.
 *
 * Freed pages are closed, so that a stray access faults, but the last few
 * hundred megabytes keep their contents: a program that allocates in a loop
 * does not pay for fresh pages each time. The very last ones are parked: they
 * are closed when work is submitted, which alone could stray into them, so
 * between two launches allocating and freeing costs no call of the system.
 */
#define _GNU_SOURCE
#include "core/mem.h"
#include "base/environment.h"
#include "base/size.h"

#include <stdlib.h>
#include <sys/mman.h>

#define RESERVE_BYTES  ((size_t)1 << 40)
#define RESERVE_LEAST  ((size_t)1 << 26)
#define KEPT_BYTES_MAX ((size_t)WEFT_SIZE(512 << 20, 1 << 20))
#define PARKED_MAX     WEFT_SIZE(8, 1)
#define PARKED_BYTES   ((size_t)16 << 20) /* the largest that is parked */

/* Free units [first, first + count), by address. */
struct extent {
    size_t first, count;
    size_t kept_bytes; /* still hold pages, if just freed */
};

static struct {
    uint8_t *base;
    bool is_guarded; /* WEFT_GUARD=1 */
    bool has_gap;    /* what lies before the first unit is reserved, too */
    size_t unit_count;
    VEC(struct extent) free;
    size_t kept_bytes;
    struct parked {
        size_t first, size_bytes;
    } parked[PARKED_MAX]; /* freed, but open; the oldest first */
    atomic_uint parked_count;
} pages;

/* Warps' stacks lie right below, where mmap puts them, and isspacep takes what
 * follows a stack for its local memory (emit/ops/windows.c): none is there. */
#define LOCAL_WINDOW_BYTES ((size_t)64 << 20)

bool pages_init(void)
{
    if (pages.base)
        return true;
    uint8_t *map = MAP_FAILED;
    size_t bytes = RESERVE_BYTES;
    for (; bytes >= RESERVE_LEAST; bytes /= 2) { /* ulimit -v */
        map = mmap(NULL, bytes, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (map != MAP_FAILED)
            break;
    }
    if (map == MAP_FAILED)
        return false;
    size_t gap = bytes / 4 < LOCAL_WINDOW_BYTES ? 0 : LOCAL_WINDOW_BYTES;
    uintptr_t start =
        ((uintptr_t)map + gap + PAGES_UNIT - 1) & ~(PAGES_UNIT - 1);
    size_t count = ((uintptr_t)map + bytes - start) / PAGES_UNIT;
    struct extent all = {.first = 0, .count = count};
    if (!vec_push(&pages.free, all)) {
        munmap(map, bytes);
        return false;
    }
    const char *guard = getenv(ENVIRONMENT_GUARD);
    pages.is_guarded = guard && !strcmp(guard, "1");
    pages.has_gap = start - (uintptr_t)map >= PAGE_BYTES;
    pages.base = (uint8_t *)start;
    pages.unit_count = count;
    return true;
}

static uint8_t *unit_address(size_t unit)
{
    assert(unit <= pages.unit_count);
    return pages.base + unit * PAGES_UNIT;
}

size_t pages_unit_count(void)
{
    return pages.unit_count;
}

size_t pages_unit(const void *p)
{
    size_t offset = (size_t)((uintptr_t)p - (uintptr_t)pages.base);
    size_t unit = offset / PAGES_UNIT;
    return pages.base && unit < pages.unit_count ? unit : SIZE_MAX;
}

static size_t rounded_up(size_t size_bytes)
{
    assert(size_bytes <= SIZE_MAX - PAGE_BYTES);
    return (size_bytes + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1);
}

static size_t units_for(size_t size_bytes)
{
    return (rounded_up(size_bytes) + PAGE_BYTES + PAGES_UNIT - 1) / PAGES_UNIT;
}

/* What an allocation may touch: all but the last page of its units. */
static size_t open_bytes(size_t size_bytes)
{
    if (pages.is_guarded)
        return rounded_up(size_bytes);
    return units_for(size_bytes) * PAGES_UNIT - PAGE_BYTES;
}

static bool is_free(size_t unit)
{
    for (size_t i = 0; i < pages.free.count; i++)
        if (unit - pages.free.data[i].first < pages.free.data[i].count)
            return true;
    return unit >= pages.unit_count; /* -1, too */
}

/* The last page before `unit` belongs to the units on both sides of it: it is
 * open as long as one of them is in use. */
static void set_page_between(size_t unit)
{
    bool is_open = (unit && !is_free(unit - 1)) || !is_free(unit);
    if (pages.is_guarded || (unit == 0 && !pages.has_gap))
        return;
    mprotect(unit_address(unit) - PAGE_BYTES, PAGE_BYTES,
             is_open ? PROT_READ | PROT_WRITE : PROT_NONE);
}

static void set_pages_around(size_t first, size_t count)
{
    set_page_between(first);
    set_page_between(first + count);
}

static void drop_pages(struct extent *e)
{
    assert(pages.kept_bytes >= e->kept_bytes);
    if (!e->kept_bytes)
        return;
    madvise(unit_address(e->first), e->count * PAGES_UNIT, MADV_DONTNEED);
    pages.kept_bytes -= e->kept_bytes;
    e->kept_bytes = 0;
}

static void remove_extent(size_t i)
{
    assert(i < pages.free.count);
    memmove(&pages.free.data[i], &pages.free.data[i + 1],
            (pages.free.count - i - 1) * sizeof pages.free.data[0]);
    pages.free.count--;
}

/* One of the same size that still has its pages, else the first that fits. */
static size_t find_extent(size_t count)
{
    assert(count > 0);
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < pages.free.count; i++) {
        const struct extent *e = &pages.free.data[i];
        if (e->count == count && e->kept_bytes)
            return i;
        if (e->count >= count && found == SIZE_MAX)
            found = i;
    }
    return found;
}

static size_t take_units(size_t count)
{
    assert(count > 0 && count <= pages.unit_count);
    size_t i = find_extent(count);
    if (i == SIZE_MAX)
        return SIZE_MAX;
    struct extent *e = &pages.free.data[i];
    size_t first = e->first;
    if (e->count == count) {
        pages.kept_bytes -= e->kept_bytes;
        remove_extent(i);
    } else {
        drop_pages(e);
        e->first += count;
        e->count -= count;
    }
    return first;
}

static bool may_join(const struct extent *a, const struct extent *b)
{
    return a->first + a->count == b->first && !a->kept_bytes && !b->kept_bytes;
}

static void join_neighbours(size_t i)
{
    assert(i < pages.free.count);
    if (i + 1 < pages.free.count &&
        may_join(&pages.free.data[i], &pages.free.data[i + 1])) {
        pages.free.data[i].count += pages.free.data[i + 1].count;
        remove_extent(i + 1);
    }
    if (i > 0 && may_join(&pages.free.data[i - 1], &pages.free.data[i])) {
        pages.free.data[i - 1].count += pages.free.data[i].count;
        remove_extent(i);
    }
}

/* Kept extents are not joined; this makes one range of all. */
static void drop_all_kept(void)
{
    for (size_t i = pages.free.count; i-- > 0;) {
        drop_pages(&pages.free.data[i]);
        join_neighbours(i);
    }
}

static void give_units(size_t first, size_t count, size_t kept_bytes)
{
    assert(count > 0 && first + count <= pages.unit_count);
    assert(kept_bytes <= count * PAGES_UNIT);
    struct extent none = {0};
    struct extent e = {first, count, kept_bytes};
    if (pages.kept_bytes + kept_bytes > KEPT_BYTES_MAX) {
        madvise(unit_address(first), count * PAGES_UNIT, MADV_DONTNEED);
        e.kept_bytes = 0;
    }
    if (!vec_push(&pages.free, none))
        return; /* no memory for the note: these addresses stay unused */
    size_t i = pages.free.count - 1;
    for (; i > 0 && pages.free.data[i - 1].first > first; i--)
        pages.free.data[i] = pages.free.data[i - 1];
    pages.free.data[i] = e;
    pages.kept_bytes += e.kept_bytes;
    join_neighbours(i);
}

/* ---- parked ----------------------------------------------------------- */

static void close_units(size_t first, size_t size_bytes)
{
    assert(first < pages.unit_count);
    size_t count = units_for(size_bytes);
    mprotect(unit_address(first), open_bytes(size_bytes), PROT_NONE);
    give_units(first, count, rounded_up(size_bytes));
    set_pages_around(first, count);
}

static struct parked unpark_run(unsigned i)
{
    assert(i < atomic_load(&pages.parked_count));
    unsigned count = atomic_load(&pages.parked_count);
    struct parked p = pages.parked[i];
    memmove(&pages.parked[i], &pages.parked[i + 1], (count - 1 - i) * sizeof p);
    atomic_store(&pages.parked_count, count - 1);
    return p;
}

static void park_units(size_t first, size_t size_bytes)
{
    assert(first < pages.unit_count && size_bytes <= PARKED_BYTES);
    if (atomic_load(&pages.parked_count) == PARKED_MAX) {
        struct parked oldest = unpark_run(0);
        close_units(oldest.first, oldest.size_bytes);
    }
    unsigned count = atomic_load(&pages.parked_count);
    pages.parked[count] = (struct parked){first, size_bytes};
    atomic_store(&pages.parked_count, count + 1);
}

/* The latest of that many units, or SIZE_MAX. */
static size_t take_parked(size_t count)
{
    for (unsigned i = atomic_load(&pages.parked_count); i-- > 0;) {
        if (units_for(pages.parked[i].size_bytes) == count)
            return unpark_run(i).first;
    }
    return SIZE_MAX;
}

bool pages_are_parked(void)
{
    return atomic_load_explicit(&pages.parked_count, memory_order_relaxed);
}

void pages_close_parked(void)
{
    while (pages_are_parked()) {
        struct parked oldest = unpark_run(0);
        close_units(oldest.first, oldest.size_bytes);
    }
}

/* ---- allocating ------------------------------------------------------- */

/* Takes so many units, those that are only kept for later use among them;
 * SIZE_MAX: there are none. */
static size_t find_units(size_t count)
{
    size_t first = take_units(count);
    if (first != SIZE_MAX)
        return first;
    pages_close_parked();
    drop_all_kept();
    return take_units(count);
}

void *pages_alloc(size_t size_bytes)
{
    if (size_bytes > pages.unit_count * PAGES_UNIT)
        return NULL;
    size_t parked = take_parked(units_for(size_bytes));
    if (parked != SIZE_MAX)
        return unit_address(parked);
    size_t count = units_for(size_bytes), bytes = open_bytes(size_bytes);
    size_t first = find_units(count);
    if (first == SIZE_MAX)
        return NULL;
    uint8_t *p = unit_address(first);
    if (mprotect(p, bytes, PROT_READ | PROT_WRITE)) {
        give_units(first, count, 0);
        return NULL;
    }
    set_pages_around(first, count);
    if (size_bytes >= PAGES_UNIT)
        madvise(p, bytes, MADV_HUGEPAGE);
    return p;
}

void pages_discard(void *p, size_t size_bytes)
{
    assert(pages_unit(p) != SIZE_MAX);
    uintptr_t from = ((uintptr_t)p + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1);
    uintptr_t to = ((uintptr_t)p + size_bytes) & ~(PAGE_BYTES - 1);
    if (from < to)
        madvise((void *)from, to - from, MADV_DONTNEED);
}

void pages_free(void *p, size_t size_bytes)
{
    assert(pages_unit(p) != SIZE_MAX);
    if (size_bytes <= PARKED_BYTES && !pages.is_guarded)
        park_units(pages_unit(p), size_bytes);
    else
        close_units(pages_unit(p), size_bytes);
}

/* ---- addresses for other memory --------------------------------------- */

void *pages_reserve(size_t size_bytes)
{
    if (size_bytes > pages.unit_count * PAGES_UNIT)
        return NULL;
    size_t count = units_for(size_bytes), first = find_units(count);
    if (first == SIZE_MAX)
        return NULL;
    uint8_t *p = unit_address(first);
    madvise(p, count * PAGES_UNIT, MADV_DONTNEED); /* if it was kept */
    return p;
}

void pages_give_back(void *p, size_t size_bytes)
{
    assert(pages_unit(p) != SIZE_MAX);
    size_t count = units_for(size_bytes);
    mmap(p, count * PAGES_UNIT, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    give_units(pages_unit(p), count, 0);
    set_pages_around(pages_unit(p), count);
}

bool pages_map_file(void *p, size_t size_bytes, int fd, uint64_t offset)
{
    assert(fd >= 0 && pages_unit(p) != SIZE_MAX);
    return mmap(p, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                fd, (off_t)offset) != MAP_FAILED;
}
