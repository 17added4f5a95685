/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels in C: blocks run once each, in order with others, in graphs, and a
 * fault in one is the context's. */
#define _GNU_SOURCE
#include "../exec/check.h"
#include "core/native.h"
#include "cuda_runtime_api.h"
#include "lib/common/lib.h"

#include <stdatomic.h>

struct counts {
    int *of_block;
    int add;
};

static void count(const void *args, uint64_t first, uint64_t end)
{
    const struct counts *c = args;
    for (uint64_t i = first; i < end; i++)
        c->of_block[i] += c->add;
}

static const struct native_kernel counting = {
    .name = "count", .run = count, .args_bytes = sizeof(struct counts)};

static void fault(const void *args, uint64_t first, uint64_t end)
{
    (void)first, (void)end;
    **(volatile int *const *)args = 1;
}

static const struct native_kernel faulting = {
    .name = "faulting", .run = fault, .args_bytes = 8, .stack_bytes = 1 << 20};

enum { BLOCKS = 10007 };

static bool all_are(const int *of_block, int value)
{
    for (int i = 0; i < BLOCKS; i++) {
        if (of_block[i] != value)
            return false;
    }
    return true;
}

static void blocks_run_once_in_order(int *of_block)
{
    struct counts one = {of_block, 1}, two = {of_block, 2};
    for (int i = 0; i < 100; i++)
        CHECK_EQUAL(lib_run(&counting, 0, BLOCKS, i % 2 ? &one : &two),
                    CUDA_SUCCESS);
    CHECK_EQUAL(lib_synchronize(0), CUDA_SUCCESS);
    CHECK(all_are(of_block, 150));
    CHECK_EQUAL(lib_run(&counting, 0, 0, &one), CUDA_ERROR_INVALID_VALUE);
    CHECK_EQUAL(lib_run(&counting, (CUstream)77, 1, &one),
                CUDA_ERROR_INVALID_HANDLE);
}

static void graphs_hold_it(int *of_block)
{
    struct counts one = {of_block, 1};
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaMemset(of_block, 0, BLOCKS * sizeof *of_block);
    CHECK_EQUAL(cudaStreamCreate(&s), cudaSuccess);
    CHECK(!lib_is_capturing((CUstream)s));
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    CHECK(lib_is_capturing((CUstream)s));
    CHECK_EQUAL(lib_run(&counting, (CUstream)s, BLOCKS, &one), CUDA_SUCCESS);
    CHECK_EQUAL(lib_run(&counting, (CUstream)s, BLOCKS, &one), CUDA_SUCCESS);
    CHECK_EQUAL(cudaStreamEndCapture(s, &graph), cudaSuccess);
    CHECK_EQUAL(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    for (int i = 0; i < 3; i++)
        CHECK_EQUAL(cudaGraphLaunch(exec, s), cudaSuccess);
    CHECK_EQUAL(cudaStreamSynchronize(s), cudaSuccess);
    CHECK(all_are(of_block, 6));
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(s);
}

int main(void)
{
    uint64_t nothing = 0, nowhere = 16;
    int *of_block;
    CHECK_EQUAL(lib_start(), CUDA_SUCCESS);
    CHECK(lib_thread_count() >= 1);
    CHECK_EQUAL(cudaMalloc((void **)&of_block, BLOCKS * sizeof *of_block),
                cudaSuccess);
    cudaMemset(of_block, 0, BLOCKS * sizeof *of_block);
    CHECK(lib_is_device_pointer(of_block) && !lib_is_device_pointer(&nothing));
    blocks_run_once_in_order(of_block);
    graphs_hold_it(of_block);
    CHECK_EQUAL(lib_run(&faulting, 0, 4, &nowhere), CUDA_SUCCESS);
    CHECK_EQUAL(lib_synchronize(0), CUDA_ERROR_ILLEGAL_ADDRESS);
    return check_result();
}
