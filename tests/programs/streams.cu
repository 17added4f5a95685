// SPDX-License-Identifier: Apache-2.0
//
// Streams and events: order within a stream, waiting across streams, the
// default stream's rules, queries, timing, callbacks and host functions,
// priorities, streams used by several host threads.
#include <atomic>
#include <thread>

#include "check.h"

// Each step depends on the one before: the result shows the order.
__global__ void step(int *data, int n, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] = data[i] * 3 + by;
}

__global__ void slow(int *data, int rounds)
{
    int x = *data;
    for (int i = 0; i < rounds; i++)
        x = x * 1664525 + 1013904223;
    *data = x;
}

const int n = 3000;

static void launch(cudaStream_t s, int *data, int by)
{
    step<<<(n + 127) / 128, 128, 0, s>>>(data, n, by);
    CHECK(cudaGetLastError());
}

static void check_order_in_stream()
{
    cudaStream_t s[3];
    int *device[3], *host[3];
    for (int k = 0; k < 3; k++) {
        CHECK(cudaStreamCreate(&s[k]));
        CHECK(cudaMalloc(&device[k], n * sizeof(int)));
        CHECK(cudaMallocHost(&host[k], n * sizeof(int)));
        for (int i = 0; i < n; i++)
            host[k][i] = i + k;
    }
    for (int k = 0; k < 3; k++)
        CHECK(cudaMemcpyAsync(device[k], host[k], n * sizeof(int),
                              cudaMemcpyHostToDevice, s[k]));
    for (int by = 0; by < 10; by++)
        for (int k = 0; k < 3; k++)
            launch(s[k], device[k], by);
    for (int k = 0; k < 3; k++) {
        CHECK(cudaMemcpyAsync(host[k], device[k], n * sizeof(int),
                              cudaMemcpyDeviceToHost, s[k]));
        CHECK(cudaStreamSynchronize(s[k]));
        EXPECT(cudaStreamQuery(s[k]) == cudaSuccess);
        for (int i = 0; i < n; i++) {
            unsigned want = i + k;
            for (int by = 0; by < 10; by++)
                want = want * 3 + by;
            if (host[k][i] != (int)want)
                FAIL("stream %d: element %d is %d, should be %d", k, i,
                     host[k][i], (int)want);
        }
        CHECK(cudaStreamDestroy(s[k]));
        CHECK(cudaFree(device[k]));
        CHECK(cudaFreeHost(host[k]));
    }
}

static void check_waiting_across()
{
    cudaStream_t a, b;
    cudaEvent_t ready, done;
    CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    buffer<int> data(n, 0);
    unsigned want = 0;
    for (int round = 0; round < 8; round++) {
        slow<<<1, 1, 0, a>>>(data.device, 0);
        launch(a, data.device, round);
        CHECK(cudaEventRecord(ready, a));
        CHECK(cudaStreamWaitEvent(b, ready, 0));
        launch(b, data.device, 100);
        CHECK(cudaEventRecord(done, b));
        CHECK(cudaStreamWaitEvent(a, done, 0));
        want = (want * 3 + round) * 3 + 100;
    }
    CHECK(cudaStreamSynchronize(a));
    data.download();
    expect_same("across", data, std::vector<int>(n, (int)want));
    CHECK(cudaStreamDestroy(a));
    CHECK(cudaStreamDestroy(b));
    CHECK(cudaEventDestroy(ready));
    CHECK(cudaEventDestroy(done));
}

// The default stream waits for all blocking streams, and they for it.
static void check_default_stream()
{
    cudaStream_t a, b;
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    buffer<int> data(n, 0);
    unsigned want = 0;
    for (int round = 0; round < 6; round++) {
        launch(a, data.device, 1);
        launch(0, data.device, 2);
        launch(b, data.device, 3);
        launch(cudaStreamLegacy, data.device, 4);
        want = (((want * 3 + 1) * 3 + 2) * 3 + 3) * 3 + 4;
    }
    data.download();
    expect_same("default stream", data, std::vector<int>(n, (int)want));
    CHECK(cudaStreamDestroy(a));
    CHECK(cudaStreamDestroy(b));
}

