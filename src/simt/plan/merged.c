/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Merged accesses: sixteen bytes for each lane that PTX moves in pieces. clang
 * takes a float4 in shared memory that is declared as an array of float to be
 * aligned like a float, and copies it word by word; an int4 in an array of
 * halves in eight pieces. A CPU does not care about alignment, but each piece
 * is a gather or a scatter. So neighbouring pieces become one access, as if
 * the program had said .v4 or .v8: loads at the place of the first piece,
 * stores at that of the last.
 *
 * Pieces have the same base register, which does not change between them, no
 * guard, and nothing that orders memory. Between them there may be arithmetic
 * that leaves their registers alone, and accesses to a window that cannot
 * overlap. Accesses that are neighbours from lane to lane, or nearly so, are
 * not merged: they are vectors already. What lies further apart is a structure
 * for each lane.
 */
#include "simt/plan/internal.h"

enum { GROUP_BYTES = 16, MAX_PIECES = 16, MAX_DISTANCE = 64 };

/* Pieces that may be merged with the one at `first`, by instruction. */
struct pieces {
    const struct simt_kernel *k;
    uint32_t first, size_bytes;
    uint32_t inst[MAX_DISTANCE];
    unsigned count;
};

static bool is_load(const struct ptx_inst *in)
{
    return in->op == PTX_OP_ld;
}

static const struct ptx_operand *address_of(const struct ptx_inst *in)
{
    assert(in->op == PTX_OP_ld || in->op == PTX_OP_st);
    return &in->operand[is_load(in) ? 1 : 0];
}

static const struct ptx_operand *value_of(const struct ptx_inst *in)
{
    assert(in->op == PTX_OP_ld || in->op == PTX_OP_st);
    return &in->operand[is_load(in) ? 0 : 1];
}

static unsigned piece_bytes(const struct ptx_inst *in)
{
    return ptx_type_size(in->type[in->type_count - 1]);
}

static bool is_window(enum ptx_space space)
{
    return space == PTX_SPACE_global || space == PTX_SPACE_shared ||
           space == PTX_SPACE_local || space == PTX_SPACE_const;
}

static bool is_plain(const struct ptx_inst *in)
{
    return (in->op == PTX_OP_ld || in->op == PTX_OP_st) &&
           in->guard == PTX_NO_REG &&
           (in->sem == PTX_SEM_none || in->sem == PTX_SEM_weak) &&
           !(in->flags & ~(uint64_t)PTX_FLAG_nc);
}

static bool is_piece(const struct simt_kernel *k, uint32_t i)
{
    const struct ptx_inst *in = &k->func->insts[i];
    const unsigned odd = SIMT_DEAD | SIMT_WAITS | SIMT_HAZARD;
    const struct simt_shape *s = &k->address[i];

    return is_plain(in) && piece_bytes(in) <= 4 &&
           (is_window(in->space) || in->space == PTX_SPACE_generic) &&
           address_of(in)->reg != PTX_NO_REG && !address_of(in)->var &&
           !simt_interleaved_var(k, address_of(in)) &&
           value_of(in)->kind == PTX_OPERAND_reg && !(k->inst_flags[i] & odd) &&
           (simt_is_varying(*s) || s->stride >= GROUP_BYTES);
}

static bool is_alike(const struct simt_kernel *k, uint32_t i, uint32_t j)
{
    const struct ptx_inst *a = &k->func->insts[i], *b = &k->func->insts[j];

    return a->op == b->op && a->space == b->space && a->flags == b->flags &&
           a->type[a->type_count - 1] == b->type[b->type_count - 1] &&
           address_of(a)->reg == address_of(b)->reg &&
           k->inst_flags[i] == k->inst_flags[j];
}

/* ---- what stands between ------------------------------------------------ */

/* Does the instruction only compute, or access another window? */
static bool may_stand_between(const struct ptx_inst *in,
                              const struct ptx_inst *piece)
{
    switch (in->op) {
    case PTX_OP_ld:
        if (is_load(piece))
            return is_plain(in);
        break;
    case PTX_OP_st: /* memory that .nc reads is not written */
        if (piece->flags & PTX_FLAG_nc)
            return is_plain(in);
        break;
    default:
        return ptx_only_computes(in);
    }
    return is_plain(in) && is_window(in->space) && is_window(piece->space) &&
           in->space != piece->space;
}

/* A load moves up to the first piece, a store's value down to the last:
 * nothing in between may read or write the register. */
static bool may_move(const struct pieces *p, uint32_t from, uint32_t to)
{
    const struct ptx_inst *insts = p->k->func->insts;
    uint32_t reg = value_of(&insts[is_load(&insts[from]) ? to : from])->reg;

    assert(from <= to);
    for (uint32_t i = from + 1; i < to; i++)
        if (ptx_defines(&insts[i], reg) ||
            (is_load(&insts[from]) && ptx_uses(&insts[i], reg)))
            return false;
    return true;
}

