// SPDX-License-Identifier: Apache-2.0
//
// Addresses: unsigned indices that wrap below zero, negative strides, 64-bit
// offsets, strides from 1 to 70, indices from memory, misaligned bytes, and
// conditions that only the wrapped value fails.
#include "check.h"

// The neighbours by unsigned arithmetic: thread 0's left one is 4294967295.
__global__ void neighbours(int *out, const int *in, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int sum = in[i];
    unsigned left = i - 1, right = i + 1;
    if (left < n)
        sum += 10 * in[left];
    if (right < n)
        sum += 100 * in[right];
    out[i] = sum;
}

static void check_neighbours(int block)
{
    const int n = 300;
    buffer<int> out(n), in(n);
    std::vector<int> want(n);
    for (int i = 0; i < n; i++)
        in[i] = (int)(scramble(i) % 1000);
    for (int i = 0; i < n; i++)
        want[i] = in[i] + (i > 0 ? 10 * in[i - 1] : 0) +
                  (i < n - 1 ? 100 * in[i + 1] : 0);
    in.upload();
    neighbours<<<(n + block - 1) / block, block>>>(out.device, in.device, n);
    out.download();
    expect_same("neighbours", out, want);
}

// The index wraps inside a warp: lanes 0 to 16 are below zero.
__global__ void wraps_inside(int *out, const int *in, unsigned shift, int n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned at = i - shift;
    if (i < (unsigned)n)
        out[i] = at < (unsigned)n ? in[at] : -7;
}

static void check_wraps_inside(unsigned shift)
{
    const int n = 200;
    buffer<int> out(n), in(n);
    std::vector<int> want(n);
    for (int i = 0; i < n; i++)
        in[i] = i * 5;
    for (unsigned i = 0; i < n; i++)
        want[i] = i - shift < (unsigned)n ? in[i - shift] : -7;
    in.upload();
    wraps_inside<<<4, 64>>>(out.device, in.device, shift, n);
    out.download();
    expect_same("wraps inside", out, want);
}

// Multiplication that wraps: scaled * 3 passes 2^32 in the middle of a warp.
__global__ void wrapped_product(int *out, const int *in, unsigned factor,
                                unsigned add, int n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (unsigned)n)
        return;
    unsigned at = i * factor + add;
    out[i] = at < 4096 ? in[at] : (int)at;
}

static void check_wrapped_product(unsigned factor, unsigned add)
{
    const int n = 256;
    buffer<int> out(n), in(4096);
    std::vector<int> want(n);
    for (int i = 0; i < 4096; i++)
        in[i] = ~i;
    for (unsigned i = 0; i < n; i++) {
        unsigned at = i * factor + add;
        want[i] = at < 4096 ? ~(int)at : (int)at;
    }
    in.upload();
    wrapped_product<<<2, 128>>>(out.device, in.device, factor, add, n);
    out.download();
    expect_same("wrapped product", out, want);
}

template <typename T>
__global__ void strided(T *out, const T *in, int stride, int first, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[first + i * stride] + (T)1;
}

template <typename T> void check_strides(const char *name)
{
    for (int stride : {1, 2, 3, 4, 5, 8, 16, 33, 70, 0, -1, -2, -3, -64}) {
        const int n = 150, length = 150 * 71;
        int first = stride < 0 ? length - 1 : 3;
        if (first + (n - 1) * stride >= length)
            first = 0;
        buffer<T> out(n), in(length);
        std::vector<T> want(n);
        for (int i = 0; i < length; i++)
            in[i] = (T)(scramble(i) & 0x3fff);
        for (int i = 0; i < n; i++)
            want[i] = (T)(in[first + i * stride] + (T)1);
        in.upload();
        strided<T>
            <<<(n + 63) / 64, 64>>>(out.device, in.device, stride, first, n);
        out.download();
        expect_same(name, out, want);
    }
}

template <typename T> __global__ void reversed(T *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 2) {
        T t = data[i];
        data[i] = data[n - 1 - i];
        data[n - 1 - i] = t;
    }
}

