/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What reference and kernel agree on: how a number that was drawn becomes the
 * argument that a function wants, where that is an integer.
 */
#ifndef WEFT_TESTS_MATH_ARGUMENTS_H
#define WEFT_TESTS_MATH_ARGUMENTS_H

#ifdef __CUDACC__
#define BOTH static inline __host__ __device__
#else
#define BOTH static inline
#endif

/* Numbers to scale by: all that matter, and some far beyond. */
BOTH int whole(double y)
{
    return y > 1e5 ? 100000 : y > -1e5 ? (int)y : y <= -1e5 ? -100000 : 0;
}

/* Orders of Bessel functions, 0 to 8. */
BOTH int order(double y)
{
    int n = whole(y);
    return (n < 0 ? -n : n) % 9;
}

#endif
