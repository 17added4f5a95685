/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A place in every host object for the function that registers its kernels.
 * Constructors of static objects may launch kernels, and clang puts that
 * function behind them. This entry is called before all of them; weftcc
 * exchanges the two in the object file (src/cc/link/object.c). Priorities up to
 * 100 are for implementations of the language.
 */
#ifndef WEFT_REGISTER_FIRST_H
#define WEFT_REGISTER_FIRST_H

static void weft_register_nothing(void) {}
__attribute__((used, section(".init_array.100"))) static void (
    *const weft_register_first)(void) = weft_register_nothing;

#endif
