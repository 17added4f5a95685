// SPDX-License-Identifier: Apache-2.0
//
// The built-in vector types: their sizes and alignments on both sides, arrays
// of them in global and shared memory, loads and stores of 2, 3 and 4 parts.
#include "check.h"
#include <cuda_fp8.h>
#include <type_traits>

static_assert(sizeof(char3) == 3 && alignof(char3) == 1, "char3");
static_assert(sizeof(uchar4) == 4 && alignof(uchar4) == 4, "uchar4");
static_assert(sizeof(short2) == 4 && alignof(short2) == 4, "short2");
static_assert(sizeof(ushort3) == 6 && alignof(ushort3) == 2, "ushort3");
static_assert(sizeof(int3) == 12 && alignof(int3) == 4, "int3");
static_assert(sizeof(float2) == 8 && alignof(float2) == 8, "float2");
static_assert(sizeof(float3) == 12 && alignof(float3) == 4, "float3");
static_assert(sizeof(float4) == 16 && alignof(float4) == 16, "float4");
static_assert(sizeof(uint4) == 16 && alignof(uint4) == 16, "uint4");
static_assert(sizeof(longlong2) == 16 && alignof(longlong2) == 16, "longlong2");
static_assert(sizeof(double2) == 16 && alignof(double2) == 16, "double2");
static_assert(sizeof(double3) == 24 && alignof(double3) == 8, "double3");
static_assert(sizeof(dim3) == 12, "dim3");

// Four elements of 8 bytes are three types, which programs overload by.
#define THREE_TYPES(V)                                                         \
    static_assert(!std::is_same<V, V##_16a>::value, #V);                       \
    static_assert(!std::is_same<V##_16a, V##_32a>::value, #V);                 \
    static_assert(sizeof(V##_16a) == 32 && alignof(V##_16a) == 16, #V);        \
    static_assert(sizeof(V##_32a) == 32 && alignof(V##_32a) == 32, #V);
THREE_TYPES(long4)
THREE_TYPES(ulong4)
THREE_TYPES(longlong4)
THREE_TYPES(ulonglong4)
THREE_TYPES(double4)
static_assert(std::is_constructible<__nv_fp8x4_e4m3, double4>::value, "fp8");
static_assert(std::is_constructible<__nv_fp8x4_e5m2, double4_16a>::value,
              "fp8");
static_assert(std::is_constructible<__nv_fp8x4_e4m3, double4_32a>::value,
              "fp8");

__global__ void sizes(unsigned *out)
{
    out[0] = sizeof(char3) | alignof(char3) << 8;
    out[1] = sizeof(short2) | alignof(short2) << 8;
    out[2] = sizeof(float3) | alignof(float3) << 8;
    out[3] = sizeof(float4) | alignof(float4) << 8;
    out[4] = sizeof(double2) | alignof(double2) << 8;
    out[5] = sizeof(ulonglong2) | alignof(ulonglong2) << 8;
    out[6] = sizeof(size_t) | alignof(long) << 8;
}

static void check_sizes()
{
    buffer<unsigned> out(7);
    const std::vector<unsigned> want = {0x103,  0x404,  0x40c, 0x1010,
                                        0x1010, 0x1010, 0x808};
    sizes<<<1, 1>>>(out.device);
    out.download();
    expect_same("sizes", out, want);
}

// Each type: parts are read, mixed, sent through shared memory and written.
template <typename V> __device__ V mix(V a, V b);

#define MIX2(V, P)                                                             \
    template <> __device__ V mix(V a, V b)                                     \
    {                                                                          \
        return make_##V((P)(a.x + b.y), (P)(a.y - b.x));                       \
    }
#define MIX3(V, P)                                                             \
    template <> __device__ V mix(V a, V b)                                     \
    {                                                                          \
        return make_##V((P)(a.x + b.y), (P)(a.y - b.z), (P)(a.z + b.x));       \
    }
#define MIX4(V, P)                                                             \
    template <> __device__ V mix(V a, V b)                                     \
    {                                                                          \
        return make_##V((P)(a.x + b.y), (P)(a.y - b.z), (P)(a.z + b.w),        \
                        (P)(a.w - b.x));                                       \
    }
#define TYPES(F2, F3, F4)                                                      \
    F2(char2, signed char)                                                     \
    F3(char3, signed char)                                                     \
    F4(char4, signed char)                                                     \
    F2(ushort2, unsigned short)                                                \
    F3(ushort3, unsigned short)                                                \
    F4(ushort4, unsigned short)                                                \
    F2(int2, int)                                                              \
    F3(int3, int)                                                              \
    F4(int4, int)                                                              \
    F2(float2, float)                                                          \
    F3(float3, float)                                                          \
    F4(float4, float)                                                          \
    F2(longlong2, long long)                                                   \
    F3(longlong3, long long)                                                   \
    F2(double2, double)                                                        \
    F3(double3, double)
TYPES(MIX2, MIX3, MIX4)

template <typename V> __global__ void run(V *out, const V *in, int n)
{
    __shared__ V part[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : V();
    __syncthreads();
    if (i < n)
        out[i] = mix(part[threadIdx.x], part[63 - threadIdx.x]);
}

template <typename V, typename P> void check(const char *name)
{
    const int n = 300, parts = sizeof(V) / sizeof(P);
    buffer<V> out(n), in(n);
    std::vector<V> want(n);
    auto part = [&](std::vector<V> &v, int i, int k) -> P & {
        return ((P *)&v[i])[k];
    };
    for (int i = 0; i < n; i++)
        for (int k = 0; k < parts; k++)
            part(in.host, i, k) = (P)(int)(scramble(i * 4 + k) % 100);
    std::vector<V> padded = in.host;
    padded.resize(320, V());
    for (int i = 0; i < n; i++) {
        int other = i / 64 * 64 + 63 - i % 64;
        for (int k = 0; k < parts; k++) {
            // The last part is taken with the other's first.
            P a = part(padded, i, k);
            P b = part(padded, other, (k + 1) % parts);
            part(want, i, k) = (P)(k % 2 ? a - b : a + b);
        }
    }
    in.upload();
    run<V><<<5, 64>>>(out.device, in.device, n);
    out.download();
    expect_same(name, out, want);
}

// A vector load from an address that is right for it, in an array of parts.
__global__ void reinterpreted(float4 *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 v = reinterpret_cast<const float4 *>(in)[i];
    float2 w = *reinterpret_cast<const float2 *>(in + 2 * i);
    out[i] = make_float4(v.w, v.z, w.x, w.y);
}

static void check_reinterpreted()
{
    const int n = 100;
    buffer<float4> out(n);
    buffer<float> in(4 * n);
    std::vector<float4> want(n);
    for (int i = 0; i < 4 * n; i++)
        in[i] = (float)i;
    for (int i = 0; i < n; i++)
        want[i] = make_float4(4 * i + 3.0f, 4 * i + 2.0f, 2 * i, 2 * i + 1.0f);
    in.upload();
    reinterpreted<<<2, 50>>>(out.device, in.device, n);
    out.download();
    expect_same("reinterpreted", out, want);
}

int main()
{
    check_sizes();
#define CHECK_TYPE(V, P) check<V, P>(#V);
    TYPES(CHECK_TYPE, CHECK_TYPE, CHECK_TYPE)
    check_reinterpreted();
    return finish();
}
