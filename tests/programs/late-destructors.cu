// SPDX-License-Identifier: Apache-2.0
//
// Static objects that use the device from their constructors on until the
// process ends, with kernels that nobody compiled before, while another thread
// goes on launching.
#include <thread>

#include "check.h"

__global__ void store(int *out, int value)
{
    *out = value;
}

__global__ void first_used_late(int *out)
{
    *out += 1;
}

template <int n> __global__ void one_of_many(int *out)
{
    *out += n;
}

struct user {
    int *memory = nullptr;

    user()
    {
        CHECK(cudaMalloc(&memory, sizeof *memory));
    }
    ~user()
    {
        int value = 0;
        store<<<1, 1>>>(memory, 42);
        CHECK_KERNEL();
        CHECK(cudaMemcpy(&value, memory, sizeof value, cudaMemcpyDefault));
        EXPECT_EQ(value, 42);
        first_used_late<<<1, 1>>>(memory);
        CHECK_KERNEL();
        CHECK(cudaMemcpy(&value, memory, sizeof value, cudaMemcpyDefault));
        EXPECT_EQ(value, 43);
        CHECK(cudaFree(memory));
        if (failures)
            _exit(1);
    }
};

static user global;

template <int n> static void launch_all(int *memory)
{
    one_of_many<n><<<1, 1>>>(memory);
    if constexpr (n > 0)
        launch_all<n - 1>(memory);
}

int main()
{
    static user local;
    store<<<1, 1>>>(global.memory, 1);
    CHECK_KERNEL();
    int *memory;
    CHECK(cudaMalloc(&memory, sizeof *memory));
    std::thread(launch_all<20>, memory).detach();
    return finish();
}
