/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that are compiled once for each width of vectors. Not under sanitizers:
 * they are called by the functions that choose, before they are linked. */
#ifndef WEFT_LIB_COMMON_CLONES_H
#define WEFT_LIB_COMMON_CLONES_H

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define CLONES
#else
#define CLONES                                                     \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", \
                                 "default")))
#endif

#endif
