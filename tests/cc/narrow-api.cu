// SPDX-License-Identifier: Apache-2.0
//
// Calls every function and conversion that the documentation of the CUDA Math
// API has for 8, 6 and 4 bits.
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include "math-api.h"

// ---- 8 bits ------------------------------------------------------------------

__global__ void n_8_bits(numbers *n, void *to)
{
    auto &f = n->f;
    auto &d = n->d;
    auto &i = n->i;
    auto &u = n->u;
    auto &ll = n->ll;
    auto &ull = n->ull;
    auto &s = n->s;
    auto &us = n->us;
    auto &uc = n->uc;
    auto &f2 = n->f2;
    auto &f4 = n->f4;
    auto &d2 = n->d2;
    auto &h = n->h;
    auto &h2 = n->h2;
    auto &b = n->b;
    auto &b2 = n->b2;
    auto &hr = n->hr;
    auto &h2r = n->h2r;
    auto &br = n->br;
    auto &b2r = n->b2r;
    RESULT(__nv_fp8_storage_t, __nv_cvt_float_to_fp8(f, __NV_SATFINITE, __NV_E4M3))
    RESULT(__nv_fp8_storage_t, __nv_cvt_double_to_fp8(d, __NV_SATFINITE, __NV_E4M3))
    RESULT(__nv_fp8_storage_t, __nv_cvt_halfraw_to_fp8(hr, __NV_SATFINITE, __NV_E4M3))
    RESULT(__nv_fp8_storage_t, __nv_cvt_bfloat16raw_to_fp8(br, __NV_SATFINITE, __NV_E4M3))
    RESULT(__nv_fp8x2_storage_t, __nv_cvt_float2_to_fp8x2(f2, __NV_NOSAT, __NV_E5M2))
    RESULT(__nv_fp8x2_storage_t, __nv_cvt_double2_to_fp8x2(d2, __NV_NOSAT, __NV_E5M2))
    RESULT(__nv_fp8x2_storage_t, __nv_cvt_halfraw2_to_fp8x2(h2r, __NV_NOSAT, __NV_E5M2))
    RESULT(__nv_fp8x2_storage_t, __nv_cvt_bfloat16raw2_to_fp8x2(b2r, __NV_NOSAT, __NV_E5M2))
    RESULT(__half_raw, __nv_cvt_fp8_to_halfraw(uc, __NV_E4M3))
    RESULT(__half2_raw, __nv_cvt_fp8x2_to_halfraw2(us, __NV_E5M2))
    RESULT(__nv_fp8_storage_t, __nv_cvt_float_to_e8m0(f, __NV_SATFINITE, cudaRoundPosInf))
    RESULT(__nv_fp8_storage_t, __nv_cvt_double_to_e8m0(d, __NV_SATFINITE, cudaRoundZero))
    RESULT(__nv_fp8_storage_t, __nv_cvt_bfloat16raw_to_e8m0(br, __NV_NOSAT, cudaRoundPosInf))
    RESULT(__nv_fp8x2_storage_t, __nv_cvt_float2_to_e8m0x2(f2, __NV_SATFINITE, cudaRoundPosInf))
    RESULT(__nv_fp8x2_storage_t, __nv_cvt_double2_to_e8m0x2(d2, __NV_SATFINITE, cudaRoundPosInf))
    RESULT(__nv_fp8x2_storage_t, __nv_cvt_bfloat162raw_to_e8m0x2(b2r, __NV_SATFINITE, cudaRoundPosInf))
    RESULT(__nv_bfloat16_raw, __nv_cvt_e8m0_to_bf16raw(uc))
    RESULT(__nv_bfloat162_raw, __nv_cvt_e8m0x2_to_bf162raw(us))
    MADE(__nv_fp8_e4m3, f)
    MADE(__nv_fp8_e4m3, d)
    MADE(__nv_fp8_e4m3, h)
    MADE(__nv_fp8_e4m3, b)
    MADE(__nv_fp8_e4m3, i)
    MADE(__nv_fp8_e4m3, u)
    MADE(__nv_fp8_e4m3, ll)
    MADE(__nv_fp8_e4m3, ull)
    MADE(__nv_fp8_e4m3, s)
    MADE(__nv_fp8_e4m3, us)
    RESULT(float, static_cast<float>(__nv_fp8_e4m3(f)))
    RESULT(__half, static_cast<__half>(__nv_fp8_e4m3(f)))
    RESULT(__nv_bfloat16, static_cast<__nv_bfloat16>(__nv_fp8_e4m3(f)))
    RESULT(double, static_cast<double>(__nv_fp8_e4m3(f)))
    RESULT(int, static_cast<int>(__nv_fp8_e4m3(f)))
    RESULT(bool, static_cast<bool>(__nv_fp8_e4m3(f)))
    MADE(__nv_fp8x2_e4m3, f2)
    MADE(__nv_fp8x2_e4m3, d2)
    MADE(__nv_fp8x2_e4m3, h2)
    MADE(__nv_fp8x2_e4m3, b2)
    RESULT(float2, static_cast<float2>(__nv_fp8x2_e4m3(f2)))
    MADE(__nv_fp8x4_e4m3, f4)
    MADE(__nv_fp8x4_e4m3, h2, h2)
    MADE(__nv_fp8x4_e4m3, b2, b2)
    RESULT(float4, static_cast<float4>(__nv_fp8x4_e4m3(f4)))
    RESULT(__half2, static_cast<__half2>(__nv_fp8x2_e4m3(f2)))
    MADE(__nv_fp8_e5m2, f)
    MADE(__nv_fp8_e5m2, d)
    MADE(__nv_fp8_e5m2, h)
    MADE(__nv_fp8_e5m2, b)
    MADE(__nv_fp8_e5m2, i)
    MADE(__nv_fp8_e5m2, u)
    MADE(__nv_fp8_e5m2, ll)
    MADE(__nv_fp8_e5m2, ull)
    MADE(__nv_fp8_e5m2, s)
    MADE(__nv_fp8_e5m2, us)
    RESULT(float, static_cast<float>(__nv_fp8_e5m2(f)))
    RESULT(__half, static_cast<__half>(__nv_fp8_e5m2(f)))
    RESULT(__nv_bfloat16, static_cast<__nv_bfloat16>(__nv_fp8_e5m2(f)))
    RESULT(double, static_cast<double>(__nv_fp8_e5m2(f)))
    RESULT(int, static_cast<int>(__nv_fp8_e5m2(f)))
    RESULT(bool, static_cast<bool>(__nv_fp8_e5m2(f)))
    MADE(__nv_fp8x2_e5m2, f2)
    MADE(__nv_fp8x2_e5m2, d2)
    MADE(__nv_fp8x2_e5m2, h2)
    MADE(__nv_fp8x2_e5m2, b2)
    RESULT(float2, static_cast<float2>(__nv_fp8x2_e5m2(f2)))
    MADE(__nv_fp8x4_e5m2, f4)
    MADE(__nv_fp8x4_e5m2, h2, h2)
    MADE(__nv_fp8x4_e5m2, b2, b2)
    RESULT(float4, static_cast<float4>(__nv_fp8x4_e5m2(f4)))
    RESULT(__half2, static_cast<__half2>(__nv_fp8x2_e5m2(f2)))
    MADE(__nv_fp8_e8m0, f)
    MADE(__nv_fp8_e8m0, d)
    MADE(__nv_fp8_e8m0, h)
    MADE(__nv_fp8_e8m0, b)
    MADE(__nv_fp8_e8m0, i)
    MADE(__nv_fp8_e8m0, u)
    MADE(__nv_fp8_e8m0, ll)
    MADE(__nv_fp8_e8m0, ull)
    MADE(__nv_fp8_e8m0, s)
    MADE(__nv_fp8_e8m0, us)
    RESULT(float, static_cast<float>(__nv_fp8_e8m0(f)))
    RESULT(__half, static_cast<__half>(__nv_fp8_e8m0(f)))
    RESULT(__nv_bfloat16, static_cast<__nv_bfloat16>(__nv_fp8_e8m0(f)))
    RESULT(double, static_cast<double>(__nv_fp8_e8m0(f)))
    RESULT(int, static_cast<int>(__nv_fp8_e8m0(f)))
    RESULT(bool, static_cast<bool>(__nv_fp8_e8m0(f)))
    MADE(__nv_fp8x2_e8m0, f2)
    MADE(__nv_fp8x2_e8m0, d2)
    MADE(__nv_fp8x2_e8m0, h2)
    MADE(__nv_fp8x2_e8m0, b2)
    RESULT(float2, static_cast<float2>(__nv_fp8x2_e8m0(f2)))
    MADE(__nv_fp8x4_e8m0, f4)
    MADE(__nv_fp8x4_e8m0, h2, h2)
    MADE(__nv_fp8x4_e8m0, b2, b2)
    RESULT(float4, static_cast<float4>(__nv_fp8x4_e8m0(f4)))
    RESULT(__nv_bfloat162, static_cast<__nv_bfloat162>(__nv_fp8x2_e8m0(f2)))
}

