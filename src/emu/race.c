/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Races in shared memory: two accesses to the same bytes by two threads, one of
 * them a write, that nothing orders. What orders them is known exactly by a
 * vector clock for each thread: barriers of the block and of the warp,
 * mbarriers, and atomic and strong accesses, of which each is taken to see all
 * that those before it at the same address did. So a race that is reported is
 * one whatever the order in which threads ran; __shfl_sync and its like order
 * no memory.
 *
 * Source: Flanagan & Freund, "FastTrack: efficient and precise dynamic race
 * detection", PLDI 2009.
 */
#include "emu/check.h"

#include "ptx/effects.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    BARRIERS = WEFT_BARRIERS + 1024 / PTX_WARPGROUP_THREADS,
    PLACES = 1024, /* addresses in memory that order; others share one */
    WORD = 4,
    PAIRS = 256, /* of instructions that race, in all running kernels */
};

/* The last accesses to some bytes. */
struct cell {
    uint32_t generation;              /* another one: there were none */
    uint32_t write_clock, read_clock; /* 0: none */
    uint32_t write_line, read_line;
    uint32_t group; /* of a copy that its thread has to wait for, or 0 */
    uint16_t writer, reader;
    uint8_t write_access;
    uint8_t read_access;
    bool has_many;   /* readers: then `reads` counts */
    uint32_t *reads; /* by thread: the clock of its read; or NULL */
};

struct emu_races {
    const struct emu_block *b;
    uint32_t count; /* threads */
    uint32_t generation;
    uint32_t *clocks;             /* [thread][other]: what it knows of other */
    uint32_t *barriers[BARRIERS]; /* what those know that did not wait */
    uint32_t *places[PLACES];
    uint32_t *groups, *waited; /* of copies, by thread: made, waited for */
    struct cell *cells;
    uint32_t cell_bytes, shared_bytes;
};

/* Two instructions that race in a launch. It is reported when that ends, since
 * blocks have races alike. */
struct pair {
    uint64_t grid_id; /* 0: free */
    struct emu_finding finding;
};
static struct pair pairs[PAIRS];
static pthread_mutex_t pairs_lock = PTHREAD_MUTEX_INITIALIZER;

static uint32_t index_of(const struct emu_races *r, const struct emu_thread *t)
{
    return (uint32_t)(t - r->b->threads);
}

static uint32_t *clock_of(const struct emu_races *r, uint32_t thread)
{
    assert(thread < r->count);
    return &r->clocks[(size_t)thread * r->count];
}

static void join_clock(const struct emu_races *r, uint32_t *into,
                       const uint32_t *from)
{
    for (uint32_t i = 0; i < r->count; i++)
        into[i] = into[i] > from[i] ? into[i] : from[i];
}

/* What the thread does from now on is not known to those who know of it. */
static void advance_clock(struct emu_races *r, uint32_t thread)
{
    clock_of(r, thread)[thread]++;
}

/* A clock that is made when it is first needed; NULL: there is no memory. */
static uint32_t *late_clock(const struct emu_races *r, uint32_t **at)
{
    if (!*at)
        *at = calloc(r->count, sizeof **at);
    return *at;
}

/* ---- making -------------------------------------------------------------- */

struct emu_races *emu_races_create(const struct emu_block *b)
{
    const struct exec_launch *l = b->launch;
    struct emu_races *r = calloc(1, sizeof *r);

    if (!r)
        return NULL;
    r->b = b;
    r->count = b->thread_count;
    r->cell_bytes = WORD;
    r->shared_bytes = l->static_shared_bytes + l->dynamic_shared_bytes;
    r->clocks = calloc((size_t)r->count * r->count, sizeof *r->clocks);
    r->groups = calloc(r->count, sizeof *r->groups);
    r->waited = calloc(r->count, sizeof *r->waited);
    r->cells = calloc(r->shared_bytes / WORD + 1, sizeof *r->cells);
    if (r->clocks && r->groups && r->waited && r->cells)
        return r;
    emu_races_destroy(r);
    return NULL;
}

