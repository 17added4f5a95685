// SPDX-License-Identifier: Apache-2.0
//
// The parts of the C++ library that have no state of their own, in kernels of
// C++17: what only C++20 has made constexpr is there, too.
#include <cuda/std/utility>
#include <cuda/std/tuple>
#include <cuda/std/array>
#include <cuda/std/optional>
#include <cuda/std/variant>
#include <cuda/std/algorithm>
#include <cuda/std/numeric>
#include <cuda/std/functional>
#include <cuda/std/complex>
#include <cuda/std/string_view>
#include <cuda/std/iterator>
#include <vector>
#include <map>
#include <string>

#include "check.h"

namespace cs = cuda::std;
struct vis { __host__ __device__ int operator()(int x) const { return x; } __host__ __device__ int operator()(float x) const { return (int)(x*10);} };
__host__ __device__ int mixture(int i)
{
    int a = i, b = i + 1;
    cs::swap(a, b);
    int c = cs::exchange(a, 7);
    cs::pair<int, float> p(1, 2.f), q(3, 4.f);
    p = q; cs::swap(p, q); 
    cs::tuple<int, float> t(1, 2.f), u(3, 4.f);
    t = u; cs::tie(a, cs::ignore) = u;
    cs::array<int, 8> r; r.fill(i); r[3] = 9; cs::sort(r.begin(), r.end()); 
    cs::optional<int> o; o = 5; o.reset(); o.emplace(6); int ov = o.value();
    cs::variant<int, float> v = 3; v = 2.5f; 
    int w = cs::visit(vis{}, v);
    int s = cs::accumulate(r.begin(), r.end(), 0);
    cs::iota(r.begin(), r.end(), 1);
    int s2 = cs::inner_product(r.begin(), r.end(), r.begin(), 0);
    int s3 = cs::reduce(r.begin(), r.end());
    int m = *cs::max_element(r.begin(), r.end());
    int lb = cs::lower_bound(r.begin(), r.end(), 4) - r.begin();
    cs::complex<float> z(1, 2), y = z * z / z + z; z *= y; 
    int inv = cs::invoke(vis{}, 4);
    auto rw = cs::ref(a); rw.get() = 5;
    cs::reverse(r.begin(), r.end()); cs::copy(r.begin(), r.begin()+2, r.begin()+4);
    cs::transform(r.begin(), r.end(), r.begin(), cs::negate<int>());
    int cnt = cs::count_if(r.begin(), r.end(), [](int x){return x < -3;});
    cs::rotate(r.begin(), r.begin()+2, r.end());
    int at = r.at(2);
    return a + b + c + p.first + cs::get<0>(t) + w + s + s2 + s3 + m + lb + (int)y.real() + inv + cnt + ov + at + cs::clamp(i, 2, 5) + cs::gcd(i, 12)+(int)cs::abs(z) + cs::get<float>(v)*2 + r.front() + cs::distance(r.begin(), r.end()) + (int)*cs::next(r.begin());
}
struct number {
    int n;
};
// The host's programs specialise what is compiled for both sides.
namespace std
{
template <> inline void swap(number &a, number &b) noexcept
{
    a.n ^= b.n ^= a.n ^= b.n;
    a.n += 100;
}
} // namespace std

__global__ void refuse()
{
    cs::optional<int> none;
    printf("%d\n", none.value());
}

int main()
{
    CHECK_MAP(int, mixture, 100);
    number one = {1}, two = {2};
    std::swap(one, two);
    EXPECT_EQ(one.n, 102);
    std::optional<int> none;
    bool caught = false;
    try {
        (void)none.value();
    } catch (const std::exception &e) {
        caught = std::string(e.what()) == "bad optional access";
    }
    EXPECT(caught);
    refuse<<<1, 1>>>();
    EXPECT_ERROR(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
    return finish();
}
