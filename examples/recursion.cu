// SPDX-License-Identifier: Apache-2.0
//
// Recursive device functions: every thread integrates a function over its own
// interval by Simpson's rule and halves what is not yet exact enough, so that
// threads of one warp recurse to different depths.
#include <vector>

#include "common/example.h"

__host__ __device__ double f(double x)
{
    return 1 / (1e-4 + x * x) + x;
}

__host__ __device__ double simpson(double a, double b)
{
    return (b - a) / 6 * (f(a) + 4 * f(0.5 * (a + b)) + f(b));
}

__host__ __device__ double integrate(double a, double b, double whole,
                                     double tolerance, int depth)
{
    double middle = 0.5 * (a + b);
    double left = simpson(a, middle), right = simpson(middle, b);
    double error = left + right - whole;
    if (depth == 0 || fabs(error) < 15 * tolerance)
        return left + right + error / 15;
    return integrate(a, middle, left, 0.5 * tolerance, depth - 1) +
           integrate(middle, b, right, 0.5 * tolerance, depth - 1);
}

__global__ void integrate_all(double *result, int n, double from, double to)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double width = (to - from) / n;
    double a = from + i * width, b = a + width;
    result[i] = integrate(a, b, simpson(a, b), 1e-9, 20);
}

int main()
{
    const int n = 1000;
    const double from = -1, to = 2;
    std::vector<double> got(n);
    double *d_result;
    CHECK(cudaMalloc(&d_result, n * sizeof(double)));
    CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 8192));

    double ms = best_ms([&] {
        integrate_all<<<blocks_for(n, 64), 64>>>(d_result, n, from, to);
    });

    CHECK(cudaMemcpy(got.data(), d_result, n * sizeof(double),
                     cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_result));

    double total = 0, width = (to - from) / n;
    for (double part : got)
        total += part;
    double exact = 100 * (std::atan(to * 100) - std::atan(from * 100)) +
                   0.5 * (to * to - from * from);
    bool ok = all_close(
        got.data(), n,
        [&](size_t i) {
            double a = from + i * width, b = a + width;
            return integrate(a, b, simpson(a, b), 1e-9, 20);
        },
        1e-9, 1e-12);
    std::printf("the integral is %.9f, should be %.9f: ", total, exact);
    return report({"recursion", ok && is_close(total, exact, 1e-8), ms, 0, 0});
}
