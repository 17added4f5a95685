// SPDX-License-Identifier: Apache-2.0
//
// Memory in a stream's order: freeing it does not wait for the work that uses
// it, and that work still has it.
#include <vector>

#include "check.h"

__global__ void wait_then_add(const volatile int *go, int *p, int n)
{
    while (!*go)
        ;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        p[i] += 1;
}

static void check_order()
{
    const int n = 1000;
    int *p, *go, *out;
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaMallocHost(&go, sizeof *go));
    CHECK(cudaMallocHost(&out, n * sizeof *out));
    *go = 0;
    CHECK(cudaMallocAsync(&p, n * sizeof *p, s));
    CHECK(cudaMemsetAsync(p, 0, n * sizeof *p, s));
    wait_then_add<<<1, 32, 0, s>>>(go, p, n);
    CHECK(cudaMemcpyAsync(out, p, n * sizeof *p, cudaMemcpyDefault, s));
    CHECK(cudaFreeAsync(p, s)); // returns, though the kernel waits for us
    EXPECT(cudaStreamQuery(s) == cudaErrorNotReady);
    cudaPointerAttributes a;
    CHECK(cudaPointerGetAttributes(&a, p));
    EXPECT(a.type == cudaMemoryTypeUnregistered); // as an H200 says
    *go = 1;
    CHECK(cudaStreamSynchronize(s));
    for (int i = 0; i < n; i++)
        EXPECT_EQ(out[i], 1);
    CHECK(cudaPointerGetAttributes(&a, p));
    EXPECT(a.type == cudaMemoryTypeUnregistered);
    EXPECT(cudaFree(p) == cudaErrorInvalidValue);
    EXPECT(cudaFreeAsync(p, s) == cudaErrorInvalidValue);
    EXPECT(cudaFreeAsync(&p, s) == cudaErrorInvalidValue);
    (void)cudaGetLastError();
    CHECK(cudaFreeHost(go));
    CHECK(cudaFreeHost(out));
    CHECK(cudaStreamDestroy(s));
}

// More in all than a device has, never much at once.
static void check_reuse()
{
    size_t free_bytes, total;
    int *go;
    CHECK(cudaMallocHost(&go, sizeof *go));
    *go = 1;
    CHECK(cudaMemGetInfo(&free_bytes, &total));
    size_t part = free_bytes / 8;
    for (int i = 0; i < 40; i++) {
        int *p;
        CHECK(cudaMallocAsync(&p, part, 0));
        wait_then_add<<<1, 32>>>(go, p, 32);
        CHECK(cudaFreeAsync(p, 0));
    }
    CHECK(cudaDeviceSynchronize());
    size_t after;
    CHECK(cudaMemGetInfo(&after, &total));
    EXPECT_EQ(after, free_bytes);
}

int main()
{
    check_order();
    check_reuse();
    return finish();
}
