// SPDX-License-Identifier: Apache-2.0
//
// Cooperative launches: as many blocks as the occupancy functions say meet at
// barriers of the grid; one more is refused.
#include "check.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// Sums of neighbours, handed on between blocks, a barrier at each step.
__global__ void steps(int *a, int *b, int count)
{
    cg::grid_group grid = cg::this_grid();
    int n = (int)grid.size(), i = (int)grid.thread_rank();
    __shared__ int own;
    if (threadIdx.x == 0)
        own = (int)blockIdx.x;
    a[i] = i;
    grid.sync();
    for (int s = 0; s < count; s++) {
        b[i] = a[(i + (int)blockDim.x) % n];
        grid.sync();
        a[i] = b[i] + 1;
        grid.sync();
    }
    // Each block has shared memory of its own all the time.
    if (own != (int)blockIdx.x || !grid.is_valid())
        a[i] = -1;
}

static void launch(int blocks, int size, cudaStream_t stream)
{
    int n = blocks * size, count = 3;
    buffer<int> a(n, 0), b(n, 0);
    std::vector<int> want(n);
    for (int i = 0; i < n; i++)
        want[i] = (i + count * size) % n + count;
    void *args[] = {&a.device, &b.device, &count};
    CHECK(cudaLaunchCooperativeKernel((const void *)steps, dim3(blocks),
                                      dim3(size), args, 0, stream));
    CHECK(cudaStreamSynchronize(stream));
    a.download();
    expect_same("steps", a, want);
}

int main()
{
    int device = 0, can = 0, sms = 0, per_sm = 0;
    CHECK(cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, device));
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    EXPECT_EQ(can, 1);
    launch(1, 32, 0);
    launch(3, 33, 0);
    for (int size : {1024, 256}) {
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, steps,
                                                            size, 0));
        EXPECT(per_sm >= 1);
        int most = per_sm * sms;
        launch(most, size, 0);
        int *none = nullptr, count = 0;
        void *args[] = {&none, &none, &count};
        EXPECT_ERROR(cudaLaunchCooperativeKernel((const void *)steps,
                                                 dim3(most + 1), dim3(size),
                                                 args, 0, 0),
                     cudaErrorCooperativeLaunchTooLarge);
    }
    return finish();
}
