// SPDX-License-Identifier: Apache-2.0
// weftcc: -arch=sm_90
//
// cuda::barrier as the mbarrier that it is: bulk copies that complete its
// transactions, and instructions on the same word as its members.
#include <cooperative_groups.h>
#include <cuda/barrier>

#include "check.h"

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;

static constexpr size_t L = 256;

__global__ void add_one(int *data, size_t offset)
{
    __shared__ alignas(16) int s[L];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier bar;
    if (threadIdx.x == 0) {
        init(&bar, blockDim.x);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    if (threadIdx.x == 0)
        cuda::memcpy_async(s, data + offset, cuda::aligned_size_t<16>(sizeof s),
                           bar);
    barrier::arrival_token token = bar.arrive();
    bar.wait(std::move(token));
    for (int i = threadIdx.x; i < L; i += blockDim.x)
        s[i] += 1;
    cde::fence_proxy_async_shared_cta();
    __syncthreads();
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_shared_to_global(data + offset, s, sizeof s);
        cde::cp_async_bulk_commit_group();
        cde::cp_async_bulk_wait_group_read<0>();
    }
}

// The phase waits for the bytes.
__global__ void transactions(int *out, const int *in, int n)
{
    __shared__ alignas(16) int s[64];
    __shared__ barrier b;
    if (threadIdx.x == 0) {
        init(&b, blockDim.x);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < n; i++) {
        barrier::arrival_token token;
        if (threadIdx.x == 0) {
            cuda::device::memcpy_async_tx(s, in + i * 64,
                                          cuda::aligned_size_t<16>(256), b);
            token = cuda::device::barrier_arrive_tx(b, 1, 256);
        } else {
            token = b.arrive();
        }
        b.wait(std::move(token));
        sum += s[threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// Half of the threads by members, half by instructions.
__global__ void mixed(int *out)
{
    __shared__ barrier b;
    if (threadIdx.x == 0)
        init(&b, blockDim.x);
    __syncthreads();
    unsigned word =
        __cvta_generic_to_shared(cuda::device::barrier_native_handle(b));
    for (int i = 0; i < 20; i++) {
        if (threadIdx.x % 2) {
            b.arrive_and_wait();
            continue;
        }
        unsigned long long state;
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
                     : "=l"(state)
                     : "r"(word)
                     : "memory");
        for (int is_done = 0; !is_done;)
            asm volatile("{ .reg .pred p;"
                         " mbarrier.try_wait.shared.b64 p, [%1], %2;"
                         " selp.s32 %0, 1, 0, p; }"
                         : "=r"(is_done)
                         : "r"(word), "l"(state)
                         : "memory");
    }
    out[threadIdx.x] = 7;
}

int main()
{
    buffer<int> in(1024), out(128);
    for (int i = 0; i < 1024; i++)
        in[i] = i;
    in.upload();
    transactions<<<1, 64>>>(out.device, in.device, 4);
    CHECK_KERNEL();
    out.download();
    EXPECT_EQ(out[2], 2 + 66 + 130 + 194);
    add_one<<<1, 64>>>(in.device, 256);
    CHECK_KERNEL();
    in.download();
    EXPECT_EQ(in[255], 255);
    EXPECT_EQ(in[256], 257);
    EXPECT_EQ(in[511], 512);
    EXPECT_EQ(in[512], 512);
    mixed<<<1, 128>>>(out.device);
    CHECK_KERNEL();
    out.download();
    EXPECT_EQ(out[100], 7);
    return finish();
}
