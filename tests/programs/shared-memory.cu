// SPDX-License-Identifier: Apache-2.0
//
// Shared memory: several static arrays, dynamic memory carved by hand, both
// together, more than 48 KB on demand, structures, templates with arrays of
// their own, each block with a copy of its own, warps that talk through it.
#include "check.h"

__global__ void static_arrays(double *out)
{
    __shared__ char c[33];
    __shared__ double d[64];
    __shared__ short s[64][3];
    __shared__ int one;
    int i = threadIdx.x;
    if (i < 33)
        c[i] = (char)i;
    d[i] = i * 0.5;
    for (int k = 0; k < 3; k++)
        s[i][k] = (short)(i * 10 + k);
    if (i == 63)
        one = blockIdx.x;
    __syncthreads();
    int other = 63 - i;
    out[blockIdx.x * 64 + i] =
        c[other % 33] + d[other] + s[other][i % 3] + one * 1000;
}

static void check_static_arrays()
{
    buffer<double> out(5 * 64);
    std::vector<double> want(5 * 64);
    for (int k = 0; k < 5 * 64; k++) {
        int i = k % 64, other = 63 - i;
        want[k] = other % 33 + other * 0.5 + other * 10 + i % 3 + k / 64 * 1000;
    }
    static_arrays<<<5, 64>>>(out.device);
    out.download();
    expect_same("static arrays", out, want);
}

// The guides' way: one block of memory, three arrays in it.
__global__ void carved(double *out, int n0, int n1, int n2)
{
    extern __shared__ float memory[];
    float *f = memory;
    int *i = (int *)&f[n0];
    short *s = (short *)&i[n1];
    __shared__ int fixed[16]; // beside the dynamic memory
    int me = threadIdx.x;
    for (int k = me; k < n0; k += blockDim.x)
        f[k] = (float)k;
    for (int k = me; k < n1; k += blockDim.x)
        i[k] = 2 * k;
    for (int k = me; k < n2; k += blockDim.x)
        s[k] = (short)(3 * k);
    if (me < 16)
        fixed[me] = -me;
    __syncthreads();
    double sum = 0;
    for (int k = 0; k < n0; k++)
        sum += f[k];
    for (int k = 0; k < n1; k++)
        sum += i[k];
    for (int k = 0; k < n2; k++)
        sum += s[k];
    out[me] = sum + fixed[me % 16];
}

static void check_carved(int n0, int n1, int n2)
{
    buffer<double> out(70);
    std::vector<double> want(70);
    auto sum = [](int n) { return n * (n - 1) / 2; };
    for (int i = 0; i < 70; i++)
        want[i] = (double)(sum(n0) + 2 * sum(n1) + 3 * sum(n2) - i % 16);
    carved<<<1, 70,
             n0 * sizeof(float) + n1 * sizeof(int) + n2 * sizeof(short)>>>(
        out.device, n0, n1, n2);
    out.download();
    expect_same("carved", out, want);
}

