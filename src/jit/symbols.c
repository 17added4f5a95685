/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fixed table of functions that generated code may reach by name. They
 * are bound when this library is linked, never looked up in the process: a
 * program that has a function of the same name cannot get in between.
 */
#include "jit/internal.h"

/* Declared as chars, under names of our own: only their addresses are needed,
 * and a second declaration under the function's name would conflict with the
 * compiler's built-in one. */
#define ANYWHERE(row) row
#ifdef __x86_64__
#define ON_X86(row) row
#else
#define ON_X86(row)
#endif

#define SYMBOL(name, from, where)                                              \
    where(extern const char symbol_##name[] __asm__(#name);)
#include "jit/symbols.def"

static const struct {
    const char *name;
    const char *address;
} symbols[] = {
#define ROW(name)                 {#name, symbol_##name},
#define SYMBOL(name, from, where) where(ROW(name))
#include "jit/symbols.def"
};

uint64_t jit_symbol_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_COUNT(symbols); i++)
        if (!strcmp(symbols[i].name, name))
            return (uint64_t)(uintptr_t)symbols[i].address;
    return 0;
}
