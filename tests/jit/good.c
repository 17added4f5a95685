/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stands for a compiled kernel: constants, a jump table, a call to one of the
 * functions that generated code may call, and one to a function of its own.
 */
#include <stdint.h>
#include <string.h>

#include "abi/abi.h"

static const uint32_t squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};
uint32_t visible_constant = 7; /* reached through its slot in PIC code */
static uint64_t counter;

__attribute__((noinline)) static uint64_t choose(uint64_t n)
{
    switch (n) {
    case 0:
        return counter++;
    case 1:
        return squares[visible_constant];
    case 2:
        return n * 7;
    case 3:
        return n + 40;
    case 4:
        return n ^ 99;
    case 5:
        return n << 9;
    default:
        return 0;
    }
}

void weft_kernel(struct exec_warp *w);
void weft_kernel(struct exec_warp *w)
{
    uint8_t *out = w->shared;
    memset(out, 0x5a, 64);
    uint64_t n = choose(w->block_first);
    memcpy(out, &n, sizeof n);
}
