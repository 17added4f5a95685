// SPDX-License-Identifier: Apache-2.0
//
// Variables that live on the device: a table in constant memory, a counter
// and a pointer in global memory. The host reaches them by name.
#include <vector>

#include "common/example.h"

__constant__ float coefficients[8];
__device__ int calls;
__device__ float *input;
__device__ float offset = 0.25f;

// The polynomial with the given coefficients, by Horner's rule.
__global__ void evaluate(float *result, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i == 0)
        calls++;
    if (i >= n)
        return;

    float x = input[i];
    float y = coefficients[7];
    for (int k = 6; k >= 0; k--)
        y = y * x + coefficients[k];
    result[i] = y + offset;
}

int main()
{
    const int n = 1 << 22;
    const size_t size = n * sizeof(float);
    const float c[8] = {1, -0.5f, 0.25f, 2, -1, 0.125f, 3, -2};
    std::vector<float> x(n), y(n);
    for (int i = 0; i < n; i++)
        x[i] = sample(i);

    float *d_x, *d_y;
    CHECK(cudaMalloc(&d_x, size));
    CHECK(cudaMalloc(&d_y, size));
    CHECK(cudaMemcpy(d_x, x.data(), size, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(coefficients, c, sizeof(c)));
    CHECK(cudaMemcpyToSymbol(input, &d_x, sizeof(d_x)));
    float *address;
    CHECK(cudaGetSymbolAddress((void **)&address, offset));
    float half = 0.5f;
    CHECK(cudaMemcpy(address, &half, sizeof(half), cudaMemcpyHostToDevice));

    double ms = best_ms([&] { evaluate<<<blocks_for(n, 256), 256>>>(d_y, n); });

    int launches = 0;
    size_t table_size = 0;
    float back[8];
    CHECK(cudaMemcpyFromSymbol(&launches, calls, sizeof(launches)));
    CHECK(cudaGetSymbolSize(&table_size, coefficients));
    CHECK(cudaMemcpyFromSymbol(back, coefficients, sizeof(back)));
    CHECK(cudaMemcpy(y.data(), d_y, size, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));

    auto want = [&](size_t i) {
        double sum = 0;
        for (int k = 7; k >= 0; k--)
            sum = sum * x[i] + c[k];
        return sum + half;
    };
    bool ok = all_close(y.data(), n, want, 1e-5) && launches == 6 &&
              table_size == sizeof(c);
    for (int i = 0; i < 8; i++)
        ok = ok && back[i] == c[i];
    std::printf("evaluated a polynomial %d times in %d launches: ", n,
                launches);
    return report({"symbols", ok, ms, 2.0 * size, 15.0 * n});
}
