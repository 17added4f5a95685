/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products with operators of the program's own (operators.c): a kernel for each
 * type that they compute in. A thread has an element of the result. As with an
 * H200, a sum begins with its first product, and empty rows stay as they are.
 */
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <library_types.h>

#include "lib/cusparse/operators.h"

/* Holds what any of the types holds. */
struct number {
    double real, imag;
};

static __device__ number load(const void *at, int type, long long i)
{
    switch (type) {
    case CUDA_R_32F:
        return {((const float *)at)[i], 0};
    case CUDA_R_64F:
        return {((const double *)at)[i], 0};
    case CUDA_C_32F:
        return {((const float *)at)[2 * i], ((const float *)at)[2 * i + 1]};
    case CUDA_C_64F:
        return {((const double *)at)[2 * i], ((const double *)at)[2 * i + 1]};
    case CUDA_R_16F:
        return {__half2float(((const __half *)at)[i]), 0};
    case CUDA_C_16F:
        return {__half2float(((const __half *)at)[2 * i]),
                __half2float(((const __half *)at)[2 * i + 1])};
    case CUDA_R_16BF:
        return {__bfloat162float(((const __nv_bfloat16 *)at)[i]), 0};
    case CUDA_C_16BF:
        return {__bfloat162float(((const __nv_bfloat16 *)at)[2 * i]),
                __bfloat162float(((const __nv_bfloat16 *)at)[2 * i + 1])};
    case CUDA_R_8I:
        return {(double)((const signed char *)at)[i], 0};
    default: /* CUDA_R_32I */
        return {(double)((const int *)at)[i], 0};
    }
}

static __device__ void store(void *at, int type, long long i, number v)
{
    switch (type) {
    case CUDA_R_32F:
        ((float *)at)[i] = (float)v.real;
        break;
    case CUDA_R_64F:
        ((double *)at)[i] = v.real;
        break;
    case CUDA_C_32F:
        ((float2 *)at)[i] = {(float)v.real, (float)v.imag};
        break;
    case CUDA_C_64F:
        ((double2 *)at)[i] = {v.real, v.imag};
        break;
    case CUDA_R_16F:
        ((__half *)at)[i] = __float2half((float)v.real);
        break;
    case CUDA_C_16F:
        ((__half *)at)[2 * i] = __float2half((float)v.real);
        ((__half *)at)[2 * i + 1] = __float2half((float)v.imag);
        break;
    case CUDA_R_16BF:
        ((__nv_bfloat16 *)at)[i] = __float2bfloat16((float)v.real);
        break;
    case CUDA_C_16BF:
        ((__nv_bfloat16 *)at)[2 * i] = __float2bfloat16((float)v.real);
        ((__nv_bfloat16 *)at)[2 * i + 1] = __float2bfloat16((float)v.imag);
        break;
    default: /* CUDA_R_32I */
        ((int *)at)[i] = (int)v.real;
    }
}

static __device__ void convert(number v, float &out)
{
    out = (float)v.real;
}
static __device__ void convert(number v, double &out)
{
    out = v.real;
}
static __device__ void convert(number v, int &out)
{
    out = (int)v.real;
}
static __device__ void convert(number v, cuComplex &out)
{
    out = {(float)v.real, (float)v.imag};
}
static __device__ void convert(number v, cuDoubleComplex &out)
{
    out = {v.real, v.imag};
}
static __device__ number widen(float v)
{
    return {v, 0};
}
static __device__ number widen(double v)
{
    return {v, 0};
}
static __device__ number widen(int v)
{
    return {(double)v, 0};
}
static __device__ number widen(cuComplex v)
{
    return {v.x, v.y};
}
static __device__ number widen(cuDoubleComplex v)
{
    return {v.x, v.y};
}

template <typename T>
static __device__ T element(const void *at, int type, long long i)
{
    T out;
    convert(load(at, type, i), out);
    return out;
}

static __device__ long long index_at(const void *at, bool is_wide, long long i)
{
    return is_wide ? ((const long long *)at)[i] : ((const int *)at)[i];
}

template <typename T, typename Add, typename Mul, typename End>
static __device__ void multiply(const operators_args &w, Add add, Mul mul,
                                End end)
{
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    for (; i < w.rows * w.cols; i += gridDim.x * (long long)blockDim.x) {
        long long row = i / w.cols, col = i % w.cols;
        long long from = index_at(w.offsets, w.has_wide_offsets, row) - w.base;
        long long to =
            index_at(w.offsets, w.has_wide_offsets, row + 1) - w.base;
        if (from >= to)
            continue;
        T sum;
        for (long long k = from; k < to; k++) {
            long long b = index_at(w.columns, w.has_wide_columns, k) - w.base;
            T product = mul(element<T>(w.values, w.type, k),
                            element<T>(w.b.at, w.b.type,
                                       b * w.b.row_step + col * w.b.col_step));
            sum = k == from ? product : add(sum, product);
        }
        long long at = row * w.c.row_step + col * w.c.col_step;
        T old = element<T>(w.c.at, w.c.type, at);
        store(w.c.at, w.c.type, at, widen(end(sum, old)));
    }
}

#define OPERATOR(name, T)                                                      \
    extern "C" __device__ __attribute__((weak)) T name(T a, T)                 \
    {                                                                          \
        return a;                                                              \
    }
#define KERNEL(letter, T)                                                      \
    OPERATOR(weft_add_##letter, T)                                             \
    OPERATOR(weft_mul_##letter, T)                                             \
    OPERATOR(weft_end_##letter, T)                                             \
    extern "C" __global__ void operators_##letter(operators_args w)            \
    {                                                                          \
        multiply<T>(w, weft_add_##letter, weft_mul_##letter,                   \
                    weft_end_##letter);                                        \
    }
KERNEL(s, float)
KERNEL(d, double)
KERNEL(c, cuComplex)
KERNEL(z, cuDoubleComplex)
KERNEL(i, int)
