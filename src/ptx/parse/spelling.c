/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matches the spelling of an opcode, such as ld.global.nc.v4.f32, against the
 * rows of forms.def and decodes its suffixes by those of mods.def. A module
 * has a few hundred spellings and many instructions, so each is decoded once
 * and remembered.
 */
#include "ptx/parse.h"

#include <stdio.h>
#include <stdlib.h>

#define SPELLING_MAX 200
#define SUFFIX_MAX   24

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
    FIELD_layout,
    FIELD_geom
};

static const struct mod_row {
    const char *text;
    enum context context;
    enum field field;
    uint64_t value;
} mods[] = {
#define PTX_MOD(text, context, field, value)                                   \
    {text, CONTEXT_##context, FIELD_##field, value},
#include "ptx/mods.def"
};

struct suffix {
    const char *text;
    size_t len;
    enum ptx_type type; /* may be none */
    bool is_used;
};

/* A spelling in parts, and how a form takes them. */
struct match {
    struct suffix suffix[SUFFIX_MAX];
    unsigned count;
    unsigned order[SUFFIX_MAX]; /* suffixes in the form's order */
    unsigned used;
    unsigned since, sm;  /* what the form and suffixes need */
    const char *missing; /* a word that the form needs; NULL: none is missing */
    const struct rule_row *broken;
    bool is_too_late; /* the form is for older modules only */
};

/* ---- fields ------------------------------------------------------------ */

static void set_sub(struct ptx_inst *inst, enum ptx_sub sub)
{
    if (!inst->sub)
        inst->sub = sub;
    else if (!inst->sub2)
        inst->sub2 = sub;
}

static void set_space(struct ptx_inst *inst, enum ptx_space space)
{
    if (!inst->space)
        inst->space = space;
    else
        inst->space2 = space;
}

static void set_geometry(struct ptx_inst *inst, enum ptx_sub geom)
{
    inst->geom = geom;
    if (geom >= PTX_SUB_1d && geom <= PTX_SUB_5d)
        inst->dims = geom - PTX_SUB_1d + 1;
}

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
    case FIELD_sub:
        set_sub(inst, (enum ptx_sub)m->value);
        break;
    case FIELD_sub2:
        inst->sub2 = (enum ptx_sub)m->value;
        break;
    case FIELD_space:
        set_space(inst, (enum ptx_space)m->value);
        break;
    case FIELD_sem:
        inst->sem = (enum ptx_sem)m->value;
        break;
    case FIELD_scope:
        inst->scope = (enum ptx_scope)m->value;
        break;
    case FIELD_vector:
        inst->vector = (unsigned)m->value;
        break;
    case FIELD_flags:
        inst->flags |= m->value;
        break;
    case FIELD_layout:
        inst->layout[inst->layout[0] != PTX_LAYOUT_none] =
            (enum ptx_layout)m->value;
        break;
    case FIELD_geom:
        set_geometry(inst, (enum ptx_sub)m->value);
        break;
    }
}

static bool is_text(const char *text, const char *s, size_t len)
{
    return strncmp(text, s, len) == 0 && !text[len];
}

static const struct mod_row *find_mod(const struct suffix *s,
                                      enum context context)
{
    const struct mod_row *found = NULL;
    for (size_t i = 0; i < ARRAY_COUNT(mods); i++) {
        const struct mod_row *m = &mods[i];
        if (m->text[0] != s->text[0] || !is_text(m->text, s->text, s->len))
            continue;
        if (m->context == context)
            return m;
        if (m->context == CONTEXT_ANY)
            found = m;
    }
    return found;
}

/* m16n8k16, m8n8 */
static bool read_shape(const struct suffix *s, uint32_t *shape)
{
    unsigned m = 0, n = 0, k = 0;
    if (sscanf(s->text, "m%3un%3uk%3u", &m, &n, &k) < 2)
        return false;
    *shape = PTX_SHAPE(m, n, k);
    return true;
}

static void set_suffix(struct ptx_inst *inst, const struct suffix *s)
{
    const struct mod_row *m = find_mod(s, ptx_ops[inst->op].context);
    if (s->type)
        inst->type[inst->type_count++] = s->type;
    else if (m)
        set_field(inst, m);
    else if (!read_shape(s, &inst->shape))
        assert(!"a suffix of forms.def without a row in mods.def");
}

