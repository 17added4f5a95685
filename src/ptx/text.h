/* SPDX-License-Identifier: Apache-2.0 */
/* A text that grows, for the printer's files. */
#ifndef WEFT_PTX_TEXT_H
#define WEFT_PTX_TEXT_H

#include "ptx/ptx.h"

struct text {
    char *data; /* malloc'ed; not NUL-terminated until text_finish */
    size_t count, capacity;
    bool is_lost; /* memory ran out */
};
/* As printf; after memory has run out it does nothing (is_lost). */
void text_add(struct text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* print_inst.c */
/* `names`: what the names of prototypes and branch lists begin with, so that
 * no other name of the function does; NULL to leave them out. */
void print_inst(struct text *t, const struct ptx_func *f,
                const struct ptx_inst *inst, const char *names);
/* One element's bits in the spelling of a constant of `type`. */
void print_constant(struct text *t, enum ptx_type type, uint64_t bits);

#endif
