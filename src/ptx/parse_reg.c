/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers: .reg .b32 %r<100>, %x; A range is one symbol, its registers are
 * made when something names them. A vector register is split.
 *
 * Source: PTX ISA, "Register State Space", "Parameterized Variable Names".
 */
#include "ptx/parse.h"

#include <stdio.h>
#include <stdlib.h>

#define NAME_MAX_LEN 1000

/* Ranges live in the map of symbols under a key that no name can have. */
static const char *range_key(struct parser *p, const char *prefix, size_t len)
{
    char key[NAME_MAX_LEN + 1];
    memcpy(key, prefix, len);
    key[len] = '<';
    return intern(p->names, key, len + 1);
}

static bool add_range(struct parser *p, const struct token *at,
                      const struct var_decl *d)
{
    uint64_t count;
    struct token number = p->token;
    if (!expect_unsigned(p, "the number of registers", UINT32_MAX, &count) ||
        !expect_punct(p, '>', "after the number"))
        return false;
    if (d->vector > 1)
        return error_at(p, &number, "a range of vectors is not supported");
    if (at->len > NAME_MAX_LEN)
        return error_at(p, at, "the name is too long");
    const char *key = range_key(p, at->start, at->len);
    struct symbol *s = symbol_add(p, at, key, SYMBOL_range);
    if (!s)
        return false;
    s->count = (uint32_t)count;
    s->type = d->type;
    return true;
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

static bool add_scalar(struct parser *p, const struct token *at,
                       const struct var_decl *d, const char *name)
{
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

struct symbol *find_in_range(struct parser *p, const struct token *at,
                             const char *name)
{
    size_t len = at->len, start = number_start(at->start, len);
    if (start == len || len - start > 10 || start > NAME_MAX_LEN)
        return NULL;
    uint64_t number = strtoull(name + start, NULL, 10);
    const struct symbol *range = symbol_find(p, range_key(p, name, start));
    if (!range || number >= range->count)
        return NULL;
    struct symbol *s = symbol_add_outer(p, name, SYMBOL_reg, range->depth);
    s->index = add_reg(p, at, unique_name(p, name), range->type);
    return s;
}
