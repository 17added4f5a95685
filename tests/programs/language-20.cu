// SPDX-License-Identifier: Apache-2.0
// weftcc: -std=c++20 --extended-lambda --expt-relaxed-constexpr
//
// C++20 in device code.
#include <bit>
#include <compare>
#include <array>
#include <concepts>
#include <span>

#include <cuda/std/ranges>

#include "check.h"

template <typename T>
concept number = std::integral<T> || std::floating_point<T>;

template <number T> __host__ __device__ T twice(T x)
{
    return x + x;
}
template <typename T>
    requires(!number<T>)
__host__ __device__ int twice(T p)
{
    return *p * 2;
}

consteval int square(int x)
{
    return x * x;
}

struct version {
    int major, minor;
    __host__ __device__ constexpr auto
    operator<=>(const version &) const = default;
};

struct options {
    int width = 1, height = 2;
    bool is_deep = false;
};

__host__ __device__ static int features(int i)
{
    version a{1, i % 5}, b{.major = 1, .minor = 2};
    options o{.width = i, .is_deep = i % 2 == 0};
    int sum = twice(i) + (int)twice(0.5f) + twice(&i) + square(5);
    sum += a < b ? 100 : a == b ? 200 : 300;
    sum += o.width * o.height + o.is_deep;
    auto generic = []<typename T>(T value, auto... rest) {
        return (int)(value + ... + rest);
    };
    sum += generic(i, 2, 3.5f);
    int data[] = {i, i + 1, i + 2};
    std::span<int, 3> view(data);
    for (int count = 0; int x : view)
        sum += x * ++count;
    sum += std::popcount((unsigned)i) + std::countl_zero((unsigned)i | 1) +
           (int)std::bit_ceil((unsigned)i + 1);
    if (i > 10) [[likely]]
        sum++;
    int j = i;
    std::swap(i, j);
    using enum std::endian;
    return sum + (std::endian::native == little);
}

// Concepts of ranges call functions that never run.
__host__ __device__ static int ranges(int i)
{
    std::array<int, 4> a{i, 3, i / 2, 1};
    static_assert(std::ranges::contiguous_range<decltype(a)>);
    cuda::std::ranges::subrange part(a.begin() + 1, a.end());
    int sum = (int)part.size() * 100 + part.back();
    for (int x : a | std::views::transform([](int x) { return 2 * x; }) |
                     std::views::filter([](int x) { return x > 4; }))
        sum += x;
    return sum;
}

template <typename T>
    requires std::integral<T>
__global__ void constrained(T *out)
{
    out[threadIdx.x] = [=]<int N>(std::integral_constant<int, N>) {
        return (T)(threadIdx.x * N);
    }(std::integral_constant<int, 3>());
}

int main()
{
    CHECK_MAP(int, features, 40);
    CHECK_MAP(int, ranges, 40);
    buffer<int> out(32);
    constrained<<<1, 32>>>(out.device);
    out.download();
    for (int i = 0; i < 32; i++)
        EXPECT_EQ(out[i], i * 3);
    return finish();
}
