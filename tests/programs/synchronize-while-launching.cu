// SPDX-License-Identifier: Apache-2.0
//
// cudaDeviceSynchronize waits for what was launched before it, however much
// another thread goes on to launch.
#include "check.h"

#include <atomic>
#include <thread>

__global__ void count(int *n)
{
    atomicAdd(n, 1);
}

int main()
{
    buffer<int> n(1, 0), mine(1, 0);
    std::atomic<bool> stop{false};
    std::atomic<int> launched{0};
    std::thread other([&] {
        cudaStream_t stream;
        CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        while (!stop) {
            count<<<50, 128, 0, stream>>>(n.device);
            // A few in flight at any time, and no more.
            if (++launched % 8 == 0)
                CHECK(cudaStreamSynchronize(stream));
        }
        CHECK(cudaStreamDestroy(stream));
    });
    while (launched < 20)
        std::this_thread::yield();
    for (int i = 1; i <= 20; i++) {
        count<<<1, 1>>>(mine.device);
        CHECK(cudaDeviceSynchronize());
        int got = 0;
        CHECK(
            cudaMemcpy(&got, mine.device, sizeof got, cudaMemcpyDeviceToHost));
        EXPECT_EQ(got, i);
    }
    stop = true;
    other.join();
    CHECK(cudaDeviceSynchronize());
    n.download();
    EXPECT_EQ(n.host[0], launched * 6400);
    return finish();
}
