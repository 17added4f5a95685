// SPDX-License-Identifier: Apache-2.0
//
// <cuda/barrier>, <cuda/pipeline>, <cuda_awbarrier.h>, <cuda_pipeline.h>: the
// ways of the guide to wait for arrivals and for copies.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_awbarrier.h>
#include <cuda_pipeline.h>

#include "check.h"

namespace cg = cooperative_groups;
typedef cuda::barrier<cuda::thread_scope_block> block_barrier;

// Every round each thread reads what its neighbour wrote.
__global__ void rounds(int *out)
{
    __shared__ block_barrier bar;
    __shared__ int value[256];
    auto block = cg::this_thread_block();
    int i = threadIdx.x, n = blockDim.x;
    if (block.thread_rank() == 0)
        init(&bar, block.size());
    block.sync();
    int sum = 0;
    for (int round = 0; round < 5; round++) {
        value[i] = i * 10 + round;
        bar.arrive_and_wait();
        sum += value[(i + 1) % n];
        block_barrier::arrival_token token = bar.arrive();
        bar.wait(std::move(token));
    }
    out[i] = sum;
}

// Threads leave one after the other.
__global__ void dropping(int *out)
{
    __shared__ block_barrier bar;
    __shared__ int arrived;
    if (threadIdx.x == 0) {
        init(&bar, blockDim.x);
        arrived = 0;
    }
    __syncthreads();
    int warp = threadIdx.x / 32;
    for (int round = 0; round < warp; round++) {
        atomicAdd(&arrived, 1);
        bar.arrive_and_wait();
    }
    bar.arrive_and_drop();
    __syncthreads();
    out[threadIdx.x] = arrived;
}

struct count_phases {
    int *phases;
    __device__ void operator()() const
    {
        ++*phases;
    }
};

__global__ void completions(int *out)
{
    typedef cuda::barrier<cuda::thread_scope_block, count_phases> counted;
    __shared__ alignas(counted) char storage[sizeof(counted)];
    __shared__ int phases;
    counted *bar = (counted *)storage;
    if (threadIdx.x == 0) {
        phases = 0;
        init(bar, blockDim.x, count_phases{&phases});
    }
    __syncthreads();
    for (int round = 1; round <= 3; round++) {
        bar->arrive_and_wait();
        out[(round - 1) * blockDim.x + threadIdx.x] = phases;
        __syncthreads();
    }
}

// Warp 0 produces, the others consume.
__global__ void primitives(int *out)
{
    __shared__ __mbarrier_t full, empty;
    __shared__ int box;
    if (threadIdx.x == 0) {
        __mbarrier_init(&full, 32);
        __mbarrier_init(&empty, blockDim.x - 32);
    }
    __syncthreads();
    int sum = __mbarrier_maximum_count() == 16383 ? 0 : -2;
    bool parity = false;
    for (int round = 1; round <= 4; round++, parity = !parity) {
        if (threadIdx.x < 32) {
            if (threadIdx.x == 0)
                box = round * 100;
            __mbarrier_arrive(&full);
            while (!__mbarrier_try_wait_parity(&empty, parity, 1000)) {
            }
        } else {
            while (!__mbarrier_test_wait_parity(&full, parity)) {
            }
            sum += box;
            __mbarrier_token_t token = __mbarrier_arrive(&empty);
            if (threadIdx.x == 32 && __mbarrier_token_pending_count(token) == 0)
                sum = -1;
            while (!__mbarrier_test_wait(&empty, token)) {
            }
        }
    }
    out[threadIdx.x] = sum;
}

