/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Initial values of variables: numbers and addresses, in braces as deep as the
 * variable has dimensions; what is missing is zero. Textures and samplers have
 * settings instead, which are kept as text.
 *
 * Source: PTX ISA, "State Spaces, Types, and Variables: Initializers".
 */
#include "ptx/parse.h"

#define SETTINGS_MAX 1000 /* characters */

struct init {
    struct ptx_var *var;
    const struct var_shape *shape;
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

/* generic(sym) or sym, either with an offset; 0xff00(sym) is one byte of
 * it. */
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
    if (!mask && (ptx_type_kind(in->var->type) != PTX_KIND_unsigned ||
                  in->element_bytes * 8 != p->module->address_size_bits))
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
    if (is_punct(p, '+') && !parse_constant(p, &c))
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
    if (!mask || in->var->type != PTX_TYPE_u8)
        return error_at(p, &at, "a masked address wants an array of .u8");
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

/* Behind an opening brace of that depth; what is missing is zero. */
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

/* A first dimension that was left open becomes as long as the initialiser. */
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

/* ---- textures and samplers --------------------------------------------- */

/* Adds `name = value` to v->settings. */
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

/* ---- the whole ---------------------------------------------------------- */

bool parse_initialiser(struct parser *p, struct ptx_var *v,
                       const struct var_shape *shape)
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
