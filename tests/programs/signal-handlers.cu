// SPDX-License-Identifier: Apache-2.0
//
// A program with handlers of its own for the signals that stray accesses
// cause, set after the device was first used: a kernel's fault is still the
// context's error and none of theirs, and a fault of the program is theirs.
#include <csetjmp>
#include <csignal>

#include "check.h"

static sigjmp_buf back;
static volatile sig_atomic_t calls;
static struct sigaction before;

__global__ void store(int *p)
{
    *p = 7;
}

static void expect_kernel_fault()
{
    int *p, value = 0;
    sig_atomic_t calls_before = calls;
    CHECK(cudaMalloc(&p, 4));
    store<<<1, 32>>>(nullptr);
    EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    EXPECT_EQ(calls, calls_before);
    CHECK(cudaDeviceReset());
    (void)cudaGetLastError();
    CHECK(cudaMalloc(&p, 4));
    store<<<1, 32>>>(p);
    CHECK(cudaMemcpy(&value, p, 4, cudaMemcpyDefault));
    EXPECT_EQ(value, 7);
    CHECK(cudaFree(p));
}

static void expect_own_fault()
{
    sig_atomic_t calls_before = calls;
    if (!sigsetjmp(back, 1))
        *(volatile int *)8 = 1;
    EXPECT_EQ(calls, calls_before + 1);
}

static void plain(int)
{
    ++calls;
    siglongjmp(back, 1);
}

// Polite: asks whom it replaced first, who here has nobody to ask in turn but
// the plain one.
static void polite(int signal, siginfo_t *info, void *context)
{
    if (before.sa_flags & SA_SIGINFO)
        before.sa_sigaction(signal, info, context);
    else
        before.sa_handler(signal);
}

int main()
{
    CHECK(cudaFree(nullptr));
    expect_kernel_fault();
    signal(SIGSEGV, plain);
    for (int i = 0; i < 3; i++) {
        expect_kernel_fault();
        expect_own_fault();
    }
    struct sigaction sa = {};
    sa.sa_sigaction = polite;
    sa.sa_flags = SA_SIGINFO | SA_NODEFER;
    EXPECT(!sigaction(SIGSEGV, &sa, &before));
    for (int i = 0; i < 3; i++) {
        expect_kernel_fault();
        expect_own_fault();
    }
    EXPECT(!sigaction(SIGSEGV, &before, nullptr)); // and back
    expect_kernel_fault();
    expect_own_fault();
    return finish();
}
