/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arithmetic and conversions whose name says how they round: _rn to nearest
 * even, _rz toward zero, _rd down, _ru up. Each is one PTX instruction.
 */
#include "device.h"

/* name suffix, PTX's suffix */
#define EACH_ROUNDING(ROW)                                                     \
    ROW(rn, rn)                                                                \
    ROW(rz, rz)                                                                \
    ROW(rd, rm)                                                                \
    ROW(ru, rp)

#define ROUNDED(op, ptx, ...)                                                  \
    FTZ(__nvvm_##op##_##ptx##_ftz_f(__VA_ARGS__),                              \
        __nvvm_##op##_##ptx##_f(__VA_ARGS__))

#define ARITHMETIC(mode, ptx)                                                  \
    float __nv_fadd_##mode(float a, float b)                                   \
    {                                                                          \
        return ROUNDED(add, ptx, a, b);                                     \
    }                                                                          \
    float __nv_fsub_##mode(float a, float b)                                   \
    {                                                                          \
        return ROUNDED(add, ptx, a, -b);                                    \
    }                                                                          \
    float __nv_fmul_##mode(float a, float b)                                   \
    {                                                                          \
        return ROUNDED(mul, ptx, a, b);                                     \
    }                                                                          \
    float __nv_fdiv_##mode(float a, float b)                                   \
    {                                                                          \
        return ROUNDED(div, ptx, a, b);                                     \
    }                                                                          \
    float __nv_frcp_##mode(float a)                                            \
    {                                                                          \
        return ROUNDED(rcp, ptx, a);                                        \
    }                                                                          \
    float __nv_fsqrt_##mode(float a)                                           \
    {                                                                          \
        return ROUNDED(sqrt, ptx, a);                                       \
    }                                                                          \
    float __nv_fmaf_##mode(float a, float b, float c)                          \
    {                                                                          \
        return ROUNDED(fma, ptx, a, b, c);                                  \
    }                                                                          \
    float __nv_fmaf_ieee_##mode(float a, float b, float c)                     \
    {                                                                          \
        return __nvvm_fma_##ptx##_f(a, b, c);                                  \
    }                                                                          \
    double __nv_dadd_##mode(double a, double b)                                \
    {                                                                          \
        return __nvvm_add_##ptx##_d(a, b);                                     \
    }                                                                          \
    double __nv_dsub_##mode(double a, double b)                                \
    {                                                                          \
        return __nvvm_add_##ptx##_d(a, -b);                                    \
    }                                                                          \
    double __nv_dmul_##mode(double a, double b)                                \
    {                                                                          \
        return __nvvm_mul_##ptx##_d(a, b);                                     \
    }                                                                          \
    double __nv_ddiv_##mode(double a, double b)                                \
    {                                                                          \
        return __nvvm_div_##ptx##_d(a, b);                                     \
    }                                                                          \
    double __nv_drcp_##mode(double a)                                          \
    {                                                                          \
        return __nvvm_rcp_##ptx##_d(a);                                        \
    }                                                                          \
    double __nv_dsqrt_##mode(double a)                                         \
    {                                                                          \
        return __nvvm_sqrt_##ptx##_d(a);                                       \
    }                                                                          \
    double __nv_fma_##mode(double a, double b, double c)                       \
    {                                                                          \
        return __nvvm_fma_##ptx##_d(a, b, c);                                  \
    }
EACH_ROUNDING(ARITHMETIC)

float __nv_frsqrt_rn(float a)
{
    /* In double the two roundings are too fine to disturb the third. */
    return (float)(1.0 / __nvvm_sqrt_rn_d((double)a));
}

/* To integers (clamped to the type's range) and back. */
#define CONVERSION(mode, ptx)                                                  \
    int __nv_float2int_##mode(float a)                                         \
    {                                                                          \
        return __nvvm_f2i_##ptx(a);                                            \
    }                                                                          \
    unsigned __nv_float2uint_##mode(float a)                                   \
    {                                                                          \
        return __nvvm_f2ui_##ptx(a);                                           \
    }                                                                          \
    long long __nv_float2ll_##mode(float a)                                    \
    {                                                                          \
        return __nvvm_f2ll_##ptx(a);                                           \
    }                                                                          \
    unsigned long long __nv_float2ull_##mode(float a)                          \
    {                                                                          \
        return __nvvm_f2ull_##ptx(a);                                          \
    }                                                                          \
    int __nv_double2int_##mode(double a)                                       \
    {                                                                          \
        return __nvvm_d2i_##ptx(a);                                            \
    }                                                                          \
    unsigned __nv_double2uint_##mode(double a)                                 \
    {                                                                          \
        return __nvvm_d2ui_##ptx(a);                                           \
    }                                                                          \
    long long __nv_double2ll_##mode(double a)                                  \
    {                                                                          \
        return __nvvm_d2ll_##ptx(a);                                           \
    }                                                                          \
    unsigned long long __nv_double2ull_##mode(double a)                        \
    {                                                                          \
        return __nvvm_d2ull_##ptx(a);                                          \
    }                                                                          \
    float __nv_double2float_##mode(double a)                                   \
    {                                                                          \
        return __nvvm_d2f_##ptx(a);                                            \
    }                                                                          \
    float __nv_int2float_##mode(int a)                                         \
    {                                                                          \
        return __nvvm_i2f_##ptx(a);                                            \
    }                                                                          \
    float __nv_uint2float_##mode(unsigned a)                                   \
    {                                                                          \
        return __nvvm_ui2f_##ptx(a);                                           \
    }                                                                          \
    float __nv_ll2float_##mode(long long a)                                    \
    {                                                                          \
        return __nvvm_ll2f_##ptx(a);                                           \
    }                                                                          \
    float __nv_ull2float_##mode(unsigned long long a)                          \
    {                                                                          \
        return __nvvm_ull2f_##ptx(a);                                          \
    }                                                                          \
    double __nv_ll2double_##mode(long long a)                                  \
    {                                                                          \
        return __nvvm_ll2d_##ptx(a);                                           \
    }                                                                          \
    double __nv_ull2double_##mode(unsigned long long a)                        \
    {                                                                          \
        return __nvvm_ull2d_##ptx(a);                                          \
    }
EACH_ROUNDING(CONVERSION)

double __nv_int2double_rn(int a)
{
    return (double)a;
}

double __nv_uint2double_rn(unsigned a)
{
    return (double)a;
}

unsigned short __nv_float2half_rn(float a)
{
    unsigned short h;
    __asm__("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(a));
    return h;
}

float __nv_half2float(unsigned short h)
{
    float a;
    __asm__("cvt.f32.f16 %0, %1;" : "=f"(a) : "h"(h));
    return a;
}

/* The upper half of a reciprocal: at least 20 bits of it. */
double __nv_rcp64h(double a)
{
    return float64(bits64(1.0 / a) & 0xffffffff00000000u);
}
