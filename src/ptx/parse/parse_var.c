/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Variables: space, attributes, type, name and dimensions; the initialiser is
 * in parse_init.c. Registers are in parse_reg.c, parameters in parse_func.c;
 * both use the declaration's first half from here.
 *
 * Source: PTX ISA, "State Spaces, Types, and Variables".
 */
#include "ptx/parse.h"

static const struct {
    const char *name;
    enum ptx_space space;
} space_words[] = {
    {".global", PTX_SPACE_global}, {".const", PTX_SPACE_const},
    {".shared", PTX_SPACE_shared}, {".local", PTX_SPACE_local},
    {".param", PTX_SPACE_param},   {".tex", PTX_SPACE_tex},
};

static enum ptx_space space_of(const struct parser *p)
{
    for (size_t i = 0; i < ARRAY_COUNT(space_words); i++)
        if (is_directive(p, space_words[i].name))
            return space_words[i].space;
    return PTX_SPACE_generic;
}

bool is_var_directive(const struct parser *p)
{
    return p->token.kind == TOKEN_directive && space_of(p) != PTX_SPACE_generic;
}

enum ptx_type type_named(const char *text, size_t len)
{
    for (unsigned t = PTX_TYPE_none + 1; t < PTX_TYPE_COUNT; t++) {
        const char *name = ptx_type_name(t);
        if (name[0] == text[0] && strlen(name) == len &&
            memcmp(name, text, len) == 0)
            return t;
    }
    return PTX_TYPE_none;
}

/* ---- attributes and type ----------------------------------------------- */

static bool parse_align(struct parser *p, unsigned *align_bytes)
{
    struct token at = p->token;
    uint64_t n;
    if (!expect_unsigned(p, "the alignment", 1 << 16, &n))
        return false;
    if (!n || n & (n - 1))
        return error_at(p, &at, "the alignment is a power of two, found %u",
                        (unsigned)n);
    *align_bytes = (unsigned)n;
    return true;
}

/* .attribute(.managed, .unified(1, 2)) */
static bool parse_attribute(struct parser *p, struct var_decl *d)
{
    if (!expect_punct(p, '(', "after `.attribute`"))
        return false;
    do {
        if (accept_directive(p, ".managed")) {
            d->is_managed = true;
            continue;
        }
        if (!accept_directive(p, ".unified"))
            return error_expected(p, "`.managed` or `.unified`");
        d->is_unified = true;
        if (accept_punct(p, '(') &&
            (!expect_unsigned(p, "a number", UINT64_MAX, &d->unified[0]) ||
             !expect_punct(p, ',', "between two numbers") ||
             !expect_unsigned(p, "a number", UINT64_MAX, &d->unified[1]) ||
             !expect_punct(p, ')', "after `.unified`")))
            return false;
    } while (accept_punct(p, ','));
    return expect_punct(p, ')', "after the attributes");
}

/* .ptr .global .align 4: what a parameter points to. LLVM also writes
 * .ptr .texref, .samplerref and .surfref for handles, as ptxas takes them. */
static bool parse_ptr(struct parser *p, struct var_decl *d)
{
    if (accept_directive(p, ".texref") || accept_directive(p, ".samplerref") ||
        accept_directive(p, ".surfref"))
        return true;
    d->is_ptr = true;
    d->ptr_space = space_of(p);
    if (is_var_directive(p))
        next_token(p);
    if (accept_directive(p, ".align"))
        return parse_align(p, &d->ptr_align_bytes);
    return true;
}

static bool is_variable_type(enum ptx_type t)
{
    switch (ptx_type_kind(t)) {
    case PTX_KIND_bits:
        return t != PTX_TYPE_b1 && t != PTX_TYPE_b1024;
    case PTX_KIND_float:
        return t == PTX_TYPE_f16 || t == PTX_TYPE_f16x2 || t == PTX_TYPE_f32 ||
               t == PTX_TYPE_f64;
    case PTX_KIND_unsigned:
    case PTX_KIND_signed:
        return ptx_type_name(t)[1] != '4' && ptx_type_name(t)[1] != '2' &&
               t != PTX_TYPE_u16x2 && t != PTX_TYPE_s16x2;
    default:
        return true;
    }
}

