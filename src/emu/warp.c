/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What lanes of a warp do together. An instruction with .sync names the lanes
 * it waits for; one without takes the lanes that stand at it right now.
 */
#include "emu/check.h"
#include "emu/matrix.h"

/* barrier.cluster.arrive: one thread does it alone, without waiting. */
static bool is_cluster_arrive(const struct ptx_inst *in)
{
    return in->op == PTX_OP_barrier && in->scope == PTX_SCOPE_cluster &&
           in->sub == PTX_SUB_arrive;
}

bool emu_is_collective(const struct ptx_inst *in)
{
    enum emu_how how = emu_ops[in->op].how;

    return (how == EMU_WARP || how == EMU_MATRIX) && !is_cluster_arrive(in);
}

/* Which operand is the member mask; 0: none. */
static unsigned mask_operand(const struct ptx_inst *in)
{
    switch (in->op) {
    case PTX_OP_shfl:
        return in->flags & PTX_FLAG_sync ? 5 : 0;
    case PTX_OP_vote:
        return in->flags & PTX_FLAG_sync ? 2 : 0;
    case PTX_OP_match: /* any has no predicate */
        return in->sub == PTX_SUB_all ? 3 : 2;
    case PTX_OP_redux:
    case PTX_OP_elect:
        return 2;
    default:
        return 0;
    }
}

uint32_t emu_collective_mask(struct emu_block *b, struct emu_thread *t,
                          const struct ptx_inst *in, uint32_t group)
{
    unsigned at = mask_operand(in);
    bool is_barrier = in->op == PTX_OP_bar && in->sub == PTX_SUB_warp;

    if (emu_is_matrix(in)) /* always the whole warp */
        return UINT32_MAX;
    if (!at && !is_barrier)
        return group;
    uint32_t named = (uint32_t)emu_read(b, t, &in->operand[at], PTX_TYPE_u32);
    if (!(named >> t->lane & 1))
        emu_report_barrier(b, t, "Invalid arguments");
    /* A thread that does not name itself takes part all the same. */
    return named | UINT32_C(1) << t->lane;
}

struct collective {
    struct emu_block *b;
    struct emu_thread *warp;
    uint32_t mask;
    emu_bits source[32];
};

static void shuffle_lane(struct collective *m, unsigned lane)
{
    struct emu_thread *t = &m->warp[lane];
    const struct ptx_inst *in = emu_inst(t);
    unsigned n = (unsigned)emu_read(m->b, t, &in->operand[3], PTX_TYPE_u32);
    unsigned c = (unsigned)emu_read(m->b, t, &in->operand[4], PTX_TYPE_u32);
    unsigned segment = c >> 8 & 31, clamp = c & 31;
    unsigned most = (lane & segment) | (clamp & ~segment & 31);
    unsigned least = lane & segment;
    int from;
    bool ok;

    n &= 31;
    switch (in->sub) {
    case PTX_SUB_up:
        from = (int)lane - (int)n;
        ok = from >= (int)most;
        break;
    case PTX_SUB_down:
        from = (int)(lane + n);
        ok = from <= (int)most;
        break;
    case PTX_SUB_bfly:
        from = (int)(lane ^ n);
        ok = from <= (int)most;
        break;
    default:
        from = (int)(least | (n & ~segment & 31));
        ok = from <= (int)most;
        break;
    }
    if (!ok)
        from = (int)lane;
    emu_write(t, &in->operand[0], m->source[from & 31]);
    emu_write(t, &in->operand[1], ok);
}

static uint32_t ballot_lanes(const struct collective *m)
{
    uint32_t v = 0;

    for (unsigned i = 0; i < 32; i++)
        if (m->mask >> i & 1)
            v |= (uint32_t)(m->source[i] & 1) << i;
    return v;
}

static emu_bits vote_lanes(const struct collective *m, enum ptx_sub sub)
{
    uint32_t v = ballot_lanes(m);

    switch (sub) {
    case PTX_SUB_all:
        return v == m->mask;
    case PTX_SUB_any:
        return v != 0;
    case PTX_SUB_uni:
        return v == 0 || v == m->mask;
    default:
        return v;
    }
}

static void match_lane(struct collective *m, unsigned lane)
{
    struct emu_thread *t = &m->warp[lane];
    const struct ptx_inst *in = emu_inst(t);
    uint32_t same = 0;

    for (unsigned i = 0; i < 32; i++)
        if (m->mask >> i & 1 && m->source[i] == m->source[lane])
            same |= UINT32_C(1) << i;
    if (in->sub == PTX_SUB_all) {
        emu_write(t, &in->operand[1], same == m->mask);
        same = same == m->mask ? m->mask : 0;
    }
    emu_write(t, &in->operand[0], same);
}

