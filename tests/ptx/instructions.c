/* SPDX-License-Identifier: Apache-2.0 */
#include "instructions.h"

#include <stdio.h>
#include <stdlib.h>

uint64_t seed = 1;

unsigned random_below(unsigned n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)(seed >> 33) % n;
}

/* ---- one row's words ---------------------------------------------------- */

static void add_choice(struct word *w, const char *text, size_t len,
                       unsigned since, unsigned sm)
{
    const char *hash = memchr(text, '#', len);
    hash = hash ? hash : memchr(text, '~', len);
    struct choice *c = &w->choice[w->count++];
    c->since = since;
    c->sm = sm;
    if (hash)
        snprintf(c->text, sizeof c->text, "%.*s%u%.*s", (int)(hash - text),
                 text, (random_below(16) + 1) * 16,
                 (int)(len - (size_t)(hash - text) - 1), hash + 1);
    else
        snprintf(c->text, sizeof c->text, "%.*s", (int)len, text);
}

static void read_word(struct word *w, const char *c, size_t len)
{
    const char *end = c + len;
    w->count = 0;
    const char *question = memchr(c, '?', len);
    w->is_optional = question != NULL;
    end = question ? question : end;
    while (c < end) {
        size_t name = strcspn(c, "@|? ");
        if (name > (size_t)(end - c))
            name = (size_t)(end - c);
        unsigned since = 0, sm = 0;
        char *at = (char *)c + name;
        if (*at == '@') {
            since = (unsigned)strtoul(at + 1, &at, 10);
            if (*at == ',')
                sm = (unsigned)strtoul(at + 1, &at, 10);
            if (*at == 'a')
                at++, sm |= SM_ARCH;
        }
        add_choice(w, c, name, since, sm);
        c = at + 1;
    }
}

void read_row(struct row *r, const struct form_row *form)
{
    r->form = form;
    r->count = r->before = 0;
    for (const char *c = form->suffixes; *c;) {
        size_t len = strcspn(c, " ");
        if (strncmp(c, "ptx<", 4) == 0 || strncmp(c, "sm<", 3) == 0)
            r->before = *c == 'p' ? (unsigned)strtoul(c + 4, NULL, 10) : 14;
        else
            read_word(&r->word[r->count++], c, len);
        c += len;
        c += *c == ' ';
    }
}

/* The registers that candidates may name: four of each type. */
static const enum ptx_type reg_types[] = {
    PTX_TYPE_pred, PTX_TYPE_b16, PTX_TYPE_b32, PTX_TYPE_b64,   PTX_TYPE_u16,
    PTX_TYPE_u32,  PTX_TYPE_u64, PTX_TYPE_s16, PTX_TYPE_s32,   PTX_TYPE_s64,
    PTX_TYPE_f32,  PTX_TYPE_f64, PTX_TYPE_f16, PTX_TYPE_f16x2, PTX_TYPE_b128,
    PTX_TYPE_b8,
};

/* A type that registers can have, for one that an instruction has. */
static enum ptx_type register_type(enum ptx_type t)
{
    switch (t) {
    case PTX_TYPE_b8:
    case PTX_TYPE_u8:
    case PTX_TYPE_s8:
        return PTX_TYPE_b32;
    case PTX_TYPE_bf16:
    case PTX_TYPE_e4m3x2:
    case PTX_TYPE_e5m2x2:
        return PTX_TYPE_b16;
    case PTX_TYPE_bf16x2:
    case PTX_TYPE_u16x2:
    case PTX_TYPE_s16x2:
    case PTX_TYPE_tf32:
    case PTX_TYPE_none:
        return PTX_TYPE_b32;
    default:
        break;
    }
    for (size_t i = 0; i < ARRAY_COUNT(reg_types); i++)
        if (reg_types[i] == t)
            return t;
    return ptx_type_size(t) == 8 ? PTX_TYPE_b64 : PTX_TYPE_b32;
}

void put_reg(char *out, size_t size, enum ptx_type t)
{
    snprintf(out, size, "%%%s_%u", ptx_type_name(register_type(t)),
             random_below(4));
}

