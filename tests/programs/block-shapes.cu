// SPDX-License-Identifier: Apache-2.0
//
// Blocks and grids of every kind of shape: all threads run, each once, each
// with the right coordinates; 2-D and 3-D grids; the last warp of a block is
// partly empty.
#include "check.h"

struct place {
    unsigned thread[3], block[3], block_dim[3], grid_dim[3];
    int runs;
};

__global__ void where(place *out)
{
    unsigned block =
        (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned size = blockDim.x * blockDim.y * blockDim.z;
    place *p = &out[block * size + thread_in_block()];
    p->thread[0] = threadIdx.x;
    p->thread[1] = threadIdx.y;
    p->thread[2] = threadIdx.z;
    p->block[0] = blockIdx.x;
    p->block[1] = blockIdx.y;
    p->block[2] = blockIdx.z;
    p->block_dim[0] = blockDim.x;
    p->block_dim[1] = blockDim.y;
    p->block_dim[2] = blockDim.z;
    p->grid_dim[0] = gridDim.x;
    p->grid_dim[1] = gridDim.y;
    p->grid_dim[2] = gridDim.z;
    atomicAdd(&p->runs, 1);
}

// The sum over the block, through shared memory, of what each thread holds.
__global__ void block_sum(int *out)
{
    __shared__ int values[1024];
    int size = blockDim.x * blockDim.y * blockDim.z;
    int me = thread_in_block();
    values[size - 1 - me] = me * me;
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < size; i++)
        sum += values[i] ^ (i & 3);
    out[thread_in_grid()] = sum;
}

// What a warp knows of itself: the lane and the lanes that exist.
__global__ void warps(unsigned *lanes, unsigned *live)
{
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    lanes[thread_in_grid()] = lane;
    live[thread_in_grid()] = __activemask();
}

static void check_where(dim3 grid, dim3 block)
{
    int blocks = grid.x * grid.y * grid.z;
    int size = block.x * block.y * block.z;
    buffer<place> out(blocks * size, 0);
    std::vector<place> want;
    for (unsigned b = 0; b < (unsigned)blocks; b++) {
        for (unsigned t = 0; t < (unsigned)size; t++) {
            place p = {
                {t % block.x, t / block.x % block.y, t / block.x / block.y},
                {b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y},
                {block.x, block.y, block.z},
                {grid.x, grid.y, grid.z},
                1};
            want.push_back(p);
        }
    }
    where<<<grid, block>>>(out.device);
    out.download();
    expect_same("where", out, want);
}

static void check_block_sum(dim3 block)
{
    int size = block.x * block.y * block.z;
    int sum = 0;
    for (int i = 0; i < size; i++)
        sum += ((size - 1 - i) * (size - 1 - i)) ^ (i & 3);
    buffer<int> out(3 * size);
    block_sum<<<3, block>>>(out.device);
    out.download();
    expect_same("block sum", out, std::vector<int>(3 * size, sum));
}

static void check_warps(dim3 block)
{
    int size = block.x * block.y * block.z;
    buffer<unsigned> lanes(2 * size), live(2 * size);
    std::vector<unsigned> want_lanes(2 * size), want_live(2 * size);
    for (int i = 0; i < 2 * size; i++) {
        int thread = i % size;
        int rest = size - thread / 32 * 32;
        want_lanes[i] = thread % 32;
        want_live[i] = rest >= 32 ? 0xffffffffu : (1u << rest) - 1;
    }
    warps<<<2, block>>>(lanes.device, live.device);
    lanes.download();
    live.download();
    expect_same("lanes", lanes, want_lanes);
    expect_same("live lanes", live, want_live);
}

int main()
{
    const dim3 shapes[] = {
        dim3(1, 1, 1),  dim3(7, 3, 2),   dim3(33),       dim3(65),
        dim3(100),      dim3(16, 16),    dim3(8, 8, 8),  dim3(1024),
        dim3(1, 1, 64), dim3(2, 128, 3), dim3(31),       dim3(32),
        dim3(4, 4),     dim3(12, 5),     dim3(1, 40, 2), dim3(64, 2)};
    for (dim3 block : shapes) {
        check_where(dim3(2, 3), block);
        check_block_sum(block);
        check_warps(block);
    }
    check_where(dim3(1), dim3(1));
    check_where(dim3(5, 3, 2), dim3(3, 5, 2));
    check_where(dim3(1, 1, 9), dim3(10));
    check_where(dim3(1000), dim3(2));
    check_where(dim3(1, 700), dim3(32));
    return finish();
}
