/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Symbols of modules that are added one by one. All of a module are checked
 * before the first is added, so a module that does not fit leaves no trace.
 */
#include "link/internal.h"

#include <stdlib.h>

struct link_names {
    struct map items; /* name -> the struct link_item that counts so far */
    struct arena *arena;
    unsigned address_size_bits; /* 0: there is no module yet */
    const char *first;          /* the first module's name */
    bool is_broken; /* memory has run out */
};

struct link_names *link_names_create(void)
{
    struct link_names *n = calloc(1, sizeof *n);
    if (!n)
        return NULL;
    map_init_strings(&n->items);
    n->arena = arena_create();
    return n;
}

void link_names_destroy(struct link_names *n)
{
    if (!n)
        return;
    map_fini(&n->items);
    arena_destroy(n->arena);
    free(n);
}

struct addition {
    struct link_names *names;
    struct diag *diag;
};

static bool check_item(void *data, const struct link_item *item)
{
    const struct addition *a = data;
    const struct link_item *known =
        link_is_shared(item) ? map_find(&a->names->items, link_name(item))
                             : NULL;
    if (known)
        link_fit(known, item, a->diag);
    return true;
}

/* It has been checked. */
static bool take_item(void *data, const struct link_item *item)
{
    struct link_names *n = ((const struct addition *)data)->names;
    if (!link_is_shared(item))
        return true;
    struct link_item *known = map_find(&n->items, link_name(item));
    if (known) {
        if (link_is_better(item, known))
            *known = *item;
        return true;
    }
    known = arena_new(n->arena, struct link_item);
    *known = *item;
    return map_put(&n->items, link_name(item), known);
}

bool link_names_add(struct link_names *n, const struct ptx_module *m,
                    const char *name, struct diag *diag)
{
    struct addition a = {n, diag};
    unsigned errors = diag->error_count;
    if (n->is_broken)
        return false;
    if (n->address_size_bits &&
        !link_have_one_address_size(m->address_size_bits, name,
                                    n->address_size_bits, n->first, diag))
        return false;
    name = arena_strndup(n->arena, name, strlen(name));
    link_for_each_item(m, name, check_item, &a);
    if (diag->error_count != errors)
        return false;
    if (!n->address_size_bits)
        n->first = name;
    n->address_size_bits = m->address_size_bits;
    if (link_for_each_item(m, name, take_item, &a))
        return true;
    map_fini(&n->items); /* some of the module's symbols are in there */
    map_init_strings(&n->items);
    n->is_broken = true;
    return false;
}