// ---- 6 bits ------------------------------------------------------------------

__global__ void n_6_bits(numbers *n, void *to)
{
    auto &f = n->f;
    auto &d = n->d;
    auto &i = n->i;
    auto &u = n->u;
    auto &ll = n->ll;
    auto &ull = n->ull;
    auto &s = n->s;
    auto &us = n->us;
    auto &uc = n->uc;
    auto &f2 = n->f2;
    auto &f4 = n->f4;
    auto &d2 = n->d2;
    auto &d4 = n->d4;
    auto &h = n->h;
    auto &h2 = n->h2;
    auto &b = n->b;
    auto &b2 = n->b2;
    auto &hr = n->hr;
    auto &h2r = n->h2r;
    auto &br = n->br;
    auto &b2r = n->b2r;
    RESULT(__nv_fp6_storage_t, __nv_cvt_float_to_fp6(f, __NV_E2M3, cudaRoundNearest))
    RESULT(__nv_fp6_storage_t, __nv_cvt_double_to_fp6(d, __NV_E2M3, cudaRoundNearest))
    RESULT(__nv_fp6_storage_t, __nv_cvt_halfraw_to_fp6(hr, __NV_E2M3, cudaRoundNearest))
    RESULT(__nv_fp6_storage_t, __nv_cvt_bfloat16raw_to_fp6(br, __NV_E2M3, cudaRoundNearest))
    RESULT(__nv_fp6x2_storage_t, __nv_cvt_float2_to_fp6x2(f2, __NV_E2M3, cudaRoundNearest))
    RESULT(__nv_fp6x2_storage_t, __nv_cvt_double2_to_fp6x2(d2, __NV_E2M3, cudaRoundNearest))
    RESULT(__nv_fp6x2_storage_t, __nv_cvt_halfraw2_to_fp6x2(h2r, __NV_E2M3, cudaRoundNearest))
    RESULT(__nv_fp6x2_storage_t, __nv_cvt_bfloat16raw2_to_fp6x2(b2r, __NV_E2M3, cudaRoundNearest))
    RESULT(__half_raw, __nv_cvt_fp6_to_halfraw(uc, __NV_E2M3))
    RESULT(__half2_raw, __nv_cvt_fp6x2_to_halfraw2(us, __NV_E2M3))
    MADE(__nv_fp6_e2m3, f)
    MADE(__nv_fp6_e2m3, d)
    MADE(__nv_fp6_e2m3, h)
    MADE(__nv_fp6_e2m3, b)
    MADE(__nv_fp6_e2m3, i)
    MADE(__nv_fp6_e2m3, u)
    MADE(__nv_fp6_e2m3, ll)
    MADE(__nv_fp6_e2m3, ull)
    MADE(__nv_fp6_e2m3, s)
    MADE(__nv_fp6_e2m3, us)
    RESULT(float, static_cast<float>(__nv_fp6_e2m3(f)))
    RESULT(__half, static_cast<__half>(__nv_fp6_e2m3(f)))
    RESULT(__nv_bfloat16, static_cast<__nv_bfloat16>(__nv_fp6_e2m3(f)))
    RESULT(double, static_cast<double>(__nv_fp6_e2m3(f)))
    RESULT(int, static_cast<int>(__nv_fp6_e2m3(f)))
    RESULT(bool, static_cast<bool>(__nv_fp6_e2m3(f)))
    MADE(__nv_fp6x2_e2m3, f2)
    MADE(__nv_fp6x2_e2m3, d2)
    MADE(__nv_fp6x2_e2m3, h2)
    MADE(__nv_fp6x2_e2m3, b2)
    RESULT(float2, static_cast<float2>(__nv_fp6x2_e2m3(f2)))
    RESULT(__half2, static_cast<__half2>(__nv_fp6x2_e2m3(f2)))
    MADE(__nv_fp6x4_e2m3, f4)
    MADE(__nv_fp6x4_e2m3, d4)
    MADE(__nv_fp6x4_e2m3, h2, h2)
    MADE(__nv_fp6x4_e2m3, b2, b2)
    RESULT(float4, static_cast<float4>(__nv_fp6x4_e2m3(f4)))
    RESULT(__nv_fp6_storage_t, __nv_cvt_float_to_fp6(f, __NV_E3M2, cudaRoundNearest))
    RESULT(__nv_fp6_storage_t, __nv_cvt_double_to_fp6(d, __NV_E3M2, cudaRoundNearest))
    RESULT(__nv_fp6_storage_t, __nv_cvt_halfraw_to_fp6(hr, __NV_E3M2, cudaRoundNearest))
    RESULT(__nv_fp6_storage_t, __nv_cvt_bfloat16raw_to_fp6(br, __NV_E3M2, cudaRoundNearest))
    RESULT(__nv_fp6x2_storage_t, __nv_cvt_float2_to_fp6x2(f2, __NV_E3M2, cudaRoundNearest))
    RESULT(__nv_fp6x2_storage_t, __nv_cvt_double2_to_fp6x2(d2, __NV_E3M2, cudaRoundNearest))
    RESULT(__nv_fp6x2_storage_t, __nv_cvt_halfraw2_to_fp6x2(h2r, __NV_E3M2, cudaRoundNearest))
    RESULT(__nv_fp6x2_storage_t, __nv_cvt_bfloat16raw2_to_fp6x2(b2r, __NV_E3M2, cudaRoundNearest))
    RESULT(__half_raw, __nv_cvt_fp6_to_halfraw(uc, __NV_E3M2))
    RESULT(__half2_raw, __nv_cvt_fp6x2_to_halfraw2(us, __NV_E3M2))
    MADE(__nv_fp6_e3m2, f)
    MADE(__nv_fp6_e3m2, d)
    MADE(__nv_fp6_e3m2, h)
    MADE(__nv_fp6_e3m2, b)
    MADE(__nv_fp6_e3m2, i)
    MADE(__nv_fp6_e3m2, u)
    MADE(__nv_fp6_e3m2, ll)
    MADE(__nv_fp6_e3m2, ull)
    MADE(__nv_fp6_e3m2, s)
    MADE(__nv_fp6_e3m2, us)
    RESULT(float, static_cast<float>(__nv_fp6_e3m2(f)))
    RESULT(__half, static_cast<__half>(__nv_fp6_e3m2(f)))
    RESULT(__nv_bfloat16, static_cast<__nv_bfloat16>(__nv_fp6_e3m2(f)))
    RESULT(double, static_cast<double>(__nv_fp6_e3m2(f)))
    RESULT(int, static_cast<int>(__nv_fp6_e3m2(f)))
    RESULT(bool, static_cast<bool>(__nv_fp6_e3m2(f)))
    MADE(__nv_fp6x2_e3m2, f2)
    MADE(__nv_fp6x2_e3m2, d2)
    MADE(__nv_fp6x2_e3m2, h2)
    MADE(__nv_fp6x2_e3m2, b2)
    RESULT(float2, static_cast<float2>(__nv_fp6x2_e3m2(f2)))
    RESULT(__half2, static_cast<__half2>(__nv_fp6x2_e3m2(f2)))
    MADE(__nv_fp6x4_e3m2, f4)
    MADE(__nv_fp6x4_e3m2, d4)
    MADE(__nv_fp6x4_e3m2, h2, h2)
    MADE(__nv_fp6x4_e3m2, b2, b2)
    RESULT(float4, static_cast<float4>(__nv_fp6x4_e3m2(f4)))
}

