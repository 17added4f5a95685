/* SPDX-License-Identifier: Apache-2.0 */
/* The approximate functions (__sinf and its like), which -use_fast_math puts
 * in place of the precise ones. Programming guide, "Intrinsic Functions". */
#include "device.h"

float __nv_fast_sinf(float x)
{
    return __nvvm_sin_approx_f(x);
}

float __nv_fast_cosf(float x)
{
    return __nvvm_cos_approx_f(x);
}

void __nv_fast_sincosf(float x, float *s, float *c)
{
    *s = __nvvm_sin_approx_f(x);
    *c = __nvvm_cos_approx_f(x);
}

float __nv_fast_fdividef(float x, float y)
{
    return __nvvm_div_approx_f(x, y);
}

float __nv_fast_tanf(float x)
{
    return __nvvm_div_approx_f(__nvvm_sin_approx_f(x), __nvvm_cos_approx_f(x));
}

float __nv_fast_expf(float x)
{
    return __nvvm_ex2_approx_f(x * 0x1.715476p+0f);
}

float __nv_fast_exp10f(float x)
{
    return __nvvm_ex2_approx_f(x * 0x1.a934fp+1f);
}

float __nv_fast_log2f(float x)
{
    return __nvvm_lg2_approx_f(x);
}

float __nv_fast_logf(float x)
{
    return __nvvm_lg2_approx_f(x) * 0x1.62e43p-1f;
}

float __nv_fast_log10f(float x)
{
    return __nvvm_lg2_approx_f(x) * 0x1.344136p-2f;
}

float __nv_fast_powf(float x, float y)
{
    return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x));
}
