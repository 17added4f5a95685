/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks of what kernels do: WEFT_CHECK. Accesses of threads come here
 * first, but for those of multimem, textures and surfaces. One beyond an
 * allocation, the block's shared memory or the thread's frames is reported and
 * not made, and the thread goes on, after ordinary loads with zeros, so that
 * one run finds all of a kernel's errors; the kernel ends with a fault when all
 * its blocks are done.
 */
#include "emu/check.h"

#include "base/clock.h"
#include "ptx/effects.h"

#include <pthread.h>
#include <stdlib.h>

unsigned emu_checks_wanted;

static struct emu_checks checks;

/* A loop that only bad accesses could end would never end; nor would a thread
 * that waits for a store which was not made: a launch with bad accesses ends
 * when threads wait and for so long no block has ended nor another access was
 * bad. */
enum { BAD_MAX = 10000 };
#define STUCK_NS UINT64_C(3000000000)

/* Launches that have begun, by number: grid_id % SLOTS. */
enum { SLOTS = 256 };
static struct {
    uint64_t grid_id, blocks; /* that have ended */
    uint64_t progress_ns;     /* when the last did, or an access was bad */
    uint32_t count;           /* of bad accesses */
} launches[SLOTS];
static pthread_mutex_t launches_lock = PTHREAD_MUTEX_INITIALIZER;

/* So many more bad accesses and blocks that have ended; says how many there
 * are. */
static uint32_t count_in_launch(const struct exec_launch *l, uint32_t bad,
                                uint64_t blocks, bool *is_over)
{
    pthread_mutex_lock(&launches_lock);
    unsigned i = l->grid_id % SLOTS;
    if (launches[i].grid_id != l->grid_id) {
        launches[i].grid_id = l->grid_id;
        launches[i].blocks = 0;
        launches[i].count = 0;
    }
    uint32_t count = launches[i].count += bad;
    launches[i].blocks += blocks;
    launches[i].progress_ns = clock_now_ns();
    *is_over = launches[i].blocks == l->block_count;
    pthread_mutex_unlock(&launches_lock);
    return count;
}

void emu_set_checks(const struct emu_checks *c)
{
    checks = *c;
    emu_checks_wanted = c->which;
}

/* ---- where an address is ------------------------------------------------- */

/* Memory that a block of the cluster has; shared addresses of all of them are
 * in one window. */
static bool is_in_shared(const struct emu_block *b, emu_bits p, size_t bytes)
{
    const struct exec_launch *l = b->launch;
    emu_bits at = p - emu_shared_base(b);
    emu_bits rank = at >> WEFT_CLUSTER_SHIFT;
    emu_bits mine = b->w->cluster_rank;
    size_t size = l->static_shared_bytes + l->dynamic_shared_bytes;

    at &= (UINT64_C(1) << WEFT_CLUSTER_SHIFT) - 1;
    return (rank == mine || rank < l->cluster_blocks) && at <= size &&
           bytes <= size - at;
}

/* shared, local or global. */
static enum ptx_space space_at(const struct emu_touch *touch, const uint8_t *p)
{
    if (ptx_is_shared_space(touch->space) ||
        is_in_shared(touch->b, (emu_bits)p, 1))
        return PTX_SPACE_shared;
    return emu_local_has(p) ? PTX_SPACE_local : PTX_SPACE_global;
}

static unsigned access_of(const struct ptx_inst *in)
{
    unsigned access = 0;

    if (ptx_is_atomic(in))
        return EMU_WRITES | EMU_STRONG | EMU_ATOMIC |
               (in->op == PTX_OP_red ? 0 : EMU_READS);
    if (in->sem != PTX_SEM_none && in->sem != PTX_SEM_weak)
        access |= EMU_STRONG;
    return access | (ptx_dest_count(in) > 0 ? EMU_READS : EMU_WRITES);
}

/* ---- reporting ----------------------------------------------------------- */

