/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The layout of an mbarrier object, a word of 64 bits in shared memory, for
 * compiled code and the interpreter. The state that arriving returns is the
 * word as it was before. PTX ISA, "Contents of the mbarrier object".
 *
 *     63       43 42 40 39       20 19        0
 *     | tx-count | phase | pending | expected |
 *
 * The transaction count is signed. It is at the top, where a borrow from it has
 * no effect.
 * A phase is complete when nothing is pending and no transaction is open.
 */
#ifndef WEFT_ABI_MBARRIER_H
#define WEFT_ABI_MBARRIER_H

#include <stdint.h>

enum {
    MBARRIER_BYTES = 8,
    MBARRIER_COUNT_BITS = 20,
    MBARRIER_COUNT_MASK = (1 << MBARRIER_COUNT_BITS) - 1,
    MBARRIER_PENDING_SHIFT = MBARRIER_COUNT_BITS,
    MBARRIER_PHASE_SHIFT = 2 * MBARRIER_COUNT_BITS,
    MBARRIER_PHASE_MASK = 7,
    MBARRIER_TX_SHIFT = MBARRIER_PHASE_SHIFT + 3
};

#endif
