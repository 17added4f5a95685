// SPDX-License-Identifier: Apache-2.0
//
// Every atomic function for every type, at the scope of a block, the device
// and the system, on global and on shared memory: 64 threads, whose results
// before and after are checked. Programming guide, "Atomic Functions".
#include <algorithm>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "check.h"

enum { THREADS = 64 };
typedef unsigned long long ull;

// What thread i brings along: the functions below give the same result in any
// order.
#define EACH_FUNCTION(ROW)                                                     \
    ROW(Add, int, 3, i - 20)                                                   \
    ROW(Add, unsigned, 3, i << 20)                                             \
    ROW(Add, ull, 3, (ull)i << 40)                                             \
    ROW(Add, float, 0.5f, i * 0.25f)                                           \
    ROW(Add, double, 0.5, i * 0x1p-30)                                         \
    ROW(Sub, int, 3, i - 20)                                                   \
    ROW(Sub, unsigned, 3, i << 20)                                             \
    ROW(Exch, int, -1, i)                                                      \
    ROW(Exch, unsigned, ~0u, i)                                                \
    ROW(Exch, ull, ~0ull, i)                                                   \
    ROW(Exch, float, -1.0f, i)                                                 \
    ROW(Min, int, 5, 20 - i)                                                   \
    ROW(Min, unsigned, ~0u, 0x80000000u + i)                                   \
    ROW(Min, ull, ~0ull, (1ull << 63) + i)                                     \
    ROW(Min, long long, 5, 20 - i)                                             \
    ROW(Max, int, -5, i - 90)                                                  \
    ROW(Max, unsigned, 7, 0x80000000u + i)                                     \
    ROW(Max, ull, 7, (1ull << 63) + i)                                         \
    ROW(Max, long long, -500, i - 90)                                          \
    ROW(Inc, unsigned, 0, 40)                                                  \
    ROW(Dec, unsigned, 0, 40)                                                  \
    ROW(And, int, -1, ~(1 << i % 31))                                          \
    ROW(And, unsigned, ~0u, ~(1u << i % 31))                                   \
    ROW(And, ull, ~0ull, ~(1ull << i))                                         \
    ROW(Or, int, 0, 1 << i % 31)                                               \
    ROW(Or, unsigned, 0, 1u << i % 31)                                         \
    ROW(Or, ull, 0, 1ull << i)                                                 \
    ROW(Xor, int, 0, i * 0x1010101)                                            \
    ROW(Xor, unsigned, 0, i * 0x1010101)                                       \
    ROW(Xor, ull, 0, i * 0x101010101010101ull)

// One thread's operation, in plain C++.
template <typename T> static T plain_Add(T a, T b)
{
    return a + b;
}
template <typename T> static T plain_Sub(T a, T b)
{
    return a - b;
}
template <typename T> static T plain_Exch(T, T b)
{
    return b;
}
template <typename T> static T plain_Min(T a, T b)
{
    return std::min(a, b);
}
template <typename T> static T plain_Max(T a, T b)
{
    return std::max(a, b);
}
template <typename T> static T plain_Inc(T a, T b)
{
    return a >= b ? 0 : a + 1;
}
template <typename T> static T plain_Dec(T a, T b)
{
    return a == 0 || a > b ? b : a - 1;
}
template <typename T> static T plain_And(T a, T b)
{
    return a & b;
}
template <typename T> static T plain_Or(T a, T b)
{
    return a | b;
}
template <typename T> static T plain_Xor(T a, T b)
{
    return a ^ b;
}

// global: three words, one for each scope; before: what the device's returned
template <typename T, typename Device, typename Block, typename System>
__device__ void try_all(T *global, T *before, T *shared_result, T start, T mine,
                        Device device, Block block, System system)
{
    __shared__ T shared[3];
    int i = threadIdx.x;
    if (i < 3)
        shared[i] = start;
    __syncthreads();
    before[i] = device(global, mine);
    block(global + 1, mine);
    system(global + 2, mine);
    device(shared, mine);
    block(shared + 1, mine);
    system(shared + 2, mine);
    __syncthreads();
    if (i < 3)
        shared_result[i] = shared[i];
}

template <typename T> struct numbers {
    T global[3], shared[3], before[THREADS];
};

template <typename T>
static void check_numbers(const char *name, const numbers<T> &n, T want,
                          bool is_last)
{
    for (int k = 0; k < 3; k++) {
        T got[] = {n.global[k], n.shared[k]};
        for (T v : got) // of exchanges any thread's may be the last
            if (is_last ? !(v >= 0 && v < THREADS) : v != want)
                FAIL("%s: scope %d: %g, should be %g", name, k, (double)v,
                     (double)want);
    }
}

// What came back, applied to what each thread brought, is a permutation of the
// way from the start to the end: every intermediate value once.
template <typename T, typename Plain, typename Mine>
static void check_before(const char *name, const numbers<T> &n, T start, T end,
                         Plain plain, Mine mine)
{
    std::vector<T> seen, made;
    for (int i = 0; i < THREADS; i++) {
        seen.push_back(n.before[i]);
        made.push_back(plain(n.before[i], mine(i)));
    }
    seen.push_back(end);
    made.push_back(start);
    std::sort(seen.begin(), seen.end());
    std::sort(made.begin(), made.end());
    if (seen != made)
        FAIL("%s: the values before do not follow from each other", name);
}

