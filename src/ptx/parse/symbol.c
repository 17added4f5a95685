/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names and their scopes. A map has the innermost symbol of each name, which
 * refers to the one that it hides; leaving a scope removes its symbols. Labels
 * may be used before they are defined, so branches are resolved when the scope
 * that names the label ends, or one further out.
 *
 * Source: PTX ISA, "Identifiers"; "Grouping Instructions".
 */
#include "ptx/internal.h"

struct symbol *symbol_find(const struct parser *p, const char *name)
{
    return map_find(&p->symbols, name);
}

void note_taken(struct parser *p)
{
    if (p->is_taken_complete)
        return;
    p->is_taken_complete = true;
    for (size_t i = 0; i < p->regs.count; i++) {
        const char *name = p->regs.data[i].name;
        must_have_memory(map_put(
            &p->taken, intern(p->names, name, strlen(name)), (void *)1));
    }
}

struct symbol *symbol_add_outer(struct parser *p, const char *name,
                                enum symbol_kind kind, unsigned depth)
{
    struct symbol *s = arena_new(p->scratch, struct symbol);
    s->name = name;
    s->kind = kind;
    s->depth = depth;
    if (kind == SYMBOL_range)
        p->range_age++;
    else if (*name == '%' && name[strlen(name) - 1] <= '9') {
        p->has_numbered = true;
        note_taken(p);
    }
    s->next_in_scope = p->scope[depth];
    p->scope[depth] = s;
    must_have_memory(map_put(&p->symbols, name, s));
    return s;
}

struct symbol *symbol_add(struct parser *p, const struct token *at,
                          const char *name, enum symbol_kind kind)
{
    struct symbol *hidden = symbol_find(p, name);
    if (hidden && hidden->depth == p->depth) {
        error_at(p, at, "`%s` is declared twice", name);
        return NULL;
    }
    struct symbol *s = symbol_add_outer(p, name, kind, p->depth);
    s->shadowed = hidden;
    return s;
}

const char *unique_name(struct parser *p, const char *name)
{
    const struct symbol *s = symbol_find(p, name);
    /* A use before this point may mean the global that the name hides. */
    bool hides_global = s && s->shadowed && !s->shadowed->depth;
    uintptr_t next = (uintptr_t)map_find(&p->taken, name);
    if (!next && !hides_global) {
        must_have_memory(map_put(&p->taken, name, (void *)1));
        return name;
    }
    const char *unique;
    do {
        const char *text =
            arena_printf(p->scratch, "%s$%u", name, next ? (unsigned)next : 1);
        unique = intern(p->names, text, strlen(text));
        next = next ? next + 1 : 2;
    } while (map_find(&p->taken, unique) || symbol_find(p, unique));
    must_have_memory(map_put(&p->taken, name, (void *)next) &&
                     map_put(&p->taken, unique, (void *)1));
    return unique;
}

void scope_enter(struct parser *p)
{
    assert(p->depth < SCOPE_DEPTH_MAX);
    p->depth++;
    p->range_age++;
    p->scope[p->depth] = NULL;
    p->scope_uses[p->depth] = p->label_uses.count;
}

static void set_label(struct parser *p, const struct label_use *use,
                      uint32_t label)
{
    if (use->targets != PTX_NO_REG)
        p->targets.data[use->targets].labels[use->target] = label;
    else
        p->insts.data[use->inst].operand[use->operand].label = label;
}

/* Reports a label by the name in the text, which is a prefix of its present
 * one. */
static void report_unresolved(struct parser *p, const struct label_use *use,
                              const struct symbol *s)
{
    if (s)
        error_at(p, &use->at, "`%s` is no label", use->name);
    else
        error_at(p, &use->at, "label `%s` stands nowhere in this function",
                 use->name);
}

/* Uses in this scope that are still unresolved move to the front of its
 * part. */
static void resolve_labels(struct parser *p)
{
    size_t kept = p->scope_uses[p->depth];
    bool is_outermost = p->depth <= 2;
    for (size_t i = kept; i < p->label_uses.count; i++) {
        struct label_use use = p->label_uses.data[i];
        const struct symbol *s = symbol_find(p, use.name);
        if (s && s->kind == SYMBOL_label && s->depth == p->depth)
            set_label(p, &use, s->index);
        else if (is_outermost)
            report_unresolved(p, &use, s);
        else
            p->label_uses.data[kept++] = use;
    }
    p->label_uses.count = is_outermost ? p->scope_uses[p->depth] : kept;
}

void scope_leave(struct parser *p)
{
    assert(p->depth > 0);
    resolve_labels(p);
    p->range_age++;
    for (struct symbol *s = p->scope[p->depth]; s; s = s->next_in_scope) {
        if (s->shadowed)
            must_have_memory(map_put(&p->symbols, s->name, s->shadowed));
        else
            map_remove(&p->symbols, s->name);
    }
    p->depth--;
}