void emu_races_destroy(struct emu_races *r)
{
    if (!r)
        return;
    for (uint32_t i = 0; r->cells && i <= r->shared_bytes / r->cell_bytes; i++)
        free(r->cells[i].reads);
    for (unsigned i = 0; i < BARRIERS; i++)
        free(r->barriers[i]);
    for (unsigned i = 0; i < PLACES; i++)
        free(r->places[i]);
    free(r->cells);
    free(r->clocks);
    free(r->groups);
    free(r->waited);
    free(r);
}

/* Before the next accesses all others are forgotten. */
static void begin_generation(struct emu_races *r)
{
    r->generation++;
    for (uint32_t i = 0; i < r->count; i++)
        advance_clock(r, i);
}

void emu_races_begin(struct emu_races *r)
{
    for (uint32_t i = 0; i < r->count; i++) {
        r->groups[i]++;
        r->waited[i] = r->groups[i] - 1; /* those of the last block */
    }
    begin_generation(r);
}

/* ---- accesses ------------------------------------------------------------ */

/* Somebody accesses a part of a word: from now on there is a cell for each
 * byte. False: there is no memory. */
static bool split_cells(struct emu_races *r)
{
    struct cell *bytes = calloc(r->shared_bytes + 1, sizeof *bytes);

    if (!bytes)
        return false;
    for (uint32_t i = 0; i < r->shared_bytes; i++) {
        bytes[i] = r->cells[i / WORD];
        bytes[i].reads = NULL;
        bytes[i].has_many = false;
    }
    for (uint32_t i = 0; i <= r->shared_bytes / WORD; i++)
        free(r->cells[i].reads);
    free(r->cells);
    r->cells = bytes;
    r->cell_bytes = 1;
    return true;
}

struct visit {
    struct emu_races *r;
    const struct emu_touch *touch;
    uint32_t me;
    const uint32_t *known; /* my clock */
    uint32_t offset, bytes;
};

static bool is_pending(const struct emu_races *r, const struct cell *c)
{
    return c->group && (int32_t)(c->group - r->waited[c->writer]) > 0;
}

static void freshen_cell(const struct emu_races *r, struct cell *c)
{
    if (c->generation == r->generation)
        return;
    c->generation = r->generation;
    c->read_clock = 0;
    c->has_many = false;
    if (!is_pending(r, c))
        c->write_clock = c->group = 0;
}

static bool is_same_pair(const struct pair *p, uint64_t grid_id,
                         const struct emu_party *a, const struct emu_party *b)
{
    const struct emu_finding *f = &p->finding;
    return p->grid_id == grid_id && f->at.line == a->line &&
           f->other.line == b->line && f->at.access == a->access &&
           f->other.access == b->access;
}

/* The pair's place, or a free one; NULL: there is none. The lock is held. */
static struct pair *find_pair(uint64_t grid_id, const struct emu_party *a,
                              const struct emu_party *b)
{
    struct pair *free_one = NULL;
    for (unsigned i = 0; i < PAIRS; i++) {
        if (is_same_pair(&pairs[i], grid_id, a, b))
            return &pairs[i];
        if (!pairs[i].grid_id && !free_one)
            free_one = &pairs[i];
    }
    return free_one;
}

static void note_race(const struct visit *v, uint32_t thread, uint32_t line,
                      unsigned access, uint32_t bytes)
{
    const struct emu_block *b = v->r->b;
    const struct exec_launch *l = b->launch;
    struct emu_party me = {v->me, v->touch->line, v->touch->access};
    struct emu_party other = {thread, line, access};

    pthread_mutex_lock(&pairs_lock);
    struct pair *p = find_pair(l->grid_id, &me, &other);
    bool is_in_warp = thread / WEFT_WARP_LANES == v->me / WEFT_WARP_LANES;
    if (p && !p->grid_id) {
        p->grid_id = l->grid_id;
        p->finding = (struct emu_finding){.kind = EMU_FOUND_RACE,
                                          .function = l->function,
                                          .block_linear = b->w->block_current,
                                          .at = me,
                                          .other = other,
                                          .space = PTX_SPACE_shared,
                                          .address = v->offset,
                                          .bytes = v->bytes,
                                          .is_in_warp = true};
        memcpy(p->finding.grid, l->grid, sizeof l->grid);
        memcpy(p->finding.block, l->block, sizeof l->block);
    }
    if (p) {
        p->finding.count += bytes;
        p->finding.is_in_warp &= is_in_warp;
    }
    pthread_mutex_unlock(&pairs_lock);
}

