// SPDX-License-Identifier: Apache-2.0
//
// What the two matrix products share: the matrix as it is passed to a kernel
// by value, test data, and the host's product to compare with.
#ifndef WEFT_EXAMPLE_MATRIX_H
#define WEFT_EXAMPLE_MATRIX_H

#include <vector>

#include "example.h"

// Row-major: element (row, column) is elements[row * stride + column].
struct matrix {
    int width, height, stride;
    float *elements;
};

inline size_t size_bytes(const matrix &m)
{
    return sizeof(float) * m.stride * m.height;
}

inline matrix device_matrix(int height, int width)
{
    matrix m = {width, height, width, nullptr};
    CHECK(cudaMalloc(&m.elements, size_bytes(m)));
    return m;
}

inline std::vector<float> random_elements(int count, unsigned seed)
{
    std::vector<float> v(count);
    for (int i = 0; i < count; i++)
        v[i] = sample(i + seed) - 0.5f;
    return v;
}

// Checks every 7th row of c = a * b; all of them would take longer than the
// device's whole work.
inline bool is_product(const std::vector<float> &c, const std::vector<float> &a,
                       const std::vector<float> &b, int m, int n, int k)
{
    std::vector<double> want(n);
    for (int row = 0; row < m; row += 7) {
        want.assign(n, 0.0);
        for (int i = 0; i < k; i++)
            for (int column = 0; column < n; column++)
                want[column] += (double)a[row * k + i] * b[i * n + column];
        if (!all_close(
                &c[row * n], n, [&](size_t i) { return want[i]; }, 1e-4, 1e-4))
            return false;
    }
    return true;
}

#endif
