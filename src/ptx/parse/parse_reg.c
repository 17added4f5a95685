/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers: .reg .b32 %r<100>, %x; A range is one symbol, its registers are
 * made when something names them. A vector register is split.
 *
 * Source: PTX ISA, "Register State Space", "Parameterized Variable Names".
 */
#include "ptx/parse.h"

#include <stdio.h>

#define NAME_MAX_LEN     1000
#define VECTOR_RANGE_MAX 4096

uint32_t add_reg(struct parser *p, const struct token *at, const char *name,
                 enum ptx_type type)
{
    if (p->regs.count >= REGS_MAX) {
        error_at(p, at, "a function may have %u registers", REGS_MAX);
        return 0;
    }
    struct ptx_reg r = {.name = name, .type = type, .vector = 1};
    must_have_memory(vec_push(&p->regs, r));
    return (uint32_t)p->regs.count - 1;
}

/* Ranges are in the map of symbols, under keys that no name can have. */
static const char *range_key(struct parser *p, const char *prefix, size_t len)
{
    char key[NAME_MAX_LEN + 1];
    memcpy(key, prefix, len);
    key[len] = '<';
    return intern(p->names, key, len + 1);
}

/* Where the number at the end of a name begins; len: there is none. */
static size_t number_start(const char *name, size_t len)
{
    size_t i = len;
    while (i > 1 && name[i - 1] >= '0' && name[i - 1] <= '9')
        i--;
    while (i + 1 < len && name[i] == '0') /* r01 is 1 of r0<> */
        i++;
    return i;
}

/* The range with that prefix; NULL: none. Remembers the last ones. */
static struct symbol *find_range(struct parser *p, const char *prefix,
                                 size_t len)
{
    size_t hash = len * 7 + (unsigned char)prefix[len - 1];
    struct range_slot *slot = &p->range_slots[hash % RANGE_SLOTS];
    if (slot->age == p->range_age && slot->len == len &&
        memcmp(slot->prefix, prefix, len) == 0)
        return slot->range;
    struct symbol *range = symbol_find(p, range_key(p, prefix, len));
    *slot = (struct range_slot){prefix, (uint32_t)len, p->range_age, range};
    return range;
}

/* v becomes v$x, v$y, v$z, v$w, next to each other. */
static bool add_vector(struct parser *p, const struct token *at,
                       const struct var_decl *d, const char *name)
{
    static const char *const component[] = {"x", "y", "z", "w"};
    if (d->vector > ARRAY_COUNT(component))
        return error_at(p, at, "registers have at most 4 components");
    struct symbol *s = symbol_add(p, at, name, SYMBOL_vector_reg);
    if (!s)
        return false;
    s->index = (uint32_t)p->regs.count;
    s->count = d->vector;
    for (unsigned i = 0; i < d->vector; i++) {
        const char *text =
            arena_printf(p->scratch, "%s$%s", name, component[i]);
        const char *part = intern(p->names, text, strlen(text));
        add_reg(p, at, unique_name(p, part), d->type);
    }
    return true;
}

/* A range of vectors, which is rare: makes each register at once. */
static bool add_vectors(struct parser *p, const struct token *at,
                        const struct token *number, const struct var_decl *d,
                        uint64_t count)
{
    if (count > VECTOR_RANGE_MAX)
        return error_at(p, number, "a range has at most %d vectors, found %llu",
                        VECTOR_RANGE_MAX, (unsigned long long)count);
    for (unsigned i = 0; i < count; i++) {
        const char *text =
            arena_printf(p->scratch, "%.*s%u", (int)at->len, at->start, i);
        if (!add_vector(p, at, d, intern(p->names, text, strlen(text))))
            return false;
    }
    return true;
}

static bool add_range(struct parser *p, const struct token *at,
                      const struct var_decl *d)
{
    uint64_t count;
    struct token number = p->token;
    if (!expect_unsigned(p, "the number of registers", UINT32_MAX, &count) ||
        !expect_punct(p, '>', "after the number"))
        return false;
    if (at->len > NAME_MAX_LEN)
        return error_at(p, at, "the name is too long");
    if (d->vector > 1)
        return add_vectors(p, at, &number, d, count);
    const char *key = range_key(p, at->start, at->len);
    struct symbol *s = symbol_add(p, at, key, SYMBOL_range);
    if (!s)
        return false;
    if (map_find(&p->taken, key)) /* a second range with that prefix */
        note_taken(p);
    must_have_memory(map_put(&p->taken, key, (void *)1));
    s->count = (uint32_t)count;
    s->type = d->type;
    return true;
}

