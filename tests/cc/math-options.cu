// SPDX-License-Identifier: Apache-2.0
// One function or operation each: math-options.sh looks at what becomes of it.
#define KERNEL(name, ...)                                                      \
    extern "C" __global__ void name(float *p, double *d)                       \
    {                                                                          \
        float x = p[1], y = p[2];                                              \
        __VA_ARGS__;                                                           \
    }
KERNEL(division, p[0] = x / y)
KERNEL(reciprocal, p[0] = 1 / x)
KERNEL(root, p[0] = sqrtf(x))
KERNEL(contracted, p[0] = x * y + p[3])
KERNEL(contracted_double, d[0] = d[1] * d[2] + d[3])
KERNEL(division_double, d[0] = d[1] / d[2])
KERNEL(root_double, d[0] = sqrt(d[1]))
KERNEL(sum, p[0] = x + y)
KERNEL(smaller, p[0] = fminf(x, y))
KERNEL(narrowed, p[0] = (float)d[1])
KERNEL(named_sum, p[0] = __fadd_rn(__fmul_rn(x, y), p[3]))
KERNEL(named_fma, p[0] = __fmaf_rz(x, y, p[3]))
KERNEL(named_division, p[0] = __fdiv_rn(x, y))
KERNEL(named_reciprocal, p[0] = __frcp_rn(x))
KERNEL(named_root, p[0] = __fsqrt_ru(x))
KERNEL(saturated, p[0] = __saturatef(x))
KERNEL(inverse_root, p[0] = rsqrtf(x))
KERNEL(power_of_2, p[0] = exp2f(x))
KERNEL(fast_division, p[0] = __fdividef(x, y))
KERNEL(fast_sine, p[0] = __sinf(x))
KERNEL(fast_exp, p[0] = __expf(x))
KERNEL(fast_log10, p[0] = __log10f(x))
KERNEL(fast_pow, p[0] = __powf(x, y))
#ifdef FAST
KERNEL(a_sin, p[0] = sinf(x))
KERNEL(a_cos, p[0] = cosf(x))
KERNEL(a_tan, p[0] = tanf(x))
KERNEL(a_sincos, sincosf(x, p, p + 1))
KERNEL(a_exp, p[0] = expf(x))
KERNEL(a_exp10, p[0] = exp10f(x))
KERNEL(a_log, p[0] = logf(x))
KERNEL(a_log2, p[0] = log2f(x))
KERNEL(a_log10, p[0] = log10f(x))
KERNEL(a_pow, p[0] = powf(x, y))
KERNEL(a_overload, p[0] = sin(x) + log(y))
#endif
