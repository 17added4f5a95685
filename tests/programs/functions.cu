// SPDX-License-Identifier: Apache-2.0
// also: WEFT_SPLIT=15 CUDA_CACHE_DISABLE=1
//
// Calls on the device: recursion of varying depth, mutual recursion, tables of
// function pointers in every memory, virtual functions on objects that the
// device built, functors, lambdas, structures passed and returned by value.
#include "check.h"

static __host__ __device__ __noinline__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static __host__ __device__ int varying_depth(int i)
{
    return fibonacci(i % 13);
}

static __host__ __device__ __noinline__ int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

static __host__ __device__ int deep(int i)
{
    return ackermann(2, i % 9);
}

static __host__ __device__ __noinline__ bool is_odd(unsigned n);

static __host__ __device__ __noinline__ bool is_even(unsigned n)
{
    return n == 0 ? true : is_odd(n - 1);
}

static __host__ __device__ __noinline__ bool is_odd(unsigned n)
{
    return n == 0 ? false : is_even(n - 1);
}

static __host__ __device__ int mutual(int i)
{
    return is_even(i % 31) * 10 + is_odd(i % 17);
}

struct large {
    int values[12];
    double sum;
};

static __host__ __device__ __noinline__ large shifted(large l, int by)
{
    large r = {};
    for (int k = 0; k < 12; k++)
        r.values[(k + by) % 12] = l.values[k];
    r.sum = l.sum + by;
    return r;
}

static __host__ __device__ double by_value(int i)
{
    large l = {};
    for (int k = 0; k < 12; k++)
        l.values[k] = k * i;
    l = shifted(shifted(l, i % 5), i % 7);
    return l.sum + l.values[i % 12] * 100;
}

static __host__ __device__ __noinline__ float3 cross(float3 a, float3 b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
            a.x * b.y - a.y * b.x};
}

static __host__ __device__ float small_values(int i)
{
    float3 a = {(float)(i % 7), 2, (float)(i % 3)}, b = {1, (float)(i % 5), 4};
    float3 c = cross(a, b);
    return c.x * 10000 + c.y * 100 + c.z;
}

// Only lanes of a branch call, in a loop, and the result is used after it.
static __host__ __device__ int call_in_branch(int i)
{
    int x = 0;
    for (int k = 0; k < i % 6; k++)
        if ((i + k) % 2)
            x += fibonacci(k + 3);
        else
            x -= ackermann(1, k);
    return x;
}

typedef int (*operation)(int, int);

__device__ __noinline__ int add(int a, int b)
{
    return a + b;
}
__device__ __noinline__ int subtract(int a, int b)
{
    return a - b;
}
__device__ __noinline__ int multiply(int a, int b)
{
    return a * b;
}
__device__ __noinline__ int nested(int a, int b)
{
    return multiply(a, add(b, 1)) + (a > 10 ? subtract(a, b) : 0);
}

__constant__ operation in_constant[4] = {add, subtract, multiply, nested};
__device__ operation in_global[4] = {nested, multiply, subtract, add};

__global__ void tables(int *out, int n)
{
    __shared__ operation in_shared[4];
    if (threadIdx.x < 4)
        in_shared[threadIdx.x] = in_constant[3 - threadIdx.x];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    operation in_local[2] = {subtract, nested};
    int x = in_constant[i % 4](i, 3);      // varying
    x += in_global[blockIdx.x % 4](x, i);  // uniform in the block
    x += in_shared[scramble(i) % 4](i, 2); // varying
    x += in_local[scramble(i) >> 8 & 1](x, 5);
    if (i % 3)
        x += (i % 2 ? add : multiply)(x, i); // under a branch
    out[i] = x;
}

static int host_operation(int which, int a, int b)
{
    switch (which) {
    case 0:
        return a + b;
    case 1:
        return a - b;
    case 2:
        return (int)((unsigned)a * (unsigned)b);
    default:
        return (int)((unsigned)a * (unsigned)(b + 1)) + (a > 10 ? a - b : 0);
    }
}

static void check_tables()
{
    const int n = 500, block = 64;
    buffer<int> out(n);
    std::vector<int> want(n);
    for (int i = 0; i < n; i++) {
        int x = host_operation(i % 4, i, 3);
        x += host_operation(3 - i / block % 4, x, i);
        x += host_operation(3 - (int)(scramble(i) % 4), i, 2);
        x += host_operation(scramble(i) >> 8 & 1 ? 3 : 1, x, 5);
        if (i % 3)
            x += host_operation(i % 2 ? 0 : 2, x, i);
        want[i] = x;
    }
    tables<<<(n + block - 1) / block, block>>>(out.device, n);
    out.download();
    expect_same("tables", out, want);
}