/* ---- words of a form --------------------------------------------------- */

/* One alternative of a word: rm@20,20. */
struct alternative {
    const char *text;
    size_t len;
    unsigned since, sm;
};

static unsigned read_number(const char **c)
{
    unsigned n = 0;
    while (**c >= '0' && **c <= '9')
        n = n * 10 + (unsigned)(*(*c)++ - '0');
    return n;
}

/* Reads one and moves *c behind it. A loop over a few characters, since this
 * is half of what a new spelling costs. */
static struct alternative read_alternative(const char **c)
{
    struct alternative a = {.text = *c};
    const char *end = *c;
    while (*end && *end != '@' && *end != '|' && *end != '?' && *end != ' ')
        end++;
    a.len = (size_t)(end - *c);
    *c = end;
    if (**c != '@')
        return a;
    ++*c;
    a.since = read_number(c);
    if (**c == ',')
        ++*c, a.sm = read_number(c);
    if (**c == 'a')
        ++*c, a.sm |= SM_ARCH;
    return a;
}

static const char *word_end(const char *word)
{
    while (*word && *word != ' ')
        word++;
    return word;
}

/* m64n#k16: a multiple of 8 up to 256; m64n~k32: of 16 from 32 on. */
static bool is_numbered(const struct alternative *a, const struct suffix *s)
{
    unsigned step = 8;
    if (s->len < 5 || *a->text != 'm')
        return false;
    const char *hash = memchr(a->text, '#', a->len);
    if (!hash && (hash = memchr(a->text, '~', a->len)))
        step = strtoul(s->text + (hash - a->text), NULL, 10) > 32 ? 16 : 8;
    if (!hash)
        return false;
    size_t before = (size_t)(hash - a->text), after = a->len - before - 1;
    if (s->len < before + 1 + after || memcmp(s->text, a->text, before) != 0)
        return false;
    char *end;
    unsigned long n = strtoul(s->text + before, &end, 10);
    return end == s->text + s->len - after &&
           memcmp(end, hash + 1, after) == 0 && s->text[before] != '0' &&
           n % step == 0 && n <= 256 && n > 0;
}

static bool is_alternative(const struct alternative *a, const struct suffix *s)
{
    return (a->len == s->len && memcmp(a->text, s->text, s->len) == 0) ||
           is_numbered(a, s);
}

/* The spelling needs this PTX version and this target, or later ones. */
static void raise_needs(struct match *m, unsigned since, unsigned sm)
{
    m->since = since > m->since ? since : m->since;
    m->sm = sm > m->sm ? sm : m->sm;
}

/* Does a word take the suffix? What it needs then goes to `m`. */
static bool word_takes(const char *word, const struct suffix *s,
                       struct match *m)
{
    const char *c = word;
    for (;;) {
        struct alternative a = read_alternative(&c);
        if (is_alternative(&a, s)) {
            raise_needs(m, a.since, a.sm);
            return true;
        }
        if (*c != '|')
            return false;
        c++;
    }
}

/* Types come in order, other suffixes in any. */
static bool take_suffix(struct match *m, const char *word)
{
    bool is_type_seen = false;
    for (unsigned i = 0; i < m->count; i++) {
        struct suffix *s = &m->suffix[i];
        if (s->is_used || (s->type && is_type_seen))
            continue;
        is_type_seen |= !!s->type;
        if (!word_takes(word, s, m))
            continue;
        s->is_used = true;
        m->order[m->used++] = i;
        return true;
    }
    return false;
}

static bool is_optional(const char *word)
{
    return memchr(word, '?', (size_t)(word_end(word) - word)) != NULL;
}

/* a|b?@20,20: leaving it out needs PTX 2.0 and sm_20. */
static bool leave_out(struct match *m, const char *word)
{
    const char *end = word_end(word);
    const char *c = memchr(word, '?', (size_t)(end - word));
    if (!c)
        return false;
    struct alternative nothing = {0};
    if (++c < end)
        nothing = read_alternative(&c);
    raise_needs(m, nothing.since, nothing.sm);
    return true;
}

static bool is_condition(const char *word)
{
    return (word[0] == 'p' && starts_with(word, "ptx<")) ||
           (word[0] == 's' && starts_with(word, "sm<"));
}

