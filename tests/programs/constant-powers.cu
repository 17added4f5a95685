// SPDX-License-Identifier: Apache-2.0
//
// Powers whose exponent the compiler knows, spelled in all ways, beside the
// same powers with exponents that it does not know.
#include "check.h"
#include <cmath>

__device__ volatile double unknown[] = {1, 2, 3, 4, 0.5};

template <class T> __global__ void powers(T *known, T *asked, const T *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    T *k = known + 5 * i, *a = asked + 5 * i;
    k[0] = pow(x[i], T(1));
    k[1] = pow(x[i], 2);
    k[2] = std::pow(x[i], T(3));
    k[3] = std::pow(x[i], 4);
    k[4] = pow(x[i], T(0.5));
    for (int p = 0; p < 5; p++)
        a[p] = pow(x[i], T(unknown[p]));
}

template <class T> static void check_powers(T least, double bound)
{
    const T infinity = INFINITY;
    const T values[] = {0,       -T(0),    1,        -1,        least,
                        -least,  NAN,      infinity, 3,         -infinity,
                        T(1e30), T(1e-30), T(.1),    T(-1e-13), T(7.7)};
    const int n = 1000;
    T *x, *known, *asked;
    CHECK(cudaMallocManaged(&x, n * sizeof(T)));
    CHECK(cudaMallocManaged(&known, 5 * n * sizeof(T)));
    CHECK(cudaMallocManaged(&asked, 5 * n * sizeof(T)));
    for (int i = 0; i < n; i++)
        x[i] = i < (int)(sizeof values / sizeof *values)
                   ? values[i]
                   : T((int)scramble(i)) / T(1 << (i % 31));
    powers<<<(n + 127) / 128, 128>>>(known, asked, x, n);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 5 * n; i++) {
        T k = known[i], a = asked[i];
        bool is_close = std::fabs(k - a) <= bound * std::fabs(a) + least;
        EXPECT(k == a || (k != k && a != a) || is_close);
        EXPECT(std::signbit(k) == std::signbit(a) || k != k);
        EXPECT(i % 5 || k == x[i / 5] || k != k);
        EXPECT(i % 5 != 1 || k == x[i / 5] * x[i / 5] || k != k);
    }
    CHECK(cudaFree(x));
    CHECK(cudaFree(known));
    CHECK(cudaFree(asked));
}

int main()
{
    check_powers<float>(1.4e-45f, 4e-7);
    check_powers<double>(4.9e-324, 6e-16);
    return finish();
}
