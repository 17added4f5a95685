// SPDX-License-Identifier: Apache-2.0
//
// Words to the compiler that must not change a result: __restrict__, and
// #pragma unroll with a number, without, with 1, and with more than the loop
// has rounds.
#include "../check.h"

// ---- __restrict__ -----------------------------------------------------------

static __host__ __device__ void combine(const float *a, const float *b,
                                        float *c)
{
    c[0] = a[0] * b[0];
    c[1] = a[0] * b[0];
    c[2] = a[0] * b[0] * a[1];
    c[3] = a[0] * a[1];
    c[4] = a[0] * b[0];
    c[5] = b[0];
}

static __host__ __device__ void combine_restricted(const float *__restrict__ a,
                                                   const float *__restrict__ b,
                                                   float *__restrict__ c)
{
    float t0 = a[0], t1 = b[0], t2 = t0 * t1, t3 = a[1];
    c[0] = t2;
    c[1] = t2;
    c[4] = t2;
    c[2] = t2 * t3;
    c[3] = t0 * t3;
    c[5] = t1;
}

__global__ void both(const float *__restrict__ a, const float *__restrict__ b,
                     float *__restrict__ c, float *aliased)
{
    combine(a, b, c);
    combine_restricted(a, b, c + 6);
    combine(aliased, aliased + 1, aliased);
}

static void restricted_pointers()
{
    buffer<float> a(2), b(1), c(12), aliased(6);
    a[0] = 3;
    a[1] = 5;
    b[0] = 7;
    for (int i = 0; i < 6; i++)
        aliased[i] = i + 2;
    std::vector<float> want(12), want_aliased = aliased.host;
    combine(&a[0], &b[0], &want[0]);
    combine(&a[0], &b[0], &want[6]);
    combine(&want_aliased[0], &want_aliased[1], &want_aliased[0]);
    a.upload();
    b.upload();
    aliased.upload();
    both<<<1, 1>>>(a.device, b.device, c.device, aliased.device);
    c.download();
    aliased.download();
    expect_same("restricted", c, want);
    expect_same("aliased", aliased, want_aliased);
}

// ---- #pragma unroll ---------------------------------------------------------

const int FIVE = 5;

template <int ROUNDS> static __host__ __device__ int unrolled(int n)
{
    int sum = 0;
#pragma unroll 5
    for (int i = 0; i < n; ++i)
        sum = sum * 3 + i;
#pragma unroll
    for (int i = 0; i < 7; ++i)
        sum ^= i << i;
#pragma unroll 1
    for (int i = 0; i < n % 11; ++i)
        sum += i * i;
#pragma unroll FIVE + 1
    for (int i = n; i > 0; i -= 2)
        sum = sum * 5 + i;
#pragma unroll ROUNDS
    for (int i = 0; i < ROUNDS; ++i)
        sum += n >> i;
#pragma unroll 3
    for (int i = 0; i < n; ++i) {
        if (i == 17)
            break;
        if (i % 4 == n % 4)
            continue;
        sum += i;
    }
    return sum;
}

static void unrolled_loops()
{
    CHECK_MAP(int, unrolled<4>, 50);
}

int main()
{
    restricted_pointers();
    unrolled_loops();
    return finish();
}
