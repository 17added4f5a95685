/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every folder stands on: arenas, growable arrays, a map, interned
 * strings, intrusive lists, diagnostics, hashing. Knows nothing of CUDA.
 *
 * Arenas are for what one compilation makes; objects of the APIs use malloc and
 * report.
 *
 * In this folder, unless a comment says otherwise:
 *   threads  an object is one thread's at a time; functions without one are
 *            anybody's
 *   errors   false or NULL, and no change, when memory has run out; arenas end
 *            the process
 *   owners   init and fini work on the caller's storage, create and destroy on
 *            their own; what an arena gave ends with it
 *   units    sizes are bytes, counts are elements
 */
#ifndef WEFT_BASE_H
#define WEFT_BASE_H

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ARRAY_COUNT(a)            (sizeof(a) / sizeof((a)[0]))
#define container_of(p, T, field) ((T *)((char *)(p)-offsetof(T, field)))

/* Does `text` begin with `prefix`? Both end with a NUL. */
static inline bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* ---- arena: freed all at once ---------------------------------------- */

struct arena;
/* Makes an empty arena. Like all that allocates from it, never NULL: when
 * memory runs out, the process ends with a message. */
struct arena *arena_create(void);
void arena_destroy(struct arena *a); /* NULL is harmless */
/* Moves the memory of `b` to `a`, pointers into it stay; destroys `b`. */
void arena_join(struct arena *a, struct arena *b);
/* Zeroed, aligned to 16 bytes. */
void *arena_alloc(struct arena *a, size_t size_bytes);
/* A copy of `len` bytes with a NUL behind them. */
char *arena_strndup(struct arena *a, const char *s, size_t len);
/* What printf would print. */
char *arena_printf(struct arena *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* For maps and arrays of a compilation, which lives as its arena does: ends the
 * process with a message, too, unless is_there. */
void must_have_memory(bool is_there);
#define arena_new(a, T)      ((T *)arena_alloc((a), sizeof(T)))
#define arena_array(a, T, n) ((T *)arena_alloc((a), sizeof(T) * (size_t)(n)))

/* ---- vec: a growable array on the heap ------------------------------- */

/* VEC(int) v = {0}; vec_push(&v, 3); v.data[0]; v.count; vec_fini(&v);
 * vec_push evaluates to true, or false when memory ran out. */
#define VEC(T)                                                                 \
    struct {                                                                   \
        T *data;                                                               \
        size_t count, capacity;                                                \
    }
#define vec_push(v, value)                                                     \
    (vec_reserve_((void **)&(v)->data, &(v)->capacity, (v)->count + 1,         \
                  sizeof *(v)->data)                                           \
         ? ((v)->data[(v)->count++] = (value), true)                           \
         : false)
#define vec_fini(v) vec_fini_((void **)&(v)->data, &(v)->count, &(v)->capacity)
bool vec_reserve_(void **data, size_t *capacity, size_t count, size_t size);
void vec_fini_(void **data, size_t *count, size_t *capacity);

/* ---- map: pointer-sized keys or strings to pointers ------------------ */

/* A map has string keys, compared by content, or pointer keys, compared as
 * pointers. It does not copy strings: they live as long as their entries. */
struct map {
    struct map_entry *entries;
    size_t count, capacity;
    bool string_keys;
};
void map_init_strings(struct map *m);
void map_init_pointers(struct map *m);
void map_fini(struct map *m);
/* NULL: the key is not there. */
void *map_find(const struct map *m, const void *key);
/* Adds the key, or replaces its value. False: out of memory, nothing changed.
 */
bool map_put(struct map *m, const void *key, void *value);
/* A key that is not there is harmless. */
void map_remove(struct map *m, const void *key);

/* ---- interned strings: equal strings are one pointer ----------------- */

struct interner;
/* The table and its strings are in the arena, and end with it. */
struct interner *interner_create(struct arena *a);
/* The one copy of these `len` bytes, with a NUL behind them. */
const char *intern(struct interner *in, const char *s, size_t len);

/* ---- list: intrusive, circular, doubly linked ------------------------ */

struct list {
    struct list *prev, *next;
};
/* Makes an empty list, or an item that is in no list. Lists allocate nothing
 * and take no locks: who owns the list owns its items, too. */
static inline void list_init(struct list *l)
{
    l->prev = l->next = l;
}
static inline bool list_is_empty(const struct list *l)
{
    return l->next == l;
}
static inline void list_push(struct list *head, struct list *item) /* at end */
{
    item->prev = head->prev;
    item->next = head;
    head->prev->next = item;
    head->prev = item;
}
static inline void list_remove(struct list *item)
{
    item->prev->next = item->next;
    item->next->prev = item->prev;
    list_init(item);
}
#define list_item_(at, head, T, field)                                         \
    ((at) == (head) ? NULL : container_of((at), T, field))
/* The loop variable may be removed inside the loop. */
#define list_for_each(T, var, head, field)                                     \
    for (T *var = list_item_((head)->next, (head), T, field),                  \
           *var##_next = var ? list_item_(var->field.next, (head), T, field)   \
                             : NULL;                                           \
         var; var = var##_next,                                                \
           var##_next = var ? list_item_(var->field.next, (head), T, field)    \
                            : NULL)

/* ---- diagnostics ------------------------------------------------------ */

enum diag_severity { DIAG_NOTE, DIAG_WARNING, DIAG_ERROR };

/* Collects messages as text, one per line, in the form
 *     file:line:column: error: what was found, what was expected
 * followed by the source line and a caret when `source` is set. */
struct diag {
    char *text; /* malloc'ed, NUL-terminated, or NULL when empty */
    size_t length, capacity;
    unsigned error_count, warning_count;
    unsigned error_limit; /* 0: 20 */
};
void diag_init(struct diag *d);
void diag_fini(struct diag *d);
/* line 0: no position. source_line may be NULL (else not NUL-terminated). */
void diag_report(struct diag *d, enum diag_severity severity, const char *file,
                 unsigned line, unsigned column, const char *source_line,
                 const char *format, ...) __attribute__((format(printf, 7, 8)));
void diag_error(struct diag *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds all that `from` has collected. */
void diag_append(struct diag *d, const struct diag *from);
bool diag_is_full(const struct diag *d); /* error limit reached: stop */

/* ---- readable memory (readable.c) --------------------------------------- */

/* Can all of these bytes be read? Asks the system, a page at a time: for data
 * that may claim a wrong size. Any thread; errno stays. */
bool memory_is_readable(const void *p, size_t size_bytes);
/* The length of a text, its NUL aside. False: the readable memory ends before
 * a NUL, and *length is not set. */
bool memory_find_end(const char *text, size_t *length);

/* ---- hashing ----------------------------------------------------------- */

/* For tables and cache keys; the same in every process. Somebody who wants
 * collisions can make them. */
uint64_t hash_bytes(const void *data, size_t size_bytes, uint64_t seed);

/* ---- nearest spelling, for "did you mean" ------------------------------ */

/* The candidate with the smallest edit distance, or NULL if none is close. */
const char *nearest_name(const char *name, const char *const *candidates,
                         size_t count);

#endif
