/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes, and how long something lasts, that may as well be the smallest. */
#ifndef WEFT_SIZE_H
#define WEFT_SIZE_H

/* A build with WEFT_CRAMPED takes the smallest, so that its tests grow, wait
 * and wake all the time. */
#ifdef WEFT_CRAMPED
#define WEFT_SIZE(ordinary, smallest) (smallest)
#else
#define WEFT_SIZE(ordinary, smallest) (ordinary)
#endif

#endif
