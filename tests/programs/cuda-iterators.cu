// SPDX-License-Identifier: Apache-2.0
// weftcc: -std=c++17 --extended-lambda
//
// The headers of libcu++ that CUDA 12.8 and later have: iterators over what is
// not stored, arithmetic of integers, bits, loops of constants, pointers.
#include <cuda/bit>
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/iterator>
#include <cuda/mdspan>
#include <cuda/memory>
#include <cuda/numeric>
#include <cuda/type_traits>
#include <cuda/utility>
#include <cuda/warp>

#include "check.h"

#include <algorithm>
#include <numeric>

struct square {
    __host__ __device__ int operator()(int x) const
    {
        return x * x;
    }
};

// ---- iterators
// ---------------------------------------------------------------

__host__ __device__ static long long iterate(int i)
{
    cuda::counting_iterator<int> count(i);
    auto squares = cuda::make_transform_iterator(count, square());
    auto same = cuda::make_constant_iterator(7);
    auto both = cuda::make_zip_iterator(count, squares, same);
    auto [a, b, c] = both[3];
    long long sum = a + 1000ll * b + 1000000ll * c;
    int data[6] = {1, 2, 4, 8, 16, 32}, order[3] = {5, 0, i % 6};
    auto permuted = cuda::make_permutation_iterator(data, order);
    sum += std::accumulate(permuted, permuted + 3, 0);
    *permuted = 100;
    auto odd = cuda::make_strided_iterator(data + 1, 2);
    sum += odd[2] + (odd + 3 - odd);
    int out[4] = {};
    auto negative =
        cuda::make_transform_output_iterator(out, [](int x) { return -x; });
    std::copy(count, count + 4, negative);
    int last = 0;
    auto table = cuda::make_tabulate_output_iterator(
        [&last](long n, int x) { last += (int)n * x; });
    for (int k = 0; k < 4; k++)
        table[k] = out[k];
    std::copy(squares, squares + 10, cuda::make_discard_iterator());
    std::tuple<int &, int &> refs = *cuda::make_zip_iterator(data, out);
    std::get<1>(refs) = 55;
    auto add = cuda::make_zip_function([](int x, int y) { return x + y; });
    return sum * 100 + last + out[0] + add(std::make_tuple(i, 3)) +
           (squares < squares + 1) + (count != count + 0) + *(--count);
}

// ---- integers
// ------------------------------------------------------------------

__host__ __device__ static long long compute(int i)
{
    enum size : short { some = 100 };
    unsigned u = (unsigned)i * 2654435761u;
    long long sum = cuda::ceil_div(some, 7) + cuda::ceil_ilog2(u | 1) +
                    cuda::ilog10(u | 1) + cuda::ceil_ilog10(i + 1);
    sum = sum * 100 + cuda::isqrt(u) % 97 + cuda::isqrt((unsigned char)i);
    sum += cuda::ipow(3, i % 20) % 1000 + cuda::ipow(-1, -i) +
           cuda::ipow(0, 0) + cuda::ipow((long long)i, 5);
    sum += cuda::next_power_of_two(u >> 3) + cuda::prev_power_of_two(u);
    sum += cuda::mul_hi(u, u + 3) + cuda::mul_hi(-i, 1 << 30) +
           (long long)cuda::mul_hi((unsigned long long)u << 30, 77ull << 33);
    sum += cuda::uabs(-i) + cuda::uabs((signed char)-128) +
           cuda::neg((signed char)-128);
    sum = sum * 8 + cuda::bit_reverse(u) % 1001 +
          cuda::bit_reverse((unsigned char)i) +
          cuda::bitmask(i % 40, i % 35) % 1009 +
          cuda::bitfield_extract(u, i % 33, 5) +
          cuda::bitfield_insert(u, u >> 3, i % 30, 7) % 1013 + cuda::bit_ffs(u);
    auto [value, overflow] = cuda::add_overflow(i * 30000000, 1000000000);
    sum = sum * 2 + value % 7 + overflow;
    auto s = cuda::saturating_mul_overflow(i - 50, 100000000);
    sum += s.value % 1001 + s.overflow +
           cuda::saturating_add_overflow<short>(i * 500, 20000).value +
           cuda::saturating_sub_overflow((unsigned)i, 60u).value +
           cuda::saturating_overflow_cast<signed char>(i * 3 - 150).value +
           cuda::overflow_cast<unsigned char>(i * 3).overflow +
           cuda::div_overflow(-2147483647 - 1, i % 2 ? -1 : 1).overflow;
    unsigned char small = 0;
    sum += cuda::mul_overflow(small, i, 3) + small;
    cuda::static_for<4>([&](auto k) { sum += decltype(k)::value * i; });
    cuda::static_for<long, 9, 1, -3>([&](auto k, int by) { sum += k() * by; },
                                     2);
    return sum + cuda::in_range(i, 10, 20) + cuda::always_true()(i) +
           cuda::maximum<>()(i, 5l);
}

