/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of link/ share:
 *
 *   symbols.c   names of several modules, and which of their owners counts
 *   link.c      the module that comes of it
 */
#ifndef WEFT_LINK_INTERNAL_H
#define WEFT_LINK_INTERNAL_H

#include "link/link.h"

/* A function or variable of a part: one of the two is set. */
struct link_item {
    struct ptx_func *func;
    struct ptx_var *var;
    unsigned part;
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

/* Fills `symbols` and `replaced`; false after reporting. */
bool link_resolve(struct link_work *w);

#endif