static bool parse_type(struct parser *p, struct var_decl *d)
{
    enum ptx_type t = type_named(p->token.start + 1, p->token.len - 1);
    if (!t || d->type)
        return error_expected(p, d->type ? "a name" : "a type");
    if (!is_variable_type(t))
        return error_at(p, &p->token,
                        "no variable is of type .%s, only instructions",
                        ptx_type_name(t));
    d->type = t;
    next_token(p);
    return true;
}

static bool parse_decl_word(struct parser *p, struct var_decl *d)
{
    if (d->type && is_directive(p, ".align"))
        return error_expected(p, "a name, as .align comes before the type");
    if (accept_directive(p, ".align"))
        return parse_align(p, &d->align_bytes);
    if (accept_directive(p, ".attribute"))
        return parse_attribute(p, d);
    if (accept_directive(p, ".ptr"))
        return parse_ptr(p, d);
    if (accept_directive(p, ".v2"))
        return d->vector = 2, true;
    if (accept_directive(p, ".v4"))
        return d->vector = 4, true;
    return parse_type(p, d);
}

/* .const[3] of old modules: the bank has no meaning here. */
static bool skip_bank(struct parser *p)
{
    uint64_t bank;
    if (!accept_punct(p, '['))
        return true;
    return expect_unsigned(p, "the bank", 10, &bank) &&
           expect_punct(p, ']', "after the bank");
}

bool parse_decl(struct parser *p, struct var_decl *d)
{
    d->vector = 1;
    if (!skip_bank(p))
        return false;
    while (p->token.kind == TOKEN_directive)
        if (!parse_decl_word(p, d))
            return false;
    if (d->vector * ptx_type_size(d->type) > 16 && d->vector > 1)
        return error_at(p, &p->token, "a vector has at most 128 bits");
    if (d->is_managed && d->space != PTX_SPACE_global)
        return error_at(p, &p->token, ".managed is for .global variables");
    if (d->space == PTX_SPACE_tex && d->type)
        d->type = PTX_TYPE_texref; /* .tex .u32 t: the first PTX versions */
    if (!d->type)
        return error_expected(p, "a type");
    return true;
}

/* ---- name and dimensions ----------------------------------------------- */

static bool parse_dimension(struct parser *p, size_t *size, bool *is_open)
{
    struct constant c;
    struct token at = p->token;
    *is_open = accept_punct(p, ']');
    *size = 0;
    if (*is_open)
        return true;
    if (!parse_constant(p, &c))
        return false;
    if (c.kind != CONST_int || c.bits > VAR_BYTES_MAX)
        return error_at(p, &at, "an array may have %llu elements",
                        (unsigned long long)VAR_BYTES_MAX);
    *size = c.bits;
    return expect_punct(p, ']', "after the dimension");
}

/* [2][3]; strides are in elements, the innermost dimension's is 1. */
static bool parse_dimensions(struct parser *p, struct ptx_var *v,
                             struct var_shape *shape)
{
    size_t size[INIT_DEPTH_MAX];
    unsigned n = 0;
    struct token at = p->token;
    for (; accept_punct(p, '['); n++) {
        bool is_open;
        if (n == INIT_DEPTH_MAX)
            return error_at(p, &at, "an array may have %d dimensions",
                            INIT_DEPTH_MAX);
        if (!parse_dimension(p, &size[n], &is_open))
            return false;
        if (is_open && n)
            return error_at(p, &at, "only the first dimension may be open");
        shape->is_unsized |= is_open;
    }
    size_t count = v->vector;
    size_t element_bytes = ptx_type_size(v->type);
    shape->depth = n + (v->vector > 1);
    if (v->vector > 1)
        shape->stride[n] = v->vector;
    shape->stride[shape->depth] = 1;
    for (unsigned i = n; i--;) {
        shape->stride[i] = i == 0 && shape->is_unsized ? 0 : count * size[i];
        if (__builtin_mul_overflow(count, size[i], &count) ||
            count > VAR_BYTES_MAX / element_bytes) {
            if (i == 0 && shape->is_unsized)
                break;
            return error_at(p, &at, "a variable may have %llu bytes",
                            (unsigned long long)VAR_BYTES_MAX);
        }
    }
    v->is_array = n > 0;
    v->element_count = count / v->vector;
    v->size_bytes = count * element_bytes;
    return true;
}

