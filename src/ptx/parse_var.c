/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Variables: space, attributes, type, name, dimensions and initialiser.
 * Registers are in parse_reg.c, parameters in parse_func.c; both use the
 * declaration's first half from here.
 *
 * Source: PTX ISA, "State Spaces, Types, and Variables".
 */
#include "ptx/parse.h"

#include <stdio.h>

#define SETTINGS_MAX 1000 /* characters */

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

/* .ptr .global .align 4: what a parameter points to. */
static bool parse_ptr(struct parser *p, struct var_decl *d)
{
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

/* .const[3] of old modules: one bank is as good as another. */
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

struct shape {
    size_t stride[INIT_DEPTH_MAX + 2]; /* elements below a brace of depth i */
    unsigned depth;
    bool is_unsized; /* the first dimension is left open */
};

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
                             struct shape *shape)
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
                                    struct ptx_var *v, struct shape *shape)
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
    struct shape shape = {0};
    return parse_shaped_declarator(p, d, v, &shape);
}

/* ---- initialisers ------------------------------------------------------ */

struct init {
    struct ptx_var *var;
    const struct shape *shape;
    size_t cursor, limit; /* in elements */
    unsigned element_bytes;
    VEC(uint8_t) bytes;
    VEC(struct ptx_reloc) relocs;
};

static bool put_bytes(struct parser *p, struct init *in, const struct token *at,
                      uint64_t bits)
{
    size_t end = (in->cursor + 1) * in->element_bytes;
    if (end > INIT_BYTES_MAX)
        return error_at(p, at, "initialisers may have %zu bytes",
                        INIT_BYTES_MAX);
    while (in->bytes.count < end)
        must_have_memory(vec_push(&in->bytes, 0));
    memcpy(in->bytes.data + end - in->element_bytes, &bits,
           in->element_bytes < 8 ? in->element_bytes : 8);
    return true;
}

static bool parse_number_item(struct parser *p, struct init *in)
{
    struct constant c;
    uint64_t bits;
    struct token at = p->token;
    if (!parse_constant(p, &c))
        return false;
    if (c.kind == CONST_int && ptx_type_is_float(in->var->type))
        return error_at(p, &at, "an integer stands where .%s is due",
                        ptx_type_name(in->var->type));
    if (in->var->type == PTX_TYPE_f16 || in->var->type == PTX_TYPE_f16x2)
        return error_at(p, &at,
                        "variables of type .%s have no initialiser; "
                        ".b%u ones do",
                        ptx_type_name(in->var->type),
                        ptx_type_size(in->var->type) * 8);
    if (!constant_bits(&c, in->var->type, &bits))
        return error_at(p, &at, "a floating constant cannot initialise .%s",
                        ptx_type_name(in->var->type));
    return put_bytes(p, in, &at, bits);
}

static bool set_reloc_symbol(struct parser *p, const struct init *in,
                             struct ptx_reloc *r)
{
    struct token at = p->token;
    const char *name = expect_name(p, "a variable or function");
    if (!name)
        return false;
    struct symbol *s = symbol_find(p, name);
    if (s && s->kind == SYMBOL_func) {
        s->func->is_address_taken = true;
        r->func = s->func;
        return true;
    }
    if (!s || s->kind != SYMBOL_var || !s->is_module)
        return error_at(p, &at,
                        "an initialiser wants a variable or function of the "
                        "module; `%s` is none",
                        name);
    if (s->var == in->var)
        return error_at(p, &at, "`%s` cannot be its own initial value", name);
    if (s->var->space != PTX_SPACE_global && s->var->space != PTX_SPACE_const)
        return error_at(p, &at, "`%s` is no .global or .const variable", name);
    r->var = s->var;
    return true;
}

