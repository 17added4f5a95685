// SPDX-License-Identifier: Apache-2.0
//
// Vector addition cut into pieces that travel through several streams: the
// copies of one piece can overlap the kernel of another. Events take the time
// on the device's clock and make the timing stream wait for the others.
#include "common/example.h"

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

const int stream_count = 4;
const int piece = 1 << 20;

struct vectors {
    float *a, *b, *c;
};

static void add_piece(vectors host, vectors device, int first, cudaStream_t s)
{
    size_t size = piece * sizeof(float);

    CHECK(cudaMemcpyAsync(device.a + first, host.a + first, size,
                          cudaMemcpyHostToDevice, s));
    CHECK(cudaMemcpyAsync(device.b + first, host.b + first, size,
                          cudaMemcpyHostToDevice, s));
    add<<<blocks_for(piece, 256), 256, 0, s>>>(
        device.a + first, device.b + first, device.c + first, piece);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(host.c + first, device.c + first, size,
                          cudaMemcpyDeviceToHost, s));
}

int main()
{
    const int n = stream_count * piece;
    const size_t size = n * sizeof(float);
    vectors host, device;
    CHECK(cudaMallocHost(&host.a, size));
    CHECK(cudaMallocHost(&host.b, size));
    CHECK(cudaMallocHost(&host.c, size));
    CHECK(cudaMalloc(&device.a, size));
    CHECK(cudaMalloc(&device.b, size));
    CHECK(cudaMalloc(&device.c, size));
    for (int i = 0; i < n; i++) {
        host.a[i] = sample(i);
        host.b[i] = sample(i + n);
    }

    cudaStream_t streams[stream_count];
    cudaEvent_t start, stop, piece_done[stream_count];
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    for (int i = 0; i < stream_count; i++) {
        CHECK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
        CHECK(cudaEventCreateWithFlags(&piece_done[i], cudaEventDisableTiming));
    }

    float best = 1e30f;
    for (int round = 0; round < 6; round++) {
        CHECK(cudaEventRecord(start, streams[0]));
        for (int i = 0; i < stream_count; i++) {
            CHECK(cudaStreamWaitEvent(streams[i], start, 0));
            add_piece(host, device, i * piece, streams[i]);
            CHECK(cudaEventRecord(piece_done[i], streams[i]));
        }
        for (int i = 0; i < stream_count; i++)
            CHECK(cudaStreamWaitEvent(streams[0], piece_done[i], 0));
        CHECK(cudaEventRecord(stop, streams[0]));
        CHECK(cudaEventSynchronize(stop));
        float ms;
        CHECK(cudaEventElapsedTime(&ms, start, stop));
        best = std::fmin(best, ms);
    }

    std::printf("added %d floats through %d streams: ", n, stream_count);
    bool ok = all_close(
        host.c, n, [&](size_t i) { return host.a[i] + host.b[i]; }, 0, 0);

    for (int i = 0; i < stream_count; i++) {
        CHECK(cudaStreamDestroy(streams[i]));
        CHECK(cudaEventDestroy(piece_done[i]));
    }
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaFree(device.a));
    CHECK(cudaFree(device.b));
    CHECK(cudaFree(device.c));
    CHECK(cudaFreeHost(host.a));
    CHECK(cudaFreeHost(host.b));
    CHECK(cudaFreeHost(host.c));
    return report({"vector_add_streams", ok, best, 9.0 * size, 0});
}
