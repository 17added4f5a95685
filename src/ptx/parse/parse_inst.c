/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One instruction: guard, opcode, operands. Which operands an opcode takes is
 * checked by check.c, except where a name could be a label that comes later.
 *
 * Source: PTX ISA, "Instruction Operands", "Predicated Execution".
 */
#include "ptx/parse.h"

#define VECTOR_MAX 128 /* wgmma.m64n256 */

static const struct ptx_operand no_operand = {.reg = PTX_NO_REG};

static const struct {
    const char *text;
    enum ptx_sreg sreg;
} sreg_rows[] = {
#define PTX_SREG(name, text, type) {text, PTX_SREG_##name},
#include "ptx/sregs.def"
};

/* %tid.w and the like: vectors of four, the last component of which is 0. */
static bool is_fourth_component(const struct token *t)
{
    static const char *const vectors[] = {
        "%tid.w",           "%ntid.w",          "%ctaid.w",
        "%nctaid.w",        "%clusterid.w",     "%nclusterid.w",
        "%cluster_ctaid.w", "%cluster_nctaid.w"};
    for (size_t i = 0; i < ARRAY_COUNT(vectors); i++)
        if (token_is(t, vectors[i]))
            return true;
    return false;
}

bool find_sreg(const struct token *t, struct ptx_operand *op)
{
    if (*t->start != '%')
        return false;
    if (is_fourth_component(t)) {
        op->kind = PTX_OPERAND_imm;
        op->imm = 0;
        op->label = CONST_int;
        return true;
    }
    for (size_t i = 0; i < ARRAY_COUNT(sreg_rows); i++) {
        if (!token_is(t, sreg_rows[i].text))
            continue;
        op->kind = PTX_OPERAND_sreg;
        op->sreg = sreg_rows[i].sreg;
        return true;
    }
    return false;
}

struct symbol *find_symbol(struct parser *p, const struct token *at)
{
    struct symbol *numbered;
    if (*at->start == '%' && !p->has_numbered &&
        (numbered = find_in_range(p, at, 0)))
        return numbered;
    struct symbol *s = symbol_find(p, intern(p->names, at->start, at->len));
    numbered = find_in_range(p, at, s ? s->depth + 1 : 0);
    return numbered ? numbered : s;
}

/* ---- operands ---------------------------------------------------------- */

/* The offset in sym+4, [reg+-8]. */
static bool parse_offset(struct parser *p, struct ptx_operand *op)
{
    struct token at = p->token;
    if (is_punct(p, '-'))
        return error_at(p, &at,
                        "an offset follows after `+`; write +-8 for "
                        "one below");
    if (!is_punct(p, '+'))
        return true;
    struct constant c;
    if (!parse_constant(p, &c))
        return false;
    if (c.kind != CONST_int)
        return error_at(p, &at, "an offset is an integer");
    op->imm = (int64_t)c.bits;
    return true;
}

/* `label` holds the literal's own type until check.c converts it. */
static bool parse_immediate(struct parser *p, struct ptx_operand *op)
{
    struct constant c;
    if (!parse_constant(p, &c))
        return false;
    op->kind = PTX_OPERAND_imm;
    op->imm = (int64_t)c.bits;
    op->is_float_imm = c.kind != CONST_int;
    op->label = c.kind;
    return true;
}

/* b0, h10, b3210 behind a register's dot: parts of its 32 bits. */
static bool read_select(const char *text, size_t len, struct ptx_operand *op)
{
    if (len < 2 || len > 5 || (*text != 'b' && *text != 'h'))
        return false;
    for (size_t i = 1; i < len; i++) {
        if (text[i] < '0' || text[i] > '7')
            return false;
        op->select = (uint16_t)(op->select << 4 | (text[i] - '0'));
    }
    op->select_kind = *text;
    op->select_count = (uint8_t)(len - 1);
    return true;
}

