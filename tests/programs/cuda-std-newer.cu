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
#include <cuda/std/bitset>
#include <cuda/std/expected>
#include <cuda/std/inplace_vector>
#include <cuda/annotated_ptr>
#include <cuda/functional>
#include <cuda/std/atomic>
#include <cuda/work_stealing>

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

template <typename E> using int_or = cs::expected<int, E>;
static_assert(std::is_trivially_copyable<int_or<char>>::value, "a parameter");

struct counted { // neither copies nor ends as its bytes
    int value;
    int *live;
    __host__ __device__ counted(int value, int *live) : value(value), live(live)
    {
        ++*live;
    }
    __host__ __device__ counted(const counted &c) : counted(c.value, c.live)
    {
    }
    __host__ __device__ counted &operator=(const counted &c)
    {
        value = c.value;
        return *this;
    }
    __host__ __device__ ~counted()
    {
        --*live;
    }
};

__host__ __device__ static int_or<char> half_of(int i)
{
    if (i % 2)
        return cs::unexpected<char>('o');
    return i / 2;
}

__host__ __device__ static int values_or_errors(int i)
{
    int_or<char> a = half_of(i), b = a.and_then(half_of);
    auto c = b.transform([](int x) { return x + 0.5; })
                 .transform_error([](char e) { return (int)e; });
    int sum = a.value_or(-1) + 3 * b.error_or('n') + c.has_value();
    sum += (int)(2 * c.value_or(100)) + (a == b) + (a == i / 2) +
           (b == cs::unexpected<char>('o'));
    sum += *a.or_else([](char) { return int_or<char>(7); });
    cs::expected<void, int> v = cs::unexpected<int>(i);
    sum += v.error() + v.has_value();
    v.emplace();
    sum += v.transform([] { return 5; }).value();
    int live = 0;
    {
        cs::expected<counted, int> x(cs::in_place, i, &live), y(cs::unexpect, 3);
        y = x;
        sum += 1000 * live + y->value;
        x = cs::unexpected(4);
        x.swap(y);
        sum += 10000 * live + x->value + y.error();
    }
    return live ? -1 : sum;
}

__host__ __device__ static unsigned sets_of_bits(int i)
{
    cs::bitset<100> a(0x123456789abcdefull), b;
    b.set(i).flip(99);
    a[70] = b[i];
    a |= b << 3;
    a ^= ~(b >> 60);
    constexpr cs::bitset<8> c("01011");
    static_assert(c.count() == 3 && c.to_ulong() == 11 && c[1], "constants");
    return (unsigned)(a.count() * 1000 + a.test(63) + 2 * b.any() + a[i] +
                      (b << 70).none() * 4 + (a >> 64).to_ullong());
}

__host__ __device__ static int vectors_in_place(int i)
{
    int live = 0, sum;
    {
        cs::inplace_vector<counted, 4> v;
        v.emplace_back(i, &live);
        v.push_back(counted(2, &live));
        v.insert(v.begin(), counted(3, &live));
        sum = live * 100 + v[0].value * 10 + v.back().value;
        v.erase(v.begin() + 1);
        cs::inplace_vector<counted, 4> w = v, x = {counted(9, &live)};
        w.swap(x);
        sum += live * 1000 + w.front().value + x[1].value;
        x.unchecked_push_back(w[0]);
        x.unchecked_push_back(w[0]);
        sum += x.try_emplace_back(0, &live) ? -1000000 : (int)x.size();
    }
    cs::inplace_vector<int, 8> n(3, i), m = {1, 2};
    n.resize(5);
    return live ? -1 : sum + (m < n) + n[4] + n[2] + (n == m);
}

__host__ __device__ static unsigned swapped(int i)
{
    return cs::byteswap(i * 0x1234567u) ^ cs::byteswap((unsigned short)i) ^
           (unsigned)cs::byteswap(0x1122334455667788ll);
}

__host__ __device__ static int by_functions(int i)
{
    cs::atomic<int> a;
    cs::atomic_init(&a, i);
    int old = cs::atomic_fetch_add_explicit(&a, 5, cs::memory_order_relaxed);
    old += cs::atomic_exchange(&a, 3);
    int seen = 4;
    old += cs::atomic_compare_exchange_strong(&a, &seen, 1) + seen;
    cs::atomic_flag flag(false);
    flag.wait(true);
    old += cs::atomic_flag_test_and_set(&flag) + 2 * flag.test();
    cs::atomic_notify_all(&a);
    return old * 10 + cs::atomic_load(&a);
}

// Blocks of our device cannot be cancelled.
__global__ void own_block(int *done)
{
    cuda::for_each_canceled_block<1>([=](dim3 block) {
        atomicAdd(&done[block.x], 1);
    });
}

struct alignas(128) wide {
    int value = 5;
};

// More than malloc aligns to. What new gives, delete takes.
__global__ void wide_objects(int *wrong)
{
    for (int i = 0; i < 3; i++) {
        wide *one = new wide, *four = new wide[4];
        if (((size_t)one | (size_t)four) % 128 || one->value != 5 ||
            four[3].value != 5)
            atomicAdd(wrong, 1);
        delete one;
        delete[] four;
    }
}

static void check_kernels()
{
    buffer<int> done(3, 0), wrong(1, 0);
    own_block<<<3, 1>>>(done.device);
    wide_objects<<<2, 40>>>(wrong.device);
    done.download();
    wrong.download();
    expect_same("blocks", done, std::vector<int>{1, 1, 1});
    EXPECT_EQ(wrong.host[0], 0);
}

// In the runtime's attributes, and of a range.
static void check_properties()
{
    cudaAccessPolicyWindow window = {};
    window.hitProp = cuda::access_property::persisting{};
    window.missProp = cuda::access_property::streaming{};
    EXPECT_EQ(window.hitProp, cudaAccessPropertyPersisting);
    EXPECT_EQ(window.missProp, cudaAccessPropertyStreaming);
    int x[4] = {1, 2, 3, 4};
    cuda::access_property some(x, 8, 16, cuda::access_property::persisting{});
    cuda::annotated_ptr<int, cuda::access_property> p(x, some);
    EXPECT_EQ(p[3], 4);
}

int main()
{
    std::vector<int> numbers(4);
    cs::span<int> all(numbers);
    EXPECT_EQ(all.size(), 4);
    CHECK_MAP(int, newer, 100);
    CHECK_MAP(int, text, 10);
    CHECK_MAP(int, values_or_errors, 40);
    CHECK_MAP(unsigned, sets_of_bits, 99);
    CHECK_MAP(int, vectors_in_place, 10);
    CHECK_MAP(unsigned, swapped, 50);
    CHECK_MAP(int, by_functions, 10);
    check_kernels();
    check_properties();
    return finish();
}
