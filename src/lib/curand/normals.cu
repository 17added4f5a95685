/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes normals of random words in place (convert.h). It is device code because
 * NVIDIA's normals have the bits of the device's fast sine.
 */
#include <curand_kernel.h>

#include "lib/curand/normals.h"

/* x = mean + stddev * normal; or exp(x), or the nearest integer. */
template <typename T>
static __device__ T finish_normal(T normal, const normals_args &a)
{
    if (a.becomes == NORMAL_ROUNDED)
        return (T)__uint_as_float(
            (unsigned int)(a.stddev * normal + a.mean + 0.5));
    T x = (T)a.mean + (T)a.stddev * normal;
    if (a.becomes == NORMAL_PLAIN)
        return x;
    if constexpr (sizeof(T) == 4)
        return weft_exp(x);
    else
        return exp(x);
}

static __device__ float2 pair_of(uint2 x)
{
    return _curand_box_muller(x.x, x.y);
}

static __device__ double2 pair_of(uint4 x)
{
    return _curand_box_muller_double(x.x, x.y, x.z, x.w);
}

static __device__ float2 pair_of(float2 x)
{
    return __weft_box_muller(x.x, x.y * CURAND_2PI);
}

static __device__ double2 pair_of(double2 x)
{
    return __weft_box_muller_double(x.x, x.y * 2.0);
}

/* Makes two numbers T of the words W of each pair. The first number may be the
 * second of its pair, the last one the first: these pairs are in a.edges. */
template <typename T, typename W>
static __device__ void finish_pairs(const normals_args &a)
{
    uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
    uint64_t me = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    T *out = (T *)a.numbers;
    T *body = out + a.cut;
    uint64_t count = (a.count - a.cut) / 2;
    for (uint64_t i = me; i < count; i += stride) {
        W words;
        memcpy(&words, body + 2 * i, sizeof words);
        auto n = pair_of(words);
        body[2 * i] = finish_normal<T>(n.x, a);
        body[2 * i + 1] = finish_normal<T>(n.y, a);
    }
    if (me == 0 && a.cut)
        out[0] = finish_normal<T>(pair_of(((const W *)a.edges)[0]).y, a);
    const W *last = (const W *)((const char *)a.edges + 16);
    if (me == 0 && (a.count - a.cut) % 2)
        out[a.count - 1] = finish_normal<T>(pair_of(*last).x, a);
}

static __device__ float single_of(unsigned int x)
{
    return _curand_normal_icdf(x);
}

static __device__ double single_of(unsigned long long x)
{
    return _curand_normal_icdf_double(x);
}

/* A 32-bit word in 64 bits. */
struct narrow {
    unsigned long long word;
};

static __device__ double single_of(narrow x)
{
    return _curand_normal_icdf_double((unsigned int)x.word);
}

template <typename T, typename W>
static __device__ void finish_singles(const normals_args &a)
{
    uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
    uint64_t me = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    T *out = (T *)a.numbers;
    for (uint64_t i = me; i < a.count; i += stride) {
        W word;
        memcpy(&word, out + i, sizeof word);
        out[i] = finish_normal<T>(single_of(word), a);
    }
}

#define KERNEL(name, how, T, W)                                 \
    extern "C" __global__ void normals_##name(normals_args a)   \
    {                                                           \
        how<T, W>(a);                                           \
    }
KERNEL(many, finish_pairs, float, uint2)
KERNEL(many_double, finish_pairs, double, uint4)
KERNEL(mrg, finish_pairs, float, float2)
KERNEL(mrg_double, finish_pairs, double, double2)
KERNEL(single, finish_singles, float, unsigned int)
KERNEL(single_double, finish_singles, double, narrow)
KERNEL(wide_double, finish_singles, double, unsigned long long)