/* generic(sym), sym, either with an offset; 0xff00(sym) gives one byte. */
static bool parse_address_item(struct parser *p, struct init *in, uint64_t mask)
{
    struct ptx_reloc r = {
        .offset_bytes = in->cursor * in->element_bytes,
        .size_bytes = in->element_bytes,
    };
    struct token at = p->token;
    struct constant c = {0};
    unsigned shift = mask ? (unsigned)__builtin_ctzll(mask) : 0;
    if (mask && mask != UINT64_C(0xff) << shift)
        return error_at(p, &at, "a mask selects one byte, as 0xff00 does");
    r.shift_bits = shift;
    if (!mask && in->element_bytes * 8 != p->module->address_size_bits)
        return error_at(p, &at, "an address wants .u%u, the variable is .%s",
                        p->module->address_size_bits,
                        ptx_type_name(in->var->type));
    r.is_generic =
        p->token.kind == TOKEN_ident && token_is(&p->token, "generic");
    if (r.is_generic) {
        next_token(p);
        if (!expect_punct(p, '(', "after `generic`") ||
            !set_reloc_symbol(p, in, &r) ||
            !expect_punct(p, ')', "after the symbol"))
            return false;
    } else if (!set_reloc_symbol(p, in, &r)) {
        return false;
    }
    if ((is_punct(p, '+') || is_punct(p, '-')) && !parse_constant(p, &c))
        return false;
    r.addend = (int64_t)c.bits;
    must_have_memory(vec_push(&in->relocs, r));
    return put_bytes(p, in, &at, 0);
}

/* 0xff00(sym+4): the mask is read, the parenthesis is next. */
static bool parse_masked_item(struct parser *p, struct init *in)
{
    uint64_t mask = p->token.value;
    struct token at = p->token;
    next_token(p);
    next_token(p);
    if (!mask || in->element_bytes != 1)
        return error_at(p, &at, "a masked address wants an array of bytes");
    return parse_address_item(p, in, mask) &&
           expect_punct(p, ')', "after the masked address");
}

static bool is_call_like(struct parser *p)
{
    const char *c = p->lexer.p;
    while (c < p->lexer.end && (*c == ' ' || *c == '\t'))
        c++;
    return c < p->lexer.end && *c == '(';
}

static bool parse_scalar_item(struct parser *p, struct init *in)
{
    struct token at = p->token;
    if (in->cursor >= in->limit)
        return error_at(p, &at, "more initialisers than elements (%zu)",
                        in->limit);
    bool is_good;
    if (at.kind == TOKEN_ident && !token_is(&at, "WARP_SZ"))
        is_good = parse_address_item(p, in, 0);
    else if (at.kind == TOKEN_int && is_call_like(p))
        is_good = parse_masked_item(p, in);
    else
        is_good = parse_number_item(p, in);
    in->cursor++;
    return is_good;
}

/* Behind an opening brace of that depth; what is left out is zero. */
static bool parse_braces(struct parser *p, struct init *in, unsigned depth)
{
    size_t start = in->cursor;
    if (depth >= in->shape->depth)
        return error_at(p, &p->token, "more braces than dimensions");
    while (!accept_punct(p, '}')) {
        if (depth + 1 < in->shape->depth && !is_punct(p, '{'))
            return error_expected(p, "`{` for the next dimension");
        bool is_good = accept_punct(p, '{') ? parse_braces(p, in, depth + 1)
                                            : parse_scalar_item(p, in);
        if (!is_good)
            return false;
        if (!accept_punct(p, ',') && !is_punct(p, '}'))
            return error_expected(p, "`,` or `}` in the initialiser");
    }
    size_t stride = in->shape->stride[depth];
    if (!stride)
        return true;
    if (in->cursor > start + stride)
        return error_at(p, &p->token, "more initialisers than elements (%zu)",
                        stride);
    in->cursor = start + stride;
    return true;
}

/* The first dimension, if it was open, is as long as it must be. */
static void close_dimension(struct init *in)
{
    struct ptx_var *v = in->var;
    size_t row = in->shape->depth > 1 ? in->shape->stride[1] : 1;
    if (!in->shape->is_unsized)
        return;
    size_t count = (in->cursor + row - 1) / (row ? row : 1) * row;
    v->element_count = count / v->vector;
    v->size_bytes = count * in->element_bytes;
}

