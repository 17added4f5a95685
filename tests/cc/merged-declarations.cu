// SPDX-License-Identifier: Apache-2.0
// Declarations of one function that differ in their execution spaces, and a
// '%' in asm that is no operand, a missing comma there, a launch with spaces,
// a template's member without the word: nvcc takes them.
#include <cstdio>

__host__ __device__ int twice(int);
int twice(int x)
{
    return 2 * x;
}

static inline int *here(int *);
__host__ __device__ static inline int *here(int *p)
{
    return p;
}

template <typename T> struct box {
    T value;
    __host__ __device__ T get(T) const;
    template <typename U> __host__ __device__ U as() const;
};
template <typename T> T box<T>::get(T more) const
{
    return value + more;
}
template <typename T> template <typename U> U box<T>::as() const
{
    return (U)value;
}

template <typename T> struct scale {
    template <int N> static __host__ __device__ int by(T x)
    {
        return (int)x * N;
    }
};
template <typename T> __host__ __device__ int halved(T x)
{
    return scale<T>::by<2>(x) / 4;
}

__global__ void fill(int *out);
void fill(int *out)
{
    unsigned int lane;
    asm volatile("mov.u32 %0, %laneid;" : "=r"(lane));
    asm("add.u32 %0, %1, %2;" : "=r"(lane) : "r"(lane) "r"(2));
    box<int> b = {3};
    out[threadIdx.x] = twice(*here(&out[threadIdx.x])) + b.get(1) +
                       (int)b.as<float>() + lane * 1000 + __LINE__;
}

int main()
{
    int *out;
    cudaMallocManaged(&out, 64 * sizeof(int));
    for (int i = 0; i < 64; i++)
        out[i] = i;
    fill<< <1, 64>> >(out);
    fill<<<{1}, {64, 1}>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d %d %d\n", out[0], out[33], twice(21), halved(10));
    printf("%s\n", __FILE__);
}
