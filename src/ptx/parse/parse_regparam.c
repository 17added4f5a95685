/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parameters and results in registers, as functions of PTX 1.x have them. They
 * become .param variables: the function begins by loading its parameters into
 * their registers, and stores its results where it returns. No pass needs to
 * know of another way.
 *
 * Source: PTX ISA, "Kernel and Function Directives: .func".
 */
#include "ptx/parse.h"

/* The type by which ld and st move a value of this type. */
static const char *moved_type(enum ptx_type t)
{
    switch (ptx_type_size(t)) {
    case 1:
        return "b8";
    case 2:
        return "b16";
    case 4:
        return "b32";
    case 8:
        return "b64";
    default:
        return "b128";
    }
}

bool make_reg_param(struct parser *p, const struct token *at, struct ptx_var *v)
{
    if (v->type == PTX_TYPE_pred)
        return error_at(p, at,
                        "the parameter `%s` is a predicate, which is not "
                        "supported; pass a .b32",
                        v->name);
    struct symbol *s = symbol_add(p, at, v->name, SYMBOL_reg);
    if (!s)
        return false;
    s->index = v->reg = add_reg(p, at, unique_name(p, v->name), v->type);
    v->name = unique_name(p, v->name);
    return true;
}

/* op.param.type between the register and its variable. */
static bool add_move(struct parser *p, const char *op, struct ptx_var *v)
{
    struct inst_text text = {.opcode = p->token};
    text.opcode.start = arena_printf(p->arena, "%s.param.%s", op,
                                     moved_type(v->type));
    text.opcode.len = (uint32_t)strlen(text.opcode.start);
    const struct ptx_inst *spelled = decode_spelling(p, &text.opcode);
    if (!spelled)
        return false;
    bool is_load = spelled->op == PTX_OP_ld;
    struct ptx_inst *inst = next_inst(p, spelled);
    inst->operand_count = 2;
    inst->operand[is_load] = inst->operand[!is_load] =
        (struct ptx_operand){.reg = PTX_NO_REG};
    inst->operand[is_load].kind = PTX_OPERAND_address;
    inst->operand[is_load].var = v;
    inst->operand[!is_load].kind = PTX_OPERAND_reg;
    inst->operand[!is_load].reg = v->reg;
    text.operand[0] = text.operand[1] = p->token;
    if (!check_inst(p, inst, &text))
        return false;
    keep_inst(p, inst);
    return true;
}

/* For each of the variables that is a register. The module may be older than
 * the instructions. */
static bool add_moves(struct parser *p, const char *op, struct ptx_var *vars,
                      size_t count)
{
    unsigned version = p->module->version, sm = p->module->sm;
    bool is_good = true;
    p->module->version = version < 20 ? 20 : version;
    p->module->sm = sm < 20 ? 20 : sm;
    for (size_t i = 0; i < count && is_good; i++)
        is_good = vars[i].reg == PTX_NO_REG || add_move(p, op, &vars[i]);
    p->module->version = version;
    p->module->sm = sm;
    return is_good;
}

bool load_reg_params(struct parser *p, struct ptx_func *f)
{
    return add_moves(p, "ld", f->params, f->param_count);
}

bool store_reg_results(struct parser *p, struct ptx_func *f)
{
    return add_moves(p, "st", f->rets, f->ret_count);
}