/* v.x of a vector register; the token is all of it. */
static bool parse_component(struct parser *p, const struct token *t,
                            struct ptx_operand *op)
{
    struct token base = *t;
    const char *dot = memchr(t->start, '.', t->len);
    base.len = (uint32_t)(dot - t->start);
    const struct symbol *s = find_symbol(p, &base);
    if (s && s->kind == SYMBOL_reg &&
        read_select(dot + 1, t->len - base.len - 1, op)) {
        op->kind = PTX_OPERAND_reg;
        op->reg = s->index;
        return true;
    }
    const char *letters = "xyzwrgba";
    const char *letter =
        t->len == base.len + 2 ? strchr(letters, dot[1]) : NULL;
    if (!s || s->kind != SYMBOL_vector_reg || !letter || !*letter ||
        (uint32_t)(letter - letters) % 4 >= s->count)
        return error_at(p, t,
                        *t->start == '%' && !s
                            ? "no special register `%.*s` is known"
                            : "`%.*s` is no component of a register",
                        (int)t->len, t->start);
    op->kind = PTX_OPERAND_reg;
    op->reg = s->index + (uint32_t)(letter - letters) % 4;
    return true;
}

static void set_vector_register(struct parser *p, const struct symbol *s,
                                struct ptx_operand *op)
{
    op->kind = PTX_OPERAND_vector;
    op->item_count = s->count;
    op->items = arena_array(p->arena, struct ptx_operand, s->count);
    for (unsigned i = 0; i < s->count; i++) {
        op->items[i] = no_operand;
        op->items[i].kind = PTX_OPERAND_reg;
        op->items[i].reg = s->index + i;
    }
}

static bool set_symbol(struct parser *p, const struct token *t,
                       const struct symbol *s, struct ptx_operand *op)
{
    switch (s->kind) {
    case SYMBOL_reg:
        op->kind = PTX_OPERAND_reg;
        op->reg = s->index;
        return true;
    case SYMBOL_vector_reg:
        set_vector_register(p, s, op);
        return true;
    case SYMBOL_var:
        op->kind = PTX_OPERAND_var;
        op->var = s->var;
        return true;
    case SYMBOL_func:
        op->kind = PTX_OPERAND_func;
        op->func = s->func;
        s->func->is_address_taken = true;
        return true;
    case SYMBOL_label:
        op->kind = PTX_OPERAND_label;
        op->label = s->index;
        return true;
    default:
        return error_at(p, t, "`%.*s` is no operand", (int)t->len, t->start);
    }
}

static bool parse_name(struct parser *p, struct ptx_operand *op)
{
    if (p->lexer.p < p->lexer.end && *p->lexer.p == '.')
        lex_extend(&p->lexer, &p->token);
    struct token t = p->token;
    if (token_is(&t, "_")) {
        op->kind = PTX_OPERAND_sink;
        next_token(p);
        return true;
    }
    const struct symbol *s = find_symbol(p, &t);
    bool is_good;
    if (s)
        is_good = set_symbol(p, &t, s, op);
    else if (find_sreg(&t, op))
        is_good = true;
    else if (memchr(t.start, '.', t.len))
        is_good = parse_component(p, &t, op);
    else
        is_good =
            error_at(p, &t, "`%.*s` is not declared", (int)t.len, t.start);
    next_token(p);
    if (!is_good || op->kind != PTX_OPERAND_var)
        return is_good;
    return is_punct(p, '[') ? parse_index(p, op) : parse_offset(p, op);
}

/* !%p, or vmad's -%r; !5 and -WARP_SZ are constant expressions. */
static bool is_negated_name(const struct parser *p)
{
    struct lexer ahead = p->lexer;
    struct token t;
    if (!is_punct(p, '!') && !is_punct(p, '-'))
        return false;
    lex_next(&ahead, &t);
    return t.kind == TOKEN_ident && !token_is(&t, "WARP_SZ");
}

static bool parse_negated(struct parser *p, struct ptx_operand *op)
{
    struct token at = p->token;
    next_token(p);
    op->negated = true;
    return parse_name(p, op) &&
           ((op->kind == PTX_OPERAND_reg && !is_element(op)) ||
            error_at(p, &at, "only a register can be negated"));
}

