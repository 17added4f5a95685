/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The spelling of an opcode, ld.global.nc.v4.f32, taken apart by the rows of
 * ops.def and mods.def. A module has a few hundred spellings and many
 * instructions, so each is taken apart once and remembered.
 */
#include "ptx/parse.h"

#include <stdio.h>

#define SPELLING_MAX 200

enum field {
    FIELD_none,
    FIELD_rnd,
    FIELD_cmp,
    FIELD_half,
    FIELD_sub,
    FIELD_sub2,
    FIELD_space,
    FIELD_sem,
    FIELD_scope,
    FIELD_vector,
    FIELD_flags,
    FIELD_shape
};

static const struct mod_row {
    const char *text;
    uint64_t group;
    enum field field;
    uint32_t value;
} mods[] = {
#define PTX_MOD(text, group, field, value)                                     \
    {text, M_##group, FIELD_##field, value},
#include "ptx/mods.def"
};

static void set_field(struct ptx_inst *inst, const struct mod_row *m)
{
    switch (m->field) {
    case FIELD_none:
        break;
    case FIELD_rnd:
        inst->rnd = (enum ptx_rnd)m->value;
        break;
    case FIELD_cmp:
        inst->cmp = (enum ptx_cmp)m->value;
        break;
    case FIELD_half:
        inst->half = (enum ptx_half)m->value;
        break;
    case FIELD_sub: /* bar.warp.sync is a bar.warp */
        if (!inst->sub)
            inst->sub = (enum ptx_sub)m->value;
        break;
    case FIELD_sub2:
        inst->sub2 = (enum ptx_sub)m->value;
        break;
    case FIELD_space:
        inst->space = (enum ptx_space)m->value;
        break;
    case FIELD_sem:
        inst->sem = (enum ptx_sem)m->value;
        break;
    case FIELD_scope:
        inst->scope = (enum ptx_scope)m->value;
        break;
    case FIELD_vector:
        inst->vector = m->value;
        break;
    case FIELD_flags:
        inst->flags |= m->value;
        break;
    case FIELD_shape:
        inst->shape = m->value;
        break;
    }
}

static enum ptx_op find_op(const char *text, size_t len)
{
    for (unsigned op = PTX_OP_invalid + 1; op < PTX_OP_COUNT; op++) {
        const char *name = ptx_ops[op].name;
        if (name[0] == text[0] && strncmp(name, text, len) == 0 && !name[len])
            return op;
    }
    return PTX_OP_invalid;
}

static const struct mod_row *find_mod(const char *text, size_t len,
                                      uint64_t groups)
{
    for (size_t i = 0; i < ARRAY_COUNT(mods); i++) {
        const struct mod_row *m = &mods[i];
        if (m->text[0] == text[0] && m->group & groups &&
            strncmp(m->text, text, len) == 0 && !m->text[len])
            return m;
    }
    return NULL;
}

static bool error_unknown_op(struct parser *p, const struct token *at,
                             const char *text, size_t len)
{
    const char *names[PTX_OP_COUNT];
    char name[SPELLING_MAX + 1];
    snprintf(name, sizeof name, "%.*s", (int)len, text);
    for (unsigned op = 1; op < PTX_OP_COUNT; op++)
        names[op - 1] = ptx_ops[op].name;
    const char *near = nearest_name(name, names, PTX_OP_COUNT - 1);
    if (near)
        return error_at(p, at,
                        "no instruction `%s` is known; "
                        "did you mean `%s`?",
                        name, near);
    return error_at(p, at, "no instruction `%s` is known", name);
}

/* How many type suffixes the row may have at most. */
static unsigned type_max(const struct op_row *row)
{
    if (row->modifiers & M_SHAPE)
        return 4;
    if (row->modifiers & (M_PACK | M_SIMD))
        return 3;
    bool has_second = strchr(row->operands, 't') || strchr(row->operands, 'T');
    return row->types ? has_second ? 2 : 1 : 0;
}

static bool add_suffix(struct parser *p, const struct token *at,
                       struct ptx_inst *inst, const char *text, size_t len)
{
    const struct op_row *row = &ptx_ops[inst->op];
    enum ptx_type type = len ? type_named(text, len) : PTX_TYPE_none;
    if (type && row->types >> type & 1) {
        if (inst->type_count >= type_max(row))
            return error_at(p, at, "`%s` has too many types", inst->spelling);
        inst->type[inst->type_count++] = type;
        return true;
    }
    const struct mod_row *m = len ? find_mod(text, len, row->modifiers) : NULL;
    if (!m)
        return error_at(p, at, "`%s` does not take the suffix `.%.*s`",
                        row->name, (int)len, text);
    set_field(inst, m);
    return true;
}

static bool check_age(struct parser *p, const struct token *at,
                      const struct op_row *row)
{
    const struct ptx_module *m = p->module;
    if (m->version < row->since)
        return error_at(p, at, "`%s` needs PTX %u.%u, .version says %u.%u",
                        row->name, row->since / 10, row->since % 10,
                        m->version / 10, m->version % 10);
    if (m->sm && m->sm < row->sm)
        return error_at(p, at, "`%s` needs sm_%u, .target says sm_%u",
                        row->name, row->sm, m->sm);
    return true;
}

static bool decode(struct parser *p, const struct token *at,
                   struct ptx_inst *inst)
{
    const char *s = inst->spelling;
    size_t len = strcspn(s, ".");
    inst->op = find_op(s, len);
    if (!inst->op)
        return error_unknown_op(p, at, s, len);
    for (s += len; *s == '.'; s += len) {
        s++;
        len = strcspn(s, ".");
        if (!add_suffix(p, at, inst, s, len))
            return false;
    }
    if (!inst->type_count && ptx_ops[inst->op].types &&
        !strchr(ptx_ops[inst->op].operands, ' '))
        return error_at(p, at, "`%s` lacks its type", inst->spelling);
    return check_age(p, at, &ptx_ops[inst->op]);
}

/* The token without the blanks that may stand before its dots. */
static const char *intern_spelling(struct parser *p, const struct token *t)
{
    char text[SPELLING_MAX];
    size_t len = 0;
    if (t->len > SPELLING_MAX) {
        error_at(p, t, "an opcode has at most %d characters", SPELLING_MAX);
        return NULL;
    }
    for (uint32_t i = 0; i < t->len; i++)
        if (t->start[i] != ' ' && t->start[i] != '\t')
            text[len++] = t->start[i];
    return intern(p->names, text, len);
}

const struct ptx_inst *decode_spelling(struct parser *p, const struct token *t)
{
    const char *text = intern_spelling(p, t);
    if (!text)
        return NULL;
    struct spelled *s = map_find(&p->spellings, text);
    if (!s) {
        s = arena_new(p->scratch, struct spelled);
        s->inst.spelling = text;
        s->inst.vector = 1;
        s->inst.guard = PTX_NO_REG;
        s->is_valid = decode(p, t, &s->inst);
        must_have_memory(map_put(&p->spellings, text, s));
    }
    /* What is wrong with it has been said once. */
    return s->is_valid ? &s->inst : NULL;
}
