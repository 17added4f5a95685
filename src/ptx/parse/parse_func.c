/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions: header, performance directives, body. Scopes inside the body
 * are flattened: their registers, variables and labels go to the function's
 * arrays, under names that are unique there.
 *
 * Source: PTX ISA, "Kernel and Function Directives",
 * "Performance-Tuning Directives".
 */
#include "ptx/parse.h"

/* PTX ISA, "Kernel Function Parameters", since 8.1 */
#define ENTRY_PARAM_BYTES_MAX     32764u
#define OLD_ENTRY_PARAM_BYTES_MAX 4352u /* before PTX 8.1 and sm_70 */

/* ---- parameters -------------------------------------------------------- */

static bool add_param_symbol(struct parser *p, const struct token *at,
                             struct ptx_var *v)
{
    if (v->is_reg)
        return make_reg_param(p, at, v);
    struct symbol *s = symbol_add(p, at, v->name, SYMBOL_var);
    if (!s)
        return false;
    v->name = unique_name(p, v->name);
    s->var = v;
    s->is_param = true;
    return true;
}

static bool parse_param(struct parser *p, struct ptx_func *f, struct ptx_var *v)
{
    struct var_decl d = {.space = PTX_SPACE_param};
    if (accept_directive(p, ".reg"))
        d.space = PTX_SPACE_reg;
    else if (!accept_directive(p, ".param"))
        return error_expected(p, "`.param`");
    if (f->is_entry && d.space == PTX_SPACE_reg)
        return error_expected(p, "`.param`, as kernels have no .reg parameter");
    struct token at;
    if (!parse_decl(p, &d))
        return false;
    at = p->token;
    if (!parse_declarator(p, &d, v))
        return false;
    if (v->vector > 1)
        return error_at(p, &at,
                        "the parameter `%s` is a vector; write .align %u .b8 "
                        "%s[%zu]",
                        v->name, v->align_bytes, v->name, v->size_bytes);
    if (d.space == PTX_SPACE_reg && v->is_array)
        return error_at(p, &at, "a .reg parameter is a scalar");
    v->is_reg = d.space == PTX_SPACE_reg;
    v->space = PTX_SPACE_param;
    if (f->is_entry && v->is_array && !v->element_count)
        return error_at(p, &at, "the kernel's parameter `%s` has no size",
                        v->name);
    v->owner = f;
    return true;
}

/* (.param .b32 a, .param .b64 b) with the parenthesis next. */
static bool parse_params(struct parser *p, struct ptx_func *f,
                         struct ptx_var **params, size_t *count)
{
    VEC(struct ptx_var) list = {0};
    VEC(struct token) at = {0};
    bool is_good = expect_punct(p, '(', "before the parameters");
    if (is_good && !accept_punct(p, ')')) {
        do {
            struct ptx_var v = {0};
            must_have_memory(vec_push(&at, p->token));
            is_good = parse_param(p, f, &v);
            v.index = (unsigned)list.count;
            must_have_memory(vec_push(&list, v));
        } while (is_good && accept_punct(p, ','));
        is_good = is_good && expect_punct(p, ')', "after the parameters");
    }
    *count = list.count;
    *params = arena_array(p->arena, struct ptx_var, list.count);
    for (size_t i = 0; i < list.count; i++)
        (*params)[i] = list.data[i];
    /* Parameters of prototypes, and those named _, cannot be named later. */
    for (size_t i = 0; i < list.count && is_good && f == p->func; i++)
        if (strcmp(list.data[i].name, "_") != 0)
            is_good = add_param_symbol(p, &at.data[i], &(*params)[i]);
    vec_fini(&list);
    vec_fini(&at);
    return is_good;
}

/* ---- directives between header and body -------------------------------- */

static bool parse_numbers(struct parser *p, unsigned *numbers, unsigned max)
{
    for (unsigned i = 0; i < max; i++) {
        uint64_t n;
        if (!expect_unsigned(p, "a number", UINT32_MAX, &n))
            return false;
        numbers[i] = (unsigned)n;
        if (!accept_punct(p, ','))
            return true;
    }
    return error_at(p, &p->token, "at most %u numbers", max);
}

static bool parse_positive(struct parser *p, const char *what, unsigned *out)
{
    struct token at = p->token;
    uint64_t n;
    if (!expect_unsigned(p, what, UINT32_MAX, &n))
        return false;
    if (n == 0)
        return error_at(p, &at, "%s is 1 or more", what);
    *out = (unsigned)n;
    return true;
}

