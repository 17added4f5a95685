// SPDX-License-Identifier: Apache-2.0
//
// malloc, free, new and delete in kernels: memory outlives the kernel, is
// different for every thread, can be freed by another one, and a request that
// is too large gives NULL.
#include "check.h"

__global__ void build(int **lists, int n)
{
    int i = thread_in_grid();
    if (i >= n)
        return;
    int length = i % 20 + 1;
    int *p = (int *)malloc((length + 1) * sizeof(int));
    if (p) {
        p[0] = length;
        for (int k = 1; k <= length; k++)
            p[k] = i * k;
    }
    lists[i] = p;
}

__global__ void sum(int *out, int **lists, int n)
{
    int i = thread_in_grid();
    if (i >= n)
        return;
    int *p = lists[n - 1 - i]; // another thread's
    int total = 0;
    for (int k = 1; p && k <= p[0]; k++)
        total += p[k];
    out[n - 1 - i] = total;
    free(p);
}

static void check_lists(int n)
{
    buffer<int *> lists(n);
    buffer<int> out(n);
    std::vector<int> want(n);
    for (int i = 0; i < n; i++) {
        int length = i % 20 + 1;
        want[i] = i * (length * (length + 1) / 2);
    }
    build<<<(n + 63) / 64, 64>>>(lists.device, n);
    CHECK(cudaGetLastError());
    sum<<<(n + 95) / 96, 96>>>(out.device, lists.device, n);
    out.download();
    expect_same("lists", out, want);
}

struct counted {
    int *count, value;
    __device__ counted(int *c, int v) : count(c), value(v)
    {
        atomicAdd(count, 1);
    }
    __device__ ~counted()
    {
        atomicSub(count, 1);
    }
};

__global__ void objects(int *count, int *most, int *out)
{
    int i = threadIdx.x;
    counted *c = i % 3 ? new counted(count, i) : nullptr;
    __syncthreads();
    if (i == 0)
        *most = *count;
    __syncthreads();
    out[i] = c ? c->value : -1;
    delete c;
}

static void check_objects()
{
    buffer<int> count(1, 0), most(1), out(100);
    objects<<<1, 100>>>(count.device, most.device, out.device);
    count.download();
    most.download();
    out.download();
    EXPECT_EQ(count[0], 0);
    EXPECT_EQ(most[0], 66);
    for (int i = 0; i < 100; i++)
        EXPECT_EQ(out[i], i % 3 ? i : -1);
}

__device__ void *seen_by_all; // so that no compiler drops the call

__global__ void too_much(int *out)
{
    void *p = malloc((size_t)1 << 50);
    seen_by_all = p;
    *out = p == nullptr;
    free(p);
    free(nullptr);
}

// What a compiler may drop on a host: memory that is only compared with NULL.
struct large {
    char bytes[(size_t)64 << 30];
};

__global__ void only_compared(int *out)
{
    void *a = malloc((size_t)64 << 30), *b = malloc(64);
    large *c = new large;
    int *d = new int[20], *e = new int[(size_t)1 << 34];
    *out = (a == nullptr) | (b != nullptr) << 1 | (c == nullptr) << 2 |
           (d != nullptr) << 3 | (e == nullptr) << 4;
    free(a);
    free(b);
    delete c;
    delete[] d;
    delete[] e;
}

// As much as there is, in pieces that each fit, until there is no more; then
// all of it once more.
__global__ void until_full(int *counts, size_t bytes)
{
    void *pieces[64];
    for (int round = 0; round < 2; round++) {
        int n = 0;
        while (n < 64 && (pieces[n] = malloc(bytes)))
            n++;
        counts[round] = n;
        while (n)
            free(pieces[--n]);
    }
}

static void check_full()
{
    buffer<int> counts(2);
    size_t heap_bytes = 0, piece = (size_t)1 << 20;
    CHECK(cudaDeviceGetLimit(&heap_bytes, cudaLimitMallocHeapSize));
    until_full<<<1, 1>>>(counts.device, piece);
    counts.download();
    EXPECT_EQ(counts[0] > 0 && counts[0] * piece <= heap_bytes, true);
    EXPECT_EQ((counts[0] + 2) * piece > heap_bytes, true);
    EXPECT_EQ(counts[1], counts[0]);
}

static void check_too_much()
{
    buffer<int> out(1);
    too_much<<<1, 1>>>(out.device);
    out.download();
    EXPECT_EQ(out[0], 1);
    only_compared<<<1, 1>>>(out.device);
    out.download();
    EXPECT_EQ(out[0], 31);
}

// A block's scratch memory, made by one thread for all.
__global__ void per_block(int *out)
{
    __shared__ int *scratch;
    if (threadIdx.x == 0)
        scratch = (int *)malloc(blockDim.x * sizeof(int));
    __syncthreads();
    scratch[threadIdx.x] = threadIdx.x + blockIdx.x;
    __syncthreads();
    out[thread_in_grid()] = scratch[blockDim.x - 1 - threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
        free(scratch);
}

static void check_per_block()
{
    const int size = 96, blocks = 40;
    buffer<int> out(size * blocks);
    std::vector<int> want(size * blocks);
    for (int i = 0; i < size * blocks; i++)
        want[i] = size - 1 - i % size + i / size;
    per_block<<<blocks, size>>>(out.device);
    out.download();
    expect_same("per block", out, want);
}

struct alignas(256) wide {
    int n[10];
};

// Memory with more alignment than malloc gives, of which some is freed in the
// middle: all of it is the heap's again.
__global__ void aligned(int *bad, int round)
{
    unsigned i = thread_in_grid(), size = i * 37 % 500 + 1;
    size_t unit = (size_t)16 << (i + round) % 9;
    char *a = (char *)__nv_aligned_device_malloc(size, unit), *b = nullptr;
    wide *c = new wide, *d = new wide[2];
    if (i % 2)
        b = (char *)__nv_aligned_device_malloc(1, 4096);
    *bad += !a || (size_t)a % unit || (size_t)c % 256 || (size_t)d % 256 ||
            (size_t)b % 4096;
    for (unsigned k = 0; a && k < size; k++)
        a[k] = (char)i;
    c->n[0] = d[1].n[9] = i;
    delete c;
    free(b);
    for (unsigned k = 0; a && k < size; k++)
        *bad += a[k] != (char)i;
    *bad += d[1].n[9] != (int)i;
    delete[] d;
    free(a);
}

__global__ void aligned_badly(int *out)
{
    void *none = __nv_aligned_device_malloc(8, 24);
    void *large = __nv_aligned_device_malloc(8, (size_t)1 << 40);
    void *empty = malloc(0), *other = malloc(0); // two, as an H200 gives them
    *out =
        none == nullptr && large == nullptr && empty && other && empty != other;
    free(empty);
    free(other);
}

static void check_aligned()
{
    buffer<int> out(1, 0);
    for (int round = 0; round < 20; round++)
        aligned<<<4, 128>>>(out.device, round);
    out.download();
    EXPECT_EQ(out[0], 0);
    aligned_badly<<<1, 1>>>(out.device);
    out.download();
    EXPECT_EQ(out[0], 1);
}

int main()
{
    size_t size = 0;
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
    CHECK(cudaDeviceGetLimit(&size, cudaLimitMallocHeapSize));
    EXPECT(size >= 16 << 20);
    check_lists(50);
    check_lists(2000);
    check_objects();
    check_too_much();
    check_full();
    check_per_block();
    check_aligned();
    return finish();
}
