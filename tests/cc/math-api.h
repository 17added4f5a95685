/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What math-api.cu and its like share: a number of every type, and how a
 * function is called so that its result's type shows.
 */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

struct numbers {
    float f;
    double d;
    int i;
    unsigned u;
    long long ll;
    unsigned long long ull;
    short s;
    unsigned short us;
    unsigned char uc;
    bool p;
    float2 f2;
    float4 f4;
    double2 d2;
    double4 d4;
    short2 s2;
    ushort2 us2;
    char4 c4;
    uchar4 uc4;
    __half h;
    __half2 h2;
    __nv_bfloat16 b;
    __nv_bfloat162 b2;
    __half_raw hr;
    __half2_raw h2r;
    __nv_bfloat16_raw br;
    __nv_bfloat162_raw b2r;
};

template <typename T> __device__ void keep(void *&to, const T &value)
{
    *(T *)to = value;
    to = (char *)to + 64;
}

#define RESULT(type, call)                                                     \
    {                                                                          \
        type r = call;                                                         \
        keep(to, r);                                                           \
    }
#define DONE(call)                                                             \
    {                                                                          \
        call;                                                                  \
    }
#define MADE(type, ...)                                                        \
    {                                                                          \
        type r(__VA_ARGS__);                                                   \
        keep(to, r);                                                           \
    }
