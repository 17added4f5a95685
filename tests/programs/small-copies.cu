// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous copies from ordinary host memory: a small one does not wait for
// the stream's earlier work, and the memory can be used again at once.
#include <vector>

#include "check.h"

__global__ void wait_for(const volatile int *go)
{
    while (!*go)
        ;
}

int main()
{
    const int n = 4000, width = 12, height = 7, depth = 3;
    int *go, *p;
    char *rows;
    size_t pitch;
    cudaPitchedPtr box;
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaMallocHost(&go, sizeof *go));
    CHECK(cudaMalloc(&p, n * sizeof *p));
    CHECK(cudaMallocPitch(&rows, &pitch, width, height));
    CHECK(cudaMalloc3D(&box, make_cudaExtent(width, height, depth)));
    std::vector<int> values(n);
    std::vector<char> sheet(20 * height), block(20 * 9 * depth);
    for (int i = 0; i < n; i++)
        values[i] = i;
    for (size_t i = 0; i < sheet.size(); i++)
        sheet[i] = i;
    for (size_t i = 0; i < block.size(); i++)
        block[i] = i * 3;
    const std::vector<int> want = values;
    const std::vector<char> want_sheet = sheet, want_block = block;

    *go = 0;
    wait_for<<<1, 32, 0, s>>>(go);
    CHECK(cudaMemcpyAsync(p, values.data(), n * sizeof *p,
                          cudaMemcpyHostToDevice, s));
    CHECK(cudaMemcpy2DAsync(rows, pitch, sheet.data(), 20, width, height,
                            cudaMemcpyDefault, s));
    cudaMemcpy3DParms c = {};
    c.srcPtr = make_cudaPitchedPtr(block.data(), 20, 20, 9);
    c.dstPtr = box;
    c.extent = make_cudaExtent(width, height, depth);
    c.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3DAsync(&c, s));
    EXPECT(cudaStreamQuery(s) == cudaErrorNotReady);
    EXPECT(cudaMemcpyAsync(p, values.data(), (n + 1) * sizeof *p,
                           cudaMemcpyHostToDevice, s) == cudaErrorInvalidValue);
    (void)cudaGetLastError();
    values.assign(n, -1);
    sheet.assign(sheet.size(), -1);
    block.assign(block.size(), -1);
    *go = 1;
    CHECK(cudaStreamSynchronize(s));

    CHECK(cudaMemcpy(values.data(), p, n * sizeof *p, cudaMemcpyDefault));
    EXPECT(values == want);
    CHECK(cudaMemcpy2D(sheet.data(), 20, rows, pitch, width, height,
                       cudaMemcpyDefault));
    c.srcPtr = box;
    c.dstPtr = make_cudaPitchedPtr(block.data(), 20, 20, 9);
    c.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&c));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            EXPECT_EQ(sheet[y * 20 + x], want_sheet[y * 20 + x]);
            for (int z = 0; z < depth; z++)
                EXPECT_EQ(block[(z * 9 + y) * 20 + x],
                          want_block[(z * 9 + y) * 20 + x]);
        }
    CHECK(cudaFree(p));
    CHECK(cudaFree(rows));
    CHECK(cudaFree(box.ptr));
    CHECK(cudaFreeHost(go));
    CHECK(cudaStreamDestroy(s));
    return finish();
}
