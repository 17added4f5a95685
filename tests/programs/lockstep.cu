// SPDX-License-Identifier: Apache-2.0
// also: WEFT_GUARD=1
// also: WEFT_ISA=avx2
//
// Sparse products, a row a thread: such kernels run 32 rows in step where rows
// are alike and lie behind each other, and give up where they are not. All
// shapes of rows, whatever came before.
#include "check.h"

#include <cstdlib>
#include <vector>

template <typename T, typename I>
__global__ void multiply(int n, const I *rows, const int *columns,
                         const T *values, const T *x, T *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    T sum = 0;
    for (I k = rows[i]; k < rows[i + 1]; k++)
        sum += values[k] * x[columns[k]];
    y[i] = sum;
}

// Rolled, no thread leaves early, and some entries do not count.
template <typename T, typename I>
__global__ void multiply_some(int n, const I *rows, const int *columns,
                              const T *values, const T *x, T *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    I first = 0, end = 0;
    if (i < n) {
        first = rows[i];
        end = rows[i + 1];
    }
    T sum = 0;
#pragma unroll 1
    for (I k = first; k < end; k++)
        if (columns[k] != n / 2)
            sum += values[k] * x[columns[k]];
    if (i < n)
        y[i] = sum;
}

struct matrix {
    std::vector<int> rows{0}, columns;
    void end_row()
    {
        rows.push_back((int)columns.size());
    }
    int height() const
    {
        return (int)rows.size() - 1;
    }
};

// At the end of an allocation, behind which WEFT_GUARD has a page.
template <typename T> static T *uploaded(const std::vector<T> &v)
{
    size_t bytes = v.size() * sizeof(T), whole = (bytes + 255) / 256 * 256;
    whole = whole > 2 << 20 ? whole : 2 << 20;
    char *p;
    CHECK(cudaMalloc(&p, whole));
    p += whole - bytes;
    CHECK(cudaMemcpy(p, v.data(), bytes, cudaMemcpyHostToDevice));
    return (T *)p;
}

template <typename T, typename I>
static void check_matrix(const matrix &m, int block)
{
    int n = m.height();
    std::vector<T> values(m.columns.size() + 1), x(n), y(n), want(n);
    std::vector<I> rows(m.rows.begin(), m.rows.end());
    values.resize(m.columns.size());
    for (size_t i = 0; i < values.size(); i++)
        values[i] = (T)((int)(i * 37 % 17) - 8) / 4;
    for (int i = 0; i < n; i++)
        x[i] = (T)(i * 29 % 13 - 6) / 4;
    x[n / 2] = 0; // for multiply_some
    for (int i = 0; i < n; i++)
        for (int k = m.rows[i]; k < m.rows[i + 1]; k++)
            want[i] += values[k] * x[m.columns[k]];
    I *d_rows = uploaded(rows);
    int *d_columns = uploaded(m.columns);
    T *d_values = uploaded(values), *d_x = uploaded(x), *d_y = uploaded(y);
    for (auto kernel : {multiply<T, I>, multiply_some<T, I>}) {
        CHECK(cudaMemset(d_y, 0xff, n * sizeof(T)));
        kernel<<<(n + block - 1) / block, block>>>(n, d_rows, d_columns,
                                                   d_values, d_x, d_y);
        CHECK(cudaMemcpy(y.data(), d_y, n * sizeof(T), cudaMemcpyDeviceToHost));
        for (int i = 0; i < n; i++)
            EXPECT_EQ(4 * 4 * y[i], 4 * 4 * want[i]);
    }
}

static void check_all_types(const matrix &m)
{
    check_matrix<float, int>(m, 256);
    check_matrix<float, int>(m, 100);
    check_matrix<double, unsigned>(m, 128);
}

// Every row as long, neighbouring columns; `odd`: but one row.
static matrix band(int n, int entries, int odd)
{
    matrix m;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < entries + (i == odd); k++)
            m.columns.push_back((i + k) % n);
        m.end_row();
    }
    return m;
}

static matrix random_rows(int n, int least, int most)
{
    matrix m;
    for (int i = 0; i < n; i++) {
        int entries = least + rand() % (most - least + 1);
        for (int k = 0; k < entries; k++)
            m.columns.push_back(rand() % n);
        m.end_row();
    }
    return m;
}

// Rows upside down, each other one of them empty, columns from right to left.
static matrix backwards(int n)
{
    matrix m;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < (i & 1) * 4; k++)
            m.columns.push_back(n - 1 - (i + k) % n);
        m.end_row();
    }
    return m;
}

int main()
{
    const int n = 384;
    srand(5);
    for (int entries : {1, 2, 3, 4, 5, 6, 8, 12, 27})
        check_all_types(band(n, entries, -1));
    for (int odd : {0, 31, 32, n - 1})
        check_all_types(band(n, 3, odd));
    check_all_types(random_rows(n, 3, 3));
    check_all_types(random_rows(n, 0, 6));
    check_all_types(band(n, 3, -1)); // after others have given up
    check_all_types(backwards(n));
    return failures ? 1 : 0;
}