static struct emu_finding finding_of(const struct emu_block *b,
                                     const struct emu_thread *t, uint32_t line)
{
    const struct exec_launch *l = b->launch;
    struct emu_finding f = {
        .function = l->function,
        .block_linear = b->w->block_current,
        .at = {.thread = (uint32_t)(t - b->threads), .line = line}};
    memcpy(f.grid, l->grid, sizeof f.grid);
    memcpy(f.block, l->block, sizeof f.block);
    return f;
}

/* Counts a bad access; too many end the kernel at once. */
static void fail_launch(struct emu_block *b)
{
    bool is_over;

    if (count_in_launch(b->launch, 1, 0, &is_over) >= BAD_MAX)
        b->launch->helpers->checked(b->w);
}

void emu_end_stuck(struct emu_block *b)
{
    const struct exec_launch *l = b->launch;
    unsigned i = l->grid_id % SLOTS;

    if (!emu_checks_wanted)
        return;
    pthread_mutex_lock(&launches_lock);
    bool is_stuck = launches[i].grid_id == l->grid_id && launches[i].count &&
                    clock_now_ns() - launches[i].progress_ns > STUCK_NS;
    pthread_mutex_unlock(&launches_lock);
    if (is_stuck)
        l->helpers->checked(b->w);
}

void emu_end_checked(struct emu_block *b)
{
    const struct exec_launch *l = b->launch;
    bool is_over;

    if (!emu_checks_wanted)
        return;
    uint64_t blocks = b->w->block_end - b->w->block_first;
    uint32_t bad = count_in_launch(l, 0, blocks, &is_over);
    if (!is_over)
        return;
    emu_races_report(l->grid_id);
    if (bad)
        l->helpers->checked(b->w);
}

bool emu_report_misaligned(struct emu_block *b, struct emu_thread *t,
                           const struct ptx_inst *in, uint64_t address,
                           unsigned align_bytes)
{
    struct emu_touch touch = {b, t, in->line, access_of(in), in->space, NULL};
    struct emu_finding f = finding_of(b, t, in->line);

    f.kind = EMU_FOUND_MISALIGNED;
    f.at.access = touch.access;
    f.space = space_at(&touch, (const uint8_t *)(uintptr_t)address);
    f.address = address;
    f.bytes = align_bytes;
    checks.report(&f);
    fail_launch(b);
    return false;
}

void emu_report_barrier(struct emu_block *b, const struct emu_thread *t,
                        const char *what)
{
    if (!(emu_checks_wanted & EMU_CHECK_BARRIERS))
        return;
    struct emu_finding f = finding_of(b, t, emu_inst(t)->line);
    f.kind = EMU_FOUND_BARRIER;
    f.text = what;
    checks.report(&f);
}

void emu_note_work(struct emu_thread *t, const struct ptx_inst *in)
{
    enum ptx_flow flow = ptx_facts[in->op].flow;

    if (!t->frame->up && flow != PTX_FLOW_JUMPS && flow != PTX_FLOW_LEAVES)
        t->last_work = t->frame->pc; /* which is the next one already */
}

struct walk {
    uint8_t *seen;
    uint32_t *todo, count;
};

static void add_step(struct walk *w, uint32_t at)
{
    if (!w->seen[at])
        w->todo[w->count++] = at;
    w->seen[at] = 1;
}

static void add_next(const struct ptx_func *f, struct walk *w, uint32_t at)
{
    const struct ptx_inst *in = &f->insts[at];
    bool is_jump = ptx_facts[in->op].flow == PTX_FLOW_JUMPS;

    for (unsigned i = 0; i < in->target_count; i++)
        add_step(w, f->labels[in->targets[i]].inst);
    if (is_jump && !in->target_count)
        add_step(w, f->labels[in->operand[0].label].inst);
    bool goes_on = !(is_jump || ptx_facts[in->op].flow == PTX_FLOW_LEAVES) ||
                   in->guard != PTX_NO_REG;
    if (goes_on)
        add_step(w, at + 1);
}

