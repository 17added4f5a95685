/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks of operands beyond kind and type: constants (rules.def), parts of
 * registers in video instructions, variables of the right space.
 */
#include "ptx/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/parse.h"

/* ---- constants --------------------------------------------------------- */

static bool is_power(const char *values)
{
    return values[0] == '2' && values[1] == '^';
}

/* One part of a list of values: 4, 0-15, 24-256/8, 2^0-20. */
static bool is_in_part(const char *part, int64_t value)
{
    char *end;
    if (is_power(part)) {
        part += 2;
        if (value <= 0 || value & (value - 1))
            return false;
        value = __builtin_ctzll((unsigned long long)value);
    }
    int64_t low = strtoll(part, &end, 10), high = low, step = 1;
    if (*end == '-')
        high = strtoll(end + 1, &end, 10);
    if (*end == '/')
        step = strtoll(end + 1, &end, 10);
    return value >= low && value <= high && value % step == 0;
}

static bool is_in_list(const char *list, int64_t value)
{
    while (!is_in_part(list, value)) {
        list = strchr(list, '|');
        if (!list)
            return false;
        list++;
    }
    return true;
}

static bool has_suffix(const char *spelling, const char *suffix, size_t len)
{
    for (const char *s = strchr(spelling, '.'); s; s = strchr(s + 1, '.'))
        if (strcspn(s + 1, ".") == len && !memcmp(s + 1, suffix, len))
            return true;
    return false;
}

/* a|b: is the spelling one of them? */
static bool has_one_of(const char *spelling, const char *list)
{
    for (size_t len; (len = strcspn(list, "| ")) > 0; list += len + 1) {
        if (*list == '*' || has_suffix(spelling, list, len))
            return true;
        if (list[len] != '|')
            return false;
    }
    return false;
}

/* Each word of the row's suffixes: one of them is there; behind a !, none. */
static bool row_applies(const struct value_row *row, const char *spelling)
{
    for (const char *word = row->suffixes; *word;) {
        bool is_wanted = *word != '!';
        if (has_one_of(spelling, word + !is_wanted) != is_wanted)
            return false;
        word += strcspn(word, " ");
        word += *word == ' ';
    }
    return true;
}

/* The operand at the place "x", "x2" ...: the first, the second x; -1:
 * none. */
static int find_place(const struct ptx_inst *inst, const char *place)
{
    int left = place[1] ? place[1] - '0' : 1;
    for (unsigned i = 0; i < inst->operand_count; i++)
        if (ptx_operand_letter(inst, i) == *place && --left == 0)
            return (int)i;
    return -1;
}

static const char *kind_of(const char *values)
{
    return is_power(values)      ? "a power of two with an exponent of"
           : strchr(values, '/') ? "a value of (first-last/multiple of)"
                                 : "one of";
}

static bool check_value(struct parser *p, const struct inst_text *text,
                        const struct ptx_inst *inst,
                        const struct value_row *row)
{
    int i = find_place(inst, row->place);
    if (i < 0 || inst->operand[i].kind != PTX_OPERAND_imm)
        return true;
    int64_t value = inst->operand[i].imm;
    if (*row->place == 'x' || *row->place == 'F')
        value = (uint32_t)value;
    if (is_in_list(row->values, value))
        return true;
    if (*row->place == 'F')
        return error_at(p, &text->operand[i],
                        "`%s` wants a number above 0 and up to 1 here",
                        inst->spelling);
    return error_at(p, &text->operand[i], "`%s` wants %s %s here, found %lld",
                    inst->spelling, kind_of(row->values),
                    row->values + (is_power(row->values) ? 2 : 0),
                    (long long)inst->operand[i].imm);
}

/* cp.async may not read more than it writes. */
static bool check_copy(struct parser *p, const struct inst_text *text,
                       const struct ptx_inst *inst)
{
    int size = find_place(inst, "i"), read = find_place(inst, "x");
    if (inst->op != PTX_OP_cp || size < 0 || read < 0 ||
        inst->operand[read].kind != PTX_OPERAND_imm ||
        (uint32_t)inst->operand[read].imm <= inst->operand[size].imm)
        return true;
    return error_at(p, &text->operand[read],
                    "`%s` reads at most the %lld bytes that it writes, not "
                    "%lld",
                    inst->spelling, (long long)inst->operand[size].imm,
                    (long long)inst->operand[read].imm);
}

bool check_values(struct parser *p, const struct inst_text *text,
                  const struct ptx_inst *inst)
{
    if (!inst->values)
        return true;
    for (size_t i = inst->values - 1u;
         i < ptx_value_count && ptx_values[i].op == inst->op; i++)
        if (row_applies(&ptx_values[i], inst->spelling) &&
            !check_value(p, text, inst, &ptx_values[i]))
            return false;
    return check_copy(p, text, inst);
}

/* ---- parts of registers ------------------------------------------------ */

static bool are_descending(const struct ptx_operand *op)
{
    for (unsigned i = 1; i < op->select_count; i++)
        if ((op->select >> 4 * i & 15) <= (op->select >> 4 * (i - 1) & 15))
            return false;
    return true;
}

static bool are_below(const struct ptx_operand *op, unsigned limit)
{
    for (unsigned i = 0; i < op->select_count; i++)
        if ((op->select >> 4 * i & 15) >= limit)
            return false;
    return true;
}

/* b0 to b3, h0, h1. In vadd4 and its like: b7654, for two registers, or, for
 * the written bytes from the highest on, b320. */
static bool is_good_select(const struct ptx_inst *inst, unsigned operand)
{
    const struct ptx_operand *op = &inst->operand[operand];
    const char *name = ptx_op_name(inst->op);
    char last = name[strlen(name) - 1];
    unsigned parts = op->select_kind == 'h' ? 2 : 4;
    if (!isdigit((unsigned char)last))
        return op->select_count == 1 && are_below(op, parts);
    if (last - '0' != (int)parts)
        return false;
    if (operand == 0)
        return are_below(op, parts) && are_descending(op);
    return op->select_count == parts && are_below(op, 2 * parts);
}

bool check_selects(struct parser *p, const struct inst_text *text,
                   const struct ptx_inst *inst)
{
    for (unsigned i = 0; i < inst->operand_count; i++)
        if (inst->operand[i].select_count && !is_good_select(inst, i))
            return error_at(p, &text->operand[i],
                            "`%s` has no such part of a register here",
                            inst->spelling);
    return true;
}

/* ---- variables --------------------------------------------------------- */

/* mapa and getctarank need shared variables, isspacep refuses them. */
bool check_windows(struct parser *p, const struct inst_text *text,
                   const struct ptx_inst *inst)
{
    if (inst->op != PTX_OP_mapa && inst->op != PTX_OP_getctarank &&
        inst->op != PTX_OP_isspacep)
        return true;
    int i = find_place(inst, "g");
    if (i < 0 || inst->operand[i].kind != PTX_OPERAND_var ||
        (inst->op != PTX_OP_isspacep &&
         inst->operand[i].var->space == PTX_SPACE_shared))
        return true;
    return error_at(p, &text->operand[i],
                    inst->op == PTX_OP_isspacep
                        ? "`%s` wants a register here"
                        : "`%s` wants a variable in .shared here",
                    inst->spelling);
}
