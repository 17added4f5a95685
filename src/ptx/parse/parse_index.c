/* SPDX-License-Identifier: Apache-2.0 */
/*
 * a[2], a[%r1] and a[%r1+2]: an element of an array. With a register, the
 * address is computed in front of the instruction, in registers that nobody
 * else names, so that no pass has to know of another form of address.
 *
 * Source: PTX ISA, "Arrays as Operands". That a component of a vector counts
 * as an element, and that an index has 32 bits, is what ptxas 13.0 makes of it.
 */
#include "ptx/parse.h"

static bool parse_register(struct parser *p, uint32_t *reg)
{
    struct token at = p->token;
    const struct symbol *s = find_symbol(p, &at);
    if (!s || s->kind != SYMBOL_reg)
        return error_expected(p, "an integer or a register");
    enum ptx_type type = p->regs.data[s->index].type;
    if (ptx_type_is_float(type) || type == PTX_TYPE_pred)
        return error_at(p, &at, "`%.*s` is .%s, but an index is an integer",
                        (int)at.len, at.start, ptx_type_name(type));
    if (ptx_type_size(type) > 8)
        return error_at(p, &at,
                        "`%.*s` is .%s, but an index has at most 64 bits",
                        (int)at.len, at.start, ptx_type_name(type));
    *reg = s->index;
    next_token(p);
    return true;
}

static uint32_t add_register(struct parser *p, const struct token *at,
                             enum ptx_type type)
{
    const char *name = intern(p->names, "$index", strlen("$index"));
    return add_reg(p, at, unique_name(p, name), type);
}

/* Notes that the address is to be computed, and in which register. */
static bool note_index(struct parser *p, const struct token *at,
                       struct ptx_operand *op, uint32_t index, int64_t offset)
{
    if (!op->var->is_array)
        return error_at(p, at, "`%s` is no array", op->var->name);
    if (p->indexed.var)
        return error_at(p, at,
                        "only one index of an instruction is in a "
                        "register");
    p->indexed.at = *at;
    p->indexed.var = op->var;
    p->indexed.index = index;
    p->indexed.offset = offset;
    p->indexed.address = add_register(p, at, PTX_TYPE_u64);
    op->kind = PTX_OPERAND_reg;
    op->reg = p->indexed.address;
    op->var = NULL;
    return true;
}

bool parse_index(struct parser *p, struct ptx_operand *op)
{
    struct token at = p->token;
    struct constant c = {.kind = CONST_int};
    uint32_t index = PTX_NO_REG;
    next_token(p);
    if (p->token.kind == TOKEN_ident && !token_is(&p->token, "WARP_SZ") &&
        !parse_register(p, &index))
        return false;
    if ((index == PTX_NO_REG || accept_punct(p, '+')) && !parse_constant(p, &c))
        return false;
    if (c.kind != CONST_int)
        return error_at(p, &at, "an index is an integer");
    op->label = 1;
    if (index == PTX_NO_REG)
        op->imm = (int64_t)(c.bits * ptx_type_size(op->var->type));
    else if (!note_index(p, &at, op, index, (int64_t)c.bits))
        return false;
    return expect_punct(p, ']', "after the index");
}

bool is_element(const struct ptx_operand *op)
{
    return (op->kind == PTX_OPERAND_var || op->kind == PTX_OPERAND_reg) &&
           op->label;
}

/* Adds `spelling result, operands`. */
static bool add_step(struct parser *p, const char *spelling, uint32_t result,
                     const struct ptx_operand *operands, unsigned count)
{
    struct inst_text text = {.opcode = p->indexed.at};
    text.opcode.start = spelling;
    text.opcode.len = (uint32_t)strlen(spelling);
    const struct ptx_inst *spelled = decode_spelling(p, &text.opcode);
    if (!spelled)
        return false;
    struct ptx_inst *inst = next_inst(p, spelled);
    inst->operand[0] =
        (struct ptx_operand){.kind = PTX_OPERAND_reg, .reg = result};
    memcpy(&inst->operand[1], operands, count * sizeof *operands);
    inst->operand_count = 1 + count;
    for (unsigned i = 0; i <= count; i++)
        text.operand[i] = p->indexed.at;
    if (!check_inst(p, inst, &text))
        return false;
    keep_inst(p, inst);
    return true;
}

static struct ptx_operand number_operand(int64_t number)
{
    return (struct ptx_operand){
        .kind = PTX_OPERAND_imm, .reg = PTX_NO_REG, .imm = number};
}

/* Narrows or widens the index to 32 bits, and adds the offset. */
static bool add_index(struct parser *p, struct ptx_operand *index)
{
    enum ptx_type type = p->regs.data[index->reg].type;
    struct ptx_operand from[2] = {*index, number_operand(p->indexed.offset)};
    if (ptx_type_size(type) != 4) {
        const char *spelling = arena_printf(
            p->arena, "cvt.u32.%s%u", ptx_type_is_signed(type) ? "s" : "u",
            8 * ptx_type_size(type));
        index->reg = add_register(p, &p->indexed.at, PTX_TYPE_u32);
        if (!add_step(p, spelling, index->reg, from, 1))
            return false;
        from[0] = *index;
    }
    if (!p->indexed.offset)
        return true;
    index->reg = add_register(p, &p->indexed.at, PTX_TYPE_u32);
    return add_step(p, "add.u32", index->reg, from, 2);
}

bool add_element_address(struct parser *p, const struct ptx_inst *user)
{
    const struct ptx_var *var = p->indexed.var;
    assert(var);
    if (user->op != PTX_OP_mov && user->space == PTX_SPACE_generic &&
        var->space != PTX_SPACE_global)
        return error_at(p, &p->indexed.at,
                        "with an index in a register `%s` has to name the "
                        "space of `%s`",
                        user->spelling, var->name);
    struct ptx_operand base = {
        .kind = PTX_OPERAND_var, .reg = PTX_NO_REG, .var = var};
    struct ptx_operand index = {.kind = PTX_OPERAND_reg,
                                .reg = p->indexed.index};
    uint32_t start = add_register(p, &p->indexed.at, PTX_TYPE_u64);
    if (!add_index(p, &index) || !add_step(p, "mov.u64", start, &base, 1))
        return false;
    struct ptx_operand sum[] = {
        index,
        number_operand((int64_t)ptx_type_size(var->type)),
        {.kind = PTX_OPERAND_reg, .reg = start}};
    return add_step(p, "mad.wide.u32", p->indexed.address, sum,
                    ARRAY_COUNT(sum));
}
