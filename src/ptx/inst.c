/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which registers an instruction reads and writes, from the letters of its row
 * in forms.def. Operands are at the places of the letters: what the text
 * leaves out has kind `none`.
 */
#include "ptx/parse.h"

static bool is_letter(char c)
{
    return c && c != '?' && !ptx_is_joint(c);
}

char ptx_operand_letter(const struct ptx_inst *inst, unsigned i)
{
    const char *c = inst->operands;
    for (; *c && *c != ' ' && *c != '@'; c++)
        if (is_letter(*c) && !i--)
            return *c;
    return 0;
}

bool ptx_is_joined(const struct ptx_inst *inst)
{
    return inst->operands[0] && ptx_is_joint(inst->operands[1]) &&
           inst->operands[1] != '!';
}

/* ---- types ------------------------------------------------------------- */

enum ptx_type ptx_twice_as_wide(enum ptx_type t)
{
    switch (t) {
    case PTX_TYPE_u16:
        return PTX_TYPE_u32;
    case PTX_TYPE_s16:
        return PTX_TYPE_s32;
    case PTX_TYPE_u32:
        return PTX_TYPE_u64;
    case PTX_TYPE_s32:
        return PTX_TYPE_s64;
    default:
        return PTX_TYPE_none;
    }
}

/* The type of the letter's operand; none: any type. */
enum ptx_type ptx_letter_type(const struct ptx_inst *inst, char letter)
{
    switch (letter) {
    case 'd':
    case 'c':
        return inst->half == PTX_HALF_wide ? ptx_twice_as_wide(inst->type[0])
                                           : inst->type[0];
    case 's':
    case 'v':
    case 'w':
        return inst->type[0];
    case 't':
        return inst->type_count > 1 ? inst->type[1] : inst->type[0];
    case 'D':
    case 'M':
    case 'N':
    case 'm':
    case 'n':
    case 'x':
    case 'L':
        return PTX_TYPE_u32;
    case 'g':
        return inst->type[0];
    case 'h':
        return PTX_TYPE_u64;
    case 'i':
    case 'y':
        return PTX_TYPE_b64;
    case 'p':
    case 'q':
        return PTX_TYPE_pred;
    case 'z':
        return PTX_TYPE_b32;
    case 'F':
        return PTX_TYPE_f32;
    case 'u':
        return PTX_TYPE_u16;
    default:
        return PTX_TYPE_none;
    }
}

/* The untyped type of this many bytes. */
static enum ptx_type bits_type(unsigned size_bytes)
{
    switch (size_bytes) {
    case 1:
        return PTX_TYPE_b8;
    case 2:
        return PTX_TYPE_b16;
    case 4:
        return PTX_TYPE_b32;
    case 8:
        return PTX_TYPE_b64;
    default:
        return PTX_TYPE_none;
    }
}

enum ptx_type ptx_operand_type(const struct ptx_inst *inst, unsigned i)
{
    char letter = ptx_operand_letter(inst, i);
    return ptx_letter_type(inst, letter);
}

/* ld.v4.f32 {a, b, c, d}: four of them; mov.b64 {a, b}: halves. */
enum ptx_type ptx_item_type(const struct ptx_inst *inst, enum ptx_type whole,
                            unsigned item_count)
{
    if (inst->vector > 1 || !whole)
        return whole;
    unsigned size_bytes = ptx_type_size(whole);
    return size_bytes % item_count ? PTX_TYPE_none
                                   : bits_type(size_bytes / item_count);
}

/* ---- reads and writes -------------------------------------------------- */

static bool is_dest_letter(char c)
{
    switch (c) {
    case 'd':
    case 'D':
    case 'p':
    case 'v':
    case 'R':
    case 'M':
    case 'N':
    case 'k':
        return true;
    default:
        return false;
    }
}

unsigned ptx_dest_count(const struct ptx_inst *inst)
{
    unsigned count = 0;
    while (is_dest_letter(ptx_operand_letter(inst, count)))
        count++;
    return count;
}

static void visit_registers(const struct ptx_operand *op,
                            void (*fn)(void *data, uint32_t reg), void *data)
{
    if (op->reg != PTX_NO_REG &&
        (op->kind == PTX_OPERAND_reg || op->kind == PTX_OPERAND_address))
        fn(data, op->reg);
    for (unsigned i = 0; i < op->item_count; i++)
        visit_registers(&op->items[i], fn, data);
}