__global__ void much(int *out, int n)
{
    extern __shared__ int values[];
    for (int k = threadIdx.x; k < n; k += blockDim.x)
        values[k] = k * 3;
    __syncthreads();
    int sum = 0;
    for (int k = threadIdx.x; k < n; k += blockDim.x)
        sum += values[n - 1 - k];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

static void check_much()
{
    int limit = 0;
    CHECK(cudaDeviceGetAttribute(&limit,
                                 cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    EXPECT(limit >= 49152);
    int n = limit / 4;
    buffer<int> out(3 * 128);
    std::vector<int> want(3 * 128);
    for (int i = 0; i < 3 * 128; i++)
        for (int k = i % 128; k < n; k += 128)
            want[i] += (n - 1 - k) * 3;
    if (limit > 49152) {
        much<<<3, 128, limit>>>(out.device, n);
        EXPECT(cudaGetLastError() != cudaSuccess); // only on demand
    }
    CHECK(cudaFuncSetAttribute(
        much, cudaFuncAttributeMaxDynamicSharedMemorySize, limit));
    much<<<3, 128, limit>>>(out.device, n);
    out.download();
    expect_same("much", out, want);
    EXPECT_ERROR(
        cudaFuncSetAttribute(much, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             limit + 1),
        cudaErrorInvalidValue);
}

struct cell {
    float value;
    char tag;
    double weight;
};

template <typename T, int N> __global__ void rotated(T *data)
{
    __shared__ T values[N];
    int i = threadIdx.x;
    values[i] = data[blockIdx.x * N + i];
    __syncthreads();
    data[blockIdx.x * N + i] = values[(i + 5) % N];
}

template <typename T, int N> void check_rotated(const char *name)
{
    buffer<T> data(7 * N);
    std::vector<T> want(7 * N);
    unsigned char *bytes = (unsigned char *)data.host.data();
    for (size_t i = 0; i < 7 * N * sizeof(T); i++)
        bytes[i] = (unsigned char)scramble((unsigned)i) & 0x3f;
    for (int i = 0; i < 7 * N; i++)
        want[i] = data[i / N * N + (i % N + 5) % N];
    data.upload();
    rotated<T, N><<<7, N>>>(data.device);
    data.download();
    for (int i = 0; i < 7 * N; i++)
        if (!(data[i] == want[i]))
            FAIL("%s: element %d", name, i);
}

static bool operator==(const cell &a, const cell &b)
{
    return a.value == b.value && a.tag == b.tag && a.weight == b.weight;
}

static bool operator==(const float4 &a, const float4 &b)
{
    return !std::memcmp(&a, &b, sizeof(a));
}

// A 2-D tile with a halo, as stencils use it.
__global__ void halo(int *out, const int *in, int width, int height)
{
    __shared__ int tile[10][18];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    auto at = [&](int u, int v) {
        return u >= 0 && v >= 0 && u < width && v < height ? in[v * width + u]
                                                           : 0;
    };
    tile[ty][tx] = at(x, y);
    if (threadIdx.x == 0)
        tile[ty][0] = at(x - 1, y);
    if (threadIdx.x == 15)
        tile[ty][17] = at(x + 1, y);
    if (threadIdx.y == 0)
        tile[0][tx] = at(x, y - 1);
    if (threadIdx.y == 7)
        tile[9][tx] = at(x, y + 1);
    __syncthreads();
    if (x < width && y < height)
        out[y * width + x] = tile[ty][tx] * 10 + tile[ty][tx - 1] +
                             tile[ty][tx + 1] + tile[ty - 1][tx] +
                             tile[ty + 1][tx];
}

static void check_halo()
{
    const int width = 75, height = 42;
    buffer<int> out(width * height), in(width * height);
    std::vector<int> want(width * height);
    for (int i = 0; i < width * height; i++)
        in[i] = (int)(scramble(i) % 1000);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            int i = y * width + x;
            want[i] = in[i] * 10 + (x > 0 ? in[i - 1] : 0) +
                      (x < width - 1 ? in[i + 1] : 0) +
                      (y > 0 ? in[i - width] : 0) +
                      (y < height - 1 ? in[i + width] : 0);
        }
    }
    in.upload();
    halo<<<dim3(5, 6), dim3(16, 8)>>>(out.device, in.device, width, height);
    out.download();
    expect_same("halo", out, want);
}

int main()
{
    check_static_arrays();
    check_carved(100, 50, 30);
    check_carved(1, 1, 1);
    check_carved(3000, 2000, 5001);
    check_much();
    check_rotated<int, 64>("int");
    check_rotated<unsigned char, 100>("bytes");
    check_rotated<double, 33>("doubles");
    check_rotated<float4, 128>("float4");
    check_rotated<cell, 70>("structures");
    check_halo();
    return finish();
}
