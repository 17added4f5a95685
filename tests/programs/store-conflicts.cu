// SPDX-License-Identifier: Apache-2.0
//
// Lanes that store different values to one place: undefined, but a GPU always
// keeps the same one, and programs count on it. Up to four bytes: the lowest
// active lane's; eight are stored by half warps, sixteen by quarters, in their
// order. What is expected here is what a GPU of 9.0 gave. The interpreter's
// threads store in turn, so there the last one's value stays.
#include "check.h"
#include <cstdlib>
#include <cstring>

template <class T> __device__ T of(unsigned v)
{
    return (T)v;
}

template <> __device__ uint4 of(unsigned v)
{
    return make_uint4(v, v, v, v);
}

template <class T> __device__ unsigned back(T v)
{
    return (unsigned)v;
}

template <> __device__ unsigned back(uint4 v)
{
    return v.x == v.y && v.z == v.w && v.x == v.z ? v.x : 1000;
}

template <class T> __global__ void one_place(T *p, unsigned mask)
{
    if (mask >> threadIdx.x & 1)
        *p = of<T>(threadIdx.x + 1);
}

template <class T> __global__ void in_shared(T *p, unsigned mask)
{
    __shared__ T s;

    if (threadIdx.x == 0)
        s = of<T>(0);
    __syncthreads();
    if (mask >> threadIdx.x & 1)
        s = of<T>(threadIdx.x + 1);
    __syncthreads();
    if (threadIdx.x == 0)
        *p = s;
}

/* A sum that only the first lane has in full. */
__global__ void sums(const float *in, float *out)
{
    float sum = in[threadIdx.x];

    for (int i = 16; i > 0; i >>= 1)
        sum += __shfl_down_sync(~0u, sum, i);
    out[blockIdx.x] = sum;
}

static bool in_turn;

static unsigned lowest(unsigned bits)
{
    return bits ? __builtin_ctz(bits) + 1 : 0;
}

static unsigned expected(unsigned bits, unsigned part)
{
    if (!bits)
        return 0;
    unsigned last = 31 - __builtin_clz(bits);
    if (in_turn)
        return last + 1;
    return lowest(bits & ~0u << last / part * part);
}

template <class T> __global__ void look(const T *p, unsigned *out)
{
    out[threadIdx.x] = back(p[threadIdx.x]);
}

template <class T> static void try_type(unsigned part)
{
    static const unsigned masks[] = {~0u,    0xfffffffe, 0x7fffffff,
                                     0x0ff0, 0xaaaaaaaa, 0x80000001};
    T *p;
    unsigned *out;

    CHECK(cudaMalloc(&p, 4 * sizeof(T)));
    CHECK(cudaMallocManaged(&out, 4 * sizeof *out));
    for (unsigned mask : masks) {
        CHECK(cudaMemset(p, 0, 4 * sizeof(T)));
        one_place<<<1, 32>>>(p, mask);
        look<<<1, 1>>>(p, out);
        CHECK(cudaDeviceSynchronize());
        EXPECT(out[0] == expected(mask, part));
        in_shared<<<1, 32>>>(p, mask);
        look<<<1, 1>>>(p, out);
        CHECK(cudaDeviceSynchronize());
        EXPECT(out[0] == expected(mask, part));
    }
    CHECK(cudaFree(out));
    CHECK(cudaFree(p));
}

static void try_sums()
{
    float *in, *out;

    CHECK(cudaMallocManaged(&in, 32 * sizeof *in));
    CHECK(cudaMallocManaged(&out, 4 * sizeof *out));
    for (int i = 0; i < 32; i++)
        in[i] = i;
    sums<<<4, 32>>>(in, out);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; !in_turn && i < 4; i++)
        EXPECT(out[i] == 496);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}

int main()
{
    const char *engine = getenv("WEFT_ENGINE");

    in_turn = engine && strcmp(engine, "emu") == 0;
    try_type<unsigned char>(32);
    try_type<unsigned short>(32);
    try_type<unsigned>(32);
    try_type<float>(32);
    try_type<unsigned long long>(16);
    try_type<double>(16);
    try_type<uint4>(8);
    try_sums();
    return failures ? 1 : 0;
}
