// SPDX-License-Identifier: Apache-2.0
//
// With one SM, a host thread that waits for one stream while another has work:
// no block of it may get lost, whoever begins with it.
#include "check.h"

__global__ void count(int *sum)
{
    if (threadIdx.x == 0)
        atomicAdd(sum, 1);
}

static void CUDART_CB sleep_a_little(void *)
{
    usleep(2000);
}

int main()
{
    setenv("WEFT_SMS", "1", 1);
    const char *engine = getenv("WEFT_ENGINE");
    const int blocks = engine && !strcmp(engine, "emu") ? 4000 : 20000;
    int *sum;
    cudaStream_t idle, busy;
    CHECK(cudaMallocManaged(&sum, sizeof *sum));
    CHECK(cudaStreamCreateWithFlags(&idle, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&busy, cudaStreamNonBlocking));
    for (int i = 0; i < 30; i++) {
        *sum = 0;
        CHECK(cudaLaunchHostFunc(idle, sleep_a_little, nullptr));
        count<<<blocks, 32, 0, busy>>>(sum);
        CHECK(cudaStreamSynchronize(idle));
        CHECK(cudaStreamSynchronize(busy));
        EXPECT_EQ(*sum, blocks);
    }
    return finish();
}