static emu_bits reduce_lanes(const struct collective *m,
                             const struct ptx_inst *in)
{
    struct ptx_inst op = *in;
    emu_bits sum = 0, unused;
    bool is_first = true, carry = false;

    op.op = in->sub == PTX_SUB_add   ? PTX_OP_add
            : in->sub == PTX_SUB_min ? PTX_OP_min
            : in->sub == PTX_SUB_max ? PTX_OP_max
            : in->sub == PTX_SUB_and ? PTX_OP_and
            : in->sub == PTX_SUB_or  ? PTX_OP_or
                                     : PTX_OP_xor;
    op.flags &= PTX_FLAG_NaN;
    op.rnd = PTX_RND_none;
    for (unsigned i = 0; i < 32; i++) {
        if (!(m->mask >> i & 1))
            continue;
        emu_bits a[3] = {sum, m->source[i], 0};
        if (is_first)
            sum = m->source[i];
        else
            emu_alu(&op, a, &carry, &sum, &unused);
        is_first = false;
    }
    return sum;
}

static void finish_lane(struct collective *m, unsigned lane)
{
    struct emu_thread *t = &m->warp[lane];
    const struct ptx_inst *in = emu_inst(t);

    switch (in->op) {
    case PTX_OP_shfl:
        shuffle_lane(m, lane);
        break;
    case PTX_OP_vote:
        emu_write(t, &in->operand[0], vote_lanes(m, in->sub));
        break;
    case PTX_OP_match:
        match_lane(m, lane);
        break;
    case PTX_OP_redux:
        emu_write(t, &in->operand[0], reduce_lanes(m, in));
        break;
    case PTX_OP_activemask:
        emu_write(t, &in->operand[0], m->mask);
        break;
    case PTX_OP_elect: {
        unsigned first = (unsigned)__builtin_ctz(m->mask);
        emu_write(t, &in->operand[0], first);
        emu_write(t, &in->operand[1], lane == first);
        break;
    }
    default: /* bar.warp.sync: having met is all */
        break;
    }
}

static const struct ptx_operand *source_operand(const struct ptx_inst *in)
{
    switch (in->op) {
    case PTX_OP_shfl:
        return &in->operand[2];
    case PTX_OP_match:
        return &in->operand[in->sub == PTX_SUB_all ? 2 : 1];
    case PTX_OP_vote:
    case PTX_OP_redux:
        return &in->operand[1];
    default:
        return NULL;
    }
}

static void exchange_values(struct emu_block *b, struct emu_thread *warp,
                           uint32_t mask)
{
    struct collective m = {.b = b, .warp = warp, .mask = mask};

    for (unsigned i = 0; i < 32; i++) {
        if (!(mask >> i & 1))
            continue;
        const struct ptx_inst *in = emu_inst(&warp[i]);
        const struct ptx_operand *o = source_operand(in);
        if (o)
            m.source[i] = emu_truncate(in->type[0],
                                       emu_read(b, &warp[i], o, in->type[0]));
        if (in->op == PTX_OP_vote)
            m.source[i] = emu_read(b, &warp[i], o, PTX_TYPE_pred) & 1;
    }
    for (unsigned i = 0; i < 32; i++)
        if (mask >> i & 1)
            finish_lane(&m, i);
}

void emu_run_collective(struct emu_block *b, struct emu_thread *warp,
                        uint32_t mask)
{
    const struct ptx_inst *in = emu_inst(&warp[__builtin_ctz(mask)]);
    uint32_t fit = mask; /* lanes with addresses that are aligned */

    for (uint32_t left = mask; left; left &= left - 1) {
        struct emu_thread *t = &warp[__builtin_ctz(left)];
        if (!emu_test_alignment(b, t, emu_inst(t)))
            fit &= ~(left & -left);
    }
    if (b->races && in->op == PTX_OP_bar)
        emu_races_meet(b->races, warp, mask);
    if (!emu_is_matrix(in))
        exchange_values(b, warp, mask);
    else if (fit)
        emu_matrix(b, warp, fit);
    for (unsigned i = 0; i < 32; i++)
        if (mask >> i & 1) {
            warp[i].state = EMU_RUN;
            warp[i].frame->pc++;
        }
}