static bool parse_dims(struct parser *p, const char *what, unsigned dims[3])
{
    dims[0] = dims[1] = dims[2] = 1;
    for (unsigned i = 0; i < 3; i++) {
        if (!parse_positive(p, what, &dims[i]))
            return false;
        if (!accept_punct(p, ','))
            break;
    }
    return true;
}

/* .noreturn and ABI hints are for functions; everything else is for
 * kernels. */
static bool is_for_functions(const struct parser *p)
{
    return is_directive(p, ".noreturn") || is_directive(p, ".abi_preserve") ||
           is_directive(p, ".abi_preserve_control");
}

static bool parse_cluster_directive(struct parser *p, struct ptx_func *f)
{
    static const char *const names[] = {
        ".explicitcluster", ".blocksareclusters", ".reqnctapercluster",
        ".maxclusterrank"};
    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        if (is_directive(p, names[i]) && p->module->sm < 90)
            return error_at(p, &p->token,
                            "`%s` needs the target sm_90 or later", names[i]);
    }
    if (accept_directive(p, ".explicitcluster"))
        return f->is_explicit_cluster = true;
    if (accept_directive(p, ".blocksareclusters"))
        return f->has_cluster_blocks = true;
    if (accept_directive(p, ".reqnctapercluster"))
        return parse_dims(p, "a number of blocks", f->reqnctapercluster);
    if (accept_directive(p, ".maxclusterrank"))
        return parse_numbers(p, &f->maxclusterrank, 1);
    return error_expected(p, "a function directive, `{` or `;`");
}

static bool parse_func_directive(struct parser *p, struct ptx_func *f)
{
    bool is_either = is_directive(p, ".pragma") ||
                     is_directive(p, ".unified") ||
                     is_directive(p, ".language");
    if (!is_either && is_for_functions(p) == f->is_entry)
        return error_at(p, &p->token, "`%.*s` is for %s", (int)p->token.len,
                        p->token.start, f->is_entry ? "functions" : "kernels");
    if (accept_directive(p, ".maxntid"))
        return parse_dims(p, "a number of threads", f->maxntid);
    if (accept_directive(p, ".reqntid"))
        return parse_dims(p, "a number of threads", f->reqntid);
    if (accept_directive(p, ".minnctapersm"))
        return parse_positive(p, "a number of blocks", &f->minnctapersm);
    if (is_directive(p, ".maxnctapersm") && p->module->version >= 21)
        return error_at(p, &p->token,
                        "`.maxnctapersm` ended with PTX 2.0; "
                        "`.minnctapersm` took its place");
    if (accept_directive(p, ".maxnctapersm"))
        return parse_positive(p, "a number of blocks", &f->minnctapersm);
    if (accept_directive(p, ".maxnreg"))
        return parse_positive(p, "a number of registers", &f->maxnreg);
    if (accept_directive(p, ".noreturn"))
        return f->is_noreturn = true;
    if (accept_directive(p, ".pragma"))
        return parse_pragma(p, f);
    if (accept_directive(p, ".unified") || accept_directive(p, ".language"))
        return true; /* has no meaning here */
    if (accept_directive(p, ".abi_preserve"))
        return parse_numbers(p, &f->abi_preserve, 1);
    if (accept_directive(p, ".abi_preserve_control"))
        return parse_numbers(p, &f->abi_preserve_control, 1);
    return parse_cluster_directive(p, f);
}

/* ---- bodies ------------------------------------------------------------ */

static bool parse_label(struct parser *p, const struct token *at,
                        const char *name)
{
    struct symbol *s = symbol_add(p, at, name, SYMBOL_label);
    if (!s)
        return false;
    struct ptx_label label = {.name = unique_name(p, name),
                              .inst = (uint32_t)p->insts.count};
    s->index = (uint32_t)p->labels.count;
    must_have_memory(vec_push(&p->labels, label));
    return true;
}

static bool parse_label_names(struct parser *p, uint32_t list, unsigned *count)
{
    do {
        struct label_use use = {
            .at = p->token, .targets = list, .target = (*count)++};
        use.name = expect_name(p, "a label");
        if (!use.name)
            return false;
        must_have_memory(vec_push(&p->label_uses, use));
    } while (accept_punct(p, ','));
    return expect_punct(p, ';', "after the labels");
}

