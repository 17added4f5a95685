// SPDX-License-Identifier: Apache-2.0
//
// A lane gets the votes of the lanes that it names. Programs have each lane
// name those below it, so itself never: CUDA leaves that open, and a warp in
// step has an answer. The interpreter reports it instead, as it should.
#include <cstdlib>
#include <cstring>

#include "check.h"

__global__ void below(unsigned *out)
{
    int i = threadIdx.x;
    unsigned others = (1u << (i & 31)) - 1;
    out[4 * i] = __ballot_sync(others, i % 3 == 0);
    out[4 * i + 1] = __any_sync(others, (i & 31) == 7);
    out[4 * i + 2] = __all_sync(others, (i & 31) < 20);
    out[4 * i + 3] = __ballot_sync(0xffffu, i % 2 == 0);
}

int main()
{
    const char *engine = getenv("WEFT_ENGINE");
    if (engine && strcmp(engine, "emu") == 0)
        return 0;
    const int threads = 64;
    buffer<unsigned> out(4 * threads);
    std::vector<unsigned> want(4 * threads);
    for (int i = 0; i < threads; i++) {
        int lane = i & 31;
        for (int k = 0; k < lane; k++)
            want[4 * i] |= (unsigned)((i - lane + k) % 3 == 0) << k;
        want[4 * i + 1] = lane > 7;
        want[4 * i + 2] = lane <= 20;
        want[4 * i + 3] = 0x5555u;
    }
    below<<<1, threads>>>(out.device);
    out.download();
    expect_same("votes of others", out, want);
    return finish();
}