static bool parse_scalar(struct parser *p, struct ptx_operand *op)
{
    *op = no_operand;
    if (is_negated_name(p))
        return parse_negated(p, op);
    if (p->token.kind == TOKEN_ident && !token_is(&p->token, "WARP_SZ"))
        return parse_name(p, op);
    return parse_immediate(p, op);
}

/* {a, b, c} with the brace next. */
static bool parse_vector(struct parser *p, struct ptx_operand *op)
{
    struct ptx_operand items[VECTOR_MAX];
    unsigned count = 0;
    next_token(p);
    do {
        if (count == VECTOR_MAX)
            return error_at(p, &p->token, "a vector has at most %d components",
                            VECTOR_MAX);
        struct token at = p->token;
        if (!parse_scalar(p, &items[count]))
            return false;
        if (is_element(&items[count++]))
            return error_at(p, &at,
                            "an element of an array does not stand in braces");
    } while (accept_punct(p, ','));
    op->kind = PTX_OPERAND_vector;
    op->item_count = count;
    op->items = arena_array(p->arena, struct ptx_operand, count);
    memcpy(op->items, items, count * sizeof items[0]);
    return expect_punct(p, '}', "after the vector");
}

static bool error_in_brackets(struct parser *p, const struct token *at)
{
    return error_at(p, at,
                    "an index does not stand in brackets; write "
                    "[name+offset], in bytes");
}

/* What follows the base of [tex, sampler, {x, y}]. */
static bool parse_address_items(struct parser *p, struct ptx_operand *op)
{
    struct ptx_operand items[4];
    unsigned count = 0;
    while (accept_punct(p, ',')) {
        if (count == ARRAY_COUNT(items))
            return error_at(p, &p->token, "more parts than an address has");
        items[count] = no_operand;
        struct token at = p->token;
        bool is_good = is_punct(p, '{') ? parse_vector(p, &items[count])
                                        : parse_scalar(p, &items[count]);
        if (!is_good)
            return false;
        if (is_element(&items[count++]))
            return error_in_brackets(p, &at);
    }
    op->item_count = count;
    op->items = count ? arena_array(p->arena, struct ptx_operand, count) : NULL;
    if (count)
        memcpy(op->items, items, count * sizeof items[0]);
    return true;
}

/* [base+offset] with the bracket next. */
static bool parse_address(struct parser *p, struct ptx_operand *op)
{
    next_token(p);
    struct token at = p->token;
    if (!parse_scalar(p, op))
        return false;
    bool is_base = op->kind == PTX_OPERAND_reg || op->kind == PTX_OPERAND_var;
    bool is_number = op->kind == PTX_OPERAND_imm && !op->is_float_imm;
    if ((!is_base && !is_number) || op->negated)
        return error_at(p, &at,
                        "an address is a register, a variable or an "
                        "integer, with an offset");
    if (is_element(op))
        return error_in_brackets(p, &at);
    op->kind = PTX_OPERAND_address;
    op->label = 0;
    if (op->reg != PTX_NO_REG && !parse_offset(p, op))
        return false;
    if (!parse_address_items(p, op) ||
        !expect_punct(p, ']', "after the address"))
        return false;
    accept_directive(p, ".unified"); /* ld [a].unified: only a promise */
    return true;
}

bool parse_operand(struct parser *p, struct ptx_operand *op)
{
    *op = no_operand;
    if (is_punct(p, '['))
        return parse_address(p, op);
    if (is_punct(p, '{'))
        return parse_vector(p, op);
    return parse_scalar(p, op);
}

/* ---- instructions ------------------------------------------------------ */

