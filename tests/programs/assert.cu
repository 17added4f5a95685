// SPDX-License-Identifier: Apache-2.0
//
// A device assertion fails: the process survives, the
// error stays on the context through every later call, and a reset of the
// device makes it as good as new.
#undef NDEBUG
#include <cassert>

#include "sticky.h"

__global__ void fail(int *out, long long where)
{
    out[threadIdx.x] = 1;
    assert(threadIdx.x < 40 || where == 0);
}

int main()
{
    return expect_sticky(fail, 7, cudaErrorAssert, 710);
}