static enum ptx_type wanted_type(char letter, const struct types *t)
{
    struct ptx_inst inst = {.half = t->is_wide ? PTX_HALF_wide : PTX_HALF_none,
                            .type_count = t->count};
    memcpy(inst.type, t->type, sizeof inst.type);
    return t->count || !strchr("dsvwt", letter) ? ptx_letter_type(&inst, letter)
                                                : PTX_TYPE_b32;
}

/* A byte goes into a wider register, unless a bfloat16 was made one. */
static bool is_byte_of_bf16(char letter, const struct types *t)
{
    return letter == 'd' && t->count == 2 && t->type[1] == PTX_TYPE_bf16 &&
           ptx_type_size(t->type[0]) == 1;
}

static void put_operand(char *out, size_t size, char letter,
                        const struct types *t)
{
    char reg[40], second[40];
    if (is_byte_of_bf16(letter, t))
        snprintf(reg, sizeof reg, "%%b8_%u", random_below(4));
    else
        put_reg(reg, sizeof reg, wanted_type(letter, t));
    put_reg(second, sizeof second, wanted_type(letter, t));
    switch (letter) {
    case 'a':
        snprintf(out, size, "[%%u64_%u]", random_below(4));
        return;
    case 'U':
        snprintf(out, size, "[%%u64_0, {%.*s}]", (int)t->vector * 7 - 1,
                 "%u32_0,%u32_1,%u32_2,%u32_3,%u32_0");
        return;
    case 'O':
        snprintf(out, size, "{%.*s}", (int)(t->vector - 2) * 7 - 1,
                 "%b16_0,%b16_1,%b16_2");
        return;
    case 'i':
        snprintf(out, size, "%s", t->constant);
        return;
    case 'k':
        snprintf(out, size, "_");
        return;
    case 'q':
        snprintf(out, size, "%%pred_%u", random_below(4));
        return;
    case 'l':
        snprintf(out, size, "label");
        return;
    case 'M':
        snprintf(out, size, "%s.b1", reg);
        return;
    case 'g':
        snprintf(out, size, "%%u%d_%u",
                 t->count && ptx_type_size(t->type[0]) == 4 ? 32 : 64,
                 random_below(4));
        return;
    case 'v':
    case 'w':
        if (t->vector > 1) {
            size_t len = 0;
            for (unsigned i = 0; i < t->vector; i++)
                len += (size_t)snprintf(out + len, size - len, "%s%.*s_%u",
                                        i ? ", " : "{", (int)strcspn(reg, "_"),
                                        reg, i & 3);
            snprintf(out + len, size - len, "}");
            return;
        }
        break;
    }
    snprintf(out, size, "%s", reg);
}

void put_operands(char *out, size_t size, const char *letters,
                  const struct types *t, const struct mutation *m)
{
    size_t len = 0;
    int n = 0;
    const char *separator = " ";
    for (const char *c = letters; *c && *c != ' ' && *c != '@'; c++) {
        if (*c == '?' || (*c == 'h' && !t->has_hint))
            continue;
        if (*c == '!') {
            c++;
            continue;
        }
        if (*c == '|' || *c == '&') {
            separator = "|";
            continue;
        }
        bool is_optional = c[1] == '?' || (separator[0] == '|' && c[-1] == '|');
        if (is_optional && !m->with_optional) {
            separator = ", ";
            continue;
        }
        if (n++ == m->drop)
            continue;
        char text[200];
        put_operand(text, sizeof text, *c, t);
        len += (size_t)snprintf(out + len, size - len, "%s%s", separator,
                                n - 1 == m->bad ? m->instead : text);
        separator = ", ";
    }
    if (m->is_longer)
        len += (size_t)snprintf(out + len, size - len, "%s%%u32_1", separator);
    snprintf(out + len, size - len, ";");
}

bool has_plain_operands(const struct form_row *f)
{
    return !strpbrk(f->operands, "TRrfjl");
}

