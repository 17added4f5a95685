// SPDX-License-Identifier: Apache-2.0
//
// Stores that pass the caches by: whole and partial rows, rows that begin in
// the middle of a line, wide elements, narrow blocks, loops that stride, what
// the same thread reads back, and what other blocks are told about by a flag.
#include "check.h"

__global__ void rows(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 3 * i + 1;
}

__global__ void every_third(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i % 3 == 0)
        out[i] = i;
}

__global__ void wide(int4 *out, double *other, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = make_int4(i, i + 1, i + 2, i + 3);
        other[i] = i * 0.5;
    }
}

__global__ void bytes(unsigned char *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = (unsigned char)(i * 7);
}

__global__ void tiles(const int *in, int *out, int n)
{
    __shared__ int tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x;
    y = blockIdx.x * 16 + threadIdx.y;
    out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void striding(const int *in, int *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x)
        out[i] = in[i] * 2;
}

// What a warp has just stored, read by lanes that did not store it.
__global__ void read_back(int *out, int *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i;
    __syncthreads();
    int first = blockIdx.x * blockDim.x;
    int *other = out + first + (threadIdx.x * 5 + 3) % blockDim.x;
    sums[i] = *other;
}

// Block b waits for block b - 1, then reads all that it has written.
__global__ void chain(int *data, int *flags)
{
    int *mine = data + blockIdx.x * blockDim.x;
    int before = 0;
    if (blockIdx.x > 0) {
        if (threadIdx.x == 0) {
            volatile int *flag = flags + blockIdx.x - 1;
            while (*flag == 0)
                ;
            __threadfence();
        }
        __syncthreads();
        const int *others = mine - blockDim.x;
        before = others[blockDim.x - 1 - threadIdx.x];
    }
    mine[threadIdx.x] = before + (int)threadIdx.x;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        *(volatile int *)(flags + blockIdx.x) = 1;
}

static void check_rows()
{
    const int n = 100003;
    for (int offset = 0; offset < 20; offset += 4) {
        buffer<int> out(n + 64);
        for (int i = 0; i < n + 64; i++)
            out[i] = -1;
        out.upload();
        rows<<<(n + 255) / 256, 256>>>(out.device + offset, n);
        out.download();
        for (int i = 0; i < n + 64; i++) {
            bool is_inside = i >= offset && i < n + offset;
            EXPECT_EQ(out[i], is_inside ? 3 * (i - offset) + 1 : -1);
        }
    }
}

static void check_masks()
{
    const int n = 10000;
    buffer<int> out(n, 0xff);
    out.upload();
    every_third<<<(n + 127) / 128, 128>>>(out.device, n);
    out.download();
    for (int i = 0; i < n; i++)
        EXPECT_EQ(out[i], i % 3 == 0 ? i : -1);
}

static void check_sizes()
{
    const int n = 5000;
    buffer<int4> fours(n);
    buffer<double> halves(n);
    buffer<unsigned char> sevens(n);
    fours.upload();
    halves.upload();
    sevens.upload();
    wide<<<(n + 255) / 256, 256>>>(fours.device, halves.device, n);
    bytes<<<(n + 255) / 256, 256>>>(sevens.device, n);
    fours.download();
    halves.download();
    sevens.download();
    for (int i = 0; i < n; i++) {
        EXPECT_EQ(fours[i].x, i);
        EXPECT_EQ(fours[i].w, i + 3);
        EXPECT_EQ(halves[i] * 2, i);
        EXPECT_EQ(sevens[i], (i * 7) & 255);
    }
}

static void check_tiles()
{
    const int n = 256;
    buffer<int> in(n * n), out(n * n);
    for (int i = 0; i < n * n; i++)
        in[i] = i;
    in.upload();
    out.upload();
    tiles<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(in.device, out.device, n);
    out.download();
    for (int i = 0; i < n * n; i++)
        EXPECT_EQ(out[i], i % n * n + i / n);
}

static void check_loops()
{
    const int n = 70001;
    buffer<int> in(n), out(n);
    for (int i = 0; i < n; i++)
        in[i] = i;
    in.upload();
    out.upload();
    striding<<<5, 256>>>(in.device, out.device, n);
    out.download();
    for (int i = 0; i < n; i++)
        EXPECT_EQ(out[i], 2 * i);
}

static void check_readers()
{
    const int n = 64 * 256, blocks = 64;
    buffer<int> out(n), sums(n), flags(blocks);
    out.upload();
    sums.upload();
    read_back<<<n / 256, 256>>>(out.device, sums.device, n);
    sums.download();
    for (int i = 0; i < n; i++)
        EXPECT_EQ(sums[i], i / 256 * 256 + (i % 256 * 5 + 3) % 256);

    for (int round = 0; round < 20; round++) {
        CHECK(cudaMemset(flags.device, 0, blocks * sizeof(int)));
        chain<<<blocks, 256>>>(out.device, flags.device);
        out.download();
        std::vector<int> before(256), now(256);
        for (int b = 0; b < blocks; b++) {
            for (int t = 0; t < 256; t++) {
                now[t] = (b > 0 ? before[255 - t] : 0) + t;
                EXPECT_EQ(out[b * 256 + t], now[t]);
            }
            before = now;
        }
    }
}

int main()
{
    setenv("WEFT_CACHE_BYTES", "0", 1); // every launch writes more than that
    check_rows();
    check_masks();
    check_sizes();
    check_tiles();
    check_loops();
    check_readers();
    return finish();
}
