// SPDX-License-Identifier: Apache-2.0
//
// Adding two matrices that are parameters of array type: "Thread Hierarchy",
// with one block, whose grid is an int and whose block is a dim3, and with many
// blocks of 16 x 16.
#include "../check.h"

const int ONE_BLOCK = 24, SIDE = 80, ODD_SIDE = 75;

template <int N>
__global__ void add_in_block(float a[N][N], float b[N][N], float sum[N][N])
{
    int i = threadIdx.x, j = threadIdx.y;
    sum[i][j] = a[i][j] + b[i][j];
}

template <int N>
__global__ void add(float a[N][N], float b[N][N], float sum[N][N])
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < N && j < N)
        sum[i][j] = a[i][j] + b[i][j];
}

template <int N> struct matrices {
    typedef float (*rows)[N];
    buffer<float> a{N * N}, b{N * N}, sum{N * N};
    std::vector<float> want;

    matrices() : want(N * N)
    {
        for (int i = 0; i < N * N; i++) {
            a[i] = (float)(scramble(i) % 1000) / 8;
            b[i] = (float)(i % 13);
            want[i] = a[i] + b[i];
        }
        a.upload();
        b.upload();
    }
    rows of(buffer<float> &x)
    {
        return (rows)x.device;
    }
};

static void one_block()
{
    matrices<ONE_BLOCK> m;
    int blocks = 1;
    dim3 threads(ONE_BLOCK, ONE_BLOCK);
    add_in_block<ONE_BLOCK>
        <<<blocks, threads>>>(m.of(m.a), m.of(m.b), m.of(m.sum));
    m.sum.download();
    expect_same("one block", m.sum, m.want);
}

template <int N> static void many_blocks()
{
    matrices<N> m;
    dim3 threads(16, 16);
    dim3 blocks((N + threads.x - 1) / threads.x,
                (N + threads.y - 1) / threads.y);
    add<N><<<blocks, threads>>>(m.of(m.a), m.of(m.b), m.of(m.sum));
    m.sum.download();
    expect_same("many blocks", m.sum, m.want);
}

int main()
{
    one_block();
    many_blocks<SIDE>();
    many_blocks<ODD_SIDE>();
    return finish();
}
