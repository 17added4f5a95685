import os
os.chdir('/work/wt/memory')
p='src/core/pages.c'; s=open(p).read()
s=s.replace(""" * Freed pages are closed, so that a stray access faults, but the last few
 * hundred megabytes keep their contents: a program that allocates in a loop
 * does not pay for fresh pages each time.
 */""",""" * Freed pages are closed, so that a stray access faults, but the last few
 * hundred megabytes keep their contents: a program that allocates in a loop
 * does not pay for fresh pages each time. The very last ones are parked: they
 * are closed when work is submitted, which alone could stray into them, so
 * between two launches allocating and freeing costs no call of the system.
 */""")
s=s.replace("""#define KEPT_BYTES_MAX ((size_t)512 << 20)
""","""#define KEPT_BYTES_MAX ((size_t)512 << 20)
#define PARKED_MAX     8
#define PARKED_BYTES   ((size_t)16 << 20) /* the largest that is parked */
""")
s=s.replace("""    VEC(struct extent) free;
    size_t kept_bytes;
} pages;
""","""    VEC(struct extent) free;
    size_t kept_bytes;
    struct parked {
        size_t first, size_bytes;
    } parked[PARKED_MAX]; /* freed, but open; the oldest first */
    atomic_uint parked_count;
} pages;
""")
s=s.replace("""void *pages_alloc(size_t size_bytes)
{
    if (size_bytes > pages.unit_count * PAGES_UNIT)
        return NULL;
    size_t count""","""/* ---- parked ----------------------------------------------------------- */

static void close_units(size_t first, size_t size_bytes)
{
    size_t count = units_for(size_bytes);
    mprotect(unit_address(first), open_bytes(size_bytes), PROT_NONE);
    give_units(first, count, rounded(size_bytes));
    set_pages_around(first, count);
}

static struct parked unpark(unsigned i)
{
    unsigned count = atomic_load(&pages.parked_count);
    struct parked p = pages.parked[i];
    memmove(&pages.parked[i], &pages.parked[i + 1],
            (count - 1 - i) * sizeof p);
    atomic_store(&pages.parked_count, count - 1);
    return p;
}

static void park(size_t first, size_t size_bytes)
{
    if (atomic_load(&pages.parked_count) == PARKED_MAX) {
        struct parked oldest = unpark(0);
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
            return unpark(i).first;
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
        struct parked oldest = unpark(0);
        close_units(oldest.first, oldest.size_bytes);
    }
}

/* ---- allocating ------------------------------------------------------- */

void *pages_alloc(size_t size_bytes)
{
    if (size_bytes > pages.unit_count * PAGES_UNIT)
        return NULL;
    size_t parked = take_parked(units_for(size_bytes));
    if (parked != SIZE_MAX)
        return unit_address(parked);
    size_t count""",1)
s=s.replace("""    size_t first = pages_unit(p), count = units_for(size_bytes);
    mprotect(p, open_bytes(size_bytes), PROT_NONE);
    give_units(first, count, rounded(size_bytes));
    set_pages_around(first, count);
}""","""    if (size_bytes <= PARKED_BYTES && !pages.is_guarded)
        park(pages_unit(p), size_bytes);
    else
        close_units(pages_unit(p), size_bytes);
}""",1)
s=s.replace("""    if (first == SIZE_MAX) {
        drop_all_kept();
""","""    if (first == SIZE_MAX) {
        pages_close_parked();
        drop_all_kept();
""")
open(p,'w').write(s)
p='src/core/internal.h'; s=open(p).read()
s=s.replace("""/* Addresses that nobody may touch yet, and back;""","""/* Freed pages that are open still are closed. */
bool pages_are_parked(void);
void pages_close_parked(void);
/* Addresses that nobody may touch yet, and back;""",1)
s=s.replace("""/* Counts memory that is not mem.c's""","""/* Before kernels run: what was freed is closed to them. */
void mem_close_freed(void);
/* Counts memory that is not mem.c's""",1)
open(p,'w').write(s)
p='src/core/mem.c'; s=open(p).read()
s=s.replace("""bool mem_take_room(size_t size_bytes)
{""","""void mem_close_freed(void)
{
    if (!pages_are_parked())
        return;
    pthread_mutex_lock(&mem.lock);
    pages_close_parked();
    pthread_mutex_unlock(&mem.lock);
}

bool mem_take_room(size_t size_bytes)
{""",1)
open(p,'w').write(s)
