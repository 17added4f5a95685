// SPDX-License-Identifier: Apache-2.0
//
// Values that are the same in all lanes when computed, but not when used: they
// are written under a branch that only some lanes take, or in a loop that the
// lanes leave at different times.
#include "check.h"

static __host__ __device__ int written_in_branch(int i)
{
    int x = 3;
    if (scramble(i) & 1)
        x = 5;
    return x;
}

static __host__ __device__ int written_in_two_branches(int i)
{
    int x, y;
    if (i % 3 == 1) {
        x = 10;
        y = 20;
    } else {
        x = 20;
        y = 10;
    }
    return x * 100 + y;
}

static __host__ __device__ int written_in_loop(int i)
{
    int x = 1;
    for (int k = 0; k < i % 13; k++)
        x = x * 3 + 1; // the same in all lanes still inside
    return x;
}

static __host__ __device__ int branch_on_loop_value(int i)
{
    int x = 0, y = 0;
    for (int k = 0; k < i % 9 + 1; k++) {
        x++;
        if (x == 4) // uniform among those still inside
            y += 100;
    }
    if (x == 4) // not uniform here
        y += 1000;
    return y + x;
}

static __host__ __device__ int toggled(int i)
{
    int flag = 0, sum = 0;
    for (int k = 0; k < 10; k++) {
        if ((i + k) % 4 == 0)
            flag = !flag;
        if (flag)
            sum += k;
    }
    return sum;
}

static __host__ __device__ int selected_by_lane(int i)
{
    int a = 7, b = 11, c = a;
    if (i & 4)
        c = b;
    if (i & 8)
        a = c + 1;
    return a * 1000 + b * 10 + c;
}

__global__ void parameters(int *out, int a, int b, int n)
{
    int i = thread_in_grid();
    if (i >= n)
        return;
    if (i % 5 == 0) {
        int t = a; // swapped in some lanes only
        a = b;
        b = t;
    }
    for (int k = 0; k < i % 3; k++)
        a += b;
    out[i] = a * 2 - b;
}

static void check_parameters()
{
    const int n = 500;
    buffer<int> out(n);
    std::vector<int> want(n);
    for (int i = 0; i < n; i++) {
        int a = i % 5 == 0 ? 41 : 17, b = i % 5 == 0 ? 17 : 41;
        for (int k = 0; k < i % 3; k++)
            a += b;
        want[i] = a * 2 - b;
    }
    parameters<<<(n + 63) / 64, 64>>>(out.device, 17, 41, n);
    out.download();
    expect_same("parameters", out, want);
}

// Only one thread writes the shared value; all use it after the barrier.
__global__ void elected(int *out)
{
    __shared__ int value;
    int turns = 0;
    for (int k = 0; k < 5; k++) {
        if (threadIdx.x == (unsigned)(k * 7))
            value = k * 100 + blockIdx.x;
        __syncthreads();
        if (value % 200 >= 100)
            turns++;
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = turns * 1000 + value;
}

static void check_elected()
{
    const int blocks = 3, size = 70;
    buffer<int> out(blocks * size);
    std::vector<int> want(blocks * size);
    for (int i = 0; i < blocks * size; i++)
        want[i] = 2 * 1000 + 400 + i / size;
    elected<<<blocks, size>>>(out.device);
    out.download();
    expect_same("elected", out, want);
}

int main()
{
    const int n = 600;
    CHECK_MAP(int, written_in_branch, n);
    CHECK_MAP(int, written_in_two_branches, n);
    CHECK_MAP(int, written_in_loop, n);
    CHECK_MAP(int, branch_on_loop_value, n);
    CHECK_MAP(int, toggled, n);
    CHECK_MAP(int, selected_by_lane, n);
    check_parameters();
    check_elected();
    return finish();
}
