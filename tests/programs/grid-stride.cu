// SPDX-License-Identifier: Apache-2.0
//
// Grid-stride loops in all their spellings: int and size_t counters, 2-D,
// several loads per step, a stride that is no power of two, with barriers, with
// a varying bound.
#include "check.h"

__global__ void plain(int *data, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += blockDim.x * gridDim.x)
        data[i] = data[i] * 2 + i;
}

__global__ void with_size_t(int *data, size_t n)
{
    size_t stride = (size_t)blockDim.x * gridDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += stride)
        data[i] = data[i] * 2 + (int)i;
}

__global__ void with_unsigned(int *data, unsigned n)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += blockDim.x * gridDim.x)
        data[i] = data[i] * 2 + (int)i;
}

__global__ void downward(int *data, int n)
{
    int stride = blockDim.x * gridDim.x;
    for (int i = n - 1 - (int)(blockIdx.x * blockDim.x + threadIdx.x); i >= 0;
         i -= stride)
        data[i] = data[i] * 2 + i;
}

__global__ void by_pointer(int *data, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int *p = data + first; p < data + n; p += blockDim.x * gridDim.x)
        *p = *p * 2 + (int)(p - data);
}

__global__ void four_at_once(int *data, int n)
{
    int stride = blockDim.x * gridDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (; i + 3 * stride < n; i += 4 * stride) {
        int a = data[i], b = data[i + stride];
        int c = data[i + 2 * stride], d = data[i + 3 * stride];
        data[i] = a * 2 + i;
        data[i + stride] = b * 2 + i + stride;
        data[i + 2 * stride] = c * 2 + i + 2 * stride;
        data[i + 3 * stride] = d * 2 + i + 3 * stride;
    }
    for (; i < n; i += stride)
        data[i] = data[i] * 2 + i;
}

// Each block's threads walk a piece of their own.
__global__ void by_block(int *data, int n)
{
    int per_block = (n + gridDim.x - 1) / gridDim.x;
    int first = blockIdx.x * per_block;
    int last = first + per_block < n ? first + per_block : n;
    for (int i = first + threadIdx.x; i < last; i += blockDim.x)
        data[i] = data[i] * 2 + i;
}

// Each thread walks neighbouring elements.
__global__ void by_thread(int *data, int n)
{
    int threads = gridDim.x * blockDim.x;
    int each = (n + threads - 1) / threads;
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
    for (int i = first; i < first + each && i < n; i++)
        data[i] = data[i] * 2 + i;
}

template <typename Launch> void check(const char *name, int n, Launch launch)
{
    for (int blocks : {1, 3, 7}) {
        for (int block : {32, 100, 256}) {
            buffer<int> data(n);
            std::vector<int> want(n);
            for (int i = 0; i < n; i++) {
                data[i] = (int)(scramble(i) & 0xffffff);
                want[i] = data[i] * 2 + i;
            }
            data.upload();
            launch(data.device, blocks, block);
            data.download();
            expect_same(name, data, want);
        }
    }
}

__global__ void two_dimensions(int *data, int width, int height)
{
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height;
         y += blockDim.y * gridDim.y)
        for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width;
             x += blockDim.x * gridDim.x)
            data[y * width + x] += x * 1000 + y;
}

static void check_two_dimensions(dim3 grid, dim3 block)
{
    const int width = 77, height = 45;
    buffer<int> data(width * height);
    std::vector<int> want(width * height);
    for (int i = 0; i < width * height; i++) {
        data[i] = i;
        want[i] = i + i % width * 1000 + i / width;
    }
    data.upload();
    two_dimensions<<<grid, block>>>(data.device, width, height);
    data.download();
    expect_same("two dimensions", data, want);
}

// Sums; the bound differs from row to row.
__global__ void ragged(const int *in, const int *lengths, int *sums, int rows,
                       int width)
{
    for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < rows;
         r += gridDim.x * blockDim.x) {
        int sum = 0;
        for (int k = 0; k < lengths[r]; k++)
            sum += in[r * width + k];
        sums[r] = sum;
    }
}

static void check_ragged()
{
    const int rows = 301, width = 40;
    buffer<int> in(rows * width), lengths(rows), sums(rows);
    std::vector<int> want(rows);
    for (int i = 0; i < rows * width; i++)
        in[i] = (int)(scramble(i) % 1000);
    for (int r = 0; r < rows; r++) {
        lengths[r] = (int)(scramble(r) % (width + 1));
        for (int k = 0; k < lengths[r]; k++)
            want[r] += in[r * width + k];
    }
    in.upload();
    lengths.upload();
    ragged<<<2, 64>>>(in.device, lengths.device, sums.device, rows, width);
    sums.download();
    expect_same("ragged", sums, want);
}

int main()
{
    const int n = 5003;
    check("int", n, [](int *d, int g, int b) { plain<<<g, b>>>(d, n); });
    check("size_t", n,
          [](int *d, int g, int b) { with_size_t<<<g, b>>>(d, n); });
    check("unsigned", n,
          [](int *d, int g, int b) { with_unsigned<<<g, b>>>(d, n); });
    check("downward", n,
          [](int *d, int g, int b) { downward<<<g, b>>>(d, n); });
    check("by pointer", n,
          [](int *d, int g, int b) { by_pointer<<<g, b>>>(d, n); });
    check("four at once", n,
          [](int *d, int g, int b) { four_at_once<<<g, b>>>(d, n); });
    check("by block", n,
          [](int *d, int g, int b) { by_block<<<g, b>>>(d, n); });
    check("by thread", n,
          [](int *d, int g, int b) { by_thread<<<g, b>>>(d, n); });
    check_two_dimensions(dim3(1), dim3(16, 16));
    check_two_dimensions(dim3(2, 3), dim3(5, 7));
    check_two_dimensions(dim3(3), dim3(32, 4));
    check_ragged();
    return finish();
}
