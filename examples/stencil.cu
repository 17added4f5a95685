// SPDX-License-Identifier: Apache-2.0
//
// Heat spreads over a plate: each step sets a point to a mix of itself and its
// four neighbours. Two arrays take turns; the edge keeps its temperature.
#include <utility>
#include <vector>

#include "common/example.h"

const int width = 1280, height = 1024, steps = 40;

__global__ void spread(float *to, const float *from)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
        return;

    int i = y * width + x;
    float around =
        from[i - 1] + from[i + 1] + from[i - width] + from[i + width];
    to[i] = 0.5f * from[i] + 0.125f * around;
}

static void host_steps(std::vector<float> &a, std::vector<float> &b)
{
    for (int s = 0; s < steps; s++) {
        for (int y = 1; y < height - 1; y++)
            for (int i = y * width + 1; i < (y + 1) * width - 1; i++)
                b[i] = 0.5f * a[i] + 0.125f * (a[i - 1] + a[i + 1] +
                                               a[i - width] + a[i + width]);
        std::swap(a, b);
    }
}

int main()
{
    const int n = width * height;
    const size_t size = n * sizeof(float);
    std::vector<float> plate(n), got(n);
    for (int i = 0; i < n; i++) {
        int x = i % width, y = i / width;
        bool is_edge = x == 0 || y == 0 || x == width - 1 || y == height - 1;
        plate[i] = is_edge ? 100 : 20 * sample(i);
    }

    float *d_a, *d_b;
    CHECK(cudaMalloc(&d_a, size));
    CHECK(cudaMalloc(&d_b, size));

    dim3 block(64, 4);
    dim3 grid(blocks_for(width, block.x), blocks_for(height, block.y));
    double ms = 1e30;
    for (int round = 0; round < 4; round++) {
        CHECK(cudaMemcpy(d_a, plate.data(), size, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(d_b, d_a, size, cudaMemcpyDeviceToDevice));
        CHECK(cudaDeviceSynchronize());
        double start = now_ms();
        for (int s = 0; s < steps; s += 2) {
            spread<<<grid, block>>>(d_b, d_a);
            spread<<<grid, block>>>(d_a, d_b);
        }
        CHECK(cudaDeviceSynchronize());
        ms = std::fmin(ms, now_ms() - start);
    }
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(got.data(), d_a, size, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));

    std::vector<float> other = plate;
    host_steps(plate, other);
    std::printf("%d steps of heat over %d x %d points: ", steps, width, height);
    bool ok = all_close(
        got.data(), n, [&](size_t i) { return plate[i]; }, 1e-5);
    return report({"stencil", ok, ms, 2.0 * size * steps, 6.0 * n * steps});
}
