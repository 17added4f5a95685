/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What has to come before any C++ standard header when clang compiles CUDA:
 * declarations of the device overloads of <cmath>. A constexpr function of
 * the standard library without an earlier device overload would become
 * __host__ __device__ and could not be overloaded any more.
 */
#ifndef WEFT_DEVICE_PROLOGUE_H
#define WEFT_DEVICE_PROLOGUE_H

#include <__clang_cuda_math_forward_declares.h>

/* nvcc's names for itself that programs and libstdc++ test. libstdc++ leaves
 * __float128 out when it sees __CUDACC__. */
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8
#define __CUDACC_VER_BUILD__ 0
#endif

#include "../host_defines.h"

/* clang's wrapper of <new>, which other headers may pull in, wants these. */
extern "C" {
__device__ void *malloc(__SIZE_TYPE__) __attribute__((nothrow, malloc));
__device__ void free(void *) __attribute__((nothrow));
}

/* Programs rely on what nvcc's header brings along, printf and time among
 * it. */
#include <assert.h>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utility>

#endif