void emu_races_report(uint64_t grid_id)
{
    pthread_mutex_lock(&pairs_lock);
    for (unsigned i = 0; i < PAIRS; i++) {
        if (pairs[i].grid_id != grid_id)
            continue;
        emu_report_race(&pairs[i].finding);
        pairs[i].grid_id = 0;
    }
    pthread_mutex_unlock(&pairs_lock);
}

/* How many bytes of the cell are not what the access leaves there. */
static uint32_t changed_bytes(const struct visit *v, uint32_t at)
{
    const uint8_t *old = v->r->b->w->shared + v->offset + at;
    const uint8_t *new = v->touch->value;
    uint32_t count = 0;

    if (!new)
        return v->r->cell_bytes;
    for (uint32_t i = 0; i < v->r->cell_bytes; i++)
        count += old[i] != new[at + i];
    return count;
}

static void check_write(const struct visit *v, const struct cell *c,
                        uint32_t bytes)
{
    unsigned mine = v->touch->access;
    bool is_mine = c->writer == v->me;
    bool is_known = is_mine || v->known[c->writer] >= c->write_clock;
    bool is_early = is_pending(v->r, c) && !(mine & EMU_DELAYED);

    if (!c->write_clock || !bytes)
        return;
    if (is_early || !(is_known || (mine & c->write_access & EMU_STRONG)))
        note_race(v, c->writer, c->write_line, c->write_access, bytes);
}

static void check_reads(const struct visit *v, const struct cell *c,
                        uint32_t bytes)
{
    uint32_t reader = c->reader;
    bool is_known = reader == v->me || v->known[reader] >= c->read_clock;

    if (!c->read_clock || !bytes ||
        (v->touch->access & c->read_access & EMU_STRONG))
        return;
    for (uint32_t i = 0; is_known && c->has_many && i < v->r->count; i++) {
        if (i == v->me || v->known[i] >= c->reads[i])
            continue;
        reader = i;
        is_known = false;
    }
    if (!is_known)
        note_race(v, reader, c->read_line, c->read_access, bytes);
}

static void note_read(const struct visit *v, struct cell *c)
{
    uint32_t now = v->known[v->me];
    bool follows = !c->read_clock || c->reader == v->me ||
                   v->known[c->reader] >= c->read_clock;

    if (c->has_many || !follows) {
        if (!c->has_many && late_clock(v->r, &c->reads)) {
            memset(c->reads, 0, v->r->count * sizeof *c->reads);
            c->reads[c->reader] = c->read_clock;
            c->has_many = true;
        }
        if (c->has_many)
            c->reads[v->me] = now;
    }
    c->read_access = (uint8_t)v->touch->access;
    c->read_clock = now;
    c->read_line = v->touch->line;
    c->reader = (uint16_t)v->me;
}

static void note_write(const struct visit *v, struct cell *c)
{
    c->write_clock = v->known[v->me];
    c->write_line = v->touch->line;
    c->writer = (uint16_t)v->me;
    c->write_access = (uint8_t)v->touch->access;
    c->group = v->touch->access & EMU_DELAYED ? v->r->groups[v->me] : 0;
    c->read_clock = 0;
    c->has_many = false;
}

/* at: from the access's first byte. */
static void visit_cell(const struct visit *v, struct cell *c, uint32_t at)
{
    uint32_t bytes =
        v->touch->access & EMU_WRITES ? changed_bytes(v, at) : v->r->cell_bytes;

    freshen_cell(v->r, c);
    check_write(v, c, bytes);
    if (v->touch->access & EMU_WRITES) {
        check_reads(v, c, bytes);
        note_write(v, c);
    } else {
        note_read(v, c);
    }
}

