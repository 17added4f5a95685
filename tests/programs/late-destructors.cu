// SPDX-License-Identifier: Apache-2.0
//
// Static objects that use the device from their constructors on until the
// process ends.
#include "check.h"

__global__ void store(int *out, int value)
{
    *out = value;
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
        CHECK(cudaFree(memory));
        if (failures)
            _exit(1);
    }
};

static user global;

int main()
{
    static user local;
    store<<<1, 1>>>(global.memory, 1);
    CHECK_KERNEL();
    return finish();
}
