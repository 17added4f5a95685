/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sizes of a block's shared memory, in bytes, as kernels are told of them; what
 * an H200 answers.
 */
#ifndef WEFT_ABI_SHARED_H
#define WEFT_ABI_SHARED_H

enum {
    /* %total_smem_size counts these: static and dynamic memory, rounded up. */
    WEFT_SHARED_UNIT = 128,
    /* What a block has besides, for the system: %aggr_smem_size counts it, and
     * rounds nothing. */
    WEFT_SHARED_RESERVED = 1024
};

#endif
