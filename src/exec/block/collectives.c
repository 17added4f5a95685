/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations between the lanes of a warp in kernels that are compiled for one
 * lane to a call: 32 fibers in a row are a warp, and its lanes wait. A lane
 * leaves its value, and the last one of the named members lets all go on, each
 * with the values of all.
 *
 * An operation that names no members (activemask, the forms without .sync)
 * gathers the lanes that come: all of the warp, or those that have come when
 * nothing else on this SM can go on.
 */
#include "exec/internal.h"

#include <stdio.h>
#include <stdlib.h>

#define LANES WEFT_WARP_LANES

/*  free --first arrival--> pending --last member--> complete --all have
 *  read it--> free                                                       */
struct collective {
    struct exec_collective shown;
    uint32_t members; /* 0: whoever comes */
    uint32_t kind;
    uint32_t arrived;
    uint32_t unread; /* lanes that hold it */
    struct collective *next;
};

struct lane_group {
    struct warp_slot *slots; /* of lane 0 */
    uint32_t alive;
    struct collective *pending, *unused;
    struct collective *held[LANES]; /* by lane: where it is, or was last */
};

/* ---- memory ----------------------------------------------------------- */

bool collective_provide(struct block_slot *p)
{
    if (!p->groups)
        p->groups = calloc(WARPS_MAX / LANES, sizeof *p->groups);
    return p->groups != NULL;
}

static void free_list(struct collective *m)
{
    while (m) {
        struct collective *next = m->next;
        free(m);
        m = next;
    }
}

/* Frees a group's collectives. Each of them is in `held`, pending or
 * unused. */
static void forget_group(struct lane_group *g)
{
    for (unsigned i = 0; i < LANES; i++) {
        struct collective *m = g->held[i];
        g->held[i] = NULL;
        assert(!m || m->unread > 0);
        if (!m || --m->unread)
            continue;
        m->next = g->unused;
        g->unused = m;
    }
    g->pending = NULL;
}

void collective_forget(struct block_slot *p)
{
    if (!p->groups || p->lane_count != 1)
        return;
    for (uint32_t i = 0; i * LANES < p->count; i++) {
        struct lane_group *g = &p->groups[i];
        uint32_t left = p->count - i * LANES;
        forget_group(g);
        g->slots = &p->slots[(size_t)i * LANES];
        g->alive = left >= LANES ? UINT32_MAX : (UINT32_C(1) << left) - 1;
    }
}

void collective_destroy(struct block_slot *p)
{
    for (uint32_t i = 0; p->groups && i < WARPS_MAX / LANES; i++) {
        forget_group(&p->groups[i]);
        free_list(p->groups[i].unused);
    }
    free(p->groups);
}

static struct collective *new_meeting(struct sm *sm, struct lane_group *g)
{
    struct collective *m = g->unused;
    if (m)
        g->unused = m->next;
    else
        m = malloc(sizeof *m);
    if (!m) {
        fprintf(stderr, "weft: no memory for a warp operation\n");
        fault_raise(sm, EXEC_FAULT_TRAP);
    }
    return m;
}

/* ---- joining ---------------------------------------------------------- */

static struct collective *find_or_open(struct sm *sm, struct lane_group *g,
                                       uint32_t members, uint32_t kind)
{
    for (struct collective *m = g->pending; m; m = m->next)
        if (m->members == members && m->kind == kind)
            return m;
    assert(members == 0 || (members & g->alive) != 0);
    struct collective *m = new_meeting(sm, g);
    m->members = members;
    m->kind = kind;
    m->arrived = m->unread = 0;
    m->shown.present = m->shown.ballot = 0;
    m->next = g->pending;
    g->pending = m;
    return m;
}

static bool is_complete(const struct lane_group *g, const struct collective *m)
{
    uint32_t wanted = m->members ? m->members : UINT32_MAX;
    return (wanted & g->alive & ~m->arrived) == 0;
}

/* Lets the waiting lanes go on. */
static void complete_collective(struct block_slot *p, struct lane_group *g,
                                struct collective *m)
{
    struct collective **at = &g->pending;
    while (*at && *at != m)
        at = &(*at)->next;
    assert(*at == m && m->arrived != 0);
    *at = m->next;
    m->shown.present = m->arrived;
    for (uint32_t set = m->arrived; set; set &= set - 1)
        set_add(&p->ready, g->slots[__builtin_ctz(set)].warp.warp_first);
    resident_note_sync(p->sm);
}

const struct exec_collective *collective_join(struct exec_warp *w,
                                              uint32_t members, uint32_t kind,
                                              uint64_t value)
{
    struct warp_slot *self = slot_of(w);
    struct block_slot *p = self->block_slot;
    struct lane_group *g = &p->groups[w->warp_first / LANES];
    uint32_t lane = w->warp_first % LANES, bit = UINT32_C(1) << lane;

    assert(p->lane_count == 1 && (g->alive & bit));
    struct collective *before = g->held[lane];
    if (before && --before->unread == 0) {
        before->next = g->unused;
        g->unused = before;
    }
    if (members)
        members |= bit; /* else the program is wrong, but need not hang */
    struct collective *m = find_or_open(p->sm, g, members, kind);
    assert(!(m->arrived & bit)); /* it has waited since */
    g->held[lane] = m;
    m->unread++;
    m->arrived |= bit;
    m->shown.value[lane] = value;
    if (value & 1)
        m->shown.ballot |= bit;
    if (is_complete(g, m)) {
        complete_collective(p, g, m);
    } else {
        warp_park(self);
        warp_run_another(p->sm, self);
    }
    return &m->shown;
}

/* ---- who does not come ------------------------------------------------- */

void collective_note_exit(struct warp_slot *self)
{
    struct block_slot *p = self->block_slot;
    uint32_t index = self->warp.warp_first;
    if (p->lane_count != 1)
        return;
    struct lane_group *g = &p->groups[index / LANES];
    assert(g->alive >> index % LANES & 1);
    g->alive &= ~(UINT32_C(1) << index % LANES);
    for (struct collective *m = g->pending, *next; m; m = next) {
        next = m->next;
        if (is_complete(g, m))
            complete_collective(p, g, m);
    }
}

bool collective_release_gatherings(struct block_slot *p)
{
    bool any = false;
    for (uint32_t i = 0; i * LANES < p->count; i++) {
        struct lane_group *g = &p->groups[i];
        for (struct collective *m = g->pending, *next; m; m = next) {
            next = m->next;
            if (m->members)
                continue;
            complete_collective(p, g, m);
            any = true;
        }
    }
    return any;
}

/* See switch.h. */
EXEC_RETURN_BY_JUMP(helper_collective, collective_join);
