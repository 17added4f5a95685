// SPDX-License-Identifier: Apache-2.0
//
// Constructors of static objects launch kernels and use symbols of their own
// file before main(), whatever kind of object it is.
#include "check.h"

__device__ int counter = 5;
__constant__ int step = 2;
__global__ void add(int n);

struct launcher {
    int seen;
    explicit launcher(int n)
    {
        add<<<1, 1>>>(n);
        CHECK_KERNEL();
        CHECK(cudaMemcpyFromSymbol(&seen, counter, sizeof seen));
    }
};

static launcher first(1);
launcher second(10);

__global__ void fill(int *p, int n)
{
    *p = n;
}

// These need no order among themselves.
struct filler {
    int seen;
    explicit filler(int n)
    {
        int *p;
        CHECK(cudaMalloc(&p, sizeof *p));
        fill<<<1, 1>>>(p, n);
        CHECK_KERNEL();
        CHECK(cudaMemcpy(&seen, p, sizeof seen, cudaMemcpyDeviceToHost));
    }
};

template <int N> struct holder {
    static filler instance;
};
template <int N> filler holder<N>::instance(N);
template struct holder<7>;
inline filler in_line(3);
__attribute__((init_priority(200))) filler early(4);

__global__ void add(int n)
{
    counter += n * step;
}

int main()
{
    EXPECT_EQ(first.seen, 7);
    EXPECT_EQ(second.seen, 27);
    EXPECT_EQ(holder<7>::instance.seen, 7);
    EXPECT_EQ(in_line.seen, 3);
    EXPECT_EQ(early.seen, 4);
    return finish();
}
