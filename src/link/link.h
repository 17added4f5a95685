/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linking of device code: several checked PTX modules become one, so that
 * functions and variables of one source file can be used in another
 * (-rdc=true, and the linker of the driver API). Knows no LLVM and no API.
 *
 * How device code of several files meets, from compiler to launch
 * ----------------------------------------------------------------
 * Every object keeps its own relocatable PTX, in its own fat binary (section
 * __nv_relfatbin), as nvcc and clang write it. Nothing is linked on disk: the
 * runtime links the PTX of a *link unit* (one executable, or one shared
 * library) when something of it is first used. It learns of a link unit in one
 * of two ways:
 *
 *  1. Objects that weftcc makes register themselves; there is no link stub,
 *     so that any host linker may make the program, and -dlink has nothing to
 *     do. Each holds one pointer to its fat binary's wrapper in a section
 *     `weft_rdc`, and its constructor calls
 *
 *         __weftRegisterLinkedBinary(callback, __start_weft_rdc,
 *                                    __stop_weft_rdc);
 *
 *     with the hidden symbols that every linker makes for such a section: the
 *     linker has counted the objects of the unit. The callback registers the
 *     object's kernels and variables (clang: __cuda_register_globals).
 *     After the unit's last call the unit is complete.
 *     (clang -fgpu-rdc --no-offload-new-driver calls
 *     __cudaRegisterLinkedBinary<id>(callback, wrapper, id, dummy) in its
 *     place; weftcc makes the one of the other.)
 *
 *     Archives and names: for every function or variable that an object's PTX
 *     defines `.visible`, weftcc defines an (absolute, hidden) host symbol
 *     `__weft_device_<name>`, weak for `.weak`, `.common`; for every `.extern`
 *     one it refers to that symbol. So the host linker takes the archive
 *     members that device code needs, and names what is missing or there
 *     twice.
 *
 *  2. A program that nvcc linked calls __cudaRegisterFatBinary with a wrapper
 *     of version 2, whose last field is a NULL-terminated array of the
 *     objects' fat binaries.
 */
#ifndef WEFT_LINK_H
#define WEFT_LINK_H

#include "ptx/ptx.h"

/*
 * Links `count` modules that ptx_parse returned into one, and takes them: they
 * must not be used or destroyed afterwards, whatever the result. names[i] is
 * for messages. Returns NULL after reporting
 *
 *   - two strong definitions (.visible) of one name, with both places;
 *   - a declaration that does not fit the definition;
 *   - an undefined variable.
 *
 * One strong definition hides weak ones; of several weak ones the first is
 * taken; of .common variables the largest, unless there is a definition.
 * Names that are not .visible, .weak, .common or .extern belong to their
 * module; where two are equal the later ones get a suffix. Undefined functions
 * stay as declarations: some are the runtime's (vprintf); see
 * link_for_each_undefined. The result's version and target are the highest of
 * its parts.
 */
struct ptx_module *link_modules(struct ptx_module **modules,
                                const char *const *names, size_t count,
                                struct diag *diag);

/* Calls `fn` for every function that is declared, used and not defined. */
void link_for_each_undefined(const struct ptx_module *m,
                             void (*fn)(void *data, const struct ptx_func *f),
                             void *data);

#endif
