// SPDX-License-Identifier: Apache-2.0
//
// A program that blocks all signals, as one does that waits for them in one
// place: a kernel's fault is still an error code and no end of the process.
#include <csignal>

#include "check.h"

__global__ void fail(int *where)
{
    where[threadIdx.x] = 1;
}

int main()
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
    fail<<<100, 64>>>((int *)8);
    EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    return finish();
}