/* Is it a register of a range in this scope? */
static bool is_in_range_here(struct parser *p, const struct token *at)
{
    size_t start = number_start(at->start, at->len);
    if (start == at->len || at->len - start > 9 || start > NAME_MAX_LEN)
        return false;
    const struct symbol *range = find_range(p, at->start, start);
    uint64_t number = 0;
    for (size_t i = start; i < at->len; i++)
        number = number * 10 + (uint64_t)(at->start[i] - '0');
    return range && range->depth == p->depth && number < range->count;
}

static bool add_scalar(struct parser *p, const struct token *at,
                       const struct var_decl *d, const char *name)
{
    if (is_in_range_here(p, at))
        return error_at(p, at, "`%s` is declared twice", name);
    struct symbol *s = symbol_add(p, at, name, SYMBOL_reg);
    if (!s)
        return false;
    s->index = add_reg(p, at, unique_name(p, name), d->type);
    return true;
}

bool parse_regs(struct parser *p)
{
    struct var_decl d = {.space = PTX_SPACE_reg};
    if (!parse_decl(p, &d))
        return false;
    do {
        struct token at = p->token;
        const char *name = expect_name(p, "the register's name");
        if (!name)
            return false;
        bool is_good = accept_punct(p, '<') ? add_range(p, &at, &d)
                       : d.vector > 1       ? add_vector(p, &at, &d, name)
                                            : add_scalar(p, &at, &d, name);
        if (!is_good)
            return false;
    } while (accept_punct(p, ','));
    return expect_punct(p, ';', "after the registers");
}

/* The entry for a register's number in a range that has so many. */
static uint32_t *numbered_place(struct parser *p, struct symbol *range,
                                uint32_t number)
{
    if (number >= range->numbered_count) {
        uint32_t count = range->numbered_count * 2;
        count = count > number ? count : number + 16;
        count = count < range->count ? count : range->count;
        uint32_t *bigger = arena_array(p->scratch, uint32_t, count);
        if (range->numbered_count)
            memcpy(bigger, range->numbered,
                   range->numbered_count * sizeof *bigger);
        range->numbered = bigger;
        range->numbered_count = count;
    }
    return &range->numbered[number];
}

static struct symbol *find_numbered(struct parser *p, const struct token *at,
                                    struct symbol *range, uint32_t number)
{
    uint32_t *place = numbered_place(p, range, number);
    if (!*place) {
        const char *name =
            p->is_taken_complete || *at->start != '%'
                ? unique_name(p, intern(p->names, at->start, at->len))
                : arena_strndup(p->arena, at->start, at->len);
        *place = 1 + add_reg(p, at, name, range->type);
    }
    p->numbered.kind = SYMBOL_reg;
    p->numbered.index = *place - 1;
    return &p->numbered;
}

struct symbol *find_in_range(struct parser *p, const struct token *at,
                             unsigned min_depth)
{
    size_t len = at->len, start = number_start(at->start, len);
    if (start == len || len - start > 10 || start > NAME_MAX_LEN)
        return NULL;
    uint64_t number = 0;
    for (size_t i = start; i < len; i++)
        number = number * 10 + (uint64_t)(at->start[i] - '0');
    struct symbol *range = find_range(p, at->start, start);
    while (range && number >= range->count) /* an outer range may have it */
        range = range->shadowed;
    if (!range || range->depth < min_depth)
        return NULL;
    if (number < NUMBERED_MAX)
        return find_numbered(p, at, range, (uint32_t)number);
    const char *name = intern(p->names, at->start, len);
    struct symbol *s = symbol_add_outer(p, name, SYMBOL_reg, range->depth);
    s->index = add_reg(p, at, unique_name(p, name), range->type);
    return s;
}
