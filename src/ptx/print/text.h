/* SPDX-License-Identifier: Apache-2.0 */
/* A growing text, for the printer's files. */
#ifndef WEFT_PTX_TEXT_H
#define WEFT_PTX_TEXT_H

#include "ptx/ptx.h"

struct text {
    char *data; /* malloc'ed; without a NUL behind it */
    size_t count, capacity;
    bool is_lost; /* memory has run out */
};
/* As printf; does nothing once memory has run out. */
void text_add(struct text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* print_inst.c */
/* names: the prefix for names of prototypes and branch lists, which no other
 * name of the function has; NULL: leaves them out. */
void print_inst(struct text *t, const struct ptx_func *f,
                const struct ptx_inst *inst, const char *names);
/* An element's bits as a constant of `type`. */
void print_constant(struct text *t, enum ptx_type type, uint64_t bits);

#endif
