// SPDX-License-Identifier: Apache-2.0
// weftcc: --extended-lambda -DV=1 -Dorder=2 -DN=-3 -DA=- -Dscope=1 -Dlane=3 -DU=2 -Dresult=1 -arch=sm_90
//
// A program's macros with plain names do not reach our headers, and lambdas are
// what they are marked as, for libraries that ask.
#include <nv/target>

static_assert(V == 1 && order == 2 && scope == 1, "the macros are there");

// A deleted function does not fit where a template asks whether one does.
struct left {
};
struct right {
};
__host__ __device__ void meet(left, right) {}
__host__ __device__ void meet(right, left) = delete;
template <class X, class Y>
auto meets(int) -> decltype(meet(X(), Y()), char());
template <class X, class Y> int meets(...);
static_assert(sizeof(meets<left, right>(0)) == sizeof(char), "fits");
static_assert(sizeof(meets<right, left>(0)) == sizeof(int), "deleted");

struct functor {
    __device__ int operator()(int x) { return x; }
};

#define IS_DEVICE __nv_is_extended_device_lambda_closure_type
#define IS_BOTH   __nv_is_extended_host_device_lambda_closure_type
#define IS_TYPED  __nv_is_extended_device_lambda_with_preserved_return_type

template <class First, class Second> struct both_of {};
template <class Of> using pair_of = both_of<Of, Of>;

template <class F> __global__ void call(F f, int *p)
{
    *p = f(1);
    NV_IF_ELSE_TARGET(NV_PROVIDES_SM_90, (*p += 10;), (*p += 20;))
    NV_IF_TARGET(NV_PROVIDES_SM_100, (*p += 100;))
    NV_IF_TARGET(NV_IS_EXACTLY_SM_90, (*p += 1000;))
}

int main()
{
    int seven = 7, *p;
    auto plain = [] __device__(int x) { return x + 1; };
    auto deep = [=] __device__(int x, const float *y) mutable noexcept -> int {
        return seven + x;
    };
    auto host = [] __host__(int x) { return x; };
    auto both = [] __host__ __device__(int x) { return x; };
    using plain_t = decltype(plain);
    using deep_t = decltype(deep);
    using host_t = decltype(host);
    using both_t = decltype(both);
    static_assert(IS_DEVICE(plain_t) && IS_DEVICE(deep_t) && IS_TYPED(deep_t));
    static_assert(!IS_DEVICE(host_t) && !IS_DEVICE(both_t));
    static_assert(!IS_DEVICE(functor) && !IS_DEVICE(int));
    // A name of some thousand characters.
    using long_t = pair_of<pair_of<pair_of<pair_of<pair_of<deep_t>>>>>;
    static_assert(!IS_DEVICE(long_t));
    static_assert(IS_BOTH(both_t) && !IS_BOTH(plain_t) && !IS_BOTH(functor));
    cudaMallocManaged(&p, 4);
    call<<<1, 1>>>(plain, p);
    return cudaDeviceSynchronize() || *p != 1012 || host(1) + both(1) != 2;
}
