/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that are compiled once for each width of vectors. */
#ifndef WEFT_CURAND_CLONES_H
#define WEFT_CURAND_CLONES_H

#define CLONES \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))

#endif
