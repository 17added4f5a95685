/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mov of all components at once: mov.v4.u32 %v, %tid. It becomes a mov for
 * each component, through temporary registers if the source is a vector, since
 * both may overlap.
 *
 * Source: PTX ISA, "Vectors" and "Special Registers: %tid"; the assembler
 * accepts more than the page of mov says.
 */
#include "ptx/parse.h"

enum { COMPONENTS_MAX = 4 };

/* The number in mov.v2.b32, and the opcode without it in `plain`; 0: another
 * instruction. */
static unsigned vector_move(struct parser *p, const struct token *t,
                            struct token *plain)
{
    if (t->len < 8 || memcmp(t->start, "mov.v", 5) != 0 || t->start[6] != '.' ||
        (t->start[5] != '2' && t->start[5] != '4'))
        return 0;
    const char *text = arena_printf(p->arena, "mov%.*s", (int)t->len - 6,
                                    t->start + 6);
    *plain = *t;
    plain->start = text;
    plain->len = t->len - 3;
    return (unsigned)(t->start[5] - '0');
}

/* %tid, which is no register itself: its components. */
static bool parse_whole_sreg(struct parser *p, struct ptx_operand *items,
                             unsigned count)
{
    struct token at = p->token;
    if (at.kind != TOKEN_ident || *at.start != '%' || find_symbol(p, &at))
        return false;
    for (unsigned i = 0; i < count; i++) {
        struct token t = at;
        t.start = arena_printf(p->scratch, "%.*s.%c", (int)at.len, at.start,
                               "xyzw"[i]);
        t.len = at.len + 2;
        items[i] = (struct ptx_operand){.reg = PTX_NO_REG};
        if (!find_sreg(&t, &items[i]))
            return false;
    }
    next_token(p);
    return true;
}

/* A vector of `count` components; false after a message. */
static bool parse_components(struct parser *p, struct ptx_operand *items,
                             unsigned count)
{
    struct token at = p->token;
    struct ptx_operand op;
    if (!parse_operand(p, &op))
        return false;
    if (op.kind != PTX_OPERAND_vector || op.item_count != count)
        return error_at(p, &at, "expected a vector of %u components", count);
    memcpy(items, op.items, count * sizeof *items);
    return true;
}

/* What the moves have in common. */
struct move {
    const struct token *opcode; /* mov.b32 */
    uint32_t guard;
    bool guard_negated;
};

static bool add_move(struct parser *p, const struct move *m,
                     const struct ptx_operand *to,
                     const struct ptx_operand *from)
{
    struct inst_text text = {.opcode = *m->opcode};
    const struct ptx_inst *spelled = decode_spelling(p, m->opcode);
    if (!spelled || to->kind == PTX_OPERAND_sink)
        return spelled != NULL;
    struct ptx_inst *inst = next_inst(p, spelled);
    inst->guard = m->guard;
    inst->guard_negated = m->guard_negated;
    inst->operand[0] = *to;
    inst->operand[1] = *from;
    inst->operand_count = 2;
    text.operand[0] = text.operand[1] = *m->opcode;
    if (!check_inst(p, inst, &text))
        return false;
    keep_inst(p, inst);
    return true;
}

static bool add_moves(struct parser *p, const struct move *m,
                      const struct ptx_operand *to,
                      const struct ptx_operand *from, unsigned count)
{
    struct ptx_operand between[COMPONENTS_MAX];
    const char *name = intern(p->names, "$part", strlen("$part"));
    for (unsigned i = 0; i < count; i++) {
        between[i] = from[i];
        if (from[i].kind != PTX_OPERAND_reg)
            continue;
        between[i].reg = add_reg(p, m->opcode, unique_name(p, name),
                                 p->regs.data[from[i].reg].type);
        if (!add_move(p, m, &between[i], &from[i]))
            return false;
    }
    for (unsigned i = 0; i < count; i++)
        if (!add_move(p, m, &to[i], &between[i]))
            return false;
    return true;
}

bool parse_vector_move(struct parser *p, uint32_t guard, bool guard_negated,
                       bool *is_one)
{
    struct token opcode;
    struct ptx_operand to[COMPONENTS_MAX], from[COMPONENTS_MAX];
    unsigned count = vector_move(p, &p->token, &opcode);
    *is_one = count != 0;
    if (!count)
        return true;
    struct move m = {&opcode, guard, guard_negated};
    next_token(p);
    if (!parse_components(p, to, count) ||
        !expect_punct(p, ',', "after the vector"))
        return false;
    if (!parse_whole_sreg(p, from, count) && !parse_components(p, from, count))
        return false;
    return add_moves(p, &m, to, from, count) &&
           expect_punct(p, ';', "after the instruction");
}