__host__ __device__ static long long divide(int i)
{
    long long sum = 0;
    for (unsigned d : {1u, 2u, 3u, 7u, 10u, 641u, 65536u, 0x7fffffffu,
                       0x80000001u, 0xffffffffu}) {
        cuda::fast_mod_div<unsigned> by(d);
        for (unsigned x : {0u, 1u, (unsigned)i, (unsigned)i * 2654435761u,
                           0xffffffffu, d - 1, d, d + 1}) {
            auto [q, r] = cuda::div(x, by);
            sum += q == x / d && r == x % d && x / by == q && x % by == r;
        }
    }
    cuda::fast_mod_div<long long> by(1000000007ll * (i + 1));
    long long x = 0x123456789abcdefll * (i + 3);
    x &= 0x7fffffffffffffffll;
    sum += x / by == x / (1000000007ll * (i + 1));
    cuda::fast_mod_div<int> of_int(i + 1);
    return sum + (1000000 / of_int == 1000000 / (i + 1)) + (int)of_int;
}

// ---- pointers
// -------------------------------------------------------------------

__device__ int variable = 5;

__global__ void pointers(int *out)
{
    __shared__ alignas(64) char room[256];
    out[0] = cuda::is_aligned(room, 64) && !cuda::is_aligned(room + 1, 2);
    out[1] = cuda::align_up(room + 5, 16) - room;
    out[2] = cuda::align_down(room + 37, 16) - room;
    *cuda::ptr_rebind<int>(room) = 77;
    out[3] = *(int *)room + *cuda::get_device_address(variable);
    out[4] = cuda::ptr_in_range(room + 3, room, room + 3);
    cuda::discard_memory(out, 4);
}

// ---- warps
// -----------------------------------------------------------------------

struct wide {
    double x;
    short y;
};

__global__ void lanes(int *out)
{
    namespace dev = cuda::device;
    int i = (int)threadIdx.x;
    wide v = {i * 1.5, (short)-i};
    auto up = dev::warp_shuffle_up(v, 3);
    auto pair = dev::warp_shuffle_xor<4>(v, 1);
    wide first = dev::warp_shuffle_idx<8>(v, 2);
    auto any = dev::warp_match_any(v.x > 20);
    dev::lane_mask less = dev::lane_mask::all_less();
    out[i] = (int)(up.data.x * 2) + up.pred * 100 + pair.data.y * 1000 +
             (int)first.x * 100000 + __popc((any & less).value()) +
             dev::warp_match_all(v.y < 5) +
             (dev::lane_mask::all_active() == dev::lane_mask::all()) * 7;
}

static_assert(cuda::is_floating_point_v<__half>, "");

static void test_lanes()
{
    buffer<int> out(32);
    lanes<<<1, 32>>>(out.device);
    out.download();
    for (int i = 0; i < 32; i++) {
        int before = i < 14 ? i : i - 14;
        EXPECT_EQ(out[i],
                  (i < 3 ? i : i - 3) * 3 + (i >= 3) * 100 - (i ^ 1) * 1000 +
                      (int)((i / 8 * 8 + 2) * 1.5) * 100000 + before + 1 + 7);
    }
}

int main()
{
    test_lanes();
    int grid[6] = {0, 1, 2, 3, 4, 5};
    cuda::host_mdspan<int, cuda::std::extents<int, 2, 3>> view(grid);
    EXPECT_EQ(view(1, 2), 5);
    CHECK_MAP(long long, iterate, 64);
    CHECK_MAP(long long, compute, 200);
    CHECK_MAP(long long, divide, 50);
    EXPECT_EQ(divide(9), 80 + 1 + 1 + 10);
    EXPECT_EQ(cuda::isqrt(99), 9);
    EXPECT_EQ(cuda::ipow(23, -1), 0);
    EXPECT_EQ(cuda::bitfield_insert(1u, 0xffffu, 3, 4), 0x79);
    EXPECT_EQ(cuda::ceil_ilog10(1000), 3);
    EXPECT_EQ(cuda::saturating_sub_overflow(42u, ~0u).value, 0);
    buffer<int> out(5);
    pointers<<<1, 1>>>(out.device);
    out.download();
    int want[] = {1, 16, 32, 82, 0};
    for (int i = 0; i < 5; i++)
        EXPECT_EQ(out[i], want[i]);
    int *p = cuda::get_device_address(variable), value = 0;
    CHECK(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost));
    EXPECT_EQ(value, 5);
    return finish();
}