/* ptx<64|sm<70: the row is only for modules that are older in one of the
 * two. */
static bool is_too_late(const char *word, const struct ptx_module *module)
{
    bool is_late = is_condition(word);
    for (const char *c = word; is_late && is_condition(c);) {
        bool is_version = *c == 'p';
        c += is_version ? 4 : 3;
        unsigned before = read_number(&c);
        is_late = (is_version ? module->version : module->sm) >= before;
        c += *c == '|';
    }
    return is_late;
}

/* ptxas accepts these suffixes twice. */
static bool may_be_double(const struct suffix *s)
{
    static const char *const names[] = {"sat", "cc",       "relu",
                                        "uni", "shiftamt", "approx",
                                        "NaN", "sync",     "satfinite"};
    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        if (is_text(names[i], s->text, s->len))
            return true;
    return false;
}

static void forgive_doubles(struct match *m)
{
    unsigned used = m->used;
    for (unsigned i = 0; i < m->count; i++) {
        struct suffix *s = &m->suffix[i];
        for (unsigned j = 0; j < used && !s->is_used && may_be_double(s); j++) {
            const struct suffix *other = &m->suffix[m->order[j]];
            if (other->len != s->len ||
                memcmp(other->text, s->text, s->len) != 0)
                continue;
            s->is_used = true;
            m->order[m->used++] = i;
        }
    }
}

/* Has the spelling one of these suffixes? a|b|c; *: any. */
static bool has_any(const struct match *m, const char *alternatives)
{
    struct match unused = {0};
    if (*alternatives == '*')
        return true;
    for (unsigned i = 0; i < m->count; i++)
        if (word_takes(alternatives, &m->suffix[i], &unused))
            return true;
    return false;
}

/* ... one of each word's? a|b c: of a and b, and c. */
static bool has_each(const struct match *m, const char *words)
{
    for (const char *word = words; *word; word += *word == ' ') {
        if (!has_any(m, word))
            return false;
        word = word_end(word);
    }
    return true;
}

/* 88,100: PTX 8.8, sm_100 */
static void read_needs(struct match *m, const char *text)
{
    unsigned since = read_number(&text);
    assert(*text == ',');
    text++;
    raise_needs(m, since, read_number(&text));
}

static bool keeps_rules(struct match *m, enum ptx_op op)
{
    for (size_t i = 0; i < ptx_rule_count; i++) {
        const struct rule_row *r = &ptx_rules[i];
        if (r->op != op || !has_each(m, r->suffixes))
            continue;
        if (r->what == RULE_SINCE) {
            read_needs(m, r->others);
        } else if (has_any(m, r->others) != (r->what == RULE_NEEDS)) {
            m->broken = r;
            return false;
        }
    }
    return true;
}

static bool match_form(struct match *m, const struct form_row *form,
                       const struct ptx_module *module)
{
    for (unsigned i = 0; i < m->count; i++)
        m->suffix[i].is_used = false;
    m->used = 0;
    m->since = form->since;
    m->sm = form->sm;
    m->missing = NULL;
    m->broken = NULL;
    m->is_too_late = false;
    for (const char *word = form->suffixes; *word;) {
        if (is_too_late(word, module)) {
            m->is_too_late = true;
            return false;
        }
        if (!is_condition(word) && !take_suffix(m, word) &&
            !leave_out(m, word) && !m->missing)
            m->missing = word;
        word = word_end(word);
        word += *word == ' ';
    }
    forgive_doubles(m);
    return !m->missing && m->used == m->count && keeps_rules(m, form->op);
}

/* ---- messages ---------------------------------------------------------- */

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

/* The words of a form as in the manual: {.sat}.{u32,s32} */
static void describe_word(const char *word, char *buffer, size_t size)
{
    size_t len = 0;
    bool optional = is_optional(word);
    bool many = memchr(word, '|', (size_t)(word_end(word) - word));
    len += (size_t)snprintf(buffer, size, "%s.%s", optional ? "{" : "",
                            many ? "{" : "");
    for (const char *c = word;; c++) {
        struct alternative a = read_alternative(&c);
        if (len + a.len + 8 > size)
            break;
        len += (size_t)snprintf(buffer + len, size - len, "%.*s", (int)a.len,
                                a.text);
        if (*c != '|')
            break;
        buffer[len++] = ',';
    }
    snprintf(buffer + len, size - len, "%s%s", many ? "}" : "",
             optional ? "}" : "");
}

