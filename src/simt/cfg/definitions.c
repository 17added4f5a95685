/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where registers are defined: for each, the places in block order. The search
 * for loops that wait asks for one register after the other, and a loop may
 * have ten thousand of them.
 */
#include "simt/progress/progress.h"

struct simt_defs {
    struct simt_place *places;
    /* by register: end of its places, where the next one's begin */
    uint32_t *end;
};

struct filling {
    struct simt_defs *defs;
    struct simt_place at;
    bool is_counting;
};

static void fill_definition(void *data, uint32_t reg)
{
    const struct filling *f = data;
    uint32_t *end = &f->defs->end[reg + 1];

    if (!f->is_counting)
        f->defs->places[*end] = f->at;
    ++*end;
}

static void fill_all(struct simt_kernel *k, struct filling f)
{
    for (uint32_t b = 0; b < k->block_count; b++)
        for (uint32_t i = k->blocks[b].first; i < k->blocks[b].end; i++) {
            f.at = (struct simt_place){i, b};
            ptx_for_each_def(&k->func->insts[i], fill_definition, &f);
        }
}

/* First counts each register's places, then turns the counts into the start of
 * each register's list, and, as lists are filled in, into its end. */
void simt_find_defs(struct simt_waits *s)
{
    struct simt_kernel *k = s->k;
    struct simt_defs *defs = arena_new(k->arena, struct simt_defs);
    uint32_t total = 0, regs = (uint32_t)k->func->reg_count;

    defs->end = arena_array(k->arena, uint32_t, (size_t)regs + 1);
    fill_all(k, (struct filling){.defs = defs, .is_counting = true});
    for (uint32_t r = 0; r < regs; r++) {
        uint32_t count = defs->end[r + 1];
        defs->end[r + 1] = total;
        total += count;
    }
    defs->places = arena_array(k->arena, struct simt_place, (size_t)total + 1);
    fill_all(k, (struct filling){.defs = defs});
    k->defs = defs;
}

static bool is_before(struct simt_place a, struct simt_place b)
{
    return a.block != b.block ? a.block < b.block : a.inst < b.inst;
}

/* The register's first place at `at` or behind it. */
static uint32_t first_from(const struct simt_defs *d, uint32_t reg,
                           struct simt_place at)
{
    uint32_t low = d->end[reg], high = d->end[reg + 1];

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (is_before(d->places[middle], at))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool simt_find_def(const struct simt_kernel *k, uint32_t reg, uint32_t last,
                   struct simt_place *at)
{
    const struct simt_defs *d = k->defs;

    assert(reg < k->func->reg_count);
    if (reg >= k->func->reg_count)
        return false;
    uint32_t i = first_from(d, reg, *at);
    if (i == d->end[reg + 1] || d->places[i].block > last)
        return false;
    *at = d->places[i];
    return true;
}

bool simt_find_def_above(const struct simt_kernel *k, uint32_t reg,
                         struct simt_place *at)
{
    const struct simt_defs *d = k->defs;
    uint32_t i = first_from(d, reg, *at);

    assert(reg < k->func->reg_count);
    if (i == d->end[reg] || d->places[i - 1].block != at->block)
        return false;
    *at = d->places[i - 1];
    return true;
}
