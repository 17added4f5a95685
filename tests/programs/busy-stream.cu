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
    int *sum;
    cudaStream_t stream;
    std::atomic<bool> has_waited{false};
    std::atomic<int> launches{0};
    CHECK(cudaMalloc(&sum, sizeof *sum));
    CHECK(cudaStreamCreate(&stream));
    add<<<64, 256, 0, stream>>>(sum);
    std::thread other([&] {
        while (!has_waited && launches < 200000) {
            add<<<64, 256, 0, stream>>>(sum);
            launches++;
        }
    });
    while (launches < 100)
        std::this_thread::yield();
    CHECK(cudaStreamSynchronize(stream));
    has_waited = true;
    other.join();
    EXPECT(launches < 200000);
    CHECK(cudaStreamSynchronize(stream));
    return finish();
}
