// SPDX-License-Identifier: Apache-2.0
//
// Kernels in every place C++ allows: templates over types, numbers and
// functors, in namespaces, static, overloaded, as friends, in anonymous
// namespaces, called through pointers, with default arguments, none at all.
#include "check.h"

static const int n = 100;

template <typename T, int by> __global__ void scale(T *data)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] = data[i] * (T)by;
}

namespace outer
{
namespace
{
__global__ void shift(int *data, int by = 3)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] += by;
}
} // namespace
} // namespace outer

static __global__ void shift(int *data, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] -= by;
}

static __global__ void shift(float *data, float by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] += by;
}

extern "C" __global__ void with_c_name(int *data)
{
    if (threadIdx.x < n)
        data[threadIdx.x] ^= 0x55;
}

__device__ int nothing_was_called;

__global__ void no_arguments()
{
    if (threadIdx.x == 0)
        atomicAdd(&nothing_was_called, 1);
}

struct less {
    __host__ __device__ bool operator()(int a, int b) const
    {
        return a < b;
    }
};

struct modulo {
    int m;
    __host__ __device__ bool operator()(int a, int b) const
    {
        return a % m < b % m;
    }
};

template <typename T, typename Compare>
__global__ void select(T *out, const T *a, const T *b, Compare compare)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = compare(a[i], b[i]) ? a[i] : b[i];
}

template <template <typename> class Box, typename T>
__global__ void boxed(Box<T> box)
{
    if (threadIdx.x < n)
        box.data[threadIdx.x] += box.by;
}

template <typename T> struct box {
    T *data;
    T by;
};

template <typename... T> __global__ void variadic(int *out, T... values)
{
    out[threadIdx.x] = (0 + ... + (int)values) + threadIdx.x;
}

template <typename T> static void check_scale(const char *name)
{
    buffer<T> data(n);
    std::vector<T> want(n);
    for (int i = 0; i < n; i++) {
        data[i] = (T)(i % 40);
        want[i] = (T)((T)(i % 40) * (T)3);
    }
    data.upload();
    scale<T, 3><<<4, 32>>>(data.device);
    data.download();
    expect_same(name, data, want);
}

static void check_overloads()
{
    buffer<int> data(n);
    buffer<float> other(n);
    std::vector<int> want(n);
    std::vector<float> want_other(n);
    for (int i = 0; i < n; i++) {
        data[i] = i;
        other[i] = (float)i;
        want[i] = ((i + 3 + 10 - 100) ^ 0x55);
        want_other[i] = i + 0.5f;
    }
    data.upload();
    other.upload();
    outer::shift<<<4, 32>>>(data.device, 3);
    outer::shift<<<4, 32>>>(data.device, 10);
    shift<<<4, 32>>>(data.device, 100);
    shift<<<4, 32>>>(other.device, 0.5f);
    with_c_name<<<1, 128>>>(data.device);
    data.download();
    other.download();
    expect_same("overloads", data, want);
    expect_same("overloads of float", other, want_other);
}

static void check_pointers()
{
    void (*table[])(int *, int) = {outer::shift, shift};
    buffer<int> data(n, 0);
    for (auto *kernel : table)
        kernel<<<4, 32>>>(data.device, 7);
    table[0]<<<4, 32>>>(data.device, 5);
    void (*instance)(int *) = scale<int, 11>;
    instance<<<4, 32>>>(data.device);
    data.download();
    expect_same("pointers", data, std::vector<int>(n, 55));
}

static void check_no_arguments()
{
    for (int i = 0; i < 5; i++)
        no_arguments<<<3, 40>>>();
    int calls = 0;
    CHECK(cudaMemcpyFromSymbol(&calls, nothing_was_called, sizeof(calls)));
    EXPECT_EQ(calls, 15);
}

static void check_functors()
{
    buffer<int> out(n), a(n), b(n);
    std::vector<int> want(n), want_modulo(n);
    for (int i = 0; i < n; i++) {
        a[i] = (int)(scramble(i) % 1000);
        b[i] = (int)(scramble(i + n) % 1000);
        want[i] = a[i] < b[i] ? a[i] : b[i];
        want_modulo[i] = a[i] % 7 < b[i] % 7 ? a[i] : b[i];
    }
    a.upload();
    b.upload();
    select<<<4, 32>>>(out.device, a.device, b.device, less());
    out.download();
    expect_same("less", out, want);
    select<<<4, 32>>>(out.device, a.device, b.device, modulo{7});
    out.download();
    expect_same("modulo", out, want_modulo);
}

static void check_templates()
{
    buffer<double> data(n, 0);
    boxed<<<1, 128>>>(box<double>{data.device, 2.5});
    data.download();
    expect_same("boxed", data, std::vector<double>(n, 2.5));

    buffer<int> out(40);
    std::vector<int> want(40);
    for (int i = 0; i < 40; i++)
        want[i] = 1 + 2 + 3 + 'a' + i;
    variadic<<<1, 40>>>(out.device, 1, 2.5, 3.0f, 'a');
    out.download();
    expect_same("variadic", out, want);
}

int main()
{
    check_scale<int>("int");
    check_scale<float>("float");
    check_scale<double>("double");
    check_scale<unsigned char>("bytes");
    check_scale<long long>("long long");
    check_overloads();
    check_pointers();
    check_no_arguments();
    check_functors();
    check_templates();
    return finish();
}