/* name: .branchtargets a, b, c; */
static bool parse_branch_targets(struct parser *p, const struct token *at,
                                 const char *name)
{
    struct symbol *s = symbol_add(p, at, name, SYMBOL_targets);
    if (!s)
        return false;
    struct target_list list = {0};
    size_t uses_before = p->label_uses.count;
    s->index = (uint32_t)p->targets.count;
    bool is_good = parse_label_names(p, s->index, &list.count);
    if (!is_good)
        p->label_uses.count = uses_before;
    list.labels = arena_array(p->arena, uint32_t, list.count);
    must_have_memory(vec_push(&p->targets, list));
    return is_good;
}

/* name: .calltargets f, g; they have one signature, so the first one's is
 * used. */
static bool parse_call_targets(struct parser *p, const struct token *at,
                               const char *name)
{
    struct symbol *s = symbol_add(p, at, name, SYMBOL_prototype);
    if (!s)
        return false;
    do {
        struct token target = p->token;
        const char *text = expect_name(p, "a function");
        const struct symbol *f = text ? symbol_find(p, text) : NULL;
        if (!text)
            return false;
        if (!f || f->kind != SYMBOL_func)
            return error_at(p, &target, "`%s` is no function", text);
        f->func->is_address_taken = true;
        if (!s->func)
            s->func = f->func;
    } while (accept_punct(p, ','));
    return expect_punct(p, ';', "after the functions");
}

/* name: .callprototype (.param .b32 _) _ (.param .b32 _) .noreturn; */
static bool parse_prototype(struct parser *p, const struct token *at,
                            const char *name)
{
    struct symbol *s = symbol_add(p, at, name, SYMBOL_prototype);
    if (!s)
        return false;
    struct ptx_func *f = arena_new(p->arena, struct ptx_func);
    f->module = p->module;
    f->is_prototype = f->is_declaration = true;
    f->line = at->line;
    s->func = f;
    if (is_punct(p, '(') && !parse_params(p, f, &f->rets, &f->ret_count))
        return false;
    f->name = expect_name(p, "the prototype's name or `_`");
    if (!f->name ||
        (is_punct(p, '(') && !parse_params(p, f, &f->params, &f->param_count)))
        return false;
    while (p->token.kind == TOKEN_directive)
        if (!parse_func_directive(p, f))
            return false;
    ptx_layout_params(f);
    return expect_punct(p, ';', "after the prototype");
}

static bool parse_named(struct parser *p)
{
    struct token at = p->token;
    const char *name = expect_name(p, "a label");
    next_token(p); /* the colon */
    if (accept_directive(p, ".branchtargets"))
        return parse_branch_targets(p, &at, name);
    if (accept_directive(p, ".calltargets"))
        return parse_call_targets(p, &at, name);
    if (accept_directive(p, ".callprototype"))
        return parse_prototype(p, &at, name);
    return parse_label(p, &at, name);
}

static bool parse_body_directive(struct parser *p)
{
    if (accept_directive(p, ".reg"))
        return parse_regs(p);
    if (accept_directive(p, ".loc"))
        return parse_loc(p);
    if (accept_directive(p, ".pragma"))
        return parse_pragma(p, NULL);
    if (is_var_directive(p))
        return parse_vars(p, PTX_LINK_internal);
    return error_expected(p, "an instruction, label or declaration");
}

static bool parse_statement(struct parser *p)
{
    if (p->token.kind == TOKEN_directive)
        return parse_body_directive(p);
    if (accept_punct(p, ';'))
        return true;
    if (p->token.kind == TOKEN_ident && lex_is_label(&p->lexer))
        return parse_named(p);
    return parse_inst(p);
}

static bool open_scope(struct parser *p)
{
    if (p->depth == SCOPE_DEPTH_MAX) {
        error_at(p, &p->token, "scopes nested deeper than %d", SCOPE_DEPTH_MAX);
        return skip_braces(p);
    }
    scope_enter(p);
    next_token(p);
    return true;
}

/* From the opening to behind the closing brace. False: parsing cannot go
 * on. */
static bool parse_body(struct parser *p)
{
    struct token open = p->token;
    unsigned outside = p->depth;
    if (!open_scope(p))
        return false;
    while (p->depth > outside) {
        if (p->token.kind == TOKEN_end)
            return error_at(p, &open, "`{` without `}`");
        if (diag_is_full(p->diag))
            return false;
        if (is_punct(p, '}')) {
            scope_leave(p);
            next_token(p);
        } else if (is_punct(p, '{')) {
            if (!open_scope(p))
                return false;
        } else if (!parse_statement(p)) {
            recover(p);
        }
    }
    return true;
}

