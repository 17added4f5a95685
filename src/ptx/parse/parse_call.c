/* SPDX-License-Identifier: Apache-2.0 */
/*
 * call (returns), target, (arguments), prototype; everything but the target
 * may be missing.
 *
 * Source: PTX ISA, "Control Flow Instructions: call".
 */
#include "ptx/parse.h"

/* (a, b, c): at least one. */
static bool parse_list(struct parser *p, struct ptx_operand **list,
                       unsigned *count)
{
    VEC(struct ptx_operand) items = {0};
    bool is_good = expect_punct(p, '(', "before the arguments");
    if (is_good && !is_punct(p, ')')) {
        do {
            struct ptx_operand op;
            struct token at = p->token;
            is_good = parse_operand(p, &op) &&
                      (!is_element(&op) ||
                       error_at(p, &at,
                                "an element of an array is no argument; load "
                                "it first"));
            must_have_memory(vec_push(&items, op));
        } while (is_good && accept_punct(p, ','));
    }
    is_good = is_good && expect_punct(p, ')', "after the arguments");
    *count = (unsigned)items.count;
    *list = arena_array(p->arena, struct ptx_operand, items.count);
    for (unsigned i = 0; i < *count; i++)
        (*list)[i] = items.data[i];
    vec_fini(&items);
    return is_good;
}

static bool parse_target(struct parser *p, struct ptx_call *call)
{
    struct token at = p->token;
    if (at.kind != TOKEN_ident)
        return error_expected(p, "the function to call");
    const struct symbol *s = find_symbol(p, &at);
    if (!s)
        return error_at(p, &at, "function `%.*s` is not declared", (int)at.len,
                        at.start);
    next_token(p);
    if (s->kind == SYMBOL_reg) {
        enum ptx_type type = p->regs.data[s->index].type;
        call->reg = s->index;
        return (ptx_type_size(type) >= 4 && !ptx_type_is_float(type)) ||
               error_at(p, &at, "a function's address is no .%s",
                        ptx_type_name(type));
    }
    if (s->kind != SYMBOL_func)
        return error_at(p, &at, "`%.*s` is no function", (int)at.len, at.start);
    if (s->func->is_entry)
        return error_at(p, &at, "a kernel cannot be called");
    call->func = call->prototype = s->func;
    return true;
}

static bool parse_prototype_name(struct parser *p, struct ptx_call *call)
{
    struct token at = p->token;
    const char *name = expect_name(p, "the prototype's name");
    if (!name)
        return false;
    const struct symbol *s = symbol_find(p, name);
    if (!s || s->kind != SYMBOL_prototype)
        return error_at(p, &at, "`%s` is no prototype", name);
    if (!call->func)
        call->prototype = s->func;
    return true;
}

/* Checks an argument against its parameter. */
static bool check_argument(struct parser *p, const struct token *at,
                           struct ptx_operand *op, const struct ptx_var *param)
{
    size_t size_bytes = 0;
    switch (op->kind) {
    case PTX_OPERAND_var:
        if (op->var->space != PTX_SPACE_param || op->imm)
            return error_at(p, at, "`%s` is no .param variable", op->var->name);
        size_bytes = op->var->size_bytes;
        break;
    case PTX_OPERAND_reg:
        size_bytes = ptx_type_size(p->regs.data[op->reg].type);
        if (!param->is_array && size_bytes == param->size_bytes &&
            !ptx_is_compatible(param->type, p->regs.data[op->reg].type))
            return error_at(p, at, "`%s` is .%s, the parameter `%s` .%s",
                            p->regs.data[op->reg].name,
                            ptx_type_name(p->regs.data[op->reg].type),
                            param->name, ptx_type_name(param->type));
        break;
    case PTX_OPERAND_imm:
        return check_immediate(p, at, op, param->type);
    default:
        return error_at(p, at,
                        "an argument is a .param variable, a register "
                        "or a constant");
    }
    bool is_open = param->is_array && !param->element_count; /* varargs */
    if (size_bytes != param->size_bytes && !is_open)
        return error_at(p, at,
                        "an argument has %zu bytes, its parameter `%s` %zu",
                        size_bytes, param->name, param->size_bytes);
    return true;
}

static bool check_list(struct parser *p, const struct token *at,
                       const char *what, struct ptx_operand *list,
                       unsigned count, const struct ptx_var *params,
                       size_t param_count)
{
    if (count != param_count)
        return error_at(p, at, "the call has %u %s, the function %zu", count,
                        what, param_count);
    for (unsigned i = 0; i < count; i++)
        if (!check_argument(p, at, &list[i], &params[i]))
            return false;
    return true;
}

static bool check_call(struct parser *p, const struct token *at,
                       struct ptx_call *call)
{
    const struct ptx_func *f = call->prototype;
    if (!f)
        return error_at(p, at,
                        "a call through a register wants a "
                        ".callprototype or .calltargets at its end");
    for (unsigned i = 0; i < call->ret_count; i++)
        if (call->rets[i].kind == PTX_OPERAND_imm)
            return error_at(p, at, "a constant cannot take a result");
    return check_list(p, at, "results", call->rets, call->ret_count, f->rets,
                      f->ret_count) &&
           check_list(p, at, "arguments", call->args, call->arg_count,
                      f->params, f->param_count);
}

bool parse_call(struct parser *p, struct ptx_inst *inst)
{
    struct token at = p->token;
    struct ptx_call *call = arena_new(p->arena, struct ptx_call);
    call->reg = PTX_NO_REG;
    inst->call = call;
    if (is_punct(p, '(') && (!parse_list(p, &call->rets, &call->ret_count) ||
                             !expect_punct(p, ',', "after the results")))
        return false;
    if (!parse_target(p, call))
        return false;
    while (accept_punct(p, ',')) {
        bool is_good = is_punct(p, '(')
                           ? parse_list(p, &call->args, &call->arg_count)
                           : parse_prototype_name(p, call);
        if (!is_good)
            return false;
    }
    return check_call(p, &at, call);
}