template <typename T, typename Kernel, typename Plain, typename Mine>
static void run(const char *name, Kernel kernel, T start, Plain plain,
                Mine mine, bool is_last)
{
    buffer<numbers<T>> n(1);
    for (T &v : n.host[0].global)
        v = start;
    n.upload();
    kernel<<<1, THREADS>>>(n.device);
    CHECK_KERNEL();
    n.download();
    T want = start;
    for (int i = 0; i < THREADS; i++)
        want = plain(want, mine(i));
    check_numbers(name, n.host[0], want, is_last);
    check_before(name, n.host[0], start, n.host[0].global[0], plain, mine);
}

template <int row> struct form;
#define ROW(op, T, start, value)                                               \
    template <> struct form<__COUNTER__> {                                     \
        static __device__ void on_device(numbers<T> *n)                        \
        {                                                                      \
            int i = threadIdx.x;                                               \
            try_all<T>(                                                        \
                n->global, n->before, n->shared, (T)(start), (T)(value),       \
                [](T *p, T v) { return atomic##op(p, v); },                    \
                [](T *p, T v) { return atomic##op##_block(p, v); },            \
                [](T *p, T v) { return atomic##op##_system(p, v); });          \
        }                                                                      \
        typedef T type;                                                        \
        static T start_value()                                                 \
        {                                                                      \
            return (T)(start);                                                 \
        }                                                                      \
        static T mine(int i)                                                   \
        {                                                                      \
            (void)i;                                                           \
            return (T)(value);                                                 \
        }                                                                      \
        static T plain(T a, T b)                                               \
        {                                                                      \
            return plain_##op<T>(a, b);                                        \
        }                                                                      \
        static const char *name()                                              \
        {                                                                      \
            return "atomic" #op " of " #T;                                     \
        }                                                                      \
        static bool is_exchange()                                              \
        {                                                                      \
            return #op[0] == 'E';                                              \
        }                                                                      \
    };
EACH_FUNCTION(ROW)
#undef ROW
enum { FORMS = __COUNTER__ };

template <int row> __global__ void kernel(numbers<typename form<row>::type> *n)
{
    form<row>::on_device(n);
}

template <int row> struct all_before {
    static void check()
    {
        all_before<row - 1>::check();
        typedef form<row - 1> f;
        run<typename f::type>(f::name(), kernel<row - 1>, f::start_value(),
                              f::plain, f::mine, f::is_exchange());
    }
};
template <> struct all_before<0> {
    static void check()
    {
    }
};

// ---- compare and swap, and halves -------------------------------------------

template <typename T> __device__ T swap(T *p, int scope, T seen, T next)
{
    return scope == 0   ? atomicCAS(p, seen, next)
           : scope == 1 ? atomicCAS_block(p + 1, seen, next)
                        : atomicCAS_system(p + 2, seen, next);
}

// CUDA has 16 bits without a scope only.
__device__ unsigned short swap(unsigned short *p, int scope,
                               unsigned short seen, unsigned short next)
{
    return atomicCAS(p + scope, seen, next);
}

template <typename T> __global__ void swaps(T *p)
{
    for (int scope = 0; scope < 3; scope++) {
        T old = p[scope], seen;
        do {
            seen = old;
            old = swap(p, scope, seen, (T)(seen + 3));
        } while (old != seen);
    }
}

template <typename T> static void check_swaps()
{
    buffer<T> p(std::vector<T>(4, 7));
    swaps<T><<<1, THREADS>>>(p.device);
    CHECK_KERNEL();
    p.download();
    for (int k = 0; k < 4; k++)
        EXPECT_EQ(p.host[k], k < 3 ? 7 + 3 * THREADS : 7);
}

__global__ void halves(__half *h, __half2 *h2, __nv_bfloat16 *b,
                       __nv_bfloat162 *b2)
{
    atomicAdd(h, __float2half(0.5f));
    atomicAdd(h2, __floats2half2_rn(0.5f, -1.0f));
    atomicAdd(b, __float2bfloat16(0.5f));
    atomicAdd(b2, __floats2bfloat162_rn(0.5f, -1.0f));
}

static void check_halves()
{
    buffer<__half> h(std::vector<__half>(2, 1.0f));
    buffer<__half2> h2(std::vector<__half2>(1, __floats2half2_rn(1, 1)));
    buffer<__nv_bfloat16> b(std::vector<__nv_bfloat16>(2, 1.0f));
    buffer<__nv_bfloat162> b2(
        std::vector<__nv_bfloat162>(1, __floats2bfloat162_rn(1, 1)));
    halves<<<1, THREADS>>>(h.device, h2.device, b.device, b2.device);
    CHECK_KERNEL();
    h.download();
    h2.download();
    b.download();
    b2.download();
    EXPECT((float)h.host[0] == 33 && (float)h.host[1] == 1);
    EXPECT(__low2float(h2.host[0]) == 33 && __high2float(h2.host[0]) == -63);
    EXPECT((float)b.host[0] == 33 && (float)b.host[1] == 1);
    EXPECT(__low2float(b2.host[0]) == 33 && __high2float(b2.host[0]) == -63);
}

int main()
{
    all_before<FORMS>::check();
    check_swaps<int>();
    check_swaps<unsigned>();
    check_swaps<ull>();
    check_swaps<unsigned short>();
    check_halves();
    return finish();
}
