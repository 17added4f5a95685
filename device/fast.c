/* SPDX-License-Identifier: Apache-2.0 */
/* The approximate functions (__sinf and its like), which -use_fast_math puts
 * in place of the precise ones. Programming guide, "Intrinsic Functions". */
#include "device.h"

INLINE float sine(float x)
{
    return FTZ(__nvvm_sin_approx_ftz_f(x), __nvvm_sin_approx_f(x));
}

INLINE float cosine(float x)
{
    return FTZ(__nvvm_cos_approx_ftz_f(x), __nvvm_cos_approx_f(x));
}

INLINE float quotient(float x, float y)
{
    return FTZ(__nvvm_div_approx_ftz_f(x, y), __nvvm_div_approx_f(x, y));
}

INLINE float power_of_2(float x)
{
    return FTZ(__nvvm_ex2_approx_ftz_f(x), __nvvm_ex2_approx_f(x));
}

INLINE float logarithm(float x)
{
    return FTZ(__nvvm_lg2_approx_ftz_f(x), __nvvm_lg2_approx_f(x));
}

float __nv_fast_sinf(float x)
{
    return sine(x);
}

float __nv_fast_cosf(float x)
{
    return cosine(x);
}

void __nv_fast_sincosf(float x, float *s, float *c)
{
    *s = sine(x);
    *c = cosine(x);
}

float __nv_fast_fdividef(float x, float y)
{
    return quotient(x, y);
}

float __nv_fast_tanf(float x)
{
    return quotient(sine(x), cosine(x));
}

/* With what the constants round away, which nvcc leaves out: without it the
 * arguments -44.3647 and -19.2691 are beyond the bounds. */
float __nv_fast_expf(float x)
{
    return power_of_2(fma32(x, 0x1.715476p+0f, x * 0x1.4ae0cp-26f));
}

float __nv_fast_exp10f(float x)
{
    return power_of_2(fma32(x, 0x1.a934fp+1f, x * 0x1.2f346ep-24f));
}

float __nv_fast_log2f(float x)
{
    return logarithm(x);
}

float __nv_fast_logf(float x)
{
    return logarithm(x) * 0x1.62e43p-1f;
}

float __nv_fast_log10f(float x)
{
    return logarithm(x) * 0x1.344136p-2f;
}

float __nv_fast_powf(float x, float y)
{
    return power_of_2(y * logarithm(x));
}