__global__ void old_names(int *out, const int *in)
{
    __shared__ nvcuda::experimental::awbarrier bar;
    __shared__ int4 staged[64];
    nvcuda::experimental::pipeline pipe;
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    nvcuda::experimental::memcpy_async(staged[threadIdx.x],
                                       ((const int4 *)in)[threadIdx.x], pipe);
    pipe.commit();
    pipe.wait_prior<0>();
    bar.arrive_and_wait();
    int4 v = staged[63 - threadIdx.x];
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

__global__ void staged_copies(int *out, const int *in)
{
    __shared__ int4 staged[64];
    __shared__ int zeroed[4];
    __pipeline_memcpy_async(&staged[threadIdx.x],
                            (const int4 *)in + threadIdx.x, sizeof(int4));
    if (threadIdx.x == 0)
        __pipeline_memcpy_async(zeroed, in, 16, 8);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = staged[63 - threadIdx.x].y + zeroed[1] + zeroed[3];
}

// The sum of a row of blocks of data, two stages in flight.
template <typename Pipe>
__device__ int pump(Pipe &pipe, int (*stage)[128], const int *in, int batches)
{
    auto block = cg::this_thread_block();
    int sum = 0, fetched = 0;
    for (int batch = 0; batch < batches; batch++) {
        for (; fetched < batches && fetched < batch + 2; fetched++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, stage[fetched % 2], in + fetched * 128,
                               cuda::aligned_size_t<16>(128 * sizeof(int)),
                               pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += stage[batch % 2][127 - threadIdx.x];
        pipe.consumer_release();
    }
    return sum;
}

__global__ void pipelined(int *out, const int *in, int batches)
{
    __shared__ int stage[2][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    out[threadIdx.x] = pump(pipe, stage, in, batches);
    pipe.quit();
}

// The first half of the block copies, the second half adds up.
__global__ void specialised(int *out, const int *in, int batches)
{
    __shared__ int stage[2][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    bool is_producer = threadIdx.x < 64;
    auto pipe =
        cuda::make_pipeline(block, &state,
                            is_producer ? cuda::pipeline_role::producer
                                        : cuda::pipeline_role::consumer);
    int sum = 0;
    for (int batch = 0; batch < batches; batch++) {
        if (is_producer) {
            pipe.producer_acquire();
            cuda::memcpy_async(&stage[batch % 2][threadIdx.x],
                               &in[batch * 64 + threadIdx.x], sizeof(int),
                               pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum += stage[batch % 2][127 - threadIdx.x];
            pipe.consumer_release();
        }
    }
    out[threadIdx.x] = sum;
}

// A pipeline of one thread.
__global__ void alone(int *out, const int *in)
{
    __shared__ int stage[128];
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&stage[threadIdx.x], &in[threadIdx.x], sizeof(int),
                       pipe);
    pipe.producer_commit();
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    out[threadIdx.x] = stage[threadIdx.x] * 2;
    pipe.consumer_release();
}

int main()
{
    std::vector<int> numbers(1024);
    for (int i = 0; i < 1024; i++)
        numbers[i] = i * 3 + 1;
    buffer<int> in(numbers), out(512);

    rounds<<<1, 256>>>(out.device);
    out.download();
    for (int i = 0; i < 256; i++)
        EXPECT_EQ(out[i], 5 * ((i + 1) % 256 * 10) + 10);

    dropping<<<1, 128>>>(out.device);
    out.download();
    for (int i = 0; i < 128; i++)
        EXPECT_EQ(out[i], 32 * (1 + 2 + 3));

    completions<<<1, 96>>>(out.device);
    out.download();
    for (int i = 0; i < 3 * 96; i++)
        EXPECT_EQ(out[i], i / 96 + 1);

    primitives<<<1, 128>>>(out.device);
    out.download();
    for (int i = 0; i < 128; i++)
        EXPECT_EQ(out[i], i < 32 ? 0 : 1000);

    old_names<<<1, 64>>>(out.device, in.device);
    out.download();
    for (int i = 0; i < 64; i++) {
        int first = (63 - i) * 4;
        EXPECT_EQ(out[i], (first * 4 + 6) * 3 + 4);
    }

    staged_copies<<<1, 64>>>(out.device, in.device);
    out.download();
    for (int i = 0; i < 64; i++)
        EXPECT_EQ(out[i], numbers[(63 - i) * 4 + 1] + numbers[1]);

    pipelined<<<1, 128>>>(out.device, in.device, 8);
    out.download();
    for (int i = 0; i < 128; i++) {
        int want = 0;
        for (int batch = 0; batch < 8; batch++)
            want += numbers[batch * 128 + 127 - i];
        EXPECT_EQ(out[i], want);
    }

    specialised<<<1, 128>>>(out.device, in.device, 6);
    out.download();
    for (int i = 64; i < 128; i++) {
        int want = 0;
        for (int batch = 0; batch < 6; batch++)
            want += numbers[batch * 64 + 127 - i];
        EXPECT_EQ(out[i], want);
    }

    alone<<<1, 128>>>(out.device, in.device);
    out.download();
    for (int i = 0; i < 128; i++)
        EXPECT_EQ(out[i], numbers[i] * 2);
    return finish();
}
