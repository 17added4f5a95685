/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of the implicit header in a program of NVRTC: takes back the macros
 * of the host's headers that such programs define by themselves.
 */
#ifndef WEFT_RTC_LAST_H
#define WEFT_RTC_LAST_H

#undef INFINITY
#undef NAN
#undef HUGE_VAL
#undef HUGE_VALF
#undef HUGE_VALL
#undef M_E
#undef M_LOG2E
#undef M_LOG10E
#undef M_LN2
#undef M_LN10
#undef M_PI
#undef M_PI_2
#undef M_PI_4
#undef M_1_PI
#undef M_2_PI
#undef M_2_SQRTPI
#undef M_SQRT2
#undef M_SQRT1_2

/* NVIDIA's CCCL takes our NVRTC for clang compiling CUDA, and asks clang's way
 * for the version. */
#if !defined(CUDA_VERSION)
#define CUDA_VERSION 12080 /* as in cuda.h */
#endif

#endif