void emu_races_touch(struct emu_races *r, const struct emu_touch *touch,
                     uint32_t offset, uint32_t bytes)
{
    uint32_t me = index_of(r, touch->t);
    struct visit v = {.r = r,
                      .touch = touch,
                      .me = me,
                      .known = clock_of(r, me),
                      .offset = offset,
                      .bytes = bytes};

    if (offset > r->shared_bytes || bytes > r->shared_bytes - offset)
        return;
    if (r->cell_bytes == WORD && (offset | bytes) % WORD && !split_cells(r))
        return;
    for (uint32_t i = 0; i < bytes; i += r->cell_bytes)
        visit_cell(&v, &r->cells[(offset + i) / r->cell_bytes], i);
}

/* ---- what orders accesses ------------------------------------------------ */

/* What those know that wrote at the address; NULL: there is no memory. */
static uint32_t *place_of(struct emu_races *r, const uint8_t *p)
{
    uintptr_t word = (uintptr_t)p / 8;

    return late_clock(r, &r->places[(word ^ word / PLACES) % PLACES]);
}

void emu_races_see(struct emu_races *r, const struct emu_thread *t,
                   const uint8_t *p)
{
    const uint32_t *place = place_of(r, p);

    if (place)
        join_clock(r, clock_of(r, index_of(r, t)), place);
}

void emu_races_publish(struct emu_races *r, const struct emu_thread *t,
                       const uint8_t *p)
{
    uint32_t me = index_of(r, t), *place = place_of(r, p);

    if (!place)
        return;
    join_clock(r, place, clock_of(r, me));
    advance_clock(r, me);
}

void emu_races_meet(struct emu_races *r, const struct emu_thread *warp,
                    uint32_t mask)
{
    uint32_t first = index_of(r, warp);
    uint32_t *one = clock_of(r, first + (uint32_t)__builtin_ctz(mask));

    for (uint32_t left = mask & (mask - 1); left; left &= left - 1)
        join_clock(r, one, clock_of(r, first + (uint32_t)__builtin_ctz(left)));
    for (uint32_t left = mask & (mask - 1); left; left &= left - 1)
        memcpy(clock_of(r, first + (uint32_t)__builtin_ctz(left)), one,
               r->count * sizeof *one);
    for (uint32_t left = mask; left; left &= left - 1)
        advance_clock(r, first + (uint32_t)__builtin_ctz(left));
}

void emu_races_pass(struct emu_races *r, const struct emu_thread *t,
                    uint32_t barrier)
{
    uint32_t me = index_of(r, t);
    uint32_t *all = late_clock(r, &r->barriers[barrier]);

    if (all)
        join_clock(r, all, clock_of(r, me));
    advance_clock(r, me);
}

static bool is_waiting(const struct emu_races *r, uint32_t i, uint32_t barrier)
{
    const struct emu_thread *t = &r->b->threads[i];
    return t->state == EMU_AT_BARRIER && t->barrier_id == barrier;
}

void emu_races_release(struct emu_races *r, uint32_t barrier)
{
    bool is_all = !r->barriers[barrier];
    for (uint32_t i = 0; is_all && i < r->count; i++)
        is_all =
            r->b->threads[i].state == EMU_DONE || is_waiting(r, i, barrier);
    if (is_all) {
        begin_generation(r);
        return;
    }
    uint32_t *all = late_clock(r, &r->barriers[barrier]);
    for (uint32_t i = 0; all && i < r->count; i++)
        if (is_waiting(r, i, barrier))
            join_clock(r, all, clock_of(r, i));
    for (uint32_t i = 0; all && i < r->count; i++) {
        if (!is_waiting(r, i, barrier))
            continue;
        join_clock(r, clock_of(r, i), all);
        advance_clock(r, i);
    }
    free(all);
    r->barriers[barrier] = NULL;
}

void emu_races_all_meet(struct emu_races *r)
{
    begin_generation(r);
}

void emu_races_commit(struct emu_races *r, const struct emu_thread *t)
{
    r->groups[index_of(r, t)]++;
}

void emu_races_wait(struct emu_races *r, const struct emu_thread *t,
                    uint32_t left)
{
    uint32_t me = index_of(r, t);
    uint32_t done = r->groups[me] - 1 - left;

    if ((int32_t)(done - r->waited[me]) > 0)
        r->waited[me] = done;
}