static void describe_form(const struct form_row *form, char *buffer,
                          size_t size)
{
    size_t len = (size_t)snprintf(buffer, size, "%s", ptx_ops[form->op].name);
    for (const char *word = form->suffixes; *word;) {
        if (!is_condition(word) && len + 1 < size) {
            describe_word(word, buffer + len, size - len);
            len += strlen(buffer + len);
        }
        word = word_end(word);
        word += *word == ' ';
    }
}

static bool error_no_form(struct parser *p, const struct token *at,
                          const char *spelling, const struct form_row *nearest,
                          struct match *m)
{
    char text[400];
    match_form(m, nearest, p->module);
    for (unsigned i = 0; i < m->count; i++) {
        const struct suffix *s = &m->suffix[i];
        if (s->is_used)
            continue;
        bool is_known = false;
        for (size_t f = 0; f < ptx_form_count && !is_known; f++) {
            struct match other = {.suffix = {*s}, .count = 1};
            other.suffix[0].is_used = false;
            match_form(&other, &ptx_forms[f], p->module);
            is_known = ptx_forms[f].op == nearest->op && other.used;
        }
        if (!is_known)
            return error_at(p, at, "`%s` does not take the suffix `.%.*s`",
                            ptx_ops[nearest->op].name, (int)s->len, s->text);
        describe_form(nearest, text, sizeof text);
        return error_at(p, at,
                        "`.%.*s` does not go with the rest of `%s`; "
                        "there is `%s`",
                        (int)s->len, s->text, spelling, text);
    }
    if (!m->missing && !m->broken)
        return error_at(p, at, "`%s` is of older PTX versions", spelling);
    if (!m->missing) {
        describe_word(m->broken->others, text, sizeof text);
        return error_at(p, at,
                        m->broken->what == RULE_NEEDS ? "`%s` lacks `%s`"
                                                      : "`%s` cannot have `%s`",
                        spelling, text);
    }
    const char *c = m->missing;
    struct alternative a = read_alternative(&c);
    if (type_named(a.text, a.len))
        return error_at(p, at, "`%s` lacks its type", spelling);
    describe_word(m->missing, text, sizeof text);
    return error_at(p, at, "`%s` lacks `%s`", spelling, text);
}

static bool has_target(const struct ptx_module *m, unsigned sm)
{
    if (!m->sm) /* .target texmode_independent */
        return true;
    return m->sm >= (sm & ~SM_ARCH) && (!(sm & SM_ARCH) || m->is_arch_specific);
}

static bool is_old_enough(const struct ptx_module *module,
                          const struct match *m)
{
    return module->version >= m->since && has_target(module, m->sm);
}

static bool error_too_new(struct parser *p, const struct token *at,
                          const char *spelling, unsigned since, unsigned sm)
{
    const struct ptx_module *m = p->module;
    if (m->version < since)
        return error_at(p, at, "`%s` needs PTX %u.%u, .version says %u.%u",
                        spelling, since / 10, since % 10, m->version / 10,
                        m->version % 10);
    return error_at(p, at, "`%s` needs sm_%u%s, .target says sm_%u%s", spelling,
                    sm & ~SM_ARCH, sm & SM_ARCH ? "a" : "", m->sm,
                    m->is_arch_specific ? "a" : "");
}

/* ---- decoding ---------------------------------------------------------- */

static enum ptx_op find_op(const char *text, size_t len)
{
    for (unsigned op = PTX_OP_invalid + 1; op < PTX_OP_COUNT; op++) {
        const char *name = ptx_ops[op].name;
        if (name[0] == text[0] && is_text(name, text, len))
            return op;
    }
    return PTX_OP_invalid;
}

static bool split_suffixes(struct parser *p, const struct token *at,
                           const char *s, struct match *m)
{
    for (m->count = 0; *s == '.'; m->count++) {
        struct suffix *x = &m->suffix[m->count];
        if (m->count == SUFFIX_MAX)
            return error_at(p, at, "an opcode has at most %d suffixes",
                            SUFFIX_MAX);
        s++;
        x->text = s;
        x->len = strcspn(s, ".");
        x->type = x->len ? type_named(s, x->len) : PTX_TYPE_none;
        s += x->len;
    }
    return true;
}

