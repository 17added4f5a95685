// SPDX-License-Identifier: Apache-2.0
//
// Limits of the device: what a kernel has begun to use keeps its size, values
// that no device has are refused, a stack that was asked for is there, and a
// reset brings back what was at the beginning.
#include "check.h"

static size_t limit(cudaLimit l)
{
    size_t value = 0;
    CHECK(cudaDeviceGetLimit(&value, l));
    return value;
}

static void expect_refused(cudaLimit l, size_t value)
{
    size_t before = limit(l);
    EXPECT(cudaDeviceSetLimit(l, value) == cudaErrorInvalidValue);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    EXPECT_EQ(limit(l), before);
}

__device__ void *kept;

__global__ void allocate(size_t bytes, int *ok)
{
    kept = malloc(bytes);
    *ok = kept != nullptr;
}

__global__ void print()
{
    printf("0123456789abcde\n");
}

// 64 words of a thread's own in each call.
__device__ __noinline__ int descend(int n, int *sink)
{
    volatile int words[64];
    for (int i = 0; i < 64; i++)
        words[i] = n + i;
    if (n == 0)
        return words[1];
    int deeper = descend(n - 1, sink);
    *sink = words[n & 63];
    return deeper + words[n % 64] - n;
}

__global__ void recurse(int depth, int *out)
{
    int sink;
    out[threadIdx.x] = descend(depth, &sink);
}

static void check_values()
{
    const size_t most = (size_t)1 << 40;
    expect_refused(cudaLimitStackSize, most);
    expect_refused(cudaLimitStackSize, ~(size_t)0);
    expect_refused(cudaLimitMallocHeapSize, ~(size_t)0);
    expect_refused(cudaLimitMaxL2FetchGranularity, 129);
    // Too small is no error: there is a least size.
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 0));
    EXPECT_EQ(limit(cudaLimitMallocHeapSize), 4 << 20);
    CHECK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 0));
    EXPECT_EQ(limit(cudaLimitPrintfFifoSize), 512 << 10);
    // What is no multiple is rounded, as an H200 does it.
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, (5 << 20) + 1));
    EXPECT_EQ(limit(cudaLimitMallocHeapSize), 0x510000);
    CHECK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, (5 << 20) + 1));
    EXPECT_EQ(limit(cudaLimitPrintfFifoSize), 0x500100);
    // More than there is: what there is.
    size_t free_bytes, all_bytes;
    CHECK(cudaMemGetInfo(&free_bytes, &all_bytes));
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, most << 5));
    EXPECT(limit(cudaLimitMallocHeapSize) > 32 << 20 &&
           limit(cudaLimitMallocHeapSize) <= all_bytes);
    size_t stack = limit(cudaLimitStackSize);
    CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 1025));
    EXPECT_EQ(limit(cudaLimitStackSize), 1040);
    CHECK(cudaDeviceSetLimit(cudaLimitStackSize, stack));
    CHECK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, ~(size_t)0));
    EXPECT(limit(cudaLimitPrintfFifoSize) <= (size_t)1 << 32);
}

static void check_use()
{
    buffer<int> ok(1, -1);
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20));
    CHECK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20));
    allocate<<<1, 1>>>(24 << 20, ok.device);
    ok.download();
    EXPECT_EQ(ok[0], 1);
    print<<<1, 1>>>();
    CHECK_KERNEL();
    expect_refused(cudaLimitMallocHeapSize, 64 << 20);
    expect_refused(cudaLimitPrintfFifoSize, 2 << 20);
}

// What is lost with the context is the heap, too: all of it is free again.
static void check_reset(size_t stack, size_t heap, size_t fifo)
{
    CHECK(cudaDeviceReset());
    EXPECT_EQ(limit(cudaLimitStackSize), stack);
    EXPECT_EQ(limit(cudaLimitMallocHeapSize), heap);
    EXPECT_EQ(limit(cudaLimitPrintfFifoSize), fifo);
    for (int i = 0; i < 3; i++) {
        CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
        {
            buffer<int> ok(1, -1);
            allocate<<<1, 1>>>(12 << 20, ok.device);
            ok.download();
            EXPECT_EQ(ok[0], 1);
        }
        CHECK(cudaDeviceReset());
    }
}

static void check_stack()
{
    const int depth = 800; // more than 200 KB for each thread
    CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 256 << 10));
    EXPECT_EQ(limit(cudaLimitStackSize), 256 << 10);
    buffer<int> out(64, -1);
    recurse<<<1, 64>>>(depth, out.device);
    CHECK_KERNEL();
    out.download();
    int want = 1;
    for (int n = 1; n <= depth; n++)
        want += n % 64;
    EXPECT_EQ(out[0], want);
    EXPECT_EQ(out[63], want);
}

int main()
{
    size_t stack = limit(cudaLimitStackSize);
    size_t heap = limit(cudaLimitMallocHeapSize);
    size_t fifo = limit(cudaLimitPrintfFifoSize);
    EXPECT_EQ(fifo, 8650752);
    check_values();
    check_use();
    check_reset(stack, heap, fifo);
    check_stack();
    return finish();
}
