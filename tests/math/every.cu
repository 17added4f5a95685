// SPDX-License-Identifier: Apache-2.0
//
// Single precision functions of one argument for every argument there is, or
// every n-th, and those of half precision for all 65,536. They are compared in
// the kernel with the double precision functions, which accuracy.c measures
// against quadruple precision. Prints the worst case of each function and fails
// where one is beyond its bound (table.def; for intrinsics the programming
// guide, "Intrinsic Functions").
//
// usage: every [step [function]]; step 1 is all arguments, 997 the default
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

// ---- one error --------------------------------------------------------------

// In steps from one number of the type to the next; infinite where one is NaN
// or a zero has the other's sign.
static __device__ float steps(int got, int want, bool is_nan, bool other_zero)
{
    if (is_nan || other_zero)
        return INFINITY;
    return (float)abs((long long)got - want);
}

// Bits in the order of the numbers.
static __device__ int ordered(int bits, int sign)
{
    return bits & sign ? -(bits & ~sign) : bits;
}

static __device__ float ulps(float got, double right)
{
    float want = (float)right;
    if (isnan(got) || isnan(want))
        return isnan(got) && isnan(want) ? 0 : INFINITY;
    return steps(ordered(__float_as_int(got), INT32_MIN),
                 ordered(__float_as_int(want), INT32_MIN), false,
                 got == 0 && want == 0 && signbit(got) != signbit(want));
}

static __device__ float ulps(__half got, double right)
{
    __half want = __float2half((float)right);
    if (__hisnan(got) || __hisnan(want))
        return __hisnan(got) && __hisnan(want) ? 0 : INFINITY;
    unsigned short g = __half_as_ushort(got), w = __half_as_ushort(want);
    return steps(ordered(g, 0x8000), ordered(w, 0x8000), false,
                 !(g & 0x7fff) && !(w & 0x7fff) && g != w);
}

static __device__ float ulps(__nv_bfloat16 got, double right)
{
    __nv_bfloat16 want = __float2bfloat16((float)right);
    if (__hisnan(got) || __hisnan(want))
        return __hisnan(got) && __hisnan(want) ? 0 : INFINITY;
    unsigned short g = __bfloat16_as_ushort(got);
    unsigned short w = __bfloat16_as_ushort(want);
    return steps(ordered(g, 0x8000), ordered(w, 0x8000), false,
                 !(g & 0x7fff) && !(w & 0x7fff) && g != w);
}

// ---- the functions ------------------------------------------------------------

// The error in units of the bound, and where that counts.
#define SINGLE(name, bound, call, right, where)                                \
    struct single_##name {                                                     \
        typedef float type;                                                    \
        static __device__ float error(float x)                                 \
        {                                                                      \
            double r = x;                                                      \
            return (where) ? ulps(call, right) / (bound) : 0;                  \
        }                                                                      \
    };
#define SCALED(name, bound, call, right, where)                                \
    SINGLE(name, bound, call, right, where)
#define ABSOLUTE(name, bound, call, right, where)                              \
    struct single_##name {                                                     \
        typedef float type;                                                    \
        static __device__ float error(float x)                                 \
        {                                                                      \
            double r = x;                                                      \
            return (where) ? (float)(fabs((call) - (right)) / (bound)) : 0;    \
        }                                                                      \
    };
#define HALF(name, bound, call, right)                                         \
    struct half_##name {                                                       \
        typedef __half type;                                                   \
        static __device__ float error(__half x)                                \
        {                                                                      \
            double r = __half2float(x);                                        \
            return ulps(call, right) / (bound);                                \
        }                                                                      \
    };                                                                         \
    struct bfloat_##name {                                                     \
        typedef __nv_bfloat16 type;                                            \
        static __device__ float error(__nv_bfloat16 x)                         \
        {                                                                      \
            double r = __bfloat162float(x);                                    \
            return ulps(call, right) / (bound);                                \
        }                                                                      \
    };