/* Finds the first row of rules.def for the opcode's constants. */
static void note_values(struct ptx_inst *inst)
{
    for (size_t i = ptx_value_count; i-- > 0;)
        if (ptx_values[i].op == inst->op)
            inst->values = (uint8_t)(i + 1);
}

static bool apply_match(struct ptx_inst *inst, const struct match *m,
                        size_t form)
{
    note_values(inst);
    inst->form = (uint16_t)form;
    for (unsigned i = 0; i < m->used; i++)
        set_suffix(inst, &m->suffix[m->order[i]]);
    return true;
}

/* Warns of forms that newer modules do not have, once for each spelling. */
static void warn_of_age(struct parser *p, const struct token *at,
                        const struct form_row *form)
{
    if (is_condition(form->suffixes) && p->module->version >= 60 &&
        strstr(form->suffixes, "ptx<64"))
        warn_at(p, at, "`%s` without .sync ends with PTX 6.4 and sm_70",
                ptx_ops[form->op].name);
}

static bool decode_inst(struct parser *p, const struct token *at,
                        struct ptx_inst *inst)
{
    const char *spelling = inst->spelling;
    size_t len = strcspn(spelling, ".");
    struct match m;
    inst->op = find_op(spelling, len);
    if (!inst->op)
        return error_unknown_op(p, at, spelling, len);
    if (!split_suffixes(p, at, spelling + len, &m))
        return false;

    const struct form_row *nearest = NULL;
    unsigned most_used = 0, since = 0, sm = 0;
    bool nearest_is_late = false;
    for (size_t i = 0; i < ptx_form_count; i++) {
        if (ptx_forms[i].op != inst->op)
            continue;
        bool is_match = match_form(&m, &ptx_forms[i], p->module);
        if (m.is_too_late && nearest)
            continue;
        if (is_match && is_old_enough(p->module, &m)) {
            warn_of_age(p, at, &ptx_forms[i]);
            return apply_match(inst, &m, i);
        }
        if (is_match && (!since || m.since < since))
            since = m.since, sm = m.sm;
        if (!nearest || nearest_is_late || m.used > most_used)
            nearest_is_late = m.is_too_late, nearest = &ptx_forms[i],
            most_used = m.used;
    }
    if (!nearest) /* a row of ops.def without forms */
        return error_at(p, at, "`%s` is not supported: it needs sm_100a",
                        ptx_ops[inst->op].name);
    return since ? error_too_new(p, at, spelling, since, sm)
                 : error_no_form(p, at, spelling, nearest, &m);
}

/* The token without blanks, which may be before its dots. */
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

/* FNV-1a of both ends: spellings differ in opcode and types. */
static struct spelling_slot *spelling_slot(struct parser *p,
                                           const struct token *t)
{
    uint32_t hash = 2166136261u ^ t->len;
    uint32_t n = t->len < 8 ? t->len : 8;
    for (uint32_t i = 0; i < n; i++) {
        hash = (hash ^ (unsigned char)t->start[i]) * 16777619u;
        hash = (hash ^ (unsigned char)t->start[t->len - 1 - i]) * 16777619u;
    }
    return &p->spelling_slots[(hash >> 16 ^ hash) % SPELLING_SLOTS];
}

static const struct ptx_inst *decode_new(struct parser *p,
                                         const struct token *t)
{
    const char *text = intern_spelling(p, t);
    if (!text)
        return NULL;
    struct ptx_inst *inst = map_find(&p->spellings, text);
    if (inst)
        return inst;
    inst = arena_new(p->scratch, struct ptx_inst);
    inst->spelling = text;
    inst->vector = 1;
    inst->guard = PTX_NO_REG;
    if (!decode_inst(p, t, inst))
        return NULL;
    must_have_memory(map_put(&p->spellings, text, inst));
    return inst;
}

const struct ptx_inst *decode_spelling(struct parser *p, const struct token *t)
{
    struct spelling_slot *slot = spelling_slot(p, t);
    if (slot->len == t->len && memcmp(slot->text, t->start, t->len) == 0)
        return slot->inst;
    const struct ptx_inst *inst = decode_new(p, t);
    if (inst)
        *slot = (struct spelling_slot){t->start, t->len, inst};
    return inst;
}