static bool parse_operands(struct parser *p, struct ptx_inst *inst,
                           struct inst_text *text)
{
    if (is_punct(p, ';'))
        return true;
    do {
        unsigned i = inst->operand_count;
        if (i == PTX_MAX_OPERANDS)
            return error_at(p, &p->token, "`%s` has more than %d operands",
                            inst->spelling, PTX_MAX_OPERANDS);
        text->operand[i] = p->token;
        if (!parse_operand(p, &inst->operand[i]))
            return false;
        inst->operand_count++;
        if (is_element(&inst->operand[i])) {
            inst->operand[i].label = 0;
            if (inst->op != PTX_OP_mov || i == 0)
                inst->operand[i].kind = PTX_OPERAND_address;
        }
        if (i == 0 && is_punct(p, '|')) {
            text->is_joined = true;
            next_token(p);
            text->operand[1] = p->token;
            if (!parse_operand(p, &inst->operand[1]))
                return false;
            inst->operand_count++;
        }
    } while (accept_punct(p, ','));
    return true;
}

/* bra: the label may come later. */
static bool parse_branch(struct parser *p, struct ptx_inst *inst)
{
    struct label_use use = {.at = p->token,
                            .inst = (uint32_t)p->insts.count,
                            .targets = PTX_NO_REG};
    use.name = expect_name(p, "a label");
    if (!use.name)
        return false;
    inst->operand[0] = no_operand;
    inst->operand[0].kind = PTX_OPERAND_label;
    inst->operand_count = 1;
    must_have_memory(vec_push(&p->label_uses, use));
    return true;
}

/* brx.idx %r1, list; */
static bool parse_indexed_branch(struct parser *p, struct ptx_inst *inst)
{
    struct token at = p->token;
    if (!parse_operand(p, &inst->operand[0]))
        return false;
    inst->operand_count = 1;
    if (inst->operand[0].kind != PTX_OPERAND_reg ||
        ptx_type_size(p->regs.data[inst->operand[0].reg].type) != 4)
        return error_at(p, &at, "the index is a 32-bit register");
    if (!expect_punct(p, ',', "after the index"))
        return false;
    at = p->token;
    const char *name = expect_name(p, "the name of a .branchtargets list");
    if (!name)
        return false;
    const struct symbol *s = symbol_find(p, name);
    if (!s || s->kind != SYMBOL_targets)
        return error_at(p, &at, "`%s` is no .branchtargets list", name);
    inst->targets = p->targets.data[s->index].labels;
    inst->target_count = p->targets.data[s->index].count;
    return true;
}

struct guard {
    uint32_t reg;
    bool is_negated;
};

static bool parse_guard(struct parser *p, struct guard *guard)
{
    *guard = (struct guard){.reg = PTX_NO_REG};
    if (!accept_punct(p, '@'))
        return true;
    guard->is_negated = accept_punct(p, '!');
    struct token at = p->token;
    if (at.kind != TOKEN_ident)
        return error_expected(p, "a predicate after `@`");
    const struct symbol *s = find_symbol(p, &at);
    if (!s || s->kind != SYMBOL_reg ||
        p->regs.data[s->index].type != PTX_TYPE_pred)
        return error_at(p, &at, "`%.*s` is no predicate register", (int)at.len,
                        at.start);
    guard->reg = s->index;
    next_token(p);
    return true;
}

static bool parse_by_op(struct parser *p, struct ptx_inst *inst,
                        struct inst_text *text)
{
    switch (inst->op) {
    case PTX_OP_bra:
        return parse_branch(p, inst);
    case PTX_OP_brx:
        return parse_indexed_branch(p, inst);
    case PTX_OP_call:
        return parse_call(p, inst);
    default:
        return parse_operands(p, inst, text) && check_inst(p, inst, text);
    }
}

/* The place behind the last instruction, which is not counted yet. */
static struct ptx_inst *next_place(struct parser *p)
{
    must_have_memory(vec_reserve_((void **)&p->insts.data, &p->insts.capacity,
                                  p->insts.count + 1, sizeof *p->insts.data));
    return &p->insts.data[p->insts.count];
}

