// SPDX-License-Identifier: Apache-2.0
//
// __device__, __constant__ and __managed__ variables: initial values, copies
// to and from the middle of them, their addresses and sizes, pointers between
// them, constants read at a varying index, what a reset does to them.
#include "check.h"

struct record {
    char c;
    double d;
    int values[3];
};

__device__ int counter = 5;
__device__ float table[100] = {1.5f, 2.5f, 3.5f};
__device__ record one = {'r', 0.25, {7, 8, 9}};
__constant__ int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
__constant__ float uploaded[256];
__device__ int *points_to = &counter;
__device__ const char *const words[3] = {"alpha", "beta", "gamma"};
__device__ double matrix[3][4];
static __device__ unsigned char bytes[10] = {1, 2, 3};

namespace inner
{
__device__ int counter = 50;
}

template <typename T> __device__ T three = T(3);

__global__ void initial(int *out)
{
    out[0] = counter;
    out[1] = (int)(table[0] + table[1] + table[2] + table[3]);
    out[2] = one.c;
    out[3] = (int)(one.d * 100);
    out[4] = one.values[2];
    out[5] = primes[7];
    out[6] = *points_to;
    out[7] = words[2][4];
    out[8] = inner::counter;
    out[9] = three<short> + (int)three<double>;
    out[10] = bytes[2] + bytes[9];
    out[11] = (int)uploaded[5];
}

static void check_initial()
{
    buffer<int> out(12);
    const std::vector<int> want = {5, 7, 'r', 25, 9, 19, 5, 'a', 50, 6, 3, 0};
    initial<<<1, 1>>>(out.device);
    out.download();
    expect_same("initial values", out, want);
}

__global__ void change(int by)
{
    counter += by;
    matrix[2][3] = 2.5;
    matrix[1][0] = by;
    one.values[1] = by;
    table[99] = table[98] + 1;
}

static void check_copies()
{
    float in[10], out[10], whole[100];
    for (int i = 0; i < 10; i++)
        in[i] = 10.0f * i;
    CHECK(cudaMemcpyToSymbol(table, in, sizeof(in), 89 * sizeof(float)));
    change<<<1, 1>>>(4);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyFromSymbol(whole, table, sizeof(whole))); // waits
    EXPECT(whole[0] == 1.5f && whole[3] == 0 && whole[89] == 0);
    EXPECT(whole[98] == 90 && whole[99] == 91);
    CHECK(cudaMemcpyFromSymbol(out, table, sizeof(out), 89 * sizeof(float),
                               cudaMemcpyDeviceToHost));
    EXPECT(!std::memcmp(out, in, sizeof(in)));

    int value = 0;
    double m[3][4];
    record r;
    CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof(value)));
    CHECK(cudaMemcpyFromSymbol(m, matrix, sizeof(m)));
    CHECK(cudaMemcpyFromSymbol(&r, one, sizeof(r)));
    EXPECT_EQ(value, 9);
    EXPECT(m[2][3] == 2.5 && m[1][0] == 4 && m[0][0] == 0);
    EXPECT(r.c == 'r' && r.values[1] == 4 && r.values[2] == 9);
    EXPECT_ERROR(cudaMemcpyToSymbol(table, whole, sizeof(whole), 4),
                 cudaErrorInvalidValue); // beyond its end
}

static void check_addresses()
{
    int *address;
    size_t size;
    CHECK(cudaGetSymbolAddress((void **)&address, counter));
    CHECK(cudaGetSymbolSize(&size, counter));
    EXPECT_EQ(size, 4);
    int value = 123;
    CHECK(cudaMemcpy(address, &value, 4, cudaMemcpyHostToDevice));
    value = 0;
    CHECK(cudaMemcpyFromSymbol(&value, counter, 4));
    EXPECT_EQ(value, 123);
    CHECK(cudaGetSymbolSize(&size, table));
    EXPECT_EQ(size, 400);
    CHECK(cudaGetSymbolSize(&size, one));
    EXPECT_EQ(size, sizeof(record));
    CHECK(cudaGetSymbolSize(&size, bytes));
    EXPECT_EQ(size, 10);
    // From device memory, and asynchronously.
    int *device;
    CHECK(cudaMalloc(&device, 4));
    value = 77;
    CHECK(cudaMemcpy(device, &value, 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbolAsync(counter, device, 4, 0,
                                  cudaMemcpyDeviceToDevice, 0));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpyFromSymbol(&value, counter, 4));
    EXPECT_EQ(value, 77);
    CHECK(cudaFree(device));
    static int no_symbol;
    EXPECT_ERROR(cudaMemcpyToSymbol(no_symbol, &value, 4),
                 cudaErrorInvalidSymbol);
}

__global__ void read_constants(float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float same = uploaded[blockIdx.x];
    float own = uploaded[i % 256];
    float some = uploaded[scramble(i) % 256];
    out[i] = same + own * 2 + some * 3 + primes[i % 8];
}

static void check_constants()
{
    const int n = 600;
    const int p[8] = {2, 3, 5, 7, 11, 13, 17, 19};
    float in[256];
    buffer<float> out(n);
    std::vector<float> want(n);
    for (int round = 0; round < 3; round++) { // new values for each launch
        for (int i = 0; i < 256; i++)
            in[i] = (float)(i * (round + 1));
        for (int i = 0; i < n; i++)
            want[i] = in[i / 100] + in[i % 256] * 2 +
                      in[scramble(i) % 256] * 3 + p[i % 8];
        CHECK(cudaMemcpyToSymbol(uploaded, in, sizeof(in)));
        read_constants<<<6, 100>>>(out.device, n);
        out.download();
        expect_same("constants", out, want);
    }
}

static void check_reset()
{
    CHECK(cudaDeviceReset());
    int value = 0;
    CHECK(cudaMemcpyFromSymbol(&value, counter, 4));
    EXPECT_EQ(value, 5);
    check_initial();
}

int main()
{
    check_initial();
    check_copies();
    check_addresses();
    check_constants();
    check_reset();
    return finish();
}