/* ---- the function ------------------------------------------------------ */

static void begin_function(struct parser *p, struct ptx_func *f)
{
    p->func = f;
    p->regs.count = p->local_vars.count = p->labels.count = 0;
    p->insts.count = p->label_uses.count = p->targets.count = 0;
    p->loc_file = p->loc_line = 0;
    p->has_numbered = p->is_taken_complete = false;
    map_fini(&p->taken);
    map_init_pointers(&p->taken);
    scope_enter(p);
}

/* While the function grew, operands named its variables at other addresses. */
static void move_operand(struct ptx_func *f, struct ptx_operand *op)
{
    const struct ptx_var *v = op->var;
    if (v && v->owner == f && v->index < f->var_count &&
        v->name == f->vars[v->index].name)
        op->var = &f->vars[v->index];
    for (unsigned i = 0; i < op->item_count; i++)
        move_operand(f, &op->items[i]);
}

static void move_inst(struct ptx_func *f, struct ptx_inst *inst)
{
    for (unsigned i = 0; i < inst->operand_count; i++)
        move_operand(f, &inst->operand[i]);
    if (!inst->call)
        return;
    for (unsigned i = 0; i < inst->call->ret_count; i++)
        move_operand(f, &inst->call->rets[i]);
    for (unsigned i = 0; i < inst->call->arg_count; i++)
        move_operand(f, &inst->call->args[i]);
}

#define MOVE_ARRAY(p, vec, T, array, n)                                        \
    do {                                                                       \
        (n) = (vec).count;                                                     \
        (array) = arena_array((p)->arena, T, (n));                             \
        if (n)                                                                 \
            memcpy((array), (vec).data, (n) * sizeof(T));                      \
    } while (0)

static void end_function(struct parser *p)
{
    struct ptx_func *f = p->func;
    MOVE_ARRAY(p, p->regs, struct ptx_reg, f->regs, f->reg_count);
    MOVE_ARRAY(p, p->labels, struct ptx_label, f->labels, f->label_count);
    MOVE_ARRAY(p, p->insts, struct ptx_inst, f->insts, f->inst_count);
    f->var_count = p->local_vars.count;
    f->vars = arena_array(p->arena, struct ptx_var, f->var_count);
    for (size_t i = 0; i < f->var_count; i++)
        f->vars[i] = *p->local_vars.data[i];
    for (size_t i = 0; i < f->inst_count && f->var_count; i++)
        move_inst(f, &f->insts[i]);
}

static bool is_same_kind(const struct ptx_func *a, const struct ptx_func *b)
{
    return a->is_entry == b->is_entry && ptx_has_same_signature(a, b);
}

static void set_owner(struct ptx_func *f)
{
    for (size_t i = 0; i < f->param_count; i++)
        f->params[i].owner = f;
    for (size_t i = 0; i < f->ret_count; i++)
        f->rets[i].owner = f;
}

/* If the function is declared already, what took its address must find the
 * definition there. NULL after a message. */
static struct ptx_func *declare_function(struct parser *p,
                                         const struct token *at,
                                         struct ptx_func *header)
{
    struct symbol *s = symbol_find(p, header->name);
    if (s && s->kind == SYMBOL_func) {
        struct ptx_func *f = s->func;
        if (!is_same_kind(f, header)) {
            error_at(p, at, "`%s` was declared with other parameters", f->name);
            return NULL;
        }
        if (header->is_declaration)
            return f;
        if (!f->is_declaration) {
            error_at(p, at, "`%s` is defined twice", f->name);
            return NULL;
        }
        header->index = f->index;
        header->is_address_taken = f->is_address_taken;
        *f = *header;
        set_owner(f);
        return f;
    }
    unsigned depth = p->depth;
    p->depth = 0; /* functions belong to the module */
    s = symbol_add(p, at, header->name, SYMBOL_func);
    p->depth = depth;
    if (!s)
        return NULL;
    header->index = (unsigned)p->funcs.count;
    must_have_memory(vec_push(&p->funcs, header));
    s->func = header;
    return header;
}