bool emu_can_reach(const struct ptx_func *f, uint32_t from, uint32_t to)
{
    uint32_t n = (uint32_t)f->inst_count + 1;
    struct walk w = {.seen = calloc(n, 1), .todo = calloc(n, sizeof *w.todo)};

    if (w.seen && w.todo)
        add_next(f, &w, from);
    while (w.count) {
        uint32_t at = w.todo[--w.count];
        if (at < f->inst_count)
            add_next(f, &w, at);
    }
    bool can = w.seen && w.seen[to];
    free(w.seen);
    free(w.todo);
    return can;
}

void emu_report_race(const struct emu_finding *f)
{
    checks.report(f);
}

/* ---- accesses ------------------------------------------------------------ */

/* A null pointer, or a little behind it: no system maps memory there. */
static bool is_null(const uint8_t *p)
{
    return (uintptr_t)p < 1 << 16;
}

static bool is_inside(const struct emu_touch *touch, enum ptx_space space,
                      const uint8_t *p, size_t bytes)
{
    switch (space) {
    case PTX_SPACE_shared:
        return is_in_shared(touch->b, (emu_bits)p, bytes);
    case PTX_SPACE_local:
        return emu_is_in_frames(touch->t, (emu_bits)p, bytes);
    default:
        return !is_null(p) && checks.holds(p, bytes);
    }
}

static void report_access(const struct emu_touch *touch,
                          enum emu_finding_kind kind, enum ptx_space space,
                          const uint8_t *p, size_t bytes)
{
    struct emu_finding f = finding_of(touch->b, touch->t, touch->line);

    f.kind = kind;
    f.at.access = touch->access;
    f.space = space;
    f.address = (uintptr_t)p;
    if (space == PTX_SPACE_shared)
        f.address -= (uintptr_t)touch->b->w->shared;
    f.bytes = bytes;
    checks.report(&f);
}

static void check_values(const struct emu_touch *touch, const uint8_t *p,
                         size_t bytes)
{
    if (touch->access & EMU_READS && !checks.is_set(p, bytes))
        report_access(touch, EMU_FOUND_UNSET, PTX_SPACE_global, p, bytes);
    /* Once is enough. */
    checks.set(p, bytes);
}

static void check_races(const struct emu_touch *touch, enum ptx_space space,
                        const uint8_t *p, size_t bytes)
{
    struct emu_races *r = touch->b->races;
    emu_bits at = (emu_bits)p - (emu_bits)touch->b->w->shared;
    bool orders = touch->access & EMU_STRONG && space != PTX_SPACE_local;

    if (!r)
        return;
    if (orders)
        emu_races_see(r, touch->t, p);
    if (space == PTX_SPACE_shared && !(at >> WEFT_CLUSTER_SHIFT))
        emu_races_touch(r, touch, (uint32_t)at, (uint32_t)bytes);
    if (orders && touch->access & EMU_WRITES)
        emu_races_publish(r, touch->t, p);
}

bool emu_touch_checked(const struct emu_touch *touch, const uint8_t *p,
                       size_t bytes)
{
    enum ptx_space space = space_at(touch, p);

    if (!bytes)
        return true;
    if (!is_inside(touch, space, p, bytes)) {
        if (!(emu_checks_wanted & EMU_CHECK_MEMORY))
            return true;
        report_access(touch, EMU_FOUND_OUTSIDE, space, p, bytes);
        fail_launch(touch->b);
        return false;
    }
    if (emu_checks_wanted & EMU_CHECK_VALUES && space == PTX_SPACE_global)
        check_values(touch, p, bytes);
    if (emu_checks_wanted & EMU_CHECK_RACES)
        check_races(touch, space, p, bytes);
    return true;
}

bool emu_may_access(struct emu_block *b, struct emu_thread *t,
                    const struct ptx_inst *in)
{
    _Alignas(16) uint8_t value[64];
    size_t bytes;
    uint8_t *p = emu_reach(b, t, in, &bytes);
    struct emu_touch touch = {b, t, in->line, access_of(in), in->space, NULL};

    if (in->space == PTX_SPACE_param || in->space == PTX_SPACE_const)
        return true;
    if (in->op == PTX_OP_st && b->races && bytes <= sizeof value) {
        emu_stored_bytes(b, t, in, value);
        touch.value = value;
    }
    return emu_touch_checked(&touch, p, bytes);
}
