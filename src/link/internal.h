/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of link/ share:
 *
 *   symbols.c   resolves names: which of several symbols of one name counts
 *   names.c     checks modules that are added one by one against each other
 *   link.c      makes one module of several
 *
 * One thread at a time works on a link_work. The functions allocate in its
 * arena and, for diagnostics and maps, on the heap.
 */
#ifndef WEFT_LINK_INTERNAL_H
#define WEFT_LINK_INTERNAL_H

#include "link/link.h"

/* A function or variable of a part: one of the two is set. */
struct link_item {
    struct ptx_func *func;
    struct ptx_var *var;
    const char *part; /* for messages */
};

struct link_work {
    struct ptx_module **parts;
    const char *const *names; /* of the parts, for messages */
    size_t part_count;
    struct diag *diag;
    struct map symbols;  /* name -> the struct link_item that counts */
    struct map replaced; /* ptx_func or ptx_var -> the one in its place */
    struct arena *arena; /* the result's */
};

/* Does the name mean the same symbol in all modules? */
bool link_is_shared(const struct link_item *i);
/* The symbol's name; the module owns it. */
const char *link_name(const struct link_item *i);
/* Two symbols of one name, of two modules: do they agree in kind, size and
 * parameters, and is at most one a strong definition? False after reporting. */
bool link_fit(const struct link_item *a, const struct link_item *b,
              struct diag *diag);
/* Of two that fit: does b take the place of a, which came first? */
bool link_is_better(const struct link_item *b, const struct link_item *a);
/* Calls fn for every function and variable of m, until it returns false.
 * Returns what the last call returned. */
bool link_for_each_item(const struct ptx_module *m, const char *part,
                        bool (*fn)(void *data, const struct link_item *i),
                        void *data);
/* Do the modules `name` and `first` have one address size? False after
 * reporting. */
bool link_have_one_address_size(unsigned bits, const char *name,
                                unsigned first_bits, const char *first,
                                struct diag *diag);

/* Fills `symbols` and `replaced`. False after reporting, or without a report
 * when memory has run out. */
bool link_resolve(struct link_work *w);

#endif