static bool parse_shaped_declarator(struct parser *p, const struct var_decl *d,
                                    struct ptx_var *v, struct var_shape *shape)
{
    struct token at = p->token;
    *v = (struct ptx_var){
        .space = d->space,
        .type = d->type,
        .vector = d->vector,
        .is_ptr = d->is_ptr,
        .is_managed = d->is_managed,
        .is_unified = d->is_unified,
        .unified = {d->unified[0], d->unified[1]},
        .ptr_space = d->ptr_space,
        .ptr_align_bytes = d->ptr_align_bytes,
        .line = at.line,
        .reg = PTX_NO_REG,
        .owner = p->depth ? p->func : NULL,
    };
    unsigned natural = ptx_type_size(d->type) * d->vector;
    v->align_bytes = d->align_bytes ? d->align_bytes : natural;
    v->name = expect_name(p, "the variable's name");
    if (!v->name)
        return false;
    if (v->type == PTX_TYPE_pred && v->space != PTX_SPACE_reg)
        return error_at(p, &at, "a predicate is a register, `%s` is not",
                        v->name);
    return parse_dimensions(p, v, shape);
}

bool parse_declarator(struct parser *p, const struct var_decl *d,
                      struct ptx_var *v)
{
    struct var_shape shape = {0};
    return parse_shaped_declarator(p, d, v, &shape);
}

/* ---- declarations ------------------------------------------------------ */

/* A definition replaces an .extern declaration at the same address, so that
 * addresses taken in between stay valid. */
static struct ptx_var *declare_global(struct parser *p, const struct token *at,
                                      const struct ptx_var *v)
{
    struct symbol *s = symbol_find(p, v->name);
    if (s && s->kind == SYMBOL_var &&
        (s->var->linkage == PTX_LINK_extern || v->linkage == PTX_LINK_extern)) {
        unsigned index = s->var->index;
        if (s->var->space != v->space || s->var->type != v->type) {
            error_at(p, at, "`%s` was declared with another type", v->name);
            return NULL;
        }
        if (v->linkage != PTX_LINK_extern)
            *s->var = *v;
        s->var->index = index;
        return s->var;
    }
    s = symbol_add(p, at, v->name, SYMBOL_var);
    if (!s)
        return NULL;
    s->is_module = true;
    s->var = arena_new(p->arena, struct ptx_var);
    *s->var = *v;
    s->var->index = (unsigned)p->vars.count;
    must_have_memory(vec_push(&p->vars, s->var));
    return s->var;
}

/* In scratch memory until the function ends and its array is made. */
static struct ptx_var *declare_local(struct parser *p, const struct token *at,
                                     const struct ptx_var *v)
{
    struct symbol *s = symbol_add(p, at, v->name, SYMBOL_var);
    if (!s)
        return NULL;
    s->var = arena_new(p->scratch, struct ptx_var);
    *s->var = *v;
    s->var->name = unique_name(p, v->name);
    s->var->index = (unsigned)p->local_vars.count;
    must_have_memory(vec_push(&p->local_vars, s->var));
    return s->var;
}

/* Before PTX 1.4 kernels have no list of parameters: these are the .param
 * variables at the start of the body. */