struct ptx_inst *next_inst(struct parser *p, const struct ptx_inst *spelled)
{
    struct ptx_inst *inst = next_place(p);
    *inst = *spelled;
    inst->operand = p->operands;
    inst->operands = ptx_forms[inst->form].operands;
    inst->guard = PTX_NO_REG;
    inst->line = p->token.line;
    inst->column = (unsigned)(p->token.start - p->token.line_start) + 1;
    inst->loc_file = p->loc_file;
    inst->loc_line = p->loc_line;
    return inst;
}

static void keep_operands(struct parser *p, struct ptx_inst *inst)
{
    unsigned count = inst->operand_count;
    inst->operand = arena_array(p->arena, struct ptx_operand, count);
    memcpy(inst->operand, p->operands, count * sizeof *inst->operand);
}

void keep_inst(struct parser *p, struct ptx_inst *inst)
{
    keep_operands(p, inst);
    p->insts.count++;
}

/* A guarded brx.idx becomes a branch around one without a guard, so that no
 * pass has to know an instruction with three successors. It is not counted
 * yet. */
static bool split_guarded_switch(struct parser *p)
{
    struct token bra = p->token;
    bra.start = "bra";
    bra.len = strlen(bra.start);
    const struct ptx_inst *spelled = decode_spelling(p, &bra);
    if (!spelled)
        return false;
    struct ptx_inst around = *spelled, *inst = next_place(p);
    struct ptx_label past = {
        .name = unique_name(p, intern(p->names, "$past", strlen("$past"))),
        .inst = (uint32_t)p->insts.count + 2};
    around.operands = ptx_forms[around.form].operands;
    around.guard = inst->guard;
    around.guard_negated = !inst->guard_negated;
    around.line = inst->line;
    around.column = inst->column;
    around.loc_file = inst->loc_file;
    around.loc_line = inst->loc_line;
    around.operand = arena_array(p->arena, struct ptx_operand, 1);
    around.operand[0] = no_operand;
    around.operand[0].kind = PTX_OPERAND_label;
    around.operand[0].label = (uint32_t)p->labels.count;
    around.operand_count = 1;
    must_have_memory(vec_push(&p->labels, past));
    struct ptx_inst plain = *inst;
    plain.guard = PTX_NO_REG;
    plain.guard_negated = false;
    *inst = around;
    p->insts.count++;
    *next_place(p) = plain;
    return true;
}

/* Computes the address of an element in front of the instruction that uses it,
 * which is not counted yet, and moves. */
static bool put_address_first(struct parser *p, struct ptx_inst **user)
{
    struct ptx_inst copy = **user;
    if (!add_element_address(p, &copy))
        return false;
    *user = next_place(p);
    **user = copy;
    return true;
}

bool parse_inst(struct parser *p)
{
    struct guard guard;
    struct inst_text text;
    if (!parse_guard(p, &guard))
        return false;
    if (p->token.kind != TOKEN_ident)
        return error_expected(p, "an instruction");
    lex_extend(&p->lexer, &p->token);
    text.opcode = p->token;
    text.is_joined = false;
    p->indexed.var = NULL;
    bool is_one;
    bool is_good = parse_vector_move(p, guard.reg, guard.is_negated, &is_one);
    if (!is_good || is_one)
        return is_good;
    const struct ptx_inst *spelled = decode_spelling(p, &p->token);
    if (!spelled)
        return false;
    if (spelled->op == PTX_OP_ret) {
        if (!store_reg_results(p, p->func))
            return false;
        spelled = decode_spelling(p, &text.opcode);
    }
    struct ptx_inst *inst = next_inst(p, spelled);
    inst->guard = guard.reg;
    inst->guard_negated = guard.is_negated;
    next_token(p);
    if (!parse_by_op(p, inst, &text))
        return false;
    keep_operands(p, inst);
    if (p->indexed.var && !put_address_first(p, &inst))
        return false;
    if (inst->op == PTX_OP_brx && inst->guard != PTX_NO_REG &&
        !split_guarded_switch(p))
        return false;
    p->insts.count++;
    return expect_punct(p, ';', "after the instruction");
}
