// SPDX-License-Identifier: Apache-2.0
// weftcc: -O3
//
// What programs do with addresses though the language forbids it, and what gcc
// and nvcc understand all the same: members of a vector by (&v.x)[i], on both
// sides, and floats that kernels read as integers.
#include "check.h"

struct vec3 {
    float x, y, z;
    __host__ __device__ float operator[](int i) const
    {
        return (&x)[i];
    }
    __host__ __device__ float &operator[](int i)
    {
        return (&x)[i];
    }
    __host__ __device__ vec3 &operator*=(float k)
    {
        x *= k;
        y *= k;
        z *= k;
        return *this;
    }
};

static __host__ __device__ int members(int i)
{
    vec3 v{1.0f * i, 2, 3};
    v *= 2;
    int sum = (int)v[i % 3];
    v[(i + 1) % 3] = 100;
    sum += (int)(v.x + 2 * v.y + 3 * v.z);
    float4 f = make_float4(1, 2, 3, 4);
    f.z = (float)i;
    (&f.x)[i % 4] += 8;
    return sum * 1000 + (int)(&f.x)[i * 7 % 4];
}

__global__ void read_as_integers(float *f, int *out)
{
    int i = threadIdx.x;
    int *bits = (int *)f;
    f[i] = 1.0f;
    bits[i] += i;
    f[i] *= 2;
    out[i] = *(int *)&f[i];
    double d = f[i];
    out[blockDim.x + i] = ((int *)&d)[1];
    float square = f[i] * f[i];
    unsigned exponent = *(unsigned *)&square >> 23;
    *(unsigned *)&square = exponent << 23;
    out[2 * blockDim.x + i] = (int)square;
}

static void check_integers()
{
    const int n = 40;
    buffer<float> f(n);
    buffer<int> out(3 * n);
    read_as_integers<<<1, n>>>(f.device, out.device);
    out.download();
    for (int i = 0; i < n; i++) {
        EXPECT_EQ(out[i], 0x40000000 + i);
        EXPECT_EQ(out[n + i], 0x40000000 + (i >> 3));
        EXPECT_EQ(out[2 * n + i], 4);
    }
}

int main()
{
    EXPECT_EQ(members(4), (4 + 8 + 2 * 4 + 3 * 100) * 1000 + 9);
    CHECK_MAP(int, members, 100);
    check_integers();
    return finish();
}