static bool finish_init(struct parser *p, struct init *in,
                        const struct token *at)
{
    struct ptx_var *v = in->var;
    close_dimension(in);
    if (v->size_bytes > INIT_BYTES_MAX - p->init_bytes)
        return error_at(p, at, "initialised variables may have %zu bytes",
                        INIT_BYTES_MAX);
    p->init_bytes += v->size_bytes;
    uint8_t *bytes = arena_alloc(p->arena, v->size_bytes);
    if (in->bytes.count)
        memcpy(bytes, in->bytes.data, in->bytes.count);
    v->init = bytes;
    v->reloc_count = in->relocs.count;
    v->relocs = arena_array(p->arena, struct ptx_reloc, in->relocs.count);
    for (size_t i = 0; i < in->relocs.count; i++)
        v->relocs[i] = in->relocs.data[i];
    return true;
}

/* Adds `name = value` to what v->settings has. */
static bool parse_setting(struct parser *p, struct ptx_var *v)
{
    static const char *const names[] = {
        "width",
        "height",
        "depth",
        "channel_data_type",
        "channel_order",
        "normalized_coords",
        "force_unnormalized_coords",
        "filter_mode",
        "addr_mode_0",
        "addr_mode_1",
        "addr_mode_2",
        "array_size",
        "num_mipmap_levels",
        "num_samples",
        "memory_layout",
    };
    struct token at = p->token;
    const char *name = expect_name(p, "a texture's or sampler's setting");
    if (!name)
        return false;
    bool is_known = false;
    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        is_known |= strcmp(name, names[i]) == 0;
    if (!is_known || strlen(v->settings) > SETTINGS_MAX)
        return error_at(p, &at, "`%s` is no setting of a texture or sampler",
                        name);
    if (!expect_punct(p, '=', "after the setting's name"))
        return false;
    if (p->token.kind != TOKEN_int && p->token.kind != TOKEN_ident)
        return error_expected(p, "the setting's value");
    v->settings = arena_printf(p->arena, "%s%s%s = %.*s", v->settings,
                               *v->settings ? ", " : "", name,
                               (int)p->token.len, p->token.start);
    next_token(p);
    return true;
}

/* {addr_mode_0 = wrap, filter_mode = linear} */
static bool parse_settings(struct parser *p, struct ptx_var *v)
{
    v->settings = "";
    if (v->is_array)
        return error_at(p, &p->token, "arrays of .%s have no initialiser",
                        ptx_type_name(v->type));
    if (!expect_punct(p, '{', "before the settings"))
        return false;
    do {
        if (!parse_setting(p, v))
            return false;
    } while (accept_punct(p, ','));
    return expect_punct(p, '}', "after the settings");
}

static bool parse_init(struct parser *p, struct ptx_var *v,
                       const struct shape *shape)
{
    struct token at = p->token;
    if (v->space != PTX_SPACE_global && v->space != PTX_SPACE_const)
        return error_at(p, &at,
                        "only .global and .const variables have an "
                        "initialiser");
    if (ptx_type_kind(v->type) == PTX_KIND_opaque)
        return parse_settings(p, v);
    struct init in = {
        .var = v, .shape = shape, .element_bytes = ptx_type_size(v->type)};
    in.limit =
        shape->is_unsized ? INIT_BYTES_MAX : v->size_bytes / in.element_bytes;
    bool is_good = shape->depth == 0
                       ? parse_scalar_item(p, &in)
                       : expect_punct(p, '{', "before the initialiser") &&
                             parse_braces(p, &in, 0);
    is_good = is_good && finish_init(p, &in, &at);
    vec_fini(&in.bytes);
    vec_fini(&in.relocs);
    return is_good;
}

/* ---- declarations ------------------------------------------------------ */

/* A definition takes the place of an .extern declaration, so that addresses
 * taken in between stay good. */
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

/* Lives in scratch until the function ends and its array is made. */
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

/* Before PTX 1.4 a kernel has no list of parameters: they are the .param
 * variables at the start of its body. */
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
    if (!f->param_count) /* operands point there: it never moves */
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
                           const struct ptx_var *v, const struct shape *shape,
                           bool has_init)
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
    struct shape shape = {0};
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
    return !accept_punct(p, '=') || parse_init(p, declared, &shape);
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