// ---- 4 bits ------------------------------------------------------------------

__global__ void n_4_bits(numbers *n, void *to)
{
    auto &f = n->f;
    auto &d = n->d;
    auto &i = n->i;
    auto &u = n->u;
    auto &ll = n->ll;
    auto &ull = n->ull;
    auto &s = n->s;
    auto &us = n->us;
    auto &uc = n->uc;
    auto &f2 = n->f2;
    auto &f4 = n->f4;
    auto &d2 = n->d2;
    auto &d4 = n->d4;
    auto &h = n->h;
    auto &h2 = n->h2;
    auto &b = n->b;
    auto &b2 = n->b2;
    auto &hr = n->hr;
    auto &h2r = n->h2r;
    auto &br = n->br;
    auto &b2r = n->b2r;
    RESULT(__nv_fp4_storage_t, __nv_cvt_float_to_fp4(f, __NV_E2M1, cudaRoundNearest))
    RESULT(__nv_fp4_storage_t, __nv_cvt_double_to_fp4(d, __NV_E2M1, cudaRoundNearest))
    RESULT(__nv_fp4_storage_t, __nv_cvt_halfraw_to_fp4(hr, __NV_E2M1, cudaRoundNearest))
    RESULT(__nv_fp4_storage_t, __nv_cvt_bfloat16raw_to_fp4(br, __NV_E2M1, cudaRoundNearest))
    RESULT(__nv_fp4x2_storage_t, __nv_cvt_float2_to_fp4x2(f2, __NV_E2M1, cudaRoundNearest))
    RESULT(__nv_fp4x2_storage_t, __nv_cvt_double2_to_fp4x2(d2, __NV_E2M1, cudaRoundNearest))
    RESULT(__nv_fp4x2_storage_t, __nv_cvt_halfraw2_to_fp4x2(h2r, __NV_E2M1, cudaRoundNearest))
    RESULT(__nv_fp4x2_storage_t, __nv_cvt_bfloat16raw2_to_fp4x2(b2r, __NV_E2M1, cudaRoundNearest))
    RESULT(__half_raw, __nv_cvt_fp4_to_halfraw(uc, __NV_E2M1))
    RESULT(__half2_raw, __nv_cvt_fp4x2_to_halfraw2(uc, __NV_E2M1))
    MADE(__nv_fp4_e2m1, f)
    MADE(__nv_fp4_e2m1, d)
    MADE(__nv_fp4_e2m1, h)
    MADE(__nv_fp4_e2m1, b)
    MADE(__nv_fp4_e2m1, i)
    MADE(__nv_fp4_e2m1, u)
    MADE(__nv_fp4_e2m1, ll)
    MADE(__nv_fp4_e2m1, ull)
    MADE(__nv_fp4_e2m1, s)
    MADE(__nv_fp4_e2m1, us)
    RESULT(float, static_cast<float>(__nv_fp4_e2m1(f)))
    RESULT(__half, static_cast<__half>(__nv_fp4_e2m1(f)))
    RESULT(__nv_bfloat16, static_cast<__nv_bfloat16>(__nv_fp4_e2m1(f)))
    RESULT(double, static_cast<double>(__nv_fp4_e2m1(f)))
    RESULT(int, static_cast<int>(__nv_fp4_e2m1(f)))
    RESULT(bool, static_cast<bool>(__nv_fp4_e2m1(f)))
    MADE(__nv_fp4x2_e2m1, f2)
    MADE(__nv_fp4x2_e2m1, d2)
    MADE(__nv_fp4x2_e2m1, h2)
    MADE(__nv_fp4x2_e2m1, b2)
    RESULT(float2, static_cast<float2>(__nv_fp4x2_e2m1(f2)))
    RESULT(__half2, static_cast<__half2>(__nv_fp4x2_e2m1(f2)))
    MADE(__nv_fp4x4_e2m1, f4)
    MADE(__nv_fp4x4_e2m1, d4)
    MADE(__nv_fp4x4_e2m1, h2, h2)
    MADE(__nv_fp4x4_e2m1, b2, b2)
    RESULT(float4, static_cast<float4>(__nv_fp4x4_e2m1(f4)))
}
