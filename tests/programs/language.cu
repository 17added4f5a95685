// SPDX-License-Identifier: Apache-2.0
// weftcc: -std=c++17 --extended-lambda --expt-relaxed-constexpr
//
// The language of device code up to C++17: what programs use beyond C.
#include <array>
#include <limits>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include "check.h"

// ---- macros that programs choose their way by ------------------------------

#if !defined(__CUDACC__) || !defined(__NVCC__) ||                              \
    __CUDACC_VER_MAJOR__ != 12 || CUDART_VERSION / 1000 != 12 ||  !defined(__CUDACC_EXTENDED_LAMBDA__) ||       \
    !defined(__CUDACC_RELAXED_CONSTEXPR__)
#error "nvcc's macros"
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#error "__CUDA_ARCH__"
#endif

// ---- lambdas ----------------------------------------------------------------

template <typename Function> __global__ void apply(int *out, Function f)
{
    out[thread_in_grid()] = f(thread_in_grid());
}

template <typename Function> static std::vector<int> run(Function f)
{
    buffer<int> out(64);
    apply<<<2, 32>>>(out.device, f);
    out.download();
    return out.host;
}

static void lambdas()
{
    int factor = 3;
    std::array<int, 4> table = {{1, 10, 100, 1000}};
    auto plain = [=] __device__(int i) { return i * factor; };
    auto both = [=] __host__ __device__(int i) { return table[i % 4] + i; };
    std::vector<int> a = run(plain), b = run(both);
    for (int i = 0; i < 64; i++) {
        EXPECT_EQ(a[i], i * 3);
        EXPECT_EQ(b[i], both(i));
    }
    std::vector<int> c = run([=] __device__(int i) {
        auto twice = [](auto x) { return x + x; };
        auto add = [&](int y) { return y + i; };
        return add(twice(i)) + (int)twice(0.5);
    });
    for (int i = 0; i < 64; i++)
        EXPECT_EQ(c[i], 3 * i + 1);
}

// ---- classes ----------------------------------------------------------------

struct shape {
    int id;
    __host__ __device__ explicit shape(int id) : id(id)
    {
    }
    __host__ __device__ virtual ~shape()
    {
        id = -1;
    }
    __host__ __device__ virtual int area() const = 0;
    __host__ __device__ virtual int corners() const
    {
        return 0;
    }
};
struct square final : shape {
    int side;
    __host__ __device__ square(int id, int side) : shape(id), side(side)
    {
    }
    __host__ __device__ int area() const override
    {
        return side * side;
    }
    __host__ __device__ int corners() const override
    {
        return 4;
    }
};
struct disc : shape {
    int radius;
    __host__ __device__ disc(int id, int radius) : shape(id), radius(radius)
    {
    }
    __host__ __device__ int area() const override
    {
        return 3 * radius * radius;
    }
};

__host__ __device__ static int classes(int i)
{
    alignas(16) unsigned char room[2][sizeof(disc)];
    shape *s[2] = {new (room[0]) square(i, i % 7), new (room[1]) disc(i, 2)};
    int sum = 0;
    for (shape *one : s)
        sum += one->area() * 10 + one->corners() + one->id * 1000;
    s[i % 2]->~shape();
    return sum + s[i % 2]->id;
}

__global__ void heap(int *out)
{
    shape *s;
    if (threadIdx.x % 2)
        s = new square(1, threadIdx.x);
    else
        s = new disc(2, threadIdx.x);
    int *numbers = new int[4]{1, 2, 3, (int)threadIdx.x};
    out[threadIdx.x] = s->area() + numbers[3];
    delete[] numbers;
    delete s;
}

// ---- functions --------------------------------------------------------------

__host__ __device__ static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__host__ __device__ static int increment(int x)
{
    return x + 1;
}
__host__ __device__ static int negate(int x)
{
    return -x;
}
typedef int (*function)(int);

__host__ __device__ static int functions(int i)
{
    function table[3] = {increment, negate, fibonacci};
    int (*f)(int) = table[i % 3];
    int square::*member = &square::side;
    int (square::*method)() const = &square::area;
    square s(0, i % 5);
    return f(i % 12) * 1000 + s.*member * 10 + (s.*method)();
}

__device__ int by_pointer(int x)
{
    return x * 2;
}
__device__ function chosen = by_pointer;
__global__ void pointers(int *out)
{
    out[threadIdx.x] = chosen((int)threadIdx.x);
}

// ---- templates and constants ------------------------------------------------

