/* SPDX-License-Identifier: Apache-2.0 */
/* CLONES before a function: it is compiled once for each width of vectors, and
 * the loader picks one. Not with sanitizers: the function that picks would call
 * their runtime before the loader has linked it. */
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
