/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Behind weft's own headers, when weftcc looks for a function that is declared
 * __device__ and defined with nothing said, which are one to nvcc and two to
 * clang: of these clang says that they do not go together.
 */
#undef __device__
#define __device__ __attribute__((device)) __attribute__((host))