constexpr int cube(int x) // neither __host__ nor __device__
{
    return x * x * x;
}
template <typename... T> __host__ __device__ int total(T... values)
{
    return (0 + ... + (int)values);
}
template <int N> struct power {
    static constexpr int value = 2 * power<N - 1>::value;
};
template <> struct power<0> {
    static constexpr int value = 1;
};
template <typename T> __host__ __device__ int kind_of(T value)
{
    if constexpr (std::is_integral_v<T>)
        return (int)value + 1;
    else if constexpr (std::is_pointer_v<T>)
        return *value + 2;
    else
        return (int)(value * 2);
}
struct pair_of {
    int left;
    short right;
};
inline constexpr int primes[] = {2, 3, 5, 7, 11};
enum class color : unsigned char { red = 1, green = 2 };
union word {
    float as_float;
    unsigned int as_bits;
};
struct packed {
    unsigned int low : 5, high : 7;
};

__host__ __device__ static int templates(int i)
{
    auto [left, right] = pair_of{i, (short)(i + 1)};
    auto [x, y, z] = std::make_tuple(i, 2.5f, 'a');
    std::array<int, 3> a{{i, cube(3), power<5>::value}};
    word w;
    w.as_float = 1.0f + i;
    packed bits = {(unsigned)i, (unsigned)i * 3};
    color c = i % 2 ? color::red : color::green;
    int sum = left * right + x + (int)y + z + total(1, 2.5, 'b', i);
    for (int value : a)
        sum += value;
    for (auto p : primes)
        sum += p;
    switch (c) {
    case color::red:
        sum += 100;
        [[fallthrough]];
    case color::green:
        sum += 1000;
    }
    if (int k = i % 4; k > 1)
        sum += k * 10000;
    sum += kind_of(i) + kind_of(&i) + kind_of(0.5f * i);
    sum += bits.low * 3 + bits.high + (w.as_bits >> 20);
    sum += std::min(i, 5) + std::max(i, 7) + std::numeric_limits<short>::max();
    return sum + (std::is_same_v<decltype(z), char> ? 5 : 0) + cube(i % 10);
}

// ---- what CUDA adds ---------------------------------------------------------

struct big {
    int values[40];
};
template <int Threads>
__global__ __launch_bounds__(Threads, 2) void bounded(
    int *out, const __grid_constant__ big parameter)
{
    int sum = 0;
#pragma unroll
    for (int i = 0; i < 40; i++)
        sum += parameter.values[i];
#pragma unroll 4
    for (int i = 0; i < (int)threadIdx.x; i++)
        sum += i;
#pragma unroll 1
    for (int i = 0; i < 3; i++)
        sum++;
#pragma nounroll
    for (int i = 0; i < 2; i++)
        sum++;
    out[threadIdx.x] = sum;
}

__managed__ int shared_by_both[4] = {1, 2, 3, 4};
__constant__ pair_of fixed = {5, 6};
__device__ constexpr float halves[3] = {0.5f, 1.5f, 2.5f};
__device__ constexpr float two() // gcc's sqrt is constant, clang's is not
{
    return ::sqrt(4.f);
}
__device__ int counter;

__global__ void variables(int *out)
{
    __shared__ int tile[4];
    static __device__ int calls;
    extern __shared__ int dynamic[];
    tile[threadIdx.x % 4] = 0;
    dynamic[threadIdx.x] = threadIdx.x;
    __syncthreads();
    atomicAdd(&calls, 1);
    atomicAdd(&shared_by_both[threadIdx.x % 4], fixed.left);
    atomicAdd(&counter, fixed.right);
    __syncthreads();
    out[threadIdx.x] = calls + tile[0] + dynamic[(threadIdx.x + 1) % 32] +
                       (int)(halves[threadIdx.x % 3] * two());
}

int main()
{
    lambdas();
    CHECK_MAP(int, classes, 50);
    CHECK_MAP(int, functions, 60);
    CHECK_MAP(int, templates, 30);

    buffer<int> out(64);
    heap<<<1, 64>>>(out.device);
    out.download();
    for (int i = 0; i < 64; i++)
        EXPECT_EQ(out[i], (i % 2 ? 1 : 3) * i * i + i);

    pointers<<<1, 64>>>(out.device);
    out.download();
    for (int i = 0; i < 64; i++)
        EXPECT_EQ(out[i], 2 * i);

    big b;
    for (int i = 0; i < 40; i++)
        b.values[i] = i;
    bounded<64><<<1, 64>>>(out.device, b);
    out.download();
    for (int i = 0; i < 64; i++)
        EXPECT_EQ(out[i], 780 + i * (i - 1) / 2 + 5);

    variables<<<1, 32, 32 * sizeof(int)>>>(out.device);
    out.download();
    for (int i = 0; i < 32; i++)
        EXPECT_EQ(out[i], 32 + (i + 1) % 32 + 1 + i % 3 * 2);
    for (int i = 0; i < 4; i++)
        EXPECT_EQ(shared_by_both[i], i + 1 + 8 * 5);
    int counted;
    CHECK(cudaMemcpyFromSymbol(&counted, counter, sizeof counted));
    EXPECT_EQ(counted, 32 * 6);
    return finish();
}
