// SPDX-License-Identifier: Apache-2.0
//
// A device assertion fails: the process survives, the
// error stays on the context through every later call, and a reset of the
// device makes it as good as new.
#undef NDEBUG
#include <cassert>

#include "sticky.h"

// Declared again for both sides, as CCCL does.
extern "C" __host__ __device__ void
__assert_fail(const char *message, const char *file, unsigned line,
              const char *function) noexcept __attribute__((__noreturn__));

__global__ void fail(int *out, long long where)
{
    out[threadIdx.x] = 1;
    assert(threadIdx.x < 40 || where == 0);
}

int main()
{
    return expect_sticky(fail, 7, cudaErrorAssert, 710);
}