static bool parse_header(struct parser *p, struct ptx_func *f, struct token *at)
{
    if (is_directive(p, ".attribute")) {
        next_token(p);
        while (!accept_punct(p, ')')) {
            if (p->token.kind == TOKEN_end)
                return error_expected(p, "`)`");
            next_token(p);
        }
        accept_punct(p, ')');
    }
    if (is_punct(p, '(') && !f->is_entry &&
        !parse_params(p, f, &f->rets, &f->ret_count))
        return false;
    *at = p->token;
    f->line = at->line;
    f->name = expect_name(p, "the function's name");
    if (!f->name)
        return false;
    if (is_punct(p, '(') && !parse_params(p, f, &f->params, &f->param_count))
        return false;
    if (!ptx_layout_params(f))
        return error_at(p, at, "the parameters of `%s` are too large", f->name);
    unsigned most = p->module->version < 81 || p->module->sm < 70
                        ? OLD_ENTRY_PARAM_BYTES_MAX
                        : ENTRY_PARAM_BYTES_MAX;
    if (f->is_entry && f->param_bytes > most)
        return error_at(
            p, at,
            "the kernel has %zu bytes of parameters, %u "
            "are the most%s",
            f->param_bytes, most,
            most == ENTRY_PARAM_BYTES_MAX ? "" : " before PTX 8.1 and sm_70");
    while (p->token.kind == TOKEN_directive)
        if (!parse_func_directive(p, f))
            return false;
    if (f->maxntid[0] && f->reqntid[0])
        return error_at(p, at, "`%s` has both .maxntid and .reqntid", f->name);
    if (f->is_noreturn && f->ret_count)
        return error_at(p, at, "`%s` is .noreturn, and has a result", f->name);
    return true;
}

static bool parse_after_scope(struct parser *p, struct ptx_func *header)
{
    struct token at;
    if (!parse_header(p, header, &at))
        return false;
    header->is_declaration = !is_punct(p, '{');
    if (header->is_declaration &&
        !expect_punct(p, ';', "or a body after the function's header"))
        return false;
    if (!header->is_declaration && header->linkage == PTX_LINK_extern)
        return error_at(p, &at, "`%s` is .extern, but has a body",
                        header->name);
    struct ptx_func *f = declare_function(p, &at, header);
    if (!f)
        return false;
    if (header->is_declaration)
        return true;
    p->func = f;
    if (!load_reg_params(p, f) || !parse_body(p) || !store_reg_results(p, f))
        return false;
    end_function(p);
    return true;
}

bool parse_func(struct parser *p, enum ptx_linkage linkage, bool is_entry)
{
    struct ptx_func *f = arena_new(p->arena, struct ptx_func);
    f->module = p->module;
    f->is_entry = is_entry;
    f->linkage = linkage;
    begin_function(p, f);
    bool is_good = parse_after_scope(p, f);
    while (p->depth)
        scope_leave(p);
    p->func = NULL;
    return is_good;
}

/* ---- aliases ----------------------------------------------------------- */

/* .alias name, aliasee; both are declared; the body may come later. */
bool parse_alias(struct parser *p)
{
    struct symbol *s[2];
    for (int i = 0; i < 2; i++) {
        struct token at = p->token;
        const char *name = expect_name(p, "a function");
        if (!name)
            return false;
        s[i] = symbol_find(p, name);
        if (!s[i] || s[i]->kind != SYMBOL_func)
            return error_at(p, &at, "`%s` is no function", name);
        if (!i && !s[i]->func->is_declaration)
            return error_at(p, &at, "`%s` has a body of its own", name);
        if (!i && !expect_punct(p, ',', "between the two functions"))
            return false;
        if (i && s[1]->func->linkage == PTX_LINK_weak)
            return error_at(p, &at, "`%s` is .weak: it cannot have an alias",
                            name);
        if (i && (s[1]->func->alias_of || s[0]->func == s[1]->func ||
                  !is_same_kind(s[0]->func, s[1]->func)))
            return error_at(p, &at, "`%s` cannot stand for `%s`",
                            s[0]->func->name, name);
    }
    s[0]->func->alias_of = s[1]->func;
    return expect_punct(p, ';', "after the alias");
}

void resolve_alias(struct ptx_func *f)
{
    const struct ptx_func *of = f->alias_of;
    if (!of || of->is_declaration)
        return;
    struct ptx_func alias = *of;
    alias.name = f->name;
    alias.linkage = f->linkage;
    alias.index = f->index;
    alias.is_address_taken = f->is_address_taken;
    alias.alias_of = of;
    *f = alias;
}