template <typename T> void check_reversed(const char *name)
{
    const int n = 333;
    buffer<T> data(n);
    std::vector<T> want(n);
    for (int i = 0; i < n; i++)
        want[n - 1 - i] = data[i] = (T)scramble(i);
    data.upload();
    reversed<T><<<3, 64>>>(data.device, n);
    data.download();
    expect_same(name, data, want);
}

// Tiles of constant strides: the compiler knows them.
__global__ void pairs_and_triples(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int sum = in[2 * i] - in[2 * i + 1];
    sum += in[3 * i] * 2 + in[3 * i + 1] * 3 + in[3 * i + 2] * 5;
    sum += in[5 * i + 4] - in[7 * i];
    out[i] = sum;
}

static void check_pairs_and_triples()
{
    const int n = 444;
    buffer<int> out(n), in(8 * n);
    std::vector<int> want(n);
    for (int i = 0; i < 8 * n; i++)
        in[i] = (int)(scramble(i) % 4000);
    for (int i = 0; i < n; i++)
        want[i] = in[2 * i] - in[2 * i + 1] + in[3 * i] * 2 +
                  in[3 * i + 1] * 3 + in[3 * i + 2] * 5 + in[5 * i + 4] -
                  in[7 * i];
    in.upload();
    pairs_and_triples<<<(n + 31) / 32, 32>>>(out.device, in.device, n);
    out.download();
    expect_same("pairs and triples", out, want);
}

// A scatter by a permutation, and a gather back.
__global__ void scatter(int *out, const int *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[to[i]] = in[i];
}

static void check_scatter()
{
    const int n = 1021; // a prime
    buffer<int> out(n), in(n), to(n);
    std::vector<int> want(n);
    for (int i = 0; i < n; i++) {
        in[i] = (int)scramble(i);
        to[i] = (int)((long long)i * 387 % n);
        want[to[i]] = in[i];
    }
    in.upload();
    to.upload();
    scatter<<<(n + 127) / 128, 128>>>(out.device, in.device, to.device, n);
    out.download();
    expect_same("scatter", out, want);
}

// Offsets beyond 32 bits: two places 5 GB apart, reached from the middle.
__global__ void far_apart(unsigned char *middle, long long offset)
{
    long long at = (long long)threadIdx.x - 32;
    middle[at * offset] = (unsigned char)(threadIdx.x + 1);
}

static void check_far_apart()
{
    const long long offset = 78125000, half = 32 * offset;
    unsigned char *memory, got[65];
    if (cudaMalloc(&memory, 2 * half + 1) != cudaSuccess) {
        (void)cudaGetLastError();
        std::printf("no 5 GB of memory: far offsets are not tested\n");
        return;
    }
    far_apart<<<1, 65>>>(memory + half, offset);
    CHECK_KERNEL();
    CHECK(cudaMemcpy2D(got, 1, memory, offset, 1, 65, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 65; i++)
        EXPECT_EQ(got[i], i + 1);
    CHECK(cudaFree(memory));
}

int main()
{
    for (int block : {64, 65, 33})
        check_neighbours(block);
    for (unsigned shift : {1u, 17u, 32u, 100u, 0xfffffff0u})
        check_wraps_inside(shift);
    check_wrapped_product(16777216u, 5u);
    check_wrapped_product(3u, 0xffffffd0u);
    check_wrapped_product(0xffffffffu, 70u);
    check_wrapped_product(0x80000000u, 9u);
    check_strides<int>("strided int");
    check_strides<unsigned char>("strided bytes");
    check_strides<short>("strided shorts");
    check_strides<double>("strided doubles");
    check_strides<long long>("strided long longs");
    check_reversed<int>("reversed ints");
    check_reversed<char>("reversed chars");
    check_reversed<double>("reversed doubles");
    check_pairs_and_triples();
    check_scatter();
    check_far_apart();
    return finish();
}