static void check_events()
{
    cudaEvent_t start, stop, plain;
    float ms = -1;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventCreateWithFlags(&plain, cudaEventDisableTiming));
    EXPECT(cudaEventQuery(start) == cudaSuccess); // never recorded
    EXPECT_ERROR(cudaEventElapsedTime(&ms, start, stop),
                 cudaErrorInvalidResourceHandle);

    buffer<int> data(1, 0);
    CHECK(cudaEventRecord(start, 0));
    slow<<<1, 1>>>(data.device, 3000000);
    CHECK(cudaEventRecord(stop, 0));
    cudaError_t e = cudaEventQuery(stop);
    EXPECT(e == cudaSuccess || e == cudaErrorNotReady);
    CHECK(cudaEventSynchronize(stop));
    EXPECT(cudaEventQuery(stop) == cudaSuccess);
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    EXPECT(ms > 0.1f && ms < 10000);
    float back = 0;
    CHECK(cudaEventElapsedTime(&back, stop, start));
    EXPECT(back <= 0 && back + ms < 0.01f);

    CHECK(cudaEventRecord(plain, 0));
    CHECK(cudaEventSynchronize(plain));
    EXPECT_ERROR(cudaEventElapsedTime(&ms, start, plain),
                 cudaErrorInvalidResourceHandle);
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaEventDestroy(plain));
}

struct note {
    const int *watched;
    std::vector<int> seen;
    cudaError_t status = cudaErrorUnknown;
    int calls = 0;
};

static void CUDART_CB on_stream(cudaStream_t, cudaError_t status, void *data)
{
    note *n = (note *)data;
    n->status = status;
    n->calls++;
    n->seen.push_back(*n->watched);
}

static void CUDART_CB on_host(void *data)
{
    note *n = (note *)data;
    n->calls++;
    n->seen.push_back(*n->watched);
}

// A host function sees what was before it, and nothing of what comes after.
static void check_callbacks()
{
    cudaStream_t s;
    int *host;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaMallocHost(&host, sizeof(int)));
    *host = 0;
    buffer<int> data(n, 0);
    note n1, n2;
    n1.watched = n2.watched = host;
    unsigned value = 0;
    std::vector<int> want;
    for (int round = 1; round <= 5; round++) {
        launch(s, data.device, round);
        CHECK(cudaMemcpyAsync(host, data.device, sizeof(int),
                              cudaMemcpyDeviceToHost, s));
        CHECK(cudaStreamAddCallback(s, on_stream, &n1, 0));
        CHECK(cudaLaunchHostFunc(s, on_host, &n2));
        value = value * 3 + round;
        want.push_back((int)value);
    }
    CHECK(cudaStreamSynchronize(s));
    EXPECT_EQ(n1.calls, 5);
    EXPECT_EQ(n2.calls, 5);
    EXPECT(n1.status == cudaSuccess);
    EXPECT(n1.seen == want);
    EXPECT(n2.seen == want);
    CHECK(cudaFreeHost(host));
    CHECK(cudaStreamDestroy(s));
}

static void check_properties()
{
    int least = 1, greatest = 1, priority = 77;
    unsigned flags = 99;
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    EXPECT(greatest <= least);
    cudaStream_t s;
    CHECK(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, greatest));
    CHECK(cudaStreamGetPriority(s, &priority));
    CHECK(cudaStreamGetFlags(s, &flags));
    EXPECT_EQ(priority, greatest);
    EXPECT_EQ(flags, cudaStreamNonBlocking);
    CHECK(cudaStreamDestroy(s));
}

// A destroyed stream finishes its work.
static void check_destroyed_early()
{
    cudaStream_t s;
    buffer<int> data(n, 0);
    CHECK(cudaStreamCreate(&s));
    for (int i = 0; i < 20; i++)
        launch(s, data.device, 1);
    CHECK(cudaStreamDestroy(s));
    unsigned want = 0;
    for (int i = 0; i < 20; i++)
        want = want * 3 + 1;
    data.download();
    expect_same("destroyed early", data, std::vector<int>(n, (int)want));
}

static void check_host_threads()
{
    std::vector<std::thread> threads;
    std::atomic<int> wrong(0);
    for (int t = 0; t < 4; t++) {
        threads.emplace_back([&wrong, t] {
            cudaStream_t s;
            int *device;
            std::vector<int> host(n);
            CHECK(cudaStreamCreate(&s));
            CHECK(cudaMalloc(&device, n * sizeof(int)));
            CHECK(cudaMemsetAsync(device, 0, n * sizeof(int), s));
            unsigned want = 0;
            for (int i = 0; i < 25; i++) {
                launch(s, device, t);
                want = want * 3 + t;
            }
            CHECK(cudaMemcpyAsync(host.data(), device, n * sizeof(int),
                                  cudaMemcpyDeviceToHost, s));
            CHECK(cudaStreamSynchronize(s));
            for (int x : host)
                wrong += x != (int)want;
            CHECK(cudaFree(device));
            CHECK(cudaStreamDestroy(s));
        });
    }
    for (std::thread &t : threads)
        t.join();
    EXPECT_EQ(wrong, 0);
}

int main()
{
    check_order_in_stream();
    check_waiting_across();
    check_default_stream();
    check_events();
    check_callbacks();
    check_properties();
    check_destroyed_early();
    check_host_threads();
    return finish();
}