static bool is_old_parameter(const struct parser *p, const struct ptx_var *v)
{
    return p->func && p->func->is_entry && v->space == PTX_SPACE_param &&
           p->module->version < 14 &&
           (!p->func->param_count || p->func->has_old_params);
}

static struct ptx_var *declare_old_parameter(struct parser *p,
                                             const struct token *at,
                                             const struct ptx_var *v)
{
    enum { PARAMETERS_MAX = 256 }; /* bytes, then */
    struct ptx_func *f = p->func;
    if (f->param_count == PARAMETERS_MAX) {
        error_at(p, at, "a kernel has at most %d parameters", PARAMETERS_MAX);
        return NULL;
    }
    struct symbol *s = symbol_add(p, at, v->name, SYMBOL_var);
    if (!s)
        return NULL;
    if (!f->param_count) /* it never moves, as operands point to it */
        f->params = arena_array(p->arena, struct ptx_var, PARAMETERS_MAX);
    f->has_old_params = true;
    s->is_param = true;
    s->var = &f->params[f->param_count];
    *s->var = *v;
    s->var->name = unique_name(p, v->name);
    s->var->index = (unsigned)f->param_count++;
    if (!ptx_layout_params(f)) {
        error_at(p, at, "the parameters of `%s` are too large", f->name);
        return NULL;
    }
    return s->var;
}

static bool check_variable(struct parser *p, const struct token *at,
                           const struct ptx_var *v,
                           const struct var_shape *shape, bool has_init)
{
    bool may_be_open = v->linkage == PTX_LINK_extern || has_init ||
                       v->space == PTX_SPACE_param;
    if (shape->is_unsized && !may_be_open)
        return error_at(p, at,
                        "`%s` has no size: only an .extern or "
                        "initialised array may leave it open",
                        v->name);
    if (has_init && v->linkage == PTX_LINK_extern)
        return error_at(p, at, "`%s` is .extern, but has an initialiser",
                        v->name);
    if (!p->depth && v->space == PTX_SPACE_local && p->module->version >= 30)
        return error_at(p, at, ".local belongs inside functions");
    if (v->space == PTX_SPACE_tex && p->module->version >= 15)
        return error_at(p, at,
                        "`.tex` ended with PTX 1.4; declare "
                        "`.global .texref %s`",
                        v->name);
    if (v->type == PTX_TYPE_samplerref && !p->module->is_texmode_independent)
        return error_at(p, at,
                        "`%s`: samplers of their own want texmode_independent "
                        "in .target",
                        v->name);
    if (p->depth && v->linkage == PTX_LINK_extern)
        return error_at(p, at, ".extern belongs outside of functions");
    if (!p->depth && v->space == PTX_SPACE_param)
        return error_at(p, at, ".param belongs inside functions");
    return true;
}

static bool parse_var(struct parser *p, const struct var_decl *d,
                      enum ptx_linkage linkage)
{
    struct token at = p->token;
    struct var_shape shape = {0};
    struct ptx_var v;
    if (!parse_shaped_declarator(p, d, &v, &shape))
        return false;
    v.linkage = linkage;
    bool has_init = is_punct(p, '=');
    if (!check_variable(p, &at, &v, &shape, has_init))
        return false;
    struct ptx_var *declared =
        is_old_parameter(p, &v) ? declare_old_parameter(p, &at, &v)
        : p->depth              ? declare_local(p, &at, &v)
                                : declare_global(p, &at, &v);
    if (!declared)
        return false;
    return !accept_punct(p, '=') || parse_initialiser(p, declared, &shape);
}

bool parse_vars(struct parser *p, enum ptx_linkage linkage)
{
    struct var_decl d = {.space = space_of(p)};
    next_token(p);
    if (!parse_decl(p, &d))
        return false;
    do {
        if (!parse_var(p, &d, linkage))
            return false;
    } while (accept_punct(p, ','));
    return expect_punct(p, ';', "after the variable");
}
