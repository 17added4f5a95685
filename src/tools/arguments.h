/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel arguments written on a command line, for weft run. */
#ifndef WEFT_TOOLS_ARGUMENTS_H
#define WEFT_TOOLS_ARGUMENTS_H

#include "ptx/ptx.h"

/* An argument as ARGUMENT_HELP describes them. */
struct argument {
    const char *text;
    enum ptx_type type;
    bool is_buffer, is_printed;
    size_t count;  /* of elements: 1 for a scalar */
    uint8_t *data; /* a buffer's elements, or the scalar; malloc'ed */
    size_t size_bytes;
};

#define ARGUMENT_HELP                                                          \
    "An ARG is one of\n"                                                       \
    "  TYPE:VALUE             a scalar: u32:5, s64:-3, f32:1.5, b32:0x7f\n"    \
    "  buf:TYPE:COUNT[:FILL]  the address of a buffer\n"                       \
    "  out:TYPE:COUNT[:FILL]  the same, and it is printed afterwards\n"        \
    "TYPE is a PTX type of 1 to 8 bytes; FILL is zero (the default), iota\n"   \
    "(0, 1, 2 ...), random (the same on every run), a number for every\n"      \
    "element, or numbers separated by commas for the first elements."

/* Parses `text`, which *out keeps. False after an error message; then there is
 * nothing to free. */
bool argument_parse(const char *text, struct argument *out);
void argument_fini(struct argument *a);
/* Prints all elements, eight per line, with `index` in the heading. */
void argument_print(const struct argument *a, unsigned index);

#endif
