// SPDX-License-Identifier: Apache-2.0
//
// Waiting for a stream ends when the work of before is done, although another
// thread goes on launching into it.
#include <atomic>
#include <thread>

#include "check.h"

__global__ void add(int *sum)
{
    atomicAdd(sum, 1);
}

int main()
{
    const int limit = 20000;
    int *sum;
    cudaStream_t stream;
    std::atomic<bool> has_waited{false};
    std::atomic<int> launches{0};
    CHECK(cudaMalloc(&sum, sizeof *sum));
    CHECK(cudaStreamCreate(&stream));
    add<<<64, 256, 0, stream>>>(sum);
    // The stream always has the next one in it when one ends.
    std::thread other([&] {
        cudaEvent_t done[2];
        CHECK(cudaEventCreate(&done[0]));
        CHECK(cudaEventCreate(&done[1]));
        while (!has_waited && launches < limit) {
            add<<<64, 256, 0, stream>>>(sum);
            CHECK(cudaEventRecord(done[launches % 2], stream));
            launches++;
            CHECK(cudaEventSynchronize(done[launches % 2]));
        }
    });
    while (launches < 10)
        std::this_thread::yield();
    CHECK(cudaStreamSynchronize(stream));
    has_waited = true;
    other.join();
    EXPECT(launches < limit);
    CHECK(cudaStreamSynchronize(stream));
    return finish();
}