// The host fetches a pointer and passes it on.
__global__ void passed(int *out, operation f)
{
    out[threadIdx.x] = f ? f(threadIdx.x, 11) : -1;
}

static void check_passed()
{
    buffer<int> out(40);
    std::vector<int> want(40);
    operation table[4];
    CHECK(cudaMemcpyFromSymbol(table, in_global, sizeof(table)));
    const int which[4] = {3, 2, 1, 0};
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < 40; i++)
            want[i] = host_operation(which[k], i, 11);
        passed<<<1, 40>>>(out.device, table[k]);
        out.download();
        expect_same("passed", out, want);
    }
    passed<<<1, 40>>>(out.device, nullptr);
    out.download();
    expect_same("passed null", out, std::vector<int>(40, -1));
}

struct shape {
    __device__ virtual float area() const = 0;
    __device__ virtual int corners() const
    {
        return 0;
    }
    __device__ virtual ~shape()
    {
    }
};

struct circle : shape {
    float radius;
    __device__ explicit circle(float r) : radius(r)
    {
    }
    __device__ float area() const override
    {
        return 3 * radius * radius;
    }
};

struct box : shape {
    float a, b;
    __device__ box(float x, float y) : a(x), b(y)
    {
    }
    __device__ float area() const override
    {
        return a * b;
    }
    __device__ int corners() const override
    {
        return 4;
    }
};

struct frame : box {
    float hole;
    __device__ frame(float x, float y, float h) : box(x, y), hole(h)
    {
    }
    __device__ float area() const override
    {
        return box::area() - hole;
    }
};

__global__ void build(shape **shapes, int n)
{
    int i = thread_in_grid();
    if (i >= n)
        return;
    float x = (float)(i % 10);
    if (i % 3 == 0)
        shapes[i] = new circle(x);
    else if (i % 3 == 1)
        shapes[i] = new box(x, 2);
    else
        shapes[i] = new frame(x, 5, 1);
}

__global__ void measure(float *out, shape **shapes, int n)
{
    int i = thread_in_grid();
    if (i < n)
        out[i] = shapes[i]->area() * 10 + (float)shapes[i]->corners();
}

__global__ void destroy(shape **shapes, int n)
{
    int i = thread_in_grid();
    if (i < n)
        delete shapes[i];
}

static void check_virtual()
{
    const int n = 200;
    buffer<shape *> shapes(n);
    buffer<float> out(n);
    std::vector<float> want(n);
    for (int i = 0; i < n; i++) {
        float x = (float)(i % 10);
        want[i] = i % 3 == 0   ? 30 * x * x
                  : i % 3 == 1 ? 20 * x + 4
                               : 50 * x - 10 + 4;
    }
    build<<<4, 64>>>(shapes.device, n);
    measure<<<4, 64>>>(out.device, shapes.device, n);
    destroy<<<4, 64>>>(shapes.device, n);
    out.download();
    expect_same("virtual functions", out, want);
}

template <typename F> __device__ __noinline__ int twice(F f, int x)
{
    return f(f(x));
}

__global__ void closures(int *out, int base)
{
    int i = threadIdx.x;
    auto scaled = [=](int x) { return x * base + i; };
    struct offset {
        int by;
        __device__ int operator()(int x) const
        {
            return x - by;
        }
    };
    out[i] = twice(scaled, i) + twice(offset{i % 4}, 1000);
}

static void check_closures()
{
    buffer<int> out(70);
    std::vector<int> want(70);
    for (int i = 0; i < 70; i++)
        want[i] = (i * 3 + i) * 3 + i + 1000 - 2 * (i % 4);
    closures<<<1, 70>>>(out.device, 3);
    out.download();
    expect_same("closures", out, want);
}

int main()
{
    const int n = 200;
    CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 16384));
    CHECK_MAP(int, varying_depth, n);
    CHECK_MAP(int, deep, n);
    CHECK_MAP(int, mutual, n);
    CHECK_MAP(double, by_value, n);
    CHECK_MAP(float, small_values, n);
    CHECK_MAP(int, call_in_branch, n);
    check_tables();
    check_passed();
    check_virtual();
    check_closures();
    return finish();
}
