// SPDX-License-Identifier: Apache-2.0
//
// Blocks of several rows whose threads do not look at their row. Where all rows
// do the same to one word, it is as if there were one; where something counts
// threads, all count. The interpreter runs every row, whatever they do.
#include "check.h"

static const int columns = 32, rows = 8, length = 200;

// Every row adds the same to the same words; warps of a GPU start together, so
// that each has read a word before another has written it.
__global__ void add_products(float *x, const float *a, const float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n; k++)
        x[i] += a[i * n + k] * y[k];
}

__global__ void by_barrier(int *x)
{
    __shared__ int words[32];
    words[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = words[31 - threadIdx.x];
}

__global__ void count(int *x)
{
    atomicAdd(&x[threadIdx.x], 1);
}

__global__ void count_at_barrier(int *x)
{
    x[threadIdx.x] = __syncthreads_count(1);
}

__global__ void ask(int *x)
{
    x[threadIdx.x] = blockDim.y * blockDim.z;
}

__global__ void fill(int *x)
{
    x[threadIdx.y * blockDim.x + threadIdx.x] = 1;
}

__global__ void fill_planes(int *x)
{
    x[threadIdx.z * 32 + threadIdx.x] = 1;
}

__device__ __noinline__ void bump(int *x)
{
    atomicAdd(x, 2);
}

__global__ void call(int *x)
{
    bump(&x[threadIdx.x]);
}

template <typename F>
static void expect_all(const char *name, F kernel, dim3 block, int want,
                       int words)
{
    buffer<int> x(rows * columns, 0);
    kernel<<<1, block>>>(x.device);
    x.download();
    for (int i = 0; i < words; i++)
        if (x[i] != want)
            FAIL("%s: element %d is %d, should be %d", name, i, x[i], want);
}

static void check_products()
{
    buffer<float> x(columns, 0), a(columns * length), y(length);
    std::vector<float> want(columns, 0);
    for (int k = 0; k < length; k++)
        y[k] = (float)(k % 7);
    for (int i = 0; i < columns * length; i++)
        a[i] = (float)(i % 5);
    for (int i = 0; i < columns; i++)
        for (int k = 0; k < length; k++)
            want[i] += a[i * length + k] * y[k];
    a.upload();
    y.upload();
    add_products<<<1, dim3(columns, rows)>>>(x.device, a.device, y.device,
                                             length);
    x.download();
    const char *engine = std::getenv("WEFT_ENGINE");
    if (engine && !std::strcmp(engine, "emu"))
        EXPECT(x[1] != want[1]); // each row adds: a race
    else
        expect_same("products", x.host.data(), want.data(), columns);
}

static void check_barrier()
{
    buffer<int> x(columns);
    for (int i = 0; i < columns; i++)
        x[i] = i;
    x.upload();
    by_barrier<<<1, dim3(columns, 4)>>>(x.device);
    x.download();
    for (int i = 0; i < columns; i++)
        EXPECT_EQ(x[i], columns - 1 - i);
}

int main()
{
    const dim3 flat(columns, rows), deep(columns, 2, 4);
    setenv("WEFT_SEED", "1", 0); // the interpreter's rows: out of step
    check_products();
    check_barrier();
    expect_all("atomics", count, flat, rows, columns);
    expect_all("atomics in planes", count, deep, 8, columns);
    expect_all("calls", call, flat, 2 * rows, columns);
    expect_all("a barrier", count_at_barrier, flat, columns * rows, columns);
    expect_all("the block's shape", ask, deep, 8, columns);
    expect_all("rows", fill, flat, 1, columns * rows);
    expect_all("planes", fill_planes, deep, 1, columns * 4);
    return finish();
}
