/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linking of device code: several checked PTX modules become one, so that
 * functions and variables of one source file can be used in another
 * (-rdc=true, and the linker of the driver API). Knows no LLVM and no API.
 *
 * Relocatable objects (-rdc=true) keep their PTX in fat binaries of their own,
 * in a section __nv_relfatbin, as nvcc and clang write it. It is linked
 *
 *   - by weftcc, when it links a program or is asked to (-dlink): the result is
 *     one fat binary with one module (src/cc/link/devicelink.c);
 *   - when a program that nvcc linked is loaded: it passes the fat binaries of
 *     all its objects (fatbin_parts in src/fatbin).
 *
 * In this folder, unless a comment says otherwise:
 *   threads  any thread; one at a time for each link_names
 *   errors   NULL or false after a message in the struct diag, or without one
 *            when memory has run out
 *   owners   link_modules takes its modules; link_names borrows them and copies
 *            names
 *   units    sizes are bytes
 */
#ifndef WEFT_LINK_H
#define WEFT_LINK_H

#include "ptx/ptx.h"

/*
 * Links `count` modules that ptx_parse returned into one, which the caller
 * destroys. It takes them over: they must not be used or destroyed afterwards,
 * whatever the result. names[i] is for messages. Any thread. Returns NULL
 * without a report when memory has run out, else after reporting
 *
 *   - two strong definitions (.visible) of one name, with both places;
 *   - a declaration that does not fit the definition;
 *   - an undefined variable.
 *
 * A strong definition is taken before weak ones; of several weak ones the
 * first, of several .common variables the largest, unless there is a
 * definition. Names that are not .visible, .weak, .common or .extern are local
 * to their module; where two are equal, the later one gets a suffix. Undefined
 * functions stay declarations, as the runtime provides some (vprintf): see
 * link_for_each_undefined. The result has the highest version and target of
 * the modules.
 */
struct ptx_module *link_modules(struct ptx_module **modules,
                                const char *const *names, size_t count,
                                struct diag *diag);

/*
 * The symbols of modules that are added one by one: a module that does not fit
 * those before is refused when it is added, and each is read only once. The
 * modules stay the caller's, unchanged, and must outlive this object. One
 * thread at a time.
 */
struct link_names;
/* NULL: out of memory. */
struct link_names *link_names_create(void);
void link_names_destroy(struct link_names *n); /* NULL is harmless */
/* Adds a module's symbols; messages call it `name`, which is copied. False
 * after reporting two strong definitions or a declaration that does not fit;
 * nothing is added then. Also false, without a report, when memory has run out;
 * then this object takes no more modules. */
bool link_names_add(struct link_names *n, const struct ptx_module *m,
                    const char *name, struct diag *diag);

/* Calls `fn` for each function that is declared and used but not defined: once,
 * or for each use when memory has run out. */
void link_for_each_undefined(const struct ptx_module *m,
                             void (*fn)(void *data, const struct ptx_func *f),
                             void *data);

#endif
