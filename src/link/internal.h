/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of link/ share:
 *
 *   symbols.c   names of several modules, and which of their owners counts
 *   names.c     whether modules that come one by one fit together
 *   link.c      the module that comes of several
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
    struct map symbols;  /* name -> struct link_item that counts */
    struct map replaced; /* ptx_func, ptx_var -> what counts in its place */
    struct arena *arena; /* the result's */
};

/* Are its names other modules' too? */
bool link_is_shared(const struct link_item *i);
const char *link_name(const struct link_item *i);
/* May a and b, of two modules, have one name? False after reporting. */
bool link_fit(const struct link_item *a, const struct link_item *b,
              struct diag *diag);
/* Does b count more than a, which came before it? */
bool link_is_better(const struct link_item *b, const struct link_item *a);
/* Calls fn for every function and variable of m until it gives false, and
 * gives what the last one gave. */
bool link_for_each_item(const struct ptx_module *m, const char *part,
                        bool (*fn)(void *data, const struct link_item *i),
                        void *data);
/* An address must have one size in both. False after reporting. */
bool link_have_one_address_size(unsigned bits, const char *name,
                                unsigned first_bits, const char *first,
                                struct diag *diag);

/* Fills `symbols` and `replaced`; false after reporting. */
bool link_resolve(struct link_work *w);

#endif