unsigned later(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

unsigned version_of(unsigned sm)
{
    static const struct {
        unsigned sm, since;
    } known[] = {
#define PTX_TARGET(sm, since, letters) {sm, since},
#include "ptx/targets.def"
    };
    for (size_t i = 0; i < ARRAY_COUNT(known); i++)
        if ((sm & ~SM_ARCH) == known[i].sm)
            return sm & SM_ARCH ? later(known[i].since, 80) : known[i].since;
    return 10;
}

/* One that the operand may be, by rules.def. */
static const char *constant_of(enum ptx_op op, const char *spelling)
{
    for (size_t i = 0; i < ptx_value_count; i++) {
        const struct value_row *v = &ptx_values[i];
        static char text[20];
        char suffix[40];
        snprintf(suffix, sizeof suffix, ".%.*s.",
                 (int)strcspn(v->suffixes, "|"), v->suffixes);
        if (v->op != op || *v->place != 'i' ||
            (!strchr("*!", *v->suffixes) && !strstr(spelling, suffix)))
            continue;
        snprintf(text, sizeof text, "%.*s", (int)strcspn(v->values, "|-"),
                 v->values);
        return text;
    }
    return "1";
}

void spell(const struct row *r, const unsigned *pick, struct spelled_row *s)
{
    *s = (struct spelled_row){.since = r->form->since, .sm = r->form->sm};
    s->types.vector = 1;
    size_t len = (size_t)snprintf(s->text, sizeof s->text, "%s",
                                  ptx_op_name(r->form->op));
    for (unsigned i = 0; i < r->count; i++) {
        const struct word *w = &r->word[i];
        if (pick[i] >= w->count)
            continue;
        const struct choice *c = &w->choice[pick[i]];
        len += (size_t)snprintf(s->text + len, sizeof s->text - len, ".%s",
                                c->text);
        s->since = later(s->since, c->since);
        s->sm = later(s->sm & ~SM_ARCH, c->sm & ~SM_ARCH) |
                ((s->sm | c->sm) & SM_ARCH);
        enum ptx_type t = type_named(c->text, strlen(c->text));
        if (t && s->types.count < 4)
            s->types.type[s->types.count++] = t;
        if (c->text[0] == 'v' && c->text[1] >= '1' && c->text[1] <= '8')
            s->types.vector = (unsigned)(c->text[1] - '0');
        if (c->text[0] >= '1' && c->text[0] <= '5' && c->text[1] == 'd')
            s->types.vector = (unsigned)(c->text[0] - '0');
        s->types.is_wide |= strcmp(c->text, "wide") == 0;
        s->types.has_hint |= strcmp(c->text, "L2::cache_hint") == 0;
    }
    s->types.constant = constant_of(r->form->op, s->text);
    s->since = later(s->since, version_of(s->sm));
}

size_t put_header(char *out, size_t size, unsigned version, unsigned sm)
{
    size_t len = (size_t)snprintf(
        out, size,
        ".version %u.%u .target sm_%u%s %s .global .b32 vglobal[64]; "
        ".const .b32 vconst[64]; %s .shared .b32 vshared[64]; .entry k() "
        "{ .local .b32 vlocal[64]; label:",
        version / 10, version % 10, sm & ~SM_ARCH, sm & SM_ARCH ? "a" : "",
        version >= 23 ? ".address_size 64" : "",
        version >= 90 ? ".global .texref T; "
                        ".global .surfref F;"
                      : "");
    for (size_t i = 0; i < ARRAY_COUNT(reg_types); i++) {
        enum ptx_type t = reg_types[i];
        bool is_new = (t == PTX_TYPE_b128 && (version < 83 || sm < 70)) ||
                      ((t == PTX_TYPE_f16x2) && version < 42);
        if (!is_new)
            len +=
                (size_t)snprintf(out + len, size - len, " .reg .%s %%%s_<4>;",
                                 ptx_type_name(t), ptx_type_name(t));
    }
    len += (size_t)snprintf(out + len, size - len, "\n");
    return len;
}
