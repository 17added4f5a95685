// SPDX-License-Identifier: Apache-2.0
//
// A program with managed variables that forks before its first call: both
// processes may use CUDA, each with variables of its own. One that forks later
// may not.
#include <sys/wait.h>

#include "check.h"

__managed__ int counter = 40;
__device__ int plain = 2;

__global__ void add()
{
    counter += plain;
}

static void use_device(int before)
{
    EXPECT_EQ(counter, before);
    add<<<1, 1>>>();
    CHECK_KERNEL();
    EXPECT_EQ(counter, before + 2);
    cudaPointerAttributes a;
    CHECK(cudaPointerGetAttributes(&a, &counter));
    EXPECT_EQ(a.type, cudaMemoryTypeManaged);
}

static void use_after_writing()
{
    counter = 7;
    use_device(7);
}

static void find_it_closed()
{
    int *out;
    EXPECT(cudaMalloc(&out, 4) == cudaErrorInitializationError);
    add<<<1, 1>>>();
    EXPECT(cudaGetLastError() == cudaErrorInitializationError);
}

static void in_child(void (*work)())
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        alarm(30);
        work();
        exit(failures != 0);
    }
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
}

static void use_in_grandchild()
{
    in_child(use_after_writing);
    use_device(40);
    in_child(find_it_closed);
}

int main()
{
    EXPECT_EQ(counter, 40);
    in_child(use_after_writing);
    in_child(use_in_grandchild);
    use_device(40);
    in_child(find_it_closed);
    use_device(42);
    return finish();
}