static void find_pieces(struct pieces *p, uint32_t end,
                        const struct ptx_inst *const *taken)
{
    const struct ptx_inst *insts = p->k->func->insts;
    const struct ptx_inst *first = &insts[p->first];
    uint32_t base = address_of(first)->reg;

    p->inst[p->count++] = p->first;
    for (uint32_t i = p->first; i + 1 < end; i++) {
        uint32_t j = i + 1;
        if (ptx_defines(&insts[i], base) || j - p->first >= MAX_DISTANCE)
            return;
        if (taken[j] == &insts[j] && is_piece(p->k, j) &&
            is_alike(p->k, p->first, j))
            p->inst[p->count++] = j;
        else if (!may_stand_between(&insts[j], first))
            return;
    }
}

/* ---- groups ------------------------------------------------------------- */

/* The piece at `offset`, if there is exactly one. */
static uint32_t piece_at(const struct pieces *p, int64_t offset)
{
    uint32_t found = UINT32_MAX;

    for (unsigned i = 0; i < p->count; i++) {
        const struct ptx_inst *in = &p->k->func->insts[p->inst[i]];
        int64_t distance = address_of(in)->imm - offset;
        if (distance == 0 && found == UINT32_MAX)
            found = p->inst[i];
        else if (distance > -(int64_t)p->size_bytes &&
                 distance < (int64_t)p->size_bytes)
            return UINT32_MAX;
    }
    return found;
}

/* Finds the pieces for the bytes from `offset` on. False: one is missing, or
 * cannot be moved. */
static bool find_group(const struct pieces *p, int64_t offset, uint32_t *group)
{
    unsigned n = GROUP_BYTES / p->size_bytes;
    const struct ptx_inst *insts = p->k->func->insts;
    uint32_t last = p->first;

    for (unsigned i = 0; i < n; i++) {
        group[i] = piece_at(p, offset + (int64_t)i * p->size_bytes);
        if (group[i] == UINT32_MAX)
            return false;
        last = group[i] > last ? group[i] : last;
    }
    for (unsigned i = 0; i < n; i++) {
        bool is_up = is_load(&insts[p->first]);
        if (is_up ? group[i] != p->first && !may_move(p, p->first, group[i])
                  : group[i] != last && !may_move(p, group[i], last))
            return false;
        for (unsigned j = 0; is_up && j < i; j++)
            if (value_of(&insts[group[i]])->reg ==
                value_of(&insts[group[j]])->reg)
                return false;
    }
    return true;
}

static const struct ptx_inst *join_accesses(const struct pieces *p,
                                            const uint32_t *group)
{
    struct arena *arena = p->k->arena;
    unsigned n = GROUP_BYTES / p->size_bytes;
    const struct ptx_inst *insts = p->k->func->insts;
    struct ptx_inst *in = arena_new(arena, struct ptx_inst);
    struct ptx_operand *o = arena_array(arena, struct ptx_operand, 2 + n);
    unsigned value = is_load(&insts[p->first]) ? 0 : 1;

    for (unsigned i = 0; i < n; i++)
        o[2 + i] = *value_of(&insts[group[i]]);
    o[1 - value] = *address_of(&insts[group[0]]);
    o[value] = (struct ptx_operand){.kind = PTX_OPERAND_vector,
                                    .reg = PTX_NO_REG,
                                    .items = &o[2],
                                    .item_count = n};
    *in = insts[p->first];
    in->vector = n;
    in->operand = o;
    return in;
}

/* Merges the group that begins with the piece at `first`, if there is one. If
 * there are several, one that starts at a multiple of its length. */
static void join_from(struct simt_plan *plan, uint32_t first, uint32_t end)
{
    const struct simt_kernel *k = plan->k;
    const struct ptx_inst **taken = plan->code;
    const struct ptx_inst *in = &k->func->insts[first];
    struct pieces p = {.k = k, .first = first, .size_bytes = piece_bytes(in)};
    uint32_t group[MAX_PIECES];
    int64_t offset = address_of(in)->imm;
    int64_t start = offset & ~(int64_t)(GROUP_BYTES - 1);

    assert(first < end);
    find_pieces(&p, end, taken);
    if (p.count < GROUP_BYTES / p.size_bytes)
        return;
    if (!find_group(&p, start, group)) {
        for (start = offset - GROUP_BYTES + p.size_bytes; start <= offset;
             start += p.size_bytes)
            if (find_group(&p, start, group))
                break;
        if (start > offset)
            return;
    }
    uint32_t last = first;
    for (unsigned i = 0; i < GROUP_BYTES / p.size_bytes; i++) {
        taken[group[i]] = NULL;
        last = group[i] > last ? group[i] : last;
    }
    uint32_t at = is_load(in) ? first : last;
    taken[at] = join_accesses(&p, group);
    plan_note(plan, (struct simt_note){.of = SIMT_OF_INST,
                                       .at = at,
                                       .decision = SIMT_DECIDED_MERGED,
                                       .number = taken[at]->vector});
}

void plan_merged(struct simt_plan *p)
{
    const struct simt_kernel *k = p->k;

    for (size_t i = 0; i < k->func->inst_count; i++)
        p->code[i] = &k->func->insts[i];
    for (uint32_t b = 0; k->spec.lane_count > 1 && b < k->block_count; b++) {
        uint32_t end = k->blocks[b].end;
        if (end > k->blocks[b].first &&
            ptx_ends_block(&k->func->insts[end - 1]))
            end--;
        for (uint32_t i = k->blocks[b].first; i < end; i++)
            if (p->code[i] == &k->func->insts[i] && is_piece(k, i))
                join_from(p, i, end);
    }
}
