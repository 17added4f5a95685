// SPDX-License-Identifier: Apache-2.0
// also: WEFT_LANES=1
//
// Lanes that are at the same warp operation together, but name different
// members: each set votes, matches and reduces for itself.
#include "check.h"

__global__ void ask(const int *data, unsigned *out)
{
    unsigned lane = threadIdx.x % 32;
    unsigned group = lane / 8;
    unsigned members = 0xffu << (group * 8);
    int value = data[threadIdx.x];
    unsigned *mine = out + threadIdx.x * 5;
    mine[0] = __ballot_sync(members, value > 3);
    mine[1] = __any_sync(members, value > 8);
    mine[2] = __all_sync(members, value > 0);
    mine[3] = __match_any_sync(members, value);
    mine[4] = __reduce_add_sync(members, (unsigned)value);
}

int main()
{
    const int n = 64;
    int *data;
    unsigned *out;
    CHECK(cudaMallocManaged(&data, n * sizeof *data));
    CHECK(cudaMallocManaged(&out, n * 5 * sizeof *out));
    for (int i = 0; i < n; i++)
        data[i] = (i * 7 + i / 8) % 10;
    ask<<<1, n>>>(data, out);
    CHECK(cudaDeviceSynchronize());
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        unsigned want[5] = {0, 0, 1, 0, 0};
        int first = i / 8 * 8;
        for (int j = first; j < first + 8; j++) {
            unsigned bit = 1u << (j % 32);
            want[0] |= data[j] > 3 ? bit : 0;
            want[1] |= data[j] > 8;
            want[2] &= data[j] > 0;
            want[3] |= data[j] == data[i] ? bit : 0;
            want[4] += data[j];
        }
        for (int k = 0; k < 5; k++)
            wrong += out[i * 5 + k] != want[k];
    }
    std::printf("member masks: %d wrong\n", wrong);
    return wrong != 0;
}
