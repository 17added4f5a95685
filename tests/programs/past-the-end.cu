// SPDX-License-Identifier: Apache-2.0
//
// Threads that go a little past the end of a large allocation: a GPU's pages
// are 2 MiB, so nothing happens there, and programs that round up to whole
// blocks live on it. What lies beyond the last page is still an error. Before
// one there is memory, too, even before the first of a process.
#include "check.h"

__global__ void copy(const int4 *in, int4 *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i]; // the last block has threads beyond n
}

__global__ void left(int *p)
{
    p[threadIdx.x] = threadIdx.x ? p[threadIdx.x] : (p[-2] & 0x80000000 & p[1]) + p[1];
}

int main()
{
    int *first, got[2] = {3, 5};
    CHECK(cudaMalloc(&first, sizeof got));
    CHECK(cudaMemcpy(first, got, sizeof got, cudaMemcpyHostToDevice));
    left<<<1, 2>>>(first);
    CHECK(cudaMemcpy(got, first, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got[0] == 5 && got[1] == 5);

    const size_t sizes[] = {(3 << 20) + 16, (4 << 20) + 4096, 5 << 20};
    for (size_t bytes : sizes) {
        size_t n = bytes / sizeof(int4);
        unsigned blocks = (unsigned)(n / 1024 + 1);
        int4 *in, *out;
        CHECK(cudaMalloc(&in, bytes));
        CHECK(cudaMalloc(&out, bytes));
        CHECK(cudaMemset(in, 7, bytes));
        copy<<<blocks, 1024>>>(in, out, n);
        CHECK(cudaDeviceSynchronize());
        std::vector<int4> got(n);
        CHECK(cudaMemcpy(got.data(), out, bytes, cudaMemcpyDeviceToHost));
        EXPECT(got[0].x == 0x07070707 && got[n - 1].w == 0x07070707);
        // The runtime's own functions know the size.
        EXPECT_ERROR(cudaMemset(out, 0, bytes + 16), cudaErrorInvalidValue);
        CHECK(cudaFree(in));
        CHECK(cudaFree(out));
    }
    int4 *in;
    CHECK(cudaMalloc(&in, sizes[0]));
    copy<<<4096, 1024>>>(in, in, 0); // 64 MiB
    EXPECT_ERROR(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    return failures != 0;
}
