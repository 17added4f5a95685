/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes and durations of which the cramped build takes the smallest. */
#ifndef WEFT_SIZE_H
#define WEFT_SIZE_H

/* The cramped build defines WEFT_CRAMPED: with the smallest sizes its tests
 * grow, wait and wake all the time. */
#ifdef WEFT_CRAMPED
#define WEFT_SIZE(ordinary, smallest) (smallest)
#else
#define WEFT_SIZE(ordinary, smallest) (ordinary)
#endif

#endif
