// SPDX-License-Identifier: Apache-2.0
//
// What cuda::std has of C++20 and C++23 whatever the standard.
#include <vector>
#include <string>
#include <cuda/std/functional>
#include <cuda/std/span>
#include <cuda/std/bit>
#include <cuda/std/numbers>
#include <cuda/std/numeric>
#include <cuda/std/array>
#include <cuda/std/type_traits>
#include <cuda/std/string_view>
#include <cuda/std/utility>
#include <cuda/functional>

#include "check.h"

namespace cs = cuda::std;
__host__ __device__ int newer(int i)
{
    int d[6] = {1, 2, i, 4, 5, 6};
    cs::span<int> s(d, 6);
    cs::span<int, 6> f(d);
    cs::span<const int> c = f;
    int sum = 0;
    for (int x : s.subspan(1, 3)) sum += x;
    for (int x : f.last<2>()) sum += 10 * x;
    sum += c.size_bytes() + s.first(2).back() + f.subspan<2>().size();
    sum += cs::identity()(i) + cs::popcount(0xffu) + cs::countl_zero((unsigned char)1) + cs::countr_zero(8ull) + cs::bit_ceil(17u) + cs::bit_floor(17u) + cs::rotl(1u, 33) + cs::rotr((unsigned short)1, 1) + cs::bit_width(9u) + cs::has_single_bit(8u);
    sum += cs::bit_cast<int>(1.0f) + (int)(cs::numbers::pi * 100) + (int)(cs::numbers::e_v<float> * 100) + cs::midpoint(1, 8) + cs::midpoint(8, 1);
    auto a = cs::to_array({1, 2, 3});
    static_assert(cs::is_same_v<cs::remove_cvref_t<const int &>, int>);
    sum += a[1] + cs::cmp_less(-1, 1u) + cs::in_range<signed char>(200) + cs::ssize(a);
    return sum + cuda::maximum<>{}(3, i) + (cs::accumulate(s.begin(), s.end(), 0, cuda::minimum<int>{}));
}

// Their functions are builtins to the compiler, and no instructions.
__host__ __device__ static int text(int i)
{
    const char words[] = "hello\0help!";
    cs::string_view v(words + 6 * (i % 2));
    return (int)(v.size() * 100 + v.find('l') * 10) + (v == "hello") +
           (v.compare("hello") < 0) * 2 + (int)v.substr(3).size() * 1000;
}

int main()
{
    std::vector<int> numbers(4);
    cs::span<int> all(numbers);
    EXPECT_EQ(all.size(), 4);
    CHECK_MAP(int, newer, 100);
    CHECK_MAP(int, text, 10);
    return finish();
}