#include "every.def"

// ---- the search -----------------------------------------------------------------

static __device__ float number_of(uint32_t bits, float)
{
    return __uint_as_float(bits);
}
static __device__ __half number_of(uint32_t bits, __half)
{
    return __ushort_as_half((unsigned short)bits);
}
static __device__ __nv_bfloat16 number_of(uint32_t bits, __nv_bfloat16)
{
    return __ushort_as_bfloat16((unsigned short)bits);
}

// The largest error, as a float's bits in the upper half (they are ordered
// like the numbers, which are not negative), and its argument below.
template <typename F>
__global__ void search(uint64_t first, uint64_t count, uint32_t step,
                       unsigned long long *worst)
{
    uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
    float most = 0;
    uint32_t where = 0;
    for (uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += stride) {
        uint32_t bits = (uint32_t)((first + i) * step);
        float e = F::error(number_of(bits, typename F::type()));
        where = e > most ? bits : where;
        most = e > most ? e : most;
    }
    unsigned long long mine =
        (unsigned long long)__float_as_uint(most) << 32 | where;
    if (most > 0)
        atomicMax(worst, mine);
}

static void check(cudaError_t status)
{
    if (status == cudaSuccess)
        return;
    fprintf(stderr, "every: %s\n", cudaGetErrorString(status));
    exit(2);
}

static bool is_within(const char *kind, const char *name, double bound,
                      unsigned long long worst)
{
    uint32_t bits = (uint32_t)(worst >> 32), at = (uint32_t)worst;
    float most;
    memcpy(&most, &bits, sizeof most);
    bool is_good = most <= 1;
    printf("%-10s %-16s %8.4g of %-8.4g", kind, name, most * bound, bound);
    if (!is_good)
        printf("  TOO FAR at %#x", at);
    printf("\n");
    return is_good;
}

template <typename F>
static bool report(const char *kind, const char *name, double bound,
                   uint32_t step)
{
    const uint64_t all = sizeof(typename F::type) == 4 ? 1ull << 32 : 1u << 16;
    if (sizeof(typename F::type) == 2)
        step = 1;
    uint64_t count = (all + step - 1) / step;
    const uint64_t piece = 1u << 26;
    static unsigned long long *worst;
    if (!worst)
        check(cudaMallocManaged(&worst, sizeof *worst));
    *worst = 0;
    for (uint64_t first = 0; first < count; first += piece) {
        uint64_t n = count - first < piece ? count - first : piece;
        search<F><<<64, 128>>>(first, n, step, worst);
        check(cudaGetLastError());
        check(cudaDeviceSynchronize());
    }
    return is_within(kind, name, bound, *worst);
}

struct function {
    const char *kind, *name;
    double bound;
    bool (*report)(const char *, const char *, double, uint32_t);
};

static const function functions[] = {
#define SINGLE(name, bound, call, right, where)                                \
    {"single", #name, bound, report<single_##name>},
#define SCALED(name, bound, call, right, where)                                \
    {"scaled", #name, 1, report<single_##name>},
#define ABSOLUTE(name, bound, call, right, where)                              \
    {"absolute", #name, bound, report<single_##name>},
#define HALF(name, bound, call, right)                                         \
    {"half", #name, bound, report<half_##name>},                               \
        {"bfloat16", #name, bound, report<bfloat_##name>},
#include "every.def"
};

int main(int argc, char **argv)
{
    uint32_t step = argc > 1 ? (uint32_t)strtoul(argv[1], nullptr, 10) : 997;
    int bad = 0;
    for (const function &f : functions) {
        if (argc > 2 && strcmp(argv[2], f.name))
            continue;
        bad += !f.report(f.kind, f.name, f.bound, step ? step : 1);
        fflush(stdout);
    }
    if (bad)
        printf("%d functions beyond their bound\n", bad);
    return bad != 0;
}
