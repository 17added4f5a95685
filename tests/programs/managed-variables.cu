// SPDX-License-Identifier: Apache-2.0
//
// Variables that host and device share by name: initial values, arrays,
// pointers to them, templates, symbols, and values after a reset.
#include "check.h"

__managed__ int counter = 5;
__device__ __managed__ float table[100] = { 1.5f, 2.5f };
static __managed__ long long hidden;
__managed__ struct { char c; double d; } pair = { 'x', 2.0 };
__device__ int plain = 7;
__device__ int *points_to_counter = &counter;

__global__ void change()
{
    atomicAdd(&counter, 1);
    table[threadIdx.x + 10] = table[threadIdx.x & 1] + threadIdx.x;
    if (threadIdx.x == 0) {
        hidden = plain;
        pair.d += pair.c;
        *points_to_counter += 1000;
    }
}

template <typename T> __global__ void add_to(T *p, T value)
{
    *p += value;
}

int main()
{
    EXPECT_EQ(counter, 5);
    EXPECT(table[0] == 1.5f && table[1] == 2.5f && table[2] == 0);
    EXPECT(pair.c == 'x' && pair.d == 2.0);

    counter = 10;
    change<<<1, 32>>>();
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(counter, 1042);
    for (int i = 0; i < 32; i++)
        EXPECT(table[i + 10] == table[i & 1] + i);
    EXPECT_EQ(hidden, 7);
    EXPECT(pair.d == 2.0 + 'x');

    add_to<<<1, 1>>>(&counter, 8);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(counter, 1050);

    void *address = NULL;
    int copy = 0;
    EXPECT_EQ(cudaGetSymbolAddress(&address, counter), cudaSuccess);
    EXPECT(address == &counter);
    EXPECT_EQ(cudaMemcpyFromSymbol(&copy, counter, sizeof copy), cudaSuccess);
    EXPECT_EQ(copy, 1050);
    copy = 3;
    EXPECT_EQ(cudaMemcpyToSymbol(counter, &copy, sizeof copy), cudaSuccess);
    EXPECT_EQ(counter, 3);

    // They are managed memory like any other, after a reset, too.
    for (int i = 0; i < 2; i++) {
        cudaPointerAttributes a;
        EXPECT_EQ(cudaPointerGetAttributes(&a, &table[3]), cudaSuccess);
        EXPECT_EQ(a.type, cudaMemoryTypeManaged);
        EXPECT(a.devicePointer == &table[3] && a.hostPointer == &table[3]);
        EXPECT_EQ(cudaMemPrefetchAsync(table, sizeof table, 0, 0),
                  cudaSuccess);
        EXPECT_EQ(cudaMemAdvise(table, sizeof table,
                                cudaMemAdviseSetReadMostly, 0),
                  cudaSuccess);
        EXPECT_ERROR(cudaFree(table), cudaErrorInvalidValue);
        EXPECT_ERROR(cudaMemset(table, 0, sizeof table + 1),
                     cudaErrorInvalidValue);
        EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
    }
    return failures != 0;
}
