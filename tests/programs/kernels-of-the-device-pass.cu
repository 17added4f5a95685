// SPDX-License-Identifier: Apache-2.0
// Kernel templates whose bodies are valid in the device pass alone: what they
// call says __device__ behind #ifdef __CUDA_ARCH__.
#include <cstdio>

#ifdef __CUDA_ARCH__
#define DEVICE_ONLY __device__
#define ONLY_THERE(x) x
#else
#define DEVICE_ONLY
#define ONLY_THERE(x) nothing_of_the_host(x)
#endif

#define KERNEL __global__ static

struct pair {
    int v[2];
    DEVICE_ONLY int &operator[](size_t i) { return v[i]; }
    DEVICE_ONLY const int &operator[](size_t i) const { return v[i]; }
};

// Two conversions and an operator that each side has for itself: the other
// side's use of it fits nothing, in either pass.
struct raw {
    float v;
    __host__ __device__ operator float() const { return v; }
    __host__ __device__ operator int() const { return (int)v; }
};
#ifdef __CUDA_ARCH__
__device__ raw operator-(const raw &a, const raw &b) { return raw{a.v - b.v}; }
#else
raw operator-(const raw &a, const raw &b) { return raw{a.v - b.v}; }
#endif
static float on_the_host(raw a, raw b)
{
    return (a - b).v;
}
__global__ void on_the_device(int *out, raw a, raw b)
{
    out[0] = (int)(a - b).v;
}

template <class T> __global__ void __launch_bounds__(32) first(int *out, T a)
{
    out[0] = a[0]; // } in a comment
}

namespace inner
{
template <class T, int N = (1 > 0)> struct box {
    template <class U>
    static __device__ int get(U u)
    {
        return u[1] + ONLY_THERE(T(N));
    }
};
template <class T>
__global__ void second(int *out, T a)
{
    if (a[1]) {
        out[1] = box<int>::get(a);
    }
}
} // namespace inner

// A constant of the body that is none on the host, and what is made of it.
struct tuning {
    __host__ __device__ constexpr int operator()(int architecture) const
    {
#ifndef __CUDA_ARCH__
        if (architecture < 500)
            __builtin_abort();
#endif
        return 100 + architecture % 2;
    }
};
__host__ __device__ constexpr int architecture_now()
{
#ifdef __CUDA_ARCH__
    return __CUDA_ARCH__;
#else
    return 0;
#endif
}
template <int N> struct agent {
    static constexpr int TWICE = 2 * N;
};
template <class Tuning>
__launch_bounds__(int(Tuning{}(500))) KERNEL void third(int *out)
{
    static constexpr int value = Tuning{}(architecture_now());
    *out = agent<value>::TWICE;
}

int main()
{
    int *p;
    cudaMallocManaged(&p, 8);
    third<tuning><<<1, 1>>>(p);
    if (cudaDeviceSynchronize() || *p != 200)
        return 2;
    first<pair><<<1, 1>>>(p, pair{7, 8});
    inner::second<<<1, 1>>>(p, pair{7, 8});
    void *args[] = {&p, new pair{{1, 2}}};
    int before = cudaDeviceSynchronize() || p[0] != 7 || p[1] != 9;
    on_the_device<<<1, 1>>>(p, {7}, {4});
    before |= cudaDeviceSynchronize() || p[0] != on_the_host({5}, {2});
    cudaLaunchKernel((void *)first<pair>, 1, 1, args, 0, 0);
    return before || cudaDeviceSynchronize() || p[0] != 1;
}
