/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which registers are live at the start of each block, by the usual backward
 * dataflow. A definition with a guard does not end a life. Also marks
 * instructions whose results nothing reads.
 */
#include "simt/internal.h"

struct scan {
    uint64_t *use, *def;
    bool is_certain;
};

static void see_use(void *data, uint32_t reg)
{
    struct scan *s = data;

    if (!bits_has(s->def, reg))
        bits_add(s->use, reg);
}

static void see_def(void *data, uint32_t reg)
{
    struct scan *s = data;

    if (s->is_certain)
        bits_add(s->def, reg);
    else if (!bits_has(s->def, reg))
        bits_add(s->use, reg); /* the old value may survive */
}

void simt_find_liveness(struct simt_work *w)
{
    struct simt_kernel *k = w->k;
    uint32_t n = k->block_count;
    size_t words = w->reg_words;
    uint64_t **def = arena_array(k->arena, uint64_t *, n);
    uint64_t *out = arena_array(k->arena, uint64_t, words);

    w->live_in = arena_array(k->arena, uint64_t *, n);
    for (uint32_t b = 0; b < n; b++) {
        w->live_in[b] = arena_array(k->arena, uint64_t, words);
        def[b] = arena_array(k->arena, uint64_t, words);
        struct scan s = {.use = w->live_in[b], .def = def[b]};
        for (uint32_t i = k->blocks[b].first; i < k->blocks[b].end; i++) {
            const struct ptx_inst *in = &k->func->insts[i];
            ptx_for_each_use(in, see_use, &s);
            s.is_certain = in->guard == PTX_NO_REG;
            ptx_for_each_def(in, see_def, &s);
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = n; b-- > 0;) {
            const struct simt_block *bb = &k->blocks[b];
            memset(out, 0, words * sizeof *out);
            for (unsigned e = 0; e < bb->edge_count; e++)
                if (bb->edges[e].to != SIMT_NO_BLOCK)
                    bits_union(out, w->live_in[bb->edges[e].to], words);
            for (size_t i = 0; i < words; i++)
                out[i] &= ~def[b][i];
            changed |= bits_union(w->live_in[b], out, words);
        }
    }
}

/* ---- instructions whose results are not read --------------------------- */

struct live_scan {
    uint64_t *live;
    bool is_certain, writes, is_wanted;
};

static void make_live(void *data, uint32_t reg)
{
    struct live_scan *s = data;
    bits_add(s->live, reg);
}

static void look_at_def(void *data, uint32_t reg)
{
    struct live_scan *s = data;
    s->writes = true;
    s->is_wanted |= bits_has(s->live, reg);
}

static void end_life(void *data, uint32_t reg)
{
    struct live_scan *s = data;
    if (s->is_certain)
        bits_remove(s->live, reg);
}

static void find_dead_in(struct simt_work *w, const struct simt_block *bb,
                         uint64_t *live)
{
    struct simt_kernel *k = w->k;
    struct live_scan s = {.live = live};

    assert(bb->first <= bb->end);
    memset(live, 0, w->reg_words * sizeof *live);
    for (unsigned e = 0; e < bb->edge_count; e++)
        if (bb->edges[e].to != SIMT_NO_BLOCK)
            bits_union(live, w->live_in[bb->edges[e].to], w->reg_words);
    for (uint32_t i = bb->end; i-- > bb->first;) {
        const struct ptx_inst *in = &k->func->insts[i];
        s.is_certain = in->guard == PTX_NO_REG;
        s.writes = s.is_wanted = false;
        ptx_for_each_def(in, look_at_def, &s);
        /* The carry is a result that is no operand. */
        if (s.writes && !s.is_wanted && !(in->flags & PTX_FLAG_cc))
            k->inst_flags[i] |= SIMT_DEAD;
        ptx_for_each_def(in, end_life, &s);
        ptx_for_each_use(in, make_live, &s);
    }
}

void simt_find_dead(struct simt_work *w)
{
    uint64_t *live = arena_array(w->k->arena, uint64_t, w->reg_words);

    for (uint32_t b = 0; b < w->k->block_count; b++)
        find_dead_in(w, &w->k->blocks[b], live);
}