static void visit_list(const struct ptx_operand *list, unsigned count,
                       void (*fn)(void *data, uint32_t reg), void *data)
{
    for (unsigned i = 0; i < count; i++)
        visit_registers(&list[i], fn, data);
}

void ptx_for_each_use(const struct ptx_inst *inst,
                      void (*fn)(void *data, uint32_t reg), void *data)
{
    unsigned dests = ptx_dest_count(inst);
    if (inst->guard != PTX_NO_REG)
        fn(data, inst->guard);
    if (inst->operand_count > dests)
        visit_list(inst->operand + dests, inst->operand_count - dests, fn,
                   data);
    /* wgmma adds to its destination. */
    if (inst->op == PTX_OP_wgmma && dests)
        visit_list(inst->operand, 1, fn, data);
    if (!inst->call)
        return;
    visit_list(inst->call->args, inst->call->arg_count, fn, data);
    if (inst->call->reg != PTX_NO_REG)
        fn(data, inst->call->reg);
}

void ptx_for_each_def(const struct ptx_inst *inst,
                      void (*fn)(void *data, uint32_t reg), void *data)
{
    unsigned dests = ptx_dest_count(inst);
    if (dests > inst->operand_count)
        dests = inst->operand_count;
    visit_list(inst->operand, dests, fn, data);
    if (inst->call)
        visit_list(inst->call->rets, inst->call->ret_count, fn, data);
}

struct search {
    uint32_t reg;
    bool is_there;
};

static void match_register(void *data, uint32_t reg)
{
    struct search *s = data;
    s->is_there |= reg == s->reg;
}

bool ptx_defines(const struct ptx_inst *inst, uint32_t reg)
{
    struct search s = {.reg = reg};
    ptx_for_each_def(inst, match_register, &s);
    return s.is_there;
}

bool ptx_uses(const struct ptx_inst *inst, uint32_t reg)
{
    struct search s = {.reg = reg};
    ptx_for_each_use(inst, match_register, &s);
    return s.is_there;
}

const struct ptx_inst *ptx_only_def(const struct ptx_func *f, uint32_t reg)
{
    const struct ptx_inst *found = NULL;

    for (size_t i = 0; i < f->inst_count; i++) {
        if (!ptx_defines(&f->insts[i], reg))
            continue;
        if (found)
            return NULL;
        found = &f->insts[i];
    }
    return found;
}

bool ptx_only_orders_copies(const struct ptx_inst *inst)
{
    return inst->op == PTX_OP_cp &&
           (inst->sub == PTX_SUB_commit_group ||
            inst->sub == PTX_SUB_wait_group || inst->sub == PTX_SUB_wait_all);
}

const struct ptx_operand *ptx_moved_bytes(const struct ptx_inst *inst,
                                          const struct ptx_operand *address)
{
    const struct ptx_operand *o = inst->operand;
    bool is_bulk = inst->op == PTX_OP_cp && inst->flags & PTX_FLAG_bulk &&
                   !(inst->flags & PTX_FLAG_tensor) &&
                   inst->sub != PTX_SUB_prefetch;
    return is_bulk && (address == &o[0] || address == &o[1]) ? &o[2] : NULL;
}

const struct ptx_operand *ptx_members(const struct ptx_inst *inst)
{
    for (unsigned i = 0; i < inst->operand_count; i++)
        if (ptx_operand_letter(inst, i) == 'L')
            return &inst->operand[i];
    return NULL;
}

bool ptx_has_same_signature(const struct ptx_func *a, const struct ptx_func *b)
{
    if (a->param_count != b->param_count || a->ret_count != b->ret_count)
        return false;
    for (size_t i = 0; i < a->param_count; i++)
        if (a->params[i].size_bytes != b->params[i].size_bytes)
            return false;
    for (size_t i = 0; i < a->ret_count; i++)
        if (a->rets[i].size_bytes != b->rets[i].size_bytes)
            return false;
    return true;
}

bool ptx_joins_warpgroup(const struct ptx_inst *inst)
{
    return inst->op == PTX_OP_wgmma &&
           (inst->sub == PTX_SUB_fence || inst->sub == PTX_SUB_wait_group);
}
